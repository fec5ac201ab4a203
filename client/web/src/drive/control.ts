/* What can be done to one world. Each method is one command; one that the daemon refuses rejects with its words. */
import { GeomKind, type Client, type CommandOf, type CommandResult } from "troupe-client";

const BALL = { radiusM: 0.12, massKg: 3, speedMS: 11, kept: 8 };
const GRAVITY = 9.81;
const KEY_TICKS = 400; // between whole states in a recording, so that scrubbing is quick

export interface Point {
    x: number;
    y: number;
    z: number;
}

export class Control {
    private readonly balls: number[] = [];

    constructor(
        private readonly client: () => Client | undefined,
        readonly world: number,
    ) {}

    pause = () => this.send({ case: "pause", value: {} });
    resume = () => this.send({ case: "resume", value: {} });
    step = (count: number) => this.send({ case: "step", value: { count } });
    reset = () => this.send({ case: "reset", value: {} });
    rate = (rate: number) => this.send({ case: "setRate", value: { rate } });
    limp = (entity: number, limp: boolean) => this.send({ case: "setLimp", value: { entity, limp } });
    despawn = (entity: number) => this.send({ case: "despawn", value: { entity } });
    setController = (entity: number, controller: string) => this.send({ case: "setController", value: { entity, controller } });

    /** No values: back to the initial ones. */
    setParameters(entity: number, values: Record<string, number[]>): Promise<CommandResult> {
        const parameters = Object.entries(values).map(([name, each]) => ({ name, values: each }));
        return this.send({ case: "setParameters", value: { entity, parameters } });
    }

    async spawn(controller: string, label: string, x: number, y: number, headingRad: number): Promise<number> {
        const value = { controller, label, pos: { x, y, z: 0 }, headingRad };
        return (await this.send({ case: "spawnCharacter", value })).entity;
    }

    record = (name: string) => this.send({ case: "startRecording", value: { name, keyEvery: KEY_TICKS } });
    stopRecording = () => this.send({ case: "stopRecording", value: {} });

    /** point: in the body's frame, from its centre of mass. */
    push(entity: number, body: string, point: Point, force: Point, durationS: number): Promise<CommandResult> {
        return this.send({ case: "push", value: { entity, body, point, force, durationS } });
    }

    /** A ball from one point that arrives at another; when there are many, the oldest is removed. */
    async throwBall(from: Point, at: Point, atVelocity: Point): Promise<void> {
        const distance = Math.hypot(at.x - from.x, at.y - from.y, at.z - from.z);
        const time = Math.max(0.15, distance / BALL.speedMS);
        const vel = {
            x: (at.x - from.x) / time + atVelocity.x,
            y: (at.y - from.y) / time + atVelocity.y,
            z: (at.z - from.z) / time + 0.5 * GRAVITY * time,
        };
        const geoms = [{ kind: GeomKind.SPHERE, size: { x: BALL.radiusM, y: 0, z: 0 }, friction: 0.8 }];
        const value = { name: "ball", geoms, mass: BALL.massKg, pos: from, vel, angularDamping: 1 };
        this.balls.push((await this.send({ case: "spawnObject", value })).entity);
        if (this.balls.length > BALL.kept) await this.despawn(this.balls.shift()!);
    }

    send(command: CommandOf): Promise<CommandResult> {
        const client = this.client();
        return client ? client.command(this.world, command) : Promise.reject(new Error("not connected"));
    }
}

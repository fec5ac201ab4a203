/* Where the selected character is steered to: by keys or stick, relative to the camera, or to a point on the ground; and to which skill. */
import type { Vector3 } from "three";
import { StatusCode, StatusError } from "troupe-client";
import type { Drawn } from "../scene/cast.js";
import { NOTHING, steeringWords, type Reach } from "../state/reach.js";
import type { Control } from "./control.js";

const SEND_EVERY_MS = 100;
const TURN_MIN_RAD = 0.04;
const ARRIVED_M = 0.6;

export class Steering {
    private goal: { entity: number; x: number; y: number } | undefined;
    private heading: number | undefined;
    private sentMs = 0;
    private entity: number | undefined;
    private refused: number | undefined;
    private aim: Aim = { case: undefined };
    /** The skill that was asked for; empty: none. */
    private skill = "";
    /** m/s; 0: its own. */
    private speed = 0;
    private reach = NOTHING;

    constructor(
        private readonly control: () => Control | undefined,
        private readonly say: (text: string) => void,
        private readonly showGoal: (at?: Vector3) => void,
    ) {
    }

    /** What the selected character can be asked for. */
    setReach(reach: Reach): void {
        this.reach = reach;
        this.say(steeringWords(reach));
    }

    get requestedSkill(): string {
        return this.skill;
    }

    /** direction: right and away on the screen; headingAway: the world's heading of away, rad. */
    frame(nowMs: number, drawn: Drawn | undefined, [right, away]: readonly [number, number], headingAway: number): void {
        if (this.goal && drawn && Math.hypot(drawn.pos[0]! - this.goal.x, drawn.pos[1]! - this.goal.y) < ARRIVED_M) this.clearGoal();
        if (drawn === undefined || !this.reach.heading) return;
        if (right === 0 && away === 0) {
            if (this.heading !== undefined) this.halt(drawn.state.entity);
            return;
        }
        const heading = headingAway - Math.atan2(right, away);
        const turned = this.heading === undefined || Math.abs(Math.sin((heading - this.heading) / 2)) > TURN_MIN_RAD / 2;
        if (!turned || nowMs - this.sentMs < SEND_EVERY_MS) return;
        this.clearGoal();
        this.sentMs = nowMs;
        this.heading = heading;
        void this.send(drawn.state.entity, { case: "headingRad", value: heading });
    }

    /** False: it does not go to places. */
    goTo(drawn: Drawn, point: Vector3): boolean {
        if (!this.reach.place) return false;
        const entity = drawn.state.entity;
        this.goal = { entity, x: point.x, y: point.y };
        this.heading = undefined;
        void this.send(entity, { case: "target", value: { x: point.x, y: point.y, z: 0 } });
        if (this.refused !== entity) this.showGoal(point);
        return true;
    }

    /** To a skill of its control graph, to stay in; empty: any. Where it heads remains. */
    toSkill(entity: number, skill: string): void {
        this.skill = skill;
        void this.send(entity, this.aim);
    }

    toSpeed(entity: number, speed: number): void {
        this.speed = speed;
        void this.send(entity, this.aim);
    }

    /** Stop, and stand: no heading, no place, and no skill until the next way. */
    halt(entity: number | undefined): void {
        this.clearGoal();
        this.heading = undefined;
        this.skill = "";
        if (entity !== undefined && this.refused !== entity) void this.send(entity, { case: undefined });
    }

    /** Another character is selected. */
    forget(): void {
        this.clearGoal();
        this.heading = undefined;
        this.refused = undefined;
        this.aim = { case: undefined };
        this.skill = "";
        this.speed = 0;
        this.say(steeringWords(this.reach));
    }

    private clearGoal(): void {
        this.goal = undefined;
        this.showGoal(undefined);
    }

    private async send(entity: number, aim: Aim): Promise<void> {
        this.entity = entity;
        this.aim = aim;
        try {
            await this.control()?.send({ case: "steer", value: { entity, aim, skill: this.skill, speed: aim.case ? this.speed : 0 } });
            if (this.refused === entity) this.refused = undefined;
        } catch (error) {
            if (this.entity === entity) this.clearGoal();
            this.refused = entity;
            const unknown = error instanceof StatusError && error.code === StatusCode.UNIMPLEMENTED;
            this.say(unknown ? "This daemon cannot steer" : error instanceof Error ? error.message : String(error));
        }
    }
}

type Aim =
    | { case: "headingRad"; value: number }
    | { case: "target"; value: { x: number; y: number; z: number } }
    | { case: undefined };

/* A world in this page: answers what the viewer asks of a daemon, steps in real time, and sends its states. The clock is an argument. */
import { EventKind, GeomKind, Role, StatusCode, StatusError, WorldMode, PROTOCOL_MAJOR, PROTOCOL_MINOR, type Answer, type Asked, type Condition, type ControllerDetail, type Engine, type ControllerSummary, type ModelDetail, type Response, type Told } from "troupe-client";

type CommandAsked = Extract<Extract<Asked, { case: "command" }>["value"]["command"], { case: string }>;
type Value<C extends CommandAsked["case"]> = Extract<CommandAsked, { case: C }>["value"];
type State = Extract<Told, { case: "state" }>["value"];

export const WORLD = { id: 1, name: "here" };
const CHARACTERS_MAX = 8;
const POSE = 7;
/** Real time that it catches up with; what is more is dropped. */
const LATE_MS = 100;

interface Performer {
    label: string;
    controller: string;
    fallen: boolean;
}

interface Push {
    entity: number;
    body: number;
    force: readonly [number, number, number];
    untilTick: number;
}

/** What a daemon said of the bundle's controllers and models, when the page was built. */
export interface Catalogue {
    controllers: ControllerSummary[];
    controller: ReadonlyMap<string, ControllerDetail>;
    model: ReadonlyMap<string, ModelDetail>;
}

export function catalogueOf(responses: readonly Response[]): Catalogue {
    const known = { controllers: [] as ControllerSummary[], controller: new Map<string, ControllerDetail>(), model: new Map<string, ModelDetail>() };
    for (const { result } of responses)
        if (result.case === "controllerList") known.controllers.push(...result.value.controllers);
        else if (result.case === "controller") known.controller.set(result.value.summary!.name, result.value);
        else if (result.case === "model") known.model.set(result.value.summary!.name, result.value);
    return known;
}

export class LocalWorld {
    private readonly performers = new Map<number, Performer>();
    private readonly balls = new Map<number, number>(); // entity: radius, m
    private pushes: Push[] = [];
    private everyTicks = 0;
    private rate = 1;
    private paused = false;
    private epoch = 0;
    private droppedTicks = 0;
    /** The clock when the world's tick was `baseTick`. */
    private baseMs: number | undefined;
    private baseTick = 0;
    private begin: { saved: Uint8Array; performers: [number, Performer][] } | undefined;

    constructor(
        private readonly engine: Engine,
        private readonly catalogue: Catalogue,
        private readonly tell: (message: Told) => void,
    ) {}

    /** Reset returns to here. */
    mark(): void {
        this.begin = { saved: this.engine.save(), performers: [...this.performers].map(([entity, each]) => [entity, { ...each }]) };
    }

    // --- requests ---

    answer(request: Asked): Answer {
        switch (request.case) {
            case "hello":
                return { case: "hello", value: { protocolMajor: PROTOCOL_MAJOR, protocolMinor: PROTOCOL_MINOR, serverVersion: "in this page", requestsMax: 64, role: Role.DIRECTOR } };
            case "ping":
                return { case: "pong", value: { worlds: 1 } };
            case "listWorlds":
                return { case: "worldList", value: { worlds: [this.info()] } };
            case "getWorld":
                return { case: "world", value: this.info() };
            case "listControllers":
                return { case: "controllerList", value: { controllers: this.catalogue.controllers } };
            case "getController":
                return { case: "controller", value: found(this.catalogue.controller, request.value.name) };
            case "getModel":
                return { case: "model", value: found(this.catalogue.model, request.value.name) };
            case "subscribe":
                this.everyTicks = request.value.rateHz > 0 ? Math.max(1, Math.round(1 / (request.value.rateHz * this.engine.stepS))) : 0;
                this.tell({ case: "state", value: this.state() });
                return { case: "subscribe", value: { world: WORLD.id, everyTicks: this.everyTicks, tick: BigInt(this.engine.tick) } };
            case "unsubscribe":
                this.everyTicks = 0;
                return undefined;
            case "getState":
                return { case: "state", value: this.state(true) };
            case "command":
                return { case: "command", value: { entity: this.command(request.value.command), tick: BigInt(this.engine.tick) } };
            default:
                throw new StatusError(StatusCode.UNIMPLEMENTED, `${request.case}: a world in the page does not answer this`);
        }
    }

    private info() {
        return { ...WORLD, stepS: this.engine.stepS, mode: WorldMode.REAL_TIME, rate: this.rate, paused: this.paused, tick: BigInt(this.engine.tick), epoch: this.epoch, characterCount: this.performers.size };
    }

    // --- commands ---

    /** Returns the entity that it made, or 0. */
    private command(command: CommandAsked | { case: undefined }): number {
        switch (command.case) {
            case "spawnCharacter":
                return this.spawn(command.value);
            case "spawnObject":
                return this.throwBall(command.value);
            case "push":
                this.push(command.value);
                break;
            case "steer":
            case "setLimp":
                this.engine.apply(command);
                break;
            case "despawn":
                this.engine.apply(command);
                this.performers.delete(command.value.entity);
                this.balls.delete(command.value.entity);
                break;
            case "pause":
            case "resume":
                this.pause(command.case === "pause");
                break;
            case "setRate":
                this.rate = command.value.rate;
                this.baseMs = undefined;
                this.happened(EventKind.APPLIED, { text: "set_rate" });
                break;
            case "step":
                this.engine.step(command.value.count ?? 1);
                break;
            case "reset":
                this.reset();
                break;
            default:
                throw new StatusError(StatusCode.UNIMPLEMENTED, `A world in the page knows no ${command.case}`);
        }
        if (this.paused) this.publish();
        return 0;
    }

    private spawn(value: Value<"spawnCharacter">): number {
        if (this.performers.size >= CHARACTERS_MAX) throw new StatusError(StatusCode.RESOURCE_EXHAUSTED, `This page has room for ${CHARACTERS_MAX} characters`);
        const entity = this.engine.apply({ case: "spawnCharacter", value });
        this.performers.set(entity, { label: value.label || value.controller, controller: value.controller, fallen: false });
        return entity;
    }

    private throwBall(value: Value<"spawnObject">): number {
        const [geom] = value.geoms;
        if (value.geoms.length !== 1 || geom?.kind !== GeomKind.SPHERE) throw new StatusError(StatusCode.UNIMPLEMENTED, "A world in the page has balls, and no other objects");
        const entity = this.engine.apply({ case: "spawnObject", value });
        this.balls.set(entity, geom.size?.x ?? 0);
        return entity;
    }

    private push(value: Value<"push">): void {
        const { entity, body, force, durationS } = value;
        const performer = this.performers.get(entity);
        const bodies = performer ? found(this.catalogue.model, this.modelOf(performer)).bodies : [];
        const index = bodies.findIndex(({ name }) => name === body);
        this.engine.apply({ case: "push", value });
        this.pushes.push({ entity, body: Math.max(index, 0), force: [force?.x ?? 0, force?.y ?? 0, force?.z ?? 0], untilTick: this.engine.tick + Math.round(durationS / this.engine.stepS) });
    }

    private pause(paused: boolean): void {
        if (paused === this.paused) return;
        this.paused = paused;
        this.baseMs = undefined;
        this.happened(paused ? EventKind.PAUSED : EventKind.RESUMED);
    }

    private reset(): void {
        if (this.begin === undefined) return;
        this.engine.load(this.begin.saved);
        this.performers.clear();
        for (const [entity, each] of this.begin.performers) this.performers.set(entity, { ...each });
        this.balls.clear();
        this.pushes = [];
        this.epoch++;
        this.baseMs = undefined;
        this.happened(EventKind.RESET);
    }

    // --- time ---

    /** To the tick that is due; a state goes out at each of those that were asked for. */
    advance(nowMs: number): void {
        if (this.paused || this.everyTicks === 0) {
            this.baseMs = undefined;
            return;
        }
        this.baseMs ??= this.rebase(nowMs);
        const perMs = this.rate / (1000 * this.engine.stepS);
        const due = this.baseTick + Math.floor((nowMs - this.baseMs) * perMs);
        const most = this.engine.tick + Math.max(1, Math.ceil(LATE_MS * perMs));
        if (due > most) {
            this.droppedTicks += due - most;
            this.baseMs += (due - most) / perMs;
        }
        this.stepTo(Math.min(due, most));
    }

    private rebase(nowMs: number): number {
        this.baseTick = this.engine.tick;
        return nowMs;
    }

    private stepTo(due: number): void {
        for (let tick = this.engine.tick; tick < due; ) {
            const next = Math.min(due, (Math.floor(tick / this.everyTicks) + 1) * this.everyTicks);
            this.engine.step(next - tick);
            tick = next;
            if (tick % this.everyTicks === 0) this.publish();
        }
    }

    private publish(): void {
        this.tell({ case: "state", value: this.state() });
    }

    private happened(kind: EventKind, more: { entity?: number; text?: string } = {}): void {
        this.tell({ case: "events", value: { world: WORLD.id, events: [{ kind, tick: BigInt(this.engine.tick), epoch: this.epoch, ...more }] } });
    }

    // --- states ---

    /** shapes: with those of balls. */
    private state(shapes = false): State {
        const tick = this.engine.tick;
        this.pushes = this.pushes.filter(({ entity, untilTick }) => untilTick > tick && this.performers.has(entity));
        return {
            world: WORLD.id,
            epoch: this.epoch,
            tick: BigInt(tick),
            timeS: tick * this.engine.stepS,
            droppedTicks: BigInt(this.droppedTicks),
            hash: this.engine.hash,
            characters: [...this.performers].map(([entity, performer]) => this.character(entity, performer)),
            objects: [...this.balls].map(([entity, radius]) => this.ball(entity, radius, shapes)),
            pushes: this.pushes.map((push) => this.pushState(push, tick)),
        };
    }

    private character(entity: number, performer: Performer) {
        const condition = this.engine.look(entity);
        this.notice(entity, performer, condition);
        const pose = this.engine.poses(entity);
        const count = pose.length / POSE;
        const bodyPos = new Array<number>(3 * count);
        const bodyRot = new Array<number>(4 * count);
        for (let b = 0; b < count; b++) {
            for (let k = 0; k < 3; k++) bodyPos[3 * b + k] = pose[POSE * b + k]!;
            for (let k = 0; k < 4; k++) bodyRot[4 * b + k] = pose[POSE * b + 3 + k]!;
        }
        return { entity, ...performer, ...condition, model: this.modelOf(performer), rootPos: bodyPos.slice(0, 3), rootRot: bodyRot.slice(0, 4), bodyPos, bodyRot };
    }

    private notice(entity: number, performer: Performer, { fallen }: Condition): void {
        if (fallen !== performer.fallen) this.happened(fallen ? EventKind.FELL : EventKind.ROSE, { entity });
        performer.fallen = fallen;
    }

    private modelOf({ controller }: Performer): string {
        return found(this.catalogue.controller, controller).summary!.model;
    }

    private ball(entity: number, radius: number, shapes: boolean) {
        const pose = [...this.engine.poses(entity)];
        const geoms = shapes ? [{ kind: GeomKind.SPHERE, size: { x: radius } }] : [];
        return { entity, name: "ball", pos: pose.slice(0, 3), rot: pose.slice(3), geoms };
    }

    private pushState({ entity, body, force, untilTick }: Push, tick: number) {
        const pos = [...this.engine.poses(entity).subarray(POSE * body, POSE * body + 3)];
        return { entity, body, pos, force: [...force], remainingS: (untilTick - tick) * this.engine.stepS };
    }
}

function found<T>(known: ReadonlyMap<string, T>, name: string): T {
    const item = known.get(name);
    if (item === undefined) throw new StatusError(StatusCode.NOT_FOUND, `“${name}”: no such item in this page`);
    return item;
}

/* A world of a daemon that is stepped here too, with the same bits, from its inputs (PROTOCOL.md, "Inputs instead of states").
 *
 *     const engine = new WasmEngine(library, bundle, world.stepS); // in Node: await openWorldLibrary(file)
 *     const client = await connectWebSocket({ url, ...Mirror.handlers(() => mirror) });
 *     const mirror = await Mirror.follow(client, world.id, engine);
 *     ... mirror.engine.poses(entity) ...
 *
 * The library must have the daemon's version, the bundle the models and controllers of the world. A hash that differs, events that
 * were lost, and a world that went back make it take the world's state again. */
import type { Client, ClientDef } from "./client.js";
import { EventKind, StateField, type Event, type EventBatch, type WorldState } from "./messages/troupe/state_pb.js";
import type { Engine } from "./simulation.js";

const FIELDS = StateField.BRIEF | StateField.HASH | StateField.INPUTS;
const JUMPS: readonly EventKind[] = [EventKind.RESET, EventKind.RESTORED, EventKind.SOUGHT, EventKind.DROPPED];

export class Mirror {
    /** How often it took the whole state. */
    takes = 0;
    private inputs: Event[] = [];
    private stopped = false;
    /** What arrived while a state was being taken. */
    private waiting: (WorldState | EventBatch)[] | undefined = [];

    private constructor(
        private readonly client: Client,
        readonly world: number,
        readonly engine: Engine,
        /** After each state: the mirror is at its tick, or on the way to a newer one. */
        private readonly moved: (mirror: Mirror) => void,
        /** It cannot go on: the session is closed, or the library lacks a controller. */
        private readonly failed: (error: unknown) => void,
    ) {}

    /** For the client's definition. What comes before there is a mirror is lost; a hash that differs makes up for it. */
    static handlers(mirror: () => Mirror | undefined): Pick<ClientDef, "onState" | "onEvents"> {
        return { onState: (state) => mirror()?.take(state), onEvents: (events) => mirror()?.take(events) };
    }

    /** rateHz: how often the daemon sends its time and hash. */
    static async follow(client: Client, world: number, engine: Engine, { rateHz = 10, moved = () => {}, failed = () => {} }: { rateHz?: number; moved?: (mirror: Mirror) => void; failed?: (error: unknown) => void } = {}): Promise<Mirror> {
        const mirror = new Mirror(client, world, engine, moved, failed);
        await client.subscribe({ world, rateHz, fields: FIELDS });
        await mirror.begin();
        return mirror;
    }

    /** A state or events, in the order in which they come. */
    take(message: WorldState | EventBatch): void {
        if (message.world !== this.world || this.stopped) return;
        if (this.waiting) this.waiting.push(message);
        else if ("events" in message) this.note(message.events);
        else this.advance(message);
    }

    private note(events: readonly Event[]): void {
        if (events.some(({ kind }) => JUMPS.includes(kind))) this.beginAgain();
        else this.inputs.push(...events.filter(({ command }) => command.length > 0));
    }

    private advance(state: WorldState): void {
        const tick = Number(state.tick);
        if (tick < this.engine.tick) return; // of before the state that was taken
        // Commands of a tick may be told after its state: a paused world applies them there.
        const followed = this.stepTo(tick) && (this.engine.hash === state.hash || (this.applyDue() && this.engine.hash === state.hash));
        if (followed) this.moved(this);
        else this.beginAgain();
    }

    private beginAgain(): void {
        this.begin().catch((error: unknown) => {
            this.stopped = true;
            this.waiting = undefined;
            this.failed(error);
        });
    }

    /** Begins from the world as it is now, then takes what arrived meanwhile. */
    private async begin(): Promise<void> {
        this.waiting = [];
        this.inputs = [];
        const state = await this.client.ask({ case: "getState", value: { world: this.world, fields: StateField.SNAPSHOT | StateField.HASH } }, "state");
        for (const { model, controller, nextController } of state.characters) {
            this.engine.prepare(model, "");
            for (const name of [controller, nextController]) if (name !== "") this.engine.prepare("", name);
        }
        this.engine.load(state.snapshot);
        this.takes++;
        const arrived = this.waiting;
        this.waiting = undefined;
        this.moved(this);
        arrived.forEach((message) => this.take(message));
    }

    /** False: an input could not be applied. */
    private stepTo(tick: number): boolean {
        while (this.engine.tick < tick) {
            if (!this.applyDue()) return false;
            const next = Math.min(tick, ...this.inputs.map((event) => Number(event.tick)));
            this.engine.step(next - this.engine.tick);
        }
        return true;
    }

    /** Applies the inputs of this tick; those of before are in the state already. */
    private applyDue(): boolean {
        const now = BigInt(this.engine.tick);
        const due = this.inputs.filter(({ tick }) => tick === now);
        this.inputs = this.inputs.filter(({ tick }) => tick > now);
        try {
            return due.every(({ command, entity }) => [0, entity].includes(this.engine.apply(command)));
        } catch {
            return false;
        }
    }
}

/* The world library for browsers (deploy/cross/wasm): the calls of troupe/simulation.h with the memory that they need. Layouts of its
 * structs are those of 32-bit WebAssembly. */
import { StatusError } from "troupe-client";

/** What Emscripten makes of the library. */
export interface Library {
    HEAPF64: Float64Array;
    FS: { writeFile(path: string, bytes: Uint8Array): void };
    UTF8ToString(at: number): string;
    _malloc(size: number): number;
    _free(at: number): void;
    [call: `_tr_simulation_${string}`]: (...args: number[]) => number | bigint;
}

export interface Intent {
    headingRad?: number;
    place?: { x: number; y: number };
    speed: number;
    skill: string;
}

/** What a character is doing. */
export interface Condition {
    phase: number;
    doing: string;
    fragment: number;
    fallen: boolean;
    limp: boolean;
    frozen: boolean;
    ended: boolean;
}

type Vec = readonly [number, number, number];

/** A world; what it refuses is thrown as a StatusError. */
export interface Engine {
    readonly stepS: number;
    readonly tick: number;
    readonly hash: bigint;
    spawn(controller: string, x: number, y: number, headingRad: number): number;
    throwBall(radiusM: number, massKg: number, pos: Vec, vel: Vec): number;
    despawn(entity: number): void;
    steer(entity: number, intent: Intent): void;
    /** body: index; -1: the trunk. */
    push(entity: number, body: number, force: Vec, durationS: number): void;
    setLimp(entity: number, limp: boolean): void;
    step(ticks: number): void;
    look(entity: number): Condition;
    /** Bodies one after another: position, quaternion (w, x, y, z). Valid until the next call. */
    poses(entity: number): Float64Array;
    save(): Uint8Array;
    load(saved: Uint8Array): void;
}

const BUNDLE = "/bundle";
const POSE = 7;
const BODY_MAX = 64;
const TEXT_MAX = 256;
/** Offsets in the memory that all calls use: their result, a tr_error, a struct, two texts, poses. */
const AT = { out: 0, error: 16, struct: 544, text: 640, skill: 640 + TEXT_MAX, poses: 640 + 2 * TEXT_MAX };
const MESSAGE_AT = 4; // in a tr_error
const INTENT_SIZE = 72; // of a tr_simulation_intent
const AIM = { none: 0, heading: 1, place: 2 };

export class WasmEngine implements Engine {
    private readonly memory: number;
    private readonly world: number;
    private readonly utf8 = new TextEncoder();

    constructor(
        private readonly library: Library,
        bundle: Uint8Array,
        readonly stepS: number,
    ) {
        library.FS.writeFile(BUNDLE, bundle);
        this.memory = library._malloc(AT.poses + 8 * POSE * BODY_MAX);
        this.check(library._tr_simulation_open!(this.text(AT.text, BUNDLE), stepS, this.at(AT.out), this.at(AT.error)));
        this.world = this.view(AT.out).getUint32(0, true);
    }

    get tick(): number {
        return Number(this.library._tr_simulation_tick!(this.world));
    }

    get hash(): bigint {
        return BigInt.asUintN(64, BigInt(this.library._tr_simulation_hash!(this.world)));
    }

    spawn(controller: string, x: number, y: number, headingRad: number): number {
        const def = this.view(AT.struct);
        def.setUint32(0, this.text(AT.text, controller), true);
        [x, y, headingRad].forEach((each, i) => def.setFloat64(8 + 8 * i, each, true));
        this.check(this.library._tr_simulation_spawn!(this.world, this.at(AT.struct), this.at(AT.out), this.at(AT.error)));
        return this.view(AT.out).getUint32(0, true);
    }

    throwBall(radiusM: number, massKg: number, pos: Vec, vel: Vec): number {
        this.put(AT.struct, [radiusM, massKg, ...pos, ...vel]);
        this.check(this.library._tr_simulation_throw!(this.world, this.at(AT.struct), this.at(AT.out)), "throw");
        return this.view(AT.out).getUint32(0, true);
    }

    despawn(entity: number): void {
        this.check(this.library._tr_simulation_despawn!(this.world, entity), "despawn");
    }

    steer(entity: number, { headingRad, place, speed, skill }: Intent): void {
        this.put(AT.struct, new Array<number>(INTENT_SIZE / 8).fill(0)); // what it does not name is zero
        const intent = this.view(AT.struct);
        intent.setInt32(0, place ? AIM.place : headingRad !== undefined ? AIM.heading : AIM.none, true);
        [headingRad ?? 0, place?.x ?? 0, place?.y ?? 0, speed].forEach((each, i) => intent.setFloat64(8 + 8 * i, each, true));
        intent.setUint32(40, skill ? this.text(AT.skill, skill) : 0, true);
        this.check(this.library._tr_simulation_steer!(this.world, entity, this.at(AT.struct), this.at(AT.error)));
    }

    push(entity: number, body: number, force: Vec, durationS: number): void {
        this.put(AT.struct, force);
        this.check(this.library._tr_simulation_push!(this.world, entity, body, this.at(AT.struct), durationS), "push");
    }

    setLimp(entity: number, limp: boolean): void {
        this.check(this.library._tr_simulation_set_limp!(this.world, entity, Number(limp)), "limp");
    }

    step(ticks: number): void {
        this.check(this.library._tr_simulation_step!(this.world, ticks), "step");
    }

    look(entity: number): Condition {
        this.check(this.library._tr_simulation_look!(this.world, entity, this.at(AT.struct)), "look");
        const seen = this.view(AT.struct);
        const [fallen, limp, frozen, ended] = [16, 17, 18, 19].map((at) => seen.getUint8(at) !== 0);
        const doing = this.library.UTF8ToString(seen.getUint32(8, true));
        return { phase: seen.getFloat64(0, true), doing, fragment: seen.getInt32(12, true), fallen: fallen!, limp: limp!, frozen: frozen!, ended: ended! };
    }

    poses(entity: number): Float64Array {
        const count = Number(this.library._tr_simulation_body_count!(this.world, entity));
        this.check(this.library._tr_simulation_poses!(this.world, entity, this.at(AT.poses)), "poses");
        return new Float64Array(this.library.HEAPF64.buffer, this.at(AT.poses), POSE * count);
    }

    save(): Uint8Array {
        const size = Number(this.library._tr_simulation_saved_size!(this.world));
        const at = this.library._malloc(size);
        this.check(this.library._tr_simulation_save!(this.world, at, size, this.at(AT.out)), "save");
        const saved = new Uint8Array(this.library.HEAPF64.buffer, at, size).slice();
        this.library._free(at);
        return saved;
    }

    load(saved: Uint8Array): void {
        const at = this.library._malloc(saved.length);
        new Uint8Array(this.library.HEAPF64.buffer, at, saved.length).set(saved);
        const status = this.library._tr_simulation_load!(this.world, at, saved.length, this.at(AT.error));
        this.library._free(at);
        this.check(status);
    }

    /** what: for a call that fills no tr_error. */
    private check(status: number | bigint, what?: string): void {
        if (status !== 0) throw new StatusError(-Number(status), what ?? this.library.UTF8ToString(this.at(AT.error) + MESSAGE_AT));
    }

    private at(offset: number): number {
        return this.memory + offset;
    }

    /** Made anew each time: the memory may have grown. */
    private view(offset: number): DataView {
        return new DataView(this.library.HEAPF64.buffer, this.at(offset));
    }

    private put(offset: number, values: readonly number[]): void {
        new Float64Array(this.library.HEAPF64.buffer, this.at(offset), values.length).set(values);
    }

    /** Writes a text, terminated; returns where. */
    private text(offset: number, text: string): number {
        const room = new Uint8Array(this.library.HEAPF64.buffer, this.at(offset), TEXT_MAX);
        const { written } = this.utf8.encodeInto(text, room.subarray(0, TEXT_MAX - 1));
        room[written] = 0;
        return this.at(offset);
    }
}

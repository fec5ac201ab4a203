/* A world of this program's own, with the bits of a daemon's: the calls of troupe/simulation.h, from the library for browsers and
 * Node (deploy/cross/wasm), with the memory that they need. Layouts of its structs are those of 32-bit WebAssembly.
 *
 *     import make from "./troupe_world.js";
 *     const world = new WasmEngine(await make(), bundle, 0.005);
 */
import { create, toBinary } from "@bufbuild/protobuf";
import type { CommandOf } from "./client.js";
import { CommandSchema } from "./messages/troupe/command_pb.js";
import { StatusError } from "./status.js";

/** What Emscripten makes of the library. */
export interface Library {
    HEAPF64: Float64Array;
    FS: { writeFile(path: string, bytes: Uint8Array): void; unlink(path: string): void };
    UTF8ToString(at: number): string;
    _malloc(size: number): number;
    _free(at: number): void;
    [call: `_tr_simulation_${string}`]: (...args: number[]) => number | bigint;
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

/** A world; what it refuses is thrown as a StatusError. */
export interface Engine {
    readonly stepS: number;
    readonly tick: number;
    readonly hash: bigint;
    /** Loads a model (controller "") or a controller (model ""), as applying a command does. */
    prepare(model: string, controller: string): void;
    /** Applies a command, also as the bytes of a Command; returns the entity that it made, or 0. */
    apply(command: CommandOf | Uint8Array): number;
    step(ticks: number): void;
    look(entity: number): Condition;
    /** Bodies one after another: position, quaternion (w, x, y, z). Valid until the next call. */
    poses(entity: number): Float64Array;
    save(): Uint8Array;
    load(saved: Uint8Array): void;
    close(): void;
}

/** How many bundles were opened; each has a file of its own, since engines of one library share its files. */
let bundles = 0;
const POSE = 7;
const BODY_MAX = 64;
const TEXT_MAX = 256;
/** Offsets in the memory that all calls use: their result, a tr_error, a struct, two texts, poses. */
const AT = { out: 0, error: 16, struct: 544, text: 640, more: 640 + TEXT_MAX, poses: 640 + 2 * TEXT_MAX };
const MESSAGE_AT = 4; // in a tr_error

export class WasmEngine implements Engine {
    private readonly memory: number;
    private readonly world: number;
    private readonly utf8 = new TextEncoder();
    private readonly path = `/bundle-${bundles++}`;

    constructor(
        private readonly library: Library,
        bundle: Uint8Array,
        readonly stepS: number,
    ) {
        library.FS.writeFile(this.path, bundle);
        this.memory = library._malloc(AT.poses + 8 * POSE * BODY_MAX);
        this.check(library._tr_simulation_open!(this.text(AT.text, this.path), stepS, this.at(AT.out), this.at(AT.error)));
        this.world = this.view(AT.out).getUint32(0, true);
    }

    get tick(): number {
        return Number(this.library._tr_simulation_tick!(this.world));
    }

    get hash(): bigint {
        return BigInt.asUintN(64, BigInt(this.library._tr_simulation_hash!(this.world)));
    }

    prepare(model: string, controller: string): void {
        this.check(this.library._tr_simulation_prepare!(this.world, this.text(AT.text, model), this.text(AT.more, controller), this.at(AT.error)));
    }

    apply(command: CommandOf | Uint8Array): number {
        const bytes = command instanceof Uint8Array ? command : toBinary(CommandSchema, create(CommandSchema, { command }));
        this.with(bytes, (at) => this.library._tr_simulation_apply!(this.world, at, bytes.length, this.at(AT.out), this.at(AT.error)));
        return this.view(AT.out).getUint32(0, true);
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
        this.with(saved, (at) => this.library._tr_simulation_load!(this.world, at, saved.length, this.at(AT.error)));
    }

    close(): void {
        this.library._tr_simulation_close!(this.world);
        this.library._free(this.memory);
        this.library.FS.unlink(this.path);
    }

    /** Calls with bytes in the library's memory. */
    private with(bytes: Uint8Array, call: (at: number) => number | bigint): void {
        const at = this.library._malloc(bytes.length);
        new Uint8Array(this.library.HEAPF64.buffer, at, bytes.length).set(bytes);
        const status = call(at);
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

    /** Writes a text, terminated; returns where. */
    private text(offset: number, text: string): number {
        const room = new Uint8Array(this.library.HEAPF64.buffer, this.at(offset), TEXT_MAX);
        const { written } = this.utf8.encodeInto(text, room.subarray(0, TEXT_MAX - 1));
        room[written] = 0;
        return this.at(offset);
    }
}

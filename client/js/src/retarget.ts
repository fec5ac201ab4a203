/* States of a character as the bones of another rig, in any pose of binding, right-handed axes and units.
 *
 *     const retargeter = new Retargeter(model.bodies, rig, bonesOf(mixamo));   // mixamo: client/rigs/mixamo.json
 *     const pose = retargeter.pose(character.bodyPos, character.bodyRot);      // StateField.BODIES
 *     bone.quaternion.set(x, y, z, w) of pose.rotation.get(bone.name)          // three.js: (w, x, y, z) here
 *
 * Limbs point where the character's do; trunk, head and feet turn as its bodies. The hips are placed by the lengths of the legs. */
import { inverse, minus, multiply, plus, turn, type Rot, type Vec } from "./rotation.js";

export type { Rot, Vec } from "./rotation.js";

/** A bone as the mesh is bound to it; pos, rot: in the rig's world. */
export interface Bone {
    parent?: string;
    pos: Vec;
    rot: Rot;
}

/** rootPos: of the bone of the hips, in the rig's world; rotation: of every bone in its parent. */
export interface RigPose {
    root: string;
    rootPos: Vec;
    rotation: Map<string, Rot>;
}

/** What is needed of a ModelBody. */
export interface RestBody {
    name: string;
    parent: number;
    pos?: { x: number; y: number; z: number };
    rot?: { w: number; x: number; y: number; z: number };
}

/* Of a joint map (controllers/skeletons), by body. */
const PARTS: Record<string, string> = {
    pelvis: "hips", utorso: "chest", head: "head",
    luarm: "left_shoulder", llarm: "left_elbow", lhand: "left_wrist",
    ruarm: "right_shoulder", rlarm: "right_elbow", rhand: "right_wrist",
    lthigh: "left_hip", lshank: "left_knee", lfoot: "left_ankle", ltoe: "left_toe",
    rthigh: "right_hip", rshank: "right_knee", rfoot: "right_ankle", rtoe: "right_toe",
};
const ENDS: Record<string, string> = { uarm: "larm", larm: "hand", thigh: "shank", shank: "foot" };
const NEEDED = ["pelvis", "lthigh", "lshank", "lfoot", "rthigh", "rshank", "rfoot"];
const IDENTITY: Rot = [1, 0, 0, 0];

/** The bone of each body, from a map of client/rigs or a joint map of `troupe-train body`. */
export function bonesOf(rig: { bones?: Record<string, string>; parts?: Record<string, string> }): Map<string, string> {
    if (rig.bones) return new Map(Object.entries(rig.bones));
    const parts = rig.parts ?? {};
    return new Map(Object.entries(PARTS).flatMap(([body, part]) => (parts[part] ? [[body, parts[part]] as [string, string]] : [])));
}

/** Throws a RangeError if the map names a bone that the rig does not have, or legs are missing. */
export class Retargeter {
    private readonly index = new Map<string, number>();
    private readonly rest: Rot[] = [];
    private readonly at: Vec[] = [];
    private readonly bodyOf = new Map<string, string>();
    private readonly alignment = new Map<string, Rot>();
    private readonly order: string[] = [];
    /** From Troupe's axes to the rig's, and the rig's units in a metre. */
    readonly axes: Rot;
    readonly scale: number;
    private readonly hips: Vec; // from the middle of the hip joints to the bone of the hips, as bound
    private readonly joints: Vec; // from the pelvis to the middle of its hip joints, in its frame

    constructor(
        bodies: readonly RestBody[],
        private readonly rig: ReadonlyMap<string, Bone>,
        private readonly bones: ReadonlyMap<string, string>,
    ) {
        bodies.forEach((body, i) => this.addBody(body, i));
        for (const [body, bone] of bones) {
            if (!rig.has(bone)) throw new RangeError(`the rig has no bone '${bone}', which the map names for '${body}'`);
            if (this.index.has(body)) this.bodyOf.set(bone, body);
        }
        const missing = NEEDED.find((body) => !bones.has(body) || !this.index.has(body));
        if (missing) throw new RangeError(`expected bones and bodies for pelvis and legs; '${missing}' has none`);
        for (const name of rig.keys()) this.addBone(name, 0);
        this.axes = this.findAxes();
        this.scale = leg((body) => this.bound(body)) / leg((body) => this.place(body));
        this.hips = minus(this.bound("pelvis"), times(plus(this.bound("lthigh"), this.bound("rthigh")), 0.5));
        const middle = times(plus(this.place("lthigh"), this.place("rthigh")), 0.5);
        this.joints = turn(inverse(this.rest[this.number("pelvis")]!), minus(middle, this.place("pelvis")));
        for (const body of this.bodyOf.values()) this.alignment.set(body, this.align(body));
    }

    /** bodyPos: [bodies][3] and bodyRot: [bodies][4], flat, as a state has them. */
    pose(bodyPos: ArrayLike<number>, bodyRot: ArrayLike<number>): RigPose {
        const world = new Map<string, Rot>();
        const rotation = new Map<string, Rot>();
        for (const name of this.order) {
            const bone = this.rig.get(name)!;
            const parent = bone.parent === undefined ? IDENTITY : world.get(bone.parent)!;
            const bound = bone.parent === undefined ? IDENTITY : this.rig.get(bone.parent)!.rot;
            const body = this.bodyOf.get(name);
            const local = body ? multiply(inverse(parent), this.worldOf(body, bodyRot)) : multiply(inverse(bound), bone.rot);
            rotation.set(name, local);
            world.set(name, multiply(parent, local));
        }
        return { root: this.bones.get("pelvis")!, rootPos: this.rootOf(bodyPos, bodyRot), rotation };
    }

    private addBody(body: RestBody, i: number): void {
        const own: Rot = body.rot ? [body.rot.w, body.rot.x, body.rot.y, body.rot.z] : IDENTITY;
        const pos: Vec = body.pos ? [body.pos.x, body.pos.y, body.pos.z] : [0, 0, 0];
        const above = this.rest[body.parent];
        this.index.set(body.name, i);
        this.rest.push(above ? multiply(above, own) : own);
        this.at.push(above ? plus(this.at[body.parent]!, turn(above, pos)) : [0, 0, 0]);
    }

    /** Parents first. */
    private addBone(name: string, depth: number): void {
        if (this.order.includes(name)) return;
        const bone = this.rig.get(name);
        if (!bone || depth > this.rig.size) throw new RangeError(`bone '${name}' is not in the rig, or hangs from itself`);
        if (bone.parent !== undefined) this.addBone(bone.parent, depth + 1);
        this.order.push(name);
    }

    private number(body: string): number {
        return this.index.get(body)!;
    }

    private place(body: string): Vec {
        return this.at[this.number(body)]!;
    }

    private bound(body: string): Vec {
        return this.rig.get(this.bones.get(body)!)!.pos;
    }

    /** From Troupe's axes to the rig's: left from hip to hip, up from the ankles to the hips. */
    private findAxes(): Rot {
        const up = snap(minus(plus(this.bound("lthigh"), this.bound("rthigh")), plus(this.bound("lfoot"), this.bound("rfoot"))));
        let left = snap(minus(this.bound("lthigh"), this.bound("rthigh")));
        left = unit(minus(left, times(up, dot(left, up))));
        return fromColumns(cross(left, up), left, up);
    }

    /** What turns the bone, as bound, to where its body points at rest. Hands follow forearms. */
    private align(body: string): Rot {
        const source = body.endsWith("hand") ? body[0] + "larm" : body;
        const end = ENDS[source.slice(1)] && source[0] + ENDS[source.slice(1)]!;
        if (!end || !this.bones.has(source) || !this.bones.has(end)) return IDENTITY;
        const bound = turn(inverse(this.axes), minus(this.bound(end), this.bound(source)));
        return arc(unit(bound), unit(minus(this.place(end), this.place(source))));
    }

    /** How far a body is turned from rest, in Troupe's axes. */
    private turned(body: string, bodyRot: ArrayLike<number>): Rot {
        const i = this.number(body);
        return multiply(rotAt(bodyRot, i), inverse(this.rest[i]!));
    }

    private worldOf(body: string, bodyRot: ArrayLike<number>): Rot {
        const own = multiply(this.turned(body, bodyRot), this.alignment.get(body)!);
        return multiply(this.into(own), this.rig.get(this.bones.get(body)!)!.rot);
    }

    private into(rot: Rot): Rot {
        return multiply(multiply(this.axes, rot), inverse(this.axes));
    }

    private rootOf(bodyPos: ArrayLike<number>, bodyRot: ArrayLike<number>): Vec {
        const i = this.number("pelvis");
        const pelvis: Vec = [bodyPos[3 * i]!, bodyPos[3 * i + 1]!, bodyPos[3 * i + 2]!];
        const joints = plus(pelvis, turn(rotAt(bodyRot, i), this.joints));
        return plus(turn(this.axes, times(joints, this.scale)), turn(this.into(this.turned("pelvis", bodyRot)), this.hips));
    }
}

function leg(place: (body: string) => Vec): number {
    let sum = 0;
    for (const side of ["l", "r"])
        for (const [a, b] of [["thigh", "shank"], ["shank", "foot"]]) sum += length(minus(place(side + b!), place(side + a!)));
    return sum;
}

function rotAt(rot: ArrayLike<number>, i: number): Rot {
    return [rot[4 * i]!, rot[4 * i + 1]!, rot[4 * i + 2]!, rot[4 * i + 3]!];
}

function times(a: Vec, s: number): Vec {
    return [a[0] * s, a[1] * s, a[2] * s];
}

function dot(a: Vec, b: Vec): number {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function cross(a: Vec, b: Vec): Vec {
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function length(a: Vec): number {
    return Math.sqrt(dot(a, a));
}

function unit(a: Vec): Vec {
    if (length(a) === 0) throw new RangeError("two joints of the rig lie at one place");
    return times(a, 1 / length(a));
}

/** The nearest axis, if it is within 12 degrees. */
function snap(a: Vec): Vec {
    const b = unit(a);
    const near = b.map((v) => (Math.abs(v) > 0.978 ? Math.sign(v) : 0));
    return near.some((v) => v !== 0) ? [near[0]!, near[1]!, near[2]!] : b;
}

function toUnit(q: Rot): Rot {
    const size = Math.hypot(...q);
    return [q[0] / size, q[1] / size, q[2] / size, q[3] / size];
}

/** The shortest turn from one unit vector to another; of opposite ones about any axis at a right angle. */
function arc(a: Vec, b: Vec): Rot {
    const w = 1 + dot(a, b);
    if (w < 1e-9) {
        const axis = unit(cross(a, Math.abs(a[1]) < 0.9 ? [0, 1, 0] : [1, 0, 0]));
        return [0, axis[0], axis[1], axis[2]];
    }
    return toUnit([w, ...cross(a, b)]);
}

/** The rotation whose matrix has these columns; the largest of the four terms is divided by (Shepperd 1978). */
function fromColumns(x: Vec, y: Vec, z: Vec): Rot {
    const trace = x[0] + y[1] + z[2];
    const terms = [trace, x[0], y[1], z[2]];
    switch (terms.indexOf(Math.max(...terms))) {
        case 0:
            return toUnit([1 + trace, y[2] - z[1], z[0] - x[2], x[1] - y[0]]);
        case 1:
            return toUnit([y[2] - z[1], 1 + 2 * x[0] - trace, x[1] + y[0], z[0] + x[2]]);
        case 2:
            return toUnit([z[0] - x[2], x[1] + y[0], 1 + 2 * y[1] - trace, y[2] + z[1]]);
        default:
            return toUnit([x[1] - y[0], z[0] + x[2], y[2] + z[1], 1 + 2 * z[2] - trace]);
    }
}

/* The solids of a figure: what a model's shapes look like when they are a body. Any model becomes one: its shapes are rounded and
 * joined from joint to joint. Where the model says which bodies are head, hands, feet and toes, those are shaped as such. */
import { Matrix4, Quaternion, Vector3 } from "three";
import type { Role, Shape } from "../mjcf.js";
import { ball, block, cone, egg, type Axes, type Solid, type Vec3 } from "./field.js";
import type { Plan } from "./plan.js";
import { quaternionOf, type Frame } from "./stance.js";

const FILLET = { trunk: 0.05, root: 0.035, limb: 0.03, small: 0.018, none: 0.002 }; // m
const JOINT_SHARE = 0.86; // of the mean thickness of the two that meet there
const ROOT_SHARE = 1.06; // of a limb's thickness, where it leaves the trunk
const MUSCLE = { at: 0.3, share: 1.07, calf: 0.24, rings: [0, 0.15, 0.3, 0.5, 0.75, 1] }; // along a limb; of its thickness

/** A body as its flesh is made: everything in its own frame. */
interface Part {
    shape: Shape;
    role: Role | undefined;
    /** Across, m: the radius of a limb with the shape inside. */
    thickness: number;
    /** To its parent. */
    joint: Vector3;
    centre: Vector3;
    parent: Part | undefined;
    children: { part: Part; joint: Vector3 }[];
    place: Place;
}

/** Puts a body's solids from its own frame into the figure's. */
class Place {
    constructor(
        private readonly body: number,
        private readonly frame: Frame,
    ) {}

    cone(a: Vector3, b: Vector3, radiusA: number, radiusB: number, blend: number): Solid {
        return cone({ body: this.body, blend }, this.at(a), this.at(b), radiusA, radiusB);
    }

    ball(centre: Vector3, radius: number, blend: number): Solid {
        return ball({ body: this.body, blend }, this.at(centre), radius);
    }

    block(centre: Vector3, rot: Quaternion, half: Vec3, rounding: number, blend: number): Solid {
        return block({ body: this.body, blend }, this.at(centre), this.axes(rot), half, rounding);
    }

    egg(centre: Vector3, rot: Quaternion, radii: Vec3, blend: number): Solid {
        return egg({ body: this.body, blend }, this.at(centre), this.axes(rot), radii);
    }

    /** A point of another body, in this one's frame. */
    of(other: Place, point: Vector3): Vector3 {
        return new Vector3(...other.at(point)).sub(this.frame.pos).applyQuaternion(this.frame.rot.clone().conjugate());
    }

    private at(point: Vector3): Vec3 {
        return point.clone().applyQuaternion(this.frame.rot).add(this.frame.pos).toArray();
    }

    private axes(rot: Quaternion): Axes {
        const matrix = new Matrix4().makeRotationFromQuaternion(this.frame.rot.clone().multiply(rot));
        const axis = (k: number) => new Vector3().setFromMatrixColumn(matrix, k).toArray();
        return [axis(0), axis(1), axis(2)];
    }
}

const UPRIGHT = new Quaternion();

function thicknessOf({ kind, size }: Shape): number {
    if (kind !== "box") return size[0];
    const [a, b] = [...size].sort((x, y) => x - y) as [number, number, number];
    return Math.sqrt(a * b);
}

/** Of bodies with a shape; of several shapes the thickest. */
function partsOf({ bones, shapes, roles }: Plan, frames: readonly Frame[]): Part[] {
    const parts = new Map<number, Part>();
    bones.forEach((bone, index) => {
        const own = shapes.filter((each) => each.body === index);
        const shape = own.sort((a, b) => thicknessOf(b) - thicknessOf(a))[0];
        if (shape === undefined) return;
        const parent = parts.get(bone.parent);
        const anchor = new Vector3(...bone.anchor);
        const part: Part = {
            shape, parent, role: roles.get(index), thickness: thicknessOf(shape), joint: anchor, centre: new Vector3(...shape.pos), children: [],
            place: new Place(index, frames[index]!),
        };
        parent?.children.push({ part, joint: anchor.clone().applyQuaternion(quaternionOf(bone.rot)).add(new Vector3(...bone.pos)) });
        parts.set(index, part);
    });
    return [...parts.values()];
}

function jointRadius(thickness: number, other: Part): number {
    return JOINT_SHARE * 0.5 * (thickness + other.thickness);
}

// --- any model ---

/** A limb: from joint to joint, thickest a third of the way down; a calf bulges behind. */
function limb({ joint, centre, parent, children, thickness, place }: Part): Solid[] {
    const child = children[0];
    const end = child?.joint ?? centre.clone().multiplyScalar(2).sub(joint);
    const leavesTrunk = parent?.shape.kind === "box";
    const near = leavesTrunk ? ROOT_SHARE * thickness : parent ? jointRadius(thickness, parent) : thickness;
    const far = child ? Math.min(thickness, jointRadius(thickness, child.part)) : 0.8 * thickness;
    const calf = child?.part.role === "foot" ? MUSCLE.calf * thickness : 0;
    const ring = (share: number) => {
        const [outer, within] = share < MUSCLE.at ? [near, share / MUSCLE.at] : [far, (1 - share) / (1 - MUSCLE.at)];
        const muscle = ease(within);
        return { at: joint.clone().lerp(end, share).add(new Vector3(-calf * muscle, 0, 0)), radius: outer + (MUSCLE.share * thickness - outer) * muscle };
    };
    const rings = MUSCLE.rings.map(ring);
    return rings.slice(1).map(({ at, radius }, i) => {
        const before = rings[i]!;
        return place.cone(before.at, at, before.radius, radius, leavesTrunk && i === 0 ? FILLET.root : FILLET.none);
    });
}

/** From 0 to 1, level at both ends. */
function ease(share: number): number {
    return share * share * (3 - 2 * share);
}

/** What is not a limb: its shape, and what leads from it to the joints of its children. */
function trunk(part: Part): Solid[] {
    return [...core(part), ...part.children.flatMap(({ part: child, joint }) => linkTo(part, child, joint))];
}

function core(part: Part): Solid[] {
    const { shape, children, centre, place } = part;
    const { kind, size } = shape;
    const rot = quaternionOf(shape.rot);
    if (kind === "sphere") return [place.ball(centre, size[0], FILLET.trunk)];
    if (kind === "capsule") {
        const half = new Vector3(0, 0, size[1]).applyQuaternion(rot);
        return [place.cone(centre.clone().sub(half), centre.clone().add(half), size[0], size[0], FILLET.trunk)];
    }
    return children.length > 0 ? columns(part) : [place.block(centre, rot, size, 0.85 * Math.min(...size), FILLET.trunk)];
}

/** A box of the trunk: two columns side by side, as thick as the box is deep; a waist narrower, the shoulders wider. */
function columns({ shape, children, parent, centre, place }: Part): Solid[] {
    const [deep, wide, high] = shape.size;
    const below = parent === undefined ? 0.92 : 0.9;
    const above = children.some(({ part }) => part.role === "head") ? 1.04 : 0.9;
    return [-1, 1].map((side) => {
        const apart = Math.max(0.2 * deep, wide - 0.9 * deep);
        const at = (share: number, up: number) => new Vector3(centre.x, centre.y + side * share * apart, centre.z + up * high);
        return place.cone(at(below, -0.5), at(above, 0.4), 0.86 * deep * below, 0.86 * deep * above, FILLET.trunk);
    });
}

function linkTo(part: Part, child: Part, joint: Vector3): Solid[] {
    const { centre, place } = part;
    const from = (share: number) => centre.clone().lerp(joint, share);
    if (child.role === "head") return [place.cone(from(0.7), joint, 0.62 * child.thickness, 0.5 * child.thickness, FILLET.trunk)];
    if (child.shape.kind === "box") return [place.cone(centre, joint, 0.8 * part.shape.size[0], 0.8 * child.shape.size[0], FILLET.trunk)];
    const radius = Math.min(ROOT_SHARE * child.thickness, 0.9 * part.thickness);
    const link = place.cone(from(0.3), joint, 1.05 * radius, 0.86 * radius, FILLET.trunk);
    const neck = part.children.find(({ part: other }) => other.role === "head");
    return neck ? [link, slope(part, neck.joint, neck.part.thickness, joint, radius), flank(part, shoulderOf(part, child, joint), radius)] : [link];
}

/** From the neck to a shoulder. */
function slope({ place }: Part, neck: Vector3, head: number, shoulder: Vector3, radius: number): Solid {
    return place.cone(neck.clone().lerp(shoulder, 0.12), shoulder.clone().lerp(neck, 0.12), 0.42 * head, 0.75 * radius, FILLET.root);
}

/** The joint of an arm, in the frame of the trunk that it hangs from: below a collar bone the collar's far joint. */
function shoulderOf({ place }: Part, child: Part, joint: Vector3): Vector3 {
    const outward = child.centre.clone().sub(child.joint);
    const next = child.children[0];
    if (next === undefined || Math.abs(outward.y) < Math.abs(outward.z)) return joint;
    return place.of(child.place, next.joint);
}

/** From a shoulder down towards the waist: chest and back, without which the arms hang from a yoke. */
function flank({ shape, centre, place }: Part, shoulder: Vector3, radius: number): Solid {
    const [, wide, high] = shape.size;
    const armpit = shoulder.clone().lerp(new Vector3(centre.x, centre.y, shoulder.z), 0.05);
    const waist = centre.clone().add(new Vector3(0, Math.sign(shoulder.y) * 0.6 * wide, -1.1 * high));
    return place.cone(armpit, waist, 0.9 * radius, 0.6 * radius, FILLET.trunk);
}

// --- what the model names ---

/** Neck, skull and jaw; no face. */
function head({ joint, centre, thickness: r, place }: Part): Solid[] {
    const up = centre.clone().sub(joint).normalize();
    const at = (above: number, ahead: number) => centre.clone().addScaledVector(up, above * r).add(new Vector3(ahead * r, 0, 0));
    return [
        place.cone(joint, at(0, -0.2), 0.46 * r, 0.44 * r, FILLET.root),
        place.egg(at(0.22, -0.08), UPRIGHT, [0.88 * r, 0.7 * r, 0.78 * r], 0.1 * r),
        place.egg(at(-0.36, 0.42), UPRIGHT, [0.42 * r, 0.44 * r, 0.5 * r], 0.8 * r),
    ];
}

/** A mitten: palm, fingers together, a thumb to the front. */
function hand({ joint, centre, shape, place }: Part): Solid[] {
    const [wide, thick, long] = shape.size;
    const down = centre.clone().sub(joint).normalize();
    const length = joint.distanceTo(centre) + long;
    const at = (along: number, ahead: number) => joint.clone().addScaledVector(down, along * length).add(new Vector3(ahead * wide, 0, 0));
    return [
        place.cone(joint, at(0.3, 0), 1.5 * thick, 1.6 * thick, FILLET.limb),
        place.egg(at(0.38, 0), UPRIGHT, [0.85 * wide, 1.2 * thick, 0.34 * length], FILLET.small),
        place.egg(at(0.7, -0.05), UPRIGHT, [0.74 * wide, 0.85 * thick, 0.36 * length], FILLET.small),
        place.cone(at(0.25, 0.5), at(0.62, 1.15), 0.9 * thick, 0.65 * thick, FILLET.small),
    ];
}

/** Heel, ankle and instep over a flat sole. */
function foot({ joint, centre, shape, place }: Part): Solid[] {
    const [long, wide, high] = shape.size;
    const at = (ahead: number, up: number) => new Vector3(centre.x + ahead * long, centre.y, centre.z + (up - 1) * high);
    return [
        place.cone(joint, at(-0.55, 1.1), 0.8 * wide, 0.82 * wide, FILLET.limb),
        place.cone(joint.clone().add(new Vector3(0.1 * long, 0, -0.2 * high)), at(0.8, 0.9), 0.75 * wide, 0.62 * wide, FILLET.limb),
        place.block(at(0, 0.55), UPRIGHT, [long, 0.86 * wide, 0.55 * high], 0.5 * high, FILLET.small),
    ];
}

function toe({ centre, shape, place }: Part): Solid[] {
    const [long, wide, high] = shape.size;
    return [place.egg(centre.clone().add(new Vector3(-0.1 * long, 0, 0)), UPRIGHT, [1.5 * long, 0.95 * wide, 1.05 * high], FILLET.limb)];
}

const NAMED: Partial<Record<Role, (part: Part) => Solid[]>> = { head, hand, foot, toe };

function fleshOf(part: Part): Solid[] {
    const named = part.role && NAMED[part.role];
    if (named) return named(part);
    return part.shape.kind === "capsule" && part.children.length <= 1 ? limb(part) : trunk(part);
}

/** All solids, parents before children. frames: where the bodies are. */
export function flesh(plan: Plan, frames: readonly Frame[]): Solid[] {
    return partsOf(plan, frames).flatMap(fleshOf);
}

/* Which shape of a character a ray meets: computed, not drawn, so that it is exact and needs no mesh. */
import type { Shape } from "./mjcf.js";
import { multiplyRotation, rotate } from "./rigid.js";

const SKIN_M = 0.015; // around a shape, so that what is seen is met

/** A ray: origin, and a direction of length 1. */
export interface Ray {
    from: ArrayLike<number>;
    along: ArrayLike<number>;
}

type Three = readonly [number, number, number];

/** The distance at which a ray meets a sphere about the origin; undefined: it does not. */
function meetSphere([x, y, z]: Three, [u, v, w]: Three, radius: number): number | undefined {
    const b = x * u + y * v + z * w;
    const c = x * x + y * y + z * z - radius * radius;
    const root = b * b - c;
    return root < 0 ? undefined : -b - Math.sqrt(root);
}

/** A capsule along z. */
function meetCapsule(from: Three, along: Three, radius: number, half: number): number | undefined {
    const [x, y, z] = from;
    const [u, v, w] = along;
    const a = u * u + v * v;
    const b = x * u + y * v;
    const root = b * b - a * (x * x + y * y - radius * radius);
    if (root < 0) return undefined;
    const t = a > 1e-12 ? (-b - Math.sqrt(root)) / a : -Infinity;
    if (a > 1e-12 && Math.abs(z + t * w) <= half) return t;
    const cap = Math.sign(a > 1e-12 ? z + t * w : -w) * half;
    return meetSphere([x, y, z - cap], along, radius);
}

function meetBox(from: Three, along: Three, half: Three): number | undefined {
    let [enter, leave] = [-Infinity, Infinity];
    for (let k = 0; k < 3; k++) {
        const [a, b] = [(-half[k]! - from[k]!) / along[k]!, (half[k]! - from[k]!) / along[k]!];
        enter = Math.max(enter, Math.min(a, b));
        leave = Math.min(leave, Math.max(a, b));
    }
    return enter <= leave ? enter : undefined;
}

/** How far along a ray a shape is met; undefined: it is not, or lies behind. pos, rot: of all bodies, world. */
export function meet({ kind, body, size, pos: offset, rot: turn }: Shape, pos: ArrayLike<number>, rot: ArrayLike<number>, ray: Ray): number | undefined {
    multiplyRotation(rot, 4 * body, turn, inverse);
    for (let k = 1; k < 4; k++) inverse[k] = -inverse[k]!;
    rotate(rot, 4 * body, offset, point);
    for (let k = 0; k < 3; k++) point[k] = ray.from[k]! - point[k]! - pos[3 * body + k]!;
    rotate(inverse, 0, point, origin);
    rotate(inverse, 0, ray.along, direction);
    const [from, along] = [origin, direction] as unknown as [Three, Three];
    const [a, b, c] = [size[0] + SKIN_M, size[1], size[2]];
    const distance =
        kind === "sphere" ? meetSphere(from, along, a) : kind === "capsule" ? meetCapsule(from, along, a, b) : meetBox(from, along, [a, b + SKIN_M, c + SKIN_M]);
    return distance !== undefined && distance > 0 ? distance : undefined;
}

const inverse = new Float32Array(4);
const point = new Float32Array(3);
const origin = new Float32Array(3);
const direction = new Float32Array(3);

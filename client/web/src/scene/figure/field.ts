/* Solids by their signed distance (negative inside), and the field of several that melt into each other. Distances after Inigo Quilez,
 * "Distance functions": exact for cones and blocks, a bound for eggs. Everything is in metres, in the frame of the bound figure. */

export type Vec3 = readonly [number, number, number];

/** The distance where there is nothing, m. */
export const FAR = 1e3;

export interface Solid {
    /** Index of the body that carries it. */
    body: number;
    /** Width of the fillet to what it touches, m. */
    blend: number;
    /** A sphere around it. */
    centre: Vec3;
    radius: number;
    distance: (x: number, y: number, z: number) => number;
}

interface Carried {
    body: number;
    blend: number;
}

/** The hull of two balls: tapered limbs. */
export function cone(carried: Carried, a: Vec3, b: Vec3, radiusA: number, radiusB: number): Solid {
    const [bx, by, bz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
    const length2 = Math.max(1e-12, bx * bx + by * by + bz * bz);
    const taper = radiusA - radiusB;
    const side2 = length2 - taper * taper;
    const inverse = 1 / length2;
    const centre: Vec3 = [a[0] + bx / 2, a[1] + by / 2, a[2] + bz / 2];
    const radius = Math.sqrt(length2) / 2 + Math.max(radiusA, radiusB);
    if (side2 <= 0) return ball(carried, taper > 0 ? a : b, Math.max(radiusA, radiusB)); // one holds the other
    const distance = (x: number, y: number, z: number) => {
        const px = x - a[0], py = y - a[1], pz = z - a[2];
        const along = px * bx + py * by + pz * bz;
        const past = along - length2;
        const ox = px * length2 - bx * along, oy = py * length2 - by * along, oz = pz * length2 - bz * along;
        const off2 = ox * ox + oy * oy + oz * oz;
        const slope = Math.sign(taper) * taper * taper * off2;
        if (Math.sign(past) * side2 * past * past * length2 > slope) return Math.sqrt(off2 + past * past * length2) * inverse - radiusB;
        if (Math.sign(along) * side2 * along * along * length2 < slope) return Math.sqrt(off2 + along * along * length2) * inverse - radiusA;
        return (Math.sqrt(off2 * side2 * inverse) + along * taper) * inverse - radiusA;
    };
    return { ...carried, centre, radius, distance };
}

export function ball(carried: Carried, centre: Vec3, radius: number): Solid {
    const [cx, cy, cz] = centre;
    return { ...carried, centre, radius, distance: (x, y, z) => size(x - cx, y - cy, z - cz) - radius };
}

/** A rotation as the three axes of what is turned, each a unit vector of the figure's frame. */
export type Axes = readonly [Vec3, Vec3, Vec3];

/** half: half extents, the rounding within them. */
export function block(carried: Carried, centre: Vec3, axes: Axes, half: Vec3, rounding: number): Solid {
    const [ex, ey, ez] = half.map((each) => Math.max(0, each - rounding)) as unknown as Vec3;
    const [i, j, k] = axes;
    const distance = (x: number, y: number, z: number) => {
        const px = x - centre[0], py = y - centre[1], pz = z - centre[2];
        const u = Math.abs(px * i[0] + py * i[1] + pz * i[2]) - ex;
        const v = Math.abs(px * j[0] + py * j[1] + pz * j[2]) - ey;
        const w = Math.abs(px * k[0] + py * k[1] + pz * k[2]) - ez;
        return size(Math.max(u, 0), Math.max(v, 0), Math.max(w, 0)) + Math.min(0, Math.max(u, v, w)) - rounding;
    };
    return { ...carried, centre, radius: size(...half), distance };
}

/** An ellipsoid. */
export function egg(carried: Carried, centre: Vec3, axes: Axes, [a, b, c]: Vec3): Solid {
    const [i, j, k] = axes;
    const distance = (x: number, y: number, z: number) => {
        const px = x - centre[0], py = y - centre[1], pz = z - centre[2];
        const u = (px * i[0] + py * i[1] + pz * i[2]) / a;
        const v = (px * j[0] + py * j[1] + pz * j[2]) / b;
        const w = (px * k[0] + py * k[1] + pz * k[2]) / c;
        const scaled = size(u, v, w);
        const steep = size(u / a, v / b, w / c);
        return steep > 1e-9 ? (scaled * (scaled - 1)) / steep : -Math.min(a, b, c);
    };
    return { ...carried, centre, radius: Math.max(a, b, c), distance };
}

function size(x: number, y: number, z: number): number {
    return Math.sqrt(x * x + y * y + z * z); // Math.hypot takes several times as long
}

/** The union of two distances with a fillet of the given width. */
function melt(a: number, b: number, width: number): number {
    const overlap = Math.max(0, width - Math.abs(a - b)) / width;
    return Math.min(a, b) - (overlap * overlap * width) / 4;
}

/** The signed distance of all solids together. */
export function distanceTo(solids: readonly Solid[], x: number, y: number, z: number): number {
    let distance = FAR;
    for (const solid of solids) {
        const { centre, radius, blend } = solid;
        if (size(x - centre[0], y - centre[1], z - centre[2]) - radius > distance + blend) continue;
        distance = melt(distance, solid.distance(x, y, z), blend);
    }
    return distance;
}

/** Those that can matter within a ball. */
export function near(solids: readonly Solid[], x: number, y: number, z: number, radius: number): Solid[] {
    return solids.filter(({ centre, radius: reach, blend }) => size(x - centre[0], y - centre[1], z - centre[2]) < reach + radius + blend);
}

const STEP = 1e-3;

/** out = the gradient's direction, which is the outward normal on the surface. */
export function normalAt(solids: readonly Solid[], x: number, y: number, z: number, out: number[]): void {
    const a = distanceTo(solids, x + STEP, y - STEP, z - STEP);
    const b = distanceTo(solids, x - STEP, y - STEP, z + STEP);
    const c = distanceTo(solids, x - STEP, y + STEP, z - STEP);
    const d = distanceTo(solids, x + STEP, y + STEP, z + STEP);
    out[0] = a - b - c + d;
    out[1] = c - a - b + d;
    out[2] = b - a - c + d;
    const length = size(out[0]!, out[1]!, out[2]!) || 1;
    for (let k = 0; k < 3; k++) out[k]! /= length;
}

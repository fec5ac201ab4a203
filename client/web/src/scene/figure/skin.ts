/* The skin of a figure: its surface, how much each body moves each vertex, and what shades it. */
import type { Role } from "../mjcf.js";
import { distanceTo, near, type Solid } from "./field.js";
import { flesh } from "./flesh.js";
import type { Bone, Plan } from "./plan.js";
import { spreadStance } from "./stance.js";
import { surfaceOf, type Surface } from "./surface.js";

/** Bodies that can move one vertex. */
export const INFLUENCES = 4;

export interface Skin extends Surface {
    /** The bodies' places in the stance of the surface: [body][3], and [body][4] (w, x, y, z). */
    stancePos: Float32Array;
    stanceRot: Float32Array;
    /** [vertex][4] indices of bodies, and their shares of 255; the largest is last. */
    bodies: Uint8Array;
    weights: Uint8Array;
    /** [vertex] 255: open to the sky; less in armpits and other creases. */
    light: Uint8Array;
    /** [vertex] 128: the character's colour; less: darker, more: lighter. */
    tone: Uint8Array;
}

const SOFTNESS_M = 0.028; // of the bend at a joint, at least
const REACH_M = 0.09; // beyond which a body does not move a vertex
const LEAST_SHARE = 0.02;
const OPENNESS_M = [0.025, 0.06, 0.12];
const CREASE = 0.45; // of the light, that one closed distance takes
const TONES: Partial<Record<Role, number>> = { head: 140, hand: 100, foot: 84, toe: 84 };
const PLAIN = 128;

/** cell: edge of the cells from which the surface is made, m: the smaller, the finer. */
export function skinOf(plan: Plan, cell: number): Skin {
    const stance = spreadStance(plan.bones, plan.shapes);
    const solids = flesh(plan, stance);
    const surface = surfaceOf(solids, cell);
    const count = surface.positions.length / 3;
    const skin: Skin = {
        ...surface,
        stancePos: Float32Array.from(stance.flatMap(({ pos }) => pos.toArray())),
        stanceRot: Float32Array.from(stance.flatMap(({ rot: { w, x, y, z } }) => [w, x, y, z])),
        bodies: new Uint8Array(INFLUENCES * count),
        weights: new Uint8Array(INFLUENCES * count),
        light: new Uint8Array(count),
        tone: new Uint8Array(count),
    };
    for (let v = 0; v < count; v++) {
        const there = near(solids, surface.positions[3 * v]!, surface.positions[3 * v + 1]!, surface.positions[3 * v + 2]!, 2 * OPENNESS_M.at(-1)!);
        bind(skin, v, there, plan.bones);
        skin.tone[v] = toneOf(skin, v, plan.roles);
        skin.light[v] = 255 * openness(skin, v, there);
    }
    return skin;
}

/** The nearest body and its neighbours along the skeleton share a vertex by how near they are: over the width of the fillet between
 * them. */
function bind(skin: Skin, v: number, solids: readonly Solid[], bones: readonly Bone[]): void {
    const { positions } = skin;
    const nearestOf = new Map<number, { distance: number; blend: number }>(); // by body
    let nearest = 0, least = Infinity;
    for (const { body, blend, distance: distanceOf } of solids) {
        const distance = distanceOf(positions[3 * v]!, positions[3 * v + 1]!, positions[3 * v + 2]!);
        if (distance < (nearestOf.get(body)?.distance ?? REACH_M)) nearestOf.set(body, { distance, blend });
        if (distance < least) [nearest, least] = [body, distance];
    }
    const kept: { body: number; share: number }[] = [];
    for (const [body, { distance, blend }] of nearestOf) {
        const related = body === nearest || bones[body]!.parent === nearest || bones[nearest]!.parent === body;
        const share = Math.exp(-(((distance - least) / Math.max(blend, SOFTNESS_M)) ** 2));
        if (related && share > LEAST_SHARE) kept.push({ body, share });
    }
    kept.sort((a, b) => a.share - b.share).splice(0, Math.max(0, kept.length - INFLUENCES));
    writeShares(skin, v, kept);
}

/** Shares as parts of 255, rising: the last, and largest, takes what rounding leaves. */
function writeShares({ bodies, weights }: Skin, v: number, kept: readonly { body: number; share: number }[]): void {
    const total = kept.reduce((sum, { share }) => sum + share, 0);
    const at = INFLUENCES * (v + 1) - kept.length;
    let left = 255;
    kept.forEach(({ body, share }, i) => {
        const weight = i === kept.length - 1 ? left : Math.round((255 * share) / total);
        left -= weight;
        bodies[at + i] = body;
        weights[at + i] = weight;
    });
}

function toneOf({ bodies, weights }: Skin, v: number, roles: Plan["roles"]): number {
    let tone = 0;
    for (let i = INFLUENCES * v; i < INFLUENCES * (v + 1); i++) {
        const role = roles.get(bodies[i]!);
        tone += (weights[i]! / 255) * ((role && TONES[role]) ?? PLAIN);
    }
    return tone;
}

/** In [0, 1]: how far the figure's own flesh stays from a vertex, along its normal. */
function openness({ positions, normals }: Skin, v: number, solids: readonly Solid[]): number {
    const at = (k: number, out: number) => positions[3 * v + k]! + out * normals[3 * v + k]!;
    let open = 1;
    for (const out of OPENNESS_M) open -= CREASE * Math.max(0, 1 - distanceTo(solids, at(0, out), at(1, out), at(2, out)) / out);
    return Math.max(0, open);
}

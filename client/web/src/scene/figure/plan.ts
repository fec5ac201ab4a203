/* What a figure is made from: the bodies of a model, their shapes, and what they are. Plain data, so that a worker can take it. */
import { JointKind, type ModelDetail } from "troupe-client";
import { readMjcf, type Role, type Shape } from "../mjcf.js";
import type { Vec3 } from "./field.js";

/** A body at rest, in its parent's frame. */
export interface Bone {
    /** Index; -1 for the root. */
    parent: number;
    /** It turns about its joint in every direction. */
    ball: boolean;
    pos: Vec3;
    /** w, x, y, z */
    rot: readonly [number, number, number, number];
    /** Centre of its joint, in its own frame. */
    anchor: Vec3;
}

export interface Plan {
    bones: readonly Bone[];
    shapes: readonly Shape[];
    /** By index of body. */
    roles: ReadonlyMap<number, Role>;
}

/** Throws an Error when the model's file is not XML. */
export function planOf({ bodies, mjcf }: ModelDetail): Plan {
    const names = bodies.map((body) => body.name);
    const bones = bodies.map(({ parent, joint, pos, rot, anchor }): Bone => ({
        parent,
        ball: joint === JointKind.BALL,
        pos: [pos?.x ?? 0, pos?.y ?? 0, pos?.z ?? 0],
        rot: [rot?.w ?? 1, rot?.x ?? 0, rot?.y ?? 0, rot?.z ?? 0],
        anchor: [anchor?.x ?? 0, anchor?.y ?? 0, anchor?.z ?? 0],
    }));
    return { bones, ...readMjcf(mjcf, names) };
}

/* How a figure stands while its skin is made: at rest, with the limbs that hang beside others spread, so that an arm does not grow
 * together with the flank beside it. */
import { Quaternion, Vector3 } from "three";
import type { Shape } from "../mjcf.js";
import type { Bone } from "./plan.js";

/** Where a body is, in the figure's frame. */
export interface Frame {
    pos: Vector3;
    rot: Quaternion;
}

const BESIDE_M = 0.03; // farther from the middle plane is a side
const HANGING = 0.7; // cosine of the angle to straight down
const SPREAD = { arm: 0.85, leg: 0.2 }; // rad
const FORWARD = new Vector3(1, 0, 0);
const NOT_TURNED = new Quaternion();

export function quaternionOf([w, x, y, z]: Bone["rot"]): Quaternion {
    return new Quaternion(x, y, z, w);
}

/** The joint of a body that is at `frame`. */
function jointOf(bone: Bone, { pos, rot }: Frame): Vector3 {
    return new Vector3(...bone.anchor).applyQuaternion(rot).add(pos);
}

/** Frames of all bodies. turn: how one that would be at `rest` is turned about its joint, a rotation in the figure's frame. */
function pose(bones: readonly Bone[], turn: (body: number, rest: Frame) => Quaternion): Frame[] {
    const frames: Frame[] = [];
    bones.forEach((bone, i) => {
        const parent = frames[bone.parent] ?? { pos: new Vector3(), rot: NOT_TURNED };
        const rest = { pos: new Vector3(...bone.pos).applyQuaternion(parent.rot).add(parent.pos), rot: parent.rot.clone().multiply(quaternionOf(bone.rot)) };
        const joint = jointOf(bone, rest);
        const turned = turn(i, rest);
        frames.push({ pos: rest.pos.sub(joint).applyQuaternion(turned).add(joint), rot: turned.clone().multiply(rest.rot) });
    });
    return frames;
}

/** The topmost ball joints of limbs that hang down beside the middle plane are turned outward: far at the trunk, a little at the root. */
export function spreadStance(bones: readonly Bone[], shapes: readonly Shape[]): Frame[] {
    const spread = new Set<number>(); // and all below them
    return pose(bones, (i, rest) => {
        const bone = bones[i]!;
        const shape = shapes.find((each) => each.body === i);
        if (spread.has(bone.parent)) spread.add(i);
        if (spread.has(i) || !bone.ball || shape === undefined) return NOT_TURNED;
        const joint = jointOf(bone, rest);
        const along = new Vector3(...shape.pos).sub(new Vector3(...bone.anchor)).applyQuaternion(rest.rot).normalize();
        if (Math.abs(joint.y) < BESIDE_M || -along.z < HANGING) return NOT_TURNED;
        spread.add(i);
        return new Quaternion().setFromAxisAngle(FORWARD, Math.sign(joint.y) * (bone.parent === 0 ? SPREAD.leg : SPREAD.arm));
    });
}

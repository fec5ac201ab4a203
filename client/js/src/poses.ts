/* Compact poses (StateField.COMPACT) back to the arrays of a state.
 *
 *     const { bodies } = await client.model(name);         // of the character's model, which a state without COMPACT names
 *     unpackPose(character, bodies);                       // now with bodyPos, bodyRot and jointRot
 *
 * See "Compact states" of PROTOCOL.md. Such a state has no time either: state.timeS = Number(state.tick) * stepS of the world. */
import type { ModelBody } from "./messages/troupe/catalogue_pb.js";
import type { CharacterState } from "./messages/troupe/state_pb.js";
import { JointKind } from "./messages/troupe/catalogue_pb.js";
import { minus, multiply, plus, turn, type Rot, type Vec } from "./rotation.js";

const LEVELS = 180; // of a rotation's components, per unit
const OTHER = 7; // the form of a rotation whose largest component is not w

class Bits {
    private at = 0;
    constructor(private readonly bytes: Uint8Array) {}

    get left(): number {
        return 8 * this.bytes.length - this.at;
    }

    take(width: number): number {
        let value = 0;
        for (let i = 0; i < width; i++, this.at++) value += (((this.bytes[this.at >> 3] ?? 0) >> (this.at & 7)) & 1) * 2 ** i;
        return value;
    }

    signed(width: number): number {
        const value = this.take(width);
        return width > 0 && value >= 2 ** (width - 1) ? value - 2 ** width : value;
    }

    number(): number {
        return this.signed(this.take(5));
    }

    rotation(): Rot {
        const form = this.take(3);
        const largest = form === OTHER ? this.take(2) : 0;
        const width = form === OTHER ? 8 : form > 0 ? form + 2 : 0;
        const q = [0, 1, 2].map(() => this.signed(width) / LEVELS);
        q.splice(largest, 0, Math.sqrt(Math.max(0, 1 - q.reduce((sum, v) => sum + v * v, 0))));
        return [q[0]!, q[1]!, q[2]!, q[3]!];
    }

    angle(): number {
        return (this.signed(10) * Math.PI) / 512;
    }
}

function about(axis: Vec, angle: number): Rot {
    const half = angle / 2;
    return [Math.cos(half), Math.sin(half) * axis[0], Math.sin(half) * axis[1], Math.sin(half) * axis[2]];
}

function vec(v: { x: number; y: number; z: number } | undefined): Vec {
    return v ? [v.x, v.y, v.z] : [0, 0, 0];
}

/** Sets rootPos, rootRot, jointRot, bodyPos and bodyRot. Throws a RangeError if the pose is of another model. */
export function unpackPose(character: CharacterState, bodies: readonly ModelBody[]): void {
    const bits = new Bits(character.pose);
    const pos: Vec[] = [[bits.number() / 1000, bits.number() / 1000, bits.number() / 1000]];
    const rot: Rot[] = [bits.rotation()];
    const joint: Rot[] = [[1, 0, 0, 0]];
    for (const body of bodies.slice(1)) {
        const own: Rot = body.rot ? [body.rot.w, body.rot.x, body.rot.y, body.rot.z] : [1, 0, 0, 0];
        const above = rot[body.parent]!;
        const slides = body.joint === JointKind.SLIDE, [x, y, z] = vec(body.axis);
        const angle = slides || body.joint === JointKind.HINGE ? bits.angle() : 0;
        joint.push(slides || body.joint === JointKind.HINGE ? about([x, y, z], angle) : bits.rotation());
        rot.push(slides ? multiply(above, own) : multiply(multiply(above, own), joint.at(-1)!));
        /* The body turns about the joint's centre, which is fixed in both bodies. A slide shifts it by as many m as its angle has rad. */
        const anchor = vec(body.anchor), shift: Vec = slides ? [angle * x, angle * y, angle * z] : [0, 0, 0];
        const centre = turn(above, plus(vec(body.pos), turn(own, plus(anchor, shift))));
        pos.push(minus(plus(pos[body.parent]!, centre), turn(rot.at(-1)!, anchor)));
    }
    if (bits.left < 0 || bits.left >= 8) throw new RangeError(`a pose of ${character.pose.length} bytes is not of a model with these ${bodies.length} bodies`);
    character.rootPos = [...pos[0]!];
    character.rootRot = [...rot[0]!];
    character.jointRot = joint.flat();
    character.bodyPos = pos.flat();
    character.bodyRot = rot.flat();
}

/* What a character's numbers were over the last seconds: one row of a table a trace. */
import type { CharacterState, WorldState } from "troupe-client";

export const KEPT_S = 10;

/** What a number is worked out from. */
interface Moment {
    world: WorldState;
    state: CharacterState;
    /** The character's state before, and how long ago that was, s. */
    before: CharacterState | undefined;
    sinceS: number;
    /** The world's step, s. */
    stepS: number;
    /** [body] of the servo's torque, N m, 0: none. Empty: not known. */
    limitsNm: readonly number[];
}

export interface Trace {
    name: string;
    unit: string;
    digits: number;
    /** Drawn at least up to this. */
    atLeast: number;
    title: string;
    of: (moment: Moment) => number | undefined;
}

export const TRACES: readonly Trace[] = [
    { name: "speed", unit: "m/s", digits: 2, atLeast: 1, title: "Of the root over ground, between two states", of: ({ state, before, sinceS }) => before && along(state, before) / sinceS },
    { name: "height", unit: "m", digits: 2, atLeast: 1, title: "Of the root above z = 0", of: ({ state }) => state.rootPos[2] },
    { name: "contact force", unit: "N", digits: 0, atLeast: 1000, title: "On the whole character from ground, scenery, objects and others, in the last step", of: contactForce },
    { name: "joint torque", unit: "N m", digits: 0, atLeast: 100, title: "Of the servos in the last step: the largest about any axis of any joint", of: ({ state }) => largest(state, () => 1) },
    { name: "torque of its limit", unit: "%", digits: 0, atLeast: 100, title: "Of the joint that is nearest to its limit", of: ({ state, limitsNm }) => largest(state, (body) => 100 / (limitsNm[body] || Infinity)) || undefined },
];

/** Over all axes of all joints, each body's torques times its scale; undefined: torques are not known. */
function largest({ jointTorque }: CharacterState, scale: (body: number) => number): number | undefined {
    if (jointTorque.length === 0) return undefined;
    return jointTorque.reduce((most, torque, i) => Math.max(most, Math.abs(torque) * scale(Math.floor(i / 3))), 0);
}

function along(a: CharacterState, b: CharacterState): number {
    return Math.hypot(a.rootPos[0]! - b.rootPos[0]!, a.rootPos[1]! - b.rootPos[1]!);
}

/** Contacts within the character cancel out. An impulse acts on side 0, and its opposite on side 1. */
function contactForce({ world, state, stepS }: Moment): number {
    const sum = [0, 0, 0];
    for (const { entity0, entity1, impulse } of world.contacts) {
        const sign = Number(entity0 === state.entity) - Number(entity1 === state.entity);
        for (let k = 0; k < 3; k++) sum[k]! += sign * impulse[k]!;
    }
    return Math.hypot(...sum) / stepS;
}

export interface Sampled {
    timeS: number;
    /** By trace; undefined: not known then. */
    values: (number | undefined)[];
}

/** The traces of one character; they restart with another one, or when the world jumps. */
export class Traces {
    readonly samples: Sampled[] = [];
    private entity: number | undefined;
    private last: { world: WorldState; state: CharacterState } | undefined;

    /** limitsOf: those of a model's servos, as in Moment. */
    take(world: WorldState, entity: number | undefined, stepS: number, limitsOf: (model: string) => readonly number[]): void {
        const state = world.characters.find((each) => each.entity === entity);
        const jumped = this.last && (this.last.world.epoch !== world.epoch || world.timeS < this.last.world.timeS);
        if (entity !== this.entity || jumped) this.forget(entity);
        if (state === undefined || world.timeS === this.last?.world.timeS) return;
        const sinceS = this.last ? world.timeS - this.last.world.timeS : 0;
        const moment = { world, state, before: this.last?.state, sinceS, stepS, limitsNm: limitsOf(state.model) };
        this.samples.push({ timeS: world.timeS, values: TRACES.map(({ of }) => of(moment)) });
        this.last = { world, state };
        while (this.samples.length > 0 && this.samples[0]!.timeS < world.timeS - KEPT_S) this.samples.shift();
    }

    private forget(entity: number | undefined): void {
        this.entity = entity;
        this.samples.length = 0;
        this.last = undefined;
    }
}

/* States at the time of a picture: between the two that surround it, a little behind the newest.
 *
 *     const playback = new Playback();                                   // 0.1 s behind
 *     connectWebSocket({ url, onState: (s) => playback.add(s, performance.now() / 1000) });
 *     for (const shown of playback.at(performance.now() / 1000).values()) ...   // empty until a state has arrived
 *
 * The clock of the world is followed by the states that arrived with the least delay, so that uneven arrival does not show.
 * Ask for StateField.BODIES. */

/** What is needed of a WorldState. */
export interface TimedState {
    timeS: number;
    characters: readonly { entity: number; label: string; bodyPos: ArrayLike<number>; bodyRot: ArrayLike<number> }[];
}

/** bodyPos: [bodies][3] m; bodyRot: [bodies][4]. */
export interface Shown {
    entity: number;
    label: string;
    bodyPos: Float32Array;
    bodyRot: Float32Array;
}

const KEPT = 64;
const DRIFT = 0.002; // seconds for each second: how fast the followed clock may give way

export class Playback {
    private readonly states: TimedState[] = [];
    private ahead: number | undefined; // the world's time less the local time, of the quickest arrivals
    private heardS = 0;

    constructor(readonly delayS = 0.1) {}

    /** Takes a state; one that is not newer than the last begins anew: the world was reset. */
    add(state: TimedState, arrivedS: number): void {
        const last = this.states[this.states.length - 1];
        if (last && state.timeS <= last.timeS) {
            this.states.length = 0;
            this.ahead = undefined;
        }
        const ahead = state.timeS - arrivedS;
        this.ahead = this.ahead === undefined ? ahead : Math.max(ahead, this.ahead - DRIFT * (arrivedS - this.heardS));
        this.heardS = arrivedS;
        this.states.push(state);
        if (this.states.length > KEPT) this.states.shift();
    }

    /** The world's time that is shown at a local time; 0 before the first state. */
    timeS(nowS: number): number {
        return this.ahead === undefined ? 0 : nowS + this.ahead - this.delayS;
    }

    /** The characters by entity. Beyond the newest state they stay as they are there. */
    at(nowS: number): Map<number, Shown> {
        const shown = new Map<number, Shown>();
        if (this.states.length === 0) return shown;
        const timeS = this.timeS(nowS);
        let later = this.states.findIndex((state) => state.timeS >= timeS);
        if (later < 0) later = this.states.length - 1;
        const b = this.states[later]!;
        const a = this.states[later - 1] ?? b;
        const span = b.timeS - a.timeS;
        const share = span > 0 ? Math.min(Math.max((timeS - a.timeS) / span, 0), 1) : 1;
        const before = new Map(a.characters.map((each) => [each.entity, each]));
        for (const each of b.characters) shown.set(each.entity, between(before.get(each.entity) ?? each, each, share));
        return shown;
    }
}

function between(a: TimedState["characters"][number], b: TimedState["characters"][number], share: number): Shown {
    if (a.bodyPos.length !== b.bodyPos.length) a = b;
    const bodyPos = Float32Array.from(b.bodyPos, (q, i) => a.bodyPos[i]! + share * (q - a.bodyPos[i]!));
    const bodyRot = new Float32Array(b.bodyRot.length);
    for (let i = 0; i < bodyRot.length; i += 4) turnBetween(a.bodyRot, b.bodyRot, i, share, bodyRot);
    return { entity: b.entity, label: b.label, bodyPos, bodyRot };
}

/** Along the chord, then to unit length: of turns below half a right angle the same as along the arc to 0.3 degrees. */
function turnBetween(p: ArrayLike<number>, q: ArrayLike<number>, i: number, share: number, out: Float32Array): void {
    let dot = 0;
    for (let k = i; k < i + 4; k++) dot += p[k]! * q[k]!;
    const sign = dot < 0 ? -1 : 1;
    let square = 0;
    for (let k = i; k < i + 4; k++) {
        out[k] = p[k]! + share * (sign * q[k]! - p[k]!);
        square += out[k]! * out[k]!;
    }
    const size = Math.sqrt(square) || 1;
    for (let k = i; k < i + 4; k++) out[k]! /= size;
}

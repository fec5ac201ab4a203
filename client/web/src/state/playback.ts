/* What to show now, from states that come at their own pace.
 *
 * The world is shown a little in its past, so that there is nearly always a state on either side of the moment shown and
 * motion between them can be interpolated:
 *
 *     shown = newest + speed * (now - arrival of newest) - delay,    delay = 1.5 periods + jitter
 *
 * where speed (world seconds per second) is measured over the last arrivals. The shown time follows that by a gentle
 * correction, and jumps only over gaps and when the world itself jumped (another epoch). Clocks are arguments. */
import type { WorldState } from "troupe-client";

interface Frame {
    state: WorldState;
    timeS: number;
    arrivalMs: number;
}

export interface Sample {
    from: WorldState;
    to: WorldState;
    /** 0: from, 1: to. */
    share: number;
}

const KEPT = 90;
const WINDOW = 30; // arrivals over which speed is measured
const JUMP_S = 0.6;
const FOLLOW_PER_S = 5;
const JITTER_SHARE = 0.1;

export class Playback {
    /** World seconds per second. */
    speed = 1;
    /** How far the picture is behind the newest state, world seconds. */
    lagS = 0;
    /** Frames in which the newest state had to be shown still, because the next one was late. */
    starved = 0;
    statesPerS = 0;

    private frames: Frame[] = [];
    private shownS = 0;
    private lastMs = 0;
    private jitterS = 0;
    private periodS = 1 / 30;
    private paused = false;

    get newest(): WorldState | undefined {
        return this.frames.at(-1)?.state;
    }

    get shownTimeS(): number {
        return this.shownS;
    }

    setPaused(paused: boolean): void {
        this.paused = paused;
    }

    push(state: WorldState, nowMs: number): void {
        const last = this.frames.at(-1);
        if (last && last.state.epoch === state.epoch && state.timeS === last.timeS) {
            last.state = state;
            return;
        }
        const jumped = last && (last.state.epoch !== state.epoch || state.timeS < last.timeS);
        if (jumped) this.frames = [];
        if (last && !jumped) this.measure(last, state.timeS, nowMs);
        this.frames.push({ state, timeS: state.timeS, arrivalMs: nowMs });
        if (this.frames.length > KEPT) this.frames.shift();
        if (this.frames.length === 1) this.shownS = state.timeS;
    }

    /** The states on either side of the moment to show at `nowMs`. */
    sample(nowMs: number): Sample | undefined {
        const newest = this.frames.at(-1);
        if (newest === undefined) return undefined;
        this.advance(newest, nowMs);
        let i = this.frames.length - 1;
        while (i > 0 && this.frames[i]!.timeS > this.shownS) i--;
        const from = this.frames[i]!;
        const to = this.frames[i + 1] ?? from;
        const span = to.timeS - from.timeS;
        const share = span > 0 ? Math.min(1, Math.max(0, (this.shownS - from.timeS) / span)) : 0;
        return { from: from.state, to: to.state, share };
    }

    private measure(last: Frame, timeS: number, nowMs: number): void {
        const first = Math.max(0, this.frames.length - WINDOW);
        const window = this.frames[first]!;
        const realS = Math.max(1e-3, (nowMs - window.arrivalMs) / 1000);
        if (realS > 0.2) this.speed = Math.min(100, (timeS - window.timeS) / realS);
        this.statesPerS = (this.frames.length - first) / realS;
        const stepS = timeS - last.timeS;
        this.periodS += (stepS - this.periodS) * JITTER_SHARE;
        const expectedMs = (stepS / Math.max(this.speed, 1e-3)) * 1000;
        const deviationS = (Math.abs(nowMs - last.arrivalMs - expectedMs) / 1000) * this.speed;
        this.jitterS += (Math.min(deviationS, 0.2) - this.jitterS) * JITTER_SHARE;
    }

    private advance(newest: Frame, nowMs: number): void {
        const dt = this.lastMs === 0 ? 0 : Math.min(0.25, (nowMs - this.lastMs) / 1000);
        this.lastMs = nowMs;
        const sinceS = (nowMs - newest.arrivalMs) / 1000;
        const still = this.paused || sinceS > 1;
        const delayS = 1.5 * this.periodS + Math.min(this.jitterS * 2, 0.15);
        const target = still ? newest.timeS : newest.timeS + this.speed * sinceS - delayS;
        const error = target - this.shownS;
        if (Math.abs(error) > JUMP_S * Math.max(1, this.speed)) this.shownS = target;
        else if (still) this.shownS += error * Math.min(1, dt * 12);
        else this.shownS += this.speed * dt + error * Math.min(1, dt * FOLLOW_PER_S);
        if (this.shownS > newest.timeS) {
            if (!still && this.shownS > newest.timeS + 1e-3) this.starved++;
            this.shownS = newest.timeS;
        }
        this.lagS = newest.timeS - this.shownS;
    }
}

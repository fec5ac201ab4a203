/* How well picture, connection and server keep up: silent while all is well, a sentence when something stays amiss, and the numbers
 * behind it when they are asked for. */
import type { WorldState } from "troupe-client";
import type { Playback } from "../state/playback.js";
import { h, setText } from "./element.js";

const EVERY_MS = 500;
const AMISS_TIMES = 4; // in a row, before it is worth a word
const SLOW_FRAMES_PER_S = 8;
const LATE_S = 0.05;

interface Look {
    framesPerS: number;
    droppedStates: number;
    droppedTicks: number;
    latenessS: number;
}

/** What can be amiss, the gravest first. */
const TROUBLES: readonly { amiss: (look: Look) => boolean; words: string }[] = [
    { amiss: ({ droppedTicks }) => droppedTicks > 0, words: "The server is busy: this world runs slower than it should" },
    { amiss: ({ latenessS }) => latenessS > LATE_S, words: "The server is busy: this world runs late" },
    { amiss: ({ droppedStates }) => droppedStates > 0, words: "The connection is slow: some moments are left out" },
    { amiss: ({ framesPerS }) => framesPerS < SLOW_FRAMES_PER_S, words: "This device draws slowly: a smaller window helps" },
];

export class Health {
    readonly element = h("div", { class: "health", role: "status", hidden: true });
    /** Shows the numbers too. */
    detailed = false;
    private lastMs = 0;
    private frames = 0;
    private droppedStates = 0n;
    private droppedTicks: bigint | undefined; // of the world, which may have lost some before this page was opened
    private readonly amiss = TROUBLES.map(() => 0);

    frame(nowMs: number, playback: Playback, roundTripMs: number): void {
        this.frames++;
        if (nowMs - this.lastMs < EVERY_MS) return;
        const framesPerS = (1000 * this.frames) / (nowMs - this.lastMs);
        const fresh = this.lastMs === 0 || nowMs - this.lastMs > 4 * EVERY_MS; // the page has just been opened, or was hidden
        this.lastMs = nowMs;
        this.frames = 0;
        const { newest } = playback;
        if (newest === undefined) return;
        const look = this.look(newest, framesPerS);
        const trouble = fresh ? undefined : this.trouble(look);
        const numbers = [`${framesPerS.toFixed(0)} frames/s`, `${playback.statesPerS.toFixed(0)} states/s`, `shown ${(playback.lagS * 1000).toFixed(0)} ms late`, `round trip ${roundTripMs.toFixed(0)} ms`];
        setText(this.element, [trouble, ...(this.detailed ? numbers : [])].filter(Boolean).join(" · "));
        this.element.hidden = this.element.textContent === "";
        this.element.classList.toggle("trouble", trouble !== undefined);
    }

    private look(state: WorldState, framesPerS: number): Look {
        const droppedStates = Number(state.droppedStates - this.droppedStates);
        const droppedTicks = Number(state.droppedTicks - (this.droppedTicks ?? state.droppedTicks));
        this.droppedStates = state.droppedStates;
        this.droppedTicks = state.droppedTicks;
        return { framesPerS, droppedStates, droppedTicks, latenessS: state.latenessS };
    }

    /** In words; undefined: nothing has been amiss for long enough. */
    private trouble(look: Look): string | undefined {
        TROUBLES.forEach(({ amiss }, i) => (this.amiss[i] = amiss(look) ? this.amiss[i]! + 1 : 0));
        return TROUBLES[this.amiss.findIndex((times) => times >= AMISS_TIMES)]?.words;
    }
}

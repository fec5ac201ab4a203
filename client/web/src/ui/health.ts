/* How well picture, network and daemon keep up: one quiet line that speaks up when something does not. */
import type { WorldState } from "troupe-client";
import type { Playback } from "../state/playback.js";
import { h, setText } from "./element.js";

const EVERY_MS = 500;
const LATE_S = 0.02;

export class Health {
    private readonly text = h("span", {});
    readonly element = h("div", { class: "health", title: "States a second, how far the picture is behind, round trip" }, this.text);
    private lastMs = 0;
    private frames = 0;
    private droppedStates = 0n;
    private droppedTicks: bigint | undefined; // of the world, which has lost some before this page came

    frame(nowMs: number, playback: Playback, roundTripMs: number): void {
        this.frames++;
        if (nowMs - this.lastMs < EVERY_MS) return;
        const fps = (1000 * this.frames) / (nowMs - this.lastMs);
        this.lastMs = nowMs;
        this.frames = 0;
        const newest = playback.newest;
        if (newest === undefined) return setText(this.text, "waiting for states");
        const parts = [`${fps.toFixed(0)} fps`, `${(playback.lagS * 1000).toFixed(0)} ms behind`];
        if (roundTripMs > 0) parts.push(`${roundTripMs.toFixed(0)} ms away`);
        const troubles = this.troubles(newest);
        setText(this.text, [...troubles, ...parts].join(" · "));
        this.element.classList.toggle("trouble", troubles.length > 0);
    }

    private troubles(state: WorldState): string[] {
        const troubles: string[] = [];
        const states = state.droppedStates - this.droppedStates;
        const ticks = state.droppedTicks - (this.droppedTicks ?? state.droppedTicks);
        if (states > 0n) troubles.push(`${states} states dropped`);
        if (ticks > 0n) troubles.push(`${ticks} ticks given up`);
        if (state.latenessS > LATE_S) troubles.push(`daemon ${(state.latenessS * 1000).toFixed(0)} ms late`);
        this.droppedStates = state.droppedStates;
        this.droppedTicks = state.droppedTicks;
        return troubles;
    }
}

/* A recording as a line to scrub along, with what happened marked upon it. */
import { EventKind, type ReplayEvent } from "troupe-client";
import { describe, type NameOf } from "./feed.js";
import { h, setText } from "./element.js";

const MARKS_MAX = 400;

function kindOf({ event }: ReplayEvent): string {
    if (event?.kind === EventKind.FELL) return "fell";
    if (event?.kind === EventKind.ROSE) return "rose";
    if (event?.kind === EventKind.APPLIED) return "command";
    return "other";
}

export class Timeline {
    readonly element: HTMLElement;
    private readonly range = h("input", { type: "range", min: 0, max: 1, value: 0, step: 1, "aria-label": "Position in the recording" });
    private readonly marks = h("div", { class: "marks" });
    private readonly clock = h("output", { class: "clock" });
    private stepS = 0.005;
    private held = false;
    private positions: number[] = []; // of the marks, ascending

    /** seek is called while scrubbing, and once more with done when the hand is off. */
    constructor(private readonly seek: (position: number, done: boolean) => void) {
        this.range.addEventListener("input", () => {
            this.held = true;
            this.seek(this.position, false);
            this.show();
        });
        this.range.addEventListener("change", () => {
            this.held = false;
            this.seek(this.position, true);
        });
        this.element = h("div", { class: "timeline" }, h("div", { class: "line" }, this.marks, this.range), this.clock);
    }

    get position(): number {
        return Number(this.range.value);
    }

    get length(): number {
        return Number(this.range.max);
    }

    setLength(length: number, stepS: number): void {
        this.range.max = String(Math.max(1, length));
        this.stepS = stepS;
        this.show();
    }

    setEvents(events: ReplayEvent[], name: NameOf): void {
        const told = events.filter(({ event }) => event && event.kind !== EventKind.TOUCHED);
        const each = Math.ceil(told.length / MARKS_MAX);
        this.positions = told.map(({ position }) => Number(position));
        this.marks.replaceChildren(...told.filter((_, i) => i % each === 0).map((entry) => this.mark(entry, name)));
    }

    /** Where the replay is; ignored while a hand is on the line. */
    follow(position: number): void {
        if (this.held) return;
        this.range.value = String(Math.min(position, this.length));
        this.show();
    }

    /** To the next position at which something happened, or the one before (by -1). */
    toEvent(by: number): void {
        const there = by > 0 ? this.positions.find((each) => each > this.position) : this.positions.filter((each) => each < this.position).at(-1);
        if (there !== undefined) this.seek(there, true);
    }

    private mark(entry: ReplayEvent, name: NameOf): HTMLElement {
        const event = entry.event!;
        const position = Number(entry.position);
        const text = describe(event, name) ?? (event.kind === EventKind.APPLIED ? (event.entity ? `${event.text}: ${name(event.entity)}` : event.text) : EventKind[event.kind]);
        const mark = h("button", { class: `mark ${kindOf(entry)}`, title: `${(position * this.stepS).toFixed(2)} s: ${text}`, tabindex: -1, onclick: () => this.seek(position, true) });
        mark.style.left = `${(100 * position) / this.length}%`;
        return mark;
    }

    private show(): void {
        const text = `${(this.position * this.stepS).toFixed(2)} / ${(this.length * this.stepS).toFixed(2)} s`;
        setText(this.clock, text);
        this.range.setAttribute("aria-valuetext", text);
        this.clock.title = `position ${this.position} of ${this.length}`;
    }
}

/* The first minute of a newcomer: three things to try, each crossed off once it was done. Shown until all are done or it is closed. */
import { h } from "./element.js";
import { icon } from "./icon.js";

const KEPT = "troupe.hints";
const FAREWELL_MS = 2500;

export type HintName = "push" | "steer" | "skill";

const HINTS: readonly { name: HintName; title: string; text: string }[] = [
    { name: "push", title: "Push", text: "drag the body" },
    { name: "steer", title: "Steer", text: "arrow keys, or tap the ground" },
    { name: "skill", title: "Choose a skill", text: "with its button" },
];

export class Hints {
    readonly element: HTMLElement;
    private readonly rows = new Map<HintName, HTMLElement>();

    constructor() {
        const close = h("button", { class: "icon small plain", "aria-label": "Close the hints", onclick: () => this.end() }, icon("close"));
        for (const { name, title, text } of HINTS) this.rows.set(name, h("li", {}, icon("done"), h("span", {}, h("b", {}, title), ": ", h("span", { class: "quiet" }, text))));
        this.element = h("section", { class: "hints", "aria-label": "Things to try", hidden: true }, h("header", {}, h("h2", {}, "Try it"), close), h("ul", {}, [...this.rows.values()]));
    }

    /** Unless they were seen before. */
    begin(): void {
        this.element.hidden = localStorage.getItem(KEPT) !== null;
    }

    /** Those that work for the selected character. */
    offer(names: Record<HintName, boolean>): void {
        for (const [name, row] of this.rows) row.hidden = !names[name];
    }

    done(name: HintName): void {
        this.rows.get(name)!.classList.add("done");
        const all = [...this.rows.values()].every((row) => row.hidden || row.classList.contains("done"));
        if (all && !this.element.hidden) setTimeout(() => this.end(), FAREWELL_MS);
    }

    private end(): void {
        localStorage.setItem(KEPT, "seen");
        this.element.hidden = true;
    }
}

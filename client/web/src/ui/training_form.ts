/* A form that starts a training: a clip of the daemon's folder, a name, and how much effort. */
import type { Request } from "troupe-client";
import { fill, h } from "./element.js";

export type StartTraining = Extract<Request, { case: "startTraining" }>["value"];

const EFFORTS: [string, string][] = [["quick", "quick: a few minutes"], ["normal", "normal"], ["thorough", "thorough: survives larger pushes"]];
const NAME_MAX = 47;

/** A name as the daemon takes it, after the clip's file. */
export function nameAfter(clip: string): string {
    return clip.replace(/\.[^.]*$/, "").toLowerCase().replace(/[^a-z0-9_]/g, "-").slice(0, NAME_MAX);
}

export class TrainingForm {
    readonly element: HTMLElement;
    private readonly clip = h("select", { "aria-label": "Clip", required: true, onchange: () => this.suggest() });
    private readonly name = h("input", { "aria-label": "Name", required: true, maxLength: NAME_MAX, pattern: "[a-z0-9][a-z0-9_\\-]*", title: "small letters, digits, - and _" });
    private readonly effort = h("select", { "aria-label": "Effort" }, EFFORTS.map(([value, text]) => h("option", { value }, text)));
    private clips: readonly string[] = [];

    constructor(private readonly start: (training: StartTraining) => void) {
        this.effort.value = "normal";
        this.element = h("form", { class: "match-form", onsubmit: (event: Event) => this.submit(event) },
            h("div", { class: "row" }, this.clip, this.name, this.effort), h("button", { class: "primary", type: "submit" }, "Start the training"));
    }

    /** The choice stays, if its clip is still there. */
    setClips(clips: readonly string[]): void {
        if (clips.join("\n") === this.clips.join("\n")) return;
        const chosen = this.clip.value;
        this.clips = clips;
        fill(this.clip, clips.map((name) => h("option", { value: name }, name)));
        if (clips.includes(chosen)) this.clip.value = chosen;
        else this.suggest();
    }

    private suggest(): void {
        this.name.value = nameAfter(this.clip.value);
    }

    private submit(event: Event): void {
        event.preventDefault();
        this.start({ clip: this.clip.value, name: this.name.value, effort: this.effort.value });
    }
}

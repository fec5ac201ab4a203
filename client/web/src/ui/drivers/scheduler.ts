/* A scheduler: the skills or fragments that it chooses from, and below them what its last decision weighed, a bar each. */
import type { CharacterState, ControllerDetail, FragmentChoice } from "troupe-client";
import { placeIn } from "../../state/doing.js";
import { h } from "../element.js";
import { chain } from "./chain.js";
import type { DriverDrawing, DriverKind } from "./drawing.js";
import { graph } from "./graph.js";

const BAR_LEAST = 0.04; // of the width, so that the lowest can be seen

/** Values from the lowest to the highest as lengths from BAR_LEAST to 1. */
export function barLengths(values: readonly number[]): number[] {
    const [low, high] = [Math.min(...values), Math.max(...values)];
    return values.map((value) => (high > low ? BAR_LEAST + ((1 - BAR_LEAST) * (value - low)) / (high - low) : 1));
}

function nameOf(detail: ControllerDetail, { fragment, mirrored }: FragmentChoice): string {
    const place = placeIn(detail, fragment);
    const number = place?.number ?? fragment + 1;
    return `${place?.skill || "fragment"} ${number}${mirrored ? ", mirrored" : ""}`;
}

function draw(detail: ControllerDetail, width: number): DriverDrawing {
    const inner = [graph, chain].find((each) => each.draws(detail))?.draw(detail, width);
    const decision = h("ol", { class: "choices", "aria-label": "values of the last decision" });
    let shown = "";
    const show = (state: CharacterState | undefined) => {
        inner?.show(state);
        const { choices = [], outOfSequence = false } = state ?? {};
        const key = `${outOfSequence} ${choices.map(({ fragment, mirrored, value }) => `${fragment} ${mirrored} ${value}`).join()}`;
        if (key === shown) return;
        shown = key;
        decision.replaceChildren(...rowsOf(detail, choices));
        decision.classList.toggle("jumped", outOfSequence);
    };
    return { element: h("div", { class: "scheduler" }, inner?.element, decision), show };
}

function rowsOf(detail: ControllerDetail, choices: readonly FragmentChoice[]): HTMLElement[] {
    const lengths = barLengths(choices.map(({ value }) => value));
    return choices.map((choice, i) => {
        const bar = h("span", { class: "worth" });
        bar.style.width = `${(100 * lengths[i]!).toFixed(1)}%`; // not an attribute, which the page's policy forbids
        return h("li", {}, h("span", { class: "name" }, nameOf(detail, choice)), h("span", { class: "value" }, choice.value.toFixed(1)), bar);
    });
}

export const scheduler: DriverKind = { title: "What the scheduler chooses from", draws: ({ summary }) => summary?.kind === "scheduler", folded: true, draw };

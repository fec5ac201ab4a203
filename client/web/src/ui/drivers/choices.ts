/* What the last decision of a character weighed, where its driver chooses: a bar for each entry. */
import type { CharacterState, ControllerDetail, FragmentChoice } from "troupe-client";
import { placeIn } from "../../state/doing.js";
import { h } from "../element.js";
import type { DriverDrawing } from "./drawing.js";

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

export function choices(detail: ControllerDetail): DriverDrawing {
    const decision = h("ol", { class: "choices", "aria-label": "values of the last decision" });
    let shown = "";
    const show = (state: CharacterState | undefined) => {
        const { choices: weighed = [], outOfSequence = false } = state ?? {};
        const key = `${outOfSequence} ${weighed.map(({ fragment, mirrored, value }) => `${fragment} ${mirrored} ${value}`).join()}`;
        if (key === shown) return;
        shown = key;
        decision.replaceChildren(...rowsOf(detail, weighed));
        decision.classList.toggle("jumped", outOfSequence);
    };
    return { element: decision, show };
}

function rowsOf(detail: ControllerDetail, weighed: readonly FragmentChoice[]): HTMLElement[] {
    const lengths = barLengths(weighed.map(({ value }) => value));
    return weighed.map((choice, i) => {
        const bar = h("span", { class: "worth" });
        bar.style.width = `${(100 * lengths[i]!).toFixed(1)}%`; // not an attribute, which the page's policy forbids
        return h("li", {}, h("span", { class: "name" }, nameOf(detail, choice)), h("span", { class: "value" }, choice.value.toFixed(1)), bar);
    });
}

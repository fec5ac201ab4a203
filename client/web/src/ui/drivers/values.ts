/* The values that a driver shows of itself: a row for each, with its unit. */
import type { CharacterState } from "troupe-client";
import { fill, h, setText } from "../element.js";
import { valueText } from "../parameters.js";
import type { DriverDrawing } from "./drawing.js";

type ShownValue = CharacterState["shown"][number];

/** As a person reads it: "map_at" is "map at". */
export function valueName({ name }: Pick<ShownValue, "name">): string {
    return name.replaceAll("_", " ");
}

/** "0.25", "3 deg", "1, 2, 3 m". */
export function valueWords({ value, unit }: Pick<ShownValue, "value" | "unit">): string {
    const numbers = value.map((each) => valueText(each, { unit: "" })).join(", ");
    return unit ? `${numbers} ${unit}` : numbers;
}

export function values(): DriverDrawing {
    const element = h("dl", { class: "shown-values", "aria-label": "values that it shows" });
    let names = "";
    let places: HTMLElement[] = [];
    const show = (state: CharacterState | undefined) => {
        const shown = state?.shown ?? [];
        const now = shown.map(valueName).join("\n");
        element.hidden = shown.length === 0;
        if (now !== names) {
            places = shown.map(() => h("dd", {}));
            fill(element, shown.map((each, i) => h("div", {}, h("dt", {}, valueName(each)), places[i])));
            names = now;
        }
        shown.forEach((each, i) => setText(places[i]!, valueWords(each)));
    };
    show(undefined);
    return { element, show };
}

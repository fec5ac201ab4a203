/* What can be set of a controller while it drives a character: a slider for each value, with its unit and its bounds. */
import type { CharacterState, ControllerDetail, ControllerParameter } from "troupe-client";
import { fill, h, setText } from "./element.js";

/** values: of the whole parameter; none: back to the initial ones. */
export type SetParameter = (entity: number, name: string, values: number[]) => void;

const STEPS = 200; // of a slider, from one bound to the other
const DIGITS = 3;

/** With its unit, in as many digits as a slider can tell apart. */
export function valueText(value: number, { unit }: Pick<ControllerParameter, "unit">): string {
    return `${Number(value.toPrecision(DIGITS))}${unit ? ` ${unit}` : ""}`;
}

interface Slider {
    input: HTMLInputElement;
    output: HTMLOutputElement;
}

export class Parameters {
    readonly element: HTMLDetailsElement;
    private readonly rows = h("div", { class: "rows" });
    private readonly sliders = new Map<ControllerParameter, Slider[]>();
    /** What this page has set, by character, controller and parameter: states do not tell the values. */
    private readonly known = new Map<string, number[]>();
    private state: CharacterState | undefined;

    constructor(private readonly set: SetParameter) {
        this.element = h("details", { class: "parameters", hidden: true }, h("summary", {}, "Parameters"), this.rows);
    }

    /** What drives the selected character. */
    setDriver(detail: ControllerDetail | undefined): void {
        this.sliders.clear();
        this.element.hidden = !detail?.parameters.length;
        this.element.open = detail?.parameters.some(({ count }) => count === 1) ?? false; // arrays are for experts
        fill(this.rows, (detail?.parameters ?? []).map((each) => this.row(each)));
        this.showKnown();
    }

    update(state: CharacterState): void {
        const same = state.entity === this.state?.entity && state.controller === this.state.controller;
        this.state = state;
        if (!same) this.showKnown();
    }

    /** An array is folded: it has many sliders. */
    private row(parameter: ControllerParameter): HTMLElement {
        const { name, count, low, high, meaning } = parameter;
        const back = h("button", { class: "plain", title: `Set ${name} back to its initial value`, onclick: () => this.reset(parameter) }, "Reset");
        const range = h("p", { class: "quiet" }, `${meaning}; ${valueText(low, parameter)} to ${valueText(high, parameter)}`);
        const sliders = Array.from({ length: count }, (_, i) => this.slider(parameter, i));
        this.sliders.set(parameter, sliders);
        const lines = sliders.map(({ input, output }, i) => h("label", {}, h("span", { class: "name" }, count > 1 ? String(i + 1) : name), input, output));
        if (count === 1) return h("div", { class: "parameter" }, lines, h("footer", {}, range, back));
        return h("details", { class: "parameter" }, h("summary", {}, name), range, lines, back);
    }

    private slider(parameter: ControllerParameter, index: number): Slider {
        const { name, low, high, initial, count } = parameter;
        const label = count > 1 ? `${name} ${index + 1}` : name;
        const input = h("input", { type: "range", min: low, max: high, step: (high - low) / STEPS, "aria-label": label, onchange: () => this.send(parameter) });
        const output = h("output", {});
        input.addEventListener("input", () => setText(output, valueText(input.valueAsNumber, parameter)));
        show({ input, output }, initial, parameter);
        return { input, output };
    }

    private key({ name }: ControllerParameter): string {
        return `${this.state?.entity} ${this.state?.controller} ${name}`;
    }

    private send(parameter: ControllerParameter): void {
        if (this.state === undefined) return;
        const values = this.sliders.get(parameter)!.map(({ input }) => input.valueAsNumber);
        this.known.set(this.key(parameter), values);
        this.set(this.state.entity, parameter.name, values);
    }

    private reset(parameter: ControllerParameter): void {
        if (this.state === undefined) return;
        this.known.delete(this.key(parameter));
        this.set(this.state.entity, parameter.name, []);
        this.showKnown();
    }

    private showKnown(): void {
        for (const [parameter, sliders] of this.sliders) {
            const values = this.known.get(this.key(parameter));
            sliders.forEach((slider, i) => show(slider, values?.[i] ?? parameter.initial, parameter));
        }
    }
}

function show({ input, output }: Slider, value: number, parameter: ControllerParameter): void {
    input.value = String(value);
    setText(output, valueText(value, parameter));
}

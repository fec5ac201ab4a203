/* The selected character: what it does, what drives it, and its plots. Pages put their commands into it. */
import type { CharacterState, ControllerDetail } from "troupe-client";
import type { Traces } from "../state/traces.js";
import { drawDriver, kindOf, type DriverDrawing, type SetValues } from "./drivers/drawing.js";
import { values } from "./drivers/values.js";
import { nameOf } from "./cast_list.js";
import { h, setText } from "./element.js";
import { Plots } from "./plots.js";

const DRAWING_PX = 272;

export interface SelectedSource {
    /** In words, with the fragment in progress. */
    doing: (state: CharacterState) => string;
    controller: (name: string) => Promise<ControllerDetail>;
    /** The plots were opened, or closed: they need torques. */
    plotting: (on: boolean) => void;
    /** Sets parameters of the selected character; absent: the page only looks. */
    set?: SetValues;
}

export class Selected {
    readonly element: HTMLElement;
    /** Called when the controller changes; undefined: none, or no character is selected. */
    onDriver: (detail: ControllerDetail | undefined) => void = () => {};
    private readonly title = h("h2", {});
    private readonly facts = h("p", { class: "facts" });
    private readonly kind = h("span", { class: "kind" });
    private readonly doing = h("span", { class: "text" });
    private readonly phase = h("progress", { max: 1, "aria-label": "Phase of what is in progress" });
    private readonly now = h("p", { class: "now", role: "status" }, this.kind, this.doing, this.phase);
    private readonly values = values();
    private readonly drawingTitle = h("summary", {});
    private readonly drawingPlace = h("details", { class: "driver", open: true }, this.drawingTitle);
    private readonly plots: Plots;
    private drawing: DriverDrawing | undefined;
    private state: CharacterState | undefined;
    private controller: string | undefined;

    /** commands: what can be done with it, between its name and its drawing. */
    constructor(
        private readonly source: SelectedSource,
        ...commands: HTMLElement[]
    ) {
        this.plots = new Plots(source.plotting);
        this.element = h("section", { class: "one", hidden: true }, h("header", {}, this.title), this.facts, this.now, this.values.element, commands, this.drawingPlace, this.plots.element);
    }

    update(state: CharacterState | undefined, traces: Traces): void {
        this.state = state;
        this.element.hidden = state === undefined;
        if (state?.controller !== this.controller) void this.show(state?.controller);
        if (state === undefined) return;
        setText(this.title, nameOf(state));
        const [x = 0, y = 0] = state.rootPos;
        setText(this.facts, `${this.source.doing(state)} · at ${tenths(x)}, ${tenths(y)} m`);
        this.now.hidden = state.doing === "";
        setText(this.doing, state.doing);
        this.phase.value = state.phase;
        this.values.show(state);
        this.drawing?.show(state);
        this.plots.update(traces);
    }

    /** What a controller is, drawn by its kind. */
    private async show(controller: string | undefined): Promise<void> {
        this.controller = controller;
        this.drawing?.element.remove();
        this.drawing = undefined;
        const detail = controller ? await this.source.controller(controller).catch(() => undefined) : undefined;
        if (controller !== this.controller) return;
        this.drawingPlace.hidden = detail === undefined;
        this.onDriver(detail);
        setText(this.kind, detail?.summary?.kind ?? "");
        if (detail === undefined) return;
        const kind = kindOf(detail);
        setText(this.drawingTitle, kind.title);
        this.drawingPlace.open = !kind.folded;
        this.drawing = drawDriver(detail, DRAWING_PX, this.source.set);
        this.drawingPlace.append(this.drawing.element);
        this.drawing.show(this.state);
    }
}

/** Without the sign of a zero. */
function tenths(value: number): string {
    return (Math.round(value * 10) / 10 + 0).toFixed(1);
}

/* Live plots of a character: one small chart a trace, the last ten seconds from left to right. */
import { KEPT_S, TRACES, type Sampled, type Trace, type Traces } from "../state/traces.js";
import { h, s, setText } from "./element.js";

const WIDTH = 280;
const HEIGHT = 44;
const EDGE = 2;

interface Plot {
    trace: Trace;
    line: SVGPolylineElement;
    value: HTMLElement;
    top: HTMLElement;
}

export class Plots {
    readonly element: HTMLDetailsElement;
    private readonly plots: Plot[];

    constructor() {
        this.plots = TRACES.map((trace) => ({ trace, line: s("polyline", { class: "line" }), value: h("output", {}), top: h("span", { class: "quiet" }) }));
        this.element = h("details", { class: "plots" }, h("summary", {}, "Plots"), this.plots.map(({ trace, line, value, top }) =>
            h("figure", { title: trace.title }, h("figcaption", {}, h("span", {}, trace.name), top, value),
                s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": `${trace.name} over the last ${KEPT_S} seconds` }, line))));
    }

    update({ samples }: Traces): void {
        if (!this.element.open) return;
        this.plots.forEach((plot, i) => this.draw(plot, samples, i));
    }

    private draw({ trace, line, value, top }: Plot, samples: readonly Sampled[], index: number): void {
        const end = samples.at(-1)?.timeS ?? 0;
        const known = samples.filter(({ values }) => values[index] !== undefined);
        const most = Math.max(trace.atLeast, ...known.map(({ values }) => values[index]!));
        const point = ({ timeS, values }: Sampled) => {
            const x = WIDTH * (1 - (end - timeS) / KEPT_S);
            return `${x.toFixed(1)},${(HEIGHT - EDGE - (HEIGHT - 2 * EDGE) * Math.max(0, values[index]! / most)).toFixed(1)}`;
        };
        line.setAttribute("points", known.map(point).join(" "));
        const last = known.at(-1)?.values[index];
        setText(value, last === undefined ? "" : `${last.toFixed(trace.digits)} ${trace.unit}`);
        setText(top, `0 to ${Number(most.toPrecision(2))}`);
    }
}

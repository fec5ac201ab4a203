/* Live plots of a character: one small chart a trace, the last ten seconds from left to right. */
import { KEPT_S, TRACES, type Sampled, type Trace, type Traces } from "../state/traces.js";
import { h, s, setText } from "./element.js";

const WIDTH = 280;
const HEIGHT = 44;
const EDGE = 2;

interface Plot {
    trace: Trace;
    root: HTMLElement;
    line: SVGElement;
    value: HTMLElement;
    top: HTMLElement;
}

function makePlot(trace: Trace): Plot {
    const [line, value, top] = [s("polyline", { class: "line" }), h("output", {}), h("span", { class: "quiet" })];
    const root = h("figure", { title: trace.title }, h("figcaption", {}, h("span", {}, trace.name), top, value),
        s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": `${trace.name} over the last ${KEPT_S} seconds` }, line));
    return { trace, root, line, value, top };
}

export class Plots {
    readonly element: HTMLDetailsElement;
    private readonly plots: Plot[];

    /** onOpen: they were opened, or closed. */
    constructor(onOpen: (open: boolean) => void) {
        this.plots = TRACES.map(makePlot);
        this.element = h("details", { class: "plots", ontoggle: () => onOpen(this.element.open) }, h("summary", {}, "Plots"), this.plots.map(({ root }) => root));
    }

    update({ samples }: Traces): void {
        if (!this.element.open) return;
        this.plots.forEach((plot, i) => this.draw(plot, samples, i));
    }

    /** A trace that is not known has no plot. */
    private draw({ trace, root, line, value, top }: Plot, samples: readonly Sampled[], index: number): void {
        const end = samples.at(-1)?.timeS ?? 0;
        const known = samples.filter(({ values }) => values[index] !== undefined);
        root.hidden = known.length === 0;
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

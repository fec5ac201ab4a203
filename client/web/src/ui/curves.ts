/* The curves of a training run: how each of its numbers went from iteration to iteration. */
import type { RunDetail, RunMetric } from "troupe-client";
import { h, s } from "./element.js";

const WIDTH = 200;
const HEIGHT = 56;
const EDGE = 4;
const DIGITS = 3;
/** By the last word of a metric's name. */
const UNITS: Record<string, string> = { n: "N", s: "s", deg: "°", percent: "%", m: "m", mps: "m/s" };
/** What the names that are not plain words mean. */
const MEANINGS: Record<string, string> = {
    push95_n: "push survived in 95 % of the trials",
    push_train_n: "push in training",
    undisturbed_s: "held without pushes",
    resist_s: "held under growing pushes",
    core_s: "processor time",
    kept: "better than before (1), or dropped (0)",
    r2: "share that the policy explains",
    average_q: "mean value",
    low_percent: "survived the smaller push",
    high_percent: "survived the larger push",
    back_percent: "back in its skill after it",
};

function words(name: string): { title: string; unit: string } {
    const parts = name.split("_");
    const unit = parts.length > 1 ? UNITS[parts.at(-1)!] : undefined;
    return { title: MEANINGS[name] ?? (unit === undefined ? parts : parts.slice(0, -1)).join(" "), unit: unit ?? "" };
}

function curve({ name, iteration, value }: RunMetric): HTMLElement {
    const { title, unit } = words(name);
    const [first, last] = [Number(iteration[0]), Number(iteration.at(-1))];
    const [low, high] = [Math.min(0, ...value), Math.max(...value)];
    const x = (i: number) => EDGE + ((WIDTH - 2 * EDGE) * (Number(iteration[i]) - first)) / Math.max(1, last - first);
    const y = (i: number) => HEIGHT - EDGE - ((HEIGHT - 2 * EDGE) * (value[i]! - low)) / (high - low || 1);
    const text = (number: number) => `${Number(number.toPrecision(DIGITS))}${unit && ` ${unit}`}`;
    const points = value.map((_, i) => `${x(i).toFixed(1)},${y(i).toFixed(1)}`).join(" ");
    const label = `${title}: ${text(value[0]!)} at first, ${text(value.at(-1)!)} at last`;
    return h("figure", { class: "curve", title: `${name}, iterations ${first} to ${last}` },
        h("figcaption", {}, h("span", {}, title), h("output", {}, text(value.at(-1)!))),
        s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": label },
            s("polyline", { class: "line", points })));
}

/** Metrics with one number have no curve. */
export function curvesOf(metrics: readonly RunMetric[]): HTMLElement[] {
    return metrics.filter(({ value }) => value.length > 1).map(curve);
}

export function runView({ summary, metrics }: RunDetail): HTMLElement {
    const curves = curvesOf(metrics);
    const { name, endedUnixNs } = summary!;
    const state = [endedUnixNs === 0n && "in progress", curves.length === 0 && "no curves: it had one iteration"].filter(Boolean).join(", ");
    return h("div", {}, h("p", { class: "quiet" }, state ? `${name}: ${state}` : name), h("div", { class: "curves" }, curves));
}

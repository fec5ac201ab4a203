/* A certificate: its polar plot, the figures of the whole, and how to measure it again. */
import type { Certificate } from "troupe-client";
import { h } from "./element.js";
import { polarPlot } from "./polar.js";

const WORDS: Record<string, string> = {
    root_error_m: "error of the root",
    root_error_rad: "turn of the root",
    joint_error_rad: "error of the joints",
    effector_error_m: "error of hands and feet",
    slip_m_s: "sliding of the feet",
    penetration_m: "depth in the ground",
    resisting_s: "resisting time",
    hold_s: "watched undisturbed",
    held_shortest_s: "shortest hold",
};

/** "joint_error_rad": words and unit. */
function split(quantity: string): [string, string] {
    const unit = /_(m_s|rad_s|rad|nps|deg|m|s|n)$/.exec(quantity)?.[1] ?? "";
    const words = WORDS[quantity] ?? quantity.slice(0, quantity.length - (unit ? unit.length + 1 : 0)).replaceAll("_", " ");
    return [words, { m_s: "m/s", rad_s: "rad/s", nps: "N/s", n: "N", deg: "°" }[unit] ?? unit];
}

export function certificateView(certificate: Certificate): HTMLElement {
    const rows = certificate.figures.map((each) => {
        const [words, unit] = split(each.quantity);
        return h("tr", {}, h("td", {}, words), h("td", {}, each.item), h("td", { class: "number" }, `${Number(each.value.toPrecision(4))} ${unit}`));
    });
    const day = new Date(Number(certificate.endedUnixNs / 1000000n)).toISOString().slice(0, 10);
    return h("div", { class: "certificate" },
        certificate.pushes.length > 2 && polarPlot(certificate),
        h("div", { class: "figures" },
            h("div", { class: "scrolling" }, h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, "quantity"), h("th", {}, "of"), h("th", { class: "number" }, "value"))), h("tbody", {}, rows))),
            h("p", { class: "quiet" }, `Method ${certificate.method}, seed ${certificate.seed}, ${day}, build ${certificate.codeVersion || "unknown"}.`),
            h("p", { class: "command" }, h("code", {}, certificate.command))));
}

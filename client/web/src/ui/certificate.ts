/* A certificate: its polar plot, what it says in a few lines, all its figures, and how to measure it again. */
import type { Certificate } from "troupe-client";
import { bodyWords } from "./body.js";
import { h } from "./element.js";
import { polarPlot } from "./polar.js";

/** In place of a skill: random walks over all of them. */
export const ALL_SKILLS = "*";

type Lookup = (quantity: string, item?: string) => number | undefined;

/** What is worth reading first: its name, and its text; undefined: not measured. */
const HEADLINES: [string, (of: Lookup) => string | undefined][] = [
    ["random walks", (of) => both(of("walks_upright"), of("walks"), (upright, walks) => `${upright} of ${walks} end without a fall, ${((of("walk_s") ?? 0) / 60).toFixed(0)} minutes each`)],
    ["how often", (of) => one(of("walk_falls_ph"), (falls) => `${falls.toFixed(1)} falls an hour`)],
    ["new headings", (of) => both(of("heading_held"), of("heading_trials"), (held, trials) => `${held} of ${trials} without a fall for ${of("heading_s") ?? "?"} s, reward ${(of("heading_reward") ?? 0).toFixed(0)} of 1,000`)],
    ["left alone", (of) => both(of("held_trials"), of("hold_trials"), (held, trials) => `${held} of ${trials} hold for ${of("hold_s") ?? "?"} s`)],
    ["pushed, all directions", (of) => both(of("push95_n", "all"), of("push50_n", "all"), (most, half) => `${most} N survived by 95 %, ${half} N by half`)],
    ["pushed ever harder", (of) => one(of("resisting_s", "1 N/s"), (s) => `${s.toFixed(0)} s at 1 N/s`)],
    ["pushed for long, to 200 N", (of) => both(of("lasting_held", "constant 200 N"), of("lasting_trials"), (held, trials) => `${held} of ${trials} constant, ${of("lasting_held", "varying 200 N") ?? "?"} varying, ${of("lasting_held", "sudden 200 N") ?? "?"} sudden`)],
    ["slopes", (of) => both(of("ground95_deg", "slope up"), of("ground95_deg", "slope down"), (up, down) => `${up}° up, ${down}° down, ${of("ground95_deg", "slope across") ?? "?"}° across`)],
    ["kerbs", (of) => both(of("ground95_m", "kerb up"), of("ground95_m", "kerb down"), (up, down) => `${centimetres(up)} up, ${centimetres(down)} down`)],
    ["uneven ground", (of) => one(of("ground95_m", "uneven"), centimetres)],
    ["speed", (of) => both(of("speed_mps"), of("clip_speed_mps"), (is, was) => `${is.toFixed(2)} m/s, of the clip ${was.toFixed(2)}`)],
    ["error of the root", (of) => both(of("root_error_m"), of("root_error_rad"), (m, rad) => `${(Math.abs(m) * 1000).toFixed(1)} mm, ${degrees(rad)}`)],
    ["sliding of the feet", (of) => one(of("foot_slip_mps"), (v) => `${(v * 1000).toFixed(1)} mm/s`)],
    ["sinking in the ground", (of) => both(of("penetration_m"), of("penetration_max_m"), (mean, most) => `${(mean * 1000).toFixed(1)} mm, at most ${(most * 1000).toFixed(1)}`)],
];

const UNITS: Record<string, string> = { deg: "°", mps: "m/s", rad: "rad", m: "m", s: "s", n: "N", h: "h" };

function one(a: number | undefined, text: (a: number) => string): string | undefined {
    return a === undefined ? undefined : text(a);
}

function both(a: number | undefined, b: number | undefined, text: (a: number, b: number) => string): string | undefined {
    return a === undefined || b === undefined ? undefined : text(a, b);
}

function centimetres(m: number): string {
    return `${Math.round(m * 100)} cm`;
}

function degrees(rad: number): string {
    return `${((rad * 180) / Math.PI).toFixed(1)}°`;
}

/** "joint_error_rad": words and unit. */
function split(quantity: string): [string, string] {
    const [, words = quantity, unit = ""] = /^(.*?)(?:_(mps|deg|rad|m|s|n|h))?$/.exec(quantity) ?? [];
    return [words.replaceAll("_", " "), UNITS[unit] ?? ""];
}

/** Which skill the trials begin in is said above them. */
function allFigures(certificate: Certificate): HTMLElement {
    const figures = certificate.figures.filter(({ quantity }) => quantity !== "skill");
    const rows = figures.map((each) => {
        const [words, unit] = split(each.quantity);
        return h("tr", {}, h("td", {}, words), h("td", {}, bodyWords(each.item)), h("td", { class: "number" }, `${Number(each.value.toPrecision(4))} ${unit}`));
    });
    const heads = h("tr", {}, h("th", {}, "quantity"), h("th", {}, "of"), h("th", { class: "number" }, "value"));
    return h("details", {}, h("summary", {}, `All ${figures.length} figures`),
        h("div", { class: "scrolling" }, h("table", {}, h("thead", {}, heads), h("tbody", {}, rows))));
}

/** What is worth reading first, each with its name. */
function headlines(certificate: Certificate): (readonly [string, string])[] {
    const values = new Map(certificate.figures.map((each) => [`${each.quantity} ${each.item}`, each.value]));
    const of: Lookup = (quantity, item = "") => values.get(`${quantity} ${item}`);
    return HEADLINES.flatMap(([name, text]) => {
        const line = text(of);
        return line === undefined ? [] : [[name, line] as const];
    });
}

/** Certificates of the skills of a graph, one line each, to be unfolded. */
export function skillCertificates(certificates: Certificate[]): HTMLElement[] {
    return certificates.map((certificate) => {
        const [first, second] = headlines(certificate);
        const lines = [first, second].flatMap((line) => line?.[1] ?? []);
        return h("details", { class: "of-skill" },
            h("summary", {}, h("strong", {}, certificate.skill === ALL_SKILLS ? "random walks" : certificate.skill), ` ${lines.join("; ")}`),
            certificateView(certificate));
    });
}

export function certificateView(certificate: Certificate): HTMLElement {
    const lines = headlines(certificate);
    const day = new Date(Number(certificate.endedUnixNs / 1000000n)).toISOString().slice(0, 10);
    return h("div", { class: "certificate" },
        certificate.pushes.length > 2 && polarPlot(certificate),
        h("div", { class: "figures" },
            h("dl", { class: "facts" }, lines.map(([name, text]) => [h("dt", {}, name), h("dd", {}, text)])),
            allFigures(certificate),
            h("p", { class: "quiet" }, `Method ${certificate.method}, seed ${certificate.seed}, ${day}, build ${certificate.codeVersion || "unknown"}. Measured with:`),
            h("p", { class: "command" }, h("code", {}, certificate.command))));
}

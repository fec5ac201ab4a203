/* A certificate as a polar plot: how strong a push is survived from each direction, seen from above, the heading upwards. */
import type { Certificate, CertificatePushes } from "troupe-client";
import { h, s } from "./element.js";

const SIZE = 360;
const CENTRE = SIZE / 2;
const RADIUS = 142;
const Z95 = 1.959964;

/** The largest force up to which every one was survived in at least this share of the trials. */
export function largestForce(pushes: CertificatePushes, share: number): number {
    let largest = 0;
    for (const [i, force] of pushes.forceN.entries()) {
        const trials = pushes.trials[i] ?? 0;
        if (trials === 0 || (pushes.survived[i] ?? 0) < share * trials) break;
        largest = force;
    }
    return largest;
}

/** The lower end of the 95 % Wilson interval of a share. */
export function wilsonLow(survived: number, trials: number): number {
    if (trials === 0) return 0;
    const p = survived / trials;
    const z2 = Z95 * Z95;
    const middle = p + z2 / (2 * trials);
    return (middle - Z95 * Math.sqrt((p * (1 - p)) / trials + z2 / (4 * trials * trials))) / (1 + z2 / trials);
}

/** On the picture: direction counted to the left of the heading, which is up. */
function place(direction: number, directions: number, radius: number): [number, number] {
    const angle = (2 * Math.PI * direction) / directions;
    return [CENTRE - radius * Math.sin(angle), CENTRE - radius * Math.cos(angle)];
}

function ringStep(max: number): number {
    return [20, 50, 100, 200, 500].find((step) => max / step <= 5) ?? 1000;
}

/** The forces that have a ring, and how wide each is. */
function rings(max: number): { force: number; radius: number }[] {
    const step = ringStep(max);
    return Array.from({ length: Math.floor(max / step + 1e-9) }, (_, i) => ({ force: (i + 1) * step, radius: (RADIUS * (i + 1) * step) / max }));
}

function ring({ radius }: { radius: number }): SVGElement {
    return s("circle", { cx: CENTRE, cy: CENTRE, r: radius, class: "ring" });
}

/** Between two of the directions, where no dot is. */
function ringText({ force, radius }: { force: number; radius: number }, directions: number): SVGElement {
    const [x, y] = place(-0.5, directions, radius - 7);
    return s("text", { x, y: y + 4, class: "ring-text" }, `${force} N`);
}

function outline(all: CertificatePushes[], max: number, share: number, name: string): SVGElement {
    const points = all.map((each) => place(each.direction, all.length, (RADIUS * largestForce(each, share)) / max).map((v) => v.toFixed(1)).join(","));
    return s("polygon", { points: points.join(" "), class: name });
}

function spoke(each: CertificatePushes, all: CertificatePushes[], max: number): SVGElement {
    const degrees = (360 * each.direction) / all.length;
    const rows = each.forceN.map((force, i) => {
        const [trials = 0, survived = 0] = [each.trials[i], each.survived[i]];
        return `${force} N: ${survived} of ${trials}, surely ${(100 * wilsonLow(survived, trials)).toFixed(0)} %`;
    });
    const [x, y] = place(each.direction, all.length, (RADIUS * largestForce(each, 0.95)) / max);
    return s("circle", { cx: x, cy: y, r: 4, class: "spoke" }, s("title", {}, `${degrees.toFixed(0)}° to the left of the heading\n${rows.join("\n")}`));
}

export function polarPlot(certificate: Certificate): HTMLElement {
    const all = certificate.pushes;
    const max = Math.max(20, ...all.map((each) => largestForce(each, 0.5)));
    const words: [string, number][] = [["ahead", 0], ["left", 0.25], ["behind", 0.5], ["right", 0.75]];
    const names = words.map(([word, turn]) => {
        const [x, y] = place(turn * 4, 4, RADIUS + 18);
        return s("text", { x, y: y + 4, class: "tick" }, word);
    });
    const drawn = s("svg", { viewBox: `-12 0 ${SIZE + 24} ${SIZE}`, class: "polar", role: "img", "aria-label": "Pushes survived, by direction" },
        rings(max).map(ring), outline(all, max, 0.5, "half"), outline(all, max, 0.95, "most"), all.map((each) => spoke(each, all, max)),
        rings(max).map((each) => ringText(each, all.length)), names);
    const weakest = Math.min(...all.map((each) => largestForce(each, 0.95)));
    return h("figure", {}, drawn,
        h("figcaption", {}, `Pushes of 0.2 s on the trunk. Filled: survived by 95 % of the trials (at least ${weakest} N from every direction); outline: by half.`));
}

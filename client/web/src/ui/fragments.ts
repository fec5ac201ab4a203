/* Control fragments as bars in their order: as wide as they are long, as high as their feedback is strong. */
import type { FragmentSummary } from "troupe-client";
import { h, s } from "./element.js";

const WIDTH = 640;
const HEIGHT = 96;

/** mirrored: they are half of a cycle, and the other half is their mirror image. */
export function fragmentStrip(fragments: readonly FragmentSummary[], mirrored: boolean): HTMLElement {
    const total = fragments.reduce((sum, each) => sum + each.durationS, 0) || 1;
    const strongest = Math.max(...fragments.map((each) => each.feedbackNorm), 1e-9);
    let at = 0;
    const bars = fragments.map((each, i) => {
        const width = (WIDTH * each.durationS) / total;
        const height = Math.max(2, (HEIGHT - 22) * (each.feedbackNorm / strongest));
        const title = `fragment ${i + 1}: ${each.steps} steps, ${each.durationS.toFixed(3)} s, |M| ${each.feedbackNorm.toFixed(2)}, offset ${each.offsetNormRad.toFixed(3)} rad, begins at ${each.startHeightM.toFixed(2)} m and ${each.startSpeedMS.toFixed(2)} m/s`;
        const bar = s("g", {}, s("title", {}, title),
            s("rect", { x: at + 1, y: HEIGHT - 18 - height, width: Math.max(1, width - 2), height, rx: 2, class: "bar" }),
            width > 22 && s("text", { x: at + width / 2, y: HEIGHT - 4, class: "tick" }, i + 1));
        at += width;
        return bar;
    });
    return h("figure", {},
        s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "strip", role: "img", "aria-label": `${fragments.length} fragments` }, bars),
        h("figcaption", {}, `Width: duration, ${total.toFixed(2)} s${mirrored ? `, then as long again mirrored: ${(2 * total).toFixed(2)} s a cycle` : " in all"}. Height: strength of the feedback, |M|, up to ${Number(strongest.toPrecision(3))}.`));
}

/* A chain or a cycle of control fragments: a row of dots, the one in progress lit. */
import type { CharacterState, ControllerDetail } from "troupe-client";
import { h, s } from "../element.js";
import type { DriverDrawing, DriverKind } from "./drawing.js";

const MARGIN = 12;
const ROW = 26;
const SPACING = { min: 9, max: 26 };
const RADIUS_MAX = 5.5;

function draw({ fragments, summary }: ControllerDetail, width: number): DriverDrawing {
    const room = width - 3 * MARGIN;
    const spacing = Math.min(SPACING.max, Math.max(SPACING.min, room / Math.max(1, fragments.length)));
    const perRow = Math.max(1, Math.floor(room / spacing));
    const place = (i: number) => ({ x: MARGIN + (i % perRow) * spacing, y: ROW / 2 + ROW * Math.floor(i / perRow) });
    const radius = Math.min(RADIUS_MAX, spacing * 0.36);
    const rows = Array.from({ length: Math.ceil(fragments.length / perRow) }, (_, row) => {
        const [first, last] = [place(row * perRow), place(Math.min(fragments.length, (row + 1) * perRow) - 1)];
        return s("line", { class: "thread", x1: first.x, y1: first.y, x2: last.x, y2: last.y });
    });
    const dots = fragments.map(({ durationS }, i) => {
        const { x, y } = place(i);
        return s("circle", { class: "fragment", cx: x, cy: y, r: radius }, s("title", {}, `fragment ${i + 1} of ${fragments.length}, ${durationS.toFixed(2)} s`));
    });
    const end = place(fragments.length - 1);
    const again = summary?.cyclic && s("text", { class: "again", x: end.x + radius + 5, y: end.y + 4.5 }, "↻");
    const height = ROW * rows.length;
    const drawing = s("svg", { viewBox: `0 0 ${width} ${height}`, width, height, class: "chain", role: "img", "aria-label": `${fragments.length} control fragments` }, rows, dots, again);
    let lit: SVGElement | undefined;
    const show = (state: CharacterState | undefined) => {
        const now = state && dots[state.fragment];
        if (now === lit) return;
        lit?.classList.remove("lit");
        now?.classList.add("lit");
        lit = now;
    };
    return { element: h("div", { class: "graph", tabindex: 0 }, drawing), show };
}

export const chain: DriverKind = { title: "Control fragments", draws: ({ fragments }) => fragments.length > 0, folded: false, draw };

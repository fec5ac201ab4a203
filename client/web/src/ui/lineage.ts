/* How a controller was made, drawn as columns by depth: controller, run, clip and model, earlier runs. */
import { NounKind, type Lineage, type LineageNode } from "troupe-client";
import { h, s } from "./element.js";

const COLUMN = 190;
const ROW = 62;
const BOX = { width: 158, height: 44 };
const KINDS: Record<number, string> = {
    [NounKind.MODEL]: "model",
    [NounKind.CLIP]: "clip",
    [NounKind.RUN]: "training run",
    [NounKind.CONTROLLER]: "controller",
};

function shorten(text: string, length: number): string {
    return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

export function lineageGraph(lineage: Lineage): HTMLElement {
    const columns: LineageNode[][] = [];
    for (const node of lineage.nodes) (columns[node.depth] ??= []).push(node);
    const rows = Math.max(...columns.map((column) => column?.length ?? 0), 1);
    const place = (node: LineageNode) => {
        const column = columns[node.depth]!;
        return { x: node.depth * COLUMN, y: ((rows - column.length) / 2 + column.indexOf(node)) * ROW + 4 };
    };
    const edges = lineage.nodes.filter((node) => node.depth > 0).flatMap((node) =>
        (columns[node.depth - 1] ?? []).filter((parent) => leadsTo(parent, node)).map((parent) => {
            const a = place(parent), b = place(node);
            const [x0, y0, x1, y1] = [a.x + BOX.width, a.y + BOX.height / 2, b.x, b.y + BOX.height / 2];
            return s("path", { class: "edge", d: `M${x0} ${y0}C${x0 + 16} ${y0} ${x1 - 16} ${y1} ${x1} ${y1}` });
        }));
    const boxes = lineage.nodes.map((node) => {
        const { x, y } = place(node);
        return s("g", { class: `node kind-${KINDS[node.kind]?.split(" ").at(-1) ?? "other"}`, transform: `translate(${x} ${y})` },
            s("title", {}, `${node.name}\n${node.detail}`),
            s("rect", { ...BOX, rx: 6 }),
            s("text", { x: 10, y: 17, class: "kind" }, KINDS[node.kind] ?? ""),
            s("text", { x: 10, y: 34 }, shorten(node.name, 20)));
    });
    const size = [columns.length * COLUMN - COLUMN + BOX.width + 2, rows * ROW] as const;
    const notes = lineage.nodes.filter((node) => node.detail).map((node) => [h("dt", {}, node.name), h("dd", {}, node.detail)]);
    return h("div", {},
        h("div", { class: "graph", tabindex: 0 }, s("svg", { viewBox: `-1 0 ${size[0]} ${size[1]}`, width: size[0], height: size[1], role: "img", "aria-label": "Lineage" }, edges, boxes)),
        h("dl", { class: "facts lineage" }, notes));
}

/** Clips and models belong to runs and controllers; they have no origins. */
function leadsTo(parent: LineageNode, _node: LineageNode): boolean {
    return parent.kind === NounKind.RUN || parent.kind === NounKind.CONTROLLER;
}

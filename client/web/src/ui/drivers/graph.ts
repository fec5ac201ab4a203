/* A control graph by its skills: pills, and the ways between them; the one in progress lit, a dot on the way that is being taken. */
import type { CharacterState, ControllerDetail, Skill } from "troupe-client";
import { positionIn, skillGraphOf, type Position, type SkillGraph, type Way } from "../../state/skill_graph.js";
import { h, s } from "../element.js";
import type { DriverDrawing, DriverKind } from "./drawing.js";
import { layOut, type Box, type Line } from "./graph_layout.js";

let drawings = 0; // for names of arrow heads, unique in the page

function skillWords(skill: Skill, rises: boolean): string {
    const words = [`${skill.name}: ${skill.fragmentCount} control fragments${skill.cyclic ? ", a cycle" : rises ? ", begun after a fall" : ""}`];
    if (skill.speedMS > 0) words.push(`${skill.speedMS.toFixed(2)} m/s; can be steered to ${(skill.speedMS - skill.slowerMS).toFixed(2)} to ${(skill.speedMS + skill.fasterMS).toFixed(2)}`);
    if (skill.turnRadS > 0) words.push(`turns at up to ${((skill.turnRadS * 180) / Math.PI).toFixed(0)}° a second`);
    return words.join("\n");
}

function wayWords({ nodes }: SkillGraph, { from, to, transitions, seconds }: Way): string {
    const by = transitions.length > 0 ? `, by ${transitions.map(({ name }) => name).join(", ")}: ${seconds.toFixed(1)} s` : "";
    return `${nodes[from]!.name} to ${nodes[to]!.name}${by}`;
}

function pill({ nodes }: SkillGraph, node: number, { x, y, width, height }: Box): SVGElement {
    const { name, skill, rises } = nodes[node]!;
    return s("g", { class: `skill${rises ? " rises" : ""}`, "data-skill": name, transform: `translate(${x} ${y})` },
        s("title", {}, skillWords(skill, rises)),
        s("rect", { class: "pill", width, height, rx: height / 2 }),
        s("rect", { class: "done", x: 10, y: height - 4, width: 0, height: 2, rx: 1 }),
        s("text", { x: width / 2, y: height / 2 + 4 }, name));
}

function draw(detail: ControllerDetail, width: number): DriverDrawing {
    const graph = skillGraphOf(detail);
    const head = `way-${++drawings}`;
    const { boxes, lines, height } = layOut(graph, width);
    const right = Math.max(width, ...boxes.map((box) => box.x + box.width + 4));
    const pills = boxes.map((box, node) => pill(graph, node, box));
    const paths = lines.map((line) => wayPath(graph, line, head));
    const dot = s("circle", { class: "traveller", r: 4, visibility: "hidden" });
    const marker = s("marker", { id: head, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 6, markerHeight: 6, orient: "auto-start-reverse" }, s("path", { class: "head", d: "M0 0 8 4 0 8z" }));
    const drawing = s("svg", { viewBox: `0 0 ${right} ${height}`, width: right, height, class: "control-graph", role: "img", "aria-label": `${graph.nodes.length} skills and ${graph.ways.length} ways between them` }, s("defs", {}, marker), paths, dot, pills);
    const show = (state: CharacterState | undefined) => {
        const at = state && positionIn(graph, state.fragment);
        showSkill(pills, boxes, at);
        showWay(paths, lines, graph, dot, at);
    };
    return { element: h("div", { class: "graph", tabindex: 0 }, drawing), show };
}

/** With a head where ways lead one way only. */
function wayPath(graph: SkillGraph, { path, from, ways, across }: Line, head: string): SVGPathElement {
    const words = ways.map((way) => wayWords(graph, graph.ways[way]!)).join("\n");
    const forward = ways.some((way) => graph.ways[way]!.from === from);
    const back = ways.some((way) => graph.ways[way]!.from !== from);
    const at = { "marker-end": forward && !back ? `url(#${head})` : undefined, "marker-start": back && !forward ? `url(#${head})` : undefined };
    return s("path", { class: `way${across ? " across" : ""}`, d: path, "data-ways": ways.length, ...at }, s("title", {}, words));
}

function showSkill(pills: SVGElement[], boxes: Box[], at: Position | undefined): void {
    pills.forEach((each, node) => {
        const lit = node === at?.node;
        each.classList.toggle("lit", lit);
        each.querySelector(".done")!.setAttribute("width", String(lit ? (boxes[node]!.width - 20) * at!.share : 0));
    });
}

function showWay(paths: SVGPathElement[], lines: Line[], { ways }: SkillGraph, dot: SVGElement, at: Position | undefined): void {
    const on = at?.way === undefined ? -1 : lines.findIndex((line) => line.ways.includes(at.way!));
    paths.forEach((path, i) => path.classList.toggle("lit", i === on));
    dot.setAttribute("visibility", on < 0 ? "hidden" : "visible");
    if (on < 0) return;
    const forward = ways[at!.way!]!.from === lines[on]!.from;
    const path = paths[on]!;
    const { x, y } = path.getPointAtLength(path.getTotalLength() * (forward ? at!.share : 1 - at!.share));
    dot.setAttribute("cx", x.toFixed(1));
    dot.setAttribute("cy", y.toFixed(1));
}

export const graph: DriverKind = { title: "Skills and the ways between them", draws: ({ edges }) => edges.length > 0, folded: true, draw };

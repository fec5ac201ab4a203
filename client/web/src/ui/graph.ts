/* The fragments of a controller as dots in their order, a row for each skill, with the ways between the skills of a control graph;
 * the fragment in progress is lit, and the ways that lead on from it. */
import type { ControllerDetail, Skill } from "troupe-client";
import { h, s } from "./element.js";
import { layOut, type Place } from "./graph_layout.js";

export interface GraphDrawing {
    element: HTMLElement;
    /** Lights a fragment and the skill that it belongs to; undefined: none. */
    light: (fragment: number | undefined) => void;
}

let drawings = 0; // for names of arrow heads, unique in the page

function describeSkill(skill: Skill): string {
    const lines = [`${skill.name}: ${skill.fragmentCount} fragments${skill.cyclic ? ", a cycle" : ""}`];
    if (skill.speedMS > 0) lines.push(`${skill.speedMS.toFixed(2)} m/s, ${(skill.speedMS - skill.slowerMS).toFixed(2)} to ${(skill.speedMS + skill.fasterMS).toFixed(2)} steered`);
    if (skill.turnRadS > 0) lines.push(`turns at ${((skill.turnRadS * 180) / Math.PI).toFixed(0)}°/s`);
    return lines.join("\n");
}

function rowOf(skill: Skill, places: Place[], named: boolean): (SVGElement | false)[] {
    const first = places[skill.firstFragment]!, last = places[skill.firstFragment + skill.fragmentCount - 1]!;
    return [
        s("line", { class: "thread", x1: first.x, y1: first.y, x2: last.x, y2: last.y }),
        named && s("text", { class: "skill", x: first.x - first.radius, y: first.y - 13 }, s("title", {}, describeSkill(skill)), skill.name),
        skill.cyclic && s("text", { class: "again", x: last.x + last.radius + 5, y: last.y + 4.5 }, "↻"),
    ];
}

/** width: of the drawing, in pixels at which its text has the size of the page's. */
export function controlGraph(detail: ControllerDetail, width: number): GraphDrawing {
    const { skills, edges } = detail;
    const named = skills.length > 1;
    const head = `way-${++drawings}`;
    const { places, ways: paths, height } = layOut(detail, width);
    const ways = paths.map((d) => s("path", { class: "way", d, "marker-end": `url(#${head})` }));
    const dots = places.map((place, i) => s("circle", { class: "fragment", cx: place.x, cy: place.y, r: place.radius }, s("title", {}, `fragment ${i + 1}`)));
    const rows = skills.map((skill) => s("g", {}, rowOf(skill, places, named)));
    const marker = s("marker", { id: head, viewBox: "0 0 8 8", refX: 6, refY: 4, markerWidth: 6, markerHeight: 6, orient: "auto" }, s("path", { class: "head", d: "M0 0 8 4 0 8z" }));
    const drawing = s("svg", { viewBox: `0 0 ${width} ${height}`, width, height, class: "control-graph", role: "img", "aria-label": `${places.length} fragments of ${skills.length} skills` }, s("defs", {}, marker), ways, rows, dots);
    let lit: Element[] = [];
    let last: number | undefined;
    const light = (fragment: number | undefined) => {
        if (fragment === last) return;
        last = fragment;
        for (const each of lit) each.classList.remove("lit");
        const on = [dots[fragment ?? -1], rows[skills.findIndex((each) => fragment !== undefined && fragment >= each.firstFragment && fragment < each.firstFragment + each.fragmentCount)]];
        lit = [...on, ...ways.filter((_, i) => edges[i]!.fromFragment === fragment)].filter((each) => each !== undefined);
        for (const each of lit) each.classList.add("lit");
    };
    return { element: h("div", { class: "graph" }, drawing), light };
}

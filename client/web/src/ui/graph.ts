/* A control graph: its skills on a circle, the ways over between them, the one in progress lit. */
import type { ControllerDetail, Skill } from "troupe-client";
import { h, s } from "./element.js";

const SIZE = 300;
const RADIUS = 105;
const BOX = { width: 86, height: 34 };

export interface GraphDrawing {
    element: HTMLElement;
    /** Lights the skill that a fragment belongs to; undefined: none. */
    light: (fragment: number | undefined) => void;
}

function skillOf(skills: Skill[], fragment: number): number {
    return skills.findIndex((each) => fragment >= each.firstFragment && fragment < each.firstFragment + each.fragmentCount);
}

function describeSkill(skill: Skill): string {
    const lines = [`${skill.name}: ${skill.fragmentCount} fragments${skill.cyclic ? ", a cycle" : ""}`];
    if (skill.speedMS > 0) lines.push(`${skill.speedMS.toFixed(2)} m/s, ${(skill.speedMS - skill.slowerMS).toFixed(2)} to ${(skill.speedMS + skill.fasterMS).toFixed(2)} steered`);
    if (skill.turnRadS > 0) lines.push(`turns at ${((skill.turnRadS * 180) / Math.PI).toFixed(0)}°/s`);
    return lines.join("\n");
}

/** undefined: the controller is no graph. */
export function controlGraph({ skills, edges }: ControllerDetail): GraphDrawing | undefined {
    if (edges.length === 0 || skills.length < 2) return undefined;
    const place = (i: number) => {
        const angle = (2 * Math.PI * i) / skills.length - Math.PI / 2;
        return [SIZE / 2 + (SIZE / 2 - BOX.width / 2 - 4) * Math.cos(angle), SIZE / 2 + RADIUS * Math.sin(angle)] as const;
    };
    const ways = new Map<string, number>();
    for (const edge of edges) {
        const key = `${skillOf(skills, edge.fromFragment)} ${skillOf(skills, edge.toFragment)}`;
        ways.set(key, (ways.get(key) ?? 0) + 1);
    }
    const lines = [...ways].filter(([key]) => new Set(key.split(" ")).size === 2).map(([key, count]) => {
        const [from, to] = key.split(" ").map(Number) as [number, number];
        const [x0, y0] = place(from), [x1, y1] = place(to);
        const [mx, my] = [(x0 + x1) / 2 + (y1 - y0) * 0.14, (y0 + y1) / 2 - (x1 - x0) * 0.14];
        return s("path", { class: "edge", d: `M${x0} ${y0}Q${mx} ${my} ${x1} ${y1}` },
            s("title", {}, `${skills[from]?.name} to ${skills[to]?.name}: ${count} ${count === 1 ? "way" : "ways"}`));
    });
    const boxes = skills.map((skill, i) => {
        const [x, y] = place(i);
        return s("g", { class: "node", transform: `translate(${x - BOX.width / 2} ${y - BOX.height / 2})` },
            s("title", {}, describeSkill(skill)), s("rect", { ...BOX, rx: 6 }),
            s("text", { x: BOX.width / 2, y: 21, "text-anchor": "middle" }, skill.name.length > 12 ? `${skill.name.slice(0, 11)}…` : skill.name));
    });
    const drawing = s("svg", { viewBox: `0 0 ${SIZE} ${SIZE}`, class: "control-graph", role: "img", "aria-label": `Control graph of ${skills.length} skills` }, lines, boxes);
    let lit = -1;
    const light = (fragment: number | undefined) => {
        const now = fragment === undefined ? -1 : skillOf(skills, fragment);
        if (now === lit) return;
        boxes[lit]?.classList.remove("lit");
        boxes[now]?.classList.add("lit");
        lit = now;
    };
    return { element: h("div", { class: "graph" }, drawing), light };
}

/* Which controllers to offer first. */
import type { ControllerSummary } from "troupe-client";

/** What the catalogue calls the skill of controllers that are control graphs. */
const GRAPH = "graph";
/** The most versatile of those that ship. */
const FIRST = "company";

export function isGraph({ skill }: ControllerSummary): boolean {
    return skill === GRAPH;
}

/** Those with many skills, the most versatile first, and those with one. */
export function orderControllers(all: readonly ControllerSummary[]): { graphs: ControllerSummary[]; skills: ControllerSummary[] } {
    const graphs = all.filter(isGraph).sort((a, b) => Number(b.name === FIRST) - Number(a.name === FIRST) || b.fragmentCount - a.fragmentCount);
    return { graphs, skills: all.filter((each) => !isGraph(each)) };
}

/** With which a newcomer begins; undefined: the catalogue is empty. */
export function firstController(all: readonly ControllerSummary[]): ControllerSummary | undefined {
    const { graphs, skills } = orderControllers(all);
    return graphs[0] ?? skills[0];
}

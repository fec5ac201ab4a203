/* A control graph as its skills: what a character can be steered to, and the ways between. Transitions are ways here, not skills. */
import type { ControllerDetail, Skill } from "troupe-client";

/** A skill, and what part it plays in the graph. */
export interface Node {
    name: string;
    skill: Skill;
    /** Begun lying, after a fall: no way leads to it. */
    rises: boolean;
}

/** From one skill to another: directly, or by transitions. */
export interface Way {
    from: number;
    to: number;
    transitions: Skill[];
    /** Duration of the transitions. */
    seconds: number;
}

export interface SkillGraph {
    nodes: Node[];
    ways: Way[];
}

/** Where in a graph a fragment is: on a node, or on a way. */
export interface Position {
    node?: number;
    way?: number;
    /** In [0, 1]: how much of the skill, or of the way, is done before this fragment. */
    share: number;
}

function has({ firstFragment, fragmentCount }: Skill, fragment: number): boolean {
    return fragment >= firstFragment && fragment < firstFragment + fragmentCount;
}

export function skillGraphOf({ skills, edges, fragments }: ControllerDetail): SkillGraph {
    const reached = (skill: Skill) => edges.some(({ toFragment }) => has(skill, toFragment));
    const isNode = (skill: Skill) => skill.cyclic || skill.turnRad !== 0 || !reached(skill);
    const nodes = skills.filter(isNode).map((skill): Node => ({ name: skill.name, skill, rises: skills.length > 1 && !skill.cyclic && !reached(skill) }));
    const secondsOf = ({ firstFragment, fragmentCount }: Skill) => fragments.slice(firstFragment, firstFragment + fragmentCount).reduce((sum, each) => sum + each.durationS, 0);
    const ways = new Map<string, Way>();
    const go = (from: number, at: Skill, transitions: Skill[]) => {
        for (const { toFragment } of edges.filter(({ fromFragment }) => has(at, fromFragment))) {
            const next = skills.find((skill) => has(skill, toFragment))!;
            const to = nodes.findIndex(({ skill }) => skill === next);
            if (to < 0 && !transitions.includes(next)) go(from, next, [...transitions, next]);
            if (to < 0 || to === from) continue;
            const seconds = transitions.reduce((sum, each) => sum + secondsOf(each), 0);
            const known = ways.get(`${from} ${to}`);
            if (known === undefined || seconds < known.seconds) ways.set(`${from} ${to}`, { from, to, transitions, seconds });
        }
    };
    nodes.forEach(({ skill }, i) => go(i, skill, []));
    return { nodes, ways: [...ways.values()] };
}

/** Undefined: the fragment is not in this graph. */
export function positionIn({ nodes, ways }: SkillGraph, fragment: number): Position | undefined {
    const node = nodes.findIndex(({ skill }) => has(skill, fragment));
    if (node >= 0) return { node, share: shareIn([nodes[node]!.skill], fragment) };
    const way = ways.findIndex(({ transitions }) => transitions.some((each) => has(each, fragment)));
    return way < 0 ? undefined : { way, share: shareIn(ways[way]!.transitions, fragment) };
}

function shareIn(skills: Skill[], fragment: number): number {
    const total = skills.reduce((sum, { fragmentCount }) => sum + fragmentCount, 0);
    let done = 0;
    for (const skill of skills) {
        if (has(skill, fragment)) return (done + fragment - skill.firstFragment) / total;
        done += skill.fragmentCount;
    }
    return 0;
}

/** The skills on the shortest way from one to another, both included; empty: no path. */
export function routeBetween({ nodes, ways }: SkillGraph, from: number, to: number): string[] {
    const before = new Map<number, number>([[from, from]]);
    const open = [from];
    for (let at = open.shift(); at !== undefined && !before.has(to); at = open.shift())
        for (const way of ways) {
            if (way.from !== at || before.has(way.to)) continue;
            before.set(way.to, at);
            open.push(way.to);
        }
    if (!before.has(to)) return [];
    const route = [to];
    while (route[0] !== from) route.unshift(before.get(route[0]!)!);
    return route.map((node) => nodes[node]!.name);
}

/** Skills that a character can be asked for, in the order of the controller: ways lead to them, unless its driver chooses them itself. */
export function goalsOf({ nodes, ways }: SkillGraph): string[] {
    return nodes.filter(({ skill }, i) => skill.onRequest && ways.some(({ to }) => to === i)).map(({ name }) => name);
}

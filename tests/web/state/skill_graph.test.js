/* Control graphs by their skills: small ones made by hand. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { source } from "../source.js";

const FRAGMENT_S = 0.1;

/** skills: [name, count, cyclic]; edges: [from, to], fragments. */
function detail(skills, edges) {
    let first = 0;
    const made = skills.map(([name, fragmentCount, cyclic]) => {
        const skill = { name, firstFragment: first, fragmentCount, cyclic, turnRad: 0, speedMS: 0, turnRadS: 0, fasterMS: 0, slowerMS: 0, onRequest: true };
        first += fragmentCount;
        return skill;
    });
    return { skills: made, edges: edges.map(([fromFragment, toFragment]) => ({ fromFragment, toFragment, flips: false })), fragments: Array.from({ length: first }, () => ({ durationS: FRAGMENT_S })) };
}

/** walk <-> run by transitions, run -> kick by an edge alone; getting up leads to walk. */
const GRAPH = detail(
    [["walk", 4, true], ["run", 3, true], ["kick", 2, true], ["rise", 5, false], ["walk-to-run", 2, false], ["run-to-walk", 3, false], ["again", 1, false]],
    [[1, 14], [15, 4], [6, 16], [18, 19], [19, 0], [5, 7], [13, 2]],
);

describe("a skill graph", () => {
    let skills;

    before(async () => (skills = await source("state/skill_graph.ts")));

    test("has the skills that are stayed in, and what is begun after a fall, but no transitions", () => {
        const { nodes } = skills.skillGraphOf(GRAPH);
        assert.deepEqual(nodes.map(({ name, rises }) => [name, rises]), [["walk", false], ["run", false], ["kick", false], ["rise", true]]);
    });

    test("has ways by one transition, by several, and by none", () => {
        const { ways, nodes } = skills.skillGraphOf(GRAPH);
        const words = ways.map(({ from, to, transitions }) => `${nodes[from].name} ${nodes[to].name}: ${transitions.map(({ name }) => name)}`);
        assert.deepEqual(words.sort(), ["rise walk: ", "run kick: ", "run walk: run-to-walk,again", "walk run: walk-to-run"]);
        const slow = ways.find(({ transitions }) => transitions.length === 2);
        assert.ok(Math.abs(slow.seconds - 4 * FRAGMENT_S) < 1e-9);
    });

    test("knows where a fragment is, on a skill or on a way", () => {
        const graph = skills.skillGraphOf(GRAPH);
        assert.deepEqual(skills.positionIn(graph, 5), { node: 1, share: 1 / 3 });
        const { way, share } = skills.positionIn(graph, 19); // the last of four
        assert.deepEqual([graph.nodes[graph.ways[way].to].name, share], ["walk", 3 / 4]);
        assert.equal(skills.positionIn(graph, 99), undefined);
    });

    test("finds the shortest route, and none where none leads", () => {
        const graph = skills.skillGraphOf(GRAPH);
        assert.deepEqual(skills.routeBetween(graph, 0, 2), ["walk", "run", "kick"]);
        assert.deepEqual(skills.routeBetween(graph, 0, 0), ["walk"]);
        assert.deepEqual(skills.routeBetween(graph, 2, 0), []);
        assert.deepEqual(skills.routeBetween(graph, 0, -1), []);
    });

    test("offers what can be steered to: not what only a fall leads to", () => {
        assert.deepEqual(skills.goalsOf(skills.skillGraphOf(GRAPH)), ["walk", "run", "kick"]);
        const some = GRAPH.skills.map((skill) => ({ ...skill, onRequest: skill.name === "run" }));
        assert.deepEqual(skills.goalsOf(skills.skillGraphOf({ ...GRAPH, skills: some })), ["run"]);
    });

    test("of one skill is that skill", () => {
        const graph = skills.skillGraphOf(detail([["stand", 1, true]], []));
        assert.deepEqual(graph.nodes.map(({ rises }) => rises), [false]);
        assert.deepEqual(graph.ways, []);
    });
});

describe("its drawing", () => {
    let layOut, skillGraphOf;

    before(async () => {
        ({ skillGraphOf } = await source("state/skill_graph.ts"));
        ({ layOut } = await source("ui/drivers/graph_layout.ts"));
    });

    test("has a box for each skill, none over another, and a line for each way", () => {
        const graph = skillGraphOf(GRAPH);
        const { boxes, lines, height } = layOut(graph, 272);
        assert.equal(boxes.length, graph.nodes.length);
        boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b) => assert.ok(a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y)));
        assert.ok(boxes.every(({ y, height: high }) => y >= 0 && y + high <= height));
        assert.deepEqual(lines.flatMap(({ ways }) => ways).sort(), graph.ways.map((_, i) => i));
    });
});

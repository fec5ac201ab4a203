/* Skins made from models: closed, in one piece, and moved by the right bodies. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { cannotRun, firstPicture, openPage, startTheatre } from "../harness.js";
import { source } from "../source.js";

const CELL_M = 0.02;
const STRETCH_MAX_M = 0.15; // of an edge of the skin, in any pose of a limb

/** Each edge belongs to two triangles that run along it in opposite directions. */
function assertClosed({ indices }) {
    const edges = new Map();
    for (let i = 0; i < indices.length; i += 3)
        for (let k = 0; k < 3; k++) {
            const [a, b] = [indices[i + k], indices[i + ((k + 1) % 3)]];
            edges.set(`${a} ${b}`, (edges.get(`${a} ${b}`) ?? 0) + 1);
        }
    for (const [edge, count] of edges) {
        const [a, b] = edge.split(" ");
        assert.equal(edges.get(`${b} ${a}`), count, `edge ${edge}`);
    }
}

function assertOnePiece({ indices, positions }) {
    const piece = Array.from({ length: positions.length / 3 }, (_, v) => v);
    const find = (v) => (piece[v] === v ? v : (piece[v] = find(piece[v])));
    for (let i = 0; i < indices.length; i += 3) for (let k = 1; k < 3; k++) piece[find(indices[i + k])] = find(indices[i]);
    assert.equal(new Set(piece.map((_, v) => find(v))).size, 1);
}

/** Six times the volume inside: positive when triangles face outward. */
function volume({ indices, positions }) {
    let sum = 0;
    for (let i = 0; i < indices.length; i += 3) {
        const [a, b, c] = [0, 1, 2].map((k) => positions.subarray(3 * indices[i + k], 3 * indices[i + k] + 3));
        sum += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
    }
    return sum / 6;
}

function assertSharesWhole({ weights }) {
    for (let v = 0; v < weights.length; v += 4) assert.equal(weights[v] + weights[v + 1] + weights[v + 2] + weights[v + 3], 255);
}

/** Bones in a row of pairs: [parent, position in its frame], each with a capsule that hangs from its joint. */
function plan(bones, shapes) {
    return {
        bones: bones.map(([parent, pos, ball = true]) => ({ parent, ball, pos, rot: [1, 0, 0, 0], anchor: [0, 0, 0] })),
        shapes: shapes.map((each) => ({ bodyName: "", pos: [0, 0, 0], rot: [1, 0, 0, 0], ...each })),
        roles: new Map(),
    };
}

const capsule = (body, radius, half, pos) => ({ kind: "capsule", body, size: [radius, half, 0], pos });

describe("a skin", { skip: cannotRun() }, () => {
    let skinOf, theatre;
    const plans = new Map();

    before(async () => {
        ({ skinOf } = await source("scene/figure/skin.ts"));
        theatre = await startTheatre();
        const { id } = await theatre.client.createWorld({ name: "bodies", paused: true });
        for (const [i, controller] of ["walk", "walk-long-legs", "walk-heavy-arms"].entries())
            await theatre.client.command(id, { case: "spawnCharacter", value: { controller, pos: { x: 0, y: 2 * i, z: 0 } } });
        const page = await openPage(theatre, "#/world/bodies");
        await firstPicture(page);
        const models = await page.evaluate(async () => {
            const { theatre } = window.troupe;
            while (theatre.stage.cast.models.size < 3) await new Promise((resolve) => setTimeout(resolve, 50));
            return [...theatre.stage.cast.models].map(([name, { plan }]) => [name, { ...plan, roles: [...plan.roles] }]);
        });
        for (const [name, each] of models) plans.set(name, { ...each, roles: new Map(each.roles) });
    });
    after(() => theatre?.stop());

    test("of every shipped model is closed, in one piece, and faces outward", () => {
        assert.equal(plans.size, 3);
        for (const each of plans.values()) {
            const skin = skinOf(each, CELL_M);
            assertClosed(skin);
            assertOnePiece(skin);
            assertSharesWhole(skin);
            assert.ok(volume(skin) > 0.04 && volume(skin) < 0.12, `a volume of ${volume(skin)} m3`);
        }
    });

    test("of a humanoid has the head, hands, feet and toes that the model names", () => {
        const { roles } = plans.get("humanoid");
        const count = (role) => [...roles.values()].filter((each) => each === role).length;
        assert.deepEqual(["head", "hand", "foot", "toe"].map(count), [1, 2, 2, 2]);
    });

    test("stays attached wherever an arm is raised to", () => {
        const { bones, shapes, roles } = plans.get("humanoid");
        const skin = skinOf({ bones, shapes, roles }, CELL_M);
        const shoulder = shapes.find((each) => each.bodyName === "luarm").body;
        for (const angle of [-1, 0.5, 1, 2.2]) assert.ok(longestEdge(skin, bones, shoulder, angle) < STRETCH_MAX_M, `${longestEdge(skin, bones, shoulder, angle)} m at ${angle} rad`);
    });

    test("of any model is closed and in one piece: four legs, a chain of hinges, a ball", () => {
        const leg = (parent, x, y) => [parent, [x, y, -0.1]];
        const table = plan(
            [[-1, [0, 0, 0.8]], leg(0, 0.4, 0.2), leg(0, 0.4, -0.2), leg(0, -0.4, 0.2), leg(0, -0.4, -0.2)],
            [{ kind: "box", body: 0, size: [0.5, 0.25, 0.1] }, ...[1, 2, 3, 4].map((body) => capsule(body, 0.05, 0.25, [0, 0, -0.3]))],
        );
        const snake = plan([[-1, [0, 0, 0.1]], ...[0, 1, 2, 3].map((parent) => [parent, [0.3, 0, 0], false])], [0, 1, 2, 3, 4].map((body) => ({ ...capsule(body, 0.06, 0.12, [0.15, 0, 0]), rot: [Math.SQRT1_2, 0, Math.SQRT1_2, 0] })));
        const ball = plan([[-1, [0, 0, 0.5]]], [{ kind: "sphere", body: 0, size: [0.3, 0, 0] }]);
        for (const each of [table, snake, ball]) {
            const skin = skinOf(each, CELL_M);
            assertClosed(skin);
            assertOnePiece(skin);
        }
        const made = volume(skinOf(ball, CELL_M));
        assert.ok(Math.abs(made / ((4 / 3) * Math.PI * 0.3 ** 3) - 1) < 0.01, `a ball of ${made} m3`);
    });

    test("is the same for the same model", () => {
        const [first, second] = [0, 1].map(() => skinOf(plans.get("humanoid"), CELL_M));
        assert.deepEqual(first, second);
    });
});

/** The longest edge of a skin while one limb is turned about the x axis from its stance. */
function longestEdge({ positions, indices, bodies, weights, stancePos }, bones, limb, angle) {
    const turned = bones.map((_, body) => {
        for (let at = body; at >= 0; at = bones[at].parent) if (at === limb) return true;
        return false;
    });
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    const [, py, pz] = stancePos.subarray(3 * limb, 3 * limb + 3);
    const moved = Float32Array.from(positions);
    for (let v = 0; v < positions.length / 3; v++) {
        let share = 0;
        for (let i = 4 * v; i < 4 * v + 4; i++) if (turned[bodies[i]]) share += weights[i] / 255;
        const [y, z] = [positions[3 * v + 1] - py, positions[3 * v + 2] - pz];
        moved[3 * v + 1] += share * (c * y - s * z - y);
        moved[3 * v + 2] += share * (s * y + c * z - z);
    }
    let longest = 0;
    for (let i = 0; i < indices.length; i += 3) {
        const [a, b] = [indices[i], indices[i + 1]].map((v) => moved.subarray(3 * v, 3 * v + 3));
        longest = Math.max(longest, Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]));
    }
    return longest;
}

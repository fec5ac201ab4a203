/* Rays that meet shapes, against distances that can be said beforehand. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { source } from "../source.js";

const SKIN_M = 0.015;
const NEAR_M = 1e-5;
const AT_REST = { pos: [0, 0, 0], rot: [1, 0, 0, 0] };
const ON_ITS_SIDE = [Math.SQRT1_2, Math.SQRT1_2, 0, 0]; // z becomes -y

describe("a ray", () => {
    let meet;

    before(async () => ({ meet } = await source("scene/pick.ts")));

    const shape = (kind, ...size) => ({ kind, body: 0, bodyName: "", size: [...size, 0, 0].slice(0, 3), pos: [0, 0, 0], rot: [1, 0, 0, 0] });
    const from = (x, y, z, along) => ({ from: [x, y, z], along });

    function assertMeets(each, ray, expected, { pos, rot } = AT_REST) {
        const distance = meet(each, pos, rot, ray);
        assert.ok(Math.abs(distance - expected) < NEAR_M, `${distance}, not ${expected}`);
    }

    test("meets a sphere where it is, and misses what is beside or behind", () => {
        const ball = shape("sphere", 0.5);
        assertMeets(ball, from(-2, 0, 0, [1, 0, 0]), 1.5 - SKIN_M);
        assert.equal(meet(ball, [0, 1, 0], AT_REST.rot, from(-2, 0, 0, [1, 0, 0])), undefined);
        assert.equal(meet(ball, AT_REST.pos, AT_REST.rot, from(2, 0, 0, [1, 0, 0])), undefined);
    });

    test("meets the side and the cap of a capsule, also one that lies", () => {
        const limb = shape("capsule", 0.1, 0.4);
        assertMeets(limb, from(-1, 0, 0.3, [1, 0, 0]), 0.9 - SKIN_M);
        assertMeets(limb, from(0, 0, 2, [0, 0, -1]), 1.5 - SKIN_M);
        assertMeets(limb, from(0, 2, 0, [0, -1, 0]), 1.5 - SKIN_M, { pos: [0, 0, 0], rot: ON_ITS_SIDE });
        assert.equal(meet(limb, [0, 0, 0], ON_ITS_SIDE, from(-1, 0, 0.3, [1, 0, 0])), undefined);
    });

    test("meets a box turned with its body", () => {
        const box = shape("box", 0.1, 0.2, 0.3);
        assertMeets(box, from(0, 0, 1, [0, 0, -1]), 0.7 - SKIN_M);
        assertMeets(box, from(0, 0, 1, [0, 0, -1]), 0.8 - SKIN_M, { pos: [0, 0, 0], rot: ON_ITS_SIDE });
    });
});

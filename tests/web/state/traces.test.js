/* The numbers that are plotted, from states made by hand. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { source } from "../source.js";

const STEP_S = 0.005;
const HERO = 7, OTHER = 8;

function world(timeS, { x = 0, z = 0.9, contacts = [], torque = [], epoch = 0 } = {}) {
    return { timeS, epoch, characters: [{ entity: HERO, rootPos: [x, 0, z], model: "puppet", jointTorque: torque }, { entity: OTHER, rootPos: [5, 0, z], model: "puppet", jointTorque: [] }], contacts };
}

const contact = (entity0, entity1, ...impulse) => ({ entity0, entity1, impulse });

describe("traces", () => {
    let Traces, TRACES, KEPT_S, traces, limits = [];

    before(async () => ({ Traces, TRACES, KEPT_S } = await source("state/traces.ts")));

    const take = (...args) => traces.take(world(...args), HERO, STEP_S, () => limits);
    const last = (name) => traces.samples.at(-1).values[TRACES.findIndex((trace) => trace.name === name)];

    test("give speed over ground between two states, and height", () => {
        traces = new Traces();
        take(1);
        assert.equal(last("speed"), undefined);
        take(1.5, { x: 0.6, z: 0.85 });
        assert.ok(Math.abs(last("speed") - 1.2) < 1e-9);
        assert.equal(last("height"), 0.85);
    });

    test("add up contact forces with their direction; within the character they cancel out", () => {
        traces = new Traces();
        take(1, { contacts: [contact(HERO, 0, 0, 0, 2), contact(HERO, 0, 0, 0, 1), contact(OTHER, HERO, 1, 0, 0), contact(HERO, HERO, 9, 9, 9), contact(OTHER, 0, 5, 5, 5)] });
        assert.ok(Math.abs(last("contact force") - Math.hypot(3, 1) / STEP_S) < 1e-9);
    });

    test("give the largest torque, and the one nearest to its limit where the model has limits", () => {
        traces = new Traces();
        take(1);
        assert.equal(last("joint torque"), undefined);
        take(1.5, { torque: [0, 0, 0, 10, -60, 5, 0, 20, 0] });
        assert.equal(last("joint torque"), 60);
        assert.equal(last("torque of its limit"), undefined);
        limits = [0, 120, 25];
        take(2, { torque: [0, 0, 0, 10, -60, 5, 0, 20, 0] });
        assert.equal(last("torque of its limit"), 80);
    });

    test("forget after ten seconds, when another character is selected, and when the world jumps", () => {
        traces = new Traces();
        for (let t = 0; t <= 2 * KEPT_S; t++) take(t);
        assert.equal(traces.samples.length, KEPT_S + 1);
        traces.take(world(21), OTHER, STEP_S, () => limits);
        assert.equal(traces.samples.length, 1);
        traces.take(world(22), OTHER, STEP_S, () => limits);
        traces.take(world(3, { epoch: 1 }), OTHER, STEP_S, () => limits);
        assert.equal(traces.samples.length, 1);
    });

    test("take a state once", () => {
        traces = new Traces();
        take(1);
        take(1);
        assert.equal(traces.samples.length, 1);
    });
});

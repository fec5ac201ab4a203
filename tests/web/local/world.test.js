/* A world in the page: time, commands and events, over an engine that only counts. */
import assert from "node:assert/strict";
import { before, beforeEach, describe, test } from "node:test";
import { EventKind } from "../../../client/js/dist/index.js";
import { source } from "../source.js";

/** Characters stand in a row; character 9 has fallen. */
class Counting {
    stepS = 0.005;
    tick = 0;
    hash = 1n;
    made = 0;
    calls = [];
    apply = (command) => {
        this.calls.push(command);
        return command.case.startsWith("spawn") ? ++this.made : 0;
    };
    step = (ticks) => void (this.tick += ticks);
    fallen = new Set();
    look = (entity) => ({ phase: 0.5, doing: "walk", fragment: 3, fallen: this.fallen.has(entity), limp: false, frozen: false, ended: false });
    poses = (entity) => Float64Array.of(entity, 0, 1, 1, 0, 0, 0);
    save = () => Uint8Array.of(this.tick);
    load = ([tick]) => void (this.tick = tick);
}

describe("a world in the page", () => {
    let module, engine, told, world;
    const command = (kind, value = {}) => world.answer({ case: "command", value: { command: { case: kind, value } } }).value.entity;
    const spawn = () => command("spawnCharacter", { controller: "hero", label: "", pos: { x: 0, y: 0 }, headingRad: 0 });
    const states = () => told.filter((each) => each.case === "state").map(({ value }) => value);
    const events = () => told.filter((each) => each.case === "events").flatMap(({ value }) => value.events.map(({ kind }) => kind));

    before(async () => (module = await source("local/world.ts")));

    beforeEach(() => {
        const catalogue = {
            controllers: [],
            controller: new Map([["hero", { summary: { name: "hero", model: "body" } }]]),
            model: new Map([["body", { bodies: [{ name: "root" }, { name: "head" }] }]]),
        };
        told = [];
        engine = new Counting();
        world = new module.LocalWorld(engine, catalogue, (message) => told.push(message));
        spawn();
        world.mark();
        world.answer({ case: "subscribe", value: { rateHz: 25 } });
    });

    test("steps in real time, and sends a state whenever one is due", () => {
        for (let ms = 0; ms <= 200; ms += 4) world.advance(1000 + ms);
        assert.equal(engine.tick, 40);
        assert.deepEqual(states().map(({ tick }) => Number(tick)), [0, 8, 16, 24, 32, 40]);
        assert.deepEqual(states()[1].characters.map(({ label, model, doing }) => [label, model, doing]), [["hero", "body", "walk"]]);
    });

    test("drops what it is too late for, and says so", () => {
        world.advance(0);
        world.advance(2000);
        assert.equal(engine.tick, 20);
        world.advance(2040);
        assert.equal(engine.tick, 28);
        assert.equal(Number(states().at(-1).droppedTicks), 380);
    });

    test("stands still while it is paused, and steps when asked", () => {
        command("pause");
        world.advance(0);
        world.advance(500);
        assert.equal(engine.tick, 0);
        command("step", { count: 3 });
        assert.equal(engine.tick, 3);
        assert.equal(Number(states().at(-1).tick), 3);
        command("resume");
        world.advance(500);
        world.advance(520);
        assert.equal(engine.tick, 7);
        assert.deepEqual(events(), [EventKind.PAUSED, EventKind.RESUMED]);
    });

    test("a reset brings back the first moment and its characters", () => {
        const second = spawn();
        command("step", { count: 10 });
        command("reset");
        const state = world.answer({ case: "getState", value: {} }).value;
        assert.equal(Number(state.tick), 0);
        assert.equal(state.epoch, 1);
        assert.ok(state.characters.every(({ entity }) => entity !== second));
    });

    test("a push names a body, is shown while it acts, and ends", () => {
        const [entity] = states()[0].characters.map((each) => each.entity);
        command("push", { entity, body: "head", force: { x: 5, y: 0, z: 0 }, durationS: 0.02 });
        const { case: kind, value } = engine.calls.at(-1);
        assert.deepEqual([kind, value.entity, value.body, value.force.x, value.durationS], ["push", entity, "head", 5, 0.02]);
        const pushes = () => world.answer({ case: "getState", value: {} }).value.pushes.length;
        assert.equal(pushes(), 1);
        command("step", { count: 4 });
        assert.equal(pushes(), 0);
    });

    test("falls and recoveries are events", () => {
        const [entity] = states()[0].characters.map((each) => each.entity);
        engine.fallen.add(entity);
        world.answer({ case: "getState", value: {} });
        engine.fallen.clear();
        world.answer({ case: "getState", value: {} });
        assert.deepEqual(events(), [EventKind.FELL, EventKind.ROSE]);
    });

    test("refuses what it does not have", () => {
        assert.throws(() => world.answer({ case: "startTraining", value: {} }), /startTraining/);
        assert.throws(() => world.answer({ case: "getController", value: { name: "nobody" } }), /nobody/);
        assert.throws(() => command("addScenery"), /addScenery/);
        assert.throws(() => {
            for (let i = 0; i < 20; i++) spawn();
        }, /room for 8/);
    });
});

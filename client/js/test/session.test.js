/* Against the real daemon, over TCP. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { catalogue, ClosedError, connectTcp, EventKind, StateField, StatusCode, StatusError, unpackPose, WorldMode } from "../dist/node.js";
import { program, startDaemon } from "./daemon.js";

describe("a session over TCP", { skip: program ? false : "TROUPED is not set" }, () => {
    let daemon;
    const clients = [];
    let worldCount = 0;
    before(async () => (daemon = await startDaemon()));
    after(async () => {
        for (const client of clients) client.close();
        await daemon.stop();
    });

    async function connect(def = {}) {
        const client = await connectTcp({ port: daemon.port, name: "node test", ...def });
        clients.push(client);
        return client;
    }

    async function steppedWorld(client) {
        return (await client.createWorld({ name: `js ${++worldCount}`, mode: WorldMode.STEPPED })).id;
    }

    test("is welcomed, and told of the limits", async () => {
        const client = await connect();
        assert.equal(client.welcome.protocolMajor, 1);
        assert.equal(client.welcome.requestsMax, 256);
        assert.ok((await client.ping()).sessions >= 1);
    });

    test("sends a zero, which the daemon refuses", async () => {
        const client = await connect();
        await assert.rejects(client.createWorld({ name: "still", rate: 0 }), /rate: 0: expected 0.01 to 100/);
        await assert.rejects(client.command(await steppedWorld(client), { case: "step", value: { count: 0 } }), /count: 0: expected 1 to/);
        assert.ok(!(await client.worlds()).some((world) => world.name === "still"));
    });

    test("lists the catalogue, page after page", async () => {
        const client = await connect();
        const list = await catalogue.controllers(client);
        assert.ok(list.some((controller) => controller.name === "hold"));
        assert.deepEqual(list.map((c) => c.name), list.map((c) => c.name).sort());
        const detail = await client.controller("hold");
        assert.ok(detail.fragments.length > 0);
        assert.equal(typeof detail.hash, "bigint");
        assert.match((await client.model(list[0].model)).mjcf, /<mujoco/);
    });

    test("spawns, steps, and sees the states it subscribed to", async () => {
        const states = [];
        const client = await connect({ onState: (state) => states.push(state) });
        const world = await steppedWorld(client);
        const { entity } = await client.command(world, { case: "spawnCharacter", value: { controller: "hold", label: "one" } });
        const fields = StateField.BODIES | StateField.HASH;
        const subscribed = await client.subscribe({ world, rateHz: 50, fields });
        assert.equal(subscribed.everyTicks, 4);
        const stepped = await client.command(world, { case: "step", value: { count: 40 } });
        assert.equal(stepped.tick, 40n);
        const asked = await client.state(world, fields);
        assert.equal(asked.hash, stepped.hash);
        assert.equal(asked.characters[0].entity, entity);
        assert.equal(asked.characters[0].label, "one");
        assert.equal(asked.characters[0].bodyRot.length * 3, asked.characters[0].bodyPos.length * 4);
        const compact = (await client.state(world, StateField.COMPACT)).characters[0];
        const { bodies } = await client.model("humanoid");
        unpackPose(compact, bodies);
        assert.equal(compact.bodyPos.length, asked.characters[0].bodyPos.length);
        for (const [i, value] of compact.bodyPos.entries()) assert.ok(Math.abs(value - asked.characters[0].bodyPos[i]) < 0.01);
        assert.throws(() => unpackPose(compact, bodies.slice(0, 9)), /is not of a model/);
        assert.deepEqual(states.map((state) => Number(state.tick)), [0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40]);
    });

    test("reads what drives a character and what it does, and sets its parameters", async () => {
        const client = await connect();
        const world = await steppedWorld(client);
        const { entity } = await client.command(world, { case: "spawnCharacter", value: { controller: "sway" } });
        const { summary, parameters, entryCount, rig } = await client.controller("sway");
        assert.deepEqual([summary.kind, entryCount > 0, rig], ["chain", true, []]);
        const [{ name, unit, low, high, initial, count }] = parameters;
        assert.deepEqual([name, unit, low, high, initial], ["action_offset", "rad", -10, 10, 0]);
        const set = (values) => client.command(world, { case: "setParameters", value: { entity, parameters: [{ name, values }] } });
        const run = async () => (await client.command(world, { case: "step", value: { count: 60 } })).hash;
        const { data } = await client.command(world, { case: "snapshot", value: {} });
        const plain = await run();
        const back = () => client.command(world, { case: "restore", value: { data } });
        await back();
        await set(Array.from({ length: count }, () => 0.2));
        assert.notEqual(await run(), plain);
        await back();
        await set([]);
        assert.equal(await run(), plain);
        const [{ doing, phase }] = (await client.state(world)).characters;
        assert.ok(doing.length > 0 && phase >= 0 && phase <= 1);
        await assert.rejects(set([11]), (error) => error instanceof StatusError && error.code === StatusCode.INVALID_ARGUMENT);
    });

    test("receives events", async () => {
        const kinds = [];
        const client = await connect({ onEvents: (batch) => kinds.push(...batch.events.map((event) => event.kind)) });
        const world = await steppedWorld(client);
        await client.subscribe({ world, events: true });
        await client.command(world, { case: "spawnCharacter", value: { controller: "hold" } });
        await client.command(world, { case: "reset", value: {} });
        await client.ping();
        assert.ok(kinds.includes(EventKind.APPLIED) && kinds.includes(EventKind.RESET));
    });

    test("a refusal is a StatusError with the daemon's words, and the session continues", async () => {
        const client = await connect();
        await assert.rejects(client.world(9999), (error) => {
            assert.ok(error instanceof StatusError);
            assert.equal(error.code, StatusCode.NOT_FOUND);
            assert.equal(error.codeName, "NOT_FOUND");
            assert.match(error.message, /9999/);
            return true;
        });
        await client.ping();
    });

    test("more requests than the daemon allows at once wait here, and all are answered in order", async () => {
        const client = await connect();
        const world = await steppedWorld(client);
        const answers = await Promise.all(
            Array.from({ length: 1000 }, () => client.command(world, { case: "step", value: { count: 1 } })),
        );
        assert.deepEqual(answers.map((answer) => Number(answer.tick)), Array.from({ length: 1000 }, (_, i) => i + 1));
    });

    test("closing rejects what has no answer, and what is asked afterwards", async () => {
        const reasons = [];
        const client = await connect({ onClose: (reason) => reasons.push(reason) });
        const ping = client.ping();
        client.close();
        await assert.rejects(ping, ClosedError);
        await assert.rejects(client.ping(), ClosedError);
        assert.equal(reasons.length, 1);
    });

    test("the daemon's goodbye is the reason of the end", async () => {
        const own = await startDaemon();
        let ended;
        const over = new Promise((resolve) => (ended = resolve));
        await connectTcp({ port: own.port, onClose: ended });
        await own.stop();
        assert.match(await over, /shut/i);
    });

    test("no daemon there: a rejection that says so", async () => {
        await assert.rejects(connectTcp({ port: 1 }), /ECONNREFUSED/);
    });
});

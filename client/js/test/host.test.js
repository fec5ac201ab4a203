/* The two sides of an exchange, joined without a daemon. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Client, decodeResponses, encodeResponses, Host, StatusCode, StatusError } from "../dist/index.js";

/** A client, and the host that answers it. */
async function join(answer, def = {}) {
    const transport = { send: (bytes) => host.take(bytes), close: () => {}, unsent: 0 };
    const host = new Host((bytes) => queueMicrotask(() => transport.onBytes(bytes)), (request) => (request.case === "hello" ? { case: "hello", value: { requestsMax: 2 } } : answer(request)));
    return { client: await Client.greet(transport, def), host };
}

test("an answer reaches the one who asked", async () => {
    const { client } = await join(({ value }) => ({ case: "pong", value: { payload: value.payload, worlds: 7 } }));
    const pongs = await Promise.all([client.ping(), client.ping(), client.ping()]);
    assert.deepEqual(pongs.map(({ worlds }) => worlds), [7, 7, 7]);
});

test("a refusal has its code and its words", async () => {
    const { client } = await join(() => {
        throw new StatusError(StatusCode.NOT_FOUND, "no such world");
    });
    await assert.rejects(client.world(3), { code: StatusCode.NOT_FOUND, message: "no such world" });
});

test("what is told unasked is heard", async () => {
    const heard = [];
    const { host } = await join(() => undefined, { onState: (state) => heard.push(state.tick) });
    host.tell({ case: "state", value: { tick: 12n } });
    await Promise.resolve();
    assert.deepEqual(heard, [12n]);
});

test("responses in a file come back", () => {
    const bytes = encodeResponses([{ case: "model", value: { mjcf: "<mujoco/>" } }, { case: "pong", value: { worlds: 2 } }]);
    assert.deepEqual(decodeResponses(bytes).map(({ result }) => result.case), ["model", "pong"]);
    assert.equal(decodeResponses(bytes)[0].result.value.mjcf, "<mujoco/>");
});

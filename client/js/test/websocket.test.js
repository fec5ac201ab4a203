/* The same session over WebSocket, in Node with the package ws. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { WebSocket } from "ws";
import { connectTcp, connectWebSocket, StateField, WorldMode } from "../dist/node.js";
import { program, startDaemon, waitFor } from "./daemon.js";

describe("a session over WebSocket", { skip: program ? false : "TROUPED is not set" }, () => {
    let daemon, url;
    before(async () => {
        const portFile = join(tmpdir(), `troupe-js-web-port-${process.pid}-${Date.now()}`);
        daemon = await startDaemon("--web-listen", "127.0.0.1:0", "--web-port-file", portFile, "--web-root", "none");
        await waitFor(portFile, () => true, () => "");
        url = `ws://127.0.0.1:${readFileSync(portFile, "utf8").trim()}/socket`;
    });
    after(() => daemon?.stop());

    test("gets the states that one over TCP gets", async () => {
        const states = [];
        const web = await connectWebSocket({ url, WebSocket, onState: (state) => states.push(state) });
        const tcp = await connectTcp({ port: daemon.port });
        const world = (await web.createWorld({ name: "both", mode: WorldMode.STEPPED })).id;
        await web.command(world, { case: "spawnCharacter", value: { controller: "hold" } });
        await web.subscribe({ world, rateHz: 50, fields: StateField.BODIES | StateField.HASH });
        await web.command(world, { case: "step", value: { count: 20 } });
        assert.deepEqual(await tcp.state(world, StateField.HASH).then((state) => state.hash), states.at(-1).hash);
        assert.deepEqual(states.map((state) => Number(state.tick)), [0, 4, 8, 12, 16, 20]);
        web.close();
        tcp.close();
    });

    test("a page from elsewhere is not let in", async () => {
        class FromElsewhere extends WebSocket {
            constructor(address, protocols) {
                super(address, protocols, { origin: "https://elsewhere.example" });
            }
        }
        await assert.rejects(connectWebSocket({ url, WebSocket: FromElsewhere }));
    });
});

/* Keys, proved to the real daemon. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { connectTcp, Role, StatusCode } from "../dist/node.js";
import { makeKey, program, startConfigured } from "./daemon.js";

describe("a daemon that asks for keys", { skip: program ? false : "TROUPED is not set" }, () => {
    let daemon, anna;
    before(async () => {
        anna = makeKey("anna", "spectator");
        daemon = await startConfigured(`keys = ( ${anna.line} );\n`);
    });
    after(() => daemon?.stop());

    test("lets its holder in, in its role, and no further", async () => {
        const client = await connectTcp({ port: daemon.port, key: anna.key });
        assert.equal(client.welcome.role, Role.SPECTATOR);
        assert.deepEqual(await client.worlds(), []);
        await assert.rejects(client.createWorld({ name: "mine" }), (error) => error.code === StatusCode.PERMISSION_DENIED);
        client.close();
    });

    test("refuses a client without a key, and one with another daemon's key", async () => {
        const refused = (error) => error.code === StatusCode.UNAUTHENTICATED;
        await assert.rejects(connectTcp({ port: daemon.port }), refused);
        await assert.rejects(connectTcp({ port: daemon.port, key: makeKey("anna", "admin").key }), refused);
    });
});

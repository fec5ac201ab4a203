/* Keys, proved to the real daemon. */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { connectTcp, Role, StatusCode } from "../dist/node.js";
import { program, startDaemon } from "./daemon.js";

/** A key of this role, and its line for the configuration. */
function makeKey(name, role) {
    const { stdout, stderr, status } = spawnSync(program, ["--make-key", name, "--role", role], { encoding: "utf8" });
    assert.equal(status, 0, stderr);
    const said = stdout + stderr;
    return { key: /^[a-z0-9-]+\.[A-Za-z0-9_-]{64}$/m.exec(said)[0], line: /\{ name = .*\}/.exec(said)[0] };
}

describe("a daemon that asks for keys", { skip: program ? false : "TROUPED is not set" }, () => {
    let daemon, dir, anna;
    before(async () => {
        dir = mkdtempSync(join(tmpdir(), "troupe-js-keys-"));
        anna = makeKey("anna", "spectator");
        const config = join(dir, "trouped.conf");
        writeFileSync(config, `keys = ( ${anna.line} );\n`);
        execFileSync(program, ["--check-config", config]);
        daemon = await startDaemon("--config", config);
    });
    after(async () => {
        await daemon?.stop();
        rmSync(dir, { recursive: true, force: true });
    });

    test("lets its holder in, in its role, and no further", async () => {
        const client = await connectTcp({ port: daemon.port, key: anna.key });
        assert.equal(client.welcome.role, Role.SPECTATOR);
        assert.deepEqual(await client.worlds(), []);
        await assert.rejects(client.createWorld({ name: "mine" }), (error) => error.code === StatusCode.PERMISSION_DENIED);
        client.close();
    });

    test("refuses who has none, and who has another daemon's", async () => {
        const refused = (error) => error.code === StatusCode.UNAUTHENTICATED;
        await assert.rejects(connectTcp({ port: daemon.port }), refused);
        await assert.rejects(connectTcp({ port: daemon.port, key: makeKey("anna", "admin").key }), refused);
    });
});

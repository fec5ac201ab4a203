/* The examples run, against the real daemon. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { program, startDaemon } from "./daemon.js";

const run = promisify(execFile);
const example = (name) => fileURLToPath(new URL(`../examples/${name}`, import.meta.url));

describe("examples", { skip: program ? false : "TROUPED is not set" }, () => {
    let daemon;
    before(async () => (daemon = await startDaemon()));
    after(() => daemon.stop());

    test("hello.js prints where its character is", async () => {
        const { stdout } = await run(process.execPath, [example("hello.js"), daemon.port, "hold"]);
        assert.ok(stdout.trim().split("\n").length >= 8, stdout);
        assert.match(stdout, /^\d+\.\d s: -?\d+\.\d\d m$/m);
    });

    test("push.js finds a push that fells", async () => {
        const { stdout } = await run(process.execPath, [example("push.js"), daemon.port, "hold"]);
        assert.match(stdout, /^hold: 50 N for 0.2 s: (stands|falls)$/m);
    });
});

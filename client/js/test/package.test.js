/* What `npm pack` makes, installed in a separate folder: it has what it needs, runs over TCP and WebSocket, and its
 * types hold. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { program, startDaemon, waitFor } from "./daemon.js";

const run = promisify(execFile);
const own = fileURLToPath(new URL("..", import.meta.url));
const CONSUMER = `import { connectTcp, connectWebSocket, StateField, type WorldState } from "troupe-client/node";
import { WebSocket } from "ws";

const [port, url] = process.argv.slice(2) as [string, string];
const seen: number[] = [];
const client = await connectWebSocket({ url, WebSocket, onState: (state: WorldState) => seen.push(state.characters.length) });
const world = await client.createWorld({ name: "packed" });
const { entity } = await client.command(world.id, { case: "spawnCharacter", value: { controller: "hold" } });
await client.subscribe({ world: world.id, rateHz: 30, fields: StateField.BODIES });
const tcp = await connectTcp({ port: Number(port) });
const same: boolean = (await tcp.state(world.id)).characters[0]!.entity === entity;
while (seen.length < 3) await new Promise((resolve) => setTimeout(resolve, 10));
// @ts-expect-error: an entity is a number
void (() => client.command(world.id, { case: "push", value: { entity: "one" } }));
console.log(same, seen[0]);
client.close();
tcp.close();
`;
describe("the package", { skip: program ? false : "TROUPED is not set" }, () => {
    let folder, daemon, webPort;

    before(async () => {
        folder = mkdtempSync(join(tmpdir(), "troupe-js-package-"));
        const modules = join(folder, "node_modules");
        mkdirSync(join(modules, "troupe-client"), { recursive: true });
        const { stdout } = await run("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder], { cwd: own });
        await run("tar", ["-xzf", join(folder, stdout.trim()), "-C", join(modules, "troupe-client"), "--strip-components=1"]);
        for (const each of ["@bufbuild", "@noble", "@types", "ws"]) symlinkSync(join(own, "node_modules", each), join(modules, each));
        writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
        writeFileSync(join(folder, "ws.d.ts"), 'declare module "ws" { export const WebSocket: typeof globalThis.WebSocket; }');
        const portFile = join(folder, "web-port");
        daemon = await startDaemon("--web-listen", "127.0.0.1:0", "--web-port-file", portFile, "--web-root", "none");
        await waitFor(portFile, () => true, () => "");
        webPort = readFileSync(portFile, "utf8").trim();
    });
    after(async () => {
        await daemon?.stop();
        rmSync(folder, { recursive: true, force: true });
    });

    const compile = (name, text) => {
        writeFileSync(join(folder, name), text);
        const options = ["--strict", "--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom", "--types", "node"];
        const compiler = join(own, "node_modules/typescript/bin/tsc");
        return run(process.execPath, [compiler, ...options, "ws.d.ts", name], { cwd: folder }).catch(({ stdout }) => assert.fail(stdout));
    };

    test("names what it has, and has what it names", () => {
        const packed = join(folder, "node_modules/troupe-client");
        const { exports } = JSON.parse(readFileSync(join(packed, "package.json"), "utf8"));
        for (const each of Object.values(exports)) for (const path of Object.values(each)) readFileSync(join(packed, path));
        for (const path of ["README.md", "examples/hello.js", "examples/push.js", "examples/browser.html"]) readFileSync(join(packed, path));
    });

    test("a strict program over both transports compiles against it, a wrong line does not, and it runs", async () => {
        await compile("consumer.ts", CONSUMER);
        const { stdout } = await run(process.execPath, ["consumer.js", daemon.port, `ws://127.0.0.1:${webPort}/socket`], { cwd: folder });
        assert.equal(stdout, "true 1\n");
    });

    test("its example runs where it is installed", async () => {
        const { stdout } = await run(process.execPath, [join(folder, "node_modules/troupe-client/examples/hello.js"), daemon.port, "hold"]);
        assert.match(stdout, /^\d+\.\d s: -?\d+\.\d\d m$/m);
    });
});

/* Starts the real daemon on free ports, for the tests: TROUPED names the program, TROUPE_BUNDLE hand-made
 * controllers. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export const program = process.env.TROUPED;

/** A key of this role, and its line for a configuration. */
export function makeKey(name, role) {
    const { stdout, stderr, status } = spawnSync(program, ["--make-key", name, "--role", role], { encoding: "utf8" });
    if (status !== 0) throw new Error(stderr);
    const said = stdout + stderr;
    return { key: /^[a-z0-9-]+\.[A-Za-z0-9_-]{64}$/m.exec(said)[0], line: /\{ name = .*\}/.exec(said)[0] };
}

export function startDaemon(...options) {
    return startConfigured("", ...options);
}

/** config: the text of a configuration; empty: none. */
export async function startConfigured(config, ...options) {
    const dir = mkdtempSync(join(tmpdir(), "troupe-js-"));
    const portFile = join(dir, "port");
    const own = ["--listen", "127.0.0.1:0", "--port-file", portFile, "--state-dir", join(dir, "state")];
    if (config !== "") {
        const file = join(dir, "trouped.conf");
        writeFileSync(file, config);
        execFileSync(program, ["--check-config", file]);
        own.push("--config", file);
    }
    const bundle = process.env.TROUPE_BUNDLE ? ["--shipped", "none", "--bundle", process.env.TROUPE_BUNDLE] : [];
    const child = spawn(program, [...own, ...bundle, ...options], { stdio: ["ignore", "ignore", "pipe"] });
    let log = "";
    child.stderr.on("data", (text) => (log += text));
    const ended = new Promise((resolve) => child.once("exit", resolve));
    await waitFor(portFile, () => child.exitCode === null, () => log);
    return {
        port: Number(readFileSync(portFile, "utf8")),
        dir,
        async stop() {
            child.kill("SIGTERM");
            const status = await ended;
            rmSync(dir, { recursive: true, force: true });
            if (status !== 0) throw new Error(`trouped ended with ${status}:\n${log}`);
        },
    };
}

export async function waitFor(path, alive, log) {
    for (let i = 0; !existsSync(path) || readFileSync(path, "utf8") === ""; i++) {
        if (!alive() || i > 12000) throw new Error(`trouped did not start:\n${log()}`);
        await sleep(10);
    }
}

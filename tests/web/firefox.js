/* A Firefox on a screen in memory (without a screen it has no WebGL), driven by WebDriver BiDi (https://w3c.github.io/webdriver-bidi/):
 * enough to open a page, to ask it, and to press keys. Environment: FIREFOX, its program; XVFB, that of the screen. */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const { WebSocket } = createRequire(fileURLToPath(new URL("../../client/js/package.json", import.meta.url)))("ws");

const program = process.env.FIREFOX ?? "/usr/bin/firefox-esr";
const screenProgram = process.env.XVFB ?? "/usr/bin/Xvfb";
const START_MS = 60000;

/** WebGL by the processor; nothing from the network. */
const PREFERENCES = {
    "webgl.force-enabled": true,
    "webgl.disabled": false,
    "app.update.enabled": false,
    "browser.shell.checkDefaultBrowser": false,
    "datareporting.policy.dataSubmissionEnabled": false,
    "network.captive-portal-service.enabled": false,
    "network.connectivity-service.enabled": false,
    "toolkit.telemetry.reportingpolicy.firstRun": false,
};

/** Why Firefox cannot run here; false: it can. */
export function lacksFirefox() {
    const missing = [program, screenProgram].find((each) => !existsSync(each));
    return missing !== undefined && `${missing} is not installed`;
}

/** A program that runs until `end`, once its output has what is looked for: { found, end }. */
async function start(command, options, { pattern, ...spawning }) {
    const child = spawn(command, options, spawning);
    const ended = new Promise((resolve) => child.once("exit", resolve));
    const end = () => (child.kill("SIGTERM"), ended);
    const found = await new Promise((resolve, reject) => {
        let log = "";
        const late = setTimeout(() => end().then(() => reject(new Error(`${command} did not start:\n${log}`))), START_MS);
        const read = (text) => {
            const match = pattern.exec((log += text));
            if (match) clearTimeout(late);
            if (match) resolve(match[1]);
        };
        for (const stream of [child.stdout, child.stderr]) stream.on("data", read);
    });
    return { found, end };
}

export async function startFirefox() {
    const profile = mkdtempSync(join(tmpdir(), "troupe-firefox-"));
    writeFileSync(join(profile, "user.js"), Object.entries(PREFERENCES).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${value});\n`).join(""));
    const screen = await start(screenProgram, ["-displayfd", "1", "-screen", "0", "1280x1024x24", "-nolisten", "tcp"], { pattern: /(\d+)\n/ });
    const firefox = await start(program, ["--no-remote", "--profile", profile, "--remote-debugging-port", "0"],
        { pattern: /WebDriver BiDi listening on (ws:\S+)/, env: { ...process.env, HOME: profile, DISPLAY: `:${screen.found}` } });
    const socket = new WebSocket(`${firefox.found}/session`);
    await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
    return new Firefox(socket, async () => {
        await firefox.end();
        await screen.end();
        rmSync(profile, { recursive: true, force: true });
    });
}

class Firefox {
    #waiting = new Map();
    #nextId = 1;

    constructor(socket, end) {
        this.socket = socket;
        this.end = end;
        /** What the console says of errors. */
        this.complaints = [];
        socket.on("message", (text) => this.#take(JSON.parse(text)));
    }

    #take({ id, result, error, message, method, params }) {
        if (method === "log.entryAdded" && params.level === "error") this.complaints.push(params.text);
        const waiting = this.#waiting.get(id);
        this.#waiting.delete(id);
        if (error) waiting?.reject(new Error(`${error}: ${message}`));
        else waiting?.resolve(result);
    }

    send(method, params) {
        const id = this.#nextId++;
        this.socket.send(JSON.stringify({ id, method, params }));
        return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    }

    /** Opens an address in a window of this size. */
    async open(url, width, height) {
        await this.send("session.new", { capabilities: {} });
        await this.send("session.subscribe", { events: ["log.entryAdded"] });
        const { contexts } = await this.send("browsingContext.getTree", {});
        this.context = contexts[0].context;
        await this.send("browsingContext.setViewport", { context: this.context, viewport: { width, height } });
        await this.send("browsingContext.navigate", { context: this.context, url, wait: "complete" });
    }

    /** The value of an expression in the page; a number, text or truth. */
    async evaluate(expression) {
        const { type, result, exceptionDetails } = await this.send("script.evaluate", { expression, target: { context: this.context }, awaitPromise: true });
        if (type === "exception") throw new Error(exceptionDetails.text);
        return result.value;
    }

    async press(key) {
        await this.send("input.performActions", { context: this.context, actions: [{ type: "key", id: "keyboard", actions: [{ type: "keyDown", value: key }, { type: "keyUp", value: key }] }] });
    }

    /** A PNG of the page. */
    async picture() {
        const { data } = await this.send("browsingContext.captureScreenshot", { context: this.context });
        return Buffer.from(data, "base64");
    }

    async stop() {
        this.socket.close();
        await this.end();
    }
}

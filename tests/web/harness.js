/* A real daemon that serves the built viewer, a real Chromium that shows it, and a client beside it.
 *
 * Environment: TROUPED (the program), TROUPE_SCREENSHOTS (a folder for pictures), CHROMIUM (its program). */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const source = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const viewerRequire = createRequire(source("client/web/package.json"));

const { chromium } = viewerRequire("playwright-core");
const { startConfigured, waitFor } = await import(source("client/js/test/daemon.js"));
export const { makeKey } = await import(source("client/js/test/daemon.js"));
export const { connectTcp, catalogue } = await import(source("client/js/dist/node.js"));

const program = process.env.CHROMIUM ?? "/usr/bin/chromium";
export const pictures = process.env.TROUPE_SCREENSHOTS ?? source("build/screenshots");
/** For what has to come at last: reached only when it does not, or on a machine a hundred times as busy as one at rest. */
const TIMEOUT_MS = 60000;

/** Chromium that draws on the processor, so that it runs anywhere. */
const GRAPHICS = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"];

export function launch() {
    return chromium.launch({ executablePath: program, args: ["--no-sandbox", ...GRAPHICS] });
}

export function startTheatre(...options) {
    return startGuarded("", undefined, ...options);
}

/** config: the text of a configuration; key: that of the client beside it. */
export async function startGuarded(config, key, ...options) {
    const portFile = join(process.env.TMPDIR ?? "/tmp", `troupe-web-port-${process.pid}-${Date.now()}`);
    const root = source("client/web/dist");
    const daemon = await startConfigured(config, "--web-listen", "127.0.0.1:0", "--web-port-file", portFile, "--web-root", root, ...options);
    await waitFor(portFile, () => true, () => "");
    const url = `http://127.0.0.1:${readFileSync(portFile, "utf8").trim()}/`;
    const client = await connectTcp({ port: daemon.port, name: "web test", key });
    const browser = await launch();
    return {
        url,
        client,
        browser,
        daemon,
        async stop() {
            await browser.close();
            client.close();
            await daemon.stop();
        },
    };
}

/** A page of the viewer. What its console says of errors is kept: a test asks for silence. touch: with a screen for fingers;
 * init: runs in the page before its own scripts. */
export async function openPage(theatre, address, { width = 800, height = 500, scheme = "light", touch = false, init } = {}) {
    const page = await theatre.browser.newPage({ viewport: { width, height }, colorScheme: scheme, hasTouch: touch });
    if (init) await page.addInitScript(init);
    page.complaints = [];
    page.setDefaultTimeout(TIMEOUT_MS);
    page.on("console", (message) => message.type() === "error" && page.complaints.push(message.text()));
    page.on("pageerror", (error) => page.complaints.push(error.stack));
    await page.goto(theatre.url + address, { waitUntil: "commit" });
    return page;
}

/** Whatever pages a test left open: each draws, and takes time from the next. */
export async function closePages(theatre) {
    for (const context of theatre.browser.contexts()) await context.close();
}

/** Until something holds here, asked again and again: a limit that is only reached when it never comes true. */
export async function eventually(what, said) {
    const deadline = Date.now() + TIMEOUT_MS;
    while (!(await what())) {
        if (Date.now() > deadline) throw new Error(`never true: ${said ?? what}`);
        await sleep(50);
    }
}

/** The first picture with a character in it. From then on without shadows, the dearest of it for a processor that draws. */
export async function firstPicture(page) {
    await until(page, () => window.troupe?.firstPictureMs > 0);
    await page.evaluate(() => window.troupe.theatre.stage.show("shadows", false));
}

/** Until something is true in the page. Asked again and again from here: the page's policy forbids to evaluate in it. */
export function until(page, what, argument) {
    return eventually(() => page.evaluate(what, argument), what);
}

/** The newest state the page was sent, as plain values. */
export function shownState(page) {
    return page.evaluate(() => {
        const state = window.troupe.shown();
        const characters = state.characters.map(({ entity, label, controller, fallen, rootPos }) => ({ entity, label, controller, fallen, rootPos }));
        return { tick: Number(state.tick), epoch: state.epoch, characters, objects: state.objects.length };
    });
}

export async function picture(page, name) {
    mkdirSync(pictures, { recursive: true });
    await page.screenshot({ path: join(pictures, `${name}.png`) });
}

/** The middle of the picture, where nothing is written over it, as bytes of a PNG. */
export async function canvasPixels(page) {
    const { x, y, width, height } = await page.locator(".theatre canvas").boundingBox();
    return page.screenshot({ clip: { x: x + 0.2 * width, y: y + 0.45 * height, width: 0.6 * width, height: 0.25 * height } });
}

/** Waits until the picture is at rest: two successive pictures are equal. */
export async function rest(page) {
    let last = await canvasPixels(page);
    await eventually(async () => {
        await sleep(200);
        const next = await canvasPixels(page);
        const alike = next.equals(last);
        last = next;
        return alike;
    }, "two pictures alike");
}

/** Where on the page a body of a character is drawn. */
function onScreen(page, entity, body) {
    return page.evaluate(([entity, body]) => {
        const { theatre } = window.troupe;
        const drawn = theatre.stage.cast.drawn.get(entity);
        const at = drawn.top.clone().set(...drawn.pos.subarray(3 * body, 3 * body + 3));
        at.z += 0.1;
        const box = theatre.canvas.getBoundingClientRect();
        theatre.stage.project(at, box.width, box.height, at);
        return { x: box.left + at.x, y: box.top + at.y };
    }, [entity, body]);
}

/** The mouse on a body of a character in a world at rest: it is there when the viewer says so. */
export async function pointAt(page, entity, body) {
    const canvas = page.locator(".theatre canvas");
    let at;
    await eventually(async () => {
        at = await onScreen(page, entity, body);
        await page.mouse.move(at.x, at.y);
        await rest(page); // the camera may still be on its way to whom it follows
        const now = await onScreen(page, entity, body);
        return Math.hypot(now.x - at.x, now.y - at.y) < 1 && (await canvas.getAttribute("class"))?.includes("over-body");
    }, "the mouse is over the body");
    return at;
}

export function assertSilent(page) {
    assert.deepEqual(page.complaints, []);
}

/** Why these tests cannot run here; false: they can. */
export function cannotRun() {
    if (!process.env.TROUPED) return "TROUPED is not set";
    if (!existsSync(program)) return `${program} is not installed`;
    return false;
}

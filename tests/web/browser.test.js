/* The page that runs its world itself, as deploy/site/browser.sh builds it: from a static host, in a folder of it. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import { firstPicture, launch, openPage, picture, until } from "./harness.js";

const root = fileURLToPath(new URL("../../build/site/html/browser", import.meta.url));
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" };
const FOLDER = "/~somebody/troupe/";

function host() {
    const server = createServer(({ url }, answer) => {
        const path = join(root, url.startsWith(FOLDER) ? url.slice(FOLDER.length) || "index.html" : "?");
        if (!existsSync(path)) return answer.writeHead(404).end();
        answer.writeHead(200, { "content-type": TYPES[extname(path)] ?? "application/octet-stream" }).end(readFileSync(path));
    });
    return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

let server, browser, page;

before(async () => {
    server = await host();
    browser = await launch();
    page = await openPage({ url: `http://127.0.0.1:${server.address().port}`, browser }, FOLDER);
    await firstPicture(page);
});

after(async () => {
    await browser?.close();
    server?.close();
});

/** A command, as the page's own tools send them. */
const command = (kind, value = {}) => page.evaluate(([kind, value]) => window.troupe.theatre.session.client.command(1, { case: kind, value }).then(() => true), [kind, value]);

const now = () => page.evaluate(async () => {
    const { tick, hash, characters } = await window.troupe.theatre.session.client.state(1);
    return { tick: Number(tick), hash: hash.toString(16).padStart(16, "0"), entity: characters[0].entity, characters: characters.length };
});

test("a scripted life has the hashes of the native library", async () => {
    const folder = mkdtempSync(join(tmpdir(), "troupe-browser-"));
    const bundle = join(folder, "hero.troupe");
    writeFileSync(bundle, gunzipSync(readFileSync(join(root, "world/hero.troupe.gz"))));
    const lives = execFileSync(process.env.TROUPE_LIVES, [bundle, "hero"], { encoding: "utf8" }).trim().split("\n").map((line) => line.split(" "));
    rmSync(folder, { recursive: true });
    assert.ok(lives.length >= 6);

    await command("pause");
    await command("spawnObject", { geoms: [{ kind: 1, size: { x: 0.1 } }], mass: 1, pos: { x: 9, y: 9, z: 1 }, vel: { x: 3, y: 2, z: 1 } }); // leaves its numbers in the memory of calls
    await command("reset");
    const { entity, tick } = await now();
    assert.equal(tick, 0);
    await command("steer", { entity, aim: { case: "headingRad", value: 1.2 } });
    for (const [, at, hash] of lives) {
        const { tick: begin } = await now();
        await command("push", { entity, force: { x: 40 + begin, y: 60, z: 0 }, durationS: 0.1 });
        await command("step", { count: Number(at) - begin });
        assert.deepEqual([(await now()).tick, (await now()).hash], [Number(at), hash]);
    }
    await command("reset");
    await command("resume");
});

/** Pictures a second for `ms`, and the world's seconds in one of the page. */
const pace = (ms) => page.evaluate(async (ms) => {
    const client = window.troupe.theatre.session.client;
    const timeS = async () => (await client.state(1)).timeS;
    const begin = [performance.now(), await timeS()];
    let pictures = 0;
    for (let now = begin[0]; now < begin[0] + ms; pictures++) now = await new Promise(requestAnimationFrame);
    const passedS = (performance.now() - begin[0]) / 1000;
    return { fps: pictures / passedS, rate: ((await timeS()) - begin[1]) / passedS };
}, ms);

test("keys steer it, a button adds others, and time runs", async (t) => {
    await page.keyboard.down("w");
    await until(page, () => Math.hypot(...window.troupe.shown().characters[0].rootPos.slice(0, 2)) > 0.5);
    await page.keyboard.up("w");
    for (let count = 2; count <= 5; count++) {
        await page.click(".spawn button");
        await until(page, (count) => window.troupe.theatre.stage.cast.drawn.size === count, count);
    }
    const { fps, rate } = await pace(3000);
    t.diagnostic(`five characters: ${fps.toFixed(0)} pictures a second drawn by the processor, ${rate.toFixed(2)} of real time`);
    assert.ok(rate > 0.5, `${rate} of real time`); // where the machine is busy, ticks are dropped
    await picture(page, "browser");
    await page.keyboard.press("r");
    await until(page, () => window.troupe.shown().characters.length === 1);
    assert.deepEqual(page.complaints, []);
});

test("the page loads a bundle of at most 2 MB over the wire, and 3.2 MB in all", () => {
    const files = ["", "assets", "world"].flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(root, folder, name))).filter((path) => statSync(path).isFile());
    const sent = files.map((path) => (path.endsWith(".gz") ? readFileSync(path) : gzipSync(readFileSync(path))).length);
    assert.ok(files.length >= 8, `${files.length} files`);
    assert.ok(sent[files.findIndex((path) => path.endsWith("hero.troupe.gz"))] < 2e6, `${sent} bytes`);
    assert.ok(sent.reduce((sum, size) => sum + size, 0) < 3.2e6, `${sent} bytes`);
});

/* The viewer's bars, in Chromium: the bundle's size, the time to the first picture, and what a frame with twenty characters costs
 * in scripting: the processor time of the page's thread in scripts, which neither drawing by software, in another process, nor
 * other work of the machine adds to. A profile tells frames from states and what hands the picture to WebGL from the rest, so that
 * the cost at 60 frames and 30 states a second is known where software cannot draw so many. The first picture is by the clock, with the
 * stages on the way to it and the processor time of the page's thread: measure it on a machine at rest.
 *
 *     deploy/build-viewer.sh && TROUPED=build/release/server/trouped node tests/bench/viewer/bench.js [CHARACTERS [SECONDS]] */
import { readdirSync, statSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cannotRun, firstPicture, openPage, startTheatre, until } from "../../web/harness.js";

const OPENINGS = 3;
const FRAMES_PER_S = 60;
const STATES_PER_S = 30;
const BARS = { bundleKB: 1024, firstPictureMs: 1500, scriptMs: 6 };
const count = Number(process.argv[2] ?? 20);
const seconds = Number(process.argv[3] ?? 20);

function bundleKB() {
    const dist = fileURLToPath(new URL("../../../client/web/dist", import.meta.url));
    const files = readdirSync(dist, { recursive: true }).map(String).filter((name) => name.endsWith(".gz"));
    return files.reduce((sum, name) => sum + statSync(join(dist, name)).size, 0) / 1024;
}

function quantile(sorted, share) {
    return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}

function report(name, value, unit, bar) {
    console.log(`${name.padEnd(44)} ${value.toFixed(value < 10 ? 2 : 0).padStart(8)} ${unit.padEnd(3)} bar ${bar}: ${value < bar ? "met" : "NOT met"}`);
}

/** When each stage of opening a page with one character was reached, ms; and the processor time of its thread until the last. */
async function opening(theatre) {
    const page = await openPage(theatre, "", { width: 1280, height: 800 });
    await page.locator(".card").waitFor(); // the browser's processes are there
    const tools = await page.context().newCDPSession(page);
    await tools.send("Performance.enable", { timeDomain: "threadTicks" });
    const before = await threadS(tools);
    await page.goto("about:blank");
    await page.goto(`${theatre.url}#/world/one`, { waitUntil: "commit" });
    await until(page, () => window.troupe?.firstPictureMs > 0);
    const marks = await page.evaluate(() => Object.fromEntries(performance.getEntriesByType("mark").map(({ name, startTime }) => [name, startTime])));
    const own = await threadS(tools);
    await page.context().close();
    return { ...marks, "processor time of the page's thread": 1000 * (own - (own > before ? before : 0)) };
}

async function threadS(tools) {
    const { metrics } = await tools.send("Performance.getMetrics");
    return metrics.find((each) => each.name === "TaskDuration").value;
}

/** The share of a profile's samples that were taken within a method of this name. */
function shareWithin({ nodes, samples }, name) {
    const node = new Map(nodes.map((each) => [each.id, each]));
    const within = new Set();
    const enter = (id, inside) => {
        const { callFrame, children = [] } = node.get(id);
        const now = inside || callFrame.functionName === name;
        if (now) within.add(id);
        for (const child of children) enter(child, now);
    };
    enter(nodes[0].id, false);
    const idle = new Set(nodes.filter(({ callFrame }) => ["(idle)", "(program)", "(root)"].includes(callFrame.functionName)).map(({ id }) => id));
    const busy = samples.filter((id) => !idle.has(id));
    return busy.filter((id) => within.has(id)).length / Math.max(1, busy.length);
}

const reason = cannotRun();
if (reason) throw new Error(reason);
console.log(`load average at the start: ${loadavg()[0].toFixed(1)}`);
report("bundle, compressed", bundleKB(), "KB", BARS.bundleKB);

const theatre = await startTheatre();
try {
    const one = (await theatre.client.createWorld({ name: "one" })).id;
    await theatre.client.command(one, { case: "spawnCharacter", value: { controller: "walk" } });
    const openings = [];
    for (let i = 0; i < OPENINGS; i++) openings.push(await opening(theatre));
    openings.sort((a, b) => a["first picture"] - b["first picture"]);
    const middle = openings[OPENINGS >> 1];
    report(`first picture, median of ${OPENINGS}`, middle["first picture"], "ms", BARS.firstPictureMs);
    console.log(`  of which ${Object.entries(middle).map(([what, ms]) => `${what} ${ms.toFixed(0)}`).join(", ")} ms`);
    await theatre.client.destroyWorld(one);

    const crowd = (await theatre.client.createWorld({ name: "crowd" })).id;
    for (let i = 0; i < count; i++) {
        const value = { controller: i % 2 ? "run" : "walk", label: `c${i}`, pos: { x: 1.5 * (i % 5), y: 1.5 * Math.floor(i / 5), z: 0 } };
        await theatre.client.command(crowd, { case: "spawnCharacter", value });
    }
    // A small picture: software drawing then leaves the page more of the machine, and scripting costs the same.
    const page = await openPage(theatre, "#/world/crowd", { width: 240, height: 200 });
    await firstPicture(page);
    await page.evaluate(() => (window.troupe.theatre.stage.quality.frame = () => false)); // all passes, however slow
    await page.waitForTimeout(3000);
    const tools = await page.context().newCDPSession(page);
    await tools.send("Performance.enable", { timeDomain: "threadTicks" });
    const look = async () => {
        const { metrics } = await tools.send("Performance.getMetrics");
        const value = (name) => metrics.find((each) => each.name === name).value;
        return { scriptS: value("ScriptDuration"), ...(await page.evaluate(() => ({ frames: window.troupe.frames, states: window.troupe.theatre.session.client.counts.states }))) };
    };
    await tools.send("Profiler.enable");
    await tools.send("Profiler.setSamplingInterval", { interval: 250 });
    await tools.send("Profiler.start");
    const before = await look();
    await page.waitForTimeout(1000 * seconds);
    const now = await look();
    const { profile } = await tools.send("Profiler.stop");
    const [frames, states] = [now.frames - before.frames, now.states - before.states];
    const scriptMs = 1000 * (now.scriptS - before.scriptS);
    const frameMs = (scriptMs * shareWithin(profile, "frame")) / frames;
    const stateMs = (scriptMs * shareWithin(profile, "take")) / states;
    const restMs = (scriptMs * (1 - shareWithin(profile, "frame") - shareWithin(profile, "take"))) / (FRAMES_PER_S * seconds);
    report(`scripting a frame, ${count} characters, 60 a second`, frameMs + (stateMs * STATES_PER_S) / FRAMES_PER_S + restMs, "ms", BARS.scriptMs);
    const drawMs = (scriptMs * shareWithin(profile, "render")) / frames;
    console.log(`  a frame ${frameMs.toFixed(2)} ms, of it ${drawMs.toFixed(2)} to hand the picture to WebGL; a state ${stateMs.toFixed(2)} ms, ${STATES_PER_S} a second; all else ${restMs.toFixed(2)} ms`);
    console.log(`  over ${frames} frames and ${states} states in ${seconds} s (software drawing sets the rate of frames)`);
} finally {
    await theatre.stop();
}

/* Pictures of every page of the viewer, at a desk's and a phone's width, in both schemes: to be looked at after a change.
 *
 *     TROUPED=build/release/server/trouped node tests/web/gallery.js [WORD ...]      WORD: only scenes whose names have it
 *
 * They are left in TROUPE_SCREENSHOTS, or build/screenshots. TROUPE_SHIPPED: another bundle of controllers, such as one with a
 * control graph. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { canvasPixels, catalogue, closePages, eventually, firstPicture, openPage, picture, pointAt, rest, shownState, startTheatre, until } from "./harness.js";

const words = process.argv.slice(2);
const SIZES = { desk: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };
const shipped = process.env.TROUPE_SHIPPED ? ["--shipped", process.env.TROUPE_SHIPPED] : [];

const theatre = await startTheatre(...shipped);
const { client } = theatre;

async function world(name, cast, def = {}) {
    const { id } = await client.createWorld({ name, ...def });
    for (const each of cast) await client.command(id, { case: "spawnCharacter", value: each });
    return id;
}

/** A page shown in all ways: scene(page) brings it to where it is worth looking at. */
async function shoot(name, address, scene, { sizes = ["desk", "phone"], schemes = ["light", "dark"] } = {}) {
    if (words.length > 0 && !words.some((word) => name.includes(word))) return;
    for (const size of sizes)
        for (const scheme of schemes) {
            const page = await openPage(theatre, typeof address === "function" ? await address() : address, { ...SIZES[size], scheme });
            const began = Date.now();
            await scene(page, `${size}-${scheme}`);
            await picture(page, `${name}-${size}-${scheme}`);
            console.log(`${name}-${size}-${scheme} ${((Date.now() - began) / 1000).toFixed(1)} s ${page.complaints.join("; ")}`);
            await closePages(theatre);
        }
}

/** Shadows and full detail whatever the time it takes, which is what a graphics card would draw. */
async function fine(page) {
    await until(page, () => window.troupe?.firstPictureMs > 0);
    await page.evaluate(() => {
        const { stage } = window.troupe.theatre;
        stage.quality.level = 0;
        stage.quality.frame = () => false;
        stage.adapt();
    });
}

try {
    const graphs = (await Promise.all((await catalogue.controllers(client)).map((each) => client.controller(each.name)))).filter((each) => each.edges.length > 0);
    const graph = graphs[0]?.summary.name;
    const cast = [
        { controller: "walk", label: "walker", pos: { x: 0, y: 0, z: 0 } },
        { controller: "run", label: "runner", pos: { x: -1, y: 1.4, z: 0 } },
        { controller: "spin-kick", label: "kicker", pos: { x: 1.5, y: -1.3, z: 0 } },
    ];
    if (graph) cast.push({ controller: graph, label: "acrobat", pos: { x: 0.6, y: 2.6, z: 0 } });

    await shoot("worlds", "#/", async (page) => page.locator(".lead", { hasText: /./ }).waitFor());
    let n = 0;
    for (const [name, ticks] of [["live", 220], ["crowd", 300]])
        await shoot(name, async () => {
            const many = Array.from({ length: 12 }, (_, i) => ({ controller: ["walk", "run", "walk-slow"][i % 3], label: `c${i + 1}`, pos: { x: 1.3 * (i % 4), y: 1.5 * Math.floor(i / 4), z: 0 } }));
            const id = await world(`${name} ${++n}`, name === "live" ? cast : many, { paused: true });
            await client.command(id, { case: "step", value: { count: ticks } });
            return `#/world/${encodeURIComponent(`${name} ${n}`)}`;
        }, async (page) => { await fine(page); await rest(page); });

    await shoot("push", async () => {
        const id = await world(`push ${++n}`, cast.slice(0, 1), { paused: true });
        await client.command(id, { case: "step", value: { count: 200 } });
        return `#/world/${encodeURIComponent(`push ${n}`)}`;
    }, async (page) => {
        await firstPicture(page);
        const { characters } = await shownState(page);
        const { x, y } = await pointAt(page, characters[0].entity, 2);
        await fine(page);
        await page.evaluate(() => window.troupe.theatre.stage.setShadows(true));
        await page.mouse.down();
        await page.mouse.move(x + 30, y - 5);
        await page.mouse.move(x + 120, y - 20, { steps: 3 });
        await page.locator(".force:not([hidden])").waitFor();
    });

    await shoot("ball", async () => {
        const id = await world(`ball ${++n}`, cast.slice(0, 1));
        return `#/world/${encodeURIComponent(`ball ${n}`)}`;
    }, async (page) => {
        await fine(page);
        const id = await page.evaluate(() => window.troupe.theatre.info.id);
        await client.command(id, { case: "pause", value: {} });
        await page.locator(".one h2").waitFor();
        await page.keyboard.press("b");
        await until(page, () => window.troupe.shown().objects.length === 1);
        await client.command(id, { case: "step", value: { count: 54 } });
        await until(page, () => window.troupe.theatre.stage.props.objects.size === 1);
        await rest(page);
    });

    await shoot("fall", async () => {
        const id = await world(`fall ${++n}`, cast);
        const { characters } = await client.state(id);
        await client.command(id, { case: "push", value: { entity: characters[0].entity, force: { y: 700 }, durationS: 0.3 } });
        return `#/world/${encodeURIComponent(`fall ${n}`)}`;
    }, async (page) => {
        await fine(page);
        const id = await page.evaluate(() => window.troupe.theatre.info.id);
        const entity = (await shownState(page)).characters[0].entity;
        await client.command(id, { case: "push", value: { entity, force: { y: 900 }, durationS: 0.3 } });
        await until(page, () => window.troupe.shown().characters[0].fallen);
    });

    await shoot("catalogue", "#/catalogue/walk", async (page) => page.locator(".strip .bar").first().waitFor());
    if (graph) {
        await shoot("catalogue-graph", `#/catalogue/${graph}`, async (page) => page.locator(".strip .bar").first().waitFor());
        await shoot("graph", async () => {
            const id = await world(`graph ${++n}`, cast.slice(3), { paused: true });
            await client.command(id, { case: "step", value: { count: 300 } });
            return `#/world/${encodeURIComponent(`graph ${n}`)}`;
        }, async (page) => { await fine(page); await page.locator(".control-graph .fragment.lit").waitFor(); await rest(page); });
    }

    const sumo = {
        rule: "sumo", timeLimitS: 20, seed: 1n, vary: { posM: 0.05, headingRad: 0.05, poseRad: 0.01, phase: true },
        parameters: [{ name: "radius_m", value: 3 }],
        teams: [
            { name: "red", members: [{ controller: "spin-kick", pos: { x: -0.7, y: 0, z: 0 } }] },
            { name: "blue", members: [{ controller: "spin-kick", pos: { x: 0.7, y: 0, z: 0 }, headingRad: Math.PI }] },
        ],
    };
    const done = async (name) => (await client.ask({ case: "getMatch", value: { name } }, "matchDetail")).info.state !== 1;
    await client.ask({ case: "startMatch", value: { match: { ...sumo, name: "sumo", bouts: 24, mode: 1 } } }, "match");
    await eventually(() => done("sumo"), "the match has ended");
    const running = async () => {
        const name = `final-${++n}`;
        await client.ask({ case: "startMatch", value: { match: { ...sumo, name, bouts: 1, mode: 2, rate: 0.25, seed: BigInt(n) } } }, "match");
        return name;
    };
    await shoot("matches", async () => { await running(); return "#/matches"; }, async (page) => page.locator(".card").nth(1).waitFor());
    await shoot("match-ended", "#/matches/sumo", async (page) => page.locator("tbody tr").nth(8).waitFor());
    await shoot("match-running", async () => `#/matches/${await running()}`, async (page) => { await fine(page); await page.locator(".arena .label").first().waitFor(); });

    await client.ask({ case: "recordBout", value: { match: "sumo", position: 3, recording: "sumo-bout-4" } }, "recording");
    await shoot("recording", "#/recordings/sumo-bout-4?at=150", async (page) => {
        await fine(page);
        await until(page, () => Number(window.troupe.shown().tick) === 150);
        await rest(page);
    });
    await shoot("recordings", "#/recordings", async (page) => page.locator("tbody tr").first().waitFor());

    await shoot("health", async () => { await world(`late ${++n}`, cast); return `#/world/${encodeURIComponent(`late ${n}`)}`; }, async (page) => {
        await fine(page);
        await page.evaluate(() => {
            const { session } = window.troupe.theatre;
            const take = session.onState;
            session.onState = (state) => take({ ...state, droppedStates: BigInt(Math.floor(performance.now() / 40)), latenessS: 0.12 });
        });
        await page.locator(".health.trouble").waitFor();
    });
    await shoot("keys", async () => `#/world/${encodeURIComponent("keys")}`, async (page) => { await page.locator("canvas").waitFor(); await page.keyboard.press("?"); await page.locator("dialog[open]").waitFor(); });
} finally {
    await theatre.stop();
}

// --- a daemon that asks for keys ---
if (words.length === 0 || words.some((word) => "login".includes(word))) {
    const dir = mkdtempSync(join(tmpdir(), "troupe-gallery-"));
    const said = spawnSync(process.env.TROUPED, ["--make-key", "anna", "--role", "player"], { encoding: "utf8" });
    writeFileSync(join(dir, "trouped.conf"), `keys = ( ${/\{ name = .*\}/.exec(said.stdout + said.stderr)[0]} );\n`);
    console.log("login: see keys.test.js");
    rmSync(dir, { recursive: true, force: true });
}

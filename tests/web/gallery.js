/* Pictures of every page of the viewer, at a desk's and a phone's width, in both schemes, to check by eye after a change.
 *
 *     TROUPED=build/release/server/trouped node tests/web/gallery.js [WORD ...]      WORD: only pictures whose names have it,
 *                                                                                    such as gaits, or live-phone-dark
 *
 * They are left in TROUPE_SCREENSHOTS, or build/screenshots. TROUPE_SHIPPED: another bundle of controllers, such as one with a
 * control graph. */
import { cannotRun, catalogue, closePages, eventually, firstPicture, makeKey, openPage, picture, pointAt, rest, shownState, startGuarded, startTheatre, until } from "./harness.js";

const SIZES = { desk: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };
const SCHEMES = ["light", "dark"];
const CAST = [
    { controller: "walk", label: "walker", pos: { x: 0, y: 0, z: 0 } },
    { controller: "run", label: "runner", pos: { x: -1, y: 1.4, z: 0 } },
    { controller: "spin-kick", label: "kicker", pos: { x: 1.5, y: -1.3, z: 0 } },
];
const SUMO = {
    rule: "sumo",
    timeLimitS: 20,
    parameters: [{ name: "radius_m", value: 3 }],
    teams: [
        { name: "red", members: [{ controller: "spin-kick", pos: { x: -0.7, y: 0, z: 0 } }] },
        { name: "blue", members: [{ controller: "spin-kick", pos: { x: 0.7, y: 0, z: 0 }, headingRad: Math.PI }] },
    ],
};
/** Waves, and a block beside them. */
const HILLS = {
    scenery: [
        { surface: { case: "heightField", value: { columns: 81, rows: 81, spacingM: 0.25, heights: Array.from({ length: 81 * 81 }, (_, k) => 0.4 - 0.3 * Math.cos((k % 81) / 9 - 40 / 9)) } } },
        { size: { x: 0.5, y: 0.5, z: 0.5 }, pos: { x: 1, y: 3, z: 0.6 } },
    ],
};
const RISING_TICKS = 900; // after a push that fells
const BODIES = ["walk", "walk-long-legs", "walk-heavy-arms"];
const HEADLESS = 1, REAL_TIME = 2, RUNNING = 1;

const words = process.argv.slice(2);
const shipped = process.env.TROUPE_SHIPPED ? ["--shipped", process.env.TROUPE_SHIPPED] : [];
let theatre, client;
let count = 0;

const wanted = (picture) => words.length === 0 || words.some((word) => picture.includes(word));
/** Some picture of the scene is wanted. */
const wantedScene = (name) => pictures(name).some(wanted);
const pictures = (name) => Object.keys(SIZES).flatMap((size) => SCHEMES.map((scheme) => `${name}-${size}-${scheme}`));

/** A new world with a cast; returns its address. ticks: steps made before it stands still. */
async function world(cast, ticks, scene) {
    const name = `gallery ${++count}`;
    const { id } = await client.createWorld({ name, paused: ticks !== undefined, scene });
    for (const each of cast) await client.command(id, { case: "spawnCharacter", value: each });
    if (ticks) await client.command(id, { case: "step", value: { count: ticks } });
    return `#/world/${encodeURIComponent(name)}`;
}

/** Pictures of one scene in all sizes and schemes. open: gives the address; bring: takes the page to where it is worth looking at. */
async function shoot(name, open, bring) {
    for (const each of pictures(name).filter(wanted)) {
        const [size, scheme] = each.split("-").slice(-2);
        const page = await openPage(theatre, await open(), { ...SIZES[size], scheme });
        await bring(page);
        await picture(page, each);
        console.log(each, ...page.complaints);
        await closePages(theatre);
    }
}

/** Shadows and full detail whatever the time it takes: what a graphics card would draw. */
async function fine(page) {
    await until(page, () => window.troupe?.firstPictureMs > 0);
    await page.evaluate(() => {
        const { stage } = window.troupe.theatre;
        stage.quality.level = 0;
        stage.quality.frame = () => false;
        stage.adapt();
    });
}

async function still(page) {
    await fine(page);
    await page.locator(".one .lit").first().waitFor({ state: "attached" });
    await rest(page);
}

const worldOf = (page) => page.evaluate(() => window.troupe.theatre.info.id);

async function dragged(page) {
    await firstPicture(page);
    const { characters } = await shownState(page);
    const { x, y } = await pointAt(page, characters[0].entity, 2);
    await fine(page);
    await page.mouse.down();
    await page.mouse.move(x + 120, y - 20, { steps: 4 });
    await page.locator(".force:not([hidden])").waitFor();
}

async function thrownAt(page) {
    await fine(page);
    await client.command(await worldOf(page), { case: "pause", value: {} });
    await page.locator(".one h2").waitFor();
    await page.keyboard.press("b");
    await until(page, () => window.troupe.theatre.stage.props.objects.size === 1);
    await client.command(await worldOf(page), { case: "step", value: { count: 50 } });
    await rest(page);
}

async function fallen(page) {
    await fine(page);
    const { entity } = (await shownState(page)).characters[0];
    await client.command(await worldOf(page), { case: "push", value: { entity, force: { y: 900 }, durationS: 0.3 } });
    await until(page, () => window.troupe.shown().characters[0].fallen);
}

/** On the floor, on the way up again. */
async function rising(page) {
    await fine(page);
    const { entity } = (await shownState(page)).characters[0];
    const world = await worldOf(page);
    await client.command(world, { case: "push", value: { entity, force: { y: 500 }, durationS: 0.3 } });
    await client.command(world, { case: "step", value: { count: RISING_TICKS } });
    await page.locator(".label", { hasText: "getting up" }).waitFor();
    await rest(page);
}

/** As if the network could not keep up. */
async function late(page) {
    await fine(page);
    await page.evaluate(() => {
        const { session } = window.troupe.theatre;
        const take = session.onState;
        session.onState = (state) => take({ ...state, droppedStates: BigInt(Math.floor(performance.now() / 40)), latenessS: 0.12 });
    });
    await page.locator(".health.trouble").waitFor();
}

async function worldScenes(graph) {
    const acrobat = graph ? [{ controller: graph, label: "acrobat", pos: { x: 0.6, y: 2.6, z: 0 } }] : [];
    const crowd = Array.from({ length: 12 }, (_, i) => ({ controller: ["walk", "run", "walk-slow"][i % 3], label: `c${i + 1}`, pos: { x: 1.3 * (i % 4), y: 1.5 * Math.floor(i / 4), z: 0 } }));
    await shoot("worlds", () => "", async (page) => {
        await page.locator(".frieze.drawn").waitFor();
        await page.waitForTimeout(600); // it fades in
    });
    await shoot("matches-empty", () => "#/matches", (page) => page.locator(".match-form").waitFor());
    await shoot("trainings-empty", () => "#/trainings", (page) => page.locator(".lead", { hasText: "trainings" }).waitFor());
    await shoot("live", () => world([...CAST, ...acrobat], 220), still);
    await shoot("crowd", () => world(crowd, 300), still);
    if (graph) await shoot("graph", () => world(acrobat, 300), still);
    await shoot("puppet", () => world([{ controller: "walker", label: "puppet", pos: { x: 0, y: 0, z: 0 } }], 300), async (page) => {
        await fine(page);
        await page.locator(".latent-map .here[visibility=visible]").waitFor({ state: "attached" });
        await client.command(await worldOf(page), { case: "step", value: { count: 60 } });
        await rest(page);
    });
    await shoot("hills", () => world(CAST.slice(0, 2).map((each) => ({ ...each, pos: { ...each.pos, z: 0.11 } })), 150, HILLS), still);
    await shoot("push", () => world(CAST.slice(0, 1), 200), dragged);
    await shoot("ball", () => world(CAST.slice(0, 1)), thrownAt);
    await shoot("fall", () => world(CAST), fallen);
    await shoot("rising", () => world([{ controller: "hero", label: "ada", pos: { x: 0, y: 0, z: 0 } }], 200), rising);
    await shoot("bodies", () => world(BODIES.map((controller, i) => ({ controller, label: controller, pos: { x: 1.4 * i, y: 0.8 * i, z: 0 } })), 200), still);
    await shoot("health", () => world(CAST), late);
    await shoot("keys", () => world(CAST, 0), async (page) => {
        await page.locator("canvas").waitFor();
        await page.keyboard.press("?");
        await page.locator("dialog[open]").waitFor();
    });
}

async function catalogueScenes(graph) {
    const drawn = (page) => page.locator(".strip .bar").first().waitFor({ state: "attached" });
    await shoot("catalogue", () => "#/catalogue/walk", drawn);
    if (graph) await shoot("catalogue-graph", () => `#/catalogue/${graph}`, drawn);
    await shoot("catalogue-hero", () => "#/catalogue/hero", drawn);
}

async function fight(name, bouts, mode, rate) {
    const match = { ...SUMO, name, bouts, mode, rate, seed: BigInt(++count) };
    await client.ask({ case: "startMatch", value: { match } }, "match");
    return `#/matches/${name}`;
}

async function matchScenes() {
    if (!["match-ended", "match-running", "matches", "recording", "recordings"].some(wantedScene)) return;
    await fight("sumo", 24, HEADLESS);
    await eventually(async () => (await client.ask({ case: "getMatch", value: { name: "sumo" } }, "matchDetail")).info.state !== RUNNING, "the match has ended");
    await client.ask({ case: "recordBout", value: { match: "sumo", position: 3, recording: "sumo-bout-4" } }, "recording");
    await shoot("match-ended", () => "#/matches/sumo", (page) => page.getByRole("button", { name: "Replay bout 9" }).waitFor());
    await shoot("match-running", () => fight(`final-${count}`, 1, REAL_TIME, 0.1), async (page) => {
        await fine(page);
        await page.locator(".arena .label").nth(1).waitFor();
    });
    await shoot("matches", () => "#/matches", (page) => page.locator(".card").nth(1).waitFor());
    await shoot("recording", () => "#/recordings/sumo-bout-4?at=150", async (page) => {
        await fine(page);
        await until(page, () => Number(window.troupe.shown().tick) === 150);
        await rest(page);
    });
    await shoot("recordings", () => "#/recordings", (page) => page.locator("tbody tr").first().waitFor());
}

async function during(starting, scenes) {
    theatre = await starting;
    client = theatre.client;
    try {
        await scenes();
    } finally {
        await theatre.stop();
    }
}

const reason = cannotRun();
if (reason) throw new Error(reason);
await during(startTheatre(...shipped), async () => {
    const details = await Promise.all((await catalogue.controllers(client)).map((each) => client.controller(each.name)));
    const graphs = details.filter((each) => each.edges.length > 0).sort((a, b) => b.skills.length - a.skills.length);
    const graph = graphs[0]?.summary.name;
    await worldScenes(graph);
    await catalogueScenes(graph);
    await matchScenes();
});
if (wantedScene("login")) {
    const { key, line } = makeKey("anna", "director");
    await during(startGuarded(`keys = ( ${line} );\n`, key), () => shoot("login", () => "", (page) => page.locator("dialog.login[open]").waitFor()));
}

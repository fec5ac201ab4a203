/* A world's page: skills by buttons, the camera's views, plots, pictures and videos. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, afterEach, before, describe, test } from "node:test";
import { assertSilent, cannotRun, closePages, eventually, firstPicture, openPage, picture, shownState, startTheatre, until as untilIn } from "./harness.js";

const WEIGHT_N = 62 * 9.81;
const NEAR_RAD = 0.15;
const PNG = [0x89, 0x50, 0x4e, 0x47], EBML = [0x1a, 0x45, 0xdf, 0xa3];

const angleBetween = (a, b) => Math.abs(Math.atan2(Math.sin(a - b), Math.cos(a - b)));

describe("a world's page", { skip: cannotRun() }, () => {
    let theatre, page, worlds = 0, world;

    before(async () => (theatre = await startTheatre()));
    after(() => theatre?.stop());
    afterEach(() => closePages(theatre));

    const until = (what, argument) => untilIn(page, what, argument);

    async function open(controllers, { paused = false, ticks = 0, scene, heightM = 0, ...options } = {}) {
        const name = `world${++worlds}`;
        world = (await theatre.client.createWorld({ name, paused, scene })).id;
        for (const [i, controller] of controllers.entries())
            await theatre.client.command(world, { case: "spawnCharacter", value: { controller, label: controller, pos: { x: 0, y: 2 * i, z: heightM }, headingRad: 0.4 } });
        if (ticks) await theatre.client.command(world, { case: "step", value: { count: ticks } });
        page = await openPage(theatre, `#/world/${name}`, options);
        await firstPicture(page);
    }

    test("a skill's button steers: the way is named, the skill is reached, and the character stays up", async () => {
        await open(["gaits"]);
        await page.locator(".skills [data-name=walk].now").waitFor();
        const rate = (rate) => theatre.client.command(world, { case: "setRate", value: { rate } });
        await rate(0.05); // it is on its way for as long as a slow page takes to say so
        await page.locator(".skills [data-name=run]").click();
        await page.locator(".going", { hasText: "On its way to run" }).waitFor();
        await rate(1);
        assert.equal(await page.locator(".skills [data-name=run]").getAttribute("aria-pressed"), "true");
        await page.locator(".skills [data-name=run].now").waitFor();
        assert.equal(await page.locator(".going").isVisible(), false);
        const [{ controller, fallen }] = (await shownState(page)).characters;
        assert.deepEqual([controller, fallen], ["gaits", false]);
        assertSilent(page);
    });

    test("a controller of one skill has no skill buttons", async () => {
        await open(["walk"], { paused: true, ticks: 20 });
        await page.locator(".one .fragment.lit").waitFor();
        assert.equal(await page.locator(".skills").isVisible(), false);
    });

    test("what drives a character is named, and its parameters are set by sliders", async () => {
        await open(["walk"], { width: 1000, height: 700 });
        await page.locator(".one .now .kind", { hasText: /^chain$/ }).waitFor();
        await page.locator(".one .now .text", { hasText: "walk" }).waitFor();
        const phase = () => page.locator(".one .now progress").evaluate(({ value }) => value);
        const before = await phase();
        await eventually(async () => (await phase()) !== before, "the phase advances");
        await page.locator(".parameters > summary").click();
        await page.locator(".parameters details summary", { hasText: "action_offset" }).click();
        await page.locator(".parameters", { hasText: "-10 rad to 10 rad" }).waitFor();
        const slider = page.getByRole("slider", { name: "action_offset 1", exact: true });
        await picture(page, "parameters");
        await slider.fill("5");
        assert.equal(await page.locator(".parameters label", { has: slider }).locator("output").textContent(), "5 rad");
        await until(() => window.troupe.shown().characters[0].fallen); // so much upsets any walk
        await page.locator(".parameters").getByRole("button", { name: "Reset" }).click();
        assert.equal(await slider.inputValue(), "0");
        assertSilent(page);
    });

    test("the ring, the camera and a tap are on what the character stands on", async () => {
        const block = { size: { x: 30, y: 30, z: 1 }, pos: { x: 0, y: 0, z: 1 } };
        await open(["stand"], { paused: true, ticks: 2, scene: { scenery: [block] }, heightM: 2 });
        await until(() => Math.abs(window.troupe.theatre.stage.ring.position.z - 2) < 0.02 && Math.abs(window.troupe.theatre.stage.orbit.target.z - 2.9) < 0.2);
        const { x, y, z } = await page.evaluate(() => window.troupe.theatre.stage.onGround(0, -0.5));
        assert.ok(Math.abs(z - 2) < 1e-6 && Math.hypot(x, y) < 30, `${x} ${y} ${z}`);
        assertSilent(page);
    });

    test("the camera takes its views of the selected character, and gives them up when it is turned by hand", async () => {
        await open(["walk", "walk"], { paused: true, ticks: 20 });
        const camera = () => page.evaluate(() => {
            const { orbit } = window.troupe.theatre.stage;
            const [w, x, y, z] = window.troupe.theatre.drawn.rot;
            return { azimuth: orbit.azimuth, elevation: orbit.elevation, heading: Math.atan2(2 * (x * y + w * z), 1 - 2 * (y * y + z * z)) };
        });
        for (const [name, from] of [["From behind", Math.PI], ["From the side", -Math.PI / 2], ["From the front", 0]]) {
            await page.getByRole("button", { name }).click();
            await eventually(async () => {
                const { azimuth, heading } = await camera();
                return angleBetween(azimuth, heading + from) < NEAR_RAD;
            }, name);
        }
        await page.getByRole("button", { name: "From above" }).click();
        await until(() => window.troupe.theatre.stage.orbit.elevation > 1.4);
        await page.getByRole("button", { name: "From behind" }).click();
        await page.keyboard.press("q");
        assert.equal(await page.getByRole("button", { name: "From behind" }).getAttribute("aria-pressed"), "false");
    });

    test("the view of everybody has everybody in the picture", async () => {
        await open(["run", "walk", "run", "walk"], { paused: true, ticks: 900 });
        await page.keyboard.press("z");
        await until(() => {
            const { stage, canvas } = window.troupe.theatre;
            const all = [...stage.cast.drawn.values()];
            return all.length === 4 && all.every(({ pos, top }) => [top, top.clone().set(pos[0], pos[1], 0)].every((point) => {
                const at = point.clone();
                return stage.project(at, canvas.clientWidth, canvas.clientHeight, at) && at.x > 0 && at.x < canvas.clientWidth && at.y > 0 && at.y < canvas.clientHeight;
            }));
        });
    });

    test("plots show the numbers that the state has", async () => {
        await open(["stand"]);
        await page.locator(".plots summary").click();
        const value = async (name) => Number.parseFloat(await page.locator(".plots figure", { hasText: name }).locator("output").textContent());
        await eventually(async () => (await value("height")) > 0.8 && (await value("speed")) < 0.1);
        await eventually(async () => Math.abs((await value("contact force")) - WEIGHT_N) < 0.2 * WEIGHT_N, "it bears its weight");
        await eventually(async () => (await value("joint torque")) > 1, "its servos act");
        await until(() => document.querySelector(".plots .line").getAttribute("points").split(" ").length > 20);
    });

    test("a picture is saved twice as fine as the page, and a video as long as it is on", async () => {
        await open(["walk"]);
        const saved = async (act) => {
            const [download] = await Promise.all([page.waitForEvent("download"), act()]);
            return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
        };
        const picture = await saved(() => page.getByRole("button", { name: "Save a picture" }).click());
        assert.match(picture.name, /^world\d+-\d+\.\d\ds\.png$/);
        assert.deepEqual([...picture.bytes.subarray(0, 4)], PNG);
        const { width } = await page.locator(".theatre canvas").boundingBox();
        assert.equal(picture.bytes.readUInt32BE(16), 2 * width);
        await page.getByRole("button", { name: "Make a video" }).click();
        await page.locator(".capture [aria-pressed=true]").waitFor();
        const from = await page.evaluate(() => window.troupe.frames);
        await until((from) => window.troupe.frames > from + 20, from);
        const video = await saved(() => page.getByRole("button", { name: "End the video" }).click());
        assert.match(video.name, /\.webm$/);
        assert.deepEqual([...video.bytes.subarray(0, 4)], EBML);
        assert.ok(video.bytes.length > 5000, `${video.bytes.length} bytes`);
        assertSilent(page);
    });

    test("numbers of the picture are hidden until they are requested", async () => {
        await open(["stand"]);
        assert.equal(await page.locator(".health", { hasText: "frames/s" }).isVisible(), false);
        await page.keyboard.press("o");
        await page.locator(".health", { hasText: /\d+ frames\/s · \d+ states\/s/ }).waitFor();
    });

    test("the shapes that are simulated are shown instead of bodies, and back", async () => {
        await open(["stand"], { paused: true, ticks: 20 });
        const drawn = () => page.evaluate(() => [...window.troupe.theatre.stage.cast.models.values()].map(({ troop, shapes }) => [troop.object.visible, shapes?.meshes[0].visible ?? false])[0]);
        await page.keyboard.press("m");
        await eventually(async () => alike(await drawn(), [false, true]));
        await page.keyboard.press("m");
        await eventually(async () => alike(await drawn(), [true, false]));
    });
});

function alike(a, b) {
    return a.every((each, i) => each === b[i]);
}

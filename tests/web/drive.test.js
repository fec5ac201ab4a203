/* Steering in a real browser: keys, a game pad and fingers, by where the character then goes. */
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { assertSilent, cannotRun, closePages, eventually, firstPicture, openPage, startTheatre, until as untilIn } from "./harness.js";

const NEAR_RAD = 0.25;

/** A pad of the standard mapping, whose sticks and buttons the test moves: window.pad. */
function plugPad() {
    window.pad = { connected: true, mapping: "standard", axes: [0, 0, 0, 0], buttons: Array.from({ length: 17 }, () => ({ pressed: false })) };
    navigator.getGamepads = () => [window.pad];
}

const angleBetween = (a, b) => Math.abs(Math.atan2(Math.sin(a - b), Math.cos(a - b)));

describe("driving", { skip: cannotRun() }, () => {
    let theatre, page, worlds = 0, world;

    before(async () => {
        theatre = await startTheatre();
    });
    after(() => theatre?.stop());
    afterEach(() => closePages(theatre));

    const until = (what, argument) => untilIn(page, what, argument);

    /** A world with a walker, selected. */
    async function open(options, controller = "walk") {
        const name = `drive${++worlds}`;
        world = (await theatre.client.createWorld({ name })).id;
        await theatre.client.command(world, { case: "spawnCharacter", value: { controller, label: "walker" } });
        page = await openPage(theatre, `#/world/${name}`, options);
        await firstPicture(page);
        await page.locator(".cast button").first().click();
    }

    async function place() {
        return (await theatre.client.state(world)).characters[0].rootPos;
    }

    /** Where it has gone in a second, about a cycle: a walk sways. */
    async function course() {
        const from = await place();
        await sleep(1000);
        const to = await place();
        return Math.atan2(to[1] - from[1], to[0] - from[0]);
    }

    /** Until it goes away from the camera; it set off elsewhere. */
    async function goesAway() {
        const wanted = await page.evaluate(() => window.troupe.theatre.stage.orbit.headingAway);
        assert.ok(angleBetween(await course(), wanted) > 4 * NEAR_RAD, `it goes there already: ${wanted}`);
        await eventually(async () => angleBetween(await course(), wanted) < NEAR_RAD, `a course of ${wanted} rad`);
    }

    test("an arrow held steers that way in the picture", async () => {
        await open();
        await page.keyboard.down("ArrowUp");
        await goesAway();
        await page.keyboard.up("ArrowUp");
        assertSilent(page);
    });

    test("a game pad steers, looks around, throws and pauses", async () => {
        await open({ init: plugPad });
        await page.evaluate(() => (window.pad.axes[1] = -1));
        await goesAway();
        const azimuth = await page.evaluate(() => window.troupe.theatre.stage.orbit.azimuth);
        await page.evaluate(() => (window.pad.axes = [0.1, 0.1, 1, 0])); // the left stick within its dead zone
        await until((from) => window.troupe.theatre.stage.orbit.azimuth < from - 0.2, azimuth);
        await page.evaluate(() => (window.pad.axes = [0, 0, 0, 0]));
        await page.evaluate(() => (window.pad.buttons[0].pressed = true));
        await until(() => window.troupe.shown().objects.length === 1);
        await page.evaluate(() => (window.pad.buttons[9].pressed = true));
        await eventually(async () => (await theatre.client.world(world)).paused);
        assert.equal((await theatre.client.state(world)).objects.length, 1); // held down, a button acts once
        assertSilent(page);
    });

    test("a tap on the ground is walked to; two fingers zoom", async () => {
        await open({ touch: true });
        const { x, y, width, height } = await page.locator(".theatre canvas").boundingBox();
        await page.touchscreen.tap(x + 0.7 * width, y + 0.3 * height);
        await until(() => window.troupe.theatre.stage.goal.visible);
        const goal = await page.evaluate(() => window.troupe.theatre.stage.goal.position.toArray());
        await eventually(async () => {
            const [x, y] = await place();
            return angleBetween(await course(), Math.atan2(goal[1] - y, goal[0] - x)) < NEAR_RAD;
        }, "a course to the tapped point");
        const distance = await page.evaluate(() => window.troupe.theatre.stage.orbit.distance);
        const hands = await page.context().newCDPSession(page);
        const touch = (type, ...xs) =>
            hands.send("Input.dispatchTouchEvent", { type, touchPoints: xs.map((at, id) => ({ x: x + at * width, y: y + 0.25 * height, id })) });
        await touch("touchStart", 0.45);
        await touch("touchStart", 0.45, 0.55);
        await touch("touchMove", 0.3, 0.7);
        await touch("touchEnd");
        await until((from) => window.troupe.theatre.stage.orbit.distance < 0.6 * from, distance);
        assertSilent(page);
    });

    test("a point dragged on a puppet's map takes the body along, and lets it go", async () => {
        await open({}, "hound");
        await page.locator(".latent-map .here[visibility=visible]").waitFor({ state: "attached" });
        await page.locator(".latent-map").scrollIntoViewIfNeeded();
        const box = await page.locator(".latent-map").boundingBox();
        const [x, y] = [box.x + 0.35 * box.width, box.y + 0.6 * box.height];
        const distance = async () => {
            const here = await page.locator(".latent-map .here").boundingBox();
            return Math.hypot(here.x + here.width / 2 - x, here.y + here.height / 2 - y);
        };
        await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
        await page.mouse.down();
        await page.mouse.move(x, y, { steps: 4 });
        await eventually(async () => (await distance()) < 2, "the dot is where the pointer is");
        const from = await place();
        await sleep(500);
        const to = await place();
        assert.ok(Math.hypot(to[0] - from[0], to[1] - from[1]) < 0.02, "it stands while it is held");
        await page.mouse.up();
        await eventually(async () => (await distance()) > 5, "the policy moves the point again");
        assertSilent(page);
    });
});

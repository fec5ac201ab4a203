/* The viewer in a real browser against the real daemon: seen, moving, driven. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { assertSilent, canvasPixels, cannotRun, eventually, firstPicture, openPage, picture, pointAt, rest, shownState, startTheatre, until as untilIn } from "./harness.js";

describe("the viewer", { skip: cannotRun() }, () => {
    let theatre, world, page;

    before(async () => {
        theatre = await startTheatre();
        world = (await theatre.client.createWorld({ name: "arena" })).id;
        await theatre.client.command(world, { case: "spawnCharacter", value: { controller: "walk", label: "walker" } });
        page = await openPage(theatre, "#/world/arena");
        await firstPicture(page);
    });
    after(() => theatre?.stop());

    const until = (what, argument) => untilIn(page, what, argument);

    test("shows a character that moves, in state and pixels", async () => {
        const before = await shownState(page);
        const pixels = await canvasPixels(page);
        await until((x) => window.troupe.shown().characters[0].rootPos[0] > x + 0.5, before.characters[0].rootPos[0]);
        assert.equal((await canvasPixels(page)).equals(pixels), false);
        assert.equal(before.characters[0].label, "walker");
        await picture(page, "live");
        assertSilent(page);
    });

    test("names it, and the controller and fragment in progress", async () => {
        assert.match(await page.locator(".label").first().textContent(), /^walkerwalk \d+\/\d+/);
        await page.locator(".one .fragment.lit").waitFor();
        const { fragments } = await theatre.client.controller("walk");
        assert.equal(await page.locator(".one .fragment").count(), fragments.length);
        await page.keyboard.press("n");
        await page.locator(".labels").waitFor({ state: "hidden" });
        await page.keyboard.press("n");
    });

    test("space pauses and resumes, the full stop steps; paused, the picture stands still", async () => {
        await page.keyboard.press(" ");
        await page.locator("button[aria-label='Resume']").waitFor();
        await rest(page);
        const { tick } = await shownState(page);
        const paused = await theatre.client.world(world);
        await page.keyboard.press(".");
        await eventually(async () => (await theatre.client.world(world)).tick !== paused.tick);
        assert.equal((await theatre.client.world(world)).tick, paused.tick + 1n);
        await page.keyboard.press(" ");
        await until((from) => Number(window.troupe.shown().tick) > from + 20, tick);
    });

    test("slows and restarts", async () => {
        await page.locator("select[aria-label=Speed]").selectOption("0.5");
        await eventually(async () => (await theatre.client.world(world)).rate === 0.5);
        const { epoch } = await shownState(page);
        await page.locator("button[aria-label=Restart]").click();
        await until((from) => window.troupe.shown().epoch > from, epoch);
        await page.locator("select[aria-label=Speed]").selectOption("1");
    });

    test("adds a character by the form, replaces its controller behind a warning, removes it", async () => {
        await page.locator("select[aria-label=Controller]").selectOption("run");
        await page.locator("input[aria-label=Name]").fill("runner");
        await page.getByRole("button", { name: "Add" }).click();
        await until(() => window.troupe.shown().characters.some((each) => each.label === "runner" && each.controller === "run"));
        await page.locator(".one h2", { hasText: "runner" }).waitFor();
        await page.getByLabel("More").click();
        await page.getByRole("button", { name: "Replace controller" }).click();
        await page.locator("dialog[open] p", { hasText: "falls" }).waitFor();
        await page.getByLabel("New controller").selectOption("walk");
        await page.getByRole("button", { name: "Replace", exact: true }).click();
        await until(() => window.troupe.shown().characters.find((each) => each.label === "runner").controller === "walk");
        await page.getByLabel("More").click();
        await page.getByRole("button", { name: "Remove" }).click();
        await until(() => window.troupe.shown().characters.length === 1);
    });

    test("a drag that rests keeps pushing the walker until it is let go", async () => {
        await theatre.client.command(world, { case: "pause", value: {} });
        const { characters } = await shownState(page);
        const { x, y } = await pointAt(page, characters[0].entity, 2);
        await page.mouse.down();
        await page.mouse.move(x + 10, y);
        await page.mouse.move(x + 14, y);
        await page.locator(".force", { hasText: /N on walker’s .*, for 0\.2 s/ }).waitFor();
        await theatre.client.command(world, { case: "resume", value: {} });
        await page.locator(".force", { hasText: /N on walker’s .*, until you let go/ }).waitFor();
        await until(() => window.troupe.shown().pushes.length > 0);
        await page.mouse.up();
        await page.locator(".force").waitFor({ state: "hidden" });
        await until(() => window.troupe.shown().pushes.length === 0);
    });

    test("dragging a body pushes it: an arrow, a push in the state, a fall in the list of events", async () => {
        const { epoch } = await shownState(page);
        await page.keyboard.press("r");
        await until((from) => window.troupe.shown().epoch > from, epoch);
        await theatre.client.command(world, { case: "pause", value: {} });
        await page.locator(".cast button").first().click();
        const { characters } = await shownState(page);
        const { x, y } = await pointAt(page, characters[0].entity, 2);
        await page.mouse.down();
        await page.mouse.move(x + 40, y - 5);
        await page.mouse.move(x + 420, y - 10, { steps: 3 }); // the largest force, which no walker survives
        await page.locator(".force:not([hidden])").waitFor();
        assert.match(await page.locator(".force").textContent(), /^\d+ N on walker’s [a-z ]+, for 0\.2 s$/);
        await picture(page, "push");
        await page.mouse.up();
        const line = page.locator(".feed li.fell", { hasText: "walker fell" }).first().waitFor(); // it goes after 7 s
        await theatre.client.command(world, { case: "resume", value: {} });
        await until(() => window.troupe.shown().characters[0].fallen);
        await line;
        assert.equal((await theatre.client.state(world)).characters[0].fallen, true);
        await picture(page, "fallen");
        assertSilent(page);
    });

    test("throws a ball, which is drawn by its own shape", async () => {
        await page.locator(".cast button").first().click();
        await page.getByRole("button", { name: "Throw ball" }).click();
        await until(() => window.troupe.shown().objects.length === 1);
        await until(() => window.troupe.theatre.stage.props.group.children.some((group) => group.children[0]?.geometry?.type === "SphereGeometry"));
        await picture(page, "ball");
    });

    test("names do not lie over each other", async () => {
        await page.close(); // it would draw all the while
        const crowd = (await theatre.client.createWorld({ name: "queue", paused: true })).id;
        for (let i = 0; i < 5; i++)
            await theatre.client.command(crowd, { case: "spawnCharacter", value: { controller: "walk", label: `number ${i}`, pos: { x: -0.5 * i, y: 0.9 * i, z: 0 } } });
        const queue = await openPage(theatre, "#/world/queue");
        await firstPicture(queue);
        await untilIn(queue, () => {
            const boxes = [...document.querySelectorAll(".label")].map((each) => each.getBoundingClientRect());
            const apart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
            return boxes.length === 5 && boxes.every((a, i) => boxes.every((b, k) => i === k || apart(a, b)));
        });
        await picture(queue, "names");
        await queue.close();
    });

    test("says that a world is gone", async () => {
        const other = await theatre.client.createWorld({ name: "brief" });
        const brief = await openPage(theatre, "#/world/brief");
        await brief.locator(".status.link-live").waitFor();
        await untilIn(brief, () => window.troupe.shown() !== undefined); // it is subscribed to
        await theatre.client.destroyWorld(other.id);
        await brief.locator(".missing", { hasText: "gone" }).waitFor();
        await brief.close();
    });
});

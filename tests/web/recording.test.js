/* Recordings: made by a button, played again, scrubbed, linked to a tick. */
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { assertSilent, cannotRun, closePages, eventually, firstPicture, openPage, picture, shownState, startTheatre, until } from "./harness.js";

describe("recordings", { skip: cannotRun() }, () => {
    let theatre, world;

    before(async () => {
        theatre = await startTheatre();
        world = (await theatre.client.createWorld({ name: "studio", paused: true })).id;
        await theatre.client.command(world, { case: "spawnCharacter", value: { controller: "run", label: "runner" } });
    });
    after(() => theatre?.stop());
    afterEach(() => closePages(theatre));

    async function recorded() {
        const { recordings } = await theatre.client.ask({ case: "listRecordings", value: {} }, "recordingList");
        return recordings[0];
    }

    test("the record button begins and ends one", async () => {
        const page = await openPage(theatre, "#/world/studio");
        await firstPicture(page);
        await page.getByRole("button", { name: "Record", exact: true }).click();
        await page.locator(".record[aria-pressed=true]").waitFor();
        const entity = (await shownState(page)).characters[0].entity;
        await theatre.client.command(world, { case: "step", value: { count: 400 } });
        await theatre.client.command(world, { case: "push", value: { entity, force: { x: 0, y: 1500, z: 0 }, durationS: 0.2 } });
        await theatre.client.command(world, { case: "step", value: { count: 400 } });
        await page.getByRole("button", { name: /^End the recording/ }).click();
        await page.locator(".record[aria-pressed=false]").waitFor();
        assert.equal((await recorded()).length, 800n);
        assertSilent(page);
        await page.close();
    });

    test("it is listed, opened, scrubbed along its events, and linked to a tick", async () => {
        const page = await openPage(theatre, "#/recordings", { width: 1000, height: 640 });
        const { name } = await recorded();
        await page.getByRole("link", { name }).waitFor();
        await page.goto(`${theatre.url}#/recordings/${name}?at=1`);
        await firstPicture(page);
        await page.locator(".mark.fell").first().waitFor({ state: "attached" });
        const line = page.getByLabel("Position in the recording");
        await line.fill("700");
        await until(page, () => Number(window.troupe.shown().tick) === 700);
        assert.equal((await shownState(page)).characters[0].fallen, true);
        await picture(page, "recording-fallen");
        await line.fill("300");
        await until(page, () => Number(window.troupe.shown().tick) === 300);
        assert.equal((await shownState(page)).characters[0].fallen, false);
        assert.equal(await page.locator(".feed li", { hasText: /snapshot|fell/ }).count(), 0); // those lines were of another time
        await picture(page, "recording");
        assert.match(page.url(), /\?at=300$/);
        await page.evaluate(() => document.activeElement.blur()); // a key typed into a field is the field's
        await page.keyboard.press(">");
        await until(page, () => Number(window.troupe.shown().tick) === 400); // the push
        await page.keyboard.press("?");
        await page.locator("dialog[open] dd", { hasText: "previous event, next event" }).waitFor();
        assert.equal(await page.locator("dialog[open] dd", { hasText: "throw" }).count(), 0);
        await page.keyboard.press("Escape");
        assertSilent(page);
        await page.close();

        const other = await openPage(theatre, `#/recordings/${name}?at=650`);
        await firstPicture(other);
        await until(other, () => Number(window.troupe.shown().tick) === 650);
        await other.getByRole("button", { name: "Verify" }).click();
        await other.locator(".verdict", { hasText: "verified to the bit" }).waitFor();
        await other.close();
    });

    test("leaving a replay ends its world", async () => {
        const page = await openPage(theatre, `#/recordings/${(await recorded()).name}`);
        await firstPicture(page);
        await page.goto(`${theatre.url}#/`);
        await eventually(async () => (await theatre.client.worlds()).length === 1);
        assert.deepEqual((await theatre.client.worlds()).map((each) => each.name), ["studio"]);
        await page.close();
    });
});

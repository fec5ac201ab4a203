/* A daemon that asks for keys, in the browser: the dialog, the roles, and what is refused. */
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { assertSilent, cannotRun, closePages, firstPicture, makeKey, openPage, picture, pointAt, shownState, startGuarded, until } from "./harness.js";

describe("keys", { skip: cannotRun() }, () => {
    const keys = {};
    let theatre, world;

    before(async () => {
        for (const role of ["spectator", "player", "director"]) keys[role] = makeKey(role, role);
        const lines = Object.values(keys).map((each) => each.line);
        theatre = await startGuarded(`keys = ( ${lines.join(", ")} );\n`, keys.director.key);
        world = (await theatre.client.createWorld({ name: "guarded" })).id;
        await theatre.client.command(world, { case: "spawnCharacter", value: { controller: "walk", label: "walker" } });
    });
    after(() => theatre?.stop());
    afterEach(() => closePages(theatre));

    async function enter(page, key) {
        await page.getByLabel("Key", { exact: true }).and(page.locator("input")).fill(key);
        await page.getByRole("button", { name: "Enter" }).click();
    }

    async function openAs(role) {
        const page = await openPage(theatre, "#/world/guarded");
        await enter(page, keys[role].key);
        await firstPicture(page);
        return page;
    }

    /** Pushes the walker as a hand would, in a world that stands still. */
    async function pushByHand(page) {
        await theatre.client.command(world, { case: "pause", value: {} });
        const [walker] = (await shownState(page)).characters;
        const { x, y } = await pointAt(page, walker.entity, 2);
        await page.mouse.down();
        await page.mouse.move(x + 100, y, { steps: 3 });
        await page.mouse.up();
    }

    test("the dialog asks, says why a key is refused, and comes back when it was closed", async () => {
        const page = await openPage(theatre, "");
        await page.locator("dialog.login[open]").waitFor();
        await picture(page, "login");
        await page.keyboard.press("Escape");
        await page.getByRole("button", { name: "locked" }).click();
        await enter(page, "no key at all");
        await page.locator("dialog.login .quiet", { hasText: "not a key" }).waitFor();
        await enter(page, makeKey("director", "director").key);
        await page.locator("dialog.login .quiet", { hasText: /key/ }).waitFor();
        await page.locator(".status.link-locked").waitFor();
        assert.equal(await page.locator("dialog[open]").count(), 1);
    });

    test("a right key opens it, drives, and lasts as long as the tab", async () => {
        const page = await openAs("director");
        await page.locator(".status", { hasText: "connected as director" }).waitFor();
        await pushByHand(page);
        await until(page, () => window.troupe.shown().pushes.length === 1);
        await page.reload();
        await firstPicture(page);
        assert.equal(await page.locator("dialog").count(), 0);
        assertSilent(page);
    });

    for (const [role, why] of [["spectator", /spectator/], ["player", /not one of your characters/]])
        test(`a ${role} sees, and may not push, with a message`, async () => {
            await theatre.client.command(world, { case: "reset", value: {} });
            const page = await openAs(role);
            await page.locator(".status", { hasText: `connected as ${role}` }).waitFor();
            await pushByHand(page);
            await page.locator(".toast.error", { hasText: why }).waitFor();
            assert.equal((await theatre.client.state(world, 128)).pushes.length, 0);
            await picture(page, `refused-${role}`);
        });

    test("the key outlives a lost connection", async () => {
        const page = await openAs("director");
        await page.evaluate(() => {
            window.lost = window.troupe.theatre.session.client;
            window.lost.transport.close();
        });
        await until(page, () => ![undefined, window.lost].includes(window.troupe.theatre.session.client));
        await page.locator(".status", { hasText: "connected as director" }).waitFor();
        assert.equal(await page.locator("dialog").count(), 0);
    });
});

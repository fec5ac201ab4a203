/* Matches: listed, watched while they are fought, and their bouts seen again. */
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { assertSilent, cannotRun, closePages, eventually, firstPicture, openPage, picture, startTheatre, until } from "./harness.js";

const HEADLESS = 1, REAL_TIME = 2;

describe("matches", { skip: cannotRun() }, () => {
    let theatre;

    before(async () => (theatre = await startTheatre()));
    after(() => theatre?.stop());
    afterEach(() => closePages(theatre));

    /** Two runners who run into each other. */
    async function fight(name, mode, bouts, rate) {
        const members = (x, headingRad, ...y) => [0, ...y].map((each) => ({ controller: "run", pos: { x, y: each, z: 0 }, headingRad }));
        const teams = [{ name: "red", members: members(-5, 0, ...(mode === REAL_TIME ? [3] : [])) }, { name: "blue", members: members(5, Math.PI) }];
        const match = { name, teams, rule: "collide", seed: 1n, timeLimitS: 60, bouts, mode, rate };
        await theatre.client.ask({ case: "startMatch", value: { match } }, "match");
    }

    test("one that is fought in a world is watched on its page, and can be ended there", async () => {
        const page = await openPage(theatre, "#/matches");
        await page.locator(".lead", { hasText: "No match" }).waitFor();
        await fight("final", REAL_TIME, 1, 0.02);
        await page.locator(".card", { hasText: "final" }).click();
        await firstPicture(page);
        await page.locator(".arena .label", { hasText: "red 1" }).waitFor();
        await page.locator(".arena .label", { hasText: "blue 1" }).waitFor();
        const colorOf = (label) => page.locator(".arena .label", { hasText: label }).locator("i").evaluate((mark) => mark.style.background);
        assert.equal(await colorOf("red 2"), await colorOf("red 1"));
        assert.notEqual(await colorOf("blue 1"), await colorOf("red 1"));
        await picture(page, "match-running");
        await page.getByRole("button", { name: "Cancel" }).click();
        await page.locator("main p", { hasText: "cancelled" }).waitFor();
        assertSilent(page);
    });

    test("one is started by the form: a rule, teams, and many bouts", async () => {
        const page = await openPage(theatre, "#/matches");
        await page.getByLabel("Rule").selectOption("collide");
        await page.getByLabel("Bouts").selectOption("10");
        await page.getByRole("button", { name: "Add a team" }).click();
        await page.getByLabel("Controller of green").selectOption("walk");
        await page.getByLabel("Characters of green").selectOption("2");
        await page.getByLabel("Counted after the first touch").fill("1.5");
        await page.getByRole("button", { name: "Start the match" }).click();
        await page.waitForURL(/#\/matches\/collide$/);
        await page.getByRole("button", { name: "Replay bout 10" }).waitFor();
        const { match } = await theatre.client.ask({ case: "getMatch", value: { name: "collide" } }, "matchDetail");
        assert.deepEqual(match.teams.map(({ name, members }) => [name, members.map(({ controller }) => controller)]), [["red", ["run"]], ["blue", ["run"]], ["green", ["walk", "walk"]]]);
        assert.deepEqual(match.parameters.map(({ name, value }) => [name, value]), [["settle_s", 1.5]]);
        await page.goto(`${theatre.url}#/matches`);
        await page.getByLabel("Rule").selectOption("collide");
        await page.getByRole("button", { name: "Start the match" }).click();
        await page.waitForURL(/#\/matches\/collide%202$/); // the name was taken
        await page.getByRole("button", { name: "Cancel" }).click();
        assertSilent(page);
    });

    test("a bout of one that has ended is replayed, with its falls on the timeline", async () => {
        await fight("batch", HEADLESS, 6);
        const page = await openPage(theatre, "#/matches/batch");
        await eventually(async () => (await page.getByRole("button", { name: /^Replay bout/ }).count()) === 6, "six bouts are listed");
        await picture(page, "match-ended");
        await page.getByRole("button", { name: "Replay bout 3" }).click();
        await firstPicture(page);
        assert.match(page.url(), /#\/recordings\/batch-bout-3/);
        await page.locator(".mark.fell").first().waitFor({ state: "attached" });
        await until(page, () => window.troupe.shown().characters.length === 2);
        assertSilent(page);
    });

    test("a bout replayed once is taken as it was recorded", async () => {
        const page = await openPage(theatre, "#/matches/batch");
        await page.getByRole("button", { name: "Replay bout 3" }).click();
        await page.locator(".timeline").waitFor();
        assert.equal(await page.locator(".toast.error").count(), 0);
    });
});

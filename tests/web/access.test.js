/* Every page, in both schemes and at both widths, by the rules of axe-core. */
import { after, afterEach, before, describe, test } from "node:test";
import { assertAccessible } from "./access.js";
import { cannotRun, closePages, eventually, firstPicture, openPage, startTheatre } from "./harness.js";

const DESK = { width: 1200, height: 760 }, PHONE = { width: 390, height: 844 };
const RUNNING = 1;

describe("accessibility", { skip: cannotRun() }, () => {
    let theatre;

    before(async () => {
        theatre = await startTheatre();
        const { client } = theatre;
        const { id } = await client.createWorld({ name: "stage", paused: true });
        await client.command(id, { case: "spawnCharacter", value: { controller: "walk", label: "walker" } });
        await client.command(id, { case: "startRecording", value: { name: "steps" } });
        await client.command(id, { case: "step", value: { count: 100 } });
        await client.command(id, { case: "stopRecording", value: {} });
        const members = (x, headingRad) => [{ controller: "run", pos: { x, y: 0, z: 0 }, headingRad }];
        const teams = [{ name: "red", members: members(-2, 0) }, { name: "blue", members: members(2, Math.PI) }];
        await client.ask({ case: "startMatch", value: { match: { name: "batch", teams, rule: "collide", seed: 1n, timeLimitS: 10, bouts: 4 } } }, "match");
        await eventually(async () => (await client.ask({ case: "getMatch", value: { name: "batch" } }, "matchDetail")).info.state !== RUNNING);
    });
    after(() => theatre?.stop());
    afterEach(() => closePages(theatre));

    const PAGES = [
        ["the first page", "#/", (page) => page.locator(".card").waitFor()],
        ["a world", "#/world/stage", firstPicture],
        ["the catalogue", "#/catalogue/walk", (page) => page.locator(".strip .bar").first().waitFor()],
        ["the matches", "#/matches", (page) => page.locator(".team-name").first().waitFor()],
        ["a match", "#/matches/batch", (page) => page.getByRole("button", { name: "Replay bout 4" }).waitFor()],
        ["the recordings", "#/recordings", (page) => page.getByRole("link", { name: "steps" }).waitFor()],
        ["a recording", "#/recordings/steps?at=50", firstPicture],
    ];
    for (const [name, address, ready] of PAGES)
        for (const [size, scheme] of [[DESK, "light"], [PHONE, "dark"]])
            test(`${name} passes, ${size.width} pixels wide and ${scheme}`, async () => {
                const page = await openPage(theatre, address, { ...size, scheme });
                await ready(page);
                await assertAccessible(page, name);
            });

    test("an open world with its menus and dialogs passes", async () => {
        const page = await openPage(theatre, "#/world/stage", DESK);
        await firstPicture(page);
        await page.getByText("Show", { exact: true }).click();
        await page.getByText("Plots").click();
        await assertAccessible(page, "menus");
        await page.keyboard.press("?");
        await page.locator("dialog[open]").waitFor();
        await assertAccessible(page, "keys");
    });
});

/* The other pages, at a desk's and a phone's width, in both schemes. */
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { assertSilent, cannotRun, closePages, firstPicture, openPage, picture, startTheatre, until } from "./harness.js";

describe("pages", { skip: cannotRun() }, () => {
    let theatre;

    before(async () => {
        theatre = await startTheatre();
        const world = (await theatre.client.createWorld({ name: "stage" })).id;
        for (const [i, controller] of ["walk", "run"].entries())
            await theatre.client.command(world, { case: "spawnCharacter", value: { controller, label: controller, pos: { x: 0, y: 2 * i, z: 0 } } });
    });
    after(() => theatre?.stop());
    afterEach(() => closePages(theatre));

    test("worlds are listed, and one is made by the form", async () => {
        const page = await openPage(theatre, "", { width: 1100, height: 700 });
        await page.locator(".card", { hasText: "stage" }).waitFor();
        await page.getByLabel("Name of the world").fill("made here");
        await page.getByRole("button", { name: "Create" }).click();
        await page.waitForURL(/#\/world\/made%20here$/);
        assert.ok((await theatre.client.worlds()).some((world) => world.name === "made here"));
        await page.goto(`${theatre.url}#/`);
        await page.locator(".card", { hasText: "made here" }).waitFor();
        await picture(page, "worlds");
        assertSilent(page);
        await page.close();
    });

    test("the example is one click", async () => {
        const page = await openPage(theatre, "");
        await page.locator(".card").first().waitFor();
        await page.getByRole("button", { name: "A walker and a runner" }).click();
        await firstPicture(page);
        await until(page, () => window.troupe.shown().characters.length === 2);
        await page.close();
    });

    test("the catalogue shows controllers with fragments and lineage", async () => {
        const page = await openPage(theatre, "#/catalogue/run", { width: 1100, height: 800 });
        await page.locator(".strip .bar").first().waitFor();
        const detail = await theatre.client.controller("run");
        assert.equal(await page.locator(".strip .bar").count(), detail.fragments.length);
        assert.ok((await page.locator(".graph .node").count()) >= 3);
        await page.locator(".entry[href='#/catalogue/walk']").click();
        await page.locator(".detail h2", { hasText: /^walk$/ }).waitFor();
        await picture(page, "catalogue");
        assertSilent(page);
        await page.close();
    });

    test("a control graph is seen live, and goes to the skill that is asked for", async () => {
        const page = await openPage(theatre, "#/catalogue/gaits", { width: 1100, height: 800 });
        const { skills } = await theatre.client.controller("gaits");
        const run = skills.find((each) => each.name === "run");
        await page.getByRole("button", { name: "See it live" }).click();
        await firstPicture(page);
        const within = ([first, count]) => {
            const at = window.troupe.shown().characters[0].fragment;
            return at >= first && at < first + count;
        };
        const { firstFragment, fragmentCount } = run;
        assert.equal(await page.evaluate(within, [firstFragment, fragmentCount]), false);
        await page.getByRole("group", { name: "Skill to go to" }).getByRole("button", { name: "run", exact: true }).click();
        await until(page, within, [firstFragment, fragmentCount]);
        await picture(page, "graph-live");
        assertSilent(page);
        await page.close();
    });

    for (const [scheme, address, content] of [["dark", "#/world/stage", ".one"], ["light", "#/catalogue/run", ".strip .bar"], ["dark", "#/", ".card"]])
        test(`at a phone's width nothing sticks out: ${scheme} ${address}`, async () => {
            const page = await openPage(theatre, address, { width: 390, height: 844, scheme });
            await page.locator(".status.link-live").waitFor({ state: "attached" });
            if (address.includes("world")) await firstPicture(page);
            await page.locator(content).first().waitFor({ state: "attached" });
            assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth && document.querySelector(".place").scrollWidth <= innerWidth));
            await picture(page, `phone-${scheme}-${address.replace(/\W+/g, "-")}`);
            await page.close();
        });

    test("the keyboard reaches every control, and the focus is seen", async () => {
        const page = await openPage(theatre, "#/world/stage");
        await firstPicture(page);
        const reached = new Set();
        for (let i = 0; i < 40; i++) {
            await page.keyboard.press("Tab");
            reached.add(await page.evaluate(() => document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent));
        }
        for (const name of ["Pause", "Restart", "Speed", "Keys", "Spawn", "Throw ball", "Catalogue"]) assert.ok(reached.has(name), `${name} of ${[...reached]}`);
        await page.evaluate(() => document.activeElement.blur()); // a key typed into a field is the field's
        await page.keyboard.press("?");
        await page.locator("dialog[open]").waitFor();
        await picture(page, "keys");
        await page.keyboard.press("Escape");
        assert.equal(await page.locator("dialog[open]").count(), 0);
        await page.close();
    });

    test("text is readable: contrast of at least 4.5 in both schemes", async () => {
        for (const scheme of ["light", "dark"]) {
            const page = await openPage(theatre, "#/", { scheme });
            await page.locator(".top").waitFor(); // drawn by the script, after the style sheet
            const worst = await page.evaluate(() => {
                const probe = document.body.appendChild(document.createElement("i"));
                const luminance = (name) => {
                    probe.style.color = `var(--${name})`;
                    const [r, g, b] = getComputedStyle(probe).color.match(/[\d.]+/g).map((v) => (v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
                    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
                };
                const contrast = (a, b) => (Math.max(luminance(a), luminance(b)) + 0.05) / (Math.min(luminance(a), luminance(b)) + 0.05);
                const pairs = [["ink", "paper"], ["ink", "panel"], ["ink", "raised"], ["soft", "paper"], ["soft", "panel"], ["accent", "panel"], ["accent", "accent-soft"], ["on-accent", "accent"], ["bad", "panel"], ["good", "panel"]];
                return pairs.map(([a, b]) => [contrast(a, b), `${a} on ${b}`]).sort((x, y) => x[0] - y[0])[0];
            });
            assert.ok(worst[0] >= 4.5, `${scheme}: ${worst[1]} has ${worst[0].toFixed(2)}`);
            await page.close();
        }
    });
});

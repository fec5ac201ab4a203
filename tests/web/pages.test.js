/* The other pages, at a desk's and a phone's width, in both schemes. */
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { assertSilent, cannotRun, catalogue, closePages, firstPicture, openPage, picture, shownState, startTheatre, until } from "./harness.js";
import { source } from "./source.js";

describe("pages", { skip: cannotRun() }, () => {
    let theatre, skillGraphOf, versatile;

    before(async () => {
        ({ skillGraphOf } = await source("state/skill_graph.ts"));
        const { firstController } = await source("state/choice.ts");
        theatre = await startTheatre();
        versatile = firstController(await catalogue.controllers(theatre.client)).name;
        const world = (await theatre.client.createWorld({ name: "stage" })).id;
        for (const [i, controller] of ["walk", "run"].entries())
            await theatre.client.command(world, { case: "spawnCharacter", value: { controller, label: controller, pos: { x: 0, y: 2 * i, z: 0 } } });
    });
    after(() => theatre?.stop());
    afterEach(() => closePages(theatre));

    test("worlds are listed, and one is made by the form", async () => {
        const page = await openPage(theatre, "", { width: 1100, height: 700 });
        await page.locator(".card", { hasText: "stage" }).waitFor();
        await page.getByText("Create an empty world").click();
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

    test("a newcomer reads what this is, and has a world by one click: followed, with things to try", async () => {
        const page = await openPage(theatre, "");
        await page.locator(".lead", { hasText: "Push them" }).waitFor();
        await page.locator(".frieze.drawn").waitFor();
        await page.getByRole("button", { name: "Start" }).click();
        await firstPicture(page);
        const { characters } = await shownState(page);
        assert.deepEqual(characters.map(({ controller }) => controller), [versatile]);
        assert.equal(await page.getByRole("button", { name: "Follow" }).getAttribute("aria-pressed"), "true");
        assert.equal(await page.locator(".hints li").count(), 3);
        await page.getByRole("button", { name: "Push", exact: true }).click();
        await page.locator(".hints li.done", { hasText: "Push" }).waitFor();
        await page.keyboard.press("1");
        await page.locator(".hints li.done", { hasText: "skill" }).waitFor();
        await page.getByLabel("Close the hints").click();
        await page.reload();
        await firstPicture(page);
        assert.equal(await page.locator(".hints").isVisible(), false);
        assertSilent(page);
    });

    test("without WebGL a world's page says why it shows nothing", async () => {
        const page = await openPage(theatre, "#/world/stage", { init: withoutWebGL });
        await page.locator(".lead", { hasText: "switch WebGL on" }).waitFor();
    });

    test("the catalogue shows controllers with fragments and lineage", async () => {
        const page = await openPage(theatre, "#/catalogue/run", { width: 1100, height: 800 });
        await page.locator(".strip .bar").first().waitFor();
        assert.equal(await page.locator(".entry").count(), (await catalogue.controllers(theatre.client)).length);
        assert.equal(await page.locator(".tabs [aria-current=page]").textContent(), "Catalogue");
        const detail = await theatre.client.controller("run");
        assert.equal(await page.locator(".strip .bar").count(), detail.fragments.length);
        assert.ok((await page.locator(".graph .node").count()) >= 3);
        await page.locator(".entry[href='#/catalogue/kick']").click();
        await page.locator(".detail h2", { hasText: /^kick$/ }).waitFor(); // before, the curves are those of the run
        await page.locator(".curve", { hasText: "push survived in 95 % of the trials" }).waitFor();
        const run = await theatre.client.ask({ case: "getRun", value: { name: (await theatre.client.controller("kick")).summary.run } }, "run");
        assert.equal(await page.locator(".curve").count(), run.metrics.filter(({ value }) => value.length > 1).length);
        const push = run.metrics.find(({ name }) => name === "push95_n");
        assert.equal(await page.locator(".curve", { hasText: "push survived" }).locator("output").textContent(), `${push.value.at(-1)} N`);
        assert.equal(await page.locator(".entry[href='#/catalogue/steady'] .quiet").textContent(), "scheduler");
        await page.locator(".entry[href='#/catalogue/walk']").click();
        await page.locator(".detail h2", { hasText: /^walk$/ }).waitFor();
        await picture(page, "catalogue");
        assertSilent(page);
        await page.close();
    });

    test("the catalogue opens at its top, with the last controller in sight in the list", async () => {
        for (const [width, height] of [[1100, 800], [390, 844]]) {
            const page = await openPage(theatre, "#/catalogue/walk-slow", { width, height });
            await page.locator(".detail h2", { hasText: "walk-slow" }).waitFor();
            await page.locator(".lineage").waitFor();
            assert.equal(await page.evaluate(() => document.querySelector(".place").scrollTop), 0);
            const [entry, list] = [await page.locator(".entry[aria-current]").boundingBox(), await page.locator(".entries").boundingBox()];
            assert.ok(entry.y >= list.y && entry.y + entry.height <= list.y + list.height && entry.x >= list.x, JSON.stringify({ entry, list }));
            await page.close();
        }
    });

    test("the catalogue shows what a control graph holds in each skill, and in random walks", async () => {
        const page = await openPage(theatre, "#/catalogue/gaits", { width: 1100, height: 800 });
        const rows = page.locator(".of-skill");
        const { skills } = await theatre.client.controller("gaits");
        const measured = [];
        for (const skill of ["*", ...skills.map(({ name }) => name)])
            await theatre.client.ask({ case: "getCertificate", value: { controller: "gaits", skill } }, "certificate").then((each) => measured.push(each), () => {});
        assert.ok(measured.length > 1);
        await rows.nth(measured.length - 1).waitFor();
        const walks = measured[0].figures.find(({ quantity }) => quantity === "walks_upright").value;
        assert.ok((await rows.first().locator("> summary").textContent()).startsWith(`random walks ${walks} of `));
        assert.deepEqual((await rows.locator("> summary strong").allTextContents()).slice(1).sort(), measured.slice(1).map(({ skill }) => skill).sort());
        await rows.nth(1).locator("> summary").click();
        await rows.nth(1).locator(".certificate .polar").waitFor();
        await rows.first().scrollIntoViewIfNeeded();
        await picture(page, "certificates");
        assertSilent(page);
    });

    test("a control graph is seen live, and goes to the requested skill", async () => {
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
        await page.getByRole("group", { name: "Skills" }).getByRole("button", { name: "run", exact: true }).click();
        await until(page, within, [firstFragment, fragmentCount]);
        await picture(page, "graph-live");
        assertSilent(page);
        await page.close();
    });

    test("a control graph is drawn whole at a phone's width: every skill, no two in one place, every way", async () => {
        const page = await openPage(theatre, "#/catalogue/riser" /* a former name of hero */, { width: 390, height: 844 });
        await page.locator(".control-graph .skill").first().waitFor();
        const detail = await theatre.client.controller("hero");
        const { nodes, ways } = skillGraphOf(detail);
        const { pills, drawn, width } = await page.evaluate(() => ({
            pills: [...document.querySelectorAll(".control-graph .pill")].map((each) => each.getBoundingClientRect().toJSON()),
            drawn: [...document.querySelectorAll(".control-graph .way")].reduce((sum, each) => sum + Number(each.dataset.ways), 0),
            width: document.querySelector(".control-graph").width.baseVal.value,
        }));
        assert.ok(width <= 390);
        assert.equal(pills.length, nodes.length);
        for (const [i, a] of pills.entries()) for (const b of pills.slice(i + 1)) assert.ok(a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top);
        assert.equal(drawn, ways.length);
        await page.locator(".entry[aria-current]", { hasText: "control graph" }).waitFor();
        await picture(page, "graph-phone");
        assertSilent(page);
    });

    test("a character that gets up is labelled so, with the fragment, and the events say when it stands", async () => {
        const world = (await theatre.client.createWorld({ name: "floor", paused: true })).id;
        const order = (command, value) => theatre.client.command(world, { case: command, value });
        const { entity } = await order("spawnCharacter", { controller: "hero", label: "ada" });
        await order("step", { count: 200 });
        await order("push", { entity, force: { y: 500 }, durationS: 0.3 });
        await order("step", { count: 800 }); // it falls, lies still, and is on its way up
        const page = await openPage(theatre, "#/world/floor");
        await firstPicture(page);
        await page.locator(".label .detail", { hasText: /^getting up \d+\/\d+$/ }).waitFor();
        await page.locator(".control-graph .skill.lit", { hasText: "rise-prone" }).waitFor({ state: "attached" });
        await order("resume", {});
        await page.locator(".feed li", { hasText: "ada got up" }).waitFor();
        await page.locator(".label .detail", { hasText: /^hero: [a-z-]+/ }).waitFor();
        assert.equal(await page.getByRole("group", { name: "Skills" }).getByRole("button", { name: "rise-prone" }).count(), 0);
        assertSilent(page);
    });

    test("a world without ground is drawn without one", async () => {
        const { id } = await theatre.client.createWorld({ name: "nowhere", paused: true, scene: { noGround: true } });
        await theatre.client.command(id, { case: "spawnCharacter", value: { controller: "walk" } });
        const page = await openPage(theatre, "#/world/nowhere");
        await firstPicture(page);
        await until(page, () => window.troupe.theatre.stage.ground.group.visible === false);
        await picture(page, "no-ground");
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
        const most = await page.locator("a, button, input, select, summary, [tabindex]").count();
        for (let i = 0; i < most; i++) {
            await page.keyboard.press("Tab");
            reached.add(await page.evaluate(() => document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent));
        }
        for (const name of ["Pause", "Restart", "Speed", "Keys", "Add", "Throw ball", "Catalogue", "Follow", "From behind", "Save a picture"]) assert.ok(reached.has(name), `${name} of ${[...reached]}`);
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
                const pairs = [["ink", "paper"], ["ink", "panel"], ["ink", "raised"], ["soft", "paper"], ["soft", "panel"], ["soft", "raised"], ["soft", "accent-soft"], ["accent", "panel"], ["accent", "accent-soft"], ["on-accent", "accent"], ["bad", "panel"], ["good", "panel"]];
                return pairs.map(([a, b]) => [contrast(a, b), `${a} on ${b}`]).sort((x, y) => x[0] - y[0])[0];
            });
            assert.ok(worst[0] >= 4.5, `${scheme}: ${worst[1]} has ${worst[0].toFixed(2)}`);
            await page.close();
        }
    });

    test("a bundle that is chosen, even before the connection, or dropped on the catalogue is there at once", { skip: !process.env.TROUPE_PUPPETS }, async () => {
        const page = await openPage(theatre, "#/catalogue/walk", { width: 1100, height: 800, init: lateConnection });
        await page.locator("[aria-label='Bundle file']").setInputFiles(process.env.TROUPE_PUPPETS);
        await page.locator(".entry[href='#/catalogue/sway']").waitFor();
        const entries = await page.locator(".entry").count();
        assert.equal(entries, (await catalogue.controllers(theatre.client)).length);
        await page.evaluate(() => {
            const data = new DataTransfer();
            data.items.add(new File(["no bundle"], "broken.troupe"));
            document.querySelector("main").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
        });
        await page.locator(".toast").first().waitFor();
        assert.equal(await page.locator(".entry").count(), entries);
        await page.close();
    });
});

/** In the page: its first message goes out when the bundle has been chosen. */
function lateConnection() {
    const send = WebSocket.prototype.send;
    let chosen = false;
    WebSocket.prototype.send = function (data) {
        chosen ||= document.querySelector("[aria-label='Bundle file']")?.files.length > 0;
        if (chosen) send.call(this, data);
        else setTimeout(() => this.send(data), 20);
    };
}

/** In the page: a browser that draws on canvases, but not in 3D. */
function withoutWebGL() {
    const draw = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
        return kind.startsWith("webgl") ? null : draw.call(this, kind, ...rest);
    };
}

/* Every control on every shipped controller, in a real browser: what the viewer shows works, and what does not work it does not show. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { assertSilent, cannotRun, catalogue, firstPicture, openPage, startTheatre, until } from "./harness.js";

describe("controls", { skip: cannotRun() }, () => {
    let theatre, page, world;

    before(async () => {
        theatre = await startTheatre();
        world = (await theatre.client.createWorld({ name: "controls" })).id;
        await theatre.client.command(world, { case: "spawnCharacter", value: { controller: "walk", label: "first" } });
        page = await openPage(theatre, "#/world/controls", { width: 1000, height: 800 });
        await firstPicture(page);
    });
    after(() => theatre?.stop());

    const toasts = () => page.locator(".toast.error").allInnerTexts();

    /** The only character, driven by a controller, and selected. */
    async function stage(controller) {
        for (const { entity } of (await theatre.client.state(world)).characters) await theatre.client.command(world, { case: "despawn", value: { entity } });
        const { entity } = await theatre.client.command(world, { case: "spawnCharacter", value: { controller, label: controller } });
        await until(page, (entity) => window.troupe.theatre.selected === entity, entity);
        await until(page, (name) => document.querySelector(".one h2")?.textContent === name, controller);
        return entity;
    }

    /** Does the daemon take it? */
    async function takes(value) {
        try {
            await theatre.client.command(world, { case: "steer", value });
            return true;
        } catch {
            return false;
        }
    }

    test("only what works is shown, and all that is shown works", async () => {
        const all = await catalogue.controllers(theatre.client);
        assert.ok(all.length > 10, `${all.length} controllers`);
        for (const { name } of all) {
            const { reach, skills } = await theatre.client.controller(name);
            const entity = await stage(name);
            await until(page, (fastest) => document.querySelector(".speed").hidden === (fastest === 0), reach.fastestMS);
            await until(page, (pushable) => [...document.querySelectorAll(".commands .row > button")].every(({ hidden }) => hidden !== pushable), !reach.kinematic);
            assert.equal(await takes({ entity, aim: { case: "headingRad", value: 1 } }), reach.heading, `${name}: heading`);
            assert.equal(await takes({ entity, aim: { case: "target", value: { x: 1, y: 1, z: 0 } } }), reach.place, `${name}: place`);
            assert.equal(await takes({ entity, aim: { case: undefined }, speed: reach.fastestMS || 1 }), reach.fastestMS > 0, `${name}: speed`);
            for (const skill of skills.filter(({ onRequest }) => onRequest)) assert.ok(await takes({ entity, aim: { case: undefined }, skill: skill.name }), `${name}: ${skill.name}`);
            await until(page, ([heading, place]) => {
                const hint = document.querySelector(".commands .hint").innerText; // the last controller's, for a moment
                return /steer it|turn it/.test(hint) === heading && /tap on the ground/.test(hint) === place;
            }, [reach.heading, reach.place]);
            if (reach.fastestMS > 0) {
                await page.locator(".speed input").press("End");
                await until(page, () => document.querySelector(".speed output").textContent.endsWith("m/s"));
            }
            if (!reach.kinematic) await page.getByRole("button", { name: "Push", exact: true }).click();
            await page.keyboard.press("ArrowUp");
            for (const chip of (await page.locator(".skills .chip").all()).slice(0, 3)) await chip.click();
            await sleep(50);
            assert.deepEqual(await toasts(), [], name);
        }
        assertSilent(page);
    });
});

/* Trainings: started by the form, watched while they run, and stopped. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { assertAccessible } from "./access.js";
import { assertSilent, cannotRun, closePages, openPage, picture, startGuarded } from "./harness.js";

/** Prints two rounds and waits to be stopped; a training with the name "cut" is killed. */
const PROGRAM = `#!/bin/sh
case "$*" in *"--name cut "*) touch training.checkpoint; kill -9 $$;; esac
trap 'exit 0' INT
echo "guide         1  cost 0.5  rollbacks 0  push95_n 60  core_s 2  | 25 %, 9 s left"
echo "guide         2  cost 0.4  rollbacks 0  push95_n 80  kept 1  core_s 4  best  | 50 %, 6 s left"
while :; do sleep 0.1; done
`;

describe("trainings", { skip: cannotRun() }, () => {
    let theatre, folder;

    before(async () => {
        folder = mkdtempSync(join(process.env.TMPDIR ?? "/tmp", "troupe-training-"));
        mkdirSync(join(folder, "clips"));
        for (const name of ["Jog 1.bvh", "turn.bvh"]) writeFileSync(join(folder, "clips", name), "HIERARCHY\n");
        writeFileSync(join(folder, "program"), PROGRAM);
        chmodSync(join(folder, "program"), 0o755);
        theatre = await startGuarded(`training = { clips = "${folder}/clips"; program = "${folder}/program"; };`);
    });
    after(async () => {
        await theatre?.stop();
        rmSync(folder, { recursive: true, force: true });
    });
    afterEach(() => closePages(theatre));

    test("one is started by the form, watched, and stopped", async () => {
        const page = await openPage(theatre, "#/trainings");
        await page.locator(".lead", { hasText: "No training" }).waitFor();
        assert.equal(await page.getByLabel("Name").inputValue(), "jog-1");
        await page.getByLabel("Clip").selectOption("turn.bvh");
        assert.equal(await page.getByLabel("Name").inputValue(), "turn");
        await page.getByLabel("Effort").selectOption("quick");
        await page.getByRole("button", { name: "Start the training" }).click();
        await page.locator(".training .curve", { hasText: "push survived" }).waitFor();
        const { trainings } = await theatre.client.ask({ case: "listTrainings", value: {} }, "trainingList");
        assert.deepEqual(trainings.map(({ name, clip, effort }) => [name, clip, effort]), [["turn", "turn.bvh", "quick"]]);
        await picture(page, "training-running");
        await assertAccessible(page, "trainings");
        await page.getByRole("button", { name: "Start the training" }).click();
        await page.locator(".toast.error", { hasText: "it runs already" }).waitFor();
        await page.getByRole("button", { name: "Stop turn" }).click();
        await page.locator(".training", { hasText: "turn.bvh · quick · stopped" }).waitFor();
        assert.equal(await page.getByRole("button", { name: "Stop turn" }).count(), 0);
        assertSilent(page);
    });

    test("an interrupted one is continued or ended", async () => {
        const page = await openPage(theatre, "#/trainings");
        await page.getByLabel("Clip").selectOption("turn.bvh");
        await page.getByLabel("Name").fill("cut");
        await page.getByRole("button", { name: "Start the training" }).click();
        await page.locator(".training", { hasText: "turn.bvh · normal · interrupted" }).waitFor();
        await picture(page, "training-interrupted");
        await assertAccessible(page, "an interrupted training");
        await page.getByRole("button", { name: "Continue cut" }).click();
        await page.locator(".training", { hasText: "interrupted" }).waitFor();
        await page.getByRole("button", { name: "End cut" }).click();
        await page.locator(".training", { hasText: "turn.bvh · normal · stopped" }).waitFor();
        assertSilent(page);
    });

    test("what was learned is added to a graph of its model by a command that the page shows", { skip: !process.env.TROUPE_TRAIN && "TROUPE_TRAIN is not set" }, async () => {
        const train = (...words) => execFileSync(process.env.TROUPE_TRAIN, words, { cwd: folder });
        train("bundle", "import", process.env.TROUPE_SHIPPED, "--catalogue", "all.db");
        train("graph", "take", "hero", "--catalogue", "all.db", "--skill", "walk", "--as", "stride");
        train("bundle", "export", "all.db", "stride", "-o", "stride.troupe");
        const page = await openPage(theatre, "#/catalogue");
        await page.getByLabel("Bundle file").setInputFiles(join(folder, "stride.troupe"));
        await page.getByRole("link", { name: "stride" }).click();
        await page.getByRole("button", { name: "Add to hero" }).click();
        await page.locator("dialog[open] code", { hasText: /^controllers\/recipes\/add-skill\.sh STATE\/catalogue\.sqlite stride hero$/ }).waitFor();
        await picture(page, "training-add");
        await assertAccessible(page, "a command for a shell");
        await page.getByRole("button", { name: "Close" }).click();
        await page.goto(`${theatre.url}#/catalogue/walk`); // of another model, and shipped
        await page.locator(".detail h2", { hasText: /^walk$/ }).waitFor();
        assert.equal(await page.getByRole("button", { name: /^Add to/ }).count(), 0);
        assertSilent(page);
    });

    test("on a phone it fits", async () => {
        const page = await openPage(theatre, "#/trainings", { width: 360, height: 740 });
        await page.getByLabel("Clip").waitFor();
        await picture(page, "training-phone");
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    });

    test("a daemon without trainings says so, and offers no form", async () => {
        const other = await startGuarded("training = { limit = 0; };");
        try {
            const page = await openPage(other, "#/trainings");
            await page.locator(".lead", { hasText: "makes no trainings" }).waitFor();
            assert.equal(await page.getByRole("button", { name: "Start the training" }).isVisible(), false);
        } finally {
            await other.stop();
        }
    });
});

/* Accessibility, by the rules of axe-core: what a page breaks. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const viewer = createRequire(fileURLToPath(new URL("../../client/web/package.json", import.meta.url)));
const axe = readFileSync(viewer.resolve("axe-core/axe.min.js"), "utf8");

export async function assertAccessible(page, name) {
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
    const found = violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.slice(0, 3).map((node) => node.target.join(" ")).join("; ")}`);
    assert.deepEqual(found, [], name);
}

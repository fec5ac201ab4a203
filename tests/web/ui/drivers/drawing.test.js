/* Which drawing a controller has. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { source } from "../../source.js";

describe("a controller is drawn", () => {
    let kindOf, barLengths, feltBar, feltWords;

    before(async () => {
        ({ kindOf } = await source("ui/drivers/drawing.ts"));
        ({ barLengths } = await source("ui/drivers/scheduler.ts"));
        ({ feltBar, feltWords } = await source("ui/drivers/gait.ts"));
    });

    const titleOf = (fragments, edges) => kindOf({ fragments, edges }).title;

    test("as a graph, where ways lead between its skills", () => assert.match(titleOf([{}, {}], [{}]), /ways between/));
    test("as its control fragments, where it has nothing else", () => assert.equal(titleOf([{}, {}], []), "Control fragments"));
    test("with what it weighs, where it is a scheduler of a graph or of a chain", () => {
        const titles = [[{}], []].map((edges) => kindOf({ fragments: [{}, {}], edges, summary: { kind: "scheduler" } }).title);
        for (const title of titles) assert.match(title, /scheduler/);
    });

    test("with bars from the lowest value to the highest", () => {
        assert.deepEqual(barLengths([]), []);
        assert.deepEqual(barLengths([7, 7]), [1, 1]);
        const [best, middle, lowest] = barLengths([60, 50, 40]);
        assert.equal(best, 1);
        assert.ok(lowest > 0 && Math.abs(middle - (best + lowest) / 2) < 1e-9);
    });

    test("with the force that it feels, where it is a gait", () => {
        assert.match(kindOf({ fragments: [{}], edges: [], summary: { kind: "gait" } }).title, /feels/);
        assert.deepEqual(feltBar(50, [-100, 100]), { left: 0.5, width: 0.25 });
        assert.deepEqual(feltBar(-300, [-100, 100]), { left: 0, width: 0.5 });
        assert.equal(feltWords(-84.2, 0.3), "84 N from the front");
        assert.equal(feltWords(10, -20), "10 N from behind, 20 N to the right");
        assert.equal(feltWords(0, 0), "no force");
    });

    test("by a sentence, where it is of another kind", () => assert.equal(titleOf([], []), "Controller"));
});

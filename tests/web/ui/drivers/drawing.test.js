/* Which drawing a controller has. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { source } from "../../source.js";

describe("a controller is drawn", () => {
    let kindOf, barLengths, feltBar, feltWords, valueName, valueWords, threadsOf, layOut;

    before(async () => {
        ({ kindOf } = await source("ui/drivers/drawing.ts"));
        ({ barLengths } = await source("ui/drivers/choices.ts"));
        ({ feltBar, feltWords } = await source("ui/drivers/force.ts"));
        ({ valueName, valueWords } = await source("ui/drivers/values.ts"));
        ({ threadsOf, layOut } = await source("ui/drivers/map.ts"));
    });

    const titleOf = (fragments, edges) => kindOf({ fragments, edges }).title;

    test("as a graph, where ways lead between its skills", () => assert.match(titleOf([{}, {}], [{}]), /ways between/));
    test("as its control fragments, where it has nothing else", () => assert.equal(titleOf([{}, {}], []), "Control fragments"));
    test("by what it describes, whatever the name of its kind", () => {
        for (const kind of ["scheduler", "gait", "toy", ""]) {
            assert.match(kindOf({ fragments: [{}, {}], edges: [{}], summary: { kind } }).title, /ways between/);
            assert.equal(kindOf({ fragments: [], edges: [], summary: { kind } }).title, "Controller");
        }
    });

    test("with bars from the lowest value to the highest", () => {
        assert.deepEqual(barLengths([]), []);
        assert.deepEqual(barLengths([7, 7]), [1, 1]);
        const [best, middle, lowest] = barLengths([60, 50, 40]);
        assert.equal(best, 1);
        assert.ok(lowest > 0 && Math.abs(middle - (best + lowest) / 2) < 1e-9);
    });

    test("with the force that it feels, on the span that it learned", () => {
        assert.deepEqual(feltBar(50, [-100, 100]), { left: 0.5, width: 0.25 });
        assert.deepEqual(feltBar(-300, [-100, 100]), { left: 0, width: 0.5 });
        assert.equal(feltWords(-84.2, 0.3), "84 N from the front");
        assert.equal(feltWords(10, -20), "10 N from behind, 20 N to the right");
        assert.equal(feltWords(0, 0), "no force");
    });

    test("with the values that its kind shows, in words", () => {
        assert.equal(valueName({ name: "board_tilt" }), "board tilt");
        assert.equal(valueWords({ value: [0.250001], unit: "" }), "0.25");
        assert.equal(valueWords({ value: [-12.345, 0], unit: "deg" }), "-12.3, 0 deg");
    });

    test("as the map of its space, where it has one", () => {
        const at = (x, y, begins = false) => ({ at: { x, y, z: 0 }, begins, mirrored: false });
        const map = [at(-1, 0, true), at(3, 1), at(0, -1, true), at(1, 1), at(2, 0)];
        assert.match(kindOf({ fragments: [], edges: [], map }).title, /latent space/);
        assert.deepEqual(threadsOf(map).map((each) => each.length), [2, 3]);
        assert.deepEqual(threadsOf([at(0, 0)]).length, 1);
        const { toPicture, toMap } = layOut(map, 120, 70);
        assert.deepEqual(toPicture(1, 0), [60, 35]);
        assert.deepEqual(toPicture(3, 1), [110, 10]);
        assert.deepEqual(toMap(110, 10), [3, 1]);
        assert.deepEqual(layOut([at(2, 2), at(2, 2)], 120, 70).toPicture(2, 2), [60, 35]);
    });

    test("by a sentence, where it is of another kind", () => assert.equal(titleOf([], []), "Controller"));
});

/* Which drawing a controller has. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { source } from "../../source.js";

describe("a controller is drawn", () => {
    let kindOf;

    before(async () => ({ kindOf } = await source("ui/drivers/drawing.ts")));

    const titleOf = (fragments, edges) => kindOf({ fragments, edges }).title;

    test("as a graph, where ways lead between its skills", () => assert.match(titleOf([{}, {}], [{}]), /ways between/));
    test("as its control fragments, where it has nothing else", () => assert.equal(titleOf([{}, {}], []), "Control fragments"));
    test("by a sentence, where it is of another kind", () => assert.equal(titleOf([], []), "Controller"));
});

/* Names of characters. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { source } from "../source.js";

describe("names", () => {
    let freeName, teamIndex;

    before(async () => ({ freeName, teamIndex } = await source("state/names.ts")));

    test("a member of a match is of the team that its label names", () => {
        const teams = ["red", "red team", "blue"];
        assert.deepEqual(["red 1", "red team 12", "blue 3", "red", "green 1", "", "blue 1 b"].map((label) => teamIndex(label, teams)), [0, 1, 2, 0, -1, -1, -1]);
        assert.equal(teamIndex("red 1", []), -1);
    });

    test("a name that is taken gets a number", () => {
        assert.equal(freeName("hero", ["hero", "hero 2"]), "hero 3");
        assert.equal(freeName("hero", []), "hero");
    });
});

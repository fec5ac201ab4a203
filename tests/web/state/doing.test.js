/* What a character is doing, in words. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { source } from "../source.js";

const character = (more) => ({ label: "ada", controller: "hero", nextController: "", ended: false, way: [], skillInS: 0, ...more });
const PLACE = { skill: "stand", number: 2, count: 4, rises: false };

describe("doing", () => {
    let words;

    before(async () => (words = await source("state/doing.ts")));

    test("names the skill and the fragment", () => assert.equal(words.doing(character({}), PLACE), "hero: stand 2/4"));

    test("says when the requested skill begins, and by which skills", () => {
        assert.equal(words.doing(character({ way: ["punch"], skillInS: 0.84 }), PLACE), "hero: stand 2/4 → punch in 0.8 s");
        assert.equal(words.wayInWords(character({ way: ["walk", "walk-slow", "punch"], skillInS: 4 })), " → punch in 4.0 s by walk, walk-slow");
        assert.equal(words.wayInWords(character({})), "");
    });
});

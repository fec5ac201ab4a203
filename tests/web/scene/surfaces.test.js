/* Height fields and meshes as they are drawn, against corners that can be said beforehand. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { source } from "../source.js";

describe("surfaces", () => {
    let heightFieldGeometry, meshGeometry;

    before(async () => ({ heightFieldGeometry, meshGeometry } = await source("scene/surfaces.ts")));

    test("a height field lies around its origin, row after row from the smallest y", () => {
        const geometry = heightFieldGeometry({ columns: 3, rows: 2, spacingM: 0.5, heights: [0, 1, 2, 3, 4, 5] });
        assert.deepEqual([...geometry.getAttribute("position").array].slice(0, 12), [-0.5, -0.25, 0, 0, -0.25, 1, 0.5, -0.25, 2, -0.5, 0.25, 3]);
        assert.deepEqual([...geometry.getIndex().array], [0, 1, 4, 0, 4, 3, 1, 2, 5, 1, 5, 4]);
    });

    test("a level field faces up; one without its data draws nothing", () => {
        const level = heightFieldGeometry({ columns: 2, rows: 2, spacingM: 1, heights: [0, 0, 0, 0] });
        assert.deepEqual([...level.getAttribute("normal").array], [0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1]);
        assert.equal(heightFieldGeometry({ columns: 200, rows: 200, spacingM: 1, heights: [] }).getIndex().count, 0);
    });

    test("a mesh has three separate corners for each triangle", () => {
        const geometry = meshGeometry({ vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], indices: [0, 1, 2, 0, 2, 3] });
        assert.equal(geometry.getAttribute("position").count, 6);
        assert.deepEqual([...geometry.getAttribute("position").array].slice(9), [0, 0, 0, 0, 1, 0, 0, 0, 1]);
    });
});

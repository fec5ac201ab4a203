/* What is below a place, against planes that can be said beforehand. */
import assert from "node:assert/strict";
import { before, beforeEach, describe, test } from "node:test";
import { source } from "../source.js";

const SIZE = { x: 1, y: 1, z: 0.25 };

describe("terrain", () => {
    let Terrain, Scenery, terrain, out;

    before(async () => {
        ({ Terrain } = await source("scene/terrain.ts"));
        ({ Scenery } = await source("scene/scenery.ts"));
    });
    beforeEach(() => {
        terrain = new Terrain();
        out = {};
    });

    function stand(...items) {
        const scenery = new Scenery();
        assert.ok(scenery.set(items));
        terrain.set(scenery.solids);
    }

    function near(actual, expected) {
        assert.ok(Math.abs(actual - expected) < 1e-6, `${actual} instead of ${expected}`);
    }

    test("is the floor where nothing stands, and nothing without a floor", () => {
        assert.ok(terrain.under(3, 4, 1, out));
        assert.deepEqual(out, { height: 0, slopeX: 0, slopeY: 0 });
        terrain.floor = false;
        assert.equal(terrain.under(3, 4, 1, out), false);
    });

    test("is the top of a box for those over it, the floor for those under it", () => {
        stand({ surface: {}, size: SIZE, pos: { x: 5, y: 0, z: 2 } });
        terrain.under(5.3, 0.2, 3, out);
        near(out.height, 2.25);
        terrain.under(5.3, 0.2, 1, out);
        near(out.height, 0);
        terrain.under(6.2, 0.2, 3, out);
        near(out.height, 0);
    });

    test("rises along a ramp by its slope", () => {
        const angle = 0.2; // about -y: up along x
        stand({ surface: {}, size: SIZE, pos: { x: 0, y: 0, z: 1 }, rot: { w: Math.cos(angle / 2), x: 0, y: -Math.sin(angle / 2), z: 0 } });
        terrain.under(0.3, -0.4, 3, out);
        near(out.slopeX, Math.tan(angle));
        near(out.slopeY, 0);
        near(out.height, 1 + 0.25 / Math.cos(angle) + 0.3 * Math.tan(angle));
    });

    test("of a height field is the plane of its triangle, everywhere", () => {
        const [columns, rows, spacingM] = [40, 30, 0.5];
        const height = (x, y) => 0.2 * x - 0.1 * y + 4;
        const heights = Array.from({ length: columns * rows }, (_, k) => height(((k % columns) - 19.5) * spacingM, (Math.floor(k / columns) - 14.5) * spacingM));
        stand({ surface: { case: "heightField", value: { columns, rows, spacingM, heights } }, pos: { x: 2, y: 1, z: 0 } });
        for (let i = 0; i < 200; i++) {
            const [x, y] = [-7 + (18 * (i * 0.618)) % 18, -6 + (14 * (i * 0.414)) % 14];
            assert.ok(terrain.under(x, y, 20, out));
            assert.ok(Math.abs(out.height - height(x - 2, y - 1)) < 1e-5, `${x} ${y}: ${out.height}`);
            assert.ok(Math.abs(out.slopeX - 0.2) < 1e-4 && Math.abs(out.slopeY + 0.1) < 1e-4);
        }
    });

    test("leaves out patches, which have no shape", () => {
        stand({ surface: {}, patch: true, size: SIZE, pos: { x: 0, y: 0, z: 1 } });
        terrain.under(0, 0, 3, out);
        assert.equal(out.height, 0);
    });
});

/* Pictures of the scene, compared with those in tests/web/expected: bodies in given poses, light and dark, fine and coarse. The poses are
 * data, so that neither physics nor controllers change a picture. After a change that is meant, look at the new ones and write them with
 * TROUPE_EXPECT=write. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { cannotRun, closePages, firstPicture, openPage, picture, rest, startTheatre, until } from "./harness.js";
import { compare, decodePng, expected } from "./image.js";

const FRIEZE = JSON.parse(readFileSync(new URL("../../client/web/src/pages/frieze.json", import.meta.url), "utf8"));
const EXPECTED = fileURLToPath(new URL("expected/", import.meta.url));
const SQUARE_PX = 8;
const TOLERANCE = 12; // of 255
const DIFFERING_MAX = 0.01;
const STANDING = 0, REACHING = 2, FLYING = 8, LANDING = 10;

/** What stands still, and a ball. */
const SCENERY = [{ size: { x: 0.6, y: 0.6, z: 0.2 }, pos: { x: 0, y: 1.6, z: 0.2 } }, { patch: true, size: { x: 1, y: 1 }, pos: { x: 1.5, y: 0 } }];
const BALL = { name: "ball", geoms: [{ kind: 1, size: { x: 0.2 } }], mass: 3, pos: { x: 1.4, y: 0.3, z: 0.2 } };

describe("the scene looks as it is expected to", { skip: cannotRun() }, () => {
    let theatre, worlds = 0;

    before(async () => (theatre = await startTheatre()));
    after(() => theatre?.stop());
    afterEach(() => closePages(theatre));

    /** A page whose world has characters in the moments given, side by side. */
    async function pose(moments, { level = 1, view = "side", scheme = "light", fallen = false, shapes = false, scene, objects = [] } = {}) {
        const name = `looks${++worlds}`;
        const { id } = await theatre.client.createWorld({ name, paused: true, scene });
        await theatre.client.command(id, { case: "spawnCharacter", value: { controller: "stand" } });
        for (const value of objects) await theatre.client.command(id, { case: "spawnObject", value });
        const page = await openPage(theatre, `#/world/${name}`, { width: 960, height: 470, scheme });
        await firstPicture(page);
        await page.evaluate(draw, { moments: moments.map((at) => FRIEZE.moments[at]), thousandths: FRIEZE.thousandths, level, view, fallen, shapes });
        await until(page, () => window.troupe.theatre.stage.cast.drawn.size === window.troupe.theatre.playback.newest.characters.length && !window.troupe.theatre.camera.moving);
        await until(page, (fine) => [...window.troupe.theatre.stage.cast.models.values()].every(({ troop }) => troop.geometry.getAttribute("position").count > 9000 === fine), level < 2);
        const frames = await page.evaluate(() => window.troupe.frames);
        await until(page, (from) => window.troupe.frames > from + 4, frames);
        await rest(page);
        return page;
    }

    async function shoot(page) {
        return page.locator(".theatre canvas").screenshot();
    }

    function assertAsExpected(bytes, name) {
        const difference = compare(decodePng(bytes), decodePng(expected(join(EXPECTED, `${name}.png`), bytes)), SQUARE_PX, TOLERANCE);
        assert.ok(difference && difference.differing <= DIFFERING_MAX, `${name}: ${JSON.stringify(difference)}`);
    }

    const SCENES = [
        ["standing", [STANDING]],
        ["moments", [STANDING, REACHING, FLYING, LANDING], { view: "all" }],
        ["dark", [STANDING, REACHING, FLYING, LANDING], { view: "all", scheme: "dark" }],
        ["coarsest", [STANDING, FLYING], { view: "all", level: 3 }],
        ["fallen", [LANDING], { fallen: true }],
        ["shapes", [REACHING], { shapes: true }],
        ["things", [STANDING], { view: "all", scene: { scenery: SCENERY }, objects: [BALL] }],
        ["above", [REACHING, LANDING], { view: "top" }],
    ];
    for (const [name, moments, options] of SCENES)
        test(name, async () => {
            const page = await pose(moments, options);
            await picture(page, `looks-${name}`);
            assertAsExpected(await shoot(page), name);
        });

    test("and a body that is missing is noticed", async () => {
        const page = await pose([STANDING]);
        const [there, gone] = [await shoot(page), await page.evaluate(() => window.troupe.theatre.stage.cast.group.removeFromParent()).then(() => rest(page)).then(() => shoot(page))];
        assert.ok(compare(decodePng(there), decodePng(gone), SQUARE_PX, TOLERANCE).differing > DIFFERING_MAX);
    });
});

/** In the page: puts the world's characters into poses, and only draws the picture. */
function draw({ moments, thousandths, level, view, fallen, shapes }) {
    const { theatre } = window.troupe;
    const { stage, playback, session, camera } = theatre;
    session.onState = () => {};
    const newest = playback.newest;
    const [model] = newest.characters;
    const scaled = (values, offset) => Float32Array.from(values, (value, k) => value / thousandths + (k % 3 === 0 ? offset : 0));
    const characters = moments.map(({ pos, rot }, i) => {
        const x = 0.9 * i;
        const bodyPos = scaled(pos, x);
        return { ...model, entity: i + 1, label: "", fallen, bodyPos, bodyRot: Float32Array.from(rot, (value) => value / thousandths), rootPos: bodyPos.subarray(0, 3) };
    });
    playback.push({ ...newest, timeS: newest.timeS + 1, characters, contacts: [] }, performance.now());
    stage.quality.level = level;
    stage.quality.frame = () => false;
    stage.show("shadows", true);
    stage.show("shapes", shapes);
    stage.adapt();
    theatre.labels.visible = false;
    for (const over of document.querySelectorAll(".hints, .feed, .health, .camera-bar")) over.remove();
    theatre.select(1);
    camera.setView(view);
}

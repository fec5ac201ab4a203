/* Drags on a canvas that only counts: a body 5 m before the camera, seen along x, one metre to 100 pixels there. */
import assert from "node:assert/strict";
import { before, beforeEach, describe, test } from "node:test";
import { source } from "../source.js";

const WIDTH = 1000;
const DEPTH_M = 5;

describe("a drag", () => {
    let Pointer, Vector3;
    let timeS, frames, pushes, aims, heard, body, camera;

    before(async () => {
        ({ Pointer } = await source("drive/pointer.ts"));
        ({ Vector3 } = await import(new URL("../../../client/web/node_modules/three/build/three.module.js", import.meta.url)));
    });

    beforeEach(() => {
        timeS = 0;
        [frames, pushes, aims, heard] = [[], [], [], {}];
        camera = { position: new Vector3(0, 0, 1), getWorldDirection: (out) => out.set(1, 0, 0) };
        globalThis.requestAnimationFrame = (frame) => frames.push(frame);
    });

    /** A ray to the right of the picture points along -y. */
    const ray = (x) => ({ ray: { origin: camera.position.clone(), direction: new Vector3(1, -x, 0).normalize() } });

    function drag(clock = () => timeS) {
        const canvas = {
            addEventListener: (name, listener) => (heard[name] = listener),
            setPointerCapture: () => {},
            getBoundingClientRect: () => ({ left: 0, top: 0, width: WIDTH, height: WIDTH }),
        };
        body = { entity: 7, body: 0, bodyName: "trunk", point: new Vector3(DEPTH_M, 0, 1) };
        const stage = { cast: { pick: () => body }, orbit: { camera }, ray };
        const actions = { select: () => {}, ground: () => {}, aim: (hit, force, held) => aims.push({ force, held }), push: (hit, force) => pushes.push({ timeS, force }), clock };
        new Pointer(canvas, stage, {}, actions);
        heard.pointerdown({ pointerId: 1, clientX: 500, clientY: 500, button: 0 });
    }

    const move = (x) => heard.pointermove({ pointerId: 1, clientX: x, clientY: 500 });
    const letGo = (x) => heard.pointerup({ pointerId: 1, clientX: x, clientY: 500, button: 0 });

    /** Pictures, 20 for each second of the world. */
    function run(seconds, worldRuns = true) {
        for (let i = 0; i < Math.round(seconds * 20); i++) {
            if (worldRuns) timeS += 0.05;
            for (const frame of frames.splice(0)) frame();
        }
    }

    test("that is let go soon pushes once, by its length", () => {
        drag();
        move(540);
        run(0.3);
        letGo(540);
        run(2);
        assert.equal(pushes.length, 1);
        assert.ok(Math.abs(pushes[0].force.y + 0.4 * 250) < 1e-9 && Math.abs(pushes[0].force.x) < 1e-9); // 40 pixels: 0.4 m
        assert.deepEqual(aims.at(-1), { force: undefined, held: false });
    });

    test("that rests pushes again whenever the last push has ended, until it is let go, and not then", () => {
        drag();
        move(540);
        run(2.5);
        const count = pushes.length;
        assert.ok(count >= 8 && count <= 11, `${count} pushes`);
        assert.ok(pushes[0].timeS >= 0.5);
        for (let i = 1; i < count; i++) assert.ok(pushes[i].timeS - pushes[i - 1].timeS >= 0.2 - 1e-9);
        assert.equal(aims.at(-1).held, true);
        letGo(540);
        run(1);
        assert.equal(pushes.length, count);
    });

    test("that is held follows the mouse, and pushes the same while the camera follows the body", () => {
        drag();
        move(540);
        run(1);
        camera.position.x += 3;
        camera.position.y += 1;
        run(1);
        assert.ok(Math.abs(pushes.at(-1).force.y + 100) < 1e-9);
        assert.ok(body.point.distanceTo(new Vector3(8, 1, 1)) < 1e-9); // the arrow begins where the body is seen
        move(480);
        run(0.5);
        assert.ok(Math.abs(pushes.at(-1).force.y - 50) < 1e-9);
        const count = pushes.length;
        move(500);
        run(1);
        assert.equal(pushes.length, count); // where it began there is no force
    });

    test("in a world that stands still pushes only when it is let go", () => {
        drag();
        move(540);
        run(3, false);
        assert.equal(pushes.length, 0);
        letGo(540);
        assert.equal(pushes.length, 1);
    });

    test("that only began is no push, however long it rests; nor is one without a clock held", () => {
        drag();
        move(503);
        run(2);
        letGo(503);
        assert.equal(pushes.length, 0);
        drag(null);
        move(540);
        run(2);
        assert.equal(pushes.length, 0);
        letGo(540);
        assert.equal(pushes.length, 1);
    });

    test("continues after the world began again", () => {
        timeS = 100;
        drag();
        move(540);
        run(1);
        timeS = 0;
        const count = pushes.length;
        run(1);
        assert.ok(pushes.length >= count + 3);
        letGo(540);
    });
});

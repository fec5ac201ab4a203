/* A world of the daemon that the world library steps in Node, by its inputs. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { connectTcp, GeomKind, Mirror, openWorldLibrary, StateField, WasmEngine, WorldMode } from "../dist/node.js";
import { startDaemon } from "./daemon.js";

const RATE_HZ = 50;
const PERIOD = 4; // ticks of 5 ms
const library = fileURLToPath(new URL("../../../build/cross/wasm/build/deploy/cross/wasm/troupe_world.js", import.meta.url));

describe("a mirror", () => {
    let daemon, player, watcher, mirror, world, reached;
    const command = (kind, value) => player.command(world, { case: kind, value });

    /** Steps the world to a tick of which a state is sent; the mirror has its bits. */
    async function follow(ticks) {
        await command("step", { count: ticks * PERIOD });
        const state = await player.ask({ case: "getState", value: { world, fields: StateField.HASH | StateField.BODIES } }, "state");
        await new Promise((resolve) => (reached = () => mirror.engine.tick === Number(state.tick) && resolve())());
        assert.equal(mirror.engine.hash, state.hash);
        return state;
    }

    before(async () => {
        daemon = await startDaemon();
        player = await connectTcp({ port: daemon.port });
        watcher = await connectTcp({ port: daemon.port, ...Mirror.handlers(() => mirror) });
        const info = await player.createWorld({ name: "mirrored", mode: WorldMode.STEPPED, scene: { gravity: { z: -6 } } });
        world = info.id;
        await command("spawnCharacter", { controller: "sway", label: "ada" });
        const engine = new WasmEngine(await openWorldLibrary(library), readFileSync(process.env.TROUPE_BUNDLE), info.stepS);
        reached = () => {};
        mirror = await Mirror.follow(watcher, world, engine, { rateHz: RATE_HZ, moved: () => reached() });
    });

    after(async () => {
        mirror?.engine.close();
        player?.close();
        watcher?.close();
        await daemon?.stop();
    });

    test("does what players do, with the daemon's bits", async () => {
        const geoms = [{ kind: GeomKind.BOX, size: { x: 0.3, y: 0.3, z: 0.1 } }];
        const { entity } = await command("spawnCharacter", { controller: "hold", pos: { y: 1.5 }, headingRad: 0.5 });
        await follow(2);
        await command("push", { entity, body: "head", force: { x: 30, y: 10 }, durationS: 0.1 });
        const lift = await command("spawnObject", { geoms, kinematic: true, pos: { x: 2 }, travel: { pos: { x: 2, z: 1 }, durationS: 0.5, shuttle: true } });
        await command("addScenery", { scenery: { size: { x: 1, y: 1, z: 0.2 }, pos: { x: -2 } } });
        await follow(5);
        await command("setParameters", { entity, parameters: [{ name: "action_offset", values: new Array(17).fill(0.05) }] });
        const ball = await command("spawnObject", { geoms: [{ kind: GeomKind.SPHERE, size: { x: 0.1 } }], mass: 1, pos: { z: 2 } });
        await follow(3);
        await command("throw", { entity: ball.entity, vel: { y: 3 } });
        await command("carry", { entity: lift.entity, travel: { pos: { x: 3 }, durationS: 0.1 } });
        await command("setLimp", { entity, limp: true });
        await command("removeScenery", { scenery: 1 });
        const state = await follow(40);
        const [x] = mirror.engine.poses(entity);
        assert.ok(Math.abs(x - state.characters.find((each) => each.entity === entity).bodyPos[0]) < 1e-6);
        await command("despawn", { entity });
        await follow(10);
        assert.equal(mirror.takes, 1);
    });

    test("keeps its bundle when another engine of the library opens one", async () => {
        const shared = await openWorldLibrary(library);
        const spawn = (engine, controller, y) => engine.apply({ case: "spawnCharacter", value: { controller, pos: { y } } });
        const first = new WasmEngine(shared, readFileSync(process.env.TROUPE_BUNDLE), 0.005);
        const second = new WasmEngine(shared, readFileSync(new URL("../../../db/shipped.troupe", import.meta.url)), 0.005);
        spawn(second, "hero", 0);
        spawn(first, "sway", 0);
        second.close();
        spawn(first, "hold", 2);
        first.close();
    });

    test("takes the state again when its hash differs, and after a reset", async () => {
        const takes = mirror.takes;
        mirror.engine.apply({ case: "spawnCharacter", value: { controller: "hold", pos: { y: 7 } } });
        await follow(3);
        assert.equal(mirror.takes, takes + 1);
        await command("reset", {});
        await follow(2);
        assert.equal(mirror.takes, takes + 2);
    });
});

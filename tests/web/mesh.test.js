/* A mesh of the user's on a character: its bones lie where the simulated bodies are, whatever rig, pose and unit it has. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { assertSilent, canvasPixels, cannotRun, firstPicture, openPage, picture, rest, startTheatre, until as untilIn } from "./harness.js";

const { PNG } = createRequire(fileURLToPath(new URL("../../client/web/package.json", import.meta.url)))("pngjs");
const integration = fileURLToPath(new URL("../integration", import.meta.url));
const maps = fileURLToPath(new URL("../../client/rigs/", import.meta.url));

/** A rig of tests/integration/rig.py; options: Python's, of Rig. */
function makeRig(path, options) {
    execFileSync("python3", ["-c", "import sys; from rig import Rig; eval(f'Rig({sys.argv[2]})').save_glb(sys.argv[1])", path, options], { cwd: integration });
    return path;
}

function changed(path, out, change) {
    const file = readFileSync(path);
    const size = file.readUInt32LE(12);
    const scene = JSON.parse(file.subarray(20, 20 + size));
    let blob = file.subarray(28 + size);
    const add = (data) => {
        scene.bufferViews.push({ buffer: 0, byteOffset: blob.length, byteLength: data.length });
        blob = Buffer.concat([blob, data, Buffer.alloc((4 - (data.length % 4)) % 4)]);
        return scene.bufferViews.length - 1;
    };
    change(scene, add);
    scene.buffers[0].byteLength = blob.length;
    let text = Buffer.from(JSON.stringify(scene));
    text = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, " ")]);
    const head = Buffer.alloc(20), tail = Buffer.alloc(8);
    [0x46546c67, 2, 28 + text.length + blob.length, text.length, 0x4e4f534a].forEach((value, i) => head.writeUInt32LE(value, 4 * i));
    [blob.length, 0x004e4942].forEach((value, i) => tail.writeUInt32LE(value, 4 * i));
    writeFileSync(out, Buffer.concat([head, text, tail, blob]));
    return out;
}

/** Its mesh in red, by an image within the file; under a node that makes centimetres of metres, as converters write. */
function painted(path, out) {
    return changed(path, out, (scene, add) => {
        const image = new PNG({ width: 2, height: 2 });
        image.data.set([200, 30, 20, 255, 200, 30, 20, 255, 200, 30, 20, 255, 200, 30, 20, 255]);
        const [primitive] = scene.meshes[0].primitives;
        const { count } = scene.accessors[primitive.attributes.POSITION];
        scene.accessors.push({ bufferView: add(Buffer.alloc(8 * count)), componentType: 5126, count, type: "VEC2" });
        primitive.attributes.TEXCOORD_0 = scene.accessors.length - 1;
        scene.images = [{ bufferView: add(PNG.sync.write(image)), mimeType: "image/png" }];
        scene.textures = [{ source: 0 }];
        scene.materials = [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 }, metallicFactor: 0 } }];
        primitive.material = 0;
        scene.nodes.push({ name: "Armature", scale: [0.01, 0.01, 0.01], children: [0] });
        scene.scenes[0].nodes[0] = scene.nodes.length - 1;
    });
}

describe("a mesh of the user's", { skip: cannotRun() }, () => {
    let theatre, page, folder;

    before(async () => {
        folder = mkdtempSync(join(tmpdir(), "troupe-mesh-"));
        theatre = await startTheatre();
        const world = (await theatre.client.createWorld({ name: "mesh", paused: true })).id;
        await theatre.client.command(world, { case: "spawnCharacter", value: { controller: "walk", label: "first", pos: { x: 1, y: 2, z: 0 }, headingRad: 0.7 } });
        await theatre.client.command(world, { case: "step", value: { count: 170 } });
        page = await openPage(theatre, "#/world/mesh", { width: 1000, height: 700 });
        await firstPicture(page);
    });
    after(async () => {
        await theatre?.stop();
        if (folder) rmSync(folder, { recursive: true });
    });

    const until = (what, argument) => untilIn(page, what, argument);
    const at = (name) => join(folder, name);
    const wear = (...files) => page.getByLabel("Wear your mesh").setInputFiles(files);
    const model = () => page.evaluate(() => [...window.troupe.theatre.stage.cast.models.keys()][0]);

    /** Waits until that many meshes were put on, as each is a new one. */
    async function worn(before) {
        await until(([name, before]) => {
            const { mesh } = window.troupe.theatre.stage.cast.models.get(name);
            return mesh !== undefined && mesh.object.uuid !== before && mesh.copies.length === 1;
        }, [await model(), before]);
        return page.evaluate((name) => window.troupe.theatre.stage.cast.models.get(name).mesh.object.uuid, await model());
    }

    /** Where the joints of both are, world: { body: { bone, body } }. */
    const places = async () => page.evaluate((name) => {
        const { cast } = window.troupe.theatre.stage;
        const { mesh } = cast.models.get(name);
        const [drawn] = cast.drawn.values();
        return window.troupe.theatre.knowledge.model(name).then(({ bodies }) => {
            const found = {};
            for (const [body, key] of mesh.rig.bones) {
                const node = mesh.copies[0].turned.get(key);
                node.updateWorldMatrix(true, false);
                const i = bodies.findIndex((each) => each.name === body);
                if (i >= 0) found[body] = { bone: [...node.matrixWorld.elements.slice(12, 15)], body: [...drawn.pos.slice(3 * i, 3 * i + 3)] };
            }
            return found;
        });
    }, await model());

    /** Limbs point alike, and the hips are at one place. */
    function assertAlike(found) {
        const minus = (a, b) => a.map((v, i) => v - b[i]);
        const unit = (v) => v.map((x) => x / Math.hypot(...v));
        for (const [a, b] of [["thigh", "shank"], ["shank", "foot"], ["uarm", "larm"], ["larm", "hand"]])
            for (const side of ["l", "r"]) {
                const [from, to] = [found[side + a], found[side + b]];
                const gap = Math.hypot(...minus(unit(minus(to.bone, from.bone)), unit(minus(to.body, from.body))));
                assert.ok(gap < 0.01, `${side}${a}: ${gap} rad apart`);
            }
        const middle = (kind) => found.lthigh[kind].map((v, i) => (v + found.rthigh[kind][i]) / 2);
        assert.ok(Math.hypot(...minus(middle("bone"), middle("body"))) < 0.001);
        const lower = Math.abs(found.lfoot.bone[2] - found.lfoot.body[2]);
        assert.ok(lower < 0.06, `its foot is ${lower} m off`);
    }

    test("is found by its bones' names, moves with the bodies, and shows its own colours", async () => {
        await rest(page);
        const skin = await canvasPixels(page);
        makeRig(at("plain.glb"), "'mixamo', unit=0.01, frames=True");
        await wear(painted(at("plain.glb"), at("mixamo.glb")));
        let last = await worn();
        assertAlike(await places());
        await until((name) => {
            let image;
            window.troupe.theatre.stage.cast.models.get(name).mesh.object.traverse(({ material }) => (image ??= material?.map?.image));
            return image?.complete && image.width === 2;
        }, await model());
        await rest(page);
        assert.equal((await canvasPixels(page)).equals(skin), false);
        await picture(page, "mesh");
        for (const [name, options] of [["unity", "'unity', arms_deg=45, legs=1.15"], ["vrm", "'vrm', arms_deg=30, head=1.6"], ["unreal", "'unreal', unit=0.01, frames=True"]]) {
            await wear(makeRig(at(`${name}.glb`), options));
            last = await worn(last);
            assertAlike(await places());
        }
        assertSilent(page);
    });

    test("bones with other names need a map, which is chosen together with the file", async () => {
        const before = await worn();
        makeRig(at("blender.glb"), "'blender', arms_deg=45");
        await wear(at("blender.glb"));
        await page.locator(".toast.error", { hasText: /blender\.glb: its bones \('hips', .*--map map\.json/ }).waitFor();
        const parts = { hips: "hips", head: "head" };
        for (const [side, letter] of [["left", "L"], ["right", "R"]])
            for (const [part, bone] of [["shoulder", "upper_arm"], ["elbow", "forearm"], ["wrist", "hand"], ["hip", "thigh"], ["knee", "shin"], ["ankle", "foot"]]) parts[`${side}_${part}`] = `${bone}.${letter}`;
        writeFileSync(at("map.json"), JSON.stringify({ parts }));
        await wear(at("map.json"), at("blender.glb"));
        await worn(before);
        assertAlike(await places());
    });

    test("VRM's own list of bones counts more than names", async () => {
        const before = await worn();
        const bones = { hips: "hips", leftUpperLeg: "thigh.L", leftLowerLeg: "shin.L", leftFoot: "foot.L", rightUpperLeg: "thigh.R", rightLowerLeg: "shin.R", rightFoot: "foot.R",
            leftUpperArm: "upper_arm.L", leftLowerArm: "forearm.L", leftHand: "hand.L", rightUpperArm: "upper_arm.R", rightLowerArm: "forearm.R", rightHand: "hand.R" };
        await wear(changed(at("blender.glb"), at("figure.vrm"), (scene) => {
            const node = (name) => scene.nodes.findIndex((each) => each.name === name);
            scene.extensions = { VRMC_vrm: { humanoid: { humanBones: Object.fromEntries(Object.entries(bones).map(([bone, name]) => [bone, { node: node(name) }])) } } };
        }));
        await worn(before);
        assertAlike(await places());
    });

    test("it is worn at the next visit too", async () => {
        await page.reload({ waitUntil: "commit" });
        await firstPicture(page);
        await worn();
        assertAlike(await places());
    });

    test("what is no mesh with bones is refused by a sentence; the skin comes back", async () => {
        writeFileSync(at("notes.glb"), "not a mesh");
        await wear(at("notes.glb"));
        await page.locator(".toast.error", { hasText: /notes\.glb: expected a binary glTF file/ }).waitFor();
        makeRig(at("bare.glb"), "'mixamo', meshed=False");
        await wear(at("bare.glb"));
        await page.locator(".toast.error", { hasText: /bare\.glb: it has no skinned mesh/ }).waitFor();
        await wear(join(maps, "vrm.json"));
        await page.locator(".toast.error", { hasText: /vrm\.json: a map alone/ }).waitFor();
        await page.locator("summary", { hasText: "Show" }).click();
        await page.getByRole("button", { name: "Take your mesh off" }).click();
        await until((name) => window.troupe.theatre.stage.cast.models.get(name).mesh === undefined, await model());
        await page.reload({ waitUntil: "commit" });
        await firstPicture(page);
        await rest(page);
        assert.equal(await page.evaluate((name) => window.troupe.theatre.stage.cast.models.get(name).mesh, await model()), undefined);
        assertSilent(page);
    });
});

"""Recordings from the command line: record, list, fetch, bring, replay, verify, export."""

import json
import math
import os
import shutil
import struct
import subprocess
import tempfile
import unittest

import rig as rigs
from harness import *

try:
    from troupe import Client, requests, retarget
except ImportError:  # the package for Python is not built
    retarget = None

CLIENT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../client")
MIXAMO = os.path.join(CLIENT, "rigs/mixamo.json")

REFUSED, USAGE, NO_FILE = 1, 2, 5


def multiply(a, b):
    return [a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
            a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]]


def rotate(q, v):
    return multiply(multiply(q, [0, *v]), [q[0], -q[1], -q[2], -q[3]])[1:]


def about(axis, degrees):
    half = math.radians(degrees) / 2
    return [math.cos(half)] + [math.sin(half) * (i == "XYZ".index(axis)) for i in range(3)]


def read_bvh(path):
    """Joints as (name, parent, offset), and frames of numbers."""
    with open(path) as file:
        words = file.read().split()
    joints, stack, i, frames = [], [], 0, []
    while words[i] != "MOTION":
        if words[i] in ("ROOT", "JOINT"):
            joints.append([words[i + 1], stack[-1] if stack else None, None])
            name = len(joints) - 1
            i += 2
        elif words[i] == "End":
            name = None
            i += 2
        elif words[i] == "{":
            stack.append(name)
            i += 1
        elif words[i] == "}":
            stack.pop()
            i += 1
        elif words[i] == "OFFSET":
            if stack[-1] is not None:
                joints[stack[-1]][2] = [float(w) for w in words[i + 1:i + 4]]
            i += 4
        else:
            i += 1
    count, frame_s = int(words[i + 2]), float(words[i + 5])
    numbers = [float(w) for w in words[i + 6:]]
    size = 3 + 3 * len(joints)
    for f in range(count):
        frames.append(numbers[f * size:(f + 1) * size])
    assert len(numbers) == count * size
    return joints, frames, frame_s


def places(joints, frame):
    """Where each joint of a frame is, in the world's axes: the file's z, x, y."""
    out, turns, where = {}, [], []
    for i, (name, parent, offset) in enumerate(joints):
        z, x, y = frame[3 + 3 * i:6 + 3 * i]
        local = multiply(multiply(about("Z", z), about("X", x)), about("Y", y))
        if parent is None:
            pos, turn = frame[:3], local
        else:
            step = rotate(turns[parent], offset)
            pos, turn = [a + b for a, b in zip(where[parent], step)], multiply(turns[parent], local)
        turns.append(turn)
        where.append(pos)
        out[name] = (pos[2], pos[0], pos[1])
    return out


def read_glb(path):
    """The JSON, and a function from an accessor's number to its rows."""
    with open(path, "rb") as file:
        data = file.read()
    magic, version, size = struct.unpack_from("<4sII", data)
    assert (magic, version, size) == (b"glTF", 2, len(data))
    length = struct.unpack_from("<I", data, 12)[0]
    scene, blob = json.loads(data[20:20 + length]), data[28 + length:]

    def rows(number):
        accessor = scene["accessors"][number]
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}[accessor["type"]]
        kind, at = {5126: "f", 5123: "H", 5121: "B"}[accessor["componentType"]], scene["bufferViews"][accessor["bufferView"]]["byteOffset"]
        flat = struct.unpack_from(f"<{width * accessor['count']}{kind}", blob, at)
        return [flat[i:i + width] for i in range(0, len(flat), width)]

    return scene, rows


def glb_places(scene, rows, frame):
    """Where each named node is in a frame, in the world's axes: the file's z, x, y."""
    moved, turned, out = {}, {}, {}
    animation = scene["animations"][0]
    for channel in animation["channels"]:
        value = rows(animation["samplers"][channel["sampler"]]["output"])[frame]
        (moved if channel["target"]["path"] == "translation" else turned)[channel["target"]["node"]] = value

    def walk(number, pos, turn):
        node = scene["nodes"][number]
        step = rotate(turn, moved.get(number, node.get("translation", (0, 0, 0))))
        x, y, z, w = turned.get(number, node.get("rotation", (0, 0, 0, 1)))
        pos, turn = [a + b for a, b in zip(pos, step)], multiply(turn, [w, x, y, z])
        if "name" in node:
            out[node["name"]] = (pos[2], pos[0], pos[1])
        for child in node.get("children", []):
            walk(child, pos, turn)

    walk(0, [0, 0, 0], [1, 0, 0, 0])
    return out


CLIP = """HIERARCHY
ROOT Hip
{
  OFFSET 0 90 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT L Thigh
  {
    OFFSET 10 0 0
    CHANNELS 3 Yrotation Xrotation Zrotation
    JOINT L Shin
    {
      OFFSET 0 -40 0
      CHANNELS 3 Zrotation Xrotation Yrotation
      JOINT L Foot
      {
        OFFSET 0 -42 0
        CHANNELS 3 Zrotation Xrotation Yrotation
        End Site
        {
          OFFSET 0 -5 12
        }
      }
    }
  }
  JOINT R Thigh
  {
    OFFSET -10 0 0
    CHANNELS 3 Yrotation Xrotation Zrotation
    JOINT R Shin
    {
      OFFSET 0 -40 0
      CHANNELS 3 Zrotation Xrotation Yrotation
      JOINT R Foot
      {
        OFFSET 0 -42 0
        CHANNELS 3 Zrotation Xrotation Yrotation
        End Site
        {
          OFFSET 0 -5 12
        }
      }
    }
  }
}
MOTION
Frames: 1
Frame Time: 0.008333
0 90 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
"""


class CommandLine(Case):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.name = self.id().rsplit(".", 1)[1][:40]

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def troupe(self, *words, code=0):
        done = subprocess.run([os.environ["TROUPE"], "--port", str(self.daemon.port), *words], capture_output=True,
                              text=True, timeout=TIMEOUT_S)
        self.assertEqual(done.returncode, code, f"troupe {' '.join(words)}\n{done.stdout}{done.stderr}")
        return done

    def json(self, *words, code=0):
        return json.loads(self.troupe(*words, "--json", code=code).stdout)

    def record(self):
        with self.client() as client:
            world = client.create_world(self.name, FAST, paused=True).id
            client.spawn(world, "sway", label="dancer, the")
            self.troupe("record", self.name, self.name, "--check-every", "50")
            client.step(world, 60)
            client.spawn(world, "hold", y=1.0, label="other")
            client.command(world, spawn_object=dict(name="ball", geoms=[dict(kind=1, size=dict(x=0.1), friction=1)],
                                                    mass=1, pos=dict(x=-1, z=1)))
            client.step(world, 60)
            ended = self.json("stop-recording", self.name)
            self.assertEqual(ended["tick"], 120)
            client.ask(destroy_world=dict(world=world))

    def test_record_list_and_verify(self):
        self.record()
        listed = {r["name"]: r for r in self.json("recordings")}
        self.assertEqual((listed[self.name]["state"], listed[self.name]["steps"]), ("whole", 120))
        self.assertTrue(self.json("verify", self.name)["verified"])
        file = self.path("r.trec")
        self.troupe("recordings", self.name, "--download", file)
        self.assertTrue(self.json("verify", file)["verified"])
        before = len(self.json("recordings"))
        copy = self.json("recordings", "copy", "--upload", file)
        self.assertEqual(copy["steps"], 120)
        self.troupe("recordings", "copy", "--delete")
        self.assertEqual(len(self.json("recordings")), before)
        with open(file, "rb") as whole, open(self.path("cut.trec"), "wb") as cut:
            cut.write(whole.read()[:-300])
        told = self.json("verify", self.path("cut.trec"))
        self.assertTrue(told["verified"] and not told["whole"] and told["steps"] < 120, told)
        self.troupe("verify", "/dev/null", code=REFUSED)
        self.troupe("verify", "no-such-recording", code=REFUSED)
        self.troupe("record", "1", code=USAGE)

    def test_forgery_is_named(self):
        with self.client() as client:
            world = client.create_world(self.name, FAST, paused=True).id
            entity = client.spawn(world, "sway", label="victim")
            client.command(world, start_recording=dict(name=self.name, check_every=1))
            client.step(world, 30)
            client.command(world, push=dict(entity=entity, force=dict(x=-150), duration_s=0.1))
            client.step(world, 30)
            client.command(world, stop_recording={})
        file = self.path("r.trec")
        self.troupe("recordings", self.name, "--download", file)
        from recording import seal
        with open(file, "rb") as source:
            data = bytearray(source.read())
        at = data.index(struct.pack("<d", -150.0))
        data[at:at + 8] = struct.pack("<d", -150.5)
        with open(file, "wb") as target:
            target.write(seal(data, at))
        done = self.troupe("verify", file, "--json", code=REFUSED)
        told = json.loads(done.stdout)
        self.assertEqual((told["differs_at_step"], told["tick"], told["label"]), (31, 31, "victim"))
        self.assertNotEqual(told["body"], "")
        self.assertIn("step 31", done.stderr)

    def test_replay_is_a_world(self):
        self.record()
        self.troupe("replay", self.name, "--world", "again", "--keep", "--paused", "--for", "0")
        worlds = {w["name"]: w for w in self.json("worlds")}
        self.assertTrue(worlds["again"]["paused"])
        self.assertEqual(worlds["again"]["replay_of"], self.name)
        self.assertEqual(self.json("seek", "again", "100")["tick"], 100)
        self.troupe("loop", "again", "on")
        self.troupe("loop", "again", "perhaps", code=USAGE)
        self.troupe("rate", "again", "2")
        self.troupe("push", "again", "other", "0,1,0", code=REFUSED)
        self.troupe("destroy-world", "again")
        states = [json.loads(line) for line in
                  self.troupe("replay", self.name, "--from", "0.3", "--speed", "4", "--states", "50", "--for", "2",
                              "--json").stdout.splitlines()]
        ticks = [s["tick"] for s in states if "characters" in s]
        self.assertGreaterEqual(ticks[0], 60)
        self.assertEqual(ticks[-1], 120)
        self.assertNotIn(f"replay-", " ".join(w["name"] for w in self.json("worlds")))

    def test_export(self):
        self.record()
        bvh, csv = self.path("r.bvh"), self.path("r.csv")
        told = self.json("export", self.name, "--bvh", bvh, "--csv", csv, "--rate", "50")
        self.assertEqual((told["frames"], told["frame_s"]), (31, 0.02))
        joints, frames, frame_s = read_bvh(bvh)
        self.assertEqual((len(frames), frame_s), (31, 0.02))
        with open(csv) as file:
            header, *rows = [line.rstrip("\n").split(",") for line in file]
        self.assertEqual(header[:5], ["tick", "time_s", "entity", "label", "body"])
        found = {(int(r[0]), r[3], r[4]): [float(n) for n in r[5:8]] for r in rows}
        self.assertIn((64, "ball", ""), found)
        self.assertNotIn((0, "other", "pelvis"), found)
        for index, tick in ((0, 0), (12, 48), (30, 120)):
            for name, place in places(joints, frames[index]).items():
                for a, b in zip(place, found[tick, "dancer_ the", name]):
                    self.assertAlmostEqual(a, b, delta=2e-5, msg=f"{tick} {name}")
        self.assertEqual(self.json("export", self.name, "--bvh", bvh, "--character", "other")["frames"], 18)
        self.assertLess(len(read_bvh(bvh)[1]), 18)
        self.troupe("export", self.name, "--bvh", bvh, "--character", "nobody", code=USAGE)
        self.troupe("export", self.name, code=USAGE)
        self.troupe("export", self.name, "--csv", "/no/such/folder/x.csv", code=NO_FILE)

    def export_glb(self):
        self.record()
        glb = self.path("r.glb")
        self.assertEqual(self.json("export", self.name, "--gltf", glb, "--csv", self.path("r.csv"), "--rate", "50")["frames"], 31)
        return glb

    def test_export_as_gltf_places_bodies_and_turns_axes(self):
        scene, rows = read_glb(self.export_glb())
        with open(self.path("r.csv")) as file:
            found = {(int(r[0]), r[4]): [float(n) for n in r[5:8]] for r in (line.split(",") for line in list(file)[1:]) if "dancer" in r[3]}
        for frame, tick in ((0, 0), (12, 48), (30, 120)):
            where = glb_places(scene, rows, frame)
            self.assertEqual(len([name for t, name in found if t == tick]), len(where) - 1)
            for name, place in where.items():
                for a, b in zip(place, found.get((tick, name), place)):
                    self.assertAlmostEqual(a, b, delta=2e-5, msg=f"{tick} {name}")
        mesh = scene["meshes"][0]["primitives"][0]["attributes"]
        joints, weights = rows(mesh["JOINTS_0"]), rows(mesh["WEIGHTS_0"])
        self.assertEqual({j[0] for j in joints}, set(range(len(scene["skins"][0]["joints"]))))
        self.assertTrue(all(abs(sum(w) - 1) < 1e-6 for w in weights))
        self.assertTrue(any(0 < w[1] <= 0.5 for w in weights))  # it bends around joints
        self.assertEqual([round(r[0], 6) for r in rows(scene["animations"][0]["samplers"][0]["input"])][:3], [0, 0.02, 0.04])
        self.troupe("export", self.name, "--gltf", self.path("x.glb"), "--character", "nobody", code=USAGE)

    def mesh(self, **how):
        """A rig of the user."""
        figure = rigs.Rig("mixamo", **how)
        figure.save_glb(self.path("mesh.glb"))
        return figure

    def export_on_mesh(self, **how):
        self.record_walk()
        figure = self.mesh(**how)
        out = self.path("on-mesh.glb")
        self.troupe("export", self.name, "--gltf", out, "--rig", self.path("mesh.glb"), "--bones", MIXAMO, "--rate", "50")
        return out, figure

    def record_walk(self):
        with self.client() as client:
            world = client.create_world(self.name, FAST, paused=True).id
            client.spawn(world, "sway", x=1.0, label="dancer")
            self.troupe("record", self.name, self.name)
            client.step(world, 60)
            self.troupe("stop-recording", self.name)
            client.ask(destroy_world=dict(world=world))

    def test_export_on_a_mesh_turns_its_bones_as_the_python_client_does(self):
        if retarget is None:
            self.skipTest("the Python package is not built: protoc is needed")
        for how in ({}, {"arms_deg": 45, "unit": 0.01, "up": "z", "frames": True}):
            with self.subTest(how):
                out, figure = self.export_on_mesh(**how)
                self.name += "-again"
                scene, rows = read_glb(out)
                animation = scene["animations"][0]
                found = {}
                for channel in animation["channels"]:
                    name = scene["nodes"][channel["target"]["node"]]["name"]
                    found[name, channel["target"]["path"]] = rows(animation["samplers"][channel["sampler"]]["output"])
                expected = self.poses(figure)
                for frame in (0, 7, 15):
                    pose = expected[frame]
                    for a, b in zip(found["mixamorig:Hips", "translation"][frame], pose.root_pos):
                        self.assertAlmostEqual(a, b, delta=1e-4 / figure.unit)
                    turned = {name for name, path in found if path == "rotation"}
                    self.assertLess({"mixamorig:Hips", "mixamorig:LeftArm", "mixamorig:RightToeBase"}, turned)
                    for name in turned:
                        x, y, z, w = found[name, "rotation"][frame]
                        size = math.hypot(*pose.rotation[name]) * math.hypot(w, x, y, z)  # of six digits
                        dot = sum(a * b / size for a, b in zip((w, x, y, z), pose.rotation[name]))
                        self.assertGreater(abs(dot), 1 - 1e-9, name)

    def poses(self, figure):
        """What the Python client makes of the recording's states."""
        rig = {figure.names[p]: retarget.Bone(None if rigs.PARTS[p][0] is None else figure.names[rigs.PARTS[p][0]], figure.pos[p], figure.rot[p])
               for p in figure.parts}
        self.troupe("export", self.name.removesuffix("-again"), "--csv", self.path("walk.csv"), "--rate", "50")
        with open(self.path("walk.csv")) as file:
            lines = [line.split(",") for line in list(file)[1:]]
        with Client(port=self.daemon.port) as client:
            model = client.ask(requests.get_model("humanoid"))
        with open(MIXAMO) as file:
            bones = retarget.bones_of(json.load(file))
        retargeter = retarget.Retargeter(model.bodies, rig, bones)
        frames, size = [], len(model.bodies)
        for at in range(0, len(lines), size):
            numbers = [[float(n) for n in line[5:]] for line in lines[at:at + size]]
            frames.append(retargeter.pose([v for n in numbers for v in n[:3]], [v for n in numbers for v in n[3:]]))
        return frames

    def node(self, module, folder, script, path):
        """What a script in JavaScript prints about a file."""
        if not shutil.which("node") or not os.path.isdir(os.path.join(CLIENT, folder, "node_modules", module)):
            self.skipTest(f"node, or {module} in client/{folder} (deploy/build-viewer.sh), is missing")
        done = subprocess.run(["node", "--input-type=module", "-e", script, path], cwd=os.path.join(CLIENT, folder),
                              capture_output=True, text=True, timeout=TIMEOUT_S)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_exported_gltf_is_valid(self):
        """By Khronos' validator, of the JavaScript client's development packages."""
        script = ("import validator from 'gltf-validator'; import { readFileSync } from 'fs';"
                  "const report = await validator.validateBytes(new Uint8Array(readFileSync(process.argv[1])));"
                  "console.log(JSON.stringify(report.issues));")
        paths = [self.export_glb()]
        self.name += "-mesh"
        for path in paths + [self.export_on_mesh()[0]]:
            issues = self.node("gltf-validator", "js", script, path)
            self.assertEqual((issues["numErrors"], issues["numWarnings"]), (0, 0), issues["messages"])

    def test_exported_gltf_moves_its_skin_in_three_js(self):
        """Imported as the viewer's library does, half way through the motion the head of the skin is where the recording has it."""
        script = """
            import { readFileSync } from 'fs';
            import { AnimationMixer, Vector3 } from 'three';
            import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
            globalThis.self = globalThis;
            const data = readFileSync(process.argv[1]);
            const file = await new GLTFLoader().parseAsync(data.buffer.slice(data.byteOffset, data.byteOffset + data.length), '');
            const mixer = new AnimationMixer(file.scene);
            mixer.clipAction(file.animations[0]).play();
            mixer.setTime(0.24);
            file.scene.updateMatrixWorld(true);
            const tops = [];
            file.scene.traverse((mesh) => {
                if (!mesh.isSkinnedMesh) return;
                mesh.skeleton.update();
                const at = new Vector3(), top = new Vector3(0, -1, 0);
                for (let i = 0; i < mesh.geometry.attributes.position.count; i++)
                    if (mesh.applyBoneTransform(i, at.fromBufferAttribute(mesh.geometry.attributes.position, i)).y > top.y) top.copy(at);
                tops.push(top.toArray());
            });
            console.log(JSON.stringify({ tops, seconds: file.animations[0].duration }));
        """
        found = self.node("three", "web", script, self.export_glb())
        self.assertAlmostEqual(found["seconds"], 0.6, delta=1e-5)
        with open(self.path("r.csv")) as file:
            places = [[float(n) for n in r[5:8]] for r in (line.split(",") for line in file) if r[0] == "48" and "dancer" in r[3]]
        top = max(places, key=lambda place: place[2])
        self.assertEqual(len(found["tops"]), 1)
        self.assertGreater(found["tops"][0][1], top[2])
        self.assertLess(math.dist(found["tops"][0], (top[1], top[2], top[0])), 0.4)

    def test_export_in_the_skeleton_of_a_clip(self):
        """The joints, offsets and channels of the clip; the thighs of the file point where the character's do."""
        self.record_walk()
        clip, out, bones = self.path("clip.bvh"), self.path("own.bvh"), self.path("bones.json")
        with open(clip, "w") as file:
            file.write(CLIP)
        parts = {"hips": "Hip", "left_hip": "L Thigh", "left_knee": "L Shin", "left_ankle": "L Foot",
                 "right_hip": "R Thigh", "right_knee": "R Shin", "right_ankle": "R Foot"}
        with open(bones, "w") as file:
            json.dump({"name": "own", "parts": parts}, file)
        self.troupe("export", self.name, "--bvh", out, "--rig", clip, "--bones", bones, "--rate", "100", "--csv", self.path("r.csv"))
        with open(out) as file:
            text = file.read()
        self.assertEqual(text[:text.index("MOTION")], CLIP[:CLIP.index("MOTION")])
        self.assertIn("Frame Time: 0.010000000", text)
        rows = [[float(n) for n in line.split()] for line in text[text.index("Frame Time"):].splitlines()[1:]]
        with open(self.path("r.csv")) as file:
            found = {(int(r[0]), r[4]): [float(n) for n in r[5:8]] for r in (line.split(",") for line in list(file)[1:])}
        for frame in (0, 10, 30):
            values = rows[frame]
            hip = self.turn_of(values[3:6], "ZXY")
            thigh = multiply(hip, self.turn_of(values[6:9], "YXZ"))
            x, y, z = rotate(thigh, [0, -40, 0])
            a, b = found[2 * frame, "lthigh"], found[2 * frame, "lshank"]
            expected = [q - p for p, q in zip(a, b)]
            size = math.dist(a, b)
            for p, q in zip((z / 40, x / 40, y / 40), expected):
                self.assertAlmostEqual(p, q / size, delta=1e-4)
        self.troupe("export", self.name, "--gltf", self.path("x.glb"), "--rig", clip, "--bones", bones, code=USAGE)
        self.troupe("export", self.name, "--bvh", out, "--rig", clip, code=USAGE)
        parts["left_hip"] = "Nose"
        with open(bones, "w") as file:
            json.dump({"name": "own", "parts": parts}, file)
        done = self.troupe("export", self.name, "--bvh", out, "--rig", clip, "--bones", bones, code=USAGE)
        self.assertIn("'Nose'", done.stderr)

    @staticmethod
    def turn_of(angles, order):
        turn = [1, 0, 0, 0]
        for axis, degrees in zip(order, angles):
            turn = multiply(turn, about(axis, degrees))
        return turn


if __name__ == "__main__":
    unittest.main()

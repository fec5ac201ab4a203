"""Recordings from the command line: record, list, fetch, bring, replay, verify, export."""

import json
import math
import os
import shutil
import struct
import subprocess
import tempfile
import unittest

from harness import *

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
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor["type"]]
        kind, at = {5126: "f", 5123: "H"}[accessor["componentType"]], scene["bufferViews"][accessor["bufferView"]]["byteOffset"]
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
        self.assertEqual([round(r[0], 6) for r in rows(scene["animations"][0]["samplers"][0]["input"])][:3], [0, 0.02, 0.04])
        self.troupe("export", self.name, "--gltf", self.path("x.glb"), "--character", "nobody", code=USAGE)

    def test_export_as_gltf_is_valid(self):
        """By Khronos' validator, of the JavaScript client's development packages."""
        folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../client/js")
        if not shutil.which("node") or not os.path.isdir(os.path.join(folder, "node_modules/gltf-validator")):
            self.skipTest("node, or gltf-validator in client/js (npm ci), is missing")
        script = ("require('gltf-validator').validateBytes(new Uint8Array(require('fs').readFileSync(process.argv[1])))"
                  ".then((report) => console.log(JSON.stringify(report.issues)))")
        done = subprocess.run(["node", "-e", script, self.export_glb()], cwd=folder, capture_output=True, text=True, timeout=TIMEOUT_S)
        issues = json.loads(done.stdout)
        self.assertEqual((issues["numErrors"], issues["numWarnings"]), (0, 0), issues["messages"])


if __name__ == "__main__":
    unittest.main()

"""troupe-train body: rigs of many makes become the same body, and what is no rig is refused by name.

Run by ctest; TROUPE_TRAIN names the program, TROUPE_SOURCE the sources."""
import json
import math
import os
import pathlib
import re
import struct
import subprocess
import tempfile
import unittest
import unittest.mock
import xml.etree.ElementTree as xml
import zipfile

import rig

TRAIN = os.environ["TROUPE_TRAIN"]
SOURCE = pathlib.Path(os.environ["TROUPE_SOURCE"])


def train(*words):
    return subprocess.run([TRAIN, *map(str, words)], capture_output=True, text=True, timeout=300)


class Body:
    """The bodies of an MJCF file: place in the parent, mass, first geom's size; the motors' greatest torque."""

    def __init__(self, path):
        root = xml.parse(path).getroot()
        self.pos, self.mass, self.size = {}, {}, {}
        for body in root.iter("body"):
            name = body.get("name")
            self.pos[name] = [float(v) for v in body.get("pos").split()]
            self.mass[name] = float(body.find("inertial").get("mass"))
            self.size[name] = [float(v) for v in body.find("geom").get("size").split()]
        self.torque = {m.get("name"): float(m.get("forcerange").split()[1]) for m in root.iter("motor")}

    def total(self):
        return sum(self.mass.values())


class Bodies(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.place.name)
        rig.Rig().save_glb(cls.folder / "plain.glb")
        first = train("body", cls.folder / "plain.glb", "-o", cls.folder / "plain.xml")
        if "without assimp" in first.stderr:
            raise unittest.SkipTest("troupe-train was built without assimp")
        assert first.returncode == 0, first.stderr
        cls.plain, cls.table = Body(cls.folder / "plain.xml"), first.stdout

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    def make(self, name, *words, ending="glb", **form):
        path = self.folder / f"{name}.{ending}"
        getattr(rig.Rig(**form), "save_" + ending)(path)
        done = train("body", path, "-o", path.with_suffix(".xml"), *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return Body(path.with_suffix(".xml"))

    def refused(self, path, *words):
        done = train("body", path, "-o", self.folder / "refused.xml", *words)
        self.assertEqual(done.returncode, 1, done.stdout)
        return done.stderr

    def test_a_body_has_the_lengths_and_the_volume_of_the_rig(self):
        self.assertAlmostEqual(self.plain.pos["lshank"][2], -0.42, delta=0.001)
        self.assertAlmostEqual(self.plain.pos["lfoot"][2], -0.40, delta=0.001)
        self.assertAlmostEqual(self.plain.pos["llarm"][2], -0.28, delta=0.001)
        self.assertAlmostEqual(self.plain.pos["ltoe"][0], 0.13, delta=0.001)
        self.assertAlmostEqual(self.plain.pos["lthigh"][1], 0.09, delta=0.001)
        self.assertAlmostEqual(self.plain.size["lthigh"][0], 0.075, delta=0.004)
        # The sole: as far below the ankle as the mesh's.
        foot = self.plain.size["lfoot"]
        self.assertAlmostEqual(foot[2] / 0.375, 0.08, delta=0.002)
        self.assertTrue(50 < self.plain.total() < 85, self.plain.total())
        self.assertIn("J_Bip" if "J_Bip" in self.table else "mixamorig:LeftUpLeg", self.table)

    def test_names_poses_units_axes_and_files_make_no_difference(self):
        forms = {"vrm": dict(naming="vrm", arms_deg=45), "blender": dict(naming="blender", arms_deg=60, up="z", frames=True),
                 "unreal": dict(naming="unreal", unit=0.01, up="z", frames=True, ending="fbx"),
                 "mixamo": dict(naming="mixamo", unit=0.01, ending="fbx"), "unity": dict(naming="unity", frames=True)}
        for name, form in forms.items():
            with self.subTest(name):
                body = self.make(name, **form)
                self.assertAlmostEqual(body.total(), self.plain.total(), delta=0.02 * self.plain.total())
                for part, pos in self.plain.pos.items():
                    for a, b in zip(body.pos[part], pos):
                        self.assertAlmostEqual(a, b, delta=0.003, msg=part)

    def test_cartoons_keep_their_proportions_and_a_light_head(self):
        toon = self.make("toon", naming="unity", head=2, legs=0.5)
        self.assertAlmostEqual(toon.pos["lshank"][2], 0.5 * self.plain.pos["lshank"][2], delta=0.002)
        self.assertGreater(toon.size["head"][0], 1.7 * self.plain.size["head"][0])
        self.assertLess(toon.mass["head"], 0.21 * toon.total())

    def test_bones_alone_and_a_clips_skeleton_are_fleshed_as_the_athlete(self):
        bones = self.make("bones", naming="unreal", meshed=False)
        self.assertAlmostEqual(bones.pos["lshank"][2], -0.42, delta=0.001)
        self.assertTrue(50 < bones.total() < 75, bones.total())
        done = train("body", SOURCE / "tests/data/motion/figure.bvh", "-o", self.folder / "clip.xml")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("the athlete's", done.stdout)

    def test_a_given_mass_and_height_scale_strength_and_gains(self):
        heavy = self.make("heavy", "--mass", 2 * self.plain.total())
        self.assertAlmostEqual(heavy.total(), 2 * self.plain.total(), delta=0.1)
        self.assertAlmostEqual(heavy.torque["lshank x"], 2 * self.plain.torque["lshank x"], delta=1)
        small = self.make("small", "--height", 0.89)
        self.assertAlmostEqual(small.pos["lshank"][2], -0.21, delta=0.005)

    def test_a_model_gets_the_strength_of_its_mass(self):
        done = train("body", SOURCE / "controllers/model/humanoid.xml", "--mass", 124, "-o", self.folder / "model.xml")
        self.assertEqual(done.returncode, 0, done.stderr)
        athlete = xml.parse(SOURCE / "controllers/model/athlete.xml").getroot()
        knee = next(float(m.get("forcerange").split()[1]) for m in athlete.iter("motor") if m.get("name") == "lknee")
        self.assertAlmostEqual(Body(self.folder / "model.xml").torque["lshank x"], 2 * knee, delta=0.1)

    def test_a_motion_of_a_rig_is_imported_on_its_body(self):
        figure, keys = rig.Rig(), []
        for frame in range(61):
            local = figure.local["left_shoulder"][1]
            keys.append((frame / 30, rig._times(local, rig._about((0, 0, 1), -frame))))
        figure.save_glb(self.folder / "wave.glb", animation={"left_shoulder": keys})
        done = train("import", self.folder / "wave.glb", "--model", self.folder / "plain.xml", "-o", self.folder / "wave.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"scene")
        self.assertRegex(done.stdout, r"2\.0+ s|400 |2 s")

    def smpl(self, name, **arrays):
        """An archive as numpy.savez writes it: (shape, numbers) by name; a text becomes a plain member."""
        path = self.folder / name
        with zipfile.ZipFile(path, "w") as archive:
            for key, (kind, shape, values) in arrays.items():
                head = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
                data = struct.pack(f"<{len(values)}{ {'<f8': 'd', '<i8': 'q'}.get(kind, 'B') }", *values)
                archive.writestr(key + ".npy", b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + data)
        return path

    def test_a_motion_of_amass_is_imported_and_pickles_are_refused(self):
        """In a T pose whose left arm sinks by a degree a frame; z is up, as in AMASS."""
        rows = []
        for frame in range(61):
            row = [0.0] * 156
            row[0] = math.pi / 2  # y up to z up
            row[3 * 16 + 2] = math.radians(-frame)
            rows += row
        count, place = 61, [v for _ in range(61) for v in (0, 0, 0.95)]
        whole = dict(poses=("<f8", (count, 156), rows), trans=("<f8", (count, 3), place), mocap_framerate=("<i8", (), [30]),
                     gender=("<U4", (), b"m\0\0\0a\0\0\0l\0\0\0e\0\0\0"))
        out = self.folder / "arm.json"
        done = train("import", self.smpl("arm.npz", **whole), "--model", self.folder / "plain.xml", "-o", out)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("smpl", done.stdout)
        motion = json.loads(out.read_text())
        self.assertAlmostEqual(len(motion["poses"]) * motion["dt_s"], 2, delta=0.02)
        split = dict(root_orient=("<f8", (count, 3), [v for i in range(count) for v in rows[156 * i:156 * i + 3]]),
                     pose_body=("<f8", (count, 63), [v for i in range(count) for v in rows[156 * i + 3:156 * i + 66]]),
                     trans=whole["trans"], mocap_frame_rate=("<f8", (), [30.0]))
        again = self.folder / "again.json"
        done = train("import", self.smpl("split.npz", **split), "--model", self.folder / "plain.xml", "-o", again)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(again.read_text())["poses"], motion["poses"])
        self.assertIn("'poses'", train("import", self.smpl("none.npz", trans=whole["trans"]), "-o", out).stderr)
        short = whole | {"trans": ("<f8", (3, 3), place[:9])}
        self.assertIn("'poses': expected a row of", train("import", self.smpl("short.npz", **short), "-o", out).stderr)
        (self.folder / "walk.pkl").write_bytes(b"cos\nsystem\n(S'true'\ntR.")
        text = train("import", self.folder / "walk.pkl", "-o", out).stderr
        self.assertIn("pickle", text)
        self.assertIn("numpy.savez", text)

    def test_the_picture_and_the_map_are_written(self):
        out = [self.folder / name for name in ("x.xml", "x.json", "x.svg")]
        done = train("body", self.folder / "plain.glb", "-o", out[0], "--map", out[1], "--picture", out[2])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("mixamorig:LeftLeg", out[1].read_text())
        self.assertTrue(out[2].read_text().startswith("<"))

    def test_a_missing_bone_is_named_with_the_remedy(self):
        figure = rig.Rig(naming="unity", meshed=False)
        figure.parts = [p for p in figure.parts if not re.match("right_(elbow|wrist|fingers)", p)]
        figure.save_glb(self.folder / "odd.glb")
        text = self.refused(self.folder / "odd.glb")
        self.assertRegex(text, r"odd\.glb: no bone is 'right_\w+'")
        self.assertIn("--skeleton", text)

    def test_an_animal_is_refused(self):
        level = {part: (rig.PARTS[part][0], (0, 0, 0.14)) for part in ("spine", "spine2", "chest")}
        with unittest.mock.patch.dict(rig.PARTS, level):
            rig.Rig().save_glb(self.folder / "animal.glb")
        self.assertIn("animal.glb: the trunk lies across the legs", self.refused(self.folder / "animal.glb"))

    def test_bones_without_length_are_named(self):
        figure = rig.Rig()
        for side in ("left", "right"):
            figure.local[side + "_knee"] = ((0, 0, 0), figure.local[side + "_knee"][1])
        figure.points = []
        figure.save_glb(self.folder / "short.glb")
        self.assertRegex(self.refused(self.folder / "short.glb"), r"mixamorig:LeftUpLeg|mixamorig:RightUpLeg|left_hip")

    def test_damaged_files_are_refused(self):
        whole = (self.folder / "plain.glb").read_bytes()
        for size in (0, 3, 11, 30, 300, len(whole) // 2, len(whole) - 4):
            (self.folder / "cut.glb").write_bytes(whole[:size])
            self.assertRegex(self.refused(self.folder / "cut.glb"), re.escape(str(self.folder / "cut.glb")))
        (self.folder / "cut.fbx").write_text("; FBX 7.4.0 project file\nObjects:  {\n")
        self.refused(self.folder / "cut.fbx")


if __name__ == "__main__":
    unittest.main()

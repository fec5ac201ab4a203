"""Policies written by the Python package: imported, served, and the same to the bit as in the environment that they were
trained in; files that are malformed are refused with what is wrong."""

import contextlib
import io
import os
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile
import unittest
import zipfile
from dataclasses import replace

import numpy as np

from harness import Daemon
from harness import Client as RawClient
from harness import STEPPED
from troupe import Client, Mode, errors, networks, policy, requests, world_pb2
from troupe.envs import Targets, Task, VectorCharacters, rows
from troupe.policy import Layer, Policy
from troupe.poses import unpack

TRAIN = os.environ["TROUPE_TRAIN"]
DEBIANS_SCHEMA = "/usr/include/onnx/onnx.proto"
OWN_SCHEMA = os.path.join(os.environ["TROUPE_SOURCE"], "controllers/learn/policy/onnx.proto")
JOINTS = ("ltorso", "lthigh", "lshank", "rthigh", "rshank")
ACTIONS, MEMORY = 11, 6
SIZES = dict(root_height=1, root_rot=4, root_vel=3, root_omega=3, joint_rot=68, joint_rate=51, phase=2, facing=2, contacts=18, target=3, ground=15)
KERB = world_pb2.Scene(scenery=[requests.scenery(pos=(0.6, 0.3, 0), size=(0.4, 0.5, 0.1))])
BODY = dict(joints=JOINTS, period_steps=5, gains="b", scale=0.3, action_limit=2.0)


def drawn(random, inputs, outputs, activation="none", size=0.3):
    return Layer(random.normal(size=(inputs, outputs)).astype(np.float32) * np.float32(size),
                 random.normal(size=outputs).astype(np.float32) * np.float32(0.1), activation)


def network(seed, inputs, hidden=("tanh", "elu", "relu")):
    random = np.random.default_rng(seed)
    layers = [drawn(random, n, 12, name) for n, name in zip((inputs, 12, 12), hidden)]
    return [*layers, drawn(random, 12, ACTIONS)]


def poses():
    """Four frames of a root that stands, turned and elsewhere, and of a waist that bends."""
    out = np.zeros((4, 7 + 4 * 17))
    out[:, 0:3], out[:, 3], out[:, 6] = (3, -2, 0.95), 0.8, 0.6
    out[:, 7::4] = 1
    out[:, 7], out[:, 8] = np.cos([0, 0.02, 0.04, 0.02]), np.sin([0, 0.02, 0.04, 0.02])
    return out


def all_policies():
    """One for each row of the observation, and one with everything."""
    random = np.random.default_rng(5)
    made = {name: Policy(network(i, size), observation=[name], **BODY) for i, (name, size) in enumerate(SIZES.items())}
    inputs = sum(SIZES.values())
    made["all"] = Policy(network(20, inputs), observation=["facing", "contacts", "target", "ground", "body_state"], mean=random.normal(size=inputs) * 0.1,
                         spread=random.uniform(0.5, 2, size=inputs), input_limit=1.5, reference=poses(), **BODY)
    made["memory"] = Policy([drawn(random, 1 + MEMORY, 12, "tanh"), drawn(random, 12, ACTIONS + 2 * MEMORY)],
                            observation=["root_height"], memory=MEMORY, **BODY)
    made["blank"] = policy.blank(SIZES["target"], ACTIONS, observation=["target"], **BODY)
    made["still"] = policy.blank(SIZES["target"], ACTIONS, observation=["target"], reference=poses(), **BODY)
    return made


class Folder(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="troupe-policy-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder, name)

    @classmethod
    def tool(cls, *arguments, code=0):
        done = subprocess.run([TRAIN, *arguments], cwd=cls.folder, capture_output=True, text=True, timeout=280)
        if done.returncode != code:
            raise AssertionError(done.stdout + done.stderr)
        return done.stderr if code else done.stdout

    @classmethod
    def bring(cls, name, file, *options):
        return cls.tool("policy", "import", file, "--name", name, "--into", "all.troupe", *options)


CRANE = """<mujoco model="crane"><worldbody><body name="base"><freejoint/><geom type="box" size=".4 .4 .1" mass="50"/>
<body name="mast" pos="0 0 .1" quat="1 .1 0 0"><joint type="slide" axis="0 0 1" range="0 .5"/><geom type="box" size=".05 .05 .2" mass="5"/>
<body name="boom" pos="0 0 .3"><joint type="hinge" axis="0 0 1" range="-90 90"/><geom type="box" size=".3 .05 .05" mass="2"/>
<body name="car" pos="0 0 .1"><joint type="slide" axis="1 0 0" range="-.3 .3"/><geom size=".05" mass="1"/></body></body></body></body></worldbody>
<contact><exclude body1="base" body2="boom"/></contact>
<custom><text name="gains a" data="mast 20000 1000; boom 200 20; car 500 50"/></custom></mujoco>"""


class Slides(Folder):
    """A body with slide joints of its own MJCF, served: its policy moves the slides as far as it says."""

    WAYS = (0.25, 0.5, -0.2)  # m, rad, m

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        with open(cls.path("crane.xml"), "w", encoding="utf-8") as file:
            file.write(CRANE)
        held = policy.blank(1, 3, observation=["root_height"], joints=["mast", "boom", "car"], period_steps=5, gains="a", scale=1, action_limit=1)
        policy.save_npz(cls.path("crane.npz"), replace(held, layers=[Layer(held.layers[0].weight, np.array(cls.WAYS, np.float32), "none")]))
        cls.bring("crane", "crane.npz", "--model", "crane.xml")
        cls.tool("bundle", "export", "all.troupe", "crane", "-o", "crane.bundle")
        cls.daemon = Daemon("--bundle", cls.path("crane.bundle"), bundle=False)
        cls.addClassCleanup(cls.daemon.__exit__, None, None, None)

    def setUp(self):
        self.client = Client(port=self.daemon.port)
        self.addCleanup(self.client.close)
        self.world = self.client.ask(requests.create_world(self.id()[-47:], Mode.STEPPED)).id

    def test_worlds_draw_bodies_of_other_masses(self):
        with open(self.path("heavy.xml"), "w", encoding="utf-8") as file:
            file.write(CRANE.replace('mass="5"', 'mass="25"').replace('model="crane"', 'model="heavy"'))
        self.bring("heavy", "crane.npz", "--model", "heavy.xml")
        self.tool("bundle", "export", "all.troupe", "crane", "heavy", "-o", "two.bundle")
        with Daemon("--bundle", self.path("two.bundle"), bundle=False) as daemon:
            task = Task("crane", actions=Targets(), observe=rows("joint_rate"), step_ticks=5, controllers=("crane", "heavy"))
            with VectorCharacters(task, 6, port=daemon.port) as envs:
                names = [envs.arena.state(i, 0).characters[0].controller for i in range(6)]
                self.assertEqual(set(names), {"crane", "heavy"})
                envs.reset(seed=1)
                seen = envs.step(np.zeros((6, 3)))[0]
            for i in range(6):
                self.assertEqual(np.array_equal(seen[i], seen[0]), names[i] == names[0])

    def test_bundles_of_a_start_may_share_a_name(self):
        """The later one gets a free name, as 'bundle add' gives it, and the log says so."""
        policy.save_npz(self.path("other.npz"), policy.blank(1, 3, observation=["root_height"], joints=["mast", "boom", "car"], period_steps=5, gains="a"))
        self.tool("policy", "import", "other.npz", "--name", "crane", "--into", "other.troupe", "--model", "crane.xml")
        self.tool("bundle", "export", "other.troupe", "crane", "-o", "same.bundle")
        with Daemon("--bundle", self.path("crane.bundle"), "--bundle", self.path("same.bundle"), bundle=False) as daemon:
            with Client(port=daemon.port) as client:
                self.assertEqual([row.name for row in client.ask(requests.list_controllers()).rows], ["crane", "crane-2"])
            self.assertRegex(daemon.log(), r"level=warn event=catalogue.bundle .*renamed=1")

    def test_they_move_and_are_shown(self):
        bodies = self.client.ask(requests.get_model("crane")).bodies
        self.assertEqual([each.joint.name for each in bodies], ["FREE", "SLIDE", "HINGE", "SLIDE"])
        self.client.ask(requests.spawn_character(self.world, "crane"))
        self.client.ask(requests.step(self.world, 600))
        full = self.client.ask(requests.get_state(self.world, requests.JOINTS | requests.BODIES)).characters[0]
        compact = unpack(self.client.ask(requests.get_state(self.world, requests.COMPACT)).characters[0], bodies)
        for i, (way, axis) in enumerate(zip(self.WAYS, (3, 3, 1)), 1):
            w, part = full.joint_rot[4 * i], full.joint_rot[4 * i + axis]
            self.assertAlmostEqual(2 * np.arctan2(part, w), way, delta=0.01 if i > 1 else 0.02)  # the mast sinks a little
        place = np.reshape(full.body_pos, (4, 3))
        self.assertAlmostEqual(np.linalg.norm(place[3] - place[2]), np.hypot(0.1, 0.2), delta=0.01)
        np.testing.assert_allclose(np.reshape(compact.body_pos, (4, 3)), place, atol=0.01)

    def test_recordings_and_snapshots_hold_them(self):
        self.client.ask(requests.start_recording(self.world, "crane"))
        self.client.ask(requests.spawn_character(self.world, "crane"))
        self.client.ask(requests.step(self.world, 20))
        saved = self.client.ask(requests.snapshot(self.world))
        self.client.ask(requests.step(self.world, 100))
        end = self.client.ask(requests.get_state(self.world, requests.HASH)).hash
        self.client.ask(requests.stop_recording(self.world))
        self.client.ask(requests.restore(self.world, saved.data))
        self.client.ask(requests.step(self.world, 100))
        self.assertEqual(self.client.ask(requests.get_state(self.world, requests.HASH)).hash, end)
        again = self.client.ask(requests.replay("crane", "again")).id
        self.client.ask(requests.verify(again))
        done = subprocess.run([os.environ["TROUPE"], "--port", str(self.daemon.port), "export", "crane", "--gltf", self.path("crane.glb")],
                              capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 2)
        self.assertIn("body 'mast' slides", done.stderr)


class Served(Folder):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.policies = all_policies()
        for name, each in cls.policies.items():
            policy.save_npz(cls.path(f"{name}.npz"), each)
            cls.bring(name, f"{name}.npz")
        cls.tool("bundle", "export", "all.troupe", *cls.policies, "-o", "all.bundle")
        cls.daemon = Daemon("--bundle", cls.path("all.bundle"), bundle=False)
        cls.addClassCleanup(cls.daemon.__exit__, None, None, None)

    def episode(self, controller, observation, act, steps=40):
        """Root and joints of two characters after each step; one is pushed."""
        task = Task(controller, actions=Targets(), observe=rows(*observation), step_ticks=BODY["period_steps"])
        if "ground" in observation:
            task = replace(task, scene=KERB)
        if "target" in observation:
            task = replace(task, target_heading_rad=(-2.0, 2.0), target_speed=(0.5, 1.5))
        met = []
        with VectorCharacters(task, 2, port=self.daemon.port) as envs:
            seen, _ = envs.reset(seed=1, options=dict(heading_rad=0.7, fragment=0))
            for step in range(steps):
                if step == 10:
                    envs.push(0, (0, 80, 0), 0.1)
                seen, _, ended, _, _ = envs.step(act(seen))
                now = envs.characters
                met.append(np.concatenate([now.root_pos, now.root_rot, now.root_vel, now.joint_rot.reshape(2, -1)], axis=1))
                if ended.any():
                    break
        return np.array(met)

    def test_it_acts_in_the_environment_as_in_the_daemon_to_the_bit(self):
        for name, each in self.policies.items():
            if name in ("blank", "still"):
                continue
            with self.subTest(name):
                stage = "still" if each.reference is not None else "blank"
                kept = np.zeros((2, MEMORY)) if each.memory else None
                here = self.episode(stage, each.observation, lambda seen: each.act(seen, kept))
                served = self.episode(name, each.observation, lambda seen: np.zeros((2, ACTIONS)))
                idle = self.episode(stage, each.observation, lambda seen: np.zeros((2, ACTIONS)))
                self.assertGreater(len(here), 5)
                np.testing.assert_array_equal(here, served)
                self.assertGreater(np.abs(here[5] - idle[5]).max(), 1e-3)

    def test_a_policy_that_sees_the_target_is_steered(self):
        """Another heading and another speed change what it does; one that does not see the target refuses it."""
        ways = []
        for asked in ((0.5, 1.0), (-0.5, 1.0), (0.5, 0.2)):
            with Client(port=self.daemon.port) as client:
                world = client.ask(requests.create_world(f"steered {asked}", Mode.STEPPED)).id
                walker = client.ask(requests.spawn_character(world, "target")).entity
                client.ask(requests.steer(world, walker, heading_rad=asked[0], speed=asked[1]))
                client.ask(requests.step(world, 20))
                state = client.ask(requests.get_state(world, requests.JOINTS))
                ways.append(tuple(state.characters[0].joint_rot))
                other = client.ask(requests.spawn_character(world, "facing", pos=(3, 0, 0))).entity
                with self.assertRaises(errors.Refused):
                    client.ask(requests.steer(world, other, heading_rad=0.5))
                client.ask(requests.destroy_world(world))
        self.assertEqual(len(set(ways)), 3)

    def test_the_ground_ahead_is_seen(self):
        """The root's height is that above the ground, and a kerb ahead and to the left is where it is."""
        task = Task("blank", actions=Targets(), observe=rows("root_height", "ground"), step_ticks=5, scene=world_pb2.Scene(
            scenery=[requests.scenery(size=(3, 3, 0.2)), requests.scenery(pos=(1, 0.6, 0.2), size=(0.4, 0.5, 0.1))]))
        with VectorCharacters(task, 1, port=self.daemon.port) as envs:
            seen, _ = envs.reset(options=dict(heading_rad=0))
            height = envs.characters.root_pos[0, 2]
            np.testing.assert_allclose(seen[0, 0], height - 0.2, atol=1e-6)
            kerb = np.zeros((5, 3))
            kerb[3:, 2] = 0.1
            np.testing.assert_allclose(seen[0, 1:].reshape(5, 3), kerb, atol=1e-6)
        with VectorCharacters(replace(task, observe=rows("root_height")), 1, port=self.daemon.port) as envs:
            self.assertEqual(envs.reset(options=dict(heading_rad=0))[0][0, 0], seen[0, 0])
            self.assertEqual(envs.characters.ground.shape, (1, 1))  # no places ahead are asked for

    def test_what_was_saved_is_loaded(self):
        again = policy.load_npz(self.path("all.npz"))
        seen = np.random.default_rng(1).normal(size=(3, sum(SIZES.values())))
        np.testing.assert_array_equal(again.act(seen), self.policies["all"].act(seen))

    def test_it_is_described(self):
        with Client(port=self.daemon.port) as client:
            detail = client.ask(requests.get_controller("all"))
            self.assertEqual((detail.kind, detail.entry_count, detail.skill), ("policy", 4, "policy"))
            self.assertEqual([(each.name, each.count, each.high) for each in detail.parameters], [("action", ACTIONS, 2.0)])

    def test_a_character_begins_in_the_state_of_its_entry(self):
        task = Task("still", actions=Targets(), step_ticks=5)
        with VectorCharacters(task, 1, port=self.daemon.port) as envs:
            envs.reset(options=dict(fragment=2))
            self.assertAlmostEqual(float(envs.characters.joint_rot[0, 1, 1]), np.sin(0.04), 6)
            np.testing.assert_allclose(envs.characters.root_pos[0], [0, 0, 0.95], atol=1e-3)

    def test_it_is_recorded_and_replayed_and_a_snapshot_restores_it(self):
        for name in ("all", "memory"):
            with self.subTest(name):
                self.record(name)

    def record(self, name):
        one = RawClient(self.daemon.port)
        world = one.ask(create_world=dict(name="policy", mode=STEPPED)).world.id
        one.command(world, start_recording=dict(name=f"of-{name}"))
        one.spawn(world, name)
        one.step(world, 33)
        snapshot = one.command(world, snapshot={})
        end = one.step(world, 67)
        one.command(world, stop_recording={})
        replay = one.ask(replay=dict(recording=f"of-{name}", world="again", paused=True)).world.id
        self.assertEqual(one.command(replay, seek=dict(position=100)).hash, end.hash)
        one.command(world, restore=dict(data=snapshot.data))
        self.assertEqual(one.step(world, 67).hash, end.hash)
        for each in (replay, world):
            one.ask(destroy_world=dict(world=each))


class Example(Folder):
    """examples/ppo.py: a policy of zeros is imported and served, trained in, and tested."""

    def example(self, *arguments, program="ppo.py"):
        script = os.path.join(os.environ["TROUPE_SOURCE"], "client/python/examples", program)
        done = subprocess.run([sys.executable, "-B", script, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=200)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_a_policy_is_trained_the_same_way_again_and_tested(self):
        self.example("blank", "-o", "blank.npz")
        self.bring("blank", "blank.npz")
        self.tool("bundle", "export", "all.troupe", "blank", "-o", "all.bundle")
        with Daemon("--bundle", self.path("all.bundle"), bundle=False) as daemon:
            port = ("--port", str(daemon.port), "--worlds", "4")
            for name in ("one", "two"):
                said = self.example("train", *port, "--steps", "1024", "--seed", "3", "-o", f"{name}.npz")
                self.assertRegex(said, r"(?m)^    1024 decisions, .*: reward -?\d\.\d+, a fall every \d+\.\d s$")
            header, light, hard = self.example("test", *port, "--rounds", "1", "--forces", "0", "600").split()
        self.assertEqual((header, light.split(",")[:3], hard.split(",")[:3]),
                         ("force_n,trials,survived,low,high", ["0", "4", "4"], ["600", "4", "0"]))
        with np.load(self.path("one.npz")) as one, np.load(self.path("two.npz")) as two, np.load(self.path("blank.npz")) as blank:
            for name in one.files:
                if name != "policy.json":
                    np.testing.assert_array_equal(one[name], two[name])
            self.assertGreater(np.abs(one["W2"]).max(), 0)
            self.assertEqual(np.abs(blank["W0"]).max(), 0)
        self.bring("stand", "one.npz")
        with open(self.path("one.svg")) as file:
            self.assertEqual(file.read().count("<polyline"), 2)

    def test_a_policy_with_memory_is_trained_the_same_way_again(self):
        self.example("blank", "-o", "blank.npz")
        self.bring("still", "blank.npz")
        self.tool("bundle", "export", "all.troupe", "still", "-o", "still.bundle")
        with Daemon("--bundle", self.path("still.bundle"), bundle=False) as daemon:
            for name in ("one", "two"):
                said = self.example("--controller", "still", "--port", str(daemon.port), "--worlds", "4", "--generations", "2",
                                    "-o", f"memory-{name}.npz", program="memory.py")
                self.assertRegex(said, r"^generation    1  earned +\d+\.\d\d  best +\d+\.\d\d\ngeneration    2 ")
        with np.load(self.path("memory-one.npz")) as one, np.load(self.path("memory-two.npz")) as two:
            np.testing.assert_array_equal(one["W0"], two["W0"])
        self.bring("memory", "memory-one.npz")

    def test_a_unit_remembers(self):
        sys.path.insert(0, os.path.join(os.environ["TROUPE_SOURCE"], "client/python/examples"))
        import memory

        weights = np.random.default_rng(2).normal(size=(3, memory.SIZE)) * 0.1
        unit, kept = memory.Unit(weights), np.zeros((1, memory.HIDDEN))
        first, then = (unit.act(np.ones((3, memory.INPUTS))) for _ in range(2))
        for acted in (first, then):
            served = memory.policy(weights[1]).act(np.ones((1, memory.INPUTS)), kept)
            np.testing.assert_allclose(served[0], acted[1], atol=1e-12)
        self.assertEqual(first.shape, (3, memory.OUTPUTS))
        self.assertTrue((np.abs(then - first).max(axis=1) > 1e-3).all())  # the same sight, another memory


class Refused(Folder):
    def refuse(self, words, each, change=None):
        """Written, changed, and refused with these words."""
        policy.save_npz(self.path("bad.npz"), each)
        if change:
            with open(self.path("bad.npz"), "rb") as file:
                data = change(file.read())
            with open(self.path("bad.npz"), "wb") as file:
                file.write(data)
        said = self.bring("bad", "bad.npz") if words is None else self.tool(
            "policy", "import", "bad.npz", "--name", "bad", "--into", "all.troupe", code=1)
        for word in words or ():
            self.assertIn(word, said)

    @staticmethod
    def rewritten(**arrays):
        """A change that replaces members; None takes one away."""
        def change(data):
            out = io.BytesIO()
            with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
                for name in old.namelist():
                    key = name.split(".")[0]
                    content = old.read(name)
                    if key in arrays and isinstance(arrays[key], np.ndarray):
                        buffer = io.BytesIO()
                        np.save(buffer, arrays[key])
                        content = buffer.getvalue()
                    elif key in arrays:
                        content = arrays[key]
                    if content is not None:
                        new.writestr(name, content)
            return out.getvalue()
        return change

    def small(self, **options):
        return policy.blank(1, ACTIONS, **{**dict(observation=["root_height"]), **BODY, **options})

    def test_a_deflated_file_is_read(self):
        self.refuse(None, self.small(), self.rewritten())

    def test_arrays(self):
        zeros = np.zeros((1, ACTIONS), np.float32)
        for words, arrays in (
            (("bad.npz: array W0: missing; expected 1 x outputs",), dict(W0=None)),
            (("array W0: 11 x 1; expected 1 x outputs",), dict(W0=zeros.T.copy())),
            (("array b0: 10; expected 11",), dict(b0=np.zeros(10))),
            (("W0.npy", "float32 or float64"), dict(W0=zeros.astype(np.int32))),
            (("W0.npy", "float32 or float64"), dict(W0=zeros.astype(">f4"))),
            (("W0.npy", "C order"), dict(W0=np.asfortranarray(np.zeros((3, ACTIONS))))),
            (("weight 0 is not finite",), dict(W0=np.full((1, ACTIONS), np.nan))),
            (("the network has", "outputs"), dict(W0=np.zeros((1, 5)), b0=np.zeros(5))),
            (("W0.npy", "not an array"), dict(W0=b"hello")),
            (("description:1:",), dict(policy=b"{")),
            (("no description", "--description"), dict(policy=None)),
        ):
            with self.subTest(words):
                self.refuse(words, self.small(), self.rewritten(**arrays))

    def test_archives(self):
        self.refuse(("not a ZIP archive",), self.small(), lambda data: data[:200])
        def damaged(data):
            at = data.index(b"NUMPY") + 130
            return data[:at] + bytes([data[at] ^ 1]) + data[at + 1:]
        self.refuse(("damaged",), self.small(), damaged)

    def test_descriptions(self):
        for words, options in (
            ("observation: expected body_state, root_height", dict(observation=["height"])),
            ("observation: expected body_state", dict(observation=["root_height", "root_height"])),
            ("joints: expected a list of bodies of the model", dict(joints=["knee"])),
            ("joints: expected a list of bodies of the model", dict(joints=["pelvis"])),
            ("joints: expected bodies in the order", dict(joints=["rthigh", "lthigh"])),
            ("scale: 2 numbers; expected 11, or one for all", dict(scale=[1, 2])),
            ("period_steps: expected", dict(period_steps=0)),
            ("period_steps: expected", dict(period_steps=2.5)),
            ("step_s: expected", dict(step_s=0.025)),
            ("the model has no set 'soft'", dict(gains="soft")),
            ("action_limit: expected", dict(action_limit=-1)),
            ("skill: expected", dict(skill="")),
            ("array mean: 2; expected 1", dict(mean=np.zeros(2))),
            ("spread above 0", dict(spread=np.zeros(1))),
            ("array reference: 2 x 9; expected", dict(reference=np.zeros((2, 9)))),
        ):
            with self.subTest(words):
                self.refuse((words,), self.small(**options))

    def test_a_description_stands_beside_the_file(self):
        each = self.small()
        policy.save_npz(self.path("beside.npz"), each)
        with zipfile.ZipFile(self.path("beside.npz")) as archive, open(self.path("beside.json"), "wb") as file:
            file.write(archive.read("policy.json").replace(b'"policy"', b'"beside"'))
        self.bring("beside", "beside.npz", "--description", "beside.json")
        self.assertIn("beside", self.tool("policy", "import", "beside.npz", "--name", "no", "--into", "all.troupe",
                                          "--description", "nowhere/beside.json", code=1))


class Onnx(Folder):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        schema = DEBIANS_SCHEMA if os.path.exists(DEBIANS_SCHEMA) else OWN_SCHEMA
        subprocess.run(["protoc", f"-I{os.path.dirname(schema)}", f"--python_out={cls.folder}", schema], check=True)
        sys.path.insert(0, cls.folder)
        import onnx_pb2

        cls.onnx = onnx_pb2

    def model(self, each, nodes, constants, description=True):
        """A graph from `o` to `a`. nodes: (operation, inputs, output, attributes)."""
        import json

        model = self.onnx.ModelProto(ir_version=8)
        graph = model.graph
        graph.name = "policy"
        graph.input.add().name = "o"
        graph.output.add().name = "a"
        for operation, inputs, output, attributes in nodes:
            node = graph.node.add(op_type=operation, input=inputs, output=[output], name=f"to {output}")
            for name, value in attributes.items():
                added = node.attribute.add(name=name)
                if isinstance(value, float):
                    added.f = value
                else:
                    added.i = value
        for i, (name, value) in enumerate(constants.items()):
            tensor = graph.initializer.add(name=name, dims=value.shape, data_type=1 if value.dtype == np.float32 else 11)
            if i % 2:
                tensor.raw_data = value.tobytes()
            elif value.dtype == np.float32:
                tensor.float_data.extend(value.ravel().tolist())
            else:
                tensor.double_data.extend(value.ravel().tolist())
        if description:
            fields = each.description()
            model.metadata_props.add(key="troupe", value=json.dumps({k: v for k, v in fields.items() if k != "activation"}))
        return model.SerializeToString()

    def write(self, name, data):
        with open(self.path(name), "wb") as file:
            file.write(data)

    def layers(self, seed, inputs):
        return Policy(network(seed, inputs), observation=["joint_rate"], **BODY)

    def chain(self, each, first="o"):
        """Gemm with and without transB, MatMul and Add, and all activations."""
        nodes, constants, at = [], {}, first
        for i, layer in enumerate(each.layers):
            last = i + 1 == len(each.layers)
            constants[f"b{i}"] = np.asarray(layer.bias)
            constants[f"W{i}"] = np.asarray(layer.weight)
            if i == 0:
                constants["W0"] = np.ascontiguousarray(constants["W0"].T)
                nodes.append(("Gemm", [at, "W0", "b0"], "s0", dict(transB=1)))
            elif i == 1:
                nodes += [("MatMul", [at, "W1"], "m1", {}), ("Add", ["b1", "m1"], "s1", {})]
            else:
                nodes.append(("Gemm", [at, f"W{i}", f"b{i}"], "a" if last else f"s{i}", dict(alpha=1.0)))
            at = f"s{i}"
            if not last:
                nodes.append((dict(tanh="Tanh", elu="Elu", relu="Relu")[layer.activation], [at], f"x{i}", {}))
                at = f"x{i}"
        return nodes, constants

    def serve(self, *names):
        self.tool("bundle", "export", "all.troupe", *names, "-o", "all.bundle")
        daemon = Daemon("--bundle", self.path("all.bundle"), bundle=False)
        self.addCleanup(daemon.__exit__, None, None, None)
        return daemon

    def test_it_is_the_same_controller_as_from_npz(self):
        each = self.layers(3, SIZES["joint_rate"])
        self.write("same.onnx", self.model(each, *self.chain(each)))
        policy.save_npz(self.path("same.npz"), each)
        self.bring("from-onnx", "same.onnx")
        self.bring("from-npz", "same.npz")
        with contextlib.closing(sqlite3.connect(self.path("all.troupe"))) as catalogue:
            one, other = (catalogue.execute("SELECT s.name, hex(s.content) FROM controller_section s JOIN controller c"
                                            " ON s.controller = c.id WHERE c.name = ? ORDER BY s.name", (name,)).fetchall()
                          for name in ("from-onnx", "from-npz"))
        self.assertEqual([name for name, _ in one], ["policy", "policy network"])
        self.assertEqual(one, other)

    def test_constants_may_be_computed_in_the_graph(self):
        """Shared biases by Identity, a weight by Transpose, a spread by Sqrt and Add: the same weights as written out."""
        each = self.layers(3, SIZES["joint_rate"])
        nodes, constants = self.chain(each)
        computed = dict(constants, turned=np.ascontiguousarray(constants["W1"].T), double=constants["b1"] * 2, two=np.array([2.0]))
        del computed["W1"], computed["b1"]
        extra = [("Transpose", ["turned"], "W1", {}), ("Identity", ["double"], "again", {}), ("Div", ["again", "two"], "b1", {}),
                 ("Mul", ["two", "two"], "four", {}), ("Sqrt", ["four"], "unused", {})]
        for name, content in (("plain", (nodes, constants)), ("computed", (extra + nodes, computed))):
            self.write(name + ".onnx", self.model(each, *content))
            self.bring(name, name + ".onnx")
        with contextlib.closing(sqlite3.connect(self.path("all.troupe"))) as catalogue:
            one, other = (catalogue.execute("SELECT s.name, hex(s.content) FROM controller_section s JOIN controller c"
                                            " ON s.controller = c.id WHERE c.name = ? ORDER BY s.name", (name,)).fetchall()
                          for name in ("plain", "computed"))
        self.assertEqual(one, other)

    def test_normalisation_becomes_part_of_the_weights(self):
        """Sub and Div before the network, BatchNormalization after its first layer, Mul behind it."""
        random = np.random.default_rng(4)
        inputs = SIZES["joint_rate"]
        mean, spread = random.normal(size=inputs) * 0.1, random.uniform(0.5, 2, size=inputs)
        plain = [drawn(random, inputs, 12), drawn(random, 12, ACTIONS)]
        gain, bias, middle, variance = (random.uniform(0.5, 1.5, size=12) for _ in range(4))
        scale = gain / np.sqrt(variance + 1e-3)
        first = Layer(plain[0].weight * scale, (plain[0].bias - middle) * scale + bias, "tanh")
        second = Layer(plain[1].weight * 0.5, plain[1].bias * 0.5)
        each = Policy([first, second], observation=["joint_rate"], mean=mean, spread=spread, **BODY)
        nodes = [
            ("Sub", ["o", "mean"], "n", {}), ("Div", ["n", "spread"], "x", {}),
            ("Gemm", ["x", "W0", "b0"], "s", {}), ("BatchNormalization", ["s", "gain", "bias", "middle", "variance"], "t", dict(epsilon=1e-3)),
            ("Tanh", ["t"], "h", {}), ("Flatten", ["h"], "f", {}), ("MatMul", ["f", "W1"], "m", {}),
            ("Add", ["m", "b1"], "y", {}), ("Mul", ["y", "half"], "a", {}),
        ]
        constants = dict(mean=mean, spread=spread, W0=plain[0].weight, b0=plain[0].bias, gain=gain, bias=bias, middle=middle,
                         variance=variance, W1=plain[1].weight, b1=plain[1].bias, half=np.array([0.5]))
        self.write("normal.onnx", self.model(each, nodes, constants))
        policy.save_npz(self.path("normal.npz"), each)
        self.bring("onnx", "normal.onnx")
        self.bring("npz", "normal.npz")
        daemon = self.serve("onnx", "npz")
        met = []
        for name in ("onnx", "npz"):
            with VectorCharacters(Task(name, actions=Targets(), step_ticks=5), 1, port=daemon.port) as envs:
                envs.reset(seed=1)
                for _ in range(6):
                    envs.step(np.zeros((1, ACTIONS)))
                met.append(np.concatenate([envs.characters.joint_rot.ravel(), envs.characters.joint_rate.ravel()]))
        np.testing.assert_allclose(met[0], met[1], atol=2e-5)
        self.assertFalse(np.allclose(met[0][-51:], 0, atol=1e-2))

    def evaluated(self, file, observations):
        """What a graph of the written operations makes of a matrix of inputs, in single precision."""
        model = self.onnx.ModelProto()
        with open(self.path(file), "rb") as stored:
            model.ParseFromString(stored.read())
        values = {each.name: np.frombuffer(each.raw_data, "<f4").reshape(list(each.dims)) for each in model.graph.initializer}
        values["o"] = observations.astype(np.float32)
        operations = dict(Sub=np.subtract, Div=np.divide, Gemm=lambda x, w, b: x @ w + b, Tanh=np.tanh,
                          Relu=lambda x: np.maximum(x, 0), Elu=lambda x: np.where(x > 0, x, np.expm1(np.minimum(x, 0))))
        for node in model.graph.node:
            values[node.output[0]] = operations[node.op_type](*(values[name] for name in node.input))
        return values["a"]

    def test_a_policy_of_a_catalogue_becomes_onnx(self):
        """Its graph computes what the daemon does, and it is imported again."""
        random = np.random.default_rng(8)
        inputs = SIZES["joint_rate"] + SIZES["target"]
        each = Policy(network(6, inputs), observation=["joint_rate", "target"], mean=random.normal(size=inputs) * 0.1,
                      spread=random.uniform(0.5, 2, size=inputs), **BODY)
        policy.save_npz(self.path("given.npz"), each)
        self.bring("given", "given.npz")
        command = [sys.executable, "-m", "troupe.networks", "all.troupe"]
        subprocess.run([*command, "given", "-o", "given.onnx"], cwd=self.folder, check=True)
        observations = random.normal(size=(200, inputs))
        np.testing.assert_allclose(np.clip(self.evaluated("given.onnx", observations), -each.action_limit, each.action_limit),
                                   each.act(observations), atol=1e-5)
        _, read = networks.load(self.path("all.troupe"), "given")
        self.assertEqual(read.description(), {**each.description(), "scale": ACTIONS * [0.3], "input_limit": policy.LIMIT})
        np.testing.assert_array_equal(read.act(observations), each.act(observations))
        self.bring("again", "given.onnx")
        _, again = networks.load(self.path("all.troupe"), "again")
        np.testing.assert_allclose(again.act(observations), each.act(observations), atol=1e-5)
        remembers = Policy([drawn(random, 1 + MEMORY, ACTIONS + 2 * MEMORY)], observation=["root_height"], memory=MEMORY, mean=[0.9], **BODY)
        policy.save_npz(self.path("remembers.npz"), remembers)
        self.bring("remembers", "remembers.npz")
        _, read = networks.load(self.path("all.troupe"), "remembers")
        kept = [np.zeros((4, MEMORY)) for _ in range(2)]
        for _ in range(3):
            seen = random.normal(size=(4, 1))
            np.testing.assert_array_equal(read.act(seen, kept[0]), remembers.act(seen, kept[1]))
        with self.assertRaisesRegex(ValueError, r"^it has a memory, and a graph from observations to actions has none"):
            networks.save_onnx(self.path("no.onnx"), read)
        with self.assertRaisesRegex(ValueError, r"^memory: found the shape None; expected \(4, "):
            read.act(seen)
        said = subprocess.run([*command, "absent", "-o", "no.onnx"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual((said.returncode, said.stderr), (1, "python3 -m troupe.networks: all.troupe: no controller 'absent'\n"))

    def test_shipped_networks_become_onnx(self):
        bundle = os.path.join(os.environ["TROUPE_SOURCE"], "db/shipped.troupe")
        for name in ("steady", "run-turns"):
            layers, no_policy = networks.load(bundle, name)
            self.assertIsNone(no_policy)
            networks.save_onnx(self.path("shipped.onnx"), layers)
            x = np.random.default_rng(9).normal(size=(50, layers[0].weight.shape[0]))
            expected = x.astype(np.float32)
            for layer in layers:
                expected = policy.ACTIVATIONS[layer.activation](expected @ layer.weight + layer.bias)
            np.testing.assert_allclose(self.evaluated("shipped.onnx", x), expected, atol=1e-4, rtol=1e-5)
        with self.assertRaisesRegex(ValueError, "'walk' is of the kind 'chain': expected a policy, a network or a scheduler"):
            networks.load(bundle, "walk")
        said = subprocess.run([sys.executable, "-m", "troupe.networks", bundle, "steady", "-o", "absent/steady.onnx"], cwd=self.folder,
                              capture_output=True, text=True)
        self.assertEqual((said.returncode, "Traceback" in said.stderr), (1, False), said.stderr)

    def test_a_network_lies_behind_what_it_knows_of_each_fragment(self):
        network = struct.pack("<3q4f", 1, 1, 2, 0.5, 0.25, 1, 2)
        section = bytes(24) + struct.pack("<2q", 0, 10) + bytes(8 * (18 + 3 * (18 + 24))) + network
        with contextlib.closing(sqlite3.connect(self.path("three.db"))) as db:
            db.executescript("CREATE TABLE model(id, mjcf); INSERT INTO model VALUES (1, '');"
                             "CREATE TABLE controller(id, name, kind, skill, step_s, model);"
                             "INSERT INTO controller VALUES (7, 'three', 'network', '', 0.005, 1);"
                             "CREATE TABLE controller_fragment(controller); INSERT INTO controller_fragment VALUES (7), (7), (7);"
                             "CREATE TABLE controller_section(controller, name, content)")
            db.execute("INSERT INTO controller_section VALUES (7, 'network', ?)", (struct.pack("<BI", 0, len(section)) + section,))
            db.commit()
        ((layer,), _) = networks.load(self.path("three.db"), "three")
        np.testing.assert_array_equal(layer.weight, [[0.5, 0.25]])
        np.testing.assert_array_equal(layer.bias, [1, 2])

    def test_what_is_not_such_a_network_is_refused(self):
        each = self.layers(3, SIZES["joint_rate"])
        nodes, constants = self.chain(each)
        for words, changed, kept in (
            (("to x0", "Sigmoid", "expected Gemm"), [(("Sigmoid" if n[0] == "Tanh" else n[0]), *n[1:]) for n in nodes], constants),
            (("Elu", "alpha 1"), [(*n[:3], dict(alpha=0.5)) if n[0] == "Elu" else n for n in nodes], constants),
            (("no node works on",), nodes[:-1], constants),
            (("tensor 'W1'", "expected a constant"), nodes, {k: v for k, v in constants.items() if k != "W1"}),
            (("to m1", "13 inputs after one of 12 outputs"), nodes, {**constants, "W1": np.zeros((13, 12))}),
            (("tensor 'W1', given by Tanh", "not a constant"), nodes + [("Tanh", ["o"], "W1", {})], {k: v for k, v in constants.items() if k != "W1"}),
            (("too many operations",), [("Add", [f"e{i}", f"e{i}"], f"e{i + 1}", {}) for i in range(40)] + [("Add", ["e40", "e40"], "W1", {})] + nodes,
             {**{k: v for k, v in constants.items() if k != "W1"}, "e0": constants["W1"]}),
            (("matrices and vectors",), nodes, {**constants, "W1": np.zeros((2, 12, 12))}),
        ):
            with self.subTest(words):
                self.write("bad.onnx", self.model(each, changed, kept))
                said = self.tool("policy", "import", "bad.onnx", "--name", "bad", "--into", "bad.troupe", code=1)
                for word in words:
                    self.assertIn(word, said)
        for words, data in (
            ("not an ONNX model", b"\xff\xff\xff"),
            ("no graph", b""),
            ("at most 4096 nodes", b"\x3a\x82\x40" + b"\x0a\x00" * 4097),  # a graph of empty nodes
            ("no description in it", self.model(each, nodes, constants, description=False)),
        ):
            self.write("bad.onnx", data)
            self.assertIn(words, self.tool("policy", "import", "bad.onnx", "--name", "bad", "--into", "bad.troupe", code=1))


if __name__ == "__main__":
    unittest.main()

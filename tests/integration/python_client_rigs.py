"""The Python package's retargeter and playback: bone rotations rebuild the places of bodies; pictures between states."""

import json
import math
import os
import pathlib
import random
import statistics
import types
import unittest
import xml.etree.ElementTree as xml

import rig as rigs
from harness import Daemon
from troupe import Client, Mode, requests, retarget
from troupe.playback import Playback
from troupe.retarget import Bone, Retargeter, _sum
from troupe.rotations import inverse, times, turned

SOURCE = pathlib.Path(os.environ["TROUPE_SOURCE"])
EXAMPLE = SOURCE / "tests/data/rigs/example.txt"
BODIES = 4


def numbers(words):
    return tuple(map(float, words))


def bodies_of(path):
    """The bodies of an MJCF file as a ModelDetail has them."""
    bodies = []

    def add(node, parent):
        pos = tuple(float(v) for v in (node.get("pos") or "0 0 0").split())
        bodies.append(types.SimpleNamespace(name=node.get("name"), parent=parent, pos=pos, rot=(1.0, 0.0, 0.0, 0.0)))
        own = len(bodies) - 1
        for child in node.findall("body"):
            add(child, own)

    add(xml.parse(path).getroot().find("worldbody/body"), -1)
    return bodies


def random_turn(source, degrees):
    axis = [source.gauss(0, 1) for _ in range(3)]
    length = math.sqrt(sum(v * v for v in axis))
    return rigs._about(tuple(v / length for v in axis), source.uniform(-degrees, degrees))


def posed(bodies, source):
    """Places and rotations of all bodies, in a random pose of a character that is somewhere."""
    pos, rot = [], []
    for body in bodies:
        turn = random_turn(source, 50)
        if body.parent < 0:
            pos.append((3.0, -2.0, 0.9))
            rot.append(turn)
        else:
            pos.append(_sum(pos[body.parent], turned(rot[body.parent], body.pos)))
            rot.append(times(rot[body.parent], turn))
    return pos, rot


def t_posed(bodies, names, axes, unit, source):
    """A rig of the bodies' own size with lifted arms, its bones turned anyhow, in other axes and units."""
    at, lift, bones = [], [], {}
    for body in bodies:
        if body.parent < 0:
            at.append((0.0, 0.0, 0.95))
            lift.append((1.0, 0.0, 0.0, 0.0))
        else:
            at.append(_sum(at[body.parent], turned(lift[body.parent], body.pos)))
            side = 1 if body.name[0] == "l" else -1
            lift.append(rigs._about((1, 0, 0), 90 * side) if body.name in ("luarm", "ruarm") else lift[body.parent])
        parent = names[bodies[body.parent].name] if body.parent >= 0 else None
        pos = tuple(v / unit for v in turned(axes, at[-1]))
        bones[names[body.name]] = Bone(parent, pos, random_turn(source, 180))
    return bones


class Rigs(unittest.TestCase):
    def test_bone_rotations_rebuild_the_places_of_bodies(self):
        source = random.Random(5)
        bodies = bodies_of(SOURCE / "controllers/model/athlete.xml")
        y_up = (0.5, -0.5, -0.5, -0.5)  # x ahead, z up to z ahead, y up
        for path in sorted((SOURCE / "client/rigs").glob("*.json")):
            names = retarget.bones_of(json.loads(path.read_text()))
            for axes, unit in ((y_up, 1.0), ((1.0, 0.0, 0.0, 0.0), 0.01), (rigs._about((0, 0, 1), -90), 1.0)):
                with self.subTest(rig=path.stem, axes=axes):
                    bones = t_posed(bodies, names, axes, unit, source)
                    retargeter = Retargeter(bodies, bones, names)
                    pos, rot = posed(bodies, source)
                    pose = retargeter.pose([v for p in pos for v in p], [v for q in rot for v in q])
                    self.assert_places(pose, bones, bodies, names, [tuple(v / unit for v in turned(axes, p)) for p in pos])

    def assert_places(self, pose, bones, bodies, names, expected):
        """Forward kinematics of the rig, from its rotations alone."""
        place, world = {}, {}
        for body in bodies:
            name = names[body.name]
            bone = bones[name]
            if bone.parent is None:
                place[name], world[name] = pose.root_pos, pose.rotation[name]
                continue
            above = bones[bone.parent]
            offset = turned(inverse(above.rot), tuple(a - b for a, b in zip(bone.pos, above.pos)))
            place[name] = _sum(place[bone.parent], turned(world[bone.parent], offset))
            world[name] = times(world[bone.parent], pose.rotation[name])
        size = math.dist(expected[0], expected[1])
        for body, where in zip(bodies, expected):
            self.assertLess(math.dist(place[names[body.name]], where), 1e-6 * size + 1e-9, body.name)

    def test_all_clients_turn_bones_alike(self):
        """The example that the clients of other languages are tested with holds what this one computes."""
        lines = [line.split() for line in EXAMPLE.read_text().splitlines()]
        bodies = [types.SimpleNamespace(name=w[1], parent=int(w[2]), pos=numbers(w[3:]), rot=(1.0, 0.0, 0.0, 0.0)) for w in lines if w[0] == "body"]
        bones = {w[1]: Bone(None if w[2] == "-" else w[2], numbers(w[3:6]), numbers(w[6:])) for w in lines if w[0] == "bone"}
        flat = {w[0]: numbers(w[1:]) for w in lines if w[0] in ("pos", "rot", "root")}
        pose = Retargeter(bodies, bones, {w[1]: w[2] for w in lines if w[0] == "map"}).pose(flat["pos"], flat["rot"])
        self.assertLess(math.dist(pose.root_pos, flat["root"]), 1e-4)
        turns = [w for w in lines if w[0] == "turn"]
        self.assertEqual({w[1] for w in turns}, set(pose.rotation))
        for _, bone, *turn in turns:
            self.assertGreater(abs(sum(a * b for a, b in zip(pose.rotation[bone], numbers(turn)))), 1 - 1e-6, bone)

    def test_a_joint_map_of_the_body_tool_serves_too(self):
        names = retarget.bones_of({"name": "x", "parts": {"hips": "Root", "left_hip": "L"}})
        self.assertEqual(names, {"pelvis": "Root", "lthigh": "L"})

    def test_a_bone_that_does_not_exist_is_named(self):
        bodies = bodies_of(SOURCE / "controllers/model/athlete.xml")
        with self.assertRaisesRegex(ValueError, "no bone 'Nose', which the map names for 'head'"):
            Retargeter(bodies, {}, {"head": "Nose"})


class Pictures(unittest.TestCase):
    def test_error_of_30_hz_states_behind_uneven_arrival(self):
        """Every tick of a stepped world is the truth; every seventh state arrives, up to 60 ms late."""
        with Daemon(bundle=False, shipped=True) as daemon, Client(port=daemon.port) as client:
            names = {row.name for row in client.rows(requests.list_controllers)}
            for controller in names & {"walk", "run", "kick", "walk-fast", "kick-high"}:
                with self.subTest(controller):
                    self.compare(client, controller)

    def compare(self, client, controller):
        source = random.Random(9)
        world = client.ask(requests.create_world(controller, Mode.STEPPED)).id
        client.ask(requests.spawn_character(world, controller))
        truth = []
        for _ in range(600):
            client.ask(requests.step(world, 1))
            truth.append(client.ask(requests.get_state(world, BODIES)))
        client.ask(requests.destroy_world(world))
        playback, sent, step = Playback(), truth[::7], truth[1].time_s - truth[0].time_s
        arrivals = sorted((state.time_s + source.uniform(0.005, 0.065), i) for i, state in enumerate(sent))
        heard, last = 0, -1
        off_m, off_deg = [], []
        for picture in range(1, 170):
            now = picture / 60
            while heard < len(arrivals) and arrivals[heard][0] <= now:
                if arrivals[heard][1] > last:  # TCP keeps the order
                    last = arrivals[heard][1]
                    playback.add(sent[last], arrivals[heard][0])
                heard += 1
            shown = playback.at(now)
            at = playback.time_s(now)
            if now < 0.5 or not shown:
                continue
            true = truth[round((at - truth[0].time_s) / step)].characters[0]
            one = next(iter(shown.values()))
            for i in range(len(true.body_pos) // 3):
                off_m.append(math.dist(true.body_pos[3 * i:3 * i + 3], one.body_pos[3 * i:3 * i + 3]))
                dot = abs(sum(a * b for a, b in zip(true.body_rot[4 * i:4 * i + 4], one.body_rot[4 * i:4 * i + 4])))
                off_deg.append(math.degrees(2 * math.acos(min(dot, 1.0))))
        print(f"{controller}: {1000 * statistics.median(off_m):.2f} mm, {statistics.median(off_deg):.2f} degrees at the median")
        self.assertLess(statistics.median(off_m), 0.005)
        self.assertLess(statistics.median(off_deg), 1.0)


if __name__ == "__main__":
    unittest.main()

"""A kind of driver that the project does not know, served: a daemon that links it lists, describes, spawns, sets, records
and replays it to the bit."""

import json
import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "integration"))
from harness import *

VALUES = dict(parameters=[dict(name="amplitude", values=[0.3]), dict(name="period", values=[2])])


class Toy(Case):
    def setUp(self):
        self.one = self.client()
        self.w = self.world(self.one)

    def character(self):
        return self.one.state(self.w).characters[0]

    def test_is_described(self):
        controller = self.one.ask(get_controller=dict(name="toy")).controller
        self.assertEqual((controller.summary.kind, controller.summary.fragment_count), ("toy_sway", 0))
        self.assertEqual([(p.name, p.unit, p.count) for p in controller.parameters],
                         [("amplitude", "rad", 1), ("period", "s", 1)])
        self.assertEqual((controller.entry_count, controller.recovers), (1, False))
        shown = subprocess.run([os.environ["TROUPE"], "--port", str(self.daemon.port), "controllers", "toy"],
                               capture_output=True, text=True, check=True).stdout
        for word in ("toy_sway", "amplitude", "period", "how far it sways"):
            self.assertIn(word, shown)

    def test_is_set_while_it_sways(self):
        entity = self.one.spawn(self.w, "toy")
        self.one.step(self.w, 50)
        state = self.character()
        self.assertEqual((state.controller, state.doing), ("toy", "sways one way"))
        self.assertEqual([(v.name, v.unit, list(v.value)) for v in state.shown], [("swings", "", [0.25])])
        printed = subprocess.run([os.environ["TROUPE"], "--port", str(self.daemon.port), "--json", "state", "#%d" % self.w],
                                 capture_output=True, text=True, check=True).stdout
        self.assertEqual(json.loads(printed)["characters"][0]["shown"], [dict(name="swings", unit="", value=[0.25])])
        self.assertAlmostEqual(state.phase, 0.25, places=5)
        self.one.command(self.w, set_parameters=dict(entity=entity, **VALUES))
        self.one.step(self.w, 100)
        self.assertAlmostEqual(self.character().phase, 0.5, places=5)
        with self.refused(NOT_FOUND):
            self.one.command(self.w, set_parameters=dict(entity=entity, parameters=[dict(name="speed", values=[1])]))
        with self.refused(INVALID_ARGUMENT):
            self.one.command(self.w, set_parameters=dict(entity=entity, parameters=[dict(name="period", values=[1]), dict(name="amplitude", values=[7])]))
        self.one.step(self.w, 40)
        self.assertAlmostEqual(self.character().phase, 0.6, places=5)  # the period has not changed: all or none
        self.one.command(self.w, set_parameters=dict(entity=entity, parameters=[dict(name="period")]))
        self.one.step(self.w, 20)
        self.assertAlmostEqual(self.character().phase, 0.7, places=5)

    def test_is_replayed_to_the_bit(self):
        self.one.command(self.w, start_recording=dict(name="toy"))
        entity = self.one.spawn(self.w, "toy")
        self.one.step(self.w, 30)
        self.one.command(self.w, set_parameters=dict(entity=entity, **VALUES))
        end = self.one.step(self.w, 100)
        self.one.command(self.w, stop_recording={})
        replay = self.one.ask(replay=dict(recording="toy", world="again", paused=True)).world.id
        self.one.command(replay, verify={})
        info = self.one.ask(get_replay=dict(world=replay)).replay_info
        self.assertEqual((info.verified, info.length, info.HasField("divergence")), (True, 130, False))
        self.assertEqual(self.one.command(replay, seek=dict(position=130)).hash, end.hash)
        self.one.ask(destroy_world=dict(world=replay))

    def test_a_snapshot_restores_it(self):
        entity = self.one.spawn(self.w, "toy")
        self.one.command(self.w, set_parameters=dict(entity=entity, **VALUES))
        self.one.step(self.w, 30)
        snapshot = self.one.command(self.w, snapshot={})
        straight = self.one.step(self.w, 30).hash
        self.one.command(self.w, restore=dict(data=snapshot.data))
        self.assertEqual(self.one.step(self.w, 30).hash, straight)

    def test_brings_its_rig(self):
        controller = self.one.ask(get_controller=dict(name="watch")).controller
        self.assertEqual([(o.name, o.mass, [g.kind for g in o.geoms]) for o in controller.rig],
                         [("ball", 1, [1]), ("bat", 0.3, [2]), ("post", 40, [4]), ("gate", 2, [3])])
        self.assertEqual([(p.kind, p.first, p.second) for p in controller.rig_pins],
                         [("point", "rhand", "bat"), ("hinge", "gate", "post")])
        shown = subprocess.run([os.environ["TROUPE"], "--port", str(self.daemon.port), "controllers", "watch"],
                               capture_output=True, text=True, check=True).stdout
        for word in ("ball", "cylinder", "hinge"):
            self.assertIn(word, shown)
        entity = self.one.spawn(self.w, "watch", 2)
        other = self.one.spawn(self.w, "toy", -3)
        objects = self.one.state(self.w).objects
        self.assertEqual([(o.name, o.rig_of) for o in objects], [(n, entity) for n in ("ball", "bat", "post", "gate")])
        self.assertAlmostEqual(objects[0].pos[0], 3, places=5)
        self.one.step(self.w, 50)
        self.assertEqual(self.one.state(self.w).characters[0].doing, "watches the ball on the left")
        with self.refused(FAILED_PRECONDITION):
            self.one.command(self.w, despawn=dict(entity=objects[1].entity))
        with self.refused(FAILED_PRECONDITION):
            self.one.command(self.w, set_controller=dict(entity=other, controller="watch"))
        self.one.command(self.w, set_controller=dict(entity=entity, controller="toy"))
        self.one.step(self.w, 40)
        self.assertEqual(self.one.state(self.w).characters[0].controller, "toy")
        self.assertEqual(len(self.one.state(self.w).objects), 4)
        self.one.command(self.w, despawn=dict(entity=entity))
        self.assertEqual(len(self.one.state(self.w).objects), 0)

    def test_rig_comes_back_from_a_snapshot(self):
        entity = self.one.spawn(self.w, "watch")
        self.one.step(self.w, 30)
        snapshot = self.one.command(self.w, snapshot={})
        straight = self.one.step(self.w, 60).hash
        self.one.command(self.w, despawn=dict(entity=entity))
        self.one.command(self.w, restore=dict(data=snapshot.data))
        self.assertEqual(self.one.step(self.w, 60).hash, straight)
        hostile = bytearray(snapshot.data)
        hostile[-44 + 12] ^= 1  # the id of the ball
        with self.refused(INVALID_ARGUMENT):
            self.one.command(self.w, restore=dict(data=bytes(hostile)))
        self.one.command(self.w, despawn=dict(entity=entity))
        self.assertEqual(len(self.one.state(self.w).objects), 0)

    def test_rig_is_replayed_to_the_bit(self):
        self.one.command(self.w, start_recording=dict(name="rig"))
        self.one.spawn(self.w, "watch")
        end = self.one.step(self.w, 120)
        self.one.command(self.w, stop_recording={})
        replay = self.one.ask(replay=dict(recording="rig", world="again", paused=True)).world.id
        self.assertEqual(self.one.command(replay, seek=dict(position=120)).hash, end.hash)
        self.assertEqual(len(self.one.state(replay).objects), 4)
        self.one.ask(destroy_world=dict(world=replay))


if __name__ == "__main__":
    unittest.main()

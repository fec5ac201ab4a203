"""Puppets over the wire: kinematic characters of a latent space are steered, kept, recorded and replayed."""

import math
import os
import unittest

from harness import *

BUNDLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../db/shipped.troupe")


def heading(character):
    q = character.root_rot
    return 2 * math.atan2(q[3], q[0])


@unittest.skipUnless(os.path.exists(BUNDLE), "there is no db/shipped.troupe")
class Puppets(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon(bundle=False, shipped=True)
        cls.one = cls.daemon.client()
        cls.world = cls.one.create_world("puppets").id
        cls.entity = cls.one.spawn(cls.world, "walker")

    @classmethod
    def tearDownClass(cls):
        cls.one.close()
        cls.daemon.stop()

    def test_kind_and_parameters_are_shown(self):
        detail = self.one.ask(get_controller=dict(name="walker")).controller
        self.assertGreater(detail.skills[0].turn_rad_s, 0)
        self.assertEqual([each.name for each in detail.parameters], ["reach_hand", "reach", "map_hold", "map", "pillar", "aims", "aim", "held"])

    def test_what_may_be_asked_is_shown_and_other_things_are_refused(self):
        for name, kinematic, heading, asked, why in (
                ("hound", True, True, dict(skill="run"), "has no skill 'run' to ask for; it takes a heading, a point or a character, a speed of"),
                ("standing-momentum", False, False, dict(heading_rad=1), "cannot be steered"),
                ("steady", False, False, dict(heading_rad=1), "cannot be steered"),
                ("walk", False, True, dict(skill="run"), "has no skill 'run' to ask for; it takes a heading, a point or a "
                                                         "character, a speed of"),
                ("ball-walker", False, True, dict(speed=2), "does not go at 2 m/s; it takes a heading, a speed of 0.00 to 0.50")):
            reach = self.one.ask(get_controller=dict(name=name)).controller.reach
            self.assertEqual((reach.kinematic, reach.heading), (kinematic, heading), name)
            entity = self.one.spawn(self.world, name)
            with self.assertRaisesRegex(Refused, "'%s' %s" % (name, why)):
                self.one.command(self.world, steer=dict(entity=entity, **asked))
            self.one.command(self.world, despawn=dict(entity=entity))

    def test_moves_on_its_map(self):
        map = self.one.ask(get_controller=dict(name="walker")).controller.map
        self.assertEqual(sum(point.begins for point in map), 2)
        self.assertEqual(sum(point.begins and point.mirrored for point in map), 1)
        widest = max(math.dist((0, 0, 0), (p.at.x, p.at.y, p.at.z)) for p in map)
        places = set()
        for _ in range(20):
            self.one.step(self.world, 20)
            at = self.one.state(self.world).characters[0].map_at
            self.assertEqual(len(at), 3)
            self.assertLess(math.dist((0, 0, 0), at), 1.5 * widest)
            places.add(tuple(at))
        self.assertEqual(len(places), 20)

    def test_point_is_dragged_and_the_body_follows(self):
        point = self.one.ask(get_controller=dict(name="walker")).controller.map[40].at
        before = list(self.one.state(self.world).characters[0].joint_rot)

        def set(**values):
            parameters = [dict(name=name, values=each) for name, each in values.items()]
            self.one.command(self.world, set_parameters=dict(entity=self.entity, parameters=parameters))

        set(map_hold=[1], map=[point.x, point.y])
        self.one.step(self.world, 200)
        held = self.one.state(self.world).characters[0]
        self.assertLess(math.dist(held.map_at[:2], (point.x, point.y)), 0.01)
        self.assertNotEqual(list(held.joint_rot), before)
        set(map_hold=[])
        self.one.command(self.world, steer=dict(entity=self.entity, heading_rad=heading(held), speed=1))
        self.one.step(self.world, 400)
        walks = self.one.state(self.world).characters[0]
        self.assertGreater(math.dist(walks.root_pos, held.root_pos), 0.3)

    def test_turns_to_a_heading_and_is_not_pushed(self):
        self.one.command(self.world, steer=dict(entity=self.entity, heading_rad=math.pi / 2, speed=1))
        with self.assertRaisesRegex(Refused, "'walker' moves this character by poses, so that forces do not"):
            self.one.command(self.world, push=dict(entity=self.entity, force=dict(x=500), duration_s=0.2))
        self.one.step(self.world, 900)
        character = self.one.state(self.world).characters[0]
        self.assertFalse(character.fallen)
        self.assertLess(abs(heading(character) - math.pi / 2), 0.4)
        self.assertGreater(character.root_pos[1], 1)

    def test_restored_snapshot_continues_to_the_bit(self):
        taken = self.one.command(self.world, snapshot={})
        first = self.one.step(self.world, 100).hash
        restored = self.one.command(self.world, restore=dict(data=taken.data))
        self.assertEqual((restored.tick, restored.hash), (taken.tick, taken.hash))
        self.assertEqual(self.one.step(self.world, 100).hash, first)

    def test_replay_of_a_recording_is_exact(self):
        self.one.command(self.world, start_recording=dict(name="walk"))
        self.one.command(self.world, steer=dict(entity=self.entity, heading_rad=-1))
        self.one.step(self.world, 200)
        self.one.command(self.world, stop_recording={})
        replay = self.one.ask(replay=dict(recording="walk", world="again", paused=True)).world.id
        self.one.command(replay, verify={})
        info = self.one.ask(get_replay=dict(world=replay)).replay_info
        self.assertTrue(info.verified and info.whole)


if __name__ == "__main__":
    unittest.main()

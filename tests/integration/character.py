"""Characters and objects: spawn, watch, push, switch the controller, go limp, throw."""

import math
import unittest

from harness import *


class Characters(Case):
    def setUp(self):
        self.one = self.client()
        self.w = self.world(self.one)

    def test_spawn_and_watch(self):
        entity = self.one.spawn(self.w, "hold", x=1.5, y=-2.0, heading_rad=0.5, label="Ada")
        state = self.one.state(self.w)
        character = state.characters[0]
        self.assertEqual((character.entity, character.label, character.model, character.controller),
                         (entity, "Ada", "humanoid", "hold"))
        self.assertAlmostEqual(character.root_pos[0], 1.5, places=5)
        self.assertAlmostEqual(character.root_pos[1], -2.0, places=5)
        self.assertAlmostEqual(2 * math.atan2(character.root_rot[3], character.root_rot[0]), 0.5, places=5)
        self.assertEqual(len(character.joint_rot), 4 * 18)
        self.assertEqual(list(character.joint_rot[:4]), [1, 0, 0, 0])

    def test_fields_asked_for(self):
        self.one.spawn(self.w, "sway")
        self.one.step(self.w, 20)
        everything = self.one.state(self.w, 63)
        character = everything.characters[0]
        self.assertEqual([len(f) for f in (character.root_vel, character.root_omega, character.joint_rate,
                                           character.body_pos, character.body_rot)], [3, 3, 54, 54, 72])
        self.assertGreater(len(everything.contacts), 0)
        self.assertNotEqual(everything.hash, 0)
        for i in range(3):
            self.assertAlmostEqual(character.body_pos[i], character.root_pos[i], places=4)
        little = self.one.state(self.w, state_pb2.STATE_FIELD_OBJECTS).characters[0]
        self.assertEqual(len(little.joint_rot), 0)
        with self.refused(INVALID_ARGUMENT):
            self.one.state(self.w, 2 * max(state_pb2.StateField.values()))
        self.assertEqual(len(self.one.state(self.w, state_pb2.STATE_FIELD_TORQUES).characters[0].joint_torque), 54)

    def test_quantised(self):
        """By choice of the client: the arrays over bodies in six bytes a body, and nothing else changed."""
        self.one.spawn(self.w, "sway")
        self.one.step(self.w, 20)
        full, packed = self.one.state(self.w, 7).characters[0], self.one.state(self.w, 7 | 256).characters[0]
        self.assertEqual([len(f) for f in (packed.joint_rot, packed.joint_rate, packed.body_pos, packed.body_rot)], [0] * 4)
        self.assertEqual([len(f) for f in (packed.joint_rot_q, packed.joint_rate_q, packed.body_pos_q, packed.body_rot_q)],
                         [18 * 6] * 4)
        self.assertEqual(packed.root_pos, full.root_pos)
        for i in range(18):
            told = int.from_bytes(packed.body_pos_q[6 * i:6 * i + 2], "little", signed=True) * 0.0002 + full.root_pos[0]
            self.assertAlmostEqual(told, full.body_pos[3 * i], delta=0.0003)

    def test_names_instead_of_ids(self):
        """A command finds its world and its entity by name: a character before an object, on arrival."""
        world = next(world for world in self.one.ask(list_worlds={}).world_list.worlds if world.id == self.w)
        entity = self.one.spawn(self.w, "hold", label="Ada")
        sphere = dict(kind=1, size=dict(x=0.1))
        ball = self.one.command(self.w, spawn_object=dict(name="ball", geoms=[sphere], mass=1, pos=dict(x=3, z=1))).entity
        self.one.command(self.w, spawn_object=dict(name="Ada", geoms=[sphere], mass=1, pos=dict(x=9, z=1)))
        name = dict(world_name=world.name)
        self.one.command(0, **name, entity_name="Ada", push=dict(force=dict(y=100), duration_s=0.2))
        self.one.command(self.w, entity_name="ball", throw=dict(vel=dict(z=2)))
        self.one.step(self.w, 1)
        pushes = self.one.state(self.w, 2 | 8 | state_pb2.STATE_FIELD_PUSHES)
        self.assertEqual([push.entity for push in pushes.pushes], [entity])
        self.assertGreater(next(o for o in pushes.objects if o.entity == ball).vel[2], 1.9)
        push = dict(force=dict(y=100), duration_s=0.2)
        for world_id, names, code in ((0, dict(world_name="nowhere", entity_name="Ada"), NOT_FOUND),
                                      (0, dict(entity_name="Ada"), NOT_FOUND),
                                      (0, name | dict(entity_name="Bob"), NOT_FOUND),
                                      (0, name, INVALID_ARGUMENT),
                                      (self.w, name | dict(entity_name="Ada"), INVALID_ARGUMENT),
                                      (self.w, dict(entity_name=""), INVALID_ARGUMENT)):
            with self.refused(code):
                self.one.command(world_id, **names, push=push)
        with self.refused(INVALID_ARGUMENT):
            self.one.command(self.w, entity_name="Ada", push=push | dict(entity=entity))
        with self.refused(INVALID_ARGUMENT):
            self.one.command(self.w, entity_name="Ada", step=dict(count=1))
        self.one.command(0, **name, step=dict(count=1))

    def test_without_a_controller(self):
        entity = self.one.command(self.w, spawn_character=dict(model="humanoid")).entity
        self.one.step(self.w, 200)
        character = self.one.state(self.w).characters[0]
        self.assertEqual((character.entity, character.controller, character.fallen), (entity, "", False))

    def test_unknown_names(self):
        for spawn in (dict(controller="nobody"), dict(model="nothing")):
            with self.refused(NOT_FOUND) as refusal:
                self.one.command(self.w, spawn_character=spawn)
            self.assertIn(list(spawn.values())[0], refusal.message)
        with self.refused(INVALID_ARGUMENT):
            self.one.command(self.w, spawn_character={})
        with self.refused(OUT_OF_RANGE):
            self.one.spawn(self.w, "hold", fragment=99)

    def test_wrong_step(self):
        world = self.world(self.one, step_s=0.01)
        with self.refused(FAILED_PRECONDITION) as refusal:
            self.one.spawn(world, "hold")
        self.assertIn("0.005", refusal.message)

    def test_push_moves(self):
        entity = self.one.spawn(self.w)
        self.one.command(self.w, push=dict(entity=entity, force=dict(y=300), duration_s=0.2))
        self.one.step(self.w, 40)
        self.assertGreater(self.one.state(self.w, 2).characters[0].root_vel[1], 0.1)

    def test_push_of_a_named_body(self):
        entity = self.one.spawn(self.w)
        with self.refused(NOT_FOUND):
            self.one.command(self.w, push=dict(entity=entity, body="tail", force=dict(y=1)))
        with self.refused(INVALID_ARGUMENT):
            self.one.command(self.w, push=dict(entity=entity, force=dict(y=1e6)))
        with self.refused(INVALID_ARGUMENT):
            self.one.command(self.w, push=dict(entity=entity, force=dict(y=float("nan"))))
        with self.refused(NOT_FOUND):
            self.one.command(self.w, push=dict(entity=entity + 1, force=dict(y=1)))

    def test_switch_of_the_controller(self):
        entity = self.one.spawn(self.w, "hold")
        self.one.ask(subscribe=dict(world=self.w, events=True))
        self.one.step(self.w, 5)
        self.one.command(self.w, set_controller=dict(entity=entity, controller="sway"))
        character = self.one.state(self.w).characters[0]
        self.assertEqual((character.controller, character.next_controller), ("hold", "sway"))
        self.one.step(self.w, 40)
        character = self.one.state(self.w).characters[0]
        self.assertEqual((character.controller, character.next_controller), ("sway", ""))
        event = self.one.wait_event(state_pb2.EVENT_KIND_CONTROLLER_BEGAN)
        self.assertEqual((event.entity, event.text), (entity, "sway"))
        self.one.command(self.w, set_controller=dict(entity=entity))
        self.assertEqual(self.one.state(self.w).characters[0].controller, "")
        with self.refused(NOT_FOUND):
            self.one.command(self.w, set_controller=dict(entity=entity, controller="nobody"))

    def test_limp_falls_with_an_event(self):
        entity = self.one.spawn(self.w)
        self.one.ask(subscribe=dict(world=self.w, events=True))
        self.one.command(self.w, set_limp=dict(entity=entity, limp=True))
        self.one.step(self.w, 600)
        character = self.one.state(self.w).characters[0]
        self.assertTrue(character.limp and character.fallen)
        self.assertLess(character.root_pos[2], 0.5)
        self.assertEqual(self.one.wait_event(state_pb2.EVENT_KIND_FELL).entity, entity)
        self.one.command(self.w, set_limp=dict(entity=entity))
        self.assertFalse(self.one.state(self.w).characters[0].limp)

    def test_offset(self):
        entity = self.one.spawn(self.w, "hold")
        before = self.one.state(self.w, 32).hash
        with self.refused(INVALID_ARGUMENT):
            self.one.command(self.w, set_offset=dict(entity=entity, offset=[0.1]))
        self.one.command(self.w, set_offset=dict(entity=entity, offset=[0.1] * 17))
        self.one.step(self.w, 40)
        self.assertNotEqual(self.one.state(self.w, 32).hash, before)
        self.one.command(self.w, set_offset=dict(entity=entity))

    def test_choice_of_the_fragment(self):
        entity = self.one.spawn(self.w, "sway")
        bare = self.one.command(self.w, spawn_character=dict(model="humanoid", pos=dict(x=3))).entity
        self.one.step(self.w, 5)
        with self.refused(OUT_OF_RANGE) as refusal:
            self.one.command(self.w, set_fragment=dict(entity=entity, fragment=6))
        self.assertIn("6", refusal.message)
        with self.refused(FAILED_PRECONDITION):  # no mirrored half
            self.one.command(self.w, set_fragment=dict(entity=entity, fragment=1, mirrored=True))
        with self.refused(FAILED_PRECONDITION):  # no controller
            self.one.command(self.w, set_fragment=dict(entity=bare))
        with self.refused(NOT_FOUND):
            self.one.command(self.w, set_fragment=dict(entity=entity + 7))
        with self.refused(INVALID_ARGUMENT):
            self.one.command(self.w, set_fragment=dict(fragment=1))
        self.one.command(self.w, set_fragment=dict(entity=entity, fragment=4))
        data = self.one.command(self.w, snapshot={}).data
        for _ in range(2):  # the choice is part of the state
            seen = [self.one.command(self.w, advance=dict(count=20)).state.characters[0].fragment for _ in range(3)]
            self.assertEqual(seen, [4, 5, 0])
            self.one.command(self.w, restore=dict(data=data))

    def test_steer(self):
        entity, bare = self.one.spawn(self.w, "hold"), self.one.spawn(self.w, x=3.0)
        with self.refused(FAILED_PRECONDITION):  # a pose that is held goes nowhere
            self.one.command(self.w, steer=dict(entity=entity, heading_rad=1.0))
        with self.refused(FAILED_PRECONDITION):
            self.one.command(self.w, steer=dict(entity=bare, heading_rad=1.0))
        with self.refused(NOT_FOUND):
            self.one.command(self.w, steer=dict(entity=entity + 7, heading_rad=1.0))
        for wrong in (dict(heading_rad=float("nan")), dict(speed=-1.0), dict(toward=entity), dict(skill="x" * 48)):
            with self.refused(INVALID_ARGUMENT):
                self.one.command(self.w, steer=dict(entity=entity, **wrong))
        self.one.command(self.w, steer=dict(entity=entity))  # nowhere in particular

    def test_despawn(self):
        first, second = self.one.spawn(self.w), self.one.spawn(self.w, x=2.0)
        self.one.command(self.w, despawn=dict(entity=first))
        self.assertEqual([c.entity for c in self.one.state(self.w).characters], [second])
        with self.refused(NOT_FOUND):
            self.one.command(self.w, despawn=dict(entity=first))
        self.assertNotEqual(self.one.spawn(self.w), first)

    def test_no_more_than_64(self):
        with self.refused(RESOURCE_EXHAUSTED):
            for i in range(65):
                self.one.spawn(self.w, x=2.0 * (i % 8), y=2.0 * (i // 8))
        self.assertEqual(len(self.one.state(self.w).characters), 64)


class Objects(Case):
    def setUp(self):
        self.one = self.client()
        self.w = self.world(self.one)
        self.ball = dict(name="ball", geoms=[dict(kind=1, size=dict(x=0.12), friction=0.8)], mass=0.6, pos=dict(z=1))

    def test_ballistic_flight(self):
        flight = dict(self.ball, pos=dict(z=10), vel=dict(x=3, z=4))
        entity = self.one.command(self.w, spawn_object=flight).entity
        self.one.step(self.w, 100)
        ball = self.one.state(self.w, 8 | 2).objects[0]
        self.assertEqual((ball.entity, ball.name), (entity, "ball"))
        self.assertAlmostEqual(ball.pos[0], 1.5, places=4)
        self.assertAlmostEqual(ball.vel[2], 4 - 9.81 * 0.5, places=3)

    def test_throw_at_a_character_touches(self):
        character = self.one.spawn(self.w)
        entity = self.one.command(self.w, spawn_object=dict(self.ball, pos=dict(x=2, z=1.2))).entity
        self.one.ask(subscribe=dict(world=self.w, events=True))
        self.one.command(self.w, throw=dict(entity=entity, pos=dict(x=2, z=1.3), vel=dict(x=-8, z=1)))
        self.one.step(self.w, 100)
        event = self.one.wait_event(state_pb2.EVENT_KIND_TOUCHED)
        self.assertEqual({event.entity, event.other}, {character, entity})

    def test_compound(self):
        board = dict(name="board", density=600, pos=dict(z=0.5), geoms=[
            dict(kind=3, size=dict(x=0.4, y=0.1, z=0.02), friction=0.9),
            dict(kind=2, size=dict(x=0.03, y=0.1), pos=dict(z=-0.05), rot=dict(w=1, x=1), friction=0.9)])
        self.one.command(self.w, spawn_object=board)
        self.one.step(self.w, 200)
        self.assertLess(self.one.state(self.w).objects[0].pos[2], 0.3)

    def test_wrong_fields_are_named(self):
        for field, change in (("geoms", dict(geoms=[])), ("geoms", dict(geoms=self.ball["geoms"] * 9)),
                              ("size", dict(geoms=[dict(kind=1)])), ("kind", dict(geoms=[dict(size=dict(x=1))])),
                              ("mass", dict(mass=-1)), ("vel", dict(vel=dict(x=101))), ("rot", dict(rot=dict())),
                              ("name", dict(name="x" * 48))):
            with self.refused(INVALID_ARGUMENT) as refusal:
                self.one.command(self.w, spawn_object=dict(self.ball, **change))
            self.assertIn(field, refusal.message)
        self.assertEqual(len(self.one.state(self.w).objects), 0)

    def test_what_would_pass_through_thin_things_is_too_fast(self):
        """The ball has a radius of 0.12 m, and a step takes 5 ms: at most 24 m/s."""
        entity = self.one.command(self.w, spawn_object=dict(self.ball, vel=dict(x=24))).entity
        for too_fast in (dict(spawn_object=dict(self.ball, vel=dict(x=24.1))), dict(throw=dict(entity=entity, vel=dict(x=24.1)))):
            with self.refused(OUT_OF_RANGE) as refusal:
                self.one.command(self.w, **too_fast)
            self.assertIn("expected at most 24", refusal.message)
        self.one.command(self.w, throw=dict(entity=entity, vel=dict(x=24)))

    def test_throw_of_a_character_is_refused(self):
        character = self.one.spawn(self.w)
        with self.refused(NOT_FOUND):
            self.one.command(self.w, throw=dict(entity=character, vel=dict(x=1)))


if __name__ == "__main__":
    unittest.main()

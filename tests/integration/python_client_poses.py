"""Compact states against full ones: every shipped controller, readers that come late, resets, relays."""

import math
import random
import unittest

from harness import Daemon
from relay import Relay
from troupe import Client, Mode, poses, requests

ENDS = ("lhand", "rhand", "lfoot", "rfoot")
EVERY = 7  # ticks between states: 28.6 Hz
BYTES, ERROR_M = 60, 0.01


class Watch:
    """A reader with the bodies of the models that a world has."""

    def __init__(self, case, port, world, fields):
        self.client = Client(port=port)
        case.addCleanup(self.client.close)
        self.case, self.world = case, world
        names = {each.entity: each.model for each in case.director.ask(requests.get_state(world)).characters}
        models = {name: self.client.ask(requests.get_model(name)).bodies for name in set(names.values())}
        self.bodies = {entity: models[name] for entity, name in names.items()}
        self.client.ask(requests.subscribe(world, 1 / (EVERY * 0.005), fields))

    def at(self, tick):
        state = self.client.next_state()
        while state.tick != tick:
            state = self.client.next_state()
        return state

    def compare(self, compact, full):
        """Returns the bytes of a character."""
        self.case.assertEqual(len(compact.characters), len(full.characters))
        for small, exact in zip(compact.characters, full.characters):
            with self.case.subTest(exact.controller, tick=full.tick):
                bodies = self.bodies[exact.entity]
                self.case.assertEqual((small.entity, small.fallen, small.limp), (exact.entity, exact.fallen, exact.limp))
                shown = poses.unpack(small, bodies)
                for i, body in enumerate(bodies):
                    dot = sum(a * b for a, b in zip(shown.joint_rot[4 * i:4 * i + 4], exact.joint_rot[4 * i:4 * i + 4]))
                    self.case.assertGreater(abs(dot), math.cos(0.05))
                    off = math.dist(shown.body_pos[3 * i:3 * i + 3], exact.body_pos[3 * i:3 * i + 3])
                    self.case.assertLess(off, ERROR_M if body.name in ENDS else 2 * ERROR_M, body.name)
        return compact.ByteSize() / len(compact.characters)


class Poses(unittest.TestCase):
    def setUp(self):
        self.daemon = Daemon(bundle=False, shipped=True)
        self.addCleanup(self.daemon.__exit__, None, None, None)
        self.director = Client(port=self.daemon.port)
        self.addCleanup(self.director.close)

    def ask(self, request, *arguments, **options):
        return self.director.ask(request(self.world, *arguments, **options))

    def full(self):
        return self.ask(requests.get_state, requests.JOINTS | requests.BODIES)

    def make_world(self, controllers):
        self.world = self.director.ask(requests.create_world(self.id()[-47:], Mode.STEPPED)).id
        self.entities = [self.ask(requests.spawn_character, each, pos=(4.0 * (i % 6), -4.0 * (i // 6), 0)).entity
                         for i, each in enumerate(controllers)]

    def test_every_controller(self):
        controllers = [each for each in self.director.rows(requests.list_controllers) if each.step_s == 0.005]
        names = [each.name for each in controllers]
        for seed in range(2):
            draw = random.Random(seed)
            self.make_world(names)
            watch = Watch(self, self.daemon.port, self.world, requests.COMPACT)
            sizes, pushed = [], [entity for entity, each in zip(self.entities, controllers) if each.kind != "puppet"]
            for state in range(1, 13):
                if state in (4, 8):
                    for entity in pushed:
                        turn = draw.uniform(-math.pi, math.pi)
                        self.ask(requests.push, entity, (400 * math.cos(turn), 400 * math.sin(turn), 0), 0.2)
                if state == 10:
                    for entity in pushed[::3]:
                        self.ask(requests.set_limp, entity)
                self.ask(requests.step, EVERY)
                sizes.append(watch.compare(watch.at(state * EVERY), self.full()))
            self.assertLess(sum(sizes) / len(sizes), BYTES)
            self.ask(requests.destroy_world)

    def test_every_state_stands_alone(self):
        """A new reader, one that missed states, one behind a relay, one after a reset: each needs the newest state alone."""
        self.make_world(["walk", "run", "stand"])
        relay = Relay(self.daemon.port)
        self.addCleanup(relay.__exit__, None, None, None)
        relay.await_links()
        early = Watch(self, self.daemon.port, self.world, requests.COMPACT)
        for tick in range(EVERY, 30 * EVERY, EVERY):
            self.ask(requests.step, EVERY)
        late, relayed = (Watch(self, port, self.world, requests.COMPACT) for port in (self.daemon.port, relay.port))
        full = self.full()
        for watch in (early, late, relayed):
            watch.compare(watch.at(full.tick), full)
        self.ask(requests.reset)
        self.ask(requests.spawn_character, "backflip")
        full = self.full()
        for port in (self.daemon.port, relay.port):
            watch = Watch(self, port, self.world, requests.COMPACT)
            watch.compare(watch.at(full.tick), full)

    def test_a_pose_of_another_model_is_refused(self):
        self.make_world(["walk"])
        state = self.ask(requests.get_state, requests.COMPACT)
        bodies = self.director.ask(requests.get_model(self.full().characters[0].model)).bodies
        self.assertEqual((state.time_s, state.characters[0].label, len(state.characters[0].joint_rot)), (0, "", 0))
        with self.assertRaises(ValueError):
            poses.unpack(state.characters[0], bodies[:-3])
        with self.assertRaises(ValueError):
            poses.unpack(state.characters[0], list(bodies) + list(bodies[1:]))

if __name__ == "__main__":
    unittest.main()

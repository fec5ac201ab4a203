"""A world of the daemon that is stepped here too, by its inputs."""

import math
import os
import random
import unittest

from harness import Daemon, sanitizer
from relay import Relay
from troupe import Client, Mode, requests, world_pb2
from troupe.mirror import Mirror

RATE_HZ = 20.0
TICKS = 10  # of a period
EACH_TICK_HZ = 200.0


class Player:
    """Draws what happens in a world of its own, which a mirror follows tick by tick."""

    KINDS = ("spawn_character", "spawn_model", "spawn_object", "spawn_lift", "despawn", "set_controller", "set_limp", "set_offset",
             "push", "throw", "steer", "set_fragment", "set_parameters", "carry", "hold", "add_box", "add_hills", "add_mesh",
             "remove_scenery", "advance")

    def __init__(self, test, draw):
        self.test, self.draw, self.done = test, draw, []
        self.characters, self.balls, self.lifts, self.sceneries = [], [], [], []
        scene = world_pb2.Scene(gravity=requests.vec3((0, 0, -5)), ground=world_pb2.Ground(friction=0.6))
        name = f"drawn {draw.random():.9f}"
        self.world = test.player.ask(requests.create_world(name, Mode.STEPPED, scene=scene, look_ahead=draw.random() < 0.5)).id
        watcher = Client(port=test.port())
        test.addCleanup(watcher.close)
        self.mirror = Mirror(watcher, self.world, os.environ["TROUPE_BUNDLE"], EACH_TICK_HZ)

    def ask(self, request, *arguments, **options):
        return self.test.player.ask(request(self.world, *arguments, **options))

    def follow(self):
        """Each tick's hash is compared by the mirror, and takes the state again if it differs."""
        self.ask(requests.step, self.draw.randint(1, 4))
        state = self.ask(requests.get_state, requests.HASH)
        while self.mirror.tick < state.tick:
            self.mirror.update()
        self.test.assertEqual((self.mirror.tick, self.mirror.hash), (state.tick, state.hash))

    def act(self):
        """One command that the world accepts; kinds that were not drawn yet come first."""
        fresh = [kind for kind in self.KINDS if kind not in self.done]
        kind = self.draw.choice(fresh or self.KINDS)
        getattr(self, kind)()
        self.done.append(kind)

    def spot(self, z=0.0):
        return (self.draw.uniform(-4, 4), self.draw.uniform(-4, 4), z)

    def character(self):
        if not self.characters:
            self.spawn_character()
        return self.draw.choice(self.characters)

    def ball(self):
        if not self.balls:
            self.spawn_object()
        return self.draw.choice(self.balls)

    def spawn_character(self):
        name = self.draw.choice(("sway", "hold"))
        self.characters.append(self.ask(requests.spawn_character, name, pos=self.spot(), heading_rad=self.draw.uniform(-3, 3), fragment=self.draw.randint(0, 1)).entity)

    def spawn_model(self):
        self.ask(requests.spawn_character, "", model="humanoid", pos=self.spot())

    def spawn_object(self):
        geoms = [requests.sphere(0.2), requests.box((0.1, 0.3, 0.2), pos=(0.1, 0, 0)), requests.cylinder(0.1, 0.2)][: self.draw.randint(1, 3)]
        self.balls.append(self.ask(requests.spawn_object, geoms, pos=self.spot(1.5), mass=2.0, vel=(0, 1, 0)).entity)

    def spawn_lift(self):
        way = requests.travel(self.spot(0.5), 0.2, shuttle=True)
        self.lifts.append(self.ask(requests.spawn_object, [requests.box((0.5, 0.5, 0.1))], pos=self.spot(0.2), kinematic=True, travel=way).entity)

    def despawn(self):
        self.character()
        group = self.draw.choice([each for each in (self.characters, self.balls, self.lifts) if each])
        self.ask(requests.despawn, group.pop(self.draw.randrange(len(group))))

    def set_controller(self):
        self.ask(requests.set_controller, self.character(), self.draw.choice(("sway", "hold", "")))

    def set_limp(self):
        self.ask(requests.set_limp, self.character(), self.draw.random() < 0.5)

    def driven(self):
        self.spawn_character()
        return self.characters[-1]

    def set_offset(self):
        self.ask(requests.set_offset, self.driven(), [self.draw.uniform(-0.1, 0.1) for _ in range(17)])

    def push(self):
        heading, point = self.draw.uniform(-3, 3), self.draw.choice(((0, 0, 0), (0.05, 0, 0.1)))
        target, body = self.draw.choice(((self.character(), "head"), (self.character(), ""), (self.ball(), "")))
        self.ask(requests.push, target, (90 * math.cos(heading), 90 * math.sin(heading), 0), 0.03, body=body, point=point)

    def throw(self):
        self.ask(requests.throw, self.ball(), (1, 2, 3), omega=(0, 0, 1), pos=self.draw.choice((None, self.spot(2))))

    def steer(self):
        """Puppets do not turn: an intent without an aim is what they take."""
        self.ask(requests.steer, self.driven())

    def set_fragment(self):
        self.ask(requests.set_fragment, self.driven(), 1)

    def set_parameters(self):
        self.ask(requests.set_parameters, self.driven(), {"action_offset": [0.05] * 17})

    def carry(self):
        if not self.lifts:
            self.spawn_lift()
        self.ask(requests.carry, self.draw.choice(self.lifts), self.spot(0.4), 0.3)

    def hold(self):
        """The ball comes to the middle of a right hand."""
        entity, ball = self.driven(), self.ball()
        state = self.ask(requests.get_state, requests.BODIES)
        hand = next(each.body_pos[27:30] for each in state.characters if each.entity == entity)
        self.ask(requests.throw, ball, (0, 0, 0), pos=hand)
        self.ask(requests.hold, entity, ball, break_n=self.draw.choice((0, 400)))

    def scenery(self, piece):
        self.sceneries.append(self.ask(requests.add_scenery, piece).scenery)

    def add_box(self):
        self.scenery(requests.scenery(size=(1, 1, 0.1), pos=self.spot(), friction=0.3))

    def add_hills(self):
        self.scenery(requests.height_field([[self.draw.uniform(0, 0.3) for _ in range(3)] for _ in range(3)], 0.5, self.spot()))

    def add_mesh(self):
        self.scenery(requests.mesh([(0, 0, 0), (2, 0, 0.2), (0, 2, 0.2)], [(0, 1, 2)], self.spot()))

    def remove_scenery(self):
        if not self.sceneries:
            self.add_box()
        self.ask(requests.remove_scenery, self.sceneries.pop())

    def advance(self):
        """Orders in one request are commands of their own in the events."""
        orders = [requests.set_limp(self.world, self.character()), requests.push(self.world, self.character(), (0, 50, 0), 0.05)]
        self.ask(requests.advance, 1, orders)


@unittest.skipIf(sanitizer(), "Python would need the sanitizer's library first")
class Mirrors(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon()

    @classmethod
    def tearDownClass(cls):
        cls.daemon.__exit__(None, None, None)

    def port(self):
        """Where the watcher connects."""
        return self.daemon.port

    def setUp(self):
        self.player, watcher = Client(port=self.daemon.port), Client(port=self.port())
        for client in (self.player, watcher):
            self.addCleanup(client.close)
        self.world = self.player.ask(requests.create_world(self.id()[-47:], Mode.STEPPED)).id
        self.first = self.ask(requests.spawn_character, "sway", label="ada").entity
        self.ask(requests.step, 5)
        self.mirror = Mirror(watcher, self.world, os.environ["TROUPE_BUNDLE"], RATE_HZ)
        self.addCleanup(self.mirror.close)

    def ask(self, request, *arguments, **options):
        return self.player.ask(request(self.world, *arguments, **options))

    def follow(self, ticks):
        """Steps the world, and the mirror with it: both are the same to the bit."""
        self.ask(requests.step, ticks)
        state = self.ask(requests.get_state, requests.HASH)
        while self.mirror.tick < state.tick - state.tick % TICKS:
            self.mirror.update()
        if self.mirror.tick == state.tick:
            self.assertEqual(self.mirror.hash, state.hash)

    def test_what_players_do_is_done_here_with_the_same_bits(self):
        self.follow(15)
        second = self.ask(requests.spawn_character, "hold", pos=(0, 1.5, 0), heading_rad=0.5).entity
        self.ask(requests.push, self.first, (30, 10, 0), 0.1)
        self.follow(33)
        self.ask(requests.push, second, (0, 60, 0), 0.05, body="head")
        self.ask(requests.set_limp, self.first)
        self.follow(57)
        self.assertEqual(len(self.mirror.poses(second)), len(self.mirror.poses(self.first)))
        self.ask(requests.despawn, self.first)
        self.follow(40)
        self.follow(50)
        self.assertEqual(self.mirror.takes, 1)

    def test_every_command_is_an_input(self):
        """Of a drawn sequence of commands of every kind, each tick has the daemon's hash, and no state is taken again."""
        for seed in range(int(os.environ.get("TROUPE_MIRROR_SEEDS", 3))):
            with self.subTest(seed=seed):
                player = Player(self, random.Random(seed))
                self.addCleanup(player.mirror.close)
                for _ in range(60):
                    player.act()
                    player.follow()
                self.assertEqual(player.mirror.takes, 1)
                self.assertEqual(set(player.done), set(Player.KINDS))

    def test_after_a_reset_it_begins_anew(self):
        self.follow(55)
        self.ask(requests.reset)
        self.follow(20)
        self.mirror.update()
        self.follow(30)
        self.assertEqual(self.mirror.takes, 2)

    def test_only_inputs_are_sent(self):
        """Not the falls that the mirror sees itself."""
        self.ask(requests.set_limp, self.first)
        told = []
        take = self.mirror._client.take_events
        self.mirror._client.take_events = lambda: told.extend(each.text for each in take()) or []
        self.ask(requests.step, 400)
        while self.mirror._client.next_state().tick < 400:
            pass
        self.mirror._client.take_events()
        self.assertEqual(told, ["set_limp"])

    def test_a_brief_state_has_no_characters(self):
        self.assertEqual(len(self.ask(requests.get_state, requests.BRIEF | requests.HASH).characters), 0)
        with self.assertRaisesRegex(Exception, "snapshots come with GetState"):
            self.ask(requests.subscribe, RATE_HZ, requests.SNAPSHOT)


@unittest.skipIf(sanitizer(), "Python would need the sanitizer's library first")
class Relayed(Mirrors):
    """The same through a relay."""

    def port(self):
        relay = Relay(self.daemon.port)
        self.addCleanup(relay.__exit__, None, None, None)
        relay.await_links()
        return relay.port


if __name__ == "__main__":
    unittest.main()

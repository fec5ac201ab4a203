"""A world of the daemon that is stepped here too, by its inputs."""

import os
import unittest

from harness import Daemon, sanitizer
from relay import Relay
from troupe import Client, Mode, requests
from troupe.mirror import Mirror

RATE_HZ = 20.0
TICKS = 10  # of a period


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

    def test_what_the_library_does_not_know_is_taken_as_a_state(self):
        self.follow(15)
        self.ask(requests.set_parameters, self.first, {"action_offset": [0.05] * 17})
        self.follow(20)
        self.assertEqual(self.mirror.takes, 2)
        self.follow(100)
        self.assertEqual(self.mirror.takes, 2)

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

"""Two and four characters that always try to run into each other (liu2015-guided, figure 11), with the shipped control
graph that rises: they collide, fall, get up and continue. No character becomes non-finite, gets stuck, or is lost.

TROUPE_CHASE_S: seconds of each chase; 60 always, 600 nightly. TROUPE_CHASE_BUNDLE: the bundle, instead of the shipped one.
"""

import math
import os
import time
import unittest

from harness import *

SECONDS = float(os.environ.get("TROUPE_CHASE_S", "60"))
BUNDLE = os.environ.get("TROUPE_CHASE_BUNDLE") or os.path.join(
    os.path.dirname(os.path.abspath(__file__)), "../../db/shipped.troupe")
GRAPH = "riser"
SPEED = 3.0   # m/s, as near as there is a skill for it
LOOK = 100    # ticks between looks, half a second
STUCK_S = 60  # no character is down for so long, or stays on a spot standing
FAR_M = 100 + 0.5 * SECONDS  # a sixth of the way straight on; who chases strays less


def near(one, other):
    return math.hypot(one.root_pos[0] - other.root_pos[0], one.root_pos[1] - other.root_pos[1])


class Chase(unittest.TestCase):
    def chase(self, client, count):
        world = client.create_world(f"chase of {count}").id
        for i in range(count):
            angle = 2 * math.pi * i / count
            client.spawn(world, GRAPH, 4 * math.cos(angle), 4 * math.sin(angle), heading_rad=angle + math.pi)
        falls = rises = 0
        down_s = dict.fromkeys((c.entity for c in client.state(world).characters), 0.0)
        longest = 0.0
        for _ in range(round(SECONDS * 200 / LOOK)):
            characters = client.state(world).characters
            self.assertEqual(len(characters), count)
            for c in characters:
                self.assertFalse(c.frozen)
                self.assertTrue(all(map(math.isfinite, [*c.root_pos, *c.root_rot])))
                self.assertLess(math.hypot(*c.root_pos), FAR_M)
                falls += c.fallen and not down_s[c.entity]
                rises += not c.fallen and down_s[c.entity] > 0
                down_s[c.entity] = down_s[c.entity] + LOOK / 200 if c.fallen else 0.0
                longest = max(longest, down_s[c.entity])
                self.assertLess(down_s[c.entity], STUCK_S)
                prey = min((o for o in characters if o.entity != c.entity), key=lambda o: (o.fallen, near(c, o)))
                client.command(world, steer=dict(entity=c.entity, toward=prey.entity, speed=SPEED))
            client.step(world, LOOK)
        client.ask(destroy_world=dict(world=world))
        print(f"{count} for {SECONDS:g} s: {falls} falls, {rises} risen, {longest:g} s down at the longest")
        return falls, rises

    def test_they_go_on(self):
        with Daemon("--shipped", BUNDLE, bundle=False, shipped=True) as daemon, daemon.client() as client:
            names = [c.name for c in client.ask(list_controllers={}).controller_list.controllers]
            if GRAPH not in names:
                self.skipTest(f"there is no controller '{GRAPH}'")
            for count in (2, 4):
                with self.subTest(count):
                    falls, rises = self.chase(client, count)
                    self.assertGreater(falls, SECONDS / 60)
                    self.assertGreaterEqual(rises, falls - count)

    def test_a_match_begins_standing(self):
        """Whatever the phase: the rising skill of the graph is no place to begin."""
        members = [dict(controller=GRAPH, pos=dict(x=2.0 * i)) for i in range(4)]
        teams = [dict(name=f"team {i}", members=[m]) for i, m in enumerate(members)]
        with Daemon("--shipped", BUNDLE, bundle=False, shipped=True) as daemon, daemon.client() as client:
            client.ask(start_match=dict(match=dict(name="begin", rule="chase", bouts=20, time_limit_s=0.2, seed=1, teams=teams)))
            while not (detail := client.ask(get_match=dict(name="begin", page=dict(size=20))).match_detail).info.ended_unix_ns:
                time.sleep(0.02)
            self.assertEqual([list(bout.score) for bout in detail.bouts], [[0] * 4] * 20)


if __name__ == "__main__":
    unittest.main()

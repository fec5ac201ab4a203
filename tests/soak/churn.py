"""The daemon at full speed for a long time, with everything coming and going: memory and descriptors stay where they
were, and two worlds that get the same commands end in the same bits.

TROUPE_SOAK_TICKS: ticks of each of the two worlds; 20,000 always, 6,000 under ThreadSanitizer, 2,592,000 (3.6 hours of the
worlds' time) nightly.
"""

import os
import random
import time
import unittest

from harness import *

RACES = sanitizer() == "tsan"
TICKS = int(os.environ.get("TROUPE_SOAK_TICKS", "6000" if RACES else "20000"))
ROUND = 1000  # ticks between changes
WARM_UP = 0.25
GROWTH_KB = 4096 * (5 if RACES else 1)  # the sanitizer keeps four bytes or more for each of the daemon's


def slope(points):
    """Least squares: change of y a unit of x."""
    n = len(points)
    mx, my = sum(x for x, _ in points) / n, sum(y for _, y in points) / n
    return sum((x - mx) * (y - my) for x, y in points) / max(1e-9, sum((x - mx) ** 2 for x, _ in points))


class Churn(unittest.TestCase):
    def descriptors(self):
        return len(os.listdir(f"/proc/{self.daemon.process.pid}/fd"))

    def change(self, client, worlds, draw):
        """One change, the same in both worlds."""
        kind = draw.randrange(8)
        entities = [[c.entity for c in client.state(world).characters] for world in worlds]
        self.assertEqual(entities[0], entities[1])
        some = draw.choice(entities[0]) if entities[0] else 0
        place = dict(x=draw.uniform(-5, 5), y=draw.uniform(-5, 5))
        if kind <= 1 and len(entities[0]) < 3:
            command = dict(spawn_character=dict(controller=draw.choice(("hold", "sway")), pos=place, label="Ada"))
        elif kind == 2 and len(entities[0]) > 1:
            command = dict(despawn=dict(entity=some))
        elif kind == 3:
            command = dict(push=dict(entity=some, force=dict(x=draw.uniform(-300, 300)), duration_s=0.2))
        elif kind == 4:
            command = dict(set_controller=dict(entity=some, controller=draw.choice(("hold", "sway"))))
        elif kind == 5:
            command = dict(reset={})
        elif kind == 6:
            command = dict(mark={})
        else:
            command = dict(set_limp=dict(entity=some, limp=draw.random() < 0.5))
        for world in worlds:
            client.command(world, **command)

    def come_and_go(self, client, worlds, draw):
        """What leaves no trace: sessions, subscriptions, other worlds, snapshots put back."""
        with self.daemon.client("guest") as guest:
            guest.ask(subscribe=dict(world=worlds[0], rate_hz=50, fields=63, events=True))
            other = guest.create_world(f"other {draw.randrange(1 << 30)}", FAST).id
            guest.spawn(other)
            guest.ask(list_controllers={})
            guest.ask(destroy_world=dict(world=other))
        for world in worlds:
            data = client.command(world, snapshot={}).data
            client.command(world, restore=dict(data=data))

    def test_churn(self):
        draw = random.Random(1)
        points = []
        with Daemon() as self.daemon, self.daemon.client() as client:
            worlds = [client.create_world(name, seed=7).id for name in ("one", "two")]
            for world in worlds:
                client.spawn(world)
            began, counted = time.monotonic(), []
            for round_ in range(TICKS // ROUND):
                steps = [client.send_command(world, step=dict(count=ROUND)) for world in worlds]
                hashes = [client.wait(step).command.hash for step in steps]
                self.assertEqual(hashes[0], hashes[1], f"round {round_}")
                self.change(client, worlds, draw)
                if round_ % 5 == 0:
                    self.come_and_go(client, worlds, draw)
                client.events.clear()
                client.states.clear()
                points.append((time.monotonic() - began, self.daemon.memory_kb()))
                counted.append(self.descriptors())
            took = time.monotonic() - began
        after = points[int(len(points) * WARM_UP):]
        by_wall = slope([(t / 3600, kb / 1024) for t, kb in after])
        simulated_h = TICKS * 0.005 / 3600
        by_time = slope([(i / len(points) * simulated_h, kb / 1024) for i, (_, kb) in enumerate(points)][-len(after):])
        print(f"2 worlds of {TICKS} ticks in {took:.0f} s: equal hashes {len(points)} times; memory {points[0][1]} to "
              f"{points[-1][1]} KiB, {by_time:+.3f} MB an hour of the world's time, {by_wall:+.3f} MB an hour; descriptors "
              f"{min(counted)} to {max(counted)}", flush=True)
        self.assertLessEqual(max(counted) - min(counted), 2)
        if TICKS >= 1_000_000:
            self.assertLess(by_time, 1.0)
        else:
            self.assertLess(points[-1][1] - after[0][1], GROWTH_KB)


if __name__ == "__main__":
    unittest.main()

"""How well `hero` throws a ball at a target, and walks with a weight in its hand. Needs a daemon of its own:

    trouped --threads 1 --port-file port &
    PYTHONPATH=build/release/client/python/stage python3 controllers/recipes/acts.py throw --port $(cat port) --seed 2
    PYTHONPATH=build/release/client/python/stage python3 controllers/recipes/acts.py carry --port $(cat port) --mass 2

The throw is the punch: the hand lets go at the tick whose flight comes down nearest to the target.
"""

import argparse
import math
import random

from troupe import Client, Mode, requests

RIGHT_HAND, HAND_M = 9, 0.155  # its body; from the wrist to the tips of the fingers
RADIUS_M = {"throw": 0.05, "carry": 0.06}
CLEAR_M, SWING_M_S = 1.35, 3.0  # lower than this the arm would hit the ball after it was let go; slower is no throw


def turned(q, v):
    """v in the world, of a frame with the orientation q."""
    w, x, y, z = q
    t = 2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])
    return (v[0] + w * t[0] + y * t[2] - z * t[1], v[1] + w * t[1] + z * t[0] - x * t[2], v[2] + w * t[2] + x * t[1] - y * t[0])


def heading(character):
    x, y, _ = turned(character.root_rot, (1, 0, 0))
    return math.atan2(y, x)


def landing(ball, height):
    """Where a ball that flies from here comes down."""
    (x, y, z), (vx, vy, vz) = ball.pos, ball.vel
    t = (vz + math.sqrt(max(0, vz * vz + 19.62 * (z - height)))) / 9.81
    return x + vx * t, y + vy * t


class Stage:
    """Characters far apart, each with an object under the fingers of its right hand."""

    def __init__(self, client, count, radius_m, mass_kg, draw):
        self.client, self.draw = client, draw
        self.world = self.ask(requests.create_world("acts", Mode.STEPPED), plain=True).id
        self.all = [self.ask(requests.spawn_character, "hero", pos=(0, 300 * i, 0), heading_rad=draw.uniform(-3, 3)).entity for i in range(count)]
        for each in self.all:  # so that no two begin alike
            angle = draw.uniform(-math.pi, math.pi)
            self.ask(requests.push, each, (60 * math.cos(angle), 60 * math.sin(angle), 0), 0.2)
        self.step(400)
        self.begin, self.holder = self.look(requests.BODIES).characters, {}
        for each in self.begin:
            wrist, turn = each.body_pos[3 * RIGHT_HAND:][:3], each.body_rot[4 * RIGHT_HAND:][:4]
            away = turned(turn, (0, 0, -HAND_M - radius_m - 0.005))
            thing = self.ask(requests.spawn_object, [requests.sphere(radius_m)], pos=[a + b for a, b in zip(wrist, away)], mass=mass_kg).entity
            self.ask(requests.hold, each.entity, thing)
            self.holder[thing] = each.entity

    def ask(self, request, *arguments, plain=False, **options):
        return self.client.ask(request if plain else request(self.world, *arguments, **options))

    def step(self, ticks):
        self.ask(requests.step, ticks)

    def look(self, fields):
        return self.ask(requests.get_state, fields)


def throw(client, o):
    stage = Stage(client, o.tries, RADIUS_M["throw"], 0.5, random.Random(o.seed))
    begin = {each.entity: each for each in stage.begin}
    when = {each: stage.draw.randrange(200) for each in stage.all}

    def miss(thing, place):
        """Beyond the target, and to its left."""
        root = begin[stage.holder[thing]]
        x, y, a = place[0] - root.root_pos[0], place[1] - root.root_pos[1], heading(root) + math.radians(o.aim)
        return x * math.cos(a) + y * math.sin(a) - o.distance, y * math.cos(a) - x * math.sin(a)

    before, missed, held = {}, {}, set(stage.holder)
    for tick in range(700):
        for each in stage.all:
            if when[each] == tick:
                stage.ask(requests.steer, each, skill="punch")
        stage.step(1)
        for ball in stage.look(requests.OBJECTS | requests.VELOCITIES | requests.BRIEF).objects:
            thing, height = ball.entity, ball.pos[2]
            if thing in held:
                beyond = miss(thing, landing(ball, RADIUS_M["throw"]))[0]
                was = before.get(thing, beyond)
                slows = beyond < was and height > CLEAR_M and math.hypot(*ball.vel) > SWING_M_S
                if slows and abs(beyond) <= abs(2 * beyond - was):  # the next tick would be no nearer
                    stage.ask(requests.hold, stage.holder[thing], thing, off=True)
                    held.discard(thing)
                before[thing] = beyond
            elif thing not in missed and height < RADIUS_M["throw"] + 0.01:
                missed[thing] = math.hypot(*miss(thing, ball.pos))
    stage.step(400)
    fallen, far = sum(each.fallen for each in stage.look(0).characters), sorted(missed.values())
    print(f"{len(far)} of {o.tries} thrown {o.distance:g} m: miss median {far[len(far) // 2]:.2f} m, worst {far[-1]:.2f} m; "
          f"within 0.25 m {sum(x <= 0.25 for x in far)}, 0.5 m {sum(x <= 0.5 for x in far)}; fallen {fallen}")


def carry(client, o):
    stage = Stage(client, 10, RADIUS_M["carry"], o.mass, random.Random(o.seed))
    goes, down, falls, leans = {each: 0.0 for each in stage.all}, set(), 0, []
    for second in range(int(6 * o.minutes)):
        for each in stage.all if second % 2 == 0 else ():
            goes[each] += stage.draw.choice((0, 0, -1, 1, 0.5, -0.5))
            stage.ask(requests.steer, each, heading_rad=math.remainder(goes[each], 2 * math.pi), skill="walk")
        stage.step(200)
        for each in stage.look(requests.BODIES).characters:
            falls += each.fallen and each.entity not in down
            (down.add if each.fallen else down.discard)(each.entity)
            if not each.fallen:
                x, y, _ = turned(each.body_rot[8:12], (0, 0, 1))  # the upper trunk's axis
                leans.append(math.degrees(math.asin(x * math.cos(heading(each)) + y * math.sin(heading(each)))))
    print(f"{o.mass:g} kg in the right hand: {falls} falls in {o.minutes:g} minutes of walks; the trunk leans {sum(leans) / len(leans):.1f} degrees forwards, at most {max(leans):.1f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("act", choices=("throw", "carry"))
    parser.add_argument("--port", type=int, default=7400)
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--tries", type=int, default=50, help="of the throw, at most 64")
    parser.add_argument("--distance", type=float, default=5, help="of the target, m")
    parser.add_argument("--aim", type=float, default=1.5, help="of the target to the left of the heading, degrees, where punches go")
    parser.add_argument("--mass", type=float, default=2, help="of the weight, kg")
    parser.add_argument("--minutes", type=float, default=100, help="of all ten walkers together")
    o = parser.parse_args()
    with Client(port=o.port) as client:
        client.timeout_s = 600
        (throw if o.act == "throw" else carry)(client, o)


if __name__ == "__main__":
    main()

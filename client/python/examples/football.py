"""Plays football: starts a match of two teams with a ball, commands the players of one team or of both, and prints the goals.

The daemon judges by its rule `football` (deploy/matches/README.md): goals, out, time. The rule plays a team that
this program does not play. Every quarter of a second each player is told where to go; running, turning and getting up
are the business of its controller. Watch the world of the match in the viewer meanwhile.

    python3 football.py --teams red blue --seconds 300
"""

import argparse
import math
from typing import Iterator, List, Tuple

from troupe import Client, TroupeError, matches, requests, state_pb2
from troupe.replies import EventKind

LENGTH_M, WIDTH_M, GOAL_M = 36.0, 24.0, 6.0  # of the field, and between the posts
TICKS = 50  # of 5 ms between two decisions
NEAR_M, WALK_MPS, RUN_MPS = 5.0, 1.3, 2.5  # so near to the ball players walk: walking they turn on smaller circles
BEHIND_M, AROUND_M = 2.0, 1.5
TURN_S = 1.5  # the radius of that circle is the speed times this
# Where players begin, for a team that plays to the right: before the goal, in defence, in the middle, in attack.
PLACES = [(-17, 0), (-12.5, -7.5), (-12.5, -2.5), (-12.5, 2.5), (-12.5, 7.5), (-7.5, -8), (-7.5, -3), (-7.5, 3), (-7.5, 8), (-2, -2.5), (-2, 2.5)]
FIELDS = requests.OBJECTS | requests.VELOCITIES

Order = requests.Command[requests.Applied]


class Team:
    """Eleven players, commanded through a connection of their own."""

    def __init__(self, client: Client, world: int, name: str, order: int, side: int) -> None:
        self.client, self.world, self.name = client, world, name
        self.goal = (side * LENGTH_M / 2, 0.0)  # where it wants the ball
        self.home = {f"{name} {i + 1}": (side * x, side * y) for i, (x, y) in enumerate(PLACES)}
        self.sent: dict = {}  # of each player: the last place it was sent to
        client.ask(requests.join(world, order))
        self.state = client.ask(requests.get_state(world, FIELDS))

    def orders(self) -> List[Order]:
        """What the players do next, for the state that was seen last."""
        ball = self.state.objects[0].pos
        mine = [each for each in self.state.characters if each.label in self.home]
        standing = [each for each in mine if not each.fallen] or mine
        nearest = min(standing, key=lambda each: math.dist(each.root_pos[:2], ball[:2]))
        return [order for each in mine for order in (self.play(each, ball) if each is nearest else self.keep(each, ball))]

    def keep(self, player: state_pb2.CharacterState, ball: List[float]) -> Iterator[Order]:
        """Keeps the team's shape, which follows the ball."""
        x, y = self.home[player.label]
        yield from self.send(player, (x + 0.4 * ball[0], y + 0.4 * ball[1]), 0, radius=1.0)

    def play(self, player: state_pb2.CharacterState, ball: List[float]) -> Iterator[Order]:
        """Walks straight through a ball that is ahead, towards the goal; otherwise goes to behind the ball first."""
        x, y = ball[0] - player.root_pos[0], ball[1] - player.root_pos[1]
        far, way = math.hypot(x, y), math.atan2(y, x)
        shot = math.atan2(self.goal[1] - ball[1], self.goal[0] - ball[0])
        across, ahead = turn(way - shot), abs(turn(way - heading(player)))
        # A ball inside the circle on which the player turns would be missed.
        if abs(across) < 1.4 and ahead < 1.2 and far > 2 * TURN_S * math.hypot(*player.root_vel[:2]) * math.sin(ahead):
            self.sent.pop(player.label, None)
            yield requests.steer(self.world, player.entity, heading_rad=way)
            return
        aside = 0.0 if abs(across) < 1.6 else -math.copysign(AROUND_M, across)
        place = (ball[0] - BEHIND_M * math.cos(shot) - aside * math.sin(shot), ball[1] - BEHIND_M * math.sin(shot) + aside * math.cos(shot))
        yield from self.send(player, place, WALK_MPS if far < NEAR_M else RUN_MPS, radius=0.8, facing_rad=shot)

    def send(self, player: state_pb2.CharacterState, place: Tuple[float, float], speed: float, **options) -> Iterator[Order]:
        """Unless it is on the way there: steps and turns on the spot would begin anew."""
        if math.dist(self.sent.get(player.label, (math.inf, 0)), place) > 0.5:
            self.sent[player.label] = place
            yield requests.steer(self.world, player.entity, target=place, speed=speed, **options)


def turn(angle: float) -> float:
    return math.remainder(angle, 2 * math.pi)


def heading(player: state_pb2.CharacterState) -> float:
    w, x, y, z = player.root_rot
    return math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))


def describe(name: str, played: List[str], given: argparse.Namespace) -> matches.match_pb2.Match:
    teams = []
    for team, side in (("red", 1), ("blue", -1)):
        facing = 0 if side > 0 else math.pi
        members = [matches.member(given.controller, (side * x, side * y), facing) for x, y in PLACES]
        teams.append(matches.team(team, members, external=team in played))
    size = dict(length_m=LENGTH_M, width_m=WIDTH_M, goal_width_m=GOAL_M)
    return matches.match(
        name, teams, "football", parameters=size, time_limit_s=given.seconds, seed=given.seed, mode=matches.MatchMode.STEPPED
    )


def play(given: argparse.Namespace) -> None:
    played = [name for name in ("red", "blue") if name in given.teams]  # the order in which external teams are numbered
    with Client(port=given.port) as first, Client(port=given.port) as second:
        world = first.ask(requests.start_match(describe(given.name, played, given))).world
        first.ask(requests.subscribe(world, events=True))
        sides = {"red": 1, "blue": -1}
        teams = [Team(client, world, name, i + 1, sides[name]) for i, (client, name) in enumerate(zip((first, second), played))]
        end = round(given.seconds * 200)
        for tick in range(0, end, TICKS):
            # All send before one waits: the world steps when every team has.
            tickets = [each.client.send(requests.advance(world, min(TICKS, end - tick), each.orders(), FIELDS)) for each in teams]
            for each, ticket in zip(teams, tickets):
                each.state = each.client.wait(ticket).state
            for event in first.take_events():
                if event.kind == EventKind.SCORED:
                    print(f"{event.tick / 200:.0f} s: {event.text} {event.magnitude:g}", flush=True)
        for _ in first.progress(given.name):
            pass  # until the result is stored
        bout = first.ask(requests.get_match(given.name)).bouts[0]
        print(f"red {bout.score[0]:g}, blue {bout.score[1]:g}: {bout.reason}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=7400)
    parser.add_argument("--controller", default="hero")
    parser.add_argument("--teams", nargs="+", choices=("red", "blue"), default=["red", "blue"], help="that this program plays")
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--name", default="football", help="of the match; unique in the catalogue")
    try:
        play(parser.parse_args())
    except TroupeError as error:
        raise SystemExit(f"football: {error}") from None


if __name__ == "__main__":
    main()

"""Matches: their descriptions, and the daemon's replies about them.

    red = matches.team("red", [matches.member("walk", (-3, 0))])
    blue = matches.team("blue", [matches.member("run", (3, 0), math.pi)])
    client.ask(requests.start_match(matches.match("duel", [red, blue], "collide", bouts=100, seed=7)))
    for progress in client.progress("duel"):
        print(progress.info.bouts_done, progress.wins)
    print(client.ask(requests.get_match("duel")).teams[0].win_rate)

The dataclasses name the fields of their messages in proto/troupe/match.proto, which has rules, units and limits.
Descriptions are messages of the schema, so that a returned one can be started again.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Mapping, Optional, Sequence, Tuple

from troupe import geometry_pb2, match_pb2, world_pb2
from troupe.replies import read, read_as, read_each


class MatchMode(IntEnum):
    """Where bouts are fought: headless, or one in a world that can be watched or stepped."""

    HEADLESS = 1
    REAL_TIME = 2
    STEPPED = 3


class MatchState(IntEnum):
    RUNNING = 1
    DONE = 2
    CANCELLED = 3
    FAILED = 4


class BoutOutcome(IntEnum):
    WON = 1
    DRAWN = 2
    VOID = 3


# --- descriptions ---


def member(
    controller: str, pos: Sequence[float] = (0.0, 0.0), heading_rad: float = 0.0, model: str = ""
) -> match_pb2.Member:
    """A character at (x, y) or (x, y, z)."""
    x, y, z = pos if len(pos) == 3 else (*pos, 0.0)
    place = geometry_pb2.Vec3(x=x, y=y, z=z)
    return match_pb2.Member(controller=controller, model=model, pos=place, heading_rad=heading_rad)


def team(name: str, members: Sequence[match_pb2.Member], external: bool = False) -> match_pb2.Team:
    """external: a client commands it, in a stepped match."""
    return match_pb2.Team(name=name, members=members, external=external)


def match(
    name: str,
    teams: Sequence[match_pb2.Team],
    rule: str,
    *,
    time_limit_s: float = 30.0,
    bouts: int = 1,
    seed: int = 0,
    parameters: Optional[Mapping[str, float]] = None,
    vary: Optional[match_pb2.Variation] = None,
    mode: MatchMode = MatchMode.HEADLESS,
    rate: Optional[float] = None,
    step_s: Optional[float] = None,
    scene: Optional[world_pb2.Scene] = None,
) -> match_pb2.Match:
    """rule: collide, sumo, race, last_standing, survive_pushes or chase; parameters: those of the rule that differ
    from its defaults. vary: what a bout's seed changes; default: a little of everything."""
    return match_pb2.Match(
        name=name,
        teams=teams,
        rule=rule,
        parameters=[match_pb2.RuleParameter(name=key, value=value) for key, value in (parameters or {}).items()],
        seed=seed,
        time_limit_s=time_limit_s,
        bouts=bouts,
        vary=vary,
        mode=match_pb2.MatchMode.Name(int(mode)),
        rate=rate,
        step_s=step_s,
        scene=scene,
    )


# --- replies ---


@dataclass(frozen=True)
class MatchInfo:
    name: str
    rule: str
    reason: str
    seed: int
    bouts: int
    bouts_done: int
    world: int
    created_unix_ns: int
    ended_unix_ns: int
    mode: MatchMode = read_as(lambda mode: MatchMode(mode or MatchMode.HEADLESS))
    state: MatchState = read_as(MatchState)
    teams: Tuple[str, ...] = read_as(tuple)


@dataclass(frozen=True)
class Bout:
    position: int
    seed: int
    winner: int  # index of the team, -1: none
    ticks: int
    hash: int
    reason: str
    outcome: BoutOutcome = read_as(BoutOutcome)
    score: Tuple[float, ...] = read_as(tuple)


@dataclass(frozen=True)
class MeanInterval:
    """A mean with its 95 % interval."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class TeamStatistics:
    """Over the bouts that are not void; the interval of the win rate is Wilson's, 95 %."""

    name: str
    wins: int
    win_rate: float
    win_rate_low: float
    win_rate_high: float
    score: MeanInterval = read_as(lambda message: read(MeanInterval, message))


@dataclass(frozen=True)
class MatchDetail:
    """`match` is the schema's description; `bouts` are a page of them (requests.list_bouts for all)."""

    match: Any
    draws: int
    voids: int
    results_hash: int
    next_page_token: str
    info: MatchInfo = read_as(lambda message: read(MatchInfo, message))
    teams: Tuple[TeamStatistics, ...] = read_each(TeamStatistics)
    ticks: MeanInterval = read_as(lambda message: read(MeanInterval, message))
    bouts: Tuple[Bout, ...] = read_each(Bout)


@dataclass(frozen=True)
class MatchProgress:
    """The progress of a watched match; `last` is the newest stored bout, None before the first."""

    draws: int
    voids: int
    info: MatchInfo = read_as(lambda message: read(MatchInfo, message))
    wins: Tuple[int, ...] = read_as(tuple)  # of each team
    last: Optional[Bout] = read_as(lambda bout: read(Bout, bout) if bout.outcome else None)

    @property
    def ended(self) -> bool:
        return self.info.state != MatchState.RUNNING

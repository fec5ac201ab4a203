"""States at the time of a picture: between the two that surround it, a little behind the newest.

    playback = Playback()                       # 0.1 s behind
    for state in client.take_states():
        playback.add(state, time.monotonic())
    shown = playback.at(time.monotonic())        # {entity: Shown}; empty until two states have arrived

The clock of the world is followed by the states that arrived with the least delay, so that uneven arrival does not show.
Who joins late sees the first picture as soon as one state has arrived. Ask for STATE_FIELD_BODIES.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Deque, Dict, List, Optional, Sequence
from collections import deque

KEPT = 64
DRIFT = 0.002  # seconds for each second: how fast the followed clock may give way


@dataclass(frozen=True)
class Shown:
    """Flat: body_pos [body_count][3] m, body_rot [body_count][4]."""

    entity: int
    label: str
    body_pos: List[float]
    body_rot: List[float]


class Playback:
    def __init__(self, delay_s: float = 0.1) -> None:
        self.delay_s = delay_s
        self._states: Deque[Any] = deque(maxlen=KEPT)
        self._ahead: Optional[float] = None  # the world's time less the local time, of the quickest arrivals
        self._heard_s = 0.0

    def add(self, state: Any, arrived_s: float) -> None:
        """Takes a state; one that is not newer than the last begins anew: the world was reset."""
        if self._states and state.time_s <= self._states[-1].time_s:
            self._states.clear()
            self._ahead = None
        ahead = state.time_s - arrived_s
        if self._ahead is None:
            self._ahead = ahead
        else:
            self._ahead = max(ahead, self._ahead - DRIFT * (arrived_s - self._heard_s))
        self._heard_s = arrived_s
        self._states.append(state)

    def time_s(self, now_s: float) -> float:
        """The world's time that is shown at a local time; 0 before the first state."""
        return 0.0 if self._ahead is None else now_s + self._ahead - self.delay_s

    def at(self, now_s: float) -> Dict[int, Shown]:
        """The characters by entity. Beyond the newest state they stay as they are there."""
        if not self._states:
            return {}
        time_s = self.time_s(now_s)
        later = next((i for i, state in enumerate(self._states) if state.time_s >= time_s), len(self._states) - 1)
        b = self._states[later]
        a = self._states[later - 1] if later > 0 else b
        span = b.time_s - a.time_s
        share = min(max((time_s - a.time_s) / span, 0.0), 1.0) if span > 0 else 1.0
        before = {each.entity: each for each in a.characters}
        return {each.entity: _between(before.get(each.entity, each), each, share) for each in b.characters}


def _between(a: Any, b: Any, share: float) -> Shown:
    if len(a.body_pos) != len(b.body_pos):
        a = b
    pos = [p + share * (q - p) for p, q in zip(a.body_pos, b.body_pos)]
    rot: List[float] = []
    for i in range(0, len(b.body_rot), 4):
        rot += _turn_between(a.body_rot[i : i + 4], b.body_rot[i : i + 4], share)
    return Shown(b.entity, b.label, pos, rot)


def _turn_between(p: Sequence[float], q: Sequence[float], share: float) -> List[float]:
    """Along the chord, then to unit length: of turns below half a right angle the same as along the arc to 0.3 degrees."""
    sign = -1.0 if sum(x * y for x, y in zip(p, q)) < 0 else 1.0
    mixed = [x + share * (sign * y - x) for x, y in zip(p, q)]
    length = math.sqrt(sum(x * x for x in mixed)) or 1.0
    return [x / length for x in mixed]

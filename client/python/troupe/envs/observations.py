"""What agents see: rows of numbers of each character's state, by name.

    observe = rows("root_height", "joint_rot", "facing")

The names and numbers are those of served policies (troupe.policy). All are computed from the single precision of the
wire by operations of double precision that give the same bits everywhere, and rounded to single precision, so a served
policy sees exactly what it saw here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Dict, Tuple

import numpy as np
from numpy.typing import NDArray

from troupe import requests
from troupe.characters import Characters, Floats
from troupe.replies import ControllerDetail

Doubles = NDArray[np.float64]
Observe = Callable[[Characters, ControllerDetail], Floats]


def entry_count(controller: ControllerDetail) -> int:
    """Places in the controller's cycle at which an episode can begin."""
    return max(controller.entry_count, controller.fragment_count, 1)


def _facing(root_rot: Floats) -> Tuple[Doubles, Doubles]:
    """[n] cosine and sine of the direction of the root's x axis, seen from above."""
    w, x, y, z = root_rot.T.astype(np.float64)
    forward, left = 1 - 2 * (y * y + z * z), 2 * (w * z + x * y)
    length = np.sqrt(forward * forward + left * left)
    upright = length > 1e-12
    length = np.where(upright, length, 1)
    return np.where(upright, forward / length, 1), np.where(upright, left / length, 0)


def _halved(c: Doubles, s: Doubles) -> Tuple[Doubles, Doubles]:
    """Cosine and sine of half the angle, by the larger of the two, which loses no digits."""
    large = np.sqrt((1 + np.abs(c)) / 2)
    small = np.abs(s) / (2 * large)
    sign = np.where(s < 0, -1.0, 1.0)
    ahead = c >= 0
    return np.where(ahead, large, small), sign * np.where(ahead, small, large)


def _turned_back(vectors: Floats, root_rot: Floats) -> Doubles:
    c, s = _facing(root_rot)
    x, y, z = vectors.T.astype(np.float64)
    return np.stack([c * x + s * y, c * y - s * x, z], axis=1)


def _root_height(characters: Characters, _: ControllerDetail) -> Floats:
    """Above the ground; above the plane z = 0 of states without it."""
    return characters.ground[:, :1] if characters.ground.size else characters.root_pos[:, 2:]


def _root_rot(characters: Characters, _: ControllerDetail) -> Doubles:
    c, s = _halved(*_facing(characters.root_rot))
    w, x, y, z = characters.root_rot.T.astype(np.float64)
    return np.stack([c * w + s * z, c * x + s * y, c * y - s * x, c * z - s * w], axis=1)


def _phase(characters: Characters, controller: ControllerDetail) -> Doubles:
    angle = 2 * np.pi * (characters.fragment / entry_count(controller))
    return np.stack([np.sin(angle), np.cos(angle)], axis=1)


def _target(characters: Characters, _: ControllerDetail) -> Doubles:
    c, s = _facing(characters.root_rot)
    heading, speed = characters.target.T
    x, y = np.cos(heading), np.sin(heading)
    asked = ~np.isnan(heading)
    return np.stack([np.where(asked, x * c + y * s, 1), np.where(asked, y * c - x * s, 0), speed], axis=1)


_ROWS: Dict[str, Callable[[Characters, ControllerDetail], NDArray[Any]]] = {
    "root_height": _root_height,
    "root_rot": _root_rot,
    "root_vel": lambda characters, _: _turned_back(characters.root_vel, characters.root_rot),
    "root_omega": lambda characters, _: _turned_back(characters.root_omega, characters.root_rot),
    "joint_rot": lambda characters, _: characters.joint_rot[:, 1:].reshape(len(characters), -1),
    "joint_rate": lambda characters, _: characters.joint_rate[:, 1:].reshape(len(characters), -1),
    "phase": _phase,
    "facing": lambda characters, _: np.stack(_facing(characters.root_rot), axis=1),
    "contacts": lambda characters, _: characters.touching,
    "target": _target,
    "ground": lambda characters, _: characters.ground[:, 1:],
}
BODY_STATE = ("root_height", "root_rot", "root_vel", "root_omega", "joint_rot", "joint_rate", "phase")


def rows(*names: str) -> Observe:
    """[n][size] of the named rows, side by side: root_height (m), root_rot (4), root_vel (3) and root_omega (3) in the
    heading frame; joint_rot (4 each) and joint_rate (3 each) without the root's; phase, sine and cosine of the place in
    the controller's cycle; facing, cosine and sine of the heading in the world; contacts, 1 for each body that touches
    something else; target, cosine and sine of the turn to the heading asked for (Task.target_heading_rad), and the speed,
    m/s; ground (15), the heights of the ground ahead (CharacterState.ground). body_state: all up to the phase."""
    flat = tuple(each for name in names for each in (BODY_STATE if name == "body_state" else (name,)))
    unknown = [name for name in flat if name not in _ROWS]
    if unknown or not flat:
        raise ValueError(f"observation: {unknown or flat}: expected body_state, {', '.join(_ROWS)}")

    return _Rows(flat)


@dataclass(frozen=True)
class _Rows:
    names: Tuple[str, ...]

    @property
    def fields(self) -> int:
        """Bits of StateField that it needs besides joints and velocities."""
        contacts = requests.CONTACTS if "contacts" in self.names else 0
        height = requests.HEIGHT if "root_height" in self.names else 0
        return contacts | (requests.GROUND if "ground" in self.names else height)

    def __call__(self, characters: Characters, controller: ControllerDetail) -> Floats:
        parts = [_ROWS[name](characters, controller).astype(np.float32) for name in self.names]
        return np.concatenate(parts, axis=1)


def body_state(characters: Characters, controller: ControllerDetail) -> Floats:
    """[n][size]: rows("body_state")."""
    return _body_state(characters, controller)


def facing(characters: Characters, controller: ControllerDetail) -> Floats:
    """[n][2]: rows("facing")."""
    return _seen_facing(characters, controller)


_body_state, _seen_facing = rows("body_state"), rows("facing")


def joined(*parts: Observe) -> Observe:
    """Observations side by side: `joined(body_state, mine)`."""
    return _Joined(parts)


@dataclass(frozen=True)
class _Joined:
    parts: Tuple[Observe, ...]

    @property
    def fields(self) -> int:
        return int(np.bitwise_or.reduce([fields_of(part) for part in self.parts]))

    def __call__(self, characters: Characters, controller: ControllerDetail) -> Floats:
        return np.concatenate([part(characters, controller) for part in self.parts], axis=1, dtype=np.float32)


def fields_of(observe: Observe) -> int:
    """What an observation needs of a state, if it says so."""
    return int(getattr(observe, "fields", 0))

"""Compact poses (requests.COMPACT) back to the arrays of a state.

    bodies = {name: client.ask(requests.get_model(name)).bodies for name in models}
    character = poses.unpack(character, bodies[model])        # now with body_pos, body_rot and joint_rot

A compact state has no names: a state without COMPACT says which model a new entity has. "Compact states" of PROTOCOL.md.
"""

from __future__ import annotations

import math
from typing import List, Optional, Sequence, Tuple

from troupe import state_pb2
from troupe.replies import Body, Joint
from troupe.rotations import Rot, Vec, times, turned

_LEVELS = 180  # of a rotation's components, per unit
_OTHER = 7  # the form of a rotation whose largest component is not w


class _Bits:
    def __init__(self, data: bytes) -> None:
        self._rest, self.left = int.from_bytes(data, "little"), 8 * len(data)

    def take(self, width: int) -> int:
        value = self._rest & ((1 << width) - 1)
        self._rest >>= width
        self.left -= width
        return value

    def signed(self, width: int) -> int:
        value = self.take(width)
        return value - (1 << width) if width and value >> (width - 1) else value

    def number(self) -> int:
        return self.signed(self.take(5))

    def rotation(self) -> Rot:
        form = self.take(3)
        largest = self.take(2) if form == _OTHER else 0
        width = 8 if form == _OTHER else form + 2 if form else 0
        three = [self.signed(width) / _LEVELS for _ in range(3)]
        three.insert(largest, math.sqrt(max(0.0, 1 - sum(v * v for v in three))))
        return (three[0], three[1], three[2], three[3])

    def angle(self) -> float:
        return self.signed(10) * math.pi / 512


def unpack(character: state_pb2.CharacterState, bodies: Sequence[Body]) -> state_pb2.CharacterState:
    """The same state with root_pos, root_rot, joint_rot, body_pos and body_rot instead of `pose`. ValueError: the pose is of
    another model."""
    bits = _Bits(character.pose)
    root: Vec = (bits.number() / 1000, bits.number() / 1000, bits.number() / 1000)
    places: List[Tuple[Vec, Rot]] = [(root, bits.rotation())]
    joints: List[Rot] = [(1.0, 0.0, 0.0, 0.0)]
    for body in bodies[1:]:
        angle = bits.angle() if body.joint in (Joint.HINGE, Joint.SLIDE) else None
        joints.append(bits.rotation() if angle is None else _about(body.axis, angle))
        slide = angle if body.joint == Joint.SLIDE else None
        places.append(_place(body, *places[body.parent], joints[-1], slide))
    if not 0 <= bits.left < 8:
        raise ValueError(f"a pose of {len(character.pose)} bytes is not of a model with these {len(bodies)} bodies")
    out = state_pb2.CharacterState()
    out.CopyFrom(character)
    out.ClearField("pose")
    out.root_pos[:], out.root_rot[:] = places[0]
    out.joint_rot[:] = [v for joint in joints for v in joint]
    out.body_pos[:] = [v for pos, _ in places for v in pos]
    out.body_rot[:] = [v for _, rot in places for v in rot]
    return out


def _about(axis: Sequence[float], angle: float) -> Rot:
    x, y, z = (math.sin(angle / 2) * v for v in axis)
    return (math.cos(angle / 2), x, y, z)


def _place(body: Body, above: Vec, turn: Rot, joint: Rot, slide: Optional[float]) -> Tuple[Vec, Rot]:
    """The body turns about the joint's centre, which is fixed in both bodies, or slides by `slide` m along its axis."""
    own: Rot = (body.rot[0], body.rot[1], body.rot[2], body.rot[3])
    anchor: Vec = (body.anchor[0], body.anchor[1], body.anchor[2])
    rot = times(turn, own) if slide is not None else times(times(turn, own), joint)
    moved: Vec = tuple(a + (slide or 0.0) * v for a, v in zip(anchor, body.axis))  # type: ignore[assignment]
    x, y, z = (at + rest for at, rest in zip(body.pos, turned(own, moved)))
    centre, offset = turned(turn, (x, y, z)), turned(rot, anchor)
    return ((above[0] + centre[0] - offset[0], above[1] + centre[1] - offset[1], above[2] + centre[2] - offset[2]), rot)

"""Single rotations (w, x, y, z) and vectors as tuples, without numpy."""

from __future__ import annotations

from typing import Tuple

Vec = Tuple[float, float, float]
Rot = Tuple[float, float, float, float]


def times(a: Rot, b: Rot) -> Rot:
    """a after b."""
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )


def inverse(a: Rot) -> Rot:
    return (a[0], -a[1], -a[2], -a[3])


def turned(q: Rot, v: Vec) -> Vec:
    _, x, y, z = times(times(q, (0.0, *v)), inverse(q))
    return (x, y, z)

"""Rotations as arrays of quaternions, [...][4] (w, x, y, z)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Doubles = NDArray[np.float64]


def multiply(a: Any, b: Any) -> Doubles:
    """a after b."""
    (aw, ax, ay, az), (bw, bx, by, bz) = np.moveaxis(np.asarray(a), -1, 0), np.moveaxis(np.asarray(b), -1, 0)
    return np.stack(
        [
            aw * bw - ax * bx - ay * by - az * bz,
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
        ],
        axis=-1,
    )


def conjugate(q: Any) -> Doubles:
    return np.asarray(np.asarray(q) * np.array([1.0, -1.0, -1.0, -1.0]))


def rotate(q: Any, v: Any) -> Doubles:
    """Vectors [...][3] turned by rotations."""
    q, v = np.asarray(q), np.asarray(v)
    t = 2 * np.cross(q[..., 1:], v)
    return np.asarray(v + q[..., :1] * t + np.cross(q[..., 1:], t))


def about(axis: Any, angle: float) -> Doubles:
    """By an angle about a unit vector, rad."""
    return np.concatenate([[np.cos(angle / 2)], np.sin(angle / 2) * np.asarray(axis)])


def along_z(direction: Any) -> Doubles:
    """The shortest that takes z to a unit vector."""
    x, y, z = direction
    if z < -1 + 1e-9:
        return np.array([0.0, 1.0, 0.0, 0.0])
    q = np.array([1 + z, -y, x, 0.0])
    return np.asarray(q / np.linalg.norm(q))

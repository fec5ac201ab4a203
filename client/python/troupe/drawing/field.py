"""Solids by their signed distance (negative inside), and the field of several that melt into each other: the viewer's field.ts for arrays
of points. Distances after Inigo Quilez, "Distance functions". Metres, in the frame of the figure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from troupe.drawing.rotation import Doubles, conjugate, rotate

FAR = 1e3  # the distance where there is nothing, m
STEP = 1e-3


@dataclass(frozen=True)
class Solid:
    body: int
    blend: float  # width of the fillet to what it touches, m
    centre: Doubles  # of a sphere around it
    radius: float
    distance: Callable[[Doubles], Doubles]  # [n][3] to [n]


def ball(body: int, blend: float, centre: Doubles, radius: float) -> Solid:
    return Solid(body, blend, centre, radius, lambda p: np.asarray(np.linalg.norm(p - centre, axis=-1) - radius))


def cone(body: int, blend: float, a: Doubles, b: Doubles, radius_a: float, radius_b: float) -> Solid:
    """The hull of two balls: a tapered limb."""
    axis = b - a
    length2 = max(1e-12, float(axis @ axis))
    taper = radius_a - radius_b
    side2 = length2 - taper * taper
    if side2 <= 0:  # one holds the other
        return ball(body, blend, a if taper > 0 else b, max(radius_a, radius_b))

    def distance(p: Doubles) -> Doubles:
        along = (p - a) @ axis
        past = along - length2
        off2 = np.sum(((p - a) * length2 - along[:, None] * axis) ** 2, axis=-1)
        slope = np.sign(taper) * taper * taper * off2
        beyond = np.sqrt(off2 + past * past * length2) / length2 - radius_b
        before = np.sqrt(off2 + along * along * length2) / length2 - radius_a
        beside = (np.sqrt(off2 * side2 / length2) + along * taper) / length2 - radius_a
        at_b = np.sign(past) * side2 * past * past * length2 > slope
        at_a = np.sign(along) * side2 * along * along * length2 < slope
        return np.where(at_b, beyond, np.where(at_a, before, beside))

    return Solid(body, blend, (a + b) / 2, np.sqrt(length2) / 2 + max(radius_a, radius_b), distance)


def block(body: int, blend: float, centre: Doubles, rot: Doubles, half: Doubles, rounding: float) -> Solid:
    inner = np.maximum(0, np.asarray(half) - rounding)

    def distance(p: Doubles) -> Doubles:
        off = np.abs(rotate(conjugate(rot), p - centre)) - inner
        return np.asarray(np.linalg.norm(np.maximum(off, 0), axis=-1) + np.minimum(0, off.max(axis=-1)) - rounding)

    return Solid(body, blend, centre, float(np.linalg.norm(half)), distance)


def egg(body: int, blend: float, centre: Doubles, rot: Doubles, radii: Doubles) -> Solid:
    """An ellipsoid."""

    def distance(p: Doubles) -> Doubles:
        u = rotate(conjugate(rot), p - centre) / radii
        scaled = np.linalg.norm(u, axis=-1)
        steep = np.linalg.norm(u / radii, axis=-1)
        return np.where(steep > 1e-9, scaled * (scaled - 1) / np.maximum(steep, 1e-9), -min(radii))

    return Solid(body, blend, centre, float(max(radii)), distance)


def distance_to(solids: Sequence[Solid], points: Doubles) -> Doubles:
    """[n][3] to [n]: the signed distance of all solids together. Farther from all than they reach it is only a bound."""
    distance = np.full(len(points), FAR)
    for solid in solids:
        near = np.flatnonzero(np.linalg.norm(points - solid.centre, axis=-1) - solid.radius <= distance + solid.blend)
        one, other = distance[near], solid.distance(points[near])
        overlap = np.maximum(0, solid.blend - np.abs(one - other)) / solid.blend
        distance[near] = np.minimum(one, other) - overlap * overlap * solid.blend / 4
    return distance


def normals_at(solids: Sequence[Solid], points: Doubles) -> Doubles:
    """[n][3]: the gradient's direction, on the surface its outward normal."""
    corners = np.array([[1, -1, -1], [-1, -1, 1], [-1, 1, -1], [1, 1, 1]])
    sums = sum(corner * distance_to(solids, points + STEP * corner)[:, None] for corner in corners)
    length = np.linalg.norm(sums, axis=-1, keepdims=True)
    return np.asarray(sums / np.where(length > 0, length, 1))


def near_mask(solid: Solid, points: Doubles, reach: float) -> NDArray[np.bool_]:
    return np.asarray(np.linalg.norm(points - solid.centre, axis=-1) < solid.radius + reach + solid.blend)

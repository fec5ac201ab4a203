"""The skin of a figure: its surface, how much each body moves each vertex, and what shades it (the viewer's skin.ts)."""

from __future__ import annotations

from typing import Dict, List, Sequence, Tuple

import numpy as np

from troupe.drawing.field import Solid, distance_to
from troupe.drawing.flesh import flesh
from troupe.drawing.plan import Bone, Plan, spread_stance
from troupe.drawing.rotation import Doubles, conjugate, multiply, rotate
from troupe.drawing.surface import surface_of

SOFTNESS_M = 0.028  # of the bend at a joint, at least
REACH_M = 0.09  # beyond which a body does not move a vertex
LEAST_SHARE = 0.02
OPENNESS_M = (0.025, 0.06, 0.12)
CREASE = 0.45  # of the light, that one closed distance takes
TONES: Dict[str, float] = {"head": 1.09, "hand": 0.78, "foot": 0.66, "toe": 0.66}


class Skin:
    """Of one model, made from cells of the given size, m: the smaller, the finer."""

    def __init__(self, plan: Plan, cell: float) -> None:
        stance = spread_stance(plan)
        solids = flesh(plan, stance)
        self.positions, self.normals, self.triangles = surface_of(solids, cell)
        self._bones = plan.bones
        self._pos, self._rot = np.array([f.pos for f in stance]), np.array([f.rot for f in stance])
        self.weights = _weights(solids, self.positions, plan.bones)  # [vertex][body], sum 1
        tones = np.array([TONES.get(plan.roles.get(i, ""), 1.0) for i in range(len(plan.bones))])
        self.light = _openness(solids, self.positions, self.normals) * (self.weights @ tones)

    def pose(self, pos: Doubles, rot: Doubles) -> Tuple[Doubles, Doubles]:
        """Positions and normals [vertex][3] of a character whose bodies are at pos [body][3] and rot [body][4], by dual quaternions
        (Kavan et al. 2007)."""
        turned = multiply(rot, conjugate(self._rot))
        moved = pos - rotate(turned, self._pos)
        for i, bone in enumerate(self._bones):  # a rotation has two signs: of a body and its parent the nearer
            if bone.parent >= 0 and turned[i] @ turned[bone.parent] < 0:
                turned[i] = -turned[i]
        dual = 0.5 * multiply(np.concatenate([np.zeros((len(moved), 1)), moved], axis=1), turned)
        real, dual = self.weights @ turned, self.weights @ dual
        length = np.linalg.norm(real, axis=1, keepdims=True)
        real, dual = real / length, dual / length
        shift = 2 * multiply(dual, conjugate(real))[:, 1:]
        return rotate(real, self.positions) + shift, rotate(real, self.normals)


def _weights(solids: Sequence[Solid], points: Doubles, bones: List[Bone]) -> Doubles:
    """The nearest body and its neighbours along the skeleton share a vertex by how near they are: over the width of the fillet between
    them."""
    distance = np.full((len(points), len(bones)), REACH_M)
    blend = np.full(distance.shape, SOFTNESS_M)
    for solid in solids:
        there = solid.distance(points)
        nearer = there < distance[:, solid.body]
        distance[nearer, solid.body] = there[nearer]
        blend[nearer, solid.body] = max(solid.blend, SOFTNESS_M)
    parents = np.array([bone.parent for bone in bones])
    related = np.eye(len(bones), dtype=bool)
    for body, parent in enumerate(parents):
        if parent >= 0:
            related[body, parent] = related[parent, body] = True
    nearest = distance.argmin(axis=1)
    share = np.exp(-(((distance - distance.min(axis=1, keepdims=True)) / blend) ** 2))
    share *= related[nearest] & (share > LEAST_SHARE) & (distance < REACH_M)
    return np.asarray(share / share.sum(axis=1, keepdims=True))


def _openness(solids: Sequence[Solid], points: Doubles, normals: Doubles) -> Doubles:
    """In [0, 1]: how far the figure's own flesh stays from a vertex, along its normal."""
    closed = sum(np.maximum(0, 1 - distance_to(solids, points + out * normals) / out) for out in OPENNESS_M)
    return np.maximum(0, 1 - CREASE * np.asarray(closed))

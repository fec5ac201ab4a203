"""The solids of a figure: what a model's shapes look like when they are a body (the viewer's flesh.ts). Any model becomes one: its shapes
are rounded and joined from joint to joint. Where the model says which bodies are head, hands, feet and toes, those are shaped as such."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Dict, List, Optional, Sequence, Tuple

import numpy as np

from troupe.drawing.field import Solid, ball, block, cone, egg
from troupe.drawing.plan import Frame, Plan, Shape
from troupe.drawing.rotation import Doubles, conjugate, multiply, rotate

TRUNK, ROOT, LIMB, SMALL, NONE = 0.05, 0.035, 0.03, 0.018, 0.002  # fillets, m
JOINT_SHARE = 0.86  # of the mean thickness of the two that meet there
ROOT_SHARE = 1.06  # of a limb's thickness, where it leaves the trunk
MUSCLE_AT, MUSCLE_SHARE, CALF = 0.3, 1.07, 0.24  # along a limb; of its thickness
RINGS = (0, 0.15, 0.3, 0.5, 0.75, 1)
UPRIGHT = np.array([1.0, 0.0, 0.0, 0.0])


@dataclass
class Part:
    """A body as its flesh is made: everything in its own frame."""

    body: int
    frame: Frame
    shape: Shape
    role: Optional[str]
    joint: Doubles  # to its parent
    parent: Optional["Part"]
    children: List[Tuple["Part", Doubles]] = field(default_factory=list)  # with their joints

    @property
    def thickness(self) -> float:
        """Across, m: the radius of a limb with the shape inside."""
        if self.shape.kind != "box":
            return float(self.shape.size[0])
        a, b, _ = np.sort(self.shape.size)
        return float(np.sqrt(a * b))

    @property
    def centre(self) -> Doubles:
        return self.shape.pos

    def at(self, point: Doubles) -> Doubles:
        return self.frame.pos + rotate(self.frame.rot, point)

    def cone(self, a: Doubles, b: Doubles, radius_a: float, radius_b: float, blend: float) -> Solid:
        return cone(self.body, blend, self.at(a), self.at(b), radius_a, radius_b)

    def ball(self, centre: Doubles, radius: float, blend: float) -> Solid:
        return ball(self.body, blend, self.at(centre), radius)

    def block(self, centre: Doubles, rot: Doubles, half: Doubles, rounding: float, blend: float) -> Solid:
        return block(self.body, blend, self.at(centre), multiply(self.frame.rot, rot), half, rounding)

    def egg(self, centre: Doubles, radii: Sequence[float], blend: float) -> Solid:
        return egg(self.body, blend, self.at(centre), self.frame.rot, np.array(radii))


def _parts(plan: Plan, frames: Sequence[Frame]) -> List[Part]:
    """Of bodies with a shape; of several shapes the thickest."""
    parts: Dict[int, Part] = {}
    for i, bone in enumerate(plan.bones):
        own = [shape for shape in plan.shapes if shape.body == i]
        parent = parts.get(bone.parent)
        candidates = [Part(i, frames[i], shape, plan.roles.get(i), bone.anchor, parent) for shape in own]
        if not candidates:
            continue
        part = parts[i] = max(candidates, key=lambda each: each.thickness)
        if parent is not None:
            parent.children.append((part, bone.pos + rotate(bone.rot, bone.anchor)))
    return list(parts.values())


def _joint_radius(one: Part, other: Part) -> float:
    return JOINT_SHARE * 0.5 * (one.thickness + other.thickness)


def _between(a: Doubles, b: Doubles, share: float) -> Doubles:
    return a + (b - a) * share


def _limb(part: Part) -> List[Solid]:
    """From joint to joint, thickest a third of the way down; a calf bulges behind."""
    thickness, joint = part.thickness, part.joint
    child, end = part.children[0] if part.children else (None, 2 * part.centre - joint)
    leaves_trunk = part.parent is not None and part.parent.shape.kind == "box"
    near = ROOT_SHARE * thickness if leaves_trunk else _joint_radius(part, part.parent) if part.parent else thickness
    far = min(thickness, _joint_radius(part, child)) if child else 0.8 * thickness
    calf = CALF * thickness if child and child.role == "foot" else 0.0

    def ring(share: float) -> Tuple[Doubles, float]:
        outer, within = (near, share / MUSCLE_AT) if share < MUSCLE_AT else (far, (1 - share) / (1 - MUSCLE_AT))
        muscle = within * within * (3 - 2 * within)
        at = _between(joint, end, share) + np.array([-calf * muscle, 0, 0])
        return at, outer + (MUSCLE_SHARE * thickness - outer) * muscle

    rings = [ring(share) for share in RINGS]
    fillets = [ROOT if leaves_trunk and i == 0 else NONE for i in range(len(rings) - 1)]
    return [part.cone(a, b, ra, rb, fillet) for (a, ra), (b, rb), fillet in zip(rings, rings[1:], fillets)]


def _trunk(part: Part) -> List[Solid]:
    """What is not a limb: its shape, and what leads from it to the joints of its children."""
    return _core(part) + [solid for child, joint in part.children for solid in _link(part, child, joint)]


def _core(part: Part) -> List[Solid]:
    shape, centre = part.shape, part.centre
    if shape.kind == "sphere":
        return [part.ball(centre, shape.size[0], TRUNK)]
    if shape.kind == "capsule":
        half = rotate(shape.rot, np.array([0, 0, shape.size[1]]))
        return [part.cone(centre - half, centre + half, shape.size[0], shape.size[0], TRUNK)]
    if part.children:
        return _columns(part)
    return [part.block(centre, shape.rot, shape.size, 0.85 * min(shape.size), TRUNK)]


def _columns(part: Part) -> List[Solid]:
    """A box of the trunk: two columns side by side, as thick as the box is deep; a waist narrower, the shoulders wider."""
    deep, wide, high = part.shape.size
    below = 0.92 if part.parent is None else 0.9
    above = 1.04 if any(child.role == "head" for child, _ in part.children) else 0.9
    apart = max(0.2 * deep, wide - 0.9 * deep)

    def at(side: int, share: float, up: float) -> Doubles:
        return np.asarray(part.centre + np.array([0, side * share * apart, up * high]))

    return [
        part.cone(at(side, below, -0.5), at(side, above, 0.4), 0.86 * deep * below, 0.86 * deep * above, TRUNK)
        for side in (-1, 1)
    ]


def _link(part: Part, child: Part, joint: Doubles) -> List[Solid]:
    centre = part.centre
    if child.role == "head":
        return [part.cone(_between(centre, joint, 0.7), joint, 0.62 * child.thickness, 0.5 * child.thickness, TRUNK)]
    if child.shape.kind == "box":
        return [part.cone(centre, joint, 0.8 * part.shape.size[0], 0.8 * child.shape.size[0], TRUNK)]
    radius = min(ROOT_SHARE * child.thickness, 0.9 * part.thickness)
    link = [part.cone(_between(centre, joint, 0.3), joint, 1.05 * radius, 0.86 * radius, TRUNK)]
    neck = next(((other, at) for other, at in part.children if other.role == "head"), None)
    if neck:  # from the neck to a shoulder
        head, top = neck
        slope = (0.42 * head.thickness, 0.75 * radius, ROOT)
        link.append(part.cone(_between(top, joint, 0.12), _between(joint, top, 0.12), *slope))
        link.append(_flank(part, _shoulder(part, child, joint), radius))
    return link


def _shoulder(part: Part, child: Part, joint: Doubles) -> Doubles:
    """The joint of an arm, in the frame of the trunk that it hangs from: below a collar bone the collar's far joint."""
    outward = child.centre - child.joint
    if not child.children or abs(outward[1]) < abs(outward[2]):
        return joint
    far = child.at(child.children[0][1]) - part.frame.pos
    return rotate(conjugate(part.frame.rot), far)


def _flank(part: Part, shoulder: Doubles, radius: float) -> Solid:
    """From a shoulder down towards the waist: chest and back, without which the arms hang from a yoke."""
    _, wide, high = part.shape.size
    armpit = _between(shoulder, np.array([part.centre[0], part.centre[1], shoulder[2]]), 0.05)
    waist = part.centre + np.array([0, np.sign(shoulder[1]) * 0.6 * wide, -1.1 * high])
    return part.cone(armpit, waist, 0.9 * radius, 0.6 * radius, TRUNK)


def _head(part: Part) -> List[Solid]:
    """Neck, skull and jaw; no face."""
    r, joint, centre = part.thickness, part.joint, part.centre
    up = (centre - joint) / np.linalg.norm(centre - joint)

    def at(above: float, ahead: float) -> Doubles:
        return np.asarray(centre + above * r * up + np.array([ahead * r, 0, 0]))

    return [
        part.cone(joint, at(0, -0.2), 0.46 * r, 0.44 * r, ROOT),
        part.egg(at(0.22, -0.08), (0.88 * r, 0.7 * r, 0.78 * r), 0.1 * r),
        part.egg(at(-0.36, 0.42), (0.42 * r, 0.44 * r, 0.5 * r), 0.8 * r),
    ]


def _hand(part: Part) -> List[Solid]:
    """A mitten: palm, fingers together, a thumb to the front."""
    wide, thick, long = part.shape.size
    joint, span = part.joint, float(np.linalg.norm(part.centre - part.joint))
    down, length = (part.centre - joint) / span, span + long

    def at(along: float, ahead: float) -> Doubles:
        return np.asarray(joint + along * length * down + np.array([ahead * wide, 0, 0]))

    return [
        part.cone(joint, at(0.3, 0), 1.5 * thick, 1.6 * thick, LIMB),
        part.egg(at(0.38, 0), (0.85 * wide, 1.2 * thick, 0.34 * length), SMALL),
        part.egg(at(0.7, -0.05), (0.74 * wide, 0.85 * thick, 0.36 * length), SMALL),
        part.cone(at(0.25, 0.5), at(0.62, 1.15), 0.9 * thick, 0.65 * thick, SMALL),
    ]


def _foot(part: Part) -> List[Solid]:
    """Heel, ankle and instep over a flat sole."""
    long, wide, high = part.shape.size
    joint = part.joint

    def at(ahead: float, up: float) -> Doubles:
        return np.asarray(part.centre + np.array([ahead * long, 0, (up - 1) * high]))

    instep = joint + np.array([0.1 * long, 0, -0.2 * high])
    return [
        part.cone(joint, at(-0.55, 1.1), 0.8 * wide, 0.82 * wide, LIMB),
        part.cone(instep, at(0.8, 0.9), 0.75 * wide, 0.62 * wide, LIMB),
        part.block(at(0, 0.55), UPRIGHT, np.array([long, 0.86 * wide, 0.55 * high]), 0.5 * high, SMALL),
    ]


def _toe(part: Part) -> List[Solid]:
    long, wide, high = part.shape.size
    return [part.egg(part.centre - np.array([0.1 * long, 0, 0]), (1.5 * long, 0.95 * wide, 1.05 * high), LIMB)]


NAMED = {"head": _head, "hand": _hand, "foot": _foot, "toe": _toe}


def flesh(plan: Plan, frames: Sequence[Frame]) -> List[Solid]:
    """All solids, parents before children. frames: where the bodies are."""
    solids: List[Solid] = []
    for part in _parts(plan, frames):
        limb = part.shape.kind == "capsule" and len(part.children) <= 1
        solids += NAMED.get(part.role or "", _limb if limb else _trunk)(part)
    return solids

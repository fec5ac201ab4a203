"""States of a character as the bones of another rig, in any pose of binding, axes and units.

    bones = retarget.bones_of(json.load(open("client/rigs/mixamo.json")))      # or what `troupe-train body --map` wrote
    rig = {"mixamorig:Hips": Bone(None, (0, 0.95, 0), (1, 0, 0, 0)), ...}       # as bound, in the rig's own world
    retargeter = Retargeter(model.bodies, rig, bones)
    pose = retargeter.pose(character.body_pos, character.body_rot)              # STATE_FIELD_BODIES
    pose.rotation["mixamorig:LeftArm"]                                          # in the parent bone, (w, x, y, z)

Limbs point where the character's do; trunk, head and feet turn as its bodies. The hips are placed by the lengths of the
legs. Axes must be right-handed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

from troupe.replies import Body
from troupe.rotations import Rot, Vec, inverse, times, turned

PARTS = {  # of a joint map (controllers/skeletons), by body
    "pelvis": "hips", "utorso": "chest", "head": "head",
    "luarm": "left_shoulder", "llarm": "left_elbow", "lhand": "left_wrist",
    "ruarm": "right_shoulder", "rlarm": "right_elbow", "rhand": "right_wrist",
    "lthigh": "left_hip", "lshank": "left_knee", "lfoot": "left_ankle", "ltoe": "left_toe",
    "rthigh": "right_hip", "rshank": "right_knee", "rfoot": "right_ankle", "rtoe": "right_toe",
}  # fmt: skip
LIMBS = [(s + a, s + b) for s in "lr" for a, b in (("uarm", "larm"), ("larm", "hand"), ("thigh", "shank"), ("shank", "foot"))]


@dataclass(frozen=True)
class Bone:
    """A bone as the mesh is bound to it. pos, rot: in the rig's world."""

    parent: Optional[str]
    pos: Vec
    rot: Rot


@dataclass(frozen=True)
class Pose:
    """root_pos: of the bone of the hips, in the rig's world. rotation: of every bone in its parent."""

    root: str
    root_pos: Vec
    rotation: Dict[str, Rot]


def bones_of(rig: Mapping[str, Any]) -> Dict[str, str]:
    """The bone of each body, from a map of client/rigs or a joint map of `troupe-train body`."""
    if "bones" in rig:
        return dict(rig["bones"])
    return {body: rig["parts"][part] for body, part in PARTS.items() if part in rig["parts"]}


class Retargeter:
    """ValueError: the map names a bone that the rig does not have, or legs are missing."""

    def __init__(self, bodies: Sequence[Body], rig: Mapping[str, Bone], bones: Mapping[str, str]) -> None:
        for body, bone in bones.items():
            if bone not in rig:
                raise ValueError(f"the rig has no bone '{bone}', which the map names for '{body}'")
        self._index = {body.name: i for i, body in enumerate(bodies)}
        missing = [b for b in ("pelvis", "lthigh", "lshank", "lfoot", "rthigh", "rshank", "rfoot") if b not in bones or b not in self._index]
        if missing:
            raise ValueError(f"expected bones and bodies for pelvis and legs; '{missing[0]}' has none")
        self._bones = {body: bone for body, bone in bones.items() if body in self._index}
        self._rig = rig
        self._order = _parents_first(rig)
        self._rest, self._at = _rest_of(bodies)
        self._axes = self._find_axes()
        self._scale = self._leg_of_rig() / self._leg_of_model()
        middle = _scaled(_sum(rig[bones["lthigh"]].pos, rig[bones["rthigh"]].pos), 0.5)
        self._hips = _difference(rig[bones["pelvis"]].pos, middle)  # from the middle of the hip joints, as bound
        self._joints = _scaled(_sum(self._place("lthigh"), self._place("rthigh")), 0.5)
        self._joints = turned(inverse(self._rest[self._index["pelvis"]]), _difference(self._joints, self._place("pelvis")))
        self._alignment = {body: self._align(body) for body in self._bones}

    def pose(self, body_pos: Sequence[float], body_rot: Sequence[float]) -> Pose:
        """body_pos: [body_count][3] and body_rot: [body_count][4], flat, as a state has them."""
        world: Dict[str, Rot] = {}
        rotation: Dict[str, Rot] = {}
        driven = {bone: self._world_of(body, body_rot) for body, bone in self._bones.items()}
        for name in self._order:
            bone = self._rig[name]
            above = self._rig[bone.parent].rot if bone.parent is not None else (1.0, 0.0, 0.0, 0.0)
            own = driven.get(name)
            parent = world[bone.parent] if bone.parent is not None else (1.0, 0.0, 0.0, 0.0)
            rotation[name] = times(inverse(above), bone.rot) if own is None else times(inverse(parent), own)
            world[name] = times(parent, rotation[name])
        return Pose(self._bones["pelvis"], self._root(body_pos, body_rot), rotation)

    def _place(self, body: str) -> Vec:
        return self._at[self._index[body]]

    def _bound(self, body: str) -> Vec:
        return self._rig[self._bones[body]].pos

    def _find_axes(self) -> Rot:
        """From Troupe's axes to the rig's: left from hip to hip, up from the ankles to the hips, along axes where they nearly are."""
        left = _snap(_difference(self._bound("lthigh"), self._bound("rthigh")))
        feet, hips = _sum(self._bound("lfoot"), self._bound("rfoot")), _sum(self._bound("lthigh"), self._bound("rthigh"))
        up = _snap(_difference(hips, feet))
        left = _unit(_difference(left, _scaled(up, _dot(left, up))))
        return _from_columns(_cross(left, up), left, up)

    def _leg_of_rig(self) -> float:
        return _leg(self._bound)

    def _leg_of_model(self) -> float:
        return _leg(self._place)

    def _align(self, body: str) -> Rot:
        """What turns the bone, as bound, to where its body points at rest. Hands follow forearms."""
        source = body[0] + "larm" if body.endswith("hand") else body
        ends = dict(LIMBS)
        if source not in ends or source not in self._bones or ends[source] not in self._bones:
            return (1.0, 0.0, 0.0, 0.0)
        bound = turned(inverse(self._axes), _difference(self._bound(ends[source]), self._bound(source)))
        return _arc(_unit(bound), _unit(_difference(self._place(ends[source]), self._place(source))))

    def _world_of(self, body: str, body_rot: Sequence[float]) -> Rot:
        i = self._index[body]
        own = (body_rot[4 * i], body_rot[4 * i + 1], body_rot[4 * i + 2], body_rot[4 * i + 3])
        turn = times(times(own, inverse(self._rest[i])), self._alignment[body])
        return times(times(times(self._axes, turn), inverse(self._axes)), self._rig[self._bones[body]].rot)

    def _root(self, body_pos: Sequence[float], body_rot: Sequence[float]) -> Vec:
        i = self._index["pelvis"]
        own = (body_rot[4 * i], body_rot[4 * i + 1], body_rot[4 * i + 2], body_rot[4 * i + 3])
        joints = _sum((body_pos[3 * i], body_pos[3 * i + 1], body_pos[3 * i + 2]), turned(own, self._joints))
        hips = turned(times(times(self._axes, times(own, inverse(self._rest[i]))), inverse(self._axes)), self._hips)
        return _sum(turned(self._axes, _scaled(joints, self._scale)), hips)


def _leg(place: Any) -> float:
    return sum(math.dist(place(s + a), place(s + b)) for s in "lr" for a, b in (("thigh", "shank"), ("shank", "foot")))


def _parents_first(rig: Mapping[str, Bone]) -> List[str]:
    order: List[str] = []

    def add(name: str, depth: int) -> None:
        if name in order:
            return
        parent = rig[name].parent
        if depth > len(rig) or (parent is not None and parent not in rig):
            raise ValueError(f"bone '{name}': its parent '{parent}' is not in the rig, or hangs from it")
        if parent is not None:
            add(parent, depth + 1)
        order.append(name)

    for each in rig:
        add(each, 0)
    return order


def _rest_of(bodies: Sequence[Body]) -> Tuple[List[Rot], List[Vec]]:
    """Rotations and places of the bodies at rest, from the root's."""
    rest: List[Rot] = []
    at: List[Vec] = []
    for body in bodies:
        pos, rot = tuple(body.pos), tuple(body.rot)
        if body.parent < 0:
            rest.append(rot)  # type: ignore[arg-type]
            at.append((0.0, 0.0, 0.0))
        else:
            rest.append(times(rest[body.parent], rot))  # type: ignore[arg-type]
            at.append(_sum(at[body.parent], turned(rest[body.parent], pos)))  # type: ignore[arg-type]
    return rest, at


# --- vectors and rotations (w, x, y, z) ---


def _sum(a: Vec, b: Vec) -> Vec:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def _difference(a: Vec, b: Vec) -> Vec:
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def _scaled(a: Vec, s: float) -> Vec:
    return (a[0] * s, a[1] * s, a[2] * s)


def _dot(a: Vec, b: Vec) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _cross(a: Vec, b: Vec) -> Vec:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def _unit(a: Vec) -> Vec:
    length = math.sqrt(_dot(a, a))
    if length == 0:
        raise ValueError("two joints of the rig lie at one place")
    return _scaled(a, 1 / length)


def _snap(a: Vec) -> Vec:
    """The nearest axis, if it is within 12 degrees."""
    a = _unit(a)
    near = [math.copysign(1.0, v) if abs(v) > 0.978 else 0.0 for v in a]
    return (near[0], near[1], near[2]) if any(near) else a


def _arc(a: Vec, b: Vec) -> Rot:
    """The shortest turn from one unit vector to another."""
    c = _cross(a, b)
    w = 1 + _dot(a, b)
    if w < 1e-9:  # opposite: about any axis at a right angle
        c, w = _unit(_cross(a, (0.0, 1.0, 0.0) if abs(a[1]) < 0.9 else (1.0, 0.0, 0.0))), 0.0
    length = math.sqrt(w * w + _dot(c, c))
    return (w / length, c[0] / length, c[1] / length, c[2] / length)


def _from_columns(x: Vec, y: Vec, z: Vec) -> Rot:
    """The rotation whose matrix has these columns; the largest of the four terms is divided by (Shepperd 1978)."""
    trace = x[0] + y[1] + z[2]
    terms = [trace, x[0], y[1], z[2]]
    largest = terms.index(max(terms))
    if largest == 0:
        q = (1 + trace, y[2] - z[1], z[0] - x[2], x[1] - y[0])
    elif largest == 1:
        q = (y[2] - z[1], 1 + 2 * x[0] - trace, x[1] + y[0], z[0] + x[2])
    elif largest == 2:
        q = (z[0] - x[2], x[1] + y[0], 1 + 2 * y[1] - trace, y[2] + z[1])
    else:
        q = (x[1] - y[0], z[0] + x[2], y[2] + z[1], 1 + 2 * z[2] - trace)
    length = math.sqrt(sum(v * v for v in q))
    return (q[0] / length, q[1] / length, q[2] / length, q[3] / length)

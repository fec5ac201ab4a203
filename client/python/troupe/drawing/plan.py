"""What a figure is made from: the bodies of a model, their shapes and what they are (the viewer's plan.ts, mjcf.ts, stance.ts)."""

from __future__ import annotations

import xml.etree.ElementTree as xml
from dataclasses import dataclass
from typing import Dict, List, Optional, Tuple

import numpy as np

from troupe.drawing.rotation import Doubles, about, along_z, multiply, rotate
from troupe.replies import Joint, ModelDetail

ROLES = ("trunk", "head", "hand", "foot", "toe")
BESIDE_M = 0.03  # farther from the middle plane is a side
HANGING = 0.7  # cosine of the angle to straight down
SPREAD_ARM, SPREAD_LEG = 0.85, 0.2  # rad


@dataclass(frozen=True)
class Shape:
    """A geom of a body, in its frame."""

    kind: str  # sphere, capsule (along z) or box
    body: int
    size: Doubles  # sphere: radius; capsule: radius, half length of its cylinder; box: half extents
    pos: Doubles
    rot: Doubles


@dataclass(frozen=True)
class Bone:
    """A body at rest, in its parent's frame."""

    parent: int
    ball: bool
    pos: Doubles
    rot: Doubles
    anchor: Doubles  # centre of its joint, in its own frame


@dataclass(frozen=True)
class Frame:
    """Where a body is, in the figure's frame."""

    pos: Doubles
    rot: Doubles


@dataclass(frozen=True)
class Plan:
    bones: List[Bone]
    shapes: List[Shape]
    roles: Dict[int, str]  # by body

    @classmethod
    def of(cls, model: ModelDetail) -> "Plan":
        bones = [
            Bone(body.parent, body.joint == Joint.BALL, np.array(body.pos), np.array(body.rot), np.array(body.anchor))
            for body in model.bodies
        ]
        names = [body.name for body in model.bodies]
        document = xml.fromstring(model.mjcf)
        return cls(bones, _shapes(document, names), _roles(document, names))


def _roles(document: xml.Element, names: List[str]) -> Dict[int, str]:
    told = {text.get("name"): text.get("data", "") for text in document.findall("custom/text")}
    roles = {}
    for role in ROLES:
        for name in told.get(role, "").replace(";", " ").split():
            if name in names:
                roles[names.index(name)] = role
    return roles


def _shapes(document: xml.Element, names: List[str]) -> List[Shape]:
    defaults = document.find("default/geom")
    found = []
    for body in document.iterfind("worldbody//body"):
        for geom in body.findall("geom"):
            values = {**(defaults.attrib if defaults is not None else {}), **geom.attrib}
            shape = _shape(values, names.index(body.get("name", "")))
            if shape is not None:
                found.append(shape)
    return found


def _shape(values: Dict[str, str], body: int) -> Optional[Shape]:
    kind = values.get("type", "sphere")
    if kind not in ("sphere", "capsule", "box"):
        return None

    def numbers(name: str, default: Tuple[float, ...]) -> Doubles:
        told = [float(each) for each in values.get(name, "").split()]
        return np.array([*told, *default[len(told) :]])

    size = numbers("size", (0.05, 0.0, 0.0))
    if "fromto" not in values:
        return Shape(kind, body, size, numbers("pos", (0, 0, 0)), numbers("quat", (1, 0, 0, 0)))
    ends = numbers("fromto", ()).reshape(2, 3)
    length = float(np.linalg.norm(ends[1] - ends[0])) or 1.0
    half = [size[0], size[0], length / 2] if kind == "box" else [size[0], length / 2, 0]
    return Shape(kind, body, np.array(half), ends.mean(axis=0), along_z((ends[1] - ends[0]) / length))


def spread_stance(plan: Plan) -> List[Frame]:
    """At rest, with the limbs that hang beside others spread: an arm does not grow together with the flank."""
    frames: List[Frame] = []
    spread: set[int] = set()  # turned, and all below
    for i, bone in enumerate(plan.bones):
        parent = frames[bone.parent] if bone.parent >= 0 else Frame(np.zeros(3), np.array([1.0, 0, 0, 0]))
        pos, rot = parent.pos + rotate(parent.rot, bone.pos), multiply(parent.rot, bone.rot)
        joint = pos + rotate(rot, bone.anchor)
        if bone.parent in spread:
            spread.add(i)
        angle = 0.0 if i in spread else _spread_angle(plan, i, joint, rot)
        if angle:
            spread.add(i)
        turned = about((1, 0, 0), angle)
        frames.append(Frame(joint + rotate(turned, pos - joint), multiply(turned, rot)))
    return frames


def _spread_angle(plan: Plan, i: int, joint: Doubles, rot: Doubles) -> float:
    """Of the topmost ball joint of a limb that hangs beside the middle plane; else 0."""
    bone = plan.bones[i]
    shape = next((each for each in plan.shapes if each.body == i), None)
    if shape is None or not bone.ball:
        return 0.0
    along = rotate(rot, shape.pos - bone.anchor)
    if abs(joint[1]) < BESIDE_M or -along[2] < HANGING * np.linalg.norm(along):
        return 0.0
    return float(np.sign(joint[1])) * (SPREAD_LEG if bone.parent == 0 else SPREAD_ARM)

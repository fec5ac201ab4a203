"""Triangles of objects and of what stands still: [triangle][3][3] in their own frame, m, counter-clockwise from outside."""

from __future__ import annotations

from typing import Any, Callable, Dict

import numpy as np

from troupe import geometry_pb2
from troupe.drawing.rotation import Doubles, rotate

ROUND = 24  # sides of what is round


def _grid(points: Doubles) -> Doubles:
    """The faces of points [row][column][3]."""
    a, b, c, d = points[:-1, :-1], points[:-1, 1:], points[1:, 1:], points[1:, :-1]
    return np.asarray(np.concatenate([np.stack([a, b, c], axis=2), np.stack([a, c, d], axis=2)]).reshape(-1, 3, 3))


def _turned(profile: Doubles) -> Doubles:
    """A profile [n][2] of radius and height, from the top down, turned about z."""
    angle = np.linspace(0, 2 * np.pi, ROUND + 1)
    around = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    flat = profile[:, None, :1] * around
    height = np.broadcast_to(profile[:, None, 1:], flat.shape[:2] + (1,))
    return _grid(np.concatenate([flat, height], axis=2)[::-1])


def box(half: Doubles) -> Doubles:
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * half
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return np.array([corners[[a, b, c]] for p, q, r, s in faces for a, b, c in ((p, q, r), (p, r, s))])


def capsule(radius: float, half: float) -> Doubles:
    angle = np.linspace(0, np.pi, ROUND // 2 + 1)
    return _turned(np.stack([radius * np.sin(angle), radius * np.cos(angle) + half * np.sign(np.cos(angle).round(9))], axis=1))


def cylinder(radius: float, half: float) -> Doubles:
    return _turned(np.array([[0, half], [radius, half], [radius, -half], [0, -half]]))


GEOMS: Dict[int, Callable[[Doubles], Doubles]] = {
    geometry_pb2.GEOM_KIND_SPHERE: lambda size: capsule(size[0], 0),
    geometry_pb2.GEOM_KIND_BOX: box,
    geometry_pb2.GEOM_KIND_CAPSULE: lambda size: capsule(size[0], size[1]),
    geometry_pb2.GEOM_KIND_CYLINDER: lambda size: cylinder(size[0], size[1]),
}


def vector(message: Any) -> Doubles:
    return np.array([message.x, message.y, message.z])


def placed(message: Any, triangles: Doubles) -> Doubles:
    """Triangles at the pos and rot of a geom or of scenery."""
    rot = message.rot
    q = np.array([rot.w, rot.x, rot.y, rot.z])
    return rotate(q if q.any() else np.array([1.0, 0, 0, 0]), triangles) + vector(message.pos)


def geom(message: Any) -> Doubles:
    """In the object's frame."""
    make = GEOMS.get(message.kind)
    return np.zeros((0, 3, 3)) if make is None else placed(message, make(vector(message.size)))


def scenery(item: Any) -> Doubles:
    """In the world; a patch, which has no shape, is nothing."""
    if item.patch:
        return np.zeros((0, 3, 3))
    kind = item.WhichOneof("surface")
    if kind == "height_field":
        return placed(item, _grid(_field_points(item.height_field)))
    if kind == "mesh":
        vertices = np.array(item.mesh.vertices).reshape(-1, 3)
        return placed(item, vertices[np.array(item.mesh.indices, np.int64).reshape(-1, 3)])
    return placed(item, box(vector(item.size)))


def _field_points(field: Any) -> Doubles:
    """[row][column][3]; without its heights none."""
    if not field.heights:
        return np.zeros((1, 1, 3))
    x = (np.arange(field.columns) - (field.columns - 1) / 2) * field.spacing_m
    y = (np.arange(field.rows) - (field.rows - 1) / 2) * field.spacing_m
    flat = np.stack(np.meshgrid(x, y), axis=-1)
    return np.concatenate([flat, np.array(field.heights).reshape(field.rows, field.columns, 1)], axis=2)


def flat_normals(triangles: Doubles) -> Doubles:
    """[triangle][3]"""
    normal = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    return np.asarray(normal / np.maximum(1e-12, np.linalg.norm(normal, axis=1, keepdims=True)))

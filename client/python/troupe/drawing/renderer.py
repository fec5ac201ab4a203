"""Draws states: sky, ground, shadows, what stands there, and the characters."""

from __future__ import annotations

import math
from typing import Any, Dict, List, Optional, Tuple

import numpy as np
from numpy.typing import NDArray

from troupe import requests, state_pb2
from troupe.client import Client
from troupe.drawing import things
from troupe.drawing.camera import Camera
from troupe.drawing.plan import Plan
from troupe.drawing.raster import Canvas
from troupe.drawing.rotation import Doubles, rotate
from troupe.drawing.skin import Skin

CELL_M = 0.022
FINER = 2  # pixels drawn for each one along a side, then averaged
SUN = np.array([-0.35, -0.45, 0.82])  # towards it
AMBIENT = 0.55
SHADE = 0.72  # of the ground's light, in shadow
BODY_M = 1.4  # around a character
FAR_M = (12.0, 60.0)  # the ground fades into the sky
LINES_M = ((1.0, 0.012, 0.8), (10.0, 0.03, 1.0))  # how far apart lines are, their half width, how strong


def _rgb(text: str) -> Doubles:
    return np.array([int(text[k : k + 2], 16) / 255 for k in (1, 3, 5)])


SKY, ZENITH, GROUND = _rgb("#eef1f3"), _rgb("#d3dde6"), _rgb("#dde2e6")
LINE, PROP, SCENERY = _rgb("#bac2c9"), _rgb("#8d97a1"), _rgb("#b9bfc4")
CAST = [_rgb(text) for text in ("#e2913a", "#3f86c6", "#54a76a", "#b5679b", "#d9b83a", "#5b63b0", "#cf5f4d", "#4fb0ae")]


def _lit(normals: Doubles) -> Doubles:
    return np.asarray(AMBIENT + (1 - AMBIENT) * np.maximum(0, normals @ (SUN / np.linalg.norm(SUN))))


class Renderer:
    """Draws states of one daemon's worlds. Not for several threads at once."""

    FIELDS = requests.BODIES | requests.OBJECTS | requests.SHAPES | requests.SURFACES

    def __init__(self, client: Client, width: int = 480, height: int = 360) -> None:
        """client: supplies the models of characters. width, height: of the pictures, 16 to 4096."""
        for name, value in (("width", width), ("height", height)):
            if not isinstance(value, int) or not 16 <= value <= 4096:
                raise ValueError(f"{name}: {value!r}: expected a whole number from 16 to 4096")
        self._client = client
        self.width, self.height = width, height
        self._skins: Dict[str, Skin] = {}

    def camera(self, state: state_pb2.WorldState) -> Camera:
        """One that has all characters in the picture."""
        roots = np.array([character.root_pos for character in state.characters]).reshape(-1, 3)
        if not len(roots):
            return Camera()
        middle = (roots.min(axis=0) + roots.max(axis=0)) / 2
        reach = float(np.linalg.norm(roots - middle, axis=1).max())
        target = (float(middle[0]), float(middle[1]), max(0.5, 0.9 * float(middle[2])))
        narrow = min(1.0, self.width / self.height)
        return Camera(target, distance=(BODY_M + reach) / math.sin(Camera.view_rad / 2) / narrow)

    def draw(self, state: state_pb2.WorldState, camera: Optional[Camera] = None) -> NDArray[np.uint8]:
        """[height][width][3]. state: requested with FIELDS. camera: all characters in the picture by default."""
        camera = camera or self.camera(state)
        width, height = FINER * self.width, FINER * self.height
        solids = self._solids(state)
        canvas = Canvas(*(_finer(each) for each in _backdrop(camera, self.width, self.height, not state.no_ground)))
        if not state.no_ground:
            _cast_shadows(canvas, camera, solids)
        for corners, colors in solids:
            seen = camera.project(corners.reshape(-1, 3), width, height).reshape(-1, 3, 3)
            canvas.draw(seen, colors)
        fine = canvas.colors.reshape(height, width, 3)
        total = sum(fine[i::FINER, j::FINER] for i in range(FINER) for j in range(FINER))
        return np.asarray(np.clip(255 / FINER**2 * total + 0.5, 0, 255), np.uint8)

    def _solids(self, state: state_pb2.WorldState) -> List[Tuple[Doubles, Doubles]]:
        """Triangles in the world, and the colours of their corners, both [triangle][3][3]."""
        solids = [self._character(character, CAST[i % len(CAST)]) for i, character in enumerate(state.characters)]
        for each in state.objects:
            parts = [things.geom(geom) for geom in each.geoms]
            if parts:
                solids.append(_plain(rotate(np.array(each.rot), np.concatenate(parts)) + np.array(each.pos), PROP))
        return solids + [_plain(things.scenery(item), SCENERY) for item in state.scenery]

    def _character(self, character: Any, color: Doubles) -> Tuple[Doubles, Doubles]:
        skin = self._skin(character.model)
        pos, rot = np.array(character.body_pos).reshape(-1, 3), np.array(character.body_rot).reshape(-1, 4)
        if len(pos) != skin.weights.shape[1]:
            raise ValueError("state: expected the bodies of its characters: ask for it with Renderer.FIELDS")
        points, normals = skin.pose(pos, rot)
        colors = (_lit(normals) * skin.light)[:, None] * color
        return points[skin.triangles], colors[skin.triangles]

    def _skin(self, model: str) -> Skin:
        if model not in self._skins:
            self._skins[model] = Skin(Plan.of(self._client.ask(requests.get_model(model))), CELL_M)
        return self._skins[model]


def _finer(values: Doubles) -> Doubles:
    return values.repeat(FINER, axis=0).repeat(FINER, axis=1)


def _plain(triangles: Doubles, color: Doubles) -> Tuple[Doubles, Doubles]:
    colors = _lit(things.flat_normals(triangles))[:, None, None] * color
    return triangles, np.broadcast_to(colors, triangles.shape)


def _backdrop(camera: Camera, width: int, height: int, floor: bool) -> Tuple[Doubles, Doubles]:
    """Sky and ground: colours [height][width][3], and depths along the camera's axis."""
    rays = camera.rays(width, height)
    up = np.clip(rays[..., 2:], 0, 1) ** 0.5
    colors = SKY + (ZENITH - SKY) * up
    depth = np.full((height, width), np.inf)
    if not floor:
        return colors, depth
    below = rays[..., 2] < -1e-4
    far = -camera.position[2] / rays[below][:, 2]
    place = camera.position[:2] + far[:, None] * rays[below][:, :2]
    haze = np.clip((far - FAR_M[0]) / (FAR_M[1] - FAR_M[0]), 0, 1)[:, None]
    colors[below] = _ground(place, far / height) * (1 - haze) + SKY * haze
    depth[below] = far * (rays[below] @ camera.axes[2])
    return colors, depth


def _ground(place: Doubles, pixel_m: Doubles) -> Doubles:
    """The colours at places [n][2]: tiles of a metre with different tones, lines between them."""
    tile = np.floor(place)
    tone = np.sin(tile @ np.array([12.9898, 78.233])) * 43758.5453
    colors = GROUND * (1 + 0.03 * ((tone - np.floor(tone)) - 0.5))[:, None]
    for spacing, half, strength in LINES_M:
        off = np.abs(place - spacing * np.rint(place / spacing))
        near = np.minimum(off[:, 0], off[:, 1])
        share = strength * np.clip(0.5 + (half - near) / pixel_m, 0, np.minimum(1, 2 * half / pixel_m))
        colors += share[:, None] * (LINE - colors)
    return np.asarray(colors)


def _cast_shadows(canvas: Canvas, camera: Camera, solids: List[Tuple[Doubles, Doubles]]) -> None:
    """What the sun does not reach of the ground."""
    mask = np.zeros(len(canvas.depth), np.bool_)
    for corners, _ in solids:
        a, b, c = corners[..., 2].T
        above = corners[(a > -1e-6) & (b > -1e-6) & (c > -1e-6)]
        flat = above - above[..., 2:] * (SUN / SUN[2])
        flipped = things.flat_normals(flat)[:, 2] < 0  # seen from above they face the camera
        flat[flipped] = flat[flipped][:, ::-1]
        mask |= canvas.covered(camera.project(flat.reshape(-1, 3), canvas.width, canvas.height).reshape(-1, 3, 3))
    canvas.colors[mask & np.isfinite(canvas.depth)] *= SHADE

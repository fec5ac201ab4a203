"""Triangles to pixels. Those of about the same size are tested together, each against the pixels of a square around it."""

from __future__ import annotations

from typing import Iterator, Tuple

import numpy as np
from numpy.typing import NDArray

from troupe.drawing.rotation import Doubles

AT_ONCE = 1 << 19  # pixels tested

Hits = Tuple[NDArray[np.int64], NDArray[np.int64], Doubles]


def _facing(corners: Doubles, width: int, height: int) -> NDArray[np.int64]:
    """Those before the camera whose box is in the picture, and that face it: x is right and y down."""
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = np.moveaxis(corners, 0, -1)
    low, high = _box(corners)
    seen = (az > 0) & (bz > 0) & (cz > 0)
    seen &= (high[:, 0] > 0) & (high[:, 1] > 0) & (low[:, 0] < width) & (low[:, 1] < height)
    return np.flatnonzero(seen & ((bx - ax) * (cy - ay) - (by - ay) * (cx - ax) < 0))


def _box(corners: Doubles) -> Tuple[Doubles, Doubles]:
    """Of each triangle in the picture: low and high, [triangle][2]."""
    a, b, c = corners[:, 0, :2], corners[:, 1, :2], corners[:, 2, :2]
    return np.minimum(np.minimum(a, b), c), np.maximum(np.maximum(a, b), c)


def _squares(corners: Doubles, shown: NDArray[np.int64], width: int, height: int) -> Iterator[Tuple[NDArray[np.int64], Doubles, int]]:
    """Triangles of a size, the first pixels of their squares, and the edge of these."""
    low, high = _box(corners[shown])
    first = np.maximum(0, np.floor(low))
    last = np.minimum([width, height], np.ceil(high) + 1)
    edge = 2 ** np.ceil(np.log2(np.maximum(2, (last - first).max(axis=1)))).astype(int)
    for size in np.unique(edge):
        there = np.flatnonzero(edge == size)
        step = max(1, AT_ONCE // int(size) ** 2)
        for i in range(0, len(there), step):
            some = there[i : i + step]
            yield shown[some], first[some], int(size)


def hits(corners: Doubles, width: int, height: int) -> Iterator[Hits]:
    """corners: [triangle][3][3] from Camera.project. Yields pixels (row * width + column), their triangles, and the shares of the corners
    [hit][3] in the picture."""
    for triangles, first, size in _squares(corners, _facing(corners, width, height), width, height):
        offset = np.stack(np.meshgrid(np.arange(size), np.arange(size)), axis=-1).reshape(-1, 2)
        pixel = first[:, None] + offset
        x, y = pixel[..., 0], pixel[..., 1]
        a, b, c = _shares(corners[triangles], x + 0.5, y + 0.5)
        row, at = np.nonzero((a >= 0) & (b >= 0) & (c >= 0) & (x < width) & (y < height))
        column, line = pixel[row, at].astype(np.int64).T
        yield line * width + column, triangles[row], np.stack([each[row, at] for each in (a, b, c)], axis=1)


def _shares(corners: Doubles, x: Doubles, y: Doubles) -> Tuple[Doubles, Doubles, Doubles]:
    """Of each corner at points [triangle][point], sum 1: negative outside."""
    u, v = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    ux, uy, vx, vy = (each[:, None] for each in (u[:, 0], u[:, 1], v[:, 0], v[:, 1]))
    px, py = x - corners[:, :1, 0], y - corners[:, :1, 1]
    area = ux * vy - uy * vx
    b = (px * vy - py * vx) / area
    c = (ux * py - uy * px) / area
    return 1 - b - c, b, c


class Canvas:
    """A picture with the depth of each of its pixels."""

    def __init__(self, colors: Doubles, depth: Doubles) -> None:
        self.height, self.width = depth.shape
        self.colors, self.depth = colors.reshape(-1, 3), depth.reshape(-1)

    def draw(self, corners: Doubles, colors: Doubles) -> None:
        """Triangles [t][3][3] from Camera.project with the colours [t][3][3] of their corners; the nearest is seen."""
        for pixels, triangles, shares in hits(corners, self.width, self.height):
            near = 1 / np.einsum("hk,hk->h", shares, 1 / corners[triangles, :, 2])
            order = np.argsort(near, kind="stable")
            seen, nearest = np.unique(pixels[order], return_index=True)
            hit = order[nearest]
            closer = near[hit] < self.depth[seen]
            seen, hit = seen[closer], hit[closer]
            self.depth[seen] = near[hit]
            self.colors[seen] = np.einsum("hk,hkc->hc", shares[hit], colors[triangles[hit]])

    def covered(self, corners: Doubles) -> NDArray[np.bool_]:
        """The pixels that triangles cover."""
        mask = np.zeros(self.width * self.height, np.bool_)
        for pixels, _, _ in hits(corners, self.width, self.height):
            mask[pixels] = True
        return mask

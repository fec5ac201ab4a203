"""The surface of a field as triangles: naive surface nets (Gibson 1998), as the viewer's surface.ts makes it."""

from __future__ import annotations

from typing import Sequence, Tuple

import numpy as np
from numpy.typing import NDArray

from troupe.drawing.field import FAR, Solid, distance_to, normals_at
from troupe.drawing.rotation import Doubles

MARGIN_CELLS = 2
PROJECTIONS = 2
CORNERS = np.array([[n & 1, (n >> 1) & 1, n >> 2] for n in range(8)])
EDGES = [(n, n | 1 << axis) for n in range(8) for axis in range(3) if not n >> axis & 1]


def surface_of(solids: Sequence[Solid], cell: float) -> Tuple[Doubles, Doubles, NDArray[np.int64]]:
    """Positions [vertex][3], outward normals [vertex][3], triangles [triangle][3], counter-clockwise from outside. A vertex in each cell
    that the surface crosses, a quadrilateral around each edge that it crosses."""
    low = np.min([solid.centre - solid.radius for solid in solids], axis=0) - MARGIN_CELLS * cell
    high = np.max([solid.centre + solid.radius for solid in solids], axis=0) + MARGIN_CELLS * cell
    nodes = _sample(solids, low, cell, np.ceil((high - low) / cell).astype(int) + 1)
    cells, positions = _vertices(nodes)
    positions = low + cell * positions
    for _ in range(PROJECTIONS):  # on to the surface, so that coarse cells still give a smooth figure
        off = np.clip(distance_to(solids, positions), -cell, cell)
        positions = positions - normals_at(solids, positions) * off[:, None]
    return positions, normals_at(solids, positions), _faces(nodes, cells)


def _sample(solids: Sequence[Solid], low: Doubles, cell: float, size: NDArray[np.int64]) -> Doubles:
    """Distances at the nodes near a solid; FAR elsewhere."""
    near = np.zeros(size, np.bool_)
    for solid in solids:
        reach = solid.radius + 2 * cell
        first = np.maximum(0, np.floor((solid.centre - reach - low) / cell).astype(int))
        last = np.ceil((solid.centre + reach - low) / cell).astype(int) + 1
        near[first[0] : last[0], first[1] : last[1], first[2] : last[2]] = True
    nodes = np.full(size, FAR)
    nodes[near] = distance_to(solids, low + cell * np.argwhere(near))
    return nodes


def _vertices(nodes: Doubles) -> Tuple[NDArray[np.int64], Doubles]:
    """The index of each cell's vertex (-1: none), and the mean of the crossings of its edges, in cells."""
    last = [each - 1 for each in nodes.shape]
    slices = [tuple(slice(c, c + size) for c, size in zip(corner, last)) for corner in CORNERS]
    inside = np.sum([nodes[at] < 0 for at in slices], axis=0)
    crossed = np.asarray((inside > 0) & (inside < 8))
    cells = np.full(crossed.shape, -1)
    cells[crossed] = np.arange(np.count_nonzero(crossed))
    corner = np.stack([nodes[at][crossed] for at in slices], axis=-1)
    total, count = np.zeros((len(corner), 3)), np.zeros(len(corner))
    for n, m in EDGES:
        a, b = corner[:, n], corner[:, m]
        crosses = (a < 0) != (b < 0)
        share = np.where(crosses, a / np.where(a == b, 1, a - b), 0)
        total += crosses[:, None] * (CORNERS[n] + share[:, None] * (CORNERS[m] - CORNERS[n]))
        count += crosses
    return cells, np.asarray(np.argwhere(crossed) + total / count[:, None])


def _faces(nodes: Doubles, cells: NDArray[np.int64]) -> NDArray[np.int64]:
    """Two triangles around each edge of the grid that the surface crosses."""
    triangles = []
    for axis in range(3):
        x, y, z = np.eye(3, dtype=int)[axis]
        at = np.argwhere(np.diff((nodes < 0).astype(np.int8), axis=axis))
        at = at[np.all((at > 0) & (at < np.array(cells.shape)), axis=1)]
        inside = nodes[tuple(at.T)] < 0
        # The cells around the edge, counter-clockwise seen from its end.
        around = [(0, 0, 0), (-z, -x, -y), (-z - y, -x - z, -y - x), (-y, -z, -x)]
        a, b, c, d = (cells[tuple((at + np.array(step)).T)] for step in around)
        b, d = np.where(inside, b, d), np.where(inside, d, b)
        triangles += [np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)]
    return np.concatenate(triangles)

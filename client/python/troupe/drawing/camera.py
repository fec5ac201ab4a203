"""A camera on a sphere around its target, as the viewer's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

import numpy as np

from troupe.drawing.rotation import Doubles

NEAR_M = 0.05


@dataclass(frozen=True)
class Camera:
    """Angles in rad about the target; azimuth 0: the camera stands on its x side."""

    target: Tuple[float, float, float] = (0.0, 0.0, 0.9)
    azimuth: float = -1.05
    elevation: float = 0.25
    distance: float = 4.6
    view_rad: float = 0.663  # from the lower edge to the upper

    @property
    def position(self) -> Doubles:
        flat = np.cos(self.elevation)
        ray = np.array([flat * np.cos(self.azimuth), flat * np.sin(self.azimuth), np.sin(self.elevation)])
        return np.asarray(np.array(self.target) + self.distance * ray)

    @property
    def axes(self) -> Doubles:
        """[right, down, ahead], unit vectors of the world."""
        ahead = np.array(self.target) - self.position
        ahead = ahead / np.linalg.norm(ahead)
        right = np.array([-np.sin(self.azimuth), np.cos(self.azimuth), 0.0])
        return np.stack([right, np.cross(ahead, right), ahead])

    def project(self, points: Doubles, width: int, height: int) -> Doubles:
        """World [n][3] to [n][3]: pixels right and down, and the depth, m. Behind the camera: depth 0."""
        right, down, depth = self.axes @ (points - self.position).T
        depth = np.where(depth > NEAR_M, depth, 0.0)
        scale = 0.5 * height / np.tan(self.view_rad / 2) / np.where(depth > 0, depth, 1)
        return np.stack([width / 2 + right * scale, height / 2 + down * scale, depth], axis=1)

    def rays(self, width: int, height: int) -> Doubles:
        """[height][width][3]: unit directions through the middles of the pixels."""
        scale = np.tan(self.view_rad / 2) / (0.5 * height)
        x, y = np.meshgrid((np.arange(width) + 0.5 - width / 2) * scale, (np.arange(height) + 0.5 - height / 2) * scale)
        rays = np.stack([x, y, np.ones_like(x)], axis=-1) @ self.axes
        return np.asarray(rays / np.linalg.norm(rays, axis=-1, keepdims=True))

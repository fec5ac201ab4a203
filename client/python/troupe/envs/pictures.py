"""Pictures of an arena's worlds, for the environments' render()."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Optional

import numpy as np
from numpy.typing import NDArray

from troupe.envs.arena import Arena

if TYPE_CHECKING:
    from troupe.drawing import Renderer

RENDER_MODES = ["rgb_array"]


def metadata(given: Dict[str, Any], step_s: float) -> Dict[str, Any]:
    """With the rate at which pictures of each step show the world in real time."""
    return {**given, "render_fps": max(1, round(1 / step_s))}


class Pictures:
    """Draws worlds as arrays of colours. Refuses an unknown mode."""

    def __init__(self, arena: Arena, render_mode: Optional[str], width: int, height: int) -> None:
        self._arena = arena
        self._renderer: Optional[Renderer] = None
        if render_mode is None:
            return
        if render_mode not in RENDER_MODES:
            raise ValueError(f"render_mode: {render_mode!r}: expected None or one of {', '.join(RENDER_MODES)}")
        from troupe.drawing import Renderer  # only those who draw wait for it

        self._renderer = Renderer(arena.client, width, height)

    def draw(self, world: int) -> Optional[NDArray[np.uint8]]:
        """[height][width][3]; None without a render mode."""
        if self._renderer is None:
            return None
        return self._renderer.draw(self._arena.state(world, self._renderer.FIELDS))

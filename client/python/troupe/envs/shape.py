"""Base classes of environments: those of Gymnasium and PettingZoo if installed, else replacements.

Without those packages environments are complete too: spaces have `shape`, `dtype`, `sample`, `contains` (and `in`)
and `seed`, environments have `np_random`; only wrappers and `make` are missing.
"""

from __future__ import annotations

from typing import Any, Optional, Tuple

import numpy as np
from numpy.typing import NDArray

try:
    import gymnasium
    from gymnasium.spaces import Box, Discrete, MultiDiscrete
    from gymnasium.vector.utils import batch_space

    Env: Any = gymnasium.Env
    VectorEnv: Any = gymnasium.vector.VectorEnv
    HAS_GYMNASIUM = True
except ImportError:
    HAS_GYMNASIUM = False

    class _Space:
        """A set of arrays of one shape."""

        def __init__(self, shape: Tuple[int, ...], dtype: Any) -> None:
            self.shape, self.dtype = shape, np.dtype(dtype)
            self.np_random = np.random.default_rng()

        def seed(self, seed: Optional[int] = None) -> None:
            self.np_random = np.random.default_rng(seed)

        def contains(self, x: Any) -> bool:
            raise NotImplementedError

        def __contains__(self, x: Any) -> bool:
            return self.contains(x)

    class Box(_Space):  # type: ignore[no-redef]
        """Arrays between two bounds, which are included."""

        def __init__(self, low: Any, high: Any, shape: Optional[Tuple[int, ...]] = None, dtype: Any = np.float32):
            super().__init__(np.shape(low) if shape is None else shape, dtype)
            self.low = np.broadcast_to(np.asarray(low, dtype), self.shape)
            self.high = np.broadcast_to(np.asarray(high, dtype), self.shape)

        def sample(self) -> NDArray[Any]:
            """Uniform where both bounds are finite, else normal."""
            bounded = np.isfinite(self.low) & np.isfinite(self.high)
            low, high = np.where(bounded, self.low, 0), np.where(bounded, self.high, 1)
            uniform = self.np_random.uniform(low, high)
            return np.where(bounded, uniform, self.np_random.normal(size=self.shape)).astype(self.dtype)

        def contains(self, x: Any) -> bool:
            value = np.asarray(x)
            return value.shape == self.shape and bool(np.all(value >= self.low) and np.all(value <= self.high))

    class Discrete(_Space):  # type: ignore[no-redef]
        """The numbers from 0 to n - 1."""

        def __init__(self, n: int) -> None:
            super().__init__((), np.int64)
            self.n = n

        def sample(self) -> Any:
            return np.int64(self.np_random.integers(self.n))

        def contains(self, x: Any) -> bool:
            return np.shape(x) == () and int(x) == x and 0 <= int(x) < self.n

    class MultiDiscrete(_Space):  # type: ignore[no-redef]
        """Arrays of numbers, each from 0 to its n - 1."""

        def __init__(self, nvec: Any) -> None:
            super().__init__(np.shape(nvec), np.int64)
            self.nvec = np.asarray(nvec, np.int64)

        def sample(self) -> NDArray[np.int64]:
            return self.np_random.integers(self.nvec)

        def contains(self, x: Any) -> bool:
            value = np.asarray(x)
            return value.shape == self.shape and bool(np.all(value >= 0) and np.all(value < self.nvec))

    def batch_space(space: Any, n: int = 1) -> Any:
        """The space of n elements of a space."""
        if isinstance(space, Discrete):
            return MultiDiscrete([space.n] * n)
        low, high = (np.stack([bound] * n) for bound in (space.low, space.high))
        return Box(low, high, dtype=space.dtype)

    class _Drawing:
        """A random generator that `reset(seed=...)` restarts."""

        spec: Any = None
        _np_random: Optional[np.random.Generator] = None

        @property
        def np_random(self) -> np.random.Generator:
            if self._np_random is None:
                self._np_random = np.random.default_rng()
            return self._np_random

        def reset(self, *, seed: Optional[int] = None, options: Optional[dict[str, Any]] = None) -> Any:
            if seed is not None:
                self._np_random = np.random.default_rng(seed)

        @property
        def unwrapped(self) -> Any:
            return self

    Env = VectorEnv = _Drawing

try:
    from pettingzoo import ParallelEnv as _ParallelEnv

    ParallelEnv: Any = _ParallelEnv
    HAS_PETTINGZOO = True
except ImportError:
    HAS_PETTINGZOO = False
    ParallelEnv = object

__all__ = [
    "Box",
    "Discrete",
    "Env",
    "HAS_GYMNASIUM",
    "HAS_PETTINGZOO",
    "MultiDiscrete",
    "ParallelEnv",
    "VectorEnv",
    "batch_space",
]

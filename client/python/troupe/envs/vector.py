"""Many characters, each in a separate world, with the interface of Gymnasium's VectorEnv.

    with VectorCharacters(Task("walk"), 16) as envs:
        observations, infos = envs.reset(seed=1)
        for _ in range(1000):
            observations, rewards, terminated, truncated, infos = envs.step(envs.action_space.sample())

An episode that has ended restarts at the next step, which ignores its action and has reward 0 (Gymnasium's
AutoresetMode.NEXT_STEP). Results depend only on seeds and actions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from troupe import requests
from troupe.characters import Characters, Floats
from troupe.envs.arena import Arena, Start, draw_start
from troupe.envs.observations import entry_count
from troupe.envs.options import Options, split
from troupe.envs.pictures import RENDER_MODES, Pictures, metadata
from troupe.envs.shape import HAS_GYMNASIUM, Box, VectorEnv, batch_space
from troupe.envs.task import Task, Transition

if TYPE_CHECKING:
    from typing_extensions import Unpack

Step = Tuple[Floats, Floats, NDArray[np.bool_], NDArray[np.bool_], Dict[str, Any]]


class VectorCharacters(VectorEnv):  # type: ignore[misc]
    """`num_envs` environments of one task. All arrays have one row per environment."""

    metadata: Dict[str, Any] = {"render_modes": RENDER_MODES}
    render_mode: Optional[str] = None

    def __init__(
        self,
        task: Union[Task, str],
        num_envs: int = 1,
        *,
        render_mode: Optional[str] = None,
        width: int = 480,
        height: int = 360,
        **options: Unpack[Options],
    ) -> None:
        """task: a Task, or the name of a controller. render_mode: None, or "rgb_array" for render(); width and height
        of its pictures. options: host, port, key and tls, and fields of the task: actions="fragment", reward=..."""
        address, fields = split(options)
        self.task = Task.of(task, **fields)
        if len(self.task.positions) != 1:
            raise ValueError("task: expected one position; for several characters in one world use Crowd")
        if HAS_GYMNASIUM:
            self._declare_autoreset()
        self.metadata = metadata(self.metadata, self.task.seconds)
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.arena = Arena(self.task, num_envs, address)
        try:
            self._pictures = Pictures(self.arena, self.render_mode, width, height)
            self.single_action_space = self.task.actions.space(self.arena.controller)
        except ValueError:
            self.arena.close()
            raise
        everyone = range(num_envs)
        self.characters: Characters = self.arena.reset(everyone, [Start()] * num_envs)
        size = self.task.observe(self.characters, self.arena.controller).shape[1]
        self.single_observation_space = Box(-np.inf, np.inf, (size,), np.float32)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._last: List[Any] = [None] * num_envs
        self._late: List[List[Any]] = [[] for _ in everyone]  # actions that wait, oldest first; None: the wait before the first
        self._steps = np.zeros(num_envs, np.int64)
        self.over = np.zeros(num_envs, np.bool_)  # ended at the previous step
        self._drawn: List[np.random.Generator] = [np.random.default_rng(i) for i in everyone]

    def render(self) -> Optional[Tuple[Any, ...]]:
        """A picture of each environment's world, [height][width][3] uint8; None without a render mode."""
        return None if self.render_mode is None else tuple(map(self._pictures.draw, range(self.num_envs)))

    def _declare_autoreset(self) -> None:
        import gymnasium

        if hasattr(gymnasium.vector, "AutoresetMode"):
            self.metadata = {**self.metadata, "autoreset_mode": gymnasium.vector.AutoresetMode.NEXT_STEP}

    def __enter__(self) -> "VectorCharacters":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self, **_: Any) -> None:
        """Destroys the worlds. May be called twice."""
        if hasattr(self, "arena"):  # Gymnasium also closes environments that could not be made
            self.arena.close()
        self.closed = True

    def reset(
        self, *, seed: Union[None, int, Sequence[int]] = None, options: Optional[Dict[str, Any]] = None
    ) -> Tuple[Floats, Dict[str, Any]]:
        """Begins an episode in every environment. seed: one for each environment, or the first of consecutive seeds.
        options may hold `fragment` and `heading_rad`, for all."""
        if seed is not None:
            seeds = [seed + i for i in range(self.num_envs)] if isinstance(seed, int) else list(seed)
            if len(seeds) != self.num_envs:
                raise ValueError(f"seed: expected {self.num_envs} seeds, not {len(seeds)}")
            self._drawn = [np.random.default_rng(each) for each in seeds]
        self._begin(np.arange(self.num_envs), options or {})
        return self.task.observe(self.characters, self.arena.controller), self._info()

    def _begin(self, rows: NDArray[np.int64], options: Dict[str, Any]) -> None:
        entries = entry_count(self.arena.controller)
        starts = [draw_start(self.task, self._drawn[row], entries, options) for row in rows]
        begun = self.arena.reset(rows.tolist(), starts)
        self.characters = self.characters.put(rows, begun)
        self._steps[rows] = 0
        self.over[rows] = False
        for row in rows:
            self._last[row] = None
            least, most = self.task.latency_steps
            late = int(self._drawn[row].integers(least, most + 1)) if most > 0 else 0
            self._late[row] = [None] * late

    def push(self, row: int, force: Sequence[float], duration_s: float, body: str = "") -> None:
        """Pushes a character at the beginning of the next step: force in the world's frame, N."""
        world, entity = self.arena.entity(row)
        self.arena.before_step(row, requests.push(world, entity, force, duration_s, body=body))

    def step(self, actions: Any) -> Step:
        """One step of all: observations, rewards, terminated, truncated, infos."""
        actions = np.asarray(actions)
        begin, move = np.flatnonzero(self.over), np.flatnonzero(~self.over)
        if len(begin):
            self._begin(begin, {})
        before = self.characters
        if len(move):
            moved = self.arena.step(move.tolist(), [self._commands(row, actions[row]) for row in move])
            self.characters = moved if len(move) == self.num_envs else before.put(move, moved)
            self._steps[move] += 1
        rewards = self.task.reward(Transition(before, self.characters, actions, self.task.seconds))
        rewards = np.where(self._steps > 0, rewards, np.float32(0))
        terminated = self.task.terminated(self.characters) & (self._steps > 0)
        truncated = (self._steps >= self.task.max_steps) & ~terminated
        self.over = terminated | truncated
        observations = self.task.observe(self.characters, self.arena.controller)
        return observations, rewards, terminated, truncated, self._info()

    def _commands(self, row: int, action: Any) -> List[Any]:
        self._late[row].append(action)
        action = self._late[row].pop(0)
        if action is None:
            return []
        world, entity = self.arena.entity(row)
        commands = self.task.actions.commands(self.arena.controller, world, entity, action, self._last[row])
        self._last[row] = action
        return commands

    def _info(self) -> Dict[str, Any]:
        return {"steps": self._steps.copy(), "root_pos": self.characters.root_pos}

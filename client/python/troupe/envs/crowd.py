"""Several characters in one world, with the interface of PettingZoo's ParallelEnv.

    task = Task("walk", positions=[(0, 0), (0, 2), (0, 4)])
    with Crowd(task) as crowd:
        observations, infos = crowd.reset(seed=1)
        while crowd.agents:
            actions = {agent: crowd.action_space(agent).sample() for agent in crowd.agents}
            observations, rewards, terminated, truncated, infos = crowd.step(actions)

The characters can touch each other. One whose episode has ended stays in the world, without an agent.
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
from troupe.envs.shape import Box, ParallelEnv
from troupe.envs.task import Task, Transition

if TYPE_CHECKING:
    from typing_extensions import Unpack

Each = Dict[str, Any]  # by agent


class Crowd(ParallelEnv):  # type: ignore[misc]
    """An agent for each of the task's positions, named "0", "1" and so on."""

    metadata: Dict[str, Any] = {"name": "troupe_crowd_v0", "render_modes": RENDER_MODES}
    render_mode: Optional[str] = None

    def __init__(
        self,
        task: Union[Task, str],
        *,
        render_mode: Optional[str] = None,
        width: int = 480,
        height: int = 360,
        **options: Unpack[Options],
    ) -> None:
        """task: a Task, or the name of a controller. render_mode: None, or "rgb_array" for render(); width and height
        of its pictures. options: host, port, key and tls, and fields of the task:
        positions=..., actions="steer"..."""
        address, fields = split(options)
        self.task = task = Task.of(task, **fields)
        self.metadata = metadata(self.metadata, task.seconds)
        self.render_mode = render_mode
        self.arena = Arena(task, 1, address)
        try:
            self._pictures = Pictures(self.arena, render_mode, width, height)
        except ValueError:
            self.arena.close()
            raise
        self.possible_agents = [str(i) for i in range(self.arena.cast)]
        self.agents: List[str] = []
        self.characters: Characters = self.arena.reset([0], [Start()] * self.arena.cast)
        size = task.observe(self.characters, self.arena.controller).shape[1]
        self.observation_spaces = {agent: Box(-np.inf, np.inf, (size,), np.float32) for agent in self.possible_agents}
        self.action_spaces = {agent: task.actions.space(self.arena.controller) for agent in self.possible_agents}
        self._last: Dict[str, Any] = {}
        self._steps = 0
        self._draw = np.random.default_rng(0)

    def __enter__(self) -> "Crowd":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Destroys the world."""
        self.arena.close()

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None) -> Tuple[Each, Each]:
        """Begins an episode for all. options may hold `fragment` and `heading_rad`, for all."""
        if seed is not None:
            self._draw = np.random.default_rng(seed)
        entries = entry_count(self.arena.controller)
        starts = [draw_start(self.task, self._draw, entries, options or {}) for _ in self.possible_agents]
        self.characters = self.arena.reset([0], starts)
        self.agents = list(self.possible_agents)
        self._last, self._steps = {}, 0
        return self._by_agent(self._observations()), {agent: {} for agent in self.agents}

    def render(self) -> Any:
        """A picture of the world, [height][width][3] uint8; None without a render mode."""
        return self._pictures.draw(0)

    def push(self, agent: str, force: Sequence[float], duration_s: float, body: str = "") -> None:
        """Pushes a character at the beginning of the next step: force in the world's frame, N."""
        row = int(agent)
        world, entity = self.arena.entity(row)
        self.arena.before_step(row, requests.push(world, entity, force, duration_s, body=body))

    def step(self, actions: Each) -> Tuple[Each, Each, Each, Each, Each]:
        """One step, with an action for each of `agents`: observations, rewards, terminated, truncated, infos."""
        commands = [command for agent in self.agents for command in self._commands(agent, actions[agent])]
        before = self.characters
        self.characters = self.arena.step([0], [commands])
        self._steps += 1
        transition = Transition(before, self.characters, self._rows(actions), self.task.seconds)
        terminated = self._by_agent(self.task.terminated(self.characters).tolist())
        over = self._steps >= self.task.max_steps
        truncated = {agent: over and not terminated[agent] for agent in self.agents}
        result: Tuple[Each, Each, Each, Each, Each] = (
            self._by_agent(self._observations()),
            self._by_agent(self.task.reward(transition).tolist()),
            terminated,
            truncated,
            {agent: {} for agent in self.agents},
        )
        self.agents = [agent for agent in self.agents if not terminated[agent] and not truncated[agent]]
        return result

    def _commands(self, agent: str, action: Any) -> List[Any]:
        world, entity = self.arena.entity(int(agent))
        commands = self.task.actions.commands(self.arena.controller, world, entity, action, self._last.get(agent))
        self._last[agent] = action
        return commands

    def _rows(self, actions: Each) -> NDArray[Any]:
        """Actions as an array with one row per character, zero for those without an agent."""
        space = self.action_spaces[self.possible_agents[0]]
        rows = np.zeros((len(self.possible_agents), *space.shape), space.dtype)
        for agent in self.agents:
            rows[int(agent)] = actions[agent]
        return rows

    def _observations(self) -> Floats:
        return self.task.observe(self.characters, self.arena.controller)

    def _by_agent(self, rows: Any) -> Each:
        return {agent: rows[int(agent)] for agent in self.agents}

"""One character in one world, with the interface of Gymnasium's Env.

    with CharacterEnv("walk") as env:
        observation, info = env.reset(seed=1)
        observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Optional, Sequence, Tuple, Union

from troupe.characters import Characters, Floats
from troupe.envs.options import Options
from troupe.envs.pictures import RENDER_MODES, metadata
from troupe.envs.shape import Env
from troupe.envs.task import Task
from troupe.envs.vector import VectorCharacters

if TYPE_CHECKING:
    from typing_extensions import Unpack


class CharacterEnv(Env):  # type: ignore[misc]
    """An environment of one task: one row of VectorCharacters."""

    metadata: Dict[str, Any] = {"render_modes": RENDER_MODES}
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
        """task: a Task, or the name of a controller. options: as for VectorCharacters. render_mode: None, or "rgb_array"
        for render(); width and height of its pictures."""
        self._rows = VectorCharacters(task, 1, render_mode=render_mode, width=width, height=height, **options)
        self.task = self._rows.task
        self.render_mode = render_mode
        self.metadata = metadata(self.metadata, self.task.seconds)
        self.observation_space = self._rows.single_observation_space
        self.action_space = self._rows.single_action_space

    def __enter__(self) -> "CharacterEnv":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Destroys the world."""
        self._rows.close()

    @property
    def characters(self) -> Characters:
        """The character's state: arrays of one row."""
        return self._rows.characters

    @property
    def world(self) -> int:
        """The world's id, for other clients that watch it."""
        return self._rows.arena.entity(0)[0]

    def reset(
        self, *, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None
    ) -> Tuple[Floats, Dict[str, Any]]:
        """Begins an episode. options may hold `fragment` and `heading_rad`."""
        super().reset(seed=seed)
        observations, info = self._rows.reset(seed=int(self.np_random.integers(1 << 31)), options=options)
        return observations[0], _first(info)

    def render(self) -> Any:
        """A picture of the world, [height][width][3] uint8; None without a render mode."""
        return None if self.render_mode is None else (self._rows.render() or (None,))[0]

    def push(self, force: Sequence[float], duration_s: float, body: str = "") -> None:
        """Pushes the character at the beginning of the next step: force in the world's frame, N."""
        self._rows.push(0, force, duration_s, body)

    def step(self, action: Any) -> Tuple[Floats, float, bool, bool, Dict[str, Any]]:
        """One step: observation, reward, terminated, truncated, info. After the end of an episode, call reset."""
        if self._rows.over[0]:
            raise RuntimeError("the episode is over: call reset() to begin another")
        observations, rewards, terminated, truncated, info = self._rows.step([action])
        return observations[0], float(rewards[0]), bool(terminated[0]), bool(truncated[0]), _first(info)


def _first(info: Dict[str, Any]) -> Dict[str, Any]:
    return {name: values[0] for name, values in info.items()}

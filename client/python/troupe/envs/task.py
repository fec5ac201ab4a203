"""The task of an agent: its actions, observations and rewards, and the end of an episode.

Everything here takes and returns arrays with one row per character, so that one definition works for a single
environment, a vector of many, and a crowd in one world.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Callable, Dict, List, Optional, Protocol, Sequence, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from troupe import requests, world_pb2
from troupe.characters import Characters, Floats, heading, turn
from troupe.envs.observations import Observe, body_state
from troupe.envs.shape import Box, Discrete
from troupe.replies import Applied, ControllerDetail
from troupe.wire import Command


# --- actions ---


class Actions(Protocol):
    """Turns a row of actions into the commands for a character at the beginning of a step."""

    def space(self, controller: ControllerDetail) -> Any:
        """The space of one character's action."""

    def commands(
        self, controller: ControllerDetail, world: int, entity: int, action: Any, last: Any
    ) -> List[Command[Applied]]:
        """The commands before the step. last: the previous action, None in a new episode."""


@dataclass(frozen=True)
class Offset:
    """An offset to the action of the controller's feedback policy, each component within +-limit_rad: the action space
    of the guided learning paper (Liu, Yin and Guo 2015): waist, hips and knees, and ankles if the controller has
    them."""

    limit_rad: float = 0.2

    def space(self, controller: ControllerDetail) -> Any:
        if controller.action_size < 1:
            raise ValueError(f"{controller.name} has no action_offset: choose other actions, such as 'steer'")
        return Box(-self.limit_rad, self.limit_rad, (controller.action_size,), np.float32)

    def commands(
        self, controller: ControllerDetail, world: int, entity: int, action: Any, last: Any
    ) -> List[Command[Applied]]:
        return [requests.set_offset(world, entity, np.asarray(action, np.float64).tolist())]


@dataclass(frozen=True)
class Fragment:
    """The control fragment that begins when the current one ends: scheduling. An action a >= fragment_count of the
    controller means fragment a - fragment_count in the mirrored half of the cycle. If a step of the task is as long
    as a fragment, each action is one fragment."""

    def space(self, controller: ControllerDetail) -> Any:
        return Discrete(controller.fragment_count * (2 if controller.mirrored else 1))

    def commands(
        self, controller: ControllerDetail, world: int, entity: int, action: Any, last: Any
    ) -> List[Command[Applied]]:
        half, fragment = divmod(int(action), controller.fragment_count)
        return [requests.set_fragment(world, entity, fragment, mirrored=half == 1)]


@dataclass(frozen=True)
class Choice:
    """One of several controllers of the same model, from the end of the current fragment on."""

    controllers: Tuple[str, ...]

    def space(self, controller: ControllerDetail) -> Any:
        return Discrete(len(self.controllers))

    def commands(
        self, controller: ControllerDetail, world: int, entity: int, action: Any, last: Any
    ) -> List[Command[Applied]]:
        if last is not None and int(last) == int(action):
            return []
        return [requests.set_controller(world, entity, self.controllers[int(action)])]


@dataclass(frozen=True)
class Steer:
    """The steering target: a heading in the world, rad, and a speed within `speeds`, m/s (0: the controller's own).
    Without speeds: the range that the controller has learned, or only the heading if it has learned none. Refused for
    a controller that has not learned to turn. body_state does not contain the heading: see `facing` and `joined`."""

    speeds: Optional[Tuple[float, float]] = None

    def space(self, controller: ControllerDetail) -> Any:
        slowest, fastest = self.speeds or _learned_speeds(controller)
        bounds = [(-np.pi, np.pi)] + ([(slowest, fastest)] if slowest < fastest else [])
        low, high = np.array(bounds, np.float32).T
        return Box(low, high, dtype=np.float32)

    def commands(
        self, controller: ControllerDetail, world: int, entity: int, action: Any, last: Any
    ) -> List[Command[Applied]]:
        if last is not None and np.array_equal(action, last):
            return []
        heading_rad, speed = (*map(float, action), 0.0)[:2]
        return [requests.steer(world, entity, heading_rad=heading_rad, speed=speed)]


def _learned_speeds(controller: ControllerDetail) -> Tuple[float, float]:
    """Over all skills that can be steered; (0, 0) without any."""
    gaits = [skill for skill in controller.skills if skill.speed_m_s > 0]
    slowest = min((gait.speed_m_s - gait.slower_m_s for gait in gaits), default=0.0)
    return slowest, max((gait.speed_m_s + gait.faster_m_s for gait in gaits), default=0.0)


@dataclass(frozen=True)
class Targets:
    """What a policy decides, set here in its place: the numbers that its joints' targets are turned by (troupe.policy).
    Of controllers of the kind "policy", best one whose weights are zero; make a step as long as its decision.

    limit: of each number; None: the controller's own"""

    limit: Optional[float] = None

    def space(self, controller: ControllerDetail) -> Any:
        action = next((each for each in controller.parameters if each.name == "action"), None)
        if action is None:
            raise ValueError(f"actions: {controller.name!r} has no parameter 'action': expected a policy")
        limit = self.limit or action.high
        return Box(-limit, limit, (action.count,), np.float64)

    def commands(
        self, controller: ControllerDetail, world: int, entity: int, action: Any, last: Any
    ) -> List[Command[Applied]]:
        return [requests.set_parameters(world, entity, {"action": np.asarray(action, np.float64).tolist()})]


NAMED: Dict[str, Actions] = {"offset": Offset(), "fragment": Fragment(), "steer": Steer(), "targets": Targets()}


# --- rewards ---


@dataclass(frozen=True)
class Transition:
    """The result of one step of n characters."""

    before: Characters
    after: Characters
    actions: NDArray[Any]  # [n] or [n][action_size]
    seconds: float  # of the world


Reward = Callable[[Transition], Floats]  # [n]


def alive(transition: Transition) -> Floats:
    """1 for each step after which the character stands."""
    return np.asarray(~transition.after.fallen, np.float32)


def forward_speed(target_m_s: float, width_m_s: float = 0.5) -> Reward:
    """exp(-(v - target)^2 / width^2), with v the root's velocity along its heading."""

    def reward(transition: Transition) -> Floats:
        after = transition.after
        speed = turn(after.root_vel, -heading(after.root_rot))[:, 0]
        return np.asarray(np.exp(-(((speed - target_m_s) / width_m_s) ** 2)), np.float32)

    return reward


def small_actions(transition: Transition) -> Floats:
    """Minus the mean square of the action's components, rad^2."""
    actions = np.asarray(transition.actions, np.float32).reshape(len(transition.after), -1)
    return np.asarray(-np.mean(actions**2, axis=1), np.float32)


def weighted(*terms: Tuple[float, Reward]) -> Reward:
    """The weighted sum of rewards."""

    def reward(transition: Transition) -> Floats:
        return np.asarray(sum(weight * term(transition) for weight, term in terms), np.float32)

    return reward


# --- ends ---


def lost(characters: Characters) -> NDArray[np.bool_]:
    """Fallen, at the end of its controller, or stopped because it became non-finite."""
    return characters.fallen | characters.ended | characters.frozen


@dataclass(frozen=True)
class Task:
    """One episode of a character: spawned with `controller` in an empty world, stepped until it is lost."""

    controller: str
    actions: Actions = field(default_factory=Offset)  # or a name: "offset", "fragment", "steer", "targets"
    observe: Observe = body_state
    reward: Reward = alive
    terminated: Callable[[Characters], NDArray[np.bool_]] = lost
    step_ticks: int = 10  # ticks of the world in one step
    step_s: float = 0.005  # length of a tick
    max_steps: int = 1000  # then an episode is truncated
    fragment: Optional[int] = None  # first fragment; None: drawn for each episode
    scene: Optional[world_pb2.Scene] = None
    heading_rad: Tuple[float, float] = (0.0, 0.0)  # of the start, least and most; drawn for each episode
    target_heading_rad: Optional[Tuple[float, float]] = None  # steering target, least and most; drawn for each episode; None: none
    target_speed: Tuple[float, float] = (0.0, 0.0)  # of it, m/s
    latency_steps: Tuple[int, int] = (0, 0)  # after which an action takes effect; drawn for each episode (not in a crowd)
    ground_friction: Optional[Tuple[float, float]] = None  # least and most; drawn for each world by its number; None: the scene's
    roughness_m: Optional[Tuple[float, float]] = None  # height of the bumps within 20 m of the origin, from 1 m around the starts on: likewise; None: none
    controllers: Sequence[str] = ()  # each world has one of these, drawn by its number: the same policy on bodies of other masses
    positions: Sequence[Tuple[float, float]] = ((0.0, 0.0),)  # of a crowd: one per character, m

    def __post_init__(self) -> None:
        for name in ("step_ticks", "max_steps"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name}: {getattr(self, name)}: expected 1 or more")
        for name in ("heading_rad", "target_heading_rad", "target_speed", "latency_steps", "ground_friction", "roughness_m"):
            least, most = getattr(self, name) or (0.0, 0.0)
            if not least <= most or (not name.endswith("heading_rad") and least < 0):
                raise ValueError(f"{name}: {(least, most)}: expected the least value, then the most")
        if isinstance(self.actions, str):
            if self.actions not in NAMED:
                raise ValueError(f"actions: {self.actions!r}: expected one of {', '.join(NAMED)}, or Actions")
            object.__setattr__(self, "actions", NAMED[self.actions])

    @classmethod
    def of(cls, task: Union["Task", str], **options: Any) -> "Task":
        """A task, or the name of a controller and options of its task."""
        return cls(task, **options) if isinstance(task, str) else replace(task, **options)

    @property
    def seconds(self) -> float:
        """Of the world, in one step."""
        return self.step_ticks * self.step_s

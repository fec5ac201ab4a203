"""Stepped worlds on one daemon, stepped together: the basis of all environments here.

A step is one `advance` for each world: its commands, its ticks, and the resulting state. All are sent before any
answer is awaited, so that the daemon's threads work in parallel and a step costs one round trip for any number of
worlds. No other client uses these worlds, so they depend, to the bit, only on the given starts and commands.
"""

from __future__ import annotations

import math
import ssl
from dataclasses import dataclass, field, replace
from typing import Any, Dict, List, Optional, Sequence, Tuple

import numpy as np
from numpy.typing import NDArray

from troupe import requests, state_pb2, world_pb2
from troupe.characters import Characters
from troupe.client import Client
from troupe.envs.observations import fields_of
from troupe.envs.task import Task
from troupe.errors import Refused, TroupeError
from troupe.replies import Applied, Mode, OwnerLeaves
from troupe.wire import Command, Request

FIELDS = requests.JOINTS | requests.VELOCITIES


@dataclass(frozen=True)
class Address:
    """The daemon's address and login: as for Client."""

    host: str = "127.0.0.1"
    port: int = 7400
    key: Optional[str] = None
    tls: Optional[ssl.SSLContext] = None


@dataclass(frozen=True)
class Start:
    """How a character begins an episode."""

    fragment: int = 0
    heading_rad: float = 0.0
    target: Tuple[float, float] = (math.nan, 0.0)  # as Characters.target


def draw_start(task: Task, draw: np.random.Generator, entries: int, options: Dict[str, Any]) -> Start:
    """What the task leaves open. options may hold `fragment` and `heading_rad`."""
    fragment = options.get("fragment", task.fragment)
    if fragment is None:
        fragment = draw.integers(entries)
    target = (math.nan, 0.0)
    heading = _between(draw, task.heading_rad)
    if task.target_heading_rad is not None:
        target = (_between(draw, task.target_heading_rad), _between(draw, task.target_speed))
    return Start(int(fragment), float(options.get("heading_rad", heading)), target)


def _between(draw: np.random.Generator, bounds: Tuple[float, float]) -> float:
    least, most = bounds
    return least if least == most else float(draw.uniform(least, most))


@dataclass
class Stage:
    """One world of the arena."""

    world: int
    controller: str = ""
    entities: List[int] = field(default_factory=list)
    targets: List[Tuple[float, float]] = field(default_factory=list)  # of the entities
    pending: List[Command[Applied]] = field(default_factory=list)  # for the next step


class Arena:
    """`world_count` worlds with a character at each of the task's c positions. Row r is character r % c of world
    r // c."""

    def __init__(self, task: Task, world_count: int, at: Address = Address()) -> None:
        self.task = task
        self.cast = len(task.positions)
        self.fields = FIELDS | fields_of(task.observe)
        self._stages: List[Stage] = []
        if world_count < 1:
            raise ValueError(f"count: {world_count}: expected 1 or more environments")
        self.client = Client(at.host, at.port, name="python environment", key=at.key, tls=at.tls)
        try:
            for index in range(world_count):
                self._add_stage(index)
            self.controller = self.client.ask(requests.get_controller(task.controller))
        except BaseException:
            self.close()
            raise

    def _add_stage(self, index: int) -> None:
        """A world at tick 0, whose reset point is set while it is empty, so that a reset makes it empty again."""
        task = self.task
        name = f"environment {self.client.welcome.session_id}.{index}"
        create = requests.create_world(
            name,
            Mode.STEPPED,
            step_s=task.step_s,
            scene=_scene_of(task, index),
            owner_leaves=OwnerLeaves.DESTROY,  # also if this process is killed
        )
        world = self.client.ask(create).id
        self._stages.append(Stage(world, _controller_of(task, index)))
        self.client.ask_all([requests.join(world), requests.mark(world)])

    def close(self) -> None:
        """Destroys the worlds and ends the session. May be called twice."""
        for stage in self._stages:
            try:
                self.client.ask(requests.destroy_world(stage.world))
            except TroupeError:
                pass  # the daemon, or the world, no longer exists
        self.client.close()
        self._stages = []

    def _stage(self, world: int) -> Stage:
        if not self._stages:
            raise RuntimeError("the environment is closed: make another one")
        return self._stages[world]

    @property
    def world_count(self) -> int:
        return len(self._stages)

    def state(self, world: int, fields: int) -> state_pb2.WorldState:
        """The state of the world-th world."""
        return self.client.ask(requests.get_state(self._stage(world).world, fields))

    def entity(self, row: int) -> Tuple[int, int]:
        """World and entity of a row, for other commands."""
        stage = self._stage(row // self.cast)
        return stage.world, stage.entities[row % self.cast]

    def rows(self, worlds: Sequence[int]) -> List[int]:
        return [world * self.cast + i for world in worlds for i in range(self.cast)]

    def before_step(self, row: int, command: Command[Applied]) -> None:
        """Applies a command about a character at the beginning of the next step of that row's world."""
        self._stage(row // self.cast).pending.append(command)

    def reset(self, worlds: Sequence[int], starts: Sequence[Start]) -> Characters:
        """Begins new episodes in the given worlds (ascending), with a start for each of their rows. Returns their
        characters."""
        stages = [self._stage(world) for world in worlds]
        self.client.ask_all([requests.reset(stage.world) for stage in stages])
        spawned = self.client.ask_all(self._spawns(stages, starts))
        for i, stage in enumerate(stages):
            rows = slice(i * self.cast, (i + 1) * self.cast)
            stage.entities = [reply.entity for reply in spawned[rows]]
            stage.targets = [start.target for start in starts[rows]]
            stage.pending.clear()
        self.client.ask_all([steer for stage in stages for steer in _steers(stage)])
        states = self.client.ask_all([requests.get_state(stage.world, self.fields) for stage in stages])
        return self._gather(states, stages)

    def _spawns(self, stages: Sequence[Stage], starts: Sequence[Start]) -> List[Request[Applied]]:
        return [
            requests.spawn_character(
                stage.world,
                stage.controller,
                pos=(x, y, 0),
                heading_rad=start.heading_rad,
                fragment=start.fragment,
                label=str(i % self.cast),
            )
            for i, start in enumerate(starts)
            for stage, (x, y) in [(stages[i // self.cast], self.task.positions[i % self.cast])]
        ]

    def step(self, worlds: Sequence[int], commands: Sequence[Sequence[Command[Applied]]]) -> Characters:
        """Applies each world's commands, then steps it once; worlds ascending. Returns their characters. Raises
        Refused for a refused command, after all worlds have been stepped."""
        batch: List[Request[Any]] = []
        for world, orders in zip(worlds, commands):
            stage = self._stage(world)
            batch.append(requests.advance(stage.world, self.task.step_ticks, [*stage.pending, *orders], self.fields))
            stage.pending.clear()
        moved = self.client.ask_all(batch)
        for reply in moved:
            if reply.refused is not None:
                raise Refused(reply.refused.code, reply.refused.message)
        return self._gather([reply.state for reply in moved], [self._stage(world) for world in worlds])

    def _gather(self, states: Sequence[state_pb2.WorldState], stages: Sequence[Stage]) -> Characters:
        characters = Characters.of(character for state in states for character in state.characters)
        if self.fields & requests.CONTACTS:
            characters = replace(characters, touching=_touching(characters, states))
        if self.task.target_heading_rad is not None:
            characters = replace(characters, target=np.array([target for stage in stages for target in stage.targets]))
        return characters


def _steers(stage: Stage) -> List[Request[Applied]]:
    return [
        requests.steer(stage.world, entity, heading_rad=heading, speed=speed)
        for entity, (heading, speed) in zip(stage.entities, stage.targets)
        if not math.isnan(heading)
    ]


def _touching(characters: Characters, states: Sequence[state_pb2.WorldState]) -> NDArray[np.bool_]:
    """By the contacts of each world with something else than the character."""
    touching, begin = np.zeros(characters.joint_rot.shape[:2], np.bool_), 0
    for state in states:
        rows = {character.entity: begin + i for i, character in enumerate(state.characters)}
        begin += len(state.characters)
        for contact in state.contacts:
            if contact.entity0 == contact.entity1:
                continue
            for entity, body in ((contact.entity0, contact.body0), (contact.entity1, contact.body1)):
                if entity in rows:
                    touching[rows[entity], body] = True
    return touching


def _controller_of(task: Task, index: int) -> str:
    """The one that the world of this number draws."""
    drawn = task.controllers
    return drawn[np.random.default_rng([index, len(drawn)]).integers(len(drawn))] if drawn else task.controller


def _scene_of(task: Task, index: int) -> Optional[world_pb2.Scene]:
    """The task's scene, with the friction and the bumps that the world of this number draws."""
    if task.ground_friction is None and task.roughness_m is None:
        return task.scene
    draw = np.random.default_rng(index)
    scene = world_pb2.Scene()
    if task.scene is not None:
        scene.CopyFrom(task.scene)
    if task.ground_friction is not None:
        scene.ground.friction = float(draw.uniform(*task.ground_friction))
    if task.roughness_m is not None:
        scene.scenery.append(_bumps(task, draw, scene.ground.friction if scene.HasField("ground") else 1.0))
    return scene


def _bumps(task: Task, draw: np.random.Generator, friction: float) -> world_pb2.Scenery:
    """Half a metre apart, within 20 m of the origin. They grow from 1 to 3 m away from where characters begin."""
    assert task.roughness_m is not None
    heights = draw.uniform(0, draw.uniform(*task.roughness_m), (81, 81))
    x, y = np.meshgrid(*2 * [np.linspace(-20, 20, 81)])
    near = np.min([np.hypot(x - at[0], y - at[1]) for at in task.positions], axis=0)
    heights *= np.clip((near - 1) / 2, 0, 1)
    return requests.height_field(heights.tolist(), 0.5, pos=(0, 0, -0.005), friction=friction)

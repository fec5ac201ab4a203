"""Stepped worlds on one daemon, moved together: what all environments here stand on.

One session subscribes to at most 16 worlds, so an arena holds a session for each 16. A step sends to all sessions
before it waits for any, so that the daemon's threads and this process work at the same time, and costs one round trip
however many worlds there are. Every world belongs to the arena alone and depends, to the bit, on nothing but the starts
and commands given.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Sequence, Tuple

from troupe import requests, state_pb2
from troupe.characters import Characters
from troupe.client import Client
from troupe.envs.task import Task
from troupe.errors import TroupeError
from troupe.replies import Applied, Mode
from troupe.wire import Request, Ticket

SUBSCRIPTIONS_MAX = 16  # of one session
REQUESTS_MAX = 256  # of one session, without an answer
FIELDS = requests.JOINTS | requests.VELOCITIES

Batch = List[Tuple["Stage", List[Request[Any]]]]


@dataclass(frozen=True)
class Start:
    """How a character begins an episode."""

    fragment: int = 0
    heading_rad: float = 0.0


@dataclass
class Stage:
    """One world of the arena."""

    client: Client
    world: int
    tick: int
    epoch: int
    step: Request[Applied]  # by one step of the task, always the same
    entities: List[int] = field(default_factory=list)
    pending: List[Request[Applied]] = field(default_factory=list)  # to be sent before the next step


class Arena:
    """`world_count` worlds with a character at each of the task's c positions. Row r is character r % c of world
    r // c."""

    def __init__(self, task: Task, world_count: int, host: str = "127.0.0.1", port: int = 7400) -> None:
        self.task = task
        self.cast = len(task.positions)
        self._clients: List[Client] = []
        self._stages: List[Stage] = []
        try:
            for index in range(world_count):
                if index % self._worlds_per_session() == 0:
                    self._clients.append(Client(host, port, name="python environment"))
                self._add_stage(self._clients[-1], index)
            self.controller = self._clients[0].ask(requests.get_controller(task.controller))
        except BaseException:
            self.close()
            raise

    def _worlds_per_session(self) -> int:
        """So that a step with a command or two for each character stays below the requests of a session."""
        return max(1, min(SUBSCRIPTIONS_MAX, REQUESTS_MAX // (2 * self.cast + 1)))

    def _add_stage(self, client: Client, index: int) -> None:
        """A world at tick 0, marked while it is empty, so that a reset finds it as new."""
        task = self.task
        name = f"environment {client.welcome.session_id}.{index}"
        create = requests.create_world(name, Mode.STEPPED, step_s=task.step_s, scene=task.scene)
        world = client.ask(create).id
        self._stages.append(Stage(client, world, 0, 0, requests.step(world, task.step_ticks)))
        client.ask(requests.join(world))
        client.ask(requests.mark(world))
        subscription = client.ask(requests.subscribe(world, 1 / task.seconds, FIELDS))
        if subscription.every_ticks != task.step_ticks:
            raise TroupeError(f"states come each {subscription.every_ticks} ticks, not each {task.step_ticks}")

    def close(self) -> None:
        """Destroys the worlds and ends the sessions. Closing twice is fine."""
        for stage in self._stages:
            try:
                stage.client.ask(requests.destroy_world(stage.world))
            except TroupeError:
                pass  # the daemon, or the world, has gone before
        for client in self._clients:
            client.close()
        self._stages, self._clients = [], []

    @property
    def world_count(self) -> int:
        return len(self._stages)

    def entity(self, row: int) -> Tuple[int, int]:
        """World and entity of a row, for commands of one's own."""
        stage = self._stages[row // self.cast]
        return stage.world, stage.entities[row % self.cast]

    def rows(self, worlds: Sequence[int]) -> List[int]:
        return [world * self.cast + i for world in worlds for i in range(self.cast)]

    def before_step(self, row: int, command: Request[Applied]) -> None:
        """Has a command applied at the beginning of the next step of that row's world."""
        self._stages[row // self.cast].pending.append(command)

    def reset(self, worlds: Sequence[int], starts: Sequence[Start]) -> Characters:
        """Begins new episodes in the given worlds (ascending), with a start for each of their rows. Returns their
        characters."""
        stages = [self._stages[world] for world in worlds]
        self._ask([(stage, [requests.reset(stage.world)]) for stage in stages])
        spawned = self._ask([(stage, self._spawns(stage, starts, i)) for i, stage in enumerate(stages)])
        states = self._ask([(stage, [requests.get_state(stage.world, FIELDS)]) for stage in stages])
        for stage, replies, (state,) in zip(stages, spawned, states):
            stage.entities = [reply.entity for reply in replies]
            stage.tick, stage.epoch = state.tick, state.epoch
            stage.pending.clear()
        return self._gather([state for (state,) in states])

    def _spawns(self, stage: Stage, starts: Sequence[Start], index: int) -> List[Request[Applied]]:
        mine = starts[index * self.cast : (index + 1) * self.cast]
        return [
            requests.spawn_character(
                stage.world,
                self.task.controller,
                pos=(x, y, 0),
                heading_rad=start.heading_rad,
                fragment=start.fragment,
                label=str(i),
            )
            for i, ((x, y), start) in enumerate(zip(self.task.positions, mine))
        ]

    def step(self, worlds: Sequence[int], commands: Sequence[Sequence[Request[Applied]]]) -> Characters:
        """Applies each world's commands, then moves it on by one step; worlds ascending. Returns their characters."""
        stages = [self._stages[world] for world in worlds]
        batch: Batch = []
        for stage, orders in zip(stages, commands):
            batch.append((stage, [*stage.pending, *orders, stage.step]))
            stage.pending.clear()
            stage.tick += self.task.step_ticks
        self._ask(batch)
        return self._gather(self._states(stages))

    def _ask(self, batch: Batch) -> List[List[Any]]:
        """Sends everything, then waits for everything: the answers of each world."""
        sent: List[Tuple[Client, List[Ticket[Any]]]] = []
        for client in self._clients:
            mine = [request for stage, orders in batch if stage.client is client for request in orders]
            if mine:
                sent.append((client, client.send_all(mine)))
        answers = [client.wait(ticket) for client, tickets in sent for ticket in tickets]
        by_world: List[List[Any]] = []
        begin = 0
        for _, orders in batch:  # in the arena's order, so by client as they were sent
            by_world.append(answers[begin : begin + len(orders)])
            begin += len(orders)
        return by_world

    def _states(self, stages: Sequence[Stage]) -> List[state_pb2.WorldState]:
        """The state of each world at its tick; those that came before are passed over."""
        due = {stage.world: (stage.tick, stage.epoch) for stage in stages}
        found: Dict[int, state_pb2.WorldState] = {}
        for stage in stages:
            while stage.world not in found:
                state = stage.client.next_state()
                if (state.tick, state.epoch) == due.get(state.world):
                    found[state.world] = state
        return [found[stage.world] for stage in stages]

    def _gather(self, states: Sequence[state_pb2.WorldState]) -> Characters:
        return Characters.of(character for state in states for character in state.characters)

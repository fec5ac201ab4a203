"""A world of a daemon that is stepped here too, with the same bits, from its inputs (PROTOCOL.md, "Inputs instead of states").

    with Client() as client:
        mirror = Mirror(client, client.world_id("arena"), "hero.troupe")
        while mirror.update():
            draw(mirror.poses(entity))

It needs libtroupe_simulation of the daemon's version, and a bundle with the controllers of the world. A hash that differs,
events that were lost, and commands that the library does not know make it take the world's state again.
"""

from __future__ import annotations

import ctypes
import os
from ctypes import Structure, byref, c_bool, c_char, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint32, c_uint64, c_void_p
from typing import Any, Dict, List, Optional, Tuple

from troupe import command_pb2, requests
from troupe.client import Client
from troupe.replies import Event, EventKind

Pose = Tuple[float, ...]  # x, y, z of a body's frame, and its quaternion (w, x, y, z)

FIELDS = requests.BRIEF | requests.HASH | requests.INPUTS
JUMPS = (EventKind.RESET, EventKind.RESTORED, EventKind.SOUGHT, EventKind.DROPPED)
POSE_SIZE = 7


class _Error(Structure):
    _fields_ = [("status", c_int), ("message", c_char * 512)]


class _Spawn(Structure):
    _fields_ = [("controller", c_char_p), ("x", c_double), ("y", c_double), ("heading_rad", c_double)]


class _Intent(Structure):
    _fields_ = [
        ("aim", c_int),
        ("heading_rad", c_double),
        ("x", c_double),
        ("y", c_double),
        ("speed", c_double),
        ("skill", c_char_p),
        ("toward", c_uint32),
        ("faces", c_bool),
        ("facing_rad", c_double),
        ("radius_m", c_double),
    ]


AIMS = {None: 0, "heading_rad": 1, "target": 2, "toward": 3}


def _find_library() -> str:
    name = "libtroupe_simulation.so.0"
    own = os.path.join(os.path.dirname(__file__), name)
    return os.environ.get("TROUPE_SIMULATION", own if os.path.exists(own) else name)


class Mirror:
    """Follows one world by its inputs; `takes` counts how often it took the whole state."""

    def __init__(self, client: Client, world: int, bundle: str, rate_hz: float = 10.0, library: str = "") -> None:
        """rate_hz: how often the daemon sends its time and hash. library: the file of libtroupe_simulation; by default that
        of TROUPE_SIMULATION, of the wheel, or the installed one."""
        self.takes = 0
        self._client = client
        self._world = world
        self._library = ctypes.CDLL(library or _find_library())
        self._library.tr_simulation_hash.restype = c_uint64
        self._library.tr_simulation_tick.restype = c_int64
        self._error = _Error()
        self._handle = c_void_p()
        self._inputs: List[Event] = []
        self._bodies: Dict[int, List[str]] = {}
        info = client.ask(requests.get_world(world))
        self._call("open", bundle.encode(), c_double(info.step_s), byref(self._handle), byref(self._error))
        client.ask(requests.subscribe(world, rate_hz, FIELDS))
        client.next_state()  # through a relay, too, inputs come from now on
        self._take()

    def close(self) -> None:
        self._library.tr_simulation_close(self._handle)

    @property
    def tick(self) -> int:
        return int(self._library.tr_simulation_tick(self._handle))

    @property
    def hash(self) -> int:
        return int(self._library.tr_simulation_hash(self._handle))

    def poses(self, entity: int) -> List[Pose]:
        """Where the bodies of a character are."""
        count = self._library.tr_simulation_body_count(self._handle, c_uint32(entity))
        out = (c_double * (POSE_SIZE * count))()
        self._call("poses", self._handle, c_uint32(entity), out)
        return [tuple(out[i : i + POSE_SIZE]) for i in range(0, len(out), POSE_SIZE)]

    def update(self, timeout_s: Optional[float] = None) -> int:
        """Waits for the world's next time, and steps there. Returns the tick."""
        state = self._client.next_state(timeout_s)
        for event in self._client.take_events():
            if event.kind in JUMPS:
                return self._take()
            if event.command:
                self._inputs.append(event)
        if state.tick < self.tick:  # of before the state that was taken
            return self.tick
        followed = self._advance(state.tick) and (self.hash == state.hash or self._apply_due() and self.hash == state.hash)
        return self.tick if followed else self._take()

    # --- the library ---

    def _call(self, name: str, *arguments: Any) -> None:
        self._error.message = b""
        status = getattr(self._library, f"tr_simulation_{name}")(*arguments)
        if status != 0:
            raise RuntimeError(self._error.message.decode() or f"{name}: status {status}")

    # --- states ---

    def _take(self) -> int:
        """Begins from the world as it is now."""
        self._client.take_events()
        state = self._client.ask(requests.get_state(self._world, requests.SNAPSHOT | requests.HASH))
        self._client.take_states()
        self._inputs.clear()
        models = {each.model for each in state.characters}
        bodies = {name: [body.name for body in self._client.ask(requests.get_model(name)).bodies] for name in models}
        for each in state.characters:
            self._bodies[each.entity] = bodies[each.model]
        for controller in {name for each in state.characters for name in (each.controller, each.next_controller) if name}:
            self._call("prepare", self._handle, controller.encode(), byref(self._error))
        self._call("load", self._handle, state.snapshot, c_size_t(len(state.snapshot)), byref(self._error))
        self.takes += 1
        return self.tick

    def _advance(self, tick: int) -> bool:
        """False: an input could not be applied."""
        while self.tick < tick:
            if not self._apply_due():
                return False
            until = min([event.tick for event in self._inputs if event.tick < tick], default=tick)
            self._call("step", self._handle, c_int(until - self.tick))
        return True

    def _apply_due(self) -> bool:
        """Applies the inputs of this tick; those of before are in the state already."""
        now = self.tick
        due = [event for event in self._inputs if event.tick == now]
        self._inputs = [event for event in self._inputs if event.tick > now]
        return all(self._apply(event) for event in due)

    # --- inputs ---

    def _apply(self, event: Event) -> bool:
        command = command_pb2.Command.FromString(event.command)
        kind = command.WhichOneof("command")
        apply = getattr(self, f"_apply_{kind}", None)
        try:
            return apply is not None and bool(apply(getattr(command, kind), event))
        except RuntimeError:
            return False

    def _apply_steer(self, steer: Any, _: Event) -> bool:
        intent = _Intent(AIMS[steer.WhichOneof("aim")], steer.heading_rad, steer.target.x, steer.target.y, steer.speed, steer.skill.encode())
        intent.toward, intent.faces, intent.facing_rad, intent.radius_m = steer.toward, steer.faces, steer.facing_rad, steer.radius
        self._call("steer", self._handle, c_uint32(steer.entity), byref(intent), byref(self._error))
        return True

    def _apply_push(self, push: Any, _: Event) -> bool:
        point, bodies = push.point, self._bodies.get(push.entity)
        if bodies is None or point.x or point.y or point.z:
            return False
        force = (c_double * 3)(push.force.x, push.force.y, push.force.z)
        body = bodies.index(push.body) if push.body else -1
        self._call("push", self._handle, c_uint32(push.entity), c_int(body), force, c_double(push.duration_s))
        return True

    def _apply_set_limp(self, limp: Any, _: Event) -> bool:
        self._call("set_limp", self._handle, c_uint32(limp.entity), c_bool(limp.limp))
        return True

    def _apply_despawn(self, despawn: Any, _: Event) -> bool:
        self._call("despawn", self._handle, c_uint32(despawn.entity))
        self._bodies.pop(despawn.entity, None)
        return True

    def _apply_spawn_character(self, spawn: Any, event: Event) -> bool:
        """The bodies of one with a name are known by those of its controller; else the state has them."""
        if not spawn.controller or spawn.fragment or spawn.model:
            return False
        entity = c_uint32()
        spot = _Spawn(spawn.controller.encode(), spawn.pos.x, spawn.pos.y, spawn.heading_rad)
        self._call("spawn", self._handle, byref(spot), byref(entity), byref(self._error))
        model = self._client.ask(requests.get_controller(spawn.controller)).model
        self._bodies[entity.value] = [body.name for body in self._client.ask(requests.get_model(model)).bodies]
        return entity.value == event.entity

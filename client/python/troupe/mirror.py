"""A world of a daemon that is stepped here too, with the same bits, from its inputs (PROTOCOL.md, "Inputs instead of states").

    with Client() as client:
        mirror = Mirror(client, client.world_id("arena"), "hero.troupe")
        while mirror.update():
            draw(mirror.poses(entity))

Between updates predict() shows what a player does before the daemon has told of it (examples/rollback.py).

It needs libtroupe_simulation of the daemon's version, and a bundle with the models and controllers of the world. A hash that
differs, events that were lost, and a world that went back make it take the world's state again.
"""

from __future__ import annotations

import ctypes
import os
from ctypes import Structure, byref, c_char, c_double, c_int, c_int64, c_size_t, c_uint32, c_uint64, c_void_p
from typing import Any, Iterable, List, Optional, Tuple

from troupe import requests
from troupe.client import Client
from troupe.replies import Applied, Event, EventKind
from troupe.wire import Command

Pose = Tuple[float, ...]  # x, y, z of a body's frame, and its quaternion (w, x, y, z)

FIELDS = requests.BRIEF | requests.HASH | requests.INPUTS
JUMPS = (EventKind.RESET, EventKind.RESTORED, EventKind.SOUGHT, EventKind.DROPPED)
POSE_SIZE = 7


class _Error(Structure):
    _fields_ = [("status", c_int), ("message", c_char * 512)]


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
        self.world = world
        self._library = ctypes.CDLL(library or _find_library())
        self._library.tr_simulation_hash.restype = c_uint64
        self._library.tr_simulation_tick.restype = c_int64
        self._library.tr_simulation_saved_size.restype = c_size_t
        self._error = _Error()
        self._handle = c_void_p()
        self._inputs: List[Event] = []
        self._confirmed: Optional[bytes] = None  # the state before a prediction
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
        self._go_back()
        for event in self._client.take_events():
            if event.kind in JUMPS:
                return self._take()
            if event.command:
                self._inputs.append(event)
        if state.tick < self.tick:  # of before the state that was taken
            return self.tick
        followed = self._advance(state.tick) and (self.hash == state.hash or self._apply_due() and self.hash == state.hash)
        return self.tick if followed else self._take()

    def predict(self, tick: int, commands: Iterable[Tuple[int, Command[Applied]]] = ()) -> None:
        """Steps to `tick` as if nobody did anything but these commands, each at its tick. The next prediction, and the next
        update, begin from what is known."""
        self._go_back()
        size = c_size_t(self._library.tr_simulation_saved_size(self._handle))
        saved = ctypes.create_string_buffer(size.value)
        self._call("save", self._handle, saved, size, byref(size))
        self._confirmed = saved.raw[: size.value]
        for due, command in sorted(commands, key=lambda each: each[0]):
            if self.tick <= due < tick:
                self._call("step", self._handle, c_int(due - self.tick))
                self._apply(command.order)
        self._call("step", self._handle, c_int(tick - self.tick))

    def _go_back(self) -> None:
        if self._confirmed is not None:
            self._load(self._confirmed)
            self._confirmed = None

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
        state = self._client.ask(requests.get_state(self.world, requests.SNAPSHOT | requests.HASH))
        self._client.take_states()
        self._inputs.clear()
        for each in state.characters:
            self._call("prepare", self._handle, each.model.encode(), b"", byref(self._error))
            for name in {each.controller, each.next_controller} - {""}:
                self._call("prepare", self._handle, b"", name.encode(), byref(self._error))
        self._load(state.snapshot)
        self._confirmed = None
        self.takes += 1
        return self.tick

    def _load(self, saved: bytes) -> None:
        self._call("load", self._handle, saved, c_size_t(len(saved)), byref(self._error))

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
        return all(self._apply(event.command) in (0, event.entity) for event in due)

    def _apply(self, command: bytes) -> Optional[int]:
        """The entity that it spawned, or 0. None: the library refuses it."""
        entity = c_uint32()
        try:
            self._call("apply", self._handle, command, c_size_t(len(command)), byref(entity), byref(self._error))
        except RuntimeError:
            return None
        return entity.value

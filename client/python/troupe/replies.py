"""What the daemon answers, as plain frozen dataclasses.

Each class names the fields of its message in proto/troupe/*.proto, where their units and shapes are told; a detail
also has the fields of its summary. Repeated fields are tuples, vectors (x, y, z), rotations (w, x, y, z).
States of worlds are not here: they stay the schema's WorldState (see troupe.characters for arrays).
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from enum import IntEnum
from functools import lru_cache
from typing import Any, Callable, Generic, Tuple, Type, TypeVar, cast

T = TypeVar("T")
Vector = Tuple[float, ...]


class Mode(IntEnum):
    """How a world keeps time."""

    REAL_TIME = 1
    STEPPED = 2
    FAST = 3


class Noun(IntEnum):
    """What a lineage is made of."""

    MODEL = 1
    CLIP = 2
    RUN = 3
    CONTROLLER = 4


class Joint(IntEnum):
    FREE = 1
    BALL = 2
    HINGE = 3


class EventKind(IntEnum):
    """Kinds of events; 0 stands for one that only a newer daemon knows."""

    UNKNOWN = 0
    FELL = 1
    ROSE = 2
    CONTROLLER_ENDED = 3
    CONTROLLER_BEGAN = 4
    TOUCHED = 5
    FAULT = 6
    APPLIED = 7
    RESET = 8
    RESTORED = 9
    PAUSED = 10
    RESUMED = 11
    LATE = 12
    DROPPED = 13
    DESTROYED = 14

    @classmethod
    def _missing_(cls, value: object) -> "EventKind":
        return cls.UNKNOWN


def _vector(message: Any) -> Vector:
    return tuple(getattr(message, name.name) for name in message.DESCRIPTOR.fields)


def _as(read: Callable[[Any], Any]) -> Any:
    """A field that is read from its message by `read`."""
    return field(metadata={"read": read})


def _each(cls: Type[Any]) -> Any:
    return _as(lambda messages: tuple(read(cls, message) for message in messages))


@lru_cache(maxsize=None)
def _plan(cls: Type[Any]) -> Tuple[Tuple[str, Callable[[Any], Any]], ...]:
    """Name and reader of each field of a dataclass."""
    return tuple((each.name, each.metadata.get("read", lambda plain: plain)) for each in fields(cls))


def read(cls: Type[T], message: Any) -> T:
    """A dataclass of this module from the message of the same fields."""
    known = message.DESCRIPTOR.fields_by_name
    plan = _plan(cast(Any, cls))
    return cls(*(reader(getattr(message if name in known else message.summary, name)) for name, reader in plan))


@dataclass(frozen=True)
class Page(Generic[T]):
    """Some rows of a list, ordered by name, and the token of the following page (empty after the last)."""

    rows: Tuple[T, ...]
    next_page_token: str


# --- session ---


@dataclass(frozen=True)
class Welcome:
    protocol_major: int
    protocol_minor: int
    server_version: str
    session_id: int
    frame_max: int
    server_frame_max: int
    requests_max: int


@dataclass(frozen=True)
class Pong:
    payload: bytes
    server_version: str
    uptime_s: float
    sessions: int
    worlds: int


# --- catalogue ---


@dataclass(frozen=True)
class Model:
    name: str
    digest: str
    body_count: int
    dof_count: int


@dataclass(frozen=True)
class Body:
    name: str
    parent: int
    joint: Joint = _as(Joint)
    pos: Vector = _as(_vector)
    rot: Vector = _as(_vector)
    anchor: Vector = _as(_vector)
    com: Vector = _as(_vector)
    mass_kg: float = 0.0


@dataclass(frozen=True)
class ModelDetail(Model):
    hash: int
    mass_kg: float
    height_m: float
    bodies: Tuple[Body, ...] = _each(Body)
    gain_sets: Tuple[str, ...] = _as(tuple)
    mjcf: str = ""


@dataclass(frozen=True)
class Clip:
    name: str
    source: str
    licence: str
    file_digest: str
    skeleton: str
    frame_count: int
    frames_per_s: float
    first_frame: int
    last_frame: int
    cyclic: bool


@dataclass(frozen=True)
class Run:
    name: str
    command: str
    seed: int
    code_version: str
    host: str
    started_unix_ns: int
    ended_unix_ns: int
    threads: int


@dataclass(frozen=True)
class Metric:
    """A curve of a training run."""

    name: str
    iteration: Tuple[int, ...] = _as(tuple)
    value: Tuple[float, ...] = _as(tuple)


@dataclass(frozen=True)
class RunDetail(Run):
    parameters: str
    parents: Tuple[str, ...] = _as(tuple)
    metrics: Tuple[Metric, ...] = _each(Metric)


@dataclass(frozen=True)
class Controller:
    name: str
    skill: str
    model: str
    digest: str
    cyclic: bool
    mirrored: bool
    fragment_count: int
    duration_s: float
    step_s: float
    gain_set: str
    run: str
    clip: str


@dataclass(frozen=True)
class Fragment:
    """A control fragment, without its numbers."""

    steps: int
    duration_s: float
    digest: str
    feedback_norm: float
    offset_norm_rad: float
    sigma_norm_rad: float
    start_height_m: float
    start_speed_m_s: float


@dataclass(frozen=True)
class ControllerDetail(Controller):
    hash: int
    fragments: Tuple[Fragment, ...] = _each(Fragment)
    action_joints: Tuple[str, ...] = _as(tuple)
    action_size: int = 0


@dataclass(frozen=True)
class Ancestor:
    """Something that a controller or a run goes back to, `depth` steps back."""

    kind: Noun = _as(Noun)
    name: str = ""
    depth: int = 0
    detail: str = ""


# --- worlds ---


@dataclass(frozen=True)
class World:
    id: int
    name: str
    seed: int
    step_s: float
    mode: Mode = _as(Mode)
    rate: float = 0.0
    paused: bool = False
    tick: int = 0
    time_s: float = 0.0
    epoch: int = 0
    character_count: int = 0
    object_count: int = 0
    subscriber_count: int = 0
    stepper_count: int = 0
    dropped_ticks: int = 0
    pending_commands: int = 0


@dataclass(frozen=True)
class Applied:
    """What a command did, and at which tick."""

    tick: int
    entity: int
    hash: int
    data: bytes
    order: int

    @classmethod
    def of(cls, message: Any) -> "Applied":
        """As `read`, for the answer that is read most often."""
        return cls(message.tick, message.entity, message.hash, message.data, message.order)


@dataclass(frozen=True)
class Subscription:
    world: int
    every_ticks: int
    tick: int


@dataclass(frozen=True)
class Event:
    kind: EventKind
    world: int
    tick: int
    epoch: int
    entity: int
    other: int
    body: int
    other_body: int
    magnitude: float
    text: str
    session: int
    request_id: int
    code: int

    @classmethod
    def of(cls, world: int, message: Any) -> "Event":
        values = {each.name: getattr(message, each.name) for each in fields(cls) if each.name not in ("kind", "world")}
        return cls(kind=EventKind(message.kind), world=world, **values)


def row_reader(cls: Type[T]) -> Callable[[Any], T]:
    return lambda message: read(cls, message)


def page_reader(cls: Type[T], rows: str) -> Callable[[Any], Page[T]]:
    """Reads the list message whose repeated field is `rows`."""
    return lambda message: Page(tuple(read(cls, row) for row in getattr(message, rows)), message.next_page_token)


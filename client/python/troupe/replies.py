"""The daemon's answers, as plain frozen dataclasses.

Each class names the fields of its message in proto/troupe/*.proto, which has their units and shapes; a detail also
has the fields of its summary. Repeated fields are tuples, vectors (x, y, z), rotations (w, x, y, z). States of worlds
are not here: they stay the schema's WorldState (see troupe.characters for arrays).
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from enum import IntEnum
from functools import lru_cache
from typing import Any, Callable, Generic, Optional, Tuple, Type, TypeVar, cast

T = TypeVar("T")
Vector = Tuple[float, ...]


class Mode(IntEnum):
    """How a world keeps time."""

    REAL_TIME = 1
    STEPPED = 2
    FAST = 3


class FaultRule(IntEnum):
    """What happens to a character or object that becomes non-finite in a step."""

    RESET = 1
    REMOVE = 2
    FREEZE = 3


class OwnerLeaves(IntEnum):
    """What happens to a world when its owner's session ends. The owner is the client that made it, or the last one
    that claimed it."""

    KEEP = 1
    DESTROY = 2  # after the lease, unless another client claims it before


class RecordingState(IntEnum):
    """Complete, being written, or without an end."""

    ENDED = 1
    RUNNING = 2
    CUT = 3


class TrainingState(IntEnum):
    RUNNING = 1
    DONE = 2
    STOPPED = 3  # by a request
    FAILED = 4
    INTERRUPTED = 5  # detail says how to continue it


class Noun(IntEnum):
    """Kinds of items in a lineage."""

    MODEL = 1
    CLIP = 2
    RUN = 3
    CONTROLLER = 4


class Joint(IntEnum):
    FREE = 1
    BALL = 2
    HINGE = 3
    SLIDE = 4  # the angle of its quaternion, rad, is its way along the axis, m


class EventKind(IntEnum):
    """Kinds of events; 0: a kind of a newer daemon."""

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
    STEPPER_REMOVED = 15
    ARRIVED = 16
    BLOCKED = 17
    SCORED = 18
    HOLD_BROKEN = 19
    RECORDING_ENDED = 60
    DIVERGED = 61
    SOUGHT = 62

    @classmethod
    def _missing_(cls, value: object) -> "EventKind":
        return cls.UNKNOWN


def _vector(message: Any) -> Vector:
    return tuple(getattr(message, name.name) for name in message.DESCRIPTOR.fields)


def read_as(read: Callable[[Any], Any]) -> Any:
    """A field that is read from its message by `read`."""
    return field(metadata={"read": read})


def read_each(cls: Type[Any]) -> Any:
    return read_as(lambda messages: tuple(read(cls, message) for message in messages))


@lru_cache(maxsize=None)
def _plan(cls: Type[Any]) -> Tuple[Tuple[str, Callable[[Any], Any]], ...]:
    """Name and reader of each field of a dataclass."""
    return tuple((each.name, each.metadata.get("read", lambda plain: plain)) for each in fields(cls))


def read(cls: Type[T], message: Any) -> T:
    """Makes a dataclass of this module from the message with the same fields."""
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
    role: int  # 1 spectator, 2 player, 3 director, 4 admin
    scram_final: str = ""  # with a key: the daemon's proof that it knows the key
    instance_id: int = 0  # random, of this run of the daemon; 0: an older daemon
    subscriptions_max: int = 0  # of all sessions of the key together; 0: no limit, or an older daemon


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
    joint: Joint = read_as(Joint)
    pos: Vector = read_as(_vector)
    rot: Vector = read_as(_vector)
    anchor: Vector = read_as(_vector)
    com: Vector = read_as(_vector)
    axis: Vector = read_as(_vector)  # of a hinge or a slide
    mass_kg: float = 0.0
    torque_limit_nm: float = 0.0


@dataclass(frozen=True)
class ModelDetail(Model):
    hash: int
    mass_kg: float
    height_m: float
    bodies: Tuple[Body, ...] = read_each(Body)
    gain_sets: Tuple[str, ...] = read_as(tuple)
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
    iteration: Tuple[int, ...] = read_as(tuple)
    value: Tuple[float, ...] = read_as(tuple)


@dataclass(frozen=True)
class RunDetail(Run):
    parameters: str
    parents: Tuple[str, ...] = read_as(tuple)
    metrics: Tuple[Metric, ...] = read_each(Metric)


@dataclass(frozen=True)
class Training:
    """A training that the daemon makes, or made."""

    name: str
    clip: str
    effort: str
    seed: int
    detail: str  # printed last; of a failure the reason
    started_unix_ns: int
    ended_unix_ns: int
    controller: str  # its name in the catalogue; "": not there
    share: float
    state: TrainingState = read_as(TrainingState)
    metrics: Tuple[Metric, ...] = read_each(Metric)


@dataclass(frozen=True)
class TrainingList:
    limit: int  # at the same time; 0: this daemon makes none
    trainings: Tuple[Training, ...] = read_each(Training)
    clips: Tuple[str, ...] = read_as(tuple)


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
    kind: str
    section: str
    purpose: str


@dataclass(frozen=True)
class Fragment:
    """A summary of a control fragment, without its coefficients."""

    steps: int
    duration_s: float
    digest: str
    feedback_norm: float
    offset_norm_rad: float
    sigma_norm_rad: float
    start_height_m: float
    start_speed_m_s: float


@dataclass(frozen=True)
class Skill:
    """A skill of a controller, and how far it can be steered."""

    name: str
    first_fragment: int
    fragment_count: int
    cyclic: bool
    mirrored: bool
    turn_rad: float  # heading gained from start to end, or in a cycle
    speed_m_s: float  # unsteered; 0: cannot be steered
    turn_rad_s: float  # at full helm; 0: cannot turn
    faster_m_s: float
    slower_m_s: float
    on_request: bool  # a steering target may name it
    tags: str  # words between spaces, by which it may be asked for too
    summary: str


@dataclass(frozen=True)
class SkillEdge:
    """A transition: from the end of one fragment to the start of another."""

    from_fragment: int
    to_fragment: int
    flips: bool


@dataclass(frozen=True)
class MapPoint:
    """A point of the space that a puppet moves in, a frame of its clips; points in a row are a line."""

    begins: bool  # a line begins here
    mirrored: bool  # of the mirror image of a clip
    at: Vector = read_as(_vector)  # in the principal axes of the space


@dataclass(frozen=True)
class ControllerParameter:
    """A parameter that users can set while the controller drives a character (requests.set_parameters)."""

    name: str
    unit: str
    meaning: str
    low: float
    high: float
    initial: float
    count: int


@dataclass(frozen=True)
class Geom:
    """A shape of an object: kind of `GeomKind`, in the object's frame."""

    kind: int
    size: Vector = read_as(_vector)
    pos: Vector = read_as(_vector)
    rot: Vector = read_as(_vector)
    friction: float = 0.0


@dataclass(frozen=True)
class RigObject:
    """An object that characters bring with them when they are spawned with a controller."""

    name: str
    mass: float
    density: float
    geoms: Tuple[Geom, ...] = read_each(Geom)
    pos: Vector = read_as(_vector)
    rot: Vector = read_as(_vector)


@dataclass(frozen=True)
class RigPin:
    """Holds an object of a rig to another one or to the character; `break_n` 0: it never breaks."""

    kind: str
    first: str
    second: str
    break_n: float


@dataclass(frozen=True)
class Reach:
    """What may be asked of a controller's characters, besides the skills on request."""

    heading: bool = False
    place: bool = False
    slowest_m_s: float = 0.0
    fastest_m_s: float = 0.0  # 0: no speed
    kinematic: bool = False  # forces do not move them


@dataclass(frozen=True)
class ControllerDetail(Controller):
    hash: int
    fragments: Tuple[Fragment, ...] = read_each(Fragment)
    action_joints: Tuple[str, ...] = read_as(tuple)
    skills: Tuple[Skill, ...] = read_each(Skill)
    edges: Tuple[SkillEdge, ...] = read_each(SkillEdge)
    parameters: Tuple[ControllerParameter, ...] = read_each(ControllerParameter)
    rig: Tuple[RigObject, ...] = read_each(RigObject)
    rig_pins: Tuple[RigPin, ...] = read_each(RigPin)
    map: Tuple[MapPoint, ...] = read_each(MapPoint)  # of a puppet
    reach: Reach = read_as(lambda message: read(Reach, message))
    action_size: int = 0
    entry_count: int = 0
    recovers: bool = False


@dataclass(frozen=True)
class Ancestor:
    """An item that a controller or a run was made from, `depth` steps back."""

    kind: Noun = read_as(Noun)
    name: str = ""
    depth: int = 0
    detail: str = ""


@dataclass(frozen=True)
class Figure:
    """A measured quantity, unit last ("joint_error_rad"), of an item ("lshank"; empty: of the whole)."""

    quantity: str
    item: str
    value: float


@dataclass(frozen=True)
class Pushes:
    """Pushes in one direction (a part of the turn, to the left from the heading), by force."""

    direction: int
    force_n: Tuple[float, ...] = read_as(tuple)
    trials: Tuple[int, ...] = read_as(tuple)
    survived: Tuple[int, ...] = read_as(tuple)


@dataclass(frozen=True)
class Certificate:
    """What a controller was shown to hold and survive; figures of different methods must not be compared."""

    controller: str
    digest: str
    method: int
    command: str
    seed: int
    threads: int
    code_version: str
    host: str
    started_unix_ns: int
    ended_unix_ns: int
    figures: Tuple[Figure, ...] = read_each(Figure)
    pushes: Tuple[Pushes, ...] = read_each(Pushes)
    skill: str = ""

    def figure(self, quantity: str, item: str = "") -> float:
        """The value of a quantity; KeyError: it was not measured."""
        for figure in self.figures:
            if (figure.quantity, figure.item) == (quantity, item):
                return figure.value
        raise KeyError((quantity, item))


# --- worlds ---


@dataclass(frozen=True)
class Lateness:
    """How far the ticks of a real-time world were behind their deadlines, since its creation; zeros in other modes.

    count[i] ticks were at most bound_s[i] late, and later than bound_s[i - 1]; the last bucket has no bound.
    """

    ticks: int
    p50_s: float
    p99_s: float
    max_s: float
    bound_s: Tuple[float, ...] = read_as(tuple)
    count: Tuple[int, ...] = read_as(tuple)


@dataclass(frozen=True)
class World:
    id: int
    name: str
    seed: int
    step_s: float
    mode: Mode = read_as(Mode)
    fault_rule: FaultRule = read_as(lambda rule: FaultRule(rule or FaultRule.RESET))
    lateness: Lateness = read_as(lambda message: read(Lateness, message))
    owner_leaves: OwnerLeaves = read_as(lambda leaves: OwnerLeaves(leaves or OwnerLeaves.KEEP))
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
    recorded_as: str = ""
    replay_of: str = ""
    lease_s: float = 0.0
    step_timeout_s: float = 0.0
    moved_from: str = ""
    arriving: bool = False
    processor_s: float = 0.0
    over_budget: bool = False
    contacts_dropped: int = 0
    searches_cut: int = 0
    look_ahead: bool = False


@dataclass(frozen=True)
class RefusedOrders:
    """Refused orders of an advance: their number, the index of the first, and its reason."""

    count: int
    order: int
    code: int
    message: str


@dataclass(frozen=True)
class Applied:
    """The effect of a command, and its tick."""

    tick: int
    entity: int
    hash: int
    data: bytes
    order: int
    state: Any = None  # of an advance: WorldState
    refused: Optional[RefusedOrders] = None  # of an advance, when orders were
    scenery: int = 0  # of add_scenery: its id
    moved_from: str = ""  # of a snapshot with hold: names the hold
    paused: bool = False  # of a snapshot with hold: the world was paused before

    @classmethod
    def of(cls, message: Any) -> "Applied":
        """As `read`, for the answer that is read most often."""
        return cls(
            message.tick, message.entity, message.hash, message.data, message.order, scenery=message.scenery,
            moved_from=message.moved_from, paused=message.paused,
        )

    @classmethod
    def of_advance(cls, message: Any) -> "Applied":
        refused = read(RefusedOrders, message.refused) if message.HasField("refused") else None
        return cls(message.tick, 0, 0, b"", 0, message.state, refused)


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
    command: bytes = b""  # with INPUTS: the Command

    @classmethod
    def of(cls, world: int, message: Any) -> "Event":
        values = {each.name: getattr(message, each.name) for each in fields(cls) if each.name not in ("kind", "world")}
        return cls(kind=EventKind(message.kind), world=world, **values)


def row_reader(cls: Type[T]) -> Callable[[Any], T]:
    return lambda message: read(cls, message)


def page_reader(cls: Type[T], rows: str) -> Callable[[Any], Page[T]]:
    """Reads the list message whose repeated field is `rows`."""
    return lambda message: Page(tuple(read(cls, row) for row in getattr(message, rows)), message.next_page_token)


# --- recordings ---


@dataclass(frozen=True)
class Recording:
    name: str
    world: str
    daemon_version: str
    created_unix_s: int
    size_bytes: int
    step_s: float
    length: int
    code: int
    message: str
    state: RecordingState = read_as(lambda state: RecordingState(state or RecordingState.CUT))


@dataclass(frozen=True)
class RecordingPart:
    data: bytes
    size_bytes: int


@dataclass(frozen=True)
class Divergence:
    """The first difference of a replay; entity 0: unknown. same_at: the last position where the whole state was
    equal. body_at: the position where bodies were compared, `position` or later."""

    position: int
    tick: int
    entity: int
    label: str
    body: int
    body_name: str
    what: str
    same_at: int
    body_at: int


@dataclass(frozen=True)
class ReplayEvent:
    """An event of a recording at its position; `event` is the schema's message."""

    position: int
    event: Any


@dataclass(frozen=True)
class ReplayInfo:
    position: int
    length: int
    first_tick: int
    loop: bool
    working: bool
    verified: bool
    whole: bool
    events_left_out: int
    recording: Recording = read_as(lambda message: read(Recording, message))
    divergence: Divergence = read_as(lambda message: read(Divergence, message))
    events: Tuple[ReplayEvent, ...] = read_each(ReplayEvent)

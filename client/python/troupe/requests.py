"""All requests to the daemon: one function per request, named as in proto/troupe/*.proto.

Each makes a Request, which a client sends: `client.ask(requests.step(world, 10))` blocks,
`await client.ask(requests.step(world, 10))` does not, and both return the type that the function names. The .proto
files have units, limits and meanings; arguments left out take the daemon's default.

Commands (requests that change a world) take `at_tick`: the tick before which to apply, 0 for as soon as possible.
"""

from __future__ import annotations

import struct
from typing import Any, Callable, Mapping, Optional, Sequence, TypeVar

from troupe import (
    catalogue_pb2,
    character_pb2,
    command_pb2,
    envelope_pb2,
    geometry_pb2,
    match_pb2,
    object_pb2,
    recording_pb2,
    session_pb2,
    state_pb2,
    training_pb2,
    world_pb2,
)
from troupe import matches, replies
from troupe.replies import Applied, FaultRule, Mode, Noun, OwnerLeaves, Page
from troupe.wire import PROTOCOL_MAJOR, PROTOCOL_MINOR, Command, Request, varint

T = TypeVar("T")

# Bits of the fields of a state.
JOINTS = 1  # joint_rot
VELOCITIES = 2  # root_vel, root_omega, joint_rate; vel and omega of objects
BODIES = 4  # body_pos, body_rot
OBJECTS = 8
CONTACTS = 16
HASH = 32
SHAPES = 64  # shapes of objects, scenery
TORQUES = 512  # joint_torque
GROUND = 32768  # ground
HEIGHT = 65536  # the first value of ground alone
COMPACT = 16384  # of characters the pose within 1 cm and conditions alone, in some 60 bytes; poses.unpack unpacks it
SURFACES = 1024  # with SHAPES: the data of height fields and meshes; get_state alone
BRIEF = 2048  # no characters
INPUTS = 4096  # events of commands that changed the world, with the commands (troupe.mirror)
SNAPSHOT = 8192  # the stage, all of its future; get_state alone


def _request(result: str, read: Callable[[Any], T], **request: Any) -> Request[T]:
    """A request whose answer is the field `result` of Response."""
    body = envelope_pb2.ClientMessage(**request).SerializeToString()
    return Request(body, lambda response: read(getattr(response, result)))


def _done(**request: Any) -> Request[None]:
    return Request(envelope_pb2.ClientMessage(**request).SerializeToString(), lambda response: None)


def _field(number: int, content: bytes) -> bytes:
    """A field with a message or bytes, as protobuf writes it."""
    return varint(number << 3 | 2) + varint(len(content)) + content


def _number(number: int, value: int) -> bytes:
    """A field with a whole number; empty for 0."""
    return varint(number << 3) + varint(value & 0xFFFFFFFFFFFFFFFF) if value else b""


def _applied(response: envelope_pb2.Response) -> Applied:
    return Applied.of(response.command)


def _command_of(world: int, at_tick: int, order: bytes, read: Callable[[Any], T]) -> Command[T]:
    """ClientMessage.command, encoded by hand for speed: environments send it at every step."""
    return Command(_field(2, _number(1, world) + _number(2, at_tick) + order), read, order)


def _command(world: int, at_tick: int, **command: Any) -> Command[Applied]:
    return _command_of(world, at_tick, command_pb2.Command(**command).SerializeToString(), _applied)


def vec3(value: Sequence[float]) -> geometry_pb2.Vec3:
    """(x, y, z) as the schema writes it."""
    x, y, z = value
    return geometry_pb2.Vec3(x=x, y=y, z=z)


def quat(value: Sequence[float]) -> geometry_pb2.Quat:
    """(w, x, y, z) as the schema writes it."""
    w, x, y, z = value
    return geometry_pb2.Quat(w=w, x=x, y=y, z=z)


def _optional(make: Callable[[Sequence[float]], T], value: Optional[Sequence[float]]) -> Optional[T]:
    return None if value is None else make(value)


def _on_ground(value: Sequence[float]) -> geometry_pb2.Vec3:
    x, y = value[:2]
    return geometry_pb2.Vec3(x=x, y=y)


# --- session ---


def _hello(client_name: str, client_version: str, scram_first: str) -> session_pb2.Hello:
    return session_pb2.Hello(
        protocol_major=PROTOCOL_MAJOR,
        protocol_minor=PROTOCOL_MINOR,
        client_name=client_name,
        client_version=client_version,
        scram_first=scram_first,
    )


def hello(client_name: str, client_version: str = "") -> Request[replies.Welcome]:
    """The handshake without a key; clients send it when they connect."""
    message = _hello(client_name, client_version, "")
    return _request("hello", replies.row_reader(replies.Welcome), hello=message)


def hello_with_key(client_name: str, scram_first: str, client_version: str = "") -> Request[str]:
    """The handshake with a key, troupe.keys.Login; pass the answer to `Login.final`."""
    message = _hello(client_name, client_version, scram_first)
    return _request("login_challenge", lambda challenge: str(challenge.scram_first), hello=message)


def authenticate(scram_final: str) -> Request[replies.Welcome]:
    """Ends the handshake with a key."""
    message = session_pb2.Authenticate(scram_final=scram_final)
    return _request("hello", replies.row_reader(replies.Welcome), authenticate=message)


def ping(payload: bytes = b"") -> Request[replies.Pong]:
    return _request("pong", replies.row_reader(replies.Pong), ping=session_pb2.Ping(payload=payload))


# --- catalogue ---


def _page(size: int, token: str) -> catalogue_pb2.Page:
    return catalogue_pb2.Page(size=size, token=token)


def list_models(prefix: str = "", size: int = 0, token: str = "") -> Request[Page[replies.Model]]:
    message = catalogue_pb2.ListModels(page=_page(size, token), prefix=prefix)
    return _request("model_list", replies.page_reader(replies.Model, "models"), list_models=message)


def list_clips(
    prefix: str = "", skeleton: str = "", size: int = 0, token: str = ""
) -> Request[Page[replies.Clip]]:
    message = catalogue_pb2.ListClips(page=_page(size, token), prefix=prefix, skeleton=skeleton)
    return _request("clip_list", replies.page_reader(replies.Clip, "clips"), list_clips=message)


def list_runs(prefix: str = "", size: int = 0, token: str = "") -> Request[Page[replies.Run]]:
    message = catalogue_pb2.ListRuns(page=_page(size, token), prefix=prefix)
    return _request("run_list", replies.page_reader(replies.Run, "runs"), list_runs=message)


def list_controllers(
    prefix: str = "", skill: str = "", model: str = "", size: int = 0, token: str = ""
) -> Request[Page[replies.Controller]]:
    message = catalogue_pb2.ListControllers(page=_page(size, token), prefix=prefix, skill=skill, model=model)
    read = replies.page_reader(replies.Controller, "controllers")
    return _request("controller_list", read, list_controllers=message)


def add_bundle(offset: int, data: bytes, last: bool) -> Request[Page[replies.Controller]]:
    """Sends at most 1 MiB of a bundle, in order from 0; the reply to the last part lists its controllers, to others it is
    empty."""
    read = replies.page_reader(replies.Controller, "controllers")
    return _request("controller_list", read, add_bundle=catalogue_pb2.AddBundle(offset=offset, data=data, last=last))


def get_model(name: str) -> Request[replies.ModelDetail]:
    return _request("model", replies.row_reader(replies.ModelDetail), get_model=dict(name=name))


def get_clip(name: str) -> Request[replies.Clip]:
    return _request("clip", replies.row_reader(replies.Clip), get_clip=dict(name=name))


def get_run(name: str) -> Request[replies.RunDetail]:
    return _request("run", replies.row_reader(replies.RunDetail), get_run=dict(name=name))


def get_controller(name: str, skill: str = "") -> Request[replies.ControllerDetail]:
    """skill: lists only the skills of this name or with this tag."""
    return _request("controller", replies.row_reader(replies.ControllerDetail), get_controller=dict(name=name, skill=skill))


def get_lineage(kind: Noun, name: str) -> Request[tuple[replies.Ancestor, ...]]:
    """Everything that a controller or a run was made from, itself first."""

    def read(lineage: catalogue_pb2.Lineage) -> tuple[replies.Ancestor, ...]:
        return tuple(replies.read(replies.Ancestor, node) for node in lineage.nodes)

    return _request("lineage", read, get_lineage=dict(kind=int(kind), name=name))


def get_certificate(controller: str, back: int = 0, skill: str = "") -> Request[replies.Certificate]:
    """A controller's certificate: what it was shown to hold and survive; back: 0 the newest, 1 the one before. skill: trials
    began in this skill of a graph; "*": random walks over all its skills."""
    message = dict(controller=controller, back=back, skill=skill)
    return _request("certificate", replies.row_reader(replies.Certificate), get_certificate=message)


# --- worlds ---


def create_world(
    name: str,
    mode: Mode = Mode.REAL_TIME,
    *,
    seed: int = 0,
    step_s: Optional[float] = None,
    rate: Optional[float] = None,
    steppers: int = 0,
    paused: bool = False,
    fault_rule: FaultRule = FaultRule.RESET,
    scene: Optional[world_pb2.Scene] = None,
    owner_leaves: OwnerLeaves = OwnerLeaves.KEEP,
    lease_s: float = 0.0,
    step_timeout_s: float = 0.0,
    look_ahead: bool = False,
) -> Request[replies.World]:
    """Makes a world, whose owner is this client: `owner_leaves` says what happens to it when the session ends. In a
    stepped world a stepper that holds up others for `step_timeout_s` is removed; 0: never. With
    `look_ahead` steered characters stop before walls and edges, and pass each other."""
    message = world_pb2.CreateWorld(
        name=name,
        mode=world_pb2.WorldMode.Name(int(mode)),
        seed=seed,
        step_s=step_s,
        rate=rate,
        steppers=steppers,
        paused=paused,
        fault_rule=world_pb2.FaultRule.Name(int(fault_rule)),
        scene=scene,
        owner_leaves=world_pb2.OwnerLeaves.Name(int(owner_leaves)),
        lease_s=lease_s,
        step_timeout_s=step_timeout_s,
        look_ahead=look_ahead,
    )
    return _request("world", replies.row_reader(replies.World), create_world=message)


def claim_world(
    world: int, owner_leaves: OwnerLeaves = OwnerLeaves.KEEP, lease_s: float = 0.0
) -> Request[replies.World]:
    """Makes this client the owner of a world, which must not belong to a match."""
    message = world_pb2.ClaimWorld(
        world=world, owner_leaves=world_pb2.OwnerLeaves.Name(int(owner_leaves)), lease_s=lease_s
    )
    return _request("world", replies.row_reader(replies.World), claim_world=message)


def list_worlds() -> Request[tuple[replies.World, ...]]:
    def read(worlds: world_pb2.WorldList) -> tuple[replies.World, ...]:
        return tuple(replies.read(replies.World, row) for row in worlds.worlds)

    return _request("world_list", read, list_worlds={})


def get_world(world: int) -> Request[replies.World]:
    return _request("world", replies.row_reader(replies.World), get_world=dict(world=world))


def destroy_world(world: int) -> Request[None]:
    return _done(destroy_world=dict(world=world))


def subscribe(
    world: int, rate_hz: float = 0.0, fields: int = 0, events: bool = False
) -> Request[replies.Subscription]:
    """Subscribes to states at `rate_hz` of the world's time (0: none), with the given bits of fields, and to events."""
    message = state_pb2.Subscribe(world=world, rate_hz=rate_hz, fields=fields, events=events)
    return _request("subscribe", replies.row_reader(replies.Subscription), subscribe=message)


def unsubscribe(world: int) -> Request[None]:
    return _done(unsubscribe=dict(world=world))


def get_state(world: int, fields: int = 0) -> Request[state_pb2.WorldState]:
    """The present state, without waiting for earlier commands."""
    def read(state: state_pb2.WorldState) -> state_pb2.WorldState:
        return state

    return _request("state", read, get_state=dict(world=world, fields=fields))


# --- commands: characters and objects ---


def spawn_character(
    world: int,
    controller: str = "",
    *,
    model: str = "",
    pos: Sequence[float] = (0.0, 0.0, 0.0),
    heading_rad: float = 0.0,
    fragment: int = 0,
    label: str = "",
    at_tick: int = 0,
) -> Command[Applied]:
    """The new character is the reply's `entity`."""
    message = character_pb2.SpawnCharacter(
        model=model, controller=controller, pos=vec3(pos), heading_rad=heading_rad, fragment=fragment, label=label
    )
    return _command(world, at_tick, spawn_character=message)


def sphere(radius: float, friction: float = 1.0, pos: Sequence[float] = (0.0, 0.0, 0.0)) -> geometry_pb2.Geom:
    return geometry_pb2.Geom(
        kind=geometry_pb2.GEOM_KIND_SPHERE, size=vec3((radius, 0, 0)), pos=vec3(pos), friction=friction
    )


def box(
    half_extents: Sequence[float], friction: float = 1.0, pos: Sequence[float] = (0.0, 0.0, 0.0)
) -> geometry_pb2.Geom:
    return geometry_pb2.Geom(
        kind=geometry_pb2.GEOM_KIND_BOX, size=vec3(half_extents), pos=vec3(pos), friction=friction
    )


def capsule(
    radius: float, half_length: float, friction: float = 1.0, pos: Sequence[float] = (0.0, 0.0, 0.0)
) -> geometry_pb2.Geom:
    return geometry_pb2.Geom(
        kind=geometry_pb2.GEOM_KIND_CAPSULE, size=vec3((radius, half_length, 0)), pos=vec3(pos), friction=friction
    )


def cylinder(
    radius: float, half_length: float, friction: float = 1.0, pos: Sequence[float] = (0.0, 0.0, 0.0)
) -> geometry_pb2.Geom:
    return geometry_pb2.Geom(
        kind=geometry_pb2.GEOM_KIND_CYLINDER, size=vec3((radius, half_length, 0)), pos=vec3(pos), friction=friction
    )


def spawn_object(
    world: int,
    geoms: Sequence[geometry_pb2.Geom],
    *,
    name: str = "",
    mass: Optional[float] = None,
    density: Optional[float] = None,
    pos: Sequence[float] = (0.0, 0.0, 0.0),
    rot: Optional[Sequence[float]] = None,
    vel: Sequence[float] = (0.0, 0.0, 0.0),
    omega: Sequence[float] = (0.0, 0.0, 0.0),
    kinematic: bool = False,
    travel: Optional[object_pb2.Travel] = None,
    at_tick: int = 0,
) -> Command[Applied]:
    """The new object is the reply's `entity`; with a velocity it is thrown as it appears. A kinematic one is a platform:
    it keeps its velocity or makes its `travel`, and nothing moves it."""
    message = object_pb2.SpawnObject(
        name=name,
        geoms=geoms,
        mass=mass,
        density=density,
        pos=vec3(pos),
        rot=_optional(quat, rot),
        vel=vec3(vel),
        omega=vec3(omega),
        kinematic=kinematic,
        travel=travel,
    )
    return _command(world, at_tick, spawn_object=message)


def travel(pos: Sequence[float], duration_s: float, shuttle: bool = False) -> object_pb2.Travel:
    """A straight way of a kinematic object, with a gentle start and stop; a shuttle returns, and so on."""
    return object_pb2.Travel(pos=vec3(pos), duration_s=duration_s, shuttle=shuttle)


def carry(
    world: int, entity: int, pos: Sequence[float], duration_s: float, *, shuttle: bool = False, at_tick: int = 0
) -> Command[Applied]:
    """Carries a kinematic object from where it is to `pos`, the place of its centre of mass."""
    message = object_pb2.Carry(entity=entity, travel=travel(pos, duration_s, shuttle))
    return _command(world, at_tick, carry=message)


# --- commands: scenery ---


def scenery(
    *,
    pos: Sequence[float] = (0.0, 0.0, 0.0),
    rot: Optional[Sequence[float]] = None,
    friction: float = 1.0,
    size: Optional[Sequence[float]] = None,
    patch: bool = False,
) -> world_pb2.Scenery:
    """A box of these half extents, or a patch of ground with another friction; also for the scene of a world."""
    return world_pb2.Scenery(
        pos=vec3(pos), rot=_optional(quat, rot), friction=friction, size=_optional(vec3, size), patch=patch
    )


def height_field(
    heights: Sequence[Sequence[float]], spacing_m: float, pos: Sequence[float] = (0.0, 0.0, 0.0), friction: float = 1.0
) -> world_pb2.Scenery:
    """Rows of heights in metres, from the smallest y up; each row from the smallest x up. Its middle is at `pos`."""
    made = scenery(pos=pos, friction=friction)
    field = made.height_field
    field.rows, field.columns, field.spacing_m = len(heights), len(heights[0]), spacing_m
    for row in heights:
        field.heights.extend(row)
    return made


def mesh(
    vertices: Sequence[Sequence[float]],
    triangles: Sequence[Sequence[int]],
    pos: Sequence[float] = (0.0, 0.0, 0.0),
    friction: float = 1.0,
) -> world_pb2.Scenery:
    """Triangles by the indices of their vertices, counter-clockwise as seen from outside."""
    made = scenery(pos=pos, friction=friction)
    for vertex in vertices:
        made.mesh.vertices.extend(vertex)
    for triangle in triangles:
        made.mesh.indices.extend(triangle)
    return made


def add_scenery(world: int, scenery: world_pb2.Scenery, *, at_tick: int = 0) -> Command[Applied]:
    """The reply's `scenery` is the id of the piece."""
    return _command(world, at_tick, add_scenery=world_pb2.AddScenery(scenery=scenery))


def remove_scenery(world: int, scenery: int, *, at_tick: int = 0) -> Command[Applied]:
    return _command(world, at_tick, remove_scenery=world_pb2.RemoveScenery(scenery=scenery))


# --- commands: more about characters and objects ---


def despawn(world: int, entity: int, *, at_tick: int = 0) -> Command[Applied]:
    return _command(world, at_tick, despawn=dict(entity=entity))


def set_controller(world: int, entity: int, controller: str, *, at_tick: int = 0) -> Command[Applied]:
    """Takes effect at the end of the current fragment."""
    return _command(world, at_tick, set_controller=dict(entity=entity, controller=controller))


def set_fragment(
    world: int, entity: int, fragment: int, *, mirrored: bool = False, at_tick: int = 0
) -> Command[Applied]:
    """Chooses the fragment that begins at the end of the current one; mirrored: in the other half."""
    return _command(world, at_tick, set_fragment=dict(entity=entity, fragment=fragment, mirrored=mirrored))


def set_limp(world: int, entity: int, limp: bool = True, *, at_tick: int = 0) -> Command[Applied]:
    return _command(world, at_tick, set_limp=dict(entity=entity, limp=limp))


def set_offset(world: int, entity: int, offset: Sequence[float], *, at_tick: int = 0) -> Command[Applied]:
    """Sets the offset added to every action of the policy: [action_size], rad; empty for none."""
    message = _number(1, entity) + _field(2, struct.pack(f"<{len(offset)}d", *offset))
    return _command_of(world, at_tick, _field(15, message), _applied)


def set_parameters(
    world: int, entity: int, parameters: Mapping[str, float | Sequence[float]], *, at_tick: int = 0
) -> Command[Applied]:
    """Sets parameters of the character's controller, by name, as get_controller lists them; an empty sequence: the
    initial value. Either all are set or none."""
    rows = [
        dict(name=name, values=[values] if isinstance(values, (int, float)) else list(values))
        for name, values in parameters.items()
    ]
    return _command(world, at_tick, set_parameters=dict(entity=entity, parameters=rows))


def steer(
    world: int,
    entity: int,
    *,
    heading_rad: float | None = None,
    target: Sequence[float] | None = None,
    toward: int | None = None,
    speed: float = 0.0,
    skill: str = "",
    radius: float = 0.0,
    facing_rad: float | None = None,
    at_tick: int = 0,
) -> Command[Applied]:
    """Says where a character goes: along a heading, to a point (x, y) or after another character, where it stops within
    `radius` m (0: 0.3), in the heading `facing_rad`. Without any of them, and without speed and skill: it stops, and stands."""
    aims = dict(heading_rad=heading_rad, target=_optional(_on_ground, target), toward=toward)
    given = {name: value for name, value in aims.items() if value is not None}
    if len(given) > 1:
        raise ValueError("steer: expected one of heading_rad, target, toward")
    if facing_rad is not None:
        given.update(faces=True, facing_rad=facing_rad)
    return _command(world, at_tick, steer=dict(entity=entity, speed=speed, skill=skill, radius=radius, **given))


def push(
    world: int,
    entity: int,
    force: Sequence[float],
    duration_s: float,
    *,
    body: str = "",
    point: Optional[Sequence[float]] = None,
    at_tick: int = 0,
) -> Command[Applied]:
    """Applies a force in the world's frame, N, to a body (default: the trunk)."""
    message = character_pb2.Push(
        entity=entity, body=body, point=_optional(vec3, point), force=vec3(force), duration_s=duration_s
    )
    return _command(world, at_tick, push=message)


def hold(
    world: int,
    entity: int,
    object: int,
    *,
    body: str = "",
    break_n: float = 0,
    off: bool = False,
    at_tick: int = 0,
) -> Command[Applied]:
    """A body (default: the right hand) takes an object within 0.15 m, or lets it go."""
    message = object_pb2.Hold(entity=entity, object=object, body=body, break_n=break_n, off=off)
    return _command(world, at_tick, hold=message)


def throw(
    world: int,
    entity: int,
    vel: Sequence[float],
    *,
    pos: Optional[Sequence[float]] = None,
    omega: Sequence[float] = (0.0, 0.0, 0.0),
    at_tick: int = 0,
) -> Command[Applied]:
    message = object_pb2.Throw(entity=entity, pos=_optional(vec3, pos), vel=vec3(vel), omega=vec3(omega))
    return _command(world, at_tick, throw=message)


# --- commands: time ---


def pause(world: int, *, at_tick: int = 0) -> Command[Applied]:
    return _command(world, at_tick, pause={})


def resume(world: int, *, at_tick: int = 0) -> Command[Applied]:
    return _command(world, at_tick, resume={})


def set_rate(world: int, rate: float, *, at_tick: int = 0) -> Command[Applied]:
    return _command(world, at_tick, set_rate=dict(rate=rate))


def join(world: int, order: int = 0) -> Command[Applied]:
    """Makes this client a stepper; the reply's `order` is its order number."""
    return _command(world, 0, join=dict(order=order))


def leave(world: int) -> Command[Applied]:
    return _command(world, 0, leave={})


def remove_stepper(world: int, order: int = 0) -> Command[Applied]:
    """Removes a stepper, so that it no longer holds up the world; order 0: the one that the world waits for. The
    reply's `order` is its number. For directors."""
    return _command(world, 0, remove_stepper=dict(order=order))


def step(world: int, count: int = 1) -> Command[Applied]:
    """Answered when the world has moved by `count` ticks; the reply has the tick and the hash of the state."""
    return _command(world, 0, step=dict(count=count))


def advance(
    world: int, count: int = 1, orders: Sequence[Command[Applied]] = (), fields: int = 0
) -> Command[Applied]:
    """In a stepped world: orders, then `count` ticks, answered with the state after them (bits of `fields`): one
    round trip. orders: commands about characters and objects of this world, made by push, steer, set_offset and so
    on; their `at_tick` is ignored. The reply has `state`, and `refused` if orders were refused."""
    message = varint(1 << 3) + varint(count) + b"".join([_field(2, each.order) for each in orders]) + _number(3, fields)
    return _command_of(world, 0, _field(45, message), lambda response: Applied.of_advance(response.command))


def mark(world: int, *, at_tick: int = 0) -> Command[Applied]:
    return _command(world, at_tick, mark={})


def reset(world: int, *, at_tick: int = 0) -> Command[Applied]:
    """Returns to the reset point; the reply has the tick returned to."""
    return _command(world, at_tick, reset={})


def snapshot(world: int, *, at_tick: int = 0) -> Command[Applied]:
    """The reply's `data` determines the future to the bit."""
    return _command(world, at_tick, snapshot={})


def restore(world: int, data: bytes, *, at_tick: int = 0) -> Command[Applied]:
    return _command(world, at_tick, restore=dict(data=data))


# --- recordings and replays ---


def start_recording(
    world: int, name: str, *, check_every: int = 0, key_every: int = 0, at_tick: int = 0
) -> Command[Applied]:
    recording = recording_pb2.StartRecording(name=name, check_every=check_every, key_every=key_every)
    return _command(world, at_tick, start_recording=recording)


def stop_recording(world: int, *, at_tick: int = 0) -> Command[Applied]:
    return _command(world, at_tick, stop_recording={})


def list_recordings(prefix: str = "", size: int = 0, token: str = "") -> Request[Page[replies.Recording]]:
    message = recording_pb2.ListRecordings(page=_page(size, token), prefix=prefix)
    read = replies.page_reader(replies.Recording, "recordings")
    return _request("recording_list", read, list_recordings=message)


def get_recording(name: str) -> Request[replies.Recording]:
    return _request("recording", replies.row_reader(replies.Recording), get_recording=dict(name=name))


def download_recording(name: str, offset: int = 0, size: int = 0) -> Request[replies.RecordingPart]:
    """Reads at most 1 MiB of the file; no data means its end."""
    message = recording_pb2.DownloadRecording(name=name, offset=offset, size=size)
    return _request("recording_part", replies.row_reader(replies.RecordingPart), download_recording=message)


def upload_recording(name: str, offset: int, data: bytes, last: bool) -> Request[replies.Recording]:
    """Sends at most 1 MiB of a file, in order from 0; the reply to the last part is the recording, to others it is
    empty."""
    message = recording_pb2.UploadRecording(name=name, offset=offset, data=data, last=last)
    return _request("recording", replies.row_reader(replies.Recording), upload_recording=message)


def delete_recording(name: str) -> Request[None]:
    return _done(delete_recording=dict(name=name))


def replay(
    recording: str, world: str, *, rate: Optional[float] = None, paused: bool = False, loop: bool = False
) -> Request[replies.World]:
    """Makes a world that replays a recording."""
    message = recording_pb2.Replay(recording=recording, world=world, rate=rate, paused=paused, loop=loop)
    return _request("world", replies.row_reader(replies.World), replay=message)


def get_replay(world: int) -> Request[replies.ReplayInfo]:
    return _request("replay_info", replies.row_reader(replies.ReplayInfo), get_replay=dict(world=world))


def seek(world: int, position: int) -> Command[Applied]:
    """Moves a replay to a position; answered when it has reached it."""
    return _command(world, 0, seek=dict(position=position))


def set_loop(world: int, loop: bool = True) -> Command[Applied]:
    return _command(world, 0, set_loop=dict(loop=loop))


def verify(world: int) -> Command[Applied]:
    """Verifies a replay from its start to its end; Refused with Code.DATA_LOSS says what differs."""
    return _command(world, 0, verify={})


# --- matches ---


def start_match(match: match_pb2.Match) -> Request[matches.MatchInfo]:
    """Starts a match, which continues to its end without this client; troupe.matches.match makes a description."""
    message = match_pb2.StartMatch(match=match)
    return _request("match", replies.row_reader(matches.MatchInfo), start_match=message)


def list_matches(running: bool = False, size: int = 0, token: str = "") -> Request[Page[matches.MatchInfo]]:
    """In the order in which they were started; running: only those that have not ended."""
    message = match_pb2.ListMatches(page=_page(size, token), running=running)
    return _request("match_list", replies.page_reader(matches.MatchInfo, "matches"), list_matches=message)


def get_match(name: str, size: int = 0, token: str = "") -> Request[matches.MatchDetail]:
    """Its statistics, and a page of its bouts."""
    message = match_pb2.GetMatch(name=name, page=_page(size, token))
    return _request("match_detail", replies.row_reader(matches.MatchDetail), get_match=message)


def list_bouts(name: str, size: int = 0, token: str = "") -> Request[Page[matches.Bout]]:
    """Only the bouts of a match: `client.rows(requests.list_bouts, name="duel")` lists all."""
    message = match_pb2.GetMatch(name=name, page=_page(size, token))
    return _request("match_detail", replies.page_reader(matches.Bout, "bouts"), get_match=message)


def watch_match(name: str) -> Request[matches.MatchInfo]:
    """Subscribes this session to a match's progress; `progress` of the clients sends this and yields the progress."""
    return _request("match", replies.row_reader(matches.MatchInfo), watch_match=dict(name=name))


def unwatch_match(name: str) -> Request[None]:
    return _done(unwatch_match=dict(name=name))


def cancel_match(name: str) -> Request[matches.MatchInfo]:
    return _request("match", replies.row_reader(matches.MatchInfo), cancel_match=dict(name=name))


def remove_match(name: str) -> Request[None]:
    """Removes a match that has ended, with all its bouts."""
    return _done(remove_match=dict(name=name))


def record_bout(match: str, position: int, recording: str) -> Request[replies.Recording]:
    """Fights a stored bout again and keeps it as a recording."""
    message = match_pb2.RecordBout(match=match, position=position, recording=recording)
    return _request("recording", replies.row_reader(replies.Recording), record_bout=message)


# --- trainings ---


def start_training(clip: str, name: str, effort: str = "", seed: int = 0) -> Request[replies.Training]:
    """Lets the daemon learn a controller from a clip of its folder; effort: quick, normal (the default) or thorough."""
    message = training_pb2.StartTraining(clip=clip, name=name, effort=effort, seed=seed)
    return _request("training", replies.row_reader(replies.Training), start_training=message)


def list_trainings() -> Request[replies.TrainingList]:
    """The trainings, the newest first, and the clips that may be learned from."""
    return _request("training_list", replies.row_reader(replies.TrainingList), list_trainings={})


def stop_training(name: str) -> Request[replies.Training]:
    """Ends a training after its round with its best controller; immediately if it was asked before."""
    return _request("training", replies.row_reader(replies.Training), stop_training=dict(name=name))

#!/usr/bin/python3
"""The protocol from PROTOCOL.md and the schema alone, in another language: python_wire.py HOST PORT.

Says hello, spawns a character into a stepped world, pushes it, and follows it by subscription. Shares no code with the
project: PYTHONPATH holds what protoc made of proto/troupe/*.proto, and Python's protobuf package does the rest. Exits with
a traceback when anything is not as the protocol says.
"""

import socket
import sys

from troupe import envelope_pb2, session_pb2, state_pb2, world_pb2


class Session:
    def __init__(self, host, port):
        self.stream = socket.create_connection((host, port), timeout=30).makefile("rwb")
        self.request_id = 0
        self.states, self.events = [], []

    def read_varint(self):
        value, shift = 0, 0
        while True:
            byte = self.stream.read(1)
            if not byte:
                raise ConnectionError("closed by the daemon")
            value |= (byte[0] & 0x7F) << shift
            if byte[0] < 0x80:
                return value
            shift += 7

    def send(self, **request):
        self.request_id += 1
        data = envelope_pb2.ClientMessage(request_id=self.request_id, **request).SerializeToString()
        length = len(data)
        while length > 0x7F:
            self.stream.write(bytes([length & 0x7F | 0x80]))
            length >>= 7
        self.stream.write(bytes([length]) + data)
        self.stream.flush()
        return self.request_id

    def receive(self):
        """The next message; states and events are kept."""
        message = envelope_pb2.ServerMessage.FromString(self.stream.read(self.read_varint()))
        if message.HasField("state"):
            self.states.append(message.state)
        self.events.extend(message.events.events)
        return message

    def ask(self, **request):
        request_id = self.send(**request)
        while True:
            response = self.receive().response
            if response.request_id == request_id:
                return response

    def ask_ok(self, **request):
        response = self.ask(**request)
        assert response.code == session_pb2.STATUS_CODE_OK, (response.code, response.message)
        return response


def check_handshake(session):
    welcome = session.ask_ok(hello=dict(protocol_major=1, client_name="python_wire")).hello
    assert (welcome.protocol_major, welcome.protocol_minor) == (1, 0)
    assert welcome.session_id > 0 and welcome.frame_max >= 1 << 20
    assert session.ask_ok(ping=dict(payload=b"\x00\xff")).pong.payload == b"\x00\xff"


def first_controller(session):
    controllers = session.ask_ok(list_controllers={}).controller_list.controllers
    assert controllers, "the catalogue holds no controller"
    return controllers[0]


def check_spawn(session, world, controller):
    spawned = session.ask_ok(command=dict(world=world, spawn_character=dict(controller=controller.name, label="one")))
    assert spawned.command.tick == 0 and spawned.command.entity > 0
    state = session.ask_ok(get_state=dict(world=world, fields=state_pb2.STATE_FIELD_JOINTS)).state
    model = session.ask_ok(get_model=dict(name=state.characters[0].model)).model
    assert model.mjcf.lstrip().startswith("<")
    assert len(state.characters[0].joint_rot) == 4 * len(model.bodies) == 4 * model.summary.body_count
    assert (state.characters[0].label, state.characters[0].controller) == ("one", controller.name)
    return spawned.command.entity


def check_push(session, world, entity):
    """A push sideways moves the character that way, and is reported as an event."""
    push = dict(entity=entity, force=dict(y=100.0), duration_s=0.2)
    request_id = session.send(command=dict(world=world, push=push))
    stepped = session.ask_ok(command=dict(world=world, step=dict(count=40))).command
    assert stepped.tick == 40 and stepped.hash != 0
    applied = [e for e in session.events if e.kind == state_pb2.EVENT_KIND_APPLIED and e.request_id == request_id]
    assert len(applied) == 1 and applied[0].tick == 0 and applied[0].text == "push", session.events
    state = session.ask_ok(get_state=dict(world=world, fields=state_pb2.STATE_FIELD_VELOCITIES)).state
    assert state.characters[0].root_vel[1] > 0.05, list(state.characters[0].root_vel)


def check_subscription(session, world):
    """Ten states a second of a world stepped for a second, each once, in order."""
    while len(session.states) < 5:
        stepped = session.ask_ok(command=dict(world=world, step=dict(count=20))).command
        while not session.states or session.states[-1].tick < stepped.tick:
            session.receive()
    ticks = [state.tick for state in session.states]
    assert ticks == sorted(set(ticks)), ticks
    assert all(tick % 20 == 0 for tick in ticks), ticks
    assert all(len(state.characters) == 1 for state in session.states)
    assert all(abs(state.time_s - state.tick * 0.005) < 1e-9 for state in session.states)


def main(host, port):
    session = Session(host, int(port))
    check_handshake(session)
    controller = first_controller(session)
    world = session.ask_ok(create_world=dict(name="python_wire", seed=1, mode=world_pb2.WORLD_MODE_STEPPED)).world.id
    entity = check_spawn(session, world, controller)
    subscribed = session.ask_ok(subscribe=dict(world=world, rate_hz=10, events=True)).subscribe
    assert subscribed.every_ticks == 20
    check_push(session, world, entity)
    check_subscription(session, world)
    refused = session.ask(command=dict(world=world, push=dict(entity=entity + 1000)))
    assert refused.code == session_pb2.STATUS_CODE_NOT_FOUND and refused.message
    session.ask_ok(destroy_world=dict(world=world))
    print(f"hello, spawn, push and subscription: good, {len(session.states)} states")


if __name__ == "__main__":
    main(*sys.argv[1:3])

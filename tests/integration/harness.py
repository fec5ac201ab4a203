"""The real daemon on a separate port, and a client on another stack, for the tests of this folder.

TROUPED, TROUPE_BUNDLE and PYTHONPATH (with the generated schema) come from CMake.
"""

import base64
import contextlib
import functools
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import unittest

from ports import quiet_port
from troupe import envelope_pb2, session_pb2, state_pb2, world_pb2

# A sanitizer keeps freed blocks for a while, which is no growth of the daemon's.
os.environ["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + ":quarantine_size_mb=1:thread_local_quarantine_size_kb=64"

# TROUPE_EMULATED: programs are another processor's (deploy/cross/build.sh).
SLOWNESS = 10 if os.environ.get("TROUPE_EMULATED") else 2 if os.environ.get("TROUPE_SLOW") else 1
START_TIMEOUT_S = 120.0 * SLOWNESS  # copies the shipped catalogue to a disk that others may use
TIMEOUT_S = 60.0 * SLOWNESS

OK = session_pb2.STATUS_CODE_OK
INVALID_ARGUMENT = session_pb2.STATUS_CODE_INVALID_ARGUMENT
DEADLINE_EXCEEDED = session_pb2.STATUS_CODE_DEADLINE_EXCEEDED
NOT_FOUND = session_pb2.STATUS_CODE_NOT_FOUND
ALREADY_EXISTS = session_pb2.STATUS_CODE_ALREADY_EXISTS
RESOURCE_EXHAUSTED = session_pb2.STATUS_CODE_RESOURCE_EXHAUSTED
FAILED_PRECONDITION = session_pb2.STATUS_CODE_FAILED_PRECONDITION
ABORTED = session_pb2.STATUS_CODE_ABORTED
OUT_OF_RANGE = session_pb2.STATUS_CODE_OUT_OF_RANGE
UNIMPLEMENTED = session_pb2.STATUS_CODE_UNIMPLEMENTED
UNAVAILABLE = session_pb2.STATUS_CODE_UNAVAILABLE

REAL_TIME = world_pb2.WORLD_MODE_REAL_TIME
STEPPED = world_pb2.WORLD_MODE_STEPPED
FAST = world_pb2.WORLD_MODE_FAST


@functools.lru_cache(None)
def sanitizer():
    """The one that the daemon was built with, "asan" or "tsan", by what it asks of it when it starts; "" without."""
    with open(os.environ["TROUPED"], "rb") as file:
        program = file.read()
    return next((name for name in ("asan", "tsan") if f"__{name}_init".encode() in program), "")


class Daemon:
    """trouped in a temporary directory; `with Daemon() as daemon:`. Leaving the block ends it and checks that it ended
    cleanly: exit status 0, within seconds, and without a report of a sanitizer."""

    def __init__(self, *options, bundle=True, shipped=False, state_dir=None, before=None):
        self.own_dir = tempfile.mkdtemp(prefix="troupe-test-")
        self.state_dir = state_dir or os.path.join(self.own_dir, "state")
        self.port_file = os.path.join(self.own_dir, "port")
        self.log_path = os.path.join(self.own_dir, "log")
        command = [os.environ["TROUPED"], "--listen", "127.0.0.1:0", "--port-file", self.port_file,
                   "--state-dir", self.state_dir, "--log-level", "debug"]
        self.web_port_file = os.path.join(self.own_dir, "web-port")
        if "--web-listen" not in options:
            command += ["--web-listen", "127.0.0.1:0", "--web-port-file", self.web_port_file]
        if not shipped:
            command += ["--shipped", "none"]
        if bundle:
            command += ["--bundle", os.environ["TROUPE_BUNDLE"]]
        with open(self.log_path, "wb") as log:
            self.process = subprocess.Popen(command + list(options), stderr=log, preexec_fn=before)
        self.ending = False
        self.port = self._await_port()

    def _await_port(self):
        deadline = time.monotonic() + START_TIMEOUT_S
        while not os.path.exists(self.port_file):
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.process.kill()
                raise RuntimeError("trouped did not start:\n" + self.log())
            time.sleep(0.01)
        return self._read_port(self.port_file)

    @staticmethod
    def _read_port(path):
        with open(path) as file:
            return int(file.read())

    @property
    def web_port(self):
        return self._read_port(self.web_port_file)

    def log(self):
        with open(self.log_path, errors="replace") as file:
            return file.read()

    def client(self, name="test", **options):
        return Client(self.port, name, **options)

    def web_client(self, name="test", **options):
        return WebClient(self.web_port, name, **options)

    def ask_to_end(self, number=signal.SIGTERM):
        """Once: a second signal makes it exit immediately."""
        self.process.send_signal(number)
        self.ending = True

    def stop(self, number=signal.SIGTERM):
        """Ends it, unless it was asked to; the seconds it took."""
        began = time.monotonic()
        if not self.ending:
            self.ask_to_end(number)
        status = self.process.wait(TIMEOUT_S)
        if status != 0:
            raise AssertionError(f"trouped ended with {status}:\n{self.log()}")
        return time.monotonic() - began

    def hang(self):
        """Stops the daemon by SIGSTOP and waits until all its threads have stopped. Continue it by SIGCONT."""
        self.process.send_signal(signal.SIGSTOP)
        tasks = f"/proc/{self.process.pid}/task"
        deadline = time.monotonic() + TIMEOUT_S
        for task in os.listdir(tasks):
            while self._state_of(f"{tasks}/{task}/stat") not in "TXZ":
                if time.monotonic() > deadline:
                    raise AssertionError("the daemon does not stop at SIGSTOP")
                time.sleep(0.001)

    @staticmethod
    def _state_of(path):
        try:
            with open(path) as file:
                return file.read().rsplit(")", 1)[1].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return "X"  # a thread that has ended

    def memory_kb(self):
        with open(f"/proc/{self.process.pid}/status") as file:
            return int(next(line for line in file if line.startswith("VmRSS")).split()[1])

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        try:
            if self.process.poll() is None:
                self.stop()
            elif kind is None and self.process.returncode != 0:
                raise AssertionError(f"trouped ended with {self.process.returncode}:\n{self.log()}")
        finally:
            if self.process.poll() is None:
                self.process.kill()
                self.process.wait()
            if kind is not None:
                sys.stderr.write(self.log()[-4000:])
            shutil.rmtree(self.own_dir, ignore_errors=True)


def varint(number):
    out = bytearray()
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def frame(message):
    data = message.SerializeToString()
    return varint(len(data)) + data


class Closed(Exception):
    """The daemon closed the connection."""


class Refused(Exception):
    def __init__(self, response):
        super().__init__(f"{response.code}: {response.message}")
        self.response = response
        self.code = response.code


class Client:
    """A blocking client, by TLS with a context of it, from another address of this machine with a source. What comes
    unasked is kept: states, events, goodbye."""

    def __init__(self, port, name="test", hello=True, receive_buffer=None, context=None, source=None):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        if source:
            self.socket.bind((source, 0))
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(TIMEOUT_S)
        self.socket.connect(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if context:
            self.socket = context.wrap_socket(self.socket, server_hostname="127.0.0.1")
        self.buffer = b""
        self.next_id = 1
        self.responses, self.states, self.events = {}, [], []
        self.goodbye = None
        self.session_id = None
        if hello:
            self.session_id = self.hello(name).session_id

    def close(self):
        self.socket.close()

    def __del__(self):
        self.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    # --- frames ---

    def send_bytes(self, data):
        self.socket.sendall(data)

    @contextlib.contextmanager
    def together(self):
        """What is sent within reaches the daemon in one piece."""
        parts = []
        self.send_bytes = parts.append
        try:
            yield
        finally:
            del self.send_bytes
        self.send_bytes(b"".join(parts))

    def _fill(self):
        try:
            data = self.socket.recv(65536)
        except ConnectionResetError:
            data = b""
        if not data:
            raise Closed()
        self.buffer += data

    def _take_frame(self):
        """One whole frame's bytes off the buffer, or None."""
        length, shift = 0, 0
        for i, byte in enumerate(self.buffer[:5]):
            length |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                if len(self.buffer) < i + 1 + length:
                    return None
                data = self.buffer[i + 1:i + 1 + length]
                self.buffer = self.buffer[i + 1 + length:]
                return data
        return None

    def receive(self):
        """The next message of the daemon, also sorted into this client's lists."""
        data = self._take_frame()
        while data is None:
            self._fill()
            data = self._take_frame()
        message = envelope_pb2.ServerMessage()
        message.ParseFromString(data)
        kind = message.WhichOneof("message")
        if kind == "response":
            self.responses[message.response.request_id] = message.response
        elif kind == "state":
            self.states.append(message.state)
        elif kind == "events":
            self.events.extend(message.events.events)
        elif kind == "goodbye":
            self.goodbye = message.goodbye
        return message

    def receive_until_closed(self):
        try:
            while True:
                self.receive()
        except Closed:
            return self.goodbye

    def receive_for(self, seconds):
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            self.socket.settimeout(left)
            try:
                self.receive()
            except socket.timeout:
                pass
        self.socket.settimeout(TIMEOUT_S)

    def wait_state(self, accept=lambda state: True):
        """The first state from now on that is accepted."""
        while True:
            message = self.receive()
            if message.HasField("state") and accept(message.state):
                return message.state

    def wait_event(self, kind):
        """The first event of a kind, also among those that came before; it is used up."""
        while True:
            for i, event in enumerate(self.events):
                if event.kind == kind:
                    return self.events.pop(i)
            self.receive()

    # --- requests ---

    def send(self, **request):
        """Sends a request given as its field of ClientMessage; its id."""
        message = envelope_pb2.ClientMessage(request_id=self.next_id, **request)
        self.next_id += 1
        self.send_bytes(frame(message))
        return message.request_id

    def wait(self, request_id):
        while request_id not in self.responses:
            self.receive()
        response = self.responses.pop(request_id)
        if response.code != OK:
            raise Refused(response)
        return response

    def ask(self, **request):
        return self.wait(self.send(**request))

    def hello(self, name="test", major=1, minor=0):
        return self.ask(hello=dict(protocol_major=major, protocol_minor=minor, client_name=name)).hello

    def create_world(self, name="world", mode=STEPPED, **fields):
        return self.ask(create_world=dict(name=name, mode=mode, **fields)).world

    def send_command(self, world, at_tick=0, **command):
        return self.send(command=dict(world=world, at_tick=at_tick, **command))

    def command(self, world, at_tick=0, **command):
        return self.wait(self.send_command(world, at_tick, **command)).command

    def spawn(self, world, controller="hold", x=0.0, y=0.0, **fields):
        return self.command(world, spawn_character=dict(controller=controller, pos=dict(x=x, y=y), **fields)).entity

    def step(self, world, count=1):
        return self.command(world, step=dict(count=count))

    def state(self, world, fields=0):
        return self.ask(get_state=dict(world=world, fields=fields)).state


def handshake(port, path="/socket", **headers):
    """The bytes of a WebSocket's opening request. A header of None is left out."""
    all_headers = {"Host": f"127.0.0.1:{port}", "Upgrade": "websocket", "Connection": "Upgrade",
                   "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(), "Sec-WebSocket-Version": "13",
                   "Sec-WebSocket-Protocol": "troupe.v1"}
    all_headers.update({name.replace("_", "-"): value for name, value in headers.items()})
    lines = [f"{name}: {value}" for name, value in all_headers.items() if value is not None]
    return "\r\n".join([f"GET {path} HTTP/1.1", *lines, "", ""]).encode()


def web_frame(payload, opcode=2, final=True, mask=b"\x5a\xa5\x0f\xf0"):
    """A masked frame of a client's."""
    size = len(payload)
    length = bytes([0x80 | size]) if size < 126 else \
        struct.pack("!BH", 0xFE, size) if size < 65536 else struct.pack("!BQ", 0xFF, size)
    masked = bytes(byte ^ mask[i & 3] for i, byte in enumerate(payload))
    return bytes([0x80 * final | opcode]) + length + mask + masked


class WebClient(Client):
    """The same client over the web port's WebSocket. `close_code` is the one that the daemon closed with."""

    def __init__(self, port, name="test", hello=True, **options):
        self.raw, self.close_code, self.pongs = b"", None, []
        super().__init__(port, name, hello=False, **options)
        self.socket.sendall(handshake(port))
        while b"\r\n\r\n" not in self.raw:
            self._fill_raw()
        head, self.raw = self.raw.split(b"\r\n\r\n", 1)
        if not head.startswith(b"HTTP/1.1 101 "):
            raise AssertionError(head)
        if hello:
            self.session_id = self.hello(name).session_id

    def send_bytes(self, data):
        self.socket.sendall(web_frame(data))

    def _fill_raw(self):
        try:
            data = self.socket.recv(65536)
        except ConnectionResetError:
            data = b""
        if not data:
            raise Closed()
        self.raw += data

    def _take_raw(self, size):
        while len(self.raw) < size:
            self._fill_raw()
        data, self.raw = self.raw[:size], self.raw[size:]
        return data

    def _fill(self):
        """One frame of the WebSocket."""
        first, length = self._take_raw(2)
        if length == 126:
            length, = struct.unpack("!H", self._take_raw(2))
        elif length == 127:
            length, = struct.unpack("!Q", self._take_raw(8))
        payload = self._take_raw(length)
        if first == 0x82:
            self.buffer += payload
        elif first == 0x8A:
            self.pongs.append(payload)
        elif first == 0x88:
            self.close_code, = struct.unpack("!H", payload)
        else:
            raise AssertionError(f"frame with first byte {first:#x}")


class Case(unittest.TestCase):
    """Tests that share one daemon."""

    options = ()

    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon(*cls.options)
        cls.world_count = 0

    @classmethod
    def tearDownClass(cls):
        cls.daemon.__exit__(None, None, None)

    def client(self, name="test", **options):
        client = self.daemon.client(name, **options)
        self.addCleanup(client.close)
        return client

    def world(self, client, mode=STEPPED, **fields):
        """A world of this test, gone when it ends."""
        type(self).world_count += 1
        world = client.create_world(f"world {self.world_count}", mode, **fields).id

        def destroy():
            with self.daemon.client("cleanup") as other:
                try:
                    other.ask(destroy_world=dict(world=world))
                except Refused:
                    pass

        self.addCleanup(destroy)
        return world

    def refused(self, code):
        return _RefusedContext(self, code)


class _RefusedContext:
    def __init__(self, case, code):
        self.case, self.code, self.message = case, code, None

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        if kind is None:
            self.case.fail("the request was not refused")
        if not isinstance(value, Refused):
            return False
        self.message = value.response.message
        self.case.assertEqual(value.code, self.code, self.message)
        return True

"""Clients that take as much of the daemon as they can get: memory, places, time. Beside them good ones, which must lose
nothing. Each of these attacks has harmed an earlier daemon; README.md has the figures."""

import os
import selectors
import socket
import ssl
import struct
import subprocess
import tempfile
import threading
import time
import unittest

from accounts import Guarded, Key, certificate, configuration, log_in
from harness import *

SCALE = float(os.environ.get("TROUPE_FAULT_SCALE", "1"))
MIB = 1 << 20
ATTACKERS = 400
UNFINISHED = 4 * MIB  # the length of a frame that does not end
GROWTH_MIB = 64 * (4 if sanitizer() == "tsan" else 1)  # ThreadSanitizer shadows each byte
# A sanitizer puts guards around what is kept, and keeps what was freed for a while.
LEFT_MIB = 10 + {"": 0, "asan": 4, "tsan": 50}[sanitizer()]
READERS = 320


def told(text):
    print(text, flush=True)


class Memory:
    """How much the daemon's memory grew in a block, at its highest."""

    def __init__(self, daemon):
        self.daemon = daemon
        self.before = daemon.memory_kb() / 1024
        self.growth = 0.0

    def now(self):
        return self.daemon.memory_kb() / 1024 - self.before

    def _watch(self):
        while not self.ended.wait(0.01):
            self.growth = max(self.growth, self.now())

    def __enter__(self):
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self._watch)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join()

    def left(self, within_s=60.0):
        """The memory still taken: measured once it is little, or after a minute."""
        deadline = time.monotonic() + within_s
        while (taken := self.now()) >= LEFT_MIB and time.monotonic() < deadline:
            time.sleep(0.2)
        return taken


class GoodClient:
    """A client that makes a request after the other, and counts those that were answered, until it is stopped."""

    def __init__(self, client, request):
        self.client, self.request = client, request
        self.answered, self.slowest_s, self.failure = 0, 0.0, None
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self._ask)
        self.thread.start()

    def _ask(self):
        try:
            while not self.ended.is_set():
                began = time.monotonic()
                self.client.ask(**self.request)
                self.slowest_s = max(self.slowest_s, time.monotonic() - began)
                self.answered += 1
                time.sleep(0.02)
        except (Closed, OSError, Refused) as failure:
            self.failure = failure

    def stop(self):
        self.ended.set()
        self.thread.join()
        self.client.close()


def flood(sockets, head, seconds):
    """Sends `head` and nearly the whole of an unfinished frame on each socket, as fast as each is read. Returns how many
    the daemon cut off; none is closed."""
    chunk, cut = bytes(256 << 10), 0
    selector = selectors.DefaultSelector()
    waiting = {each: head + bytes(1 << 10) for each in sockets}
    left = {each: UNFINISHED - (2 << 10) for each in sockets}
    for each in sockets:
        each.setblocking(False)
        selector.register(each, selectors.EVENT_READ | selectors.EVENT_WRITE)
    deadline = time.monotonic() + seconds
    while selector.get_map() and time.monotonic() < deadline:
        for key, events in selector.select(0.1):
            each = key.fileobj
            try:
                if events & selectors.EVENT_READ and not each.recv(65536):
                    raise ConnectionResetError
                if events & selectors.EVENT_WRITE:
                    data = waiting[each] or chunk[:left[each]]
                    sent = each.send(data)
                    waiting[each] = waiting[each][sent:]
                    left[each] -= sent
                if left[each] <= 0:
                    selector.modify(each, selectors.EVENT_READ)
            except (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
                pass
            except OSError:
                cut += 1
                selector.unregister(each)
    return cut


PIPELINERS = 140
PIPELINING_S = 12
PIPELINING = f"""
import socket, sys, time
port, end = int(sys.argv[1]), time.monotonic() + float(sys.argv[2])
request = b"GET /metrics HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\n\\r\\n" * 100
while time.monotonic() < end:
    open_now = []
    for _ in range({PIPELINERS}):
        try:
            each = socket.create_connection(("127.0.0.1", port), 1)
            each.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            each.setblocking(False)
            each.send(request)
            open_now.append(each)
        except OSError:
            pass
    time.sleep(1.5)
    for each in open_now:
        each.close()
"""


def fetch(port, path, timeout_s):
    """The status of an answer; a text where none came in time."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout_s) as probe:
            probe.settimeout(timeout_s)
            probe.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
            return int(probe.recv(4096).split(b" ")[1])
    except (OSError, IndexError, ValueError) as failure:
        return type(failure).__name__


class Input(unittest.TestCase):
    """Frames that do not end: each session may hold one, and all together little."""

    def attack(self, text, connect, head):
        """Attackers that `connect` against a daemon with this configuration, beside a director and a world in real time."""
        director = Key("director")
        with Guarded(configuration([director.row("director")], text), web=True) as guarded:
            daemon = guarded.daemon
            keeper = guarded.connect(director)
            world = keeper.create_world("w", REAL_TIME).id
            keeper.spawn(world)
            snapshot = keeper.command(world, snapshot={}).data
            good = [GoodClient(guarded.connect(director), dict(command=dict(world=world, restore=dict(data=snapshot)))),
                    GoodClient(guarded.connect(director), dict(get_state=dict(world=world)))]
            clients = [connect(guarded) for _ in range(ATTACKERS)]
            for each in clients[:8]:  # what a first session allocates once is there
                each.ask(ping={}) if each.session_id else None
            with Memory(daemon) as memory:
                cut = flood([each.socket for each in clients], head, 3)
                time.sleep(1)
            for each in clients:
                each.close()
            left = memory.left()
            for each in good:
                each.stop()
            keeper.ask(ping={})
            keeper.close()
        told(f"{ATTACKERS} unfinished frames: memory grew by {memory.growth:.0f} MiB, {left:.1f} MiB are left; {cut} attackers cut off; "
             f"good clients: {[each.answered for each in good]} answered, the slowest after {max(each.slowest_s for each in good):.2f} s")
        self.assertLess(memory.growth, GROWTH_MIB)
        self.assertLess(left, LEFT_MIB)
        for each in good:
            self.assertIsNone(each.failure)
            self.assertGreater(each.answered, 0)

    def test_spectators(self):
        """The lowest role."""
        self.attack('anonymous = "spectator";\n', lambda guarded: log_in(guarded.daemon.client(hello=False)), varint(UNFINISHED))

    def test_only_some_roles_may_send_large_frames(self):
        self.attack('anonymous = "director";\n', lambda guarded: log_in(guarded.daemon.client(hello=False)), varint(UNFINISHED))

    def test_before_the_hello(self):
        self.attack("", lambda guarded: guarded.daemon.client(hello=False), varint(16383))

    def test_web_sockets(self):
        """One message of the WebSocket holds it all; a mask of zeroes leaves the payload what it is."""
        head = b"\x82\xff" + struct.pack("!Q", 2 * UNFINISHED) + bytes(4) + varint(UNFINISHED)
        self.attack('anonymous = "director";\n', lambda guarded: log_in(guarded.daemon.web_client(hello=False)), head)

    def test_tls(self):
        with tempfile.TemporaryDirectory(prefix="troupe-tls-") as folder:
            crt, key = certificate(folder)
            context = ssl.create_default_context(cafile=crt)
            self.attack(f'anonymous = "director";\nweb = {{ tls = true; certificate = "{crt}"; private_key = "{key}"; }};\n',
                        lambda guarded: log_in(WebClient(guarded.daemon.web_port, hello=False, context=context)),
                        b"\x82\xff" + struct.pack("!Q", 2 * UNFINISHED) + bytes(4) + varint(UNFINISHED))


class Unread(unittest.TestCase):
    def test_the_silent_reader_is_cut_off_not_the_client_answered_next(self):
        """Spectators ask for parts of a recording and read nothing; a director asks for parts and reads them."""
        director = Key("director")
        with Guarded(configuration([director.row("director")], 'anonymous = "spectator";\n')) as guarded:
            keeper = guarded.connect(director)
            self.make_recording(keeper)
            part = dict(download_recording=dict(name="large", offset=0, size=MIB))
            self.assertEqual(len(keeper.ask(**part).recording_part.data), MIB)
            readers = []
            for _ in range(READERS):
                reader = log_in(guarded.daemon.client(hello=False, receive_buffer=4096))
                for _ in range(3):
                    reader.send(**part)
                readers.append(reader)
            time.sleep(2)
            answered = 0
            for _ in range(20):
                try:
                    answered += len(keeper.ask(**part).recording_part.data) == MIB
                except (Closed, OSError):
                    keeper = guarded.connect(director)
                for reader in readers[:10]:
                    try:
                        reader.send(**part)
                    except OSError:
                        pass
                time.sleep(0.05)
            log = guarded.daemon.log()
            for reader in readers:
                reader.close()
            keeper.close()
        told(f"{READERS} silent readers: a director's answers of 1 MiB came {answered} of 20 times; "
             f"{log.count('event=session.cut')} sessions cut off")
        self.assertEqual(answered, 20)

    def make_recording(self, keeper):
        """One of more than 2 MiB: the whole state of each tick."""
        world = keeper.create_world("w", FAST).id
        for i in range(8):
            keeper.spawn(world, x=3.0 * i)
        keeper.command(world, start_recording=dict(name="large", key_every=1))
        deadline = time.monotonic() + TIMEOUT_S
        while time.monotonic() < deadline:
            time.sleep(0.2)
            if keeper.ask(get_recording=dict(name="large")).recording.size_bytes > 2 * MIB:
                break
        keeper.command(world, stop_recording={})
        keeper.ask(destroy_world=dict(world=world))


class WebPort(unittest.TestCase):
    """Connections that send request after request, read no answer, and reconnect as soon as they are cut off."""

    def test_probes_and_viewers_are_served(self):
        probes, slow, pages = 0, [], 0
        with Daemon() as daemon:
            attack = subprocess.Popen([sys.executable, "-c", PIPELINING, str(daemon.web_port), str(PIPELINING_S)])
            began = time.monotonic()
            while attack.poll() is None:
                at = time.monotonic()
                status = fetch(daemon.web_port, "/readyz", 1.0)
                probes += 1
                if status != 200:
                    slow.append((round(at - began, 2), status))
                pages += fetch(daemon.web_port, "/", 1.0) == 200
                time.sleep(0.1)
        told(f"{PIPELINERS} connections that pipeline and do not read: /readyz was answered within a second "
             f"{probes - len(slow)} of {probes} times, a page {pages} times; not: {slow[:10]}")
        # A busy machine delays the probes themselves. The daemon that this harmed answered a seventh of each.
        self.assertGreater(probes, PIPELINING_S * 5 if SCALE >= 10 else PIPELINING_S)
        self.assertLessEqual(len(slow), 0 if SCALE >= 10 else probes // 2)
        self.assertGreater(pages, probes // 2 if SCALE >= 10 else probes // 4)


class Batches(unittest.TestCase):
    """Sixteen matches of 64 characters that stand so close that a step takes milliseconds, beside a world in real time."""

    def test_a_world_in_real_time_keeps_its_ticks(self):
        seconds = 4 * SCALE
        with Daemon(shipped=True) as daemon, daemon.client() as client:
            world = client.create_world("w", REAL_TIME).id
            for i in range(10):
                client.spawn(world, controller="run", x=4.0 * i)
            calm = self.lateness(client, world, seconds)
            teams = [dict(name=f"team {k}", members=[dict(controller="run", pos=dict(x=0.25 * k, y=0.25 * i)) for i in range(16)])
                     for k in range(4)]
            for i in range(16):
                client.ask(start_match=dict(match=dict(name=f"match {i}", rule="survive_pushes", bouts=1000, time_limit_s=60,
                                                       seed=i, teams=teams)))
            attacked = self.lateness(client, world, seconds)
            for i in range(16):
                client.ask(cancel_match=dict(name=f"match {i}"))
        told("a world in real time, (ticks, dropped, p99 ms): "
             f"calm {calm}, beside 16 matches of 64 {attacked}")
        ticks, dropped, _ = attacked
        self.assertGreater(ticks + dropped, 150 * seconds)
        if SCALE >= 10:  # in the quick version other work on the machine drops some; unit/server/world/pool has the cause
            self.assertEqual(dropped, 0)

    def lateness(self, client, world, seconds):
        """Of so many seconds: ticks, those that were dropped, and below what 99 % of the ticks were late, ms."""
        before = client.ask(get_world=dict(world=world)).world
        time.sleep(seconds)
        after = client.ask(get_world=dict(world=world)).world
        counts = [b - a for a, b in zip(before.lateness.count, after.lateness.count)]
        bounds, seen = [*after.lateness.bound_s, float("inf")], 0
        for count, bound in zip(counts, bounds):
            seen += count
            if seen >= 0.99 * sum(counts):
                break
        return sum(counts), after.dropped_ticks - before.dropped_ticks, round(1e3 * bound, 2)


if __name__ == "__main__":
    unittest.main()

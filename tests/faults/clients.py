"""The daemon beside clients that are broken, slow, silent or gone, with good ones that must not notice.

TROUPE_FAULT_SCALE multiplies the counts: 1 is the quick version that always runs, 50 the nightly one.
"""

import os
import random
import signal
import socket
import subprocess
import sys
import time
import unittest

from harness import *

SCALE = float(os.environ.get("TROUPE_FAULT_SCALE", "1"))
MALFORMED = int(20_000 * SCALE)
NON_READERS = min(200, int(40 * SCALE))
SILENT = min(2000, int(200 * SCALE))
GOOD = min(200, int(20 * SCALE))
STOPPED_S = min(30.0, 3.0 * SCALE)
GROWTH_KB = 5 * 1024


def told(text):
    print(text, flush=True)


class Watchers:
    """Good clients in a separate process (troupe-bench readers): they read without delay and count."""

    def __init__(self, daemon, world, count, rate_hz):
        self.process = subprocess.Popen(
            [os.environ["TROUPE_BENCH"], "readers", "--port", str(daemon.port), "--world", str(world), "--count", str(count),
             "--rate", str(rate_hz)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self.process.stdout.readline() != "ready\n":
            raise AssertionError("the good clients could not begin")

    def stop(self):
        """States, dropped, and how many connections were lost."""
        counts, _ = self.process.communicate(timeout=TIMEOUT_S)
        return tuple(int(word) for word in counts.split())


def calm_share(daemon, world, count):
    """The share of states that good clients lose without an attack: the cost of the machine's other work."""
    watchers = Watchers(daemon, world, count, 30)
    time.sleep(2)
    states, dropped, _ = watchers.stop()
    return dropped / max(1, states + dropped)


def allowed_share(calm):
    """None, or the share that the machine's other work costs. A turn of the loop takes ten times as long under tsan, and
    states come due meanwhile; and the quick version has too few states for a narrower bound."""
    slow = sanitizer() == "tsan" or SCALE < 10
    return 2 * calm + (0.05 if slow else 0.005 if calm > 0 else 0)


def malformed(draw, world):
    """One frame that no client should send: (bytes, does it end the session?)."""
    kind = draw.randrange(100)
    if kind < 2:  # a broken prefix, or one above the limit
        return draw.choice((b"\xff" * 11, varint(1 << 31), varint(5 << 20), b"\x80\x80\x80\x80\x80\x01")), True
    if kind < 4:  # a frame that is no message
        junk = draw.randbytes(draw.randrange(1, 200))
        return varint(len(junk)) + junk, None
    message = envelope_pb2.ClientMessage(request_id=draw.randrange(2))  # an id that does not rise
    if kind < 60:
        message.command.world = draw.choice((world, world + 1, 0, 0xFFFFFFFF))
        message.command.push.entity = draw.getrandbits(32)
        message.command.push.force.x = draw.choice((float("nan"), float("inf"), 1e300, 1.0))
    elif kind < 80:
        message.subscribe.world = draw.getrandbits(32)
        message.subscribe.rate_hz = draw.choice((float("nan"), -1.0, 1e9))
    else:
        message.get_model.name = "x" * draw.randrange(2000)
    return frame(message), None


def drain(client):
    try:
        while client.socket.recv(1 << 16):
            pass
    except OSError:
        pass


class Floods(unittest.TestCase):
    def test_malformed_frames(self):
        draw = random.Random(1)
        with Daemon() as daemon, daemon.client() as keeper:
            world = keeper.create_world("w", REAL_TIME).id
            keeper.spawn(world)
            self.send_malformed(daemon, world, draw, 2000)  # so that one-time allocations are made before
            calm = calm_share(daemon, world, 3)
            watchers = Watchers(daemon, world, 3, 30)
            before = daemon.memory_kb()
            began = time.monotonic()
            ended = self.send_malformed(daemon, world, draw, MALFORMED)
            took = time.monotonic() - began
            growth = daemon.memory_kb() - before
            states, dropped, lost = watchers.stop()
            keeper.ask(ping={})
        told(f"{MALFORMED} malformed frames in {took:.0f} s: {ended} sessions ended, memory grew by {growth} KiB; "
             f"3 good clients: {states} states, {dropped} dropped, {lost} cut off; undisturbed they lose {100 * calm:.1f} %")
        self.assertEqual(lost, 0)
        self.assertLessEqual(dropped, allowed_share(calm) * (states + dropped))
        self.assertLess(growth, GROWTH_KB)

    def send_malformed(self, daemon, world, draw, count):
        ended = 0
        client = daemon.client("bad")
        for sent in range(count):
            data, ends = malformed(draw, world)
            try:
                client.send_bytes(data)
                if sent % 100 == 99:
                    client.socket.settimeout(0.0)
                    drain(client)
                    client.socket.settimeout(TIMEOUT_S)
                if not ends:
                    continue
            except OSError:
                pass
            ended += 1
            client.close()
            client = daemon.client("bad")
        client.close()
        return ended

    def test_non_readers_and_the_silent(self):
        with Daemon("--max-clients", "4000") as daemon, daemon.client() as keeper:
            world = keeper.create_world("w", REAL_TIME).id
            keeper.spawn(world)
            calm = calm_share(daemon, world, GOOD)
            watchers = Watchers(daemon, world, GOOD, 30)
            greedy = [self.non_reader(daemon, world) for _ in range(NON_READERS)]
            silent = [socket.create_connection(("127.0.0.1", daemon.port)) for _ in range(SILENT)]
            began, before = time.monotonic(), daemon.memory_kb()
            for second in range(6):
                for each in silent[::2] if second < 4 else []:  # one byte a second of a prefix that does not end
                    try:
                        each.sendall(b"\x80")
                    except OSError:
                        pass
                time.sleep(1)
            took = time.monotonic() - began
            growth = daemon.memory_kb() - before
            states, dropped, lost = watchers.stop()
            cut = sum(self.is_cut(each) for each in silent)
            keeper.ask(ping={})
            for each in silent:
                each.close()
            for each in greedy:
                each.close()
        told(f"{NON_READERS} non-readers and {SILENT} silent or slow clients beside {GOOD} good ones for {took:.0f} s: "
             f"good ones got {states} states, {dropped} dropped (undisturbed they lose {100 * calm:.1f} %), {lost} cut off; {cut} silent ones cut off; "
             f"memory grew by {growth} KiB")
        self.assertEqual(lost, 0)
        self.assertLessEqual(dropped, allowed_share(calm) * (states + dropped))
        self.assertEqual(cut, SILENT)
        self.assertLess(growth, 64 * 1024)

    def non_reader(self, daemon, world):
        client = daemon.client("greedy", receive_buffer=4096)
        client.ask(subscribe=dict(world=world, rate_hz=200, fields=63, events=True))
        return client

    def is_cut(self, each):
        each.settimeout(5)
        try:
            while each.recv(4096):
                pass
            return True
        except ConnectionResetError:
            return True
        except OSError:
            return False


class Time(unittest.TestCase):
    def test_stopped(self):
        """SIGSTOP: afterwards at most four ticks are caught up and the rest is reported as dropped, once."""
        with Daemon() as daemon, daemon.client() as client:
            world = client.create_world("w", REAL_TIME).id
            client.ask(subscribe=dict(world=world, rate_hz=200, events=True))
            before = client.wait_state()
            daemon.process.send_signal(signal.SIGSTOP)
            time.sleep(STOPPED_S)
            daemon.process.send_signal(signal.SIGCONT)
            late = client.wait_event(state_pb2.EVENT_KIND_LATE)
            while late.magnitude <= 200 * STOPPED_S * 0.9:  # a busy machine was late before
                late = client.wait_event(state_pb2.EVENT_KIND_LATE)
            after = client.wait_state(lambda state: state.dropped_ticks > 0)
            passed = after.tick - before.tick + after.dropped_ticks
            told(f"stopped for {STOPPED_S:.0f} s: {late.magnitude:.0f} ticks dropped and told")
            self.assertGreater(passed, 200 * STOPPED_S * 0.95)
            client.ask(ping={})

    @unittest.skipIf(sanitizer(), "a sanitizer must be loaded first")
    def test_the_wall_clock_jumps(self):
        """The time of day leaps by a year each way ten times a second: ticks follow the monotonic clock."""
        shim = os.environ.get("TROUPE_CLOCK_SHIM", "")
        if not os.path.exists(shim):
            self.skipTest("no library that makes the clock jump")
        os.environ["LD_PRELOAD"] = shim
        try:
            daemon = Daemon()
        finally:
            del os.environ["LD_PRELOAD"]
        with daemon, daemon.client() as client:
            world = client.create_world("w", REAL_TIME).id
            client.ask(subscribe=dict(world=world, rate_hz=100))
            first, began = client.wait_state(), time.monotonic()
            for i in range(16):  # each leaves lines in the log, at times that do not follow the leaps
                daemon.client().close()
                client.receive_for(0.1 + 0.013 * i)
            last, took = client.states[-1], time.monotonic() - began
            rate = (last.tick - first.tick + last.dropped_ticks - first.dropped_ticks) / took
            years = {line.split("ts=")[1][:4] for line in daemon.log().splitlines() if "ts=" in line}
            told(f"the wall clock jumped for {took:.0f} s, years in the log {sorted(years)}: {rate:.1f} ticks a second")
            self.assertGreater(len(years), 1)
            self.assertAlmostEqual(rate, 200, delta=50)
            client.ask(list_models={})


CUT_OFF = """
import os, subprocess, sys, time
from harness import *
subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
with Daemon() as daemon:
    def descriptors():
        return len(os.listdir(f"/proc/{daemon.process.pid}/fd"))
    keeper = daemon.client()
    world = keeper.create_world("w", REAL_TIME).id
    keeper.spawn(world)
    keeper.close()
    time.sleep(0.5)
    before = descriptors()
    clients = [daemon.client() for _ in range(40)]
    for client in clients[:20]:
        client.ask(subscribe=dict(world=world, rate_hz=30))
    with_all = descriptors()
    subprocess.run(["ip", "link", "set", "lo", "down"], check=True)
    began = time.monotonic()
    while descriptors() > before and time.monotonic() - began < 240:
        time.sleep(0.5)
    print(f"{with_all - before} half-open peers, half of them sent to: gone after {time.monotonic() - began:.0f} s, "
          f"{descriptors() - before} left")
    sys.exit(0 if descriptors() <= before else 1)
"""


class HalfOpen(unittest.TestCase):
    @unittest.skipIf(SCALE < 10, "takes minutes: nightly")
    def test_peers_behind_a_cut_wire(self):
        """In a private network whose wire is cut: no FIN, no RST, no more answers."""
        if subprocess.run(["unshare", "-n", "ip", "link"], capture_output=True).returncode != 0:
            self.skipTest("the system allows no private network")
        path = os.environ["PYTHONPATH"] + ":" + os.path.dirname(os.path.abspath(sys.modules["harness"].__file__))
        done = subprocess.run(["unshare", "-n", sys.executable, "-c", CUT_OFF], env=dict(os.environ, PYTHONPATH=path),
                              capture_output=True, text=True, timeout=400)
        told(done.stdout.strip())
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()

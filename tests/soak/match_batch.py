#!/usr/bin/python3 -B
"""A batch of 1,000 ten-second bouts: on one world thread, on two, and killed in the middle; the results are compared to the
bit, and the times told. Minutes; by hand or nightly:

    tests/soak/match_batch.py BUILD_DIR [--bouts 1000] [--seconds 10]
"""

import argparse
import os
import sys
import time

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("build")
parser.add_argument("--bouts", type=int, default=1000)
parser.add_argument("--seconds", type=float, default=10.0)
options = parser.parse_args()
os.environ["TROUPED"] = os.path.join(options.build, "server/trouped")
os.environ["TROUPE_SLOW"] = "yes"
sys.path[:0] = [os.path.join(ROOT, "tests/integration"), os.path.join(options.build, "tests/integration/wire")]
os.environ.setdefault("TROUPE_BUNDLE", "")

from harness import Daemon  # noqa: E402
from troupe import match_pb2  # noqa: E402

RUNNING, DONE = match_pb2.MATCH_STATE_RUNNING, match_pb2.MATCH_STATE_DONE


def definition():
    """No team is out and none finishes: every bout takes its whole time, falls and all."""
    def team(name, x, heading):
        return dict(name=name, members=[dict(controller="run", pos=dict(x=x), heading_rad=heading)])

    return dict(name="batch", rule="race", seed=1, bouts=options.bouts, time_limit_s=options.seconds,
                parameters=[dict(name="distance_m", value=10000), dict(name="fall_is_out", value=0)],
                teams=[team("east", -4, 0), team("west", 4, 3.14159265)])


def follow(client, until):
    """Progress until so many bouts are stored, or the end."""
    client.ask(watch_match=dict(name="batch"))
    while True:
        message = client.receive()
        if message.HasField("match_progress"):
            info = message.match_progress.info
            if info.state != RUNNING or info.bouts_done >= until:
                return info


def results(client):
    detail = client.ask(get_match=dict(name="batch", page=dict(size=1))).match_detail
    assert detail.info.state == DONE and detail.info.bouts_done == options.bouts, detail.info
    assert detail.voids == 0 and abs(detail.ticks.mean - options.seconds * 200) < 1, detail
    return detail


def whole(threads):
    with Daemon("--threads", str(threads), bundle=False, shipped=True) as daemon, daemon.client() as client:
        began = time.monotonic()
        client.ask(start_match=dict(match=definition()))
        follow(client, options.bouts + 1)
        return results(client), time.monotonic() - began


def killed(threads, at):
    with Daemon("--threads", str(threads), bundle=False, shipped=True) as daemon:
        began = time.monotonic()
        with daemon.client() as client:
            client.ask(start_match=dict(match=definition()))
            told = follow(client, at).bouts_done
        daemon.process.kill()
        daemon.process.wait()
        daemon.process.returncode = 0
        with Daemon("--threads", str(threads), bundle=False, shipped=True, state_dir=daemon.state_dir) as again, \
                again.client() as client:
            stored = client.ask(get_match=dict(name="batch", page=dict(size=1))).match_detail.info.bouts_done
            assert stored >= told, (stored, told)
            follow(client, options.bouts + 1)
            return results(client), time.monotonic() - began, told, stored


def tell(what, detail, seconds, more=""):
    factor = options.bouts * options.seconds / seconds
    teams = ", ".join(f"{t.name} {t.wins}" for t in detail.teams)
    print(f"{what}: {options.bouts} bouts of {options.seconds:g} s in {seconds:.1f} s, {factor:.0f} times real time; "
          f"{teams}, drawn {detail.draws}; results {detail.results_hash:016x}{more}", flush=True)


one, seconds = whole(1)
tell("1 thread ", one, seconds)
two, seconds = whole(2)
tell("2 threads", two, seconds)
broken, seconds, told, stored = killed(2, options.bouts // 2)
tell("kill -9  ", broken, seconds, f"; told of {told} when killed, {stored} found stored")
same = one.results_hash == two.results_hash == broken.results_hash
print("the same to the bit" if same else "NOT THE SAME")
sys.exit(0 if same else 1)

"""What clients miss when their world moves (troupe move-world): a world of four runners goes back and forth between two
daemons; a reader of 100 states a second connects to the other daemon when it learns the address.

Prints the time from the reader's last state here to its first state there, and how long the world itself stood still.

    PYTHONPATH=build/release/tests/integration/wire:tests/integration TROUPED=build/release/server/trouped \\
        TROUPE=build/release/client/troupe TROUPE_BUNDLE=none /usr/bin/python3 tests/bench/move_world.py
"""

import statistics
import subprocess
import time

from harness import *

MOVES, CHARACTERS, RATE_HZ = 20, 4, 100
DESTROYED = state_pb2.EventKind.Value("EVENT_KIND_DESTROYED")


def follow(daemon, name):
    """A reader of the world, and its first state with the time at which it came."""
    reader = daemon.client("reader")
    world = next(world for world in reader.ask(list_worlds={}).world_list.worlds if world.name == name)
    reader.ask(subscribe=dict(world=world.id, rate_hz=RATE_HZ, events=True))
    state = reader.wait_state()
    return reader, state, time.monotonic()


def read_while(reader, state, at, wanted):
    """The last state, and when it came."""
    while wanted():
        message = reader.receive()
        if message.HasField("state"):
            state, at = message.state, time.monotonic()
    return state, at


def main():
    daemons = [Daemon(bundle=False, shipped=True) for _ in range(2)]
    with daemons[0].client() as director:
        world = director.create_world("arena", REAL_TIME).id
        for i in range(CHARACTERS):
            director.spawn(world, controller="run", y=3.0 * i)
    gaps, stills = [], []
    reader, state, at = follow(daemons[0], "arena")
    for move in range(MOVES):
        here, there = daemons[move % 2], daemons[1 - move % 2]
        until = time.monotonic() + 0.3
        state, at = read_while(reader, state, at, lambda: time.monotonic() < until)
        process = subprocess.Popen([os.environ["TROUPE"], "--port", str(here.port), "move-world", "arena",
                                    f"127.0.0.1:{there.port}"], stdout=subprocess.DEVNULL)
        last, left = read_while(reader, state, at, lambda: all(event.kind != DESTROYED for event in reader.events))
        reader.close()
        reader, state, at = follow(there, "arena")
        process.wait()
        gaps.append(at - left)
        stills.append(at - left - (state.tick - last.tick) * 0.005)
    reader.close()
    for name, values in ("without states", gaps), ("world stood still", stills):
        print(f"{name}: median {1e3 * statistics.median(values):.0f} ms, largest {1e3 * max(values):.0f} ms of {MOVES} moves")
    print("load %.1f" % os.getloadavg()[0])
    for daemon in daemons:
        daemon.stop()


if __name__ == "__main__":
    main()

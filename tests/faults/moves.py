"""A world moves while a party breaks: the mover, the daemon it is on, the daemon it goes to, or a line, at a step and
with a fault drawn from a seed. In every case, at every moment, at most one of the two daemons runs the world, and in the
end one does, with everything that was acknowledged; or a daemon was killed that had it, as the table in
server/world/move.h says.

TROUPE_MOVES: the number of cases; 40 always, 500 nightly. TROUPE_MOVE_SEED: this case alone.
"""

import os
import queue
import random
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import unittest

from harness import *
from lines import Cut, Line

CASES = int(os.environ.get("TROUPE_MOVES", "40"))
WORKERS = 4
HOLD_S = 1.5
SETTLE_S = 180.0  # by far more than a hold: it bounds a hang, on a busy machine too

# The requests of a move in their order: the side they go to, and their kind; the last two claims are 4 and 6.
STEPS = [("target", "hello"), ("target", "list_worlds"), ("source", "get_world"), ("source", "snapshot"),
         ("target", "create_world"), ("target", "restore"), ("target", "claim_world"), ("source", "destroy_world"),
         ("target", "claim_world")]
FAULTS = ["kill mover", "stop mover", "kill source", "stop source", "kill target", "stop target", "cut source", "cut target",
          "down source", "down target", "silent source", "silent target"]
LONG_S = 2.5 * HOLD_S
# The first cases, in which a single omission would double or lose the world: fault, step, phase, seconds.
SHARP = [("stop mover", 6, "answer", LONG_S), ("kill mover", 6, "answer", 0.1), ("kill mover", 7, "answer", 0.1),
         ("cut source", 7, "answer", 0.1), ("down source", 7, "request", LONG_S), ("stop source", 7, "request", LONG_S),
         ("stop target", 6, "request", LONG_S), ("stop mover", 4, "answer", LONG_S), ("cut target", 8, "request", 0.5),
         ("down target", 8, "request", LONG_S), ("silent source", 7, "answer", LONG_S), ("kill source", 7, "request", 0.1)]
MODES = [dict(mode=REAL_TIME), dict(mode=REAL_TIME, paused=True), dict(mode=STEPPED), dict(mode=FAST, paused=True)]


class Side:
    """A daemon that may be killed and started again, and the line to it."""

    def __init__(self, directory, name):
        self.state_dir = os.path.join(directory, name)
        self.line = Line(0)
        self.begin()

    def begin(self):
        self.daemon = Daemon("--threads", "1", state_dir=self.state_dir)
        self.line.daemon_port = self.daemon.port
        self.killed = False

    def kill(self):
        self.daemon.process.kill()
        self.daemon.process.wait()
        shutil.rmtree(self.daemon.own_dir, ignore_errors=True)
        self.killed = True

    def heal(self):
        """Everything works again; connections from before do not."""
        if self.killed:
            self.begin()
        else:
            self.daemon.process.send_signal(signal.SIGCONT)
        if self.line.state != "up":
            self.line.state = "up"
            self.line.cut()

    def worlds(self):
        """By name; None: the daemon does not answer now."""
        try:
            with self.daemon.client("watch") as client:
                return {world.name: world for world in client.ask(list_worlds={}).world_list.worlds}
        except (OSError, Closed):
            return None

    def clear(self):
        with self.daemon.client("sweeper") as client:
            for world in client.ask(list_worlds={}).world_list.worlds:
                client.ask(destroy_world=dict(world=world.id))


class Case:
    def __init__(self, seed, source, target):
        draw = random.Random(seed)
        self.seed = seed
        self.side = dict(source=source, target=target)
        self.step = max(draw.randrange(len(STEPS)), draw.randrange(len(STEPS)))  # more of the late ones
        self.phase = draw.choice(["request", "answer"])
        self.fault, self.party = draw.choice(FAULTS).split()
        self.mode = draw.choice(MODES)
        self.lasts_s = draw.choice([0.1, 0.5, LONG_S])  # until what broke works again
        if seed < len(SHARP):
            fault, self.step, self.phase, self.lasts_s = SHARP[seed]
            self.fault, self.party = fault.split()
        self.reached, self.struck, self.fired = 0, False, False
        self.mover = None
        self.expected = {"first"}

    def __str__(self):
        side, kind = STEPS[self.step]
        return (f"seed {self.seed}: {self.fault} {self.party} for {self.lasts_s} s at the {self.phase} of step "
                f"{self.step}, {kind} of the {side}, {self.mode}")

    def hook(self, side):
        def on_frame(kind, phase):
            if self.struck or self.reached == len(STEPS) or (side, kind) != STEPS[self.reached]:
                return
            if self.reached == self.step and phase == self.phase:
                self.struck = True
                try:
                    self.strike(side)
                finally:
                    self.fired = True  # only now: what is healed while it is being stopped would never stop
            self.reached += phase == "answer"
        return on_frame

    def strike(self, side):
        if self.party == "mover":
            self.mover.send_signal(signal.SIGKILL if self.fault == "kill" else signal.SIGSTOP)
            return
        party = self.side[self.party]
        if self.fault == "kill":
            party.kill()
        elif self.fault == "stop":
            party.daemon.hang()
        else:
            party.line.state = "up" if self.fault == "cut" else self.fault
            if self.fault != "silent":
                party.line.cut()
                if self.party == side:
                    raise Cut

    def command(self, *words):
        return subprocess.Popen([os.environ["TROUPE"], "--timeout", "1", *words], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True)

    def begin(self):
        source, target = self.side["source"], self.side["target"]
        with source.daemon.client("director") as client:
            self.world = client.create_world("arena", **self.mode).id
            client.spawn(self.world, label="first")
            if self.mode["mode"] == STEPPED:
                client.step(self.world, 10)
            self.tick = client.state(self.world).tick
        for name, side in self.side.items():
            side.line.hook = self.hook(name)
        self.mover = self.command("--port", str(source.line.port), "move-world", "arena",
                                  f"127.0.0.1:{target.line.port}", "--hold", str(HOLD_S))

    def look(self):
        """The target first: once it runs, the source must be gone for ever."""
        there, here = self.side["target"].worlds(), self.side["source"].worlds()
        copy, world = (there or {}).get("arena"), (here or {}).get("arena")
        if copy and not copy.arriving and world:
            raise AssertionError(f"{self}: two of them: {world} and {copy}")
        return (world if here is not None else "silent"), (copy if there is not None else "silent")

    def write(self):
        """What the source acknowledges while the move is under way is in the world in the end."""
        try:
            with self.side["source"].daemon.client("writer") as client:
                client.socket.settimeout(0.5)
                client.spawn(self.world, x=3.0, label="late")
                self.expected.add("late")
        except (OSError, Closed, Refused):
            pass

    def wait_for_mover(self):
        """Until it has ended, or hangs because it is stopped."""
        broken_s = None
        deadline = time.monotonic() + SETTLE_S
        while self.mover.poll() is None:
            if self.fired and broken_s is None:
                broken_s = time.monotonic()
            if broken_s and time.monotonic() > broken_s + self.lasts_s:
                self.heal()
            if self.party == "mover" or self.fault not in ("kill", "stop"):
                self.look()
                if self.fired and "late" not in self.expected:
                    self.write()
            if time.monotonic() > deadline:
                self.mover.kill()
                raise AssertionError(f"{self}: the mover does not end")
            time.sleep(0.02)
        self.heal()

    def heal(self):
        for side in self.side.values():
            side.heal()
        if self.mover.poll() is None:
            self.mover.send_signal(signal.SIGCONT)

    def settled(self):
        """What is where once holds and leases have ended."""
        deadline = time.monotonic() + SETTLE_S
        while True:
            world, copy = self.look()
            leased = copy and copy.arriving and copy.owner_leaves == world_pb2.OWNER_LEAVES_DESTROY
            moving = [found for found in (world, copy) if found and not found.arriving
                      and found.paused != self.mode.get("paused", False)]  # held, or just started
            if not leased and not moving:
                return world, copy
            if time.monotonic() > deadline:
                raise AssertionError(f"{self}: does not settle: {world}, {copy}")
            time.sleep(0.05)

    def finish(self):
        """As an operator would, after a move that was broken off between its steps 4 and 6."""
        source, target = self.side["source"], self.side["target"]
        if self.party == "source" and self.fault == "kill":
            command = self.command("--port", str(target.daemon.port), "claim-world", "arena", "--start")
        else:
            command = self.command("--port", str(source.daemon.port), "move-world", "arena",
                                   f"127.0.0.1:{target.daemon.port}")
        _, said = command.communicate(timeout=SETTLE_S)
        if command.returncode != 0:
            raise AssertionError(f"{self}: cannot be finished: {said}")

    def may_be_lost(self):
        """By the table: the daemon that had it was killed. From its snapshot on, a source that is killed has a copy."""
        at = (self.step, self.phase)
        return self.fired and self.fault == "kill" and (
            self.party == "source" and at <= (3, "request") or self.party == "target" and at >= (6, "answer"))

    def run(self):
        self.begin()
        self.wait_for_mover()
        out, said = self.mover.communicate()
        code = self.mover.returncode
        world, copy = self.settled()
        outcome = "here" if world and not copy else "there" if copy and not copy.arriving else \
            "stale" if world else "waits" if copy else "lost"
        if outcome in ("stale", "waits"):
            if code == 0 or not self.fired:
                raise AssertionError(f"{self}: {outcome} after {code}: {out}{said}")
            self.finish()
            world, copy = self.settled()
            if world or not copy or copy.arriving:
                raise AssertionError(f"{self}: not finished: {world}, {copy}")
        if outcome == "lost" and not self.may_be_lost():
            raise AssertionError(f"{self}: lost: {code}, {said}")
        if code == 0 and outcome != "there" and not self.may_be_lost():
            raise AssertionError(f"{self}: moved, but {outcome}: {out}")
        if outcome != "lost":
            self.expect_whole(world, copy)
        if os.environ.get("TROUPE_MOVE_SEED") or "TROUPE_MOVES_TOLD" in os.environ:
            print(f"{self}: fired {self.fired}, mover {code}, {outcome} {said.strip()[:200]!r}", flush=True)
        return outcome

    def expect_whole(self, world, copy):
        side = self.side["source" if world else "target"]
        with side.daemon.client("judge") as client:
            found = world or copy
            state = client.state(found.id)
            labels = {character.label for character in state.characters}
            if labels != self.expected or state.tick < self.tick:
                raise AssertionError(f"{self}: {labels} at {state.tick}, expected {self.expected} from {self.tick} on")
            if found.paused != self.mode.get("paused", False):
                raise AssertionError(f"{self}: paused is {found.paused}")
            if self.mode["mode"] == STEPPED:
                client.step(found.id, 5)
            elif not found.paused:
                while client.state(found.id).tick == state.tick:
                    time.sleep(0.01)


class Moves(unittest.TestCase):
    def work(self, seeds, outcomes):
        directory = tempfile.mkdtemp(prefix="troupe-move-")
        source, target = Side(directory, "source"), Side(directory, "target")
        try:
            while True:
                try:
                    seed = seeds.get_nowait()
                except queue.Empty:
                    break
                outcomes.append(Case(seed, source, target).run())
                for side in source, target:
                    side.clear()
        except Exception as failure:  # of a thread: reported below
            outcomes.append(failure)
        finally:
            for side in source, target:
                side.line.close()
                side.kill()
            shutil.rmtree(directory, ignore_errors=True)

    def test_moves(self):
        began = time.monotonic()
        seeds, outcomes = queue.Queue(), []
        alone = os.environ.get("TROUPE_MOVE_SEED")
        for seed in [int(alone)] if alone else range(CASES):
            seeds.put(seed)
        workers = [threading.Thread(target=self.work, args=(seeds, outcomes)) for _ in range(WORKERS if not alone else 1)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        failures = [str(outcome) for outcome in outcomes if isinstance(outcome, Exception)]
        self.assertEqual(failures, [])
        tally = {outcome: outcomes.count(outcome) for outcome in sorted(set(outcomes))}
        print(f"{len(outcomes)} moves in {time.monotonic() - began:.0f} s, after each fault the world was: {tally}", flush=True)


if __name__ == "__main__":
    unittest.main()

"""kill -9 of the daemon while matches are written: acknowledged bouts are there when it starts again, the batches
continue, and their results are those of a daemon that was never killed.

TROUPE_KILLS: the number of kills; 12 always, 1000 nightly.
"""

import os
import random
import shutil
import signal
import tempfile
import time
import unittest

from harness import *
from matches import DONE, detail, essence, match, wait_for_end

KILLS = int(os.environ.get("TROUPE_KILLS", "12"))
BOUTS = 60
RECENT = 5  # batches checked after each kill; all of them after the last


def batch(number):
    return match(f"batch {number}", bouts=BOUTS, time_limit_s=0.3, seed=number)


class Kills(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="troupe-kill-")
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)
        self.state = os.path.join(self.directory, "state")
        self.acknowledged = {}  # match: bouts that were told as done
        self.started = 0

    def expect_acknowledged(self, client, names):
        for name in names:
            done = self.acknowledged[name]
            answer, bouts = detail(client, name)
            self.assertGreaterEqual(len(bouts), done, name)
            self.assertEqual([b.position for b in bouts], list(range(len(bouts))), name)
            self.assertLessEqual(answer.info.bouts_done, BOUTS)

    def live_once(self, draw):
        """A daemon's life: what was is there, a batch more is begun, and at some moment comes the end."""
        daemon = Daemon("--threads", "1", state_dir=self.state)
        try:
            with daemon.client() as client:
                self.expect_acknowledged(client, list(self.acknowledged)[-RECENT:])
                if all(done == BOUTS for done in self.acknowledged.values()):
                    client.ask(start_match=dict(match=batch(self.started)))
                    self.acknowledged[f"batch {self.started}"] = 0
                    self.started += 1
                newest = f"batch {self.started - 1}"
                end = time.monotonic() + draw.random() * 0.15
                while time.monotonic() < end:
                    _, bouts = detail(client, newest)
                    self.acknowledged[newest] = len(bouts)
        finally:
            daemon.process.send_signal(signal.SIGKILL)
            daemon.process.wait()
            shutil.rmtree(daemon.own_dir, ignore_errors=True)

    def test_matches(self):
        draw = random.Random(1)
        for _ in range(KILLS):
            self.live_once(draw)
        with Daemon("--threads", "1", state_dir=self.state) as daemon, daemon.client() as client:
            self.expect_acknowledged(client, self.acknowledged)
            killed = {}
            for name in self.acknowledged:
                answer, bouts = wait_for_end(client, name)
                self.assertEqual((answer.info.state, len(bouts)), (DONE, BOUTS))
                killed[name] = (answer.results_hash, essence(bouts))
        with Daemon("--threads", "1") as daemon, daemon.client() as client:
            for number in draw.sample(range(self.started), min(self.started, 5)):
                client.ask(start_match=dict(match=batch(number)))
                answer, bouts = wait_for_end(client, f"batch {number}")
                self.assertEqual(killed[f"batch {number}"], (answer.results_hash, essence(bouts)))
        print(f"{KILLS} kills in {self.started} batches of {BOUTS} bouts: every bout told was there, all ended with the "
              "results of a daemon left alone", flush=True)


if __name__ == "__main__":
    unittest.main()

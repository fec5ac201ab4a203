"""The command line client against the real daemon, as the README's first session has it."""

import json
import os
import subprocess
import tempfile
import unittest

from harness import *


class CommandLine(unittest.TestCase):
    def setUp(self):
        self.daemon = Daemon()
        self.addCleanup(self.daemon.__exit__, None, None, None)

    def run_troupe(self, *arguments, status=0):
        environment = dict(os.environ, TROUPE_ADDRESS=f"127.0.0.1:{self.daemon.port}")
        ended = subprocess.run([os.environ["TROUPE"], *arguments], env=environment, capture_output=True, text=True,
                               timeout=60)
        self.assertEqual(ended.returncode, status, ended.stdout + ended.stderr)
        return ended.stdout if status == 0 else ended.stderr

    def json(self, *arguments):
        return json.loads(self.run_troupe(*arguments, "--json"))

    def test_first_session(self):
        self.assertIn("sway", self.run_troupe("controllers"))
        self.run_troupe("create-world", "arena")
        self.run_troupe("spawn", "arena", "sway", "--label", "Ada")
        self.run_troupe("push", "arena", "Ada", "0,120,0")
        self.run_troupe("set-controller", "arena", "Ada", "hold")
        watched = self.run_troupe("watch", "arena", "--rate", "20", "--for", "0.5", "--json")
        lines = [json.loads(line) for line in watched.splitlines()]
        self.assertGreater(len(lines), 5)
        self.assertIn("Ada", self.run_troupe("state", "arena"))
        self.run_troupe("destroy-world", "arena")
        self.run_troupe("state", "arena", status=1)

    def test_snapshot_of_a_stepped_world(self):
        with tempfile.TemporaryDirectory() as directory:
            saved = os.path.join(directory, "saved")
            self.run_troupe("create-world", "lab", "--mode", "stepped")
            self.run_troupe("spawn", "lab", "sway")
            self.run_troupe("step", "lab", "50")
            self.run_troupe("snapshot", "lab", saved)
            first = self.json("step", "lab", "100")
            self.run_troupe("restore", "lab", saved)
            self.assertEqual(self.json("step", "lab", "100"), first)

    def test_refusals_say_what_to_do(self):
        self.assertIn("arena", self.run_troupe("spawn", "arena", "sway", status=1))
        self.run_troupe("nothing", status=2)
        self.daemon.stop()
        self.run_troupe("status", status=3)


if __name__ == "__main__":
    unittest.main()

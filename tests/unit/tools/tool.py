"""Runs troupe-train in a folder of its own. TROUPE_TRAIN, TROUPE_BUNDLE, TROUPE_SWAY and TROUPE_SOURCE say where things
are."""

import os
import shutil
import subprocess
import tempfile
import unittest


class Case(unittest.TestCase):
    train = os.environ["TROUPE_TRAIN"]
    bundle = os.environ["TROUPE_BUNDLE"]
    sway = os.environ["TROUPE_SWAY"]
    source = os.environ["TROUPE_SOURCE"]
    model = os.path.join(source, "controllers/model/humanoid.xml")

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="troupe-tool-")
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def run_tool(self, *arguments, code=0):
        """What the command says; stderr when it is to fail."""
        done = subprocess.run([self.train, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=300,
                              env=dict(os.environ, TMPDIR=self.folder))
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stderr if code else done.stdout

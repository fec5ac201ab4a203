"""Runs troupe-train in a temporary folder. The environment names the files: TROUPE_TRAIN, TROUPE_BUNDLE, TROUPE_SWAY and
TROUPE_SOURCE; TROUPE_SLOW says that sanitizers make them take ten times as long."""

import os
import shutil
import subprocess
import tempfile
import unittest
import zlib

LIMIT_S = 900 if not os.environ.get("TROUPE_SLOW") else 3000


def unpacked_bytes(content):
    """What a packed column holds (db/store/pack.h); not for series of quaternions."""
    form, size, rest = content[0], int.from_bytes(content[1:5], "little"), content[5:]
    if form == 0:
        return rest
    rest = zlib.decompress(rest)
    if form == 1:
        return rest
    odd, count = size % 8, size // 8
    return rest[:odd] + bytes(rest[odd + i % 8 * count + i // 8] for i in range(8 * count))


def unpacked(content):
    return unpacked_bytes(content).decode()


def packed(text):
    return b"\0" + len(text.encode()).to_bytes(4, "little") + text.encode()


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

    def exists(self, name):
        return os.path.exists(self.path(name))

    def run_tool(self, *arguments, code=0):
        """What the command says; stderr when it is to fail. Both are kept."""
        done = subprocess.run([self.train, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=LIMIT_S,
                              env=dict(os.environ, TMPDIR=self.folder))
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.said, self.aside = done.stdout, done.stderr
        return done.stderr if code else done.stdout

"""The Godot client in Godot's headless build: its encoding against Python's, sessions, keys, ends, and the sample scene."""

import os
import shutil
import subprocess
import tempfile
import unittest

from accounts import Guarded, Key, configuration
from harness import Daemon
from messages import packed, samples, unpacked

HERE = os.path.dirname(os.path.abspath(__file__))
LIMIT_S = 240 if not os.environ.get("TROUPE_SLOW") else 2400


class Godot(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="troupe-godot-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.project = shutil.copytree(os.environ["TROUPE_GODOT"], os.path.join(cls.folder, "project"))
        shutil.copytree(os.path.join(HERE, "godot"), cls.project, dirs_exist_ok=True)

    def start(self, group, port=0, **environment):
        own = {name: self.folder for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME")}
        return subprocess.Popen(["godot3-server", "--path", self.project, "-s", group + ".gd"], stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True,
                                env={**os.environ, **own, "LANG": "en_US.UTF-8", "TROUPE_TEST_PORT": str(port), **environment})

    def finish(self, process):
        """A script that cannot be read, or fails while it runs, prints SCRIPT ERROR and continues."""
        try:
            said = process.communicate(timeout=LIMIT_S)[0]
        finally:
            process.kill()
        self.assertEqual(process.returncode, 0, said)
        self.assertNotIn("SCRIPT ERROR", said)
        self.assertIn("ok test_", said)

    def run_group(self, *arguments, **environment):
        self.finish(self.start(*arguments, **environment))

    def test_codec(self):
        messages = samples(5)
        path = os.path.join(self.folder, "messages")
        with open(path, "wb") as file:
            file.write(packed(messages))
        self.run_group("codec", TROUPE_TEST_ECHO=path)
        with open(path + ".returned", "rb") as file:
            self.assertEqual(list(unpacked(file.read(), messages)), messages)

    def test_sessions(self):
        with Daemon() as daemon:
            self.run_group("sessions", daemon.port)

    def test_accounts(self):
        key = Key("script")
        with Guarded(configuration([key.row("director")])) as guarded:
            self.run_group("accounts", guarded.daemon.port, TROUPE_TEST_KEY=key.text())

    def test_the_daemons_end(self):
        with Daemon() as daemon:
            process = self.start("end", daemon.port)
            while (line := process.stdout.readline()) != "connected\n":
                self.assertTrue(line, "Godot ended")
            daemon.stop()
            self.finish(process)

    def test_scene(self):
        with Daemon(bundle=False, shipped=True) as daemon:
            self.run_group("scene", daemon.port)


if __name__ == "__main__":
    unittest.main()

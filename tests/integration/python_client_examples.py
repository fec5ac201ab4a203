"""The examples of the Python package do what they say, and pip installs the package from the tree."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from harness import Daemon

PACKAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "client", "python")


def installed(module):
    return importlib.util.find_spec(module) is not None


def run(script, *arguments):
    command = [sys.executable, "-B", os.path.join(PACKAGE, "examples", script), *arguments]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=100)
    if ended.returncode != 0:
        raise AssertionError(ended.stderr)
    return ended.stdout


class Examples(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon()

    @classmethod
    def tearDownClass(cls):
        cls.daemon.__exit__(None, None, None)

    def run_example(self, script, *arguments):
        return run(script, "--port", str(self.daemon.port), "--controller", "hold", *arguments)

    def test_random_policy(self):
        out = self.run_example("random_policy.py", "--worlds", "2", "--steps", "20", "--limit", "0")
        self.assertEqual(out, "2 episodes, 1.0 s on average, 1.0 to 1.0 s\n")

    def test_push_recovery(self):
        header, light, hard = self.run_example("push_recovery.py", "--forces", "0", "600", "--phases", "1").split()
        self.assertEqual((header, light), ("force_n,trials,survived", "0,8,8"))
        self.assertEqual(hard, "600,8,0")

    def test_the_program_in_the_readme(self):
        with open(os.path.join(PACKAGE, "README.md")) as file:
            (program,) = re.findall(r"```python\n(.*?)```", file.read(), re.DOTALL)
        program = program.replace("Client()", f"Client(port={self.daemon.port})").replace('"walk"', '"hold"')
        ended = subprocess.run([sys.executable, "-B", "-c", program], check=True, capture_output=True, text=True)
        self.assertEqual(ended.stdout.split("\n"), ["hold 0.4", "sway 0.6", "False", ""])

    @unittest.skipUnless(installed("matplotlib"), "python3-matplotlib is not installed")
    def test_plot(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "push.svg")
            out = self.run_example("plot_push.py", "--force", "500", "--seconds", "3", "-o", path)
            self.assertRegex(out, r"lowest at 0\.\d\d m")
            with open(path) as file:
                self.assertIn("<svg", file.read())


class Installation(unittest.TestCase):
    @unittest.skipUnless(all(map(installed, ("pip", "setuptools", "wheel"))), "pip, setuptools or wheel is missing")
    def test_pip_installs_from_the_tree(self):
        with tempfile.TemporaryDirectory() as folder:
            for part in ("client/python", "proto"):
                shutil.copytree(os.path.join(PACKAGE, "..", "..", part), os.path.join(folder, part))
            target = os.path.join(folder, "site")
            pip = [sys.executable, "-m", "pip", "install", "--no-build-isolation", "--no-index", "--no-deps", "--quiet"]
            subprocess.run(
                [*pip, "--target", target, os.path.join(folder, "client", "python")], check=True, capture_output=True
            )
            show = "import troupe; from troupe import requests; print(troupe.__file__, requests.ping().frame(1).hex())"
            out = subprocess.run(
                [sys.executable, "-B", "-c", show],
                env={**os.environ, "PYTHONPATH": target},
                check=True,
                capture_output=True,
                text=True,
            ).stdout
            self.assertIn(target, out)
            self.assertTrue(re.search(r" 0408015a00$", out.strip()), out)
            self.assertTrue(os.path.exists(os.path.join(target, "troupe", "state_pb2.pyi")))


if __name__ == "__main__":
    unittest.main()

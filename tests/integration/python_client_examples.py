"""The examples of the Python package do what they say, and pip installs the package from the tree."""

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import venv

from harness import Daemon, sanitizer

PACKAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "client", "python")


def installed(module):
    return importlib.util.find_spec(module) is not None


def ended_run(script, *arguments, **options):
    command = [sys.executable, "-B", os.path.join(PACKAGE, "examples", script), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=100, **options)


def run(script, *arguments):
    ended = ended_run(script, *arguments)
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

    def test_pictures(self):
        with tempfile.TemporaryDirectory() as folder:
            self.run_example("pictures.py", "--count", "3", "--out", folder)
            self.assertEqual(sorted(os.listdir(folder)), ["000.png", "001.png", "002.png"])
            with open(os.path.join(folder, "002.png"), "rb") as file:
                self.assertEqual(file.read(24)[12:], b"IHDR" + (480).to_bytes(4, "big") + (360).to_bytes(4, "big"))

    def test_benchmark(self):
        """Every policy of a task gets a score; the same again, a policy trained here included."""
        command = ("benchmark.py", "--tasks", "stand", "--worlds", "2", "--decisions", "512")
        out = self.run_example(*command)
        self.assertEqual(self.run_example(*command), out)
        header, *rows = [line.split(",") for line in out.split()]
        self.assertEqual(header, ["task", "controller", "policy", "score", "interval"])
        self.assertEqual([row[:3] for row in rows], [["stand", "hold", policy] for policy in ("shipped", "random", "ppo")])
        self.assertTrue(all(0 <= float(row[3]) <= 100 for row in rows))

    def test_push_recovery(self):
        header, light, hard = self.run_example("push_recovery.py", "--forces", "0", "600", "--phases", "1").split()
        self.assertEqual((header, light), ("force_n,trials,survived", "0,8,8"))
        self.assertEqual(hard, "600,8,0")

    @unittest.skipIf(sanitizer(), "Python would need the sanitizer's library first")
    def test_rollback(self):
        """What the player does is shown as the daemon then does it, over a link that is late and loses."""
        rows = self.run_example("rollback.py", "--bundle", os.environ["TROUPE_BUNDLE"], "--characters", "2", "--seconds", "4").split("\n")
        median_cm = {name: float(cm) for name, cm, *_ in (row.rsplit(",", 3) for row in rows[1:5])}
        self.assertLess(median_cm["own"], 0.1)
        self.assertLess(median_cm["own"], median_cm["own, without"] + 0.01)
        self.assertIn("the whole state was taken 1 times", rows[-2])

    def test_the_programs_in_the_readme(self):
        """Run as printed, with another port and other controllers."""
        with open(os.path.join(PACKAGE, "README.md")) as file:
            programs = re.findall(r"```python\n(.*?)```", file.read(), re.DOTALL)
        told = []
        for program in programs:
            program = re.sub(r"\) as", f", port={self.daemon.port}) as", program).replace("(, ", "(")
            program = program.replace('"walk"', '"hold"').replace('"run"', '"sway"')
            ended = subprocess.run([sys.executable, "-B", "-c", program], capture_output=True, text=True)
            self.assertEqual(ended.returncode, 0, ended.stderr)
            told.append(ended.stdout.split("\n"))
        self.assertEqual(told, [["hold 0.4", "sway 0.6", "False", ""], ["(32, 132)", ""], ["(240, 320, 3)", ""]])

    def match(self, folder, **fields):
        """The example's description, fought by the controllers that are here."""
        with open(os.path.join(PACKAGE, "examples", "duel.json")) as file:
            description = {**json.load(file), **fields}
        for team, controller in zip(description["teams"], ("sway", "hold")):
            team["members"][0]["controller"] = controller
        path = os.path.join(folder, "duel.json")
        with open(path, "w") as file:
            json.dump(description, file)
        return ended_run("match.py", "--port", str(self.daemon.port), "--bouts", "4", "--name", self.id(), path)

    def test_match(self):
        with tempfile.TemporaryDirectory() as folder:
            first = self.match(folder, timeLimitS=1)
            self.assertEqual(first.returncode, 0, first.stderr)
            header, red, blue, bouts, results = first.stdout.splitlines()
            self.assertEqual((red.split(",")[0], blue.split(",")[0]), ("red", "blue"))
            self.assertEqual({len(row.split(",")) for row in (header, red, blue)}, {8})
            rate, low, high = map(float, red.split(",")[2:5])
            self.assertTrue(0 <= low <= rate <= high <= 1)
            self.assertRegex(bouts, r"^# 4 bouts, drawn \d, void 0, ")
            self.assertRegex(results, r"^# results [0-9a-f]{16}: ")
            again = self.match(folder)
            self.assertEqual((again.returncode, again.stdout), (1, ""))
            self.assertRegex(again.stderr, r"^match: ALREADY_EXISTS: ")

    def test_a_match_that_cannot_be_read(self):
        with tempfile.TemporaryDirectory() as folder:
            ended = self.match(folder, sead=3)
            self.assertEqual((ended.returncode, ended.stdout), (1, ""))
            self.assertRegex(ended.stderr, r"^match: .*duel\.json: .*sead")
            ended = ended_run("match.py", os.path.join(folder, "nothing.json"))
            self.assertIn("nothing.json", ended.stderr)
            self.assertNotIn("Traceback", ended.stderr)

    def test_football(self):
        """Puppets that cannot be steered, for a second: both teams from here, or one."""
        for name, teams in (("both", ("red", "blue")), ("one", ("blue",))):
            out = self.run_example("football.py", "--seconds", "1", "--name", name, "--teams", *teams)
            self.assertEqual(out, "red 0, blue 0: the time was up\n")

    def test_plots_without_matplotlib(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "matplotlib.py"), "w") as file:
                file.write("raise ImportError('it is hidden')\n")
            environment = {**os.environ, "PYTHONPATH": folder + os.pathsep + os.environ["PYTHONPATH"]}
            for script in ("plot_certificate.py", "plot_push.py"):
                ended = ended_run(script, env=environment)
                self.assertEqual(ended.returncode, 1)
                self.assertRegex(ended.stderr, r"^plot_\w+: needs matplotlib, Debian's python3-matplotlib: it is hidden\n$")

    @unittest.skipUnless(installed("matplotlib"), "python3-matplotlib is not installed")
    def test_plot_of_a_certificate(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "certificate.svg")
            port = ("--port", str(self.daemon.port))
            out = run("plot_certificate.py", *port, "--controller", "sway", "-o", path)
            lines = ["95% survived: 0 N in every direction, 40 N in the best"]
            lines += ["50% survived: 20 N in every direction, 40 N in the best"]
            self.assertEqual(out.splitlines(), lines)
            with open(path) as file:
                self.assertIn("<svg", file.read())
            ended = ended_run("plot_certificate.py", *port, "--controller", "hold", "-o", path)
            self.assertEqual(ended.returncode, 1)
            self.assertRegex(ended.stderr, r"^plot_certificate: .*hold")

    @unittest.skipUnless(installed("matplotlib"), "python3-matplotlib is not installed")
    def test_plot(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "push.svg")
            out = self.run_example("plot_push.py", "--force", "500", "--seconds", "3", "-o", path)
            self.assertRegex(out, r"lowest at 0\.\d\d m")
            with open(path) as file:
                self.assertIn("<svg", file.read())


@unittest.skipUnless(all(map(installed, ("pip", "setuptools", "wheel"))), "pip, setuptools or wheel is missing")
class Installation(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.environment = os.path.join(self.folder, "venv")
        venv.create(self.environment, system_site_packages=True)
        self.python = os.path.join(self.environment, "bin", "python")

    def install(self, what, **options):
        """Into the fresh environment, offline."""
        pip = [sys.executable, "-m", "pip", "--python", self.python, "install", "--no-build-isolation", "--no-index", "--no-deps", "--quiet"]
        installing = subprocess.run([*pip, what], capture_output=True, text=True, **options)
        self.assertEqual(installing.returncode, 0, installing.stderr)

    def check(self):
        show = "import troupe, troupe.envs; from troupe import requests; print(troupe.__file__, requests.ping().frame(1).hex())"
        clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        ran = subprocess.run([self.python, "-B", "-c", show], env=clean, cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        where, ping = ran.stdout.split()
        self.assertTrue(where.startswith(self.environment), where)
        self.assertEqual(ping, "0408015a00")
        self.assertTrue(os.path.exists(os.path.join(os.path.dirname(where), "state_pb2.pyi")))

    def test_pip_installs_from_the_tree(self):
        """Nothing is written into the tree: from a copy of it."""
        for part in ("client/python", "proto"):
            shutil.copytree(os.path.join(PACKAGE, "..", "..", part), os.path.join(self.folder, part))
        self.install(os.path.join(self.folder, "client", "python"))
        self.check()

    def test_a_wheel_is_installed_without_the_tree_and_without_protoc(self):
        script = os.path.join(PACKAGE, "..", "..", "deploy", "build-wheel.sh")
        build = subprocess.run(["bash", script, self.folder], env={**os.environ, "PYTHON": sys.executable}, capture_output=True, text=True)
        self.assertEqual(build.returncode, 0, build.stderr)
        self.install(build.stdout.strip(), env={**os.environ, "PATH": os.path.join(self.environment, "bin")})
        self.check()

    @unittest.skipIf(sanitizer(), "Python would need the sanitizer's library first")
    def test_a_wheel_with_the_library_steps_worlds(self):
        script = os.path.join(PACKAGE, "..", "..", "deploy", "build-wheel.sh")
        build = subprocess.run(["bash", script, "--library", os.environ["TROUPE_SIMULATION"], self.folder],
                               env={**os.environ, "PYTHON": sys.executable}, capture_output=True, text=True)
        self.assertEqual(build.returncode, 0, build.stderr)
        self.assertRegex(build.stdout, r"-py3-none-linux_(x86_64|aarch64)\.whl$")
        self.install(build.stdout.strip())
        clean = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "TROUPE_SIMULATION")}
        show = "from troupe import mirror; import ctypes; print(ctypes.CDLL(mirror._find_library())._name)"
        ran = subprocess.run([self.python, "-B", "-c", show], env=clean, cwd=self.folder, capture_output=True, text=True)
        self.assertTrue(ran.stdout.startswith(self.environment), ran.stdout + ran.stderr)


if __name__ == "__main__":
    unittest.main()

"""Commands on many ranks: the same bits as alone, one writer, and a message when a rank dies or differs."""

import os
import shutil
import signal
import sqlite3
import struct
import subprocess
import time
import unittest

from certificates import TINY as CERTIFICATE
from latent import FEET, TASK
from reproduce import GAIT, TINY as LESSON
from schedule import SETTINGS as SCHEDULE
from tool import LIMIT_S, Case

MPIRUN = shutil.which("mpirun") if os.environ["TROUPE_MPI"] == "1" else None
NEEDS_MPI = "left out: a build with MPI and mpirun (Debian: libopenmpi-dev, openmpi-bin) are needed"


class Refused(Case):
    def test_ranks_that_cannot_find_each_other(self):
        """They would all write the same files."""
        told = {"SLURM_STEP_NUM_TASKS": "4"} if os.environ["TROUPE_MPI"] == "1" else {"OMPI_COMM_WORLD_SIZE": "4"}
        done = subprocess.run([self.train, "bundle", "list", self.bundle], env=dict(os.environ, **told), capture_output=True, text=True,
                              timeout=LIMIT_S)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, "started as one of 4 (processes|ranks)")


class Slurm(Case):
    def test_a_job_starts_ranks_for_what_shares_its_work(self):
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../deploy/slurm/ranks.sh")
        job = dict(os.environ, TROUPE_TRAIN=self.train, LAUNCH="echo ranks:", SLURM_NTASKS="4")
        for command in "learn walk", "evaluate walk", "gait learn", "distil walk", "bundle list", "train", "walk":
            shared = command not in ("bundle list", "train", "walk")
            with self.subTest(command):
                done = subprocess.run(["bash", script, *command.split(), "--help"], env=job, capture_output=True, text=True, timeout=LIMIT_S)
                self.assertEqual(done.stdout.startswith("ranks: "), shared, done.stdout + done.stderr)


@unittest.skipUnless(MPIRUN, NEEDS_MPI)
class Ranks(Case):
    def words(self, ranks, *arguments):
        job = (MPIRUN, "--oversubscribe", "-n", str(ranks)) if ranks else ()
        return (*job, self.train, *arguments)

    def environment(self, **more):
        return dict(os.environ, TMPDIR=self.folder, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", **more)

    def share(self, ranks, *arguments, code=0):
        """What the command prints, and on stderr; ranks 0: without mpirun."""
        done = subprocess.run(self.words(ranks, *arguments), cwd=self.folder, capture_output=True, text=True, timeout=LIMIT_S,
                              env=self.environment())
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stderr if code else done.stdout

    def ask(self, catalogue, question):
        with sqlite3.connect(self.path(catalogue)) as c:
            rows = c.execute(question).fetchall()
        c.close()
        return rows

    def test_a_certificate(self):
        figures = []
        for ranks, threads in (0, 3), (3, 2):
            name = "c%d.troupe" % ranks
            self.run_tool("bundle", "import", self.bundle, "--catalogue", name)
            page = self.share(ranks, "certify", "hold", "--catalogue", name, "--threads", str(threads), *CERTIFICATE)
            self.assertEqual(page.count("NSR none"), 2)  # one rank prints: while it measures, and in the report
            self.assertEqual(self.ask(name, "SELECT count(*) FROM certificate"), [(1,)])
            figures.append([self.ask(name, "SELECT * FROM certificate_%s ORDER BY 1, 2, 3" % part) for part in ("figure", "push")])
        self.assertGreater(len(figures[0][0]), 20)
        self.assertEqual(figures[1], figures[0])

    def test_a_training_is_reproduced_alone_and_on_ranks(self):
        settings = [word for key, value in dict(LESSON, refine_samples=120, harden_rounds=1, harden_updates=1,
                                                harden_directions=3, harden_trials=3, harden_best=2).items() for word in ("--set", "%s=%s" % (key, value))]
        for ranks in 3, 4:
            said = self.share(ranks, "learn", self.sway, "--name", "on %d" % ranks, "--catalogue", "c.troupe", "--threads", "1", *settings)
            self.assertEqual(said.count("\nharden "), 1)
            said = self.share(2 - ranks % 2 * 2, "reproduce", "on %d" % ranks, "--catalogue", "c.troupe", "--motion", self.sway)
            self.assertIn("controller 'on %d': bit-identical" % ranks, said)
            self.assertRegex(said, r"metrics: (\d+) of \1 are the same to the bit")
        (host,), = self.ask("c.troupe", "SELECT host FROM run WHERE name = 'on 3'")
        self.assertRegex(host, r"; ranks: \S+ x3$")

    def test_a_gait(self):
        settings = [word for key, value in GAIT.items() for word in ("--set", "%s=%s" % (key, value))]
        self.run_tool("import", os.path.join(self.source, "tests/data/motion/figure.bvh"), "--model", self.model, "--symmetric",
                      "--accept", "symmetry", "--name", "figure", "-o", "figure.json")
        found = set()
        for ranks in (0, 3):
            self.share(ranks, "gait", "learn", "figure.json", "--catalogue", "%d.troupe" % ranks, "--name", "walk", "--threads", "1", *settings)
            found.add(repr(self.ask("%d.troupe" % ranks, "SELECT content FROM controller_section ORDER BY name")))
        self.assertEqual(len(found), 1)

    def test_a_latent_space_its_policy_and_its_checks(self):
        """On three ranks two have a term of the fit each, and one has two; the samples of the policy divide unevenly."""
        keys = os.path.join(self.source, "controllers/recipes/poses/quadruped-walk.json")
        quadruped = ("--model", os.path.join(self.source, "controllers/model/quadruped.xml"))
        self.run_tool("pose", keys, *quadruped, "-o", "walk.json")
        words = [word for each in TASK for word in ("--set", each)]
        few = ("--characters", "4", "--steps", "20", "--goal-steps", "10")
        found, said = [], set()
        for ranks in (0, 2, 3):
            space, puppets = "space%d.latent" % ranks, ("--catalogue", "hound%d.troupe" % ranks)
            one = (*quadruped, "--threads", str(1 + ranks % 2))
            self.share(ranks, "latent", "fit", "walk.json", *one, "--set", "iterations=6", "--out", space, "--supports", FEET)
            self.share(ranks, "latent", "task", space, *one, *words, "--name", "hound", *puppets)
            report = self.share(ranks, "latent", "check", "hound", *puppets, *one[2:], *few)
            said.add("\n".join(report.splitlines()[1:]))
            found.append((self.section(space, "space"), self.ask(puppets[1], "SELECT content FROM controller_section WHERE name = 'policy'")[0][0]))
        self.assertEqual(len(said), 1)
        self.assertGreater(min(len(each) for each in found[0]), 1000)
        self.assertEqual(found[1:], found[:1] * 2)

    def section(self, file, name):
        """The bytes of a section of a latent file (latent_file.c)."""
        with open(self.path(file), "rb") as content:
            data = content.read()
        _, _, count = struct.unpack_from("<3Q", data)
        at, found = 24, {}
        for _ in range(count):
            size, = struct.unpack_from("<Q", data, at + 48)
            found[data[at:at + 48].rstrip(b"\0").decode()] = data[at + 56:at + 56 + size]
            at += 56 + size
        self.assertIn(name, found)
        return found[name]

    def test_a_steering(self):
        self.run_tool("bundle", "export", os.path.join(self.source, "db/shipped.troupe"), "walk", "-o", "walk.bundle")
        kept = set()
        for ranks in (0, 3):
            name = "s%d.troupe" % ranks
            self.run_tool("bundle", "import", "walk.bundle", "--catalogue", name)
            self.share(ranks, "steer", "walk", "--catalogue", name, "--turn", "0.2", "--generations", "1", "--samples", "8", "--threads", "1")
            kept.add(repr(self.ask(name, "SELECT content FROM controller_section WHERE name = 'steering'")))
        self.assertEqual(len(kept), 1)
        self.assertNotEqual(kept, {"[]"})

    def schedule(self, catalogue, *more):
        return ("schedule", "learn", "hold", "--catalogue", catalogue, "--name", "chosen", "--threads", "1", *SCHEDULE, *more)

    def weights(self, catalogue):
        return self.ask(catalogue, "SELECT hex(content) FROM controller_section WHERE name = 'scheduler'")

    def test_a_rank_is_killed_and_the_training_resumed_on_more(self):
        for name in ("once.troupe", "parts.troupe"):
            self.run_tool("bundle", "import", self.bundle, "--catalogue", name)
        self.share(0, *self.schedule("once.troupe"))
        resumed = self.schedule("parts.troupe", "--checkpoint", "part", "--resume")
        with subprocess.Popen(self.words(2, *resumed), cwd=self.folder, env=self.environment(), stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True) as job:
            while not os.path.exists(self.path("part")) and job.poll() is None:
                time.sleep(0.001)
            os.kill(self.ranks_of(job)[-1], signal.SIGKILL)
            said = job.communicate(timeout=LIMIT_S)[1]
            self.assertNotEqual(job.returncode, 0)
        self.assertRegex(said, r"signal 9|[Kk]illed")
        self.share(3, *resumed)
        self.assertEqual(len(self.weights("once.troupe")), 1)
        self.assertEqual(self.weights("once.troupe"), self.weights("parts.troupe"))

    def test_an_aborted_rank_is_reported(self):
        """As by a failed assertion."""
        self.run_tool("bundle", "import", self.bundle, "--catalogue", "c.troupe")
        words = self.words(2, "evaluate", "hold", "--catalogue", "c.troupe", "--seeds", "1000", "--seconds", "10000", "--threads", "1")
        with subprocess.Popen(words, cwd=self.folder, env=self.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              text=True) as job:
            while job.poll() is None and not self.is_silent(job):
                time.sleep(0.05)
            time.sleep(0.2)
            os.kill(self.ranks_of(job)[-1], signal.SIGABRT)
            said = job.communicate(timeout=LIMIT_S)[1]
            self.assertNotEqual(job.returncode, 0)
        self.assertRegex(said, r"rank 1 of 2 on \S+ was aborted")

    def is_silent(self, job):
        """The last rank has joined, and keeps what it writes."""
        try:
            return "memfd" in os.readlink("/proc/%d/fd/2" % self.ranks_of(job)[-1])
        except (OSError, IndexError):
            return False

    @staticmethod
    def ranks_of(job):
        with open("/proc/%d/task/%d/children" % (job.pid, job.pid)) as children:
            return [int(each) for each in children.read().split()]

    def two_kinds(self, first, second):
        """A script that runs one command on rank 0, another on the others."""
        with open(self.path("either.sh"), "w") as script:
            script.write('if [ "$OMPI_COMM_WORLD_RANK" = 0 ]; then exec "$@" %s; else exec "$@" %s; fi\n' % (first, second))
        done = subprocess.run([MPIRUN, "--oversubscribe", "-n", "2", "sh", "either.sh", self.train, "evaluate"], cwd=self.folder,
                              capture_output=True, text=True, timeout=LIMIT_S, env=self.environment())
        self.assertNotEqual(done.returncode, 0)
        return done.stderr

    def test_a_rank_that_differs_is_named(self):
        few = "--seeds 4 --seconds 1 --threads 1 --catalogue"
        self.run_tool("bundle", "import", self.bundle, "--catalogue", "c.troupe")
        said = self.two_kinds("hold %s c.troupe" % few, "hold %s none.troupe" % few)
        self.assertIn("rank 1 of 2 on", said)
        self.assertIn("none.troupe: No such file or directory", said)
        said = self.two_kinds("hold %s c.troupe --seeds 4" % few, "hold %s c.troupe --seeds 6" % few)
        self.assertIn("rank 1 of 2 on", said)
        self.assertIn("all ranks need the same build, the same input files", said)

    def test_what_all_ranks_refuse_is_said_once(self):
        said = self.share(2, "evaluate", "hold", "--catalogue", "none.troupe", code=1)
        self.assertEqual(said.count("none.troupe: No such file"), 1)
        said = self.share(2, "bundle", "list", self.bundle, code=1)
        self.assertEqual(said.count("does not share its work"), 1)


if __name__ == "__main__":
    unittest.main()

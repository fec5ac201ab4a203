"""troupe match run --on: bouts on ranks, without a daemon, with the bits of one; continued after a kill; refusals."""

import json
import os
import shutil
import subprocess
import unittest

from harness import *
from match_files import GOOD, NO_FILE, REFUSED, USAGE
from troupe import match_pb2

MPIRUN = shutil.which("mpirun") if os.environ["TROUPE_MPI"] == "1" else None
BOUTS = 100  # more than a round of three ranks has


class Batches(Case):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="troupe-batch-", dir=self.daemon.own_dir)
        self.write("x.match", GOOD)
        subprocess.run([os.environ["TROUPE_TRAIN"], "bundle", "import", os.environ["TROUPE_BUNDLE"], "--catalogue", "c.troupe"],
                       cwd=self.folder, check=True, capture_output=True, timeout=TIMEOUT_S)

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w") as file:
            file.write(text)

    def troupe(self, *words, code=0, **more):
        environment = dict(os.environ, TROUPE_ADDRESS=f"127.0.0.1:{self.daemon.port}", TMPDIR=self.folder,
                           OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1")
        environment.update(more)
        done = subprocess.run([os.environ["TROUPE"], *words], cwd=self.folder, env=environment, capture_output=True, text=True,
                              timeout=6 * TIMEOUT_S)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def by_daemon(self, name, bouts):
        """What the daemon makes of the same match."""
        shown = self.troupe("match", "run", "x.match", "--bouts", str(bouts), "--name", name, "--bouts-too", "--json")
        return self.comparable(json.loads(shown.stdout.splitlines()[-1]))

    def on_ranks(self, ranks, name, bouts):
        shown = self.troupe("match", "run", "x.match", "--bouts", str(bouts), "--name", name, "--bouts-too", "--json", "--on", "mpi",
                            "--ranks", str(ranks), "--catalogue", "c.troupe", TROUPE_ADDRESS="127.0.0.1:1")
        return self.comparable(json.loads(shown.stdout))

    def comparable(self, shown):
        return {key: value for key, value in shown.items() if key not in ("match", "began", "ended")}

    def definition(self, bouts, **more):
        teams = [dict(name=name, members=[dict(controller="sway", pos=dict(x=x))]) for name, x in (("red", -2), ("blue", 2))]
        return match_pb2.Match(**dict(dict(name="long", rule="last_standing", seed=3, bouts=bouts, time_limit_s=0.5, teams=teams), **more))

    def copy(self, name, to):
        """A catalogue with the log that a killed process left."""
        for end in ("", "-wal", "-shm"):
            if os.path.exists(os.path.join(self.folder, f"{name}.troupe{end}")):
                shutil.copy(os.path.join(self.folder, f"{name}.troupe{end}"), os.path.join(self.folder, f"{to}.troupe{end}"))

    def fight(self, match, code=0, catalogue="c.troupe", launcher=()):
        """One process unless a launcher is given."""
        environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                           OMPI_MCA_rmaps_base_oversubscribe="1", TMPDIR=self.folder)
        done = subprocess.run([*launcher, os.environ["TROUPE_BOUTS"], "--catalogue", catalogue], cwd=self.folder, capture_output=True,
                              input=match.SerializeToString(), env=environment, timeout=6 * TIMEOUT_S)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout if code == 0 else done.stderr.decode()

    def details(self, frames):
        out = []
        while frames:
            size, used = 0, 0
            while True:
                byte = frames[used]
                size |= (byte & 127) << 7 * used
                used += 1
                if byte < 128:
                    break
            out.append(envelope_pb2.ServerMessage.FromString(frames[used:used + size]).response.match_detail)
            frames = frames[used + size:]
        return out

    @unittest.skipUnless(MPIRUN, "left out: a build with MPI and mpirun (Debian: libopenmpi-dev, openmpi-bin) are needed")
    def test_one_two_and_three_ranks_have_the_bits_of_a_daemon(self):
        expected = self.by_daemon("by-daemon", BOUTS)
        self.assertEqual([b["bout"] for b in expected["bout_list"]], list(range(BOUTS)))
        self.assertGreater(len({b["hash"] for b in expected["bout_list"]}), BOUTS // 2)
        for ranks in (1, 2, 3):
            self.assertEqual(self.on_ranks(ranks, f"on-{ranks}", BOUTS), expected)

    def test_a_daemon_continues_and_shows_what_a_killed_batch_left(self):
        match = self.definition(260)
        with subprocess.Popen([os.environ["TROUPE_BOUTS"], "--catalogue", "c.troupe"], cwd=self.folder, stdin=subprocess.PIPE,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as job:
            job.stdin.write(match.SerializeToString())
            job.stdin.close()
            self.assertEqual(job.stderr.readline(), b"32 of 260 bouts\n")
            job.kill()
        self.copy("c", "once")
        self.copy("c", "ranks")
        results = self.fight(match)
        pages = self.details(results)
        self.assertEqual(self.fight(match), results)  # it is done, and shown again
        if MPIRUN:
            again = self.details(self.fight(match, catalogue="ranks.troupe", launcher=(MPIRUN, "-n", "2")))
            self.assertEqual([page.bouts for page in again], [page.bouts for page in pages])
        self.assertEqual([len(page.bouts) for page in pages], [256, 4])
        self.assertEqual([b.position for page in pages for b in page.bouts], list(range(260)))
        with Daemon("--catalogue", os.path.join(self.folder, "once.troupe"), bundle=False) as daemon, daemon.client() as client:
            until = time.monotonic() + 6 * TIMEOUT_S
            while True:
                detail = client.ask(get_match=dict(name="long")).match_detail
                if detail.info.state == match_pb2.MATCH_STATE_DONE:
                    break
                self.assertLess(time.monotonic(), until)
                time.sleep(0.05)
            self.assertEqual(detail.results_hash, pages[0].results_hash)
            self.assertEqual(detail.ticks, pages[0].ticks)

    def test_refusals(self):
        short = self.definition(2)
        self.fight(short)
        self.assertIn("another match with this name", self.fight(self.definition(3), code=1))
        self.assertIn("mode: expected headless", self.fight(self.definition(1, mode=match_pb2.MATCH_MODE_REAL_TIME), code=1))
        self.assertIn("rule: unknown rule 'chess'", self.fight(self.definition(1, name="a", rule="chess"), code=1))
        nobody = self.definition(1, name="b")
        nobody.teams[0].members[0].controller = "nobody"
        self.assertIn("nobody", self.fight(nobody, code=1))
        self.assertIn("no match on standard input", self.fight(match_pb2.Match(), code=1))
        done = subprocess.run([os.environ["TROUPE_BOUTS"]], input=b"", capture_output=True, timeout=TIMEOUT_S)
        self.assertEqual((done.returncode, b"--catalogue: expected" in done.stderr), (2, True))

    def test_the_command_line(self):
        run = ("match", "run", "x.match", "--on")
        self.assertIn("--on fog: expected mpi or slurm", self.troupe(*run, "fog", code=USAGE).stderr)
        self.assertIn("expected --catalogue FILE", self.troupe(*run, "mpi", code=USAGE).stderr)
        self.assertIn("--detach", self.troupe(*run, "mpi", "--catalogue", "c.troupe", "--detach", code=USAGE).stderr)
        self.assertIn("--ranks 0: expected a whole number, 1 or more",
                      self.troupe(*run, "mpi", "--catalogue", "c.troupe", "--ranks", "0", code=USAGE).stderr)
        self.assertIn("expected with --on", self.troupe("match", "run", "x.match", "--ranks", "2", code=USAGE).stderr)
        said = self.troupe(*run, "slurm", "--catalogue", "c.troupe", code=NO_FILE, PATH=self.folder).stderr
        self.assertIn("srun cannot be started", said)
        self.assertIn("Install Slurm", said)

    def test_results_that_cannot_be_read(self):
        """They are read to the end, so that the job is not stopped by a pipe that nobody reads."""
        self.write("mpirun", "#!/bin/sh\ncat >/dev/null\nhead -c 1000000 /dev/zero && echo all written >&2\n")
        os.chmod(os.path.join(self.folder, "mpirun"), 0o755)
        said = self.troupe("match", "run", "x.match", "--on", "mpi", "--catalogue", "c.troupe", code=REFUSED,
                           PATH=f"{self.folder}:{os.environ['PATH']}").stderr
        self.assertIn("all written", said)
        self.assertIn("the results of the bouts cannot be read", said)
        self.assertNotIn("has failed", said)

    @unittest.skipUnless(MPIRUN, "left out: a build with MPI and mpirun are needed")
    def test_a_failed_job(self):
        said = self.troupe("match", "run", "x.match", "--on", "mpi", "--ranks", "2", "--catalogue", "none.troupe", code=REFUSED).stderr
        self.assertEqual(said.count("none.troupe: No such file"), 1)
        self.assertIn("the job of mpirun has failed", said)


if __name__ == "__main__":
    unittest.main()

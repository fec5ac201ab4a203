"""The table of ablations: a row for each choice left out, a column entry for each seed, and interrupted work is
continued."""

import os
import subprocess
import unittest

from tool import LIMIT_S, Case

TINY = ("--set refine_visits=4 --set refine_skipped=1 --set refine_samples=40 --set refine_sigma_deg=3 --set visits=30 "
        "--set first_samples=20 --set samples=16 --set first_sigma_deg=2 --set push_n=20 --set iterations=1 "
        "--set harden_rounds=0 --set test_trials=1 --set test_cap_s=1 --set test_grid_n=100 --set test_settle_s=0.2 "
        "--set test_after_s=0.3")


class Ablations(Case):
    def table(self, **more):
        environment = dict(os.environ, TRAIN=self.train, MODEL=self.model, TRIALS="2", SECONDS_HELD="2", PUSHES="20",
                           ONLY="whole no-ankles", MORE=TINY, **more)
        done = subprocess.run(["sh", os.path.join(self.source, "controllers/recipes/ablations.sh"), self.sway, "out", "2"],
                              cwd=self.folder, capture_output=True, text=True, timeout=2 * LIMIT_S, env=environment)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return [[cell.strip() for cell in line.strip("|").split("|")] for line in done.stdout.splitlines()]

    def test_the_table(self):
        head, line, whole, ankles = self.table()
        self.assertEqual(head[0], "row")
        self.assertEqual(len(line), len(head))
        self.assertEqual((whole[0], ankles[0]), ("whole", "no-ankles"))
        self.assertEqual(ankles[1], "the ankles in the action")
        for row in (whole, ankles):
            self.assertRegex(row[2], r"^\d+ % \(\d+, \d+\)$")
            self.assertRegex(row[3], r"^\d of 2, \d of 2$")
            self.assertGreaterEqual(float(row[5]), 0)
        with open(self.path("out/no-ankles-1.log")) as log:
            self.assertIn("11-D action", log.read())

        # Measured rows stay; a deleted one is measured again, with the same result.
        before = os.stat(self.path("out/whole-1.test")).st_mtime_ns
        os.remove(self.path("out/no-ankles-2.test"))
        os.remove(self.path("out/no-ankles-2.troupe"))
        os.remove(self.path("out/no-ankles-2.log"))
        again = self.table()
        self.assertEqual([row[:5] for row in again], [row[:5] for row in (head, line, whole, ankles)])
        self.assertEqual(os.stat(self.path("out/whole-1.test")).st_mtime_ns, before)


if __name__ == "__main__":
    unittest.main()

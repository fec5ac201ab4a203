"""Shipped controllers in MuJoCo: what holds here holds there, and what has no strength does not."""

import csv
import os
import subprocess
import unittest

BENCH = os.environ["TROUPE_BENCH"]


def held(name, *words):
    out = subprocess.run([BENCH, "truth", name, "--mujoco", *words], capture_output=True, text=True, timeout=100, check=True)
    return [(int(row["held"]), float(row["mean_s"])) for row in csv.DictReader(out.stdout.splitlines())]


class Mujoco(unittest.TestCase):
    def test_the_walk_holds_in_mujoco(self):
        self.assertEqual(held("walk", "--trials", "2", "--seconds", "4"), [(2, 4.0)])

    def test_a_flip_that_fits_its_training_world_does_not(self):
        self.assertEqual(held("backflip", "--trials", "1", "--seconds", "20")[0][0], 0)


if __name__ == "__main__":
    unittest.main()

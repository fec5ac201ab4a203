"""Latent spaces from the command line, of a quadruped's motions that the project makes itself: no part of it assumes two feet."""

import contextlib
import os
import sqlite3
import unittest

from tool import Case

FEET = "lhfoot,lffoot,rhfoot,rffoot"
POSES = os.path.join(Case.source, "controllers/recipes/poses")
QUADRUPED = ("--model", os.path.join(Case.source, "controllers/model/quadruped.xml"))
TASK = ("refinements=0", "speed_low_mps=0.3", "speed_high_mps=0.6", "bearing_cells=8", "sweeps=60")
FEW = ("--threads", "1", "--characters", "2", "--steps", "60", "--goal-steps", "30")


class Quadruped(Case):
    def make(self):
        """A space, and a puppet that moves in it, of a walk and a turn."""
        for gait in ("walk", "turn"):
            keys = os.path.join(POSES, f"quadruped-{gait}.json")
            self.assertIn("4 limbs held", self.run_tool("pose", keys, *QUADRUPED, "-o", f"{gait}.json"))
        fit = ("latent", "fit", "walk.json", "turn.json", *QUADRUPED, "--threads", "1", "--set", "iterations=30")
        said = self.run_tool(*fit, "--out", "space.latent", "--supports", FEET)
        self.assertIn("292 frames of 4 clips, mirrored in 4 dimensions", said)
        words = [word for each in TASK for word in ("--set", each)]
        self.run_tool("latent", "task", "space.latent", *QUADRUPED, "--threads", "1", *words, "--name", "hound", "--catalogue", "c.troupe")

    def test_four_feet_from_key_poses_to_a_puppet(self):
        self.make()
        check = self.run_tool("latent", "check", "hound", "--catalogue", "c.troupe", *FEW)
        self.assertGreater(float(self.figure(check, "reward of 1000")), 0)
        self.assertLess(float(self.figure(check, "slowest point of the lower foot")), 0.2)
        again = self.run_tool("reproduce", "hound", "--catalogue", "c.troupe", "--threads", "1")
        self.assertIn("controller 'hound': bit-identical", again)
        # Older records have another name of the method and no space, which the puppet holds.
        with contextlib.closing(sqlite3.connect(self.path("c.troupe"))) as catalogue, catalogue:
            catalogue.execute("UPDATE run SET method = 'latent'")
            catalogue.execute("DELETE FROM run_input")
        again = self.run_tool("reproduce", "hound", "--catalogue", "c.troupe", "--threads", "1")
        self.assertIn("controller 'hound': bit-identical", again)
        walks = self.run_tool("headings", "hound", "--catalogue", "c.troupe", "--trials", "2", "--seconds", "2", "--every", "1")
        self.assertRegex(walks, r"(?m)^hound +2/2 +\(0\.342 to 1\.000\) +2\.0 ")
        self.assertNotIn("falls", walks)
        falls = self.run_tool("headings", "hound", "--catalogue", "c.troupe", "--trials", "1", "--seconds", "2", "--every", "1", "--rise")
        self.assertIn("0 falls, up again after 0", falls)
        self.certify()

    def certify(self):
        """A puppet cannot be pushed; its certificate says how it follows headings."""
        certify = ("certify", "hound", "--catalogue", "c.troupe")
        self.assertIn("'hound': it moves without forces", self.run_tool(*certify, code=1))
        said = self.run_tool(*certify, "--heading-trials", "2", "--heading-seconds", "2", "--heading-every", "1")
        self.assertIn("headings     one every 1 s: 2 of 2 without a fall for 2 s", said)
        self.assertNotIn("nan", said)
        kept = self.run_tool("certificate", "hound", "--catalogue", "c.troupe")
        self.assertEqual(said.splitlines()[-2:], kept.splitlines()[-2:])
        self.assertNotIn("undisturbed", kept)
        table = self.run_tool("certificate", "--table", "--catalogue", "c.troupe")
        self.assertRegex(table, r"(?m)^\| hound \| 2 of 2 \(0\.34 to 1\.00\), 2 s \| 0 of 0 \| \d+ \(\d+ to \d+\) \| \d+ \| ")
        self.assertEqual(table.count("hound"), 1)

    def figure(self, check, label):
        return next(line for line in check.splitlines() if line.strip().startswith(label))[len(label) + 2:].split()[0]

    def test_supports_that_the_model_lacks_are_named(self):
        self.run_tool("pose", os.path.join(POSES, "quadruped-walk.json"), *QUADRUPED, "-o", "walk.json")
        fit = ("latent", "fit", "walk.json", *QUADRUPED, "--out", "x.latent", "--set", "iterations=1")
        self.assertIn("--supports hoof", self.run_tool(*fit, "--supports", "lhfoot,hoof", code=1))


class Mistakes(Case):
    def test_of_headings(self):
        self.run_tool("bundle", "import", self.bundle, "--catalogue", "c.troupe")
        self.assertIn("NAME ...: expected 1 to 16 of them, got 17", self.run_tool("headings", *["walk"] * 17, "--catalogue", "c.troupe", code=2))
        said = self.run_tool("headings", "walk", "--catalogue", "c.troupe", "--parameter", "pull", code=2)
        self.assertIn("--parameter pull: expected NAME=VALUE", said)
        self.assertIn("'dog'", self.run_tool("headings", "dog", "--catalogue", "c.troupe", code=1))

    def test_of_a_kind_that_is_gone(self):
        self.run_tool("bundle", "import", self.bundle, "--catalogue", "c.troupe")
        with contextlib.closing(sqlite3.connect(self.path("c.troupe"))) as catalogue, catalogue:
            catalogue.execute("UPDATE controller SET kind = 'tracker' WHERE name = 'hold'")
        said = self.run_tool("headings", "hold", "--catalogue", "c.troupe", code=1)
        self.assertIn("no drivers of kind 'tracker': use the version that stored it, or delete it with 'troupe-train forget'", said)
        self.assertIn("forgot controller 'hold'", self.run_tool("forget", "c.troupe", "hold"))


if __name__ == "__main__":
    unittest.main()

"""A method that the project does not know: a tool that links it trains, resumes, stores and reproduces by it."""

import os
import sqlite3
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "unit", "tools"))
from tool import Case


class Learned(Case):
    train = os.environ["TROUPE_TRAIN_TOY"]

    def seek(self, name, *options, code=0):
        return self.run_tool("sway", "seek", "--catalogue", "c.troupe", "--name", name, *options, code=code)

    def amplitude(self, name):
        with sqlite3.connect(self.path("c.troupe")) as catalogue:
            ((content,),) = catalogue.execute("SELECT hex(s.content) FROM controller_section s JOIN controller c ON "
                                              "c.id = s.controller WHERE c.name = ?", (name,)).fetchall()
        return content

    def test_it_trains_stores_and_is_reproduced(self):
        said = self.seek("whole", "--set", "rounds=5")
        self.assertRegex(said, r"(?m)^seek +4  tried_rad 0\.\d+  off_rad 0\.\d+ .*100 %")
        self.assertIn("controller 'whole' is in c.troupe", said)
        with sqlite3.connect(self.path("c.troupe")) as catalogue:
            rows = catalogue.execute("SELECT iteration, value FROM run_metric WHERE name = 'off_rad' ORDER BY 1").fetchall()
            self.assertEqual([iteration for iteration, _ in rows], [0, 1, 2, 3, 4])
            self.assertLess(rows[-1][1], rows[0][1])
            self.assertEqual(catalogue.execute("SELECT method, given, seed FROM run").fetchall(), [("toy_seek", "", 1)])
        said = self.run_tool("reproduce", "whole", "--catalogue", "c.troupe")
        self.assertIn("metrics: 10 of 10 are the same to the bit", said)
        self.assertIn("controller 'whole': bit-identical", said)

    def test_what_ends_early_is_resumed_to_the_same_bits_and_reproduced_as_far(self):
        self.seek("whole", "--set", "rounds=40")
        self.seek("parts", "--set", "rounds=40", "--checkpoint", "parts.ck", "--minutes", "1e-9")
        said = self.run_tool("reproduce", "parts", "--catalogue", "c.troupe")
        self.assertIn("metrics: 2 of 2", said)
        said = self.seek("parts", "--set", "rounds=40", "--checkpoint", "parts.ck", "--resume")
        self.assertNotRegex(said, r"(?m)^seek +0 ")
        self.assertEqual(self.amplitude("whole"), self.amplitude("parts"))
        said = self.run_tool("reproduce", "parts", "--catalogue", "c.troupe")
        self.assertIn("metrics: 80 of 80", said)

    def test_a_run_that_it_continued_is_repeated_first(self):
        self.seek("first")
        self.seek("second", "--from", "first", "--set", "goal_rad=0.45")
        self.run_tool("forget", "c.troupe", "controller:first")
        self.assertIn("controller 'second': bit-identical", self.run_tool("reproduce", "second", "--catalogue", "c.troupe"))

    def test_differences_and_mistakes_are_named(self):
        self.seek("one", "--checkpoint", "one.ck", "--set", "rounds=2")
        self.assertIn("'one' is in c.troupe already", self.seek("one", code=1))
        self.assertIn("one.ck: of a training with other settings: rounds = 2, now 3",
                      self.seek("other", "--checkpoint", "one.ck", "--resume", "--set", "rounds=3", code=1))
        self.assertIn("one.ck: of the training of 'one', not of 'other'",
                      self.seek("other", "--checkpoint", "one.ck", "--resume", "--set", "rounds=2", code=1))
        with open(self.path("one.ck"), "r+b") as file:
            file.truncate(200)
        self.assertIn("one.ck: not a checkpoint, or damaged",
                      self.seek("other", "--checkpoint", "one.ck", "--resume", "--set", "rounds=2", code=1))
        self.assertIn("goal_rad: '9': expected a number from 0 to 0.5", self.seek("other", "--set", "goal_rad=9", code=2))
        self.assertIn("--resume with --checkpoint", self.seek("other", "--resume", code=2))
        with sqlite3.connect(self.path("c.troupe")) as catalogue:
            catalogue.execute("UPDATE run SET parameters = replace(parameters, 'seed = 1', 'seed = 2')")
        self.assertIn("run 'one': not the same", self.run_tool("reproduce", "one", "--catalogue", "c.troupe", code=1))
        with sqlite3.connect(self.path("c.troupe")) as catalogue:
            catalogue.execute("UPDATE run SET method = 'dance'")
        self.assertIn("this build has no method 'dance'", self.run_tool("reproduce", "one", "--catalogue", "c.troupe", code=1))

    def test_help_is_made_from_the_row(self):
        said = self.run_tool("sway", "seek", "--help")
        self.assertIn("usage: troupe-train sway seek --catalogue F --name NAME", said)
        self.assertIn("  --from CONTROLLER  a sway to begin with", said)
        self.assertRegex(self.run_tool("sway", "seek", "--list"), r"(?m)^  goal_rad +0\.3 +amplitude that is sought$")
        self.assertRegex(self.run_tool("help"), r"(?m)^  sway seek +seek an amplitude$")


if __name__ == "__main__":
    unittest.main()

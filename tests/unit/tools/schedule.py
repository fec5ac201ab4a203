"""Schedulers from the command line: learned in parts and in one run, on any threads; tested; errors in a task reported."""

import os
import re
import sqlite3
import subprocess
import time
import unittest

from tool import Case

# Each training fills its memory with 2,000 transitions before it learns.
TINY = ("transitions=3000", "test_every=2200", "test_trials=4", "test_after_s=1", "hidden_units=8", "batch=8", "test_low_n=40",
        "test_high_n=80")
SETTINGS = [word for each in TINY for word in ("--set", each)]


class Schedule(Case):
    @staticmethod
    def words(catalogue, *options):
        return ("schedule", "learn", "hold", "--catalogue", catalogue, "--name", "chosen", *SETTINGS, *options)

    def learn(self, catalogue, *options):
        return self.run_tool(*self.words(catalogue, *options))

    def learn_until_the_first_checkpoint(self, catalogue, *options):
        """Killed as soon as its first checkpoint is there."""
        with subprocess.Popen([self.train, *self.words(catalogue, *options)], cwd=self.folder, stdout=subprocess.DEVNULL) as training:
            while not os.path.exists(self.path("part")) and training.poll() is None:
                time.sleep(0.001)
            training.kill()
        self.assertTrue(os.path.exists(self.path("part")))

    def weights(self, catalogue):
        with sqlite3.connect(self.path(catalogue)) as c:
            return c.execute("SELECT hex(content) FROM controller_section WHERE name = 'scheduler'").fetchall()

    def test_a_training_in_parts_is_that_of_one_run_on_one_thread(self):
        self.run_tool("bundle", "import", self.bundle, "--catalogue", "c.troupe")
        parts = ("--threads", "3", "--checkpoint", "part", "--resume")
        self.learn_until_the_first_checkpoint("c.troupe", *parts)
        self.learn("c.troupe", *parts)
        said = self.run_tool("reproduce", "chosen", "--catalogue", "c.troupe", "--threads", "1")
        self.assertIn("controller 'chosen': bit-identical", said)
        self.assertRegex(said, r"metrics: (\d+) of \1 are the same to the bit")
        self.assertEqual(said.count("  falls "), 2)

        for setting, expected in (("objects=1", "rig"), ("jostle_n=1", "does not balance"), ("rock_rad=1", "rock_rad")):
            said = self.run_tool(*self.words("c.troupe", "--name", "other", "--set", setting), code=1)
            self.assertIn(expected, said)

        tested = self.run_tool("schedule", "test", "chosen", "--catalogue", "c.troupe", "--push", "0:40:40", "--trials", "4",
                               "--after", "1")
        self.assertRegex(tested, r"(?m)^   0 N +4 of +4  1\.000 ")
        self.assertEqual(len(tested.splitlines()), 2)

    def test_help_may_come_last(self):
        for words in (("graph", "take"), ("graph", "walk", "hero"), ("schedule", "requests"), ("schedule", "test", "chosen")):
            self.assertRegex(self.run_tool(*words, "--help"), rf"(?m)\Ausage: troupe-train {words[0]} (.|\n)*--catalogue F")

    def test_a_mistake_in_a_task_is_named_with_its_line(self):
        with open(self.path("mine.task"), "w") as task:
            task.write("# mine\n\nbatch = 8 # few\nbatsh = 8\n")
        said = self.run_tool("schedule", "learn", "hold", "--catalogue", "c.troupe", "--name", "chosen", "--task", "mine.task", code=2)
        self.assertIn("mine.task:4", said)
        self.assertIn("batsh", said)

    def test_one_that_ended_early_is_repeated_as_far_and_learned_further(self):
        self.run_tool("bundle", "import", self.bundle, "--catalogue", "c.troupe")
        said = self.learn("c.troupe", "--minutes", "1e-6")
        again = self.run_tool("reproduce", "chosen", "--catalogue", "c.troupe")
        self.assertIn("controller 'chosen': bit-identical", again)
        self.assertEqual(again.count("  falls "), 1, "it ended after its first test, and so does its repetition")

        # Time for one row and a half is time for one.
        (row_s,) = re.findall(r"  core_s ([\d.]+)", said)
        self.run_tool("bundle", "import", self.bundle, "--catalogue", "d.troupe")
        said = self.learn("d.troupe", "--minutes", str(1.5 * float(row_s) / 60))
        self.assertEqual(len(re.findall("  core_s ", said)), 1, said)

        further = ("schedule", "learn", "chosen", "--catalogue", "c.troupe", *SETTINGS, "--minutes", "1e-6", "--name")
        self.assertIn("hidden_units", self.run_tool(*further, "other", "--set", "hidden_units=9", code=1))
        self.run_tool(*further, "same", "--set", "rate=0")
        self.run_tool(*further, "again", "--set", "rate=0.01")
        first, same, again = (row[0] for row in self.weights("c.troupe"))
        self.assertEqual(first, same)
        self.assertNotEqual(first, again)
        self.assertIn("controller 'again': bit-identical", self.run_tool("reproduce", "again", "--catalogue", "c.troupe"))


if __name__ == "__main__":
    unittest.main()

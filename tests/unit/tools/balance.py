"""Balance from the command line: learned and tested; the same on any threads; errors in a task reported."""

import os
import re
import sqlite3
import unittest

from tool import Case

TINY = ("rounds=1", "generations=0", "test_trials=1")
SETTINGS = [word for each in TINY for word in ("--set", each)]


class Balance(Case):
    def learn(self, catalogue, *options):
        return self.run_tool("balance", "learn", "--catalogue", catalogue, "--name", "board", *SETTINGS, *options)

    def test_what_is_learned_is_kept_whatever_the_threads(self):
        rows = self.learn("one.troupe", "--threads", "1")
        self.assertRegex(rows, r"(?m)^stance ")
        self.assertRegex(rows, r"(?m)^regulator ")
        with sqlite3.connect(self.path("one.troupe")) as c:
            kept = c.execute("SELECT name FROM controller_section WHERE name IN ('balance', 'rig')").fetchall()
        self.assertEqual(len(kept), 2)
        said = self.run_tool("reproduce", "board", "--catalogue", "one.troupe", "--threads", "3")
        self.assertIn("controller 'board': bit-identical", said)

        words = ("balance", "test", "board", "--catalogue", "one.troupe", "--push", "0:5:5", "--trials", "2", "--hold", "0.3")
        tested = self.run_tool(*words)
        self.assertRegex(tested, r"(?m)^   0 N +2 of +2 held  1\.000 ")
        self.assertEqual(len(tested.splitlines()), 2)
        self.assertIn("--turn 90: 'board' does not turn", self.run_tool(*words, "--turn", "90", code=1))
        still = self.run_tool(*words[:-1], "5", "--still")
        self.assertRegex(still, r"(?m)^   0 N +0 of +2 held  0\.000 ")

    def test_mistakes_are_named(self):
        with open(self.path("mine.task"), "w") as task:
            task.write("object = ball\nbatsh = 8\n")
        said = self.run_tool("balance", "learn", "--catalogue", "c.troupe", "--name", "x", "--task", "mine.task", code=2)
        self.assertIn("mine.task:2", said)
        said = self.run_tool("balance", "learn", "--catalogue", "c.troupe", "--name", "x", "--set", "object=cloud", code=1)
        self.assertIn("cloud", said)
        self.run_tool("bundle", "import", self.bundle, "--catalogue", "c.troupe")
        said = self.run_tool("balance", "test", "hold", "--catalogue", "c.troupe", code=1)
        self.assertIn("balances", said)

    def test_a_momentum_balance_is_made_tested_and_reproduced(self):
        self.run_tool("bundle", "import", self.bundle, "--catalogue", "m.troupe")
        make = ("balance", "momentum", "--catalogue", "m.troupe", "--stance", "hold", "--name", "poised")
        self.assertRegex(self.run_tool("balance", "momentum", "--list"), r"(?m)^ +swing_nm +90 ")
        self.assertIn("strength_nm", self.run_tool(*make, "--set", "strength_nm=1", code=2))
        self.assertIn("gain_set: 'a': expected b", self.run_tool(*make, "--set", "gain_set=a", code=2))
        self.run_tool(*make, "--set", "gain_set=b", "--set", "swing_nm=70")
        self.assertIn("controller 'poised': bit-identical", self.run_tool("reproduce", "poised", "--catalogue", "m.troupe"))
        said = self.run_tool("schedule", "test", "poised", "--catalogue", "m.troupe", "--push", "60", "--directions", "2",
                             "--trials", "2", "--after", "1")
        self.assertRegex(said, r"2 of +2 .* stood +2 ")

    def test_shipped_balances_are_upright(self):
        """The trunk is within 25 degrees of upright in 95 % of the time."""
        shipped = os.path.join(self.source, "db/shipped.troupe")
        with sqlite3.connect(shipped) as c:
            names = [row[0] for row in c.execute("SELECT name FROM controller WHERE kind IN ('balance', 'momentum', "
                                                 "'skating', 'boarding', 'rolling')")]
        self.assertGreaterEqual(len(names), 6)
        for name in names:
            with self.subTest(name):
                said = self.run_tool("balance", "test", name, "--catalogue", shipped, "--push", "5", "--trials", "1", "--hold", "10")
                self.assertRegex(said, r"1 of +1 held")
                upright = float(re.search(r"upright ([\d.]+)", said)[1])
                self.assertGreaterEqual(upright, 0.95)

    def test_a_skater_is_made_tested_and_reproduced(self):
        make = ("balance", "skate", "--catalogue", "s.troupe", "--name", "rider")
        self.assertRegex(self.run_tool("balance", "skate", "--list"), r"(?m)^ +push_n +80 ")
        self.assertIn("push_n", self.run_tool(*make, "--set", "push_n=900", code=2))
        self.assertIn("the feet miss their places", self.run_tool(*make, "--set", "lift_m=0.02", "--set", "beside_m=0.5", code=1))
        self.run_tool(*make, "--set", "push_n=70")
        self.assertIn("controller 'rider': bit-identical", self.run_tool("reproduce", "rider", "--catalogue", "s.troupe"))
        said = self.run_tool("balance", "test", "rider", "--catalogue", "s.troupe", "--push", "5", "--trials", "2", "--hold", "2")
        self.assertRegex(said, r"2 of +2 held .* drift [12]\.")
        self.assertIn("no gains to take away", self.run_tool("balance", "test", "rider", "--catalogue", "s.troupe", "--still", code=1))
        self.assertIn("--turn 15: 'rider' does not turn", self.run_tool("balance", "test", "rider", "--catalogue", "s.troupe", "--turn", "15", code=1))

    def test_a_ball_walker_is_made_tested_and_reproduced(self):
        make = ("balance", "walk", "--catalogue", "w.troupe", "--name", "walker")
        self.assertRegex(self.run_tool("balance", "walk", "--list"), r"(?m)^ +swing_nm +60 ")
        self.assertIn("swing_nm", self.run_tool(*make, "--set", "swing_nm=900", code=2))
        self.assertIn("feet_m", self.run_tool(*make, "--set", "width_m=0.4", "--set", "radius_m=0.2", code=1))
        self.run_tool(*make, "--set", "swing_nm=50")
        self.assertIn("controller 'walker': bit-identical", self.run_tool("reproduce", "walker", "--catalogue", "w.troupe"))
        said = self.run_tool("balance", "test", "walker", "--catalogue", "w.troupe", "--push", "5", "--trials", "2", "--hold", "3", "--turn", "10")
        self.assertRegex(said, r"2 of +2 held .* on one foot 0\.[2-9]")
        self.assertRegex(said, r"2 of +2 end within 20 degrees")
        self.assertIn("no gains to take away", self.run_tool("balance", "test", "walker", "--catalogue", "w.troupe", "--still", code=1))

    def test_forces_are_a_list_or_a_range(self):
        for wrong in ("", "a", "5,", "-1", "10:5:1", "0:10:0", "0:1000:1", "0:10", "1e5", ",".join(["1"] * 101)):
            said = self.run_tool("balance", "test", "hold", "--catalogue", "c.troupe", "--push", wrong, code=2)
            self.assertIn(f"--push '{wrong}': expected at most 100 forces in N: 100,140 or 60:200:20", said)


if __name__ == "__main__":
    unittest.main()

"""Control graphs are put into the catalogue with a record, by which they are made again, to the bit."""

import os
import sqlite3
import unittest

from tool import Case


class Graphs(Case):
    def setUp(self):
        """Two standers, of which the second is the mirror image of the first."""
        super().setUp()
        self.run_tool("bundle", "import", os.path.join(self.source, "db/shipped.troupe"), "--catalogue", "c.troupe")
        self.run_tool("mirror", "stand", "--name", "stand-too", "--catalogue", "c.troupe")
        with open(self.path("two.txt"), "w") as file:
            file.write("skill stand\nskill stand-too\n")

    def build(self, name, *more, code=0):
        return self.run_tool("graph", "build", name, "--connectivity", "two.txt", "--catalogue", "c.troupe",
                             "--candidates", "2", "--trials", "2", "--edges", "1", *more, code=code)

    def asked(self, question, *values):
        catalogue = sqlite3.connect(self.path("c.troupe"))
        with catalogue:
            answer = catalogue.execute(question, values).fetchall()
        catalogue.close()
        return answer

    def parents(self, run):
        return [name for name, in self.asked("SELECT p.name FROM run_parent k JOIN run r ON r.id = k.run "
                                             "JOIN run p ON p.id = k.parent WHERE r.name = ?", run)]

    def test_a_record_is_kept(self):
        said = self.build("two", "--seed", "7")
        self.assertIn("two: 2 skills, 2 fragments, 2 edges", said)
        (command, parameters, seed, began, ended), = self.asked(
            "SELECT command, parameters, seed, started_ns, ended_ns FROM run WHERE name = 'two'")
        self.assertTrue(command.startswith("troupe-train graph build two --connectivity two.txt"))
        self.assertIn("candidates = 2\ntrials = 2\nedges = 1\n", parameters)
        self.assertEqual(seed, 7)
        self.assertLess(began, ended)
        self.assertEqual(self.parents("two"), ["stand"])
        inputs = dict(self.asked("SELECT role, CAST(content AS TEXT) FROM run_input i JOIN run r ON r.id = i.run "
                                 "WHERE r.name = 'two'"))
        self.assertEqual(inputs["connectivity"], "skill stand\nskill stand-too\n")
        self.assertRegex(inputs["parts"], r"^stand [0-9a-f]{64}\nstand-too [0-9a-f]{64}\n$")
        self.assertEqual(self.asked("SELECT count(*) FROM run_metric m JOIN run r ON r.id = m.run "
                                    "WHERE r.name = 'two' AND m.name = 'core_s' AND value > 0"), [(1,)])
        self.assertIn("'two': is in the catalogue already", self.build("two", code=1))

    def test_graphs_are_made_again(self):
        self.build("two")
        self.build("three", "--extend", "two", "--seed", "7")
        self.run_tool("graph", "season", "three", "--as", "better", "--rounds", "1", "--trials", "2", "--hold", "1.5",
                      "--draws", "2", "--skills", "stand-too", "--catalogue", "c.troupe")
        self.assertIn("draws = 2\nshortest = 2\nskills = stand-too\n",
                      self.asked("SELECT parameters FROM run WHERE name = 'better'")[0][0])
        self.assertEqual(self.parents("three"), ["stand", "two"])
        self.assertEqual(self.parents("better"), ["three"])
        for name in ("two", "three", "better"):
            said = self.run_tool("reproduce", name, "--catalogue", "c.troupe", "--threads", "1")
            self.assertIn("recorded as: troupe-train graph", said)
            self.assertRegex(said, r"controller '%s': bit-identical, hash [0-9a-f]{16}" % name)
        self.run_tool("bundle", "export", "c.troupe", "better", "-o", "better.troupe")
        self.assertIn("better\t", self.run_tool("bundle", "list", "better.troupe"))
        failed = self.run_tool("reproduce", "better", "--catalogue", "better.troupe", code=1)
        self.assertIn("controller 'three': not in the catalogue", failed)

    def test_what_it_was_made_of_may_go_by_another_name(self):
        self.build("two")
        for old, new in (("stand", "x"), ("stand-too", "stand"), ("x", "stand-too")):
            self.asked("UPDATE controller SET name = ? WHERE name = ?", new, old)
        self.assertRegex(self.run_tool("reproduce", "two", "--catalogue", "c.troupe", "--threads", "1"),
                         r"controller 'two': bit-identical, hash [0-9a-f]{16}")

    def test_a_skill_is_taken_out(self):
        self.build("two")
        self.run_tool("graph", "take", "two", "--skill", "stand-too", "--as", "taken", "--catalogue", "c.troupe")
        self.assertEqual(self.asked("SELECT r.name FROM controller c JOIN run r ON r.id = c.run WHERE c.name = 'taken'"),
                         [("two",)])
        with open(self.path("other.txt"), "w") as file:
            file.write("skill stand\nskill taken\n")
        said = self.run_tool("graph", "build", "other", "--connectivity", "other.txt", "--catalogue", "c.troupe",
                             "--candidates", "2", "--trials", "2", "--edges", "1")
        self.assertIn("other: 2 skills, 2 fragments, 2 edges", said)
        for name, skill in (("two", "nobody"), ("stand", "stand")):
            failed = self.run_tool("graph", "take", name, "--skill", skill, "--as", "x", "--catalogue", "c.troupe", code=1)
            self.assertIn("no graph with a cyclic skill '%s'" % skill, failed)

    def test_what_differs_is_told(self):
        self.build("two")
        self.asked("UPDATE run SET parameters = replace(parameters, 'edges = 1', 'edges = 2') WHERE name = 'two'")
        failed = self.run_tool("reproduce", "two", "--catalogue", "c.troupe", code=1)
        self.assertIn("run 'two': not the same", failed)
        self.asked("UPDATE run_input SET content = CAST(replace(CAST(content AS TEXT), 'stand-too ', 'stand-too 0') AS BLOB) "
                   "WHERE role = 'parts'")
        failed = self.run_tool("reproduce", "two", "--catalogue", "c.troupe", code=1)
        self.assertIn("is another one by now", failed)
        self.assertIn("stand-too ", failed)
        for name, old, new in (("learn", "0", "no"), ("edges", "2", "0")):
            self.asked("UPDATE run SET parameters = replace(parameters, ?, ?) WHERE name = 'two'", f"{name} = {old}",
                       f"{name} = {new}")
            failed = self.run_tool("reproduce", "two", "--catalogue", "c.troupe", code=1)
            self.assertIn(f"--{name} {new}: expected a whole number from", failed)
            self.assertIn(f"parameters: '{name}'", failed)


if __name__ == "__main__":
    unittest.main()

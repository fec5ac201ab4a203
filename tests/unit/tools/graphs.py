"""Control graphs are put into the catalogue with a record, by which they are made again, to the bit."""

import os
import shutil
import sqlite3
import struct
import subprocess
import unittest

from tool import Case, packed, unpacked, unpacked_bytes


class Graphs(Case):
    def setUp(self):
        """Two standers, of which the second is the mirror image of the first."""
        super().setUp()
        shutil.copy(os.path.join(self.source, "db/shipped.troupe"), self.path("c.troupe"))
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
        self.assertEqual(self.parents("two"), ["stand-ground"])
        inputs = {role: unpacked(content) for role, content in self.asked(
            "SELECT role, content FROM run_input i JOIN run r ON r.id = i.run WHERE r.name = 'two'")}
        self.assertEqual(inputs["connectivity"], "skill stand\nskill stand-too\n")
        self.assertRegex(inputs["parts"], r"^stand [0-9a-f]{64}\nstand-too [0-9a-f]{64}\n$")
        self.assertEqual(self.asked("SELECT count(*) FROM run_metric m JOIN run r ON r.id = m.run "
                                    "WHERE r.name = 'two' AND m.name = 'core_s' AND value > 0"), [(1,)])
        self.assertIn("'two' is in c.troupe already: give another name", self.build("two", code=1))

    def test_a_graph_grows_by_a_skill_of_another_and_is_made_again(self):
        self.build("two")
        with open(self.path("one.txt"), "w") as file:
            file.write("skill stand\n")
        self.run_tool("graph", "build", "one", "--connectivity", "one.txt", "--catalogue", "c.troupe")
        said = self.run_tool("graph", "refit", "one", "--as", "grown", "--with", "stand-too=two", "--catalogue", "c.troupe")
        self.assertIn("grown: 2 skills, 2 fragments, 2 edges", said)
        self.assertEqual(self.parents("grown"), ["two", "one"])
        self.run_tool("reproduce", "grown", "--catalogue", "c.troupe", "--threads", "1")
        self.assertIn("--with stand-too=one: expected a skill that 'one' lacks, with transitions to it and out of it",
                      self.run_tool("graph", "refit", "one", "--as", "other", "--with", "stand-too=one", "--catalogue", "c.troupe",
                                    code=1))

    def test_a_learned_skill_is_added_by_one_command(self):
        with open(self.path("one.txt"), "w") as file:
            file.write("skill stand\n")
        self.run_tool("graph", "build", "one", "--connectivity", "one.txt", "--catalogue", "c.troupe")
        script = os.path.join(self.source, "controllers/recipes/add-skill.sh")
        for _ in range(2):  # the second continues where all is done
            said = subprocess.run([script, "c.troupe", "stand-too", "one"], cwd=self.path("."), capture_output=True, text=True,
                                  env={**os.environ, "TROUPE_TRAIN": self.train})
            self.assertEqual(said.returncode, 0, said.stderr + said.stdout)
        self.assertIn("one-stand-too.troupe: written", said.stdout)
        self.assertRegex(said.stdout, r"4 of 4")
        listed = self.run_tool("bundle", "list", "one-stand-too.troupe")
        self.assertIn("one-stand-too", listed)

    def test_graphs_are_made_again(self):
        self.build("two")
        self.build("three", "--extend", "two", "--seed", "7")
        self.assertEqual(self.parents("three"), ["stand-ground", "two"])
        for name in ("two", "three"):
            said = self.run_tool("reproduce", name, "--catalogue", "c.troupe", "--threads", "1")
            self.assertIn("recorded as: troupe-train graph", said)
            self.assertRegex(said, r"controller '%s': bit-identical, hash [0-9a-f]{16}" % name)

    def test_a_graph_gets_slope_terms(self):
        with open(self.path("two.txt"), "w") as file:
            file.write("skill walk-slow\nskill walk-fast\n")
        self.build("ways", "--failing", "1")
        said = self.run_tool("graph", "slopes", "ways", "--as", "sloping", "--catalogue", "c.troupe")
        self.assertRegex(said, r"walk-slow +trained, of the controller of its name\n")
        self.assertRegex(self.run_tool("graph", "slopes", "gaits", "--as", "level", "--catalogue", "c.troupe"),
                         r"walk-to-run +faded between its skills\n")
        self.assertEqual(self.asked("SELECT parameters FROM run WHERE name = 'sloping'")[0][0].split("\n")[:2],
                         ["graph = slopes", "of = ways"])
        said = self.run_tool("reproduce", "sloping", "--catalogue", "c.troupe", "--threads", "1")
        self.assertIn("controller 'sloping': bit-identical", said)

    def test_a_graph_is_refitted_to_another_model(self):
        def refit(*more, code=0):
            return self.run_tool("graph", "refit", "gaits", "--as", "weak", "--catalogue", "c.troupe", *more, code=code)

        for wrong in "walk", "", "walk=", "=walk-limited", "walk=" + 60 * "x":
            self.assertIn("expected SKILL=CONTROLLER", refit("--with", wrong, code=1), wrong)
        self.assertIn("'walk' twice", refit("--with", "walk=walk-limited,walk=walk-limited", code=1))
        self.assertIn("have different bodies", refit("--with", "walk=walk-long-legs", code=1))
        self.assertIn("no cyclic skill 'hop'", refit("--with", "walk=walk-limited", "--without", "hop", code=1))
        self.assertIn("--with: no such option", self.run_tool("graph", "harden", "gaits", "--as", "weak", "--catalogue", "c.troupe",
                                                              "--with", "walk=walk-limited", code=2))
        self.assertIn("--with '': expected SKILL=CONTROLLER", refit(code=1))
        said = refit("--with", "walk=walk-limited,run=run-limited")
        self.assertRegex(said, r"run +0\.[12]\d\d from its reference, then 0\.0\d\d\n")
        self.assertIn("weak: 4 skills", said)
        self.assertEqual(self.asked("SELECT m.name FROM controller c JOIN model m ON m.id = c.model "
                                    "WHERE c.name = 'weak'"), [("humanoid_limited",)])
        said = self.run_tool("graph", "walk", "weak", "--catalogue", "c.troupe", "--walks", "1", "--seconds", "60")
        self.assertIn("weak: 1 of 1 walks of 60 s without a fall", said)
        self.assertRegex(said, r"run-to-walk +[1-9]\d* visits, 0 falls")
        said = self.run_tool("reproduce", "weak", "--catalogue", "c.troupe", "--threads", "1")
        self.assertIn("controller 'weak': bit-identical", said)

    def test_walks_continue_after_falls(self):
        said = self.run_tool("graph", "walk", "hero", "--catalogue", "c.troupe", "--walks", "1", "--seconds", "60",
                             "--hills", "25", "--recover")
        self.assertIn("hero: 0 of 1 walks of 60 s without a fall", said)
        self.assertRegex(said, r"1 walks had no fall, or each fall followed by getting up within 30 s; up again after [1-9]\d* falls")

    def test_requests_are_timed(self):
        words = ("schedule", "requests", "hero", "--catalogue", "c.troupe", "--trials", "1", "--requests", "2", "--skills")
        said = self.run_tool(*words, "stand,walk", "--hills", "12")
        self.assertRegex(said, r"\(all\) +2 of +2 performed.*begun +2, median \d\.\d s, 9 in 10 within \d\.\d s")
        self.assertNotEqual(said, self.run_tool(*words, "stand,walk"))
        self.assertIn("--skills: 'hero' has no skill 'fly'", self.run_tool(*words, "stand,fly", code=1))

    def export(self, *names):
        self.run_tool("bundle", "export", "c.troupe", *names, "-o", "b.troupe")

    def changed(self, statement, *values):
        """The bundle, changed without a check whether other rows refer to the changed ones."""
        with sqlite3.connect(self.path("b.troupe")) as bundle:
            bundle.execute(statement, values)
        bundle.close()

    def in_two_steps(self):
        """A graph on the way to another, and both on the way to a third, of which a bundle has the last alone."""
        self.build("two")
        self.build("three", "--extend", "two", "--seed", "7")
        self.build("four", "--extend", "three,two", "--seed", "8")
        self.export("four", "stand", "stand-too")

    def test_graphs_on_the_way_are_made_again(self):
        """Each of them once, and nothing of it is kept."""
        self.in_two_steps()
        with open(self.path("b.troupe"), "rb") as file:
            before = file.read()
        said = self.run_tool("reproduce", "four", "--catalogue", "b.troupe", "--threads", "1")
        self.assertEqual(self.aside.splitlines(), [
            "four was made of three, which is missing or has changed: making three again first",
            "three was made of two, which is missing or has changed: making two again first"])
        self.assertRegex(said, r"controller 'four': bit-identical, hash [0-9a-f]{16}")
        with open(self.path("b.troupe"), "rb") as file:
            self.assertEqual(file.read(), before)
        self.assertEqual([name for name in os.listdir(self.folder) if name.startswith("b.")], ["b.troupe"])

    def test_a_different_ancestor_graph_is_reported(self):
        self.in_two_steps()
        self.changed("UPDATE run SET parameters = replace(parameters, 'edges = 1', 'edges = 2') WHERE name = 'two'")
        failed = self.run_tool("reproduce", "four", "--catalogue", "b.troupe", code=1)
        self.assertRegex(failed, r"run 'two': differs from its record: made again 'two' has the digest [0-9a-f]{64}, but 'three' "
                                 r"was made of [0-9a-f]{64}; it was recorded by build \S+ on .+")

    def test_a_run_on_the_way_is_missing(self):
        self.in_two_steps()
        self.changed("DELETE FROM run_parent WHERE run = (SELECT id FROM run WHERE name = 'three') "
                     "AND parent = (SELECT id FROM run WHERE name = 'two')")
        failed = self.run_tool("reproduce", "four", "--catalogue", "b.troupe", code=1)
        self.assertRegex(failed, r"run 'three': it was made of 'two' with the digest [0-9a-f]{64}, which is not in the catalogue, "
                                 r"and none of its 1 parent runs makes it again")
        self.changed("DELETE FROM run WHERE name = 'three'")
        failed = self.run_tool("reproduce", "four", "--catalogue", "b.troupe", code=1)
        self.assertRegex(failed, r"run 'four': an earlier run that made a part: run \d+: not in the catalogue")

    def test_a_run_is_not_its_own_ancestor(self):
        """A catalogue in which a run derives from itself, or from a later run, is refused."""
        self.in_two_steps()
        with sqlite3.connect(self.path("b.troupe")) as bundle:
            bundle.execute("PRAGMA ignore_check_constraints = ON")
            bundle.execute("UPDATE run_parent SET parent = run WHERE parent = (SELECT id FROM run WHERE name = 'two')")
        bundle.close()
        failed = self.run_tool("reproduce", "four", "--catalogue", "b.troupe", code=1)
        self.assertIn("CHECK constraint failed in run_parent", failed)

    def test_derived_skills_are_derived_again(self):
        """Skills that were mirrored, taken out of a graph, or both, belong to the run of the original."""
        self.build("two")
        self.export("two", "stand")
        said = self.run_tool("reproduce", "two", "--catalogue", "b.troupe", "--threads", "1")
        self.assertEqual(self.aside, "")
        self.assertIn("controller 'two': bit-identical", said)

        self.run_tool("graph", "take", "two", "--skill", "stand-too", "--as", "taken", "--catalogue", "c.troupe")
        self.run_tool("mirror", "taken", "--name", "taken-too", "--catalogue", "c.troupe")
        with open(self.path("two.txt"), "w") as file:
            file.write("skill taken\nskill taken-too\nskill stand\n")
        self.build("other")
        self.export("other", "stand")
        said = self.run_tool("reproduce", "other", "--catalogue", "b.troupe", "--threads", "1")
        self.assertEqual(self.aside, "other was made of taken, which is missing or has changed: making two again first\n")
        self.assertIn("controller 'other': bit-identical", said)

    def test_renamed_parts_are_found(self):
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
        for name, skill in (("two", "absent"), ("stand", "stand"), ("gaits", "walk-to-run")):
            failed = self.run_tool("graph", "take", name, "--skill", skill, "--as", "x", "--catalogue", "c.troupe", code=1)
            self.assertIn("no graph with a cyclic or rising skill '%s'" % skill, failed)

    def test_a_graph_is_shortened_and_made_again(self):
        self.build("two")
        shorten = ("graph", "shorten", "two", "--as", "short", "--candidates", "4", "--trials", "2", "--hold", "1",
                   "--catalogue", "c.troupe")
        self.assertIn("stand-too -> stand: 2 candidates, 1 hold", self.run_tool(*shorten[:4], "all", *shorten[5:], "--spread"))
        self.assertIn("links, skills: expected one of them",
                      self.run_tool(*shorten, "--links", "stand=stand-too", "--skills", "stand", code=1))
        self.assertIn("short: 2 skills, 2 fragments, 3 edges", self.run_tool(*shorten, "--links", "stand=stand-too"))
        self.assertIn("links = stand=stand-too\n",
                      self.asked("SELECT parameters FROM run WHERE name = 'short'")[0][0])
        self.assertRegex(self.run_tool("reproduce", "short", "--catalogue", "c.troupe"), "bit-identical")
        self.assertIn("--skills: graph 'two' has no cyclic skill 'stnad'",
                      self.run_tool(*shorten[:4], "misspelt", *shorten[5:], "--skills", "stand,stnad", code=1))

    def test_a_graph_gets_catching_steps_and_is_made_again(self):
        self.build("two")
        self.assertRegex(self.run_tool("graph", "catch", "two", "--as", "braced", "--skills", "stand-too", "--trials", "3",
                                       "--catalogue", "c.troupe"), r"rows for [123] states")
        self.assertRegex(self.run_tool("reproduce", "braced", "--catalogue", "c.troupe"), "bit-identical")

    def test_a_rising_skill_is_taken_out(self):
        self.run_tool("graph", "take", "hero", "--skill", "rise-prone", "--as", "riser-alone", "--catalogue", "c.troupe")
        content = "SELECT count(*) FROM controller_fragment f JOIN controller c ON c.id = f.controller WHERE c.name = ?"
        graph = unpacked_bytes(self.asked("SELECT content FROM controller_section s JOIN controller c ON c.id = s.controller "
                           "WHERE c.name = 'hero' AND s.name = 'graph'")[0][0])
        at = graph.index(b"rise-prone") + len("rise-prone") # then gain set, first fragment, count (control/graph/graph.c)
        at += 8 + struct.unpack_from("<q", graph, at)[0]
        self.assertEqual(self.asked(content, "riser-alone"), [struct.unpack_from("<q", graph, at + 8)])

    def test_a_stay_is_refused_by_its_line(self):
        for line, complaint in (("stay stand-too some", "expected a whole number of fragments from 1 to 40: 'some'"),
                                ("stay stand-too 41", "expected a whole number of fragments from 1 to 40: '41'"),
                                ("stay absent 2", "no such skill above: 'absent'"),
                                ("stay stand-too", "expected 'skill NAME'")):
            with open(self.path("two.txt"), "w") as file:
                file.write(f"skill stand\nskill stand-too\n{line}\n")
            self.assertIn(f"two.txt:3: {complaint}", self.build("two", code=1))

    def test_learned_transitions_last_for_the_dwell_time(self):
        learned = ("--learn", "--windows", "2", "--shortest", "1", "--longest", "1", "--rounds", "1", "--hold", "1.5")
        self.assertIn("two: 4 skills, 4 fragments", self.build("two", *learned))
        with open(self.path("two.txt"), "a") as file:
            file.write("stay stand 3\n")
        self.assertIn("longer: 4 skills, 7 fragments", self.build("longer", *learned, "--extend", "two"))

    def test_options_of_harden_are_refused_by_build(self):
        for option, value in (("skills", "stand"), ("after", "stand"), ("stay", "2")):
            self.assertIn(f"graph build: --{option}: no such option", self.build("two", f"--{option}", value, code=2))

    def test_only_build_takes_no_rounds(self):
        learned = ("--learn", "--windows", "1", "--shortest", "1", "--longest", "1", "--rounds", "0", "--hold", "1.5")
        self.assertIn("0 rounds  held 2 of 2 of 2 trials", self.build("two", *learned))
        self.assertIn("rounds: '0': expected a whole number from 1 to 100",
                      self.run_tool("graph", "harden", "two", "--as", "x", "--rounds", "0", "--catalogue", "c.troupe", code=1))

    def test_the_skills_to_start_in_are_recorded(self):
        self.build("two")
        harden = ("graph", "harden", "two", "--as", "better", "--rounds", "1", "--trials", "2", "--hold", "1.5",
                  "--catalogue", "c.troupe", "--after")
        self.assertIn("--after: graph 'two' has no cyclic skill 'absent'", self.run_tool(*harden, "absent", code=1))
        self.run_tool(*harden, "stand-too")
        self.assertIn("after = stand-too\n", self.asked("SELECT parameters FROM run WHERE name = 'better'")[0][0])
        self.run_tool("reproduce", "better", "--catalogue", "c.troupe")

    def test_hardening_is_resumed_and_made_again_to_the_same_bits(self):
        """Made again in one piece, for a graph that it is an ancestor of, it would otherwise be another. Earlier records do
        not list short losses."""
        self.build("two", "--learn", "--windows", "1", "--shortest", "1", "--longest", "1", "--rounds", "0", "--hold", "1.5")

        def harden(*more):
            return self.run_tool("graph", "harden", "two", "--as", "better", "--skills", "stand,stand-too", "--rounds", "1",
                                 "--trials", "2", "--hold", "0.1", "--stay", "0.1", "--draws", "2", "--short-loss",
                                 "--checkpoint", "better.ck", "--catalogue", "c.troupe", *more)

        self.assertIn("the same command with --resume", harden("--minutes", "1e-9"))
        said = harden("--resume")
        self.assertNotRegex(said, r"(?m)^hardened +1 ")
        self.assertRegex(said, r"(?m)^hardened +2 ")
        self.assertRegex(self.asked("SELECT parameters FROM run WHERE name = 'better'")[0][0],
                         "draws = 2\nshortest = 2\nrate = 0\nskills = stand,stand-too\n(.*\n)*short-loss = 1\n")
        self.assertEqual(self.parents("better"), ["two"])
        self.build("last", "--extend", "better")
        self.export("last", "stand")
        self.changed("UPDATE run SET parameters = replace(parameters, 'short-loss = 1', '') WHERE name = 'better'")
        said = self.run_tool("reproduce", "last", "--catalogue", "b.troupe", "--threads", "1")
        self.assertIn("better was made of two", self.aside)
        self.assertIn("controller 'last': bit-identical", said)

    def test_differences_are_reported(self):
        self.build("two")
        self.asked("UPDATE run SET parameters = replace(parameters, 'edges = 1', 'edges = 2') WHERE name = 'two'")
        failed = self.run_tool("reproduce", "two", "--catalogue", "c.troupe", code=1)
        self.assertIn("run 'two': not the same", failed)
        (parts,), = self.asked("SELECT content FROM run_input WHERE role = 'parts' "
                               "AND run = (SELECT id FROM run WHERE name = 'two')")
        parts = unpacked(parts)
        name, digest = parts.splitlines()[1].split()
        for wrong, told in (("0" * 64, "run 'two': it was made of 'stand-too' with the digest 0000"),
                            ("0", "run 'two': parts: cannot parse 'stand-too 0?'")):
            self.asked("UPDATE run_input SET content = ? WHERE role = 'parts'", packed(parts.replace(digest, wrong)))
            self.assertIn(told, self.run_tool("reproduce", "two", "--catalogue", "c.troupe", code=1))
        for name, old, new in (("learn", "0", "no"), ("edges", "2", "0")):
            self.asked("UPDATE run SET parameters = replace(parameters, ?, ?) WHERE name = 'two'", f"{name} = {old}",
                       f"{name} = {new}")
            failed = self.run_tool("reproduce", "two", "--catalogue", "c.troupe", code=1)
            self.assertIn(f"run 'two': {name}: '{new}': expected a whole number from", failed)


if __name__ == "__main__":
    unittest.main()

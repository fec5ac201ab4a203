"""Certificates from the command line: measured, kept, printed, drawn, carried by bundles; the same for any threads."""

import os
import re
import sqlite3
import unittest

from tool import Case

TINY = ("--hold-trials", "3", "--hold-seconds", "2", "--resist-trials", "2", "--directions", "4", "--starts", "1",
        "--grid", "150", "--limit", "300", "--track-seconds", "1.6",
        "--ground-trials", "2", "--ground-seconds", "1", "--lasting-trials", "2")


class Certificates(Case):
    def certify(self, threads):
        self.run_tool("bundle", "import", self.bundle, "--catalogue", "c%d.troupe" % threads)
        page = self.run_tool("certify", "hold", "--catalogue", "c%d.troupe" % threads, "--threads", str(threads),
                             "--seed", "7", *TINY)
        return [line for line in page.splitlines() if not line.startswith(("command", "hold:"))]

    @staticmethod
    def figures(lines):
        return [line.split("  | ")[0] for line in lines if not line.startswith("undisturbed: ")]

    def test_a_certificate(self):
        one, three = self.certify(1), self.certify(3)
        self.assertEqual(self.figures(one), self.figures(three))
        text = "\n".join(one)
        self.assertIn("hold 2 s", text)
        self.assertIn("pushes growing by 0.25 N/s", text)
        self.assertRegex(text, r"(?m)^  270\.0 deg ")
        self.assertIn("lshank", text)
        self.assertRegex(text, r"(?m)^ground       95 % of 2 trials stay up for 1 s: slope up \d+ deg, .*kerb down .*uneven")
        self.assertRegex(text, r"(?m)^  sudden 200 N   \d of 2 survive \(95 % interval 0\.\d+ to [01]\.\d+\)$")
        self.assertIn("NSR none", text)  # its reference stands still
        self.assertNotIn("nan", text.lower())
        kept = self.run_tool("certificate", "hold", "--catalogue", "c1.troupe").splitlines()
        self.assertEqual(kept[2:], one[-len(kept) + 2:])

        row = self.run_tool("certificate", "--table", "--catalogue", "c1.troupe").splitlines()[2]
        self.assertRegex(row, r"^\| hold \| \d/3, 2 s \| \d+±\d+ \| \d+±\d+ \| \d+/\d+/\d+ \| - \| \d+ \| \d+/\d+/\d+ \| "
                              r"\d+/\d+/\d+ \| 2/12/2 \|$")
        self.assertIn("expected CONTROLLER or --table",
                      self.run_tool("certificate", "--table", "hold", "--catalogue", "c1.troupe", code=2))
        catalogue = sqlite3.connect(self.path("c1.troupe"))
        self.assertEqual(catalogue.execute("SELECT item FROM certificate_figure WHERE quantity = 'nsr'").fetchall(), [])
        catalogue.close()

        self.run_tool("bundle", "export", "c1.troupe", "hold", "-o", "hold.troupe")
        self.run_tool("bundle", "import", "hold.troupe", "--catalogue", "other.troupe")
        self.assertEqual(self.run_tool("bundle", "list", "other.troupe"), "hold\tcyclic\t1\tstand\tby_hand\tchain\thumanoid\t\t\n")
        with open(self.path("other.txt"), "w") as other:
            other.write("no catalogue " * 99)
        for path, expected in (("none.troupe", "No such file"), (".", "Is a directory"), ("other.txt", "not a catalogue or bundle")):
            self.assertIn(f"{path}: {expected}", self.run_tool("bundle", "list", path, code=1))
        carried = self.run_tool("certificate", "hold", "--catalogue", "other.troupe").splitlines()
        self.assertEqual(carried, kept)

    def test_skills_of_a_graph(self):
        """Those of another skill, and of random walks; neither is taken for the certificate of the graph."""
        pages = []
        for threads in ("1", "3"):
            catalogue = "g%s.troupe" % threads
            self.run_tool("bundle", "export", os.path.join(self.source, "db/shipped.troupe"), "gaits", "-o", catalogue)
            self.run_tool("certify", "gaits", "--catalogue", catalogue, "--threads", threads, "--skill", "run", *TINY[:-6], "--resist-trials", "1",
                          "--ground-trials", "0")
            self.run_tool("certify", "gaits", "--catalogue", catalogue, "--threads", threads, "--walks", "3",
                          "--walk-seconds", "20")
            run = self.run_tool("certificate", "gaits", "--catalogue", catalogue, "--skill", "run")
            walks = self.run_tool("certificate", "gaits", "--catalogue", catalogue, "--walks")
            pages.append(run.splitlines()[2:] + walks.splitlines()[2:])
        self.assertEqual(*pages)
        self.assertIn("gaits, skill run: certificate", run)
        self.assertGreater(float(re.search(r"tracking +([0-9.]+) m/s", run)[1]), 2)  # a walk has 1.3
        self.assertRegex(walks, r"walks +3 of 3 without a fall for 20 s")
        self.assertNotIn("undisturbed", walks)
        self.assertNotIn("skill", self.run_tool("certificate", "gaits", "--catalogue", catalogue).splitlines()[0])
        for words, said in ((("--skill", "fly"), "no skill 'fly'"), (("--skill", "walk-to-run"), "ends; expected one that repeats")):
            self.assertIn(said, self.run_tool("certify", "gaits", "--catalogue", catalogue, *words, code=1))
        self.assertIn("expected no --skill", self.run_tool("certify", "gaits", "--catalogue", catalogue, "--skill", "run",
                                                           "--walks", "1", code=2))
        self.assertIn("has no certificate of skill walk",
                      self.run_tool("certificate", "gaits", "--catalogue", catalogue, "--skill", "walk", code=1))

    def test_impossible_requests_are_refused(self):
        self.run_tool("bundle", "import", self.bundle, "--catalogue", "c.troupe")
        self.assertIn("absent", self.run_tool("certify", "absent", "--catalogue", "c.troupe", code=1))
        self.assertIn("has no certificate", self.run_tool("certificate", "hold", "--catalogue", "c.troupe", code=1))
        self.assertIn("the planner of a graph", self.run_tool("certify", "hold", "--catalogue", "c.troupe", "--walks", "1", code=1))
        self.assertIn("--starts", self.run_tool("certify", "hold", "--catalogue", "c.troupe", "--starts", "0", code=2))
        self.run_tool("certify", "hold", code=2)
        self.assertIn("none.troupe", self.run_tool("certify", "hold", "--catalogue", "none.troupe", code=1))


if __name__ == "__main__":
    unittest.main()

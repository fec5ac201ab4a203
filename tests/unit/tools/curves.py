"""Learning curves from the command line: printed, and what cannot be."""

import os
import unittest

from tool import Case


class Curves(Case):
    def setUp(self):
        super().setUp()
        self.shipped = os.path.join(self.source, "db/shipped.troupe")

    def curve(self, *arguments, **more):
        return self.run_tool("curve", *arguments, "--catalogue", self.shipped, **more)

    def test_printed(self):
        page = self.curve("run", "--metric", "push95_n").splitlines()
        self.assertEqual(page[0], "run")
        self.assertEqual(page[1].split(), ["iteration", "core-s", "push95_n"])
        rows = [[float(word) for word in line.split()] for line in page[2:]]
        self.assertEqual([row[0] for row in rows], list(range(1, len(rows) + 1)))
        self.assertEqual(max(row[2] for row in rows), 240)
        times = [row[1] for row in rows]
        self.assertEqual(times, sorted(times))
        # Rounds of refinement are not tested, but have taken their time.
        costs = self.curve("run", "--metric", "cost").splitlines()[2:]
        self.assertGreater(len(costs), len(rows))
        self.assertGreater(times[0], float(costs[0].split()[1]))

    def test_schedulers_count_decisions(self):
        page = self.curve("steady", "run-turns", "--metric", "average_q").splitlines()
        second = page.index("run-turns")
        self.assertEqual(page[1].split(), ["iteration", "average_q"])
        rows = [[float(word) for word in line.split()] for line in page[2:second]]
        self.assertEqual([row[0] for row in rows], list(range(25000, 400001, 25000)))
        self.assertEqual(page[second + 2].split()[0], "20000")

    def test_impossible_requests_are_refused(self):
        self.assertIn("absent", self.curve("absent", code=1))
        self.assertIn("no metric 'shoe_size'", self.curve("run", "--metric", "shoe_size", code=1))
        self.assertIn("missing argument: RUN ...", self.curve(code=2))
        self.run_tool("curve", "run", code=2)


if __name__ == "__main__":
    unittest.main()

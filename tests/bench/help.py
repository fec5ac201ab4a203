"""What troupe-bench says about itself: each command explains its options, and refuses what it does not know."""

import os
import re
import subprocess
import sys
import tempfile
import unittest

BENCH = os.environ["TROUPE_BENCH"]


def bench(*words):
    return subprocess.run([BENCH, *words], capture_output=True, text=True, timeout=30)


def options_in(text):
    return set(re.findall(r"(?<![\w-])--[a-z][a-z-]*[a-z]", text))


class Help(unittest.TestCase):
    def setUp(self):
        rows = re.split(r"^  (?=[a-z])", bench("help").stdout, flags=re.M)[1:]
        self.row = {row.split()[0]: row for row in rows}

    def test_each_command_explains_the_options_of_its_row(self):
        self.assertIn("learn", self.row)
        for name, row in self.row.items():
            told = bench(name, "--help")
            self.assertEqual((told.returncode, told.stderr), (0, ""), name)
            self.assertEqual(told.stdout, bench("help", name).stdout)
            explained = options_in("\n".join(re.findall(r"^  --\S+.*$", told.stdout, re.M)))
            self.assertEqual(explained, options_in(row), name)
            self.assertTrue(told.stdout.startswith(f"usage: troupe-bench {name}"))

    def test_each_command_refuses_an_unknown_option_by_its_name(self):
        for name in self.row:
            told = bench(name, "--nonsense", "1")
            self.assertEqual((told.returncode, told.stdout), (2, ""), name)
            self.assertIn("--nonsense: no such option", told.stderr)

    def test_wrong_values_and_words_are_named(self):
        for words, reason in [(("learn", "--stages", "0"), "--stages 0: expected a whole number from 1"),
                              (("density", "--cell", "5x"), "--cell 5x: expected WORLDSxCHARACTERS"),
                              (("rollback", "run"), "run: expected options only"),
                              (("readers", "--port", "1"), "needs --port and --world"),
                              (("nonsense",), "nonsense: no such command")]:
            told = bench(*words)
            self.assertEqual(told.returncode, 2, words)
            self.assertIn(reason, told.stderr)

    def test_results_become_a_table_with_ratios_and_a_picture(self):
        folder = os.path.dirname(os.path.abspath(__file__))
        with tempfile.TemporaryDirectory() as work:
            drawn = os.path.join(work, "physics.svg")
            table = [sys.executable, "-B", os.path.join(folder, "table.py")]
            told = subprocess.run([*table, os.path.join(folder, "results/physics-amd-epyc.csv"), "--svg", drawn], capture_output=True, text=True, check=True)
            self.assertRegex(told.stdout, r"(?m)^stand +7\.4 +35\.6 x +7\.1 x +9\.4 x$")
            with open(drawn) as svg, open(os.path.join(folder, "results/physics-amd-epyc.svg")) as shown:
                self.assertEqual(svg.read(), shown.read())
            other = subprocess.run(table, input="characters,bytes\n1,26000\n", capture_output=True, text=True, check=True)
            self.assertEqual(other.stdout, "characters  bytes\n1           26000\n")


if __name__ == "__main__":
    unittest.main()

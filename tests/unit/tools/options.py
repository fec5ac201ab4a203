"""The options of troupe-train's commands: by their whole names alone, and of the values that they say."""

import re
import unittest

from tool import Case

USAGE = 2


class Options(Case):
    def helps(self, command):
        """The help of a command, or of each of its subcommands, with the words that run it."""
        usage = rf"^usage: troupe-train {command} (?=[a-z]+ )"
        first, *parts = re.split(usage, self.run_tool("help", command), flags=re.MULTILINE)
        actions = [((command, part.split()[0]), part) for part in parts if " | " not in part.split("\n")[0]]
        return actions or [((command,), first)]

    def test_cut_short(self):
        """One option of each command: all are read by one table (unit/proto/option)."""
        commands = re.findall(r"^  ([a-z]+)  ", self.run_tool("help"), re.MULTILINE)
        self.assertGreater(len(commands), 10)
        tried = 0
        for words, text in (each for command in commands for each in self.helps(command)):
            options = set(re.findall(r"--[a-z][a-z-]+", text))
            for name in sorted({option[:-1] for option in options} - options)[:1]:
                with self.subTest(command=words, name=name):
                    told = self.run_tool(*words, name, "1", code=USAGE)
                    self.assertRegex(told, rf"{name}: no such option[;\n]")
                tried += 1
        self.assertGreater(tried, 40)

    def test_spacings_of_a_comparison(self):
        """They are refused before a checkpoint is read."""
        told = self.run_tool("gait", "compare", "x", "--checkpoint", "y", "--spacings", "10,0", code=USAGE)
        self.assertIn("--spacings: expected numbers above 0", told)

    def test_a_command_too_long_for_its_record(self):
        """It is refused before the work, by every command that stores a record or a certificate."""
        for words in (("balance", "learn", "--name", "x", "--catalogue"), ("schedule", "learn", "x", "--name", "y", "--catalogue"),
                      ("balance", "momentum", "--stance", "x", "--name", "y", "--catalogue"), ("latent", "task", "x", "--name", "y", "--catalogue"),
                      ("balance", "skate", "--name", "y", "--catalogue"),
                      ("graph", "harden", "x", "--as", "y", "--catalogue"), ("latent", "fit", "x", "--out"),
                      ("certify", "x", "--catalogue")):
            with self.subTest(command=words):
                told = self.run_tool(*words, "x" * 2048, code=1)
                self.assertIn("the command has more than 2047 bytes, too long for its record", told)

    def test_values_out_of_range(self):
        for words, told in ((("rest", "-o", "x", "--frames", "0"), "--frames 0: expected a whole number from 1 to"),
                            (("import", "x", "--frames", "-1"), "--frames -1: expected a whole number from 0 to"),
                            (("import", "x", "--dt", "soon"), "--dt soon: expected a number"),
                            (("import", "x", "--up", "xy"), "--up xy: expected one letter"),
                            (("strip", "x", "-o", "y", "--count", "1"), "--count 1: expected a whole number from 2 to"),
                            (("learn", "x", "--set", "push_n"), "--set push_n: expected NAME=VALUE"),
                            (("learn", "x", "--push", "hard"), "push_n"),
                            (("steer", "x", "--samples", "7"), "--samples 7: expected a whole number from 8 to"),
                            (("reconstruct", "x", "--threads", "0"), "--threads 0: expected a whole number from 1 to")):
            with self.subTest(words=words):
                self.assertIn(told, self.run_tool(*words, code=USAGE))

    def test_out_in_short(self):
        self.run_tool("rest", "--out", "long", "--frames", "10", "--model", self.model)
        self.run_tool("rest", "-o", "short", "--frames", "10", "--model", self.model)
        with open(self.path("long")) as one, open(self.path("short")) as other:
            self.assertEqual(one.read(), other.read())


if __name__ == "__main__":
    unittest.main()

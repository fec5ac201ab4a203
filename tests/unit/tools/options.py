"""Every command of troupe-train takes its options by their whole names alone."""

import re
import unittest

from tool import Case

USAGE = 2


class Options(Case):
    def test_cut_short(self):
        commands = re.findall(r"^  ([a-z]+)  ", self.run_tool("help"), re.MULTILINE)
        self.assertGreater(len(commands), 10)
        tried = 0
        for command in commands:
            options = set(re.findall(r"--[a-z][a-z-]+", self.run_tool("help", command)))
            for name in {option[:-1] for option in options} - options:
                with self.subTest(command=command, name=name):
                    told = self.run_tool(command, name, "1", code=USAGE)
                    self.assertRegex(told, rf"option '{name}'( is ambiguous|\n)")
                tried += 1
        self.assertGreater(tried, 50)


if __name__ == "__main__":
    unittest.main()

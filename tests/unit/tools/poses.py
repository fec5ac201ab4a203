"""Motions from key poses, from the command line: written, read again, drawn; mistakes reported."""

import json
import os
import unittest

from tool import Case


class Poses(Case):
    keys = os.path.join(Case.source, "controllers/recipes/poses/rocking.json")

    def test_a_motion_is_made_the_same_each_time_and_drawn(self):
        said = self.run_tool("pose", self.keys, "-o", "one.json")
        self.assertRegex(said, r"rocking: 1\.100 s, 220 frames, cyclic, \d+ keys, 2 limbs held to 0\.0 mm")
        self.run_tool("pose", self.keys, "-o", "two.json")
        with open(self.path("one.json")) as one, open(self.path("two.json")) as two:
            text = one.read()
            self.assertEqual(text, two.read())
        self.assertEqual(json.loads(text)["source"]["origin"], "made")
        self.run_tool("strip", "one.json", "--front", "-o", "one.svg")
        self.assertTrue(os.path.exists(self.path("one.svg")))

    def test_mistakes_are_named_and_nothing_is_written(self):
        with open(self.path("keys.json"), "w") as keys:
            keys.write('{"name": "x", "duration_s": 1, "limbs": [{"body": "lfoot", "on": "sled", "keys": []}]}')
        self.assertIn("'sled'", self.run_tool("pose", "keys.json", "-o", "x.json", code=1))
        self.assertFalse(os.path.exists(self.path("x.json")))
        self.run_tool("pose", "keys.json", code=2)


if __name__ == "__main__":
    unittest.main()

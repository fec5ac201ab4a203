"""Keyword arguments of the environments: their names are those of the address and of the task."""

import dataclasses
import unittest

from troupe.envs import Task
from troupe.envs.arena import Address
from troupe.envs.options import Options, split


def names(kind):
    return {field.name for field in dataclasses.fields(kind)}


class Keywords(unittest.TestCase):
    def test_names(self):
        self.assertEqual(set(Options.__annotations__), names(Address) | names(Task) - {"controller"})

    def test_split(self):
        self.assertEqual(split({}), (Address(), {}))
        self.assertEqual(split({"port": 1, "step_ticks": 20, "key": "k"}), (Address(port=1, key="k"), {"step_ticks": 20}))

    def test_an_unknown_one_is_the_task_s(self):
        fields = split({"hots": "x"})[1]
        with self.assertRaisesRegex(TypeError, "hots"):
            Task.of("walk", **fields)


if __name__ == "__main__":
    unittest.main()

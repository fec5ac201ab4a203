"""troupe-train learn: what it refuses, it refuses before the training."""

import json
import os
import shutil
import unittest

from tool import Case

TINY = {"refine_rounds": 0, "iterations": 1, "visits": 22, "first_samples": 20, "samples": 16, "first_sigma_deg": 2,
        "push_n": 20, "push_ramp": 1, "test_trials": 1, "test_cap_s": 1, "test_grid_n": 100, "test_settle_s": 0.2,
        "test_after_s": 0.3}


class Learning(Case):
    def learn(self, motion, name, *more, code=0, **changes):
        settings = [word for key, value in dict(TINY, **changes).items() for word in ("--set", "%s=%s" % (key, value))]
        return self.run_tool("learn", motion, "--model", self.model, "--name", name, "--catalogue", "c.troupe", *more,
                             *settings, code=code)

    def other_motion(self, name):
        """The swaying, a tenth of a millimetre higher."""
        with open(self.sway) as file:
            motion = json.load(file)
        motion["name"] = name
        for pose in motion["poses"]:
            pose[2] += 1e-4
        with open(self.path("other.json"), "w") as file:
            json.dump(motion, file)
        return "other.json"

    def test_a_taken_clip_name_is_refused_before(self):
        self.learn(self.sway, "first", iterations=0)
        said = self.learn(self.other_motion("sway"), "second", "--checkpoint", "second.checkpoint", code=1)
        self.assertIn("clip", said)
        self.assertIn("sway", said)
        self.assertFalse(self.exists("second.checkpoint"))

    def test_resumed_under_its_own_name(self):
        self.learn(self.sway, "first", "--checkpoint", "part")
        said = self.learn(self.sway, "second", "--checkpoint", "part", "--resume", code=1)
        self.assertIn("part: of the training of 'first', not of 'second'", said)
        said = self.learn(self.sway, "first", "--checkpoint", "part", "--resume")
        self.assertIn("controller 'first' is in c.troupe", said)
        self.assertIn("'first' is in c.troupe already", self.learn(self.sway, "first", "--checkpoint", "absent", "--resume",
                                                                   code=1))

    def test_another_motion_is_not_learned_from_a_controller(self):
        shutil.copy(self.sway, self.path("sway.json"))
        self.learn("sway.json", "first", iterations=0)
        self.assertNotIn("reference states", self.learn("sway.json", "same", "--from", "first", iterations=0))
        self.assertIn("it keeps its reference states, which are not of other.json",
                      self.learn(self.other_motion("other"), "continued", "--from", "first", iterations=0))

    def walk(self):
        """A clip long enough to be planned: the few frames of another, forward and backward."""
        with open(os.path.join(self.source, "tests/data/motion/figure.bvh")) as file:
            head, frames = file.read().split("MOTION\n")
        time = frames.splitlines()[1]
        rows = frames.splitlines()[2:]
        rows = (rows + rows[::-1]) * 8
        with open(self.path("walk.bvh"), "w") as file:
            file.write("\n".join([head + "MOTION", "Frames: %d" % len(rows), time, *rows]) + "\n")
        return "walk.bvh"

    def test_a_plan_is_printed_and_nothing_is_written(self):
        clip = self.walk()
        before = sorted(os.listdir(self.folder))
        said = self.run_tool("learn", clip, "--plan", "--catalogue", "c.troupe")
        self.assertRegex(said, r"(?m)^plan +\w+")
        self.assertRegex(said, r"(?m)^checks ")
        self.assertEqual(sorted(os.listdir(self.folder)), before)
        self.assertIn("--plan: plans are made of clips", self.learn(self.sway, "planned", "--plan", code=2))


if __name__ == "__main__":
    unittest.main()

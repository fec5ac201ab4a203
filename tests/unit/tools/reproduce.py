"""A run of the catalogue is trained again, to the bit."""

import os
import shutil
import unittest

from tool import Case

TINY = {"refine_rounds": 1, "refine_visits": 4, "refine_skipped": 1, "refine_samples": 40, "refine_sigma_deg": 3,
        "iterations": 1, "visits": 22, "first_samples": 20, "samples": 16, "first_sigma_deg": 2, "push_n": 20,
        "push_ramp": 1, "test_trials": 1, "test_cap_s": 1, "test_grid_n": 100, "test_settle_s": 0.2,
        "test_after_s": 0.3}


class Reproduce(Case):
    def learn(self, motion, name, *more, **changes):
        settings = [word for key, value in dict(TINY, **changes).items() for word in ("--set", "%s=%s" % (key, value))]
        return self.run_tool("learn", motion, "--model", self.model, "--name", name, "--catalogue", "c.troupe", *more,
                             *settings)

    def clips(self, *files):
        os.mkdir(self.path("clips"))
        for file in files:
            shutil.copy(file, self.path("clips"))
        return "clips"

    def test_from_the_motion(self):
        self.learn(self.sway, "first", "--threads", "2")
        self.learn(self.sway, "second", "--from", "first", "--threads", "1", refine_rounds=0, seed=5)
        clips = self.clips(self.sway, self.model)
        said = self.run_tool("reproduce", "first", "--catalogue", "c.troupe", "--clips", clips, "--threads", "1")
        self.assertRegex(said, r"controller 'first': bit-identical, hash [0-9a-f]{16}")
        self.assertRegex(said, r"metrics: (\d+) of \1 are the same to the bit")
        said = self.run_tool("reproduce", "second", "--catalogue", "c.troupe", "--motion", self.sway, "--threads", "2")
        self.assertIn("controller 'second': bit-identical", said)

        # In a bundle of the second alone, its parent's controller is not there and is trained again first.
        self.run_tool("bundle", "export", "c.troupe", "second", "-o", "second.troupe")
        said = self.run_tool("reproduce", "second", "--catalogue", "second.troupe", "--clips", clips)
        self.assertIn("second went on from first", said)
        self.assertIn("controller 'second': bit-identical", said)

    def test_from_another_body(self):
        """A warm start: the parent's controller is of another model, and stays so in a bundle."""
        figure = os.path.join(self.source, "tests/data/motion/figure.bvh")
        tall = os.path.join(self.source, "controllers/model/humanoid_long_legs.xml")
        for model, out in ((self.model, "figure.json"), (tall, "tall.json")):
            self.run_tool("import", figure, "--model", model, "--cyclic", "--name", out[:-5], "-o", out)
        self.learn("figure.json", "figure", iterations=0)
        settings = [word for key, value in TINY.items() if key != "refine_rounds"
                    for word in ("--set", "%s=%s" % (key, 0 if key == "iterations" else value))]
        self.run_tool("learn", "tall.json", "--model", tall, "--name", "tall", "--catalogue", "c.troupe", "--from",
                      "figure", *settings, "--set", "refine_rounds=1")
        untrained = self.run_tool("learn", "tall.json", "--model", tall, "--name", "as it is", "--catalogue",
                                  "c.troupe", "--from", "figure", "--set", "iterations=0")
        self.assertIn("controller 'as it is' is in c.troupe", untrained)
        self.run_tool("bundle", "export", "c.troupe", "tall", "figure", "-o", "both.troupe")
        said = self.run_tool("reproduce", "tall", "--catalogue", "both.troupe", "--motion", "tall.json")
        self.assertIn("controller 'tall': bit-identical", said)

    def test_from_the_clip(self):
        """The clip is found by its digest and imported as it was."""
        figure = os.path.join(self.source, "tests/data/motion/figure.bvh")
        self.run_tool("import", figure, "--model", self.model, "--cyclic", "--smooth", "0.03", "--stiff", "--name",
                      "figure", "-o", "figure.json")
        self.learn("figure.json", "figure", "--clip", figure, iterations=0)
        clips = self.clips(figure, self.sway)
        os.rename(self.path("clips/figure.bvh"), self.path("clips/renamed.bvh"))
        said = self.run_tool("reproduce", "figure", "--catalogue", "c.troupe", "--clips", clips)
        self.assertIn("controller 'figure': bit-identical", said)
        self.assertNotIn("another one", said)
        failed = self.run_tool("reproduce", "figure", "--catalogue", "c.troupe", "--clips", clips, "--import",
                               "dt 0.005, frames 0, cyclic, return 0, blend 0, smooth 0.01, ground -1, stiff", code=1)
        self.assertIn("not the same", failed)

    def test_what_differs_is_told(self):
        self.learn(self.sway, "first", iterations=0)
        figure = os.path.join(self.source, "tests/data/motion/figure.bvh")
        self.run_tool("import", figure, "--model", self.model, "--cyclic", "--name", "figure", "-o", "figure.json")
        failed = self.run_tool("reproduce", "first", "--catalogue", "c.troupe", "--motion", "figure.json", code=1)
        self.assertIn("run 'first': not the same", failed)
        failed = self.run_tool("reproduce", "first", "--catalogue", "c.troupe", "--clips", self.clips(figure), code=1)
        self.assertIn("no file in it is the clip", failed)
        failed = self.run_tool("reproduce", "none", "--catalogue", "c.troupe", "--clips", "clips", code=1)
        self.assertIn("run 'none': not in the catalogue", failed)
        self.run_tool("reproduce", "first", "--catalogue", "c.troupe", code=2)


if __name__ == "__main__":
    unittest.main()

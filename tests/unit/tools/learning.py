"""troupe-train learn: what it refuses, it refuses before the training."""

import json
import math
import os
import re
import shutil
import sqlite3
import unittest

from tool import Case

TINY = {"refine_rounds": 0, "iterations": 1, "visits": 22, "first_samples": 20, "samples": 16, "first_sigma_deg": 2,
        "push_n": 20, "push_ramp": 1, "test_trials": 1, "test_cap_s": 1, "test_grid_n": 100, "test_settle_s": 0.2,
        "test_after_s": 0.3}


def turn(angle_rad):
    return [math.cos(angle_rad / 2), 0, 0, math.sin(angle_rad / 2)]


def bow(left):
    """A frame of a DeepMimic clip: bent forward by 70 degrees with the hips behind the feet, or, with nothing left of it,
    upright."""
    tilt, lean, none = math.radians(70) * left, math.radians(12) * left, [1, 0, 0, 0]
    leg, arm = turn(tilt + lean) + [0] + turn(-lean), none + [0]
    return [1 / 60, -0.83 * math.sin(lean), 0.05 + 0.83 * math.cos(lean), 0] + turn(-tilt) + none + none + leg + arm + leg + arm


class Learning(Case):
    def learn(self, motion, name, *more, code=0, **changes):
        settings = [word for key, value in dict(TINY, **changes).items() for word in ("--set", "%s=%s" % (key, value))]
        return self.run_tool("learn", motion, "--model", self.model, "--name", name, "--catalogue", "c.troupe", *more,
                             *settings, code=code)

    def other_motion(self, name, model="humanoid"):
        """The swaying, a tenth of a millimetre higher."""
        with open(self.sway) as file:
            motion = json.load(file)
        motion["name"], motion["model"] = name, model
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

    def test_what_the_plan_chooses_is_neither_listed_nor_taken(self):
        listed = self.run_tool("learn", "--help")
        self.assertIn("--left-handed", listed)
        for option in ("--symmetric", "--to-rest", "--return"):
            self.assertNotIn(option, listed)
        said = self.run_tool("learn", self.walk(), "--plan", "--symmetric", code=2)
        self.assertIn("--symmetric: the plan chooses how to close a clip", said)
        self.assertIn("--smooth: expected with a clip", self.learn(self.sway, "smooth", "--smooth", "0.1", code=2))

    def test_a_long_clip_is_cut(self):
        """Bows with rests between: the refusal lists the parts, and one or all of them are planned by name."""
        frames = [bow(math.sin(math.pi * min(1, i % 240 / 150)) ** 2) for i in range(960)]
        with open(self.path("bows.txt"), "w") as file:
            json.dump({"Frames": frames}, file)
        said = self.run_tool("learn", "bows.txt", "--plan", code=1)
        self.assertIn("more than the 10 that can be learned as one skill; choose one of its parts by --part N", said)
        listed = self.run_tool("learn", "bows.txt", "--plan", "--all")
        drawn = re.search(r"(?m)^ +part 4 is drawn by: troupe-train (.*)$", listed).group(1)
        self.run_tool(*drawn.split())
        self.assertTrue(self.exists("part.svg"))
        names = re.findall(r"(?m)^(?:parts)? +\d+ (skill[-\d]*) ", listed)
        self.assertEqual(names, ["skill", "skill-2", "skill-3", "skill-4"])
        self.assertEqual(re.findall(r"(?m)^motion +(\S+),", listed), ["bows-" + name for name in names])
        self.assertIn("motion      bow2,", self.run_tool("learn", "bows.txt", "--plan", "--part", "2", "--name", "bow2"))
        self.assertIn("--part 9: the clip has 4 parts", self.run_tool("learn", "bows.txt", "--plan", "--part", "9", code=1))
        self.assertIn("--part: plans are made of clips", self.learn(self.sway, "part", "--part", "1", code=2))

    def rise_from_bow(self):
        frames = [bow((1 + math.cos(math.pi * min(1, i / 24))) / 2) for i in range(29)]
        with open(self.path("bow.txt"), "w") as file:
            json.dump({"Frames": frames}, file)
        return "bow.txt"

    def test_a_chain_is_planned_and_learned_from_its_clip(self):
        tiny = {"harden_rounds": 1, "harden_updates": 2, "harden_averaged": 2, "harden_directions": 2, "harden_best": 1,
                "harden_trials": 2, "test_trials": 2}
        said = self.run_tool("learn", self.rise_from_bow(), "--effort", "quick", "--catalogue", "c.troupe",
                             *(word for name, value in tiny.items() for word in ("--set", "%s=%d" % (name, value))))
        self.assertRegex(said, r"(?m)^plan +chain\n +begins in another posture and ends standing")
        self.assertRegex(said, r"(?m)^reconstructed .*trials \d+")
        self.assertRegex(said, r"(?m)^harden +1 .*push95_n \d+")
        held, trials = map(int, re.search(r"(?m)^holds \d+ s undisturbed in (\d+) of (20|100) trials", said).groups())
        self.assertGreaterEqual(held, 0.95 * trials)  # 20 trials after a training of seconds
        self.assertRegex(said, r"(?m)^survives pushes of [2-9]\d N")
        self.assertIn("controller 'bow' is in c.troupe", said)
        catalogue = sqlite3.connect(self.path("c.troupe"))
        self.assertEqual(catalogue.execute("SELECT role FROM run_input").fetchall(), [("control",)])
        catalogue.close()

    def nod(self):
        frames = [bow(0.05 * math.sin(math.pi * min(1, i / 90)) ** 2) for i in range(91)]
        with open(self.path("nod.txt"), "w") as file:
            json.dump({"Frames": frames}, file)

    def test_a_preview_stays_until_there_is_a_better_one(self):
        """Also after an interruption: it has no run, and the open loop does not take its place."""
        self.nod()
        settings = "iterations=0 harden_rounds=0 refine_rounds=1 refine_visits=6 refine_samples=60 refine_sigma_deg=2".split()
        for more in ((), ("--resume",)):
            said = self.run_tool("learn", "nod.txt", "--catalogue", "c.troupe", "--checkpoint", "part", *more,
                                 *(word for setting in settings for word in ("--set", setting)))
            self.assertIn("'nod' in c.troupe is a preview: no row has a result yet", said)
            catalogue = sqlite3.connect(self.path("c.troupe"))
            self.assertEqual(catalogue.execute("SELECT name, run FROM controller").fetchall(), [("nod", None)])
            catalogue.close()

    def test_a_loop_ends_with_a_verdict_and_a_certificate(self):
        """Of a nod, learned in a moment; a training that took too little time gets no certificate."""
        self.nod()
        tiny = dict(TINY, refine_rounds=1, refine_visits=6, refine_samples=60, refine_sigma_deg=2, harden_rounds=0)
        said = self.run_tool("learn", "nod.txt", "--catalogue", "c.troupe",
                             *(word for name, value in tiny.items() for word in ("--set", "%s=%s" % (name, value))))
        self.assertRegex(said, r"(?m)^preview +gains of '[-\w]+' of 'hero' hold \d+ of 16 for 20 s")
        self.assertRegex(said, r"(?m)^(loses its motion within 3 s|moves at \d\.\d\d m/s, the clip at 0\.\d\d; turns .* a cycle)")
        if "moves at" in said:
            self.assertRegex(said, r"(?m)^largest torque \d+ % of the limit of a person, at '\w+'; \d+ % of the limit of an athlete")
        catalogue = sqlite3.connect(self.path("c.troupe"))
        (count,), = catalogue.execute("SELECT count(*) FROM certificate").fetchall()
        catalogue.close()
        self.assertEqual(count, 0 if "no certificate: " in said else 1)

    def test_a_steering_that_is_kept_is_named(self):
        shutil.copy(self.sway, self.path("sway.json"))
        self.learn("sway.json", "first", iterations=0)
        self.run_tool("bundle", "export", os.path.join(self.source, "db/shipped.troupe"), "walk", "-o", "walk.bundle")
        catalogue = sqlite3.connect(self.path("c.troupe")) # the swaying falls before it learns to turn
        catalogue.execute("ATTACH ? AS shipped", (self.path("walk.bundle"),))
        catalogue.execute("INSERT INTO controller_section SELECT own.id, s.name, position, replaceable, content "
                          "FROM controller AS own, shipped.controller_section AS s "
                          "WHERE own.name = 'first' AND s.name = 'steering'")
        catalogue.commit()
        catalogue.close()
        self.assertNotIn("steering", self.learn("sway.json", "same", "--from", "first", iterations=0))
        self.assertIn("--from first: it keeps its steering, which was learned for the policies that now change; measure it, "
                      "or learn it again with 'troupe-train steer hardened'",
                      self.learn("sway.json", "hardened", "--from", "first", iterations=0, harden_rounds=1, harden_updates=1,
                                 harden_directions=2, harden_best=1, harden_trials=2))

    def test_another_motion_is_not_learned_by_a_body_of_other_strength(self):
        """Such a body continues a copy too, with its reference states."""
        shutil.copy(self.sway, self.path("sway.json"))
        self.learn("sway.json", "first", iterations=0)
        self.model = os.path.join(self.source, "controllers/model/humanoid_limited.xml")
        self.assertIn("it keeps its reference states, which are not of other.json",
                      self.learn(self.other_motion("other", "humanoid_limited"), "continued", "--from", "first", iterations=0))


if __name__ == "__main__":
    unittest.main()

"""A run of the catalogue is trained again, to the bit."""

import contextlib
import json
import os
import shutil
import sqlite3
import unittest

from tool import Case

TINY = {"refine_rounds": 1, "refine_visits": 4, "refine_skipped": 1, "refine_samples": 40, "refine_sigma_deg": 3,
        "iterations": 1, "visits": 22, "first_samples": 20, "samples": 16, "first_sigma_deg": 2, "push_n": 20,
        "push_ramp": 1, "test_trials": 1, "test_cap_s": 1, "test_grid_n": 100, "test_settle_s": 0.2,
        "test_after_s": 0.3}

GAIT = {"base_generations": 1, "samples": 16, "base_mps": 0.4, "front_n": 0, "back_n": 0,
        "harden_generations": 1, "harden_samples": 4, "harden_best": 2, "harden_test_trials": 1,
        "harden_varying": 0, "harden_stepped": 0, "harden_sided": 0, "harden_pushed": 0}


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
        said = self.run_tool("reproduce", "first", "--catalogue", "c.troupe", "--motion", self.sway, "--threads", "1")
        self.assertRegex(said, r"controller 'first': bit-identical, hash [0-9a-f]{16}")
        self.assertRegex(said, r"metrics: (\d+) of \1 are the same to the bit")

        # A bundle of only the second lacks its parent's controller, which is trained again first.
        self.run_tool("bundle", "export", "c.troupe", "second", "-o", "second.troupe")
        said = self.run_tool("reproduce", "second", "--catalogue", "second.troupe", "--clips", self.clips(self.sway, self.model))
        self.assertIn("second continued first, whose controller is not here: training it again first", self.aside)
        self.assertIn("controller 'second': bit-identical", said)

    def test_a_run_whose_controller_was_replaced_names_the_run_to_repeat(self):
        self.learn(self.sway, "first", iterations=0)
        self.learn(self.sway, "second", "--from", "first", refine_rounds=0, iterations=0)
        self.run_tool("forget", "c.troupe", "controller:first")
        failed = self.run_tool("reproduce", "first", "--catalogue", "c.troupe", "--motion", self.sway, code=1)
        self.assertIn("run 'first': it made no controller", failed)
        catalogue = sqlite3.connect(self.path("c.troupe"))
        catalogue.execute("UPDATE controller SET name = 'first'")
        catalogue.commit()
        catalogue.close()
        failed = self.run_tool("reproduce", "first", "--catalogue", "c.troupe", "--motion", self.sway, code=1)
        self.assertIn("run 'first': its controller is not here; controller 'first' was made by run 'second'", failed)

    def test_a_mirror_image_is_not_a_controller_of_the_run(self):
        """It traces to the same run, under any name; mirrored again it equals the original."""
        self.learn(self.sway, "first", iterations=0)
        self.run_tool("mirror", "first", "--name", "and right", "--catalogue", "c.troupe")
        self.assertRegex(self.run_tool("bundle", "list", "c.troupe"),
                         r"and right\tcyclic\t0\tand right\tfirst\tchain\thumanoid[^\n]*\nfirst\tcyclic")
        said = self.run_tool("reproduce", "first", "--catalogue", "c.troupe", "--motion", self.sway)
        self.assertIn("controller 'first': bit-identical", said)
        self.run_tool("mirror", "and right", "--name", "first", "--catalogue", "c.troupe", code=1)
        self.run_tool("mirror", "absent", "--name", "other", "--catalogue", "c.troupe", code=1)
        self.run_tool("mirror", "first", "--catalogue", "c.troupe", code=2)

    def test_a_skill_of_a_graph(self):
        """A missing skill of a graph is trained again, from the clip of a training that continued it."""
        self.learn(self.sway, "first", iterations=0)
        self.learn(self.sway, "second", "--from", "first", refine_rounds=0, seed=5)
        with open(self.path("both.txt"), "w") as file:
            file.write("skill first\nskill second\n")
        self.run_tool("graph", "build", "both", "--connectivity", "both.txt", "--catalogue", "c.troupe", "--candidates", "1",
                      "--trials", "1", "--edges", "1")
        self.run_tool("bundle", "export", "c.troupe", "both", "second", "-o", "both.troupe")
        said = self.run_tool("reproduce", "both", "--catalogue", "both.troupe", "--clips", self.clips(self.sway))
        self.assertIn("both was made of first, which is missing or has changed: making first again first", self.aside)
        self.assertIn("controller 'both': bit-identical", said)
        failed = self.run_tool("reproduce", "both", "--catalogue", "both.troupe", code=1)
        self.assertIn("run 'first' learned from a clip: expected --clips or --motion", failed)
        self.run_tool("bundle", "export", "c.troupe", "both", "-o", "alone.troupe")
        failed = self.run_tool("reproduce", "both", "--catalogue", "alone.troupe", "--clips", "clips", code=1)
        self.assertIn("run 'first': no controller of it, or of a training that continued it", failed)

    def test_the_whole_command_is_recorded(self):
        """Or not at all: one that is too long for its record is refused before the work."""
        long = [word for _ in range(60) for word in ("--set", "refine_rounds=1")]
        self.learn(self.sway, "first", *long, iterations=0)
        with sqlite3.connect(self.path("c.troupe")) as catalogue:
            (command,), = catalogue.execute("SELECT command FROM run WHERE name = 'first'")
        catalogue.close()
        self.assertGreater(len(command), 1024)
        self.assertIn(self.sway, command)
        failed = self.run_tool("learn", self.sway, "--model", self.model, "--name", "second", "--catalogue", "c.troupe",
                               *long * 2, code=1)
        self.assertIn("the command has more than 2047 bytes, too long for its record", failed)

    def test_from_another_body(self):
        """A warm start: the parent's controller belongs to another model, and stays so in a bundle."""
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
        """The clip is found by its digest and imported with the recorded options."""
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
        self.assertIn("run 'figure': the motion is not the one that it learned from", failed)

    def standing(self):
        """A chain that stands for 0.2 s, the control that holds it, and starts around it."""
        self.run_tool("rest", "--frames", "40", "-o", "chain.json")
        with open(self.path("chain.json")) as file:
            chain = json.load(file)
        chain["cyclic"] = False
        with open(self.path("chain.json"), "w") as file:
            json.dump(chain, file)
        poses = [list(pose) for pose in chain["poses"][:3]]
        for lower, pose in enumerate(poses):
            pose[2] -= 0.002 * lower
        with open(self.path("starts.json"), "w") as file:
            json.dump(dict(chain, poses=poses), file)
        pose = chain["poses"][0]
        joints = [pose[at:at + 4] for at in range(7, len(pose), 4)]
        start = {"root_pos": pose[:3], "root_rot": pose[3:7], "root_vel": [0, 0, 0], "root_omega": [0, 0, 0],
                 "joint": joints, "joint_rate": [[0, 0, 0]] * len(joints)}
        with open(self.path("control.json"), "w") as file:
            json.dump({"troupe_control": 1, "model": chain["model"], "model_hash": chain["model_hash"], "gain_set": "b",
                       "step_s": 0.005, "start": start, "fragments": [{"targets": [joints] * 20}] * 2}, file)

    def test_files_are_kept(self):
        """What was given with --control and --starts is in the record, and in bundles; older records say so."""
        self.standing()
        harden = {"refine_rounds": 0, "iterations": 0, "harden_rounds": 1, "harden_updates": 1, "harden_directions": 2,
                  "harden_best": 1, "harden_trials": 2, "harden_push_n": 0, "harden_after_s": 0.2}
        self.learn("chain.json", "first", "--gains", "b", "--control", "control.json", **harden)
        self.learn("chain.json", "second", "--gains", "b", "--from", "first", "--starts", "starts.json", seed=3, **harden)
        self.run_tool("bundle", "export", "c.troupe", "second", "-o", "second.troupe")
        for file in ("control.json", "starts.json"):
            os.remove(self.path(file))
        said = self.run_tool("reproduce", "second", "--catalogue", "second.troupe", "--motion", "chain.json")
        self.assertIn("second continued first, whose controller is not here: training it again first", self.aside)
        self.assertIn("controller 'second': bit-identical", said)

        # Without the starts it would have been another training.
        self.learn("chain.json", "third", "--gains", "b", "--from", "first", seed=3, **harden)
        with sqlite3.connect(self.path("c.troupe")) as catalogue:
            costs = catalogue.execute("SELECT DISTINCT value FROM run_metric m JOIN run r ON r.id = m.run "
                                      "WHERE m.name = 'cost' AND r.name IN ('second', 'third')").fetchall()
            self.assertEqual(len(costs), 2)
            catalogue.execute("DELETE FROM run_input")
        catalogue.close()
        failed = self.run_tool("reproduce", "second", "--catalogue", "c.troupe", "--motion", "chain.json", code=1)
        self.assertIn("run 'second': its record does not keep what was given with --starts", failed)

    def test_what_was_learned_on_steps(self):
        """A control says which steps it was found on; they come with it. Without them the character falls."""
        self.standing()
        with open(self.path("control.json")) as file:
            control = json.load(file)
        control["start"]["root_pos"][2] += 1
        control["ground_steps"] = "-2:1"
        with open(self.path("control.json"), "w") as file:
            json.dump(control, file)
        with open(self.path("chain.json")) as file:
            chain = json.load(file)
        for pose in chain["poses"]:
            pose[2] += 1
        with open(self.path("chain.json"), "w") as file:
            json.dump(chain, file)
        harden = {"refine_rounds": 0, "iterations": 0, "harden_rounds": 1, "harden_updates": 1, "harden_directions": 2,
                  "harden_best": 1, "harden_trials": 2, "harden_push_n": 0, "harden_after_s": 0.2}
        self.learn("chain.json", "high", "--gains", "b", "--control", "control.json", **harden)
        os.remove(self.path("control.json"))
        said = self.run_tool("reproduce", "high", "--catalogue", "c.troupe", "--motion", "chain.json")
        self.assertIn("controller 'high': bit-identical", said)
        evaluate = ("evaluate", "high", "--catalogue", "c.troupe", "--seeds", "3", "--seconds", "0.5")
        self.assertIn("3 of 3 seeds hold", self.run_tool(*evaluate, "--steps", "-2:1"))
        self.assertIn("0 of 3 seeds hold", self.run_tool(*evaluate))
        # What continues it does so on the steps, and holds there; so does its reproduction.
        said = self.learn("chain.json", "higher", "--gains", "b", "--from", "high", seed=3, **harden)
        self.assertIn("--from high: it was learned on steps, and is learned further on them", said)
        held = self.run_tool("evaluate", "higher", *evaluate[2:], "--steps", "-2:1")
        self.assertIn("3 of 3 seeds hold", held)
        said = self.run_tool("reproduce", "higher", "--catalogue", "c.troupe", "--motion", "chain.json")
        self.assertIn("controller 'higher': bit-identical", said)
        self.assertIn("expected without --ground", self.run_tool(*evaluate, "--steps", "-2:1", "--ground", "kerb up:0.02", code=2))

    def test_the_import_notes_the_clip(self):
        """A motion knows the digest of its clip, so that --clip is not needed."""
        figure = os.path.join(self.source, "tests/data/motion/figure.bvh")
        self.run_tool("import", figure, "--model", self.model, "--cyclic", "--name", "figure", "-o", "figure.json")
        self.learn("figure.json", "figure", iterations=0)
        said = self.run_tool("reproduce", "figure", "--catalogue", "c.troupe", "--clips", self.clips(figure))
        self.assertIn("controller 'figure': bit-identical", said)
        self.assertNotIn("another one", said)

    def test_a_clip_with_a_skeleton_beside_it(self):
        """An AMC is found by its digest; another file given for it is refused."""
        folder = os.path.join(self.source, "tests/data/motion")
        amc = os.path.join(folder, "figure.amc")
        self.run_tool("import", amc, "--model", self.model, "--rate", "10", "--cyclic", "--name", "figure", "-o", "figure.json")
        self.learn("figure.json", "figure", "--clip", amc, iterations=0)
        self.assertIn("figure\tcyclic", self.run_tool("bundle", "list", "c.troupe"))
        failed = self.run_tool("learn", "figure.json", "--model", self.model, "--name", "other", "--catalogue",
                               "c.troupe", "--clip", os.path.join(folder, "figure.bvh"), "--set", "refine_rounds=0",
                               "--set", "iterations=0", code=1)
        self.assertIn("not the file that figure.json was made from", failed)

    def test_a_gait(self):
        """From its settings, and one that continued another from the checkpoint of that one."""
        figure = os.path.join(self.source, "tests/data/motion/figure.bvh")
        self.run_tool("import", figure, "--model", self.model, "--symmetric", "--accept", "symmetry", "--name", "walk", "-o", "walk.json")
        settings = [word for key, value in GAIT.items() for word in ("--set", "%s=%s" % (key, value))]
        model = ("--model", self.model)

        def make(name, *more):
            self.run_tool("gait", "learn", "walk.json", *model, "--checkpoint", name + ".gait", "--name", name,
                          "--catalogue", "c.troupe", *more, *settings)

        make("first")
        make("second", "--from", "first.gait", "--phase", "harden", "--set", "seed=2")
        for name in ("first", "second"):
            said = self.run_tool("reproduce", name, "--catalogue", "c.troupe", "--motion", "walk.json", "--threads", "2")
            self.assertIn("controller '%s': bit-identical" % name, said)
        with sqlite3.connect(self.path("c.troupe")) as catalogue:
            catalogue.execute("UPDATE run SET parameters = replace(parameters, 'seed = 1', 'seed = 4') WHERE name = 'first'")
            catalogue.execute("DELETE FROM run_input WHERE role = 'gait start'")
        catalogue.close()
        failed = self.run_tool("reproduce", "first", "--catalogue", "c.troupe", "--motion", "walk.json", code=1)
        self.assertIn("run 'first': not the same", failed)
        failed = self.run_tool("reproduce", "second", "--catalogue", "c.troupe", "--motion", "walk.json", code=1)
        self.assertIn("run 'second': its record does not keep what was given with --from", failed)

    def test_checkpoints_that_ship_are_read_by_this_build(self):
        """The shipped gaits began with a checkpoint that is in their record. The clip is another one, which is noticed last."""
        shipped = os.path.join(self.source, "db/shipped.troupe")
        self.run_tool("bundle", "import", shipped, "--catalogue", "all.troupe")
        figure = os.path.join(self.source, "tests/data/motion/figure.bvh")
        self.run_tool("import", figure, "--model", self.model, "--symmetric", "--accept", "symmetry", "--name", "walk", "-o", "walk.json")
        for name in ("gait-push", "gait-pace"):
            failed = self.run_tool("reproduce", name, "--catalogue", "all.troupe", "--motion", "walk.json", code=1)
            self.assertIn("the motion is not the one that it learned from", failed)

    def change(self, *statements):
        with contextlib.closing(sqlite3.connect(self.path("c.troupe"))) as catalogue, catalogue:
            for statement in statements:
                catalogue.execute(statement)

    def test_what_may_have_changed_the_bits_is_named(self):
        """Other kernels of OpenBLAS, and trainings of before a change of the physics."""
        again = ("reproduce", "second", "--catalogue", "c.troupe", "--motion", self.sway)
        self.learn(self.sway, "first", iterations=0)
        self.learn(self.sway, "second", "--from", "first", refine_rounds=0)
        with contextlib.closing(sqlite3.connect(self.path("c.troupe"))) as catalogue:
            (host,), = catalogue.execute("SELECT host FROM run WHERE name = 'second'")
        self.assertRegex(host, ", OpenBLAS [A-Za-z0-9]+$")
        with open("/proc/cpuinfo") as file:
            has_avx2 = " avx2 " in file.read()
        if has_avx2:
            self.assertTrue(host.endswith(", OpenBLAS Haswell"), host)
        self.change("UPDATE run_metric SET value = value + 1 WHERE name != 'core_s'")
        self.run_tool(*again, code=1)
        self.assertNotIn("OpenBLAS", self.said)
        self.change("UPDATE run SET host = 'a machine'")
        self.run_tool(*again, code=1)
        self.assertRegex(self.said, "OpenBLAS rounds as [A-Za-z0-9]+ here; it was trained on a machine: repeat it with the kernels")
        self.change("UPDATE run SET ended_ns = 1500000000000000000, started_ns = 1500000000000000000")
        self.run_tool(*again, code=1)
        self.assertIn("it was trained before 22 November 2026, when contacts got a friction cone: learn it again", self.said)
        # Without its controller the run that was continued would have to be the same to the bit.
        self.run_tool("forget", "c.troupe", "controller:first")
        self.assertIn("run 'first': it was trained before 22 November 2026, when contacts got a friction cone, and is not repeated "
                      "to the bit: learn again what continued it", self.run_tool(*again, code=1))

    def test_differences_are_reported(self):
        self.learn(self.sway, "first", iterations=0)
        figure = os.path.join(self.source, "tests/data/motion/figure.bvh")
        self.run_tool("import", figure, "--model", self.model, "--cyclic", "--name", "figure", "-o", "figure.json")
        failed = self.run_tool("reproduce", "first", "--catalogue", "c.troupe", "--motion", "figure.json", code=1)
        self.assertIn("run 'first': the motion is not the one that it learned from", failed)
        failed = self.run_tool("reproduce", "first", "--catalogue", "c.troupe", "--clips", self.clips(figure), code=1)
        self.assertIn("no file in it is the clip", failed)
        failed = self.run_tool("reproduce", "none", "--catalogue", "c.troupe", "--clips", "clips", code=1)
        self.assertIn("run 'none': not in the catalogue", failed)
        failed = self.run_tool("reproduce", "first", "--catalogue", "c.troupe", code=1)
        self.assertIn("run 'first' learned from a clip: expected --clips or --motion", failed)
        self.run_tool("reproduce", "first", code=2)


if __name__ == "__main__":
    unittest.main()

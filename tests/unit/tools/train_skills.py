"""Skills by their recipes: imported, learned in parts, tested; and not twice."""

import os
import subprocess
import unittest

from tool import LIMIT_S, Case

FIRST = ("--set refine_rounds=1 --set refine_visits=4 --set refine_skipped=1 --set refine_samples=40 "
         "--set refine_sigma_deg=3 --set iterations=0")
NEXT = ("--set iterations=0 --set harden_rounds=1 --set harden_updates=1 --set harden_directions=2 --set harden_best=1 "
        "--set harden_trials=2 --set harden_after_s=0.3 --set test_trials=1 --set test_cap_s=1 --set test_settle_s=0.2")


class TrainSkills(Case):
    long_legs = os.path.join(Case.source, "controllers/model/humanoid_long_legs.xml")

    def train_skills(self, *skills, code=0):
        clips = os.path.join(self.source, "tests/data/motion")
        environment = dict(os.environ, TRAIN=self.train, MODEL=self.model, CLIPS=clips, TRIALS="2", SECONDS_HELD="1",
                           RECIPES=self.path("recipes.txt"), BUNDLE=self.path("out/two-part.troupe"))
        done = subprocess.run(["sh", os.path.join(self.source, "controllers/recipes/train-skills.sh"), "out", *skills],
                              cwd=self.folder, capture_output=True, text=True, timeout=2 * LIMIT_S, env=environment)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout

    def write_recipes(self):
        with open(self.path("recipes.txt"), "w") as file:
            file.write("# a comment\n")
            file.write("two-part | figure.bvh | --cyclic --smooth 0.03 | %s | 10 | by the project | drawn by hand\n" % FIRST)
            file.write("two-part | | | %s | 20:40:20\n" % NEXT)
            file.write("long-legs | figure.bvh | --model %s --cyclic --smooth 0.03 | --model %s --from two-part %s | 10 | "
                       "by the project | drawn by hand\n" % (self.long_legs, self.long_legs, NEXT))
            file.write("broken | figure.bvh | --cyclic | --set no_such=1 | 20 | none | none\n")

    def test_a_skill_of_two_parts(self):
        self.write_recipes()
        said = self.train_skills("two-part")
        self.assertIn("== two-part\n", said)
        self.assertRegex(said, r"undisturbed: \d of 2 seeds hold 1 s")
        self.assertRegex(said, r"(?m)^ +40 +\d+/96")
        with open(self.path("out/two-part.json")) as motion:
            text = motion.read()
        self.assertIn("by the project", text)
        self.assertIn("drawn by hand", text)
        self.assertIn("two_part", text)
        listed = self.run_tool("bundle", "list", "out/two-part.troupe").split("\n")
        self.assertEqual([line.split("\t")[0] for line in listed if line], ["two-part", "two-part-1"])
        self.assertTrue(os.path.getsize(self.path("out/two-part.svg")) > 1000)

        before = os.stat(self.path("out/two-part.troupe")).st_mtime_ns
        self.assertEqual(self.train_skills("two-part"), said)
        self.assertEqual(os.stat(self.path("out/two-part.troupe")).st_mtime_ns, before)

        # Another body continues from the skills in the bundle.
        self.train_skills("long-legs")
        listed = self.run_tool("bundle", "list", "out/long-legs.troupe").split("\n")
        self.assertEqual([line.split("\t")[0] for line in listed if line], ["long-legs", "two-part"])

        # The rest: an incomplete skill is reported, and the exit code is 1.
        said = self.train_skills(code=1)
        self.assertIn("== two-part\n", said)
        self.assertIn("broken: training broken failed, see out/broken.log", said)
        self.assertIn("absent: no recipe", self.train_skills("absent", code=1))

    def test_the_recipes_are_such(self):
        """Each line has its fields, and names parameters that there are."""
        known = {line.split()[0] for line in self.run_tool("learn", "--list").splitlines() if line.startswith("  ")}
        seen = set()
        with open(os.path.join(self.source, "controllers/recipes/recipes.txt")) as file:
            lines = [line for line in file if line.strip() and not line.startswith("#")]
        for line in lines:
            fields = [field.strip() for field in line.split("|")]
            self.assertEqual(len(fields), 5 if fields[0] in seen else 7, line)
            self.assertEqual(fields[1] == "", fields[0] in seen, line)
            seen.add(fields[0])
            words = fields[3].split()
            for name in [words[i + 1] for i, word in enumerate(words) if word == "--set"]:
                self.assertIn(name.split("=")[0], known)
        self.assertGreater(len(seen), 9)


if __name__ == "__main__":
    unittest.main()

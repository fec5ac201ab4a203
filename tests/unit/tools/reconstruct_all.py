"""The table of reconstructions: each clip by both methods, with the same samples, and not twice."""

import os
import re
import subprocess
import unittest

from tool import LIMIT_S, Case

TABLE = os.path.join(Case.source, "controllers/recipes/reconstruct-clips.txt")


class ReconstructAll(Case):
    def reconstruct_all(self, *clips, **more):
        environment = dict(os.environ, TRAIN=self.train, MODEL=self.model, CLIPS=os.path.join(self.source, "tests/data/motion"),
                           RECIPES=self.path("table.txt"), SAMPLES="16", ROUNDS="2", **more)
        done = subprocess.run(["sh", os.path.join(self.source, "controllers/recipes/reconstruct-all.sh"), "out", *clips],
                              cwd=self.folder, capture_output=True, text=True, timeout=LIMIT_S, env=environment)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        rows = [[field.strip() for field in line.strip("|\n").split("|")] for line in done.stdout.splitlines()]
        return [dict(zip(rows[0], row)) for row in rows[2:]]

    def write_table(self):
        with open(self.path("table.txt"), "w") as file:
            file.write("# a comment\n\n")
            file.write("sway | figure.bvh 0-9 | | a | imported already\n")
            file.write("drawn | figure.bvh 0-2 | --smooth 0.03 | a --set trials_max=1 |\n")
        os.mkdir(self.path("out"))
        os.link(self.sway, self.path("out/sway.json"))

    def read(self, name):
        with open(self.path("out/" + name)) as file:
            return file.read()

    def test_both_methods_with_the_same_samples(self):
        self.write_table()
        improved, plain = self.reconstruct_all("sway")
        self.assertEqual((improved["clip"], improved["method"], plain["clip"], plain["method"]),
                         ("sway", "improved", "", "plain"))
        before, after = re.findall(r"(\d+) trials, .* (\d+) samples, cost ([\d.]+), NSR ([\d.]+), hash",
                                   self.read("sway.improved.log"))
        self.assertEqual((improved["trials"], improved["samples"], improved["cost"], improved["NSR"]), before)
        self.assertEqual((improved["averaged: cost"], improved["averaged: NSR"]), after[2:])
        self.assertGreaterEqual(int(plain["samples"]), int(improved["samples"]))
        self.assertLess(int(plain["samples"]), int(improved["samples"]) + 8 * 16)
        self.assertTrue(os.path.getsize(self.path("out/sway.svg")) > 1000)

        # Existing files are not made again; deleted ones are.
        done = {name: os.stat(self.path("out/" + name)).st_mtime_ns for name in
                ("sway.json", "sway.improved.json", "sway.plain.json")}
        os.unlink(self.path("out/sway.plain.status"))
        again = self.reconstruct_all("sway")
        self.assertEqual(again[0], improved)
        self.assertEqual({k: v for k, v in again[1].items() if "core" not in k},
                         {k: v for k, v in plain.items() if "core" not in k})
        for name, time in done.items():
            self.assertEqual(os.stat(self.path("out/" + name)).st_mtime_ns == time, name != "sway.plain.json", name)

    def test_a_clip_that_is_not_found(self):
        self.write_table()
        rows = self.reconstruct_all("drawn", METHODS="improved")
        self.assertEqual([(row["clip"], row["trials"], row["cost"], row["NSR"]) for row in rows],
                         [("drawn", "1", "not found", "-")])
        self.assertIn("given up after 1 trials", self.read("drawn.improved.errors"))
        self.assertEqual(self.reconstruct_all(SHOW="1"), rows)

    def test_the_table_is_such(self):
        """26 clips, each with its fields, by parameters that there are."""
        known = {line.split()[0] for line in self.run_tool("reconstruct", "--list").splitlines() if line.startswith("  ")}
        with open(TABLE) as file:
            lines = [line for line in file if line.strip() and not line.startswith("#")]
        names = set()
        for line in lines:
            fields = [field.strip() for field in line.split("|")]
            self.assertEqual(len(fields), 5, line)
            self.assertRegex(fields[1], r"^[\w.-]+ \d+-\d+$")
            names.add(fields[0])
            words = fields[3].split()
            self.assertIn(words[0], ("a", "b"))
            for name in [words[i + 1] for i, word in enumerate(words) if word == "--set"]:
                self.assertIn(name.split("=")[0], known)
        self.assertEqual(len(names), 26)
        self.assertEqual(len(lines), 26)


if __name__ == "__main__":
    unittest.main()

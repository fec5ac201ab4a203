"""troupe-train character: from a folder of clips to a bundle; it continues, and repeats only what has changed."""

import glob
import json
import math
import os
import re
import signal
import sqlite3
import subprocess
import unittest

from learning import bow, turn
from tool import LIMIT_S, Case

TASK = """# A character that is learned in seconds
learn = refine_rounds=4,refine_visits=4,refine_samples=60,refine_skipped=4,refine_sigma_deg=2,harden_rounds=0,iterations=0,test_trials=1,test_cap_s=1
graph = trials=1,candidates=2,edges=1,rounds=1,windows=2,hold=0.5
walks = 0
"""


def stride(i):
    """A frame of a DeepMimic clip that goes forward by strides of a second."""
    phase, none = math.pi * i / 30, [1, 0, 0, 0]
    swing = math.radians(25) * math.sin(phase)
    knee = math.radians(50) * math.cos(phase)
    right, left = turn(swing) + [-max(0, knee)] + none, turn(-swing) + [-max(0, -knee)] + none
    arm = none + [0]
    return [1 / 60, 0.02 * i, 0.86, 0] + none + none + none + right + arm + left + arm


class Character(Case):
    def setUp(self):
        super().setUp()
        self.write_clip("walk", 0.05)  # as a run is called by which the base was made
        with open(self.path("character.task"), "w") as file:
            file.write(TASK)

    def write_clip(self, name, depth):
        frames = [bow(depth * math.sin(math.pi * min(1, i / 90)) ** 2) for i in range(91)]
        with open(self.path(name + ".txt"), "w") as file:
            json.dump({"Frames": frames}, file)

    def make(self, *more, code=0):
        return self.run_tool("character", ".", "--name", "ada", "--threads", "1", *more, code=code)

    def steps(self, said):
        """The results of the steps that were done, and not kept."""
        words = [line.split() for line in re.findall(r"(?m)^== troupe-train (.*)", said)]
        return [word[word.index("--name") + 1] if word[0] == "learn" else "graph" for word in words]

    def learned(self):
        """The walk, without the time at which it was made."""
        catalogue = sqlite3.connect(self.path("ada.work/ada.db"))
        rows = catalogue.execute("SELECT hex(f.digest) FROM fragment f JOIN controller_fragment k ON k.fragment = f.id JOIN "
                                 "controller c ON c.id = k.controller WHERE c.name = 'walk' ORDER BY k.position").fetchall()
        catalogue.close()
        self.assertGreater(len(rows), 0)
        return rows

    def stop_at(self, line):
        """What the command printed that was interrupted when it printed such a line."""
        command = [self.train, "character", ".", "--name", "ada", "--threads", "1"]
        signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell ignores in what runs beside it
        said = ""
        with subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as work:
            for text in work.stdout:
                said += text
                if re.match(line, text):
                    work.send_signal(signal.SIGINT)
                    break
            said += work.stdout.read()
            self.assertIn(work.wait(LIMIT_S), (1, -signal.SIGINT), said)  # a training's own end, or before it began
        return said

    def learn_skills(self):
        """What the command printed before it made a graph: hardening alone takes a minute."""
        return self.stop_at("== troupe-train graph build")

    def test_a_folder_becomes_a_bundle_and_only_a_change_is_repeated(self):
        self.write_clip("lean", 0.6)
        with open(self.path("tune.txt"), "w") as file:
            file.write("la la la\n")
        said = self.make()
        self.assertEqual(self.steps(said)[:7], 5 * ["graph"] + ["lean", "walk"])
        self.assertRegex(said, r"(?m)^walk\.txt +walk +alike +\d+ of 20 +\d+ N +\d\.\d deg +\d+ %, +\d+ %$")
        self.assertRegex(said, r"(?m)^tune\.txt +tune .*tune\.txt")
        self.assertRegex(said, r"(?m)^lean\.txt +lean +alike +\d of 20 .* falls by itself: it needs more effort")
        self.assertRegex(said, r"(?m)^== troupe-train graph build ada-\S+-walk ")
        self.assertNotRegex(said, r"(?m)^== troupe-train graph build ada-\S+-lean")
        listed = self.run_tool("bundle", "list", "ada.troupe")
        self.assertRegex(listed, r"(?m)^ada\t")
        self.run_tool("rise", "ada", "--catalogue", "ada.troupe", "--falls", "1")
        self.assertEqual(self.steps(self.make()), [])
        self.write_clip("bow", 0.08)
        self.assertEqual(self.steps(self.learn_skills())[:2], ["bow", "graph"])
        before = self.learned()
        self.write_clip("walk", 0.06)
        self.assertEqual(self.steps(self.learn_skills())[:2], ["walk", "graph"])
        self.assertNotEqual(self.learned(), before)

    def test_gaits_are_learned_first(self):
        with open(self.path("zig.txt"), "w") as file:
            json.dump({"Frames": [stride(i) for i in range(181)]}, file)
        said = self.stop_at("clip +zig")
        self.assertRegex(said, r"== troupe-train learn .*--name zig .*--effort normal")
        self.assertNotIn("--name walk", said)

    def test_after_an_interrupt_it_continues_to_the_same_bits(self):
        said = self.stop_at("refine +1 ")
        self.assertIn("stopped by Ctrl-C; the same command continues", said)
        self.assertFalse(self.exists("ada.troupe"))
        (checkpoint,) = glob.glob(self.path("ada.work/walk.*.checkpoint"))
        again = self.learn_skills()
        self.assertRegex(again, r"(?m)^refine +4 ")
        self.assertNotRegex(again, r"(?m)^refine +1 ")
        continued = self.learned()
        os.rename(self.path("ada.work"), self.path("earlier.work"))
        os.mkdir(self.path("ada.work"))
        with open(checkpoint, "w") as file:  # one that cannot be continued gives way
            file.write("of another program\n")
        self.assertEqual(self.learn_skills().count("== troupe-train learn"), 2)
        self.assertEqual(self.learned(), continued)

    def test_wrong_words_are_named(self):
        self.assertIn("--name 'a b': expected 1 to 20 bytes", self.run_tool("character", ".", "--name", "a b", code=1))
        self.assertIn("nowhere: No such file", self.run_tool("character", "nowhere", code=1))
        with open(self.path("character.task"), "a") as file:
            file.write("effort = soon\n")
        self.assertIn("effort 'soon': expected quick, normal or thorough", self.make(code=1))
        os.remove(self.path("walk.txt"))
        os.remove(self.path("character.task"))
        self.assertIn("no clip of the folder can be learned", self.make(code=1))


if __name__ == "__main__":
    unittest.main()

"""The command troupe match with files: valid files, refusals that name line and field, and the examples of deploy."""

import glob
import json
import os
import re
import subprocess
import unittest

from harness import *

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../deploy/matches")
REFUSED, USAGE, UNREACHABLE, NO_FILE = 1, 2, 3, 5

GOOD = """
name = "duo";
rule = "last_standing";
parameters: { down_s = 1; };
time_limit_s = 0.5;
seed = 7;
bouts = 3;
teams = ( { name = "red"; members = ( { controller = "sway"; pos = (-2, 0); } ); },
          { name = "blue"; members = ( { controller = "hold"; pos = (2.0, 0.0, 0.0); heading_deg = 180; } ); } );
vary: { pos_m = 0.1; heading_deg = 5; pose_deg = 1; phase = true; };
scene: { friction = 0.9; gravity = (0, 0, -9.81); scenery = ( { size = (1, 1, 0.1); pos = (9, 9); friction = 1; } ); };
step_ms = 5;
"""


class MatchFiles(Case):
    def troupe(self, *words, code=0, file=None):
        environment = dict(os.environ, TROUPE_ADDRESS=f"127.0.0.1:{self.daemon.port}")
        if file is not None:
            path = os.path.join(self.daemon.own_dir, "x.match")
            with open(path, "w") as out:
                out.write(file)
            words = [path if word == "FILE" else word for word in words]
        done = subprocess.run([os.environ["TROUPE"], *words], env=environment, capture_output=True, text=True,
                              timeout=3 * TIMEOUT_S)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def lines(self, *words, **options):
        return [json.loads(line) for line in self.troupe(*words, "--json", **options).stdout.splitlines()]

    def test_run_shows_the_result(self):
        shown = self.lines("match", "run", "FILE", "--bouts-too", file=GOOD)[-1]
        self.assertEqual((shown["match"], shown["state"], shown["done"]), ("duo", "done", 3))
        self.assertEqual([b["bout"] for b in shown["bout_list"]], [0, 1, 2])
        self.assertEqual([t["team"] for t in shown["statistics"]], ["red", "blue"])
        again = self.lines("match", "run", "FILE", file=GOOD)[-1]
        self.assertEqual((again["match"], again["results"]), ("duo-2", shown["results"]))
        other = self.lines("match", "run", "FILE", "--seed", "8", "--name", "trio", "--bouts", "4", file=GOOD)[-1]
        self.assertEqual((other["match"], other["bouts"]), ("trio", 4))
        self.assertNotEqual(other["results"], shown["results"])
        names = [m["match"] for m in self.lines("match", "list")[0]]
        self.assertEqual([n for n in names if n in ("duo", "duo-2", "trio")], ["duo", "duo-2", "trio"])
        self.assertIn("win_rate", self.troupe("match", "show", "duo").stdout)
        self.assertEqual(self.lines("match", "record", "duo", "--bout", "2")[0]["recording"], "duo-2")
        self.troupe("match", "record", "duo", "--bout", "3", code=REFUSED)
        self.troupe("match", "remove", "duo-2")
        self.troupe("match", "show", "duo-2", code=REFUSED)

    def test_watch_and_cancel(self):
        self.troupe("match", "run", "FILE", "--detach", "--bouts", "100000", "--name", "long", file=GOOD)
        environment = dict(os.environ, TROUPE_ADDRESS=f"127.0.0.1:{self.daemon.port}")
        watcher = subprocess.Popen([os.environ["TROUPE"], "match", "watch", "long", "--json"], env=environment,
                                   stdout=subprocess.PIPE, text=True)
        first = json.loads(watcher.stdout.readline())
        self.assertEqual((first["match"], first["state"]), ("long", "running"))
        self.assertIn("long", [m["match"] for m in self.lines("match", "list", "--running")[0]])
        self.troupe("match", "cancel", "long")
        rest = [json.loads(line) for line in watcher.communicate(timeout=30)[0].splitlines()]
        self.assertEqual(rest[-1]["state"], "cancelled")
        self.assertEqual(watcher.returncode, 0)

    def test_a_match_continues_after_its_daemon_was_killed(self):
        with Daemon() as daemon:
            def troupe(port, *words):
                return subprocess.Popen([os.environ["TROUPE"], "match", *words], env=dict(os.environ, TROUPE_ADDRESS=f"127.0.0.1:{port}"),
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            path = os.path.join(daemon.own_dir, "x.match")
            with open(path, "w") as out:
                out.write(GOOD)
            run = troupe(daemon.port, "run", path, "--bouts", "2000", "--name", "long")
            self.assertIn(" of 2000 bouts", run.stderr.readline() + run.stderr.readline())
            daemon.process.kill()
            daemon.process.wait()
            said = run.communicate(timeout=TIMEOUT_S)[1]
            self.assertIn("connection lost", said)
            self.assertIn("'troupe match watch long'", said)
            self.assertEqual(run.returncode, UNREACHABLE)
            with Daemon(state_dir=daemon.state_dir) as again:
                watch = troupe(again.port, "watch", "long", "--json")
                out = [json.loads(line) for line in watch.communicate(timeout=3 * TIMEOUT_S)[0].splitlines()]
                self.assertEqual((watch.returncode, out[-1]["state"], out[-1]["done"]), (0, "done", 2000))
            daemon.process.returncode = 0

    def test_a_world_is_watched(self):
        shown = self.lines("match", "run", "FILE", "--bouts", "1", "--name", "show",
                           file=GOOD + 'mode = "real-time";\nrate = 0.2;\n')
        self.assertTrue(any("characters" in line for line in shown))
        self.assertEqual(shown[-1]["state"], "done")

    def test_files_are_refused_by_line_and_field(self):
        def changed(old, new):
            self.assertIn(old, GOOD)
            return GOOD.replace(old, new)

        wrong = [
            (changed('name = "duo"', "name = 3"), "x.match:2: name: expected a text"),
            (changed("seed = 7", "sead = 7"), "x.match:6: sead: not a setting of a match"),
            (changed("seed = 7", "seed = -7"), "x.match:6: seed: expected a whole number"),
            (changed("bouts = 3", "bouts = 0"), "x.match:7: bouts: expected a whole number from 1"),
            (changed("bouts = 3", "bouts = 2.5"), "x.match:7: bouts: expected a whole number from 1"),
            (changed("time_limit_s = 0.5", 'time_limit_s = "x"'), "x.match:5: time_limit_s: expected a number"),
            (changed("time_limit_s = 0.5;", ""), "x.match:1: time_limit_s: a match needs it"),
            (changed("pos = (-2, 0)", "pos = (-2)"), "x.match:8: pos: expected two or three numbers"),
            (changed("pos = (-2, 0);", ""), "x.match:8: pos: a member needs it"),
            (changed("phase = true", "phase = 1"), "x.match:10: phase: expected true or false"),
            (changed("pos_m = 0.1", "pos_cm = 0.1"), "x.match:10: pos_cm: not a setting of vary"),
            (changed("down_s = 1", 'down_s = "1"'), "x.match:4: down_s: expected a number"),
            (changed("size = (1, 1, 0.1);", ""), "x.match:11: size: a piece of scenery needs it"),
            (changed("step_ms = 5;", 'mode = "slow";'), "x.match:12: mode: expected"),
            (changed("step_ms = 5;", "step_ms = 0;"), "x.match:12: step_ms: expected a number of milliseconds from 0.5"),
            (changed("step_ms = 5;", "rate = 0.0;"), "x.match:12: rate: expected a number from 0.01"),
            (changed("( { name", "{ ( name"), "x.match:8: syntax error"),
            (changed("teams = (", "teams = (" + '{ name = "x"; members = (); },' * 7), "teams: expected a list of at most 8"),
        ]
        for text, expected in wrong:
            with self.subTest(expected):
                self.assertIn(expected, self.troupe("match", "run", "FILE", code=USAGE, file=text).stderr)
        self.assertIn("rule 'last_standing' has no 'down'",
                      self.troupe("match", "run", "FILE", code=REFUSED, file=changed("down_s", "down")).stderr)
        self.troupe("match", "run", "/nowhere/x.match", code=NO_FILE)
        self.troupe("match", "run", code=USAGE)
        self.troupe("match", "list", "x", code=USAGE)
        self.troupe("match", "fight", "x", code=USAGE)
        self.troupe("match", "watch", "nobody", code=REFUSED)


@unittest.skipUnless(os.path.exists(os.path.join(EXAMPLES, "../../db/shipped.troupe")), "there is no db/shipped.troupe")
class Examples(MatchFiles):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon(bundle=False, shipped=True)
        cls.world_count = 0

    def test_every_example_is_fought(self):
        paths = sorted(glob.glob(os.path.join(EXAMPLES, "*.match")))
        self.assertGreaterEqual(len(paths), 6)
        for path in paths:
            with self.subTest(os.path.basename(path)):
                if os.path.basename(path) == "duel.match":  # waits for its clients
                    info = self.lines("match", "run", path, "--detach")[0]
                    self.assertGreater(info["world"], 0)
                    self.troupe("match", "cancel", "duel")
                    continue
                if os.path.basename(path) == "football.match":  # five minutes of 22; see below
                    continue
                shown = self.lines("match", "run", path, "--bouts", "2")[-1]
                self.assertEqual((shown["state"], shown["done"], shown["voids"]), ("done", 2, 0))

    def test_four_push_the_box_over_the_line(self):
        path = os.path.join(EXAMPLES, "push_box.match")
        bouts = self.lines("match", "run", path, "--bouts", "2", "--name", "haul", "--bouts-too")[-1]["bout_list"]
        self.assertEqual([(b["winner"], b["why"]) for b in bouts], [("west", "over the line")] * 2)

    def test_four_push_the_box_for_a_minute(self):
        with open(os.path.join(EXAMPLES, "push_box.match")) as file:
            text = file.read().replace("line_m = 15.0;", "line_m = 1000.0;").replace("pos = (60.0, 0.0)", "pos = (400.0, 0.0)")
        bouts = self.lines("match", "run", "FILE", "--bouts", "2", "--name", "long-haul", "--bouts-too", file=text)[-1]["bout_list"]
        self.assertEqual([b["why"] for b in bouts], ["the time was up"] * 2)
        self.assertGreater(min(b["score"][0] for b in bouts), 40)

    def test_a_hosted_bout_steers_as_a_headless_one(self):
        for example, at_most_s in (("push_box", 3.0), ("football", 6.0)):
            with open(os.path.join(EXAMPLES, f"{example}.match")) as file:
                text = re.sub(r"time_limit_s = [\d.]+;", f"time_limit_s = {at_most_s};", file.read().replace("bouts = 20;", ""))
            hosted = text.replace("seed = 1;", 'seed = 1; mode = "real-time"; rate = 100.0;')
            bouts = [self.lines("match", "run", "FILE", "--name", name, "--bouts-too", file=of)[-1]["bout_list"]
                     for name, of in ((f"{example}-headless", text), (f"{example}-hosted", hosted))]
            self.assertEqual(bouts[0], bouts[1])

    def test_a_tug_of_war_is_decided(self):
        path = os.path.join(EXAMPLES, "tug_of_war.match")
        bouts = self.lines("match", "run", path, "--bouts", "2", "--name", "tug", "--bouts-too")[-1]["bout_list"]
        for bout in bouts:
            self.assertIn(bout["why"], ("over the line", "all fell; the longer way wins"))
            self.assertIn(bout["winner"], ("west", "east"))


for name in [n for n in dir(MatchFiles) if n.startswith("test_")]:
    setattr(Examples, name, None)  # of the other class alone


if __name__ == "__main__":
    unittest.main()

"""troupe, the command line client, against the real daemon: what it prints, what it returns, what it says when refused."""

import itertools
import json
import math
import os
import re
import signal
import socket
import subprocess
import tempfile
import time
import unittest
import urllib.request

from harness import *

REFUSED, USAGE, NO_SERVER, NO_ANSWER, NO_FILE = 1, 2, 3, 4, 5


def troupe(daemon, *words, timeout=30):
    environment = dict(os.environ, TROUPE_ADDRESS=f"127.0.0.1:{daemon.port}")
    return subprocess.run([os.environ["TROUPE"], *words], env=environment, capture_output=True, text=True, timeout=timeout)


class CommandLine(Case):
    def run_troupe(self, *words, code=0):
        done = troupe(self.daemon, *words)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def json(self, *words):
        return json.loads(self.run_troupe(*words, "--json").stdout)

    def stepped(self):
        name = f"cli {type(self).world_count}"
        type(self).world_count += 1
        self.run_troupe("create-world", name, "--mode", "stepped", "--seed", "7")
        self.addCleanup(troupe, self.daemon, "destroy-world", name)
        return name


class Catalogue(CommandLine):
    def test_status(self):
        status = self.json("status")
        self.assertEqual(status["port"], self.daemon.port)
        self.assertGreaterEqual(status["sessions"], 1)

    def test_lists_as_tables_and_as_json(self):
        names = [row["name"] for row in self.json("controllers")]
        self.assertEqual(names, ["hold", "sway"])
        lines = self.run_troupe("controllers").stdout.splitlines()
        self.assertEqual(lines[0].split()[:3], ["section", "name", "purpose"])
        self.assertEqual(len(lines), 3)
        self.assertEqual([row["name"] for row in self.json("models")], ["humanoid"])
        self.assertEqual(len(self.json("clips")), 1)
        self.assertEqual(self.json("controllers", "--prefix", "sw")[0]["name"], "sway")
        self.assertEqual(self.json("controllers", "--skill", "no such"), [])

    def test_one_of_each(self):
        sway = self.json("controllers", "sway")
        self.assertEqual(len(sway["fragments"]), 6)
        self.assertEqual(len(sway["hash"]), 16)
        self.assertEqual(sway["certificate_method"], 1)
        self.assertEqual(len(sway["figures"]), 3)
        self.assertEqual([(row["direction_deg"], row["push95_n"], row["survived"]) for row in sway["pushes"]],
                         [(0, 40, [20, 19]), (180, 0, [18, 2])])
        table = self.run_troupe("controllers", "sway").stdout
        self.assertIn("resisting_s", table)
        self.assertNotIn("resisting_trial_s", table)
        self.assertNotIn("certificate_method", self.json("controllers", "hold"))
        model = self.json("models", "humanoid")
        self.assertEqual(len(model["bodies"]), 18)
        self.assertIn("<mujoco", model["mjcf"])
        run = self.json("runs", "by_hand")
        self.assertEqual([metric["metric"] for metric in run["metrics"]], ["cost", "push95_n"])
        self.assertEqual(run["parameters"], [{"parameter": "amplitude", "value": "0.05"},
                                             {"parameter": "push_n", "value": "40"}])
        self.assertEqual([row["value"] for row in self.json("runs", "by_hand", "--metric", "cost")], [3.5, 2.5])
        self.assertEqual(self.json("clips", "swaying")["licence"], "CC0")

    def test_lineage(self):
        rows = self.json("lineage", "sway")
        self.assertEqual((rows[0]["what"], rows[0]["name"], rows[0]["back"]), ("controller", "sway", 0))
        self.assertEqual({row["what"] for row in rows}, {"controller", "model", "clip", "run"})
        self.assertEqual(self.json("lineage", "by_hand", "--run")[0]["what"], "run")

    def test_long_cells_are_not_cut(self):
        command = self.json("runs", "by_hand")["command"]
        self.assertGreater(len(command), 600)
        self.assertTrue(command.endswith(" end"))
        for words in (("lineage", "sway"), ("runs", "by_hand")):
            self.assertIn(command + "\n", self.run_troupe(*words).stdout)


class Worlds(CommandLine):
    def test_a_session(self):
        world = self.stepped()
        spawned = self.json("spawn", world, "sway", "--label", "guard", "--pos", "0,2,0", "--heading", "90")
        self.assertEqual((spawned["applied"], spawned["tick"]), ("spawned", 0))
        ball = self.json("spawn-object", world, "sphere", "--label", "ball", "--pos", "3,0,1", "--vel=-1,0,0")
        self.json("push", world, "guard", "0,50,0", "--duration", "0.1")
        self.json("throw", world, "ball", "-2,0,1", "--pos", "4,0,1")
        self.json("set-controller", world, "guard", "hold")
        self.assertEqual(self.json("step", world, "20")["tick"], 20)
        state = self.json("state", world, "--bodies", "--velocities")
        guard = state["characters"][0]
        self.assertEqual((guard["entity"], guard["label"], guard["controller"]), (spawned["entity"], "guard", "hold"))
        self.assertEqual((len(guard["body_pos"]), len(guard["joint_rot"][0])), (18, 4))
        self.assertAlmostEqual(guard["root_pos"][1], 2.0, delta=0.2)
        self.assertAlmostEqual(guard["root_rot"][0], 0.7071, delta=0.1)
        self.assertEqual(state["objects"][0]["entity"], ball["entity"])
        self.assertAlmostEqual(state["objects"][0]["pos"][0], 3.8, delta=0.01)
        self.json("set-fragment", world, "guard", "2")
        self.json("step", world, "1")
        self.assertEqual(self.json("state", world)["characters"][0]["fragment"], 2)
        self.run_troupe("set-fragment", world, "guard", "99", code=REFUSED)
        self.json("set", world, "guard", "action_offset=" + ",".join(17 * ["0.1"]))
        self.json("set", world, "guard", "action_offset=")
        refused = self.run_troupe("set", world, "guard", "speed=1", code=REFUSED).stderr
        self.assertIn("speed: controller 'hold' has no such parameter", refused)
        refused = self.run_troupe("set", world, "guard", "action_offset=", "speed=1", code=REFUSED).stderr
        self.assertIn("speed: controller 'hold' has no such parameter", refused)  # both were sent
        self.run_troupe("set", world, "guard", "speed", code=2)
        self.run_troupe("set", world, "guard", "action_offset=", "speed", code=2)
        self.run_troupe("set", world, "guard", *33 * ["action_offset="], code=2)
        self.run_troupe("set", world, "guard", code=2)
        self.run_troupe("set-fragment", world, "guard", "1", "--mirrored", code=REFUSED)
        self.json("limp", world, "guard")
        self.json("limp", world, "guard", "--off")
        self.json("despawn", world, "ball")
        info = self.json("worlds", world)
        self.assertEqual((info["characters"], info["objects"], info["mode"], info["seed"]), (1, 0, "stepped", 7))

    def test_a_push_by_name_takes_one_round_trip(self):
        def requests():
            with urllib.request.urlopen(f"http://127.0.0.1:{self.daemon.web_port}/metrics") as page:
                rows = re.findall(r'^troupe_requests_total\{request="(\w+)",code="(\w+)"\} (\d+)', page.read().decode(), re.M)
            return {(request, code): int(count) for request, code, count in rows}

        world = self.stepped()
        self.run_troupe("spawn", world, "sway", "--label", "guard")
        before = requests()
        self.run_troupe("push", world, "guard", "0,50,0")
        after = requests()
        made = {request for (request, code), count in after.items() if count > before.get((request, code), 0)}
        self.assertEqual(made, {"hello", "push"})
        self.assertIn("did you mean 'guard'?", self.run_troupe("push", world, "gaurd", "0,50,0", code=REFUSED).stderr)
        self.assertIn("did you mean", self.run_troupe("push", world + "x", "guard", "0,50,0", code=REFUSED).stderr)
        unknown = self.run_troupe("push", world, "guard", "0,50,0", "--body", "tail", code=REFUSED).stderr
        self.assertIn("body 'tail'", unknown)

    def test_snapshot_and_restore_repeat_to_the_bit(self):
        world = self.stepped()
        path = os.path.join(self.daemon.own_dir, "a.snapshot")
        self.json("spawn", world, "sway")
        self.json("step", world, "30")
        taken = self.json("snapshot", world, path)
        first = self.json("step", world, "50")
        restored = self.json("restore", world, path)
        self.assertEqual((restored["tick"], restored["hash"]), (30, taken["hash"]))
        self.assertEqual(self.json("step", world, "50"), first)
        self.run_troupe("restore", world, path + ".missing", code=NO_FILE)

    def test_mark_and_reset(self):
        world = self.stepped()
        self.json("spawn", world, "sway")
        self.json("step", world, "10")
        self.json("mark", world)
        self.json("step", world, "10")
        self.assertEqual(self.json("reset", world)["tick"], 10)
        self.assertEqual(self.json("worlds", world)["epoch"], 1)

    def test_a_world_is_claimed_to_be_kept_or_to_end(self):
        """Each command is a client of its own, so it ends what it owns with a lease."""
        self.run_troupe("create-world", "kept", "--paused", "--lease", "3")
        self.addCleanup(troupe, self.daemon, "destroy-world", "kept")
        self.assertIsNone(self.json("claim-world", "kept")["lease_s"])
        self.run_troupe("create-world", "short", "--paused")
        self.assertEqual(self.json("claim-world", "short", "--lease", "0.2")["lease_s"], 0.2)
        deadline = time.monotonic() + TIMEOUT_S
        while "short" in [row["name"] for row in self.json("worlds")]:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.1)
        time.sleep(3.2)
        self.assertIn("kept", [row["name"] for row in self.json("worlds")])
        self.assertIn("--lease: -1", self.run_troupe("claim-world", "kept", "--lease", "-1", code=REFUSED).stderr)
        self.assertIn("NOT_FOUND", self.run_troupe("claim-world", "9999", code=REFUSED).stderr)

    def test_pause_rate_and_resume(self):
        self.run_troupe("create-world", "real", "--paused")
        self.addCleanup(troupe, self.daemon, "destroy-world", "real")
        self.assertEqual(self.json("step", "real", "3")["tick"], 3)
        self.json("rate", "real", "2")
        self.json("resume", "real")
        self.json("pause", "real")
        info = self.json("worlds", "real")
        self.assertEqual((info["rate"], info["paused"]), (2, True))

    def test_watch_prints_states_and_events(self):
        self.run_troupe("create-world", "watched")
        self.addCleanup(troupe, self.daemon, "destroy-world", "watched")
        self.run_troupe("spawn", "watched", "sway", "--label", "a")
        environment = dict(os.environ, TROUPE_ADDRESS=f"127.0.0.1:{self.daemon.port}")
        with subprocess.Popen([os.environ["TROUPE"], "watch", "watched", "--rate", "20", "--json"], env=environment,
                              stdout=subprocess.PIPE, text=True) as process:
            rows = (json.loads(line) for line in process.stdout)
            ticks = list(itertools.islice((row["tick"] for row in rows if "characters" in row), 5))
            process.send_signal(signal.SIGINT)
        self.assertEqual(ticks, sorted(set(ticks)))
        text = self.run_troupe("watch", "watched", "--for", "0.3").stdout
        self.assertIn("sway", text)

    def test_watch_ends_cleanly_when_interrupted(self):
        self.run_troupe("create-world", "interrupted")
        self.addCleanup(troupe, self.daemon, "destroy-world", "interrupted")
        environment = dict(os.environ, TROUPE_ADDRESS=f"127.0.0.1:{self.daemon.port}")
        process = subprocess.Popen([os.environ["TROUPE"], "watch", "interrupted"], env=environment,
                                   stdout=subprocess.PIPE, text=True)
        self.assertIn("no characters", process.stdout.readline())
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(10), 0)
        process.stdout.close()


class Examples(CommandLine):
    def test_hello_of_the_readme(self):
        """It knows the default port alone, so this test needs that to be free."""
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", 7400))
            except OSError:
                self.skipTest("port 7400 is in use")
        with Daemon("--listen", "127.0.0.1:7400") as daemon:
            done = subprocess.run([os.environ["TROUPE_HELLO"], "sway"], capture_output=True, text=True, timeout=30)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertGreaterEqual(len(done.stdout.splitlines()), 4)  # of 15; a busy machine drops some
            done = subprocess.run([os.environ["TROUPE_HELLO"], "nobody"], capture_output=True, text=True, timeout=30)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertEqual(json.loads(troupe(daemon, "worlds", "--json").stdout), [])

    def test_watch(self):
        done = subprocess.run([os.environ["TROUPE_WATCH"], "sway", str(self.daemon.port)], capture_output=True, text=True,
                              timeout=30)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreaterEqual(len(done.stdout.splitlines()), 5)  # of 20; a busy machine drops some
        self.assertEqual(self.json("worlds"), [])


class Failures(CommandLine):
    def test_refusals_say_what_to_do(self):
        done = self.run_troupe("worlds", "no such world", code=REFUSED)
        self.assertIn("NOT_FOUND", done.stderr)
        self.assertIn("troupe worlds", done.stderr)
        self.assertEqual(done.stdout, "")
        self.run_troupe("controllers", "nobody", code=REFUSED)
        self.assertIn("NOT_FOUND", self.run_troupe("controllers", "a" + 300 * "é", code=REFUSED).stderr)
        world = self.stepped()
        self.run_troupe("create-world", world, code=REFUSED)
        self.run_troupe("push", world, "nobody", "1,0,0", code=REFUSED)
        self.run_troupe("restore", world, "/dev/null", code=REFUSED)

    def test_wrong_command_lines(self):
        for words in ([], ["fly"], ["push", "a", "b"], ["push", "a", "b", "1,2"], ["step", "a", "x"], ["step", "a", "0"],
                      ["worlds", "a", "b"], ["spawn", "a"], ["watch", "a", "--rate"], ["watch", "a", "--speed", "1"],
                      ["watch", "a", "--rat", "5"], ["--por", "7400", "status"],
                      ["create-world", "a", "--mode", "slow"],
                      ["create-world", "a", "--mode", "fast", "--rate", "3"], ["--port", "0", "status"], ["runs", "--prefix"],
                      ["spawn", "a", "sway", "--fragment", "4294967297"]):
            done = self.run_troupe(*words, code=USAGE)
            self.assertTrue(done.stderr or not words)

    def test_misspelt_words_are_answered_with_the_nearest(self):
        self.run_troupe("create-world", "meadow", "--paused")
        for words, code, said in (
                (("spwan", "meadow"), USAGE, "did you mean 'spawn'?"),
                (("hlep",), USAGE, "did you mean 'help'?"),
                (("push", "meadow", "#1", "0,0,0", "--for", "1"), USAGE, "did you mean '--duration'?"),
                (("spawn", "meadow", "--labl", "x"), USAGE, "did you mean '--label'?"),
                (("state", "maedow"), REFUSED, "did you mean 'meadow'?"),
                (("--port", "99999", "status"), USAGE, "--port 99999: expected a whole number from 1 to 65535")):
            self.assertIn(said, self.run_troupe(*words, code=code).stderr)
        far = self.run_troupe("zzzzzz", code=USAGE).stderr
        self.assertNotIn("did you mean", far)
        self.run_troupe("destroy-world", "meadow")

    def test_refusals_use_the_words_of_the_command_line(self):
        self.run_troupe("create-world", "yard", "--paused")
        self.addCleanup(troupe, self.daemon, "destroy-world", "yard")
        self.run_troupe("spawn", "yard", "sway", "--label", "ada", "--pos", "0,5,0")
        for words, code, said in (
                (("spawn", "yard", "swya"), REFUSED, "controller 'swya': not in the catalogue; did you mean 'sway'?"),
                (("spawn", "yard", "--model", "humanoit"), REFUSED, "did you mean 'humanoid'?"),
                (("spawn", "yard", "sway", "--pos", "1,2"), USAGE, "--pos 1,2: expected three numbers between commas"),
                (("steer", "yard", "ada", "--toward", "ada"), REFUSED, "--toward: expected another character"),
                (("steer", "yard", "ada", "--speed", "99"), REFUSED, "--speed: 99: expected 0 to 20"),
                (("steer", "yard", "ada", "--heading", "90"), REFUSED, "'sway' cannot be steered"),
                (("steer", "yard", "bob", "--heading", "90"), REFUSED, "nothing in this world is called 'bob'"),
                (("push", "yard", "ada", "1,0,0", "--duration", "99"), REFUSED, "--duration: 99: expected 0 to 60"),
                (("push", "yard", "ada", "1,0,0", "--body", "hed"), REFUSED, "'troupe models NAME' lists the bodies"),
                (("create-world", "slick", "--friction", "-1"), REFUSED, "--friction: -1: expected 0 to 100"),
                (("restore", "yard", "absent.bin"), NO_FILE, "troupe: absent.bin: No such file"),
                (("loop", "yard", "on"), REFUSED, "this world is not a replay"),
                (("record", "yard"), USAGE, "missing argument: NAME")):
            said_here = self.run_troupe(*words, code=code).stderr
            self.assertIn(said, said_here)
            self.assertNotIn("whether it is paused", said_here)
            self.assertNotIn("_s:", said_here)

    def test_a_shared_name_is_refused(self):
        self.run_troupe("create-world", "twins", "--paused")
        self.addCleanup(troupe, self.daemon, "destroy-world", "twins")
        for _ in range(2):
            self.run_troupe("spawn", "twins", "sway", "--label", "ada")
        for words in (("push", "twins", "ada", "1,0,0"), ("steer", "twins", "ada"), ("despawn", "twins", "ada")):
            self.assertIn("entities 1 and 2 are called so", self.run_troupe(*words, code=REFUSED).stderr)

    def test_characters_are_spawned_in_free_places(self):
        self.run_troupe("create-world", "crowd", "--paused")
        self.addCleanup(troupe, self.daemon, "destroy-world", "crowd")
        for _ in range(6):
            self.run_troupe("spawn", "crowd", "sway")
        places = [row["root_pos"][:2] for row in self.json("state", "crowd")["characters"]]
        for one, other in itertools.combinations(places, 2):
            self.assertGreater(math.dist(one, other), 1)

    def test_the_command_line_waits_for_a_daemon_that_starts(self):
        with tempfile.TemporaryDirectory() as folder:
            port = str(quiet_port())
            daemon = subprocess.Popen([os.environ["TROUPED"], "--state-dir", folder, "--listen", "127.0.0.1:" + port,
                                       "--web-listen", "none", "--log-level", "error", "--bundle", os.environ["TROUPE_BUNDLE"]])
            done = subprocess.run([os.environ["TROUPE"], "--port", port, "status"], capture_output=True, text=True, timeout=180)
            daemon.terminate()
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(daemon.wait(60), 0)

    def test_with_json_errors_are_json(self):
        refused = json.loads(self.run_troupe("state", "nowhere", "--json", code=REFUSED).stderr)["error"]
        self.assertEqual(refused["status"], "NOT_FOUND")
        self.assertIn("nowhere", refused["message"])
        self.assertTrue(refused["advice"])
        wrong = json.loads(self.run_troupe("spwan", "--json", code=USAGE).stderr)["error"]
        self.assertEqual(wrong["status"], "INVALID_ARGUMENT")

    def test_a_negative_time_to_watch(self):
        world = self.stepped()
        self.run_troupe("watch", world, "--for", "-5", code=USAGE)

    def test_version(self):
        self.assertRegex(self.run_troupe("--version").stdout, r"^troupe [0-9.]+\n$")

    def test_help_is_an_option_anywhere(self):
        for words in (("match", "--help"), ("match", "run", "--help"), ("match", "run", "sumo.match", "-h")):
            self.assertEqual(self.run_troupe(*words).stdout, self.run_troupe("help", "match").stdout)

    def test_help_teaches(self):
        overview = self.run_troupe("help").stdout
        commands = [line.split()[0] for line in overview.splitlines() if line.startswith("  ") and line[2:3].islower()]
        commands = [name for name in commands if name not in ("help", "troupe")]
        self.assertGreater(len(commands), 25)
        for name in commands:
            text = self.run_troupe("help", name).stdout
            self.assertIn(f"usage: troupe {name}", text)
            self.assertIn(f"  troupe {name}", text)

    def test_a_name_of_digits_is_no_id(self):
        kept = self.json("create-world", "kept-by-its-id", "--mode", "stepped")["id"]
        digits = str(kept)
        self.json("create-world", digits, "--mode", "stepped")
        self.json("spawn", digits, "sway", "--label", "1", "--pos", "0,2,0")
        second = self.json("spawn", digits, "sway", "--label", "65537")["entity"]
        self.json("step", digits, "1")
        self.json("push", digits, "65537", "1,0,0")
        self.run_troupe("spawn-object", digits, "sphere")
        self.assertIn("is called ''", self.run_troupe("despawn", digits, "", code=REFUSED).stderr)  # what has no label
        self.json("despawn", digits, "#%d" % second)
        self.json("step", digits, "1")
        self.assertEqual([one["label"] for one in self.json("state", digits)["characters"]], ["1"])
        self.json("destroy-world", digits)
        self.assertIn("an id is written '#ID'", self.run_troupe("destroy-world", digits, code=REFUSED).stderr)
        self.json("destroy-world", "#%d" % kept)
        self.assertIn("'#257' is an id", self.run_troupe("create-world", "#7", code=REFUSED).stderr)

    def test_a_given_zero_is_no_default(self):
        world = self.stepped()
        for words in (["create-world", "a", "--step-ms", "0"], ["create-world", "a", "--rate", "0"],
                      ["create-world", "a", "--mode", "stepped", "--steppers", "0"], ["create-world", "a", "--step-timeout", "0"],
                      ["spawn-object", world, "sphere", "--mass", "0"], ["record", world, "a", "--check-every", "0"],
                      ["record", world, "a", "--key-every", "0"], ["move-world", world, "a:1", "--hold", "0"],
                      ["train", "start", "a.bvh", "--seed", "0"], ["match", "run", "a.match", "--bouts", "0"],
                      ["step", world, "0"], ["pause", world, "--at", "0"]):
            with self.subTest(words=words):
                self.assertRegex(self.run_troupe(*words, code=USAGE).stderr, r"0: expected|got '0'|expected .*1")

    def test_all_seeds_are_taken(self):
        made = self.json("create-world", "seeded", "--mode", "stepped", "--seed", str(2**64 - 1))
        self.assertEqual(int(made["seed"]), 2**64 - 1)
        self.json("destroy-world", "seeded")
        self.assertIn("18446744073709551615", self.run_troupe("create-world", "a", "--seed", str(2**64), code=USAGE).stderr)

    def test_a_text_that_is_not_utf_8_is_named(self):
        done = subprocess.run([os.environ["TROUPE"], "--port", str(self.daemon.port), "create-world", b"caf\xe9"], capture_output=True)
        self.assertEqual(done.returncode, REFUSED)
        self.assertIn(b"NAME: not UTF-8", done.stderr)

    def test_no_answer_in_time(self):
        world = self.stepped()
        began = time.monotonic()
        self.run_troupe("--timeout", "0.3", "push", world, "#1", "1,0,0", "--at", "1000", code=NO_ANSWER)
        self.assertLess(time.monotonic() - began, 10)  # shorter than the default timeout

    def test_a_missing_daemon_is_reported(self):
        done = subprocess.run([os.environ["TROUPE"], "--port", str(quiet_port()), "status"], capture_output=True, text=True)
        self.assertEqual(done.returncode, NO_SERVER)
        self.assertIn("Is trouped running there?", done.stderr)

    def test_the_daemon_ends_while_watched(self):
        with Daemon() as daemon:
            troupe(daemon, "create-world", "short")
            environment = dict(os.environ, TROUPE_ADDRESS=f"127.0.0.1:{daemon.port}")
            process = subprocess.Popen([os.environ["TROUPE"], "watch", "short"], env=environment,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            process.stdout.readline()
            daemon.stop()
            _, errors = process.communicate(timeout=10)
            self.assertEqual(process.returncode, NO_SERVER)
            self.assertIn("UNAVAILABLE", errors)


if __name__ == "__main__":
    unittest.main()

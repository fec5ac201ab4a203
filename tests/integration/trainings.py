"""Trainings that clients start: what may be learned, by whom, what is stored, and that no process stays behind."""

import json
import pathlib
import shutil
import subprocess
import threading
import urllib.request

import exposition
from harness import *
from troupe import training_pb2

RUNNING = training_pb2.TRAINING_STATE_RUNNING
DONE = training_pb2.TRAINING_STATE_DONE
STOPPED = training_pb2.TRAINING_STATE_STOPPED
FAILED = training_pb2.TRAINING_STATE_FAILED
INTERRUPTED = training_pb2.TRAINING_STATE_INTERRUPTED
PERMISSION_DENIED = session_pb2.STATUS_CODE_PERMISSION_DENIED

TINY = {"refine_rounds": 0, "iterations": 2, "visits": 22, "first_samples": 20, "samples": 16, "first_sigma_deg": 2,
        "push_n": 20, "push_ramp": 1, "test_trials": 1, "test_cap_s": 1, "test_grid_n": 100, "test_settle_s": 0.2,
        "test_after_s": 0.3}
ROW = "guide         1  cost 0.5  rollbacks 0  push95_n 60  core_s 2  | 25 %, 9 s left"


class Trainings(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="troupe-trainings-"))
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.clips = self.folder / "clips"
        self.clips.mkdir()
        shutil.copy(os.environ["TROUPE_SWAY"], self.clips / "sway.json")

    def program(self, script):
        path = self.folder / "program"
        path.write_text("#!/bin/sh\n" + script + "\n")
        path.chmod(0o755)
        return path

    def learner(self, **changes):
        """The real program, with so little to do that it takes a second."""
        settings = " ".join("--set %s=%s" % pair for pair in dict(TINY, **changes).items())
        return self.program('exec "%s" "$@" %s' % (os.environ["TROUPE_TRAIN"], settings))

    def daemon(self, program, more="", **options):
        config = self.folder / "trouped.conf"
        config.write_text('%s training = { clips = "%s"; program = "%s"; limit = 1; };\n' % (more, self.clips, program))
        daemon = Daemon("--config", str(config), **options)
        self.addCleanup(daemon.__exit__, None, None, None)
        client = daemon.client("trainer")
        self.addCleanup(client.close)
        return daemon, client

    def start(self, client, name="jog", clip="sway.json", **more):
        return client.ask(start_training=dict(clip=clip, name=name, **more))

    def refused(self, client, name="jog", **more):
        """The status of a start that is refused."""
        with self.assertRaises(Refused) as caught:
            self.start(client, name, **more)
        return caught.exception.code

    def stop_refused(self, client, name):
        with self.assertRaises(Refused) as caught:
            client.ask(stop_training=dict(name=name))
        return caught.exception.code

    def shown(self, client, name="jog"):
        return next(each for each in client.ask(list_trainings={}).training_list.trainings if each.name == name)

    def ended(self, client, name="jog"):
        return self.until(lambda: (lambda t: t.state != RUNNING and t)(self.shown(client, name)))

    def until(self, what):
        deadline = time.monotonic() + 4 * TIMEOUT_S  # at a low priority on a busy machine
        while time.monotonic() < deadline:
            found = what()
            if found:
                return found
            time.sleep(0.02)
        self.fail("it never happened: %s" % what())

    @staticmethod
    def children(daemon):
        with open("/proc/%d/task/%d/children" % (daemon.process.pid, daemon.process.pid)) as file:
            return [int(word) for word in file.read().split()]

    @staticmethod
    def is_running(pid):
        try:
            with open("/proc/%d/stat" % pid) as file:
                return file.read().rsplit(")", 1)[1].split()[0] != "Z"
        except FileNotFoundError:
            return False

    def place(self, daemon, name="jog"):
        return pathlib.Path(daemon.state_dir) / "trainings" / name

    def test_what_is_learned_is_in_the_catalogue(self):
        daemon, client = self.daemon(self.learner())
        training = self.start(client).training
        self.assertEqual((training.name, training.clip, training.state, training.seed), ("jog", "sway.json", RUNNING, 1))
        training = self.ended(client)
        self.assertEqual((training.state, training.controller), (DONE, "jog"), training.detail)
        self.assertEqual(len(training.metrics), 0)
        names = [each.name for each in client.ask(list_controllers={}).controller_list.controllers]
        self.assertIn("jog", names)
        run = client.ask(get_run=dict(name="jog")).run
        self.assertEqual({len(metric.value) for metric in run.metrics if metric.name == "cost"}, {2})
        self.assertRegex(run.summary.command, "^troupe-train learn clips/sway.json --name jog ")
        self.assertNotIn(daemon.state_dir, run.summary.command)
        self.assertFalse(self.place(daemon).exists())
        world = client.create_world("arena").id
        client.spawn(world, controller="jog")
        self.assertEqual(client.step(world, 10).tick, 10)
        self.assertEqual(self.refused(client), ALREADY_EXISTS)

    def test_curves_while_it_runs_and_a_stop_without_a_result(self):
        daemon, client = self.daemon(self.program("trap 'exit 0' INT; echo '%s'; while :; do sleep 0.1; done" % ROW))
        self.start(client)
        training = self.until(lambda: (lambda t: t.metrics and t)(self.shown(client)))
        self.assertEqual({metric.name: list(metric.value) for metric in training.metrics},
                         {"core_s": [2], "cost": [0.5], "rollbacks": [0], "push95_n": [60]})
        self.assertEqual((training.share, training.detail), (0.25, ROW))
        (pid,) = self.children(daemon)
        with open("/proc/%d/stat" % pid) as file:
            self.assertEqual(file.read().rsplit(")", 1)[1].split()[16], "10")
        self.assertEqual(self.refused(client, "other"), RESOURCE_EXHAUSTED)
        self.assertEqual(self.refused(client), ALREADY_EXISTS)
        self.assertEqual(client.ask(stop_training=dict(name="jog")).training.state, RUNNING)
        training = self.ended(client)
        self.assertEqual((training.state, training.controller), (STOPPED, ""))
        self.assertIn("nothing is stored", training.detail)
        self.assertFalse(self.is_running(pid))
        self.assertFalse(self.place(daemon).exists())
        self.assertEqual(self.stop_refused(client, "jog"), FAILED_PRECONDITION)
        self.assertEqual(self.stop_refused(client, "absent"), NOT_FOUND)

    def test_a_stopped_training_keeps_its_best(self):
        _, client = self.daemon(self.learner(iterations=200))
        self.start(client)
        self.until(lambda: "kept" in self.shown(client).detail)
        client.ask(stop_training=dict(name="jog"))
        training = self.ended(client)
        self.assertEqual((training.state, training.controller), (STOPPED, "jog"), training.detail)

    def test_clips_and_names_stay_in_their_folders(self):
        (self.folder / "secret.bvh").write_text("HIERARCHY\n")
        (self.clips / "out.bvh").symlink_to(self.folder / "secret.bvh")
        daemon, client = self.daemon(self.program("touch %s/began" % self.folder))
        self.assertEqual(list(client.ask(list_trainings={}).training_list.clips), ["sway.json"])
        for clip in ("../secret.bvh", str(self.folder / "secret.bvh"), "", "-o.bvh", "sway.json;id", "$(id).bvh", "clips/a.bvh"):
            self.assertEqual(self.refused(client, clip=clip), INVALID_ARGUMENT, clip)
        for clip in ("absent.bvh", "out.bvh"):
            self.assertEqual(self.refused(client, clip=clip), NOT_FOUND, clip)
        for name in ("../jog", "", ".", "a/b", "-jog", "Jog", "j" * 48):
            self.assertEqual(self.refused(client, name), INVALID_ARGUMENT, name)
        self.assertEqual(self.refused(client, effort="huge"), INVALID_ARGUMENT)
        self.assertEqual(self.refused(client, "hold"), ALREADY_EXISTS)
        self.assertFalse((self.folder / "began").exists())
        self.assertEqual(self.children(daemon), [])

    def test_a_failure_says_why(self):
        _, client = self.daemon(self.program("echo 'begins'; echo 'troupe-train learn: no knees' >&2; exit 1"))
        self.start(client)
        training = self.ended(client)
        self.assertEqual((training.state, training.detail), (FAILED, "troupe-train learn: no knees"))

    def test_a_program_that_is_missing_is_refused(self):
        daemon, client = self.daemon(self.folder / "absent")
        self.assertEqual(self.refused(client), UNAVAILABLE)
        self.assertEqual(len(client.ask(list_trainings={}).training_list.trainings), 0)
        self.assertFalse(self.place(daemon).exists())

    def test_a_killed_daemon_leaves_no_process(self):
        daemon, client = self.daemon(self.learner(iterations=200))
        self.start(client)
        self.until(lambda: self.shown(client).metrics)
        (pid,) = self.children(daemon)
        daemon.process.kill()
        daemon.process.wait()
        daemon.process.returncode = 0
        self.until(lambda: not self.is_running(pid))

    def test_a_daemon_that_ends_kills_it_and_it_continues_later(self):
        state = self.folder / "state"
        daemon, client = self.daemon(self.learner(iterations=200), state_dir=str(state))
        self.start(client)
        self.until(lambda: len(self.shown(client).metrics) and len(self.shown(client).metrics[0].value) >= 2)
        (pid,) = self.children(daemon)
        daemon.stop()
        self.assertFalse(self.is_running(pid))
        self.assertTrue(list(self.place(daemon).glob("*.checkpoint")))
        daemon, client = self.daemon(self.learner(iterations=200), state_dir=str(state))
        (left,) = client.ask(list_trainings={}).training_list.trainings
        self.assertEqual((left.name, left.clip, left.seed, left.state), ("jog", "sway.json", 1, INTERRUPTED))
        self.assertEqual(left.detail, "to continue: troupe train start 'sway.json' --name jog --seed 1")
        self.assertLessEqual(left.started_unix_ns, left.ended_unix_ns)
        self.assertEqual(self.refused(client, seed=9), FAILED_PRECONDITION)
        self.assertEqual(self.shown(client).state, INTERRUPTED)
        self.start(client)
        self.assertEqual(len(client.ask(list_trainings={}).training_list.trainings), 1)
        self.until(lambda: (lambda t: (t.metrics or t.state != RUNNING) and t)(self.shown(client)))
        self.assertRegex(self.shown(client).detail, r"^guide +([3-9]|\d\d)")  # not from the first round
        client.ask(stop_training=dict(name="jog"))
        self.assertEqual(self.ended(client).controller, "jog")

    def test_an_interrupted_one_is_stopped_with_its_best(self):
        state = self.folder / "state"
        daemon, client = self.daemon(self.learner(iterations=200), state_dir=str(state))
        self.start(client)
        self.until(lambda: "kept" in self.shown(client).detail)
        self.assertEqual(self.figures(daemon), {"running": 1})
        daemon.process.kill()
        daemon.process.wait()
        daemon.process.returncode = 0
        begun = state / "trainings" / "begun"
        begun.mkdir()
        (begun / "request.txt").write_text("clip 'sway.json', effort '', seed 1")
        daemon, client = self.daemon(self.learner(), state_dir=str(state))
        self.assertFalse(begun.exists())
        self.assertEqual(self.figures(daemon), {"interrupted": 1})
        client.ask(stop_training=dict(name="jog"))
        training = self.ended(client)
        self.assertEqual((training.state, training.controller), (STOPPED, "jog"), training.detail)
        self.assertFalse(self.place(daemon).exists())
        self.assertEqual(self.figures(daemon), {"stopped": 1})
        self.assertEqual(self.stop_refused(client, "jog"), FAILED_PRECONDITION)

    def test_a_killed_training_can_be_continued(self):
        """What it had stored by then is no reason to import it and to forget the checkpoint."""
        daemon, client = self.daemon(self.program("touch training.checkpoint trained.troupe; echo '%s'; kill -9 $$" % ROW))
        self.start(client, effort="quick")
        training = self.ended(client)
        self.assertEqual(training.state, INTERRUPTED)
        self.assertEqual(training.detail,
                         "killed; to continue: troupe train start 'sway.json' --name jog --seed 1 --effort quick")
        self.assertTrue((self.place(daemon) / "training.checkpoint").exists())
        (self.place(daemon) / "trained.troupe").unlink()
        client.ask(stop_training=dict(name="jog"))
        self.until(lambda: self.shown(client).state == STOPPED)

    def figures(self, daemon):
        """Trainings by state, of /metrics; no zeros."""
        with urllib.request.urlopen("http://127.0.0.1:%d/metrics" % daemon.web_port, timeout=TIMEOUT_S) as response:
            figures = exposition.read(response.read().decode())
        return {dict(labels)["state"]: value for (name, labels), value in figures.items() if name == "troupe_trainings" and value}

    def test_roles_and_a_daemon_without_a_folder(self):
        _, client = self.daemon(self.learner(), more='anonymous = "player";')
        self.assertEqual(self.refused(client), PERMISSION_DENIED)
        self.assertEqual(self.stop_refused(client, "jog"), PERMISSION_DENIED)
        self.assertEqual(client.ask(list_trainings={}).training_list.limit, 1)
        with Daemon() as daemon, daemon.client() as other:  # of this machine alone: it has a folder of its own
            self.assertEqual(other.ask(list_trainings={}).training_list.limit, 1)
        config = self.folder / "none.conf"
        config.write_text("training = { limit = 0; };\n")
        with Daemon("--config", str(config)) as daemon, daemon.client() as other:
            self.assertEqual(other.ask(list_trainings={}).training_list.limit, 0)
            self.assertEqual(self.refused(other), FAILED_PRECONDITION)

    def previewer(self, go):
        """Learns, says that it is a preview, and ends once the file is there."""
        return self.program(
            'TROUPE_PARENT=$$ "%s" "$@" %s; echo "preview     stored until there is a better one"; while [ ! -e "%s" ]; do sleep 0.05; done' %
            (os.environ["TROUPE_TRAIN"], " ".join("--set %s=%s" % pair for pair in TINY.items()), go))

    def expect_result_alone(self, client):
        self.assertEqual(self.ended(client).controller, "jog")
        names = [each.name for each in client.ask(list_controllers={}).controller_list.controllers]
        self.assertIn("jog", names)
        self.assertNotIn("jog-preview", names)

    def test_a_preview_goes_with_a_training_that_ends_at_the_same_time(self):
        go = self.folder / "go"
        go.touch()
        _, client = self.daemon(self.previewer(go))
        self.start(client)
        self.expect_result_alone(client)

    def test_a_preview_of_an_earlier_daemon_goes_with_the_result(self):
        go, state = self.folder / "go", str(self.folder / "state")
        daemon, client = self.daemon(self.previewer(go), state_dir=state)
        self.start(client)
        self.until(lambda: self.shown(client).controller)
        daemon.__exit__(None, None, None)
        _, client = self.daemon(self.previewer(go), state_dir=state)
        client.ask(stop_training=dict(name="jog"))
        self.expect_result_alone(client)

    def test_a_preview_is_served_until_there_is_a_result(self):
        go = self.folder / "go"
        daemon, client = self.daemon(self.previewer(go))
        self.start(client)
        self.assertEqual(self.until(lambda: self.shown(client).controller), "jog-preview")
        world = client.create_world().id
        client.spawn(world, "jog-preview")
        go.touch()
        self.expect_result_alone(client)
        self.assertEqual(client.step(world, 3).tick, 3)
        with self.assertRaises(Refused):
            client.spawn(world, "jog-preview")

    def test_the_command_line(self):
        daemon, client = self.daemon(self.learner())

        def troupe(*words, code=0):
            result = subprocess.run([os.environ["TROUPE"], "--port", str(daemon.port), "train", *words, "--json"],
                                    capture_output=True, text=True, timeout=TIMEOUT_S)
            self.assertEqual(result.returncode, code, result.stderr)
            return json.loads(result.stdout or result.stderr)

        self.assertEqual(troupe("clips"), [{"clip": "sway.json"}])
        self.assertEqual(troupe("start", "sway.json", "--name", "jog")["training"], "jog")
        self.ended(client)
        (row,) = troupe("list")
        self.assertEqual((row["training"], row["state"], row["controller"]), ("jog", "done", "jog"))
        troupe("stop", "jog", code=1)
        troupe("start", code=2)
        troupe("dance", code=2)


if __name__ == "__main__":
    unittest.main()

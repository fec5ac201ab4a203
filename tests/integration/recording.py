"""Recordings and replays over the wire: exact wherever they run, whole or cut off, and branches of both."""

import os
import random
import resource
import signal
import struct
import tempfile
import time
import unittest

from harness import *
from troupe import recording_pb2, state_pb2

LENGTH = 400
RUNNING = recording_pb2.RECORDING_STATE_RUNNING
ENDED = recording_pb2.RECORDING_STATE_ENDED
CUT = recording_pb2.RECORDING_STATE_CUT
DATA_LOSS = 15


def ball(speed):
    return dict(name="ball", geoms=[dict(kind=1, size=dict(x=0.1), friction=1)], mass=2,
                pos=dict(x=-1.5, z=1.2), vel=dict(x=speed))


def record_scene(client, world, name, **options):
    """Two characters, pushes, a ball, a reset; a hash of the world at each of its hundred ticks, by position."""
    first = client.spawn(world, "sway", label="first")
    client.step(world, 20)
    begun = client.command(world, start_recording=dict(name=name, **options))
    hashes = {0: begun.hash}
    hashes[50] = client.step(world, 50).hash
    second = client.spawn(world, "sway", y=1.0, label="second")
    client.command(world, spawn_object=ball(9))
    client.command(world, push=dict(entity=first, force=dict(y=120), duration_s=0.2))
    hashes[100] = client.step(world, 50).hash
    client.command(world, set_controller=dict(entity=second, controller="hold"))
    client.send_command(world, at_tick=client.step(world, 1).tick + 50,
                        push=dict(entity=second, force=dict(x=-150), duration_s=0.1))
    hashes[200] = client.step(world, 99).hash
    client.command(world, reset={})
    hashes[300] = client.step(world, 100).hash
    hashes[LENGTH] = client.step(world, LENGTH - 300).hash
    client.command(world, stop_recording={})
    return hashes


def download(client, name):
    data = b""
    while part := client.ask(download_recording=dict(name=name, offset=len(data), size=100000)).recording_part.data:
        data += part
    return data


def upload(client, name, data, part=70000):
    for at in range(0, max(len(data), 1), part):
        response = client.ask(upload_recording=dict(name=name, offset=at, data=data[at:at + part],
                                                    last=at + part >= len(data)))
    return response.recording


def verify(client, name):
    """Replays it and verifies; the replay's info afterwards."""
    world = client.ask(replay=dict(recording=name, world="v " + name[-40:], paused=True)).world.id
    try:
        client.command(world, verify={})
        return client.ask(get_replay=dict(world=world)).replay_info
    finally:
        client.ask(destroy_world=dict(world=world))


class Recordings(Case):
    def setUp(self):
        self.one = self.client()
        self.w = self.world(self.one)
        self.name = self.id().rsplit(".", 1)[1]

    def replay(self, name=None, **fields):
        name = name or self.name
        world = self.one.ask(replay=dict(recording=name, world=f"replay of {name}", paused=True, **fields)).world
        self.addCleanup(self.end, world.id)
        return world.id

    def end(self, world):
        with self.daemon.client("cleanup") as other:
            try:
                other.ask(destroy_world=dict(world=world))
            except Refused:
                pass

    def info(self, world):
        return self.one.ask(get_replay=dict(world=world)).replay_info

    def test_lists_what_is_recorded(self):
        self.one.command(self.w, start_recording=dict(name=self.name))
        world = self.one.ask(get_world=dict(world=self.w)).world
        self.assertEqual(world.recorded_as, self.name)
        running = self.one.ask(get_recording=dict(name=self.name)).recording
        self.assertEqual((running.state, running.world), (RUNNING, world.name))
        with self.refused(FAILED_PRECONDITION):
            self.one.command(self.w, start_recording=dict(name="another"))
        with self.refused(NOT_FOUND):
            self.one.ask(get_recording=dict(name="another"))
        with self.refused(ALREADY_EXISTS):
            self.one.command(self.w, start_recording=dict(name=self.name))
        with self.refused(FAILED_PRECONDITION):
            self.one.ask(delete_recording=dict(name=self.name))
        self.one.step(self.w, 30)
        self.one.command(self.w, stop_recording={})
        ended = self.one.ask(get_recording=dict(name=self.name)).recording
        self.assertEqual((ended.state, ended.length, ended.code), (ENDED, 30, OK))
        self.assertEqual(self.one.ask(get_world=dict(world=self.w)).world.recorded_as, "")
        with self.refused(FAILED_PRECONDITION):
            self.one.command(self.w, stop_recording={})
        listed = self.one.ask(list_recordings=dict(prefix=self.name)).recording_list.recordings
        self.assertEqual([r.name for r in listed], [self.name])
        self.one.ask(delete_recording=dict(name=self.name))
        with self.refused(NOT_FOUND):
            self.one.ask(delete_recording=dict(name=self.name))

    def test_a_name_that_is_cut_within_a_character(self):
        """It is quoted in the refusal, which must stay a message."""
        for name in "a" + "\u00e9" * 40, "ab" + "\u20ac" * 400:
            for request in (dict(get_recording=dict(name=name)), dict(download_recording=dict(name=name)),
                            dict(replay=dict(recording=name, world="r"))):
                with self.refused(NOT_FOUND):
                    self.one.ask(**request)

    def test_pages(self):
        names = [f"page-{i}" for i in range(5)]
        for name in names:
            self.one.command(self.w, start_recording=dict(name=name))
            self.one.command(self.w, stop_recording={})
        found, token = [], ""
        while True:
            page = self.one.ask(list_recordings=dict(prefix="page-", page=dict(size=2, token=token))).recording_list
            found += [r.name for r in page.recordings]
            token = page.next_page_token
            if not token:
                break
        self.assertEqual(found, names)

    def test_names_are_checked(self):
        for name in ("", ".hidden", "-x", "a/b", "a b", "x" * 48, "\u00e9"):
            with self.refused(INVALID_ARGUMENT):
                self.one.command(self.w, start_recording=dict(name=name))
        self.one.command(self.w, start_recording=dict(name="x" * 47))
        self.one.command(self.w, stop_recording={})

    def test_replays_and_verifies(self):
        hashes = record_scene(self.one, self.w, self.name)
        world = self.replay()
        info = self.info(world)
        self.assertEqual((info.length, info.first_tick, info.position, info.whole), (LENGTH, 20, 0, True))
        applied = [(e.position, e.event.text) for e in info.events if e.event.kind == state_pb2.EVENT_KIND_APPLIED]
        self.assertIn((50, "push"), applied)
        self.assertIn((100, "set_controller"), applied)
        self.assertIn((151, "push"), applied)
        for position in random.Random(3).sample(sorted(hashes) * 3, 12):
            self.assertEqual(self.one.command(world, seek=dict(position=position)).hash, hashes[position])
        self.assertEqual(self.one.command(world, verify={}).hash, hashes[LENGTH])
        self.assertTrue(self.info(world).verified)
        with self.refused(OUT_OF_RANGE):
            self.one.command(world, seek=dict(position=LENGTH + 1))
        for command in (dict(reset={}), dict(mark={}), dict(push=dict(entity=1)), dict(join={}),
                        dict(start_recording=dict(name="of-a-replay"))):
            with self.refused(FAILED_PRECONDITION):
                self.one.command(world, **command)
        with self.refused(NOT_FOUND):
            self.one.ask(get_recording=dict(name="of-a-replay"))
        with self.refused(FAILED_PRECONDITION):
            self.one.command(self.w, seek=dict(position=0))
        with self.refused(FAILED_PRECONDITION):
            self.one.ask(get_replay=dict(world=self.w))

    def test_a_seek_sends_one_event(self):
        """As SOUGHT. Events of the recorded world, such as its reset, are sent when they are played."""
        record_scene(self.one, self.w, self.name)
        world = self.replay()
        self.one.ask(subscribe=dict(world=world, events=True))
        for position in (250, 40):
            self.one.command(world, seek=dict(position=position))
            self.assertEqual(self.one.wait_event(state_pb2.EVENT_KIND_SOUGHT).tick, self.one.state(world).tick)
        self.assertNotIn(state_pb2.EVENT_KIND_RESTORED, [event.kind for event in self.one.events])

    def test_streams_with_pause_rate_and_loop(self):
        record_scene(self.one, self.w, self.name)
        world = self.replay(rate=10.0, loop=True)
        self.one.ask(subscribe=dict(world=world, rate_hz=50, events=True))
        first = self.one.wait_state()
        self.assertEqual(first.tick, 20)
        self.one.command(world, resume={})
        seen = set()
        for _ in range(300):
            state = self.one.wait_state()
            seen.add((state.epoch, len(state.characters)))
            if state.epoch >= 4:
                break
        self.assertGreaterEqual(max(epoch for epoch, _ in seen), 2, seen)
        self.one.command(world, pause={})
        position = self.info(world).position
        time.sleep(0.05)
        self.assertEqual(self.info(world).position, position)
        self.one.command(world, set_loop=dict(loop=False))
        self.one.command(world, seek=dict(position=LENGTH - 20))
        self.one.command(world, resume={})
        self.one.wait_event(state_pb2.EVENT_KIND_PAUSED)
        while self.info(world).position < LENGTH:
            time.sleep(0.01)
        self.assertTrue(self.one.ask(get_world=dict(world=world)).world.paused)

    def test_steps_while_paused(self):
        hashes = record_scene(self.one, self.w, self.name)
        world = self.replay()
        self.assertEqual(self.one.step(world, 50).hash, hashes[50])
        self.assertEqual(self.one.step(world, 150).hash, hashes[200])
        with self.refused(OUT_OF_RANGE):
            self.one.step(world, LENGTH)

    def test_a_seek_aborts_steps(self):
        hashes = record_scene(self.one, self.w, self.name)
        world = self.replay()
        self.one.step(world, 50)
        with self.one.together():
            request = self.one.send_command(world, step=dict(count=1000))
            seek = self.one.send_command(world, seek=dict(position=0))
        with self.refused(ABORTED):
            self.one.wait(request)
        self.one.wait(seek)
        self.assertEqual(self.one.step(world, 50).hash, hashes[50])

    def test_a_destroyed_replay_leaves_room_at_once(self):
        """Sixty-four replays, and each made anew while the one before may still close."""
        self.one.command(self.w, start_recording=dict(name=self.name))
        self.one.step(self.w, 5)
        self.one.command(self.w, stop_recording={})
        room = 64 - len(self.one.ask(list_worlds={}).world_list.worlds)
        worlds = [self.one.ask(replay=dict(recording=self.name, world=f"again {i}")).world.id for i in range(room)]
        for i in range(room):
            self.one.ask(destroy_world=dict(world=worlds[i]))
            worlds[i] = self.one.ask(replay=dict(recording=self.name, world=f"again {i}")).world.id
            self.assertEqual(self.info(worlds[i]).length, 5)
        for world in worlds:
            self.one.ask(destroy_world=dict(world=world))

    def test_a_moment_of_a_replay_branches(self):
        """Snapshot, try, restore, try again, in a second world made from a replay's moment."""
        hashes = record_scene(self.one, self.w, self.name)
        world = self.replay()
        self.one.command(world, seek=dict(position=50))
        moment = self.one.command(world, snapshot={})
        branch = self.world(self.one)
        outcomes = {}
        for force in (0, 80, 160, 80, 0):
            restored = self.one.command(branch, restore=dict(data=moment.data))
            self.assertEqual(restored.hash, hashes[50])
            entity = self.one.state(branch).characters[0].entity
            self.one.command(branch, push=dict(entity=entity, force=dict(x=force), duration_s=0.2))
            outcome = self.one.step(branch, 60).hash
            self.assertEqual(outcomes.setdefault(force, outcome), outcome)
        self.assertEqual(len(set(outcomes.values())), 3)

    def test_travels_to_another_daemon(self):
        hashes = record_scene(self.one, self.w, self.name, key_every=100)
        data = download(self.one, self.name)
        for options in (("--threads", "1"), ("--threads", "2")):
            with Daemon(*options) as daemon, daemon.client() as client:
                recording = upload(client, "travelled", data)
                self.assertEqual((recording.state, recording.length), (ENDED, LENGTH))
                self.assertTrue(verify(client, "travelled").verified)
                world = client.ask(replay=dict(recording="travelled", world="r", paused=True)).world.id
                for position, hash_then in hashes.items():
                    self.assertEqual(client.command(world, seek=dict(position=position)).hash, hash_then)
                with self.refused(ALREADY_EXISTS):
                    upload(client, "travelled", data)

    def test_uploads_are_checked(self):
        record_scene(self.one, self.w, self.name)
        data = download(self.one, self.name)
        for broken in (b"", b"nonsense", b"TRRECRD1" + bytes(100), data[:100], data[:8] + b"x" + data[9:]):
            with self.assertRaises(Refused):
                upload(self.one, "broken", broken)
        with self.refused(OUT_OF_RANGE):
            self.one.ask(upload_recording=dict(name="broken", offset=5, data=b"x"))
        self.one.ask(upload_recording=dict(name="broken", offset=0, data=data[:1000]))
        with self.refused(OUT_OF_RANGE):
            self.one.ask(upload_recording=dict(name="broken", offset=999, data=b"x"))
        with self.client("other") as other, self.refused(OUT_OF_RANGE):
            other.ask(upload_recording=dict(name="broken", offset=1000, data=data[1000:], last=True))
        with self.refused(NOT_FOUND):
            self.one.ask(get_recording=dict(name="broken"))
        self.assertEqual(upload(self.one, "cut", data[:-50]).state, CUT)
        self.assertEqual(len(download(self.one, "cut")), self.one.ask(get_recording=dict(name="cut")).recording.size_bytes)
        info = verify(self.one, "cut")
        self.assertTrue(info.verified and not info.whole)
        self.assertEqual(info.length, LENGTH)

    def test_an_upload_that_breaks_off_leaves_nothing(self):
        """By the client's end, and by the daemon's: what was begun is gone, the rest alone is refused, and the whole works."""
        record_scene(self.one, self.w, self.name)
        data = download(self.one, self.name)

        def begun(daemon):
            return [name for name in os.listdir(os.path.join(daemon.state_dir, "recordings")) if name.startswith(".upload-")]

        def try_again(client, name):
            with self.refused(OUT_OF_RANGE) as refusal:
                client.ask(upload_recording=dict(name=name, offset=1000, data=data[1000:], last=True))
            self.assertIn(f"expected 0, the bytes of '{name}' that this session has sent", refusal.message)
            self.assertEqual(upload(client, name, data).state, ENDED)
            self.assertTrue(verify(client, name).verified)

        with Daemon() as daemon:
            with daemon.client() as client:
                client.ask(upload_recording=dict(name="half", offset=0, data=data[:1000]))
                self.assertEqual(len(begun(daemon)), 1)
            deadline = time.monotonic() + TIMEOUT_S
            while begun(daemon) and time.monotonic() < deadline:
                time.sleep(0.01)
            self.assertEqual(begun(daemon), [])
            with daemon.client() as client:
                try_again(client, "half")
                client.ask(upload_recording=dict(name="other", offset=0, data=data[:1000]))
                daemon.process.kill()
                daemon.process.wait()
            self.assertEqual(len(begun(daemon)), 1)
            with Daemon(state_dir=daemon.state_dir) as again, again.client() as client:
                self.assertEqual(begun(again), [])
                self.assertEqual([r.name for r in client.ask(list_recordings={}).recording_list.recordings], ["half"])
                try_again(client, "other")
            daemon.process.returncode = 0

    def test_needs_its_controllers(self):
        record_scene(self.one, self.w, self.name)
        data = download(self.one, self.name)
        with Daemon(bundle=False) as daemon, daemon.client() as client:
            upload(client, "stray", data)
            with self.assertRaises(Refused) as raised:
                client.ask(replay=dict(recording="stray", world="r"))
            self.assertEqual(raised.exception.code, NOT_FOUND)
            self.assertIn("humanoid", raised.exception.response.message)

    def test_timing_of_clients_changes_nothing(self):
        """Two steppers with random delays make the same recording, step by step."""
        seen = set()
        for seed in range(3):
            rng = random.Random(seed)
            a, b = self.client("a"), self.client("b")
            world = self.world(a, steppers=2)
            a.command(world, join=dict(order=1))
            b.command(world, join=dict(order=2))
            name = f"{self.name}-{seed}"
            waiting = []
            for client, y in ((a, 0.0), (b, 1.2)):
                waiting.append((client, client.send_command(
                    world, spawn_character=dict(controller="sway", pos=dict(y=y)))))
            waiting.append((a, a.send_command(world, start_recording=dict(name=name))))
            for round_ in range(8):
                for client in rng.sample((a, b), 2):
                    time.sleep(rng.random() * 0.01)
                    force = 60.0 if client is a else -70.0
                    waiting.append((client, client.send_command(
                        world, push=dict(entity=1 if client is a else 2, force=dict(x=force, y=10.0 * round_),
                                         duration_s=0.05))))
                    waiting.append((client, client.send_command(world, step=dict(count=10))))
            waiting.append((a, a.send_command(world, stop_recording={})))
            hashes = [client.wait(request).command.hash for client, request in waiting]
            info = verify(self.one, name)
            self.assertTrue(info.verified)
            self.assertEqual(info.length, 80)
            seen.add(tuple(sorted(h for h in hashes if h)))
        self.assertEqual(len(seen), 1)

    def test_instruction_sets_replay_alike(self):
        files = {}
        for kernel in ("sse2", "avx2"):
            with Daemon(before=lambda kernel=kernel: os.environ.update(TROUPE_KERNEL=kernel)) as daemon, \
                    daemon.client() as client:
                world = client.create_world("w").id
                hashes = record_scene(client, world, "r")
                files[kernel] = (download(client, "r"), hashes)
        for kernel, other in (("sse2", "avx2"), ("avx2", "sse2")):
            with Daemon(before=lambda kernel=kernel: os.environ.update(TROUPE_KERNEL=kernel)) as daemon, \
                    daemon.client() as client:
                upload(client, "r", files[other][0])
                self.assertTrue(verify(client, "r").verified)
        self.assertEqual(files["sse2"][1], files["avx2"][1])

    def test_forged_command_is_found(self):
        """A push that was made stronger in the file, checksums and all, is named with step and character."""
        record_scene(self.one, self.w, self.name)
        data = bytearray(download(self.one, self.name))
        force = struct.pack("<d", -150.0)
        at = data.index(force)
        data[at:at + 8] = struct.pack("<d", -151.0)
        upload(self.one, "forged", seal(data, at))
        world = self.replay("forged")
        with self.assertRaises(Refused) as raised:
            self.one.command(world, verify={})
        self.assertEqual(raised.exception.code, DATA_LOSS)
        found = self.info(world).divergence
        self.assertEqual((found.position, found.tick, found.label), (152, 172, "second"))
        self.assertNotEqual(found.body_name, "")
        self.assertLessEqual(found.same_at, 151)
        self.assertGreaterEqual(found.body_at, 152)
        self.assertIn("step 152", raised.exception.response.message)


def seal(data, at):
    """The chunk around `at` gets the checksum of what it holds."""
    chunk = 8
    while True:
        size, = struct.unpack_from("<I", data, chunk)
        if at < chunk + 8 + size:
            break
        chunk += 8 + size
    checksum = 0xCBF29CE484222325
    for byte in data[chunk + 8:chunk + 8 + size]:
        checksum = (checksum ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    struct.pack_into("<I", data, chunk + 4, (checksum ^ checksum >> 32) & 0xFFFFFFFF)
    return bytes(data)


class Deaths(unittest.TestCase):
    """The part of a recording that is left when its daemon dies or its disk fails."""

    def test_a_killed_daemon_loses_at_most_a_second(self):
        with tempfile.TemporaryDirectory() as state_dir:
            daemon = Daemon(state_dir=state_dir)
            with daemon.client() as client:
                world = client.create_world("w", REAL_TIME).id
                client.spawn(world, "sway")
                client.command(world, start_recording=dict(name="killed"))
                time.sleep(2.5)
                tick = client.ask(get_world=dict(world=world)).world.tick
                daemon.process.send_signal(signal.SIGKILL)
                daemon.process.wait()
            with Daemon(state_dir=state_dir) as again, again.client() as client:
                self.assertEqual(client.ask(get_recording=dict(name="killed")).recording.state, CUT)
                info = verify(client, "killed")
                self.assertTrue(info.verified and not info.whole)
                self.assertGreaterEqual(info.first_tick + info.length, tick - 200)

    def test_a_fifo_does_not_hold_up_the_start(self):
        with tempfile.TemporaryDirectory() as folder:
            os.makedirs(folder + "/recordings")
            os.mkfifo(folder + "/recordings/pipe.trec")
            with Daemon(state_dir=folder) as daemon:
                listed = Client(daemon.port).ask(list_recordings={}).recording_list.recordings
                self.assertEqual(len(listed), 0)
                self.assertEqual(os.stat(folder + "/catalogue.sqlite").st_mode & 0o007, 0)

    def test_a_clean_end_ends_recordings(self):
        with tempfile.TemporaryDirectory() as state_dir:
            with Daemon(state_dir=state_dir) as daemon, daemon.client() as client:
                world = client.create_world("w", FAST).id
                client.spawn(world, "sway")
                client.command(world, start_recording=dict(name="ended"))
                time.sleep(0.2)
            with Daemon(state_dir=state_dir) as again, again.client() as client:
                self.assertEqual(client.ask(get_recording=dict(name="ended")).recording.state, ENDED)
                self.assertTrue(verify(client, "ended").verified)

    def test_a_full_disk_ends_the_recording_and_not_the_world(self):
        def small_files():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (3 << 20, 3 << 20))

        with Daemon(before=small_files) as daemon, daemon.client() as client:
            world = client.create_world("w", FAST).id
            client.spawn(world, "sway")
            client.ask(subscribe=dict(world=world, events=True))
            client.command(world, start_recording=dict(name="full", check_every=1, key_every=1))
            ended = client.wait_event(state_pb2.EVENT_KIND_RECORDING_ENDED)
            self.assertEqual(ended.code, RESOURCE_EXHAUSTED)
            recording = client.ask(get_recording=dict(name="full")).recording
            self.assertEqual((recording.state, recording.code), (CUT, RESOURCE_EXHAUSTED))
            tick = client.ask(get_world=dict(world=world)).world.tick
            while client.ask(get_world=dict(world=world)).world.tick < tick + 100:
                time.sleep(0.01)
            client.ask(destroy_world=dict(world=world))
            info = verify(client, "full")
            self.assertTrue(info.verified and info.length > 100)
            client.ask(delete_recording=dict(name="full"))


if __name__ == "__main__":
    unittest.main()

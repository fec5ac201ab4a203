"""The daemon when something breaks: what it cannot start with, and what it survives."""

import os
import random
import resource
import shutil
import signal
import socket
import sqlite3
import subprocess
import tempfile
import time
import unittest

from harness import *


class Start(unittest.TestCase):
    """A daemon that cannot start says why in one line, leaves nothing behind, and ends with status 1 (usage: 2)."""

    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="troupe-fault-")
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)

    def path(self, name):
        return os.path.join(self.directory, name)

    def fail_to_start(self, *options, status=1):
        ended = subprocess.run([os.environ["TROUPED"], "--shipped", "none", *options], capture_output=True, text=True, timeout=TIMEOUT_S)
        self.assertEqual(ended.returncode, status, ended.stderr)
        last = ended.stderr.strip().splitlines()[-1]
        self.assertTrue(last.startswith("trouped: "), ended.stderr)
        return last

    def test_usage(self):
        for options in (["--nothing"], ["--threads", "x"], ["--listen", "here"]):
            self.assertIn(options[0], self.fail_to_start(*options, status=2))

    def test_port_in_use(self):
        with socket.socket() as holder:
            holder.bind(("127.0.0.1", 0))
            holder.listen()
            port = holder.getsockname()[1]
            said = self.fail_to_start("--listen", f"127.0.0.1:{port}", "--state-dir", self.path("state"))
            self.assertIn("address already in use", said)

    def test_not_an_address(self):
        self.assertIn("numeric", self.fail_to_start("--listen", "localhost:0", "--state-dir", self.path("state"), status=2))

    def test_state_directory_is_a_file(self):
        open(self.path("state"), "w").close()
        self.assertIn("--state-dir", self.fail_to_start("--listen", "127.0.0.1:0", "--state-dir", self.path("state")))

    def test_catalogue_is_something_else(self):
        with open(self.path("c"), "wb") as file:
            file.write(random.Random(1).randbytes(8192))
        self.fail_to_start("--listen", "127.0.0.1:0", "--state-dir", self.path("state"), "--catalogue", self.path("c"))

    def test_catalogue_of_a_newer_schema(self):
        with Daemon("--catalogue", self.path("c")):
            pass
        with sqlite3.connect(self.path("c")) as database:
            database.execute("PRAGMA user_version = 999")
        database.close()
        said = self.fail_to_start("--listen", "127.0.0.1:0", "--state-dir", self.path("state"), "--catalogue", self.path("c"))
        self.assertIn("999", said)

    def test_port_file_cannot_be_written(self):
        said = self.fail_to_start("--listen", "127.0.0.1:0", "--state-dir", self.path("state"),
                                  "--port-file", self.path("missing/port"))
        self.assertIn("--port-file", said)

    def test_the_port_file_of_another_is_left_alone(self):
        with Daemon() as daemon:
            self.fail_to_start("--listen", f"127.0.0.1:{daemon.port}", "--state-dir", self.path("state"),
                               "--port-file", daemon.port_file)
            self.assertTrue(os.path.exists(daemon.port_file))

    def test_no_descriptors_for_connections(self):
        for limit in 64, 65:
            ended = subprocess.run([os.environ["TROUPED"], "--shipped", "none", "--listen", "127.0.0.1:0", "--state-dir",
                                    self.path("state")], capture_output=True, text=True, timeout=TIMEOUT_S,
                                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit)))
            self.assertEqual(ended.returncode, 1, ended.stderr)
            self.assertIn("limit of open files", ended.stderr)

    def test_bundle_cut_short(self):
        with open(os.environ["TROUPE_BUNDLE"], "rb") as file:
            data = file.read()
        for size in (0, 100, len(data) // 2, len(data) - 1):
            with open(self.path("cut"), "wb") as file:
                file.write(data[:size])
            self.fail_to_start("--listen", "127.0.0.1:0", "--state-dir", self.path("state"), "--bundle", self.path("cut"))


class Survival(unittest.TestCase):
    def test_killed_and_started_again(self):
        with tempfile.TemporaryDirectory(prefix="troupe-fault-") as directory:
            state = os.path.join(directory, "state")
            for i in range(5):
                daemon = Daemon(state_dir=state)
                with daemon.client() as client:
                    self.assertEqual(len(client.ask(list_controllers={}).controller_list.controllers), 2)
                    world = client.create_world("w", FAST).id
                    client.spawn(world)
                    client.receive_for(0.02 * i)
                    daemon.process.send_signal(signal.SIGKILL)
                    daemon.process.wait()
                shutil.rmtree(daemon.own_dir, ignore_errors=True)
            with Daemon(state_dir=state) as daemon, daemon.client() as client:
                self.assertEqual(len(client.ask(list_controllers={}).controller_list.controllers), 2)

    def test_stopped_for_a_while(self):
        """Suspended for a second: it catches up four ticks and reports the dropped ones."""
        with Daemon() as daemon, daemon.client() as client:
            world = client.create_world("w", REAL_TIME).id
            client.ask(subscribe=dict(world=world, rate_hz=100, events=True))
            client.wait_state()
            daemon.process.send_signal(signal.SIGSTOP)
            time.sleep(1.0)
            daemon.process.send_signal(signal.SIGCONT)
            late = client.wait_event(state_pb2.EVENT_KIND_LATE)
            while late.magnitude <= 150:  # a busy machine was late before
                late = client.wait_event(state_pb2.EVENT_KIND_LATE)
            state = client.wait_state(lambda state: state.dropped_ticks > 0)
            self.assertGreaterEqual(state.dropped_ticks, int(late.magnitude))
            client.ask(ping={})

    def test_random_bytes_after_hello(self):
        with Daemon() as daemon:
            draw = random.Random(3)
            for _ in range(200):
                client = daemon.client()
                try:
                    client.send_bytes(draw.randbytes(draw.randrange(1, 400)))
                    if draw.random() < 0.5:
                        client.socket.shutdown(socket.SHUT_WR)
                except OSError:
                    pass
                client.close()
            with daemon.client() as client:
                client.ask(ping={})

    def test_changed_messages(self):
        """Sound requests with a few bytes changed: answered, refused or cut off, and the next client is served."""
        with Daemon() as daemon:
            draw = random.Random(4)
            with daemon.client() as keeper:
                world = keeper.create_world("w").id
                entity = keeper.spawn(world)
            orders = [dict(push=dict(entity=entity, force=dict(x=10), duration_s=0.1)), dict(set_fragment=dict(entity=entity, fragment=1)),
                      dict(set_controller=dict(entity=entity, controller="sway"))]
            sound = [dict(command=dict(world=world, advance=dict(count=2, orders=orders, fields=3))),
                     dict(command=dict(world=world, spawn_character=dict(controller="sway"))),
                     dict(command=dict(world=world, push=dict(entity=entity, force=dict(x=10), duration_s=0.1))),
                     dict(command=dict(world=world, spawn_object=dict(geoms=[dict(kind=1, size=dict(x=0.1))], mass=1))),
                     dict(command=dict(world=world, step=dict(count=2))),
                     dict(command=dict(world=world, set_offset=dict(entity=entity, offset=[0.1] * 17))),
                     dict(create_world=dict(name="other", scene=dict(scenery=[dict(size=dict(x=1, y=1, z=1))]))),
                     dict(subscribe=dict(world=world, rate_hz=50, fields=63, events=True)),
                     dict(list_controllers=dict(page=dict(size=5), prefix="s")), dict(get_state=dict(world=world))]
            for i in range(400):
                client = daemon.client()
                message = envelope_pb2.ClientMessage(request_id=2, **draw.choice(sound))
                data = bytearray(message.SerializeToString())
                for _ in range(draw.randrange(1, 4)):
                    data[draw.randrange(len(data))] = draw.randrange(256)
                client.send_bytes(varint(len(data)) + bytes(data))
                client.socket.settimeout(0.002)
                try:
                    client.receive()
                except (Closed, OSError):
                    pass
                client.close()
            with daemon.client() as client:
                client.ask(ping={})

    def test_out_of_descriptors(self):
        def few():
            resource.setrlimit(resource.RLIMIT_NOFILE, (80, 80))

        with Daemon("--max-clients", "1000", before=few) as daemon:
            clients = []
            for _ in range(100):
                try:
                    clients.append(daemon.client(hello=False))
                except OSError:
                    break
            served = 0
            for i, client in enumerate(clients):
                client.socket.settimeout(2)
                try:
                    client.hello()
                    served += 1
                except (Refused, Closed, OSError):
                    pass
            self.assertEqual(served, (80 - 64) * 3 // 4)  # a quarter is the web port's
            for client in clients:
                client.close()
            time.sleep(0.2)
            with daemon.client() as client:
                client.ask(list_models={})


if __name__ == "__main__":
    unittest.main()

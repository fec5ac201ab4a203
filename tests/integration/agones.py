"""A daemon in a fleet, against a stand-in for the sidecar of Agones.

The stand-in implements what the REST interface documents for these requests: lifecycle, labels, counters. It keeps
one GameServer, in memory. It does not have the sidecar's delays, its batches of updates, its health deadline, the
API server behind it, WatchGameServer, or an allocator; a counter that is not defined is refused with 500, as gRPC's
gateway answers such an error.
"""

import http.server
import json
import select
import threading

from harness import *
from matches import match

STATES = {"/ready": "Ready", "/allocate": "Allocated", "/shutdown": "Shutdown"}


class Sidecar:
    """`with Sidecar() as sidecar`: AGONES_SDK_HTTP_PORT names it meanwhile."""

    def __init__(self, counters=("worlds", "players"), port=0):
        self.state, self.health, self.labels = "Scheduled", 0, {}
        self.counters = {name: {"count": 0, "capacity": 1000} for name in counters}
        self.requests, self.states = [], []
        self.changed = threading.Condition()
        self.held = None  # an event before which /ready is not answered
        sidecar = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with sidecar.changed:
                    sidecar.requests.append((self.command, self.path, body))
                    code = sidecar.take(self.command, self.path, body)
                    sidecar.changed.notify_all()
                if sidecar.held and self.path == "/ready":
                    sidecar.held.wait(TIMEOUT_S)
                self.send_response(code)
                self.send_header("Content-Length", "2")
                self.end_headers()
                self.wfile.write(b"{}")

            do_POST = do_PUT = do_PATCH = answer

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.server.daemon_threads = True
        self.server.handle_error = lambda *_: None  # the daemon's connection breaks when its process ends
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, kwargs=dict(poll_interval=0.02), daemon=True).start()

    def take(self, method, path, body):
        if method == "POST" and path in STATES:
            self.state = STATES[path]
            self.states.append(self.state)
        elif method == "POST" and path == "/health":
            self.health += 1
        elif method == "PUT" and path == "/metadata/label":
            self.labels["agones.dev/sdk-" + body["key"]] = body["value"]
        elif method == "PATCH" and path.startswith("/v1beta1/counters/"):
            return self.update(self.counters.get(path.rsplit("/", 1)[1]), body)
        else:
            return 404
        return 200

    @staticmethod
    def update(counter, body):
        """One of capacity and count, as text; the count is from 0 to the capacity."""
        if counter is None or len(body) != 1:
            return 500
        (name, value), = body.items()
        if name not in counter or not isinstance(value, str) or int(value) < 0:
            return 500
        if name == "count" and int(value) > counter["capacity"]:
            return 500
        counter[name] = int(value)
        return 200

    def wait(self, accept):
        with self.changed:
            if not self.changed.wait_for(accept, TIMEOUT_S):
                raise AssertionError(f"the sidecar has {self.state}, {self.labels}, {self.counters}: {self.requests}")

    def count(self, name):
        return self.counters[name]["count"]

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def __enter__(self):
        os.environ["AGONES_SDK_HTTP_PORT"] = str(self.port)
        return self

    def __exit__(self, *_):
        os.environ.pop("AGONES_SDK_HTTP_PORT", None)
        self.close()


class Life(unittest.TestCase):
    def test_ready_allocated_ready_shutdown(self):
        with Sidecar() as sidecar:
            with Daemon("--agones") as daemon, daemon.client() as client:
                sidecar.wait(lambda: sidecar.state == "Ready")
                world = client.create_world("live", REAL_TIME).id
                sidecar.wait(lambda: sidecar.state == "Allocated")
                client.ask(destroy_world=dict(world=world))
                sidecar.wait(lambda: sidecar.states == ["Ready", "Allocated", "Ready"])
            self.assertEqual(sidecar.states, ["Ready", "Allocated", "Ready", "Shutdown"])

    def test_labels_and_counters_follow(self):
        with Sidecar() as sidecar, Daemon("--agones") as daemon:
            clients = [daemon.client(f"client {i}") for i in range(3)]
            for i in range(2):
                clients[0].create_world(f"world {i}")
            sidecar.wait(lambda: (sidecar.count("worlds"), sidecar.count("players")) == (2, 3))
            self.assertEqual(sidecar.counters["worlds"]["capacity"], 16)
            self.assertEqual(sidecar.labels["agones.dev/sdk-room"], "yes")
            self.assertIn("agones.dev/sdk-version", sidecar.labels)
            for client in clients:
                client.close()
            sidecar.wait(lambda: sidecar.count("players") == 0)

    def test_health_stops_while_the_daemon_hangs(self):
        with Sidecar() as sidecar, Daemon("--agones") as daemon, daemon.client() as client:
            client.create_world("live", REAL_TIME)
            sidecar.wait(lambda: sidecar.health >= 2)
            daemon.hang()
            time.sleep(0.5)  # the stand-in may still count what was sent before
            before = sidecar.health
            time.sleep(3)
            self.assertEqual(sidecar.health, before)
            daemon.process.send_signal(signal.SIGCONT)
            sidecar.wait(lambda: sidecar.health > before)

    def test_a_counter_that_is_not_defined_holds_nothing_up(self):
        with Sidecar(counters=("players",)) as sidecar, Daemon("--agones") as daemon, daemon.client() as client:
            client.create_world()
            sidecar.wait(lambda: sidecar.state == "Allocated" and sidecar.count("players") == 1)
            sidecar.wait(lambda: sum(path.endswith("worlds") for _, path, _ in sidecar.requests) > 4)
            refused = [line for line in daemon.log().splitlines() if "agones.refused" in line]
            self.assertEqual(len(refused), 2, refused)  # capacity and count, once each


    def test_at_the_end_only_the_phase_is_reported(self):
        with Sidecar() as sidecar:
            sidecar.held = threading.Event()
            with Daemon("--agones") as daemon:
                sidecar.wait(lambda: sidecar.state == "Ready")
                daemon.ask_to_end()
                while os.path.exists(daemon.port_file):  # removed just before the daemon leaves the fleet
                    time.sleep(0.01)
                time.sleep(0.2)
                sidecar.held.set()
            self.assertEqual(sidecar.states, ["Ready", "Shutdown"])
            self.assertEqual((sidecar.labels, sidecar.count("worlds")), ({}, 0))
            self.assertEqual([path for method, path, _ in sidecar.requests if method != "POST"], [])


class Absent(unittest.TestCase):
    def setUp(self):
        self.addCleanup(os.environ.pop, "AGONES_SDK_HTTP_PORT", None)

    def test_a_sidecar_that_starts_later_learns_all(self):
        port = quiet_port()
        os.environ["AGONES_SDK_HTTP_PORT"] = str(port)
        with Daemon("--agones") as daemon, daemon.client() as client:
            client.create_world()
            time.sleep(1)
            with Sidecar(port=port) as sidecar:
                sidecar.wait(lambda: sidecar.state == "Allocated" and sidecar.count("worlds") == 1)
                daemon.stop()
                self.assertEqual(sidecar.state, "Shutdown")

    def test_clients_do_not_wait_for_a_sidecar_that_never_answers(self):
        with socket.socket() as silent:
            silent.bind(("127.0.0.1", 0))
            silent.listen()
            silent.settimeout(TIMEOUT_S)
            os.environ["AGONES_SDK_HTTP_PORT"] = str(silent.getsockname()[1])
            with Daemon("--agones") as daemon, daemon.client() as client:
                world = client.create_world().id
                silent.accept()[0].close()
                waiting, _ = silent.accept()
                steps = 0
                with waiting:
                    self.assertTrue(waiting.recv(65536))
                    while not select.select([waiting], [], [], 0)[0]:  # until the daemon gives the request up
                        client.step(world)
                        steps += 1
                self.assertGreater(steps, 5)  # a loop that waited for the answer would do one

    def test_a_port_that_is_no_port_is_refused(self):
        os.environ["AGONES_SDK_HTTP_PORT"] = "http"
        with self.assertRaisesRegex(RuntimeError, "AGONES_SDK_HTTP_PORT: 'http': expected a port from 1 to 65535"):
            Daemon("--agones")


class Drain(unittest.TestCase):
    def test_running_worlds_end_and_new_ones_are_refused(self):
        with Sidecar() as sidecar, Daemon("--agones", "--drain", "600") as daemon, daemon.client() as client:
            world = client.create_world("live", REAL_TIME).id
            sidecar.wait(lambda: sidecar.state == "Allocated")
            daemon.ask_to_end()
            sidecar.wait(lambda: sidecar.labels.get("agones.dev/sdk-room") == "no" and
                         sidecar.counters["worlds"] == {"count": 1, "capacity": 1})
            for begun in (dict(create_world=dict(name="late")), dict(start_match=dict(match=match("late"))),
                          dict(record_bout=dict(match="late")), dict(start_training=dict(name="late", clip="late")),
                          dict(upload_recording=dict(name="late", data=b"late")), dict(replay=dict(recording="late", world="late"))):
                with self.assertRaises(Refused, msg=begun) as refused:
                    client.ask(**begun)
                self.assertEqual(refused.exception.code, UNAVAILABLE, refused.exception)
            client.command(world, start_recording=dict(name="last"))  # its world lasts as long as the daemon
            with daemon.client("late") as late, daemon.web_client("later") as later:  # to the world that is left
                late.ask(subscribe=dict(world=world, rate_hz=30))
                later.ask(subscribe=dict(world=world, rate_hz=30))
                late.wait_state()
                later.wait_state()
            health = sidecar.health
            sidecar.wait(lambda: sidecar.health > health)
            client.ask(destroy_world=dict(world=world))
            daemon.stop()
            self.assertEqual(sidecar.states, ["Ready", "Allocated", "Shutdown"])

    def test_it_ends_when_the_time_is_over(self):
        with Daemon("--drain", "2") as daemon, daemon.client() as client:
            client.create_world("live", REAL_TIME)
            self.assertGreater(daemon.stop(), 1.5)
            self.assertEqual(client.receive_until_closed().code, UNAVAILABLE)

    def test_without_worlds_there_is_nothing_to_wait_for(self):
        with Daemon("--drain", "600") as daemon:
            daemon.stop()

    def test_a_second_signal_ends_the_wait(self):
        with Daemon("--drain", "600") as daemon, daemon.client() as client:
            client.create_world("live", REAL_TIME)
            daemon.ask_to_end()
            while "daemon.draining" not in daemon.log():
                time.sleep(0.02)
            daemon.process.send_signal(signal.SIGTERM)
            daemon.stop()


if __name__ == "__main__":
    unittest.main()

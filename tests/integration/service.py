"""The daemon as a service: messages to the manager, the lock of the state directory, probes, log and reload."""

import json
import re
import shutil
import sqlite3
import subprocess
import tempfile
import threading
import unittest
import urllib.error
import urllib.request

from harness import *

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CATALOGUE = os.path.join(SOURCE, "tests/data/db/two.troupe")


def ready(port):
    """What /readyz says: status and word."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=TIMEOUT_S) as response:
            return response.status, response.read().strip().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().strip().decode()


class Manager:
    """A service manager's side of NOTIFY_SOCKET."""

    def __init__(self, abstract=False):
        self.folder = tempfile.mkdtemp(prefix="troupe-notify-")
        self.path = f"\0troupe-test-{os.getpid()}" if abstract else self.folder + "/notify"
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(self.path)
        self.socket.settimeout(TIMEOUT_S)

    def environment(self, **more):
        os.environ.update(NOTIFY_SOCKET=self.path.replace("\0", "@"), **more)

    def wait(self, assignment):
        """All messages up to the assignment, which is the last."""
        told = []
        while assignment not in told:
            told += self.socket.recv(4096).decode().split("\n")
        return told

    def silence(self, seconds, assignment):
        """Is the assignment not sent for so long?"""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            self.socket.settimeout(left)
            try:
                if assignment in self.socket.recv(4096).decode().split("\n"):
                    return False
            except socket.timeout:
                pass
        self.socket.settimeout(TIMEOUT_S)
        return True

    def drain(self):
        self.socket.setblocking(False)
        try:
            while True:
                self.socket.recv(4096)
        except BlockingIOError:
            self.socket.settimeout(TIMEOUT_S)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for name in "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID":
            os.environ.pop(name, None)
        self.socket.close()
        shutil.rmtree(self.folder)


class Told(unittest.TestCase):
    def check_life(self, **options):
        with Manager(**options) as manager:
            manager.environment()
            with Daemon() as daemon:
                manager.wait("READY=1")
                self.assertEqual(ready(daemon.web_port), (200, "ready"))
                daemon.process.send_signal(signal.SIGHUP)
                self.assertIn("READY=1", manager.wait("RELOADING=1") + manager.wait("READY=1"))
                daemon.stop()
                manager.wait("STOPPING=1")

    def test_ready_reloading_stopping(self):
        self.check_life()

    def test_a_socket_in_the_abstract_namespace(self):
        self.check_life(abstract=True)

    def test_status_shows_the_load(self):
        with Manager() as manager:
            manager.environment()
            with Daemon() as daemon, daemon.client() as client:
                client.create_world()
                manager.wait("STATUS=1 worlds, 1 sessions")

    def test_the_watchdog_is_fed_while_worlds_tick_and_not_while_it_hangs(self):
        with Manager() as manager:
            manager.environment(WATCHDOG_USEC="400000")
            with Daemon() as daemon, daemon.client() as client:
                client.create_world("live", REAL_TIME)
                for _ in range(5):
                    manager.wait("WATCHDOG=1")
                daemon.hang()
                manager.drain()
                self.assertTrue(manager.silence(1.5, "WATCHDOG=1"))
                daemon.process.send_signal(signal.SIGCONT)
                manager.wait("WATCHDOG=1")

    def test_a_watchdog_for_another_process_is_not_fed(self):
        with Manager() as manager:
            manager.environment(WATCHDOG_USEC="200000", WATCHDOG_PID="1")
            with Daemon():
                manager.wait("READY=1")
                self.assertTrue(manager.silence(1.5, "WATCHDOG=1"))


class Start(unittest.TestCase):
    def test_not_ready_before_the_catalogue_is_open(self):
        """Another process has the catalogue locked for a while: the probes answer meanwhile."""
        with tempfile.TemporaryDirectory() as folder:
            state_dir = folder + "/state"
            with Daemon(state_dir=state_dir):
                pass
            database = sqlite3.connect(state_dir + "/catalogue.sqlite", isolation_level=None)
            database.execute("PRAGMA locking_mode=EXCLUSIVE")
            database.execute("BEGIN EXCLUSIVE")
            port_file = folder + "/web"
            with open(folder + "/log", "wb") as log:
                process = subprocess.Popen(
                    [os.environ["TROUPED"], "--listen", "127.0.0.1:0", "--port-file", folder + "/port",
                     "--web-listen", "127.0.0.1:0", "--web-port-file", port_file, "--state-dir", state_dir,
                     "--shipped", "none"], stderr=log)
            try:
                while not os.path.exists(port_file):
                    time.sleep(0.01)
                with open(port_file) as file:
                    port = int(file.read())
                self.assertEqual(ready(port), (503, "starting"))
                with socket.create_connection(("127.0.0.1", port)) as sock:
                    sock.sendall(handshake(port))
                    self.assertIn(b" 503 ", sock.recv(100))
                database.close()
                deadline = time.monotonic() + START_TIMEOUT_S
                while ready(port)[0] != 200 and time.monotonic() < deadline:
                    time.sleep(0.05)
                self.assertEqual(ready(port), (200, "ready"))
                process.send_signal(signal.SIGTERM)
                self.assertEqual(process.wait(TIMEOUT_S), 0)
            finally:
                process.kill()

    def test_one_daemon_a_state_directory(self):
        with Daemon() as daemon:
            other = subprocess.run([os.environ["TROUPED"], "--listen", "127.0.0.1:0", "--web-listen", "none",
                                    "--state-dir", daemon.state_dir], capture_output=True, timeout=TIMEOUT_S)
            self.assertEqual(other.returncode, 1)
            self.assertIn(f"in use by another trouped, process {daemon.process.pid}".encode(), other.stderr)
            with daemon.client() as client:
                client.ask(ping={})

    def test_the_reason_for_a_failed_start_is_printed(self):
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(folder + "/state")
            with open(folder + "/state/recordings", "w"):  # where the folder is to be
                pass
            refused = subprocess.run([os.environ["TROUPED"], "--listen", "127.0.0.1:0", "--web-listen", "none",
                                      "--state-dir", folder + "/state"], capture_output=True, timeout=TIMEOUT_S)
            self.assertEqual(refused.returncode, 1)
            self.assertIn(f"{folder}/state/recordings: Not a directory".encode(), refused.stderr)

    def test_a_killed_daemon_leaves_no_lock(self):
        with tempfile.TemporaryDirectory() as folder:
            first = Daemon(state_dir=folder + "/state")
            first.process.kill()
            first.process.wait()
            shutil.rmtree(first.own_dir)
            with Daemon(state_dir=folder + "/state") as second, second.client() as client:
                client.ask(ping={})


class Ends(unittest.TestCase):
    def test_not_ready_while_it_ends_and_a_second_signal_exits_immediately(self):
        with Daemon() as daemon:
            holdout = daemon.client("holdout")
            port = daemon.web_port
            daemon.ask_to_end()
            self.assertEqual(holdout.receive_until_closed().code, UNAVAILABLE)
            self.assertEqual(ready(port), (503, "ending"))
            daemon.process.send_signal(signal.SIGTERM)
            self.assertEqual(daemon.process.wait(TIMEOUT_S), 1)
            self.assertFalse(os.path.exists(daemon.port_file))
            self.assertIn('event=daemon.abandoned why="a second signal"', daemon.log())
            daemon.process.returncode = 0

    def test_a_signal_during_the_start_ends_it_cleanly(self):
        for delay in 0.0, 0.005, 0.02, 0.05:
            with tempfile.TemporaryDirectory() as folder:
                process = subprocess.Popen([os.environ["TROUPED"], "--listen", "127.0.0.1:0", "--web-listen",
                                            "127.0.0.1:0", "--state-dir", folder + "/state"], stderr=subprocess.PIPE)
                time.sleep(delay)
                process.send_signal(signal.SIGTERM)
                log = process.communicate(timeout=START_TIMEOUT_S)[1]
                # Before main has set its handlers the signal's own default ends it.
                self.assertIn(process.returncode, (0, -signal.SIGTERM), log)


class Reload(unittest.TestCase):
    def status_of(self, port, origin):
        with socket.create_connection(("127.0.0.1", port), TIMEOUT_S) as sock:
            sock.sendall(handshake(port, Origin=origin))
            return int(sock.recv(4096).split()[1])

    def test_files_and_origins_of_the_web_port(self):
        with tempfile.TemporaryDirectory() as folder:
            def put(name, text):
                with open(f"{folder}/{name}", "w") as file:
                    file.write(text)

            os.mkdir(folder + "/web")
            put("web/index.html", "old")
            put("conf", "")
            with Daemon("--config", folder + "/conf", "--web-root", folder + "/web") as daemon:
                url = f"http://127.0.0.1:{daemon.web_port}/"
                self.assertEqual(self.status_of(daemon.web_port, "https://play.example.org"), 403)
                put("web/index.html", "new")
                put("conf", 'web = { allowed_origins = [ "https://play.example.org" ]; };')
                self.assertEqual(urllib.request.urlopen(url).read(), b"old")
                daemon.process.send_signal(signal.SIGHUP)
                deadline = time.monotonic() + TIMEOUT_S
                while urllib.request.urlopen(url).read() != b"new" and time.monotonic() < deadline:
                    time.sleep(0.01)
                self.assertEqual(self.status_of(daemon.web_port, "https://play.example.org"), 101)
                put("web/index.html", "newer")
                put("conf", "nonsense = 1;\n")  # refused: then the viewer stays too
                daemon.process.send_signal(signal.SIGHUP)
                while "event=config.refused" not in daemon.log() and time.monotonic() < deadline:
                    time.sleep(0.01)
                self.assertEqual(urllib.request.urlopen(url).read(), b"new")
                put("conf", 'web = { allowed_origins = [ "https://play.example.org" ]; };')
                shutil.rmtree(folder + "/web")
                daemon.process.send_signal(signal.SIGHUP)
                while "event=web.root_refused" not in daemon.log() and time.monotonic() < deadline:
                    time.sleep(0.01)
                self.assertEqual(urllib.request.urlopen(url).read(), b"new")


class Log(unittest.TestCase):
    def test_the_journal_gets_priorities_and_scripts_get_pairs(self):
        pair = r'[a-z_]+=(?:"[^"]*"|[^ "]*)'
        for journal in False, True:
            read_end, write_end = os.pipe()
            info = os.fstat(write_end)
            environment = dict(os.environ, JOURNAL_STREAM=f"{info.st_dev}:{info.st_ino}" if journal else "1:1")
            with tempfile.TemporaryDirectory() as folder:
                process = subprocess.Popen([os.environ["TROUPED"], "--listen", "127.0.0.1:0", "--web-listen",
                                            "127.0.0.1:0", "--port-file", folder + "/port", "--state-dir",
                                            folder + "/state", "--shipped", "none"], stderr=write_end, env=environment)
                os.close(write_end)
                while not os.path.exists(folder + "/port"):
                    time.sleep(0.01)
                with open(folder + "/port") as file:
                    client = Client(int(file.read()), 'x" level=error\n<0>event=forged')
                client.close()
                process.send_signal(signal.SIGTERM)
                with os.fdopen(read_end) as pipe:
                    lines = pipe.read().splitlines()
                self.assertEqual(process.wait(TIMEOUT_S), 0)
            head = r"<[3467]>event=[a-z_.]+" if journal else r"ts=\S+Z level=(info|warn|error) event=[a-z_.]+"
            for line in lines:
                self.assertRegex(line, rf"\A{head}( {pair})* ?\Z")
            self.assertFalse([line for line in lines if re.search(r"(\A|\s)event=forged", line)])

    def test_a_storm_of_one_kind_is_bounded_and_logged(self):
        with Daemon() as daemon:
            for _ in range(400):
                socket.create_connection(("127.0.0.1", daemon.port)).close()
            time.sleep(1.5)
            with daemon.client("after") as client:
                client.ask(ping={})
            log = daemon.log()
            self.assertLess(log.count("event=session.open"), 400)
            self.assertIn("suppressed=", log)
            self.assertIn('client="after"', log)


class Container(unittest.TestCase):
    def health(self, port):
        """The status of the container file's check of health, which asks the web port."""
        with open(os.path.join(SOURCE, "deploy/container/Containerfile")) as file:
            command = json.loads(re.search(r"^HEALTHCHECK .* CMD (\[.*\])$", file.read(), re.MULTILINE)[1])
        command = [word.replace("/127.0.0.1/7401", f"/127.0.0.1/{port}") for word in command]
        return subprocess.run(command, capture_output=True, timeout=TIMEOUT_S).returncode

    def test_its_check_of_health(self):
        """The check needs no key, so that a daemon that demands keys is not unhealthy."""
        with tempfile.TemporaryDirectory() as folder:
            with open(folder + "/conf", "w") as file:
                file.write('anonymous = "none";')
            with Daemon("--config", folder + "/conf") as daemon:
                self.assertEqual(self.health(daemon.web_port), 0)
                port = daemon.web_port
            self.assertNotEqual(self.health(port), 0)


class Schema(unittest.TestCase):
    """A catalogue of a schema that this build does not know is refused, and does not change."""

    def test_other_schemas_are_refused(self):
        with tempfile.TemporaryDirectory() as state_dir:
            path = state_dir + "/catalogue.sqlite"
            for version, said in (6, "older than 7"), (1000, "newer than 7"):
                shutil.copy(CATALOGUE, path)
                with sqlite3.connect(path) as changed:
                    changed.execute(f"PRAGMA user_version = {version}")
                with open(path, "rb") as file:
                    before = file.read()
                refused = subprocess.run([os.environ["TROUPED"], "--listen", "127.0.0.1:0", "--web-listen", "none",
                                          "--state-dir", state_dir], capture_output=True, timeout=TIMEOUT_S)
                self.assertEqual(refused.returncode, 1)
                self.assertIn(f"schema {version} is {said}", refused.stderr.decode())
                with open(path, "rb") as file:
                    self.assertEqual(file.read(), before)


if __name__ == "__main__":
    unittest.main()

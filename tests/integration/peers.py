"""The limit on the connections of one address, on both ports together. The tests run in a private network, whose loopback
has addresses that are not loopback's; they are skipped where the system allows no such network."""

import http.client
import os
import signal
import subprocess
import sys
import tempfile
import unittest

from harness import *

LIMIT, TOLD = 6, 4
NEAR, FAR, FURTHER = "127.0.0.1", "10.7.0.2", "10.7.0.3"


def enter_own_network():
    """Starts this program again in a private network, where it returns True. False: the system allows none."""
    if os.environ.get("TROUPE_OWN_NETWORK"):
        return True
    if subprocess.run(["unshare", "-n", "ip", "link"], capture_output=True).returncode != 0:
        return False
    os.execvpe("unshare", ["unshare", "-n", sys.executable, "-B", *sys.argv], dict(os.environ, TROUPE_OWN_NETWORK="yes"))


class Peers(unittest.TestCase):
    def setUp(self):
        if not os.environ.get("TROUPE_OWN_NETWORK"):
            self.skipTest("no network of one's own here")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = os.path.join(folder.name, "trouped.conf")
        self.limit(LIMIT)
        self.daemon = Daemon("--config", self.file)
        self.addCleanup(self.daemon.__exit__, None, None, None)

    def limit(self, count):
        with open(self.file, "w") as file:
            file.write(f"connections_per_address = {count};\n")

    def open(self, source=FAR, kind=Client, **options):
        client = kind(self.daemon.port if kind is Client else self.daemon.web_port, source=source, **options)
        self.addCleanup(client.close)
        return client

    def get(self, source, path="/healthz"):
        connection = http.client.HTTPConnection(NEAR, self.daemon.web_port, TIMEOUT_S, source_address=(source, 0))
        connection.request("GET", path)
        response = connection.getresponse()
        body = response.read()
        connection.close()
        return response.status, body

    def refused(self):
        """What the game port answers an address that has used up its share."""
        return self.open(hello=False).receive_until_closed()

    def fill(self):
        return [self.open() for _ in range(LIMIT // 2)] + [self.open(kind=WebClient) for _ in range(LIMIT - LIMIT // 2)]

    def open_when_there_is_room(self):
        """The daemon learns of a connection's end a moment after the client has made it."""
        deadline = time.monotonic() + TIMEOUT_S
        while True:
            try:
                return self.open()
            except Closed:
                self.assertLess(time.monotonic(), deadline)
                time.sleep(0.05)

    def test_one_too_many_is_refused_with_a_reason_on_both_ports(self):
        clients = self.fill()
        goodbye = self.refused()
        self.assertEqual(goodbye.code, RESOURCE_EXHAUSTED)
        self.assertIn("your address", goodbye.reason)
        status, body = self.get(FAR)
        self.assertEqual(status, 429)
        self.assertIn(b"your address", body)
        self.assertEqual(self.get(FAR, "/")[0], 429)
        for client in clients:
            client.ask(ping={})
        self.assertIn(b"troupe_connections_refused_total 3\n", self.get(NEAR, "/metrics")[1])

    def test_others_and_this_machine_are_served(self):
        self.fill()
        for source in [FURTHER] + 3 * LIMIT * [NEAR]:
            self.open(source).ask(ping={})
        self.assertEqual(self.get(FURTHER)[0], 200)

    def test_there_is_room_when_one_leaves(self):
        clients = self.fill()
        self.assertEqual(self.get(FAR)[0], 429)
        clients[-1].close()
        self.open_when_there_is_room().ask(ping={})
        self.assertEqual(self.get(FAR)[0], 429)

    def test_a_flood_holds_no_more_sockets_than_pending_refusals(self):
        """500 silent connections: past the limit the daemon holds TOLD of them, and other addresses still get in."""
        def descriptors():
            return len(os.listdir(f"/proc/{self.daemon.process.pid}/fd"))

        clients = self.fill()
        before = descriptors()
        flood = []
        for _ in range(500):
            flood.append(socket.create_connection((NEAR, self.daemon.port), TIMEOUT_S, source_address=(FAR, 0)))
        self.open(FURTHER).ask(ping={})
        self.assertLessEqual(descriptors(), before + TOLD + 1)
        for client in clients:
            client.ask(ping={})
        for sock in flood:
            sock.close()
        clients[0].close()
        self.open_when_there_is_room().ask(ping={})

    def test_the_limit_changes_with_the_configuration(self):
        self.fill()
        for limit, status in (LIMIT + 2, 200), (LIMIT, 429), (0, 200):
            self.limit(limit)
            told = self.daemon.log().count("config.reloaded")
            self.daemon.process.send_signal(signal.SIGHUP)
            while self.daemon.log().count("config.reloaded") == told:
                time.sleep(0.02)
            self.assertEqual(self.get(FAR)[0], status, limit)


if __name__ == "__main__":
    if enter_own_network():
        subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
        for address in FAR, FURTHER:
            subprocess.run(["ip", "address", "add", address + "/32", "dev", "lo"], check=True)
    unittest.main()

"""The web port with TLS: https and wss, certificates, and refused connections."""

import http.client
import os
import shutil
import socket
import ssl
import subprocess
import tempfile
import time
import unittest

from accounts import Guarded, Key, certificate, configuration, log_in
from harness import *


class Case(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory(prefix="troupe-https-")
        self.addCleanup(self.directory.cleanup)
        self.crt, self.key = certificate(self.directory.name)
        self.root = os.path.join(self.directory.name, "root")
        self.big = os.urandom(3 << 20)
        os.mkdir(self.root)
        with open(os.path.join(self.root, "big.bin"), "wb") as file:
            file.write(self.big)
        self.text = self.web(self.crt, self.key)
        self.guarded = Guarded(self.text, "--web-root", self.root, web=True)
        self.addCleanup(self.guarded.__exit__, None, None, None)
        self.port = self.guarded.daemon.web_port

    def web(self, crt, key):
        return f'web = {{ tls = true; certificate = "{crt}"; private_key = "{key}"; }};\n'

    def context(self, crt=None):
        return ssl.create_default_context(cafile=crt or self.crt)

    def connection(self, crt=None, context=None):
        connection = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=TIMEOUT_S,
                                                 context=context or self.context(crt))
        self.addCleanup(connection.close)
        return connection

    def get(self, path="/healthz", crt=None):
        connection = self.connection(crt)
        connection.request("GET", path)
        response = connection.getresponse()
        return response.status, response.read()

    def secure(self):
        """A bare connection with TLS."""
        plain = socket.create_connection(("127.0.0.1", self.port), TIMEOUT_S)
        secure = self.context().wrap_socket(plain, server_hostname="127.0.0.1")
        self.addCleanup(secure.close)
        return secure

    def client(self, **options):
        client = WebClient(self.port, context=self.context(), **options)
        self.addCleanup(client.close)
        return client


class Pages(Case):
    def test_version_13_and_many_requests_on_one_connection(self):
        connection = self.connection()
        for _ in range(20):
            connection.request("GET", "/healthz")
            self.assertEqual(connection.getresponse().read(), b"ok\n")
            connection.request("HEAD", "/big.bin")
            self.assertEqual(connection.getresponse().read(), b"")
        self.assertEqual(connection.sock.version(), "TLSv1.3")

    def test_a_large_file(self):
        self.assertEqual(self.get("/big.bin"), (200, self.big))

    def test_half_closed_behind_a_request(self):
        """One that asks and says that it will say no more is still answered, whole."""
        secure = self.secure()
        secure.sendall(b"GET /big.bin HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        with socket.socket(fileno=os.dup(secure.fileno())) as under:
            under.shutdown(socket.SHUT_WR)
        size = 0
        while piece := secure.recv(1 << 16):
            size += len(piece)
        self.assertGreater(size, len(self.big))

    @unittest.skipUnless(shutil.which("curl"), "without curl")
    def test_curl(self):
        def curl(*options):
            return subprocess.run(["curl", "-sS", "--noproxy", "*", *options, f"https://127.0.0.1:{self.port}/readyz"],
                                  capture_output=True, timeout=TIMEOUT_S)
        self.assertEqual(curl("--cacert", self.crt).stdout, b"ready\n")
        self.assertNotEqual(curl("--cacert", self.crt, "--tls-max", "1.2").returncode, 0)
        self.assertNotEqual(curl().returncode, 0)  # no known authority signed the certificate

    def test_plain_bytes_are_not_answered_in_plain(self):
        with socket.create_connection(("127.0.0.1", self.port), TIMEOUT_S) as plain:
            plain.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            said = b""
            while piece := plain.recv(65536):
                said += piece
        self.assertNotIn(b"HTTP", said)
        self.assertLess(len(said), 64)

    def test_a_handshake_must_be_done_in_time(self):
        began = time.monotonic()
        silent = [socket.create_connection(("127.0.0.1", self.port), TIMEOUT_S) for _ in range(2)]
        silent[1].sendall(b"\x16\x03\x01")
        for sock in silent:
            while sock.recv(65536):
                pass
            sock.close()
        self.assertGreater(time.monotonic() - began, 4)

    def test_silent_connections_do_not_keep_others_out(self):
        silent = [socket.create_connection(("127.0.0.1", self.port), TIMEOUT_S) for _ in range(300)]
        for _ in range(5):
            self.assertEqual(self.get(), (200, b"ok\n"))
        for sock in silent:
            sock.close()


class Sockets(Case):
    def test_a_session_over_wss(self):
        client = self.client()
        world = client.create_world("w", REAL_TIME).id
        client.spawn(world)
        client.ask(subscribe=dict(world=world, rate_hz=60, events=True))
        client.wait_state(lambda state: state.tick > 20)
        self.assertEqual(client.socket.version(), "TLSv1.3")
        self.assertIn(b'troupe_sessions{transport="websocket-tls"} 1', self.get("/metrics")[1])

    def test_the_pages_of_this_port_may_open_one(self):
        for status, origin in (101, f"https://127.0.0.1:{self.port}"), (403, "https://evil.example"):
            secure = self.secure()
            secure.sendall(handshake(self.port, Origin=origin))
            self.assertEqual(int(secure.recv(4096).split()[1]), status)

    def test_fragments_pings_and_the_close(self):
        client = self.client()
        request = frame(envelope_pb2.ClientMessage(request_id=100, ping=dict(payload=b"one")))
        for i, byte in enumerate(request):
            client.socket.sendall(web_frame(bytes([byte]), opcode=2 if i == 0 else 0, final=i == len(request) - 1) +
                                  web_frame(b"%d" % i, opcode=9))
        self.assertEqual(client.wait(100).pong.payload, b"one")
        client.socket.sendall(web_frame(b"\x03\xe8", opcode=8))
        client.receive_until_closed()
        self.assertEqual(client.close_code, 1000)

    def test_clients_are_notified_of_the_end(self):
        client = self.client()
        self.guarded.daemon.ask_to_end()
        self.assertEqual(client.receive_until_closed().code, UNAVAILABLE)
        self.assertEqual(client.close_code, 1000)

    def test_garbage_under_the_tls(self):
        client = self.client()
        os.write(client.socket.fileno(), os.urandom(300))
        with self.assertRaises((ssl.SSLError, Closed, OSError)):
            while True:
                client.receive()
        self.assertEqual(self.get(), (200, b"ok\n"))


class Certificates(Case):
    def test_they_are_read_again(self):
        client = self.client()
        crt, key = certificate(self.directory.name, "second")
        self.guarded.reload(self.web(crt, key), "config.reloaded")
        self.assertEqual(self.get(crt=crt), (200, b"ok\n"))
        with self.assertRaises(ssl.SSLError):
            self.get()
        client.ask(ping={})  # a session begun under the old certificate continues
        self.guarded.reload(self.web(crt, self.key), "config.refused")  # not its key
        self.assertEqual(self.get(crt=crt), (200, b"ok\n"))
        self.guarded.reload("", "config.refused")  # plain from now on: that takes a restart
        self.assertIn("web.tls: changing it requires a restart", self.guarded.daemon.log())

    def test_one_certificate_for_both_ports(self):
        text = (f'listen = {{ tls = true; certificate = "{self.crt}"; private_key = "{self.key}"; }};\n'
                "web = { tls = true; };\n")
        with Guarded(text, web=True) as guarded:
            game = ssl.get_server_certificate(("127.0.0.1", guarded.daemon.port))
            self.assertEqual(ssl.get_server_certificate(("127.0.0.1", guarded.daemon.web_port)), game)
            with Client(guarded.daemon.port, hello=False, context=self.context()) as client:
                log_in(client).ask(ping={})

    def test_a_port_of_each_kind(self):
        """TLS on the game port alone leaves the web port plain, on this machine."""
        text = f'listen = {{ tls = true; certificate = "{self.crt}"; private_key = "{self.key}"; }};\n'
        with Guarded(text, web=True) as guarded:
            with guarded.daemon.web_client() as client:
                client.ask(ping={})

    def check(self, text):
        path = os.path.join(self.directory.name, "checked.conf")
        with open(path, "w") as file:
            file.write(text)
        return subprocess.run([os.environ["TROUPED"], "--check-config", path], capture_output=True, text=True,
                              timeout=TIMEOUT_S)

    def test_check_config_looks_at_both(self):
        rows = [Key("a").row("player")]
        sound = self.check(configuration(rows, self.text.replace("{", '{ address = "0.0.0.0";', 1)))
        self.assertEqual(sound.returncode, 0, sound.stderr)
        self.assertIn("TLS off, on the web port on", sound.stdout)
        other = certificate(self.directory.name, "other")[1]
        for crt, key, told in ((self.crt, other, "key values mismatch"), ("none.crt", self.key, "certificate none.crt"),
                               (self.crt, self.crt, "private key")):
            refused = self.check(self.web(crt, key))
            self.assertEqual(refused.returncode, 1)
            self.assertIn(told, refused.stderr)


if __name__ == "__main__":
    unittest.main()

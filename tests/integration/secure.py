"""Connections by TLS, the command line with keys, and keys that are made and end."""

import base64
import hashlib
import os
import re
import secrets
import socket
import ssl
import subprocess
import tempfile
import time
import unittest

from accounts import UNAUTHENTICATED, Key, configuration, Guarded, challenge, log_in, certificate
from harness import *


class SecureClient(Client):
    def __init__(self, port, ca, **options):
        super().__init__(port, hello=False, context=ssl.create_default_context(cafile=ca), **options)


class Secure(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory(prefix="troupe-tls-")
        self.addCleanup(self.directory.cleanup)
        self.crt, self.key = certificate(self.directory.name)
        self.text = f'listen = {{ tls = true; certificate = "{self.crt}"; private_key = "{self.key}"; }};\n'
        self.guarded = Guarded(self.text)
        self.addCleanup(self.guarded.__exit__, None, None, None)
        self.port = self.guarded.daemon.port

    def test_version_13_and_everything_through_it(self):
        client = SecureClient(self.port, self.crt)
        self.assertEqual(client.socket.version(), "TLSv1.3")
        log_in(client)
        world = client.create_world("w", STEPPED).id
        client.spawn(world)
        client.ask(subscribe=dict(world=world, rate_hz=60, events=True))
        client.step(world, 200)
        data = client.command(world, snapshot={}).data
        self.assertGreater(len(data), 2000)
        client.command(world, restore=dict(data=data))
        self.assertGreater(len(client.states), 0)
        client.ask(destroy_world=dict(world=world))

    def test_large_frames_and_slow_readers(self):
        client = SecureClient(self.port, self.crt)
        log_in(client)
        world = client.create_world("w", FAST, paused=True).id
        for i in range(20):
            client.spawn(world, x=float(3 * i))
        ids = [client.send(get_state=dict(world=world, fields=127)) for _ in range(200)]
        time.sleep(0.5)
        sizes = {len(client.wait(i).state.SerializeToString()) for i in ids}
        self.assertEqual(len(sizes), 1)
        client.ask(destroy_world=dict(world=world))

    def test_a_login_that_is_not_bound_to_its_connection_is_refused(self):
        """Python's TLS exports nothing to bind to; the command line client's is bound (CommandLine)."""
        key = Key("admin")
        with Guarded(configuration([key.row("admin")], self.text)) as guarded:
            port = guarded.daemon.port
            client = SecureClient(port, self.crt)
            self.assertEqual(list(challenge(client).mechanisms), ["SCRAM-SHA-256", "SCRAM-SHA-256-PLUS"])
            client.close()
            self.assertEqual(log_in(SecureClient(port, self.crt), key).role, session_pb2.ROLE_ADMIN)
            for header, binding in (("p=tls-exporter,,", bytes(32)), ("y,,", b"")):
                with self.assertRaises(Refused) as caught:
                    log_in(SecureClient(port, self.crt), key, header=header, binding=binding)
                self.assertEqual(caught.exception.code, UNAUTHENTICATED)

    def test_version_12_is_refused(self):
        for version in (ssl.TLSVersion.TLSv1_2,):
            context = ssl.create_default_context(cafile=self.crt)
            context.maximum_version = version
            plain = socket.create_connection(("127.0.0.1", self.port))
            with self.assertRaises(ssl.SSLError):
                context.wrap_socket(plain, server_hostname="127.0.0.1")
            plain.close()

    def test_plain_bytes_are_not_answered_in_plain(self):
        client = socket.create_connection(("127.0.0.1", self.port))
        client.settimeout(TIMEOUT_S)
        client.sendall(frame(envelope_pb2.ClientMessage(request_id=1, hello=dict(protocol_major=1, client_name="x"))))
        said = b""
        while data := client.recv(65536):
            said += data
        self.assertNotIn(b"0.1.0", said)
        self.assertLess(len(said), 64)

    def test_a_private_key_that_others_can_read_is_warned_of(self):
        os.chmod(self.key, 0o600)
        with Guarded(self.text) as guarded:
            self.assertNotIn("tls.key_readable", guarded.daemon.log())
            os.chmod(self.key, 0o644)
            guarded.reload(self.text, "config.reloaded")
            self.assertIn(f'event=tls.key_readable path="{self.key}"', guarded.daemon.log())

    def test_silent_and_trickling_handshakes_end_after_three_seconds(self):
        began = time.monotonic()
        silent = socket.create_connection(("127.0.0.1", self.port))
        silent.settimeout(TIMEOUT_S)
        silent.sendall(b"\x16\x03\x01")
        while silent.recv(65536):
            pass
        self.assertGreater(time.monotonic() - began, 2.5)

    def test_certificates_are_read_again(self):
        client = log_in(SecureClient(self.port, self.crt))
        old = ssl.get_server_certificate(("127.0.0.1", self.port))
        crt, key = certificate(self.directory.name, "second")
        self.guarded.reload(self.text.replace(self.crt, crt).replace(self.key, key), "config.reloaded")
        new = ssl.get_server_certificate(("127.0.0.1", self.port))
        self.assertNotEqual(old, new)
        log_in(SecureClient(self.port, crt)).ask(ping={})
        client.ask(ping={})  # a session begun under the old certificate continues
        self.guarded.reload(self.text.replace(self.crt, crt), "config.refused")  # not its key
        self.assertEqual(ssl.get_server_certificate(("127.0.0.1", self.port)), new)

    def test_garbage_in_and_after_the_handshake(self):
        for _ in range(50):
            client = socket.create_connection(("127.0.0.1", self.port))
            client.sendall(secrets.token_bytes(300))
            client.close()
        client = SecureClient(self.port, self.crt)
        challenge(client)
        raw = client.socket.fileno()
        os.write(raw, secrets.token_bytes(200))  # under the TLS layer
        with self.assertRaises((ssl.SSLError, Closed, OSError)):
            while True:
                client.receive()
        log_in(SecureClient(self.port, self.crt)).ask(ping={})


class CommandLine(unittest.TestCase):
    """The command line client with a key and TLS."""

    def setUp(self):
        self.directory = tempfile.TemporaryDirectory(prefix="troupe-cli-")
        self.addCleanup(self.directory.cleanup)
        self.crt, self.key = certificate(self.directory.name)
        made = subprocess.run([os.environ["TROUPED"], "--make-key", "me", "--role", "director"], capture_output=True, text=True)
        self.key_file = os.path.join(self.directory.name, "me.key")
        with open(os.open(self.key_file, os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
            file.write(made.stdout)
        self.row = re.search(r"\{ name.*\}", made.stderr).group(0)

    def troupe(self, port, *words, **environment):
        return subprocess.run([os.environ["TROUPE"], "--host", "127.0.0.1", "--port", str(port), *words],
                              capture_output=True, text=True, timeout=TIMEOUT_S, env={**os.environ, **environment})

    def test_key_over_plain_tcp(self):
        with Guarded(configuration([self.row])) as guarded:
            port = guarded.daemon.port
            done = self.troupe(port, "--key-file", self.key_file, "create-world", "w", "--paused")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(self.troupe(port, "worlds", TROUPE_KEY_FILE=self.key_file).returncode, 0)
            secure = self.troupe(port, "--tls", "--ca", self.crt, "worlds")
            self.assertEqual(secure.returncode, 1)
            self.assertIn("omit --tls", secure.stderr)
            none = self.troupe(port, "worlds")
            self.assertEqual(none.returncode, 1)
            self.assertIn("UNAUTHENTICATED", none.stderr)
            self.assertIn("--key-file", none.stderr)
            os.chmod(self.key_file, 0o644)
            self.assertEqual(self.troupe(port, "--key-file", self.key_file, "worlds").returncode, 5)
            os.chmod(self.key_file, 0o600)
            with open(self.key_file, "w") as file:
                file.write("no key\n")
            self.assertEqual(self.troupe(port, "--key-file", self.key_file, "worlds").returncode, 5)

    def test_key_over_tls(self):
        text = f'listen = {{ tls = true; certificate = "{self.crt}"; private_key = "{self.key}"; }};\n'
        with Guarded(configuration([self.row], text)) as guarded:
            port = guarded.daemon.port
            secure = ("--tls", "--ca", self.crt, "--key-file", self.key_file)
            done = self.troupe(port, *secure, "create-world", "w")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("key=me role=director login=SCRAM-SHA-256-PLUS", guarded.daemon.log())
            self.assertEqual(self.troupe(port, *secure, "spawn", "w", "hold").returncode, 0)
            watched = self.troupe(port, *secure, "watch", "w", "--for", "0.5")
            self.assertEqual(watched.returncode, 0, watched.stderr)
            self.assertEqual(self.troupe(port, "worlds", TROUPE_TLS="1", TROUPE_CA=self.crt,
                                         TROUPE_KEY_FILE=self.key_file).returncode, 0)
            stranger, _ = certificate(self.directory.name, "stranger")
            refused = self.troupe(port, "--tls", "--ca", stranger, "worlds")
            self.assertNotEqual(refused.returncode, 0)
            self.assertIn("certificate", refused.stderr)
            other_name = subprocess.run([os.environ["TROUPE"], "--host", "127.0.0.2", "--port", str(port), *secure, "worlds"],
                                        capture_output=True, text=True, timeout=TIMEOUT_S)
            self.assertNotEqual(other_name.returncode, 0)
            self.assertNotEqual(self.troupe(port, "--tls", "--ca", self.key_file, "worlds").returncode, 0)

    def test_tls_failures_say_what_to_do(self):
        text = f'listen = {{ tls = true; certificate = "{self.crt}"; private_key = "{self.key}"; }};\n'
        with Guarded(configuration([self.row], text)) as guarded:
            for options, code, told in (((), 3, "uses TLS, add --tls"), (("--tls",), 1, "certificates to trust with --ca"),
                                        (("--tls", "--ca", "/nowhere"), 1, "/nowhere: expected certificates in PEM: No such file"),
                                        (("--tls", "--ca", self.key), 1, "expected certificates in PEM: ")):
                refused = self.troupe(guarded.daemon.port, *options, "worlds")
                self.assertEqual(refused.returncode, code, refused.stderr)
                self.assertIn(told, refused.stderr)

    def test_which_file_of_tls_is_no_good(self):
        for crt, key, told in (("/nowhere", self.key, "certificate /nowhere: expected certificates in PEM: No such file"),
                               (self.key, self.key, "expected certificates in PEM: no start line"),
                               (self.crt, self.crt, f"private key {self.crt}: expected the key of certificate {self.crt} in PEM: ")):
            path = os.path.join(self.directory.name, "tls.conf")
            with open(path, "w") as file:
                file.write(f'listen = {{ tls = true; certificate = "{crt}"; private_key = "{key}"; }};\n')
            checked = subprocess.run([os.environ["TROUPED"], "--check-config", path], capture_output=True, text=True,
                                     timeout=TIMEOUT_S)
            self.assertEqual(checked.returncode, 1)
            self.assertIn(told, checked.stderr)


class Keys(unittest.TestCase):
    def run_trouped(self, *options):
        return subprocess.run([os.environ["TROUPED"], *options], capture_output=True, text=True, timeout=TIMEOUT_S)

    def test_a_key_that_the_daemon_makes(self):
        made = self.run_trouped("--make-key", "arena-1", "--role", "director", "--expires", "2099-01-01")
        self.assertEqual(made.returncode, 0, made.stderr)
        text = made.stdout.strip()
        name, secret = text.split(".")
        self.assertEqual(name, "arena-1")
        key = Key(name, base64.urlsafe_b64decode(secret))
        row = made.stderr.splitlines()[-1].strip()  # the row as printed, to be pasted
        salt = base64.b64decode(re.search(r"4096:(.*?)\$", row).group(1))
        key.salt, (key.client_key, key.server_key) = salt, key.derive(salt, 4096)
        key.stored = hashlib.sha256(key.client_key).digest()
        self.assertEqual(row, key.row("director", "2099-01-01"))
        self.assertNotIn(secret, made.stderr)
        with Guarded(configuration([row])) as guarded:
            self.assertEqual(guarded.connect(key).role, session_pb2.ROLE_DIRECTOR)
            self.assertNotIn(secret, guarded.daemon.log())

    def test_a_hash_from_before_scram_is_refused_with_the_remedy(self):
        with Guarded(configuration([Key("new").row("admin")])) as guarded:
            with open(guarded.path, "w") as file:
                file.write(configuration([Key("old").row("player", hash="sha256:" + 64 * "0")]))
            checked = self.run_trouped("--check-config", guarded.path)
            self.assertNotEqual(checked.returncode, 0)
            self.assertRegex(checked.stderr, r":\d+: keys\.hash: .*trouped --make-key NAME")

    def test_mistakes_in_making_a_key(self):
        for options in ("--role", "none"), ("--role", "king"), ("--expires", "31.1.2099"), ("--make-key", "Bad_Name"):
            made = self.run_trouped("--make-key", "arena", *options)
            self.assertEqual((made.returncode, made.stdout), (2, ""), options)
            self.assertIn(f"{options[0]}: '{options[1]}': expected", made.stderr)

    def test_mistakes_of_a_configuration(self):
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "c.conf")
            key = Key("a").row("player")
            for text, told in (
                    ("threads = 2;\nthread = 2;\n", ":2: thread: no such setting"),
                    ("listen = {\n  prot = 1;\n};\n", ":2: listen.prot: no such setting"),
                    ("listen = 7400;\n", ":1: listen: expected a group"),
                    ("listen = { port = 65536; };\n", ":1: listen.port: expected a whole number from 0 to 65535, found 65536"),
                    ('listen = { port = "7400"; };\n', ":1: listen.port: expected a whole number"),
                    ('listen = { address = "localhost"; };\n', ":1: listen.address: expected a numeric address"),
                    ('\n\nlog = { level = "loud"; };\n', ':3: log.level: expected "error"'),
                    ("roles = { player = { world = 1; }; };\n", ":1: roles.player.world: no such limit"),
                    ("roles = { king = { worlds = 1; }; };\n", ":1: roles.king: expected a group named"),
                    ("roles = { player = { worlds = -1; }; };\n", ":1: roles.player.worlds: expected a whole number"),
                    ('keys = ( { name = "a"; role = "player"; } );\n', ":1: keys: expected name, role and hash"),
                    (f"keys = (\n {key},\n {key}\n);\n", 'expected one key of the name "a"'),
                    (configuration([key.replace("SCRAM-SHA-256", "md5:")]), ":2: keys.hash: expected"),
                    (configuration([key.replace('"player"', '"king"')]), ":2: keys.role: expected"),
                    (configuration([key.replace("name", "nom")]), ":2: keys: no such field"),
                    (configuration([Key("a").row("player", "2027-02-31")]), ":2: keys.expires: expected"),
                    ('web = { allowed_origins = [ "play.example.org" ]; };\n', ":1: web.allowed_origins: expected http"),
                    ('@include "other.conf"\n', ":1: @include"),
                    ("threads = 1;\nthreads = 2;\n", ":2: 'threads' stands in line 1 already"),
                    ("threads = ;\n", ":1: syntax error"),
                    (f"keys = (\n {key},\n);\n", ":3: syntax error here or just before"),
                    ("listen = { tls = true; };\n", "expected listen.certificate"),
                    ('listen = { address = "0.0.0.0"; };\n', "expected listen.tls = true"),
                    ('listen = { address = "0.0.0.0"; plain_anywhere = true; };\n', "expected keys"),
                    ("web = { tls = true; };\n", "web.tls: expected web.certificate"),
                    ('web = { tls = true; certificate = "c"; };\n', "web.tls: expected web.certificate"),
                    ('listen = { tls = true; certificate = "c"; private_key = "k"; };\n'
                     'web = { tls = true; private_key = "k"; };\n', "web.tls: expected web.certificate"),
                    ('web = { certificate = "c"; private_key = "k"; };\n', "expected web.tls = true as well"),
                    ('web = { tls = 1; };\n', ":1: web.tls: expected true or false"),
                    ('web = { address = "0.0.0.0"; };\n', "expected web.tls = true, or web.plain_anywhere"),
                    ('web = { address = "::"; plain_anywhere = true; };\n', "expected keys"),
                    ("x" * (1 << 20) + "y", "larger than 1048576 bytes"),
                    ("threads = 1;\0\n", "zero byte")):
                with open(path, "w") as file:
                    file.write(text)
                checked = self.run_trouped("--check-config", path)
                self.assertEqual(checked.returncode, 2, text[:80])
                self.assertIn(told, checked.stderr, text[:80])
            with open(path, "w") as file:
                file.write(configuration([key], "threads = 2;\nlisten = { port = 0; };\n"))
            self.assertIn("valid; 1 keys", self.run_trouped("--check-config", path).stdout)
            self.assertEqual(self.run_trouped("--check-config", os.path.join(directory, "none")).returncode, 2)

    def test_the_example_is_sound_and_says_the_defaults(self):
        path = os.path.join(os.path.dirname(__file__), "..", "..", "deploy", "trouped.conf")
        self.assertEqual(self.run_trouped("--check-config", path).returncode, 0)


if __name__ == "__main__":
    unittest.main()

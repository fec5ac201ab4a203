"""The C# client under Mono: its encoding against Python's, sessions, keys, ends, and the sample for Unity."""

import os
import shutil
import socket
import ssl
import struct
import subprocess
import tempfile
import threading
import unittest

from accounts import Guarded, Key, certificate, configuration
from harness import Daemon
from messages import packed, samples, unpacked

HERE = os.path.dirname(os.path.abspath(__file__))
CSHARP = os.path.join(HERE, "../../client/csharp")
CLIENT = os.environ["TROUPE_CSHARP"]


class SecureFront:
    """TLS before a plain port: Debian's Mono has no TLS 1.3, the daemon nothing else."""

    def __init__(self, folder, port):
        crt, private = certificate(folder)
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(crt, private)
        self.behind = port
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            plain, _ = self.socket.accept()
            threading.Thread(target=self.session, args=(plain,), daemon=True).start()

    def session(self, plain):
        try:
            secured = self.context.wrap_socket(plain, server_side=True)
        except OSError:
            return  # the client did not trust the certificate
        with secured, socket.create_connection(("127.0.0.1", self.behind)) as daemon:
            threading.Thread(target=self.forward, args=(daemon, secured), daemon=True).start()
            self.forward(secured, daemon)

    @staticmethod
    def forward(source, target):
        try:
            while data := source.recv(65536):
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # one side has left


class CSharp(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="troupe-cs-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.program = os.path.join(cls.folder, "Tests.exe")
        sources = [os.path.join(HERE, "csharp", name) for name in ("Tests.cs", "UnityEngine.cs")]
        sample = os.path.join(CSHARP, "Samples/TroupeCharacter.cs")
        cls.library = shutil.copy(os.path.join(CLIENT, "Troupe.Client.dll"), cls.folder)
        subprocess.run(["mcs", "-langversion:7", "-warnaserror", f"-out:{cls.program}", f"-r:{cls.library}", *sources, sample], check=True)

    def run_group(self, group, port=0, **environment):
        done = subprocess.run(["mono", self.program, group, str(port)], capture_output=True, text=True,
                              env={**os.environ, **environment})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("ok ", done.stdout)

    def test_every_message_survives_decoding_and_encoding(self):
        messages = samples(20)
        done = subprocess.run(["mono", self.program, "Echo"], input=packed(messages) + struct.pack("<i", 0), capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(list(unpacked(done.stdout, messages)), messages)

    def test_rigs(self):
        self.run_group("Rigs", TROUPE_SOURCE=os.path.join(HERE, "../.."))

    def test_codec(self):
        self.run_group("Codec")

    def test_sessions(self):
        with Daemon() as daemon:
            self.run_group("Sessions", daemon.port)

    def test_accounts(self):
        key = Key("script")
        with Guarded(configuration([key.row("director")])) as guarded:
            self.run_group("Accounts", guarded.daemon.port, TROUPE_TEST_KEY=key.text())

    def test_secure(self):
        with Daemon() as daemon, tempfile.TemporaryDirectory(prefix="troupe-cs-") as folder:
            self.run_group("Secure", SecureFront(folder, daemon.port).port)

    def test_the_daemons_end(self):
        with Daemon() as daemon:
            client = subprocess.Popen(["mono", self.program, "End", str(daemon.port)], stdout=subprocess.PIPE, text=True)
            self.assertEqual(client.stdout.readline(), "connected\n")
            daemon.stop()
            self.assertIn("ok ", client.communicate()[0])
            self.assertEqual(client.returncode, 0)

    def test_hello(self):
        sample = os.path.join(CSHARP, "Samples/Hello.cs")
        with open(sample) as source, open(os.path.join(CSHARP, "README.md")) as readme:
            self.assertIn(source.read(), readme.read())
        program = os.path.join(self.folder, "Hello.exe")
        subprocess.run(["mcs", "-warnaserror", f"-out:{program}", f"-r:{self.library}", sample], check=True)
        with Daemon(bundle=False, shipped=True) as daemon:
            told = subprocess.run(["mono", program, str(daemon.port)], capture_output=True, text=True)
        self.assertRegex(told.stdout, r"^x [12]\.\d\d m, on its feet\n$", told.stderr)

    def test_sample_for_unity(self):
        with Daemon(bundle=False, shipped=True) as daemon:
            self.run_group("Sample", daemon.port)


if __name__ == "__main__":
    unittest.main()

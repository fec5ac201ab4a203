"""The C# client under Mono: its encoding against Python's, sessions, keys, ends, and the sample for Unity."""

import os
import random
import shutil
import socket
import ssl
import struct
import subprocess
import tempfile
import threading
import unittest

from accounts import Guarded, Key, certificate, configuration
from google.protobuf.descriptor import FieldDescriptor
from harness import Daemon
from troupe import catalogue_pb2, character_pb2, command_pb2, envelope_pb2, geometry_pb2, match_pb2, object_pb2
from troupe import recording_pb2, session_pb2, state_pb2, world_pb2

HERE = os.path.dirname(os.path.abspath(__file__))
CSHARP = os.path.join(HERE, "../../client/csharp")
CLIENT = os.environ["TROUPE_CSHARP"]
FILES = (catalogue_pb2, character_pb2, command_pb2, envelope_pb2, geometry_pb2, match_pb2, object_pb2, recording_pb2,
         session_pb2, state_pb2, world_pb2)
F = FieldDescriptor
EDGES = {F.TYPE_BOOL: [False, True], F.TYPE_UINT32: [0, 1, 127, 128, 2**32 - 1], F.TYPE_UINT64: [0, 1, 2**63, 2**64 - 1],
         F.TYPE_INT64: [0, 1, -1, -2**63, 2**63 - 1], F.TYPE_SINT32: [0, 1, -1, -2**31, 2**31 - 1],
         F.TYPE_FIXED64: [0, 1, 2**64 - 1], F.TYPE_DOUBLE: [0.0, 0.1, -1e300, float("inf")],
         F.TYPE_FLOAT: [0.0, 0.5, -2.0**100, float("inf")], F.TYPE_STRING: ["", "a", "ä€𝄞", "x" * 200],
         F.TYPE_BYTES: [b"", b"\0", b"\xff" * 200]}


def fill(message, chance, depth=0):
    """Values at the edges of each field's type, in about half of the fields."""
    for field in message.DESCRIPTOR.fields:
        repeated = field.label == F.LABEL_REPEATED
        for _ in range(chance.randrange(4) if repeated else chance.randrange(2)):
            if field.type == F.TYPE_MESSAGE:
                if depth < 4:
                    part = getattr(message, field.name)
                    part = part.add() if repeated else part
                    part.SetInParent() if not repeated else None
                    fill(part, chance, depth + 1)
                continue
            values = [each.number for each in field.enum_type.values] if field.type == F.TYPE_ENUM else EDGES[field.type]
            value = chance.choice(values)
            getattr(message, field.name).append(value) if repeated else setattr(message, field.name, value)
    return message


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
        chance = random.Random(1)
        kinds = [getattr(file, name) for file in FILES for name in file.DESCRIPTOR.message_types_by_name]
        messages = [fill(kind(), chance) for kind in kinds for _ in range(20)]
        given = b"".join(struct.pack("<i", len(part)) + part for message in messages
                         for part in (message.DESCRIPTOR.name.encode(), message.SerializeToString()))
        done = subprocess.run(["mono", self.program, "Echo"], input=given + struct.pack("<i", 0), capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        at = 0
        for message in messages:
            size = struct.unpack_from("<i", done.stdout, at)[0]
            returned = type(message).FromString(done.stdout[at + 4:at + 4 + size])
            at += 4 + size
            self.assertEqual(returned, message)
        self.assertEqual(at, len(done.stdout))

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

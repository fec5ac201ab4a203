"""The Python package's clients with keys and TLS."""

import asyncio
import importlib.util
import os
import subprocess
import tempfile
import unittest

from accounts import Guarded, certificate, configuration
from troupe import AsyncClient, Client, Code, Disconnected, Refused, keys, requests


def make_key(name, role):
    """A key of the daemon's making: its text, and the line for the configuration."""
    made = subprocess.run([os.environ["TROUPED"], "--make-key", name, "--role", role], capture_output=True, text=True)
    return made.stdout.strip(), made.stderr[made.stderr.index("{"):made.stderr.index("}") + 1]


class Accounts(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory(prefix="troupe-py-")
        self.addCleanup(self.directory.cleanup)
        self.key, row = make_key("script", "director")
        self.crt, private = certificate(self.directory.name)
        self.tls = f'listen = {{ tls = true; certificate = "{self.crt}"; private_key = "{private}"; }};\n'
        self.row = row

    def test_plain(self):
        with Guarded(configuration([self.row])) as guarded:
            port = guarded.daemon.port
            with Client(port=port, key=self.key) as client:
                self.assertEqual(client.welcome.role, 3)
                client.ask(requests.create_world("w"))
            with self.assertRaises(Refused) as caught:
                Client(port=port)
            self.assertEqual(caught.exception.code, Code.UNAUTHENTICATED)
            with self.assertRaises(ValueError):
                Client(port=port, key="script")
            path = os.path.join(self.directory.name, "key")
            with open(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
                file.write(self.key + "\n")
            os.environ["TROUPE_KEY_FILE"] = path
            try:
                with Client(port=port) as client:
                    self.assertEqual(client.welcome.role, 3)
                os.chmod(path, 0o640)
                with self.assertRaises(PermissionError):
                    Client(port=port)
            finally:
                del os.environ["TROUPE_KEY_FILE"]

    def test_secure(self):
        with Guarded(configuration([self.row], self.tls)) as guarded:
            port = guarded.daemon.port
            with Client(port=port, key=self.key, tls=keys.secure_context(self.crt)) as client:
                world = client.ask(requests.create_world("w")).id
                client.ask(requests.subscribe(world, 30))
                self.assertEqual(client.next_state().world, world)
            with self.assertRaises(Disconnected):
                Client(port=port, key=self.key, tls=keys.secure_context())  # no known authority signed it

    @unittest.skipUnless(importlib.util.find_spec("numpy"), "numpy is not installed")
    def test_environments(self):
        """In a daemon that asks for keys, over TLS: an environment without the key fails."""
        from troupe.envs import CharacterEnv, Crowd, Task, VectorCharacters

        task = Task("hold", max_steps=2)
        with Guarded(configuration([self.row], self.tls)) as guarded:
            at = dict(port=guarded.daemon.port, key=self.key, tls=keys.secure_context(self.crt))
            with CharacterEnv(task, **at) as one, VectorCharacters(task, 2, **at) as many, Crowd(task, **at) as crowd:
                for env in (one, many, crowd):
                    env.reset(seed=1)
                self.assertEqual(len(many.step(many.action_space.sample())[0]), 2)
            with self.assertRaises(Refused):
                CharacterEnv(task, **{**at, "key": None})

    def test_asynchronous(self):
        async def use(port, **options):
            async with await AsyncClient.connect(port=port, key=self.key, **options) as client:
                return (await client.ask(requests.ping(b"x"))).payload, client.welcome.role

        with Guarded(configuration([self.row])) as guarded:
            self.assertEqual(asyncio.run(use(guarded.daemon.port)), (b"x", 3))
            with self.assertRaises(Refused):
                asyncio.run(self._refused(guarded.daemon.port))
        with Guarded(configuration([self.row], self.tls)) as guarded:
            self.assertEqual(asyncio.run(use(guarded.daemon.port, tls=keys.secure_context(self.crt))), (b"x", 3))

    @staticmethod
    async def _refused(port):
        async with await AsyncClient.connect(port=port):
            pass


if __name__ == "__main__":
    unittest.main()

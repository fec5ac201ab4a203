"""Starts the daemon for python_wire.py, the client that shows that the protocol needs nothing of ours."""

import os
import subprocess
import sys
import unittest

from harness import Daemon


class PythonClient(unittest.TestCase):
    def test_wire(self):
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "python_wire.py")
        with Daemon() as daemon:
            ended = subprocess.run([sys.executable, "-B", script, "127.0.0.1", str(daemon.port)], timeout=60)
            self.assertEqual(ended.returncode, 0)


if __name__ == "__main__":
    unittest.main()

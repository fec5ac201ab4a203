"""Ports for what does not listen yet."""

import random
import socket


def quiet_port():
    """A free port that the system gives to no other process: for a server that starts later, or never."""
    with open("/proc/sys/net/ipv4/ip_local_port_range") as file:
        first, last = map(int, file.read().split())
    others = [port for port in range(10000, 65536) if not first <= port <= last] or [0]
    while True:
        with socket.socket() as one:
            try:
                one.bind(("127.0.0.1", random.choice(others)))
                return one.getsockname()[1]
            except OSError:
                pass  # in use

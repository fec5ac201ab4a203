"""What the web port costs: memory of a connection, time of the daemon for a request and for a message.

    TROUPED=build/release/server/trouped TROUPE_BUNDLE=build/release/tests/integration/puppets.troupe \\
        PYTHONPATH=build/release/tests/integration/wire:tests/integration /usr/bin/python3 tests/bench/web_port.py

A second daemon, TROUPED_OTHER, is measured in turns with the first. Times are the daemon's own, of all its threads; a figure
is the median of the rounds.
"""

import glob
import os
import re
import ssl
import statistics
import tempfile

from accounts import Guarded, certificate
from harness import *

ROUNDS, WARM_UP, HELD, REQUESTS = 5, 20, 100, 4000


def cpu_s(daemon):
    total = 0
    for path in glob.glob(f"/proc/{daemon.process.pid}/task/*/schedstat"):
        with open(path) as file:
            total += int(file.read().split()[0])
    return 1e-9 * total


def heap_kb(daemon):
    with open(f"/proc/{daemon.process.pid}/smaps_rollup") as file:
        return int(next(line for line in file if line.startswith("Pss_Anon")).split()[1])


def connect(port, context):
    sock = socket.create_connection(("127.0.0.1", port), TIMEOUT_S)
    return context.wrap_socket(sock, server_hostname="127.0.0.1") if context else sock


def ask(sock, path):
    sock.sendall(b"GET /%s HTTP/1.1\r\nHost: x\r\nUser-Agent: some browser of the usual length\r\nAccept: */*\r\n\r\n" % path)
    answer = b""
    while b"\r\n\r\n" not in answer:
        answer += sock.recv(65536)
    head, body = answer.split(b"\r\n\r\n", 1)
    left = int(re.search(rb"Content-Length: (\d+)", head).group(1)) - len(body)
    while left > 0:
        left -= len(sock.recv(65536))


def asked(daemon, context):
    sock = connect(daemon.web_port, context)
    ask(sock, b"healthz")
    return sock


def session(daemon, context):
    return WebClient(daemon.web_port, context=context)


def memory_of(make, text, context):
    """KiB that each of the last HELD takes in a fresh daemon."""
    with Guarded(text, web=True) as guarded:
        held = [make(guarded.daemon, context) for _ in range(WARM_UP)]
        before = heap_kb(guarded.daemon)
        held += [make(guarded.daemon, context) for _ in range(HELD)]
        kb = (heap_kb(guarded.daemon) - before) / HELD
        for item in held:
            item.close()
    return kb


def time_of_requests(daemon, context, path):
    sock = connect(daemon.web_port, context)
    began = cpu_s(daemon)
    for _ in range(REQUESTS):
        ask(sock, path)
    sock.close()
    return 1e6 * (cpu_s(daemon) - began) / REQUESTS


def time_of_messages(daemon, context):
    with WebClient(daemon.web_port, context=context) as client:
        began = cpu_s(daemon)
        for _ in range(REQUESTS):
            client.ask(ping=dict(payload=bytes(64)))
        return 1e6 * (cpu_s(daemon) - began) / REQUESTS


def measure(trouped, text, context):
    os.environ["TROUPED"] = trouped
    memory = memory_of(asked, text, context), memory_of(session, text, context)
    with Guarded(text, web=True) as guarded:
        daemon = guarded.daemon
        return (*memory, time_of_requests(daemon, context, b"healthz"), time_of_requests(daemon, context, b"metrics"),
                time_of_messages(daemon, context))


def main():
    subjects = [("trouped", os.environ["TROUPED"], False), ("trouped, TLS", os.environ["TROUPED"], True)]
    if "TROUPED_OTHER" in os.environ:
        subjects.insert(0, ("the other", os.environ["TROUPED_OTHER"], False))
    with tempfile.TemporaryDirectory() as directory:
        crt, key = certificate(directory)
        secure = f'web = {{ tls = true; certificate = "{crt}"; private_key = "{key}"; }};\n'
        context = ssl.create_default_context(cafile=crt)
        found = {name: [] for name, _, _ in subjects}
        for _ in range(ROUNDS):
            for name, trouped, tls in subjects:
                found[name].append(measure(trouped, secure if tls else "", context if tls else None))
    print("| | KiB a connection | KiB a session | us for /healthz | us for /metrics | us for a message there and back |")
    print("|---|---|---|---|---|---|")
    for name, rows in found.items():
        print(f"| {name} | " + " | ".join(f"{statistics.median(column):.1f}" for column in zip(*rows)) + " |")


if __name__ == "__main__":
    main()

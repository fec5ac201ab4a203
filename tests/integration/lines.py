"""A line between a client and a daemon that a test can break: it forwards frames, and knows the requests."""

import select
import socket
import threading

from troupe import envelope_pb2


class Cut(Exception):
    """Raised by a hook: the connection ends."""


def take_frames(buffer):
    """The whole frames at the beginning of the bytes, and the rest."""
    frames = []
    while True:
        size, shift, at = 0, 0, 0
        while at < len(buffer):
            size |= (buffer[at] & 0x7F) << shift
            shift, at = shift + 7, at + 1
            if buffer[at - 1] < 0x80:
                break
        else:
            return frames, buffer
        if at + size > len(buffer):
            return frames, buffer
        frames.append(buffer[:at + size])
        buffer = buffer[at + size:]


def request_of(data):
    """The kind of the request in a frame; of a command its own kind."""
    prefix = next(i for i, byte in enumerate(data) if byte < 0x80) + 1
    message = envelope_pb2.ClientMessage()
    message.ParseFromString(data[prefix:])
    kind = message.WhichOneof("request")
    return message.command.WhichOneof("command") if kind == "command" else kind


class Line:
    """Listens on `port` and forwards to `daemon_port`. `hook(kind, phase)` is called before a request is forwarded
    ("request"), and before its answer is ("answer"). `state`: "up"; "down", which accepts no connection; or "silent",
    which forwards nothing. `cut` ends all connections."""

    def __init__(self, daemon_port, hook=lambda kind, phase: None):
        self.daemon_port, self.hook, self.state = daemon_port, hook, "up"
        self.pairs, self.lock = [], threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        self.listener.close()
        self.cut()

    def cut(self):
        with self.lock:
            pairs, self.pairs = self.pairs, []
        for pair in pairs:
            for end in pair:
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client):
        try:
            if self.state == "down":
                return
            with socket.create_connection(("127.0.0.1", self.daemon_port)) as daemon:
                for end in client, daemon:
                    end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                with self.lock:
                    self.pairs.append((client, daemon))
                self._forward(client, daemon)
        except (OSError, Cut):
            pass
        finally:
            client.close()

    def _forward(self, client, daemon):
        buffer, asked = b"", None
        while True:
            ready = select.select([client, daemon], [], [], 0.05)[0]
            if self.state == "silent":
                if ready:
                    select.select([], [], [], 0.05)
                continue
            for end in ready:
                data = end.recv(1 << 20)
                if not data:
                    return
                if end is daemon:
                    if asked:
                        self.hook(asked, "answer")
                    asked = None
                    client.sendall(data)
                    continue
                frames, buffer = take_frames(buffer + data)
                for one in frames:
                    asked = request_of(one)
                    self.hook(asked, "request")
                    daemon.sendall(one)

"""The web port and hostile clients: slow, endless, half-closed, in pieces. In each case the daemon stays within its bounds
and still answers others."""

import os
import re
import shutil
import struct
import tempfile
import unittest

from harness import *

CLOSE = web_frame(b"\x03\xe8", opcode=8)


def read_all(sock):
    answer = b""
    try:
        while piece := sock.recv(65536):
            answer += piece
    except ConnectionResetError:
        pass
    return answer


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.root = tempfile.mkdtemp(prefix="troupe-web-")
        cls.big = os.urandom(4 << 20)
        with open(os.path.join(cls.root, "big.bin"), "wb") as file:
            file.write(cls.big)
        cls.daemon = Daemon("--web-root", cls.root)
        cls.port = cls.daemon.web_port

    @classmethod
    def tearDownClass(cls):
        cls.daemon.__exit__(None, None, None)
        shutil.rmtree(cls.root)

    def connect(self, receive_buffer=None):
        sock = socket.socket()
        self.addCleanup(sock.close)
        if receive_buffer:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        sock.settimeout(TIMEOUT_S)
        sock.connect(("127.0.0.1", self.port))
        return sock

    def client(self, **options):
        client = self.daemon.web_client(**options)
        self.addCleanup(client.close)
        return client

    def get(self, path):
        sock = self.connect()
        sock.sendall(b"GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n" % path)
        return read_all(sock)

    def assert_alive(self):
        self.assertTrue(self.get(b"/healthz").endswith(b"\r\n\r\nok\n"))

    def sessions(self):
        return int(re.search(rb'troupe_sessions\{transport="websocket"\} (\d+)', self.get(b"/metrics")).group(1))

    def wait_for_sessions(self, count):
        deadline = time.monotonic() + TIMEOUT_S
        while self.sessions() != count:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)


class Requests(Case):
    def test_a_header_a_byte_at_a_time(self):
        """Bytes that come do not buy time: the request must be whole 5 s after its connection was made."""
        sock = self.connect()
        began = time.monotonic()
        sock.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ")
        sock.settimeout(0.2)
        answer = b""
        while not answer and time.monotonic() < began + TIMEOUT_S:
            try:
                sock.sendall(b"a")
                answer = sock.recv(4096)
            except socket.timeout:
                pass
        self.assertTrue(answer.startswith(b"HTTP/1.1 408 "), answer)

    def test_headers_without_end(self):
        for line in b"A: b\r\n", b"A: " + 100 * b"b" + b"\r\n", b"A:\r\n":
            sock = self.connect()
            try:
                sock.sendall(b"GET / HTTP/1.1\r\n" + 3000 * line)
            except (BrokenPipeError, ConnectionResetError):
                pass
            self.assertIn(read_all(sock)[:13], (b"HTTP/1.1 431 ", b""))  # b"": a reset, because the client was still sending
        self.assert_alive()

    def test_every_line_in_a_separate_packet(self):
        sock = self.connect()
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for line in [b"GET /healthz HTTP/1.1\r\n", b"Host: localhost\r\n", *[b"A%d: b\r\n" % i for i in range(50)],
                     b"Connection: close\r", b"\n\r", b"\n"]:
            sock.sendall(line)
            time.sleep(0.002)
        self.assertTrue(read_all(sock).endswith(b"ok\n"))

    def test_ambiguous_requests_are_refused(self):
        """Two requests for one reader and one for another: none is answered with 200."""
        for request in (b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                        b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length : 3\r\n\r\n",
                        b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: +0\r\n\r\n",
                        b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding:\x0bchunked\r\n\r\n",
                        b"GET /healthz HTTP/1.1\nHost: x\n\n", b"\r\nGET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n",
                        b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: y\r\n Host: z\r\n\r\n"):
            sock = self.connect()
            sock.sendall(request)
            answer = read_all(sock)
            self.assertRegex(answer, rb"^HTTP/1.1 4\d\d ", request)
            self.assertEqual(len(re.findall(rb"HTTP/1\.1", answer)), 1, request)

    def test_half_closed_behind_a_request(self):
        sock = self.connect(receive_buffer=4096)
        sock.sendall(b"GET /big.bin HTTP/1.1\r\nHost: localhost\r\n\r\nGET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        sock.shutdown(socket.SHUT_WR)
        answer = read_all(sock)
        self.assertTrue(answer.endswith(b"\r\n\r\nok\n"))
        self.assertIn(self.big[-1000:], answer)

    def test_half_closed_within_a_request(self):
        sock = self.connect()
        sock.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n")
        sock.shutdown(socket.SHUT_WR)
        self.assertEqual(read_all(sock), b"")

    def test_clients_that_ask_and_do_not_read_make_room(self):
        """With all places taken by clients that do not read, a new client is answered, and one that reads is not closed."""
        reader = self.connect(receive_buffer=4096)
        reader.sendall(b"GET /big.bin HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        stuck = [self.connect(receive_buffer=4096) for _ in range(127)]
        for sock in stuck:
            sock.sendall(b"GET /big.bin HTTP/1.1\r\nHost: localhost\r\n\r\n")
        before, size = self.daemon.memory_kb(), 0
        deadline = time.monotonic() + 3
        while time.monotonic() < deadline:
            size += len(reader.recv(65536))
            time.sleep(0.01)
        for _ in range(5):
            self.assert_alive()
        self.assertLess(self.daemon.memory_kb() - before, 4096)
        size += len(read_all(reader))
        self.assertGreater(size, len(self.big))

    def test_refused_clients_that_stay_make_room(self):
        for _ in range(3):
            stuck = [self.connect() for _ in range(128)]
            for sock in stuck:
                sock.sendall(b"\r\n")
            self.assert_alive()

    def test_a_thousand_pipelined_requests_unread(self):
        sock = self.connect(receive_buffer=4096)
        sock.settimeout(1)
        before = self.daemon.memory_kb()
        try:
            sock.sendall(20000 * b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
        except socket.timeout:
            pass
        self.assert_alive()
        self.assertLess(self.daemon.memory_kb() - before, 4096)


class Frames(Case):
    def ping(self, request_id, payload=b"x"):
        return frame(envelope_pb2.ClientMessage(request_id=request_id, ping=dict(payload=payload)))

    def test_frames_of_the_protocol_before_the_answer(self):
        """Nothing may be said before the handshake is answered: it would be read as a request."""
        sock = self.connect()
        sock.sendall(handshake(self.port) + web_frame(b"early"))
        self.assertTrue(read_all(sock).startswith(b"HTTP/1.1 400 "))

    def test_a_frame_that_says_it_is_endless(self):
        """Its bytes are read as a stream: requests in it are answered, and nothing is held for it."""
        client = self.client()
        before = self.daemon.memory_kb()
        client.socket.sendall(b"\x82" + struct.pack("!BQ", 0xFF, (1 << 63) - 1) + bytes(4))
        for i in range(100, 300):
            client.socket.sendall(self.ping(i))
            self.assertEqual(client.wait(i).pong.payload, b"x")
        self.assertLess(self.daemon.memory_kb() - before, 1024)

    def test_a_length_beyond_the_limit_of_the_protocol(self):
        client = self.client()
        client.socket.sendall(b"\x82" + struct.pack("!BQ", 0xFF, 1 << 63) + bytes(5))
        client.receive_until_closed()
        self.assertEqual(client.close_code, 1002)

    def test_many_fragments_with_control_frames_between(self):
        client = self.client(receive_buffer=4096)
        before = self.daemon.memory_kb()
        request = self.ping(100)
        client.socket.sendall(web_frame(request[:1], final=False))
        client.socket.settimeout(5)
        for _ in range(4):
            client.socket.sendall(100 * (web_frame(b"", opcode=0, final=False) + web_frame(b"", opcode=10)) +
                                  web_frame(b"still", opcode=9))
        client.socket.sendall(web_frame(request[1:], opcode=0))
        self.assertEqual(client.wait(100).pong.payload, b"x")
        self.assertLess(self.daemon.memory_kb() - before, 1024)
        self.assertEqual(set(client.pongs), {b"still"})

    def test_a_flood_that_holds_nothing_is_cut_off(self):
        """A client that sends nothing but frames without payload would have the loop for itself."""
        for flood in web_frame(b"", opcode=9), web_frame(b"", opcode=10), web_frame(b"", opcode=0, final=False):
            client = self.client()
            client.socket.sendall(web_frame(b"", final=False) + 2000 * flood + web_frame(self.ping(100), opcode=0))
            client.receive_until_closed()
            self.assertEqual(client.close_code, 1008)
            self.assertNotIn(100, client.responses)

    def test_an_endless_flood_leaves_others_alone(self):
        with self.daemon.client() as good:
            client = self.client(receive_buffer=4096)
            sent = 0
            try:
                while sent < 64 << 20:
                    sent += client.socket.send(10000 * web_frame(b"", opcode=9))
                    good.ask(ping={})
            except OSError:
                pass
            self.assertLess(sent, 64 << 20)

    def test_how_broken_streams_are_closed(self):
        for code, data in ((1002, web_frame(b"", opcode=0)), (1002, web_frame(b"a", final=False) + web_frame(b"b")),
                           (1002, web_frame(b"a", opcode=9, final=False)), (1002, web_frame(bytes(126), opcode=9)),
                           (1002, web_frame(b"a", opcode=3)), (1002, web_frame(b"a", opcode=11)),
                           (1002, web_frame(b"\x03", opcode=8)), (1002, web_frame(b"\x03\xed", opcode=8)),
                           (1002, web_frame(b"\x00\x00", opcode=8)), (1002, web_frame(b"\xff\xff", opcode=8)),
                           (1003, web_frame(b"text", opcode=1)), (3000, web_frame(b"\x0b\xb8why", opcode=8))):
            client = self.client()
            client.socket.sendall(data + web_frame(self.ping(100)))
            client.receive_until_closed()
            self.assertEqual(client.close_code, code, data)
            self.assertNotIn(100, client.responses)

    def test_a_close_whose_sender_stays(self):
        """The sender does not read or close; the daemon closes after a while."""
        self.wait_for_sessions(0)
        client = self.client(receive_buffer=4096)
        world = client.create_world("stay", REAL_TIME).id
        for i in range(8):
            client.spawn(world, x=2.0 * i)
        client.ask(subscribe=dict(world=world, rate_hz=200, fields=63))
        time.sleep(1)  # its buffers are full now
        client.socket.sendall(CLOSE + web_frame(b"more"))
        self.wait_for_sessions(0)
        with self.daemon.client() as other:
            other.ask(destroy_world=dict(world=world))

    def test_half_closed(self):
        """A peer that says no more and no Close either is gone."""
        self.wait_for_sessions(0)
        client = self.client()
        client.ask(ping={})
        client.socket.shutdown(socket.SHUT_WR)
        client.receive_until_closed()
        self.wait_for_sessions(0)

    def test_closes_over_and_over(self):
        client = self.client()
        client.socket.sendall(1000 * CLOSE)
        client.receive_until_closed()
        self.assertEqual(client.close_code, 1000)
        self.assert_alive()


if __name__ == "__main__":
    unittest.main()

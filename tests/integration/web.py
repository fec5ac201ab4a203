"""The web port: pages and figures over HTTP, sessions over WebSocket."""

import gzip
import http.client
import os
import re
import tempfile
import unittest

from harness import *


def get(port, path="/", method="GET", **headers):
    """Status, headers and body of one request on a fresh connection."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT_S)
    connection.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
    response = connection.getresponse()
    body = response.read()
    connection.close()
    return response.status, {name.lower(): value for name, value in response.getheaders()}, body


def exchange(port, data):
    """What the daemon says to these bytes until it closes."""
    with socket.create_connection(("127.0.0.1", port), TIMEOUT_S) as sock:
        sock.sendall(data)
        answer = b""
        while piece := sock.recv(65536):
            answer += piece
        return answer


class Pages(Case):
    def get(self, path="/", **options):
        return get(self.daemon.web_port, path, **options)

    def test_a_daemon_without_a_viewer_says_how_to_build_one(self):
        with Daemon("--web-root", "none") as daemon:
            status, headers, body = get(daemon.web_port)
            self.assertEqual(status, 200)
            self.assertIn(b"deploy/build-viewer.sh", body)
            self.assertEqual(get(daemon.web_port, "/index.html")[0], 404)

    def test_a_viewer_that_is_built_later_is_served(self):
        with tempfile.TemporaryDirectory() as root, Daemon("--web-root", root) as daemon:
            self.assertIn(b"deploy/build-viewer.sh", get(daemon.web_port)[2])
            for content in (b"<!doctype html> first", b"<!doctype html> second"):
                os.makedirs(os.path.join(root, "assets"), exist_ok=True)
                for path in ("index.html", "assets/%d.js" % len(content)):
                    with open(os.path.join(root, path + ".new"), "wb") as file:
                        file.write(content)
                    os.rename(os.path.join(root, path + ".new"), os.path.join(root, path))
                self.assertEqual(get(daemon.web_port)[2], content)
                self.assertEqual(get(daemon.web_port, "/assets/%d.js" % len(content))[2], content)

    def test_a_viewer_that_is_half_built_is_not_served(self):
        def put(path, content):
            with open(os.path.join(root, path + ".new"), "wb") as file:
                file.write(content)
            os.rename(os.path.join(root, path + ".new"), os.path.join(root, path))

        with tempfile.TemporaryDirectory() as root, Daemon("--web-root", root) as daemon:
            os.mkdir(os.path.join(root, "assets"))
            put("index.html", b"first")
            self.assertEqual(get(daemon.web_port)[2], b"first")
            second = b'<script src="./assets/b.js"></script>'
            put("index.html", second)
            self.assertEqual(get(daemon.web_port)[2], b"first")
            put("assets/b.js", b"let b")
            self.assertEqual(get(daemon.web_port)[2], second)
            os.remove(os.path.join(root, "index.html"))
            self.assertEqual(get(daemon.web_port)[2], second)

    def test_alive_and_ready(self):
        self.assertEqual(self.get("/healthz")[::2], (200, b"ok\n"))
        self.assertEqual(self.get("/readyz")[::2], (200, b"ready\n"))

    def test_security_headers_are_on_every_answer(self):
        for path in "/", "/metrics", "/nothing":
            headers = self.get(path)[1]
            self.assertIn("script-src 'self'", headers["content-security-policy"])
            self.assertNotIn("unsafe", headers["content-security-policy"])
            self.assertEqual(headers["x-content-type-options"], "nosniff")

    def test_many_requests_on_one_connection(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.daemon.web_port, timeout=TIMEOUT_S)
        for _ in range(20):
            connection.request("GET", "/healthz")
            self.assertEqual(connection.getresponse().read(), b"ok\n")
            connection.request("HEAD", "/healthz")
            self.assertEqual(connection.getresponse().read(), b"")
        connection.close()

    def test_pipelined_requests_are_answered_in_order(self):
        request = b"GET /%s HTTP/1.1\r\nHost: localhost\r\n%s\r\n"
        answer = exchange(self.daemon.web_port, request % (b"healthz", b"") + request % (b"readyz", b"") +
                          request % (b"nothing", b"Connection: close\r\n"))
        self.assertEqual(re.findall(rb"HTTP/1.1 (\d+)", answer), [b"200", b"200", b"404"])

    def test_malformed_requests_are_refused_and_the_connection_closed(self):
        for status, request in [(400, b"\x16\x03\x01\x02\x00\r\n"), (400, b"GET / HTTP/1.1\r\n\r\n"),
                                (405, b"POST / HTTP/1.1\r\nHost: localhost\r\n\r\n"),
                                (413, b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n"),
                                (414, b"GET /" + 1000 * b"a" + b" HTTP/1.1\r\nHost: localhost\r\n\r\n"),
                                (431, b"GET / HTTP/1.1\r\nA: " + 9000 * b"a"),
                                (505, b"GET / HTTP/2.0\r\nHost: localhost\r\n\r\n")]:
            answer = exchange(self.daemon.web_port, request)
            self.assertEqual(answer[:13].decode(), f"HTTP/1.1 {status} ", request[:40])
            self.assertIn(b"\r\nConnection: close\r\n", answer)

    def test_silent_and_slow_connections_do_not_keep_others_out(self):
        """300 connections send nothing, or a byte at a time; complete requests are still answered within the timeout."""
        idle = [socket.create_connection(("127.0.0.1", self.daemon.web_port), TIMEOUT_S) for _ in range(300)]
        for sock in idle[::2]:
            try:
                sock.sendall(b"G")
            except OSError:
                pass
        for _ in range(10):
            self.assertEqual(self.get("/healthz")[0], 200)
        closed = 0
        for sock in idle:
            sock.settimeout(0.01)
            try:
                closed += sock.recv(1) == b""
            except ConnectionResetError:
                closed += 1
            except socket.timeout:
                pass
            sock.close()
        self.assertGreaterEqual(closed, 300 - 128)

    def test_a_request_must_be_complete_in_time(self):
        began = time.monotonic()
        answer = exchange(self.daemon.web_port, b"GET / HTTP/1.1\r\nHost: localhost\r\n")
        self.assertTrue(answer.startswith(b"HTTP/1.1 408 "), answer)
        self.assertGreater(time.monotonic() - began, 4)


class Names(Case):
    """After DNS rebinding (the name of a loaded page is pointed at this machine), the page reads nothing useful."""
    options = ("--web-origin", "https://play.example.org")
    mine = "127.0.0.1", "localhost:7401", "[::1]", "192.0.2.7:80", "play.example.org", "Play.example.org:7401"
    others = "evil.example", "evil.example:7401", "localhost.evil.example", "play.example.org.evil.example", ""

    def status_of(self, path, host, **headers):
        return get(self.daemon.web_port, path, Host=host, **headers)[0]

    def test_files_and_figures_are_served_only_under_configured_names(self):
        for path, served in ("/", 200), ("/metrics", 200), ("/nothing", 404):
            for host in self.mine:
                self.assertEqual(self.status_of(path, host), served, (path, host))
            for host in self.others:
                self.assertEqual(self.status_of(path, host), 421, (path, host))
                self.assertEqual(self.status_of(path, host, Origin="https://play.example.org"), 421, (path, host))

    def test_a_refused_name_gets_the_reason(self):
        body = get(self.daemon.web_port, "/metrics", Host="evil.example")[2]
        self.assertIn(b"web.allowed_origins", body)
        self.assertNotIn(b"troupe_", body)

    def test_health_is_served_under_any_name(self):
        for host in self.mine + self.others:
            self.assertEqual(self.status_of("/healthz", host), 200, host)
            self.assertEqual(self.status_of("/readyz", host), 200, host)


class Files(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.root = tempfile.mkdtemp(prefix="troupe-web-")
        cls.big = os.urandom(1 << 20) + bytes(1 << 20)
        os.mkdir(os.path.join(cls.root, "assets"))
        for path, data in [("index.html", b"<!doctype html>"), ("assets/big-1a2b.js", cls.big),
                           ("assets/big-1a2b.js.gz", gzip.compress(cls.big)), (".secret", b"secret")]:
            with open(os.path.join(cls.root, path), "wb") as file:
                file.write(data)
        cls.daemon = Daemon("--web-root", cls.root)

    @classmethod
    def tearDownClass(cls):
        cls.daemon.__exit__(None, None, None)
        shutil.rmtree(cls.root)

    def get(self, path="/", **options):
        return get(self.daemon.web_port, path, **options)

    def test_the_index(self):
        status, headers, body = self.get()
        self.assertEqual((status, body), (200, b"<!doctype html>"))
        self.assertEqual(headers["content-type"], "text/html; charset=utf-8")
        self.assertEqual(headers["cache-control"], "no-cache")
        self.assertEqual(self.get("/?skill=run")[2], body)
        self.assertEqual(self.get("/", method="HEAD")[1]["content-length"], "15")

    def test_a_large_file_plain_and_compressed(self):
        status, headers, body = self.get("/assets/big-1a2b.js")
        self.assertEqual((status, body == self.big), (200, True))
        self.assertIn("immutable", headers["cache-control"])
        self.assertNotIn("content-encoding", headers)
        status, zipped, body = self.get("/assets/big-1a2b.js", Accept_Encoding="br, gzip")
        self.assertEqual(zipped["content-encoding"], "gzip")
        self.assertEqual(zipped["vary"], "Accept-Encoding")
        self.assertEqual(gzip.decompress(body), self.big)
        self.assertNotEqual(zipped["etag"], headers["etag"])

    def test_cached_files_are_not_sent_again(self):
        tag = self.get()[1]["etag"]
        status, headers, body = self.get("/", If_None_Match=f'"other", {tag}')
        self.assertEqual((status, body, headers["etag"]), (304, b"", tag))
        self.assertEqual(self.get("/", If_None_Match='"other"')[0], 200)

    def test_no_path_leads_out(self):
        for path in ["/.secret", "/../etc/passwd", "/%2e%2e/etc/passwd", "/assets/../index.html", "//index.html",
                     "/assets", "/assets/", "/index.html/", "/..%2f..%2fetc%2fpasswd"]:
            self.assertEqual(self.get(path)[0], 404, path)

    def test_a_reader_that_stops_delays_no_other(self):
        slow = socket.socket()
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        slow.connect(("127.0.0.1", self.daemon.web_port))
        slow.sendall(b"GET /assets/big-1a2b.js HTTP/1.1\r\nHost: localhost\r\n\r\n")
        self.assertEqual(self.get("/healthz")[0], 200)
        slow.close()


class Sockets(Case):
    options = ("--web-origin", "https://play.example.org")

    def client(self, **options):
        client = self.daemon.web_client(**options)
        self.addCleanup(client.close)
        return client

    def status_of(self, **headers):
        with socket.create_connection(("127.0.0.1", self.daemon.web_port), TIMEOUT_S) as sock:
            sock.sendall(handshake(self.daemon.web_port, **headers))
            return int(sock.recv(4096).split()[1])

    def test_only_allowed_origins_may_open_one(self):
        port = self.daemon.web_port
        for status, headers in [(101, {}), (101, dict(Origin=f"http://127.0.0.1:{port}")),
                                (101, dict(Origin="https://play.example.org")),
                                (403, dict(Origin="https://evil.example")), (403, dict(Origin="null")),
                                (403, dict(Origin=f"http://127.0.0.1:{port + 1}")),
                                (403, dict(Origin=f"http://evil.example:{port}", Host=f"evil.example:{port}")),
                                (426, dict(Upgrade="h2c")), (426, dict(Connection="close")),
                                (426, dict(Sec_WebSocket_Version="8")), (400, dict(Sec_WebSocket_Protocol="chat")),
                                (400, dict(Sec_WebSocket_Protocol=None)), (400, dict(Sec_WebSocket_Key="short"))]:
            self.assertEqual(self.status_of(**headers), status, headers)

    def test_a_refused_socket_says_what_was_expected(self):
        for said, headers in ((b"offer the subprotocol troupe.v1", dict(Sec_WebSocket_Protocol=None)),
                              (b"offer the subprotocol troupe.v1", dict(Sec_WebSocket_Protocol="chat")),
                              (b"Sec-WebSocket-Key: expected 16 bytes", dict(Sec_WebSocket_Key="short"))):
            with socket.create_connection(("127.0.0.1", self.daemon.web_port), TIMEOUT_S) as sock:
                sock.sendall(handshake(self.daemon.web_port, **headers))
                self.assertIn(said, sock.recv(4096))
            self.assertIn(b'event=web.socket_refused expected="' + said, self.daemon.log().encode())

    def test_a_session_over_websocket(self):
        client = self.client()
        world = self.world(client, REAL_TIME)
        entity = client.spawn(world)
        client.ask(subscribe=dict(world=world, rate_hz=60, events=True))
        state = client.wait_state(lambda state: state.tick > 20)
        self.assertEqual(state.characters[0].entity, entity)
        client.command(world, push=dict(entity=entity, force=dict(y=100), duration_s=0.2))
        with self.refused(NOT_FOUND):
            client.ask(get_world=dict(world=99999))

    def test_both_ports_see_the_same_worlds(self):
        client = self.client()
        world = self.world(client)
        with self.daemon.client("tcp") as other:
            self.assertIn(world, [item.id for item in other.ask(list_worlds={}).world_list.worlds])

    def test_messages_may_be_cut_anywhere(self):
        """A request a byte a frame, in fragments with a ping in between, and many in one message."""
        client = self.client()
        request = frame(envelope_pb2.ClientMessage(request_id=100, ping=dict(payload=b"one")))
        for byte in request:
            client.socket.sendall(web_frame(bytes([byte])))
        self.assertEqual(client.wait(100).pong.payload, b"one")
        request = frame(envelope_pb2.ClientMessage(request_id=101, ping=dict(payload=b"two")))
        client.socket.sendall(web_frame(request[:3], final=False) + web_frame(b"are you there", opcode=9) +
                              web_frame(b"", opcode=0, final=False) + web_frame(request[3:], opcode=0))
        self.assertEqual(client.wait(101).pong.payload, b"two")
        self.assertEqual(client.pongs, [b"are you there"])
        many = b"".join(frame(envelope_pb2.ClientMessage(request_id=i, ping=dict(payload=bytes(64))))
                        for i in range(200, 400))
        client.send_bytes(many)
        for i in range(200, 400):
            client.wait(i)

    def test_requests_wait_while_the_catalogue_works(self):
        """What came in one piece behind a query is kept and answered after it."""
        client = self.client()
        queries = [frame(envelope_pb2.ClientMessage(request_id=i, list_controllers={})) for i in range(10, 60)]
        client.send_bytes(b"".join(queries))
        for i in range(10, 60):
            self.assertTrue(client.wait(i).controller_list.controllers)

    def test_every_message_of_the_daemon_holds_whole_frames(self):
        client = self.client()
        world = self.world(client, REAL_TIME)
        client.spawn(world)
        client.ask(subscribe=dict(world=world, rate_hz=100))
        for _ in range(50):
            client.receive()
            self.assertTrue(client.buffer == b"" or client._take_frame() is not None)

    def closed_with(self, data):
        client = self.client()
        client.socket.sendall(data)
        client.receive_until_closed()
        return client.close_code

    def test_closes_are_answered_with_their_code(self):
        self.assertEqual(self.closed_with(web_frame(b"\x03\xe8bye", opcode=8)), 1000)
        self.assertEqual(self.closed_with(web_frame(b"\x0f\xa0", opcode=8)), 4000)
        self.assertEqual(self.closed_with(web_frame(b"hello", opcode=1)), 1003)
        self.assertEqual(self.closed_with(b"\x82\x01\x00"), 1002)
        self.assertEqual(self.closed_with(b"\xc2\x80\0\0\0\0"), 1002)

    def test_a_broken_frame_is_answered_and_then_closed(self):
        client = self.client()
        client.send_bytes(b"\xff\xff\xff\xff\xff\xff")
        self.assertEqual(client.receive_until_closed().code, INVALID_ARGUMENT)
        self.assertEqual(client.close_code, 1000)

    def test_no_hello_no_session(self):
        client = self.client(hello=False)
        self.assertEqual(client.receive_until_closed().code, DEADLINE_EXCEEDED)

    def test_a_slow_reader_sees_the_newest_state(self):
        """One that stops reading costs no more memory than its queue, and then sees a present state."""
        client, other = self.client(receive_buffer=4096), self.daemon.client("other")
        world = self.world(other, REAL_TIME)
        for i in range(8):
            other.spawn(world, x=2.0 * i)
        client.ask(subscribe=dict(world=world, rate_hz=200, fields=63))
        before, began = self.daemon.memory_kb(), other.state(world).tick
        time.sleep(2)
        self.assertLess(self.daemon.memory_kb() - before, 4096)
        tick = other.ask(get_world=dict(world=world)).world.tick
        state = client.wait_state(lambda state: state.tick >= tick)
        self.assertGreater(state.dropped_states, (tick - began) / 4)

    def test_a_flood_of_pings_is_bounded(self):
        client = self.client(receive_buffer=4096)
        before = self.daemon.memory_kb()
        client.socket.settimeout(0.5)
        try:
            for _ in range(2000):
                client.socket.sendall(100 * web_frame(bytes(125), opcode=9))
        except OSError:  # it is not read, or is cut off
            pass
        self.assertLess(self.daemon.memory_kb() - before, 4096)
        self.assertEqual(get(self.daemon.web_port, "/healthz")[0], 200)


class Ends(unittest.TestCase):
    def test_clients_are_notified_and_then_closed(self):
        with Daemon() as daemon:
            clients = [daemon.web_client(f"client {i}") for i in range(5)]
            daemon.ask_to_end()
            for client in clients:
                self.assertEqual(client.receive_until_closed().code, UNAVAILABLE)
                self.assertEqual(client.close_code, 1000)
                client.close()
            self.assertEqual(daemon.process.wait(TIMEOUT_S), 0)
            self.assertFalse(os.path.exists(daemon.web_port_file))

    def test_no_web_port(self):
        with Daemon("--web-listen", "none") as daemon:
            self.assertEqual(len(os.listdir(f"/proc/{daemon.process.pid}/fd")) > 0, True)
            with daemon.client() as client:
                client.ask(ping={})

    def test_a_taken_port_is_an_error_when_it_was_asked_for(self):
        with Daemon() as daemon:
            other = subprocess.run([os.environ["TROUPED"], "--listen", "127.0.0.1:0", "--web-listen",
                                    f"127.0.0.1:{daemon.web_port}", "--state-dir", daemon.own_dir + "/other",
                                    "--shipped", "none"], capture_output=True, timeout=TIMEOUT_S)
            self.assertEqual(other.returncode, 1)
            self.assertIn(b"cannot listen", other.stderr)


if __name__ == "__main__":
    unittest.main()

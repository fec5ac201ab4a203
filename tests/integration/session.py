"""Sessions: the handshake and its refusals, request ids, timers, broken frames, limits."""

import time
import unittest

from harness import *


class Handshake(Case):
    def test_welcome_has_version_and_limits(self):
        client = self.client(hello=False)
        result = client.hello("somebody")
        self.assertEqual((result.protocol_major, result.protocol_minor), (1, 0))
        self.assertEqual(result.role, session_pb2.ROLE_ADMIN)  # of everybody, as long as there are no keys
        self.assertEqual(result.frame_max, 4 << 20)
        self.assertEqual(result.requests_max, 256)
        self.assertGreater(result.session_id, 0)

    def test_session_ids_are_never_reused(self):
        first = self.client().session_id
        self.assertGreater(self.client().session_id, first)

    def test_the_instance_is_of_one_run(self):
        first, second = (self.client(hello=False).hello(name).instance_id for name in ("one", "two"))
        self.assertNotEqual(first, 0)
        self.assertEqual(first, second)
        with Daemon() as other, other.client(hello=False) as client:
            self.assertNotEqual(client.hello("one").instance_id, first)

    def test_lower_minor_is_spoken(self):
        self.assertEqual(self.client(hello=False).hello(minor=9).protocol_minor, 1)
        self.assertEqual(self.client(hello=False).hello(minor=0).protocol_minor, 0)

    def test_challenge_comes_first_and_never_twice(self):
        nonces = set()
        for _ in range(20):
            message = self.client(hello=False).receive()
            self.assertEqual(message.WhichOneof("message"), "challenge")
            self.assertEqual(len(message.challenge.nonce), 32)
            self.assertFalse(message.challenge.key_needed)
            nonces.add(message.challenge.nonce)
        self.assertEqual(len(nonces), 20)

    def test_other_major_is_refused_with_both_versions(self):
        client = self.client(hello=False)
        with self.refused(FAILED_PRECONDITION) as refusal:
            client.hello(major=2, minor=3)
        self.assertIn("2.3", refusal.message)
        self.assertIn("1.1", refusal.message)
        goodbye = client.receive_until_closed()
        self.assertEqual(goodbye.code, FAILED_PRECONDITION)

    def test_anything_else_first_is_refused(self):
        client = self.client(hello=False)
        with self.refused(FAILED_PRECONDITION):
            client.ask(ping={})
        self.assertEqual(client.receive_until_closed().code, FAILED_PRECONDITION)

    def test_empty_or_long_name_is_refused(self):
        for name in ("", "x" * 64):
            client = self.client(hello=False)
            with self.refused(INVALID_ARGUMENT):
                client.hello(name)
            self.assertEqual(client.receive_until_closed().code, INVALID_ARGUMENT)

    def test_second_hello_is_refused_and_the_session_continues(self):
        client = self.client()
        with self.refused(FAILED_PRECONDITION):
            client.hello()
        client.ask(ping={})

    def test_silence_ends_after_three_seconds(self):
        began = time.monotonic()
        client = self.client(hello=False)
        self.assertEqual(client.receive_until_closed().code, DEADLINE_EXCEEDED)
        self.assertGreater(time.monotonic() - began, 2.5)

    def test_hello_byte_by_byte(self):
        client = self.client(hello=False)
        message = envelope_pb2.ClientMessage(request_id=1)
        message.hello.protocol_major = 1
        message.hello.client_name = "slow"
        for byte in frame(message):
            client.send_bytes(bytes([byte]))
        self.assertEqual(client.wait(1).hello.protocol_major, 1)

    def test_trickling_hello_ends_after_three_seconds(self):
        client = self.client(hello=False)
        client.send_bytes(b"\x0c\x08")
        self.assertEqual(client.receive_until_closed().code, DEADLINE_EXCEEDED)


class Frames(Case):
    def expect_goodbye(self, data, code, hello=True):
        client = self.client(hello=hello)
        client.send_bytes(data)
        self.assertEqual(client.receive_until_closed().code, code)

    def test_before_hello_a_frame_has_16_kib(self):
        self.expect_goodbye(varint(16 * 1024 + 1), INVALID_ARGUMENT, hello=False)

    def test_after_hello_a_frame_has_4_mib(self):
        self.expect_goodbye(varint((4 << 20) + 1), INVALID_ARGUMENT)

    def test_broken_prefix(self):
        self.expect_goodbye(b"\xff" * 10, INVALID_ARGUMENT)

    def test_garbage(self):
        self.expect_goodbye(b"\x05\xff\xff\xff\xff\xff", INVALID_ARGUMENT)

    def test_text_that_is_not_utf8(self):
        message = envelope_pb2.ClientMessage(request_id=2, get_model=dict(name="abc")).SerializeToString()
        data = message.replace(b"abc", b"a\xffc")
        self.expect_goodbye(varint(len(data)) + data, INVALID_ARGUMENT)

    def test_message_of_many_empty_parts(self):
        part = b"\x2a\x00" * 1000000  # scenery of a scene, two bytes each
        scene = b"\x32" + varint(len(part)) + part
        data = b"\x08\x02" + b"\xc2\x02" + varint(len(scene)) + scene
        self.expect_goodbye(varint(len(data)) + data, RESOURCE_EXHAUSTED)

    def test_frame_that_never_ends(self):
        client = self.client()
        began = time.monotonic()
        client.send_bytes(b"\x20\x08")
        self.assertEqual(client.receive_until_closed().code, DEADLINE_EXCEEDED)
        self.assertGreater(time.monotonic() - began, 9.5)

    def test_promised_length_takes_no_memory(self):
        before = self.daemon.memory_kb()
        clients = [self.client() for _ in range(50)]
        for client in clients:
            client.send_bytes(varint(4 << 20) + b"\x08")
        clients[0].receive_for(0.3)
        self.assertLess(self.daemon.memory_kb() - before, 40 * 1024)

    def test_half_a_frame_and_gone(self):
        client = self.client()
        client.send_bytes(b"\x20\x08")
        client.close()
        self.client().ask(ping={})


class Requests(Case):
    def test_ping_returns_its_payload(self):
        pong = self.client().ask(ping=dict(payload=b"abc")).pong
        self.assertEqual(pong.payload, b"abc")
        self.assertGreaterEqual(pong.sessions, 1)

    def test_long_payload_is_refused(self):
        with self.refused(INVALID_ARGUMENT):
            self.client().ask(ping=dict(payload=b"x" * 65))

    def test_ids_must_rise(self):
        client = self.client()
        for request_id in (0, 1):
            client.send_bytes(frame(envelope_pb2.ClientMessage(request_id=request_id, ping={})))
            with self.refused(INVALID_ARGUMENT):
                client.wait(request_id)
        client.ask(ping={})

    def test_no_request_is_unimplemented(self):
        client = self.client()
        client.send_bytes(frame(envelope_pb2.ClientMessage(request_id=100)))
        with self.refused(UNIMPLEMENTED):
            client.wait(100)

    def test_request_of_a_later_version_is_unimplemented(self):
        client = self.client()
        data = b"\x08\x64" + b"\xaa\x3f\x00"  # field 1013
        client.send_bytes(varint(len(data)) + data)
        with self.refused(UNIMPLEMENTED):
            client.wait(100)

    def test_257_without_an_answer(self):
        client = self.client()
        world = self.world(client, REAL_TIME, paused=True)
        ids = [client.send_command(world, at_tick=1000, pause={}) for _ in range(257)]
        with self.refused(RESOURCE_EXHAUSTED):
            client.wait(ids[256])
        with self.daemon.client() as other:
            other.ask(destroy_world=dict(world=world))
        for request_id in ids[:256]:
            with self.refused(ABORTED):
                client.wait(request_id)

    def test_flood_of_pings_without_reading(self):
        client = self.client(receive_buffer=4096)
        before = self.daemon.memory_kb()
        data = b"".join(frame(envelope_pb2.ClientMessage(request_id=i, ping=dict(payload=b"x" * 64)))
                        for i in range(2, 100000))
        client.socket.settimeout(0.5)
        try:
            client.send_bytes(data)
        except socket.timeout:
            pass
        self.assertLess(self.daemon.memory_kb() - before, 8 * 1024)
        self.client().ask(ping={})


if __name__ == "__main__":
    unittest.main()

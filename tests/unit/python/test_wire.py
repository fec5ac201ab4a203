"""Frames: bytes as PROTOCOL.md shows them, pieces of any size, and what a broken peer may send."""

import unittest

from troupe import ProtocolError, Refused, envelope_pb2, requests
from troupe.errors import Code
from troupe.wire import FRAME_MAX, KEPT_MAX, Wire, read_length, varint


def frame(**message):
    data = envelope_pb2.ServerMessage(**message).SerializeToString()
    return varint(len(data)) + data


class Lengths(unittest.TestCase):
    def test_round_trip(self):
        for number in (0, 1, 127, 128, 300, 16383, 16384, FRAME_MAX):
            data = varint(number)
            self.assertEqual(read_length(data, 0), (number, len(data)))

    def test_not_whole_yet(self):
        for data in (b"", b"\x80", b"\xff\xff\xff"):
            self.assertIsNone(read_length(data, 0))

    def test_too_long(self):
        with self.assertRaisesRegex(ProtocolError, "at most 4194304"):
            read_length(varint(FRAME_MAX + 1), 0)
        with self.assertRaisesRegex(ProtocolError, "prefix"):
            read_length(b"\xff" * 5, 0)


class Requests(unittest.TestCase):
    """The worked example of PROTOCOL.md."""

    def test_hello(self):
        expected = "0e 08 01 52 0a 08 01 10 01 1a 04 64 65 6d 6f"
        self.assertEqual(requests.hello("demo").frame(1), bytes.fromhex(expected))

    def test_push(self):
        push = requests.push(1, 65537, (0, 150, 0), 0.2, at_tick=400)
        expected = (
            "24 08 02 12 20 08 01 10 90 03 82 01 18 08 81 80"
            "04 22 09 11 00 00 00 00 00 c0 62 40 29 9a 99 99"
            "99 99 99 c9 3f"
        )
        self.assertEqual(push.frame(2), bytes.fromhex(expected))

    def test_get_world(self):
        self.assertEqual(requests.get_world(9).frame(3), bytes.fromhex("07 08 03 d2 02 02 08 09"))

    def test_ids_rise(self):
        wire = Wire()
        self.assertEqual([wire.ticket(requests.ping()).request_id for _ in range(3)], [1, 2, 3])


class Feed(unittest.TestCase):
    stream = (
        frame(response=dict(request_id=7, command=dict(tick=400)))
        + frame(state=dict(world=1, tick=5))
        + frame(events=dict(world=1, events=[dict(kind=1, tick=553, entity=65537)]))
        + frame(match_progress=dict(info=dict(name="duel", state=1, bouts_done=3), wins=[2, 1]))
        + frame(goodbye=dict(code=14, reason="shutting down"))
    )

    def check(self, wire):
        self.assertEqual(wire.responses[7].command.tick, 400)
        self.assertEqual([state.tick for state in wire.states], [5])
        self.assertEqual([(event.world, event.kind.name, event.tick) for event in wire.events], [(1, "FELL", 553)])
        self.assertEqual([step.wins for step in wire.progress["duel"]], [(2, 1)])
        self.assertEqual(str(wire.ended()), "shutting down")

    def test_in_pieces_of_any_size(self):
        for size in range(1, len(self.stream) + 1):
            wire = Wire()
            for begin in range(0, len(self.stream), size):
                wire.feed(self.stream[begin : begin + size])
            self.check(wire)

    def test_nonsense(self):
        with self.assertRaises(ProtocolError):
            Wire().feed(b"\x03\x0a\x7f\x00")

    def test_keeps_the_newest(self):
        wire = Wire()
        wire.feed(b"".join(frame(state=dict(tick=i)) for i in range(KEPT_MAX + 5)))
        self.assertEqual((len(wire.states), wire.states[0].tick, wire.states[-1].tick), (KEPT_MAX, 5, KEPT_MAX + 4))


class Answers(unittest.TestCase):
    def test_refusal(self):
        ticket = Wire().ticket(requests.get_clip("x"))
        with self.assertRaises(Refused) as caught:
            ticket.read(envelope_pb2.Response(request_id=1, code=5, message="clip 'x': not in the catalogue"))
        self.assertEqual(caught.exception.code, Code.NOT_FOUND)
        self.assertEqual(str(caught.exception), "NOT_FOUND: clip 'x': not in the catalogue")

    def test_a_code_of_a_newer_daemon(self):
        self.assertEqual(Refused(99, "new").code, Code.UNKNOWN)


if __name__ == "__main__":
    unittest.main()

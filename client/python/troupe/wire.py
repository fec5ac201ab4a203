"""The protocol without a socket: requests become bytes, bytes become responses, states and events.

Both clients use this; it does no input or output and has no clock. PROTOCOL.md has the rules.
"""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import dataclass
from typing import Callable, DefaultDict, Deque, Dict, Generic, Optional, Sequence, Tuple, TypeVar

from google.protobuf.message import DecodeError

from troupe import envelope_pb2, state_pb2
from troupe.errors import Code, Disconnected, ProtocolError, Refused
from troupe.matches import MatchProgress
from troupe.replies import Event, read

T = TypeVar("T")

PROTOCOL_MAJOR = 1
PROTOCOL_MINOR = 1
FRAME_MAX = 4194304  # bytes that the daemon may send in one frame
KEPT_MAX = 4096  # states, and events, that wait to be taken; then the oldest are dropped
PREFIX_MAX = 5  # bytes of a length


_SMALL = [bytes((number,)) for number in range(0x80)]


def varint(number: int) -> bytes:
    """A number in base 128, least significant group first, as protobuf writes it."""
    if number < 0x80:
        return _SMALL[number]
    out = bytearray()
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def read_length(data: bytes, begin: int) -> Optional[Tuple[int, int]]:
    """The length prefix at `begin`: the length and the message's start; None if it is incomplete."""
    length = 0
    for i, byte in enumerate(data[begin : begin + PREFIX_MAX]):
        length |= (byte & 0x7F) << (7 * i)
        if byte < 0x80:
            if length > FRAME_MAX:
                raise ProtocolError(f"a frame of {length} bytes: expected at most {FRAME_MAX}")
            return length, begin + i + 1
    if len(data) - begin >= PREFIX_MAX:
        raise ProtocolError(f"a length prefix of more than {PREFIX_MAX} bytes")
    return None


@dataclass(frozen=True)
class Request(Generic[T]):
    """A request: the bytes of a ClientMessage without its id, and the reader of its answer. It may be sent any number
    of times, by any client. Made by troupe.requests."""

    body: bytes
    read: Callable[[envelope_pb2.Response], T]

    def frame(self, request_id: int) -> bytes:
        prefix = b"\x08" + varint(request_id)  # field 1; protobuf accepts fields in any order
        return varint(len(prefix) + len(self.body)) + prefix + self.body


@dataclass(frozen=True)
class Command(Request[T]):
    """A command: a Request that changes a world. Commands about one character or object can be orders of an advance."""

    order: bytes = b""  # of its Order


@dataclass(frozen=True)
class Ticket(Generic[T]):
    """A sent request. Each ticket must be waited for, once."""

    request_id: int
    request: Request[T]

    def read(self, response: envelope_pb2.Response) -> T:
        if int(response.code) != Code.OK:
            raise Refused(response.code, response.message)
        return self.request.read(response)


class Wire:
    """One session's messages in both directions."""

    def __init__(self) -> None:
        self.responses: Dict[int, envelope_pb2.Response] = {}  # arrived, by request id
        self.states: Deque[state_pb2.WorldState] = deque(maxlen=KEPT_MAX)
        self.events: Deque[Event] = deque(maxlen=KEPT_MAX)
        self.progress: DefaultDict[str, Deque[MatchProgress]] = defaultdict(lambda: deque(maxlen=KEPT_MAX))  # by match
        self.goodbye: Optional[str] = None
        self.mechanisms: Optional[Sequence[str]] = None  # of logins, from the daemon's first message
        self._next_id = 1
        self._rest = b""

    def ticket(self, request: Request[T]) -> Ticket[T]:
        ticket = Ticket(self._next_id, request)
        self._next_id += 1
        return ticket

    @staticmethod
    def frames(tickets: Sequence[Ticket[T]]) -> bytes:
        return b"".join(ticket.request.frame(ticket.request_id) for ticket in tickets)

    def feed(self, data: bytes) -> None:
        """Takes received bytes, in pieces of any size, and sorts the complete messages in them."""
        data = self._rest + data if self._rest else data
        begin = 0
        while begin < len(data):
            prefix = read_length(data, begin)
            if prefix is None or len(data) - prefix[1] < prefix[0]:
                break
            begin = prefix[1] + prefix[0]
            self._sort(data[prefix[1] : begin])
        self._rest = data[begin:]

    def _sort(self, data: bytes) -> None:
        try:
            message = envelope_pb2.ServerMessage.FromString(data)
        except DecodeError as error:
            raise ProtocolError(f"a message that does not parse: {error}") from error
        kind = message.WhichOneof("message")
        if kind == "response":
            self.responses[message.response.request_id] = message.response
        elif kind == "state":
            self.states.append(message.state)
        elif kind == "events":
            self.events.extend(Event.of(message.events.world, event) for event in message.events.events)
        elif kind == "match_progress":
            self.progress[message.match_progress.info.name].append(read(MatchProgress, message.match_progress))
        elif kind == "challenge":
            self.mechanisms = tuple(message.challenge.mechanisms)
        elif kind == "goodbye":
            self.goodbye = message.goodbye.reason

    def ended(self) -> Disconnected:
        """The error for a connection that has ended."""
        return Disconnected(self.goodbye or "the daemon closed the connection")

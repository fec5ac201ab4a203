"""The blocking client.

    from troupe import Client, Mode, requests

    with Client() as client:
        world = client.ask(requests.create_world("yard", Mode.STEPPED)).id
        walker = client.ask(requests.spawn_character(world, "walk")).entity
        client.ask(requests.push(world, walker, (0, 100, 0), 0.2))
        print(client.ask(requests.step(world, 200)).tick)

A client belongs to one thread at a time.
"""

from __future__ import annotations

import os
import socket
import ssl
import time
from typing import Any, Callable, Dict, Iterable, Iterator, List, NoReturn, Optional, Sequence, Tuple, TypeVar

from troupe import keys, requests, state_pb2
from troupe.errors import Disconnected, Refused, Timeout
from troupe.matches import MatchProgress, MatchState
from troupe.playback import Playback, Shown
from troupe.replies import Event, Page, Welcome
from troupe.wire import Request, Ticket, Wire

T = TypeVar("T")

RECEIVE_BYTES = 1 << 18
PROGRESS_S = 3600.0  # the longest bout


class Client:
    """A session with the daemon. Raises Disconnected if no daemon listens, Refused if its version does not fit."""

    welcome: Welcome

    def __init__(
        self,
        host: str = "127.0.0.1",
        port: int = 7400,
        *,
        name: str = "python",
        timeout_s: float = 30.0,
        key: Optional[str] = None,
        tls: Optional[ssl.SSLContext] = None,
    ) -> None:
        """timeout_s: time limit of every answer. key: the text NAME.SECRET; by default from the file that
        TROUPE_KEY_FILE names, if any. tls: keys.secure_context() for TLS 1.3."""
        self.timeout_s = timeout_s
        self._wire = Wire()
        self._playback = Playback()
        self._process = os.getpid()
        try:
            self._socket = socket.create_connection((host, port), timeout_s)
        except OSError as error:
            raise Disconnected(f"{host}:{port}: {error.strerror or error}; is trouped running there?") from error
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            if tls is not None:
                self._socket = self._secure(tls, host)
            self.welcome = self._greet(name, key or keys.key_of_environment())
        except BaseException:
            self._socket.close()
            raise

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the session. Worlds that it steps no longer wait for it; its worlds stay."""
        self._socket.close()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a client, or an environment with one, cannot be pickled or copied: make another one")

    # --- requests ---

    def send(self, request: Request[T]) -> Ticket[T]:
        """Sends a request without waiting for the answer; at most welcome.requests_max may be unanswered."""
        ticket = self._wire.ticket(request)
        self._transmit([ticket])
        return ticket

    def send_all(self, batch: Sequence[Request[T]]) -> List[Ticket[T]]:
        """Sends several requests in one write."""
        tickets = [self._wire.ticket(request) for request in batch]
        self._transmit(tickets)
        return tickets

    def wait(self, ticket: Ticket[T]) -> T:
        """The answer to a sent request; raises Refused, Timeout or Disconnected."""
        responses = self._wire.responses
        if ticket.request_id not in responses:
            deadline = time.monotonic() + self.timeout_s
            while ticket.request_id not in responses:
                if not self._receive(deadline - time.monotonic()):
                    raise Timeout(f"no answer within {self.timeout_s:g} s")
        return ticket.read(responses.pop(ticket.request_id))

    def ask(self, request: Request[T]) -> T:
        """Sends a request and waits for the answer."""
        return self.wait(self.send(request))

    def ask_all(self, batch: Sequence[Request[T]]) -> List[T]:
        """Sends all, then waits for all: one round trip. Raises the first refusal, after all answers have arrived."""
        answers: List[T] = []
        refusal: Optional[Exception] = None
        at_once = self.welcome.requests_max
        for begin in range(0, len(batch), at_once):
            for ticket in self.send_all(batch[begin : begin + at_once]):
                try:
                    answers.append(self.wait(ticket))
                except Refused as error:
                    refusal = refusal or error
        if refusal is not None:
            raise refusal
        return answers

    def rows(self, list_request: Callable[..., Request[Page[T]]], **filters: Any) -> Iterator[T]:
        """All rows of a list, page by page: `client.rows(requests.list_controllers, skill="walk")`."""
        token = ""
        while True:
            page = self.ask(list_request(token=token, **filters))
            yield from page.rows
            token = page.next_page_token
            if not token:
                return

    # --- matches ---

    def progress(self, match: str, timeout_s: float = PROGRESS_S) -> Iterator[MatchProgress]:
        """Watches a match: yields its progress now, at most ten times per second while bouts end, and finally when it
        has ended. Yields nothing if it had already ended. timeout_s: time limit from one to the next. To stop
        earlier, send requests.unwatch_match."""
        try:
            self.ask(requests.watch_match(match))
        except Refused:
            if self.ask(requests.get_match(match, size=1)).info.state == MatchState.RUNNING:
                raise
            return
        kept = self._wire.progress[match]
        ended = False
        while not ended:
            self._await(kept, timeout_s)
            step = kept.popleft()
            ended = step.ended
            yield step
        self._wire.progress.pop(match, None)

    # --- names ---

    def world_id(self, name: str) -> int:
        """The id of the world of this name, for requests. Raises LookupError if no world has it."""
        return _named(((each.name, each.id) for each in self.ask(requests.list_worlds())), "world", name)

    def entity_id(self, world: int, label: str) -> int:
        """The entity of the character with this label. Raises LookupError if no character has it."""
        characters = self.ask(requests.get_state(world, requests.JOINTS)).characters
        return _named(((each.label, each.entity) for each in characters), "character", label)

    # --- states and events of subscribed worlds ---

    def next_state(self, timeout_s: Optional[float] = None) -> state_pb2.WorldState:
        """The next state, oldest first. Up to 4096 states wait to be taken; then the oldest are dropped."""
        self._await(self._wire.states, timeout_s)
        return self._wire.states.popleft()

    def next_event(self, timeout_s: Optional[float] = None) -> Event:
        """The next event, oldest first; kept like states."""
        self._await(self._wire.events, timeout_s)
        return self._wire.events.popleft()

    def take_states(self) -> List[state_pb2.WorldState]:
        """The states that have arrived so far."""
        states = list(self._wire.states)
        self._wire.states.clear()
        return states

    def at(self, now_s: Optional[float] = None) -> Dict[int, Shown]:
        """The characters at the time of a picture, by entity (troupe.playback, 0.1 s behind); does not wait. now_s: of
        time.monotonic(). Takes the states, so use it instead of next_state and take_states; of one subscribed world."""
        while self._receive(1e-4):
            pass
        now = time.monotonic() if now_s is None else now_s
        for state in self.take_states():
            self._playback.add(state, now)
        return self._playback.at(now)

    def take_events(self) -> List[Event]:
        """The events that have arrived so far."""
        events = list(self._wire.events)
        self._wire.events.clear()
        return events

    # --- connection and login ---

    def _secure(self, tls: ssl.SSLContext, host: str) -> socket.socket:
        try:
            return tls.wrap_socket(self._socket, server_hostname=host)
        except OSError as error:
            raise Disconnected(f"{host}: no secure connection: {error}") from error

    def _greet(self, name: str, key: Optional[str]) -> Welcome:
        if key is None:
            return self.ask(requests.hello(name))
        login = keys.Login(key)
        first = login.first(self._await_challenge())
        final = login.final(self.ask(requests.hello_with_key(name, first)))
        welcome = self.ask(requests.authenticate(final))
        login.check(welcome.scram_final)
        return welcome

    def _await_challenge(self) -> Sequence[str]:
        """The mechanisms of the daemon's first message."""
        deadline = time.monotonic() + self.timeout_s
        while self._wire.mechanisms is None:
            if not self._receive(deadline - time.monotonic()):
                raise Timeout(f"no challenge within {self.timeout_s:g} s")
        return self._wire.mechanisms

    # --- transport ---

    def _transmit(self, tickets: Sequence[Ticket[Any]]) -> None:
        if os.getpid() != self._process:  # two processes would each take answers of the other
            raise Disconnected("made by another process: make it after the fork")
        try:
            self._socket.settimeout(self.timeout_s)
            self._socket.sendall(Wire.frames(tickets))
        except OSError as error:
            raise Disconnected(f"sending: {error}") from error

    def _await(self, kept: Any, timeout_s: Optional[float]) -> None:
        limit_s = self.timeout_s if timeout_s is None else timeout_s
        deadline = time.monotonic() + limit_s
        while not kept:
            if not self._receive(deadline - time.monotonic()):
                raise Timeout(f"nothing arrived within {limit_s:g} s")

    def _receive(self, timeout_s: float) -> bool:
        """Waits for bytes and sorts them; False if none arrived in time."""
        if timeout_s <= 0:
            return False
        self._socket.settimeout(timeout_s)
        try:
            data = self._socket.recv(RECEIVE_BYTES)
        except TimeoutError:
            return False
        except OSError as error:
            raise Disconnected(f"receiving: {error}") from error
        if not data:
            raise self._wire.ended()
        self._wire.feed(data)
        return True


def _named(rows: Iterable[Tuple[str, int]], what: str, name: str) -> int:
    known = dict(rows)
    if name not in known:
        raise LookupError(f"no {what} {name!r}: there are {', '.join(sorted(known)) or 'none'}")
    return known[name]

"""The asyncio client: the same requests, awaited.

    async with await AsyncClient.connect() as client:
        world = (await client.ask(requests.create_world("yard"))).id
        await client.ask(requests.spawn_character(world, "walk"))
        await client.ask(requests.subscribe(world, rate_hz=30))
        async for state in client.states():
            print(state.tick)

Several tasks may ask at once. A client belongs to one event loop.
"""

from __future__ import annotations

import asyncio
import ssl
from typing import Any, AsyncIterator, Callable, Deque, Dict, Optional, Sequence, TypeVar

from troupe import envelope_pb2, keys, requests, state_pb2
from troupe.errors import Disconnected, Refused, Timeout, TroupeError
from troupe.matches import MatchProgress, MatchState
from troupe.replies import Event, Page, Welcome
from troupe.wire import Request, Wire

T = TypeVar("T")

RECEIVE_BYTES = 1 << 18


class AsyncClient:
    """A session with the daemon; made by `connect`."""

    welcome: Welcome

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, timeout_s: float) -> None:
        self.timeout_s = timeout_s
        self._reader, self._writer = reader, writer
        self._wire = Wire()
        self._waiting: Dict[int, asyncio.Future[envelope_pb2.Response]] = {}
        self._arrived = asyncio.Condition()
        self._ended: Optional[TroupeError] = None
        self._task = asyncio.create_task(self._receive())

    @classmethod
    async def connect(
        cls,
        host: str = "127.0.0.1",
        port: int = 7400,
        *,
        name: str = "python",
        timeout_s: float = 30.0,
        key: Optional[str] = None,
        tls: Optional[ssl.SSLContext] = None,
    ) -> "AsyncClient":
        """timeout_s: time limit of every answer; key and tls as for Client."""
        try:
            reader, writer = await asyncio.wait_for(asyncio.open_connection(host, port, ssl=tls), timeout_s)
        except (OSError, asyncio.TimeoutError) as error:
            raise Disconnected(f"{host}:{port}: {error}; is trouped running there?") from error
        client = cls(reader, writer, timeout_s)
        try:
            client.welcome = await client._greet(name, key or keys.key_of_environment())
        except BaseException:
            await client.close()
            raise
        return client

    async def __aenter__(self) -> "AsyncClient":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Ends the session; tasks that still wait get Disconnected."""
        self._writer.close()
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def ask(self, request: Request[T]) -> T:
        """Sends a request and waits for the answer; raises Refused, Timeout or Disconnected."""
        if self._ended is not None:
            raise self._ended
        ticket = self._wire.ticket(request)
        answer: asyncio.Future[envelope_pb2.Response] = asyncio.get_running_loop().create_future()
        self._waiting[ticket.request_id] = answer
        try:
            self._writer.write(Wire.frames([ticket]))
            return ticket.read(await asyncio.wait_for(answer, self.timeout_s))
        except asyncio.TimeoutError:
            raise Timeout(f"no answer within {self.timeout_s:g} s") from None
        finally:
            self._waiting.pop(ticket.request_id, None)

    async def _greet(self, name: str, key: Optional[str]) -> Welcome:
        if key is None:
            return await self.ask(requests.hello(name))
        login = keys.Login(key)
        first = login.first(await self._await_challenge())
        final = login.final(await self.ask(requests.hello_with_key(name, first)))
        welcome = await self.ask(requests.authenticate(final))
        login.check(welcome.scram_final)
        return welcome

    async def _await_challenge(self) -> Sequence[str]:
        async with self._arrived:
            challenged = self._arrived.wait_for(lambda: self._wire.mechanisms is not None or self._ended is not None)
            try:
                await asyncio.wait_for(challenged, self.timeout_s)
            except asyncio.TimeoutError:
                raise Timeout(f"no challenge within {self.timeout_s:g} s") from None
        if self._wire.mechanisms is None:
            raise self._ended or Disconnected("no challenge was received")
        return self._wire.mechanisms

    async def rows(self, list_request: Callable[..., Request[Page[T]]], **filters: Any) -> AsyncIterator[T]:
        """All rows of a list, page by page: `async for row in client.rows(requests.list_clips)`."""
        token = ""
        while True:
            page = await self.ask(list_request(token=token, **filters))
            for row in page.rows:
                yield row
            token = page.next_page_token
            if not token:
                return

    async def states(self) -> AsyncIterator[state_pb2.WorldState]:
        """States of the subscribed worlds, until the connection ends. Each state goes to one iterator."""
        while True:
            yield await self._take(self._wire.states)

    async def events(self) -> AsyncIterator[Event]:
        """Events of the subscribed worlds, until the connection ends."""
        while True:
            yield await self._take(self._wire.events)

    async def progress(self, match: str) -> AsyncIterator[MatchProgress]:
        """Watches a match: yields its progress now, at most ten times per second while bouts end, and finally when it
        has ended. Yields nothing if it had already ended. To stop earlier, send requests.unwatch_match."""
        try:
            await self.ask(requests.watch_match(match))
        except Refused:
            if (await self.ask(requests.get_match(match, size=1))).info.state == MatchState.RUNNING:
                raise
            return
        kept = self._wire.progress[match]
        ended = False
        while not ended:
            step = await self._take(kept)
            ended = step.ended
            yield step
        self._wire.progress.pop(match, None)

    async def _take(self, kept: Deque[T]) -> T:
        async with self._arrived:
            await self._arrived.wait_for(lambda: kept or self._ended is not None)
        if not kept and self._ended is not None:
            raise self._ended
        return kept.popleft()

    async def _receive(self) -> None:
        """Sorts incoming messages until the connection ends, and wakes the tasks that wait for them."""
        try:
            while data := await self._reader.read(RECEIVE_BYTES):
                self._wire.feed(data)
                await self._deliver()
            self._ended = self._wire.ended()
        except TroupeError as error:
            self._ended = error
        except OSError as error:
            self._ended = Disconnected(f"receiving: {error}")
        except asyncio.CancelledError:
            self._ended = Disconnected("the client is closed")
            raise
        finally:
            await self._fail_all()

    async def _deliver(self) -> None:
        for request_id, response in self._wire.responses.items():
            answer = self._waiting.pop(request_id, None)
            if answer is not None and not answer.done():
                answer.set_result(response)
        self._wire.responses.clear()
        async with self._arrived:
            self._arrived.notify_all()

    async def _fail_all(self) -> None:
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(self._ended or Disconnected("the connection ended"))
        async with self._arrived:
            self._arrived.notify_all()

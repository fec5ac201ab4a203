"""Rollback over a bad link: a player's own character answers at once, although every message takes 150 ms and one in twenty is lost.

A mirror steps the world here by its inputs, and predicts it up to the tick at which the daemon gets what the player does now.
Whatever comes from the daemon, it goes back to what is known and predicts again. Another player pushes other characters, which
no prediction knows before. Printed: how far the characters were shown from where they turned out to be at that tick, with
prediction and without, and what going back took.

    python3 rollback.py --bundle hero.troupe --controller hero
"""

import argparse
import contextlib
import math
import queue
import random
import socket
import threading
import time
from typing import Callable, Dict, List, Tuple

from troupe import Client, Refused, requests
from troupe.mirror import Mirror

RATE_HZ = 25.0
PERIOD = 8  # ticks of 5 ms between states
MARGIN_S = 0.03  # so that what the player does is there in time
FORCE_N = 120.0


class Link:
    """A port that passes on bytes to another one, late. What is lost comes again after the time of a round trip, and what
    follows waits for it, as by TCP."""

    def __init__(self, port: int, delay_s: float, loss: float, seed: int) -> None:
        self.delay_s, self.loss, self.draw = delay_s, loss, random.Random(seed)
        listener = socket.create_server(("127.0.0.1", 0))
        self.port = listener.getsockname()[1]
        threading.Thread(target=self._serve, args=(listener, port), daemon=True).start()

    def _serve(self, listener: socket.socket, port: int) -> None:
        near, far = listener.accept()[0], socket.create_connection(("127.0.0.1", port))
        for a, b in ((near, far), (far, near)):
            a.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            way: queue.Queue = queue.Queue()
            threading.Thread(target=self._take, args=(a, way), daemon=True).start()
            threading.Thread(target=self._pass_on, args=(b, way), daemon=True).start()

    def _take(self, source: socket.socket, way: queue.Queue) -> None:
        with contextlib.suppress(OSError):  # the end of the session
            while data := source.recv(1400):
                lost = self.draw.random() < self.loss
                way.put((time.monotonic() + self.delay_s * (3 if lost else 1), data))

    def _pass_on(self, target: socket.socket, way: queue.Queue) -> None:
        while True:
            due_s, data = way.get()
            time.sleep(max(0.0, due_s - time.monotonic()))
            with contextlib.suppress(OSError):
                target.sendall(data)


class Player:
    """Steers and pushes one character, as a prediction shows it."""

    def __init__(self, client: Client, mirror: Mirror, entity: int, step_s: float) -> None:
        self.client, self.mirror, self.entity, self.step_s = client, mirror, entity, step_s
        self.ahead_s = -math.inf  # the daemon's time less the time here, of the state with the least delay
        self.done: List[Tuple[int, requests.Command]] = []
        self.tickets: List[Tuple[int, object]] = []
        self.late = 0
        began = time.monotonic()
        client.ask(requests.ping())
        self.round_s = time.monotonic() - began

    def hear(self) -> None:
        """The next state, and what it confirms."""
        known = self.mirror.update()
        self.ahead_s = max(self.ahead_s, known * self.step_s - time.monotonic())
        self.done = [each for each in self.done if each[0] >= known]
        for due, ticket in [each for each in self.tickets if each[0] < known]:
            self.tickets.remove((due, ticket))
            try:
                self.client.wait(ticket)
            except Refused:  # it was not there in time
                self.late += 1

    def tick(self) -> int:
        """At which the daemon has what is sent now."""
        tick = (time.monotonic() + self.ahead_s + self.round_s + MARGIN_S) / self.step_s
        return math.ceil(tick / PERIOD) * PERIOD

    def do(self, tick: int, command: Callable[..., requests.Command], *values: object, **options: object) -> None:
        made = command(self.mirror.world, self.entity, *values, at_tick=tick, **options)
        self.tickets.append((tick, self.client.send(made)))
        self.done.append((tick, made))


def force(heading_rad: float) -> Tuple[float, float, float]:
    return FORCE_N * math.cos(heading_rad), FORCE_N * math.sin(heading_rad), 0.0


def can_be_steered(client: Client, world: int, entities: List[int]) -> bool:
    try:
        client.ask_all([requests.steer(world, each, heading_rad=0.0) for each in entities])
    except Refused:
        return False
    return True


def distances(shown: Dict[int, tuple], known: Dict[int, tuple], entities: List[int]) -> List[float]:
    return [math.dist(shown[each][:3], known[each][:3]) for each in entities if each in shown]


def row(name: str, cm: List[float]) -> str:
    ordered = sorted(cm)
    at = lambda share: 100 * ordered[min(len(ordered) - 1, int(share * len(ordered)))]  # noqa: E731
    return f"{name},{at(0.5):.1f},{at(0.9):.1f},{at(0.99):.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=7400)
    parser.add_argument("--bundle", required=True, help="with the controller: troupe-train bundle export")
    parser.add_argument("--controller", default="hero")
    parser.add_argument("--characters", type=int, default=4)
    parser.add_argument("--delay-ms", type=float, default=150, help="of a round trip")
    parser.add_argument("--loss", type=float, default=0.05)
    parser.add_argument("--seconds", type=float, default=20)
    given = parser.parse_args()
    draw = random.Random(1)

    with Client(port=given.port, name="other") as other, Client(
        port=Link(given.port, given.delay_ms / 2000, given.loss, 2).port, name="rollback"
    ) as client:
        world = other.ask(requests.create_world(f"rollback {time.time():.3f}"))
        spots = [(0, 2.0 * i, 0) for i in range(given.characters)]
        entities = [other.ask(requests.spawn_character(world.id, given.controller, pos=spot)).entity for spot in spots]
        turns = can_be_steered(other, world.id, entities)
        mirror = Mirror(client, world.id, given.bundle, RATE_HZ)
        me = Player(client, mirror, entities[0], world.step_s)
        shown: Dict[int, Tuple[dict, dict]] = {}  # by tick: predicted, and as last known
        errors: Dict[str, List[float]] = {name: [] for name in ("own", "own, without", "others", "others, without")}
        back_ticks, back_ms = [], []
        end_s = time.monotonic() + given.seconds
        while time.monotonic() < end_s:
            me.hear()
            known = {each: mirror.poses(each)[0] for each in entities}
            if mirror.tick in shown:
                predicted, last = shown.pop(mirror.tick)
                for name, cast in (("own", entities[:1]), ("others", entities[1:])):
                    errors[name] += distances(predicted, known, cast)
                    errors[f"{name}, without"] += distances(last, known, cast)
            tick = max(me.tick(), mirror.tick)
            if draw.random() < 0.1:
                heading = draw.uniform(-math.pi, math.pi)
                if turns and draw.random() < 0.5:
                    me.do(tick, requests.steer, heading_rad=heading)
                else:
                    me.do(tick, requests.push, force(heading), 0.1)
            if draw.random() < 0.1 and entities[1:]:
                other.ask(requests.push(world.id, draw.choice(entities[1:]), force(draw.uniform(-math.pi, math.pi)), 0.1))
            began, back = time.perf_counter(), tick - mirror.tick
            mirror.predict(tick, me.done)
            back_ms.append(1e3 * (time.perf_counter() - began))
            back_ticks.append(back)
            shown[tick] = {each: mirror.poses(each)[0] for each in entities}, known
        other.ask(requests.destroy_world(world.id))
    print("shown,median_cm,p90_cm,p99_cm")
    for name, cm in errors.items():
        if cm:
            print(row(name, cm))
    print(f"{len(back_ms)} times back by {sum(back_ticks) / len(back_ticks):.0f} ticks on average: {sorted(back_ms)[len(back_ms) // 2]:.1f} ms (median)")
    print(f"{me.late} inputs came too late; the whole state was taken {mirror.takes} times")


if __name__ == "__main__":
    main()

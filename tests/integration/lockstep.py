"""Stepped worlds with several clients: an order that does not depend on timing, and the same bits on any number of threads."""

import random
import threading
import time
import unittest

from harness import *

ROUNDS = 12


def script(order):
    """What one stepper does: deterministic per order, different between orders."""
    draw = random.Random(order)
    return [(draw.randrange(1, 4), draw.uniform(-200, 200)) for _ in range(ROUNDS)]


def play(daemon, world, order, jitter, answers):
    """Joins, spawns its own character, then pushes and steps in turn; with or without waiting for each answer."""
    delay = random.Random(jitter + order)
    with daemon.client(f"stepper {order}") as client:
        client.command(world, join=dict(order=order))
        entity = client.spawn(world, "sway", x=3.0 * order)
        log = [entity]
        for count, force in script(order):
            time.sleep(delay.uniform(0, 0.01))
            push = client.send_command(world, push=dict(entity=entity, force=dict(y=force), duration_s=0.05))
            if delay.random() < 0.5:
                client.wait(push)
            log.append(client.step(world, count).tick)
        answers[order] = log
        client.command(world, leave={})


def run(daemon, jitter, orders):
    with daemon.client("watcher") as watcher:
        world = watcher.create_world("lockstep", steppers=len(orders), seed=3).id
        answers = {}
        threads = [threading.Thread(target=play, args=(daemon, world, order, jitter, answers)) for order in orders]
        random.Random(jitter).shuffle(threads)
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        state = watcher.state(world, state_pb2.STATE_FIELD_HASH)
        watcher.ask(destroy_world=dict(world=world))
        return state.tick, state.hash, [answers[order] for order in sorted(orders)]


class Order(unittest.TestCase):
    def test_timing_and_threads_do_not_matter(self):
        orders = [1, 2, 5]
        results = []
        for threads in ("1", "2"):
            with Daemon("--threads", threads) as daemon:
                results += [run(daemon, jitter, orders) for jitter in (10, 20, 30)]
        for result in results[1:]:
            self.assertEqual(result, results[0])
        self.assertEqual(results[0][0], max(sum(c for c, _ in script(o)) for o in orders))  # the last to leave


class AtTick(unittest.TestCase):
    """Commands stamped with their ticks: the same world whatever the order of arrival, the mode and the threads."""

    def play(self, daemon, seed, mode):
        clients = [daemon.client(f"client {i}") for i in range(3)]
        world = clients[0].create_world("stamped", mode, paused=True).id
        entities = [clients[0].spawn(world, "sway", x=2.0 * i) for i in range(3)]
        draw = random.Random(1)
        orders = [(i, draw.randrange(1, 150), draw.choice(entities), draw.uniform(-150, 150)) for i in range(3) for _ in range(8)]
        arrival = random.Random(seed)
        mine = {i: [order for order in orders if order[0] == i] for i in range(3)}
        waiting = []
        while any(mine.values()):  # clients in any order, each client's own in its order
            i = arrival.choice([i for i in mine if mine[i]])
            _, tick, entity, force = mine[i].pop(0)
            push = dict(entity=entity, force=dict(y=force), duration_s=0.1)
            waiting.append((clients[i], clients[i].send_command(world, at_tick=tick, push=push)))
            if arrival.random() < 0.3:
                clients[i].ask(ping={})
        for client in clients:
            client.ask(ping={})
        clients[0].ask(get_world=dict(world=world))
        clients[0].receive_for(0.05)
        result = clients[0].step(world, 200).hash
        self.assertEqual(sorted(client.wait(request).command.tick for client, request in waiting),
                         sorted(order[1] for order in orders))
        clients[0].ask(destroy_world=dict(world=world))
        return result

    def test_same_commands_same_world(self):
        hashes = set()
        for threads in ("1", "2"):
            for mode in (REAL_TIME, FAST):
                with Daemon("--threads", threads) as daemon:
                    hashes.add(self.play(daemon, len(hashes) + int(threads), mode))
        self.assertEqual(len(hashes), 1)


class Removed(Case):
    """A director removes a stepper that holds up its world, and all watchers learn which."""

    def told(self, client, world):
        client.state(world)
        return [(event.text, event.magnitude) for event in client.events
                if event.kind == state_pb2.EVENT_KIND_APPLIED and event.text == "remove_stepper"]

    def test_the_world_moves_again(self):
        director, quick, stuck = (self.client() for _ in range(3))
        world = self.world(director, steppers=2)
        for watcher in director, stuck:
            watcher.ask(subscribe=dict(world=world, events=True))
        quick.command(world, join=dict(order=3))
        stuck.command(world, join=dict(order=7))
        waiting = quick.send_command(world, step=dict(count=5))
        self.assertEqual(director.state(world).tick, 0)
        self.assertEqual(director.command(world, remove_stepper={}).order, 7)  # the one that the world waits for
        self.assertEqual(quick.wait(waiting).command.tick, 5)
        for watcher in director, stuck:
            self.assertEqual(self.told(watcher, world), [("remove_stepper", 7)])
        self.assertEqual(director.ask(get_world=dict(world=world)).world.stepper_count, 1)

    def test_it_joins_again_with_its_next_step(self):
        director, one = self.client(), self.client()
        world = self.world(director)
        one.step(world, 3)
        self.assertEqual(director.command(world, remove_stepper=dict(order=1)).order, 1)
        self.assertEqual(one.step(world, 2).tick, 5)
        self.assertEqual(director.ask(get_world=dict(world=world)).world.stepper_count, 1)

    def test_a_missing_stepper_is_not_removed(self):
        client = self.client()
        world, live = self.world(client), self.world(client, REAL_TIME)
        for code, where, order in ((NOT_FOUND, world, 0), (NOT_FOUND, world, 4), (INVALID_ARGUMENT, world, 1001),
                                   (FAILED_PRECONDITION, live, 0)):
            with self.refused(code):
                client.command(where, remove_stepper=dict(order=order))


class Advance(Case):
    """Orders, a step and the state in one request: what the parts do, to the bit, and nothing that they could not do."""

    HASH = state_pb2.STATE_FIELD_HASH

    def orders(self, entity, i):
        offset = [0.02 * ((i + k) % 5 - 2) for k in range(17)]
        return [dict(set_offset=dict(entity=entity, offset=offset)),
                dict(push=dict(entity=entity, force=dict(y=30 * i), duration_s=0.05)),
                dict(set_fragment=dict(entity=entity, fragment=i % 6))]

    def play(self, client, whole):
        world = self.world(client)
        entity, seen = client.spawn(world, "sway"), []
        for i in range(8):
            if whole:
                state = client.command(world, advance=dict(count=15, orders=self.orders(entity, i), fields=self.HASH)).state
            else:
                for order in self.orders(entity, i):
                    client.send_command(world, **order)
                client.step(world, 15)
                state = client.state(world, self.HASH)
            seen.append((state.tick, state.hash))
        return seen

    def test_an_advance_equals_its_parts(self):
        client = self.client()
        self.assertEqual(self.play(client, True), self.play(client, False))

    def test_it_is_recorded_as_commands(self):
        client = self.client()
        world = self.world(client)
        entity = client.spawn(world, "sway")
        client.command(world, start_recording=dict(name="advanced"))
        for i in range(4):
            client.command(world, advance=dict(count=15, orders=self.orders(entity, i)))
        client.command(world, stop_recording={})
        replay = client.ask(replay=dict(recording="advanced", world="replay of it", paused=True)).world.id
        client.command(replay, verify={})
        info = client.ask(get_replay=dict(world=replay)).replay_info
        self.assertFalse(info.HasField("divergence"))
        told = [event.event.text for event in info.events if event.event.kind == state_pb2.EVENT_KIND_APPLIED]
        self.assertEqual(told, ["set_offset", "push", "set_fragment"] * 4)
        with self.refused(FAILED_PRECONDITION):
            client.command(replay, advance={})
        client.ask(destroy_world=dict(world=replay))

    def test_refused_orders(self):
        client = self.client()
        world = self.world(client)
        entity = client.spawn(world, "sway")
        client.ask(subscribe=dict(world=world, events=True))
        wrong = dict(set_offset=dict(entity=entity, offset=[0.1]))
        result = client.command(world, advance=dict(count=2, orders=[*self.orders(entity, 1), wrong, wrong]))
        self.assertEqual((result.refused.count, result.refused.order, result.refused.code), (2, 3, INVALID_ARGUMENT))
        self.assertIn("17", result.refused.message)
        self.assertEqual((result.tick, result.state.tick, result.state.characters[0].entity), (2, 2, entity))
        client.state(world)
        told = [(event.text, event.code) for event in client.events if event.kind == state_pb2.EVENT_KIND_APPLIED]
        self.assertEqual(told, [("set_offset", 0), ("push", 0), ("set_fragment", 0)] + 2 * [("set_offset", INVALID_ARGUMENT)])
        self.assertFalse(client.command(world, advance={}).HasField("refused"))

    def test_an_invalid_order_does_nothing(self):
        client = self.client()
        world = self.world(client)
        entity = client.spawn(world, "sway")
        push = dict(push=dict(entity=entity, force=dict(y=50), duration_s=0.1))
        for code, fields in ((INVALID_ARGUMENT, dict(orders=[push, dict(push={})])), (INVALID_ARGUMENT, dict(orders=[push] * 257)),
                             (INVALID_ARGUMENT, dict(count=1000001)), (INVALID_ARGUMENT, dict(fields=2 * max(state_pb2.StateField.values()))),
                             (UNIMPLEMENTED, dict(orders=[push, {}])),
                             (NOT_FOUND, dict(orders=[push, dict(set_controller=dict(entity=entity, controller="nobody"))]))):
            with self.refused(code):
                client.command(world, advance=fields)
        with self.refused(INVALID_ARGUMENT):
            client.command(world, at_tick=9, advance={})
        self.assertEqual(client.state(world).tick, 0)
        self.assertEqual(client.command(world, advance=dict(orders=[push] * 256)).tick, 1)
        with self.refused(FAILED_PRECONDITION):
            client.command(self.world(client, REAL_TIME), advance={})

    def test_two_clients_take_turns(self):
        one, two = self.client(), self.client()
        world = self.world(one, steppers=2)
        one.command(world, join=dict(order=1))
        two.command(world, join=dict(order=2))
        entity = one.spawn(world, "sway")
        one.command(world, set_controller=dict(entity=entity, controller="hold"))
        first = one.send_command(world, advance=dict(count=10))
        second = two.send_command(world, advance=dict(count=4, orders=[dict(despawn=dict(entity=entity))]))
        self.assertEqual(len(two.wait(second).command.state.characters), 0)
        one.receive_for(0.05)
        self.assertNotIn(first, one.responses)
        two.command(world, leave={})
        self.assertEqual(one.wait(first).command.state.tick, 10)


class Rules(Case):
    def test_lowest_free_order(self):
        clients = [self.client() for _ in range(3)]
        world = self.world(clients[0])
        self.assertEqual(clients[0].command(world, join=dict(order=2)).order, 2)
        self.assertEqual(clients[1].command(world, join={}).order, 1)
        self.assertEqual(clients[2].command(world, join={}).order, 3)
        with self.refused(ALREADY_EXISTS):
            clients[0].command(world, join={})
        with self.refused(ALREADY_EXISTS):
            self.client().command(world, join=dict(order=3))
        with self.refused(INVALID_ARGUMENT):
            self.client().command(world, join=dict(order=1001))

    def test_commands_follow_the_frontier(self):
        client = self.client()
        world = self.world(client)
        client.send_command(world, step=dict(count=10))
        mark = client.send_command(world, mark={})
        self.assertEqual(client.wait(mark).command.tick, 10)
        with self.refused(OUT_OF_RANGE):
            client.command(world, at_tick=9, mark={})

    def test_a_lost_stepper_does_not_hold_the_world(self):
        one, two = self.client(), self.client()
        world = self.world(one)
        one.command(world, join={})
        two.command(world, join={})
        step = one.send_command(world, step=dict(count=4))
        two.socket.close()
        self.assertEqual(one.wait(step).command.tick, 4)

    def test_reset_moves_all_frontiers(self):
        one, two = self.client(), self.client()
        world = self.world(one)
        one.command(world, join=dict(order=1))
        two.command(world, join=dict(order=2))
        ahead = two.send_command(world, step=dict(count=100))
        step = one.send_command(world, step=dict(count=2))
        one.wait(step)
        one.command(world, reset={})
        with self.refused(ABORTED):
            two.wait(ahead)
        step = one.send_command(world, step={})
        self.assertEqual(two.step(world, 1).tick, 1)
        one.wait(step)

    def test_joining_a_world_that_runs_by_itself_is_refused(self):
        client = self.client()
        with self.refused(FAILED_PRECONDITION):
            client.command(self.world(client, REAL_TIME), join={})

    def test_leaving_without_having_joined(self):
        client = self.client()
        with self.refused(NOT_FOUND):
            client.command(self.world(client), leave={})


class Timeout(Case):
    """A stepper that does not step is removed after the time in the world's definition, and all watchers are notified."""

    def test_a_player_that_never_steps_does_not_hold_up_others(self):
        quick, stuck, watcher = (self.client() for _ in range(3))
        world = self.world(quick, step_timeout_s=0.3)
        self.assertAlmostEqual(watcher.ask(get_world=dict(world=world)).world.step_timeout_s, 0.3)
        for each in watcher, stuck:
            each.ask(subscribe=dict(world=world, events=True))
        quick.command(world, join=dict(order=1))
        stuck.command(world, join=dict(order=2))
        self.assertEqual(quick.step(world, 50).tick, 50)
        for each in watcher, stuck:
            event = each.wait_event(state_pb2.EVENT_KIND_STEPPER_REMOVED)
            self.assertEqual((event.session, event.magnitude), (stuck.session_id, 2))
        self.assertEqual(stuck.step(world).tick, 51)  # it has joined again


if __name__ == "__main__":
    unittest.main()

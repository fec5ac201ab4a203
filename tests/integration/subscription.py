"""Subscriptions: rates, fields, events, newest state for slow readers, and the events they get."""

import math
import time
import unittest

from harness import *


class Subscriptions(Case):
    def test_first_state_comes_without_delay(self):
        client = self.client()
        world = self.world(client)
        entity = client.spawn(world)
        result = client.ask(subscribe=dict(world=world, rate_hz=50)).subscribe
        self.assertEqual(result.every_ticks, 4)
        state = client.wait_state()
        self.assertEqual((state.world, state.tick, state.characters[0].entity), (world, 0, entity))

    def test_rate_in_world_time(self):
        client = self.client()
        world = self.world(client)
        client.spawn(world)
        client.ask(subscribe=dict(world=world, rate_hz=50))
        client.wait_state()
        client.step(world, 40)
        client.receive_for(0.1)
        self.assertEqual([s.tick for s in client.states], [0] + list(range(4, 41, 4)))
        self.assertEqual(client.states[-1].dropped_states, 0)

    def test_a_paused_world_shows_what_changes_in_it(self):
        client = self.client()
        world = self.world(client, REAL_TIME, paused=True)

        def shows(what):
            while not any(map(what, client.states)):
                client.receive()

        client.ask(subscribe=dict(world=world, rate_hz=1))
        entity = client.spawn(world)
        shows(lambda state: len(state.characters) == 1)
        client.step(world, 3)
        shows(lambda state: state.tick == 3)
        client.command(world, set_limp=dict(entity=entity, limp=True))
        shows(lambda state: state.tick == 3 and state.characters[0].limp)
        client.command(world, resume={})
        stopped = client.command(world, pause={}).tick
        shows(lambda state: state.tick == stopped)

    def test_real_time_rate(self):
        client = self.client()
        world = self.world(client, REAL_TIME)
        client.spawn(world)
        client.ask(subscribe=dict(world=world, rate_hz=25))
        client.receive_for(1.0)
        first, last = client.states[0], client.states[-1]
        self.assertIn(len(client.states), range(3, 32))
        self.assertEqual({s.tick % 8 for s in client.states[1:]}, {0})
        self.assertAlmostEqual((last.tick + last.dropped_ticks - first.tick - first.dropped_ticks) * 0.005, 1.0, delta=0.7)

    def test_a_second_one_replaces_the_first(self):
        client = self.client()
        world = self.world(client)
        client.ask(subscribe=dict(world=world, rate_hz=200))
        client.ask(subscribe=dict(world=world, rate_hz=0, events=True))
        client.receive_for(0.05)
        client.states.clear()
        client.step(world, 20)
        client.receive_for(0.05)
        self.assertEqual(client.states, [])
        client.ask(unsubscribe=dict(world=world))
        with self.refused(NOT_FOUND):
            client.ask(unsubscribe=dict(world=world))

    def test_wrong_fields(self):
        client = self.client()
        world = self.world(client)
        for change in (dict(rate_hz=-1.0), dict(rate_hz=201.0), dict(rate_hz=float("nan")), dict(fields=1024)):
            with self.refused(INVALID_ARGUMENT):
                client.ask(subscribe=dict(world=world, **change))

    def test_shapes_and_pushes(self):
        client = self.client()
        world = client.create_world("shapes", STEPPED, scene=dict(scenery=[dict(
            size=dict(x=1, y=0.5, z=0.1), pos=dict(x=9), friction=0.5)])).id
        geoms = [dict(kind=1, size=dict(x=0.1)), dict(kind=3, size=dict(x=0.2, y=0.2, z=0.2), pos=dict(x=1))]
        ball = client.command(world, spawn_object=dict(name="ball", geoms=geoms[:1], pos=dict(z=2))).entity
        client.command(world, spawn_object=dict(name="pair", geoms=geoms, pos=dict(y=3, z=2)))
        client.command(world, push=dict(entity=ball, force=dict(x=2), duration_s=0.05))
        plain = client.state(world)
        self.assertEqual((len(plain.scenery), len(plain.objects[0].geoms), len(plain.pushes)), (0, 0, 0))
        fields = state_pb2.STATE_FIELD_OBJECTS | state_pb2.STATE_FIELD_SHAPES | state_pb2.STATE_FIELD_PUSHES
        state = client.state(world, fields)
        self.assertEqual((state.scenery[0].size.y, state.scenery[0].friction), (0.5, 0.5))
        self.assertEqual(state.objects[0].geoms[0].size.x, 0.1)
        volumes = [4 / 3 * math.pi * 0.1 ** 3, 0.4 ** 3]
        self.assertAlmostEqual(state.objects[1].geoms[0].pos.x, -volumes[1] / sum(volumes))  # from the centre of mass
        self.assertEqual((state.pushes[0].entity, list(state.pushes[0].force)), (ball, [2, 0, 0]))
        self.assertAlmostEqual(state.pushes[0].remaining_s, 0.05)
        client.step(world, 10)
        self.assertEqual(len(client.state(world, fields).pushes), 0)
        client.ask(destroy_world=dict(world=world))

    def test_no_more_than_16(self):
        client = self.client()
        with self.refused(RESOURCE_EXHAUSTED):
            for _ in range(17):
                client.ask(subscribe=dict(world=self.world(client), rate_hz=10))

    def test_no_more_than_32_kinds_and_a_refusal_changes_nothing(self):
        one, two = self.client(), self.client()
        world = self.world(one)
        others = [self.client() for _ in range(31)]
        two.ask(subscribe=dict(world=world, rate_hz=100, fields=1))
        one.ask(subscribe=dict(world=world, rate_hz=100, fields=1))
        for i, other in enumerate(others):
            other.ask(subscribe=dict(world=world, rate_hz=50, fields=i + 1))
        with self.refused(RESOURCE_EXHAUSTED):
            one.ask(subscribe=dict(world=world, rate_hz=50, fields=40))
        one.receive_for(0.05)
        one.states.clear()
        one.step(world, 10)
        one.receive_for(0.1)
        self.assertEqual([s.tick for s in one.states], [2, 4, 6, 8, 10])  # the earlier subscription continues
        others[0].ask(subscribe=dict(world=world, rate_hz=50, fields=40))  # its kind was its alone: still 32

    def test_applied_commands_are_sent_to_all_subscribers(self):
        one, two = self.client(), self.client()
        world = self.world(one)
        two.ask(subscribe=dict(world=world, events=True))
        entity = one.spawn(world)
        event = two.wait_event(state_pb2.EVENT_KIND_APPLIED)
        self.assertEqual((event.text, event.entity, event.session, event.code),
                         ("spawn_character", entity, one.session_id, OK))
        one.step(world, 3)
        with self.refused(NOT_FOUND):
            one.command(world, push=dict(entity=99, force=dict(x=1)))
        event = two.wait_event(state_pb2.EVENT_KIND_APPLIED)
        self.assertEqual((event.text, event.tick, event.code), ("push", 3, NOT_FOUND))
        one.command(world, reset={})
        self.assertEqual(two.wait_event(state_pb2.EVENT_KIND_RESET).epoch, 1)
        one.ask(destroy_world=dict(world=world))
        two.wait_event(state_pb2.EVENT_KIND_DESTROYED)

    def test_slow_reader_gets_the_newest_and_the_count(self):
        fast, slow = self.client(), self.client(receive_buffer=4096)
        world = self.world(fast, REAL_TIME, rate=0.5)  # 100 ticks a second: no hardship for a slow machine
        for i in range(3):
            fast.spawn(world, x=2.0 * i)
        slow.ask(subscribe=dict(world=world, rate_hz=200, fields=63))
        before = fast.state(world)
        time.sleep(3.0)
        after = fast.state(world)
        made = after.tick - before.tick
        self.assertGreater(made, 40)  # of 300; a busy machine drops some
        newest = slow.wait_state(lambda state: state.tick >= after.tick - 2)
        self.assertGreater(newest.dropped_states, made / 3)
        stale = [s for s in slow.states if s.tick < after.tick - 2]
        self.assertLess(len(stale), 20)  # what the kernel's small buffers held, not two seconds of states
        for earlier, later in zip(slow.states, slow.states[1:]):
            self.assertGreater(later.tick, earlier.tick)

    def test_reader_that_never_reads_costs_little(self):
        one = self.client()
        world = self.world(one, FAST)
        one.spawn(world)
        before = self.daemon.memory_kb()
        sleepers = [self.client(receive_buffer=4096) for _ in range(20)]
        for sleeper in sleepers:
            sleeper.ask(subscribe=dict(world=world, rate_hz=200, fields=63, events=True))
        time.sleep(1.0)
        self.assertLess(self.daemon.memory_kb() - before, 64 * 1024)
        one.ask(ping={})


if __name__ == "__main__":
    unittest.main()

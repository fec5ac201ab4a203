"""Worlds: their making, listing and end; time in the three modes; pause, rate, step; reset and marks."""

import time
import unittest

from harness import *


class Making(Case):
    def test_defaults(self):
        info = self.client().create_world("plain", REAL_TIME, seed=9)
        self.assertEqual((info.name, info.seed, info.step_s, info.rate, info.mode),
                         ("plain", 9, 0.005, 1.0, REAL_TIME))
        self.assertEqual(info.character_count, 0)

    def test_name_is_unique(self):
        client = self.client()
        client.create_world("one")
        with self.refused(ALREADY_EXISTS):
            client.create_world("one")

    def test_wrong_fields_are_named(self):
        client = self.client()
        for field, request in (("name", dict(name="")), ("name", dict(name="x" * 48)),
                               ("step_s", dict(name="a", step_s=1.0)), ("step_s", dict(name="a", step_s=float("nan"))),
                               ("rate", dict(name="a", rate=-1.0)), ("rate: 0:", dict(name="a", rate=0)),
                               ("step_s: 0:", dict(name="a", step_s=0)), ("steppers", dict(name="a", steppers=65)),
                               ("friction", dict(name="a", scene=dict(ground=dict(friction=-1.0)))),
                               ("gravity", dict(name="a", scene=dict(gravity=dict(z=float("inf"))))),
                               ("rot", dict(name="a", scene=dict(scenery=[dict(size=dict(x=1, y=1, z=1), rot=dict())]))),
                               ("size", dict(name="a", scene=dict(scenery=[dict()])))):
            with self.refused(INVALID_ARGUMENT) as refusal:
                client.ask(create_world=request)
            self.assertIn(field, refusal.message)

    def test_zero_is_not_a_default(self):
        client = self.client()
        world, ball = client.create_world("zeros", STEPPED).id, [dict(kind="GEOM_KIND_SPHERE", size=dict(x=1))]
        for field, command in (("count", dict(step=dict(count=0))), ("count", dict(advance=dict(count=0))),
                               ("hold_s", dict(snapshot=dict(hold=True, hold_s=0))),
                               ("mass", dict(spawn_object=dict(geoms=ball, mass=0))),
                               ("density", dict(spawn_object=dict(geoms=ball, density=0)))):
            with self.refused(INVALID_ARGUMENT) as refusal:
                client.command(world, **command)
            self.assertIn(f"{field}: 0: expected", refusal.message)
        with self.refused(INVALID_ARGUMENT) as refusal:
            client.ask(replay=dict(recording="none", world="again", rate=0))
        self.assertEqual(refusal.message, "rate: 0: expected 0.01 to 100")

    def test_unknown_world(self):
        client = self.client()
        for world in (0, 1 << 31, 0xFFFFFFFF, 1 << 8 | 65, 1 << 8 | 128, 1 << 8 | 255):
            with self.refused(NOT_FOUND) as refusal:
                client.state(world)
            self.assertIn("not found", refusal.message)

    def test_a_destroyed_world_leaves_room_at_once(self):
        """Its thread may still end its turn when the answer comes."""
        client = self.client()
        room = 256 - len(client.ask(list_worlds={}).world_list.worlds)
        worlds = [client.create_world(f"room {i}", FAST).id for i in range(room)]
        with self.refused(RESOURCE_EXHAUSTED):
            client.create_world("one too many")
        for i in range(room):
            gone = worlds[i]
            client.ask(destroy_world=dict(world=gone))
            worlds[i] = client.create_world(f"room {i}", FAST).id
            with self.refused(NOT_FOUND):
                client.state(gone)
            self.assertEqual(client.ask(get_world=dict(world=worlds[i])).world.name, f"room {i}")
        self.assertEqual(len(set(worlds)), room)
        for world in worlds:
            client.ask(destroy_world=dict(world=world))

    def test_scenery_carries(self):
        client = self.client()
        world = self.world(client, scene=dict(scenery=[dict(size=dict(x=1, y=1, z=0.5), pos=dict(z=0.5), friction=1)]))
        ball = dict(geoms=[dict(kind=1, size=dict(x=0.1), friction=1)], pos=dict(z=1.5))
        entity = client.command(world, spawn_object=ball).entity
        client.step(world, 400)
        state = client.state(world)
        self.assertEqual(state.objects[0].entity, entity)
        self.assertAlmostEqual(state.objects[0].pos[2], 1.1, delta=0.02)


def given(state):
    """Ticks that real time has given a world: those it made and, on a machine too slow, those it gave up."""
    return state.tick + state.dropped_ticks


class Time(Case):
    def check_rate(self, client, world, rate):
        """Each state was taken between its asking and its coming. A world is never ahead; it may be late, but not for ever."""
        asked = time.monotonic()
        first = given(client.state(world))
        came = time.monotonic()
        late_s, shortest, passed_s = 0.4, 0, 0
        while shortest < 1 or passed_s < rate * (shortest - late_s):
            time.sleep(0.2)
            shortest = time.monotonic() - came
            passed_s = (given(client.state(world)) - first) * 0.005
            longest = time.monotonic() - asked
            self.assertLess(passed_s, rate * (longest + late_s))
            self.assertLess(longest, TIMEOUT_S)

    def test_real_time_keeps_the_clock(self):
        client = self.client()
        self.check_rate(client, self.world(client, REAL_TIME), 1)

    def test_rate(self):
        client = self.client()
        world = self.world(client, REAL_TIME, rate=4.0)
        self.check_rate(client, world, 4)
        client.command(world, set_rate=dict(rate=0.5))
        self.check_rate(client, world, 0.5)

    def test_fast_is_faster(self):
        client = self.client()
        began = time.monotonic()
        world = self.world(client, FAST)
        while client.state(world).time_s < 2 * (time.monotonic() - began) + 1:
            self.assertLess(time.monotonic() - began, TIMEOUT_S)

    def test_stepped_stands_still(self):
        client = self.client()
        world = self.world(client)
        time.sleep(0.1)
        self.assertEqual(client.state(world).tick, 0)
        result = client.step(world, 25)
        self.assertEqual((result.tick, client.state(world).tick), (25, 25))

    def test_pause_and_resume(self):
        client = self.client()
        world = self.world(client, REAL_TIME)
        tick = client.command(world, pause={}).tick
        time.sleep(0.1)
        self.assertEqual(client.state(world).tick, tick)
        self.assertEqual(client.step(world, 10).tick, tick + 10)
        dropped = client.state(world).dropped_ticks
        time.sleep(1.5)
        self.assertEqual(client.state(world).tick, tick + 10)
        resumed = time.monotonic()
        client.command(world, resume={})
        state = self.moved(client, world, tick + 10)
        since = 200 * (time.monotonic() - resumed)
        self.assertLess(state.dropped_ticks - dropped, since + 100)  # the pause, three hundred ticks long, was not lateness

    def moved(self, client, world, tick):
        """The first state past the tick."""
        began = time.monotonic()
        while (state := client.state(world)).tick <= tick:
            self.assertLess(time.monotonic() - began, TIMEOUT_S)
        return state

    def test_step_of_a_running_world_is_refused(self):
        client = self.client()
        with self.refused(FAILED_PRECONDITION):
            client.step(self.world(client, REAL_TIME))

    def test_pause_of_a_stepped_world_is_refused(self):
        client = self.client()
        with self.refused(FAILED_PRECONDITION):
            client.command(self.world(client), pause={})

    def test_begins_paused(self):
        client = self.client()
        world = self.world(client, REAL_TIME, paused=True)
        entity = client.spawn(world)
        self.assertEqual(client.state(world).tick, 0)
        client.command(world, resume={})
        state = self.moved(client, world, 0)
        self.assertEqual(state.characters[0].entity, entity)

    def test_at_tick(self):
        client = self.client()
        world = self.world(client, REAL_TIME)
        self.assertEqual(client.command(world, at_tick=200, set_rate=dict(rate=1.0)).tick, 200)
        with self.refused(OUT_OF_RANGE):
            client.command(world, at_tick=1, set_rate=dict(rate=1.0))
        with self.refused(OUT_OF_RANGE):
            client.command(world, at_tick=1 << 40, set_rate=dict(rate=1.0))
        with self.refused(INVALID_ARGUMENT):
            client.command(world, at_tick=-1, set_rate=dict(rate=1.0))

    def test_destroy_answers_what_waits(self):
        client = self.client()
        world = self.world(client)
        waiting = client.send_command(world, at_tick=1000, mark={})
        client.ask(destroy_world=dict(world=world))
        with self.refused(ABORTED):
            client.wait(waiting)


class Reset(Case):
    def test_returns_to_the_spawned_scene(self):
        client = self.client()
        world = self.world(client)
        entities = [client.spawn(world, "sway", x=2.0 * i) for i in range(3)]
        before = client.state(world, state_pb2.STATE_FIELD_HASH)
        client.step(world, 200)
        result = client.command(world, reset={})
        after = client.state(world, state_pb2.STATE_FIELD_HASH)
        self.assertEqual((result.tick, result.hash), (0, before.hash))
        self.assertEqual(after.hash, before.hash)
        self.assertEqual(after.epoch, before.epoch + 1)
        self.assertEqual([c.entity for c in after.characters], entities)
        self.assertEqual(after.characters[0].controller, "sway")

    def test_replays_to_the_same_bits(self):
        client = self.client()
        world = self.world(client)
        entity = client.spawn(world, "sway")
        hashes = []
        for _ in range(2):
            client.command(world, push=dict(entity=entity, force=dict(y=200), duration_s=0.1))
            hashes.append(client.step(world, 300).hash)
            client.command(world, reset={})
        self.assertEqual(hashes[0], hashes[1])

    def test_mark(self):
        client = self.client()
        world = self.world(client)
        client.spawn(world)
        client.step(world, 50)
        client.command(world, mark={})
        client.step(world, 50)
        self.assertEqual(client.command(world, reset={}).tick, 50)

    def test_late_spawn_is_kept(self):
        client = self.client()
        world = self.world(client)
        client.spawn(world)
        client.step(world, 10)
        entity = client.spawn(world, x=3.0)
        client.step(world, 10)
        self.assertEqual(client.command(world, reset={}).tick, 10)
        self.assertIn(entity, [c.entity for c in client.state(world).characters])

    def test_aborts_what_waits(self):
        client = self.client()
        world = self.world(client)
        client.spawn(world)
        waiting = client.send_command(world, at_tick=500, mark={})
        client.step(world, 10)
        client.command(world, reset={})
        with self.refused(ABORTED):
            client.wait(waiting)


class Limits(Case):
    def test_a_full_world_names_its_limit(self):
        client = self.client()
        world = client.create_world("crowded", STEPPED, paused=True).id
        for _ in range(64):
            client.spawn(world)
        with self.refused(RESOURCE_EXHAUSTED) as refused:
            client.spawn(world)
        self.assertIn("character: a world has at most 64", refused.message)
        client.ask(destroy_world=dict(world=world))

    def test_names_have_no_control_characters(self):
        client = self.client()
        for name in "a\nb", "\x1b[2J", "a\x7f", "a\u0085":
            with self.refused(INVALID_ARGUMENT) as refused:
                client.create_world(name)
            self.assertIn("name: expected no control characters", refused.message)

    def test_a_name_with_a_zero_byte_ends_the_session(self):
        client = self.client()
        client.send(create_world=dict(name="a\0b"))
        self.assertEqual(client.receive_until_closed().code, INVALID_ARGUMENT)


class Owners(Case):
    """A world can end with the session that made it, or that claimed it last."""

    def make(self, client, **fields):
        type(self).world_count += 1
        return client.create_world(f"owned {self.world_count}", STEPPED, **fields).id

    def wait_until_gone(self, client, world):
        deadline = time.monotonic() + TIMEOUT_S
        while any(info.id == world for info in client.ask(list_worlds={}).world_list.worlds):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)

    def test_a_world_is_kept_unless_asked_otherwise(self):
        owner, other = self.client(), self.client()
        world = self.make(owner)
        self.assertEqual(owner.ask(get_world=dict(world=world)).world.owner_leaves, world_pb2.OWNER_LEAVES_KEEP)
        owner.close()
        time.sleep(0.3)
        other.ask(get_world=dict(world=world))
        other.ask(destroy_world=dict(world=world))

    def test_a_world_ends_with_its_owner_and_watchers_are_notified(self):
        owner, other = self.client(), self.client()
        world = self.make(owner, owner_leaves=world_pb2.OWNER_LEAVES_DESTROY)
        other.ask(subscribe=dict(world=world, events=True))
        owner.close()
        other.wait_event(state_pb2.EVENT_KIND_DESTROYED)
        self.wait_until_gone(other, world)

    def test_a_lease_leaves_time_to_claim_it(self):
        owner, other = self.client(), self.client()
        world = self.make(owner, owner_leaves=world_pb2.OWNER_LEAVES_DESTROY, lease_s=2)
        owner.close()
        time.sleep(0.2)
        claimed = other.ask(claim_world=dict(world=world, owner_leaves=world_pb2.OWNER_LEAVES_DESTROY, lease_s=0.5)).world
        self.assertEqual((claimed.owner_leaves, claimed.lease_s), (world_pb2.OWNER_LEAVES_DESTROY, 0.5))
        time.sleep(2.5)
        with self.client() as third:
            third.ask(get_world=dict(world=world))
            other.close()
            self.wait_until_gone(third, world)

    def test_a_claimed_world_can_be_kept(self):
        owner, other = self.client(), self.client()
        world = self.make(owner, owner_leaves=world_pb2.OWNER_LEAVES_DESTROY)
        other.ask(claim_world=dict(world=world))
        owner.close()
        time.sleep(0.3)
        other.ask(destroy_world=dict(world=world))

    def test_fields_are_checked(self):
        client = self.client()
        for fields in (dict(lease_s=-1), dict(lease_s=1e9), dict(lease_s=float("nan")), dict(owner_leaves=9),
                       dict(step_timeout_s=-1), dict(step_timeout_s=1e9)):
            with self.refused(INVALID_ARGUMENT) as refused:
                self.make(client, **fields)
            self.assertIn(next(iter(fields)), refused.message)
        with self.refused(NOT_FOUND):
            client.ask(claim_world=dict(world=9999))


if __name__ == "__main__":
    unittest.main()

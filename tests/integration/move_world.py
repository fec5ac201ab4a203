"""A world moves to another daemon: to the bit, its clients learn where, and a failure leaves it where it was."""

import json
import subprocess

from harness import *
from lines import Cut, Line

BUNDLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../db/shipped.troupe")
DESTROYED = state_pb2.EventKind.Value("EVENT_KIND_DESTROYED")


class Move(unittest.TestCase):
    def setUp(self):
        self.here, self.there = Daemon(), Daemon()
        self.address = f"127.0.0.1:{self.there.port}"
        self.director, self.other = self.here.client("director"), self.there.client("director")
        for closed in (self.here.__exit__, self.there.__exit__):
            self.addCleanup(closed, None, None, None)
        for client in (self.director, self.other):
            self.addCleanup(client.close)

    def move(self, world, *options, to=None, port=None):
        return subprocess.run([os.environ["TROUPE"], "--port", str(port or self.here.port), "move-world", world,
                               to or self.address, "--json", *options], capture_output=True, text=True, timeout=TIMEOUT_S)

    def moved(self, world, *options):
        result = self.move(world, *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def worlds(self, client):
        return {world.name: world for world in client.ask(list_worlds={}).world_list.worlds}

    def people(self, client, name):
        """A stepped world of two at tick 60, one of them pushed at tick 90: what moves, and what it is compared with."""
        world = client.create_world(name, seed=11, step_s=0.005, look_ahead=True, fault_rule=world_pb2.FAULT_RULE_FREEZE,
                                    step_timeout_s=600).id
        one = client.spawn(world, label="one")
        client.spawn(world, x=0.6, label="two")
        client.step(world, 60)
        client.send_command(world, at_tick=90, push=dict(entity=one, force=dict(x=300.0), duration_s=0.2))
        return world

    def test_it_continues_to_the_bit(self):
        self.people(self.director, "lab")
        straight = self.people(self.other, "straight")
        reply = self.moved("lab")
        self.assertEqual((reply["moved"], reply["to"], reply["tick"]), ("lab", self.address, 60))
        self.assertEqual(self.worlds(self.director), {})
        world = self.worlds(self.other)["lab"]
        self.assertEqual((world.id, world.tick, world.seed, world.step_s), (reply["id"], 60, 11, 0.005))
        self.assertEqual((world.fault_rule, world.look_ahead, world.step_timeout_s), (world_pb2.FAULT_RULE_FREEZE, True, 600))
        for _ in range(3):
            moved, control = self.other.step(world.id, 40), self.other.step(straight, 40)
            self.assertEqual((moved.tick, moved.hash), (control.tick, control.hash))
        labels = [character.label for character in self.other.state(world.id).characters]
        self.assertEqual(labels, ["one", "two"])

    def test_clients_learn_where_and_read_on_there(self):
        world = self.director.create_world("arena", REAL_TIME).id
        self.director.spawn(world, label="one")
        with self.here.client("reader") as reader:
            reader.ask(subscribe=dict(world=world, rate_hz=100, events=True))
            reader.wait_state()
            self.moved("arena", "--as", f"localhost:{self.there.port}")
            self.assertEqual(reader.wait_event(DESTROYED).text, f"localhost:{self.there.port}")
            last = reader.states[-1].tick
        with self.there.client("reader") as reader:
            found = self.worlds(reader)["arena"]
            self.assertFalse(found.paused)
            reader.ask(subscribe=dict(world=found.id, rate_hz=100))
            self.assertGreaterEqual(reader.wait_state().tick, last)
            reader.wait_state(lambda state: state.tick > last + 50)

    def test_watch_follows_it_there_and_back(self):
        world = self.director.create_world("arena", REAL_TIME).id
        watch = subprocess.Popen([os.environ["TROUPE"], "--port", str(self.here.port), "watch", "#%d" % world, "--rate", "50",
                                  "--json"], stdout=subprocess.PIPE, text=True)
        rows = (json.loads(line) for line in watch.stdout)
        before = next(row["tick"] for row in rows if "characters" in row)
        self.moved("arena")
        ends = next(row for row in rows if row.get("event") == "world destroyed")
        self.assertEqual(ends["text"], self.address)
        after = next(row["tick"] for row in rows if "characters" in row)
        self.assertGreater(after, before)
        back = subprocess.run([os.environ["TROUPE"], "--port", str(self.there.port), "move-world", "arena",
                               f"127.0.0.1:{self.here.port}"], capture_output=True, timeout=TIMEOUT_S)
        self.assertEqual(back.returncode, 0, back.stderr)
        next(row for row in rows if row.get("event") == "world destroyed")
        self.assertGreater(next(row["tick"] for row in rows if "characters" in row), after)
        watch.send_signal(signal.SIGINT)
        watch.communicate(timeout=TIMEOUT_S)
        self.assertEqual(watch.returncode, 0)

    def test_a_paused_world_stays_paused(self):
        self.director.create_world("arena", REAL_TIME, paused=True)
        self.moved("arena")
        self.assertTrue(self.worlds(self.other)["arena"].paused)

    def test_a_held_world_refuses_commands_until_its_holder_leaves(self):
        world = self.director.create_world("arena", REAL_TIME).id
        with self.here.client("mover") as mover:
            taken = mover.command(world, snapshot=dict(hold=True))
            for command in dict(spawn_character=dict(controller="hold")), dict(pause={}), dict(step=dict(count=1)):
                with self.assertRaises(Refused) as refused:
                    self.director.command(world, **command)
                self.assertEqual(refused.exception.code, UNAVAILABLE)
            time.sleep(0.2)
            self.assertEqual(self.director.state(world).tick, taken.tick)
            self.assertTrue(self.worlds(self.director)["arena"].paused)
        while self.director.state(world).tick == taken.tick:
            time.sleep(0.02)
        self.director.spawn(world)

    def test_a_holder_that_leaves_at_once_leaves_no_hold(self):
        world = self.director.create_world("arena", REAL_TIME, rate=0.05).id
        mover = self.here.client("mover")
        mover.send_command(world, snapshot=dict(hold=True))
        mover.close()
        while self.director.state(world).tick < 3:
            time.sleep(0.02)
        with self.assertRaises(Refused) as refused:
            self.director.command(world, at_tick=1000, snapshot=dict(hold=True))
        self.assertEqual(refused.exception.code, INVALID_ARGUMENT)

    def test_a_world_of_an_owner_is_kept_after_its_move(self):
        self.director.create_world("arena", REAL_TIME, owner_leaves=world_pb2.OWNER_LEAVES_DESTROY)
        self.moved("arena")
        self.assertEqual(self.worlds(self.other)["arena"].owner_leaves, world_pb2.OWNER_LEAVES_KEEP)

    def test_a_lost_answer_is_found_out(self):
        self.director.create_world("arena", REAL_TIME)
        lost = []

        def lose(kind, phase):
            if (kind, phase) == ("destroy_world", "answer") and not lost:
                lost.append(kind)
                raise Cut

        line = Line(self.here.port, lose)
        self.addCleanup(line.close)
        result = self.move("arena", port=line.port)
        self.assertEqual((result.returncode, lost), (0, ["destroy_world"]), result.stderr)
        self.assertEqual(self.worlds(self.director), {})
        world = self.worlds(self.other)["arena"]
        self.assertEqual((world.paused, world.arriving), (False, False))

    def hold(self, client, world, **options):
        return client.command(world, snapshot=dict(hold=True, **options))

    def arrive(self, held, name="arena", mode=REAL_TIME, **options):
        """The copy of a held world on the other daemon, up to its restore."""
        made = self.other.create_world(name, mode, moved_from=held.moved_from, **options)
        self.assertTrue(made.arriving)
        self.assertEqual(self.other.command(made.id, restore=dict(data=held.data)).hash, held.hash)
        return made.id

    def refused(self, code, ask, **fields):
        with self.assertRaises(Refused) as refused:
            ask(**fields)
        self.assertEqual(refused.exception.code, code, refused.exception)
        return refused.exception.response.message

    def expect_to_run(self, client, world):
        tick = client.state(world).tick
        while client.state(world).tick == tick:
            time.sleep(0.02)

    def test_a_hold_ends_by_itself_and_its_end_of_the_world_comes_too_late(self):
        world = self.director.create_world("arena", REAL_TIME).id
        end = dict(destroy_world=dict(world=world, moved_to=self.address))
        self.assertIn("hold", self.refused(FAILED_PRECONDITION, self.director.ask, **end))
        self.refused(INVALID_ARGUMENT, self.director.command, world=world, snapshot=dict(hold=True, hold_s=3601))
        self.hold(self.director, world, hold_s=0.2)
        with self.here.client("second") as second:
            self.refused(UNAVAILABLE, second.command, world=world, snapshot=dict(hold=True))
            self.refused(FAILED_PRECONDITION, second.ask, **end)
        self.expect_to_run(self.director, world)
        self.refused(FAILED_PRECONDITION, self.director.ask, **end)
        self.director.spawn(world)
        self.hold(self.director, world)
        self.director.ask(**end)
        moved = self.director.ask(list_worlds={}).world_list.moved
        self.assertEqual([(m.name, m.moved_to) for m in moved], [("arena", self.address)])

    def test_a_world_that_arrives_stands_still_until_it_is_started(self):
        world = self.director.create_world("arena", REAL_TIME).id
        self.director.spawn(world, label="one")
        self.director.send_command(world, at_tick=10**6, despawn=dict(entity=1))
        held = self.hold(self.director, world)
        copy = self.arrive(held)
        for command in dict(spawn_character=dict(controller="hold")), dict(resume={}), dict(snapshot=dict(hold=True)):
            self.refused(UNAVAILABLE, self.other.command, world=copy, **command)
        time.sleep(0.1)
        self.assertEqual(self.other.state(copy).tick, held.tick)
        self.refused(FAILED_PRECONDITION, self.other.ask, claim_world=dict(world=copy, moved_from="elsewhere"))
        for _ in range(2):  # it may be repeated
            started = self.other.ask(claim_world=dict(world=copy, moved_from=held.moved_from)).world
            self.assertFalse(started.arriving)
        self.expect_to_run(self.other, copy)

    def test_the_lease_of_a_world_that_arrives_begins_when_it_is_made(self):
        world = self.director.create_world("arena", STEPPED).id
        held = self.hold(self.director, world)
        copy = self.arrive(held, mode=STEPPED, owner_leaves=world_pb2.OWNER_LEAVES_DESTROY, lease_s=0.3)
        self.refused(UNAVAILABLE, self.other.command, world=copy, step=dict(count=1))
        while "arena" in self.worlds(self.other):
            time.sleep(0.02)
        copy = self.arrive(held, mode=STEPPED, owner_leaves=world_pb2.OWNER_LEAVES_DESTROY, lease_s=0.3)
        self.other.ask(claim_world=dict(world=copy))
        time.sleep(0.5)
        self.assertIn("arena", self.worlds(self.other))

    def break_off(self, ends):
        """A mover that is gone when the copy was kept, or when its source had ended."""
        world = self.director.create_world("arena", REAL_TIME).id
        self.director.spawn(world, label="one")
        with self.here.client("mover") as mover:
            held = self.hold(mover, world)
            copy = self.arrive(held)
            if ends:
                mover.ask(destroy_world=dict(world=world, moved_to=self.address))
        return copy

    def test_a_move_that_was_broken_off_is_finished_by_the_same_command(self):
        copy = self.break_off(ends=True)
        self.assertEqual(self.moved("arena")["id"], copy)
        self.assertFalse(self.worlds(self.other)["arena"].arriving)
        self.expect_to_run(self.other, copy)

    def test_a_stale_copy_is_replaced_by_the_same_command(self):
        copy = self.break_off(ends=False)
        self.assertNotEqual(self.moved("arena")["id"], copy)
        self.assertEqual(self.worlds(self.director), {})
        self.expect_to_run(self.other, self.worlds(self.other)["arena"].id)

    def test_a_copy_that_the_first_daemon_does_not_know_is_not_started(self):
        copy = self.break_off(ends=True)
        with Daemon() as third:
            result = self.move("arena", port=third.port)
            self.assertEqual(result.returncode, 1, result.stderr)
        self.assertTrue(self.worlds(self.other)["arena"].arriving)
        started = subprocess.run([os.environ["TROUPE"], "--port", str(self.there.port), "claim-world", "arena", "--start"],
                                 capture_output=True, timeout=TIMEOUT_S)
        self.assertEqual(started.returncode, 0, started.stderr)
        self.expect_to_run(self.other, copy)

    def test_waiting_steps_are_aborted_with_the_address(self):
        world = self.director.create_world("lab", steppers=2).id
        with self.here.client("second") as second:
            for client in self.director, second:
                client.command(world, join={})
            waiting = self.director.send_command(world, step=dict(count=5))
            self.assertEqual(self.worlds(second)["lab"].stepper_count, 2)
            self.moved("lab")
            with self.assertRaises(Refused) as refused:
                self.director.wait(waiting)
            self.assertEqual(refused.exception.code, ABORTED)
            self.assertEqual(refused.exception.response.message, f"the world has moved to {self.address}")

    def test_a_move_that_fails_leaves_the_world_where_it_was(self):
        self.other.create_world("arena")
        world = self.director.create_world("arena", REAL_TIME).id
        result = self.move("arena")
        self.assertEqual(result.returncode, 1)
        self.assertEqual(json.loads(result.stderr)["error"]["status"], "ALREADY_EXISTS")
        tick = self.director.state(world).tick
        while self.director.state(world).tick == tick:
            time.sleep(0.02)
        self.assertEqual(self.move("arena", to="127.0.0.1:1").returncode, 3)
        self.assertIn("arena", self.worlds(self.director))

    def test_a_daemon_without_the_controller_refuses_it_and_keeps_nothing(self):
        with Daemon(bundle=False) as poor, poor.client() as client:
            world = self.director.create_world("arena", REAL_TIME).id
            self.director.spawn(world)
            self.assertEqual(self.move("arena", to=f"127.0.0.1:{poor.port}").returncode, 1)
            self.assertEqual(self.worlds(client), {})
            self.director.spawn(world, x=1.0)

    def test_a_recorded_world_does_not_move(self):
        world = self.director.create_world("arena", REAL_TIME).id
        self.director.command(world, start_recording=dict(name="kept"))
        result = self.move("arena")
        self.assertEqual(result.returncode, 1)
        self.assertIn("the world is being recorded", result.stderr)

    def test_an_address_that_does_not_fit_is_refused(self):
        world = self.director.create_world("arena").id
        for wrong in "a" * 48, "a\nb:1":
            with self.assertRaises(Refused) as refused:
                self.director.ask(destroy_world=dict(world=world, moved_to=wrong))
            self.assertEqual(refused.exception.code, INVALID_ARGUMENT)
        self.assertEqual(self.move("arena", "--as", "a" * 48).returncode, 2)


@unittest.skipUnless(os.path.exists(BUNDLE), "there is no db/shipped.troupe")
class MoveOfAGait(unittest.TestCase):
    """A gait reads the contacts of its feet in the last step. It moves at the ticks at which a foot strikes."""
    STEERS = {60: 1.2, 180: -0.4, 300: 1.2, 420: -0.4}
    STRIKES = (78, 157, 228, 310, 387, 464)

    def act(self, client, world, entity, tick):
        if tick in self.STEERS:
            client.command(world, steer=dict(entity=entity, heading_rad=self.STEERS[tick]))
        if tick == 150:
            client.command(world, push=dict(entity=entity, force=dict(x=60.0, y=40.0), duration_s=0.3))

    def move(self, here, there):
        move = subprocess.run([os.environ["TROUPE"], "--port", str(here.port), "move-world", "moves", f"127.0.0.1:{there.port}",
                               "--json"], capture_output=True, text=True, timeout=TIMEOUT_S)
        self.assertEqual(move.returncode, 0, move.stderr)
        return json.loads(move.stdout)["id"]

    def test_it_walks_and_turns_as_one_that_stayed(self):
        with Daemon(bundle=False, shipped=True) as one, Daemon(bundle=False, shipped=True) as two:
            with one.client("director") as first, two.client("director") as second:
                stays = first.create_world("stays", step_s=0.005).id
                at = first.create_world("moves", step_s=0.005).id
                entity = first.spawn(stays, "gait-walk")
                self.assertEqual(first.spawn(at, "gait-walk"), entity)
                here, there, tick = (one, first), (two, second), 0
                for stop in sorted({*self.STEERS, *self.STRIKES, *(strike + 2 for strike in self.STRIKES), 150, 540}):
                    moved, stayed = here[1].step(at, stop - tick), first.step(stays, stop - tick)
                    self.assertEqual((moved.tick, moved.hash), (stayed.tick, stayed.hash))
                    tick = stop
                    for client, world in (first, stays), (here[1], at):
                        self.act(client, world, entity, tick)
                    if tick in self.STRIKES:
                        at = self.move(here[0], there[0])
                        here, there = there, here


if __name__ == "__main__":
    unittest.main()

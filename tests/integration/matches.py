"""Matches: every rule, batches on any number of threads, kill -9 in the middle, hosted bouts with spectators and external
teams, progress, cancelling, refusals."""

import signal
import threading
import time
import unittest

from harness import *
from troupe import match_pb2

DONE, CANCELLED = match_pb2.MATCH_STATE_DONE, match_pb2.MATCH_STATE_CANCELLED
RUNNING = match_pb2.MATCH_STATE_RUNNING
WON, DRAWN, VOID = match_pb2.BOUT_OUTCOME_WON, match_pb2.BOUT_OUTCOME_DRAWN, match_pb2.BOUT_OUTCOME_VOID
HEADLESS, IN_REAL_TIME, IN_STEPS = (match_pb2.MATCH_MODE_HEADLESS, match_pb2.MATCH_MODE_REAL_TIME,
                                    match_pb2.MATCH_MODE_STEPPED)

# A bout of a second in real time takes 20 s, so that requests come before its end, however slow the machine is.
SLOW = 0.05


def many(bouts):
    """More than a second's work, so that requests come before its end; a sanitised daemon takes ten times as long."""
    return bouts // 5 if sanitizer() else bouts


def team(name, x, heading=0.0, controller="sway", count=1, **fields):
    members = [dict(controller=controller, pos=dict(x=x, y=2.0 * i), heading_rad=heading) for i in range(count)]
    return dict(name=name, members=members, **fields)


def match(name, rule="survive_pushes", bouts=1, time_limit_s=3.0, **fields):
    fields.setdefault("teams", [team("red", -3), team("blue", 3, 3.14159)])
    if rule == "survive_pushes":
        fields.setdefault("parameters", [dict(name="first_s", value=0.2), dict(name="interval_s", value=0.5),
                                         dict(name="force_n", value=150)])
    return dict(name=name, rule=rule, bouts=bouts, time_limit_s=time_limit_s, seed=fields.pop("seed", 7), **fields)


def detail(client, name):
    """The match with all its bouts."""
    bouts, token = [], ""
    while True:
        answer = client.ask(get_match=dict(name=name, page=dict(size=16, token=token))).match_detail
        bouts += answer.bouts
        token = answer.next_page_token
        if not token:
            return answer, bouts


def wait_for_end(client, name):
    """Waits as long as bouts end, however slow the machine is."""
    done, deadline = 0, time.monotonic() + TIMEOUT_S
    while time.monotonic() < deadline:
        answer, _ = detail(client, name)
        if answer.info.state != RUNNING:
            return detail(client, name)  # its first pages may be older than the last bouts
        if answer.info.bouts_done > done:
            done, deadline = answer.info.bouts_done, time.monotonic() + TIMEOUT_S
        time.sleep(0.02)
    raise AssertionError(f"match {name}: no bout ended for {TIMEOUT_S} s, {done} had before")


def essence(bouts):
    return [(b.position, b.seed, b.outcome, b.winner, tuple(b.score), b.ticks, b.hash, b.reason) for b in bouts]


class Matches(Case):
    options = ("--threads", "2")

    def start(self, client, **fields):
        return client.ask(start_match=dict(match=fields)).match

    def test_every_rule_is_fought(self):
        client = self.client()
        rules = dict(collide=[], sumo=[dict(name="radius_m", value=4)], race=[dict(name="distance_m", value=50)],
                     last_standing=[], survive_pushes=[dict(name="force_n", value=2000)], chase=[], push_box=[],
                     tug_of_war=[], football=[])
        with self.assertRaises(Refused) as unknown:
            self.start(client, **match("w", rule="chess"))
        self.assertEqual(set(unknown.exception.response.message.split("expected one of ")[1].split(", ")), set(rules))
        for rule, parameters in rules.items():
            with self.subTest(rule):
                info = self.start(client, **match(rule, rule, 3, parameters=parameters))
                self.assertEqual((info.rule, info.bouts, info.state, list(info.teams)),
                                 (rule, 3, RUNNING, ["red", "blue"]))
                answer, bouts = wait_for_end(client, rule)
                self.assertEqual(answer.info.state, DONE)
                self.assertEqual([b.position for b in bouts], [0, 1, 2])
                self.assertEqual(len({b.seed for b in bouts}), 3)
                self.assertEqual(len({b.hash for b in bouts}), 3)
                self.assertNotIn(VOID, [b.outcome for b in bouts])
                self.assertTrue(all(len(b.score) == 2 and 0 < b.ticks <= 600 for b in bouts))
                self.assertEqual(sum(t.wins for t in answer.teams) + answer.draws, 3)
                for t in answer.teams:
                    self.assertLessEqual(t.win_rate_low, t.win_rate)
                    self.assertGreaterEqual(t.win_rate_high, t.win_rate)
                    self.assertLessEqual(t.score.low, t.score.mean)

    def test_the_seed_decides(self):
        client = self.client()
        for name, seed in (("a", 1), ("b", 1), ("c", 2)):
            self.start(client, **match(f"seed {name}", bouts=4, seed=seed))
        a, b, c = (essence(wait_for_end(client, f"seed {name}")[1]) for name in "abc")
        self.assertEqual(a, b)
        self.assertTrue(all(x[6] != y[6] for x, y in zip(a, c)))

    def test_without_variation_all_bouts_begin_alike(self):
        client = self.client()
        self.start(client, **match("alike", "last_standing", 3, vary={}))
        _, bouts = wait_for_end(client, "alike")
        self.assertEqual(len({b.hash for b in bouts}), 1)
        self.assertEqual(len({b.seed for b in bouts}), 3)

    def test_progress_is_streamed_and_ends_with_the_end(self):
        client, progress = self.client(), []
        self.start(client, **match("watched", bouts=many(120)))
        info = client.ask(watch_match=dict(name="watched")).match
        self.assertEqual(info.name, "watched")
        while not progress or progress[-1].info.state == RUNNING:
            message = client.receive()
            if message.HasField("match_progress"):
                progress.append(message.match_progress)
        counts = [p.info.bouts_done for p in progress]
        self.assertEqual(counts, sorted(counts))
        last = progress[-1]
        self.assertEqual((last.info.state, last.info.bouts_done), (DONE, many(120)))
        self.assertEqual(sum(last.wins) + last.draws + last.voids, many(120))
        for request in ("watch_match", "unwatch_match", "cancel_match"):
            with self.subTest(request), self.refused(FAILED_PRECONDITION) as refusal:
                client.ask(**{request: dict(name="watched")})
            self.assertIn("has ended", refusal.message)
            with self.refused(NOT_FOUND):
                client.ask(**{request: dict(name="watched" + 41 * "x")})

    def test_cancelled(self):
        client = self.client()
        self.start(client, **match("long", bouts=100000))
        with self.refused(FAILED_PRECONDITION):
            client.ask(remove_match=dict(name="long"))
        info = client.ask(cancel_match=dict(name="long")).match
        self.assertEqual(info.state, CANCELLED)
        answer, _ = detail(client, "long")
        self.assertEqual(answer.info.state, CANCELLED)
        self.assertEqual(answer.info.bouts_done, info.bouts_done)
        with self.refused(FAILED_PRECONDITION):
            client.ask(cancel_match=dict(name="long"))
        client.ask(remove_match=dict(name="long"))
        with self.refused(NOT_FOUND):
            client.ask(get_match=dict(name="long"))

    def test_matches_take_turns_and_are_limited(self):
        client = self.client()
        for i in range(16):
            self.start(client, **match(f"turn {i}", bouts=1000))
        with self.refused(RESOURCE_EXHAUSTED):
            self.start(client, **match("one more"))
        deadline = time.monotonic() + TIMEOUT_S
        while time.monotonic() < deadline:
            running = client.ask(list_matches=dict(running=True)).match_list.matches
            if all(m.bouts_done > 0 for m in running):
                break
            time.sleep(0.05)
        self.assertEqual([m.name for m in running], [f"turn {i}" for i in range(16)])
        counts = [m.bouts_done for m in running]
        self.assertGreater(min(counts), 0)
        for i in range(16):
            client.ask(cancel_match=dict(name=f"turn {i}"))
        self.assertEqual(len(client.ask(list_matches=dict(running=True)).match_list.matches), 0)

    def test_pages(self):
        client = self.client()
        for i in range(3):
            self.start(client, **match(f"page {i}"))
            wait_for_end(client, f"page {i}")
        names, token = [], ""
        while True:
            answer = client.ask(list_matches=dict(page=dict(size=2, token=token))).match_list
            names += [m.name for m in answer.matches]
            token = answer.next_page_token
            if not token:
                break
        self.assertEqual([n for n in names if n.startswith("page")], ["page 0", "page 1", "page 2"])
        self.assertEqual(len(names), len(set(names)))

    def test_refusals(self):
        client = self.client()
        red, blue = team("red", 0), team("blue", 1)
        wrong = [
            (INVALID_ARGUMENT, match("w", teams=[red])),
            (INVALID_ARGUMENT, match("w", teams=[team(f"t{i}", i) for i in range(9)])),
            (INVALID_ARGUMENT, match("w", teams=[red, red])),
            (INVALID_ARGUMENT, match("w", teams=[team("", 0), blue])),
            (INVALID_ARGUMENT, match("w", teams=[team("r\n", 0), blue])),
            (INVALID_ARGUMENT, match("w", teams=[team("r" * 41, 0), blue])),
            (INVALID_ARGUMENT, match("w", teams=[team("red", 0, count=17), blue])),
            (INVALID_ARGUMENT, match("w", teams=[team(f"t{i}", i, count=13) for i in range(5)])),
            (INVALID_ARGUMENT, match("w", teams=[team("red", 0, count=0), blue])),
            (INVALID_ARGUMENT, match("w", teams=[team("red", float("nan")), blue])),
            (INVALID_ARGUMENT, match("w", teams=[team("red", 0, controller=""), blue])),
            (NOT_FOUND, match("w", teams=[team("red", 0, controller="nobody"), blue])),
            (NOT_FOUND, match("w", rule="chess")),
            (INVALID_ARGUMENT, match("w", "sumo", parameters=[dict(name="radius", value=1)])),
            (INVALID_ARGUMENT, match("w", "sumo", parameters=[dict(name="radius_m", value=0)])),
            (INVALID_ARGUMENT, match("w", "sumo", parameters=2 * [dict(name="radius_m", value=1)])),
            (INVALID_ARGUMENT, match("w", time_limit_s=0)),
            (INVALID_ARGUMENT, match("w", time_limit_s=3601)),
            (INVALID_ARGUMENT, match("w", time_limit_s=float("nan"))),
            (INVALID_ARGUMENT, match("w", bouts=100001)),
            (INVALID_ARGUMENT, match("w", bouts=2, mode=IN_REAL_TIME)),
            (INVALID_ARGUMENT, match("w", mode=IN_STEPS)),
            (INVALID_ARGUMENT, match("w", mode=9)),
            (INVALID_ARGUMENT, match("w", teams=[team("red", 0, external=True), blue])),
            (INVALID_ARGUMENT, match("w", vary=dict(pos_m=-1))),
            (INVALID_ARGUMENT, match("w", vary=dict(pose_rad=1))),
            (INVALID_ARGUMENT, match("w", step_s=1)),
            (INVALID_ARGUMENT, match("")),
            (INVALID_ARGUMENT, match("x" * 48)),
            (FAILED_PRECONDITION, match("w", step_s=0.01)),
        ]
        for code, fields in wrong:
            with self.subTest(str(fields)[:160]), self.refused(code) as refusal:
                self.start(client, **fields)
            self.assertTrue(refusal.message)
        with self.refused(INVALID_ARGUMENT):
            client.ask(start_match={})
        for request in ("get_match", "watch_match", "unwatch_match", "cancel_match", "remove_match"):
            with self.refused(NOT_FOUND):
                client.ask(**{request: dict(name="w")})
        with self.refused(INVALID_ARGUMENT):
            client.ask(list_matches=dict(page=dict(token="x")))
        self.start(client, **match("twice"))
        with self.refused(ALREADY_EXISTS):
            self.start(client, **match("twice"))

    def test_a_bout_that_cannot_begin_is_void_and_the_batch_continues(self):
        """Two teams in each other's place: whatever the physics makes of it, every bout ends with a result."""
        client = self.client()
        self.start(client, **match("crammed", "last_standing", 5, vary={},
                                   teams=[team("red", 0, count=2), team("blue", 0, count=2)]))
        answer, bouts = wait_for_end(client, "crammed")
        self.assertEqual((answer.info.state, len(bouts)), (DONE, 5))

    def verified(self, client, name):
        """Replays a recording whole and lets the daemon compare it; how many steps it has."""
        deadline = time.monotonic() + TIMEOUT_S
        while client.ask(get_recording=dict(name=name)).recording.state != 1 and time.monotonic() < deadline:
            time.sleep(0.01)
        recording = client.ask(get_recording=dict(name=name)).recording
        self.assertEqual(recording.state, 1)
        world = client.ask(replay=dict(recording=name, world=f"replay of {name}", paused=True)).world.id
        client.command(world, verify={})
        client.ask(destroy_world=dict(world=world))
        return recording.length

    def test_any_bout_can_be_had_as_a_recording(self):
        client = self.client()
        self.start(client, **match("filmed", bouts=3))
        _, bouts = wait_for_end(client, "filmed")
        for position in (0, 2):
            made = client.ask(record_bout=dict(match="filmed", position=position, recording=f"bout{position}"))
            self.assertEqual((made.recording.name, made.recording.world), (f"bout{position}", "filmed"))
            self.assertEqual(self.verified(client, f"bout{position}"), bouts[position].ticks)
        for code, fields in ((NOT_FOUND, dict(match="filmed", position=3, recording="x")),
                             (NOT_FOUND, dict(match="nobody", position=0, recording="x")),
                             (NOT_FOUND, dict(match="filmed", position=2 ** 32 - 1, recording="x")),
                             (ALREADY_EXISTS, dict(match="filmed", position=0, recording="bout0")),
                             (INVALID_ARGUMENT, dict(match="filmed", position=0, recording="../x")),
                             (INVALID_ARGUMENT, dict(match="filmed", position=0, recording="x" * 60))):
            with self.subTest(str(fields)), self.refused(code):
                client.ask(record_bout=fields)

    def test_a_hosted_bout_is_recorded_with_the_pushes_of_its_rule(self):
        client = self.client()
        info = self.start(client, **match("live", mode=IN_REAL_TIME, time_limit_s=1.2, rate=SLOW))
        client.command(info.world, start_recording=dict(name="live"))
        with self.refused(FAILED_PRECONDITION) as refusal:
            client.command(info.world, snapshot=dict(hold=True))
        self.assertIn("which cannot move", refusal.message)
        client.command(info.world, set_rate=dict(rate=1))
        wait_for_end(client, "live")
        self.assertGreater(self.verified(client, "live"), 100)

    def test_a_world_in_real_time_runs_beside_a_batch(self):
        """How late it is depends on the machine and is measured by troupe-bench density."""
        client = self.client()
        world = self.world(client, REAL_TIME)
        client.spawn(world, "sway")
        self.start(client, **match("beside", bouts=100000))
        client.ask(watch_match=dict(name="beside"))
        client.ask(subscribe=dict(world=world, rate_hz=50))
        ticks = [client.wait_state().tick for _ in range(30)]
        self.assertGreaterEqual(ticks[-1] - ticks[0], 29 * 2)
        deadline = time.monotonic() + TIMEOUT_S  # a sanitised daemon's first bouts take seconds
        while client.receive().match_progress.info.bouts_done == 0:
            self.assertLess(time.monotonic(), deadline)
        client.ask(cancel_match=dict(name="beside"))


class Hosted(Case):
    options = ("--threads", "2")

    def test_real_time_is_watched_as_an_ordinary_world(self):
        client, watcher = self.client(), self.client("watcher")
        info = client.ask(start_match=dict(match=match("show", time_limit_s=1.0, mode=IN_REAL_TIME, rate=SLOW))).match
        self.assertNotEqual(info.world, 0)
        watcher.ask(watch_match=dict(name="show"))
        watcher.ask(subscribe=dict(world=info.world, rate_hz=50, events=True))
        state = watcher.wait_state()
        self.assertEqual([c.label for c in state.characters], ["red 1", "blue 1"])
        self.assertEqual({c.controller for c in state.characters}, {"sway"})
        for command in (dict(push=dict(entity=state.characters[0].entity, force=dict(x=9), duration_s=1)),
                        dict(set_limp=dict(entity=state.characters[0].entity, limp=True)),
                        dict(spawn_character=dict(controller="sway")), dict(reset={})):
            with self.refused(FAILED_PRECONDITION):
                client.command(info.world, **command)
        client.command(info.world, set_rate=dict(rate=1))
        watcher.wait_event(state_pb2.EVENT_KIND_DESTROYED)
        answer, bouts = wait_for_end(client, "show")
        self.assertEqual((answer.info.state, len(bouts)), (DONE, 1))
        self.assertGreater(len(watcher.states), 5)

    def test_a_hosted_bout_has_the_bits_of_a_headless_one(self):
        client, results = self.client(), []
        for name, mode in (("hosted", IN_REAL_TIME), ("headless", HEADLESS)):
            client.ask(start_match=dict(match=match(name, time_limit_s=1.0, mode=mode, seed=3,
                                                    rate=100)))
            results.append(essence(wait_for_end(client, name)[1]))
        self.assertEqual(results[0], results[1])

    def play(self, name, delay):
        """Two external teams, each on a separate client: red goes limp at tick 40."""
        client = self.client()
        teams = [team("red", -3, external=True), team("blue", 3, external=True)]
        info = client.ask(start_match=dict(match=match(name, "last_standing", mode=IN_STEPS, teams=teams))).match

        def run(order, label):
            with self.daemon.client(label) as player:
                time.sleep(delay * order)
                player.command(info.world, join=dict(order=order))
                mine, other = None, None
                for c in player.state(info.world).characters:
                    mine, other = (c.entity, other) if c.label == label else (mine, c.entity)
                try:
                    player.step(info.world, 40)
                    with self.refused(FAILED_PRECONDITION):
                        player.command(info.world, set_limp=dict(entity=other, limp=True))
                    if order == 1:
                        player.command(info.world, set_limp=dict(entity=mine, limp=True))
                    while True:
                        player.step(info.world, 20)
                        time.sleep(delay / 10)
                except Refused as refused:
                    self.assertIn(refused.code, (ABORTED, NOT_FOUND))

        players = [threading.Thread(target=run, args=p) for p in ((1, "red 1"), (2, "blue 1"))]
        for player in players:
            player.start()
        answer, bouts = wait_for_end(client, name)
        for player in players:
            player.join(30)
        return answer, bouts

    def test_external_teams_join_and_command_their_own(self):
        answer, bouts = self.play("duel", 0)
        self.assertEqual((bouts[0].outcome, bouts[0].winner), (WON, 1))
        self.assertEqual(essence(bouts), essence(self.play("duel again", 0.02)[1]))

    def test_scores_that_are_counted_are_events(self):
        """The second push begins, and so the first one is survived."""
        client = self.client()
        pushes = [dict(name=name, value=value) for name, value in (("first_s", 0.1), ("interval_s", 0.2), ("force_n", 0))]
        info = client.ask(start_match=dict(match=match("counted", "survive_pushes", mode=IN_STEPS, parameters=pushes, teams=[
            team("red", 0, external=True), team("blue", 2)]))).match
        client.ask(subscribe=dict(world=info.world, events=True))
        client.command(info.world, join=dict(order=1))
        client.step(info.world, 80)
        told = [client.wait_event(state_pb2.EVENT_KIND_SCORED) for _ in range(2)]
        self.assertEqual([(event.text, event.magnitude) for event in told], [("red", 1), ("blue", 1)])
        self.assertEqual({event.tick for event in told}, {61})
        client.ask(cancel_match=dict(name="counted"))

    def test_cancelled_in_its_world(self):
        client = self.client()
        info = client.ask(start_match=dict(match=match("waits", "sumo", mode=IN_STEPS, teams=[
            team("red", 0, external=True), team("blue", 2)]))).match
        client.ask(subscribe=dict(world=info.world, events=True))
        self.assertEqual(client.ask(cancel_match=dict(name="waits")).match.state, CANCELLED)
        client.wait_event(state_pb2.EVENT_KIND_DESTROYED)
        with self.refused(ALREADY_EXISTS):
            client.ask(start_match=dict(match=match("waits")))

    def test_the_world_of_a_match_is_not_destroyed(self):
        client = self.client()
        info = client.ask(start_match=dict(match=match("kept", "sumo", mode=IN_STEPS, teams=[
            team("red", 0, external=True), team("blue", 2)]))).match
        with self.refused(FAILED_PRECONDITION):
            client.ask(destroy_world=dict(world=info.world))
        self.assertEqual(client.ask(cancel_match=dict(name="kept")).match.state, CANCELLED)

    def test_its_world_needs_a_name_that_is_free(self):
        client = self.client()
        client.create_world("taken")
        with self.refused(ALREADY_EXISTS):
            client.ask(start_match=dict(match=match("taken", mode=IN_REAL_TIME)))


class Restarts(unittest.TestCase):
    """A batch gives the same results on one thread, on two, after SIGTERM, and after kill -9 in the middle."""

    BOUTS = many(90)  # of 2.5 s, so that a kill mostly comes before the end

    def whole(self, threads):
        with Daemon("--threads", threads) as daemon, daemon.client() as client:
            client.ask(start_match=dict(match=match("batch", bouts=self.BOUTS, time_limit_s=2.5)))
            return self.results(client)

    def results(self, client):
        answer, bouts = wait_for_end(client, "batch")
        self.assertEqual((answer.info.state, len(bouts)), (DONE, self.BOUTS))
        return answer.results_hash, essence(bouts)

    def interrupted(self, threads, number, at):
        """Again if the end came before the kill: a busy machine may not run this process for a second."""
        for _ in range(5):
            results, resumed = self.once_interrupted(threads, number, at)
            if resumed:
                return results
        self.fail("the batch ended before every kill")

    def once_interrupted(self, threads, number, at):
        with Daemon("--threads", threads) as daemon:
            with daemon.client() as client:
                client.ask(start_match=dict(match=match("batch", bouts=self.BOUTS, time_limit_s=2.5)))
                client.ask(watch_match=dict(name="batch"))
                while client.receive().match_progress.info.bouts_done < at:
                    pass
            if number == signal.SIGKILL:
                daemon.process.kill()
                daemon.process.wait()
                daemon.process.returncode = 0
            else:
                daemon.stop()
            with Daemon("--threads", "2", state_dir=daemon.state_dir) as again, again.client() as client:
                return self.results(client), "match.resumed" in again.log()

    def test_the_same_whatever_happens(self):
        expected = self.whole("1")
        self.assertEqual(self.whole("2"), expected)
        self.assertEqual(self.interrupted("1", signal.SIGKILL, 3), expected)
        self.assertEqual(self.interrupted("2", signal.SIGKILL, many(15)), expected)
        self.assertEqual(self.interrupted("2", signal.SIGTERM, many(10)), expected)

    def test_a_hosted_match_is_fought_again(self):
        """From its beginning, to the same result, and never counted by half: no bout is stored before it has ended."""
        results = []
        for number in None, signal.SIGTERM, signal.SIGKILL:
            with self.subTest(number), Daemon() as daemon:
                with daemon.client() as client:
                    info = client.ask(start_match=dict(match=match("show", time_limit_s=2, mode=IN_REAL_TIME))).match
                    if number is None:
                        results.append(essence(wait_for_end(client, "show")[1]))
                        continue
                    while client.state(info.world).tick == 0:
                        pass
                    if number == signal.SIGKILL:
                        daemon.process.kill()
                        daemon.process.wait()
                        daemon.process.returncode = 0
                if number == signal.SIGTERM:
                    daemon.stop()
                with Daemon(state_dir=daemon.state_dir) as again, again.client() as client:
                    answer, bouts = detail(client, "show")
                    self.assertEqual((answer.info.state, answer.info.bouts_done, bouts), (RUNNING, 0, []))
                    answer, bouts = wait_for_end(client, "show")
                    self.assertEqual((answer.info.state, len(bouts)), (DONE, 1))
                    self.assertIn("event=match.resumed", again.log())
                    results.append(essence(bouts))
        self.assertEqual(results, [results[0]] * 3)


if __name__ == "__main__":
    unittest.main()

"""Matches by the Python package's clients: begun, followed, counted, recorded, cancelled; blocking and asyncio."""

import asyncio
import math
import unittest

from harness import Daemon
from troupe import AsyncClient, Client, Code, Refused, matches, requests
from troupe.matches import BoutOutcome, MatchState


def duel(name, bouts=6, **options):
    red = matches.team("red", [matches.member("sway", (-3, 0))])
    blue = matches.team("blue", [matches.member("hold", (3, 0), math.pi)])
    pushes = {"first_s": 0.2, "interval_s": 0.5, "force_n": 150}
    options = dict(seed=7, time_limit_s=3.0, parameters=pushes, **options)
    return requests.start_match(matches.match(name, [red, blue], "survive_pushes", bouts=bouts, **options))


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon("--threads", "2")

    @classmethod
    def tearDownClass(cls):
        cls.daemon.__exit__(None, None, None)


class Blocking(Case):
    def setUp(self):
        self.client = Client(port=self.daemon.port)
        self.addCleanup(self.client.close)

    def refused(self, code, request):
        with self.assertRaises(Refused) as caught:
            self.client.ask(request)
        self.assertEqual(caught.exception.code, code)

    def test_followed_to_its_end_and_counted(self):
        info = self.client.ask(duel("followed", 60))
        self.assertEqual((info.state, info.bouts, info.teams), (MatchState.RUNNING, 60, ("red", "blue")))
        steps = list(self.client.progress("followed"))
        done = [step.info.bouts_done for step in steps]
        self.assertEqual(done, sorted(done))
        detail = self.client.ask(requests.get_match("followed", size=2))
        self.assertEqual((detail.info.state, detail.info.bouts_done, len(detail.bouts)), (MatchState.DONE, 60, 2))
        last = steps[-1]
        self.assertTrue(last.ended and not any(step.ended for step in steps[:-1]))
        self.assertEqual((last.wins, last.draws), (tuple(team.wins for team in detail.teams), detail.draws))
        bouts = list(self.client.rows(requests.list_bouts, name="followed", size=2))
        self.assertEqual([bout.position for bout in bouts], list(range(60)))
        won = [sum(bout.winner == index for bout in bouts) for index in range(2)]
        self.assertEqual(won, [team.wins for team in detail.teams])
        self.assertEqual(sum(bout.outcome == BoutOutcome.DRAWN for bout in bouts), detail.draws)
        for team in detail.teams:
            self.assertLessEqual(team.win_rate_low, team.win_rate)
            self.assertLessEqual(team.score.low, team.score.mean)
        self.assertIn("followed", [row.name for row in self.client.rows(requests.list_matches, size=1)])

    def test_its_description_can_be_fought_again(self):
        self.client.ask(duel("first", 2))
        list(self.client.progress("first"))
        first = self.client.ask(requests.get_match("first"))
        first.match.name = "second"
        self.client.ask(requests.start_match(first.match))
        list(self.client.progress("second"))
        self.assertEqual(self.client.ask(requests.get_match("second")).results_hash, first.results_hash)

    def test_a_bout_becomes_a_recording(self):
        self.client.ask(duel("kept", 2))
        list(self.client.progress("kept"))
        self.assertEqual(self.client.ask(requests.record_bout("kept", 1, "bout")).name, "bout")
        self.assertGreater(self.client.ask(requests.get_recording("bout")).length, 0)
        self.client.ask(requests.remove_match("kept"))
        self.refused(Code.NOT_FOUND, requests.get_match("kept"))

    def test_two_matches_are_followed_together_and_cancelled(self):
        for name in ("long a", "long b"):
            self.client.ask(duel(name, 100000))
        a, b = self.client.progress("long a"), self.client.progress("long b")
        self.assertEqual([next(each).info.name for each in (a, b, a, b)], ["long a", "long b"] * 2)
        self.client.ask(requests.unwatch_match("long b"))
        self.assertEqual([row.name for row in self.client.rows(requests.list_matches, running=True)], ["long a", "long b"])
        for name in ("long a", "long b"):
            self.client.ask(requests.cancel_match(name))
        self.assertEqual(list(a)[-1].info.state, MatchState.CANCELLED)
        self.assertEqual(list(self.client.progress("long a")), [])

    def test_refusals(self):
        self.refused(Code.INVALID_ARGUMENT, duel("unfair", 100001))
        with self.assertRaises(Refused):
            list(self.client.progress("nobody"))


class Asynchronous(Case):
    def test_followed(self):
        async def main():
            async with await AsyncClient.connect(port=self.daemon.port) as client:
                await client.ask(duel("awaited", 40))
                steps = [step async for step in client.progress("awaited")]
                self.assertTrue(steps[-1].ended)
                self.assertEqual([step async for step in client.progress("awaited")], [])
                with self.assertRaises(Refused):
                    await anext(client.progress("nobody"))
                return [bout async for bout in client.rows(requests.list_bouts, name="awaited", size=16)]

        bouts = asyncio.run(asyncio.wait_for(main(), 60))
        self.assertEqual([bout.position for bout in bouts], list(range(40)))


if __name__ == "__main__":
    unittest.main()

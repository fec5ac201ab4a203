"""The Python package's clients against the real daemon: catalogue, worlds, subscriptions, refusals, ends."""

import asyncio
import time
import unittest

from harness import Daemon
from troupe import AsyncClient, Client, Code, Disconnected, EventKind, Mode, Noun, Refused, Timeout, requests


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon()

    @classmethod
    def tearDownClass(cls):
        cls.daemon.__exit__(None, None, None)

    def client(self, **options):
        client = Client(port=self.daemon.port, **options)
        self.addCleanup(client.close)
        return client

    def world(self, client, mode=Mode.STEPPED, **options):
        world = client.ask(requests.create_world(self.id(), mode, **options)).id
        self.addCleanup(self.client().ask, requests.destroy_world(world))
        return world


class Catalogue(Case):
    def test_rows_over_pages(self):
        client = self.client()
        names = [row.name for row in client.rows(requests.list_controllers, size=1)]
        self.assertEqual(names, ["hold", "sway"])
        self.assertEqual([row.name for row in client.rows(requests.list_controllers, prefix="s")], ["sway"])

    def test_details(self):
        client = self.client()
        controller = client.ask(requests.get_controller("sway"))
        self.assertEqual((controller.model, len(controller.fragments)), ("humanoid", controller.fragment_count))
        self.assertGreater(controller.action_size, 0)
        model = client.ask(requests.get_model("humanoid"))
        self.assertEqual((len(model.bodies), model.bodies[0].parent), (model.body_count, -1))
        self.assertEqual(client.ask(requests.get_run("by_hand")).metrics[0].value, (3.5, 2.5))
        lineage = client.ask(requests.get_lineage(Noun.CONTROLLER, "sway"))
        self.assertEqual({row.kind for row in lineage}, set(Noun))

    def test_refusal(self):
        with self.assertRaises(Refused) as caught:
            self.client().ask(requests.get_clip("nobody"))
        self.assertEqual(caught.exception.code, Code.NOT_FOUND)
        self.assertIn("nobody", str(caught.exception))


class Worlds(Case):
    def test_names(self):
        client = self.client()
        world = self.world(client)
        entity = client.ask(requests.spawn_character(world, "hold", label="ada")).entity
        self.assertEqual((client.world_id(self.id()), client.entity_id(world, "ada")), (world, entity))
        with self.assertRaisesRegex(LookupError, "no character 'eve': there are ada"):
            client.entity_id(world, "eve")
        with self.assertRaisesRegex(LookupError, "no world 'nowhere'"):
            client.world_id("nowhere")

    def test_pictures(self):
        client = self.client()
        world = self.world(client, Mode.FAST)
        entity = client.ask(requests.spawn_character(world, "hold", label="ada")).entity
        client.ask(requests.subscribe(world, 30, 4))
        deadline = time.monotonic() + 30
        while not client.at() and time.monotonic() < deadline:
            time.sleep(0.01)
        shown = client.at()[entity]
        self.assertEqual((shown.label, len(shown.body_pos) // 3), ("ada", len(shown.body_rot) // 4))

    def test_push_until_it_falls(self):
        client = self.client()
        world = self.world(client)
        entity = client.ask(requests.spawn_character(world, "hold", label="one")).entity
        subscription = client.ask(requests.subscribe(world, 20, events=True))
        self.assertEqual(subscription.every_ticks, 10)
        pushed, stepped = client.ask_all([requests.push(world, entity, (0, 400, 0), 0.2), requests.step(world, 200)])
        self.assertEqual((pushed.tick, stepped.tick), (0, 200))
        while (event := client.next_event()).kind != EventKind.FELL:
            pass
        self.assertEqual((event.world, event.entity), (world, entity))
        while (state := client.next_state()).tick < 200:
            pass
        self.assertTrue(state.characters[0].fallen)
        self.assertEqual(state.characters[0].label, "one")

    def test_snapshot_and_restore(self):
        client = self.client()
        world = self.world(client)
        client.ask(requests.spawn_character(world, "sway"))
        client.ask(requests.step(world, 20))
        taken = client.ask(requests.snapshot(world)).data
        first = client.ask(requests.step(world, 30)).hash
        self.assertEqual(client.ask(requests.restore(world, taken)).tick, 20)
        self.assertEqual(client.ask(requests.step(world, 30)).hash, first)

    def test_requests_beyond_the_limit_are_all_answered(self):
        client = self.client()
        answers = client.ask_all([requests.ping(b"%d" % i) for i in range(600)])
        self.assertEqual([answer.payload for answer in answers], [b"%d" % i for i in range(600)])

    def test_one_refusal_among_many(self):
        client = self.client()
        with self.assertRaises(Refused):
            client.ask_all([requests.ping(), requests.get_world(9), requests.ping()])
        self.assertEqual(client.ask(requests.ping(b"on")).payload, b"on")

    def test_time_out(self):
        client = self.client()
        world = self.world(client, steppers=2)
        client.timeout_s = 0.1
        with self.assertRaises(Timeout):
            client.ask(requests.step(world))
        with self.assertRaises(Timeout):
            client.next_state(0.05)
        client.timeout_s = 20
        self.assertEqual(client.ask(requests.ping(b"on")).payload, b"on")


class Ends(unittest.TestCase):
    def test_a_port_without_a_daemon_is_reported(self):
        with self.assertRaisesRegex(Disconnected, "is trouped running"):
            Client(port=1)

    def test_the_daemon_leaves(self):
        with Daemon() as daemon:
            client = Client(port=daemon.port)
            daemon.stop()
            with self.assertRaises(Disconnected):
                client.ask(requests.ping())
            client.close()


class Asynchronous(Case):
    def run_with_client(self, play):
        async def main():
            async with await AsyncClient.connect(port=self.daemon.port) as client:
                return await asyncio.wait_for(play(client), 20)

        return asyncio.run(main())

    def test_several_tasks(self):
        async def play(client):
            pongs = await asyncio.gather(*(client.ask(requests.ping(b"%d" % i)) for i in range(50)))
            self.assertEqual([pong.payload for pong in pongs], [b"%d" % i for i in range(50)])
            return [row.name async for row in client.rows(requests.list_controllers, size=1)]

        self.assertEqual(self.run_with_client(play), ["hold", "sway"])

    def test_states_and_events(self):
        world = self.world(self.client())

        async def play(client):
            await client.ask(requests.spawn_character(world, "sway"))
            await client.ask(requests.subscribe(world, 20, events=True))
            step = asyncio.create_task(client.ask(requests.step(world, 50)))
            marked = (await client.ask(requests.mark(world))).tick
            async for state in client.states():
                if state.tick == 50:
                    break
            async for event in client.events():
                if event.kind == EventKind.APPLIED:
                    break
            self.assertEqual((event.text, event.tick), ("mark", marked))
            return (await step).tick

        self.assertEqual(self.run_with_client(play), 50)

    def test_refusal_and_time_out(self):
        world = self.world(self.client(), steppers=2)

        async def play(client):
            with self.assertRaises(Refused):
                await client.ask(requests.get_world(9))
            client.timeout_s = 0.1
            with self.assertRaises(Timeout):
                await client.ask(requests.step(world))
            client.timeout_s = 20
            return (await client.ask(requests.ping(b"on"))).payload

        self.assertEqual(self.run_with_client(play), b"on")

    def test_the_daemon_leaves(self):
        with Daemon() as daemon:

            async def main():
                async with await AsyncClient.connect(port=daemon.port) as client:
                    waiting = asyncio.create_task(anext(client.states()))
                    await asyncio.sleep(0.05)
                    await asyncio.to_thread(daemon.stop)
                    with self.assertRaises(Disconnected):
                        await asyncio.wait_for(waiting, 20)
                    with self.assertRaises(Disconnected):
                        await client.ask(requests.ping())

            asyncio.run(main())


if __name__ == "__main__":
    unittest.main()

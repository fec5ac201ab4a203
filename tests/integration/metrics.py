"""What /metrics says, read by a strict parser, against what the test knows has happened."""

import re
import unittest
import urllib.request

import exposition
from harness import *


class Parser(unittest.TestCase):
    """The reader itself refuses what it should."""

    def test_malformed(self):
        good = "# HELP a_total b\n# TYPE a_total counter\na_total 1\n"
        self.assertEqual(exposition.read(good), {("a_total", ()): 1.0})
        for bad in [good[:-1], good.replace("# HELP a_total b\n", ""), good + "a_total 1\n", good + "b 1\n",
                    good.replace("a_total", "a"), good.replace(" 1\n", " one\n"), good.replace(" 1\n", " -1\n"),
                    good.replace("counter", "summary"), good.replace("a_total 1", 'a_total{x="1" y="2"} 1'),
                    good.replace("a_total 1", 'a_total{x="\\d"} 1'), good + "\n",
                    "# HELP h b\n# TYPE h histogram\nh_bucket{le=\"1\"} 2\nh_bucket{le=\"+Inf\"} 1\nh_sum 1\nh_count 1\n"]:
            with self.assertRaises(exposition.Malformed, msg=bad):
                exposition.read(bad)


class Metrics(Case):
    def figures(self):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.daemon.web_port}/metrics", timeout=TIMEOUT_S) as response:
            self.assertEqual(response.headers["Content-Type"], "text/plain; version=0.0.4; charset=utf-8")
            return exposition.read(response.read().decode())

    def rise(self, before, name, **labels):
        key = name, tuple(sorted(labels.items()))
        return self.figures().get(key, 0) - before.get(key, 0)

    def test_sessions_by_transport(self):
        before = self.figures()
        with self.client(), self.daemon.web_client(), self.daemon.web_client():
            self.assertEqual(self.rise(before, "troupe_sessions", transport="tcp"), 1)
            self.assertEqual(self.rise(before, "troupe_sessions", transport="websocket"), 2)
            self.assertEqual(self.rise(before, "troupe_sessions_opened_total"), 3)

    def test_requests_by_kind_and_code(self):
        client = self.client()
        world = self.world(client)
        before = self.figures()
        for _ in range(3):
            client.ask(ping={})
        client.ask(list_controllers={})
        entity = client.spawn(world)
        with self.refused(NOT_FOUND):
            client.ask(get_world=dict(world=9999))
        with self.refused(NOT_FOUND):
            client.command(world, push=dict(entity=entity + 1, force=dict(x=1), duration_s=0.1))
        for name, code, count in [("ping", "OK", 3), ("list_controllers", "OK", 1), ("get_world", "NOT_FOUND", 1),
                                  ("spawn_character", "OK", 1), ("push", "NOT_FOUND", 1)]:
            self.assertEqual(self.rise(before, "troupe_requests_total", request=name, code=code), count, name)
        self.assertGreaterEqual(self.rise(before, "troupe_frames_received_total"), 7)
        self.assertGreaterEqual(self.rise(before, "troupe_frames_sent_total"), 7)
        self.assertGreater(self.rise(before, "troupe_bytes_sent_total"), 100)
        self.assertGreaterEqual(self.rise(before, "troupe_catalogue_queries_total"), 1)

    def test_ticks_of_all_modes_and_lateness_of_real_time(self):
        client = self.client()
        before = self.figures()
        stepped, live = self.world(client), self.world(client, REAL_TIME)
        for world in stepped, live:
            client.spawn(world)
        client.step(stepped, 50)
        client.ask(subscribe=dict(world=live, rate_hz=60, events=True))
        for _ in range(10):
            client.wait_state()
        client.wait_state(lambda state: state.tick > 60)
        figures = self.figures()
        self.assertEqual(figures["troupe_worlds", (("mode", "stepped"),)], 1)
        self.assertEqual(figures["troupe_worlds", (("mode", "real_time"),)], 1)
        self.assertEqual(figures["troupe_characters", ()], 2)
        self.assertGreaterEqual(self.rise(before, "troupe_ticks_total"), 110)
        self.assertGreaterEqual(self.rise(before, "troupe_tick_lateness_seconds_count"), 60)
        self.assertGreaterEqual(self.rise(before, "troupe_states_sent_total"), 10)

    def test_counters_outlive_their_worlds(self):
        client = self.client()
        world = client.create_world("gone").id
        client.spawn(world)
        client.step(world, 40)
        before = self.figures()
        client.ask(destroy_world=dict(world=world))
        self.assertEqual(self.rise(before, "troupe_worlds", mode="stepped"), -1)
        deadline = time.monotonic() + TIMEOUT_S
        while self.rise(before, "troupe_worlds_closed_total") < 1 and time.monotonic() < deadline:
            time.sleep(0.05)
        self.assertEqual(self.rise(before, "troupe_worlds_closed_total"), 1)
        self.assertEqual(self.rise(before, "troupe_ticks_total"), 0)

    def test_every_figure_is_in_the_operations_page(self):
        source = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        with open(os.path.join(source, "deploy/OPERATIONS.md")) as file:
            page = file.read()
        names = {re.sub("_(bucket|sum|count)$", "", name) for name, _ in self.figures()}
        self.assertEqual([name for name in sorted(names) if "`" + name not in page], [])

    def test_states_that_a_slow_reader_misses_are_counted(self):
        client = self.client(receive_buffer=4096)
        world = self.world(client, REAL_TIME)
        for i in range(8):
            client.spawn(world, x=2.0 * i)
        before = self.figures()
        client.ask(subscribe=dict(world=world, rate_hz=200, fields=63))
        deadline = time.monotonic() + TIMEOUT_S
        while self.rise(before, "troupe_states_dropped_total") < 50 and time.monotonic() < deadline:
            time.sleep(0.1)
        self.assertGreaterEqual(self.rise(before, "troupe_states_dropped_total"), 50)


if __name__ == "__main__":
    unittest.main()

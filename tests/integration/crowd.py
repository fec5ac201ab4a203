"""Many clients: two hundred concurrently, and the limit on their number."""

import resource
import time
import unittest

from harness import *


class Crowd(unittest.TestCase):
    def test_two_hundred_watch_one_world(self):
        with Daemon() as daemon:
            clients = [daemon.client(f"client {i}") for i in range(200)]
            world = clients[0].create_world("stage", REAL_TIME).id
            for i in range(4):
                clients[0].spawn(world, x=2.0 * i)
            ids = [client.send(subscribe=dict(world=world, rate_hz=20, events=True)) for client in clients]
            for client, request_id in zip(clients, ids):
                client.wait(request_id)
            for client in clients:
                first = client.wait_state()
                client.wait_state(lambda state: state.tick > first.tick)
            info = clients[0].ask(get_world=dict(world=world)).world
            self.assertEqual(info.subscriber_count, 200)
            for client in clients:
                client.close()

    def test_clients_come_and_go(self):
        with Daemon() as daemon, daemon.client("witness") as witness:
            world = witness.create_world("stage").id
            for _ in range(10):
                clients = [daemon.client() for _ in range(30)]
                for client in clients:
                    client.ask(subscribe=dict(world=world, rate_hz=100))
                for i, client in enumerate(clients):
                    if i % 2:
                        client.send_bytes(b"\x20")
                    client.close()
            before = daemon.memory_kb()
            for _ in range(100):
                daemon.client().close()
            deadline = time.monotonic() + TIMEOUT_S
            while witness.ask(ping={}).pong.sessions > 1:
                self.assertLess(time.monotonic(), deadline)
            self.assertLess(daemon.memory_kb() - before, 4096)
            self.assertEqual(witness.ask(get_world=dict(world=world)).world.subscriber_count, 0)

    def test_limit_is_reported_to_the_client(self):
        with Daemon("--max-clients", "3") as daemon:
            clients = [daemon.client() for _ in range(3)]
            extra = daemon.client(hello=False)
            self.assertEqual(extra.receive_until_closed().code, RESOURCE_EXHAUSTED)
            clients[0].close()
            clients[1].receive_for(0.1)
            extra.close()
            clients[1].receive_for(2.2)
            daemon.client().ask(ping={})

    def test_limit_follows_the_descriptors(self):
        def few():
            resource.setrlimit(resource.RLIMIT_NOFILE, (100, 100))

        with Daemon(before=few) as daemon:
            clients = [daemon.client() for _ in range(27)]  # 64 are reserved, and a quarter is the web port's
            extra = daemon.client(hello=False)
            self.assertEqual(extra.receive_until_closed().code, RESOURCE_EXHAUSTED)
            flood = []
            for _ in range(80):
                try:
                    flood.append(daemon.client(hello=False))
                except OSError:
                    break
            clients[0].ask(ping={})
            self.assertEqual(len(clients[0].ask(list_controllers={}).controller_list.controllers), 2)


if __name__ == "__main__":
    unittest.main()

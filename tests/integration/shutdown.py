"""The end: SIGTERM with clients connected, worlds running and requests under way."""

import signal
import socket
import time
import unittest

from harness import *


class Shutdown(unittest.TestCase):
    def check_end(self, number):
        with Daemon() as daemon:
            clients = [daemon.client(f"client {i}") for i in range(20)]
            world = clients[0].create_world("live", REAL_TIME).id
            clients[0].create_world("fast", FAST)
            stepped = clients[0].create_world("stepped").id
            clients[0].spawn(world)
            for client in clients:
                client.ask(subscribe=dict(world=world, rate_hz=60, events=True))
            waiting = clients[1].send_command(stepped, at_tick=100, mark={})
            half = daemon.client("half", hello=False)
            half.send_bytes(b"\x10\x08")
            daemon.process.send_signal(number)
            for client in clients + [half]:
                self.assertEqual(client.receive_until_closed().code, UNAVAILABLE)
                client.close()
            self.assertNotIn(waiting, clients[1].responses)
            self.assertEqual(daemon.process.wait(TIMEOUT_S), 0)
            self.assertFalse(os.path.exists(daemon.port_file))

    def test_term(self):
        self.check_end(signal.SIGTERM)

    def test_interrupt(self):
        self.check_end(signal.SIGINT)

    def test_clients_that_never_read_or_close_do_not_hold_it_up(self):
        with Daemon() as daemon:
            clients = [daemon.client(f"client {i}", receive_buffer=4096) for i in range(10)]
            world = clients[0].create_world("live", REAL_TIME).id
            for i in range(8):
                clients[0].spawn(world, x=2.0 * i)
            for client in clients:
                client.ask(subscribe=dict(world=world, rate_hz=200, fields=63, events=True))
            time.sleep(0.5)
            daemon.stop()

    def test_no_more_clients_once_it_ends(self):
        with Daemon() as daemon:
            holdout = daemon.client("holdout")
            daemon.ask_to_end()
            self.assertEqual(holdout.receive_until_closed().code, UNAVAILABLE)
            with self.assertRaises(OSError):
                socket.create_connection(("127.0.0.1", daemon.port), 2)
            holdout.close()
            self.assertEqual(daemon.process.wait(TIMEOUT_S), 0)


if __name__ == "__main__":
    unittest.main()

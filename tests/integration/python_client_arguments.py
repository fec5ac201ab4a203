"""Names instead of ids, and errors that name the argument that does not fit."""

import inspect
import unittest

from harness import Daemon
from troupe import Client, Code, InvalidArgument, Mode, Refused, TroupeError, requests

WRONG = [  # a call, the argument that it should name, what was expected
    (lambda: requests.spawn_character("arena", 7), "controller", "a text"),
    (lambda: requests.spawn_character("arena", "hold", pos=(0, 1)), "pos", "3 numbers"),
    (lambda: requests.spawn_character("arena", "hold", heading_rad="north"), "heading_rad", "a number"),
    (lambda: requests.push("arena", "ada", (0, 60), 0.2), "force", "3 numbers"),
    (lambda: requests.push("arena", "ada", "left", 0.2), "force", "3 numbers"),
    (lambda: requests.push("arena", "", (0, 60, 0), 0.2), "entity", "an id or a name"),
    (lambda: requests.push("arena", 1.5, (0, 60, 0), 0.2), "entity", "a whole number or a text"),
    (lambda: requests.get_state("arena"), "world", "a whole number"),
    (lambda: requests.step(-1), "world", "at least 0"),
    (lambda: requests.step("arena", -1), "count", "at least 0"),
    (lambda: requests.create_world("y", 7), "mode", "Mode.REAL_TIME"),
    (lambda: requests.create_world(3), "name", "a text"),
    (lambda: requests.set_offset("arena", "ada", ["a"]), "offset", "a sequence of numbers"),
    (lambda: requests.steer("arena", "ada", target=(1,)), "target", "2 or 3 numbers"),
    (lambda: requests.box((1, 2)), "half_extents", "3 numbers"),
    (lambda: requests.set_parameters("arena", "ada", {"reach": "far"}), "parameters", "numbers by their names"),
    (lambda: requests.advance("arena", 1, [requests.push("arena", "ada", (0, 1, 0), 0.2)]), "orders", "ids"),
]


class Arguments(unittest.TestCase):
    def test_the_argument_that_does_not_fit_is_named(self):
        for call, argument, expected in WRONG:
            with self.assertRaises(InvalidArgument, msg=inspect.getsource(call)) as caught:
                call()
            self.assertEqual(caught.exception.argument, argument)
            self.assertRegex(str(caught.exception), f"^{argument}: .*expected .*{expected}")
            self.assertIsInstance(caught.exception, TroupeError)

    def test_arguments_that_do_not_exist_are_python_s_to_report(self):
        with self.assertRaisesRegex(TypeError, "duration"):
            requests.push("arena", "ada", (0, 1, 0), duration=2)
        with self.assertRaisesRegex(ValueError, "heading_rad, target, toward"):
            requests.steer("arena", "ada", heading_rad=1, toward=2)


class Names(unittest.TestCase):
    def test_worlds_and_entities_may_be_named(self):
        with Daemon() as daemon, Client(port=daemon.port) as client:
            world = client.ask(requests.create_world("arena", Mode.STEPPED)).id
            client.ask(requests.join("arena"))
            ada = client.ask(requests.spawn_character("arena", "hold", label="ada")).entity
            client.ask(requests.spawn_object("arena", [requests.sphere(0.1)], name="ball", density=500, pos=(3, 0, 1)))
            client.ask(requests.push("arena", "ada", (0, 500, 0), 0.2))
            client.ask(requests.throw("arena", "ball", (1, 0, 0)))
            client.ask(requests.step("arena", 300))
            state = client.ask(requests.get_state(world, requests.OBJECTS))
            self.assertEqual([(each.entity, each.fallen) for each in state.characters], [(ada, True)])
            self.assertGreater(state.objects[0].pos[0], 3.2)
            client.ask(requests.set_limp(world, "ada"))
            client.ask(requests.despawn("arena", "ball"))
            self.assertEqual(len(client.ask(requests.get_state(world, requests.OBJECTS)).objects), 0)
            for call in requests.push("arena", "bob", (0, 1, 0), 0.1), requests.pause("nowhere"):
                with self.assertRaises(Refused) as caught:
                    client.ask(call)
                self.assertEqual((caught.exception.code, caught.exception.argument), (Code.NOT_FOUND, ""))
            with self.assertRaises(Refused) as caught:
                client.ask(requests.create_world("slow", step_s=3.0))
            self.assertEqual(caught.exception.argument, "step_s")


unittest.main()

"""What ships with the daemon: every controller of the shipped bundle spawns and performs."""

import os
import unittest

from harness import *

BUNDLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../db/shipped.troupe")


@unittest.skipUnless(os.path.exists(BUNDLE), "there is no db/shipped.troupe")
class Shipped(unittest.TestCase):
    def test_every_controller_performs(self):
        with Daemon(bundle=False, shipped=True) as daemon, daemon.client() as client:
            controllers = client.ask(list_controllers={}).controller_list.controllers
            self.assertGreater(len(controllers), 0)
            for controller in controllers:
                with self.subTest(controller.name):
                    world = client.create_world(controller.name, step_s=controller.step_s).id
                    client.spawn(world, controller.name)
                    client.step(world, round(10 / controller.step_s) if controller.cyclic
                                else round(controller.duration_s / controller.step_s))
                    character = client.state(world).characters[0]
                    self.assertFalse(character.fallen)
                    self.assertGreater(character.fragments_done, 0)
                    nodes = client.ask(get_lineage=dict(kind=4, name=controller.name)).lineage.nodes
                    self.assertGreater(len(nodes), 1)
                    client.ask(destroy_world=dict(world=world))

    def test_first_start_only(self):
        with Daemon(bundle=False, shipped=True) as daemon:
            daemon.stop()
            with Daemon(bundle=False, shipped=True, state_dir=daemon.state_dir) as again:
                self.assertNotIn("catalogue.shipped_bundle", again.log())
            self.assertIn("catalogue.shipped_bundle", daemon.log())


if __name__ == "__main__":
    unittest.main()

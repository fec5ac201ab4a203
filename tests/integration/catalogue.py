"""Queries of the catalogue, paging, and the order of answers."""

import json
import os
import subprocess
import unittest

from harness import *


class Catalogue(Case):
    def setUp(self):
        self.one = self.client()

    def test_models(self):
        models = self.one.ask(list_models={}).model_list.models
        self.assertEqual([m.name for m in models], ["humanoid"])
        detail = self.one.ask(get_model=dict(name="humanoid")).model
        self.assertEqual((detail.summary.body_count, len(detail.bodies)), (18, 18))
        self.assertAlmostEqual(detail.mass_kg, 62, delta=0.5)
        self.assertEqual(detail.bodies[0].parent, -1)
        self.assertIn("<mujoco", detail.mjcf)
        self.assertEqual(list(detail.gain_sets), ["a", "b"])

    def test_controllers(self):
        controllers = self.one.ask(list_controllers={}).controller_list.controllers
        self.assertEqual([c.name for c in controllers], ["hold", "sway"])
        self.assertEqual((controllers[1].model, controllers[1].run, controllers[1].clip, controllers[1].fragment_count),
                         ("humanoid", "by_hand", "swaying", 6))
        detail = self.one.ask(get_controller=dict(name="sway")).controller
        self.assertEqual((len(detail.fragments), detail.action_size), (6, 17))
        self.assertGreater(detail.fragments[0].feedback_norm, 0)
        self.assertAlmostEqual(detail.fragments[0].duration_s, 0.1)

    def test_filters(self):
        def names(**filter):
            return [c.name for c in self.one.ask(list_controllers=filter).controller_list.controllers]
        self.assertEqual(names(prefix="sw"), ["sway"])
        self.assertEqual(names(model="humanoid"), ["hold", "sway"])
        self.assertEqual(names(skill="fly"), [])
        with self.refused(NOT_FOUND):
            names(model="nothing")

    def test_pages(self):
        first = self.one.ask(list_controllers=dict(page=dict(size=1))).controller_list
        self.assertEqual([c.name for c in first.controllers], ["hold"])
        second = self.one.ask(list_controllers=dict(page=dict(size=1, token=first.next_page_token))).controller_list
        self.assertEqual([c.name for c in second.controllers], ["sway"])
        self.assertEqual(second.next_page_token, "")
        whole = self.one.ask(list_controllers=dict(page=dict(size=2))).controller_list
        self.assertEqual((len(whole.controllers), whole.next_page_token), (2, ""))
        for request in "list_models", "list_clips", "list_runs", "list_controllers", "list_matches":
            self.one.ask(**{request: dict(page=dict(size=256))})
        third = self.one.ask(list_controllers=dict(page=dict(size=1, token="sway"))).controller_list
        self.assertEqual((len(third.controllers), third.next_page_token), (0, ""))
        for page in (dict(size=257), dict(token="x" * 129)):
            with self.refused(INVALID_ARGUMENT):
                self.one.ask(list_controllers=dict(page=page))

    def test_clips_and_runs(self):
        self.assertEqual(self.one.ask(get_clip=dict(name="swaying")).clip.licence, "CC0")
        self.assertEqual([c.name for c in self.one.ask(list_clips={}).clip_list.clips], ["swaying"])
        self.assertEqual([r.name for r in self.one.ask(list_runs={}).run_list.runs], ["by_hand"])
        run = self.one.ask(get_run=dict(name="by_hand")).run
        self.assertEqual({m.name: (list(m.iteration), list(m.value)) for m in run.metrics},
                         {"cost": ([1, 2], [3.5, 2.5]), "push95_n": ([2], [40])})

    def test_lineage(self):
        nodes = self.one.ask(get_lineage=dict(kind=4, name="sway")).lineage.nodes
        self.assertEqual([n.name for n in nodes][0], "sway")
        self.assertEqual({n.name for n in nodes}, {"sway", "humanoid", "swaying", "by_hand"})
        self.assertIn("CC0", next(n.detail for n in nodes if n.name == "swaying"))
        with self.refused(INVALID_ARGUMENT):
            self.one.ask(get_lineage=dict(kind=1, name="humanoid"))

    def test_certificates(self):
        certificate = self.one.ask(get_certificate=dict(controller="sway")).certificate
        self.assertEqual((certificate.controller, certificate.method, certificate.seed), ("sway", 1, 5))
        self.assertEqual([(f.quantity, f.item, f.value) for f in certificate.figures],
                         [("nsr", "", 0.25), ("resisting_s", "1 N/s", 54.5), ("resisting_trial_s", "1 N/s 000", 54.5)])
        self.assertEqual([(p.direction, list(p.force_n), list(p.trials), list(p.survived)) for p in certificate.pushes],
                         [(0, [20, 40], [20, 20], [20, 19]), (1, [20, 40], [20, 20], [18, 2])])
        self.assertEqual(certificate.skill, "")
        for request in (dict(controller="hold"), dict(controller="sway", back=1), dict(controller="x"),
                        dict(controller="sway", skill="run"), dict(controller="sway", skill="*")):
            with self.refused(NOT_FOUND):
                self.one.ask(get_certificate=request)
        with self.refused(INVALID_ARGUMENT):
            self.one.ask(get_certificate=dict(controller="sway", back=256))

    def test_not_found(self):
        for request in (dict(get_model=dict(name="x")), dict(get_clip=dict(name="x")), dict(get_run=dict(name="x")),
                        dict(get_controller=dict(name="x")), dict(get_lineage=dict(kind=4, name="x"))):
            with self.refused(NOT_FOUND):
                self.one.ask(**request)

    def test_pipelined_requests_keep_their_order(self):
        """A spawn that must fetch its controller is not overtaken by the step sent behind it."""
        world = self.world(self.one)
        spawn = self.one.send_command(world, spawn_character=dict(controller="sway"))
        step = self.one.send_command(world, step=dict(count=3))
        self.assertEqual(self.one.wait(spawn).command.tick, 0)
        self.assertEqual(self.one.wait(step).command.tick, 3)
        ids = [self.one.send(list_models={}) for _ in range(100)] + [self.one.send(ping={})]
        for request_id in ids:
            self.one.wait(request_id)


class AddBundle(unittest.TestCase):
    """A daemon without controllers takes a bundle while a world runs."""

    def setUp(self):
        self.daemon = Daemon(bundle=False)
        self.addCleanup(self.daemon.stop)
        self.client = self.daemon.client()
        self.world = self.client.create_world("yard").id
        self.client.command(self.world, step=dict(count=5))
        with open(os.environ["TROUPE_BUNDLE"], "rb") as file:
            self.bundle = file.read()

    def send(self, data, part=30000):
        for offset in range(0, len(data), part):
            last = offset + part >= len(data)
            reply = self.client.ask(add_bundle=dict(offset=offset, data=data[offset:offset + part], last=last))
        return [(c.name, c.kind) for c in reply.controller_list.controllers]

    def test_a_running_world_gets_its_controllers(self):
        added = self.send(self.bundle)
        self.assertEqual(added, [("hold", "chain"), ("sway", "chain")])
        self.client.command(self.world, spawn_character=dict(controller="sway"))
        self.assertEqual(self.client.command(self.world, step=dict(count=3)).tick, 8)
        self.assertEqual(self.send(self.bundle, 1 << 20), added)  # it is there already
        self.assertEqual(len(self.client.ask(list_controllers={}).controller_list.controllers), 2)
        self.assertEqual([name for name in os.listdir(self.daemon.state_dir) if name.endswith(".adding")], [])

    def test_what_is_no_bundle_changes_nothing(self):
        for data in (b"no bundle" * 999, self.bundle[:-5000]):
            with self.assertRaises(Refused):
                self.send(data)
        with self.assertRaises(Refused) as refused:
            self.client.ask(add_bundle=dict(offset=7, data=b"x", last=True))
        self.assertEqual(refused.exception.code, FAILED_PRECONDITION)
        self.assertEqual(len(self.client.ask(list_controllers={}).controller_list.controllers), 0)
        self.assertEqual(len(self.send(self.bundle)), 2)

    def test_the_command_line(self):
        done = subprocess.run([os.environ["TROUPE"], "--port", str(self.daemon.port), "bundle", "add", os.environ["TROUPE_BUNDLE"],
                               "--json"], capture_output=True, text=True, timeout=TIMEOUT_S)
        self.assertEqual([row["name"] for row in json.loads(done.stdout)], ["hold", "sway"], done.stderr)


class Start(unittest.TestCase):
    def test_catalogue_is_kept_and_a_bundle_may_come_again(self):
        with Daemon() as daemon:
            daemon.stop()
            with Daemon(bundle=False, state_dir=daemon.state_dir) as again, again.client() as client:
                self.assertIn("sway", [c.name for c in client.ask(list_controllers={}).controller_list.controllers])
            with Daemon(bundle=True, state_dir=daemon.state_dir) as again, again.client() as client:
                self.assertIn("sway", [c.name for c in client.ask(list_controllers={}).controller_list.controllers])

    def test_two_daemons_do_not_share_a_catalogue(self):
        with Daemon() as daemon:
            with self.assertRaisesRegex(RuntimeError, "trouped: "):
                Daemon(bundle=False, state_dir=daemon.state_dir)

    def test_broken_bundle_keeps_it_from_starting(self):
        with self.assertRaisesRegex(RuntimeError, "trouped: "):
            Daemon("--bundle", __file__)


if __name__ == "__main__":
    unittest.main()

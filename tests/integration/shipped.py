"""What ships with the daemon: every controller of the shipped bundle spawns and performs."""

import json
import math
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

    def test_graphs_have_certificates(self):
        """Of each the 100 undisturbed trials, and pushes in 16 directions; the weakest are survived by graphs always, by gaits mostly."""
        with Daemon(bundle=False, shipped=True) as daemon, daemon.client() as client:
            controllers = client.ask(list_controllers={}).controller_list.controllers
            graphs = [controller for controller in controllers if controller.kind in ("graph", "gait")]
            self.assertGreaterEqual(len(graphs), 3)
            for graph in graphs:
                with self.subTest(graph.name):
                    certificate = client.ask(get_certificate=dict(controller=graph.name)).certificate
                    figures = {figure.quantity: figure.value for figure in certificate.figures if figure.item == ""}
                    self.assertEqual((figures["held_trials"], figures["hold_trials"]), (100, 100))
                    self.assertEqual([pushes.direction for pushes in certificate.pushes], list(range(16)))
                    for pushes in certificate.pushes:
                        self.assertGreaterEqual(pushes.survived[0] / pushes.trials[0], 1 if graph.kind == "graph" else 0.75)

    def test_gaits_are_steered(self):
        """A quarter turn to the left, then back by a point, within 3 s and 1.5 m of what was asked."""
        with Daemon(bundle=False, shipped=True) as daemon, daemon.client() as client:
            names = [c.name for c in client.ask(list_controllers={}).controller_list.controllers]
            details = [client.ask(get_controller=dict(name=name)).controller for name in names]
            gaits = [d for d in details if d.skills[0].turn_rad_s > 0]
            if not gaits:
                self.skipTest("the shipped gaits have not learned to be steered")
            for gait in gaits:
                skill = gait.skills[0]
                with self.subTest(gait.summary.name):
                    world = client.create_world(gait.summary.name, step_s=gait.summary.step_s).id
                    entity = client.spawn(world, gait.summary.name)
                    per_s = round(1 / gait.summary.step_s)
                    client.step(world, 2 * per_s)
                    client.command(world, steer=dict(entity=entity, heading_rad=math.pi / 2))
                    client.step(world, round((math.pi / 2 / skill.turn_rad_s + 3) * per_s))
                    q = client.state(world).characters[0].root_rot
                    self.assertLess(abs(2 * math.atan2(q[3], q[0]) - math.pi / 2), 0.3)
                    x, y = client.state(world).characters[0].root_pos[:2]
                    target = (x - 8 * skill.speed_m_s / skill.turn_rad_s, y, 0)
                    client.command(world, steer=dict(entity=entity, target=dict(x=target[0], y=y)))
                    nearest = 1e9
                    for _ in range(round(12 / skill.turn_rad_s) * 4):
                        client.step(world, per_s // 4)
                        root = client.state(world).characters[0].root_pos
                        nearest = min(nearest, math.hypot(root[0] - target[0], root[1] - target[1]))
                    self.assertLess(nearest, 1.5)
                    self.assertFalse(client.state(world).characters[0].fallen)
                    client.ask(destroy_world=dict(world=world))

    def test_far_turns_are_made_by_skills(self):
        """A third of a turn to either side, within 0.35 rad and 15 s, by way of the skill that turns to that side."""
        with Daemon(bundle=False, shipped=True) as daemon, daemon.client() as client:
            names = [c.name for c in client.ask(list_controllers={}).controller_list.controllers]
            details = [client.ask(get_controller=dict(name=name)).controller for name in names]
            turning = [(d, s, math.copysign(2 * math.pi / 3, s.turn_rad)) for d in details for s in d.skills
                       if d.summary.kind == "graph" and s.cyclic and 0 < abs(s.turn_rad) < 2]
            if not turning:
                self.skipTest("no shipped graph has turning skills")
            for detail, skill, heading in turning:
                with self.subTest(detail.summary.name, skill=skill.name):
                    world = client.create_world(skill.name, step_s=detail.summary.step_s).id
                    entity = client.spawn(world, detail.summary.name)
                    tenth = round(0.1 / detail.summary.step_s)
                    client.command(world, steer=dict(entity=entity, skill="walk"))
                    client.step(world, 60 * tenth)
                    q = client.state(world).characters[0].root_rot
                    goal = 2 * math.atan2(q[3], q[0]) + heading
                    client.command(world, steer=dict(entity=entity, heading_rad=goal))
                    turned = False
                    for _ in range(150):
                        client.step(world, tenth)
                        at = client.state(world).characters[0].fragment
                        turned |= skill.first_fragment <= at < skill.first_fragment + skill.fragment_count
                    q = client.state(world).characters[0].root_rot
                    self.assertTrue(turned)
                    self.assertLess(abs(math.remainder(2 * math.atan2(q[3], q[0]) - goal, 2 * math.pi)), 0.35)
                    self.assertFalse(client.state(world).characters[0].fallen)
                    client.ask(destroy_world=dict(world=world))

    def test_side_steps_go_to_their_side_and_keep_the_heading(self):
        """Left, right and left; the later ones after a walk, which may end in the other half: 1 m in 6 s, within 0.2 rad."""
        with Daemon(bundle=False, shipped=True) as daemon, daemon.client() as client:
            names = [c.name for c in client.ask(list_controllers={}).controller_list.controllers]
            details = [client.ask(get_controller=dict(name=name)).controller for name in names]
            stepping = [d.summary for d in details if d.summary.kind == "graph" and "side-left" in [s.name for s in d.skills]]
            if not stepping:
                self.skipTest("no shipped graph has side steps")
            for graph in stepping:
                per_s = round(1 / graph.step_s)
                world = client.create_world(graph.name, step_s=graph.step_s).id
                entity = client.spawn(world, graph.name)

                def perform(skill, seconds):
                    client.command(world, steer=dict(entity=entity, skill=skill))
                    client.step(world, seconds * per_s)
                    character = client.state(world).characters[0]
                    self.assertFalse(character.fallen)
                    return character.root_pos, 2 * math.atan2(character.root_rot[3], character.root_rot[0])

                for side, skill in ((1, "side-left"), (-1, "side-right"), (1, "side-left")):
                    with self.subTest(graph.name, skill=skill):
                        start, heading = perform("stand", 5)
                        end, turned = perform(skill, 6)
                        moved = (end[1] - start[1]) * math.cos(heading) - (end[0] - start[0]) * math.sin(heading)
                        self.assertGreater(side * moved, 1)
                        self.assertLess(abs(math.remainder(turned - heading, 2 * math.pi)), 0.2)
                        perform("stand", 3)
                        perform("walk", 5)

    def test_the_way_to_a_skill_is_expected(self):
        """From standing to the punch: within 2 s of the expected time, by the skills of the way and in their order."""
        with Daemon(bundle=False, shipped=True) as daemon, daemon.client() as client:
            graph = client.ask(get_controller=dict(name="hero")).controller
            skills = {skill.name: range(skill.first_fragment, skill.first_fragment + skill.fragment_count) for skill in graph.skills}
            world = client.create_world("way", step_s=graph.summary.step_s).id
            entity = client.spawn(world, "hero")
            client.command(world, steer=dict(entity=entity, skill="stand"))
            client.step(world, round(3 / graph.summary.step_s))
            self.assertEqual(list(client.state(world).characters[0].way), [])
            client.command(world, steer=dict(entity=entity, skill="punch"))
            expected = client.state(world).characters[0]
            self.assertEqual(expected.way[-1], "punch")
            passed, seconds, left = [], 0.0, expected
            while left.way and seconds < 10:
                client.step(world, 10)
                seconds += 10 * graph.summary.step_s
                left = client.state(world).characters[0]
                passed += [name for name in expected.way if left.fragment in skills[name] and name not in passed]
            self.assertIn(left.fragment, skills["punch"])
            self.assertEqual(passed, list(expected.way))
            self.assertLess(abs(seconds - expected.skill_in_s), 2)  # the expected time leaves out that it settles after a jump

    def test_skills_are_listed_and_asked_for_by_tag(self):
        """The list holds those with the tag and no others; a steering target with the tag leads to one of them."""
        with Daemon(bundle=False, shipped=True) as daemon, daemon.client() as client:
            def listed(word):
                return client.ask(get_controller=dict(name="hero", skill=word)).controller.skills
            strikes = [skill.name for skill in listed("") if "strike" in skill.tags.split()]
            self.assertIn("kick", strikes)
            self.assertEqual([skill.name for skill in listed("strike")], strikes)
            self.assertEqual([skill.name for skill in listed("kick")], ["kick"])
            self.assertEqual(list(listed("strik")), [])
            world = client.create_world("by tag").id
            entity = client.spawn(world, "hero")
            client.command(world, steer=dict(entity=entity, skill="strike"))
            self.assertIn(client.state(world).characters[0].way[-1], strikes)
            with self.assertRaisesRegex(Exception, "the nearest are .*kick"):
                client.command(world, steer=dict(entity=entity, skill="kik"))

    def test_a_large_graph_is_entered_at_its_last_fragment(self):
        with Daemon(bundle=False, shipped=True) as daemon, daemon.client() as client:
            graph = client.ask(get_controller=dict(name="hero")).controller
            last = max(skill.first_fragment + skill.fragment_count for skill in graph.skills) - 1
            self.assertGreater(last, 512)
            world = client.create_world("last", step_s=graph.summary.step_s).id
            client.spawn(world, "hero", fragment=last)
            client.step(world, 1)
            self.assertEqual(client.state(world).characters[0].fragment, last)

    def test_the_default_set_fits_on_a_page(self):
        self.assertLessEqual(os.path.getsize(BUNDLE), 12_000_000)
        with Daemon(bundle=False, shipped=True) as daemon, daemon.client() as client:
            controllers = client.ask(list_controllers={}).controller_list.controllers
            self.assertLessEqual(len(controllers), 40)
            for controller in controllers:
                with self.subTest(controller.name):
                    self.assertIn(controller.section, ("characters", "skills", "tasks", "puppets", "examples"))
                    self.assertGreater(len(controller.purpose), 10)

    def test_former_names_lead_to_their_successors(self):
        with open(os.path.join(os.path.dirname(BUNDLE), "../controllers/recipes/shipped.json")) as file:
            listed = json.load(file)["controllers"]
        with Daemon(bundle=False, shipped=True) as daemon, daemon.client() as client:
            world = client.create_world("former").id
            for each in listed:
                for former in each.get("formerly", []) + ([each["from"]] if "from" in each else []):
                    with self.subTest(former):
                        self.assertEqual(client.ask(get_controller=dict(name=former)).controller.summary.name, each["name"])
            for former in ("walk-soft", "circle-left", "run-450"): # two of one successor, in one world
                client.spawn(world, former)
            self.assertEqual([c.controller for c in client.state(world).characters], ["walk", "walk", "run"])
            first = client.state(world).characters[0].entity
            client.command(world, set_controller=dict(entity=first, controller="run-450c"))
            self.assertEqual(client.state(world).characters[0].next_controller, "run")

    def test_first_start_only(self):
        with Daemon(bundle=False, shipped=True) as daemon:
            daemon.stop()
            with Daemon(bundle=False, shipped=True, state_dir=daemon.state_dir) as again:
                self.assertNotIn("catalogue.shipped_bundle", again.log())
            self.assertIn("catalogue.shipped_bundle", daemon.log())


if __name__ == "__main__":
    unittest.main()

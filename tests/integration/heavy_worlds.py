"""Worlds that cost too much: other worlds, the service manager and a stop notice nothing of them."""

import os
import signal
import tempfile
import time
import unittest
import urllib.request

import exposition
from accounts import Guarded, Key, configuration
from harness import *
from service import Manager
from troupe import state_pb2

FAULT = state_pb2.EVENT_KIND_FAULT
DESTROYED = state_pb2.EVENT_KIND_DESTROYED

# 65,532 triangles, all of them over one place.
MESH = dict(mesh=dict(vertices=[-5, -5, 0, 5, -5, 0, 0, 5, 0], indices=[0, 1, 2] * 65532), friction=1)
SLAB = dict(name="slab", density=1000,
            geoms=[dict(kind=3, size=dict(x=3, y=3, z=0.3), pos=dict(z=0.01 * k), friction=1) for k in range(8)])


def fill(client, world, objects=256, characters=0):
    """A pile of slabs and characters in one place, on the mesh."""
    commands = [dict(add_scenery=dict(scenery=MESH))]
    commands += [dict(spawn_object=dict(SLAB, pos=dict(z=0.2 + 0.001 * i))) for i in range(objects)]
    commands += [dict(spawn_character=dict(controller="hold"))] * characters
    for first in range(0, len(commands), 100):
        for request in [client.send_command(world, **command) for command in commands[first:first + 100]]:
            client.wait(request)


def figures(daemon):
    with urllib.request.urlopen(f"http://127.0.0.1:{daemon.web_port}/metrics", timeout=TIMEOUT_S) as answer:
        return {name: value for (name, labels), value in exposition.read(answer.read().decode()).items() if not labels}


def processor_s(daemon):
    with open(f"/proc/{daemon.process.pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Configured(unittest.TestCase):
    def daemon(self, text=""):
        if sanitizer() and "step_ms" not in text:
            text += "processor = { step_ms = 0; };"  # its steps take twenty times as long
        file = tempfile.NamedTemporaryFile("w", suffix=".conf")
        self.addCleanup(file.close)
        file.write(text)
        file.flush()
        return Daemon("--config", file.name)


class Bounds(Configured):
    def test_the_heaviest_step_costs_little(self):
        """Without bounds a step of this world takes 17 s of processor time."""
        with self.daemon() as daemon, daemon.client() as client:
            world = client.create_world().id
            client.command(world, join={})
            fill(client, world, characters=64)
            client.step(world)
            before = processor_s(daemon)
            client.step(world, 1 if sanitizer() else 3)
            self.assertLess(processor_s(daemon) - before, 60 if sanitizer() else 3)
            info = client.ask(get_world=dict(world=world)).world
            self.assertGreater(info.contacts_dropped, 0)
            self.assertGreater(info.searches_cut, 0)
            self.assertGreater(info.processor_s, 0)
            figure = figures(daemon)
            self.assertEqual(figure["troupe_contacts_dropped_total"], info.contacts_dropped)
            self.assertEqual(figure["troupe_searches_cut_total"], info.searches_cut)

    def test_an_ordinary_world_drops_nothing(self):
        with Daemon() as daemon, daemon.client() as client:
            world = client.create_world().id
            for i in range(8):
                client.spawn(world, x=0.7 * i)
            client.step(world, 400)
            info = client.ask(get_world=dict(world=world)).world
            self.assertEqual((info.contacts_dropped, info.searches_cut, info.over_budget), (0, 0, False))


class Budgets(Configured):
    def test_heavy_worlds_come_after_the_others(self):
        """As many as fill all threads: a world beside them ticks on, and the watchdog is fed."""
        with Manager() as manager:
            manager.environment(WATCHDOG_USEC="400000")
            with self.daemon("threads = 2;") as daemon, daemon.client() as client:
                good = client.create_world("good", REAL_TIME).id
                client.spawn(good)
                heavy = [client.create_world(f"heavy {k}", REAL_TIME).id for k in range(3)]
                for world in heavy:
                    fill(client, world)
                deadline = time.monotonic() + TIMEOUT_S
                while not all(client.ask(get_world=dict(world=world)).world.over_budget for world in heavy):
                    self.assertLess(time.monotonic(), deadline)
                    time.sleep(0.1)
                self.assertEqual(figures(daemon)["troupe_worlds_over_budget"], 3)
                manager.drain()
                before, began = client.ask(get_world=dict(world=good)).world, time.monotonic()
                while client.ask(get_world=dict(world=good)).world.tick < before.tick + 600:
                    self.assertLess(time.monotonic(), began + TIMEOUT_S)
                    time.sleep(0.05)
                for _ in range(2):
                    manager.wait("WATCHDOG=1")
                self.assertFalse(client.ask(get_world=dict(world=good)).world.over_budget)
                self.assertNotIn("daemon.stalled", daemon.log())

    def test_the_real_time_worlds_of_a_key_have_a_budget_together(self):
        ada = Key("ada")
        roles = "anonymous = \"admin\"; roles = { director = { processor_percent = 1; }; };" \
                "processor = { world_percent = 0; };"
        with Guarded(configuration([ada.row("director")], roles)) as guarded:
            with guarded.connect(ada) as owner, guarded.connect() as client:
                hers = owner.create_world("hers", REAL_TIME).id
                other = client.create_world("other", REAL_TIME).id
                for world in hers, other:
                    for i in range(4):
                        client.spawn(world, x=i)
                deadline = time.monotonic() + TIMEOUT_S
                while not client.ask(get_world=dict(world=hers)).world.over_budget:
                    self.assertLess(time.monotonic(), deadline)
                    time.sleep(0.1)
                self.assertFalse(client.ask(get_world=dict(world=other)).world.over_budget)


class LongSteps(Configured):
    def test_the_world_ends_and_no_other(self):
        for mode in STEPPED, REAL_TIME:
            with self.daemon("processor = { step_ms = 30; };") as daemon, daemon.client() as client:
                good = client.create_world("good").id
                heavy = client.create_world("heavy", mode, paused=mode == REAL_TIME).id
                with daemon.client() as builder:
                    fill(builder, heavy)
                client.ask(subscribe=dict(world=heavy, events=True))
                if mode == STEPPED:
                    asked = client.send_command(heavy, step=dict(count=100))
                else:
                    client.command(heavy, resume={})
                event = client.wait_event(FAULT)
                self.assertEqual(event.entity, 0)
                self.assertRegex(event.text, r"^a step took \d+ ms, more than 30 ms$")
                client.wait_event(DESTROYED)
                if mode == STEPPED:
                    with self.assertRaises(Refused) as refusal:
                        client.wait(asked)
                    self.assertEqual(refusal.exception.code, ABORTED)
                    self.assertIn("the world was ended: a step took", refusal.exception.response.message)
                self.assertEqual([world.name for world in client.ask(list_worlds={}).world_list.worlds], ["good"])
                client.step(good, 100)
                self.assertEqual(figures(daemon)["troupe_worlds_failed_total"], 1)
                self.assertIn('event=world.failed world=', daemon.log())

    def test_a_stop_in_the_middle_of_one_is_clean(self):
        with self.daemon() as daemon, daemon.client() as client:
            world = client.create_world().id
            client.command(world, join={})
            fill(client, world, characters=16)
            client.send_command(world, step=dict(count=1000))
            client.ask(ping={})
            self.assertLess(daemon.stop(signal.SIGTERM), 20)
            self.assertNotIn("daemon.abandoned", daemon.log())


if __name__ == "__main__":
    unittest.main()

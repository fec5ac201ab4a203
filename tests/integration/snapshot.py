"""Snapshots over the wire: exact continuation, in another world and another daemon, and hostile bytes."""

import random
import struct
import time
import unittest

from harness import *
from troupe import command_pb2


def scene(client, world):
    """Two swaying characters, a ball in flight, a push under way and a command that waits."""
    entities = [client.spawn(world, "sway", y=2.0 * i, label=f"number {i}") for i in range(2)]
    client.command(world, spawn_object=dict(name="ball", geoms=[dict(kind=1, size=dict(x=0.1), friction=1)],
                                            mass=1, pos=dict(x=-1, z=1.5), vel=dict(x=4)))
    client.step(world, 37)
    client.command(world, push=dict(entity=entities[0], force=dict(y=150), duration_s=0.3))
    client.command(world, set_controller=dict(entity=entities[1], controller="hold"))
    client.step(world, 6)
    client.send_command(world, at_tick=90, push=dict(entity=entities[1], force=dict(x=-200), duration_s=0.1))
    return entities


def sealed(head, body):
    """The bytes of a snapshot with its checksum, FNV-1a of the body, made right."""
    checksum = 0xCBF29CE484222325
    for byte in body:
        checksum = (checksum ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return head + checksum.to_bytes(8, "little") + bytes(body)


class Snapshots(Case):
    def setUp(self):
        self.one = self.client()
        self.w = self.world(self.one)

    def test_continuation_is_exact(self):
        scene(self.one, self.w)
        taken = self.one.command(self.w, snapshot={})
        straight = [self.one.step(self.w, 50).hash for _ in range(4)]
        restored = self.one.command(self.w, restore=dict(data=taken.data))
        self.assertEqual((restored.tick, restored.hash), (taken.tick, taken.hash))
        self.assertEqual([self.one.step(self.w, 50).hash for _ in range(4)], straight)

    def test_another_world_and_another_daemon_continue_alike(self):
        entities = scene(self.one, self.w)
        taken = self.one.command(self.w, snapshot={})
        straight = self.one.step(self.w, 200).hash
        other = self.world(self.one)
        self.one.command(other, restore=dict(data=taken.data))
        self.assertEqual([c.entity for c in self.one.state(other).characters], entities)
        self.assertEqual([c.label for c in self.one.state(other).characters], ["number 0", "number 1"])
        self.assertEqual(self.one.step(other, 200).hash, straight)
        with Daemon("--threads", "1") as daemon, daemon.client() as client:
            world = client.create_world("elsewhere").id
            client.command(world, restore=dict(data=taken.data))
            self.assertEqual(client.step(world, 200).hash, straight)

    def test_twice_restored_is_twice_the_same(self):
        scene(self.one, self.w)
        taken = self.one.command(self.w, snapshot={})
        ends = []
        for _ in range(2):
            self.one.command(self.w, restore=dict(data=taken.data))
            ends.append(self.one.step(self.w, 120).hash)
        self.assertEqual(ends[0], ends[1])

    def test_pending_command_is_in_it(self):
        entity = scene(self.one, self.w)[1]
        taken = self.one.command(self.w, snapshot={})
        other = self.world(self.one)
        self.one.ask(subscribe=dict(world=other, events=True))
        self.one.command(other, restore=dict(data=taken.data))
        self.assertEqual(self.one.ask(get_world=dict(world=other)).world.pending_commands, 1)
        self.one.step(other, 60)
        applied = self.one.wait_event(state_pb2.EVENT_KIND_APPLIED)
        while applied.text != "push":
            applied = self.one.wait_event(state_pb2.EVENT_KIND_APPLIED)
        self.assertEqual((applied.tick, applied.code), (90, OK))
        self.assertNotEqual(entity, 0)

    def test_restore_aborts_what_waits_and_counts_the_epoch(self):
        self.one.spawn(self.w)
        taken = self.one.command(self.w, snapshot={})
        waiting = self.one.send_command(self.w, at_tick=400, mark={})
        epoch = self.one.state(self.w).epoch
        self.one.command(self.w, restore=dict(data=taken.data))
        with self.refused(ABORTED):
            self.one.wait(waiting)
        self.assertEqual(self.one.state(self.w).epoch, epoch + 1)

    def test_real_time_world_continues_from_it(self):
        scene(self.one, self.w)
        taken = self.one.command(self.w, snapshot={})
        live = self.world(self.one, REAL_TIME)
        began = time.monotonic()
        self.one.command(live, restore=dict(data=taken.data))
        state = self.one.state(live)
        self.assertGreaterEqual(state.tick, taken.tick)
        self.assertLess(state.tick, taken.tick + 200 * (time.monotonic() - began) + 100)

    def test_broken_bytes_are_refused_and_change_nothing(self):
        scene(self.one, self.w)
        data = self.one.command(self.w, snapshot={}).data
        before = self.one.state(self.w, state_pb2.STATE_FIELD_HASH).hash
        draw = random.Random(5)
        broken = [b"", data[:8], data[:-1], data + b"\0", b"x" * len(data)]
        broken += [data[:n] for n in draw.sample(range(len(data)), 20)]
        for _ in range(60):
            at = draw.randrange(len(data))
            broken.append(data[:at] + bytes([data[at] ^ 1 << draw.randrange(8)]) + data[at + 1:])
        for bad in broken:
            with self.refused(INVALID_ARGUMENT):
                self.one.command(self.w, restore=dict(data=bad))
        self.assertEqual(self.one.state(self.w, state_pb2.STATE_FIELD_HASH).hash, before)

    def test_forged_checksums_never_harm(self):
        """With the checksum made right again every byte reaches the reader behind it."""
        scene(self.one, self.w)
        data = self.one.command(self.w, snapshot={}).data
        draw = random.Random(6)
        for i in range(150):
            body = bytearray(data[16:])
            for _ in range(draw.choice((1, 1, 4))):
                body[draw.randrange(min(len(body), 600)) if i % 2 else draw.randrange(len(body))] = draw.randrange(256)
            try:
                self.one.command(self.w, restore=dict(data=sealed(data[:8], body)))
            except Refused:
                pass
        self.one.step(self.w, 1)

    def test_only_commands_that_can_wait_are_taken_from_one(self):
        """A hand-made snapshot whose queue holds a restore, or another command that is never queued."""
        data = self.one.command(self.w, snapshot={}).data
        seed, counts, stage = data[16:28], data[28:44], data[44:]  # the fault rule with the seed
        self.assertEqual(counts, bytes(16))  # models, controllers, labels, commands that wait
        for kind, wrong in (("leave", True), ("join", True), ("step", True), ("restore", True), ("mark", False)):
            command = command_pb2.Command(world=self.w, **{kind: {}}).SerializeToString()
            waiting = struct.pack("<IqQQQQI", 1, 0, 1, 1, 1, 0, len(command)) + command
            forged = sealed(data[:8], seed + counts[:12] + waiting + stage)
            if not wrong:
                self.one.command(self.w, restore=dict(data=forged))
                continue
            with self.refused(INVALID_ARGUMENT):
                self.one.command(self.w, restore=dict(data=forged))
        self.one.step(self.w, 1)

    def test_no_snapshot_is_taken_while_a_restore_waits(self):
        data = self.one.command(self.w, snapshot={}).data
        waiting = self.one.send_command(self.w, at_tick=5, restore=dict(data=data))
        with self.refused(FAILED_PRECONDITION):
            self.one.command(self.w, snapshot={})
        self.one.send_command(self.w, step=dict(count=6))
        self.one.wait(waiting)
        self.assertEqual(self.one.command(self.w, snapshot={}).data, data)


if __name__ == "__main__":
    unittest.main()

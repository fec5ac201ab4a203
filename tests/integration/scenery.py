"""Scenery and platforms over the wire: added, removed, snapshot, recorded, in scenes of matches; hostile sizes refused."""

import json
import math
import os
import struct
import subprocess
import tempfile
import unittest
import zlib

from harness import *
from troupe import state_pb2

BUNDLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../db/shipped.troupe")
HASH = state_pb2.STATE_FIELD_HASH
SHAPES = state_pb2.STATE_FIELD_SHAPES
SURFACES = state_pb2.STATE_FIELD_SURFACES
BOX = dict(size=dict(x=2, y=2, z=0.25), pos=dict(z=0.25), friction=1)
BALL = dict(name="ball", geoms=[dict(kind=1, size=dict(x=0.1), friction=1)], mass=1)
TETRAHEDRON = dict(vertices=[-2, -2, 0, 2, -2, 0, 0, 2, 0, 0, 0, 1], indices=[0, 1, 3, 1, 2, 3, 2, 0, 3, 0, 2, 1])


def slab(top, **fields):
    """A kinematic object whose top is at this height."""
    geom = dict(kind=3, size=dict(x=3, y=3, z=0.2), friction=1)
    return dict(name="slab", geoms=[geom], mass=1000, pos=dict(z=top - 0.2), kinematic=True, **fields)


def hills(columns=201, rows=101, spacing=0.2, height=0.02):
    """A height field of gentle waves, level around its middle."""
    def at(i, j):
        x, y = (i - (columns - 1) / 2) * spacing, (j - (rows - 1) / 2) * spacing
        return height * (1 - math.exp(-x * x - y * y)) * (math.sin(x) + math.cos(0.7 * y))
    heights = [at(i, j) for j in range(rows) for i in range(columns)]
    return dict(height_field=dict(columns=columns, rows=rows, spacing_m=spacing, heights=heights), friction=1)


class Scenery(Case):
    def setUp(self):
        self.one = self.client()
        self.w = self.world(self.one)

    def add(self, scenery, **options):
        return self.one.command(self.w, add_scenery=dict(scenery=scenery), **options).scenery

    def ball_height(self, x=0.0, z=2.0):
        """The place of a ball 2 s after it was dropped there."""
        ball = self.one.command(self.w, spawn_object=dict(BALL, pos=dict(x=x, z=z))).entity
        self.one.step(self.w, 400)
        height = self.one.state(self.w).objects[-1].pos[2]
        self.one.command(self.w, despawn=dict(entity=ball))
        return height

    def test_pieces_are_added_listed_and_removed(self):
        box, field = self.add(BOX), self.add(hills())
        mesh = self.add(dict(mesh=TETRAHEDRON, pos=dict(x=20), friction=1))
        self.assertEqual((box, field, mesh), (1, 2, 3))
        self.assertAlmostEqual(self.ball_height(), 0.6, delta=0.01)
        listed = self.one.state(self.w, SHAPES).scenery
        self.assertEqual([piece.id for piece in listed], [1, 2, 3])
        self.assertEqual((listed[1].height_field.columns, len(listed[1].height_field.heights)), (201, 0))
        whole = self.one.state(self.w, SHAPES | SURFACES).scenery
        self.assertEqual(len(whole[1].height_field.heights), 201 * 101)
        self.assertEqual(list(whole[2].mesh.indices), TETRAHEDRON["indices"])
        self.one.command(self.w, remove_scenery=dict(scenery=box))
        self.assertAlmostEqual(self.ball_height(), 0.1, delta=0.01)
        self.assertEqual(self.add(BOX), 4)
        with self.refused(NOT_FOUND) as refusal:
            self.one.command(self.w, remove_scenery=dict(scenery=box))
        self.assertIn("scenery 1: no such piece", refusal.message)

    def test_a_reset_keeps_what_was_added(self):
        self.add(BOX)
        self.one.step(self.w, 10)
        self.one.command(self.w, reset={})
        self.assertEqual(len(self.one.state(self.w, SHAPES).scenery), 1)

    def test_what_is_too_large_is_refused_with_field_and_limit(self):
        flat = dict(columns=2, rows=2, spacing_m=1, heights=[0] * 4)
        large = dict(columns=700, rows=374, spacing_m=1, heights=[0] * (700 * 374))
        for words, scenery in (
                (("scenery.size", "positive"), dict(size=dict(x=1, y=1))),
                (("height_field", "at most 262144 samples"), dict(height_field=dict(columns=60000, rows=60000, spacing_m=1))),
                (("height_field", "columns", "2 to 65536"), dict(height_field=dict(flat, columns=0xFFFFFFFF))),
                (("height_field.heights", "columns x rows, 4"), dict(height_field=dict(flat, heights=[0] * 5))),
                (("height_field.heights", "-10000 to 10000"), dict(height_field=dict(flat, heights=[0, 0, 0, math.nan]))),
                (("height_field.spacing_m", "0.001 to 100"), dict(height_field=dict(flat, spacing_m=0))),
                (("mesh.vertices", "1 to 32768"), dict(mesh=dict(vertices=[0] * (3 * 32769), indices=[0, 1, 2]))),
                (("mesh.indices", "1 to 65536"), dict(mesh=dict(TETRAHEDRON, indices=[0] * (3 * 65537)))),
                (("mesh.indices", "0 to 3"), dict(mesh=dict(TETRAHEDRON, indices=[0, 1, 4]))),
                (("mesh", "area"), dict(mesh=dict(TETRAHEDRON, indices=[0, 1, 1])))):
            with self.refused(INVALID_ARGUMENT) as refusal:
                self.add(scenery)
            for word in words:
                self.assertIn(word, refusal.message)
        with self.refused(INVALID_ARGUMENT) as refusal:
            self.one.command(self.w, add_scenery={})
        self.assertIn("scenery: expected one", refusal.message)
        self.add(dict(height_field=large, friction=1))
        with self.refused(RESOURCE_EXHAUSTED) as refusal:
            for _ in range(2):
                self.add(dict(height_field=large, friction=1))
        self.assertIn("at most 2097152", refusal.message)
        scene = dict(scenery=[dict(height_field=large, friction=1)] * 3)
        with self.refused(INVALID_ARGUMENT) as refusal:
            self.one.ask(create_world=dict(name="too large", scene=scene))
        self.assertIn("at most 2097152", refusal.message)

    def test_the_largest_surfaces_fit_a_snapshot_and_a_state(self):
        side = dict(columns=512, rows=512, spacing_m=0.1, heights=[0.0] * 262144)
        for _ in range(2):
            self.add(dict(height_field=side, friction=1))
        data = self.one.command(self.w, snapshot={}).data
        self.assertEqual(len(self.one.state(self.w, SHAPES | SURFACES).scenery), 2)
        before = self.one.state(self.w, HASH).hash
        self.one.command(self.w, remove_scenery=dict(scenery=1))
        self.one.command(self.w, restore=dict(data=data))
        self.assertEqual(self.one.state(self.w, HASH).hash, before)

    def test_surfaces_do_not_come_by_subscription(self):
        with self.refused(INVALID_ARGUMENT) as refusal:
            self.one.ask(subscribe=dict(world=self.w, rate_hz=30, fields=SHAPES | SURFACES))
        self.assertIn("fields", refusal.message)

    def test_a_lift_goes_up_and_stops(self):
        lift = self.one.command(self.w, spawn_object=slab(0.4)).entity
        self.one.command(self.w, carry=dict(entity=lift, travel=dict(pos=dict(z=2.2), duration_s=2)))
        self.assertAlmostEqual(self.ball_height(), 2.5, delta=0.01)
        self.assertAlmostEqual(self.one.state(self.w).objects[0].pos[2], 2.2, delta=1e-6)
        ball = self.one.command(self.w, spawn_object=dict(BALL, pos=dict(x=9, z=1))).entity
        for entity, code in ((ball, FAILED_PRECONDITION), (9999, NOT_FOUND)):
            with self.refused(code):
                self.one.command(self.w, carry=dict(entity=entity, travel=dict(duration_s=1)))
        for word, carry in (("travel", dict(entity=lift)), ("duration_s", dict(entity=lift, travel=dict(duration_s=9999)))):
            with self.refused(INVALID_ARGUMENT) as refusal:
                self.one.command(self.w, carry=carry)
            self.assertIn(word, refusal.message)
        with self.refused(INVALID_ARGUMENT) as refusal:
            self.one.command(self.w, spawn_object=dict(BALL, travel=dict(duration_s=1)))
        self.assertIn("travel: expected of kinematic objects", refusal.message)

    def held(self, **hold):
        self.one.command(self.w, hold=dict(entity=self.guard, object=self.ball, **hold))

    def gap(self, ticks):
        """From the middle of the right hand to the ball, after so many ticks."""
        self.one.step(self.w, ticks)
        state = self.one.state(self.w, state_pb2.STATE_FIELD_BODIES | state_pb2.STATE_FIELD_OBJECTS)
        return math.dist(state.characters[0].body_pos[27:30], state.objects[0].pos)

    def test_a_hand_takes_an_object_and_lets_it_go(self):
        self.guard = self.one.spawn(self.w)
        self.ball = self.one.command(self.w, spawn_object=dict(BALL, pos=dict(y=-0.22, z=0.6))).entity
        self.one.ask(subscribe=dict(world=self.w, events=True))
        self.held(break_n=500)
        before = self.gap(1)
        self.assertAlmostEqual(self.gap(60), before, delta=0.01)
        data = self.one.command(self.w, snapshot={}).data
        for held, end in ((True, {}), (False, dict(off=True)), (False, dict(break_n=1, body="rhand"))):
            self.one.command(self.w, restore=dict(data=data))
            if not held:
                self.held(off=True)
            if end.get("break_n"):
                self.held(**end)
            self.assertEqual(self.gap(40) < before + 0.02, held, end)
        broken = self.one.wait_event(state_pb2.EVENT_KIND_HOLD_BROKEN)
        self.assertEqual((broken.entity, broken.other), (self.guard, self.ball))
        self.assertGreater(broken.magnitude, 1)
        for code, hold in ((NOT_FOUND, dict(off=True)), (NOT_FOUND, dict(body="tail")), (FAILED_PRECONDITION, dict(body="head"))):
            with self.refused(code):
                self.held(**hold)

    def test_a_scene_has_platforms_and_terrain(self):
        shuttle = slab(0.4, travel=dict(pos=dict(x=4, z=0.2), duration_s=1, shuttle=True))
        world = self.world(self.one, scene=dict(scenery=[hills(), BOX], objects=[shuttle]))
        self.one.step(world, 200)
        self.assertAlmostEqual(self.one.state(world).objects[0].pos[0], 4, delta=1e-6)
        self.one.step(world, 200)
        self.assertAlmostEqual(self.one.state(world).objects[0].pos[0], 0, delta=1e-6)
        self.assertEqual(len(self.one.state(world, SHAPES).scenery), 2)

    def test_a_match_is_fought_on_terrain(self):
        scene = dict(scenery=[dict(hills(), pos=dict(z=5))], objects=[dict(slab(5.5), pos=dict(x=9, z=5))])
        teams = [dict(name=name, members=[dict(controller="hold", pos=dict(x=x, z=5))]) for name, x in (("a", -1), ("b", 1))]
        match = dict(name="on hills", rule="last_standing", teams=teams, time_limit_s=1, bouts=2, scene=scene)
        self.one.ask(start_match=dict(match=match))
        detail = self.one.ask(get_match=dict(name="on hills")).match_detail
        while len(detail.bouts) < 2:
            detail = self.one.ask(get_match=dict(name="on hills")).match_detail
        self.assertEqual(detail.match.scene.scenery[0].height_field.columns, 201)
        self.assertTrue(all(bout.ticks > 100 and bout.outcome != 3 for bout in detail.bouts))

    def test_recordings_replay_it_to_the_bit(self):
        self.one.command(self.w, start_recording=dict(name="ground"))
        self.one.step(self.w, 5)
        box = self.add(BOX)
        self.add(hills())
        lift = self.one.command(self.w, spawn_object=slab(3, travel=dict(pos=dict(z=0.5), duration_s=1))).entity
        self.one.command(self.w, spawn_object=dict(BALL, pos=dict(z=4)))
        self.one.step(self.w, 150)
        self.one.command(self.w, remove_scenery=dict(scenery=box))
        self.one.command(self.w, despawn=dict(entity=lift))
        self.one.step(self.w, 150)
        self.one.command(self.w, stop_recording={})
        replay = self.one.ask(replay=dict(recording="ground", world="again", paused=True)).world.id
        self.one.command(replay, verify={})
        self.assertTrue(self.one.ask(get_replay=dict(world=replay)).replay_info.verified)
        self.one.ask(destroy_world=dict(world=replay))


def png(path, columns, rows, sample):
    """A grey image of 16 bits."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    lines = b"".join(b"\0" + b"".join(struct.pack(">H", sample(i, j)) for i in range(columns)) for j in range(rows))
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", columns, rows, 16, 0, 0, 0, 0)) +
                   chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b""))


class Files(Case):
    """Terrain from files, by the command line client."""

    def setUp(self):
        self.one = self.client()
        self.w = "#%d" % self.world(self.one)
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def troupe(self, *words, code=0):
        environment = dict(os.environ, TROUPE_ADDRESS=f"127.0.0.1:{self.daemon.port}")
        done = subprocess.run([os.environ["TROUPE"], *words], env=environment, capture_output=True, text=True, timeout=30)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout if code == 0 else done.stderr

    def file(self, name, text):
        path = os.path.join(self.folder.name, name)
        with open(path, "w") as file:
            file.write(text)
        return path

    def whole(self):
        return self.one.state(int(self.w[1:]), SHAPES | SURFACES).scenery

    def test_grids_images_and_meshes_load(self):
        asc = self.file("a.asc", "ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 0.5\nNODATA_value -9999\n4 5 6\n1 2 3\n")
        obj = self.file("b.obj", "# a quad, y up\nv 0 0 0\nv 0 0 1\nv 1 0 1\nv 1 0 0\nvn 0 1 0\nf 1/1/1 2/1/1 3/1/1 -1/1/1\n")
        image = os.path.join(self.folder.name, "c.png")
        png(image, 3, 2, lambda i, j: 65535 if (i, j) == (2, 0) else 0)
        self.assertIn("scenery 1", self.troupe("add-scenery", self.w, asc, "--pos", "0,0,1"))
        self.troupe("add-scenery", self.w, obj, "--y-up")
        self.troupe("add-scenery", self.w, image, "--cell", "0.25", "--height", "2")
        self.troupe("add-scenery", self.w, "box", "--size", "2,1,0.1", "--slope", "10", "--heading", "90")
        grid, mesh, map, ramp = self.whole()
        self.assertEqual((grid.height_field.columns, grid.height_field.spacing_m, grid.pos.z), (3, 0.5, 1))
        self.assertEqual(list(grid.height_field.heights), [1, 2, 3, 4, 5, 6])
        self.assertEqual((list(mesh.mesh.indices), list(mesh.mesh.vertices[:6])), ([0, 1, 2, 0, 2, 3], [0, 0, 0, 0, -1, 0]))
        self.assertEqual((list(map.height_field.heights), map.height_field.spacing_m), ([0, 0, 0, 0, 0, 2], 0.25))
        self.assertAlmostEqual(2 * (ramp.rot.x * ramp.rot.z - ramp.rot.w * ramp.rot.y), math.sin(math.radians(10)), delta=1e-9)
        self.assertEqual([row["kind"] for row in json.loads(self.troupe("scenery", self.w, "--json"))],
                         ["height field", "mesh", "height field", "box"])
        self.troupe("remove-scenery", self.w, "2")
        self.assertEqual(len(self.whole()), 3)

    def test_mistakes_in_files_are_named(self):
        head = "ncols 2\nnrows 2\ncellsize 1\n"
        for name, text, message in (
                ("a.asc", head + "1 2\n3 x\n", "row 2, column 2: expected a height"),
                ("a.asc", head + "NODATA_value 9\n1 2 3 9\n", "no data"),
                ("a.asc", "ncols 99999\nnrows 99999\ncellsize 1\n", "at most 262144 samples"),
                ("a.asc", "1 2 3", "expected ncols"),
                ("b.obj", "v 0 0 0\nf 1 2 3\n", "b.obj:2: f: found '2'; expected the number of a vertex"),
                ("b.obj", "v 0 0\n", "b.obj:1: v: 2 numbers; expected three"),
                ("b.obj", "v 0 0 0\n", "expected a face"),
                ("c.png", "no image", "PNG"),
                ("d.txt", "", ".asc, .png or .obj")):
            self.assertIn(message, self.troupe("add-scenery", self.w, self.file(name, text), code=5))
        self.assertIn("No such file", self.troupe("add-scenery", self.w, "/no/such.asc", code=5))

    def test_a_platform_is_carried(self):
        self.troupe("spawn-object", self.w, "box", "--size", "1,1,0.1", "--pos", "0,0,0.1", "--label", "lift", "--kinematic")
        self.troupe("carry", self.w, "lift", "0,0,2.1", "--duration", "1")
        self.one.step(int(self.w[1:]), 200)
        self.assertAlmostEqual(self.one.state(int(self.w[1:])).objects[0].pos[2], 2.1, delta=1e-6)

    def test_a_hand_holds_an_object_by_name(self):
        self.troupe("spawn", self.w, "hold", "--label", "guard")
        self.troupe("spawn-object", self.w, "sphere", "--size", "0.1,0,0", "--pos", "0,-0.22,0.6", "--label", "ball")
        self.assertIn("held", self.troupe("hold", self.w, "guard", "ball", "--break", "400"))
        self.assertIn("let go", self.troupe("hold", self.w, "guard", "ball", "--off"))
        self.assertIn("does not hold it", self.troupe("hold", self.w, "guard", "ball", "--off", code=1))


@unittest.skipUnless(os.path.exists(BUNDLE), "there is no db/shipped.troupe")
class Walking(unittest.TestCase):
    """The shipped walk on a platform at +50 m and on a height field: it keeps walking, and replays to the bit."""

    def test_walk_on_a_platform_and_on_a_height_field(self):
        with Daemon(bundle=False, shipped=True) as daemon, daemon.client() as client:
            for name, scenery, height in (("platform", dict(size=dict(x=30, y=9, z=1), pos=dict(z=49), friction=1), 50),
                                          ("hills", dict(hills(401, 101), pos=dict(z=-7)), -7)):
                with self.subTest(name):
                    world = client.create_world(name, scene=dict(no_ground=True)).id
                    client.command(world, start_recording=dict(name=name))
                    client.command(world, add_scenery=dict(scenery=scenery))
                    client.command(world, spawn_character=dict(controller="walk", pos=dict(z=height)))
                    client.step(world, 2000)
                    walker = client.state(world).characters[0]
                    self.assertFalse(walker.fallen)
                    self.assertAlmostEqual(walker.root_pos[2], height + 1, delta=0.2)
                    self.assertGreater(math.hypot(*walker.root_pos[:2]), 5)
                    client.command(world, stop_recording={})
                    replay = client.ask(replay=dict(recording=name, world=name + " again", paused=True)).world.id
                    client.command(replay, verify={})
                    self.assertTrue(client.ask(get_replay=dict(world=replay)).replay_info.verified)


class LookAhead(unittest.TestCase):
    """A world in which steered characters look where they go: chosen over the wire, and recorded."""

    def test_a_wall_stops_a_walk_and_its_replay(self):
        with Daemon(shipped=True) as daemon, daemon.client() as client:
            world = client.create_world("w", look_ahead=True)
            self.assertTrue(world.look_ahead)
            client.ask(subscribe=dict(world=world.id, events=True))
            wall = dict(size=dict(x=0.1, y=9, z=1.5), pos=dict(x=7, z=1.5), friction=1)
            client.command(world.id, add_scenery=dict(scenery=wall))
            ada = client.spawn(world.id, "hero")
            client.command(world.id, start_recording=dict(name="blocked"))
            client.step(world.id, 400)
            client.command(world.id, steer=dict(entity=ada, target=dict(x=12)))
            client.step(world.id, 2000)
            blocked = client.wait_event(state_pb2.EVENT_KIND_BLOCKED)
            self.assertEqual((blocked.entity, client.state(world.id).characters[0].fallen), (ada, False))
            self.assertLess(client.state(world.id).characters[0].root_pos[0], 7)
            client.command(world.id, stop_recording={})
            replay = client.ask(replay=dict(recording="blocked", world="again", paused=True)).world
            self.assertTrue(replay.look_ahead)
            client.command(replay.id, verify={})
            info = client.ask(get_replay=dict(world=replay.id)).replay_info
            self.assertTrue(info.verified and info.whole)
            self.assertFalse(info.HasField("divergence"))
            self.assertIn(state_pb2.EVENT_KIND_BLOCKED, [each.event.kind for each in info.events])


if __name__ == "__main__":
    unittest.main()

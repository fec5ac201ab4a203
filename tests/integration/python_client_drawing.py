"""Pictures by the Python package: of characters, objects and what stands still, where they are; skins like the viewer's."""

import json
import os
import pathlib
import shutil
import subprocess
import unittest

import numpy as np

from harness import Daemon
from troupe import Client, Mode, requests, world_pb2
from troupe.drawing import Camera, Renderer
from troupe.drawing.field import distance_to
from troupe.drawing.flesh import flesh
from troupe.drawing.plan import Plan, spread_stance
from troupe.drawing.skin import Skin
from troupe.envs import CharacterEnv, Crowd, Task, VectorCharacters

SOURCE = pathlib.Path(__file__).resolve().parents[2]
CELL_M = 0.022
FRONT = Camera(target=(0, 0, 0.9), azimuth=0.0, elevation=0.1, distance=5)
VIEWER_SKIN = """
import { readFileSync } from "node:fs";
import { source } from "%s";
const { bones, shapes, roles } = JSON.parse(readFileSync(0, "utf8"));
const { skinOf } = await source("scene/figure/skin.ts");
const skin = skinOf({ bones, shapes, roles: new Map(roles) }, %g);
const { positions, bodies, weights, light } = skin;
console.log(JSON.stringify({ positions: [...positions], bodies: [...bodies], weights: [...weights], light: [...light] }));
"""


class Drawn(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon()
        cls.client = Client(port=cls.daemon.port)
        cls.renderer = Renderer(cls.client, 96, 72)
        cls.model = cls.client.ask(requests.get_model("humanoid"))
        cls.plan = Plan.of(cls.model)
        cls.skin = Skin(cls.plan, CELL_M)

    worlds = 0

    @classmethod
    def tearDownClass(cls):
        cls.client.close()
        cls.daemon.__exit__(None, None, None)

    def world(self, **options):
        self.worlds += 1
        world = self.client.ask(requests.create_world(f"drawing {self.id()[-24:]} {self.worlds}", Mode.STEPPED, **options)).id
        self.addCleanup(lambda: self.client.ask(requests.destroy_world(world)))
        return world

    def state(self, world):
        return self.client.ask(requests.get_state(world, Renderer.FIELDS))

    def difference(self, one, other, camera=FRONT):
        """Where two pictures differ: [height][width]."""
        pictures = [self.renderer.draw(each, camera).astype(int) for each in (one, other)]
        return np.abs(pictures[0] - pictures[1]).max(axis=-1) > 40

    def spawn(self, world, pos=(0, 0, 0)):
        self.client.ask(requests.spawn_character(world, "hold", pos=pos))


class Pictures(Drawn):
    def test_a_character_is_where_it_stands_and_as_tall_as_it_is(self):
        world = self.world(scene=world_pb2.Scene(no_ground=True))  # and no shadow
        empty = self.state(world)
        self.spawn(world)
        rows, columns = np.nonzero(self.difference(empty, self.state(world)))
        tall = np.ptp(rows) * 2 * np.tan(FRONT.view_rad / 2) * 5 / 72
        self.assertAlmostEqual(tall, self.model.height_m, delta=0.1)
        self.assertAlmostEqual(columns.mean(), 47.5, delta=1)

    def test_what_stands_before_a_character_hides_it_and_behind_it_does_not(self):
        for x, hides in (1.0, True), (-1.0, False):
            world = self.world()
            self.client.ask(requests.add_scenery(world, requests.scenery(size=(0.05, 1.2, 1.1), pos=(x, 0, 1.1))))
            before = self.state(world)
            self.spawn(world)
            seen = self.difference(before, self.state(world))[20:50, 40:56].any()
            self.assertEqual(seen, not hides, x)

    def test_objects_of_every_kind_and_surfaces_are_drawn(self):
        kinds = {
            "sphere": requests.sphere(0.4),
            "box": requests.box((0.3, 0.3, 0.3)),
            "capsule": requests.capsule(0.2, 0.3),
            "cylinder": requests.cylinder(0.3, 0.3),
        }
        world = self.world()
        for name, geom in kinds.items():
            before = self.state(world)
            entity = self.client.ask(requests.spawn_object(world, [geom], pos=(0, 0, 0.9), name=name, density=500)).entity
            seen = self.difference(before, self.state(world))
            self.assertTrue(seen[34:38, 46:50].all(), name)
            self.assertFalse(seen[:10].any(), name)
            self.client.ask(requests.despawn(world, entity))
        field = requests.height_field([[0.9, 0.9, 0.9], [0.9, 1.1, 0.9], [0.9, 0.9, 0.9]], 1.0)
        before = self.state(world)
        self.client.ask(requests.add_scenery(world, field))
        self.assertTrue(self.difference(before, self.state(world), Camera(elevation=1.2))[30:42, 42:54].any())

    def test_a_world_without_ground_has_none(self):
        world = self.world()
        state = self.state(world)
        bare = self.state(world)
        bare.no_ground = True
        self.assertTrue((self.renderer.draw(state) != self.renderer.draw(bare))[60:].any())

    def test_the_same_state_gives_the_same_picture(self):
        world = self.world()
        self.spawn(world, (0, 1, 0))
        self.spawn(world, (0, -1, 0))
        state = self.state(world)
        picture = self.renderer.draw(state)
        self.assertEqual((picture.shape, picture.dtype), ((72, 96, 3), np.uint8))
        np.testing.assert_array_equal(picture, Renderer(self.client, 96, 72).draw(state))

    def test_a_size_or_a_state_that_cannot_be_drawn_is_refused(self):
        for options in {"width": 8}, {"height": 1.5}:
            (name,) = options
            with self.assertRaisesRegex(ValueError, f"^{name}: .*expected a whole number from 16 to 4096"):
                Renderer(self.client, **options)
        world = self.world()
        self.spawn(world)
        with self.assertRaisesRegex(ValueError, "^state: .*Renderer.FIELDS"):
            self.renderer.draw(self.client.ask(requests.get_state(world)))


class Skins(Drawn):
    def test_a_skin_is_closed_and_faces_outward(self):
        triangles, points = self.skin.triangles, self.skin.positions
        edges = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
        there, back = (np.unique(each, axis=0, return_counts=True) for each in (edges, edges[:, ::-1]))
        np.testing.assert_array_equal(there[0], back[0])
        np.testing.assert_array_equal(there[1], back[1])
        a, b, c = np.moveaxis(points[triangles], 1, 0)
        self.assertAlmostEqual(np.sum(a * np.cross(b, c)) / 6, self.model.mass_kg / 1000, delta=0.02)

    def test_it_is_on_the_surface_of_the_solids(self):
        solids = flesh(self.plan, spread_stance(self.plan))
        self.assertLess(np.abs(distance_to(solids, self.skin.positions)).max(), 0.002)

    def test_posed_in_its_stance_it_stays_and_turned_it_turns(self):
        stance = spread_stance(self.plan)
        pos, rot = np.array([f.pos for f in stance]), np.array([f.rot for f in stance])
        np.testing.assert_allclose(self.skin.pose(pos, rot)[0], self.skin.positions, atol=1e-9)
        np.testing.assert_allclose(self.skin.pose(pos + [1, 2, 3], -rot)[0], self.skin.positions + [1, 2, 3], atol=1e-9)

    @unittest.skipUnless(shutil.which("node") and (SOURCE / "client/web/node_modules/esbuild").exists(), "the viewer's tools are not installed")
    def test_it_is_the_viewers(self):
        plan = {
            "bones": [{"parent": b.parent, "ball": bool(b.ball), "pos": [*b.pos], "rot": [*b.rot], "anchor": [*b.anchor]} for b in self.plan.bones],
            "shapes": [{"kind": s.kind, "body": s.body, "size": [*s.size], "pos": [*s.pos], "rot": [*s.rot]} for s in self.plan.shapes],
            "roles": [*self.plan.roles.items()],
        }
        script = VIEWER_SKIN % ((SOURCE / "tests/web/source.js").as_uri(), CELL_M)
        ran = subprocess.run(["node", "--input-type=module", "-e", script], input=json.dumps(plan, default=float), capture_output=True, text=True, check=True)
        viewer = {name: np.array(values) for name, values in json.loads(ran.stdout).items()}
        points = viewer["positions"].reshape(-1, 3)
        self.assertLess(abs(len(points) - len(self.skin.positions)), 0.02 * len(points))
        solids = flesh(self.plan, spread_stance(self.plan))
        self.assertLess(np.abs(distance_to(solids, points)).max(), 0.002)
        nearest = np.array([np.linalg.norm(self.skin.positions - point, axis=1).argmin() for point in points])
        bodies = viewer["bodies"].reshape(-1, 4)[:, 3]  # the one that moves it most
        same = self.skin.weights[nearest].argmax(axis=1) == bodies
        self.assertGreater(same.mean(), 0.97)


class Environments(Drawn):
    def make(self, cls, *arguments, **options):
        env = cls(*arguments, port=self.daemon.port, width=64, height=48, **options)
        self.addCleanup(env.close)
        return env

    def test_render_shows_the_world_as_it_is(self):
        env = self.make(CharacterEnv, "hold", render_mode="rgb_array")
        self.assertEqual((env.metadata["render_modes"], env.metadata["render_fps"]), (["rgb_array"], 20))
        env.reset(seed=1)
        first = env.render()
        self.assertEqual((first.shape, first.dtype), ((48, 64, 3), np.uint8))
        np.testing.assert_array_equal(first, env.render())
        env.push((0, 500, 0), 0.2)
        for _ in range(12):
            env.step(np.zeros(env.action_space.shape))
        self.assertGreater((first != env.render()).mean(), 0.02)

    def test_each_world_of_a_vector_has_a_picture_and_a_crowd_has_one(self):
        pictures = self.make(VectorCharacters, "hold", 3, render_mode="rgb_array").render()
        self.assertEqual([picture.shape for picture in pictures], [(48, 64, 3)] * 3)
        crowd = self.make(Crowd, Task("hold", positions=[(0, 0), (0, 2)]), render_mode="rgb_array")
        self.assertEqual(crowd.render().shape, (48, 64, 3))

    def test_without_a_mode_there_is_no_picture_and_others_are_refused_without_leaving_a_world(self):
        self.assertIsNone(self.make(CharacterEnv, "hold").render())
        self.assertIsNone(self.make(Crowd, "hold").render())
        before = len(self.client.ask(requests.list_worlds()))
        for cls in CharacterEnv, VectorCharacters, Crowd:
            with self.assertRaisesRegex(ValueError, "^render_mode: 'human': expected None or one of rgb_array"):
                cls("hold", port=self.daemon.port, render_mode="human")
        self.assertEqual(len(self.client.ask(requests.list_worlds())), before)


unittest.main()

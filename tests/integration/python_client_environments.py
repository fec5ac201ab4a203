"""The Python package's environments in worlds of the real daemon: their shapes, their ends, and the same bits again."""

import copy
import inspect
import os
import pickle
import subprocess
import sys
import time
import unittest

import numpy as np

from harness import Daemon
from troupe import Client, Code, Disconnected, Refused, requests
from troupe.characters import heading
from troupe.envs import CharacterEnv, Choice, Crowd, Steer, Task, VectorCharacters, alive, register
from troupe.envs.arena import _scene_of
from troupe.envs.shape import HAS_GYMNASIUM, HAS_PETTINGZOO

HARD_PUSH = (0, 500, 0)
SHIPPED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "db", "shipped.troupe")


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon()

    @classmethod
    def tearDownClass(cls):
        cls.daemon.__exit__(None, None, None)

    def make(self, cls, *arguments, **options):
        env = cls(*arguments, port=self.daemon.port, **options)
        self.addCleanup(env.close)
        return env

    def world_count(self):
        with Client(port=self.daemon.port) as client:
            return len(client.ask(requests.list_worlds()))


KILLED = """
import sys, time
from troupe.envs import CharacterEnv
environments = [CharacterEnv("hold", port=int(sys.argv[1])) for _ in range(4)]
for each in environments:
    each.reset(seed=1)
print("ready", flush=True)
time.sleep(600)
"""


class Killed(Case):
    def test_a_process_that_is_killed_leaves_no_worlds(self):
        before = self.world_count()
        with subprocess.Popen([sys.executable, "-c", KILLED, str(self.daemon.port)], stdout=subprocess.PIPE, text=True) as trainer:
            self.assertEqual(trainer.stdout.readline(), "ready\n")
            self.assertEqual(self.world_count(), before + 4)
            trainer.kill()
        deadline = time.monotonic() + 10
        while self.world_count() > before and time.monotonic() < deadline:
            time.sleep(0.05)
        self.assertEqual(self.world_count(), before)


class Single(Case):
    def test_shapes(self):
        env = self.make(CharacterEnv, "hold")
        observation, info = env.reset(seed=1)
        self.assertTrue(env.observation_space.contains(observation))
        self.assertEqual(info["steps"], 0)
        action = env.action_space.sample()
        self.assertTrue(env.action_space.contains(action))
        observation, reward, terminated, truncated, info = env.step(action)
        self.assertTrue(env.observation_space.contains(observation))
        self.assertEqual((reward, terminated, truncated, info["steps"]), (1.0, False, False, 1))

    def episode(self, env, seed):
        env.action_space.seed(seed)
        rows = [env.reset(seed=seed)[0]]
        rows += [env.step(env.action_space.sample())[0] for _ in range(15)]
        return np.array(rows)

    def test_an_episode_is_a_function_of_seed_and_actions(self):
        env = self.make(CharacterEnv, "sway")
        first, other = self.episode(env, 5), self.episode(env, 6)
        np.testing.assert_array_equal(first, self.episode(env, 5))
        np.testing.assert_array_equal(first, self.episode(self.make(CharacterEnv, "sway"), 5))
        self.assertFalse(np.array_equal(first, other))

    def test_pushed_over(self):
        env = self.make(CharacterEnv, "hold")
        env.reset(seed=1)
        env.push(HARD_PUSH, 0.2)
        rewards = []
        terminated = False
        while not terminated and len(rewards) < 100:
            _, reward, terminated, truncated, _ = env.step(np.zeros(env.action_space.shape))
            rewards.append(reward)
        self.assertTrue(terminated)
        self.assertFalse(truncated)
        self.assertEqual(rewards, [1.0] * (len(rewards) - 1) + [0.0])
        with self.assertRaisesRegex(RuntimeError, "reset"):
            env.step(np.zeros(env.action_space.shape))
        observation, _ = env.reset()
        self.assertGreater(observation[0], 0.8)

    def test_truncated(self):
        env = self.make(CharacterEnv, Task("hold", max_steps=3))
        env.reset(seed=1)
        ends = [env.step(np.zeros(env.action_space.shape))[2:4] for _ in range(3)]
        self.assertEqual(ends, [(False, False), (False, False), (False, True)])

    def test_starts(self):
        env = self.make(CharacterEnv, "sway")
        env.reset(options={"fragment": 2, "heading_rad": 1.0})
        self.assertEqual(env.characters.fragment.tolist(), [2])
        fragments = set()
        for seed in range(12):
            env.reset(seed=seed)
            fragments.add(int(env.characters.fragment[0]))
        self.assertGreater(len(fragments), 2)

    def test_starts_are_drawn_by_the_seed(self):
        env = self.make(CharacterEnv, "hold", heading_rad=(-3.0, 3.0))
        headings = []
        for seed in (1, 2, 1):
            env.reset(seed=seed)
            headings.append(float(heading(env.characters.root_rot)[0]))
        self.assertEqual(headings[0], headings[2])
        self.assertGreater(abs(headings[0] - headings[1]), 0.05)

    def test_late_actions_do_nothing_at_first(self):
        moves = {}
        for name, late, size in (("none", 0, 0.0), ("prompt", 0, 0.15), ("late", 3, 0.15)):
            env = self.make(CharacterEnv, "hold", latency_steps=(late, late), fragment=0)
            env.reset(seed=4)
            moves[name] = [env.step(np.full(env.action_space.shape, size))[0] for _ in range(6)]
        self.assertFalse(np.array_equal(moves["prompt"][1], moves["none"][1]))
        self.assertTrue(np.array_equal(moves["late"][1], moves["none"][1]))
        self.assertFalse(np.array_equal(moves["late"][5], moves["none"][5]))
        with self.assertRaisesRegex(ValueError, "latency_steps: .* least"):
            Task("hold", latency_steps=(2, 1))

    def test_worlds_draw_their_friction(self):
        with Client(port=self.daemon.port) as client:
            self.make(VectorCharacters, "hold", 2, ground_friction=(0.2, 0.9))
            self.assertEqual(len(client.ask(requests.list_worlds())), 2)
        task = Task("hold", ground_friction=(0.2, 0.9))
        drawn = [_scene_of(task, index).ground.friction for index in (0, 1, 0)]
        self.assertEqual(drawn[0], drawn[2])
        self.assertNotEqual(drawn[0], drawn[1])
        self.assertTrue(all(0.2 <= each <= 0.9 for each in drawn))

    def test_worlds_draw_their_ground(self):
        def heights(*roughness_m):
            task = Task("hold", roughness_m=roughness_m, positions=[(5, 0)])
            envs = self.make(VectorCharacters, task, 2)
            envs.reset(seed=1)
            self.assertFalse(envs.step(np.zeros(envs.action_space.shape, np.float32))[2].any())
            return [np.reshape(_scene_of(task, i).scenery[0].height_field.heights, (81, 81)) for i in range(2)]

        one, other = heights(0.02, 0.1)
        self.assertFalse(np.array_equal(one, other))
        self.assertTrue((one[40, 49:52] == 0).all() and 0.01 < one.max() <= 0.1)  # level at the start, (5, 0)
        self.assertEqual(heights(0, 0)[0].max(), 0)

    def test_choice_of_controllers(self):
        env = self.make(CharacterEnv, Task("hold", actions=Choice(("hold", "sway"))))
        env.reset(seed=1)
        for _ in range(4):
            env.step(1)
        with Client(port=self.daemon.port) as client:
            character = client.ask(requests.get_state(env.world)).characters[0]
        self.assertEqual(character.controller, "sway")

    def test_schedule_of_fragments(self):
        """One action a fragment: the action chosen at a step is performed during the next step."""
        env = self.make(CharacterEnv, "sway", actions="fragment", step_ticks=20, fragment=0)
        env.reset(seed=1)
        self.assertEqual(env.action_space.n, 6)
        performed = []
        for action in (3, 3, 1, 5):
            env.step(action)
            performed.append(int(env.characters.fragment[0]))
        self.assertEqual(performed, [4, 4, 2, 0])
        done = int(env.characters.fragments_done[0])
        self.assertEqual(done, 4)

    def test_an_own_reward(self):
        def height(transition):
            self.assertEqual(transition.actions.shape, (1, 17))
            return transition.after.root_pos[:, 2] - transition.before.root_pos[:, 2]

        env = self.make(CharacterEnv, "sway", reward=height)
        env.reset(seed=1)
        before = float(env.characters.root_pos[0, 2])
        reward = env.step(np.zeros(17, np.float32))[1]
        self.assertAlmostEqual(reward, float(env.characters.root_pos[0, 2]) - before, places=6)

    def test_a_controller_that_cannot_be_steered(self):
        env = self.make(CharacterEnv, Task("hold", actions=Steer()))
        env.reset(seed=1)
        with self.assertRaises(Refused) as caught:
            env.step(np.array([1.0, 0.0], np.float32))
        self.assertEqual(caught.exception.code, Code.FAILED_PRECONDITION)

    def test_mistakes(self):
        before = self.world_count()
        with self.assertRaisesRegex(Refused, "nobody"):
            CharacterEnv("nobody", port=self.daemon.port)
        with self.assertRaisesRegex(Refused, "step_s"):
            CharacterEnv(Task("hold", step_s=0.5), port=self.daemon.port)
        with self.assertRaises(ValueError):
            CharacterEnv("hold", port=self.daemon.port, render_mode="human")
        self.assertEqual(self.world_count(), before)

    def test_mistakes_are_named(self):
        before = self.world_count()
        for words, make in (("step_ticks: 0: expected 1 or more", lambda: CharacterEnv("hold", port=self.daemon.port, step_ticks=0)),
                            ("max_steps: 0: expected 1 or more", lambda: CharacterEnv("hold", port=self.daemon.port, max_steps=0)),
                            ("count: 0: expected 1 or more", lambda: VectorCharacters("hold", 0, port=self.daemon.port))):
            with self.assertRaisesRegex(ValueError, words):
                make()
        self.assertEqual(self.world_count(), before)
        env = self.make(CharacterEnv, "hold")
        env.reset(seed=1)
        for duplicate in (pickle.dumps, copy.deepcopy):
            with self.assertRaisesRegex(TypeError, "cannot be pickled or copied"):
                duplicate(env)
        env.close()
        for use in (lambda: env.step(env.action_space.sample()), lambda: env.reset(seed=1), lambda: env.world):
            with self.assertRaisesRegex(RuntimeError, "the environment is closed"):
                use()

    def test_an_environment_belongs_to_the_process_that_made_it(self):
        env = self.make(CharacterEnv, "hold")
        env.reset(seed=1)
        child = os.fork()
        if child == 0:
            try:
                env.step(env.action_space.sample())
            except Disconnected as error:
                os._exit(0 if "make it after the fork" in str(error) else 2)
            finally:
                os._exit(1)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)
        env.step(env.action_space.sample())

    def check_as_gymnasium_does(self, env):
        """What gymnasium.utils.env_checker.check_env demands, so that it is seen without Gymnasium as well."""
        parameters = inspect.signature(env.reset).parameters
        self.assertLessEqual({"seed", "options"}, set(parameters))
        self.assertIsNone(parameters["seed"].default)
        self.assertIs(env.unwrapped, env)
        self.assertFalse(callable(getattr(env, "seed", None)))
        rows, states = [], []
        for seed in (123, 123, 456):
            observation, info = env.reset(seed=seed)
            self.assertIn(observation, env.observation_space)
            self.assertIsInstance(info, dict)
            rows.append(observation)
            states.append(env.unwrapped._np_random.bit_generator.state)
        np.testing.assert_array_equal(rows[0], rows[1])
        self.assertEqual(states[0], states[1])
        self.assertNotEqual(states[0], states[2])
        env.reset(options={})
        observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
        self.assertIsInstance(observation, np.ndarray)
        self.assertEqual(observation.dtype, env.observation_space.dtype)
        self.assertIn(observation, env.observation_space)
        self.assertTrue(np.isfinite(reward))
        self.assertEqual([type(each) for each in (reward, terminated, truncated, info)], [float, bool, bool, dict])
        self.assertEqual((env.metadata["render_modes"], env.render_mode, env.render()), (["rgb_array"], None, None))
        env.close()
        env.close()

    def test_gymnasium_checks_pass(self):
        for options in (dict(), dict(actions="fragment", step_ticks=20), dict(actions=Choice(("hold", "sway")))):
            with self.subTest(options):
                self.check_as_gymnasium_does(self.make(CharacterEnv, "sway", **options))

    @unittest.skipUnless(HAS_GYMNASIUM, "gymnasium is not installed")
    def test_gymnasium_agrees(self):
        import gymnasium
        from gymnasium.utils.env_checker import check_env

        register()
        register()
        for options in (dict(), dict(actions="fragment", step_ticks=20), dict(actions=Choice(("hold", "sway")))):
            env = gymnasium.make("troupe/Character-v0", task="sway", port=self.daemon.port, **options)
            self.addCleanup(env.close)
            check_env(env.unwrapped, skip_render_check=True)
        many = gymnasium.make_vec("troupe/Character-v0", 2, "vector_entry_point", task="sway", port=self.daemon.port)
        self.addCleanup(many.close)
        self.assertIn(many.reset(seed=1)[0], many.observation_space)


class Vector(Case):
    def test_rows_are_environments_of_their_own(self):
        """Any row alone gives the same bits."""
        many = self.make(VectorCharacters, "sway", 17)
        alone = self.make(VectorCharacters, "sway", 1)
        rows, _ = many.reset(seed=40)
        row, _ = alone.reset(seed=56)
        self.assertTrue(many.observation_space.contains(rows))
        np.testing.assert_array_equal(rows[16], row[0])
        many.action_space.seed(3)
        for _ in range(8):
            actions = many.action_space.sample()
            rows, row = many.step(actions)[0], alone.step(actions[16:])[0]
            np.testing.assert_array_equal(rows[16], row[0])

    def test_episodes_begin_anew_by_themselves(self):
        envs = self.make(VectorCharacters, Task("hold", fragment=0), 2)
        first, _ = envs.reset(seed=1)
        still = np.zeros(envs.action_space.shape, np.float32)
        envs.push(1, HARD_PUSH, 0.2)
        for _ in range(100):
            observations, rewards, terminated, truncated, info = envs.step(still)
            if terminated[1]:
                break
        self.assertEqual((terminated.tolist(), rewards.tolist()), ([False, True], [1, 0]))
        steps = info["steps"][0]
        observations, rewards, terminated, _, info = envs.step(still)
        self.assertEqual((rewards.tolist(), terminated.tolist()), ([1, 0], [False, False]))
        self.assertEqual(info["steps"].tolist(), [steps + 1, 0])
        np.testing.assert_array_equal(observations[1], first[1])
        self.assertEqual(envs.step(still)[1].tolist(), [1, 1])

    def test_closing_leaves_nothing(self):
        before = self.world_count()
        with VectorCharacters("hold", 3, port=self.daemon.port):
            self.assertEqual(self.world_count(), before + 3)
        self.assertEqual(self.world_count(), before)

    def test_more_worlds_than_there_are(self):
        before = self.world_count()
        with self.assertRaisesRegex(Refused, "RESOURCE_EXHAUSTED"):
            VectorCharacters("hold", 257, port=self.daemon.port)
        self.assertEqual(self.world_count(), before)


class Together(Case):
    task = Task("hold", positions=[(0, 0), (0, 2), (0, 4)], max_steps=40, reward=alive)

    def test_one_falls_and_the_others_go_on(self):
        crowd = self.make(Crowd, self.task)
        observations, infos = crowd.reset(seed=1)
        self.assertEqual(crowd.agents, ["0", "1", "2"])
        self.assertEqual((list(observations), list(infos)), (crowd.agents, crowd.agents))
        crowd.push("1", HARD_PUSH, 0.2)
        ends = {}
        while crowd.agents:
            asked = list(crowd.agents)
            actions = {agent: 0 * crowd.action_space(agent).sample() for agent in asked}
            results = crowd.step(actions)
            self.assertTrue(all(set(each) == set(asked) for each in results))
            observations, rewards, terminated, truncated, _ = results
            for agent in asked:
                self.assertTrue(crowd.observation_space(agent).contains(observations[agent]))
                if terminated[agent] or truncated[agent]:
                    ends[agent] = "fell" if terminated[agent] else "time"
        self.assertEqual(ends, {"0": "time", "1": "fell", "2": "time"})

    @unittest.skipUnless(HAS_PETTINGZOO, "pettingzoo is not installed")
    def test_pettingzoo_agrees(self):
        from pettingzoo.test import parallel_api_test

        parallel_api_test(self.make(Crowd, self.task), num_cycles=60)

    def test_the_same_again(self):
        def play():
            crowd = self.make(Crowd, self.task)
            rows, _ = crowd.reset(seed=4)
            for agent in crowd.agents:
                crowd.action_space(agent).seed(int(agent))
            for _ in range(10):
                rows = crowd.step({agent: crowd.action_space(agent).sample() for agent in crowd.agents})[0]
            return [rows[agent] for agent in sorted(rows)]

        np.testing.assert_array_equal(play(), play())


@unittest.skipUnless(os.path.exists(SHIPPED), "db/shipped.troupe is not there")
class Shipped(unittest.TestCase):
    def test_gaits_go_on_and_forward(self):
        """5 s of the walk and the run: the offset of zero leaves the policy alone."""
        with Daemon(shipped=True, bundle=False) as daemon:
            for controller in ("walk", "run"):
                with VectorCharacters(controller, 2, port=daemon.port) as envs:
                    envs.reset(seed=1)
                    begin = envs.characters.root_pos
                    still = np.zeros(envs.action_space.shape, np.float32)
                    for _ in range(100):
                        self.assertFalse(envs.step(still)[2].any(), controller)
                    gone = np.linalg.norm((envs.characters.root_pos - begin)[:, :2], axis=1)
                    self.assertGreater(gone.min(), 2.0, controller)

    def test_steered(self):
        """Each shipped gait that can be steered has turned a quarter to the left at most 3 s later than full turn would need."""
        with Daemon(shipped=True, bundle=False) as daemon:
            with Client(port=daemon.port) as client:
                names = [row.name for row in client.rows(requests.list_controllers)]
                gaits = [client.ask(requests.get_controller(name)) for name in names]
            gaits = [gait for gait in gaits if gait.skills[0].turn_rad_s > 0]
            if not gaits:
                self.skipTest("the shipped gaits have not learned to be steered")
            for gait in gaits:
                with self.subTest(gait.name):
                    task = Task(gait.name, actions=Steer(), step_s=gait.step_s, fragment=0)
                    with CharacterEnv(task, port=daemon.port) as env:
                        env.reset(seed=1)
                        seconds = np.pi / 2 / gait.skills[0].turn_rad_s + 3
                        for _ in range(round(seconds / task.seconds)):
                            self.assertFalse(env.step(np.array([np.pi / 2, 0.0], np.float32))[2])
                        self.assertLess(abs(float(heading(env.characters.root_rot)[0]) - np.pi / 2), 0.35)


if __name__ == "__main__":
    unittest.main()

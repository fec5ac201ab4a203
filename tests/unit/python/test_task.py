"""Observations, rewards, ends and spaces, by rows."""

import unittest

import numpy as np

from troupe import catalogue_pb2, envelope_pb2, replies, state_pb2
from troupe.characters import Characters, turn, turn_rotation
from troupe.envs import Choice, Fragment, Offset, Steer, Task, Transition, alive, body_state, facing, forward_speed, joined, lost
from troupe.envs import Targets, rows, small_actions, weighted
from troupe.envs.shape import Box, Discrete, batch_space

CONTROLLER = replies.read(
    replies.ControllerDetail,
    catalogue_pb2.ControllerDetail(summary=dict(name="walk", fragment_count=4), action_size=11),
)


def character(angle=0.0, shift=(0.0, 0.0), fragment=1, **flags):
    """Leaning, moving, somewhere, facing anywhere."""
    angle = np.array([angle], np.float32)
    lean = np.array([[0.9, 0.1, 0.3, 0.05]], np.float32)
    rot = turn_rotation(lean / np.linalg.norm(lean), angle)[0]
    vel = turn(np.array([[1.0, 0.2, -0.1]], np.float32), angle)[0]
    omega = turn(np.array([[0.3, -0.4, 0.5]], np.float32), angle)[0]
    return state_pb2.CharacterState(
        fragment=fragment,
        root_pos=[*shift, 0.9],
        root_rot=rot,
        root_vel=vel,
        root_omega=omega,
        joint_rot=[1, 0, 0, 0, 0.8, 0.6, 0, 0],
        joint_rate=[0, 0, 0, 1, 2, 3],
        **flags,
    )


def transition(*states, actions=((0.0,),)):
    rows = Characters.of(states)
    return Transition(rows, rows, np.asarray(actions, np.float32), 0.05)


class Observation(unittest.TestCase):
    def test_size_and_content(self):
        row = body_state(Characters.of([character()]), CONTROLLER)[0]
        self.assertEqual((len(row), row.dtype), (1 + 4 + 3 + 3 + 4 + 3 + 2, np.float32))
        self.assertAlmostEqual(row[0], 0.9, 6)
        np.testing.assert_allclose(row[11:18], [0.8, 0.6, 0, 0, 1, 2, 3], rtol=1e-6)
        np.testing.assert_allclose(row[18:], [1, 0], atol=1e-6)  # a quarter of the cycle

    def test_rows_by_name(self):
        states = Characters.of([character(0.4), character(-2.0)])
        seen = rows("root_height", "root_vel", "joint_rate")(states, CONTROLLER)
        whole = body_state(states, CONTROLLER)
        np.testing.assert_array_equal(seen, whole[:, [0, 5, 6, 7, 15, 16, 17]])
        np.testing.assert_allclose(rows("facing")(states, CONTROLLER), [[np.cos(0.4), np.sin(0.4)], [np.cos(2), -np.sin(2)]], atol=0.2)
        for names in ((), ("root_height", "height")):
            with self.assertRaisesRegex(ValueError, "expected body_state, root_height"):
                rows(*names)

    def test_place_and_heading_do_not_matter(self):
        rows = body_state(Characters.of([character(), character(2.0, (5, -3)), character(-1.0, (0, 9))]), CONTROLLER)
        np.testing.assert_allclose(rows[1], rows[0], atol=1e-5)
        np.testing.assert_allclose(rows[2], rows[0], atol=1e-5)


    def test_joined_with_the_heading(self):
        rows = Characters.of([character(), character(2.0, (5, -3))])
        both = joined(body_state, facing)(rows, CONTROLLER)
        np.testing.assert_array_equal(both[:, :-2], body_state(rows, CONTROLLER))
        turned = np.arctan2(both[:, -1], both[:, -2])
        self.assertAlmostEqual(float(turned[1] - turned[0]), 2.0, 5)
        self.assertEqual(both.dtype, np.float32)


class Rewards(unittest.TestCase):
    def test_alive(self):
        self.assertEqual(alive(transition(character(), character(fallen=True))).tolist(), [1, 0])

    def test_forward_speed_is_best_at_its_target_whatever_the_heading(self):
        facing = character(1.5)
        speed = transition(facing)
        v = turn(speed.after.root_vel, -np.array([_heading(speed)]))[0, 0]
        self.assertAlmostEqual(float(forward_speed(v)(speed)[0]), 1.0, 5)
        self.assertAlmostEqual(float(forward_speed(v + 0.5)(speed)[0]), np.exp(-1), 5)

    def test_weighted(self):
        moved = transition(character(), actions=[[0.1, 0.3]])
        self.assertAlmostEqual(float(small_actions(moved)[0]), -0.05, 6)
        self.assertAlmostEqual(float(weighted((2.0, alive), (10.0, small_actions))(moved)[0]), 1.5, 5)


def _heading(moved):
    w, x, y, z = moved.after.root_rot[0]
    return np.arctan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))


class Ends(unittest.TestCase):
    def test_lost(self):
        rows = Characters.of([character(), character(fallen=True), character(ended=True), character(frozen=True)])
        self.assertEqual(lost(rows).tolist(), [False, True, True, True])


class ActionSpaces(unittest.TestCase):
    def command(self, request):
        return envelope_pb2.ClientMessage.FromString(request.body).command

    def test_offset(self):
        space = Offset(0.1).space(CONTROLLER)
        self.assertEqual(space.shape, (11,))
        self.assertTrue(space.contains(space.sample()))
        (request,) = Offset().commands(CONTROLLER, 1, 2, np.full(11, 0.5, np.float32), None)
        self.assertEqual(list(self.command(request).set_offset.offset), [0.5] * 11)

    def test_fragment(self):
        fragment = Fragment()
        self.assertEqual(fragment.space(CONTROLLER).n, 4)
        halves = replies.read(replies.ControllerDetail, catalogue_pb2.ControllerDetail(
            summary=dict(name="run", fragment_count=4, mirrored=True)))
        self.assertEqual(fragment.space(halves).n, 8)
        for action, expected in ((1, (1, False)), (np.int64(6), (2, True))):
            (request,) = fragment.commands(halves, 1, 2, action, None)
            command = self.command(request).set_fragment
            self.assertEqual((command.fragment, command.mirrored), expected)

    def test_names(self):
        self.assertIsInstance(Task("walk", actions="fragment").actions, Fragment)
        self.assertIsInstance(Task.of("walk", actions="steer").actions, Steer)
        self.assertEqual(Task.of(Task("walk"), max_steps=3).max_steps, 3)
        with self.assertRaisesRegex(ValueError, "offset, fragment, steer"):
            Task("walk", actions="dance")

    def test_choice_is_sent_when_it_changes(self):
        choice = Choice(("walk", "run"))
        self.assertEqual(choice.space(CONTROLLER).n, 2)
        (request,) = choice.commands(CONTROLLER, 1, 2, 1, None)
        self.assertEqual(self.command(request).set_controller.controller, "run")
        self.assertEqual(choice.commands(CONTROLLER, 1, 2, 1, 1), [])
        self.assertEqual(len(choice.commands(CONTROLLER, 1, 2, 0, 1)), 1)


    def test_steer_is_sent_when_it_changes(self):
        steer = Steer((0.5, 2.0))
        space = steer.space(CONTROLLER)
        np.testing.assert_allclose(space.low, [-np.pi, 0.5], rtol=1e-6)
        np.testing.assert_allclose(space.high, [np.pi, 2.0], rtol=1e-6)
        self.assertTrue(space.contains(space.sample()))
        left = np.array([1.5, 1.0], np.float32)
        (request,) = steer.commands(CONTROLLER, 1, 2, left, None)
        command = self.command(request).steer
        self.assertEqual((command.entity, command.WhichOneof("aim")), (2, "heading_rad"))
        self.assertEqual((command.heading_rad, command.speed), (1.5, 1.0))
        self.assertEqual(steer.commands(CONTROLLER, 1, 2, left.copy(), left), [])
        self.assertEqual(len(steer.commands(CONTROLLER, 1, 2, -left, left)), 1)


    def test_steer_by_what_was_learned(self):
        skill = dict(name="walk", speed_m_s=1.25, faster_m_s=0.25, slower_m_s=0.5, turn_rad_s=0.5)
        walk = replies.read(replies.ControllerDetail, catalogue_pb2.ControllerDetail(skills=[skill]))
        space = Steer().space(walk)
        np.testing.assert_allclose([space.low, space.high], [[-np.pi, 0.75], [np.pi, 1.5]], rtol=1e-6)
        self.assertEqual(Steer().space(CONTROLLER).shape, (1,))
        (request,) = Steer().commands(CONTROLLER, 1, 2, np.array([0.5], np.float32), None)
        self.assertEqual((self.command(request).steer.heading_rad, self.command(request).steer.speed), (0.5, 0))


    def test_targets_are_the_parameter_of_a_policy(self):
        action = dict(name="action", count=3, low=-2, high=2)
        controller = replies.read(replies.ControllerDetail, catalogue_pb2.ControllerDetail(parameters=[action]))
        self.assertEqual((Targets().space(controller).shape, Targets().space(controller).high.max()), ((3,), 2))
        self.assertEqual(Targets(0.5).space(controller).low.min(), -0.5)
        (request,) = Targets().commands(controller, 1, 2, np.array([0.1, -1, 2]), None)
        (values,) = self.command(request).set_parameters.parameters
        self.assertEqual((values.name, list(values.values)), ("action", [0.1, -1, 2]))
        with self.assertRaisesRegex(ValueError, "'walk' has no parameter 'action'"):
            Targets().space(CONTROLLER)


class Spaces(unittest.TestCase):
    def test_box(self):
        box = Box(-1.0, 2.0, (3,), np.float32)
        self.assertTrue(box.contains(np.array([-1, 0, 2], np.float32)))
        self.assertFalse(box.contains(np.array([-1, 0, 2.5], np.float32)))
        self.assertFalse(box.contains(np.zeros(4, np.float32)))
        box.seed(5)
        first = box.sample()
        box.seed(5)
        np.testing.assert_array_equal(first, box.sample())

    def test_discrete(self):
        space = Discrete(3)
        self.assertTrue(all(space.contains(space.sample()) for _ in range(20)))
        self.assertFalse(space.contains(3))

    def test_batches(self):
        self.assertEqual(batch_space(Box(-1.0, 1.0, (3,), np.float32), 4).shape, (4, 3))
        many = batch_space(Discrete(3), 4)
        self.assertEqual(many.shape, (4,))
        self.assertTrue(many.contains(many.sample()))


if __name__ == "__main__":
    unittest.main()

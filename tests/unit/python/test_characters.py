"""Arrays hold the messages' numbers in their shapes; the heading frame is what it says."""

import math
import unittest

import numpy as np

from troupe import state_pb2
from troupe.characters import Characters, heading, turn, turn_rotation


def state(entity, bodies=3, **fields):
    count = iter(range(1000))
    take = lambda n: [entity + next(count) / 8 for _ in range(n)]
    return state_pb2.CharacterState(
        entity=entity,
        fragment=entity % 5,
        root_pos=take(3),
        root_rot=take(4),
        root_vel=take(3),
        root_omega=take(3),
        joint_rot=take(4 * bodies),
        joint_rate=take(3 * bodies),
        **fields,
    )


def about_z(angles):
    angles = np.asarray(angles, np.float32)
    return np.stack([np.cos(angles / 2), 0 * angles, 0 * angles, np.sin(angles / 2)], axis=1)


class Arrays(unittest.TestCase):
    def test_values_and_shapes(self):
        messages = [state(10, fallen=True), state(20)]
        characters = Characters.of(messages)
        self.assertEqual(len(characters), 2)
        self.assertEqual(characters.fallen.tolist(), [True, False])
        self.assertEqual(characters.entity.tolist(), [10, 20])
        for name, shape in (("root_pos", (3,)), ("root_rot", (4,)), ("joint_rot", (3, 4)), ("joint_rate", (3, 3))):
            array = getattr(characters, name)
            self.assertEqual((array.shape, array.dtype), ((2, *shape), np.float32))
            np.testing.assert_array_equal(array[1].ravel(), list(getattr(messages[1], name)))

    def test_fields_not_asked_for(self):
        characters = Characters.of([state(1), state(2)])
        self.assertEqual(characters.body_pos.shape, (2, 0, 3))
        self.assertEqual(Characters.of([state_pb2.CharacterState(entity=1)]).root_vel.shape, (1, 0))

    def test_no_characters(self):
        self.assertEqual(len(Characters.of([])), 0)

    def test_different_models(self):
        with self.assertRaisesRegex(ValueError, "different numbers of bodies"):
            Characters.of([state(1), state(2, bodies=4)])

    def test_put(self):
        all_three = Characters.of([state(1), state(2), state(3)])
        changed = all_three.put([0, 2], Characters.of([state(8), state(9)]))
        self.assertEqual(changed.entity.tolist(), [8, 2, 9])
        np.testing.assert_array_equal(changed.joint_rate[1], all_three.joint_rate[1])
        self.assertEqual(all_three.entity.tolist(), [1, 2, 3])


class HeadingFrame(unittest.TestCase):
    angles = np.array([-3.0, -0.5, 0.0, 1.2, 3.1], np.float32)

    def test_heading(self):
        np.testing.assert_allclose(heading(about_z(self.angles)), self.angles, atol=1e-6)

    def test_heading_of_a_leaning_character(self):
        lean = np.array([[math.cos(0.2), 0, math.sin(0.2), 0]] * len(self.angles), np.float32)
        np.testing.assert_allclose(heading(turn_rotation(lean, self.angles)), self.angles, atol=1e-6)

    def test_turn(self):
        x = np.array([[1, 0, 2]] * len(self.angles), np.float32)
        expected = np.stack([np.cos(self.angles), np.sin(self.angles), np.full(len(self.angles), 2)], axis=1)
        np.testing.assert_allclose(turn(x, self.angles), expected, atol=1e-6)

    def test_there_and_back(self):
        rotations = about_z([0.3] * len(self.angles))
        back = turn_rotation(turn_rotation(rotations, self.angles), -self.angles)
        np.testing.assert_allclose(back, rotations, atol=1e-6)


if __name__ == "__main__":
    unittest.main()

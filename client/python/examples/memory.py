"""Trains a policy that remembers: a gated recurrent unit (Cho et al. 2014) by evolution strategies (Salimans et al. 2017), in
numpy. It sees no velocities, so that it stays up only by what it remembers.

    python3 memory.py --controller blank -o memory.npz     # `blank` as for ppo.py; minutes on one core

The daemon keeps no memory for a policy: this one lives here, and acts through the parameter `action` of `blank`, in
environments as in worlds in real time.
"""

import argparse
from typing import Tuple

import numpy as np

from ppo import OUTPUTS, PERIOD, fallen, reward
from troupe.envs import Targets, Task, VectorCharacters, rows

SEES = ("root_height", "root_rot")
INPUTS, HIDDEN = 1 + 4, 12
SHAPES: Tuple[Tuple[int, ...], ...] = ((INPUTS + HIDDEN + 1, 2 * HIDDEN), (INPUTS + HIDDEN + 1, HIDDEN), (HIDDEN + 1, OUTPUTS))
SIZE = sum(int(np.prod(shape)) for shape in SHAPES)


def apply(weight: np.ndarray, *inputs: np.ndarray) -> np.ndarray:
    """[n][inputs + 1][outputs] on n rows; the last row of a matrix is the bias."""
    x = np.concatenate([*inputs, np.ones((len(weight), 1))], axis=1)
    return np.einsum("ni,nio->no", x, weight)


class Unit:
    """n units, each with weights of its own, and their memories."""

    def __init__(self, weights: np.ndarray) -> None:
        """weights: [n][SIZE]"""
        ends = np.cumsum([np.prod(shape) for shape in SHAPES])[:-1]
        self.gates, self.candidate, self.output = (
            part.reshape(len(weights), *shape) for part, shape in zip(np.split(weights, ends, axis=1), SHAPES))
        self.memory = np.zeros((len(weights), HIDDEN))

    def act(self, observations: np.ndarray) -> np.ndarray:
        update, keep = np.split(1 / (1 + np.exp(-apply(self.gates, observations, self.memory))), 2, axis=1)
        candidate = np.tanh(apply(self.candidate, observations, keep * self.memory))
        self.memory = (1 - update) * self.memory + update * candidate
        return np.tanh(apply(self.output, self.memory))


def returns(envs: VectorCharacters, weights: np.ndarray, seed: int) -> np.ndarray:
    """What each row of weights earns in one episode; all episodes begin alike."""
    observations, _ = envs.reset(seed=[seed] * envs.num_envs)
    unit, earned, going = Unit(weights), np.zeros(envs.num_envs), np.ones(envs.num_envs, bool)
    for _ in range(envs.task.max_steps):
        observations, rewards, terminated, truncated, _ = envs.step(unit.act(observations))
        earned += rewards * going
        going &= ~(terminated | truncated)
        if not going.any():
            break
    return earned


def train(envs: VectorCharacters, generations: int, noise: float = 0.1, rate: float = 0.1) -> np.ndarray:
    """Pairs of opposite steps; the weights move towards those that earned more, by rank."""
    random = np.random.default_rng(1)
    weights = 0.1 * random.normal(size=SIZE)
    ranks = np.linspace(-0.5, 0.5, envs.num_envs)
    for generation in range(generations):
        half = random.normal(size=(envs.num_envs // 2, SIZE))
        steps = np.concatenate([half, -half])
        earned = returns(envs, weights + noise * steps, generation)
        weights = weights + rate / noise / envs.num_envs * ranks @ steps[np.argsort(earned, kind="stable")]
        print(f"generation {generation + 1:4d}  earned {earned.mean():6.2f}  best {earned.max():6.2f}", flush=True)
    return weights


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--controller", default="blank")
    parser.add_argument("--generations", type=int, default=100)
    parser.add_argument("--worlds", type=int, default=32, help="an even number")
    parser.add_argument("--port", type=int, default=7400)
    parser.add_argument("-o", default="memory.npz", metavar="FILE", dest="out")
    options = parser.parse_args()
    if options.worlds < 2 or options.worlds % 2:
        parser.error(f"--worlds {options.worlds}: expected an even number, at least 2")
    task = Task(options.controller, actions=Targets(), observe=rows(*SEES), reward=reward, terminated=fallen,
                step_ticks=PERIOD, max_steps=150)
    with VectorCharacters(task, options.worlds, port=options.port) as envs:
        np.savez(options.out, weights=train(envs, options.generations))


if __name__ == "__main__":
    main()

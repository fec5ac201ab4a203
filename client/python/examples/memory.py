"""Trains a policy that remembers: a gated recurrent unit (Cho et al. 2014) by evolution strategies (Salimans et al. 2017), in
numpy. It sees no velocities, so that it stays up only by what it remembers.

    python3 memory.py --controller blank -o memory.npz     # `blank` as for ppo.py; minutes on one core
    troupe-train policy import memory.npz --name memory --into mine.troupe    # the daemon remembers for it

While it is trained its memory lives here, and it acts through the parameter `action` of `blank`.
"""

import argparse

import numpy as np

import ppo
from ppo import OUTPUTS, PERIOD, fallen, reward
from troupe.envs import Targets, Task, VectorCharacters, rows
from troupe.policy import Layer, Policy, save_npz

SEES = ("root_height", "root_rot")
INPUTS, HIDDEN = 1 + 4, 12
SHAPE = (INPUTS + HIDDEN + 1, OUTPUTS + 2 * HIDDEN)  # the last row is the bias
SIZE = SHAPE[0] * SHAPE[1]
BODY = dict(ppo.BODY, observation=SEES, action_limit=1.0)


class Unit:
    """n units, each with weights of its own, and their memories; each acts as policy(weights) does."""

    def __init__(self, weights: np.ndarray) -> None:
        """weights: [n][SIZE]"""
        self.weights = weights.reshape(len(weights), *SHAPE)
        self.memory = np.zeros((len(weights), HIDDEN))

    def act(self, observations: np.ndarray) -> np.ndarray:
        x = np.concatenate([observations, self.memory, np.ones((len(observations), 1))], axis=1)
        action, update, candidate = np.split(np.einsum("ni,nio->no", x, self.weights), [OUTPUTS, OUTPUTS + HIDDEN], axis=1)
        self.memory += (np.tanh(candidate) - self.memory) / (1 + np.exp(-update))
        return np.clip(action, -1, 1)


def policy(weights: np.ndarray) -> Policy:
    """[SIZE] as the daemon serves it."""
    layer = weights.reshape(SHAPE)
    return Policy([Layer(layer[:-1], layer[-1])], memory=HIDDEN, **BODY)


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
        save_npz(options.out, policy(train(envs, options.generations)))


if __name__ == "__main__":
    main()

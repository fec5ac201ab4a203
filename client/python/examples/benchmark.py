"""Five tasks, each scored for the shipped controller, for a policy trained by ppo.py, and for random actions: CSV.

    trouped --threads 2 &
    python3 benchmark.py                            # some minutes; the table of README.md
    python3 benchmark.py --tasks walk --decisions 400000

A score is the reward of a step, at most 1, over all steps of an episode of ten seconds, 0 after a fall: the mean of all
episodes in percent, with its 95 % interval. Policies add to the controller's action, or choose its heading; a policy
that always adds 0, or always asks for the heading, is the controller as it is shipped. Scores depend only on the seed.
"""

import argparse
import math
from dataclasses import dataclass
from typing import Callable, Dict, Optional, Tuple

import numpy as np

from ppo import HORIZON, PUSH_S, Learner, Rollout
from troupe.characters import heading
from troupe.envs import Offset, Steer, Task, Transition, VectorCharacters, body_state, facing, forward_speed, joined

STEPS, STEP_S = 200, 0.05
HEADING = 0.5 * math.pi  # that `turn` asks for
RATE = (3e-4, 3e-5)  # of learning

Act = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Benchmark:
    task: Task
    push_n: float = 0.0  # the largest, twice a second from anywhere
    shipped: Optional[Tuple[float, ...]] = None  # the action; None: zeros


def upright(transition: Transition) -> np.ndarray:
    """1 less the inclination of the trunk's axis, 0 where it lies."""
    _, x, y, _ = transition.after.root_rot.T
    return np.asarray(np.clip(1 - 2 * (x * x + y * y), 0, 1), np.float32)


def towards(transition: Transition) -> np.ndarray:
    """exp(-e^2), with e the rest of the way to the heading, rad."""
    off = np.angle(np.exp(1j * (heading(transition.after.root_rot).astype(np.float64) - HEADING)))
    return np.asarray(np.exp(-(off**2)), np.float32)


def benchmarks() -> Dict[str, Benchmark]:
    def task(controller: str, **more: object) -> Task:
        return Task(controller, **{"actions": Offset(0.2), "max_steps": STEPS, **more})  # type: ignore[arg-type]

    return {
        "stand": Benchmark(task("stand", reward=upright), push_n=150),
        "walk": Benchmark(task("walk", reward=forward_speed(1.3)), push_n=150),
        "run": Benchmark(task("run", reward=forward_speed(2.9, 1.0)), push_n=300),
        "turn": Benchmark(
            task("walk", actions=Steer(speeds=(0.0, 0.0)), observe=joined(body_state, facing), reward=towards), shipped=(HEADING,)
        ),
        "ice": Benchmark(task("walk", reward=forward_speed(1.3), ground_friction=(0.15, 0.4), latency_steps=(0, 1)), push_n=50),
    }


class Pushes:
    """The same for every policy: drawn by the seed alone."""

    def __init__(self, force_n: float, seed: int) -> None:
        self.force_n, self.random = force_n, np.random.default_rng(seed)

    def apply(self, envs: VectorCharacters, step: int) -> None:
        angle, force = self.random.uniform(0, (2 * math.pi, self.force_n), (envs.num_envs, 2)).T
        if step % 10 == 0 and self.force_n > 0:
            for row in np.flatnonzero(~envs.over):
                envs.push(int(row), (force[row] * math.cos(angle[row]), force[row] * math.sin(angle[row]), 0), PUSH_S)


def score(envs: VectorCharacters, push_n: float, act: Act, seed: int) -> Tuple[float, float]:
    """Mean over the environments, and half the width of its interval."""
    seen, pushes = envs.reset(seed=seed)[0], Pushes(push_n, seed)
    total, on = np.zeros(envs.num_envs), np.ones(envs.num_envs, bool)
    for step in range(STEPS):
        pushes.apply(envs, step)
        seen, rewards, terminated, _, _ = envs.step(act(seen))
        total += np.where(on & ~terminated, rewards, 0)
        on &= ~terminated
    percent = 100 * total / STEPS
    return float(percent.mean()), float(1.96 * percent.std(ddof=1) / math.sqrt(len(percent)))


def spread(envs: VectorCharacters, action: np.ndarray) -> np.ndarray:
    """Numbers from -3 to 3 over the action space."""
    low, high = envs.single_action_space.low, envs.single_action_space.high
    return np.asarray(low + (np.clip(action, -3, 3) / 6 + 0.5) * (high - low))


def train(envs: VectorCharacters, push_n: float, decisions: int, seed: int) -> Act:
    """Proximal policy optimisation in these environments."""
    inputs, outputs = envs.single_observation_space.shape[0], envs.single_action_space.shape[0]
    learner = Learner(seed, inputs, outputs)
    rollout = Rollout(envs, learner, push_n, seed + 1, lambda action: spread(envs, action))
    updates = max(1, decisions // (envs.num_envs * HORIZON))
    for update in range(1, updates + 1):
        learner.learn(rollout.collect(), RATE[0] + (RATE[1] - RATE[0]) * update / updates)
    return lambda seen: spread(envs, learner.actor.forward(learner.scaling.apply(seen.astype(np.float64)))[-1])


def main() -> None:
    known = benchmarks()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=7400)
    parser.add_argument("--tasks", nargs="+", choices=list(known), default=list(known))
    parser.add_argument("--controller", help="in the place of each task's own")
    parser.add_argument("--worlds", type=int, default=32)
    parser.add_argument("--decisions", type=int, default=50000, help="of each training, of all worlds together; 0: none")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print("task,controller,policy,score,interval")
    for name in given.tasks:
        benchmark = known[name]
        task = Task.of(benchmark.task, **({"controller": given.controller} if given.controller else {}))
        with VectorCharacters(task, given.worlds, port=given.port) as envs:
            envs.action_space.seed(given.seed)
            shipped = np.zeros(envs.action_space.shape, np.float32)
            shipped[:] = benchmark.shipped or 0.0
            policies = {"shipped": lambda _: shipped, "random": lambda _: envs.action_space.sample()}
            if given.decisions > 0:
                policies["ppo"] = train(envs, benchmark.push_n, given.decisions, given.seed)
            for policy, act in policies.items():
                mean, half = score(envs, benchmark.push_n, act, given.seed + 1000)
                print(f"{name},{task.controller},{policy},{mean:.1f},{half:.1f}", flush=True)


if __name__ == "__main__":
    main()

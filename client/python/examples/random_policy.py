"""Measures how long a character lasts when its policy is disturbed at random, in many worlds in parallel.

    python3 random_policy.py --controller walk --limit 0.1
"""

import argparse

import numpy as np

from troupe.envs import Offset, Task, VectorCharacters


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=7400)
    parser.add_argument("--controller", default="walk")
    parser.add_argument("--limit", type=float, default=0.1, help="of each component of the offset, rad")
    parser.add_argument("--worlds", type=int, default=16)
    parser.add_argument("--steps", type=int, default=400, help="of 50 ms, in each world")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()

    task = Task(given.controller, actions=Offset(given.limit), max_steps=given.steps)
    lasted = []
    with VectorCharacters(task, given.worlds, port=given.port) as envs:
        envs.reset(seed=given.seed)
        envs.action_space.seed(given.seed)
        for _ in range(given.steps):
            _, _, terminated, truncated, info = envs.step(envs.action_space.sample())
            lasted += info["steps"][terminated | truncated].tolist()
    seconds = np.array(lasted) * task.seconds
    if len(seconds) == 0:
        print("no episode ended")
    else:
        spread = f"{seconds.min():.1f} to {seconds.max():.1f} s"
        print(f"{len(seconds)} episodes, {seconds.mean():.1f} s on average, {spread}")


if __name__ == "__main__":
    main()

"""Measures which pushes a controller survives: CSV with one row per force and the number of trials that stayed on
their feet.

Every force is tried from eight directions at several moments of the motion, for 0.2 s on the trunk. A trial is
survived if the character still stands 3 s later.

    python3 push_recovery.py --controller walk --forces 40 80 120
"""

import argparse
import math
from typing import List, Tuple

import numpy as np

from troupe.envs import Task, VectorCharacters

DIRECTIONS = 8
PHASES_AT_ONCE = 4  # in PHASES_AT_ONCE * DIRECTIONS worlds
SETTLE_STEPS = 20  # before the first push
PUSH_S = 0.2
WATCHED_S = 3.0

Trial = Tuple[float, int]  # direction, rad; steps before the push


def survived(envs: VectorCharacters, trials: List[Trial], force: float, seed: int) -> int:
    """The number of survived trials; each trial has its own world."""
    envs.reset(seed=seed)
    still = np.zeros(envs.action_space.shape, envs.action_space.dtype)
    standing = np.ones(len(trials), bool)
    last_push = max(wait for _, wait in trials)
    for step in range(last_push + round(WATCHED_S / envs.task.seconds)):
        for row, (angle, wait) in enumerate(trials):
            if step == wait:
                envs.push(row, (force * math.cos(angle), force * math.sin(angle), 0), PUSH_S)
        standing &= ~envs.step(still)[2][: len(trials)]
    return int(standing.sum())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=7400)
    parser.add_argument("--controller", default="walk")
    parser.add_argument("--forces", type=float, nargs="+", default=[40, 80, 120], help="N")
    parser.add_argument("--phases", type=int, default=12, help="moments of the push, 50 ms apart")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()

    task = Task(given.controller, max_steps=10000, fragment=0)
    angles = [2 * math.pi * i / DIRECTIONS for i in range(DIRECTIONS)]
    print("force_n,trials,survived")
    with VectorCharacters(task, DIRECTIONS * min(given.phases, PHASES_AT_ONCE), port=given.port) as envs:
        for force in given.forces:
            count = 0
            for first in range(0, given.phases, PHASES_AT_ONCE):
                waits = range(first, min(first + PHASES_AT_ONCE, given.phases))
                trials = [(angle, SETTLE_STEPS + wait) for wait in waits for angle in angles]
                count += survived(envs, trials, force, given.seed)
            print(f"{force:g},{DIRECTIONS * given.phases},{count}", flush=True)


if __name__ == "__main__":
    main()

"""Draws how a character takes a push: height and speed of its root over time, as an SVG file. Needs matplotlib.

    python3 plot_push.py --controller walk --force 80 -o push.svg
"""

import argparse
from typing import Any

import numpy as np

from troupe.envs import CharacterEnv, Task

PUSH_AT_S, PUSH_S = 1.0, 0.2


def record(env: CharacterEnv, force: float, steps: int) -> "np.ndarray":
    """[steps][3]: time s, height m, horizontal speed m/s; shorter if the character falls."""
    env.reset(seed=1)
    still = np.zeros(env.action_space.shape, env.action_space.dtype)
    rows = []
    for step in range(steps):
        if step == round(PUSH_AT_S / env.task.seconds):
            env.push((0, force, 0), PUSH_S)
        _, _, terminated, _, _ = env.step(still)
        root = env.characters
        speed = float(np.linalg.norm(root.root_vel[0, :2]))
        rows.append(((step + 1) * env.task.seconds, float(root.root_pos[0, 2]), speed))
        if terminated:
            break
    return np.array(rows)


def plotting() -> Any:
    try:
        import matplotlib

        matplotlib.use("svg")
        from matplotlib import pyplot
    except ImportError as error:
        raise SystemExit(f"plot_push: needs matplotlib, Debian's python3-matplotlib: {error}") from None
    return pyplot


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=7400)
    parser.add_argument("--controller", default="walk")
    parser.add_argument("--force", type=float, default=80, help="to the left, N")
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("-o", "--output", default="push.svg")
    given = parser.parse_args()

    pyplot = plotting()
    task = Task(given.controller, step_ticks=4, fragment=0)
    with CharacterEnv(task, port=given.port) as env:
        time, height, speed = record(env, given.force, round(given.seconds / task.seconds)).T

    figure, axes = pyplot.subplots(2, sharex=True, figsize=(7, 4.5))
    for axis, values, label in ((axes[0], height, "height of the root, m"), (axes[1], speed, "its speed, m/s")):
        axis.axvspan(PUSH_AT_S, PUSH_AT_S + PUSH_S, color="tab:red", alpha=0.2)
        axis.plot(time, values)
        axis.set_ylabel(label)
        axis.grid(alpha=0.3)
    axes[0].set_title(f"{given.controller}, {given.force:g} N to the left for {PUSH_S:g} s")
    axes[1].set_xlabel("time, s")
    figure.tight_layout()
    figure.savefig(given.output)
    print(f"{given.output}: {time[-1]:.2f} s, lowest at {height.min():.2f} m")


if __name__ == "__main__":
    main()

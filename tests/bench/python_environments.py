"""Steps a second of the Python environments over loopback: CSV, a row a number of worlds, medians of repeats.

A step is 50 ms of one character's world (10 ticks of 5 ms): an action goes there, a state comes back and becomes an
observation. The CPU times of this process and of the daemon, per step, hold on a busy machine as well; one core that did
both in sequence would make `one_core_steps_per_s`. The package is
found by PYTHONPATH.

    PYTHONPATH=build/release/client/python/stage python3 tests/bench/python_environments.py \\
        --trouped build/release/server/trouped --bundle db/shipped.troupe --controller walk
"""

import argparse
import os
import statistics
import subprocess
import tempfile
import time

import numpy as np

from troupe.envs import Offset, Task, VectorCharacters

WARM_UP, STEPS = 10, 1200  # steps: of all worlds together


def cpu_s(pid):
    """Processor time of a process so far."""
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Daemon:
    def __init__(self, trouped, bundle, threads):
        self.folder = tempfile.TemporaryDirectory()
        port_file = os.path.join(self.folder.name, "port")
        self.process = subprocess.Popen(
            [trouped, "--listen", "127.0.0.1:0", "--port-file", port_file, "--state-dir", self.folder.name]
            + ["--shipped", "none", "--bundle", bundle, "--log-level", "error"]
            + ["--threads", str(threads)]
        )
        while not os.path.exists(port_file):
            if self.process.poll() is not None:
                raise SystemExit("trouped did not start")
            time.sleep(0.01)
        with open(port_file) as file:
            self.port = int(file.read())

    def stop(self):
        self.process.terminate()
        self.process.wait()
        self.folder.cleanup()


def measure(daemon, envs, actions, repeats_into):
    """One repeat: steps a second, and CPU microseconds a step here and in the daemon."""
    for i in range(WARM_UP):
        envs.step(actions[i % len(actions)])
    daemon_began, here_began, began = cpu_s(daemon.process.pid), time.process_time(), time.perf_counter()
    rounds = max(STEPS // envs.num_envs, 1)
    for i in range(rounds):
        envs.step(actions[i % len(actions)])
    count = rounds * envs.num_envs
    repeats_into.append(
        (
            count / (time.perf_counter() - began),
            1e6 * (time.process_time() - here_began) / count,
            1e6 * (cpu_s(daemon.process.pid) - daemon_began) / count,
        )
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trouped", required=True)
    parser.add_argument("--bundle", required=True)
    parser.add_argument("--controller", default="walk")
    parser.add_argument("--worlds", type=int, nargs="+", default=[1, 4, 16, 32, 64])
    parser.add_argument("--threads", type=int, default=0, help="of the daemon's worlds; 0: its default")
    parser.add_argument("--limit", type=float, default=0.02, help="of the offsets, rad")
    parser.add_argument("--repeats", type=int, default=5)
    given = parser.parse_args()

    daemon = Daemon(given.trouped, given.bundle, given.threads)
    try:
        results = {worlds: [] for worlds in given.worlds}
        for repeat in range(given.repeats):
            for worlds in given.worlds:
                task = Task(given.controller, actions=Offset(given.limit))
                with VectorCharacters(task, worlds, port=daemon.port) as envs:
                    envs.reset(seed=repeat)
                    envs.action_space.seed(repeat)
                    actions = [envs.action_space.sample() for _ in range(16)]
                    measure(daemon, envs, actions, results[worlds])
    finally:
        daemon.stop()
    print("worlds,steps_per_s,client_cpu_us,daemon_cpu_us,one_core_steps_per_s")
    for worlds, repeats in results.items():
        steps, here, there = np.array([statistics.median(column) for column in zip(*repeats)])
        print(f"{worlds},{steps:.0f},{here:.0f},{there:.0f},{1e6 / (here + there):.0f}")


if __name__ == "__main__":
    main()

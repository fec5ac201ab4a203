"""Trains a policy that stays up when it is pushed, by proximal policy optimisation (Schulman et al. 2017) in numpy.

    python3 ppo.py blank -o blank.npz                       # a policy of zeros, to train in: import and serve it
    python3 ppo.py train --controller blank -o stand.npz    # minutes on one core; draws stand.svg
    python3 ppo.py test --controller stand                  # which pushes it survives, as CSV with 95 % intervals

`train` needs a daemon that serves the controller `blank`, `test` one that serves what was imported:
controllers/guide/policies.md has the commands.
"""

import argparse
import math
import time
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Sequence, Tuple

import numpy as np

from troupe.characters import Characters
from troupe.envs import Targets, Task, Transition, VectorCharacters, lost, rows
from troupe.policy import Layer, Policy, blank, save_npz

SEES = ("root_height", "root_rot", "root_vel", "root_omega")
INPUTS = 1 + 4 + 3 + 3
MOVES = ("ltorso", "lthigh", "lshank", "lfoot", "rthigh", "rshank", "rfoot")  # waist, hips, knees, ankles
OUTPUTS = 17
PERIOD = 7  # steps of 5 ms: 28.6 decisions a second
BODY: Dict[str, Any] = dict(
    observation=SEES, joints=MOVES, period_steps=PERIOD, gains="b", scale=0.4, action_limit=3.0, skill="stand"
)

PUSH_S, PUSH_CHANCE = 0.2, 0.03  # of a push before each decision
HORIZON, HIDDEN = 128, (32, 32)  # decisions between two updates
DISCOUNT, TRACE, CLIP, EPOCHS, BATCH = 0.97, 0.95, 0.2, 4, 512
FIRST_NOISE = -1.6  # logarithm of the standard deviation of actions
RATES = (1e-3, 1e-4)  # of learning, at the start and at the end


# --- the task ---


def fallen(characters: Characters) -> np.ndarray:
    return lost(characters) | (characters.root_pos[:, 2] < 0.65)


def reward(transition: Transition) -> np.ndarray:
    """Upright, at rest, with small actions; at most 1."""
    after = transition.after
    rest = np.exp(-np.sum(after.root_vel**2, axis=1))
    effort = np.mean(np.square(transition.actions), axis=1)
    return np.asarray(0.5 + 0.5 * rest - 0.03 * effort - 2.0 * fallen(after), np.float32)


def task(controller: str, max_steps: int) -> Task:
    return Task(controller, actions=Targets(), observe=rows(*SEES), reward=reward, terminated=fallen,
                step_ticks=PERIOD, max_steps=max_steps)


# --- networks ---


class Adam:
    """Steps down gradients (Kingma and Ba 2015); their common length is at most 0.5."""

    def __init__(self, values: List[np.ndarray]) -> None:
        self.values, self.count = values, 0
        self.first, self.second = [np.zeros_like(v) for v in values], [np.zeros_like(v) for v in values]

    def descend(self, gradients: Sequence[np.ndarray], rate: float) -> None:
        self.count += 1
        length = math.sqrt(sum(float(np.sum(g * g)) for g in gradients))
        for value, gradient, first, second in zip(self.values, gradients, self.first, self.second):
            gradient = gradient * min(1.0, 0.5 / (length + 1e-8))
            first += 0.1 * (gradient - first)
            second += 0.001 * (gradient**2 - second)
            step = first / (1 - 0.9**self.count) / (np.sqrt(second / (1 - 0.999**self.count)) + 1e-8)
            value -= rate * step


class Network(Adam):
    """Layers of tanh, the last without it; gradients by hand."""

    def __init__(self, widths: Sequence[int], last: float, random: np.random.Generator) -> None:
        values: List[np.ndarray] = []
        for i, (n, m) in enumerate(zip(widths, widths[1:])):
            scale = last if i + 2 == len(widths) else 1.0
            values += [random.normal(size=(n, m)) * scale / math.sqrt(n), np.zeros(m)]
        super().__init__(values)

    def forward(self, x: np.ndarray) -> List[np.ndarray]:
        """The input and the output of each layer."""
        out = [x]
        for i in range(0, len(self.values), 2):
            x = x @ self.values[i] + self.values[i + 1]
            x = np.tanh(x) if i + 2 < len(self.values) else x
            out.append(x)
        return out

    def gradients(self, out: List[np.ndarray], slope: np.ndarray) -> List[np.ndarray]:
        """Of a loss whose derivative by the output is `slope`."""
        result: List[np.ndarray] = []
        for i in range(len(self.values) - 2, -1, -2):
            before = out[i // 2]
            result = [before.T @ slope, slope.sum(axis=0)] + result
            slope = slope @ self.values[i].T * (1 - before**2) if i else slope
        return result


class Scaling:
    """Mean and spread of all observations so far."""

    def __init__(self, size: int) -> None:
        self.count, self.mean, self.square = 1e-4, np.zeros(size), np.full(size, 1e-4)

    def add(self, seen: np.ndarray) -> None:
        n = len(seen)
        off = seen.mean(axis=0) - self.mean
        self.square += seen.var(axis=0) * n + off**2 * self.count * n / (self.count + n)
        self.mean = self.mean + off * n / (self.count + n)
        self.count += n

    @property
    def spread(self) -> np.ndarray:
        return np.sqrt(self.square / self.count) + 1e-3

    def apply(self, seen: np.ndarray) -> np.ndarray:
        return np.clip((seen - self.mean) / self.spread, -5, 5)


# --- proximal policy optimisation ---


@dataclass
class Batch:
    """What was met, a row for each decision."""

    x: np.ndarray  # [n][inputs]
    action: np.ndarray  # [n][outputs]
    likelihood: np.ndarray  # [n] logarithm, when it was decided
    gain: np.ndarray  # [n] advantage
    value: np.ndarray  # [n] that the critic should give

    def __getitem__(self, chosen: np.ndarray) -> "Batch":
        return Batch(*(getattr(self, name)[chosen] for name in ("x", "action", "likelihood", "gain", "value")))


class Learner:
    def __init__(self, seed: int, inputs: int = INPUTS, outputs: int = OUTPUTS) -> None:
        self.random = np.random.default_rng(seed)
        self.actor = Network((inputs, *HIDDEN, outputs), 0.01, self.random)
        self.critic = Network((inputs, *HIDDEN, 1), 1.0, self.random)
        self.noise = Adam([np.full(outputs, FIRST_NOISE)])
        self.scaling = Scaling(inputs)

    def policy(self) -> Policy:
        """What is served: the mean of the actions."""
        values = [value.astype(np.float32) for value in self.actor.values]
        names = ["tanh"] * len(HIDDEN) + ["none"]
        layers = [Layer(weight, bias, name) for weight, bias, name in zip(values[::2], values[1::2], names)]
        return Policy(layers, mean=self.scaling.mean, spread=self.scaling.spread, input_limit=5.0, **BODY)

    def decide(self, x: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
        """Noisy actions, and the logarithms of their likelihoods."""
        mean = self.actor.forward(x)[-1]
        action = mean + np.exp(self.noise.values[0]) * self.random.normal(size=mean.shape)
        return action, self.likelihood(mean, action)

    def likelihood(self, mean: np.ndarray, action: np.ndarray) -> np.ndarray:
        log = self.noise.values[0]
        return np.sum(-0.5 * ((action - mean) * np.exp(-log)) ** 2 - log, axis=1)

    def learn(self, batch: Batch, rate: float) -> None:
        batch.gain = (batch.gain - batch.gain.mean()) / (batch.gain.std() + 1e-8)
        for _ in range(EPOCHS):
            order = self.random.permutation(len(batch.x))
            for chosen in np.array_split(order, max(1, len(order) // BATCH)):
                self._descend(batch[chosen], rate)

    def _descend(self, batch: Batch, rate: float) -> None:
        """The clipped objective (eq. 7): it has a slope only where a step would not leave the clip's range."""
        out = self.actor.forward(batch.x)
        ratio = np.exp(np.clip(self.likelihood(out[-1], batch.action) - batch.likelihood, -20, 20))
        held = np.where(batch.gain > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)
        slope = -(held * batch.gain * ratio)[:, None] / len(ratio)
        off = batch.action - out[-1]
        by_mean = off * np.exp(-2 * self.noise.values[0])
        by_noise = np.sum(slope * (by_mean * off - 1), axis=0) - 0.001  # and a little for more noise
        self.actor.descend(self.actor.gradients(out, slope * by_mean), rate)
        self.noise.descend([by_noise], rate)
        guess = self.critic.forward(batch.x)
        self.critic.descend(self.critic.gradients(guess, (guess[-1] - batch.value[:, None]) / len(ratio)), 2 * rate)


def advantages(rewards: np.ndarray, values: np.ndarray, ended: np.ndarray, cut: np.ndarray) -> np.ndarray:
    """Generalised advantage estimates, [t][world]; values: [t + 1][world]. After a fall nothing follows; a trace ends
    where it is cut."""
    out, running = np.zeros_like(rewards), np.zeros(rewards.shape[1])
    for t in range(len(rewards) - 1, -1, -1):
        error = rewards[t] + DISCOUNT * values[t + 1] * ~ended[t] - values[t]
        running = error + DISCOUNT * TRACE * running * ~(ended[t] | cut[t])
        out[t] = running
    return out


class Rollout:
    """Decisions in many worlds, pushed at random. spread: turns numbers around 0 into actions."""

    def __init__(self, envs: VectorCharacters, learner: Learner, push_n: float, seed: int,
                 spread: Callable[[np.ndarray], np.ndarray] = lambda action: np.clip(action, -3, 3)) -> None:
        self.envs, self.learner, self.push_n, self.spread = envs, learner, push_n, spread
        self.random = np.random.default_rng(seed)
        self.seen = envs.reset(seed=seed)[0].astype(np.float64)
        learner.scaling.add(self.seen)
        self.falls, self.reward = 0, 0.0  # of the last batch

    def _push(self) -> None:
        for row in np.flatnonzero((self.random.random(self.envs.num_envs) < PUSH_CHANCE) & ~self.envs.over):
            angle, force = self.random.uniform(0, 2 * math.pi), self.random.uniform(0, self.push_n)
            self.envs.push(int(row), (force * math.cos(angle), force * math.sin(angle), 0), PUSH_S)

    def collect(self) -> Batch:
        n, learner = self.envs.num_envs, self.learner
        inputs, outputs = len(learner.scaling.mean), len(learner.noise.values[0])
        x, actions = np.zeros((HORIZON + 1, n, inputs)), np.zeros((HORIZON, n, outputs))
        likelihood, rewards = np.zeros((HORIZON, n)), np.zeros((HORIZON, n))
        ended, cut, begins = (np.zeros((HORIZON, n), bool) for _ in range(3))
        met = []
        for t in range(HORIZON):
            x[t] = learner.scaling.apply(self.seen)
            actions[t], likelihood[t] = learner.decide(x[t])
            begins[t] = self.envs.over  # such a step only begins an episode
            self._push()
            seen, rewards[t], ended[t], cut[t], _ = self.envs.step(self.spread(actions[t]))
            self.seen = seen.astype(np.float64)
            met.append(self.seen)
        x[HORIZON] = learner.scaling.apply(self.seen)
        values = learner.critic.forward(x.reshape(-1, inputs))[-1].reshape(HORIZON + 1, n)
        gain = advantages(rewards, values, ended, cut | begins)
        used = ~begins
        learner.scaling.add(np.concatenate(met))
        self.falls, self.reward = int(ended.sum()), float(rewards[used].mean())
        return Batch(x[:-1][used], actions[used], likelihood[used], gain[used], (gain + values[:-1])[used])


def train(given: argparse.Namespace) -> None:
    learner, began = Learner(given.seed), time.monotonic()
    size = given.worlds * HORIZON
    updates = max(1, given.steps // size)
    curve: List[Tuple[float, float]] = []  # decisions, seconds from one fall to the next
    with VectorCharacters(task(given.controller, 200), given.worlds, port=given.port) as envs:
        rollout = Rollout(envs, learner, given.push, given.seed + 1)
        for update in range(1, updates + 1):
            batch = rollout.collect()
            learner.learn(batch, RATES[0] + (RATES[1] - RATES[0]) * update / updates)
            curve.append((update * size, size * envs.task.seconds / max(1, rollout.falls)))
            if update % 10 == 0 or update == updates:
                print(f"{update * size:8d} decisions, {time.monotonic() - began:5.0f} s: reward {rollout.reward:.3f}, "
                      f"a fall every {recent(curve):.1f} s", flush=True)
                save_npz(given.output, learner.policy())
                draw(given.output.rsplit(".", 1)[0] + ".svg", curve, given.push)


def recent(curve: Sequence[Tuple[float, float]]) -> float:
    """Seconds from one fall to the next, over the last ten updates."""
    return 1 / float(np.mean([1 / lasted for _, lasted in curve[-10:]]))


LEFT, RIGHT, TOP, BOTTOM = 50, 620, 36, 270  # of the curve's frame


def draw(path: str, curve: Sequence[Tuple[float, float]], push_n: float) -> None:
    """The curve as SVG: each update, and the mean of ten."""
    most, last = 1.05 * max(lasted for _, lasted in curve), curve[-1][0]

    def line(lasted: Sequence[float], colour: str) -> str:
        across = (LEFT + (RIGHT - LEFT) * decisions / last for decisions, _ in curve)
        points = " ".join(f"{x:.1f},{BOTTOM - (BOTTOM - TOP) * y / most:.1f}" for x, y in zip(across, lasted))
        return f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>'

    def text(x: float, y: float, anchor: str, words: str) -> str:
        return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}">{words}</text>'

    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 320" font-family="sans-serif" font-size="12">',
        '<rect width="640" height="320" fill="white"/>',
        f'<path d="M{LEFT} {TOP}V{BOTTOM}H{RIGHT}" fill="none" stroke="#888"/>',
        *(text(LEFT - 6, BOTTOM - (BOTTOM - TOP) * i / 4 + 4, "end", f"{most * i / 4:.1f}") for i in range(5)),
        *(text(LEFT + (RIGHT - LEFT) * i / 4, BOTTOM + 18, "middle", f"{last * i / 4000:.0f}") for i in range(5)),
        line([lasted for _, lasted in curve], "#b8d0e6"),
        line([recent(curve[: i + 1]) for i in range(len(curve))], "#1f6fb4"),
        text(LEFT, 20, "start", f"seconds from one fall to the next, pushed by up to {push_n:g} N at random"),
        text(RIGHT, 312, "end", "thousand decisions"),
        "</svg>\n",
    ]
    with open(path, "w") as file:
        file.write("\n".join(parts))


# --- a test of pushes ---


def wilson(survived: int, trials: int) -> Tuple[float, float]:
    """The 95 % interval of a rate (Wilson 1927)."""
    z, rate = 1.96, survived / trials
    middle, half = rate + z * z / (2 * trials), z * math.sqrt(rate * (1 - rate) / trials + (z / trials / 2) ** 2)
    return (middle - half) / (1 + z * z / trials), (middle + half) / (1 + z * z / trials)


def survivors(envs: VectorCharacters, force_n: float, first_rad: float, wait: int, seed: int) -> int:
    """Pushes each world once, from directions all around, after `wait` decisions; counts who stands 4 s later."""
    envs.reset(seed=seed)
    standing, still = np.ones(envs.num_envs, bool), np.zeros((envs.num_envs, OUTPUTS))
    for step in range(wait + round(4 / envs.task.seconds)):
        for row in range(envs.num_envs if step == wait else 0):
            angle = first_rad + 2 * math.pi * row / envs.num_envs
            envs.push(row, (force_n * math.cos(angle), force_n * math.sin(angle), 0), PUSH_S)
        standing &= ~envs.step(still)[2]
    return int(standing.sum())


def test(given: argparse.Namespace) -> None:
    print("force_n,trials,survived,low,high")
    trials = given.rounds * given.worlds
    with VectorCharacters(task(given.controller, 10000), given.worlds, port=given.port) as envs:
        for force_n in given.forces:
            turns = [2 * math.pi * i / trials for i in range(given.rounds)]
            count = sum(survivors(envs, force_n, turn, 30 + i, given.seed) for i, turn in enumerate(turns))
            low, high = wilson(count, trials)
            print(f"{force_n:g},{trials},{count},{low:.3f},{high:.3f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("do", choices=("blank", "train", "test"))
    parser.add_argument("--port", type=int, default=7400)
    parser.add_argument("--controller", default="blank")
    parser.add_argument("--worlds", type=int, default=16)
    parser.add_argument("--steps", type=int, default=400000, help="decisions of the training, of all worlds together")
    parser.add_argument("--push", type=float, default=150, help="the largest of the training, N for 0.2 s on the trunk")
    parser.add_argument("--forces", type=float, nargs="+", default=[0, 50, 75, 100, 125, 150], help="of the test, N")
    parser.add_argument("--rounds", type=int, default=6, help="of the test; each pushes once in every world")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--output", default="stand.npz")
    given = parser.parse_args()
    if given.do == "blank":
        save_npz(given.output, blank(INPUTS, OUTPUTS, **BODY))
    elif given.do == "train":
        train(given)
    else:
        test(given)


if __name__ == "__main__":
    main()

"""Policies trained here, for the daemon: written as NPZ for `troupe-train policy import`.

    policy = Policy(layers, joints=("lthigh", "rthigh"), period_steps=7)
    save_npz("stand.npz", policy)

`Policy.act` computes the same bits as the daemon does: sums run over the inputs in their order, and exponentials are
those of controllers/math/elementary.c. controllers/guide/policies.md describes file and policy.
"""

from __future__ import annotations

import json
import zipfile
from dataclasses import dataclass
from typing import Any, Dict, Optional, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

Doubles = NDArray[np.float64]
LIMIT = 1e6


def exp(x: Doubles) -> Doubles:
    """e to the power x, with the bits of the daemon; for x up to 709."""
    k = np.rint(x / 0.69314718055994530942)
    r = (x - k * 6.93147180369123816490e-01) - k * 1.90821492927058770002e-10
    p = np.full_like(x, 1.0 / 14.0)
    for n in range(13, 0, -1):
        p = (1.0 + r * p) / n
    return np.where(x < -708.0, 0.0, np.ldexp(1.0 + r * p, k.astype(np.int64)))


def tanh(x: Doubles) -> Doubles:
    """With the bits of the daemon."""
    e = exp(-2.0 * np.minimum(np.abs(x), 360.0))
    t = (1.0 - e) / (1.0 + e)
    return np.where(x < 0, -t, t)


ACTIVATIONS = {
    "none": lambda x: x,
    "relu": lambda x: np.where(x > 0, x, 0.0),
    "elu": lambda x: np.where(x > 0, x, exp(np.clip(x, -720, 0)) - 1),
    "tanh": tanh,
}


@dataclass(frozen=True)
class Layer:
    """x -> activation(x weight + bias)."""

    weight: ArrayLike  # [inputs][outputs]
    bias: ArrayLike  # [outputs]
    activation: str = "none"  # none, relu, elu or tanh


@dataclass(frozen=True)
class Policy:
    """A multilayer perceptron that sees a character's state and sets the targets of its joints.

    clip(network(clip((o - mean) / spread, input_limit)), action_limit) are rotation vectors of ball joints (three
    numbers each) and angles of hinges (one), times `scale`, by which the joints of the pose are turned."""

    layers: Sequence[Layer]
    joints: Sequence[str]  # bodies in the order of the model, each for the joint to its parent
    period_steps: int  # steps from one decision to the next
    observation: Sequence[str] = ("body_state",)  # names as in troupe.envs.rows
    scale: Union[float, Sequence[float]] = 1.0  # rad; one, or one for each number
    step_s: float = 0.005
    gains: Optional[str] = None  # of the model; None: its first
    mean: Optional[ArrayLike] = None  # [inputs]; None: 0
    spread: Optional[ArrayLike] = None  # [inputs]; None: 1
    input_limit: float = LIMIT
    action_limit: float = LIMIT
    reference: Optional[ArrayLike] = None  # [frames][7 + 4 joints]: the cycle of poses it acts about; None: rest
    skill: str = "policy"
    memory: int = 0  # numbers that it remembers; the layers read them too, and return an update and a candidate of each

    def act(self, observations: ArrayLike, memory: Optional[Doubles] = None) -> Doubles:
        """[n][inputs] to [n][actions]: what the daemon computes. memory: [n][memory], zeros at first; changes."""
        x = np.asarray(observations, np.float64)
        shape = None if memory is None else memory.shape
        if shape != ((len(x), self.memory) if self.memory else None):
            raise ValueError(f"memory: found the shape {shape}; expected {(len(x), self.memory)}, or None where there is none")
        mean = np.zeros(x.shape[1]) if self.mean is None else np.asarray(self.mean, np.float64)
        spread = np.ones(x.shape[1]) if self.spread is None else np.asarray(self.spread, np.float64)
        x = np.clip((x - mean) / spread, -self.input_limit, self.input_limit)
        if memory is not None:
            x = np.concatenate([x, memory], axis=1)
        for layer in self.layers:
            weight, bias = np.asarray(layer.weight, np.float64), np.asarray(layer.bias, np.float64)
            sums = np.repeat(bias[None, :], len(x), axis=0)
            for i, row in enumerate(weight):
                sums += x[:, i : i + 1] * row
            x = np.asarray(ACTIVATIONS[layer.activation](sums), np.float64)
        x, update, candidate = np.split(x, [x.shape[1] - 2 * self.memory, x.shape[1] - self.memory], axis=1)
        if memory is not None:
            memory += (0.5 + 0.5 * tanh(0.5 * update)) * (tanh(candidate) - memory)
        return np.clip(x, -self.action_limit, self.action_limit)

    def description(self) -> Dict[str, Any]:
        """What policy.json holds."""
        scale = self.scale if isinstance(self.scale, (int, float)) else [float(each) for each in self.scale]
        fields = dict(
            observation=list(self.observation),
            joints=list(self.joints),
            scale=scale,
            period_steps=self.period_steps,
            step_s=self.step_s,
            gains=self.gains,
            input_limit=self.input_limit,
            action_limit=self.action_limit,
            activation=[layer.activation for layer in self.layers],
            skill=self.skill,
            memory=self.memory or None,
        )
        return {name: value for name, value in fields.items() if value is not None}


def save_npz(path: str, policy: Policy) -> None:
    """Writes the file that `troupe-train policy import` reads."""
    arrays: Dict[str, Any] = {}
    for i, layer in enumerate(policy.layers):
        arrays[f"W{i}"], arrays[f"b{i}"] = np.asarray(layer.weight), np.asarray(layer.bias)
    for name in ("mean", "spread", "reference"):
        if getattr(policy, name) is not None:
            arrays[name] = np.asarray(getattr(policy, name))
    with open(path, "wb") as file:
        np.savez(file, **{name: np.ascontiguousarray(array) for name, array in arrays.items()})
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("policy.json", json.dumps(policy.description(), indent=2))


def load_npz(path: str) -> Policy:
    """A policy that save_npz wrote."""
    with zipfile.ZipFile(path) as archive:
        fields = json.loads(archive.read("policy.json"))
    with np.load(path) as arrays:
        layers = [Layer(arrays[f"W{i}"], arrays[f"b{i}"], name) for i, name in enumerate(fields.pop("activation"))]
        extra = {name: arrays[name] for name in ("mean", "spread", "reference") if name in arrays}
    return Policy(layers, **fields, **extra)


def blank(inputs: int, outputs: int, **options: Any) -> Policy:
    """A policy whose weights are zero: the environment in which policies are trained (troupe.envs.Targets). inputs: of
    the observation; outputs: numbers of the joints; options: other fields of Policy."""
    return Policy([Layer(np.zeros((inputs, outputs), np.float32), np.zeros(outputs, np.float32))], **options)

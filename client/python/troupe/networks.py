"""The networks of a catalogue's or bundle's controllers, and their form in ONNX, for other programs.

    layers, policy = load(bundle, "stand")
    save_onnx("stand.onnx", policy or layers)

or  python3 -m troupe.networks BUNDLE CONTROLLER -o FILE. Controllers of three kinds have a network: `policy`, `network`
(controllers/control/network/follower.h) and `scheduler` (controllers/control/scheduler/scheduler.h). A policy's graph
normalises its observation; its limits are in the metadata `troupe`, which `troupe-train policy import` reads. The inputs of
the others are as those headers say.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import pathlib
import sqlite3
import struct
import zlib
from typing import List, Optional, Sequence, Tuple, Union
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray

from troupe.policy import Layer, Policy

FEATURES = 18  # of a state (controllers/control/fragments/features.h)
ACTIONS = 24  # most numbers of an action (controllers/control/fragments/fragment.h)
ROWS = ("root_height", "root_rot", "root_vel", "root_omega", "joint_rot", "joint_rate", "phase", "facing", "contacts",
        "target", "ground")  # in the order of controllers/control/policy/observation.h
ACTIVATIONS = ("none", "relu", "elu", "tanh")
SEAL = 24  # bytes before the content of a section (db/store/blob.h)


# --- sections of a catalogue ---


def _unpack(content: bytes) -> bytes:
    """db/store/pack.h"""
    form, size, rest = content[0], int.from_bytes(content[1:5], "little"), content[5:]
    if form not in (0, 1, 3):
        raise ValueError(f"a section is packed in form {form}, which no network has")
    rest = rest if form == 0 else zlib.decompress(rest)
    if form < 2:
        return rest
    odd, count = size % 8, size // 8
    return rest[:odd] + np.frombuffer(rest, np.uint8, offset=odd).reshape(8, count).T.tobytes()


class _Section:
    """Read from first to last; little-endian."""

    def __init__(self, content: bytes) -> None:
        self.content, self.at = _unpack(content), SEAL

    def integer(self) -> int:
        (value,) = struct.unpack_from("<q", self.content, self.at)
        self.at += 8
        return int(value)

    def integers(self, count: int) -> List[int]:
        return [self.integer() for _ in range(count)]

    def text(self) -> str:
        size = self.integer()
        self.at += size
        return self.content[self.at - size : self.at].decode()

    def numbers(self, count: int, form: str = "<f8") -> NDArray[np.float64]:
        values = np.frombuffer(self.content, form, count, self.at)
        self.at += values.nbytes
        return np.asarray(values, np.float64)

    def layers(self, form: str, activated: bool) -> List[Layer]:
        """As perceptron.h and network.h keep them; without stored activations all but the last are rectified."""
        count = self.integer()
        width = self.integers(count + 1)
        names = [ACTIVATIONS[i] for i in self.integers(count)] if activated else ["relu"] * (count - 1) + ["none"]
        return [Layer(self.numbers(a * b, form).reshape(a, b), self.numbers(b, form), name)
                for a, b, name in zip(width, width[1:], names)]


def _policy(section: _Section, layers: List[Layer], bodies: Sequence[str], skill: str, step_s: float) -> Policy:
    """Without its reference, which no graph holds."""
    gains, period, reflected = section.text(), section.integer(), section.integer()
    if reflected:
        raise ValueError("it is the mirror image of a policy: export that one")
    observation = [ROWS[row] for row in section.integers(section.integer())]
    joints = [bodies[body] for body in section.integers(section.integer())]
    scale = section.numbers(section.integer())
    input_limit, action_limit = section.numbers(2)
    memory = (np.shape(layers[-1].weight)[1] - len(scale)) // 2
    inputs = np.shape(layers[0].weight)[0] - memory
    return Policy(layers, joints, period, observation, scale.tolist(), step_s, gains, section.numbers(inputs),
                  section.numbers(inputs), float(input_limit), float(action_limit), skill=skill, memory=memory)


def load(bundle: str, controller: str) -> Tuple[List[Layer], Optional[Policy]]:
    """The layers of a controller's network, and the policy if it is one."""
    with contextlib.closing(sqlite3.connect(pathlib.Path(bundle).resolve().as_uri() + "?mode=ro", uri=True)) as db:
        found = db.execute("SELECT c.id, c.kind, c.skill, c.step_s, m.mjcf, (SELECT count(*) FROM controller_fragment"
                           " WHERE controller = c.id) FROM controller c JOIN model m ON m.id = c.model WHERE c.name = ?",
                           (controller,)).fetchone()
        if not found:
            raise ValueError(f"{bundle}: no controller {controller!r}")
        identity, kind, skill, step_s, model, fragments = found
        sections = {name: _Section(content) for name, content in db.execute(
            "SELECT name, content FROM controller_section WHERE controller = ? AND name IN ('policy', 'policy network',"
            " 'network', 'scheduler')", (identity,))}
    if kind == "policy":
        layers = sections["policy network"].layers("<f8", True)
        bodies = [str(body.get("name")) for body in ElementTree.fromstring(model).iter("body")]
        return layers, _policy(sections["policy"], layers, bodies, skill, step_s)
    if kind not in ("network", "scheduler"):
        raise ValueError(f"controller {controller!r} is of the kind {kind!r}: expected a policy, a network or a scheduler")
    section = sections[kind]
    if kind == "network":
        section.integers(2)
        section.numbers(FEATURES + fragments * (FEATURES + ACTIONS))  # spreads; means and usual actions of each fragment
        return section.layers("<f4", False), None
    section.text()
    section.integer()
    section.integers(section.integer())
    section.numbers(2 * FEATURES)
    return section.layers("<f4", False), None


# --- ONNX: onnx.proto, IR version 8, opset 13 ---


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out + bytes([value]))


def _int(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _field(field: int, content: Union[bytes, str]) -> bytes:
    data = content.encode() if isinstance(content, str) else content
    return _varint(field << 3 | 2) + _varint(len(data)) + data


def _tensor(name: str, values: NDArray[np.float64]) -> bytes:
    dims = b"".join(_int(1, size) for size in values.shape)
    return _field(5, dims + _int(2, 1) + _field(8, name) + _field(9, np.ascontiguousarray(values, "<f4").tobytes()))


def _node(operation: str, inputs: Sequence[str], output: str) -> bytes:
    return _field(1, b"".join(_field(1, name) for name in inputs) + _field(2, output) + _field(3, f"to {output}") + _field(4, operation))


def _value(field: int, name: str, size: int) -> bytes:
    """A matrix of floats with any number of rows."""
    shape = _field(1, _field(2, "rows")) + _field(1, _int(1, size))
    return _field(field, _field(1, name) + _field(2, _field(1, _int(1, 1) + _field(2, shape))))


def save_onnx(path: str, network: Union[Policy, Sequence[Layer]]) -> None:
    """A graph from the input `o` to the output `a`, single precision."""
    policy = network if isinstance(network, Policy) else None
    if policy and policy.memory:
        raise ValueError("it has a memory, and a graph from observations to actions has none: expected a policy without")
    layers: Sequence[Layer] = policy.layers if policy else network  # type: ignore[assignment]
    graph, at = _field(2, policy.skill if policy else "network"), "o"
    constants = {}
    for name, operation, values in (("mean", "Sub", policy and policy.mean), ("spread", "Div", policy and policy.spread)):
        if values is not None:
            constants[name] = np.asarray(values, np.float64)
            graph, at = graph + _node(operation, [at, name], f"less {name}"), f"less {name}"
    for i, layer in enumerate(layers):
        last = i + 1 == len(layers) and layer.activation == "none"
        constants[f"W{i}"], constants[f"b{i}"] = np.asarray(layer.weight), np.asarray(layer.bias)
        graph, at = graph + _node("Gemm", [at, f"W{i}", f"b{i}"], "a" if last else f"s{i}"), f"s{i}"
        if layer.activation != "none":
            output = "a" if i + 1 == len(layers) else f"x{i}"
            graph, at = graph + _node(layer.activation.capitalize(), [at], output), output
    graph += b"".join(_tensor(name, values) for name, values in constants.items())
    graph += _value(11, "o", np.shape(layers[0].weight)[0]) + _value(12, "a", np.shape(layers[-1].weight)[1])
    model = _int(1, 8) + _field(2, "troupe") + _field(7, graph) + _field(8, _field(1, "") + _int(2, 13))
    if policy:
        fields = {name: value for name, value in policy.description().items() if name != "activation"}
        model += _field(14, _field(1, "troupe") + _field(2, json.dumps(fields)))
    with open(path, "wb") as file:
        file.write(model)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python3 -m troupe.networks", description="Writes a controller's network as ONNX.")
    parser.add_argument("bundle", help="a catalogue or bundle")
    parser.add_argument("controller")
    parser.add_argument("-o", required=True, metavar="FILE", dest="out")
    options = parser.parse_args()
    try:
        layers, policy = load(options.bundle, options.controller)
        save_onnx(options.out, policy or layers)
    except (OSError, ValueError, sqlite3.Error) as error:
        parser.exit(1, f"{parser.prog}: {error}\n")


if __name__ == "__main__":
    main()

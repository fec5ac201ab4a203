"""States of characters as numpy arrays, one row per character.

    characters = Characters.of(state.characters)      # all of one world
    characters.root_pos[:, 2]                          # heights, [n] m

All rows must have models with the same number of bodies, and states requested with JOINTS | VELOCITIES
(troupe.requests). Fields that were not requested have no numbers: shapes [n][0]... The arrays are read-only.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Iterable, Sequence, Tuple, Union

import numpy as np
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from numpy.typing import NDArray

from troupe import state_pb2

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Characters:
    """n characters of b bodies; CharacterState in proto/troupe/state.proto describes the fields."""

    entity: NDArray[np.int64]  # [n]
    fragment: NDArray[np.int64]  # [n]
    fragments_done: NDArray[np.int64]  # [n]
    mirrored: NDArray[np.bool_]  # [n]
    ended: NDArray[np.bool_]  # [n]
    fallen: NDArray[np.bool_]  # [n]
    limp: NDArray[np.bool_]  # [n]
    frozen: NDArray[np.bool_]  # [n]
    root_pos: Floats  # [n][3] m
    root_rot: Floats  # [n][4]
    root_vel: Floats  # [n][3] m/s
    root_omega: Floats  # [n][3] rad/s
    joint_rot: Floats  # [n][b][4]
    joint_rate: Floats  # [n][b][3] rad/s
    body_pos: Floats  # [n][b][3] m
    body_rot: Floats  # [n][b][4]
    joint_torque: Floats  # [n][b][3] N m
    ground: Floats  # [n][16] of the root above the ground, m; of 15 places ahead (CharacterState.ground); [n][1] with HEIGHT
    touching: NDArray[np.bool_]  # [n][b] something else than their character; of environments that observe it
    target: NDArray[np.float64]  # [n][2] heading, rad, NaN without one; speed, m/s; of environments that ask for it

    @classmethod
    def of(cls, states: Iterable[state_pb2.CharacterState]) -> "Characters":
        rows = [_Packed.FromString(state.SerializeToString()) for state in states]
        values: dict[str, NDArray[Any]] = {}
        for name, dtype in _SCALARS:
            values[name] = np.array([getattr(row, name) for row in rows], dtype)
        for name, shape in _ARRAYS:
            values[name] = _stack([getattr(row, name) for row in rows], shape)
        values["touching"] = np.zeros(values["joint_rot"].shape[:2], np.bool_)
        values["target"] = np.tile([np.nan, 0.0], (len(rows), 1))
        return cls(**values)

    def __len__(self) -> int:
        return len(self.entity)

    def put(self, rows: Union[Sequence[int], NDArray[Any]], other: "Characters") -> "Characters":
        """These characters with the given rows replaced by those of `other`."""
        values = {}
        for each in fields(self):
            array = getattr(self, each.name).copy()
            array[rows] = getattr(other, each.name)
            values[each.name] = array
        return Characters(**values)


_SCALARS: Tuple[Tuple[str, type], ...] = (
    ("entity", np.int64),
    ("fragment", np.int64),
    ("fragments_done", np.int64),
    ("mirrored", np.bool_),
    ("ended", np.bool_),
    ("fallen", np.bool_),
    ("limp", np.bool_),
    ("frozen", np.bool_),
)
_ARRAYS: Tuple[Tuple[str, Tuple[int, ...]], ...] = (
    ("root_pos", (3,)),
    ("root_rot", (4,)),
    ("root_vel", (3,)),
    ("root_omega", (3,)),
    ("joint_rot", (-1, 4)),
    ("joint_rate", (-1, 3)),
    ("body_pos", (-1, 3)),
    ("body_rot", (-1, 4)),
    ("joint_torque", (-1, 3)),
    ("ground", (-1,)),
)


def _packed_class() -> Any:
    """CharacterState with its repeated floats declared as bytes.

    On the wire a packed repeated float and a bytes field look the same. Reading one as the other returns the whole
    array, whereas taking the numbers one by one would cost more than the rest of a step."""
    schema = descriptor_pb2.FileDescriptorProto(name="troupe/packed_state.proto", package="troupe.packed")
    schema.syntax = "proto3"
    message = schema.message_type.add()
    state_pb2.CharacterState.DESCRIPTOR.CopyToProto(message)
    for field in [each for each in message.field if each.type == each.TYPE_MESSAGE]:
        message.field.remove(field)  # its type is not in this pool
    for field in message.field:
        if field.type == field.TYPE_FLOAT and field.label == field.LABEL_REPEATED:
            field.type, field.label = field.TYPE_BYTES, field.LABEL_OPTIONAL
    pool = descriptor_pool.DescriptorPool()
    pool.Add(schema)
    descriptor = pool.FindMessageTypeByName("troupe.packed.CharacterState")
    if hasattr(message_factory, "GetMessageClass"):
        return message_factory.GetMessageClass(descriptor)
    return message_factory.MessageFactory(pool).GetPrototype(descriptor)


_Packed = _packed_class()


def _stack(rows: Sequence[bytes], shape: Tuple[int, ...]) -> Floats:
    """[n] rows of little-endian floats, each of `shape`. Rows without data give shape (n, 0, ...)."""
    size = len(rows[0]) if rows else 0
    if any(len(row) != size for row in rows):
        raise ValueError("characters with different numbers of bodies: make one Characters of each model")
    flat = np.frombuffer(b"".join(rows), "<f4")
    return flat.reshape(len(rows), *(shape if size else (0, *shape[1:])))


# --- the heading frame: at the root, turned about z so that x points where the root faces ---


def heading(root_rot: Floats) -> Floats:
    """[n][4] rotations to [n] angles about z, rad."""
    w, x, y, z = root_rot.T
    return np.asarray(np.arctan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)), np.float32)


def turn(vectors: Floats, angle: Floats) -> Floats:
    """[n][3] vectors turned about z by [n] angles."""
    c, s = np.cos(angle), np.sin(angle)
    x, y, z = vectors.T
    return np.asarray(np.stack([c * x - s * y, s * x + c * y, z], axis=1), np.float32)


def turn_rotation(rotations: Floats, angle: Floats) -> Floats:
    """[n][4] rotations, each followed by a turn about z by its angle."""
    c, s = np.cos(angle / 2), np.sin(angle / 2)
    w, x, y, z = rotations.T
    return np.asarray(np.stack([c * w - s * z, c * x - s * y, c * y + s * x, c * z + s * w], axis=1), np.float32)

"""Options of the environments besides a task."""

from __future__ import annotations

import dataclasses
import ssl
from typing import Any, Callable, Dict, Mapping, Optional, Sequence, Tuple, TypedDict, Union

import numpy as np
from numpy.typing import NDArray

from troupe import world_pb2
from troupe.characters import Characters
from troupe.envs.arena import Address
from troupe.envs.observations import Observe
from troupe.envs.task import Actions, Reward


class Options(TypedDict, total=False):
    """The daemon's address and login (Address), and fields of the task (Task)."""

    host: str  # 127.0.0.1
    port: int  # 7400
    key: Optional[str]  # as for Client
    tls: Optional[ssl.SSLContext]  # as for Client

    actions: Union[Actions, str]
    observe: Observe
    reward: Reward
    terminated: Callable[[Characters], NDArray[np.bool_]]
    step_ticks: int
    step_s: float
    max_steps: int
    fragment: Optional[int]
    scene: Optional[world_pb2.Scene]
    heading_rad: Tuple[float, float]
    target_heading_rad: Optional[Tuple[float, float]]
    target_speed: Tuple[float, float]
    latency_steps: Tuple[int, int]
    ground_friction: Optional[Tuple[float, float]]
    roughness_m: Optional[Tuple[float, float]]
    controllers: Sequence[str]
    positions: Sequence[Tuple[float, float]]


def split(options: Mapping[str, Any]) -> Tuple[Address, Dict[str, Any]]:
    """The address, and the remaining options for the task."""
    rest = dict(options)
    names = [field.name for field in dataclasses.fields(Address)]
    return Address(**{name: rest.pop(name) for name in names if name in rest}), rest

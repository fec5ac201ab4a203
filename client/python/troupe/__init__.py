"""Troupe in Python: clients of `trouped`, the server of physically simulated characters.

* `Client` blocks, `AsyncClient` (troupe.aio) is for asyncio; both send requests made by `troupe.requests`.
* `troupe.replies` has the answers as dataclasses; states stay messages of the schema (troupe.state_pb2), and
  `troupe.characters` turns them into numpy arrays.
* `troupe.matches` has descriptions of matches and replies about them.
* `troupe.envs` has environments with the interfaces of Gymnasium and PettingZoo, in stepped worlds.

Units SI, z up, x forward, rotations (w, x, y, z). Only troupe.characters and troupe.envs need numpy.
"""

from troupe.aio import AsyncClient
from troupe.client import Client
from troupe.errors import Code, Disconnected, ProtocolError, Refused, Timeout, TroupeError
from troupe.replies import EventKind, FaultRule, Mode, Noun, OwnerLeaves

__version__ = "0.1.0"

__all__ = [
    "AsyncClient",
    "Client",
    "Code",
    "Disconnected",
    "EventKind",
    "FaultRule",
    "Mode",
    "Noun",
    "OwnerLeaves",
    "ProtocolError",
    "Refused",
    "Timeout",
    "TroupeError",
]

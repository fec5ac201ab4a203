"""Environments for learning and measuring, in stepped worlds of a running daemon.

`CharacterEnv` has the interface of Gymnasium's Env, `VectorCharacters` of its VectorEnv, `Crowd` of PettingZoo's
ParallelEnv. They need numpy. If Gymnasium and PettingZoo are installed they are subclasses of theirs, and `register`
registers them for gymnasium.make. A `Task` defines actions, observation, reward and the end of an episode.
"""

from troupe.envs.character import CharacterEnv
from troupe.envs.crowd import Crowd
from troupe.envs.observations import body_state, facing, joined, rows
from troupe.envs.registration import register
from troupe.envs.task import (
    Choice,
    Fragment,
    Offset,
    Steer,
    Targets,
    Task,
    Transition,
    alive,
    forward_speed,
    lost,
    small_actions,
    weighted,
)
from troupe.envs.vector import VectorCharacters

__all__ = [
    "CharacterEnv",
    "Choice",
    "Crowd",
    "Fragment",
    "Offset",
    "Steer",
    "Targets",
    "Task",
    "Transition",
    "VectorCharacters",
    "alive",
    "body_state",
    "facing",
    "forward_speed",
    "joined",
    "lost",
    "register",
    "rows",
    "small_actions",
    "weighted",
]

"""Environments for learning and measuring, in stepped worlds of a running daemon.

`CharacterEnv` has the shape of Gymnasium's Env, `VectorCharacters` of its VectorEnv, `Crowd` of PettingZoo's
ParallelEnv. They need numpy; where Gymnasium and PettingZoo are installed they are their subclasses, and `register`
makes them known to gymnasium.make. A `Task` says what is done: actions, observation, reward, ends.
"""

from troupe.envs.character import CharacterEnv
from troupe.envs.crowd import Crowd
from troupe.envs.registration import register
from troupe.envs.task import (
    Choice,
    Fragment,
    Offset,
    Steer,
    Task,
    Transition,
    alive,
    body_state,
    facing,
    forward_speed,
    joined,
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
    "small_actions",
    "weighted",
]

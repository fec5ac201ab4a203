"""Names for gymnasium.make, where Gymnasium is installed.

    troupe.envs.register()
    gymnasium.make("troupe/Character-v0", task="walk")
    gymnasium.make_vec("troupe/Character-v0", num_envs=16, vectorization_mode="vector_entry_point", task="walk")
"""

from __future__ import annotations


def register() -> None:
    """Registers the environments. May be called twice."""
    from gymnasium.envs.registration import register as register_env
    from gymnasium.envs.registration import registry

    if "troupe/Character-v0" not in registry:
        register_env(
            id="troupe/Character-v0",
            entry_point="troupe.envs:CharacterEnv",
            vector_entry_point="troupe.envs:VectorCharacters",
        )

"""The project's files, as the tests of its documents read them."""

import os
import pathlib

SOURCE = pathlib.Path(os.environ["TROUPE_SOURCE"])


def files_below(folder):
    """Without what is built or installed: there, other tests and builds make and remove files at the same time."""
    left_out = {"build", "node_modules", ".git", "__pycache__"}
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in left_out]
        yield from (pathlib.Path(place, name) for name in names)


def documents():
    """The reading path: all pages but the log."""
    return sorted(path for path in files_below(SOURCE)
                  if path.suffix == ".md" and "log" not in path.relative_to(SOURCE).parts)

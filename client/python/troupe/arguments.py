"""Errors of arguments: a call that fails says which argument was wrong, and what was expected.

    requests.push(world, "ada", (0, 60), 0.2)      # InvalidArgument: force: (0, 60): expected 3 numbers

Checked are only calls that have failed, so that the others cost nothing.
"""

from __future__ import annotations

import functools
import inspect
import struct
import typing
from enum import Enum
from numbers import Real
from typing import Any, Callable, Dict, Optional, TypeVar

from troupe.errors import InvalidArgument

F = TypeVar("F", bound=Callable[..., Any])

VECTORS = {**dict.fromkeys(("pos", "vel", "omega", "force", "point", "size", "half_extents"), (3,)), "rot": (4,), "target": (2, 3)}
WORDS: Dict[Any, str] = {int: "a whole number", float: "a number", str: "a text", bytes: "bytes", bool: "True or False"}


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) or (hasattr(value, "__float__") and not isinstance(value, str))


def _fits(value: Any, hint: Any) -> bool:
    """Whether a value is of an annotated type. Types that are not known here fit."""
    origin, inside = typing.get_origin(hint), typing.get_args(hint)
    if hint is Any or isinstance(hint, TypeVar):
        return True
    if origin is typing.Union:
        return any(_fits(value, each) for each in inside)
    if hint is float:
        return _is_number(value)
    if hint is int:
        return hasattr(value, "__index__") and not isinstance(value, bool)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return value in list(hint)
    if origin is None:
        return not isinstance(hint, type) or isinstance(value, hint)
    if isinstance(origin, type) and issubclass(origin, typing.Sequence):
        return not isinstance(value, (str, bytes)) and hasattr(value, "__len__") and all(_fits(each, inside[0]) for each in value)
    if isinstance(value, typing.Mapping) and len(inside) == 2:
        return all(_fits(each, inside[1]) for each in value.values())
    return not isinstance(origin, type) or isinstance(value, origin)


def _words(hint: Any) -> str:
    inside = [each for each in typing.get_args(hint) if each is not type(None)]
    if typing.get_origin(hint) is typing.Union:
        return " or ".join(dict.fromkeys(map(_words, inside)))
    if isinstance(hint, type) and issubclass(hint, Enum):
        return f"one of {', '.join(f'{hint.__name__}.{each.name}' for each in hint)}"
    if typing.get_origin(hint) is not None:
        return "numbers by their names" if len(inside) == 2 else "a sequence of numbers" if inside[:1] == [float] else "a sequence"
    return WORDS.get(hint, f"a {getattr(hint, '__name__', hint)}")


def _wrong(name: str, value: Any, hint: Any) -> Optional[str]:
    """What was expected instead of a value; None: nothing is wrong with it."""
    sizes = VECTORS.get(name, ())
    fits = _fits(value, hint)
    if sizes and not (fits and (value is None or len(value) in sizes)):
        return f"{' or '.join(map(str, sizes))} numbers"
    if not fits:
        return _words(hint)
    if hint in (int, typing.Union[int, str]) and isinstance(value, int) and value < 0:
        return "a number of at least 0"
    return None


def named(function: F) -> F:
    """The function, whose TypeError or ValueError for an argument that does not fit becomes an InvalidArgument."""

    @functools.wraps(function)
    def call(*arguments: Any, **options: Any) -> Any:
        try:
            return function(*arguments, **options)
        except (TypeError, ValueError, OverflowError, AttributeError, struct.error):
            _blame(function, arguments, options)
            raise

    return typing.cast(F, call)


def _blame(function: Callable[..., Any], arguments: Any, options: Any) -> None:
    """Raises an InvalidArgument for the first argument that does not fit. Wrong names, or too few, are Python's to report."""
    try:
        given = inspect.signature(function).bind(*arguments, **options).arguments
    except TypeError:
        return
    hints = typing.get_type_hints(function)
    for name, value in given.items():
        expected = _wrong(name, value, hints[name])
        if expected:
            raise InvalidArgument(name, value, expected) from None

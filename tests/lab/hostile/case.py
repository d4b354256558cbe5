"""What is fed to a target: a case of one text, one file, or of what a hostile peer does."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple, TypeVar

_LONG = 10_000

_In = TypeVar("_In")
_Out = TypeVar("_Out")


class Frame(NamedTuple):
    """A line with the right CRC and, but for these shifts, the right numbers.

    In `payload` NUMBER stands for the number of the event that is due and SESSION for that of the
    session.
    """

    letter: str
    payload: str
    seq_shift: int = 0
    ack_shift: int = 0


NUMBER = "####"
SESSION = "@@@@"


class Pause(NamedTuple):
    """So many milliseconds pass."""

    ms: int


class Touch(NamedTuple):
    """A cell of the matrix changes."""

    cell: int
    closed: bool


class Unit(NamedTuple):
    """A piece of a file in the table's flash; of six bytes, it gets the CRC that is due."""

    data: bytes


Step = str | bytes | Frame | Pause | Touch | Unit
Case = list[Step]
"""What is fed, one after the other, to a target that begins anew with each case."""


class Target(NamedTuple):
    """Something that takes what strangers write.

    `make` returns a case, `run` feeds it and raises one of `named`, or nothing; whatever else it
    raises is a finding. `share` is its share of all inputs, `most_kb` the memory that a case may
    take at any moment.
    """

    name: str
    make: Callable[[Random], Case]
    run: Callable[[Case], None]
    named: tuple[type[Exception], ...] = ()
    share: int = 8
    most_kb: int = 8192


class Unsound(Exception):  # noqa: N818 - what came of an input is
    """Nothing was raised, but something is not as it has to be."""


def expect(holds: bool, what: str) -> None:
    if not holds:
        raise Unsound(what)


def sound(read: Callable[[_In], _Out], written: _In) -> _Out:
    """Return what `read` makes of what we wrote ourselves; raise Unsound where it refuses it."""
    try:
        return read(written)
    except Exception as error:
        raise Unsound(f"what was written is refused: {error}") from error


def inputs_in(case: Case) -> int:
    """Return how many inputs a case has: time, hands and pieces are none."""
    return sum(1 for step in case if isinstance(step, (str, bytes, Frame)))


def is_long(case: Case) -> bool:
    """Tell whether one of the inputs is far longer than what they are made from."""
    return any(isinstance(step, (str, bytes)) and len(step) > _LONG for step in case)

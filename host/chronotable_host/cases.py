"""The cases of a file that says what rules give: each passes, fails, or is not covered."""

from collections.abc import Callable
from typing import NamedTuple


class Case(NamedTuple):
    """A game, an example or a row of a file; `check` returns where it passes."""

    name: str
    check: Callable[[], None]


class NotCoveredError(Exception):
    """The case asks for rules, or a reading of them, that the engine does not have."""


class FailedError(Exception):
    """The case fails, and why was said with a case before."""


class DifferentError(FailedError):
    """The case fails: at this turn, None if at no single one, this was expected and that found."""

    def __init__(self, turn: int | None, expected: str, got: str) -> None:
        super().__init__(turn, expected, got)
        self.turn = turn
        self.expected = expected
        self.got = got

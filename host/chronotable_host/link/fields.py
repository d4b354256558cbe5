"""All messages and their fields one by one, for whoever explains or makes up messages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from chronotable.link.messages import MESSAGES, row_of

if TYPE_CHECKING:
    from chronotable.link.messages import Row

ROWS = tuple(row_of(line.split()[1]) for line in MESSAGES.splitlines() if line)
"""What `MESSAGES` has: letter, name, who hears it, class and fields of each message."""


class Field(NamedTuple):
    """One field; of kind c and f it is one character, of c one of `letters`, if there are any."""

    name: str
    kind: str
    size: int
    letters: str


def fields_of(row: Row) -> list[Field]:
    """Return the fields of a message, in the payload's order."""
    return list(_fields(row[4]))


def _fields(layout: tuple[str | int, ...]) -> Iterator[Field]:
    parts = iter(layout)
    for name, kind, size in zip(parts, parts, parts, strict=True):
        is_letter = isinstance(size, str)
        yield Field(str(name), str(kind), 1 if is_letter else int(size), str(size) * is_letter)

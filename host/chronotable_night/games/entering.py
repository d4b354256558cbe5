"""What can be entered of a game's box, card by card: a form, as data.

A game that has such data has a module `entering` in its folder, with a function `form`
(`Describes`). Items and fields name places of a data file, as a `DataError` does.
"""

from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple, Protocol

from chronotable_night import games
from chronotable_night.games.interface import Kind

TEXT, NUMBER, CHOICE, PHRASE = "text", "number", "choice", "phrase"
"""Kinds of fields. A CHOICE is one of a list; a PHRASE is one, or else is typed."""
SEVERAL, NUMBERS = "several", "numbers"
"""Kinds of fields that hold a list: of what is chosen, and of numbers."""

Choices = Sequence[tuple[Any, str]]
"""Values, each with its words."""


class BoxField(NamedTuple):
    """Something to enter: its place in the data, what it is called, the list it is chosen from."""

    place: str
    label: str
    kind: str
    choices: str = ""


class Item(NamedTuple):
    """A card or a tile: what mistakes in it begin with, its heading, its name, what there is of it.

    `shows` is what the game's `sample.js` draws for it, None for nothing.
    """

    key: str
    group: str
    title: str
    fields: Sequence[BoxField]
    shows: str | int | None = None


class Form(NamedTuple):
    """All there is to enter, in the order of the box, and the lists of choices by name."""

    items: Sequence[Item]
    choices: Mapping[str, Choices]


class Describes(Protocol):
    """A game's own function."""

    def __call__(self, data: Mapping[str, Any]) -> Form:
        """Return the form for data that has the lists and objects of the game's own."""


def form_of(kind: Kind) -> Describes | None:
    """Return the function of a game, None if nothing is entered of it."""
    module = f"{games.__name__}.{kind.name}"
    if find_spec(module) is None or find_spec(f"{module}.entering") is None:
        return None
    describes: Describes = import_module(f"{module}.entering").form
    return describes

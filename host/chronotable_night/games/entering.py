"""What can be entered of a game's box, card by card: a form, as data.

A game that has such data has a module `entering` in its folder, with a function `form`.
Items and fields name places of a data file, as a `DataError` does.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from chronotable_night.games.interface import Kind
from chronotable_night.games.shelf import own_module

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


def form_of(kind: Kind) -> Callable[[Mapping[str, Any]], Form] | None:
    """Return a game's own function, None if nothing is entered of it.

    It takes data that has the lists and objects of the game's own.
    """
    own = own_module(kind.name, "entering")
    form: Callable[[Mapping[str, Any]], Form] | None = own and own.form
    return form

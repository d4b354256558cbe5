"""What comes into play with each chapter, in a few words, for who has just opened its box."""

from __future__ import annotations

from typing import NamedTuple

from chronotable_host import chapters
from chronotable_host.language import tr
from chronotable_host.rulebook import book

BRINGS = (
    tr(
        "Copies can plant seeds and dig them up again. What is planted grows in the later eras,"
        " where it is in the way, and may fall."
    ),
    tr(
        "There are statues to push, to pull and to build, and what happens to one of them happens"
        " in the later eras, too."
    ),
    tr(
        "Elephants stand on the boards. They wear the hat of who trains them, in the later eras,"
        " too, and then obey that player."
    ),
    tr(
        "Two of the chapters before are played at once; chance draws which. Those who like to mix"
        " join names with +, all three if they will."
    ),
)
"""Of the chapters, in their order."""

SIGNS = (
    tr(
        "On the table, sea green (azure in the colour-blind palette) that changes with another"
        " colour twice, then rests, asks for a plant: blue for a shrub, white for a tree, yellow"
        " for a tree that fell; without another colour it asks for a seed."
    ),
    tr(
        "On the table, sea green (azure in the colour-blind palette) that changes with another"
        " colour every half second asks for a statue: yellow for the neutral one, white for"
        " White's, blue for Black's."
    ),
    tr(
        "On the table, sea green (azure in the colour-blind palette) that changes with another"
        " colour four times a second asks for an elephant: blue for the dark one, white for the"
        " light one."
    ),
    "",
)
"""Which light asks for which object of each chapter (`chronotable.lights.light.OBJECT_SIGNS`)."""


class Introduction(NamedTuple):
    """A chapter: its name, what it brings, and the number of its first rule."""

    name: str
    brings: str
    rule: str


def introductions() -> list[Introduction]:
    """Return those of the chapters that are unlocked here."""
    found = zip(chapters.NAMES, BRINGS, book.parts()[1:], strict=False)
    return [Introduction(name, brings, next(part.rules).number) for name, brings, part in found]

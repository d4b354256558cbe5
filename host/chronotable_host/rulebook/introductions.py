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


class Introduction(NamedTuple):
    """A chapter: its name, what it brings, and the number of its first rule."""

    name: str
    brings: str
    rule: str


def introductions() -> list[Introduction]:
    """Return those of the chapters that are unlocked here."""
    found = zip(chapters.NAMES, BRINGS, book.parts()[1:], strict=False)
    return [Introduction(name, brings, next(part.rules).number) for name, brings, part in found]

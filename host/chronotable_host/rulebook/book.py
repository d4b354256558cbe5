"""The numbered rules: T1 and so on are the standard game's, G, I, M and C those of the chapters.

Messages, comments and tests cite these numbers. The texts are the Markdown files beside this one,
as `rules/rule_files.py` reads them. What belongs to a chapter that is locked here is treated as if
it did not exist; what each brings is told in a few words to who has just opened its box.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from chronotable_host import chapters
from chronotable_host.errors import UserError
from chronotable_host.language import tr
from chronotable_host.rules.rule_files import Part, Rule, read_part

_FILES = ("standard", *chapters.NAMES)
"""The parts: the standard game, then the chapters in their order."""

_ASKED = re.compile(r"([A-Z])([1-9]\d{0,2})(?:-([A-Z])?([1-9]\d{0,2}))?")
_AROUND = "()[].;:"  # what may stand around a number in a message


class RuleError(UserError):
    """What was asked for is no number of a rule, or of none that may be told here."""


def parts() -> list[Part]:
    """Return the standard game and the chapters that are unlocked here."""
    return [read_part(name) for name in _FILES[: 1 + chapters.shown()]]


def rules() -> dict[str, Rule]:
    """Return the rules of all `parts` by their numbers."""
    return {rule.number: rule for part in parts() for rule in part.rules}


def find(words: Sequence[str]) -> list[Rule]:
    """Return the rules with these numbers, each once, in the order in which they are asked for.

    A word is what a message cites, `T12`, `t12`, `(T7, T8)` or a range `T16-T27`. Raises
    RuleError; its sentence is the same for a rule that is locked here as for one that is none.
    """
    known = rules()
    found: dict[str, Rule] = {}
    for word in " ".join(words).replace(",", " ").split():
        for number in _numbers_in(word):
            if number not in known:
                raise RuleError(
                    tr(
                        "there is no rule {number} among those that are unlocked here; "
                        "'chronotable rules' prints them all",
                        number=number,
                    )
                )
            found[number] = known[number]
    return list(found.values())


def _numbers_in(word: str) -> Iterator[str]:
    """Yield the numbers of one word; raises RuleError where it is neither a number nor a range."""
    match = _ASKED.fullmatch(word.strip(_AROUND).upper())
    letter, first, other, last = match.groups() if match else ("", "", "", "")
    if not match or (other or letter) != letter or int(last or first) < int(first):
        raise RuleError(
            tr("'{word}' is no number of a rule; type T12, or T16-T27 for several", word=word)
        )
    return (f"{letter}{number}" for number in range(int(first), int(last or first) + 1))


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
    found = zip(chapters.NAMES, BRINGS, parts()[1:], strict=False)
    return [Introduction(name, brings, next(part.rules).number) for name, brings, part in found]


EXAMPLES = {
    "T3": ("w..............b/w..............b/w..............b 0 2 4 4 w", ""),
    "T7": ("w..............b/w..............b/w..............b 0 2 4 4 w", "1 E S >present"),
    "T17": ("w..............b/w....b.........b/w..............b 1 2 4 4 w", "1 S E >past"),
    "T18": ("w..............b/w..............b/..........bw...b 2 2 4 4 b", "11 E N >past"),
    "T19": ("w.bb...........b/w..............b/w..............b 0 2 4 4 w", "1 E E >present"),
    "T24": ("w..............b/................/...............b 0 2 4 4 w", "1 F E >present"),
    "T25": ("................/...............b/w..............b 2 2 4 4 w", "1 B E >past"),
    "T29": ("w..............b/.w.b............/w............... 1 2 4 4 w", "2 E E >past"),
}
"""By the number of the rule; without a turn the position is what the rule is about."""

"""The numbered rules: T1 and so on are the standard game's, G, I, M and C those of the chapters.

Messages, comments and tests cite these numbers. The texts are the Markdown files beside this one,
as `rules/rule_files.py` reads them. What belongs to a chapter that is locked here is treated as if
it did not exist.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

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

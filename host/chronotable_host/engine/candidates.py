"""Who can be chosen to play a side, in words for people who choose: the one list of them."""

from __future__ import annotations

from typing import NamedTuple

from chronotable_host.engine.seats import GUEST, HANDS, LEVEL_NAMES, PAGE, RANDOM
from chronotable_host.language import tr


class SeatCandidate(NamedTuple):
    """Who can be chosen for a `seat`, as it is typed.

    `face` is how the page draws who that is: calm (""), "wide", "glad", or sharper-eyed from "1" to
    "8". `name` is a word, `words` say what to expect.
    """

    seat: str
    face: str
    name: str
    words: str


_LEVELS = (
    (tr("easy"), tr("for a first game")),
    (tr("gentle"), tr("has understood the rules")),
    (tr("wary"), tr("sees what you threaten")),
    (tr("practised"), tr("plays every week")),
    (tr("sly"), tr("hard to surprise")),
    (tr("far-sighted"), tr("thinks ahead")),
    (tr("fierce"), tr("hardly lets go")),
    (tr("merciless"), tr("the strongest there is")),
)

CANDIDATES = (
    SeatCandidate(PAGE, "", tr("a person"), tr("who chooses here")),
    SeatCandidate(HANDS, "", tr("a person"), tr("with the pieces in the hand")),
    *(
        SeatCandidate(seat, str(number), *words)
        for number, (seat, words) in enumerate(zip(LEVEL_NAMES, _LEVELS, strict=True), 1)
    ),
    SeatCandidate(RANDOM, "wide", tr("chance"), tr("has no idea")),
    SeatCandidate(GUEST, "glad", tr("a guest"), tr("elsewhere, by a link")),
)
"""All who can be chosen on the page; an engine's program is named by its path alone."""

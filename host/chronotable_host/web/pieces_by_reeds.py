"""The pieces on a real table between two turns, as far as its reeds tell.

A reed tells that something lies on it, not what. One rule: a piece of the game's position is shown
on its space unless the reed there is open; what lies elsewhere is taken for a piece that was
lifted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from chronotable.hardware.sensors import FOCUS
from chronotable_host.hardware.drawings.glyphs import BELOW, MARKER, UNKNOWN
from chronotable_host.rules.notation import PLAYERS
from chronotable_host.web.todo import Todo

PieceViews = list[dict[str, Any]]
"""Places and looks of pieces, as the page draws them."""


def pieces_by_reeds(
    by_game: PieceViews, reeds: Mapping[int, bool], doubted: Collection[int]
) -> PieceViews:
    """Return the pieces; `by_game` are those of the position, `reeds` what each reed told last.

    Reeds that are `doubted` tell nothing.
    """
    reported = {at: closed for at, closed in reeds.items() if at not in doubted}
    felt = [each for each in by_game if each["look"] != BELOW]
    lifted = [each["look"] for each in felt if not reported.get(each["at"], True)]
    there = [each for each in by_game if each["look"] == BELOW or reported.get(each["at"], True)]
    taken = {each["at"] for each in felt}
    others = sorted(at for at, closed in reported.items() if closed and at not in taken)
    return there + [{"at": at, "look": _look(at, lifted)} for at in others]


def named_by_steps(pieces: PieceViews, steps: Iterable[Todo]) -> PieceViews:
    """Return pieces, those that nobody knows with the looks that steps had hands put there."""
    put = {at: step.look for step in steps if step.is_done for at in step.put}
    return [
        {**each, "look": put.get(each["at"], UNKNOWN)} if each["look"] == UNKNOWN else each
        for each in pieces
    ]


def _look(at: int, lifted: list[str]) -> str:
    """Take what was lifted for what lies somewhere, the marker at a spot for markers."""
    if at >= FOCUS:
        return PLAYERS[(at - FOCUS) // 3] + MARKER
    pieces = [look for look in lifted if not look.endswith(MARKER)]
    if not pieces:
        return UNKNOWN
    lifted.remove(pieces[0])
    return pieces[0]

"""What moves when a card or an arrow takes effect, as happenings of the game.

The course tells them when they happen; words about a choice tell them before.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from chronotable_night.games.interface import GameHappening, State
from chronotable_night.games.timebreaker.data import Data
from chronotable_night.games.timebreaker.pieces import (
    Pieces,
    breaker_target,
    crashed_gate,
    fetched,
    own_target,
    pieces_of,
)


def moves(
    data: Data, state: State, before: Pieces, after: Pieces, words: Sequence[str]
) -> list[GameHappening]:
    """Return what moves between these pieces, in the order of the effect.

    `state` says who is active and how arrests are made; a view does, too.
    """
    told: list[GameHappening] = []

    def tell(what: str, **facts: Any) -> None:
        told.append(GameHappening(what, {**facts, "tra": data.tra}))

    def arrests(seat: int) -> bool:
        return state["arrest"] == "automatic" or seat in state["declared"]

    active = state["active"]
    target = own_target(data, before, active, words)
    if target:
        start, tile = before.pawns[active], after.pawns[active]
        was_there = start == before.breaker
        taking = was_there and arrests(active)
        tell(
            "moved",
            seat=active,
            start=start,
            tile=tile,
            closed=target if target in before.closed else "",
            taking=taking,
            leaving=was_there and not taking and tile != start,
            meeting=not was_there and tile == after.breaker,
            arresting=not was_there and tile == after.breaker and arrests(active),
        )
    others = fetched(data, before, active, words)
    if others:
        tile = next(iter(others.values()))  # the same for all
        tell(
            "fetched",
            seats=list(others),
            starts=[before.pawns[seat] for seat in others],
            tile=tile,
            leaving=any(before.pawns[seat] == before.breaker for seat in others),
            arresting=[seat for seat in others if tile == after.breaker and arrests(seat)],
        )
    target = breaker_target(words)
    if target:
        closed = target if target in before.closed else ""
        tell("fled", start=before.breaker, tile=after.breaker, closed=closed)
    crashed = crashed_gate(before, words)
    if crashed:
        fallen = [seat for seat, tile in enumerate(before.pawns) if tile == crashed]
        tell("crashed", tile=crashed, seats=fallen)
    return told


def ways(data: Data, view: State, words: Sequence[str]) -> list[list[Any]]:
    """Return who would go where if these words take effect: seat or "breaker", start, target.

    The target may be a crashed gate, of which only the gap is left.
    """
    pieces, active = pieces_of(view), view["active"]
    found: list[list[Any]] = []
    target = own_target(data, pieces, active, words)
    if target:
        found.append([active, pieces.pawns[active], target])
    for seat, tile in fetched(data, pieces, active, words).items():
        found.append([seat, pieces.pawns[seat], tile])
    target = breaker_target(words)
    if target:
        found.append(["breaker", pieces.breaker, target])
    return found

"""With which words each card may be played: its targets, in the texts of the game (B7-B14)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from chronotable_night.games.interface import State
from chronotable_night.games.timebreaker.cards import STOP_TIME, directions_of, jump_of
from chronotable_night.games.timebreaker.data import Data
from chronotable_night.games.timebreaker.grid import GAP, step_targets

NO_ARGUMENTS = ("",)


class CardSituation(NamedTuple):
    """What the words of a card depend on."""

    data: Data
    state: State
    """Or the view of the active seat."""
    card: str
    hand: Sequence[str]
    """Of the active seat, without the card that is played."""

    @property
    def here(self) -> str:
        """Return the tile of the own pawn."""
        tile: str = self.state["pawns"][self.state["active"]]
        return tile


def arguments(data: Data, state: State, card: str, hand: Sequence[str]) -> Sequence[str]:
    """Return the different arguments of a card, "" for none; nothing if it cannot be played.

    `hand` is that of the active seat, without the card.
    """
    situation = CardSituation(data, state, card, hand)
    if directions_of(card):
        return _of_move(situation)
    if jump_of(card):
        return _of_jump(situation)
    find = _BY_CARD.get(card)
    return find(situation) if find is not None else ()


def cards_left(state: State) -> int:
    """Return how many cards can still be drawn, from a state or a view."""
    deck: Any = state["deck"]
    return (deck if isinstance(deck, int) else len(deck)) + len(state["discard"])


def _tiles_but(state: State, *left_out: str) -> list[str]:
    return [tile for tile in state["grid"] if tile != GAP and tile not in left_out]


def _if(condition: bool) -> Sequence[str]:
    return NO_ARGUMENTS if condition else ()


def _of_move(at: CardSituation) -> Sequence[str]:
    return step_targets(at.state["grid"], at.here, directions_of(at.card))


def _of_jump(at: CardSituation) -> Sequence[str]:
    return _tiles_but(at.state, at.here) if jump_of(at.card) == at.here else NO_ARGUMENTS


def _of_return_to_hq(at: CardSituation) -> Sequence[str]:
    pawns = enumerate(at.state["pawns"])
    return [str(seat) for seat, tile in pawns if tile != at.data.tra]


def _of_tag_along(at: CardSituation) -> Sequence[str]:
    return [str(seat) for seat, tile in enumerate(at.state["pawns"]) if tile != at.here]


def _of_join_me(at: CardSituation) -> Sequence[str]:
    return _if(any(tile != at.here for tile in at.state["pawns"]))


def _of_desperate_grab(at: CardSituation) -> Sequence[str]:
    return _if(at.here != at.state["breaker"])


def _of_near_yet_far(at: CardSituation) -> Sequence[str]:
    near = step_targets(at.state["grid"], at.state["breaker"])
    return [tile for tile in near if tile != at.here]


def _of_double_time(at: CardSituation) -> Sequence[str]:
    return at.data.green[at.here]


def _of_back_it_up(at: CardSituation) -> Sequence[str]:
    return _if(at.data.red[at.here] != "")


def _of_quantum_leap(at: CardSituation) -> Sequence[str]:
    return _if(cards_left(at.state) > 0 or any(card != STOP_TIME for card in at.hand))


def _of_crash_a_gate(at: CardSituation) -> Sequence[str]:
    return _tiles_but(at.state, at.data.tra, at.state["breaker"])


def _of_shut_and_run(at: CardSituation) -> Sequence[str]:
    return step_targets(at.state["grid"], at.state["breaker"])


def _of_on_the_move(at: CardSituation) -> Sequence[str]:
    breaker = at.state["breaker"]
    found = list(at.data.green[breaker])
    for guide in dict.fromkeys(at.hand):
        if directions_of(guide):
            near = step_targets(at.state["grid"], breaker, directions_of(guide))
            found += [f"{guide} {tile}" for tile in near]
        elif jump_of(guide) == breaker:
            found += [f"{guide} {tile}" for tile in _tiles_but(at.state, breaker)]
        elif jump_of(guide):
            found.append(guide)
    return found


_BY_CARD: dict[str, Callable[[CardSituation], Sequence[str]]] = {
    "return_to_hq": _of_return_to_hq,
    "join_me": _of_join_me,
    "tag_along": _of_tag_along,
    "desperate_grab": _of_desperate_grab,
    "near_yet_far": _of_near_yet_far,
    "double_time": _of_double_time,
    "back_it_up": _of_back_it_up,
    "quantum_leap": _of_quantum_leap,
    "crash_a_gate": _of_crash_a_gate,
    "on_the_move": _of_on_the_move,
    "shut_and_run": _of_shut_and_run,
}

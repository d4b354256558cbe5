"""Why an action is not legal: the number of the rule, and a sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from chronotable_host.language import tr
from chronotable_night.games.interface import IllegalActionError, State
from chronotable_night.games.timebreaker.cards import STOP_TIME, directions_of, jump_of
from chronotable_night.games.timebreaker.data import Data
from chronotable_night.games.timebreaker.legal import without
from chronotable_night.games.timebreaker.names import card_name, tile_name
from chronotable_night.games.timebreaker.plays import arguments, cards_left

Reason = tuple[str, str]


def refusal(data: Data, state: State, seat: int, action: str) -> IllegalActionError:
    """Return why a seat may not do what is not legal now."""
    verb, *words = action.split(" ")
    if state["phase"] == "over":
        return IllegalActionError("B19", tr("The game is over."))
    if seat != state["to_act"]:
        return IllegalActionError(*_not_asked(state))
    if state["phase"] != "main":
        return IllegalActionError(*_in_phase(data, state, seat, verb, words))
    return IllegalActionError(*_in_main(data, state, seat, verb, words))


def _not_asked(state: State) -> Reason:
    if state["phase"] == "window":
        return "B24", tr("Another player is asked now whether to stop time.")
    return "B3", tr("Another player decides now.")


def _in_phase(data: Data, state: State, seat: int, verb: str, words: Sequence[str]) -> Reason:
    phase = state["phase"]
    if phase == "window":
        if verb == "stop":
            return "B21", no_stop_time()
        return "B24", tr("Now the question is only whether you stop time or let it pass.")
    if verb == "arrest":
        return "B16", _no_arrest(state, seat)
    if phase == "leap":
        if words[:1] == [STOP_TIME]:
            return "B11", tr("A Stop Time cannot be taken along on a Quantum Leap.")
        return "B11", tr("Choose a card of your hand for the Quantum Leap.")
    if phase == "order":
        return "B11", tr("Choose which card of the Quantum Leap comes first.")
    if phase == "second":
        return "B10", tr("Follow a green arrow of the tile you have come to: the second of two.")
    if verb == "play" and words[:1] == state["queue"][:1]:
        return why_not(data, state, words, state["hands"][seat])
    name = card_name(data, state["queue"][0])
    return "B3", tr("{card} lies open and has to be played now.", card=name)


def _in_main(data: Data, state: State, seat: int, verb: str, words: Sequence[str]) -> Reason:
    hand = state["hands"][seat]
    if verb == "follow":
        return "B3", tr("No green arrow of your tile leads there.")
    if verb == "wormhole" and not words and not cards_left(state):
        return "B4", tr("There is no card left to draw.")
    if verb == "arrest":
        return "B16", _no_arrest(state, seat)
    if verb == "stop":
        return "B21", tr("No card is being played that you could stop.")
    if verb == "dump":
        return "B6", _no_dump(state, hand, words)
    if verb != "play" or not words:
        return "B3", tr("Play a card, follow a green arrow or take the Wormhole.")
    if words[0] == STOP_TIME:
        return "B21", tr("Stop Time answers a card that another player plays.")
    if words[0] not in hand:
        return "B3", tr("You do not hold this card.")
    return why_not(data, state, words, without(hand, words[0]))


def why_not(data: Data, state: State, words: Sequence[str], hand: Sequence[str]) -> Reason:
    """Return why the active seat cannot play a card with these words; `hand` is the rest of it."""
    card, *targets = words
    if card == STOP_TIME:
        return "B21", tr("Stop Time answers a card that another player plays.")
    possible = bool(arguments(data, state, card, hand))
    here = state["pawns"][state["active"]]
    if directions_of(card):
        if possible:
            return "B7", tr("This Move goes one step in a direction of the card, past gaps.")
        return "B7", tr("No other tile lies in these directions.")
    if jump_of(card):
        if jump_of(card) == here:
            return "B8", tr("You stand on the tile of this Jump: choose any other tile.")
        name = tile_name(data, jump_of(card))
        return "B8", tr("This Jump leads to {tile} and nowhere else.", tile=name)
    if card == "crash_a_gate" and targets == [data.tra]:
        return "B20", tr("The TRA cannot be crashed.")
    return _RULES[card], _why_not_named(state, card, targets, possible)


_RULES = {
    **dict.fromkeys(("return_to_hq", "join_me", "tag_along", "desperate_grab"), "B10"),
    **dict.fromkeys(("near_yet_far", "double_time"), "B10"),
    "back_it_up": "B9",
    "quantum_leap": "B11",
    "crash_a_gate": "B12",
    "on_the_move": "B13",
    "shut_and_run": "B14",
}
"""The rule of each card with a name."""


def rule_of(card: str) -> str:
    """Return the number of the rule of a card."""
    if card == STOP_TIME:
        return "B21"
    return "B7" if directions_of(card) else "B8" if jump_of(card) else _RULES[card]


def _why_not_named(state: State, card: str, targets: Sequence[str], possible: bool) -> str:
    if card == "return_to_hq":
        if possible:
            return tr("Choose a player whose pawn is not on the TRA.")
        return tr("All pawns are on the TRA already.")
    if card == "join_me":
        return tr("All pawns are on your tile already.")
    if card == "tag_along":
        if possible:
            return tr("Choose another player whose pawn is not on your tile.")
        return tr("All pawns are on your tile already.")
    if card == "desperate_grab":
        return tr("You are on the tile of the Time Breaker already.")
    if card == "near_yet_far":
        return tr("Choose a tile one step from the Time Breaker, but not the one you stand on.")
    if card == "double_time":
        return tr("Choose a green arrow of your tile.")
    if card == "back_it_up":
        if possible:
            return tr("This card goes where the red arrow leads; there is nothing to choose.")
        return tr("Your tile has no red arrow.")
    if card == "quantum_leap":
        return tr("There is no card for the Quantum Leap, neither to draw nor in your hand.")
    if card == "crash_a_gate":
        return _no_crash(state, targets)
    if card == "on_the_move":
        return tr(
            "The Time Breaker moves along a green arrow of its tile, or as a Move or Jump says "
            "that you play with this card."
        )
    return tr("Choose a tile one step from the Time Breaker.")


def _no_crash(state: State, targets: Sequence[str]) -> str:
    if targets == [state["breaker"]]:
        return tr("The gate of the Time Breaker cannot be crashed with this card.")
    return tr("Choose a gate that is still there.")


def _no_dump(state: State, hand: Sequence[str], cards: Sequence[str]) -> str:
    if state["dumped"]:
        return tr("You have dumped Jumps in this turn already.")
    if Counter(cards) - Counter(hand):
        return tr("You do not hold all of these cards.")
    if not cards or any(jump_of(card) not in state["closed"] for card in cards):
        return tr("Only Jumps for crashed gates can be dumped.")
    return tr("The cards to be dumped are named in their order.")


def _no_arrest(state: State, seat: int) -> str:
    if state["arrest"] == "automatic":
        return tr("Arrests are automatic in this game.")
    if seat in state["declared"]:
        return tr("You have declared the arrest already; once holds for the whole game.")
    return tr("You are not on the tile of the Time Breaker.")


def no_stop_time() -> str:
    """Return why somebody without a Stop Time cannot stop time."""
    return tr("You hold no Stop Time.")

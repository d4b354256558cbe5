"""What a seat may know of a state, and states that would look the same to it."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from chronotable_night.games.interface import State
from chronotable_night.games.timebreaker.cards import STOP_TIME
from chronotable_night.games.timebreaker.course import guide_of
from chronotable_night.games.timebreaker.data import Data


def view_of(state: State, seat: int) -> State:
    """Return the state without what a seat may not know: chance, the deck, others' hands."""
    view = {field: value for field, value in state.items() if field != "rng"}
    view["deck"] = len(state["deck"])
    view["hands"] = [
        cards if holder == seat else len(cards) for holder, cards in enumerate(state["hands"])
    ]
    view["viewer"] = seat
    return view


def possible_state(data: Data, view: State, seat: int, chance: Random) -> State:
    """Return a state, drawn by chance, of which the seat has exactly this view.

    Cards that were seen go to a hand lie in it; all others that are nowhere to be seen are dealt.
    """
    known = [
        list(cards) if holder == seat else _known_cards(view, holder)
        for holder, cards in enumerate(view["hands"])
    ]
    unseen = Counter(data.cards)
    for cards in (*known, view["discard"], view["queue"], view["played"][:1]):
        unseen.subtract(cards)
    unseen[STOP_TIME] -= len(view["stops"])
    deck = sorted(unseen.elements())
    chance.shuffle(deck)
    if view["phase"] == "leap" and view["active"] != seat:
        _let_leap(known[view["active"]], deck)
    for holder, cards in enumerate(view["hands"]):
        if holder != seat:
            missing = cards - len(known[holder])
            known[holder] += deck[:missing]
            deck = deck[missing:]
    state: dict[str, Any] = {field: value for field, value in view.items() if field != "viewer"}
    state["hands"] = [sorted(cards) for cards in known]
    state["deck"] = deck
    state["rng"] = chance.getrandbits(64)
    return state


def _known_cards(view: State, holder: int) -> list[str]:
    """Return what everybody knows of a hand: cards that were shown, and the guide of a card."""
    cards = list(view["shown"][holder])
    guide = guide_of(view["played"])
    if guide and holder == view["active"] and guide not in cards and view["phase"] == "window":
        cards.append(guide)
    return cards


def _let_leap(known: list[str], deck: list[str]) -> None:
    """Give a hand that chooses a card for a Quantum Leap one that it can choose."""
    if all(card == STOP_TIME for card in known):
        at = next(number for number, card in enumerate(deck) if card != STOP_TIME)
        known.append(deck.pop(at))

"""What a seat may know of a state, and states that would look just so to it."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from chronotable_night.games.interface import SPECTATOR, State
from chronotable_night.games.timechase.acting import legal
from chronotable_night.games.timechase.cards import SUIT, cards_in_play, sorted_hand
from chronotable_night.games.timechase.row import suit_to_follow
from chronotable_night.games.timechase.setting_up import AT_INVARIANT, EVENT, EVENTS
from chronotable_night.games.timechase.words import CHOOSE

HIDDEN = "?"
"""What others read of a choice that is secret."""

_SPARE = 4
"""How many cards are never dealt."""


def view(state: State, seat: int) -> State:
    """Return what a seat may know."""
    seen = {key: value for key, value in state.items() if key != "rng"}
    seen["deck"] = len(state["deck"])
    seen["tokens"] = len(state["tokens"])
    seen["hands"] = [
        hand if owner == seat else len(hand) for owner, hand in enumerate(state["hands"])
    ]
    if state["secret"]:
        seen["secret"] = [
            [owner, text if owner == seat else HIDDEN] for owner, text in state["secret"]
        ]
    return seen


def unseen(state: State, seat: int) -> list[str]:
    """Return the cards of the game that a seat does not see, from a state or its view."""
    shown = {state["invariant"], *state["led"], *state["winning"], *state["discard"]}
    shown.update(card for _, card in state["played"])
    shown.update(text.removeprefix(f"{CHOOSE} ") for who, text in state["secret"] if who == seat)
    if seat != SPECTATOR:
        shown.update(state["hands"][seat])
    return [card for card in cards_in_play(state["players"]) if card not in shown]


def lacking(view: State) -> Mapping[int, str]:
    """Return the seats that have just shown, by not following it, that they lack a suit (H5)."""
    suit = suit_to_follow(view) if view["phase"] == EVENT else ""
    return {seat: suit for seat, card in view["played"] if SUIT[card] != suit}


def possible(view: State, seat: int, chance: Random) -> State:
    """Return a state, drawn by chance, that looks like the view to the seat it is of."""
    drawn: dict[str, Any] = {**view, "rng": chance.getrandbits(64)}
    cards = unseen(view, seat)
    chance.shuffle(cards)
    hands = list(view["hands"])
    is_choosing = view["phase"] == AT_INVARIANT
    wanted = {seat: hand for seat, hand in enumerate(hands) if isinstance(hand, int)}
    # first those who lack a suit are dealt cards of others, then everybody of what is left
    lack = lacking(view)
    for other in sorted(wanted, key=lambda other: other not in lack):
        fitting = [card for card in cards if SUIT[card] != lack.get(other)]
        hand = fitting[: wanted[other]]
        cards = [card for card in cards if card not in hand]
        hands[other] = sorted_hand(hand)
    drawn["hands"] = hands
    drawn["deck"] = [cards.pop() for _ in range(_SPARE)]
    tokens = [event for event in range(1, EVENTS + 1) if event not in view["timeline"]]
    if view["jumble"]:
        chance.shuffle(tokens)
    drawn["tokens"] = tokens
    drawn["secret"] = [
        [who, text if text != HIDDEN
         else f"{CHOOSE} {cards.pop()}" if is_choosing
         else chance.choice(legal(drawn, who))]
        for who, text in view["secret"]
    ]  # fmt: skip
    return drawn

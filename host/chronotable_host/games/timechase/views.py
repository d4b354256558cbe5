"""What a seat may know of a state, and states that would look just so to it."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from chronotable_host.games.interface import State
from chronotable_host.games.timechase.acting import legal
from chronotable_host.games.timechase.cards import SUIT, cards_in_play, sorted_hand
from chronotable_host.games.timechase.row import suit_to_follow
from chronotable_host.games.timechase.setting_up import AT_INVARIANT, EVENT, EVENTS
from chronotable_host.games.timechase.words import CHOOSE

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


def unseen(view: State) -> list[str]:
    """Return the cards of the game that a view does not show."""
    shown = {view["invariant"], *view["led"], *view["winning"], *view["discard"]}
    shown.update(card for _, card in view["played"])
    shown.update(text.removeprefix(f"{CHOOSE} ") for _, text in view["secret"])
    for hand in view["hands"]:
        if not isinstance(hand, int):
            shown.update(hand)
    return [card for card in cards_in_play(view["players"]) if card not in shown]


def lacking(view: State) -> Mapping[int, str]:
    """Return the seats that have just shown, by not following it, that they lack a suit (H5)."""
    suit = suit_to_follow(view) if view["phase"] == EVENT else ""
    return {seat: suit for seat, card in view["played"] if SUIT[card] != suit}


def possible(view: State, chance: Random) -> State:
    """Return a state, drawn by chance, that looks like the view to whom it is of."""
    drawn: dict[str, Any] = {**view, "rng": chance.getrandbits(64)}
    cards = unseen(view)
    chance.shuffle(cards)
    hands = list(view["hands"])
    is_choosing = view["phase"] == AT_INVARIANT
    wanted = {seat: hand for seat, hand in enumerate(hands) if isinstance(hand, int)}
    # first those who lack a suit are dealt cards of others, then everybody of what is left
    lack = lacking(view)
    for seat in sorted(wanted, key=lambda seat: seat not in lack):
        fitting = [card for card in cards if SUIT[card] != lack.get(seat)]
        hand = fitting[: wanted[seat]]
        cards = [card for card in cards if card not in hand]
        hands[seat] = sorted_hand(hand)
    drawn["hands"] = hands
    drawn["deck"] = [cards.pop() for _ in range(_SPARE)]
    tokens = [event for event in range(1, EVENTS + 1) if event not in view["timeline"]]
    if view["jumble"]:
        chance.shuffle(tokens)
    drawn["tokens"] = tokens
    drawn["secret"] = [
        [seat, text if text != HIDDEN
         else f"{CHOOSE} {cards.pop()}" if is_choosing
         else chance.choice(legal(drawn, seat))]
        for seat, text in view["secret"]
    ]  # fmt: skip
    return drawn

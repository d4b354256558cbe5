"""What a seat may know of a state, and states that look the same to it."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from chronotable_night.games.interface import State
from chronotable_night.games.timemit.box import DECKS, CardBox
from chronotable_night.games.timemit.table import SEATS, can_recall, descending, size, without


def view_of(state: State, seat: int) -> dict[str, Any]:
    """Return what a seat, or the SPECTATOR, may know."""
    seen = {key: value for key, value in state.items() if key != "rng"}
    decks, opened, lane = state["decks"], state["open"], state["lane"]
    seen["powers"], seen["events"] = len(state["powers"]), len(state["events"])
    seen["decks"] = [len(deck) for deck in decks]
    seen["open"] = [decks[s][: opened[s]] for s in SEATS]
    seen["peeked"] = [
        decks[s][opened[s] : opened[s] + state["peeked"][s]] if s == seat else state["peeked"][s]
        for s in SEATS
    ]
    seen["kronos"] = [hand if s == seat else len(hand) for s, hand in enumerate(state["kronos"])]
    seen["answers"] = [text if s == seat else "" for s, text in enumerate(state["answers"])]
    seen["bids"] = [
        bids
        if s == seat
        else [laid if at == lane else len(laid) for at, laid in enumerate(bids, 1)]
        for s, bids in enumerate(state["bids"])
    ]
    return seen


def is_view(state: State) -> bool:
    """Tell a view from a state."""
    return "rng" not in state


def possible_state(box: CardBox, view: State, seat: int, chance: Random) -> dict[str, Any]:
    """Return a state drawn by chance that gives a seat this view.

    What a seat has seen and the view does not repeat is not used: unseen starting cards lie in the
    deck that they began in as far as they fit, unseen power cards anywhere.
    """
    found = dict(view)
    unseen = _unseen(box, view)
    hidden = [_hidden_in_deck(view, s) for s in SEATS]
    buried = [unseen["nora"][: hidden[0]], unseen["aron"][: hidden[1]]]
    rest = unseen["nora"][hidden[0] :] + unseen["aron"][hidden[1] :]
    for cards in unseen.values():
        chance.shuffle(cards)
    found["powers"] = unseen["power"][: view["powers"]]
    rest += unseen["power"][view["powers"] :]
    chance.shuffle(rest)
    for s in SEATS:
        short = hidden[s] - len(buried[s])
        buried[s] += rest[:short]
        rest = rest[short:]
        chance.shuffle(buried[s])
    looked = [cards if isinstance(cards, list) else [] for cards in view["peeked"]]
    found["decks"] = [[*view["open"][s], *looked[s], *buried[s]] for s in SEATS]
    found["open"] = [len(cards) for cards in view["open"]]
    found["peeked"] = [size(cards) for cards in view["peeked"]]
    gone = {*view["removed"], *view["row"]}
    events = [number for number in box.events if number not in gone]
    found["events"] = chance.sample(events, view["events"])
    found["kronos"], found["bids"] = list(view["kronos"]), list(view["bids"])
    for s in SEATS:
        if s != seat:
            found["kronos"][s], found["bids"][s] = _dealt(box, view, s, chance)
    found["answers"] = [
        view["answers"][s] if s == seat else _answered(view, s, chance) for s in SEATS
    ]
    found["rng"] = chance.getrandbits(64)
    return found


def _hidden_in_deck(view: State, seat: int) -> int:
    looked = view["peeked"][seat]
    known = len(looked) if isinstance(looked, list) else 0
    return int(view["decks"][seat] - len(view["open"][seat]) - known)


def _unseen(box: CardBox, view: State) -> dict[str, list[int]]:
    """Return the power cards that a view does not show, by the decks that they began in."""
    seen = {*view["removed"], *view["row"]}
    for key in ("open", "discards", "revealed", "won", "peeked"):
        for cards in view[key]:
            seen.update(cards if isinstance(cards, list) else ())
    unseen = {deck: box.starting(deck) for deck in DECKS}
    return {deck: [card for card in cards if card not in seen] for deck, cards in unseen.items()}


def _dealt(
    box: CardBox, view: State, seat: int, chance: Random
) -> tuple[list[int], list[list[int]]]:
    """Return a hand and bids of another seat, drawn by chance."""
    known = [value for laid in view["bids"][seat] if isinstance(laid, list) for value in laid]
    left = without(without(box.kronos, view["spent"][seat]), known)
    chance.shuffle(left)
    bids: list[list[int]] = []
    for laid in view["bids"][seat]:
        number = 0 if isinstance(laid, list) else laid
        bids.append(laid if isinstance(laid, list) else descending(left[:number]))
        left = left[number:]
    return descending(left), bids


def _answered(view: State, seat: int, chance: Random) -> str:
    """Return a hidden answer of another seat, "" if it has given none."""
    if not 0 <= seat < view["turn"]:
        return ""  # seat 0 answers first
    answers: Sequence[str] = ()
    if view["ask"] == "draw" and view["in_combat"][seat]:
        answers = ("draw", "stop")
    elif view["ask"] == "recall" and can_recall(view, seat):
        answers = ("recall", "wait")
    return chance.choice(answers) if answers else ""

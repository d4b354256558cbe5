"""Playing by rules of thumb, from what a seat may know.

Everything is weighed in one unit: an event is worth 1. The weights were tried out in whole games.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import cache
from math import exp
from random import Random
from typing import NamedTuple

from chronotable_night.games.interface import NOBODY, State
from chronotable_night.games.timechase.acting import (
    allowed,
    best,
    higher_led_card,
    legal,
    moved,
    unseen,
)
from chronotable_night.games.timechase.state import (
    AT_INVARIANT,
    ENOUGH,
    EVENT,
    EVENTS,
    HIGHEST,
    INVARIANT,
    MOVE,
    NO_CARD,
    SUIT,
    SUITS,
    VALUE,
    is_last_round,
    leader,
    outcome,
    place,
    rank,
    reached,
    still_to_play,
    suit_to_follow,
    there,
)
from chronotable_night.games.timechase.words import CHOOSE, PLAY

THIRD = 4.0
"""A third event, which ends the game."""
STOPPING = 1.5
"""Keeping a third event from another."""
GUARDING = 0.3
"""An own event that is won once more."""
FUEL = 0.1
"""A piece of fuel, as long as there is a round to spend it in."""
UNDOING = 0.3
"""A foreign event that becomes easy to take."""
VISITING = 0.45
"""A suit of which the hand has more becomes the strongest, for each card's worth of it more."""
MUCH = 4
"""Fuel to which more adds half as much."""

_FOLLOWS = 0.85
"""How likely a player who could beat a card does so."""
_STAYS = 0.8
"""How likely another player stays in the present."""
_VISITS = 0.15
"""How likely another player comes to the same past event."""


def sensible(seen: State, seat: int, chance: Random) -> str:
    """Return a good action; of a whole state nothing is read but what the seat's view has."""
    only, *others = found = candidates(seen, seat)
    if not others:
        return only
    weights = _WEIGH.get(seen["phase"], _weigh_moves)(seen, seat)
    return max(found, key=lambda action: weights[action] + chance.random() / 1000)


def candidates(seen: State, seat: int, _chance: object = None) -> list[str]:
    """Return what is worth a thought: most of what is legal.

    Nobody spends fuel on the way to an event that no card of the hand can win, nor throws a card
    away where a lower one of its suit is lost as well.
    """
    found = legal(seen, seat)
    if seen["phase"] == MOVE:
        return [each for each in found if _can_win_at(seen, seat, reached(seen, moved(each)))]
    _, winning = best(seen) if seen["phase"] == EVENT else (NOBODY, NO_CARD)
    if winning == NO_CARD:
        return found
    led_suit, trump = suit_to_follow(seen), SUIT[seen["invariant"]]
    mark = rank(winning, led_suit, trump)
    lost: set[str] = set()  # suits of which the lowest card that is lost has been seen
    kept = []
    for card in allowed(seen, seat):  # by suit, ascending
        if rank(card, led_suit, trump) <= mark:
            if SUIT[card] in lost:
                continue
            lost.add(SUIT[card])
        kept.append(f"{PLAY} {card}")
    return kept


def _can_win_at(seen: State, seat: int, location: int) -> bool:
    """Tell whether a hand has a card for what is at a location (H5, H9)."""
    return location in (seen["present"], INVARIANT) or bool(_winning_there(seen, seat, location))


def _winning_there(seen: State, seat: int, event: int) -> list[str]:
    """Return the cards of a hand that may be played at a past event and beat what lies there."""
    index = place(seen, event)
    led_suit, trump = SUIT[seen["led"][index]], SUIT[seen["invariant"]]
    mark = rank(seen["winning"][index], led_suit, trump)
    hand = seen["hands"][seat]
    following = [card for card in hand if SUIT[card] == led_suit] or hand
    return [card for card in following if rank(card, led_suit, trump) > mark]


# ---- cards


def _weigh_plays(seen: State, seat: int) -> Mapping[str, float]:
    hidden, event = _hidden(seen, seat), seen["at"]
    owner, winning = best(seen)
    trump = SUIT[seen["invariant"]]
    left = still_to_play(seen)[1:]
    is_mine = seen["control"][place(seen, event)] == seat
    prize = GUARDING if is_mine else _prize(seen, seat)
    if owner not in (seat, NOBODY) and _needs_one(seen, owner):
        is_new = seen["control"][place(seen, event)] != owner
        prize += STOPPING if is_new else STOPPING / 3
    weights = {}
    for card in allowed(seen, seat):
        led_suit = suit_to_follow(seen) or SUIT[card]
        strength = rank(card, led_suit, trump)
        beats = winning == NO_CARD or strength > rank(winning, led_suit, trump)
        wins = _survives(seen, hidden, card, led_suit) ** len(left) if beats else 0.0
        fuel = _fuel(seen, seat) if higher_led_card(seen, card) else 0.0
        weights[f"{PLAY} {card}"] = wins * prize + fuel - _price(seen, card)
    return weights


def _prize(seen: State, seat: int) -> float:
    """Return what an event more is worth to a seat."""
    return THIRD if _needs_one(seen, seat) else 1.0


def _needs_one(seen: State, seat: int) -> bool:
    return bool(seen["control"].count(seat) == ENOUGH - 1)


def _fuel(seen: State, seat: int) -> float:
    """Return what a piece of fuel is worth: the less, the more there is."""
    return 0.0 if is_last_round(seen) else FUEL / (1 + seen["fuel"][seat] / MUCH)


def _price(seen: State, card: str) -> float:
    """Return what a card would be worth later."""
    if is_last_round(seen):
        return 0.0
    high = VALUE[card] / HIGHEST
    return 0.25 + 0.3 * high if SUIT[card] == SUIT[seen["invariant"]] else 0.3 * high * high


class _Hidden(NamedTuple):
    """The cards that a seat does not see: how many, and their values by suit, ascending."""

    total: int
    values: Mapping[str, Sequence[int]]


def _hidden(seen: State, seat: int) -> _Hidden:
    values: dict[str, list[int]] = {suit: [] for suit in SUITS}
    cards = unseen(seen, seat)
    for card in cards:
        values[SUIT[card]].append(VALUE[card])
    return _Hidden(len(cards), values)


@cache
def _lacks(count: int, total: int, size: int) -> float:
    """Return how likely none of so many cards is in a hand of some size, of so many unseen."""
    return max(0.0, 1 - count / total) ** size


def _survives(seen: State, hidden: _Hidden, card: str, led_suit: str) -> float:
    """Return how likely one other player, who plays later, does not beat a card."""
    trump, suit, value = SUIT[seen["invariant"]], SUIT[card], VALUE[card]
    if suit not in (trump, led_suit):
        return 0.0
    if not hidden.total:
        return 1.0
    total, size = hidden.total, max(1, EVENTS + 1 - seen["round"])
    values = hidden.values[suit]
    higher = len(values) - bisect_right(values, value)
    if suit == led_suit:
        beaten = 1 - _lacks(higher, total, size)
        higher = len(hidden.values[trump]) if trump and trump != led_suit else 0
    else:
        beaten = 0.0
    if higher and trump != led_suit:
        is_free = _lacks(len(hidden.values[led_suit]), total, size)
        beaten += is_free * (1 - _lacks(higher, total, size))
    return 1 - min(1.0, beaten) * _FOLLOWS


def _weigh_invariants(seen: State, seat: int) -> Mapping[str, float]:
    hand = seen["hands"][seat]
    others = len(there(seen, INVARIANT)) - 1
    hidden = unseen(seen, seat)
    size: int = max(1, EVENTS + 1 - seen["round"])
    weights = {}
    for card in hand:
        ours = sum(VALUE[each] / HIGHEST for each in hand if SUIT[each] == SUIT[card])
        equal = sum(VALUE[each] >= VALUE[card] for each in hidden)
        highest = (1 - equal / max(1, len(hidden))) ** min(size, 3) if others else 1.0
        gain = 0.35 * (ours - VALUE[card] / HIGHEST) * highest**others
        weights[f"{CHOOSE} {card}"] = gain - 0.3 * (VALUE[card] / HIGHEST) ** 2
    return weights


# ---- moves


def _weigh_moves(seen: State, seat: int) -> Mapping[str, float]:
    hidden = _hidden(seen, seat)
    weights = {}
    for action in candidates(seen, seat):
        steps = moved(action)
        location = reached(seen, steps)
        if location == seen["present"]:
            weight = _weigh_present(seen, seat, hidden)
        elif location == INVARIANT:
            weight = _weigh_visit(seen, seat)
        else:
            weight = _weigh_past(seen, seat, location, hidden)
        weights[action] = weight - abs(steps) * _fuel(seen, seat)
    return weights


def _is_urgent(seen: State, seat: int) -> bool:
    """Tell whether another seat needs one event more."""
    control = seen["control"]
    return any(control.count(other) == ENOUGH - 1 for other in {*control} - {seat, NOBODY})


def _weigh_present(seen: State, seat: int, hidden: _Hidden) -> float:
    """Return what staying is worth: who leads chooses the suit, others have to follow any."""
    rivals: float = (seen["players"] - 1) * _STAYS
    prize = _prize(seen, seat) + STOPPING / 2 * _is_urgent(seen, seat)
    hand, trump = seen["hands"][seat], SUIT[seen["invariant"]]

    def gains(cards: Sequence[str], led_suit: str = "") -> list[float]:
        return [
            prize * _survives(seen, hidden, card, led_suit or SUIT[card]) ** rivals
            - _price(seen, card)
            for card in cards
        ]

    if leader(seen, seen["present"], range(seen["players"])) == seat:
        hopes = gains(hand)
        gain = 0.6 * max(hopes) + 0.4 * sum(hopes) / len(hopes)
    else:
        gain = 0.0
        for suit, values in hidden.values.items():
            able = [card for card in hand if SUIT[card] == suit]
            able = able or [card for card in hand if SUIT[card] == trump]
            gain += max([0.0, *gains(able, suit)]) * len(values) / max(1, hidden.total)
    return gain + _fuel(seen, seat) / 2


def _weigh_past(seen: State, seat: int, event: int, hidden: _Hidden) -> float:
    index = place(seen, event)
    led_suit, owner = SUIT[seen["led"][index]], seen["control"][index]
    prize = GUARDING if owner == seat else _prize(seen, seat)
    if owner != seat and _needs_one(seen, owner):
        prize += STOPPING
    rivals: float = (seen["players"] - 1) * _VISITS
    hopes: list[float] = [
        prize * _survives(seen, hidden, card, led_suit) ** rivals - _price(seen, card)
        for card in _winning_there(seen, seat, event)
    ]
    return max(hopes)


def _weigh_visit(seen: State, seat: int) -> float:
    """Return what another invariant is worth: a suit of which the hand has much, old ones undone.

    A card that won by the suit of the invariant is weak once that is another (H10). It comes too
    late where somebody may win meanwhile.
    """
    if EVENTS - seen["round"] < 2 or _is_urgent(seen, seat):
        return 0.0
    hand, trump = seen["hands"][seat], SUIT[seen["invariant"]]
    held = {suit: sum(VALUE[c] / HIGHEST for c in hand if SUIT[c] == suit) for suit in SUITS}
    rows = zip(seen["control"], seen["led"], seen["winning"], strict=True)
    undone = sum(
        -1 if owner == seat else 1
        for owner, led, winning in rows
        if trump and SUIT[winning] == trump != SUIT[led]
    )
    more: float = max(held.values()) - 1 - held.get(trump, 0.0)
    return VISITING * more + UNDOING * undone


_WEIGH = {EVENT: _weigh_plays, AT_INVARIANT: _weigh_invariants}


# ---- how well somebody stands


def worth(state: State, seat: int) -> float:
    """Return how well a seat stands in a whole state, 0 to 1; all seats share 1.

    The weights were fitted to who won 4,000 games of four by these rules of thumb. Fuel left over
    told nothing of it; how many cards in the others' hands beat what one has told most. That three
    events win is known, not fitted.
    """
    ended = outcome(state)
    if ended is not None:
        return float(seat in ended.winners)
    stands = [exp(each) for each in _standings(state)]
    return stands[seat] / sum(stands)


def _standings(state: State) -> list[float]:
    trump, hands = SUIT[state["invariant"]], state["hands"]
    late = state["round"] / EVENTS
    stands = [sum(_in_hand(card, trump, late) for card in hand) for hand in hands]
    had = [0] * len(stands)
    for number, (owner, led, winning) in enumerate(_owned(state)):
        if owner == NOBODY:
            continue
        led_suit = SUIT[led]
        mark = rank(winning, led_suit, trump)
        beating = sum(
            rank(card, led_suit, trump) > mark
            for seat, hand in enumerate(hands)
            if seat != owner
            for card in hand
        )
        stands[owner] += 1 / (1 + beating) + 0.45 * late
        if not had[owner]:
            stands[owner] += late**4 / (1 + number)
        had[owner] += 1
        if had[owner] == ENOUGH:
            stands[owner] += THIRD
    return stands


def _in_hand(card: str, trump: str, late: float) -> float:
    high = VALUE[card] / HIGHEST
    return 0.7 * late + 0.45 * high if SUIT[card] == trump else 0.6 * high**3


def _owned(state: State) -> list[tuple[int, str, str]]:
    """Return who controls each event by which cards, as if nobody played any more where some do."""
    rows = list(zip(state["control"], state["led"], state["winning"], strict=True))
    if state["played"]:
        index = place(state, state["at"])
        owner, winning = best(state)
        rows[index] = owner, state["led"][index] or state["played"][0][1], winning
    return rows

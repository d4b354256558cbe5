"""Rules of thumb: what effects are worth, what to bid, when to stop. All from a seat's view.

The unit is a space of the ship. The weights were found by playing seeds against each other.
"""

from collections.abc import Callable, Mapping, Sequence
from math import exp
from random import Random
from typing import Any

from chronotable_night.games.interface import State, size
from chronotable_night.games.timemit import actions, effects
from chronotable_night.games.timemit.box import CardBox
from chronotable_night.games.timemit.parts import numbers_of
from chronotable_night.games.timemit.rounds import ROUNDS, endgame_sum
from chronotable_night.games.timemit.table import (
    EVENT_LANE,
    LANES,
    MOST_TRIANGLES,
    RECALL_BACK,
    TOWARDS,
    AskedSeat,
    amount_of,
    bid_text,
    can_recall,
    known_top,
    paradox_colours,
    total,
    without,
)

_KRONOS = 0.05
"""What a spent Kronos of value 1 is worth: a recall costs some six spaces and brings a hundred."""
_SOONER = 0.25
"""What one more card is worth besides what it does."""
_LITTLE = 0.5
"""What is worth no more is not bid on."""
_WON = 20.0
"""What it is worth to bring the ship home, more than any card is."""
_NEAR = 8
"""So many spaces from the other's goal each one that is lost counts twice."""
_BOLDNESS = (0.6, 1.0, 1.6, 2.4)
"""By how much `candidates` bids more or less than the rule of thumb."""
_MOST_CANDIDATES = 12
_SLOPE = 0.28


def sensible(box: CardBox, view: State, seat: int, chance: Random) -> str:
    """Return a good action for the seat that decides."""
    asked = AskedSeat(box, view, seat)
    if view["ask"] == "bid":
        if can_recall(view, seat) and _is_safe(asked) and _pays(asked):
            return actions.RECALL
        return _bid_of(asked, chance, 1.0)
    return _ANSWERS[view["ask"]](asked)


def candidates(box: CardBox, view: State, seat: int, chance: Random) -> list[str]:
    """Return actions to compare: all, or some, among them what is sensible."""
    legal = actions.legal(box, view, seat)
    if legal is None:
        asked = AskedSeat(box, view, seat)
        found = [_bid_of(asked, chance, boldness) for boldness in _BOLDNESS]
        found += [bid_text(_scattered(view["kronos"][seat], chance)) for _ in range(2)]
        found.append(bid_text([]))
        found += [actions.RECALL] if can_recall(view, seat) else []
    elif len(legal) > _MOST_CANDIDATES:
        found = [sensible(box, view, seat, chance), *chance.sample(legal, _MOST_CANDIDATES - 1)]
    else:
        found = legal
    return list(dict.fromkeys(found))


def worth(box: CardBox, state: State, seat: int) -> float:
    """Return how well a seat stands in a whole state, 0 lost to 1 won."""
    if state["phase"] == "over":
        winners = state["winners"]
        return 0.5 if not winners else float(seat in winners)
    ahead, kronos = 0.0, _KRONOS * (state["round"] < ROUNDS)
    for who, sign in ((seat, 1), (1 - seat, -1)):
        move, _ = endgame_sum(box, state, who)
        bids = sum(map(sum, state["bids"][who]))
        ahead += sign * (
            state["ship"] * TOWARDS[who] / 2
            + 0.5 * move * TOWARDS[who]
            + kronos * (sum(state["kronos"][who]) + bids)
            - _triangle(state["triangles"][who], state["round"]) * state["triangles"][who] / 2
        )
    return 1 / (1 + exp(-_SLOPE * ahead))


# ---- what things are worth


def _triangle(have: int, rounds: int) -> float:
    """Return what one more triangle costs who has so many; after the last round they break ties."""
    if have >= MOST_TRIANGLES - 1:
        return 100.0
    return 1.5 + 0.8 * have if rounds < ROUNDS else 0.1


def _effect(asked: AskedSeat, effect: effects.Effect) -> float:
    return sum(_PARTS[type(part)](asked, part) for part in effect if type(part) in _PARTS)


def _ship(asked: AskedSeat, part: effects.Ship) -> float:
    box, view, seat = asked
    return part.sign * amount_of(box, view, seat, part.amount)


def _triangles(asked: AskedSeat, part: effects.Triangles) -> float:
    _, view, seat = asked
    have, now = view["triangles"][seat if part.own else 1 - seat], view["round"]
    if part.change < 0:
        return _triangle(have - 1, now) if have else 0.0
    return -_triangle(have, now) if part.own else _triangle(have, now)


def _fetch(asked: AskedSeat, part: effects.Fetch) -> float:
    _, view, seat = asked
    spent = view["spent"][seat]
    return _KRONOS * sum(value for value in {*part.values} if value in spent)


def _take(asked: AskedSeat, part: effects.Take) -> float:
    _, view, seat = asked
    taken: list[int] = view["spent"][seat][: part.number]
    return _KRONOS * sum(taken)


_PARTS: Mapping[type, Callable[[AskedSeat, Any], float]] = {
    effects.Ship: _ship,
    effects.Triangles: _triangles,
    effects.Fetch: _fetch,
    effects.Take: _take,
    effects.Spend: lambda _asked, part: -0.1 * part.number,
    effects.Remove: lambda _asked, part: 0.0 if part.exactly else 0.6,
    effects.Choose: lambda asked, part: max(_effect(asked, branch) for branch in part.branches),
}
"""What parts are worth to their owner; those that are missing, nothing to speak of."""


def _in_deck(asked: AskedSeat, number: int) -> float:
    """Return what a card in the own deck is worth for the rest of the game."""
    box, view, _ = asked
    card = box.cards[number]
    left: int = ROUNDS - view["round"]
    end = _effect(asked, card.endgame) * (0.5 if left > 2 else 0.9)
    if not left:
        return end
    drawn = 1.0 + 0.15 * left
    adds = 0.15 * card.adds
    many = max(0, sum(card.symbols.values()) - 1)
    return drawn * (_effect(asked, card.combat) + adds - 0.4 * many) + end


def _prize(asked: AskedSeat, lane: int) -> float:
    """Return what winning a lane is worth."""
    box, view, _ = asked
    rival = asked._replace(seat=1 - asked.seat)
    number = view["row"][lane - 1]
    effect = box.effect_of(number)
    prize = _effect(asked, effect) + _at_the_ends(asked, effect)
    if lane == EVENT_LANE:
        return prize
    if any(
        isinstance(part, effects.Goes) and part.where == effects.OTHER_DISCARD for part in effect
    ):
        return prize - _in_deck(rival, number)
    return prize + _in_deck(asked, number)


def _at_the_ends(asked: AskedSeat, effect: effects.Effect) -> float:
    """Return what the ends of the track add to the worth of an effect that moves the ship now."""
    box, view, seat = asked
    steps = sum(_ship(asked, part) for part in effect if isinstance(part, effects.Ship))
    after = view["ship"] * TOWARDS[seat] + steps
    if after >= box.length:
        return _WON
    if after <= -box.length:
        return -_WON
    return min(0.0, after + box.length - _NEAR) if steps < 0 else 0.0


# ---- draw, stop, recall


def _next_card(asked: AskedSeat) -> float:
    """Return what drawing one more card is worth on the average."""
    box, view, seat = asked
    coming = _coming(asked)
    revealed = view["revealed"][seat]
    price = 1.0 + _triangle(view["triangles"][seat], view["round"])
    gains = 0.0
    for number in coming:
        gains += _effect(asked, box.cards[number].combat)
        # who draws comes sooner to the cards that were won, and to their options for bids
        gains += -price if paradox_colours(box, [*revealed, number]) else _SOONER
    return gains / len(coming) if coming else 0.0


def _coming(asked: AskedSeat) -> Sequence[int]:
    """Return the cards among which the next one is, as far as the view tells."""
    box, view, seat = asked
    known = known_top(view, seat)
    if known is not None:
        return [known]
    if not size(view["decks"][seat]):
        return list(view["discards"][seat])
    seen = {*view["removed"], *view["revealed"][seat]}
    seen.update(*view["discards"])
    return [card for card in box.starting(("nora", "aron")[seat]) if card not in seen]


def _is_safe(asked: AskedSeat) -> bool:
    """Tell whether a recall loses neither the game nor most of the way."""
    box, view, seat = asked
    after = view["ship"] * TOWARDS[seat] - RECALL_BACK
    return bool(view["triangles"][seat] < MOST_TRIANGLES - 2 and after > -box.length + 2)


def _pays(asked: AskedSeat) -> bool:
    """Tell whether a recall brings back its price: in the last round that is what it wins then."""
    box, view, seat = asked
    if view["round"] < ROUNDS:
        return True
    rival = asked._replace(seat=1 - seat)
    prizes = sum(max(_prize(who, lane), 0.0) for who in (asked, rival) for lane in LANES)
    mine, theirs = sum(box.kronos), sum(without(box.kronos, view["spent"][rival.seat]))
    price = RECALL_BACK + _triangle(view["triangles"][seat], ROUNDS)
    return prizes * mine / (mine + theirs) > price


# ---- bids


def _bid_of(asked: AskedSeat, chance: Random, boldness: float) -> str:
    """Return a bid: for each lane, the dearest first, Kronos of about its price.

    Who bids second first takes what the other left alone, as far as that is cheap, and lays
    nothing where even all that is left would lose.
    """
    box, view, seat = asked
    other, rival = 1 - seat, asked._replace(seat=1 - asked.seat)
    hand = list(view["kronos"][seat])
    bid: list[list[int]] = [[], [], [], []]
    prizes = {lane: _prize(asked, lane) for lane in LANES}
    rounds = ROUNDS - view["round"] + 1
    price = boldness * sum(hand) / (8.0 + 4.0 * rounds)
    first = view["placed"][other] == 0
    free = [lane for lane in LANES if not first and not size(view["bids"][other][lane - 1])]
    _take_free(asked, free, prizes, hand, bid, sum(hand) / 2)
    adds = sum(box.cards[card].adds for card in view["revealed"][seat])
    contested = [lane for lane in LANES if lane not in free]
    for lane in contested:
        prizes[lane] += 0.6 * max(_prize(rival, lane), 0.0)
    for lane in sorted(contested, key=lambda lane: -prizes[lane]):
        least, _ = _reach(asked, lane)
        if prizes[lane] <= _LITTLE or not hand or sum(hand) + adds <= least:
            continue
        wanted = prizes[lane] * price * chance.uniform(0.7, 1.4)
        while hand and wanted > 0:
            value = min(hand, key=lambda value: abs(value - wanted))
            if bid[lane - 1] and value > 2 * wanted:
                break
            hand.remove(value)
            bid[lane - 1].append(value)
            wanted -= value
        if rounds == 1:  # Kronos are good for nothing later
            bid[lane - 1] += hand
            hand = []
        hand += _surplus(asked, lane, bid[lane - 1], hand)
    _take_free(asked, free, prizes, hand, bid, sum(hand))
    return bid_text(bid)


def _take_free(
    asked: AskedSeat,
    free: Sequence[int],
    prizes: Mapping[int, float],
    hand: list[int],
    bid: list[list[int]],
    dearest: float,
) -> None:
    """Lay one Kronos, the smallest that wins, on what the other left alone and is worth it."""
    spent = 0.0 if asked.state["round"] == ROUNDS else _KRONOS
    for lane in sorted(free, key=lambda lane: -prizes[lane]):
        _, most = _reach(asked, lane)
        value = min((each for each in hand if each > most), default=0)
        is_worth_it = prizes[lane] > max(_LITTLE, spent * value)
        if value and value <= dearest and is_worth_it and not bid[lane - 1]:
            hand.remove(value)
            bid[lane - 1].append(value)


def _reach(asked: AskedSeat, lane: int) -> tuple[int, int]:
    """Return the least and the most that the other may bring to a lane.

    What Kronos the other has is public, and how many lie where once he has bid.
    """
    box, view, seat = asked
    other = 1 - seat
    theirs = without(box.kronos, view["spent"][other])
    number = size(view["bids"][other][lane - 1]) if view["placed"][other] else len(theirs)
    options = [bid for card in view["revealed"][other] if (bid := box.cards[card].bid)]
    most = sum(theirs[:number]) + sum(bid.adds for bid in options if number or bid.alone)
    return sum(theirs[len(theirs) - number :]) if view["placed"][other] else 0, most


def _surplus(asked: AskedSeat, lane: int, laid: list[int], hand: list[int]) -> list[int]:
    """Take away from a bid what it does not need to win for sure, and return that.

    A smaller Kronos of the hand takes the place of a larger one where it does.
    """
    _, most = _reach(asked, lane)
    spare = []
    for value in sorted(laid, reverse=True):
        needed = most - (sum(laid) - value)
        if needed < 0:
            laid.remove(value)
            spare.append(value)
            continue
        smaller = min((each for each in hand if needed < each < value), default=0)
        if smaller:
            laid[laid.index(value)] = smaller
            hand.remove(smaller)
            spare.append(value)
    return spare


def _scattered(hand: Sequence[int], chance: Random) -> list[list[int]]:
    bid: list[list[int]] = [[], [], [], []]
    for value in hand:
        if chance.random() < 0.4:
            bid[chance.randrange(4)].append(value)
    return bid


def _answer_option(asked: AskedSeat) -> str:
    """Use the smallest card that wins, or all that together do; else pass."""
    box, view, seat = asked
    short = total(box, view, 1 - seat) - total(box, view, seat)
    lane = view["lane"]
    if short < 0 or _prize(asked, lane) <= 0:
        return "pass"
    uses = [action for action in _legal(asked) if action.startswith("use")]
    adds = {action: box.cards[numbers_of(action)[0]].adds for action in uses}
    if sum(adds.values()) <= short:
        return "pass"
    enough = [action for action in uses if adds[action] > short]
    return min(enough, key=adds.__getitem__) if enough else max(uses, key=adds.__getitem__)


def _answer_order(asked: AskedSeat) -> str:
    _, view, seat = asked
    won = sorted(view["won"][seat], key=lambda card: -_in_deck(asked, card))
    return f"order {','.join(map(str, won))}"


# ---- parts of effects


def _answer_choose(asked: AskedSeat) -> str:
    _, view, seat = asked
    branches = effects.branches_of(view["todo"][0][2])
    least = min((_in_deck(asked, card) for card in view["revealed"][seat]), default=0.0)
    values = [
        _effect(asked, branch)
        - sum(least for part in branch if isinstance(part, effects.Remove) and part.exactly)
        for branch in branches
    ]
    return f"choose {values.index(max(values)) + 1}"


def _legal(asked: AskedSeat) -> Sequence[str]:
    return actions.legal(*asked) or [""]


def _answer_remove(asked: AskedSeat) -> str:
    """Remove or give what is worth least, and nothing that is worth anything if it may stay."""
    _, view, seat = asked
    values = {card: _in_deck(asked, card) - 0.5 for card in view["revealed"][seat]}
    return min(_legal(asked), key=lambda action: sum(values[card] for card in numbers_of(action)))


def _answer_peek(asked: AskedSeat) -> str:
    box, view, seat = asked
    (card,) = _coming(asked)
    if view["phase"] == "combat" and paradox_colours(box, [*view["revealed"][seat], card]):
        return "discard"
    return "keep" if _in_deck(asked, card) > 0 else "discard"


_ANSWERS: Mapping[str, Callable[[AskedSeat], str]] = {
    "recall": lambda _asked: "wait",
    "draw": lambda asked: "draw" if _next_card(asked) > 0 else "stop",
    "option": _answer_option,
    "order": _answer_order,
    "choose": _answer_choose,
    **dict.fromkeys(("remove", "give"), _answer_remove),
    "peek": _answer_peek,
    "spend": lambda asked: _legal(asked)[-1],
    "take": lambda asked: _legal(asked)[0],
}

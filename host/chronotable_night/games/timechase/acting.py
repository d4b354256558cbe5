"""What a seat may do and why not, what it leads to, and what of that a seat knows."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any

from chronotable_host.language import tr
from chronotable_night.games.interface import (
    NOBODY,
    SPECTATOR,
    GameHappening,
    IllegalActionError,
    State,
)
from chronotable_night.games.timechase.state import (
    AT_INVARIANT,
    ENOUGH,
    EVENT,
    EVENTS,
    INVARIANT,
    MOVE,
    NO_CARD,
    NOWHERE,
    OVER,
    SUIT,
    SUITS,
    VALUE,
    cards_in_play,
    leader,
    outcome,
    place,
    rank,
    reached,
    sorted_hand,
    steps_back,
    steps_forward,
    still_to_play,
    suit_to_follow,
    there,
)
from chronotable_night.games.timechase.words import BACK, CHOOSE, FORWARD, PLAY, SPEND, suit_name

Tell = list[GameHappening] | None
"""Where happenings are added, None if nobody wants to know."""


def deciding(state: State) -> list[int]:
    """Return the seats that may decide at once, in the order in which they are asked."""
    if state["phase"] == OVER:
        return []
    if state["phase"] == EVENT:
        return [state["turn"]]
    at, turn = state["travelers"], state["turn"]
    asked = range(turn, state["players"])
    return [seat for seat in asked if state["phase"] == MOVE or at[seat] == at[turn]]


def legal(state: State, seat: int) -> list[str]:
    """Return what a seat that is `deciding` may do; the seat's hand and public facts suffice."""
    if state["phase"] == OVER:
        return []
    if state["phase"] == MOVE:
        fuel = state["fuel"][seat]
        back, forward = min(fuel, steps_back(state)), min(fuel, steps_forward(state))
        return [*(_moves_both_ways(back, forward) if state["jumble"] else _moves_back(back))]
    word = PLAY if state["phase"] == EVENT else CHOOSE
    return [f"{word} {card}" for card in allowed(state, seat)]


def allowed(state: State, seat: int) -> list[str]:
    """Return the cards of a seat that may be played or chosen."""
    hand: list[str] = state["hands"][seat]
    if state["phase"] == EVENT:
        suit = suit_to_follow(state)
        return [card for card in hand if SUIT[card] == suit] or hand
    return hand


@lru_cache
def _moves_back(most: int) -> Sequence[str]:
    return [f"{SPEND} {steps}" for steps in range(most + 1)]


@lru_cache
def _moves_both_ways(back: int, forward: int) -> Sequence[str]:
    return [
        f"{SPEND} 0",
        *(f"{SPEND} {steps} {BACK}" for steps in range(1, back + 1)),
        *(f"{SPEND} {steps} {FORWARD}" for steps in range(1, forward + 1)),
    ]


@lru_cache
def moved(action: str) -> int:
    """Return how many steps along the row a legal action of a move goes; back is below 0."""
    _, number, *way = action.split(" ")
    return int(number) if way == [FORWARD] else -int(number)


def apply(state: State, seat: int, action: str, tell: Tell = None) -> State:
    """Return the state after an action, up to the next decision; raises IllegalActionError."""
    if seat != state["turn"] or action not in legal(state, seat):
        raise refusal(state, seat, action)
    after = dict(state)
    if state["phase"] == EVENT:
        _play(after, seat, action.removeprefix(f"{PLAY} "), tell)
    else:
        _seal(after, seat, action, tell)
    return after


def _play(after: dict[str, Any], seat: int, card: str, tell: Tell) -> None:
    at = after["at"]
    _take_from_hand(after, seat, card)
    above = higher_led_card(after, card)
    if tell is not None:
        facts = {"seat": seat, "card": card, "event": at, "leads": not after["played"]}
        tell.append(GameHappening("played", facts))
    after["played"] = [*after["played"], [seat, card]]
    if above:
        after["fuel"] = _changed(after["fuel"], seat, after["fuel"][seat] + 1)
        if tell is not None:
            facts = {"seat": seat, "card": card, "above": above, "event": at}
            tell.append(GameHappening("fuel", facts))
    left = still_to_play(after)
    if left:
        after["turn"] = left[0]
        return
    _settle(after, tell)
    _go_on(after, at, tell)


def higher_led_card(state: State, card: str) -> str:
    """Return the highest card that gives fuel to who plays a card now, NO_CARD if none (H6)."""
    suit = suit_to_follow(state)
    if not suit or SUIT[card] != suit:
        return NO_CARD
    higher = [each for each in visible(state) if SUIT[each] == suit and VALUE[each] > VALUE[card]]
    return max(higher, key=VALUE.__getitem__, default=NO_CARD)


def visible(state: State) -> list[str]:
    """Return the cards that lie where cards are played: those played, in the past the stored."""
    cards = [card for _, card in state["played"]]
    if state["at"] != state["present"]:
        index = place(state, state["at"])
        cards += state["led"][index], state["winning"][index]
    return cards


def best(state: State) -> tuple[int, str]:
    """Return who has the best card where cards are played and which, as it stands (H7, H9).

    In the past that may be the card which is stored there; nobody and no card before the lead.
    """
    at = state["at"]
    index = place(state, at)
    led_suit, trump = suit_to_follow(state), SUIT[state["invariant"]]
    owner, winning = -1, NO_CARD
    if at != state["present"]:
        owner, winning = state["control"][index], state["winning"][index]
    strength = rank(winning, led_suit, trump) if winning else -1
    for seat, card in state["played"]:
        other = rank(card, led_suit, trump)
        if other > strength:
            owner, winning, strength = seat, card, other
    return owner, winning


def _settle(after: dict[str, Any], tell: Tell) -> None:
    """Store what is to be stored at an event at which all have played (H8, H9)."""
    at, played = after["at"], after["played"]
    index = place(after, at)
    owner, old = after["control"][index], after["winning"][index]
    seat, card = best(after)
    if card == old:
        away = [other for _, other in played]
        what, facts = "held", {"event": at, "seat": owner, "card": old}
    else:
        led = after["led"][index] or played[0][1]
        away = [old] if old not in (NO_CARD, led) else []
        away += [other for _, other in played if other not in (card, led)]
        after["led"] = _changed(after["led"], index, led)
        after["winning"] = _changed(after["winning"], index, card)
        after["control"] = _changed(after["control"], index, seat)
        facts = {"event": at, "seat": seat, "card": card, "led": led, "from": owner, "over": old}
        what = "taken"
    after["discard"] = [*after["discard"], *away]
    after["played"] = []
    if tell is not None:
        tell.append(GameHappening(what, facts))


def _seal(after: dict[str, Any], seat: int, action: str, tell: Tell) -> None:
    """Keep a choice that stays secret until all have made theirs (H11, H13)."""
    left = deciding(after)[1:]
    after["secret"] = [*after["secret"], [seat, action]]
    if after["phase"] == AT_INVARIANT:
        _take_from_hand(after, seat, action.removeprefix(f"{CHOOSE} "))
    if tell is not None:
        tell.append(GameHappening("sealed", {"seat": seat, "phase": after["phase"]}))
    if left:
        after["turn"] = left[0]
    elif after["phase"] == AT_INVARIANT:
        _set_invariant(after, tell)
        _go_on(after, 0, tell)
    else:
        _travel(after, tell)
        _go_on(after, NOWHERE, tell)


def _set_invariant(after: dict[str, Any], tell: Tell) -> None:
    chosen = [(seat, text.removeprefix(f"{CHOOSE} ")) for seat, text in after["secret"]]
    values = [VALUE[card] for _, card in chosen]
    old = after["invariant"]
    highest = [each for each in chosen if VALUE[each[1]] == max(values)]
    seat, card = highest[0] if len(highest) == 1 else (-1, NO_CARD)
    away = [old] if old else []
    away += [other for _, other in chosen if other != card]
    after.update(invariant=card, discard=[*after["discard"], *away], secret=[])
    if tell is not None:
        tell.append(GameHappening("opened", {"cards": [[who, what] for who, what in chosen]}))
        facts = {"seat": seat, "card": card, "before": old}
        if not card:
            facts = {"seats": [who for who, _ in highest], "value": max(values), "before": old}
        tell.append(GameHappening("invariant" if card else "unstable", facts))


def _travel(after: dict[str, Any], tell: Tell) -> None:
    steps = [moved(text) for _, text in after["secret"]]
    travelers = [reached(after, each) for each in steps]
    fuel = [left - abs(each) for left, each in zip(after["fuel"], steps, strict=True)]
    after.update(travelers=travelers, fuel=fuel, secret=[])
    if tell is not None:
        moves = [[seat, each, travelers[seat]] for seat, each in enumerate(steps)]
        tell.append(GameHappening("traveled", {"moves": moves, "present": after["present"]}))


def _take_from_hand(after: dict[str, Any], seat: int, card: str) -> None:
    hand = [other for other in after["hands"][seat] if other != card]
    after["hands"] = _changed(after["hands"], seat, hand)


def _changed(items: list[Any], index: int, item: object) -> list[Any]:
    copy = items.copy()
    copy[index] = item
    return copy


_INCOME = 2
"""The fuel of a round of who controls no event (H12)."""


def _go_on(after: dict[str, Any], resolved: int, tell: Tell) -> None:
    """Change a state to the next decision, after a location; NOWHERE after the moves (H3)."""
    location = _next_location(after, resolved)
    if location == NOWHERE:
        _end_round(after, tell)
        return
    here = there(after, location)
    is_event = location != INVARIANT
    first = leader(after, location, here) if is_event else here[0]
    after.update(at=location, phase=EVENT if is_event else AT_INVARIANT, turn=first)
    if tell is not None:
        tell.append(GameHappening("resolves", {"at": location, "seats": here, "lead": first}))


def _next_location(state: State, resolved: int) -> int:
    """Return the location to resolve after another, NOWHERE if none is left (H3, H21)."""
    travelers, present = state["travelers"], state["present"]
    if resolved == INVARIANT:
        return NOWHERE
    if resolved == NOWHERE:
        if present in travelers:
            return int(present)
        resolved = present
    below = EVENTS + 1 if resolved == present else resolved
    return max((at for at in travelers if at < below and at != present), default=NOWHERE)


def still_to_come(state: State) -> list[int]:
    """Return the locations that this round resolves after the one that is resolved."""
    found = []
    at = _next_location(state, state["at"])
    while at != NOWHERE:
        found.append(at)
        at = _next_location(state, at)
    return found


def _end_round(after: dict[str, Any], tell: Tell) -> None:
    """Begin the next round, or end the game (H12, H17)."""
    control = after["control"]
    owned = [control.count(seat) for seat in range(after["players"])]
    after.update(at=NOWHERE, phase=MOVE, turn=0)
    if max(owned) >= ENOUGH or after["round"] == EVENTS:
        after.update(phase=OVER, turn=NOBODY)
        ended = outcome(after)
        if tell is not None and ended is not None:
            tell.append(GameHappening("over", ended._asdict()))
        return
    token = _add_event(after) if after["present"] in after["travelers"] else 0
    gained = [_INCOME - each for each in owned]
    after["fuel"] = [fuel + more for fuel, more in zip(after["fuel"], gained, strict=True)]
    after["travelers"] = [after["present"]] * after["players"]
    after["round"] += 1
    if tell is not None:
        facts = {"round": after["round"], "present": after["present"], "token": token}
        tell.append(GameHappening("time", facts))
        tell.append(GameHappening("income", {"gained": gained}))


def _add_event(after: dict[str, Any]) -> int:
    """Put the top token into the row and return it (H12, H19)."""
    event, *after["tokens"] = after["tokens"]
    index = sum(other < event for other in after["timeline"])
    fresh = {"timeline": event, "control": NOBODY, "led": NO_CARD, "winning": NO_CARD}
    for row, item in fresh.items():
        after[row] = [*after[row][:index], item, *after[row][index:]]
    after["present"] = event
    return int(event)


# ---- why not


def refusal(state: State, seat: int, action: str) -> IllegalActionError:
    """Return why a seat may not do something that is not legal."""
    phase = state["phase"]
    if phase == OVER:
        return IllegalActionError("H17", tr("The game is over."))
    if seat != state["turn"]:
        return IllegalActionError(_NOT_NOW[phase], _out_of_turn(state, seat))
    word = action.partition(" ")[0]
    if word != _WORD[phase]:
        if word == SPEND:
            return IllegalActionError("H13", tr("Fuel is spent only when the travelers move."))
        return IllegalActionError(_NOT_NOW[phase], _ASKS[phase]())
    return _WHY[phase](state, seat, action)


_NOT_NOW = {EVENT: "H5", AT_INVARIANT: "H11", MOVE: "H13"}
_WORD = {EVENT: PLAY, AT_INVARIANT: CHOOSE, MOVE: SPEND}
_ASKS: Mapping[str, Callable[[], str]] = {
    EVENT: lambda: tr("At an event a card is played."),
    AT_INVARIANT: lambda: tr("At the invariant a card is chosen."),
    MOVE: lambda: tr("Now everybody says how much fuel is spent."),
}


def _out_of_turn(state: State, seat: int) -> str:
    if any(seat == done for done, _ in state["secret"]):
        return tr("What has been chosen in secret stays.")
    if any(seat == done for done, _ in state["played"]):
        return tr("Everybody plays one card at an event.")
    if state["phase"] != MOVE and not 0 <= seat < state["players"]:
        return tr("Only who plays may do this.")
    if state["phase"] == EVENT and state["travelers"][seat] != state["at"]:
        return tr("Only those whose travelers are at the event play there.")
    return tr("Somebody else is asked first.")


def _why_no_card(state: State, seat: int, action: str) -> IllegalActionError:
    card = action.partition(" ")[2]
    rule = _NOT_NOW[state["phase"]]
    if card in state["hands"][seat]:
        suit = suit_name(suit_to_follow(state))
        return IllegalActionError(rule, tr("Who has {suit} must play it here.", suit=suit))
    if card != NO_CARD and card in SUIT and card not in cards_in_play(state["players"]):
        return IllegalActionError("H1", tr("With so many players this card is not in the game."))
    if card != NO_CARD and card in SUIT:
        return IllegalActionError(rule, tr("This card is not in the hand."))
    suit, _, value = card.partition(" ")
    if suit in SUITS and value.isdecimal() and not value.startswith("0"):
        return IllegalActionError("H1", tr("There is no such card."))
    return IllegalActionError(rule, tr('A card is named like "{card}".', card="flux 8"))


def _why_no_move(state: State, seat: int, action: str) -> IllegalActionError:
    rule = "H20" if state["jumble"] else "H13"
    asked = tr('Say "spend 0", or how much and which way: "spend 2 back", "spend 1 forward".')
    if not state["jumble"]:
        asked = tr('Say how much, like "spend 2".')
    amount, _, way = action.partition(" ")[2].partition(" ")
    is_number = amount.isdecimal() and str(int(amount)) == amount
    ways = {BACK: steps_back, FORWARD: steps_forward} if state["jumble"] else {"": steps_back}
    if not is_number or way not in ways or (way and amount == "0"):
        return IllegalActionError(rule, asked)
    if int(amount) > state["fuel"][seat]:
        return IllegalActionError(rule, tr("There is not that much fuel."))
    return IllegalActionError(rule, tr("The timeline does not reach that far."))


_WHY: Mapping[str, Callable[[State, int, str], IllegalActionError]] = {
    EVENT: _why_no_card,
    AT_INVARIANT: _why_no_card,
    MOVE: _why_no_move,
}


# ---- what a seat may know


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


_LIKELY = 0.75
"""How often others do what they would `choose`, where that is sealed."""


def possible(
    view: State, seat: int, chance: Random, choose: Callable[[State, int, Random], str]
) -> State:
    """Return a state, drawn by chance, that looks like the view to the seat it is of.

    What others have sealed is mostly what they `choose` with the hands they are dealt here.
    """
    drawn: dict[str, Any] = {**view, "rng": chance.getrandbits(64)}
    cards = unseen(view, seat)
    chance.shuffle(cards)
    hands = list(view["hands"])
    hidden = [who for who, text in view["secret"] if text == HIDDEN]
    is_choosing = view["phase"] == AT_INVARIANT
    wanted = {
        other: hand + (is_choosing and other in hidden)
        for other, hand in enumerate(hands)
        if isinstance(hand, int)
    }
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
    sealed = {}
    for who in hidden:
        likely = chance.random() < _LIKELY
        sealed[who] = choose(drawn, who, chance) if likely else chance.choice(legal(drawn, who))
    drawn["secret"] = [[who, sealed.get(who, text)] for who, text in view["secret"]]
    if is_choosing:
        for who, text in sealed.items():
            hands[who] = [card for card in hands[who] if card != text.removeprefix(f"{CHOOSE} ")]
    return drawn

"""What has happened and how the game ended, in sentences that all may read."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from chronotable_host.language import tr, tr_n
from chronotable_night.games.interface import NOBODY, GameHappening, Outcome, State
from chronotable_night.games.telling import sentence_list
from chronotable_night.games.timechase.state import (
    EVENTS,
    INVARIANT,
    NO_CARD,
    SUIT,
    events_of,
    place,
    there,
)
from chronotable_night.games.timechase.words import (
    capital,
    card_name,
    join_sentences,
    place_name,
    suit_name,
)

Names = Sequence[str]
Facts = Mapping[str, Any]


def says(happening: GameHappening, names: Names) -> str:
    """Return what has happened."""
    return _SAYS[happening.what](happening.facts, names)


def _played(facts: Facts, names: Names) -> str:
    name, card = names[facts["seat"]], card_name(facts["card"])
    if facts["leads"]:
        event = place_name(facts["event"])
        return tr("{name} leads {card} at {event}.", name=name, card=card, event=event)
    return tr("{name} plays {card}.", name=name, card=card)


def _taken(facts: Facts, names: Names) -> str:
    words = {
        "name": names[facts["seat"]],
        "event": place_name(facts["event"]),
        "card": card_name(facts["card"]),
    }
    if facts["from"] == NOBODY:
        return tr("{name} takes {event} with {card}.", **words)
    words["over"] = card_name(facts["over"])
    if facts["from"] == facts["seat"]:
        return tr("{name} keeps {event}, with {card} over {over}.", **words)
    words["loser"] = names[facts["from"]]
    return tr("{name} takes {event} from {loser}: {card} beats {over}.", **words)


def _resolves(facts: Facts, names: Names) -> str:
    here = sentence_list([names[seat] for seat in facts["seats"]])
    if facts["at"] == INVARIANT:
        return tr_n(
            "The invariant: {names} chooses a card.",
            "The invariant: {names} choose a card each, in secret.",
            len(facts["seats"]),
            names=here,
        )
    event = capital(place_name(facts["at"]))
    if len(facts["seats"]) == 1:
        return tr("{event}: {names} plays alone.", event=event, names=here)
    lead = names[facts["lead"]]
    return tr("{event}: {names} play, {lead} leads.", event=event, names=here, lead=lead)


def _opened(facts: Facts, names: Names) -> str:
    cards = [
        tr("{name} {card}", name=names[seat], card=card_name(card)) for seat, card in facts["cards"]
    ]
    return tr("The cards open: {cards}.", cards=", ".join(cards))


def _invariant(facts: Facts, _names: Names) -> str:
    card, suit = card_name(facts["card"]), suit_name(SUIT[facts["card"]])
    before = facts["before"]
    if before != NO_CARD and SUIT[before] == SUIT[facts["card"]]:
        return tr(
            "{card} is the invariant: {suit} beats all others, as before.",
            card=capital(card),
            suit=suit,
        )
    return tr(
        "{card} is the invariant: from now on {suit} beats all others.",
        card=capital(card),
        suit=suit,
    )


def _traveled(facts: Facts, names: Names) -> str:
    said = [
        tr(
            "{name} spends {fuel} fuel and goes to {place}.",
            name=names[seat],
            fuel=abs(steps),
            place=place_name(location),
        )
        for seat, steps, location in facts["moves"]
        if steps
    ]
    staying = [names[seat] for seat, steps, _ in facts["moves"] if not steps]
    if staying:
        said.append(
            tr_n(
                "{names} stays at {place}.",
                "{names} stay at {place}.",
                len(staying),
                names=sentence_list(staying),
                place=place_name(facts["present"]),
            )
        )
    return join_sentences(*said)


def _time(facts: Facts, _names: Names) -> str:
    event = place_name(facts["present"])
    words = {"round": facts["round"], "rounds": EVENTS, "event": event}
    if facts["token"]:
        return tr(
            "Round {round} of {rounds}: {event} is the present. All travelers go there.", **words
        )
    return tr(
        "Round {round} of {rounds}: nobody was at {event}, so it stays the present. "
        "All travelers go there.",
        **words,
    )


def _income(facts: Facts, names: Names) -> str:
    gains = [
        tr("{name} +{fuel}", name=names[seat], fuel=fuel)
        for seat, fuel in enumerate(facts["gained"])
        if fuel
    ]
    if not gains:
        return ""
    return tr("New fuel, 2 less 1 for each own event: {gains}.", gains=", ".join(gains))


_SAYS: Mapping[str, Callable[[Facts, Names], str]] = {
    "played": _played,
    "fuel": lambda facts, names: tr(
        "Same suit, but lower than {card}: 1 fuel for {name}.",
        name=names[facts["seat"]],
        card=card_name(facts["above"]),
    ),
    "taken": _taken,
    "held": lambda facts, names: tr(
        "Nothing beats {card}: {name} keeps {event}.",
        card=card_name(facts["card"]),
        name=names[facts["seat"]],
        event=place_name(facts["event"]),
    ),
    "resolves": _resolves,
    "sealed": lambda facts, names: tr("{name} has chosen.", name=names[facts["seat"]]),
    "opened": _opened,
    "invariant": _invariant,
    "unstable": lambda facts, names: tr(
        "{names} showed {value}, the highest: there is no invariant, and no suit beats the others.",
        names=sentence_list([names[seat] for seat in facts["seats"]]),
        value=facts["value"],
    ),
    "traveled": _traveled,
    "time": _time,
    "income": _income,
    "over": lambda facts, names: tr(
        "The game is over: {name} wins.", name=names[facts["winners"][0]]
    ),
}


def why(ended: Outcome, view: State, names: Names) -> str:
    """Return how the game ended and who let it pass, from what all could see."""
    winner = ended.winners[0]
    events = events_of(view, winner)
    count = len(events)
    numbers = sentence_list([str(event) for event in events])
    name = names[winner]
    if ended.why == "three":
        first = tr("{name} controls three events: {numbers}.", name=name, numbers=numbers)
        return join_sentences(
            first, _last_win(view, winner, names), _others_too(view, winner, names)
        )
    first = tr_n(
        "Ten rounds are over and nobody has three events. {name} has one, event {numbers}.",
        "Ten rounds are over and nobody has three events. {name} has {n}: {numbers}.",
        count,
        name=name,
        numbers=numbers,
    )
    return join_sentences(first, _others_too(view, winner, names))


def _last_win(view: State, winner: int, names: Names) -> str:
    """Return what took the winner's last event, and who stood there or elsewhere."""
    event = view["travelers"][winner]
    if event not in events_of(view, winner):
        return ""
    card = card_name(view["winning"][place(view, event)])
    place_ = place_name(event)
    others = [seat for seat in there(view, event) if seat != winner]
    away = sorted({at for at in view["travelers"] if at != event})
    if not others:
        first = tr("{card} took {event}, where nobody else was.", card=card, event=place_)
    else:
        first = tr_n(
            "{card} took {event}; {names} was there and did not beat it.",
            "{card} took {event}; {names} were there and did not beat it.",
            len(others),
            card=card,
            event=place_,
            names=sentence_list([names[seat] for seat in others]),
        )
    missed = [_were_at(view, location, names) for location in away]
    return join_sentences(capital(first), *missed)


def _were_at(view: State, location: int, names: Names) -> str:
    here = there(view, location)
    return tr_n(
        "{names} was at {place}.",
        "{names} were at {place}.",
        len(here),
        names=sentence_list([names[seat] for seat in here]),
        place=place_name(location),
    )


def _others_too(view: State, winner: int, names: Names) -> str:
    """Return who has as many events, but later ones."""
    events = events_of(view, winner)
    others = [
        names[seat]
        for seat in range(view["players"])
        if seat != winner and len(events_of(view, seat)) == len(events)
    ]
    if not others:
        return ""
    return tr_n(
        "{names} has as many, but event {number} is the nearest to the beginning.",
        "{names} have as many, but event {number} is the nearest to the beginning.",
        len(others),
        names=sentence_list(others),
        number=events[0],
    )

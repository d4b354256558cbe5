"""How the game ended and who let it pass, from what all could see."""

from __future__ import annotations

from collections.abc import Sequence

from chronotable_host.games.interface import Outcome, State
from chronotable_host.games.timechase.row import (
    events_of,
    place,
    there,
)
from chronotable_host.games.timechase.words import (
    capital,
    card_name,
    joined,
    listed,
    place_name,
)
from chronotable_host.language import tr, tr_n

Names = Sequence[str]


def why(ended: Outcome, view: State, names: Names) -> str:
    """Return how the game ended and who let it pass, from what all could see."""
    winner = ended.winners[0]
    events = events_of(view, winner)
    count = len(events)
    numbers = listed([str(event) for event in events])
    name = names[winner]
    if ended.why == "three":
        first = tr("{name} controls three events: {numbers}.", name=name, numbers=numbers)
        return joined(first, _last_win(view, winner, names), _others_too(view, winner, names))
    first = tr_n(
        "Ten rounds are over and nobody has three events. {name} has one, event {numbers}.",
        "Ten rounds are over and nobody has three events. {name} has {n}: {numbers}.",
        count,
        name=name,
        numbers=numbers,
    )
    return joined(first, _others_too(view, winner, names))


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
            names=listed([names[seat] for seat in others]),
        )
    missed = [_were_at(view, location, names) for location in away]
    return joined(capital(first), *missed)


def _were_at(view: State, location: int, names: Names) -> str:
    here = there(view, location)
    return tr_n(
        "{names} was at {place}.",
        "{names} were at {place}.",
        len(here),
        names=listed([names[seat] for seat in here]),
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
        names=listed(others),
        number=events[0],
    )

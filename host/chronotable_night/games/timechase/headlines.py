"""The next step, in a line that all may read, and one that adds to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from chronotable_host.language import tr, tr_n
from chronotable_night.games.interface import NOBODY, State
from chronotable_night.games.timechase.acting import best
from chronotable_night.games.timechase.row import (
    events_of,
    outcome,
    still_to_play,
    suit_to_follow,
    there,
)
from chronotable_night.games.timechase.setting_up import AT_INVARIANT, EVENT, INVARIANT, MOVE
from chronotable_night.games.timechase.words import card_name, joined, listed, place_name, suit_name

Names = Sequence[str]


def headline(view: State, names: Names) -> tuple[str, str]:
    """Return the next step, and a line that adds to it."""
    return _HEADLINES.get(view["phase"], _over)(view, names)


def _at_event(view: State, names: Names) -> tuple[str, str]:
    left = still_to_play(view)
    event = place_name(view["at"])
    name = names[view["turn"]]
    if not view["played"]:
        first = tr("{name} leads at {event}", name=name, event=event)
    elif len(left) == 1:
        first = tr("{name} plays the last card at {event}", name=name, event=event)
    else:
        first = tr("{name} plays at {event}", name=name, event=event)
    return first, joined(_what_lies(view, names), _who_waits(view, names))


def _what_lies(view: State, names: Names) -> str:
    """Return what is to be beaten where cards are played."""
    owner, card = best(view)
    if owner == NOBODY:
        if len(there(view, view["at"])) == 1:
            return tr("Alone in the present: any card takes it.")
        return tr("The present: the best card takes it.")
    if not view["played"]:
        suit = suit_name(suit_to_follow(view))
        return tr(
            "In the past: follow {suit}; beat {name}'s {card} to take the event.",
            name=names[owner],
            card=card_name(card),
            suit=suit,
        )
    first, led = view["played"][0]
    if (first, led) == (owner, card):
        return tr("{name} led {card}.", name=names[first], card=card_name(led))
    return tr(
        "{name} led {card}. Best: {best}'s {winning}.",
        name=names[first],
        card=card_name(led),
        best=names[owner],
        winning=card_name(card),
    )


def _who_waits(view: State, names: Names) -> str:
    """Return who waits at another location, if it is one."""
    at, present = view["at"], view["present"]
    later = {each for each in view["travelers"] if each != present and (at == present or each < at)}
    if len(later) != 1:
        return ""
    location = later.pop()
    waiting = [names[seat] for seat in there(view, location)]
    return tr_n(
        "{names} waits at {place}.",
        "{names} wait at {place}.",
        len(waiting),
        names=listed(waiting),
        place=place_name(location),
    )


def _at_invariant(view: State, names: Names) -> tuple[str, str]:
    here = [names[seat] for seat in there(view, INVARIANT)]
    if len(here) == 1:
        line = tr("Alone there: whatever is chosen becomes the invariant.")
    else:
        line = tr("In secret. The highest card sets it.")
    first = tr_n(
        "{names} chooses the invariant",
        "{names} choose the invariant",
        len(here),
        names=listed(here),
    )
    return first, line


def _move(view: State, _names: Names) -> tuple[str, str]:
    first = tr("How far, and which way?") if view["jumble"] else tr("How far back?")
    return first, tr("In secret. All fuel opens together.")


def _over(view: State, names: Names) -> tuple[str, str]:
    ended = outcome(view)
    winner = ended.winners[0] if ended else 0
    events = events_of(view, winner)
    numbers = listed([str(event) for event in events])
    line = tr_n("Event {numbers}.", "Events {numbers}.", len(events), numbers=numbers)
    return tr("{name} wins", name=names[winner]), line


_HEADLINES: Mapping[str, Callable[[State, Names], tuple[str, str]]] = {
    EVENT: _at_event,
    AT_INVARIANT: _at_invariant,
    MOVE: _move,
}

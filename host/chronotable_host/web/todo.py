"""What hands are asked to do, in whole sentences; places where the same is to be done share one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from chronotable import meanings
from chronotable.naming import sensor_name
from chronotable.sensors import FOCUS
from chronotable_host.language import names, tr
from chronotable_host.rules.notation import ERAS, PLAYERS

_ON_SPACES = {
    meanings.TODO_TAKE: tr("Take away what lies on {places}."),
    meanings.TODO_PUT: tr("Put what belongs there on {places}."),
    meanings.PUT_WHITE: tr("Put white pieces on {places}."),
    meanings.PUT_BLACK: tr("Put black pieces on {places}."),
    meanings.CONFIRM_WHITE: tr("Lift what lies on {places} and look: it should be White's."),
    meanings.CONFIRM_BLACK: tr("Lift what lies on {places} and look: it should be Black's."),
    meanings.FAULT: tr("See for yourself that something lies on {places}: no reed tells."),
}
_ON_ONE = {
    meanings.PUT_WHITE: tr("Put a white piece on {places}."),
    meanings.PUT_BLACK: tr("Put a black piece on {places}."),
}
_OF_MARKERS = {
    meanings.TODO_TAKE: tr("Take {player}'s focus marker away from the {era}."),
    meanings.TODO_PUT: tr("Put {player}'s focus marker in the {era}."),
    meanings.FAULT: tr(
        "See for yourself that {player}'s focus marker stands in the {era}: no reed tells."
    ),
}
_MOST_NAMED = 6

ASKS = frozenset(_ON_SPACES)
"""The meanings of lights that ask hands for something."""


def asked_by(leds: Iterable[int]) -> dict[int, int]:
    """Return which lights ask hands for something: their meanings, by sensor."""
    return {at: says for at, says in enumerate(leds) if says in ASKS}


def sentences(asked: Mapping[int, int]) -> list[str]:
    """Return what is to be done; `asked` has meanings of lights, by sensor."""
    told = []
    for meaning, says in _ON_SPACES.items():
        spaces = [at for at, each in asked.items() if each == meaning and at < FOCUS]
        if spaces:
            places = [names.place(sensor_name(at)) for at in spaces]
            sentence = _ON_ONE.get(meaning, says) if len(places) == 1 else says
            told.append(sentence.format(places=_list(places)))
    return told + [sentence for side in range(len(PLAYERS)) for sentence in _marker(asked, side)]


def _marker(asked: Mapping[int, int], side: int) -> list[str]:
    """Return what is to be done with a player's marker."""
    spots = {at - FOCUS - len(ERAS) * side: meaning for at, meaning in asked.items()}
    player = names.PLAYERS[side]
    todo = [
        (names.ERAS[era], spots[era]) for era in range(len(ERAS)) if spots.get(era) in _OF_MARKERS
    ]
    where = {meaning: era for era, meaning in todo}
    if len(todo) == len(where) and {*where} == {meanings.TODO_TAKE, meanings.TODO_PUT}:
        start, end = where[meanings.TODO_TAKE], where[meanings.TODO_PUT]
        return [
            tr(
                "Move {player}'s focus marker from the {start} to the {end}.",
                player=player,
                start=start,
                end=end,
            )
        ]
    return [_OF_MARKERS[meaning].format(player=player, era=era) for era, meaning in todo]


def _list(places: list[str]) -> str:
    """Join names as people do; of many only the first."""
    if len(places) > _MOST_NAMED:
        left = len(places) - _MOST_NAMED + 1
        return tr("{places} and {n} more", places=", ".join(places[: _MOST_NAMED - 1]), n=left)
    *others, last = places
    return tr("{places} and {last}", places=", ".join(others), last=last) if others else last

"""What hands are asked to do, in whole sentences; places where the same is to be done share one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from chronotable import meanings
from chronotable.naming import sensor_name
from chronotable.sensors import FOCUS
from chronotable_host.rules.notation import ERAS, PLAYER_NAMES

_ON_SPACES = {
    meanings.TODO_TAKE: "Take away what lies on {}.",
    meanings.TODO_PUT: "Put what belongs there on {}.",
    meanings.PUT_WHITE: "Put white pieces on {}.",
    meanings.PUT_BLACK: "Put black pieces on {}.",
    meanings.CONFIRM_WHITE: "Lift what lies on {} and look: it should be White's.",
    meanings.CONFIRM_BLACK: "Lift what lies on {} and look: it should be Black's.",
    meanings.FAULT: "See for yourself that something lies on {}: no reed tells.",
}
_ON_ONE = {
    meanings.PUT_WHITE: "Put a white piece on {}.",
    meanings.PUT_BLACK: "Put a black piece on {}.",
}
_OF_MARKERS = {
    meanings.TODO_TAKE: "Take {}'s focus marker away from the {}.",
    meanings.TODO_PUT: "Put {}'s focus marker in the {}.",
    meanings.FAULT: "See for yourself that {}'s focus marker stands in the {}: no reed tells.",
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
        names = [sensor_name(at) for at, each in asked.items() if each == meaning and at < FOCUS]
        if names:
            told.append(
                (_ON_ONE.get(meaning, says) if len(names) == 1 else says).format(_list(names))
            )
    return told + [
        sentence for side in range(len(PLAYER_NAMES)) for sentence in _marker(asked, side)
    ]


def _marker(asked: Mapping[int, int], side: int) -> list[str]:
    """Return what is to be done with a player's marker."""
    spots = {at - FOCUS - len(ERAS) * side: meaning for at, meaning in asked.items()}
    todo = [(ERAS[era], spots[era]) for era in range(len(ERAS)) if spots.get(era) in _OF_MARKERS]
    where = {meaning: era for era, meaning in todo}
    if len(todo) == len(where) and {*where} == {meanings.TODO_TAKE, meanings.TODO_PUT}:
        start, end = where[meanings.TODO_TAKE], where[meanings.TODO_PUT]
        return [f"Move {PLAYER_NAMES[side]}'s focus marker from the {start} to the {end}."]
    return [_OF_MARKERS[meaning].format(PLAYER_NAMES[side], era) for era, meaning in todo]


def _list(names: list[str]) -> str:
    """Join names as people do; of many only the first."""
    if len(names) > _MOST_NAMED:
        left = len(names) - _MOST_NAMED + 1
        return f"{', '.join(names[: _MOST_NAMED - 1])} and {left} more"
    return " and ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names)

"""What hands are asked to do, step by step; places where the same is to be done share a step."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from chronotable.hardware.naming import sensor_name
from chronotable.hardware.sensors import FOCUS
from chronotable.lights import meanings
from chronotable_host.hardware.drawings.glyphs import MARKER, name_of
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
_PUTS = dict(zip(PLAYERS, (meanings.PUT_WHITE, meanings.PUT_BLACK), strict=True))
_PUTTING = (meanings.TODO_PUT, *_PUTS.values())
_MOST_NAMED = 6
_NONE: Mapping[int, str] = MappingProxyType({})

ASKS = frozenset(_ON_SPACES)
"""The meanings of lights that ask hands for something."""


def asked_by(leds: Iterable[int]) -> dict[int, int]:
    """Return which lights ask hands for something: their meanings, by sensor."""
    return {at: says for at, says in enumerate(leds) if says in ASKS}


class Todo(NamedTuple):
    """What hands are to do.

    `at` are the sensors that it is about, `put` those of them where a piece is to be put, which has
    the look `look`, "" where nobody knows it. `is_done` tells that the next step is due.
    """

    says: str
    at: tuple[int, ...]
    put: tuple[int, ...] = ()
    look: str = ""
    is_done: bool = False


def steps(asked: Mapping[int, int], due: Mapping[int, str] = _NONE) -> list[Todo]:
    """Return what is to be done; `asked` has meanings of lights, by sensor.

    `due` has the looks of what belongs where a light asks for something, as far as they are known.
    """
    asked = {
        at: _PUTS.get(due.get(at, ""), each) if at < FOCUS else each for at, each in asked.items()
    }
    told: list[Todo] = []
    for meaning in _ON_SPACES:
        here = [at for at, each in asked.items() if each == meaning and at < FOCUS]
        named = [at for at in here if meaning == meanings.TODO_PUT and due.get(at)]
        told += [_put_one(at, due[at]) for at in named]
        others = tuple(at for at in here if at not in named)
        if others:
            told.append(_on_spaces(meaning, others))
    return told + [step for side in range(len(PLAYERS)) for step in _marker(asked, side)]


def sentences(asked: Mapping[int, int], due: Mapping[int, str] = _NONE) -> list[str]:
    """Return the sentences of `steps`."""
    return [step.says for step in steps(asked, due)]


def _put_one(at: int, look: str) -> Todo:
    place = names.place(sensor_name(at))
    says = tr("Put the {piece} on {place}.", piece=name_of(look), place=place)
    return Todo(says, (at,), (at,), look)


def _on_spaces(meaning: int, at: tuple[int, ...]) -> Todo:
    says = _ON_SPACES[meaning] if at[1:] else _ON_ONE.get(meaning, _ON_SPACES[meaning])
    put = at if meaning in _PUTTING else ()
    look = next((look for look, each in _PUTS.items() if each == meaning), "")
    places = _list([names.place(sensor_name(each)) for each in at])
    return Todo(says.format(places=places), at, put, look)


def _marker(asked: Mapping[int, int], side: int) -> list[Todo]:
    """Return what is to be done with a player's marker."""
    first = FOCUS + len(ERAS) * side
    spots = {at - first: meaning for at, meaning in asked.items()}
    todo = [(era, spots[era]) for era in range(len(ERAS)) if spots.get(era) in _OF_MARKERS]
    where = {meaning: era for era, meaning in todo}
    look, player = PLAYERS[side] + MARKER, names.PLAYERS[side]
    if len(todo) == len(where) and {*where} == {meanings.TODO_TAKE, meanings.TODO_PUT}:
        start, end = where[meanings.TODO_TAKE], where[meanings.TODO_PUT]
        says = tr(
            "Move {player}'s focus marker from the {start} to the {end}.",
            player=player,
            start=names.ERAS[start],
            end=names.ERAS[end],
        )
        return [Todo(says, (first + start, first + end), (first + end,), look)]
    return [
        Todo(
            _OF_MARKERS[meaning].format(player=player, era=names.ERAS[era]),
            (first + era,),
            (first + era,) if meaning in _PUTTING else (),
            look,
        )
        for era, meaning in todo
    ]


def _list(places: list[str]) -> str:
    """Join names as people do; of many only the first."""
    if len(places) > _MOST_NAMED:
        left = len(places) - _MOST_NAMED + 1
        return tr("{places} and {n} more", places=", ".join(places[: _MOST_NAMED - 1]), n=left)
    *others, last = places
    return tr("{places} and {last}", places=", ".join(others), last=last) if others else last

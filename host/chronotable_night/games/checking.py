"""Checking a data file: which game's it is, and all that is wrong with it."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from typing import Any

from chronotable_host.errors import UserError
from chronotable_host.language import tr
from chronotable_night.games.interface import DataError, Kind
from chronotable_night.games.shelf import kinds

_MOST_MISTAKES = 100


def kind_of_data(data: Any) -> Kind:
    """Return the game whose data an object of JSON is meant to be; raises UserError."""
    if not isinstance(data, Mapping):
        raise UserError(tr("a data file is an object of JSON"))
    fitting = [
        (len(kind.default_data.keys() & data.keys()), name)
        for name, kind in kinds().items()
        if kind.default_data is not None
    ]
    known, name = max(fitting, default=(0, ""))
    if not known:
        games = ", ".join(name for name, kind in kinds().items() if kind.default_data is not None)
        raise UserError(
            tr(
                "this is no game's data; `chronotable games-data example GAME` shows how that "
                "looks, GAME being one of {games}",
                games=games,
            )
        )
    return kinds()[name]


def mistakes(kind: Kind, data: Mapping[str, Any]) -> Iterator[DataError]:
    """Yield what is wrong with the data of a game.

    A game names one mistake at a time. So what is wrong is put right, as the game's own data has
    it, in a copy, which is looked at again.
    """
    mended = copy.deepcopy(dict(data))
    places: set[str] = set()
    while len(places) < _MOST_MISTAKES and (error := _first(kind, mended)) is not None:
        if error.place in places:  # it is wrong beside something else, which was not found
            return
        places.add(error.place)
        yield error
        if not _mend(mended, kind.default_data or {}, error.place.split(".")):
            return


def _first(kind: Kind, data: Mapping[str, Any]) -> DataError | None:
    try:
        kind.game(data)
    except DataError as error:
        return error
    return None


def _mend(data: Any, right: Any, way: list[str]) -> bool:
    """Put what is at a place as it is in other data, and tell whether that could be done."""
    step: Any = way[0]
    if isinstance(data, list):
        if not step.isdecimal():
            return False
        step = int(step)
    elif not isinstance(data, dict):
        return False
    has = _has(right, step)
    if len(way) > 1 and _has(data, step) and has:
        return _mend(data[step], right[step], way[1:])
    if not has:
        return False
    if isinstance(data, list) and not _has(data, step):
        return False
    data[step] = copy.deepcopy(right[step])
    return True


def _has(data: Any, step: Any) -> bool:
    if isinstance(data, list):
        return isinstance(step, int) and step < len(data)
    return isinstance(data, Mapping) and step in data

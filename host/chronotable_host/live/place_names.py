"""Names of sensors as places on the table, for somebody who is to find them with a hand."""

from __future__ import annotations

from collections.abc import Sequence

from chronotable.naming import sensor_name
from chronotable.sensors import BUTTON, ERAS, FOCUS, INPUTS

_ROWS = ("first", "second", "third", "fourth")
_NOWHERE = "somewhere"


def place_name(sensor: int) -> str:
    """Name a sensor as the game does; "somewhere" where a newer table knows more of them."""
    return sensor_name(sensor) if 0 <= sensor < INPUTS else _NOWHERE


def place_to_find(sensor: int) -> str:
    """Name a sensor and say where it is, as seen from the south like all drawings."""
    name = place_name(sensor)
    if sensor < FOCUS:
        row, column = divmod(sensor % 16, 4)
        return f"{name} ({_ROWS[row]} row, {_ROWS[column]} from the left)"
    if sensor < BUTTON:
        player, era = name.split()[1:]
        return f"the focus spot of {player} at the {era}"
    if sensor < INPUTS:
        words = name.split()[1:]
        return f"the button {words[0]}" + (f" of {words[1]}" if words[1:] else "")
    return _NOWHERE


def place_names(sensors: Sequence[int]) -> str:
    """Name several sensors, in one line."""
    return ", ".join(map(place_name, sensors))


def place_range(first: int, last: int) -> str:
    """Name the sensors from one to another, in the order that people know."""
    return place_name(first) if first == last else f"{place_name(first)} to {place_name(last)}"


def era_name(number: int) -> str:
    """Name an era."""
    return ERAS[number] if number < len(ERAS) else _NOWHERE

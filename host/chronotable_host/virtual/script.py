"""Scripts of physical events, JSON lines: what the hands, the cable and the mains do, and when.

The whole script is checked before anything runs; an event that cannot be done (a lift from an empty
space) ends the run with its line.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

from chronotable.sensors import SENSORS, SHARED, parse_sensor
from chronotable_host.errors import UserError
from chronotable_host.virtual.table import VirtualTable
from ttykm.notation import NotationError, parse_player

BUTTON_NAMES = ("undo", "action", "a", "b", "c", "resign", "draw")
_SIDED = ("undo", "action", "resign")
_REST_MS = 2000.0


class Event(NamedTuple):
    """One line of a script."""

    line: int
    t_ms: float
    do: Callable[[VirtualTable], None]


def parse_script(text: str, name: str, cells: tuple[int, int] = (8, 8)) -> list[Event]:
    """Read a script; `cells` is the size of the matrix.

    Raises UserError that names file, line and what is wrong.
    """
    events: list[Event] = []
    last = 0.0
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            event = _parse_line(line, number, last, cells)
        except (ValueError, UserError) as error:
            raise UserError(f"{name}, line {number}: {error}") from error
        last = event.t_ms
        events.append(event)
    return events


def run_script(table: VirtualTable, events: list[Event], name: str) -> None:
    """Run a script, and 2 s more; raises UserError for an event that cannot be done."""
    start = table.now_ms
    for event in events:
        table.run_until(start + event.t_ms)
        try:
            event.do(table)
        except UserError as error:
            raise UserError(f"{name}, line {event.line}: {error}") from error
    end = events[-1].t_ms if events else 0.0
    table.run_until(start + end + _REST_MS)


def _parse_line(line: str, number: int, last: float, cells: tuple[int, int]) -> Event:
    try:
        data = json.loads(line)
    except json.JSONDecodeError as error:
        raise UserError(f"not JSON ({error.msg} at column {error.colno})") from error
    if not isinstance(data, dict):
        raise UserError('an event is an object such as {"t_ms":1200,"lift":"present 6"}')
    t_ms = data.pop("t_ms", None)
    if isinstance(t_ms, bool) or not isinstance(t_ms, (int, float)) or not 0 <= t_ms < 1e9:
        raise UserError("t_ms must be a time in ms since power-on")
    if t_ms < last:
        raise UserError(f"t_ms {t_ms} is before {last} of the line before")
    found = [key for key in _KINDS if key in data]
    if len(found) != 1:
        raise UserError(f"an event has exactly one of {', '.join(_KINDS)}")
    kind = found[0]
    value = data.pop(kind)
    do = _KINDS[kind](value, data, cells)
    if data:
        raise UserError(f"'{next(iter(data))}' does not go with '{kind}'")
    return Event(number, float(t_ms), do)


def _reed(value: Any) -> int:
    if not isinstance(value, str):
        raise UserError("a space or focus spot is a text such as 'past 3' or 'focus white past'")
    sensor = parse_sensor(value)
    if sensor >= SENSORS:
        raise UserError(f"'{value}' is a button; use press")
    return sensor


def _lift(value: Any, _rest: dict[str, Any], _cells: object) -> Callable[[VirtualTable], None]:
    sensor = _reed(value)
    return lambda table: table.lift(sensor)


def _place(value: Any, _rest: dict[str, Any], _cells: object) -> Callable[[VirtualTable], None]:
    sensor = _reed(value)
    return lambda table: table.place(sensor)


def _press(value: Any, rest: dict[str, Any], _cells: object) -> Callable[[VirtualTable], None]:
    if value not in BUTTON_NAMES:
        raise UserError(f"'{value}' is none of the buttons {', '.join(BUTTON_NAMES)}")
    side = SHARED
    if "side" in rest:
        try:
            side = parse_player(str(rest.pop("side")))
        except NotationError as error:
            raise UserError(str(error)) from error
    elif value in _SIDED:
        raise UserError(f'each player has a button {value}; say "side":"white" or "black"')
    return lambda table: table.press(value, side)


def _cell(
    value: Any, rest: dict[str, Any], cells: tuple[int, int]
) -> Callable[[VirtualTable], None]:
    whole = isinstance(value, list) and [type(part) for part in value] == [int, int]
    if not whole or not (0 <= value[0] < cells[0] and 0 <= value[1] < cells[1]):
        raise UserError(f"cell must be [row, column] within {cells[0]} x {cells[1]}")
    closed = _flag(rest.pop("closed", None), "closed")
    return lambda table: table.set_cell(value[0], value[1], closed)


def _stuck(value: Any, rest: dict[str, Any], _cells: object) -> Callable[[VirtualTable], None]:
    sensor = _reed(value)
    how = rest.pop("closed", None)
    if how != "flicker":
        how = _flag(how, "closed")
    return lambda table: table.set_stuck(sensor, how)


def _bounce(value: Any, _rest: dict[str, Any], _cells: object) -> Callable[[VirtualTable], None]:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 50:
        raise UserError("bounce_ms must be a number from 0 to 50")

    def do(table: VirtualTable) -> None:
        table.bounce_ms = float(value)

    return do


def _unplug(value: Any, _rest: dict[str, Any], _cells: object) -> Callable[[VirtualTable], None]:
    _true(value, "unplug")
    return lambda table: table.plug(False)


def _plug(value: Any, _rest: dict[str, Any], _cells: object) -> Callable[[VirtualTable], None]:
    _true(value, "plug")
    return lambda table: table.plug(True)


def _power(value: Any, _rest: dict[str, Any], _cells: object) -> Callable[[VirtualTable], None]:
    if value not in ("on", "off"):
        raise UserError("power is 'on' or 'off'")
    return lambda table: table.power(value == "on")


def _flag(value: Any, name: str) -> bool:
    if not isinstance(value, bool):
        raise UserError(f"{name} must be true or false")
    return value


def _true(value: Any, name: str) -> None:
    if value is not True:
        raise UserError(f"{name} must be true")


_KINDS: dict[str, Callable[..., Callable[[VirtualTable], None]]] = {
    "lift": _lift,
    "place": _place,
    "press": _press,
    "cell": _cell,
    "stuck": _stuck,
    "bounce_ms": _bounce,
    "unplug": _unplug,
    "plug": _plug,
    "power": _power,
}

"""Scripts of physical events, JSON lines: what the hands, the cable and the mains do, and when.

A script may begin with what lies on the table. It is checked whole before anything runs, or line by
line as a program that plays writes it; an event that cannot be done (a lift from an empty space)
ends the run with its line.
"""

import json
from array import array
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import chain, islice
from typing import Any, NamedTuple

from chronotable.hardware.sensors import SENSORS, SHARED
from chronotable.hardware.wiring import COLUMNS
from chronotable_host.errors import UserError
from chronotable_host.language import tr
from chronotable_host.link.parsing import parse_sensor
from chronotable_host.rules.notation import (
    NotationError,
    parse_options,
    parse_player,
    parse_position,
)
from chronotable_host.virtual.runtimes.wiring import no_matrix
from chronotable_host.virtual.table import VirtualTable, settings_for

BUTTON_NAMES = ("undo", "action", "a", "b", "c", "resign", "draw")
_SIDED = ("undo", "action", "resign")
_REST_MS = 2000.0
_SLOWEST_MS = 1000

Do = Callable[[VirtualTable], None]
"""What an event does to a table."""


class Start(NamedTuple):
    """With what the table starts: the position that lies there, and the bits of its options."""

    state: "array[int]"
    options: int


class Event(NamedTuple):
    """One line of a script; one that says the start comes when it has been done."""

    line: int
    t_ms: float
    do: Do | Start


class Script(NamedTuple):
    """The events of a script, its start among them; `start` is None where it does not say."""

    events: Iterable[Event]
    start: Start | None


def parse_script(text: str, name: str, has_matrix: bool = True) -> Script:
    """Read a script, all of it; on a board that has no matrix nothing of one can break.

    Raises UserError that names file, line and what is wrong.
    """
    script = read_script(text.splitlines(), name, has_matrix)
    return script._replace(events=list(script.events))


def read_script(lines: Iterable[str], name: str, has_matrix: bool = True) -> Script:
    """Read a script no further than to its first event; `events` reads on, an event at a time.

    Both raise what `parse_script` does.
    """
    events = _parse_lines(lines, name, has_matrix)
    first = list(islice(events, 1))
    starts = (event.do for event in first if isinstance(event.do, Start))
    return Script(chain(first, events), next(starts, None))


def run_script(
    table: VirtualTable, script: Script, name: str, done: Callable[[Event], None] | None = None
) -> None:
    """Run a script's events, and 2 s more; `done` is called after each, before the next is read.

    The table has its start already. Raises UserError for an event that cannot be read or done,
    when the 2 s after those before it are over.
    """
    begun = end = table.now_ms
    try:
        for event in script.events:
            end = begun + event.t_ms
            table.run_until(end)
            if not isinstance(event.do, Start):
                with _at_line(name, event.line):
                    event.do(table)
            if done is not None:
                done(event)
    except UserError:
        table.run_until(end + _REST_MS)
        raise
    table.run_until(end + _REST_MS)


@contextmanager
def _at_line(name: str, line: int) -> Iterator[None]:
    """Name file and line in front of what is wrong there."""
    try:
        yield
    except (ValueError, UserError) as error:
        raise UserError(
            tr("{file}, line {line}: {problem}", file=name, line=line, problem=error)
        ) from error


def _parse_lines(lines: Iterable[str], name: str, has_matrix: bool) -> Iterator[Event]:
    last: Event | None = None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        with _at_line(name, number):
            t_ms, do = _parse_line(line, last.t_ms if last else 0, has_matrix)
            if isinstance(do, Start) and (t_ms or last is not None):
                raise UserError(tr("start can only be the first event, and its t_ms is 0"))
        last = Event(number, t_ms, do)
        yield last


def _parse_line(line: str, last: float, has_matrix: bool) -> tuple[float, Do | Start]:
    try:
        data = json.loads(line)
    except json.JSONDecodeError as error:
        raise UserError(
            tr("not JSON ({problem} at column {column})", problem=error.msg, column=error.colno)
        ) from error
    except RecursionError as error:
        raise UserError(tr("not an event: brackets are nested without end")) from error
    if not isinstance(data, dict):
        raise UserError(
            tr(
                "an event is an object such as {example}",
                example='{"t_ms":1200,"lift":"present 6"}',
            )
        )
    t_ms = data.pop("t_ms", None)
    if not _is_number(t_ms) or not 0 <= t_ms < 1e9:
        raise UserError(tr("t_ms must be a time in ms since power-on"))
    if t_ms < last:
        raise UserError(tr("t_ms {t_ms} is before {last} of the line before", t_ms=t_ms, last=last))
    if not data:
        return t_ms, lambda _table: None  # time passes
    found = [key for key in _KINDS if key in data]
    if len(found) != 1:
        raise UserError(tr("an event has exactly one of {kinds}", kinds=", ".join(_KINDS)))
    kind = found[0]
    value = data.pop(kind)
    what = _KINDS[kind](value, data, has_matrix)
    if data:
        raise UserError(
            tr("'{field}' does not go with '{kind}'", field=next(iter(data)), kind=kind)
        )
    return t_ms, what


def _start(value: Any, rest: dict[str, Any], _has_matrix: object) -> Start:
    options = rest.pop("options", "")
    if not isinstance(value, str):
        raise UserError(tr("start is a position, as `show` prints it"))
    if not isinstance(options, str):
        raise UserError(tr("options is a text such as 'strict_two_actions=true'"))
    start = Start(parse_position(value), parse_options(options))
    settings_for(*start)  # raises UserError for more pieces than are in the box
    return start


def _reed(value: Any) -> int:
    if not isinstance(value, str):
        raise UserError(
            tr("a space or focus spot is a text such as 'past 3' or 'focus white past'")
        )
    sensor = parse_sensor(value)
    if sensor >= SENSORS:
        raise UserError(tr("'{name}' is a button; use press", name=value))
    return sensor


def _touch(
    touch: Callable[[VirtualTable, int], None], value: Any, _rest: object, _has_matrix: object
) -> Do:
    sensor = _reed(value)
    return lambda table: touch(table, sensor)


def _place(value: Any, rest: dict[str, Any], _has_matrix: object) -> Do:
    sensor, pole = _reed(value), _player(rest, "pole")
    return lambda table: table.place(sensor, pole)


def _player(rest: dict[str, Any], field: str) -> int | None:
    """Take a field that says which player's, None where it is not there."""
    if field not in rest:
        return None
    try:
        return parse_player(str(rest.pop(field)))
    except NotationError as error:
        raise UserError(str(error)) from error


def _press(value: Any, rest: dict[str, Any], _has_matrix: object) -> Do:
    if value not in BUTTON_NAMES:
        raise UserError(
            tr("'{name}' is none of the buttons {known}", name=value, known=", ".join(BUTTON_NAMES))
        )
    side = _player(rest, "side")
    if side is None and value in _SIDED:
        raise UserError(
            tr('each player has a button {name}; say "side":"white" or "black"', name=value)
        )
    return lambda table: table.press(value, SHARED if side is None else side)


def _cell(value: Any, rest: dict[str, Any], has_matrix: bool) -> Do:
    whole = isinstance(value, list) and [type(part) for part in value] == [int, int]
    if not whole or not (0 <= value[0] < COLUMNS and 0 <= value[1] < COLUMNS):
        pair = tr("[row, column]") if has_matrix else tr("[chip, input]")
        raise UserError(tr("cell must be {pair} within {size} x {size}", pair=pair, size=COLUMNS))
    closed = _flag(rest.pop("closed", None), "closed")
    return lambda table: table.set_cell(value[0], value[1], closed)


def _stuck(value: Any, rest: dict[str, Any], _has_matrix: object) -> Do:
    sensor = _reed(value)
    how = rest.pop("closed", "")
    if how is not None and how != "flicker" and not isinstance(how, bool):
        raise UserError(tr('closed must be true, false, "flicker", or null for a cured reed'))
    pole = _player(rest, "pole")
    if pole is not None and isinstance(how, bool):
        return lambda table: table.set_stuck_output(sensor, pole, how)
    return lambda table: table.set_stuck(sensor, how)


def _slow(value: Any, rest: dict[str, Any], _has_matrix: object) -> Do:
    sensor = _reed(value)
    delay_ms = rest.pop("ms", None)
    if not _is_number(delay_ms) or not 0 <= delay_ms <= _SLOWEST_MS:
        raise UserError(tr("ms must be a number from 0 (cured) to {most}", most=_SLOWEST_MS))
    return lambda table: table.set_slow(sensor, float(delay_ms))


def _diode(value: Any, rest: dict[str, Any], has_matrix: bool) -> Do:
    if not has_matrix:
        no_matrix("diode")
    if not isinstance(value, str):
        raise UserError(tr("a diode is named by its sensor, as 'past 3' or 'button a'"))
    sensor = parse_sensor(value)
    present = _flag(rest.pop("present", None), "present")
    return lambda table: table.set_diode(sensor, present)


def _line(
    name: str,
    cut_line: Callable[[VirtualTable, int, bool], None],
    value: Any,
    rest: dict[str, Any],
    has_matrix: bool,
) -> Do:
    if not has_matrix:
        no_matrix(name)
    if type(value) is not int or not 0 <= value < COLUMNS:
        raise UserError(
            tr("{name} must be a whole number from 0 to {most}", name=name, most=COLUMNS - 1)
        )
    cut = _flag(rest.pop("cut", None), "cut")
    return lambda table: cut_line(table, value, cut)


def _bounce(value: Any, _rest: dict[str, Any], _has_matrix: object) -> Do:
    if not _is_number(value) or not 0 <= value <= 50:
        raise UserError(tr("bounce_ms must be a number from 0 to 50"))

    def do(table: VirtualTable) -> None:
        table.bounce_ms = float(value)

    return do


def _cable(name: str, value: Any, _rest: object, _has_matrix: object) -> Do:
    if value is not True:
        raise UserError(tr("{name} must be true", name=name))
    return lambda table: table.plug(name == "plug")


def _power(value: Any, _rest: dict[str, Any], _has_matrix: object) -> Do:
    if value not in ("on", "off"):
        raise UserError(tr("power is 'on' or 'off'"))
    return lambda table: table.power(value == "on")


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _gap(value: Any, _rest: dict[str, Any], _has_matrix: object) -> Do:
    first, last = value if isinstance(value, list) and len(value) == 2 else ("?", "?")
    raise UserError(
        tr(
            "the events {first} to {last} of this game were not heard, so what follows cannot be "
            "replayed; the lines before it can",
            first=first,
            last=last,
        )
    )


def _flag(value: Any, name: str) -> bool:
    if not isinstance(value, bool):
        raise UserError(tr("{name} must be true or false", name=name))
    return value


_KINDS: dict[str, Callable[..., Do | Start]] = {
    "lift": partial(_touch, VirtualTable.lift),
    "place": _place,
    "press": _press,
    "cell": _cell,
    "stuck": _stuck,
    "slow": _slow,
    "diode": _diode,
    "row": partial(_line, "row", VirtualTable.cut_row),
    "column": partial(_line, "column", VirtualTable.cut_col),
    "bounce_ms": _bounce,
    "unplug": partial(_cable, "unplug"),
    "plug": partial(_cable, "plug"),
    "power": _power,
    "start": _start,
    "gap": _gap,
}

"""Board data: what a file in `boards/` may say, and what it means for the rest of the table.

Two rules. Whatever can be wrong with a board file is found here and nowhere else, on the table
and on the PC alike, and is told with its JSON path (for a clash: with both owners). And nothing
behind this file knows cells or chain positions: they leave it as arrays indexed by sensor. The
table needs this file once, at boot.
"""

import binascii
import json

from chronotable.hardware.naming import sensor_name
from chronotable.hardware.sensors import (
    BUTTON,
    BUTTONS,
    ERAS,
    FOCUS,
    INPUTS,
    PLAYERS,
    SHARED,
    SPACES,
)
from chronotable.hardware.wiring import COLUMNS, Board
from ttykm.mp import const

_KEYS = ("name", "mcu", "leds", "magnets", "seats", "eras", "focus", "buttons", "geometry_mm")
_MAY_SAY = ("presence_only", "sensor", "sound")
_SCANNED = ("matrix", "registers")  # what the reeds are read through: one of these
_SENSORS = ("reed", "hall", "polarity")
_MATRIX_KEYS = ("row_pins", "col_pins", "diode", "settle_us", "scan_ms", "debounce_ms")
_REGISTER_KEYS = ("load_pin", "clock_pin", "data_pin", "settle_us", "scan_ms", "debounce_ms")
_LED_KEYS = ("pin", "count", "colour_order", "max_ma", "led_ma")
_GEOMETRY_KEYS = ("table", "pitch", "space_1", "focus", "buttons")
_COLOUR_ORDERS = ("RGB", "RBG", "GRB", "GBR", "BRG", "BGR")
_NEEDED_MAGNETS = ("copy", "focus")
_MAGNETS = _NEEDED_MAGNETS + ("object",)  # noqa: RUF005 - the chip knows no other way
_MORE_MAGNETS = ("seed",)  # of a chapter, so no error lists it
_SEATS = ("north", "south")
_SIDES = ("white", "black", "shared")
_OWN_BUTTONS = ("undo", "action", "resign")
_SHARED_BUTTONS = ("a", "b", "c", "draw")
_ROWS = const(INPUTS // COLUMNS)
_PIN_MAX = const(28)
_OWN_PINS = (23, 24, 25)  # a Pico keeps them to itself
# the debouncer counts to seven equal samples, which six scan periods lie between
_DEBOUNCE_SCANS = const(6)
# The name travels in HELLO, whose line has 64 bytes for everything.
_NAME_MAX = const(16)
_NAME_LETTERS = const("abcdefghijklmnopqrstuvwxyz0123456789_-")


class BoardError(ValueError):
    """A board file is wrong: `path` is the place in the JSON, as `eras[1].cells[2][3]`.

    `message` says what is wrong there, and `str()` both in one sentence.
    """

    def __init__(self, path: str, message: str) -> None:
        super().__init__(f"{path}: {message}")
        self.path = path
        self.message = message


def load(data: "dict[str, object]") -> Board:
    """Check a parsed board file and build its Board; raises BoardError for what is wrong first."""
    board = Board()
    kinds = [kind for kind in _SCANNED if isinstance(data, dict) and kind in data]
    if len(kinds) > 1:
        raise BoardError(kinds[1], f"a board has only one of {' and '.join(kinds)}")
    kind = kinds[0] if kinds else " or ".join(_SCANNED)
    keys: tuple[str, ...] = _KEYS + (kind,)  # noqa: RUF005 - the chip knows no other way
    keys += tuple([key for key in _MAY_SAY if isinstance(data, dict) and key in data])
    top = _object(data, "", keys)
    board.name = _text(top["name"], "name")
    if not 1 <= len(board.name) <= _NAME_MAX or board.name.strip(_NAME_LETTERS):
        raise BoardError(
            "name",
            f"must be 1 to {_NAME_MAX} of the characters a-z, 0-9, _ and -, not '{board.name}'",
        )
    _choice(top["mcu"], "mcu", ("rp2040", "rp2350"))
    pins: dict[int, str] = {}
    is_matrix = kind == "matrix"
    scanned = _object(top[kind], kind, _MATRIX_KEYS if is_matrix else _REGISTER_KEYS)
    if is_matrix:
        board.row_pins = _pins(scanned["row_pins"], "matrix.row_pins", _ROWS, pins)
        board.col_pins = _pins(scanned["col_pins"], "matrix.col_pins", COLUMNS, pins)
        # The scan drives one row low and reads the columns: current can only flow this way.
        _choice(scanned["diode"], "matrix.diode", ("col2row",))
    else:
        three = [_pin(scanned[key], f"{kind}.{key}", pins) for key in _REGISTER_KEYS[:3]]
        board.register_pins = tuple(three)
    board.sensor = _choice(top.get("sensor", "reed"), "sensor", _SENSORS)
    if is_matrix and board.sensor != "reed":
        raise BoardError("sensor", f"{board.sensor} needs registers, as a matrix reads reeds alone")
    if "presence_only" in top:
        board.presence_only = _presence_only(top["presence_only"], board.sensor)
    board.settle_us = _int(scanned["settle_us"], f"{kind}.settle_us", 1, 100)
    board.scan_ms = _int(scanned["scan_ms"], f"{kind}.scan_ms", 1, 20)
    leds = _object(top["leds"], "leds", _LED_KEYS)
    board.led_pin = _pin(leds["pin"], "leds.pin", pins)
    if "sound" in top:
        board.sound_pin = _pin(_object(top["sound"], "sound", ("pin",))["pin"], "sound.pin", pins)
    _int(leds["count"], "leds.count", board.led_count, board.led_count)
    board.debounce_ms = _debounce_ms(scanned["debounce_ms"], f"{kind}.debounce_ms", board.scan_ms)
    board.colour_order = _choice(leds["colour_order"], "leds.colour_order", _COLOUR_ORDERS)
    # 54 WS2812 take about 54 mA when dark, so less than 100 mA could light nothing.
    board.max_ma = _int(leds["max_ma"], "leds.max_ma", 100, 4000)
    board.channel_ma = _int(leds["led_ma"], "leds.led_ma", 1, 60)
    board.magnets = _magnets(top["magnets"])
    seats = _object(top["seats"], "seats", PLAYERS)
    white, black = [_choice(seats[player], f"seats.{player}", _SEATS) for player in PLAYERS]
    if white == black:
        raise _taken("seats.black", f"the {black}", "seats.white")
    board.seats = (white, black)
    _Wiring(board).read(top)
    _check_geometry(top["geometry_mm"])
    return board


def board_hash(data: "Board | dict[str, object] | bytes") -> int:
    """Hash what a board file means, in 32 bits, equal on the table and on the PC.

    The layout of the file and its geometry do not count: files that make the same Board have the
    same hash. Takes the file's bytes, the parsed file or its Board.

    Raises BoardError where the file is wrong.
    """
    if isinstance(data, bytes):
        try:
            data = json.loads(data)
        except (ValueError, RuntimeError):  # brackets nested without end are the latter
            # No `from`: MicroPython prints a warning for it.
            raise BoardError("board", "is not valid JSON")  # noqa: B904
    board = data if isinstance(data, Board) else load(data)  # type: ignore[arg-type]
    numbers = [
        board.row_pins,
        board.col_pins,
        (board.settle_us, board.scan_ms, board.debounce_ms),
        (board.led_pin, board.led_count, board.max_ma, board.channel_ma),
        board.cell_of,
        board.led_of,
    ]
    words = (board.name, board.colour_order, ",".join(board.magnets), ",".join(board.seats))
    if board.register_pins:
        numbers.append(board.register_pins)
    if board.presence_only:
        numbers.append(board.presence_only)
    if board.sound_pin >= 0:
        numbers.append((board.sound_pin,))
    crc = binascii.crc32("board 1;{};{};{};{}".format(*words).encode())
    if board.sensor != "reed":
        crc = binascii.crc32(board.sensor.encode(), crc)
    for part in numbers:
        # One part at a time: the device never holds the whole text.
        crc = binascii.crc32((";" + ",".join([str(number) for number in part])).encode(), crc)
    return int(crc & 0xFFFFFFFF)


class _Wiring:
    """Fills a Board's arrays and remembers who owns each cell and LED, to name both in a clash.

    Focus and buttons go first: of two owners the space is then the one that is complained about,
    and the other one has a name that says where on the table it is.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.cells: dict[int, str] = {}
        self.leds: dict[int, str] = {}

    def read(self, top: "dict[str, object]") -> None:
        self.focus(top["focus"])
        self.buttons(top["buttons"])
        self.eras(top["eras"])

    def focus(self, value: object) -> None:
        players = _object(value, "focus", PLAYERS)
        sensor = FOCUS
        for player in PLAYERS:
            spots = _object(players[player], f"focus.{player}", ERAS)
            for era in ERAS:
                owner = f"focus.{player}.{era}"
                spot = _object(spots[era], owner, ("cell", "led"))
                self.cell(spot["cell"], f"{owner}.cell", sensor, owner)
                self.led(spot["led"], f"{owner}.led", sensor, owner)
                sensor += 1

    def buttons(self, value: object) -> None:
        defined: dict[int, str] = {}
        for place, entry in enumerate(_list(value, "buttons", len(BUTTONS))):
            owner = f"buttons[{place}]"
            sensor, button = _button(entry, owner)
            if sensor in defined:
                name = sensor_name(sensor)
                raise BoardError(owner, f"{name} is already defined by {defined[sensor]}")
            defined[sensor] = owner
            self.cell(button["cell"], f"{owner}.cell", sensor, owner)

    def eras(self, value: object) -> None:
        entries = _list(value, "eras", len(ERAS))
        sensor = 0
        for era, name in enumerate(ERAS):
            owner = f"eras[{era}]"
            entry = _object(entries[era], owner, ("name", "cells", "leds"))
            _choice(entry["name"], f"{owner}.name", (name,))
            cells = _list(entry["cells"], f"{owner}.cells", 4)
            leds = _list(entry["leds"], f"{owner}.leds", 4)
            for row in range(4):
                row_cells = _list(cells[row], f"{owner}.cells[{row}]", 4)
                row_leds = _list(leds[row], f"{owner}.leds[{row}]", 4)
                for col in range(4):
                    path = f"{owner}.cells[{row}][{col}]"
                    self.cell(row_cells[col], path, sensor, path)
                    path = f"{owner}.leds[{row}][{col}]"
                    self.led(row_leds[col], path, sensor, path)
                    sensor += 1

    def cell(self, value: object, path: str, sensor: int, owner: str) -> None:
        pair = _list(value, path, 2)
        row = _int(pair[0], f"{path}[0]", 0, _ROWS - 1)
        col = _int(pair[1], f"{path}[1]", 0, COLUMNS - 1)
        cell = row * COLUMNS + col
        if cell in self.cells:
            raise _taken(path, f"cell [{row},{col}]", self.cells[cell])
        self.cells[cell] = owner
        self.board.cell_of[sensor] = cell
        self.board.sensor_of[cell] = sensor

    def led(self, value: object, path: str, sensor: int, owner: str) -> None:
        led = _int(value, path, 0, self.board.led_count - 1)
        if led in self.leds:
            raise _taken(path, f"LED {led}", self.leds[led])
        self.leds[led] = owner
        self.board.led_of[sensor] = led


def _debounce_ms(value: object, path: str, scan_ms: int) -> int:
    debounce_ms = _int(value, path, 1, 200)
    if debounce_ms > _DEBOUNCE_SCANS * scan_ms:
        raise BoardError(
            path,
            f"must be at most {_DEBOUNCE_SCANS} scans, {_DEBOUNCE_SCANS * scan_ms} ms "
            f"at scan_ms {scan_ms}, not {debounce_ms}",
        )
    if debounce_ms % scan_ms:
        raise BoardError(path, f"must be a multiple of scan_ms ({scan_ms}), not {debounce_ms}")
    return debounce_ms


def _pins(value: object, path: str, count: int, owners: "dict[int, str]") -> tuple[int, ...]:
    entries = enumerate(_list(value, path, count))
    return tuple([_pin(entry, f"{path}[{place}]", owners) for place, entry in entries])


def _pin(value: object, path: str, owners: "dict[int, str]") -> int:
    pin = _int(value, path, 0, _PIN_MAX)
    if pin in _OWN_PINS:
        raise BoardError(path, f"must be 0 to 22 or 26 to 28, which a Pico leads out, not {pin}")
    if pin in owners:
        raise _taken(path, f"pin {pin}", owners[pin])
    owners[pin] = path
    return pin


def _magnets(value: object) -> tuple[str, ...]:
    kinds: list[str] = []
    for place, entry in enumerate(_list(value, "magnets")):
        path = f"magnets[{place}]"
        kind = entry if entry in _MORE_MAGNETS else _choice(entry, path, _MAGNETS)
        if kind in kinds:
            raise BoardError(path, f"{kind} is already listed as magnets[{kinds.index(kind)}]")
        kinds.append(kind)
    for kind in _NEEDED_MAGNETS:
        if kind not in kinds:
            raise BoardError("magnets", f"{kind} is missing, and without it nothing is sensed")
    return tuple(kinds)


def _presence_only(value: object, sensor: str) -> tuple[int, ...]:
    """Check for names of spaces that have no poles, on a board that has them."""
    owner = "presence_only"
    if sensor != "polarity":
        raise BoardError(owner, "needs the sensor polarity, as no other tells poles apart")
    names = [sensor_name(space) for space in range(SPACES)]
    spaces: list[int] = []
    for place, entry in enumerate(_list(value, owner)):
        path = f"{owner}[{place}]"
        name = _text(entry, path)
        if name not in names:
            raise BoardError(path, f"must be a space, as 'past 3', not '{name}'")
        if names.index(name) in spaces:
            raise _taken(path, name, f"{owner}[{spaces.index(names.index(name))}]")
        spaces.append(names.index(name))
    return tuple(sorted(spaces))


def _button(value: object, path: str) -> "tuple[int, dict[str, object]]":
    """Find the sensor that an entry of `buttons` is about; its cell is left to the caller."""
    if not isinstance(value, dict):
        raise BoardError(path, f"must be an object, not {_kind(value)}")
    if "name" not in value:
        raise BoardError(f"{path}.name", "is missing")
    name = _choice(value["name"], f"{path}.name", _OWN_BUTTONS + _SHARED_BUTTONS)
    own = name in _OWN_BUTTONS
    if not own and "side" in value:
        raise BoardError(f"{path}.side", f"the button {name} is shared and has no side")
    if own and "side" not in value:
        raise BoardError(f"{path}.side", f"is missing, as each player has a button {name}")
    button = _object(value, path, ("name", "side", "cell") if own else ("name", "cell"))
    side = SHARED
    if own:
        side = PLAYERS.index(_choice(button["side"], f"{path}.side", PLAYERS))
    return BUTTON + BUTTONS.index((name, side)), button


def _check_geometry(value: object) -> None:
    """Check the places of things on the table, in mm from its north-west corner, east and south."""
    top = "geometry_mm"
    geometry = _object(value, top, _GEOMETRY_KEYS)
    table = _list(geometry["table"], f"{top}.table", 2)
    width = _number(table[0], f"{top}.table[0]", 50, 3000)
    height = _number(table[1], f"{top}.table[1]", 50, 3000)
    pitch = _number(geometry["pitch"], f"{top}.pitch", 5, 200)
    taken: dict[tuple[float, float], str] = {}

    def check(place: object, path: str, room: float = 0) -> None:
        """Check that [x, y] is free and on the table, with `room` mm to the east and south."""
        pair = _list(place, path, 2)
        x = _number(pair[0], f"{path}[0]", 0, width - room)
        y = _number(pair[1], f"{path}[1]", 0, height - room)
        if (x, y) in taken:
            raise _taken(path, f"the place [{x},{y}]", taken[x, y])
        taken[x, y] = path

    for era, place in enumerate(_list(geometry["space_1"], f"{top}.space_1", len(ERAS))):
        # The centre of space 1; space 16 lies three pitches further both ways.
        check(place, f"{top}.space_1[{era}]", 3 * pitch)
    spots = _object(geometry["focus"], f"{top}.focus", PLAYERS)
    for player in PLAYERS:
        path = f"{top}.focus.{player}"
        for era, place in enumerate(_list(spots[player], path, len(ERAS))):
            check(place, f"{path}[{era}]")
    buttons = _object(geometry["buttons"], f"{top}.buttons", _SIDES)
    for side in _SIDES:
        path = f"{top}.buttons.{side}"
        names = _SHARED_BUTTONS if side == "shared" else _OWN_BUTTONS
        places = _object(buttons[side], path, names)
        for name in names:
            check(places[name], f"{path}.{name}")


def _taken(path: str, what: str, owner: str) -> BoardError:
    return BoardError(path, f"{what} is already used by {owner}")


def _object(value: object, path: str, keys: tuple[str, ...]) -> "dict[str, object]":
    """Check for an object with exactly these keys; the path of the whole file is ""."""
    if not isinstance(value, dict):
        raise BoardError(path or "board", f"must be an object, not {_kind(value)}")
    inside = path and path + "."
    missing = [key for key in keys if key not in value]
    for key in value:
        if key not in keys:
            hint = f"; is {missing[0]} meant?" if len(missing) == 1 else ""
            raise BoardError(f"{inside}{key}" or "board", f"is not a known key{hint}")
    if missing:
        raise BoardError(f"{inside}{missing[0]}", "is missing")
    return value


def _list(value: object, path: str, length: int = -1) -> list[object]:
    """Check for a list, of this length unless it is negative."""
    if not isinstance(value, list):
        raise BoardError(path, f"must be a list, not {_kind(value)}")
    if length >= 0 and len(value) != length:
        raise BoardError(path, f"must have {length} entries, not {len(value)}")
    return value


def _int(value: object, path: str, low: int, high: int) -> int:
    # bool is an int on CPython, though not on MicroPython.
    if not isinstance(value, int) or isinstance(value, bool):
        raise BoardError(path, f"must be a whole number, not {_kind(value)}")
    _check_range(value, path, low, high)
    return value


def _number(value: object, path: str, low: float, high: float) -> float:
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        raise BoardError(path, f"must be a number, not {_kind(value)}")
    _check_range(value, path, low, high)
    return value


def _check_range(value: float, path: str, low: float, high: float) -> None:
    if not low <= value <= high:
        allowed = f"{low}" if low == high else f"{low} to {high}"
        raise BoardError(path, f"must be {allowed}, not {value}")


def _text(value: object, path: str) -> str:
    if not isinstance(value, str):
        raise BoardError(path, f"must be text, not {_kind(value)}")
    return value


def _choice(value: object, path: str, allowed: tuple[str, ...]) -> str:
    text = _text(value, path)
    if text not in allowed:
        raise BoardError(path, f"must be {' or '.join(allowed)}, not '{text}'")
    return text


def _kind(value: object) -> str:
    """Say what a JSON value is, in words for an error."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, int):
        return f"the number {value}"
    if isinstance(value, float):
        return f"the fraction {value}"
    if isinstance(value, str):
        return f"the text '{value}'"
    return "a list" if isinstance(value, list) else "an object"

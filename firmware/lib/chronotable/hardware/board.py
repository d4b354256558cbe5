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
    SENSORS,
    SHARED,
)
from chronotable.hardware.wiring import COLUMNS, Board
from ttykm.mp import const

_KEYS = (
    "name",
    "mcu",
    "leds",
    "magnets",
    "seats",
    "eras",
    "focus",
    "buttons",
    "geometry_mm",
)
_SCANNED = ("matrix", "registers")  # what the reeds are read through: one of these
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
    """A board file is wrong: `path` is the place in the JSON, `message` what is wrong there.

    `str()` of it is one sentence, `path: message`.
    """

    def __init__(self, path: str, message: str) -> None:
        super().__init__(f"{path}: {message}")
        self.path = path
        self.message = message


def load(data: "dict[str, object]") -> Board:
    """Check a parsed board file and build its Board; `data` is neither kept nor changed.

    Raises BoardError for the first thing that is wrong.
    """
    kind = _scanned_by(data)
    keys: tuple[str, ...] = _KEYS + (kind,)  # noqa: RUF005 - the chip knows no other way
    if isinstance(data, dict) and "sound" in data:
        keys += ("sound",)
    top = _object(data, (), keys)
    name = _name(top["name"])
    _choice(top["mcu"], ("mcu",), ("rp2040", "rp2350"))
    scanned = _object(top[kind], (kind,), _MATRIX_KEYS if kind == "matrix" else _REGISTER_KEYS)
    pins: dict[int, tuple[object, ...]] = {}
    row_pins: tuple[int, ...] = ()
    col_pins: tuple[int, ...] = ()
    register_pins: tuple[int, ...] = ()
    if kind == "matrix":
        row_pins = _pins(scanned["row_pins"], (kind, "row_pins"), _ROWS, pins)
        col_pins = _pins(scanned["col_pins"], (kind, "col_pins"), COLUMNS, pins)
        # The scan drives one row low and reads the columns: current can only flow this way.
        _choice(scanned["diode"], (kind, "diode"), ("col2row",))
    else:
        register_pins = tuple([_pin(scanned[key], (kind, key), pins) for key in _REGISTER_KEYS[:3]])
    settle_us = _int(scanned["settle_us"], (kind, "settle_us"), 1, 100)
    scan_ms = _int(scanned["scan_ms"], (kind, "scan_ms"), 1, 20)
    leds = _object(top["leds"], ("leds",), _LED_KEYS)
    led_pin = _pin(leds["pin"], ("leds", "pin"), pins)
    sound_pin = -1
    if "sound" in top:
        sound = _object(top["sound"], ("sound",), ("pin",))
        sound_pin = _pin(sound["pin"], ("sound", "pin"), pins)
    led_count = _int(leds["count"], ("leds", "count"), SENSORS, SENSORS)
    board = Board(
        name=name,
        row_pins=row_pins,
        col_pins=col_pins,
        register_pins=register_pins,
        settle_us=settle_us,
        scan_ms=scan_ms,
        debounce_ms=_debounce_ms(scanned["debounce_ms"], (kind, "debounce_ms"), scan_ms),
        led_pin=led_pin,
        led_count=led_count,
        sound_pin=sound_pin,
        colour_order=_choice(leds["colour_order"], ("leds", "colour_order"), _COLOUR_ORDERS),
        # 54 WS2812 take about 54 mA when dark, so less than 100 mA could light nothing.
        max_ma=_int(leds["max_ma"], ("leds", "max_ma"), 100, 4000),
        channel_ma=_int(leds["led_ma"], ("leds", "led_ma"), 1, 60),
        magnets=_magnets(top["magnets"]),
        seats=_seats(top["seats"]),
        cell_of=bytearray(INPUTS),
        sensor_of=bytearray(INPUTS),
        led_of=bytearray(SENSORS),
    )
    _Wiring(board).read(top)
    _check_geometry(top["geometry_mm"])
    return board


def board_hash(data: "Board | dict[str, object] | bytes") -> int:
    """Hash what a board file means, in 32 bits, equal on the table and on the PC.

    The layout of the file and its geometry do not count: files that make the same Board have the
    same hash. Takes the file's bytes, the parsed file or its Board.

    Raises BoardError where the file is wrong.
    """
    if isinstance(data, Board):
        board = data
    elif isinstance(data, bytes):
        try:
            parsed = json.loads(data)
        except (ValueError, RuntimeError):  # brackets nested without end are the latter
            # No `from`: MicroPython prints a warning for it.
            raise BoardError("board", "is not valid JSON")  # noqa: B904
        board = load(parsed)
    else:
        board = load(data)
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
    if board.sound_pin >= 0:
        numbers.append((board.sound_pin,))
    crc = binascii.crc32("board 1;{};{};{};{}".format(*words).encode())
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
        self.cells: dict[int, tuple[object, ...]] = {}
        self.leds: dict[int, tuple[object, ...]] = {}

    def read(self, top: "dict[str, object]") -> None:
        self.focus(top["focus"])
        self.buttons(top["buttons"])
        self.eras(top["eras"])

    def focus(self, value: object) -> None:
        players = _object(value, ("focus",), PLAYERS)
        for player, player_name in enumerate(PLAYERS):
            spots = _object(players[player_name], ("focus", player_name), ERAS)
            for era, era_name in enumerate(ERAS):
                owner = ("focus", player_name, era_name)
                spot = _object(spots[era_name], owner, ("cell", "led"))
                sensor = FOCUS + player * 3 + era
                self.cell(spot["cell"], _at(owner, "cell"), sensor, owner)
                self.led(spot["led"], _at(owner, "led"), sensor, owner)

    def buttons(self, value: object) -> None:
        entries = _list(value, ("buttons",), len(BUTTONS))
        defined: dict[int, tuple[object, ...]] = {}
        for place, entry in enumerate(entries):
            owner = ("buttons", place)
            sensor, button = _button(entry, owner)
            if sensor in defined:
                name = sensor_name(sensor)
                raise _error(owner, f"{name} is already defined by {_text_of(defined[sensor])}")
            defined[sensor] = owner
            self.cell(button["cell"], _at(owner, "cell"), sensor, owner)

    def eras(self, value: object) -> None:
        entries = _list(value, ("eras",), len(ERAS))
        for era, era_name in enumerate(ERAS):
            owner = ("eras", era)
            entry = _object(entries[era], owner, ("name", "cells", "leds"))
            _choice(entry["name"], _at(owner, "name"), (era_name,))
            cells = _list(entry["cells"], _at(owner, "cells"), 4)
            leds = _list(entry["leds"], _at(owner, "leds"), 4)
            for row in range(4):
                row_cells = _list(cells[row], ("eras", era, "cells", row), 4)
                row_leds = _list(leds[row], ("eras", era, "leds", row), 4)
                for col in range(4):
                    sensor = era * 16 + row * 4 + col
                    path = ("eras", era, "cells", row, col)
                    self.cell(row_cells[col], path, sensor, path)
                    path = ("eras", era, "leds", row, col)
                    self.led(row_leds[col], path, sensor, path)

    def cell(
        self, value: object, path: tuple[object, ...], sensor: int, owner: tuple[object, ...]
    ) -> None:
        pair = _list(value, path, 2)
        row = _int(pair[0], _at(path, 0), 0, _ROWS - 1)
        col = _int(pair[1], _at(path, 1), 0, COLUMNS - 1)
        cell = row * COLUMNS + col
        if cell in self.cells:
            raise _taken(path, f"cell [{row},{col}]", self.cells[cell])
        self.cells[cell] = owner
        self.board.cell_of[sensor] = cell
        self.board.sensor_of[cell] = sensor

    def led(
        self, value: object, path: tuple[object, ...], sensor: int, owner: tuple[object, ...]
    ) -> None:
        led = _int(value, path, 0, self.board.led_count - 1)
        if led in self.leds:
            raise _taken(path, f"LED {led}", self.leds[led])
        self.leds[led] = owner
        self.board.led_of[sensor] = led


def _name(value: object) -> str:
    name = _text(value, ("name",))
    if not 1 <= len(name) <= _NAME_MAX or not all(letter in _NAME_LETTERS for letter in name):
        raise _error(
            ("name",), f"must be 1 to {_NAME_MAX} of the characters a-z, 0-9, _ and -, not '{name}'"
        )
    return name


def _scanned_by(data: object) -> str:
    """Tell which of `_SCANNED` a file has; a word for all of them where it has none."""
    kinds = [kind for kind in _SCANNED if isinstance(data, dict) and kind in data]
    if len(kinds) > 1:
        raise _error((kinds[1],), f"a board has only one of {' and '.join(kinds)}")
    return kinds[0] if kinds else " or ".join(_SCANNED)


def _debounce_ms(value: object, path: tuple[object, ...], scan_ms: int) -> int:
    debounce_ms = _int(value, path, 1, 200)
    if debounce_ms > _DEBOUNCE_SCANS * scan_ms:
        raise _error(
            path,
            f"must be at most {_DEBOUNCE_SCANS} scans, {_DEBOUNCE_SCANS * scan_ms} ms "
            f"at scan_ms {scan_ms}, not {debounce_ms}",
        )
    if debounce_ms % scan_ms:
        raise _error(path, f"must be a multiple of scan_ms ({scan_ms}), not {debounce_ms}")
    return debounce_ms


def _pins(
    value: object, path: tuple[object, ...], count: int, owners: dict[int, tuple[object, ...]]
) -> tuple[int, ...]:
    entries = _list(value, path, count)
    return tuple([_pin(entry, _at(path, place), owners) for place, entry in enumerate(entries)])


def _pin(value: object, path: tuple[object, ...], owners: dict[int, tuple[object, ...]]) -> int:
    pin = _int(value, path, 0, _PIN_MAX)
    if pin in _OWN_PINS:
        raise _error(path, f"must be 0 to 22 or 26 to 28, which a Pico leads out, not {pin}")
    if pin in owners:
        raise _taken(path, f"pin {pin}", owners[pin])
    owners[pin] = path
    return pin


def _magnets(value: object) -> tuple[str, ...]:
    kinds: list[str] = []
    for place, entry in enumerate(_list(value, ("magnets",))):
        path = ("magnets", place)
        kind = entry if entry in _MORE_MAGNETS else _choice(entry, path, _MAGNETS)
        if kind in kinds:
            raise _error(path, f"{kind} is already listed as magnets[{kinds.index(kind)}]")
        kinds.append(kind)
    for kind in _NEEDED_MAGNETS:
        if kind not in kinds:
            raise _error(("magnets",), f"{kind} is missing, and without it nothing is sensed")
    return tuple(kinds)


def _seats(value: object) -> tuple[str, ...]:
    seats = _object(value, ("seats",), PLAYERS)
    white = _choice(seats["white"], ("seats", "white"), _SEATS)
    black = _choice(seats["black"], ("seats", "black"), _SEATS)
    if white == black:
        raise _taken(("seats", "black"), f"the {black}", ("seats", "white"))
    return (white, black)


def _button(value: object, path: tuple[object, ...]) -> "tuple[int, dict[str, object]]":
    """Find the sensor that an entry of `buttons` is about; its cell is left to the caller."""
    if not isinstance(value, dict):
        raise _error(path, f"must be an object, not {_kind(value)}")
    if "name" not in value:
        raise _error(_at(path, "name"), "is missing")
    name = _choice(value["name"], _at(path, "name"), _OWN_BUTTONS + _SHARED_BUTTONS)
    own = name in _OWN_BUTTONS
    if not own and "side" in value:
        raise _error(_at(path, "side"), f"the button {name} is shared and has no side")
    if own and "side" not in value:
        raise _error(_at(path, "side"), f"is missing, as each player has a button {name}")
    button = _object(value, path, ("name", "side", "cell") if own else ("name", "cell"))
    side = SHARED
    if own:
        side = PLAYERS.index(_choice(button["side"], _at(path, "side"), PLAYERS))
    return BUTTON + BUTTONS.index((name, side)), button


def _check_geometry(value: object) -> None:
    """Check the places of things on the table, in mm from its north-west corner, east and south."""
    top = ("geometry_mm",)
    geometry = _object(value, top, _GEOMETRY_KEYS)
    path = _at(top, "table")
    table = _list(geometry["table"], path, 2)
    width = _number(table[0], _at(path, 0), 50, 3000)
    height = _number(table[1], _at(path, 1), 50, 3000)
    pitch = _number(geometry["pitch"], _at(top, "pitch"), 5, 200)
    taken: dict[tuple[float, float], tuple[object, ...]] = {}

    def check(place: object, path: tuple[object, ...], room: float = 0) -> None:
        """Check that [x, y] is free and on the table, with `room` mm to the east and south."""
        pair = _list(place, path, 2)
        x = _number(pair[0], _at(path, 0), 0, width - room)
        y = _number(pair[1], _at(path, 1), 0, height - room)
        if (x, y) in taken:
            raise _taken(path, f"the place [{x},{y}]", taken[x, y])
        taken[x, y] = path

    path = _at(top, "space_1")
    for era, place in enumerate(_list(geometry["space_1"], path, len(ERAS))):
        # The centre of space 1; space 16 lies three pitches further both ways.
        check(place, _at(path, era), 3 * pitch)
    spots = _object(geometry["focus"], _at(top, "focus"), PLAYERS)
    for player in PLAYERS:
        path = ("geometry_mm", "focus", player)
        for era, place in enumerate(_list(spots[player], path, len(ERAS))):
            check(place, _at(path, era))
    buttons = _object(geometry["buttons"], _at(top, "buttons"), _SIDES)
    for side in _SIDES:
        path = ("geometry_mm", "buttons", side)
        names = _SHARED_BUTTONS if side == "shared" else _OWN_BUTTONS
        places = _object(buttons[side], path, names)
        for name in names:
            check(places[name], _at(path, name))


def _at(path: tuple[object, ...], key: object) -> tuple[object, ...]:
    return path + (key,)  # noqa: RUF005 - MicroPython has no unpacking in displays


def _text_of(path: tuple[object, ...]) -> str:
    """Write a path as people do: `eras[1].cells[2][3]`."""
    text = ""
    for key in path:
        if isinstance(key, int):
            text += f"[{key}]"
        else:
            text += f".{key}" if text else f"{key}"
    return text


def _error(path: tuple[object, ...], message: str) -> BoardError:
    return BoardError(_text_of(path) or "board", message)


def _taken(path: tuple[object, ...], what: str, owner: tuple[object, ...]) -> BoardError:
    return _error(path, f"{what} is already used by {_text_of(owner)}")


def _object(value: object, path: tuple[object, ...], keys: tuple[str, ...]) -> "dict[str, object]":
    """Check for an object with exactly these keys."""
    if not isinstance(value, dict):
        raise _error(path, f"must be an object, not {_kind(value)}")
    missing = [key for key in keys if key not in value]
    for key in value:
        if key not in keys:
            hint = f"; is {missing[0]} meant?" if len(missing) == 1 else ""
            raise _error(_at(path, key), f"is not a known key{hint}")
    if missing:
        raise _error(_at(path, missing[0]), "is missing")
    return value


def _list(value: object, path: tuple[object, ...], length: int = -1) -> list[object]:
    """Check for a list, of this length unless it is negative."""
    if not isinstance(value, list):
        raise _error(path, f"must be a list, not {_kind(value)}")
    if length >= 0 and len(value) != length:
        raise _error(path, f"must have {length} entries, not {len(value)}")
    return value


def _int(value: object, path: tuple[object, ...], low: int, high: int) -> int:
    # bool is an int on CPython, though not on MicroPython.
    if not isinstance(value, int) or isinstance(value, bool):
        raise _error(path, f"must be a whole number, not {_kind(value)}")
    if not low <= value <= high:
        raise _error(path, f"must be {_range(low, high)}, not {value}")
    return value


def _number(value: object, path: tuple[object, ...], low: float, high: float) -> float:
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        raise _error(path, f"must be a number, not {_kind(value)}")
    if not low <= value <= high:
        raise _error(path, f"must be {_range(low, high)}, not {value}")
    return value


def _text(value: object, path: tuple[object, ...]) -> str:
    if not isinstance(value, str):
        raise _error(path, f"must be text, not {_kind(value)}")
    return value


def _choice(value: object, path: tuple[object, ...], allowed: tuple[str, ...]) -> str:
    text = _text(value, path)
    if text not in allowed:
        raise _error(path, f"must be {' or '.join(allowed)}, not '{text}'")
    return text


def _range(low: float, high: float) -> str:
    return f"{low}" if low == high else f"{low} to {high}"


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

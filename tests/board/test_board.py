"""A board file means what its reader thinks, and a wrong one is refused where it is wrong."""

import json
from pathlib import Path

import pytest

from chronotable.hardware.board import BoardError, board_hash, load
from chronotable.hardware.naming import sensor_name
from chronotable.hardware.sensors import BUTTON, BUTTONS, FOCUS, INPUTS, SENSORS, SPACES
from chronotable.hardware.wiring import Board
from chronotable_host.hardware import boards
from chronotable_host.link.parsing import parse_sensor
from tests.board.paths import put, read

REFERENCE = Path(__file__).parents[2] / "boards" / "reference.json"


def reference():
    return json.loads(REFERENCE.read_text("utf-8"))


def refusal(data):
    """The error that a board is refused with, or None."""
    try:
        load(data)
    except BoardError as error:
        assert str(error) == f"{error.path}: {error.message}"
        assert error.path and "\n" not in str(error)
        return error
    return None


# ---- the reference board


def test_reference_loads():
    board = load(reference())
    assert isinstance(board, Board)
    assert board.name == "reference"
    assert board.row_pins == tuple(range(2, 10))
    assert board.col_pins == tuple(range(10, 18))
    assert (board.scan_ms, board.debounce_ms) == (5, 20)
    assert (board.led_pin, board.led_count, board.colour_order) == (22, 54, "GRB")
    assert (board.max_ma, board.channel_ma) == (400, 20)
    assert board.magnets == ("copy", "focus", "object")
    assert board.seats == ("north", "south")


@pytest.mark.parametrize(
    ("name", "cell", "led"),
    [
        ("past 1", (0, 0), 1),
        ("past 5", (1, 0), 8),
        ("past 16", (3, 3), 13),
        ("present 1", (0, 4), 34),
        ("present 6", (1, 5), 28),
        ("present 16", (3, 7), 22),
        ("future 1", (4, 0), 37),
        ("future 16", (7, 3), 49),
        ("focus white past", (4, 4), 0),
        ("focus white future", (4, 6), 36),
        ("focus black past", (5, 4), 17),
        ("focus black future", (5, 6), 53),
        ("button undo white", (6, 4), None),
        ("button resign black", (7, 6), None),
        ("button a", (4, 7), None),
        ("button draw", (7, 7), None),
    ],
)
def test_golden_wiring(name, cell, led):
    board = load(reference())
    sensor = parse_sensor(name)
    assert divmod(board.cell_of[sensor], 8) == cell
    if led is not None:
        assert board.led_of[sensor] == led


def test_the_chain_has_no_long_jumps():
    """The LEDs are wired in the order of the chain, so neighbours in it are neighbours in space."""
    data = reference()
    board = load(data)
    geometry = data["geometry_mm"]
    spots = {}
    for sensor in range(SPACES):
        x, y = geometry["space_1"][sensor // 16]
        spots[board.led_of[sensor]] = (x + sensor % 4 * 40, y + sensor % 16 // 4 * 40)
    for player, side in enumerate(("white", "black")):
        for era in range(3):
            spots[board.led_of[FOCUS + player * 3 + era]] = geometry["focus"][side][era]
    hops = []
    for led in range(53):
        (x1, y1), (x2, y2) = spots[led], spots[led + 1]
        hops.append(((x1 - x2) ** 2 + (y1 - y2) ** 2) ** 0.5)
    assert max(hops) <= 188
    assert sum(hops) < 54 * 50


# ---- refusals, each in its words


REFUSED = """
[4, 4]  eras[1].cells[2][3]: cell [4,4] is already used by focus.white.past
[0, 0]  eras[0].cells[0][1]: cell [0,0] is already used by eras[0].cells[0][0]
[5, 5]  buttons[2].cell: cell [5,5] is already used by focus.black.present
0       eras[2].leds[3][0]: LED 0 is already used by focus.white.past
5       matrix.col_pins[3]: pin 5 is already used by matrix.row_pins[3]
2       leds.pin: pin 2 is already used by matrix.row_pins[0]
22      sound.pin: pin 22 is already used by leds.pin
9       sound.pin: pin 9 is already used by matrix.row_pins[7]
24      sound.pin: must be 0 to 22 or 26 to 28, which a Pico leads out, not 24
26      sound.gpio: is not a known key; is pin meant?
26      sound: must be an object, not the number 26
29      matrix.row_pins[0]: must be 0 to 28, not 29
23      leds.pin: must be 0 to 22 or 26 to 28, which a Pico leads out, not 23
true    matrix.scan_ms: must be a whole number, not true or false
null    matrix.scan_ms: must be a whole number, not null
22      matrix.debounce_ms: must be a multiple of scan_ms (5), not 22
"row2col"  matrix.diode: must be col2row, not 'row2col'
[2, 3, 4, 5, 6, 7, 8]  matrix.row_pins: must have 8 entries, not 7
[10, 11, 12, 13, 14, 15, 16, 17, 18]  matrix.col_pins: must have 8 entries, not 9
48      leds.count: must be 54, not 48
"up"    matrix.pull: is not a known key
"north"  seats.black: the north is already used by seats.white
"present"  eras[0].name: must be past, not 'present'
"white"  buttons[7].side: the button b is shared and has no side
209     geometry_mm.space_1[2][1]: must be 0 to 208, not 209
600     geometry_mm.space_1[2][0]: must be 0 to 520, not 600
NaN     geometry_mm.pitch: must be 5 to 200, not nan
"""
"""A value, and what is said of it, which begins with the path where it stands."""


@pytest.mark.parametrize("row", REFUSED.split("\n")[1:-1])
def test_a_value_is_refused_where_it_stands(row):
    value, sentence = row.split("  ", 1)
    path, data = read(sentence.strip().partition(": ")[0]), reference()
    if path[0] == "sound":
        data.setdefault("sound", {})
    put(data, path, json.loads(value))
    assert str(refusal(data)) == sentence.strip()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda data: data.pop("seats"), "seats: is missing"),
        (
            lambda data: put(data, ("matrix", "setle_us"), data["matrix"].pop("settle_us")),
            "matrix.setle_us: is not a known key; is settle_us meant?",
        ),
        (
            lambda data: put(data, ("buttons", 3, "side"), "white"),
            "buttons[3]: button undo white is already defined by buttons[0]",
        ),
        (
            lambda data: data["buttons"][4].pop("side"),
            "buttons[4].side: is missing, as each player has a button action",
        ),
    ],
)
def test_what_is_missing_or_doubled_is_refused(change, sentence):
    data = reference()
    change(data)
    assert str(refusal(data)) == sentence


@pytest.mark.parametrize("data", [None, [], 3, "reference", {}])
def test_no_board_at_all(data):
    assert refusal(data) is not None


# ---- the hash


def test_hash_is_pinned():
    """The table and the PC compare this number: another one here breaks tables in the field."""
    data = reference()
    assert board_hash(data) == 0x2972409B
    put(data, ("matrix", "settle_us"), 10)  # as the file was until now
    assert board_hash(data) == 0x11D90F0F


def test_hash_takes_bytes_data_and_board():
    text = REFERENCE.read_bytes()
    assert board_hash(text) == board_hash(json.loads(text)) == board_hash(load(json.loads(text)))
    assert board_hash(json.dumps(reference(), sort_keys=True).encode()) == board_hash(text)


@pytest.mark.parametrize("data", [b"{", b"", b"\xff", b"[]", b"null"])
def test_hash_of_no_board(data):
    with pytest.raises(BoardError):
        board_hash(data)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("name",), "other"),
        (("matrix", "settle_us"), 11),
        (("matrix", "scan_ms"), 4),
        (("matrix", "debounce_ms"), 25),
        (("leds", "pin"), 21),
        (("sound",), {"pin": 26}),
        (("leds", "colour_order"), "RGB"),
        (("leds", "max_ma"), 500),
        (("leds", "led_ma"), 12),
        (("magnets",), ["focus", "copy", "object"]),
        (("magnets",), ["copy", "focus"]),
        (("magnets",), ["copy", "focus", "object", "seed"]),
        (("seats",), {"white": "south", "black": "north"}),
        (("matrix", "row_pins", 0), 0),
        (("matrix", "col_pins", 0), 0),
    ],
)
def test_hash_sees_every_meaning(path, value):
    data = reference()
    put(data, path, value)
    assert board_hash(data) != board_hash(reference())


# ---- sensor names


def test_sensor_names_go_there_and_back():
    names = [sensor_name(sensor) for sensor in range(INPUTS)]
    assert len(set(names)) == INPUTS
    assert [parse_sensor(name) for name in names] == list(range(INPUTS))


def test_sensor_numbering():
    assert sensor_name(2) == "past 3"
    assert sensor_name(47) == "future 16"
    assert sensor_name(FOCUS) == "focus white past"
    assert sensor_name(SENSORS - 1) == "focus black future"
    assert [sensor_name(BUTTON + place) for place in range(len(BUTTONS))] == [
        "button undo white",
        "button action white",
        "button resign white",
        "button undo black",
        "button action black",
        "button resign black",
        "button a",
        "button b",
        "button c",
        "button draw",
    ]


@pytest.mark.parametrize(
    ("text", "sensor"),
    [
        ("pr 7", 22),
        ("PA 16", 15),
        ("f 1", 32),
        (" present\t6 ", 21),
        ("focus black f", 53),
        ("Focus White PR", 49),
        ("button C", 62),
    ],
)
def test_sensors_are_read_leniently(text, sensor):
    assert parse_sensor(text) == sensor


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "missing"),
        ("p 3", "fits past and present"),
        ("now 3", "'now' in 'now 3' is no era"),
        ("past 0", "is no space"),
        ("past 17", "is no space"),
        ("past +3", "is no space"),
        ("past \u00b2", "is no space"),
        ("past \u0663", "is no space"),
        ("past", "an era and a space"),
        ("past 3 4", "an era and a space"),
        ("focus past", "'focus', a player and an era"),
        ("focus red past", "is no player"),
        ("button", "its name"),
        ("button x", "is no button"),
        ("button undo", "name the player"),
        ("button undo red", "is no player"),
        ("button a white", "is shared"),
    ],
)
def test_wrong_sensors_are_explained(text, part):
    with pytest.raises(ValueError, match=r"^") as caught:
        parse_sensor(text)
    assert part in str(caught.value)


@pytest.mark.parametrize("sensor", [-1, INPUTS, 255])
def test_no_such_sensor(sensor):
    with pytest.raises(ValueError, match=f"no sensor {sensor}"):
        sensor_name(sensor)


# ---- files


def test_every_board_that_comes_along_is_right():
    assert "reference" in boards.names()
    for name in boards.names():
        assert boards.read(name).name == name


def test_a_board_is_read_by_name_and_by_path():
    by_name = boards.read("reference")
    assert board_hash(boards.read(REFERENCE)) == board_hash(by_name)
    assert board_hash(boards.read(str(REFERENCE))) == board_hash(by_name)


@pytest.mark.parametrize(
    ("content", "part"),
    [
        (b'{"name": "x",\n "mcu" 3}', "line 2 column 8: is not valid JSON"),
        (b"\xff\xfe", "is not UTF-8 text at byte 0"),
        (b"[" * 100_000, "too much to read"),
        (b" " * (2 << 20), "too much to read"),
        (b"1" * 5000, "board"),
        (b'{"name": "x", "name": "y"}', "name: is written twice"),
        (b"5", "board: must be an object, not the number 5"),
    ],
)
def test_files_that_are_no_board(tmp_path, content, part):
    file = tmp_path / "x.json"
    file.write_bytes(content)
    with pytest.raises(BoardError) as caught:
        boards.read(file)
    assert part in str(caught.value)


def test_files_that_are_not_there(tmp_path):
    with pytest.raises(BoardError, match="does not exist"):
        boards.read(tmp_path / "x.json")
    with pytest.raises(BoardError, match="cannot be read"):
        boards.read(tmp_path)
    with pytest.raises(BoardError, match=r"there is no board 'nosuch'; known are .*reference"):
        boards.read("nosuch")


def test_installed_boards_come_first(tmp_path, monkeypatch):
    installed = tmp_path / "_boards"
    installed.mkdir()
    data = reference()
    data["name"] = "mine"
    (installed / "mine.json").write_text(json.dumps(data), "utf-8")
    monkeypatch.setattr(boards, "_FOLDERS", (installed, tmp_path / "boards"))
    assert boards.names() == ["mine"]
    assert boards.read("mine").name == "mine"
    (installed / "mine.json").rename(installed / "other.json")
    with pytest.raises(BoardError, match="name: must be other as the file is called, not mine"):
        boards.read("other")
    monkeypatch.setattr(boards, "_FOLDERS", (tmp_path / "none",))
    with pytest.raises(BoardError, match="no board files are installed"):
        boards.names()


def test_debouncing_longer_than_the_counters_is_refused() -> None:
    data = boards.read_data("reference")
    data["matrix"]["debounce_ms"] = 30
    assert load(data).debounce_ms == 30
    data["matrix"]["debounce_ms"] = 35
    with pytest.raises(BoardError, match=r"matrix\.debounce_ms: must be at most 6 scans"):
        load(data)


@pytest.mark.parametrize("pitch", [5, 200])
def test_both_ends_of_a_range_are_in_it(pitch: int) -> None:
    data = reference()
    put(data, ("geometry_mm", "pitch"), pitch)
    assert "geometry_mm.pitch:" not in str(refusal(data))

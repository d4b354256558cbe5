"""Board files with something changed: refused where they are wrong, or good and taken as they say.

Every file in `boards/` is mutated. Whether a copy is right is worked out here a second time, from
the file alone: who owns which pin, cell, LED and place.
"""

from __future__ import annotations

import copy
import json
import random
import re
import string
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path as File
from typing import Any

import pytest

from chronotable.hardware.board import BoardError, board_hash, load
from chronotable.hardware.sensors import BUTTONS, ERAS, FOCUS, PLAYERS
from chronotable.hardware.wiring import Board
from chronotable_host.hardware import boards
from tests import lanes, sweep
from tests.board.paths import Path, at, places, put, read, written

COPIES = sweep.size(100, 1000)
CHUNK = 250
WORDS = (
    *("white", "black", "north", "south", "past", "future", "undo", "resign", "a", "draw"),
    *("GRB", "RGB", "copy", "focus", "object", "row2col", "rp2350", "tiles", "", "x" * 17, "Ä"),
)
KINDS: tuple[Any, ...] = (None, True, 7, 1.5, "x", [], {})
TWICE = "written twice"

Data = dict[str, Any]
Mutation = Callable[[random.Random, Data], Path]
"""Changes a board file, and returns the path of what it changed."""

# ---- what is changed


def change_number(rng: random.Random, data: Data) -> Path:
    path = rng.choice([path for path in places(data) if type(at(data, path)) is int])
    old = at(data, path)
    changed = [old - 1, old + 1, 2 * old, -old, 0, 8, 23, 24, 29, 54, 255, 10**6, 2**70]
    put(data, path, rng.choice([rng.randrange(60), *changed]))
    return path


def change_text(rng: random.Random, data: Data) -> Path:
    path = rng.choice([path for path in places(data) if isinstance(at(data, path), str)])
    put(data, path, rng.choice(WORDS))
    return path


def change_type(rng: random.Random, data: Data) -> Path:
    path = rng.choice(list(places(data)))
    old = at(data, path)
    put(data, path, rng.choice([value for value in KINDS if type(value) is not type(old)]))
    return path


def swap_neighbours(rng: random.Random, data: Data) -> Path:
    path = rng.choice([path for path in places(data) if len(_keys(at(data, path))) > 1])
    inside = at(data, path)
    one, other = rng.sample(_keys(inside), 2)
    inside[one], inside[other] = inside[other], inside[one]
    return path


def swap_any(rng: random.Random, data: Data) -> Path:
    """Swap two cells, LEDs or pins, which is another board and a good one."""
    one, other = rng.sample(rng.choice((cells, leds, pins))(data), 2)
    first, second = at(data, one), at(data, other)
    put(data, one, second)
    put(data, other, first)
    return ()


def delete(rng: random.Random, data: Data) -> Path:
    path = rng.choice(list(places(data)))
    del at(data, path[:-1])[path[-1]]
    return path[:-1] if isinstance(path[-1], int) else path


def duplicate_entry(rng: random.Random, data: Data) -> Path:
    path = rng.choice([path for path in places(data) if isinstance(at(data, path), list)])
    entries = at(data, path)
    if entries:
        entries.insert(rng.randrange(len(entries) + 1), copy.deepcopy(rng.choice(entries)))
    return path


def rename_key(rng: random.Random, data: Data) -> Path:
    path = rng.choice([path for path in places(data) if isinstance(path[-1], str)])
    old = str(path[-1])
    at_letter = rng.randrange(len(old))
    typo = old[:at_letter] + rng.choice(string.ascii_lowercase) + old[at_letter + 1 :]
    inside = at(data, path[:-1])
    new = rng.choice([typo, old[:-1], old.upper(), *(key for key in inside if key != old)])
    inside[new] = inside.pop(old)
    return path[:-1]


def add_key(rng: random.Random, data: Data) -> Path:
    path = rng.choice([(), *(path for path in places(data) if isinstance(at(data, path), dict))])
    key = rng.choice(("stray", "matrix", "registers", "side", "cell", "pin"))
    at(data, path).setdefault(key, rng.choice([0, "x", None]))
    return (*path, key)


def clash(which: Callable[[Data], list[Path]]) -> Mutation:
    def mutate(rng: random.Random, data: Data) -> Path:
        source, target = rng.sample(which(data), 2)
        put(data, target, copy.deepcopy(at(data, source)))
        return ()

    return mutate


def cells(data: Data) -> list[Path]:
    found = [path for path in places(data) if path[0] == "eras" and len(path) == 5]
    return [path for path in found if path[2] == "cells"] + [
        path for path in places(data) if path[-1] == "cell"
    ]


def leds(data: Data) -> list[Path]:
    found = [path for path in places(data) if path[0] == "eras" and len(path) == 5]
    return [path for path in found if path[2] == "leds"] + [
        path for path in places(data) if path[-1] == "led"
    ]


def pins(data: Data) -> list[Path]:
    found = [path for path in places(data) if str(path[-1]).endswith("_pin") or path[-1] == "pin"]
    return found + [path for path in places(data) if len(path) == 3 and path[1] in PIN_LISTS]


def spots(data: Data) -> list[Path]:
    found = [path for path in places(data) if path[0] == "geometry_mm" and len(path) > 2]
    return [path for path in found if isinstance(at(data, path), list)]


PIN_LISTS = ("row_pins", "col_pins")
MUTATIONS: tuple[Mutation, ...] = (
    *(change_number, change_number, change_text, change_type, swap_neighbours, swap_any, delete),
    *(duplicate_entry, rename_key, add_key, clash(cells), clash(leds), clash(pins), clash(spots)),
)


def _keys(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value)
    return list(range(len(value))) if isinstance(value, list) else []


# ---- what a file says, once more


def wires(data: Data) -> Iterator[tuple[int, Any, Any]]:
    """Sensor, cell and LED (None for a button) of everything that a good file has."""
    for era in range(3):
        for place in range(16):
            row, col = divmod(place, 4)
            entry = data["eras"][era]
            yield era * 16 + place, entry["cells"][row][col], entry["leds"][row][col]
    for player, name in enumerate(PLAYERS):
        for era, era_name in enumerate(ERAS):
            spot = data["focus"][name][era_name]
            yield FOCUS + 3 * player + era, spot["cell"], spot["led"]
    for button in data["buttons"]:
        side = PLAYERS.index(button["side"]) if "side" in button else -1
        yield 54 + BUTTONS.index((button["name"], side)), button["cell"], None


def pins_of(data: Data) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """Rows, columns, and those of the registers."""
    if "registers" in data:
        wired = data["registers"]
        return (), (), (wired["load_pin"], wired["clock_pin"], wired["data_pin"])
    return tuple(data["matrix"]["row_pins"]), tuple(data["matrix"]["col_pins"]), ()


def meaning(data: Data) -> Any:
    """What files that mean the same have in common; where things lie on the table is not in it."""
    scan = data.get("registers") or data["matrix"]
    return (
        *(data["name"], data["leds"], data["magnets"], data["seats"]),
        *(scan["settle_us"], scan["scan_ms"], scan["debounce_ms"]),
        pins_of(data),
        sorted(wires(data), key=lambda wire: wire[0]),
    )


def check_good(data: Data, board: Board) -> None:
    """The board is what the file says, and nothing in it is there twice."""
    wired = list(wires(data))
    assert sorted(sensor for sensor, _, _ in wired) == list(range(64))
    numbers = [row * 8 + col for _, (row, col), _ in wired]
    assert sorted(numbers) == list(range(64))
    assert all(0 <= part < 8 for _, cell, _ in wired for part in cell)
    for (sensor, _, led), cell in zip(wired, numbers, strict=True):
        assert board.cell_of[sensor] == cell
        assert board.sensor_of[cell] == sensor
        if led is not None:
            assert board.led_of[sensor] == led
    assert sorted(led for _, _, led in wired if led is not None) == list(range(54))
    rows, cols, registers = pins_of(data)
    assert (board.row_pins, board.col_pins, board.register_pins) == (rows, cols, registers)
    assert (len(rows), len(cols), len(registers)) in ((8, 8, 0), (0, 0, 3))
    used = [*rows, *cols, *registers, data["leds"]["pin"]]
    assert len(set(used)) == len(used)
    assert all(pin in range(23) or pin in (26, 27, 28) for pin in used)
    assert board.led_pin == data["leds"]["pin"]
    assert board.seats in (("north", "south"), ("south", "north"))
    assert board.debounce_ms // board.scan_ms <= 6 and board.debounce_ms % board.scan_ms == 0
    taken = [tuple(at(data, path)) for path in spots(data) if len(at(data, path)) == 2]
    taken = [spot for spot in taken if all(not isinstance(part, (list, dict)) for part in spot)]
    assert len(set(taken)) == len(taken)


def check_refused(data: Data, error: BoardError) -> None:
    """The error names a place that is there or missing, and for a clash both owners."""
    assert "\n" not in str(error)
    if error.message == "is missing" or error.message.startswith("is missing, as"):
        names = error.path.split(" or ")
        paths = [read(name) for name in names]
        assert all(path[-1] not in at(data, path[:-1]) for path in paths)
        return
    path = read(error.path)
    if error.path != "board":
        at(data, path)
    known = re.search(r"(.*) is already (?:used by|defined by|listed as) (\S+)$", error.message)
    if known is not None:
        owner = read(known[2])
        assert owner != path
        shared = [has for has in claims(data, path) if has in claims(data, owner)]
        assert any(f" {known[1]}".endswith(f" {named(has)}") for has in shared), (shared, known[1])


def claims(data: Data, path: Path) -> list[Any]:
    """What an owner in a clash has: a value; a cell and a LED; a cell and a button."""
    value = at(data, path)
    if not isinstance(value, dict):
        return [value]
    name = f"button {value.get('name')} {value.get('side', '')}".strip()
    return [value.get("cell"), value.get("led"), name]


def named(value: Any) -> str:
    """How a clash calls what two have."""
    return f"[{value[0]},{value[1]}]" if isinstance(value, list) else str(value)


# ---- the copies


def mutated(name: str, seed: int) -> tuple[Data, list[Path]]:
    """A copy of a board file with one or two changes, and where they are; () is not told."""
    rng = random.Random(f"{name} {seed}")
    data = boards.read_data(name)
    touched = [rng.choice(MUTATIONS)(rng, data)]
    if rng.random() < 0.2:
        touched.append(())
        with suppress(LookupError, TypeError, AttributeError, ValueError):  # after the first one
            touched[1] = rng.choice(MUTATIONS)(rng, data)
    return data, touched


@lanes.gate
@pytest.mark.parametrize("first", range(0, COPIES, CHUNK))
@pytest.mark.parametrize("name", boards.names())
def test_every_copy_is_refused_where_it_is_wrong_or_is_what_it_says(name: str, first: int) -> None:
    original = boards.read_data(name)
    refused = clashes = 0
    for seed in range(first, first + CHUNK):
        data, touched = mutated(name, seed)
        before = copy.deepcopy(data)
        try:
            board = load(data)
        except BoardError as error:
            refused += 1
            clashes += "already" in error.message
            story = f"board {name}, seed {seed}, {[*map(written, touched)]}: {error}"
            assert data == before, story
            assert json.dumps(data) != json.dumps(original), story
            try:
                check_refused(data, error)
            except (AssertionError, LookupError, TypeError) as wrong:
                raise AssertionError(story) from wrong
            if len(touched) == 1 and touched[0] and "already" not in error.message:
                # the error stands at the change, or at the thing that the change broke
                here, there = written(touched[0]), error.path
                near = here.startswith(there) or there.startswith(here)
                assert near or depends(here, there), story
        else:
            story = f"board {name}, seed {seed}, {[*map(written, touched)]}: taken"
            assert data == before, story
            try:
                check_good(data, board)
            except (AssertionError, LookupError, TypeError) as wrong:
                raise AssertionError(story) from wrong
            is_same = meaning(data) == meaning(original)
            assert (board_hash(board) == board_hash(original)) == is_same, story
            assert board_hash(json.dumps(data).encode()) == board_hash(board), story
    assert refused > CHUNK // 2
    assert CHUNK - refused > CHUNK // 20
    assert clashes > CHUNK // 20


def depends(changed: str, wrong: str) -> bool:
    """What may be wrong elsewhere: debouncing depends on the scan, the places on pitch and size.

    Of two ways to read the reeds the second is the one too many.
    """
    if changed.endswith(".scan_ms"):
        return wrong.endswith(".debounce_ms")
    if changed.startswith(("geometry_mm.pitch", "geometry_mm.table")):
        return wrong.startswith("geometry_mm.")
    if changed.startswith("buttons"):
        return wrong.startswith("buttons")
    return {changed, wrong} == {"matrix", "registers"}


@pytest.mark.parametrize("name", boards.names())
@pytest.mark.parametrize("seed", range(sweep.size(3, 20)))
def test_a_key_written_twice_is_refused(name: str, seed: int, tmp_path: File) -> None:
    text = boards.find(name).read_text("utf-8")
    rng = random.Random(f"{name} {seed}")
    key = rng.choice(list(re.finditer(r'"(\w+)":', text)))
    twice = text[: key.start()] + f'"{key[1]}": 0, ' + text[key.start() :]
    file = tmp_path / "x.json"
    file.write_text(twice, "utf-8")
    with pytest.raises(BoardError, match=TWICE) as caught:
        boards.read(file)
    assert caught.value.path == key[1], f"seed {seed}"

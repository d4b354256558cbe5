"""The whole firmware on the emulated chip: a short game with a PC and the same one without."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from chronotable.hardware.sensors import FOCUS, SENSORS
from chronotable.lights import meanings
from chronotable.lights.light import STEADY, palette
from chronotable_host.archive.parsing import read
from chronotable_host.archive.store import Archive
from chronotable_host.hardware import boards
from chronotable_host.live.texts.light_names import NAMES
from chronotable_host.rules.notation import format_position, format_turn, parse_position
from chronotable_host.rules.record import Record, format_record
from chronotable_host.virtual.hand import act_out
from chronotable_host.virtual.play import play
from chronotable_host.virtual.runtimes.rp2040 import Rp2040Runtime
from chronotable_host.virtual.table import CPYTHON, RP2040, VirtualTable, settings_for
from tests import lanes, sweep
from tests.lab.people.tracker_place import TrackerPlace
from tests.lab.positions import random_game
from tests.table.rig import BOARD, Rig, player_of
from tests.table.test_games import GAMES, picture_at_turn_start, picture_of_a_win, turn_text
from ttykm import layout
from ttykm.game import Game, digest
from ttykm.layout import NOBODY, STRICT_TWO_ACTIONS

pytestmark = pytest.mark.emulator

SEED = 152
TURNS = 11
_BOOT_MS = 3000  # two seconds to load everything, and the pieces have to settle
_SETTLED_MS = 120.0  # from a gesture to its picture, bounce and debouncing included
_FINAL_MS = 1300.0
_DIMMEST = 32 / 256  # of what flashes


def game_of_seed() -> list[int]:
    """A short game by two random players, won by one of them."""
    turns = list(random_game(SEED).turns)
    assert len(turns) == TURNS
    return turns


def play_with_pc(kind: str, image: Path | None, folder: Path) -> tuple[list[Any], Record, str]:
    """Play the game; return what was told of it, its record and the chip's figures."""
    turns = game_of_seed()
    with (
        Archive(folder) as archive,
        Rig(layout.new_state(), seed=SEED, runtime=kind, image=image, archive=archive) as table,
    ):
        table.hands.wait(_BOOT_MS)
        table.mirror.needs_resync = False
        gaps = watch_scans(table.runtime) if isinstance(table.runtime, Rp2040Runtime) else None
        player = lambda game: turns[len(game.turns)]  # noqa: E731
        play(table.hands, table.game, (player, player))
        assert table.hands.questions == 0
        assert digest(table.mirror.game.state) == digest(table.game.state)
        told = table.heard("turn", "mismatch", "gap", "log", "notice", "fault", "game_over")
        file = table.mirror.file
        assert file is not None
        figures = ""
        if gaps is not None:
            worst = max(second - first for first, second in pairwise(gaps))
            figures = f"worst gap between scans {worst:.2f} ms, {table.mirror.table.counters}"
        return told, file.record, figures


def watch_scans(runtime: Rp2040Runtime) -> list[float]:
    """Return a list that gets the time of every scan: its first row goes low."""
    begun: list[float] = []
    chip = runtime._chip
    assert chip is not None
    low = "LOW"

    def changed(new: Any, _old: Any) -> None:
        if new.name == low:
            begun.append(chip.elapsed_ms)

    chip.mcu.gpio[boards.read(BOARD).row_pins[0]].add_listener(changed)
    return begun


@lanes.long
def test_a_game_with_a_pc_is_the_same_as_on_cpython(image: Path, tmp_path: Path) -> None:
    told, record, figures = play_with_pc(RP2040, image, tmp_path / "chip")
    expected, same, _ = play_with_pc(CPYTHON, None, tmp_path / "cpython")
    print(figures)
    assert told == expected
    game = Game()
    game.start(layout.new_state())
    positions = [what["position"] for what in told if "turn" in what]
    for turn, position in zip(game_of_seed(), positions, strict=True):
        game.apply(turn)
        assert format_position(game.state) == position, format_turn(turn)
    assert told[-1]["by"] == "normal"
    assert (record.start, record.turns) == (same.start, same.turns)
    for header in ("Start", "Options", "Result", "Termination", "Board", "Rules"):
        assert record.headers[header] == same.headers[header], header
    assert record.headers["Result"] in ("1-0", "0-1")


# ---- without a PC


def shows(frame: bytes, leds: bytes, led_of: bytes) -> str:
    """Return what a frame does not show of a picture, "" where it shows it all and no more."""
    for sensor in range(SENSORS):
        rgb = tuple(frame[3 * led_of[sensor] : 3 * led_of[sensor] + 3])
        *colour, rhythm = palette(0)[4 * leds[sensor] :][:4]
        dimmest = 1.0 if rhythm == STEADY else _DIMMEST
        for got, full in zip(rgb, colour, strict=True):
            if not int(dimmest * full) - 1 <= got <= full:
                return f"sensor {sensor} is {rgb}, not {NAMES[leds[sensor]]} {colour}"
    return ""


def with_focus_choices(game: Game, understood: bytes) -> bytes:
    """The picture when a whole turn lies there and the marker is still at home.

    `understood` is the picture that the tracker has here, on CPython: what it says of the spaces is
    for the tests of the hints, what of the markers is said here again.
    """
    leds = bytearray(understood)
    first = FOCUS + 3 * game.mover
    for era in range(3):
        leds[first + era] = meanings.FOCUS
    leds[first + layout.focus(game.state, game.mover)] = meanings.MOVER
    return bytes(leds)


@pytest.mark.parametrize("cable", [False, True], ids=["no cable", "nobody reads"])
def test_a_game_without_a_pc(image: Path, cable: bool) -> None:
    """The table plays alone: what it understood is seen on its LEDs."""
    board = boards.read(BOARD)
    state = layout.new_state()
    table = VirtualTable.of(
        BOARD, Random(SEED), RP2040, settings=settings_for(state, 0), image=image
    )
    runtime = table.runtime
    if not cable:
        runtime.plug(False)
    table.bounce_ms = 4.0
    rng = Random(SEED)
    game = Game()
    game.start(state)
    twin = TrackerPlace(Random(SEED))
    twin.start(state, 0)

    def picture(leds: bytes, wait_ms: float, where: str) -> None:
        runtime.frames.clear()
        table.run_until(table.now_ms + wait_ms)
        assert runtime.frames, where
        wrong = shows(runtime.frames[-1].rgb, leds, board.led_of)
        assert not wrong, f"seed {SEED}, {where}: {wrong}"

    try:
        table.put_up(state)
        picture(picture_at_turn_start(game), _BOOT_MS, "at the start")
        for number, turn in enumerate(game_of_seed(), 1):
            where = f"turn {number}, {format_turn(turn)}"
            gestures = act_out(game, turn, rng)
            for index, gesture in enumerate(gestures):
                if index == len(gestures) - 2:
                    twin.wait(int(_SETTLED_MS))
                    leds = with_focus_choices(game, bytes(twin.picture()))
                    picture(leds, _SETTLED_MS, f"{where}, played")
                twin.wait(gesture.after_ms)
                table.run_until(table.now_ms + gesture.after_ms)
                for each in (twin, table):
                    (each.place if gesture.closed else each.lift)(gesture.sensor)
            game.apply(turn)
            twin.wait(int(_FINAL_MS))
            won = game.winner() != NOBODY
            after = picture_of_a_win(game) if won else picture_at_turn_start(game)
            picture(after, _FINAL_MS, f"{where}, final")
    finally:
        table.close()


def play_vector(number: int, kind: str, image: Path | None, folder: Path) -> tuple[str, int]:
    """Play a game of the vectors with a PC attached; return its record and its last digest."""
    data = GAMES[number]
    turns = [turn_text(turn) for turn in data["turns"]]
    start = parse_position(data["start"])
    with (
        Archive(folder) as archive,
        Rig(
            start, STRICT_TWO_ACTIONS, seed=number, runtime=kind, image=image, archive=archive
        ) as table,
    ):
        table.hands.wait(_BOOT_MS)
        player = player_of(turns)
        play(table.hands, table.game, (player, player))
        told = table.heard("turn", "mismatch", "gap", "log", "notice", "fault")
        assert [what.get("position") for what in told] == [turn["pos"] for turn in data["turns"]]
        assert table.mirror.file is not None
        record = read(table.mirror.file.path).record
        record.comments = ["" for _ in record.comments]  # times differ
        del record.headers["Source"]
        return format_record(record), digest(table.mirror.game.state)


@lanes.long
@pytest.mark.parametrize("number", lanes.once([33, 49, 23, 1, 4, 14, 27][: sweep.size(1, 3, 7)]))
def test_games_of_the_vectors_are_the_same_as_on_cpython(
    number: int, image: Path, tmp_path: Path
) -> None:
    chip = play_vector(number, RP2040, image, tmp_path / RP2040)
    assert chip == play_vector(number, CPYTHON, None, tmp_path / CPYTHON)

"""A firmware on trial: it takes the slot when it is healthy and a PC hears it, and not before."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from chronotable.parsing import parse_sensor
from chronotable.wiring import COLUMNS
from chronotable_host.virtual.firmware import installed
from chronotable_host.virtual.table import CPYTHON, open_runtime
from tests.table.boots import BOARD, BOARD_JSON, Pc

HEALTHY_MS = 10_000
ACTION = parse_sensor("button action white")


def in_b() -> dict[str, bytes]:
    files = installed(BOARD_JSON)
    return {path.replace("a/", "b/"): data for path, data in files.items() if path != "slot"}


@contextmanager
def table(button: int | None = None, **files: bytes) -> Iterator[Pc]:
    """A table with a firmware in either folder, a in the slot; and a PC."""
    runtime = open_runtime(CPYTHON, BOARD, BOARD_JSON, kept={**in_b(), **files})
    if button is not None:
        runtime.set_cell(*divmod(BOARD.cell_of[button], COLUMNS), True)
    try:
        yield Pc(runtime)
    finally:
        runtime.close()


def flash_of(pc: Pc) -> dict[str, bytes]:
    files: dict[str, bytes] = pc.runtime._chip.files  # type: ignore[attr-defined]
    return files


def told(pc: Pc) -> tuple[str, int]:
    values = pc.last("installed")
    assert values is not None
    return values["slot"], values["trial"]


def restart(pc: Pc) -> None:
    pc.runtime.power(False)
    pc.runtime.power(True)
    pc.forget()


def test_a_healthy_firmware_that_a_pc_hears_takes_the_slot() -> None:
    with table(trial=b"b") as pc:
        pc.run(HEALTHY_MS - 1000)
        assert told(pc) == ("b", 1)
        assert (flash_of(pc)["slot"], flash_of(pc)["tried"]) == (b"a", b"b")
        pc.run(2000)
        assert told(pc) == ("b", 0)
        assert flash_of(pc)["slot"] == b"b"
        assert not {"trial", "tried"} & set(flash_of(pc))
        restart(pc)
        pc.run(1000)
        assert told(pc) == ("b", 0)


def test_without_a_pc_the_next_start_is_that_of_the_one_before() -> None:
    with table(trial=b"b") as pc:
        pc.runtime.plug(False)
        pc.run(3 * HEALTHY_MS)
        assert flash_of(pc)["tried"] == b"b"
        pc.runtime.plug(True)
        restart(pc)
        pc.run(1000)
        assert told(pc) == ("a", 0)
        pc.run(HEALTHY_MS + 1000)
        assert "tried" not in flash_of(pc), "that trial is over"
        assert flash_of(pc)["slot"] == b"a"


@pytest.mark.parametrize("files", [{}, {"tried": b"a"}])
def test_an_ordinary_start_tells_its_folder(files: dict[str, bytes]) -> None:
    with table(**files) as pc:
        pc.run(1000)
        assert told(pc) == ("a", len(files))
        pc.run(HEALTHY_MS + 1000)
        assert told(pc) == ("a", 0)
        assert flash_of(pc)["slot"] == b"a"


def test_safe_mode_confirms_nothing() -> None:
    with table(ACTION, trial=b"b") as pc:
        pc.run(HEALTHY_MS // 2)
        assert told(pc) == ("b", 1)
        pc.run(2 * HEALTHY_MS)  # the trial's watchdog ends it
        assert told(pc) == ("a", 0)
        assert flash_of(pc)["slot"] == b"a"


def test_the_doctor_confirms_nothing() -> None:
    button = parse_sensor("button a")
    with table(button, trial=b"b") as pc:
        pc.run(HEALTHY_MS // 2)  # one that is held for longer is stuck, and leads to the game
        pc.runtime.set_cell(*divmod(BOARD.cell_of[button], COLUMNS), False)
        pc.run(3 * HEALTHY_MS)
        assert told(pc) == ("b", 1), pc.logs
        assert (flash_of(pc)["slot"], flash_of(pc)["tried"]) == (b"a", b"b")


@pytest.mark.parametrize("word", [b"", b"c", b"../a", b"\xff"])
def test_a_trial_of_nothing_is_passed_over(word: bytes) -> None:
    with table(trial=word) as pc:
        pc.run(2 * HEALTHY_MS)
        assert told(pc) == ("a", 0)
        assert "trial" not in flash_of(pc)


def test_version_and_build_are_those_of_the_manifest() -> None:
    with table() as pc:
        pc.run(1000)
        about, of_it = pc.last("about"), pc.last("installed")
        assert about is not None and of_it is not None
        assert about["firmware"].startswith("0.")
        manifest = installed(BOARD_JSON)["a/manifest.json"].decode()
        assert f'"build": "{of_it["build"]:08x}"' in manifest


@pytest.mark.parametrize("manifest", [b"", b"[]", b'{"version": 1}', b"{" * 200, b"\xff"])
def test_a_manifest_that_makes_no_sense_is_no_fault(manifest: bytes) -> None:
    with table(**{"a/manifest.json": manifest}) as pc:
        pc.run(1000)
        about = pc.last("about")
        assert about is not None, pc.logs
        assert about["firmware"] == "?"

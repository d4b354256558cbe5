"""A firmware on trial: it takes the slot when it is healthy and a PC hears it, and not before."""

from __future__ import annotations

from contextlib import AbstractContextManager

import pytest

from chronotable_host.hardware.firmware.files import files_for_board
from chronotable_host.link.parsing import parse_sensor
from tests.table.boots import (
    BOARD_JSON,
    HEALTHY_MS,
    Pc,
    flash_of,
    set_sensor,
    switch_off_and_on,
    switched_on,
)

ACTION = parse_sensor("button action white")


def in_b() -> dict[str, bytes]:
    files = files_for_board(BOARD_JSON)
    return {path.replace("a/", "b/"): data for path, data in files.items() if path != "slot"}


def table(*held: int, **files: bytes) -> AbstractContextManager[Pc]:
    """A table with a firmware in either folder, a in the slot; and a PC."""
    return switched_on(kept={**in_b(), **files}, held=held)


def told(pc: Pc) -> tuple[str, int]:
    values = pc.values("installed")
    return values["slot"], values["trial"]


def test_a_healthy_firmware_that_a_pc_hears_takes_the_slot() -> None:
    with table(trial=b"b") as pc:
        pc.run(HEALTHY_MS - 1000)
        assert told(pc) == ("b", 1)
        assert (flash_of(pc)["slot"], flash_of(pc)["tried"]) == (b"a", b"b")
        pc.run(2000)
        assert told(pc) == ("b", 0)
        assert flash_of(pc)["slot"] == b"b"
        assert not {"trial", "tried"} & set(flash_of(pc))
        switch_off_and_on(pc)
        pc.run(1000)
        assert told(pc) == ("b", 0)


def test_without_a_pc_the_next_start_is_that_of_the_one_before() -> None:
    with table(trial=b"b") as pc:
        pc.runtime.plug(False)
        pc.run(3 * HEALTHY_MS)
        assert flash_of(pc)["tried"] == b"b"
        pc.runtime.plug(True)
        switch_off_and_on(pc)
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
        set_sensor(pc.runtime, button, False)
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
        assert pc.values("about")["firmware"].startswith("0.")
        build = pc.values("files_for_board")["build"]
        manifest = files_for_board(BOARD_JSON)["a/manifest.json"].decode()
        assert f'"build": "{build:08x}"' in manifest


@pytest.mark.parametrize("manifest", [b"", b"[]", b'{"version": 1}', b"{" * 200, b"\xff"])
def test_a_manifest_that_makes_no_sense_is_no_fault(manifest: bytes) -> None:
    with table(**{"a/manifest.json": manifest}) as pc:
        pc.run(1000)
        assert pc.values("about")["firmware"] == "?"

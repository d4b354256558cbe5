"""Turns of players without hands on the emulated chip: lit, carried out by the lights, recorded."""

from __future__ import annotations

from pathlib import Path

import pytest

from chronotable.hardware.sensors import FOCUS
from chronotable.lights.meanings import MOVER, THINKING
from chronotable_host.archive.store import Archive
from chronotable_host.engine.thinkers import AtOnce
from chronotable_host.rules.notation import format_position
from chronotable_host.rules.record import Record
from chronotable_host.virtual.table import CPYTHON, RP2040
from tests import lanes, sweep
from tests.host.test_table_seats import seated_at
from tests.lab.helping import needed
from tests.table.rig import Rig
from ttykm.layout import BLACK, NOBODY, WHITE, new_state

pytestmark = pytest.mark.emulator

BOOT_MS = 3000
FINAL_MS = 1500
LEVELS = (2, 1)
CUT_AT = 20


@pytest.mark.parametrize("seed", lanes.once(range(sweep.size(1, 2, 10))))
def test_a_game_by_the_lights_alone(image: Path, tmp_path: Path, seed: int) -> None:
    """Half of the games are cut off from power once, with a turn half done."""
    turns = sweep.size(4, 6, 100)
    played, record = game_of(RP2040, image, tmp_path / "chip", seed, turns)
    same, other = game_of(CPYTHON, None, tmp_path / "pc", seed, turns)
    print(f"seed {seed}: {len(played)} turns")
    assert played == same == record.turns == other.turns
    assert record.headers["Result"] == other.headers["Result"]


def game_of(
    runtime: str, image: Path | None, folder: Path, seed: int, turns: int
) -> tuple[list[int], Record]:
    """Have levels of the built-in player play at a table; return the turns, and the record."""
    with (
        Archive(folder) as archive,
        Rig(new_state(), seed=seed, runtime=runtime, image=image, archive=archive) as at,
        seated_at(at, WHITE, BLACK, seed=seed, levels=LEVELS) as (_, said, helper),
    ):
        at.hands.wait(BOOT_MS)
        game, cuts = at.mirror.game, 0
        while game.winner() == NOBODY and len(game.turns) < turns:
            if seed % 2 and len(game.turns) == min(turns, CUT_AT) // 2 and not cuts:
                helper.act()
                at.table.power(False)
                at.table.power(True)
                at.hands.wait(BOOT_MS)
                cuts += 1
            assert helper.carry_out(), format_position(game.state)
        played = [*game.turns]
        at.hands.wait(FINAL_MS)
        assert not at.heard("mismatch", "refused")
        assert said == []
        assert cuts or helper.done == needed(played)
        (entry,) = archive.games()
        record = archive.read(entry).record
    assert all("certain" in comment for comment in record.comments if comment)
    return played, record


def test_a_side_that_is_played_elsewhere(image: Path) -> None:
    """Its marker breathes while it thinks, *draw* asks it; hands play it once the PC is gone."""
    with (
        Rig(new_state(), runtime=RP2040, image=image) as at,
        seated_at(at) as (seated, said, helper),
    ):
        at.hands.wait(BOOT_MS)
        seated.seat_thinker(WHITE, AtOnce("slow", lambda _: None))
        helper.wait()
        at.hands.wait(500)
        assert at.mirror.table.leds[FOCUS] == THINKING
        for _ in range(2):
            at.table.press("draw", BLACK)
            at.hands.wait(200)
        helper.wait()
        assert at.mirror.table.phase == "turn"
        assert len(said) == 1
        assert "White plays on." in said[0]
        at.table.plug(False)
        at.hands.wait(4000)
        at.table.plug(True)
        at.hands.wait(BOOT_MS)
        assert at.mirror.table.own_levels == (0, 0)
        assert at.mirror.table.leds[FOCUS] == MOVER
        assert not at.heard("mismatch", "refused", "log")

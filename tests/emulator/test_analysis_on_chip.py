"""An analysis walked through, and a hint by the held button, on the emulated chip."""

from __future__ import annotations

from pathlib import Path

import pytest

from chronotable_host.archive.store import Archive
from chronotable_host.pieces import pieces_of
from chronotable_host.rules.notation import format_turn
from chronotable_host.virtual.table import RP2040
from tests.host import test_hinter, test_table_analysis
from tests.lab.helping import needed
from tests.table.rig import Rig
from ttykm.layout import WHITE, new_state

pytestmark = pytest.mark.emulator

BOOT_MS = 3000


def test_an_analysis_by_the_lights_alone(image: Path, tmp_path: Path) -> None:
    """Forth, back, far away, the best turn, and nothing of it kept."""
    record = test_table_analysis.game_of(1, 5)
    with (
        Archive(tmp_path) as archive,
        Rig(new_state(), runtime=RP2040, image=image, archive=archive) as at,
        test_table_analysis.scene(at) as here,
    ):
        here.waits(BOOT_MS)
        here.analysis.begin(record, 0)
        touches = here.comes_to(record, 0)
        for number in (1, 2):
            here.presses("undo", is_mover=False)
            touches += here.comes_to(record, number)
        assert touches == needed(record.turns[:2])
        here.presses("undo", is_mover=True)
        here.comes_to(record, 1)
        here.analysis.go(4)
        here.comes_to(record, 4)
        best = here.best(at.mirror.game)
        here.presses("action", is_mover=True)
        assert here.helper.carry_out()
        assert here.turns == [format_turn(best)]
        at.leave()
        here.waits(BOOT_MS)
        assert not at.heard("mismatch", "refused", "log")
        assert [*archive.games()] == []


def test_a_hint_by_the_held_button(image: Path) -> None:
    state = test_hinter.two_copies()
    with (
        Rig(state, runtime=RP2040, image=image) as at,
        test_hinter.scene(at, test_hinter.TWO) as here,
    ):
        here.waits(BOOT_MS)
        here.helper.board = pieces_of(state)
        assert here.lit_copies() == [0, 1]
        here.holds(WHITE)
        assert here.lit_copies() == [1]
        here.holds(WHITE)
        assert here.helper.carry_out()
        assert [format_turn(turn) for turn in at.mirror.game.turns] == [test_hinter.TWO]
        assert not at.heard("mismatch", "refused", "log")

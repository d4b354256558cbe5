"""Who has not finished a game yet plays against the easiest level, on the page."""

from __future__ import annotations

from pathlib import Path

import pytest

from chronotable_host.commands.try_work import opponent_for
from chronotable_host.rules.record import format_record
from tests.host.archives import random_record


@pytest.mark.parametrize(("turns", "opponent"), [(5, "level:1"), (1000, "level:you")])
def test_the_first_game_is_against_level_1(tmp_path: Path, turns: int, opponent: str) -> None:
    """One that was broken off is none yet."""
    assert opponent_for(tmp_path) == "level:1"
    (tmp_path / "game.ttykm").write_text(format_record(random_record(1, turns)), "utf-8")
    assert opponent_for(tmp_path) == opponent

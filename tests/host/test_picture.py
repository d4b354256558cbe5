"""The LEDs in a terminal: every meaning has a mark of its own."""

from pathlib import Path

import pytest

from chronotable import meanings
from chronotable_host import chapters
from chronotable_host.light_names import NAMES
from chronotable_host.live.led_marks import highlights, legend


def test_every_meaning_has_a_mark_of_its_own() -> None:
    leds = bytes(range(len(NAMES)))
    marks = [mark for mark, _ in highlights(leds).values()]
    assert len(set(marks)) == len(marks) == len(NAMES) - 1
    assert "o may act  x was lifted from here" in legend(leds)


def test_a_legend_names_what_is_unlocked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHRONOTABLE_HOME", str(tmp_path))
    lit = bytes([meanings.PLANT, meanings.BUILD])
    assert legend(lit) == "p may be chosen  s may be chosen"
    chapters.unlock_to(1)
    assert legend(lit) == "p a seed may be planted here  s may be chosen"


def test_off_is_not_marked() -> None:
    assert highlights(bytes(54)) == {}
    assert legend(bytes(54)) == ""

"""How the pages of a night are looked at: on which phones and screens, and what must be right."""

from __future__ import annotations

from pathlib import Path

from tests import sweep
from tests.night.drawn import BIG, PHONE, SMALL_BIG, SMALL_PHONE, overflowing
from tests.page.browsing import Page, barriers

Look = tuple[tuple[int, int], str]
"""The size of a window, and a theme."""

PHONES: list[Look] = [
    (PHONE, "light"),
    (SMALL_PHONE, "dark"),
    ((844, 390), "light"),
    (PHONE, "dark"),
    (SMALL_PHONE, "light"),
    ((640, 360), "dark"),
][: sweep.size(3, 6)]
SCREENS: list[Look] = [
    (BIG, "light"),
    (SMALL_BIG, "dark"),
    (BIG, "dark"),
    (SMALL_BIG, "light"),
][: sweep.size(2, 4)]


def look_at(page: Page, name: str, pictures: Path) -> None:
    """Nothing runs out of the window, axe finds nothing serious, a picture is kept."""
    page.screenshot(path=pictures / f"{name.replace(' ', '-')}.png")
    assert overflowing(page) == [], name
    assert barriers(page) == [], name

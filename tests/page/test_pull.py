"""In a game that is just played a copy can be dragged where it is to go."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import lanes
from tests.lab.page import served
from tests.page.browsing import PC, PHONE, Browser, Size, opened

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("size", lanes.once([(PHONE,), (PC,)]))
def test_a_turn_is_dragged(browser: Browser, tmp_path: Path, size: Size) -> None:
    with served(tmp_path, "--seed", "1") as url:
        someone = opened(browser, url, size=size, reduced_motion=None)
        someone.hears("Choose a copy")
        someone.drag(0, 10)  # no copy gets there with one action: it is chosen, and stays
        someone.hears("Not there")
        someone.waits_for_piece(0, "white")
        someone.drag(0, 1)
        someone.hears("Where to? 1 action")
        someone.waits_for_piece(1, "white")
        someone.drag(1, 17)  # forward, to the present
        someone.hears("Move the focus")
        someone.waits_for_piece(17, "white")
        someone.page.get_by_role("button", name="Back").first.click()
        someone.hears("Where to? 1 action")
        someone.drag(1, 0)
        someone.hears("Move the focus")
        someone.drag(48, 10)
        someone.hears("Not there")
        someone.drag(48, 49)  # and so is the focus
        someone.waits_for(".turns li:nth-child(1)[data-turn]")

"""In a game that is just played a copy can be dragged where it is to go."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests import lanes
from tests.page.browsing import Person
from tests.page.test_commands import command

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(("width", "height"), lanes.once([(390, 844), (1440, 900)]))
def test_a_turn_is_dragged(browser: Browser, tmp_path: Path, width: int, height: int) -> None:
    size = {"width": width, "height": height}
    with (
        command("try", "--seed", "1", home=tmp_path) as (_, url),
        browser.new_page(viewport=size) as page,  # type: ignore[arg-type]
    ):
        someone = Person(page)
        someone.opens(url)
        someone.hears("Choose a copy")
        someone.drag(0, 10)  # no copy gets there with one action: it is chosen, and stays
        someone.hears("2 actions left")
        someone.waits_for_piece(0, "white")
        someone.drag(0, 1)
        someone.hears("1 action left")
        someone.waits_for_piece(1, "white")
        someone.drag(1, 17)  # forward, to the present
        someone.hears("Now your focus")
        someone.waits_for_piece(17, "white")
        page.get_by_role("button", name="Back").first.click()
        someone.hears("1 action left")
        someone.drag(1, 0)
        someone.hears("Now your focus")
        assert someone.trouble == []

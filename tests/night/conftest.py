"""What the tests of a night's pages need."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from chronotable_night.games.shelf import kinds
from tests.night.drawn import Drawn, drawn
from tests.night.small_game import KIND
from tests.page.browsing import Browser


@pytest.fixture(scope="module")
def drawn_pages() -> Iterator[Drawn]:
    with drawn({kind.name: kind.page for kind in (KIND, *kinds().values())}) as served:
        yield served


@pytest.fixture
def pages(drawn_pages: Drawn, browser: Browser) -> Drawn:
    """Pages of the small game and those of the shelf, drawn from the states that a test tells."""
    drawn_pages.browser, drawn_pages.refuses = browser, ""
    drawn_pages.asked.clear()
    return drawn_pages

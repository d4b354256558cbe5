"""What the tests of a night's pages need: a browser, drawn pages, and where pictures are kept."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.night.drawn import Drawn, drawn
from tests.page.conftest import browser, chromium, pictures

__all__ = ["browser", "chromium", "pages", "pictures"]


@pytest.fixture(scope="module")
def pages() -> Iterator[Drawn]:
    """Pages of the games of the shelf, drawn from the states that a test tells them."""
    with drawn() as served:
        yield served

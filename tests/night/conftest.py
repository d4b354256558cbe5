"""What the tests of a night's pages need."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.night.drawn import Drawn, drawn


@pytest.fixture(scope="module")
def pages() -> Iterator[Drawn]:
    """Pages of the games of the shelf, drawn from the states that a test tells them."""
    with drawn() as served:
        yield served

"""What several tests of the page need."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.page.browsing import open_browser

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with open_browser() as opened:
        yield opened


@pytest.fixture
def browser(chromium: Browser) -> Iterator[Browser]:
    """Close what the test has opened: a page that stays looks for its server again and again."""
    yield chromium
    for context in chromium.contexts:
        context.close()


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    folder = Path(os.environ.get("CHRONOTABLE_PICTURES", tmp_path))
    folder.mkdir(parents=True, exist_ok=True)
    return folder

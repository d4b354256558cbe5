"""What several tests of a club need: the browser and the folder of pictures of the page's tests."""

from __future__ import annotations

from tests.page.conftest import browser, chromium, pictures

__all__ = ["browser", "chromium", "pictures"]

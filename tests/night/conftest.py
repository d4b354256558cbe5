"""What the tests of a night's pages need: a browser, and where pictures are kept."""

from tests.page.conftest import browser, pictures

__all__ = ["browser", "pictures"]

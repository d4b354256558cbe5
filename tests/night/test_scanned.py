"""Codes are whole on every screen: a reader of QR codes finds the link in a picture of the page."""

from __future__ import annotations

from base64 import b64decode, b64encode
from pathlib import Path
from typing import Any

import pytest

from chronotable_night.games.interface import SPECTATOR
from tests import lanes
from tests.night.drawn import (
    BIG,
    LINK,
    SEAT_LINK,
    SMALL_BIG,
    SMALL_PHONE,
    Drawn,
    lobby,
    look_at,
)
from tests.night.small_game import KIND
from tests.night.test_frame import Course
from tests.page.browsing import PHONE, Page, Size

pytestmark = pytest.mark.browser
reader: Any = pytest.importorskip("zxingcpp", reason="the extra `browser` is not installed")

GREY = """async (png) => {
    const picture = new Image();
    picture.src = `data:image/png;base64,${png}`;
    await picture.decode();
    const { width, height } = picture;
    const drawing = new OffscreenCanvas(width, height).getContext("2d");
    drawing.drawImage(picture, 0, 0);
    const { data } = drawing.getImageData(0, 0, width, height);
    const grey = Uint8Array.from({ length: width * height },
        (_, at) => (data[4 * at] + data[4 * at + 1] + data[4 * at + 2]) / 3);
    const url = await new Promise((done) => {
        const reading = new FileReader();
        reading.onload = () => done(reading.result);
        reading.readAsDataURL(new Blob([grey]));
    });
    return [width, height, url.slice(url.indexOf(",") + 1)];
}"""
SCREENS = [(BIG, "light"), (BIG, "dark"), (SMALL_BIG, "dark"), (SMALL_BIG, "light")]
SCREENS += [((1024, 768), "light"), ((3840, 2160), "dark")]
PHONES = [(PHONE, "dark"), (SMALL_PHONE, "light"), ((844, 390), "dark"), ((640, 360), "light")]


def scanned(page: Page) -> list[str]:
    """Return what a reader finds in what is seen of a page."""
    width, height, grey = page.evaluate(GREY, b64encode(page.screenshot()).decode())
    return [each.text for each in reader.read_barcodes(_rows(grey, width, height))]


def _rows(grey: str, width: int, height: int) -> memoryview:
    return memoryview(b64decode(grey)).cast("B", (height, width))


@pytest.mark.parametrize(("size", "theme"), lanes.once(SCREENS, 3))
def test_the_big_screen(pages: Drawn, pictures: Path, size: Size, theme: str) -> None:
    """Of the room, and of the seat of a lost phone, which leaves the round where it is."""
    pages.tells(lobby(KIND, taken=2))
    with pages.screen(size, theme) as page:
        page.locator(".join .qr").wait_for()
        assert scanned(page) == [LINK]
        away = Course().told(SPECTATOR)
        away["players"][1]["here"] = False
        pages.tells(away)
        lost = page.get_by_role("button", name="A new link for Ben")
        lost.wait_for()
        sign = page.locator("#sign").inner_text()
        lost.click()
        page.locator("dialog .qr").wait_for()
        assert scanned(page) == [SEAT_LINK]
        assert page.locator("#sign").inner_text() == sign
        look_at(page, f"night-big-lost-{size[0]}x{size[1]}-{theme}", pictures)
        page.get_by_role("button", name="Close").click()
        lost.click()
        page.locator("dialog .qr").wait_for()
        pages.tells(Course().told(SPECTATOR))  # Ben is back
        page.locator("dialog .qr").wait_for(state="hidden")


@pytest.mark.parametrize(("size", "theme"), lanes.once(PHONES))
def test_a_phone(pages: Drawn, size: Size, theme: str) -> None:
    pages.tells(Course().told(0))
    with pages.phone(0, size, theme) as page:
        page.locator("#more").click()
        page.get_by_role("button", name="The table", exact=True).click()
        page.locator(".join .qr").scroll_into_view_if_needed()
        assert scanned(page) == [LINK]
        page.get_by_role("button", name="To another phone").click()
        page.locator(".seat-code .qr").wait_for()
        assert scanned(page) == [SEAT_LINK]

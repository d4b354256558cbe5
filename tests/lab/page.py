"""From the hand to the pixel: how long a lift or a place takes to be seen on the page.

A real browser, a real server and the virtual table in real time. Counted is from the pointer's
event, which lifts or places, to the frame in which the light of that space has changed: the
socket, the reed's debounce, the firmware, the link and the drawing are all in it.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from tests.lab.figures import Figure
from tests.lab.side_by_side import Progress

if TYPE_CHECKING:
    from playwright.sync_api import Page

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--no-sandbox",  # so that root, who runs things in containers, can start it
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
BROWSER_VARIABLE = "CHRONOTABLE_BROWSER"

_SIZE = {"width": 1280, "height": 900}
_STILL_MS = 250  # between two gestures
_PATIENCE_MS = 10_000
_P95 = 95

# Notes the frame after the one in which the light of a space changes.
_WATCH = """sensor => {
    const place = document.querySelector(`#board [data-sensor="${sensor}"]`);
    for (const kind of ["pointerdown", "pointerup"])
        addEventListener(kind, () => { window.began = performance.now(); window.seen = 0; }, true);
    new MutationObserver(() => requestAnimationFrame(() => requestAnimationFrame(() => {
        if (!window.seen) window.seen = performance.now();
    }))).observe(place, { attributes: true, attributeFilter: ["data-meaning"] });
}"""
_WAIT = """patience_ms => new Promise((tell, fail) => {
    setTimeout(() => fail(Error("no light has changed")), patience_ms);
    const look = () => window.seen ? tell(window.seen - window.began) : requestAnimationFrame(look);
    look();
})"""


def measure(samples: int, report: Progress) -> list[Figure]:
    """Lift and put back white's copy so many times."""
    browser = find_browser()
    if browser is None:
        why = f"needs Chromium, on the path or named by {BROWSER_VARIABLE}"
        return [Figure("page", remark=why)]
    try:
        from playwright.sync_api import sync_playwright  # noqa: PLC0415 - an extra
    except ImportError:
        return [
            Figure("page", remark="needs the extra `browser`: pip install chronotable[browser]")
        ]
    times: list[float] = []
    with (
        TemporaryDirectory(prefix="chronotable-page-") as folder,
        served(Path(folder), "--white", "hands") as url,
        sync_playwright() as play,
    ):
        chromium = play.chromium.launch(executable_path=browser, args=list(FLAGS))
        page = chromium.new_page(viewport=_SIZE)  # type: ignore[arg-type]
        page.goto(url)
        times = list(_times(page, samples, report))
        chromium.close()
    cuts = statistics.quantiles(times, n=100, method="inclusive")
    counts: dict[str, float] = {
        "p50": round(statistics.median(times)),
        "p95": round(cuts[_P95 - 1]),
        "max": round(max(times)),
        "gestures": len(times),
    }
    return [Figure("page", counts)]


def find_browser() -> str | None:
    """Return the program that is Chromium here."""
    named = os.environ.get(BROWSER_VARIABLE)
    return named or next(filter(None, map(shutil.which, BROWSERS)), None)


@contextmanager
def served(folder: Path, *words: str) -> Iterator[str]:
    """Run `try` with its games in a folder; yield the page's URL."""
    with subprocess.Popen(
        [sys.executable, "-m", "chronotable_host", "try", "--no-browser", *words],
        env={**os.environ, "CHRONOTABLE_HOME": str(folder), "PYTHONUNBUFFERED": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as program:
        try:
            yield url_in(program.stderr or ())
        finally:
            program.kill()


def url_in(said: Any) -> str:
    """Return the page's URL out of what a command says on stderr; raises RuntimeError."""
    lines = []
    for line in said:
        lines.append(line)
        if line.startswith("The page: "):
            return str(line.split()[-1])
    raise RuntimeError(f"no page was served: {''.join(lines)}")


def _times(page: Page, samples: int, report: Progress) -> Iterator[float]:
    place = page.locator('#board [data-sensor="0"]')
    page.wait_for_selector('#board [data-sensor="0"][data-meaning="copy"]', state="attached")
    page.evaluate(_WATCH, 0)
    box = place.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    for number in range(samples):
        report(number, samples)
        for gesture in (page.mouse.down, page.mouse.up):
            gesture()
            page.mouse.move(x + box["width"], y, steps=4)  # drag: one that is clicked stays lifted
            page.mouse.move(x, y, steps=4)
            yield float(page.evaluate(_WAIT, _PATIENCE_MS))
            page.wait_for_timeout(_STILL_MS)

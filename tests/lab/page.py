"""How quick the page is: from the hand to the pixel, and from its address to the first board.

A real browser, a real server and the virtual table in real time. From hand to pixel is from the
pointer's event, which lifts or places, to the frame in which the light of that space has changed:
the socket, the reed's debounce, the firmware, the link and the drawing are all in it. To the first
board is from the start of the navigation, with nothing kept from before and the CPU throttled, to
the frame in which the copies stand on the boards; what was sent until then is the page's weight.
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
from tests.lab.ports import free_port
from tests.lab.side_by_side import Progress

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The shell is Chromium without windows: the same pages for a third of the work."""
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

KEYS = ("page", "page_first", "page_weight")

_GAME = "#live"
_SIZE = {"width": 1280, "height": 900}
_STILL_MS = 250  # between two gestures
_PATIENCE_MS = 10_000
_P95 = 95
_SLOWER = 6  # than this computer's CPU
_OPENED = 5  # times

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


# Notes the frame after the one in which the first copies stand on the boards.
_FIRST = """(() => {
    const look = () => {
        if (!document.querySelector("#eras .space .copy")) return requestAnimationFrame(look);
        requestAnimationFrame(() => { window.first = performance.now(); });
    };
    look();
})()"""
_SEEN = """patience_ms => new Promise((tell, fail) => {
    setTimeout(() => fail(Error("no board is seen")), patience_ms);
    const look = () => window.first ? tell(window.first) : requestAnimationFrame(look);
    look();
})"""


def measure(samples: int, report: Progress) -> list[Figure]:
    """Lift and put back white's copy so many times."""
    browser = find_browser()
    if browser is None:
        why = f"needs Chromium, on the path or named by {BROWSER_VARIABLE}"
        return [Figure(key, remark=why) for key in KEYS]
    try:
        from playwright.sync_api import sync_playwright  # noqa: PLC0415 - an extra
    except ImportError:
        why = "needs the extra `browser`: pip install chronotable[browser]"
        return [Figure(key, remark=why) for key in KEYS]
    times: list[float] = []
    with TemporaryDirectory(prefix="chronotable-page-") as folder, sync_playwright() as play:
        chromium = play.chromium.launch(executable_path=browser, args=list(FLAGS))
        with served(Path(folder)) as url:
            opened = [_opened(chromium, url) for _ in range(_OPENED)]
        with served(Path(folder), "--white", "hands") as url:
            page = chromium.new_page(viewport=_SIZE)  # type: ignore[arg-type]
            page.goto(url + _GAME)
            times = list(_times(page, samples, report))
        chromium.close()
    first = [time_ms for time_ms, _, _ in opened]
    _, kilobytes, parts = opened[0]
    cuts = statistics.quantiles(times, n=100, method="inclusive")
    counts: dict[str, float] = {
        "p50": round(statistics.median(times)),
        "p95": round(cuts[_P95 - 1]),
        "max": round(max(times)),
        "gestures": len(times),
    }
    return [
        Figure("page", counts),
        Figure("page_first", {"p50": round(statistics.median(first)), "max": round(max(first))}),
        Figure("page_weight", {"value": round(kilobytes), "requests": parts}),
    ]


def find_browser() -> str | None:
    named = os.environ.get(BROWSER_VARIABLE)
    return named or next(filter(None, map(shutil.which, BROWSERS)), None)


@contextmanager
def served(folder: Path, *words: str) -> Iterator[str]:
    """Run `try` with its games in a folder; yield the page's URL.

    Where `words` name no port it is one of its own: a page that has lost another server, and looks
    for that at the usual port, must not find this one.
    """
    if "--listen" not in words:
        words = ("--listen", f"127.0.0.1:{free_port()}", *words)
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
        if ": http://" in line:
            return str(line.split()[-1])
    raise RuntimeError(f"no page was served: {''.join(lines)}")


def _opened(browser: Browser, url: str) -> tuple[float, float, int]:
    """Open the page on a slow CPU; return ms to the first board, kilobytes and requests."""
    with browser.new_context(viewport=_SIZE) as context:  # type: ignore[arg-type]
        page = context.new_page()
        page.add_init_script(_FIRST)
        sent: list[float] = []
        frames: list[float] = []
        devices = context.new_cdp_session(page)
        devices.on("Network.loadingFinished", lambda told: sent.append(told["encodedDataLength"]))
        devices.on(
            "Network.webSocketFrameReceived",
            lambda told: frames.append(len(told["response"]["payloadData"].encode())),
        )
        devices.send("Network.enable")
        devices.send("Emulation.setCPUThrottlingRate", {"rate": _SLOWER})
        page.goto(url + _GAME)
        first = float(page.evaluate(_SEEN, _PATIENCE_MS))
        return first, sum(sent + frames) / 1000, len(sent)


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

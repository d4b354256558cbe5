"""The page in German, whose words are longer: all of it is German, and nothing is cut off."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import lanes
from tests.page.browsing import PC, PHONE, Browser, Size, opened
from tests.programs import Program

pytestmark = pytest.mark.browser

CUT = """() => [...document.querySelectorAll("body *")].filter((element) => {
  const shown = element.checkVisibility({ visibilityProperty: true }) && element.clientWidth > 1;
  if (!shown || element.closest("svg, .unseen, .skip")) return false;
  const own = [...element.childNodes].filter((each) => each.nodeType === Node.TEXT_NODE);
  if (!own.some((each) => each.data.trim())) return false;
  const { left, right } = element.getBoundingClientRect();
  return left < -1 || right > innerWidth + 1 || element.scrollWidth > element.clientWidth + 1;
}).map((element) => element.textContent.trim())"""
"""What leaves the window, or its own place."""
CHOICES_CUT = """() => [...document.querySelectorAll(".choice")].filter((it) =>
  it.scrollWidth > it.clientWidth).map((it) => it.textContent)"""
"""Of a few things to be chosen from, those that do not all have room."""
COVERED = """() => [...document.querySelectorAll("#eras .era")].filter((era) => {
  const a = era.querySelector("h2").getBoundingClientRect();
  return [...era.querySelectorAll(".spaces, .stop .focus")].some((each) => {
    const b = each.getBoundingClientRect();
    return a.right > b.left && a.bottom > b.top;
  });
}).map((era) => era.textContent)"""
"""The eras whose name lies under their board, or touches an eye."""
ENGLISH = ("the", "your", "copy", "turn", "game", "focus marker", "White", "Black")


@pytest.mark.parametrize(
    "size", lanes.once([((360, 640),), (PHONE,), ((800, 1180),), ((1366, 768),), (PC,)], 1)
)
def test_german_fits(browser: Browser, tmp_path: Path, size: Size) -> None:
    words = ("try", "--seed", "1", "--no-browser")
    with Program(tmp_path, *words, spoken="en") as program:  # each viewer has an own language
        someone = opened(browser, program.url, size=size, locale="de-DE")
        page = someone.page

        def fits() -> None:
            said = page.locator("body").inner_text()
            assert not [word for word in ENGLISH if f" {word} " in said], said
            assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
            assert page.evaluate(CUT) == []
            assert page.evaluate(CHOICES_CUT) == []

        someone.hears("Wähle eine Kopie")
        assert page.locator("html").get_attribute("lang") == "de"
        assert page.evaluate(COVERED) == []
        fits()
        someone.place(0).click()
        someone.hears("Wohin? 2 Aktionen")
        fits()
        page.get_by_role("button", name="Ende", exact=True).click()
        page.get_by_text("Wer aufgibt, hat verloren.").wait_for()
        fits()
        page.get_by_role("button", name="Abbrechen").click()
        page.get_by_role("button", name="Menü").click()
        for part in ("Spielen", "Lernen", "Aussehen", "Basteln"):
            page.get_by_role("radio", name=part).check()
            for card in page.locator("#menu details").all():
                card.evaluate("card => { card.open = true; }")
            fits()
        page.get_by_text("Wie ungeschickt die Hand ist").wait_for()
        for room, says in (
            ("start", "Du bist Weiß, gegen Leicht, ohne Uhr."),
            ("start/friend", "Diese Seite ist für andere Geräte geschlossen"),
            ("lessons", "Je drei Minuten, auf den Brettern."),
            ("rules", "Zwei Zeitreisende, Weiß und Schwarz"),
            ("games", "Noch keine Partien."),
            ("puzzles", "Noch keine Aufgabe wurde versucht."),
        ):
            page.evaluate(f"location.hash = '#{room}'")
            page.get_by_text(says).wait_for()
            fits()
        page.locator(".listed").first.click()
        page.locator("#puzzles .space.can").first.wait_for()
        fits()
        page.get_by_role("button", name="Hinweis").click()
        page.locator("#puzzles h1", has_text="Diese Kopie").wait_for()
        fits()

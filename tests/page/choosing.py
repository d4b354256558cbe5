"""Turns that are chosen on boards in a browser, by mouse, keys or touch."""

from __future__ import annotations

from chronotable_host.rules.notation import format_turn
from chronotable_host.rules.turn_builder import TurnBuilder
from tests.page.browsing import Page, press
from ttykm.game import Game


def tries(page: Page, root: str, game: Game, turn: int, by: str = "mouse") -> None:
    """Choose a turn on the boards in `root`; a place that has several choices asks which."""
    builder = TurnBuilder(game)
    for text in format_turn(turn).split():
        chosen = next(each for each in builder.choices if each.text == text)
        here = [each.text for each in builder.choices if each.at == chosen.at]
        press(page.locator(root).locator(pressable(chosen.at)), by)
        if len(here) > 1:
            press(page.locator(f"{root} .options .option").nth(here.index(text)), by)
        builder.choose(text)


def choices_of(game: Game, turn: int) -> list[int]:
    """Return the places that a turn is chosen at, one after the other."""
    builder, places = TurnBuilder(game), []
    for text in format_turn(turn).split():
        places.append(next(each.at for each in builder.choices if each.text == text))
        builder.choose(text)
    return places


def pressable(sensor: int) -> str:
    """Return what selects a place that can be chosen, once boards show what there is to choose."""
    return f'[data-sensor="{sensor}"][tabindex="0"]:not([aria-busy="true"] *)'


def taps_ahead(page: Page, root: str, places: list[int]) -> None:
    """Tap one place after the other, before anything of it can show."""
    page.evaluate(
        "([root, places]) => { for (const at of places)"
        " document.querySelector(`${root} [data-sensor='${at}']`).click(); }",
        [root, places],
    )

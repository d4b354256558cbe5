"""Turns that are chosen on boards in a browser, by mouse, keys or touch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chronotable_host.rules.notation import format_turn
from chronotable_host.rules.turn_builder import TurnBuilder
from ttykm.game import Game

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page


def tries(page: Page, root: str, game: Game, turn: int, how: str) -> None:
    """Choose a turn on the boards in `root`; a place that has several choices asks which."""
    builder = TurnBuilder(game)
    for text in format_turn(turn).split():
        chosen = next(each for each in builder.choices if each.text == text)
        here = [each.text for each in builder.choices if each.at == chosen.at]
        _press(page, page.locator(root).locator(pressable(chosen.at)), how)
        if len(here) > 1:
            _press(page, page.locator(f"{root} .options .option").nth(here.index(text)), how)
        builder.choose(text)


def pressable(sensor: int) -> str:
    """Return what selects a place that can be chosen, once boards show what there is to choose."""
    return f'[data-sensor="{sensor}"][tabindex="0"]:not([aria-busy="true"] *)'


def _press(page: Page, it: Locator, how: str) -> None:
    if how == "keys":
        it.focus()
        page.keyboard.press("Enter")
    elif how == "touch":
        it.tap()
    else:
        it.click()

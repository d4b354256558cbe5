"""`python -m tests.night.fullest GAME`: what does not fit where a table is full.

As many play as can, with long names and each data file of the tests; moments of a game by rules of
thumb are drawn on phones and big screens of several sizes, in the language of the environment. Each
line that is printed names a page and what runs out of it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import chain
from random import Random
from typing import Any

from chronotable_night.games.bots import BOTS
from chronotable_night.games.interface import NOBODY, SPECTATOR, Game, Kind
from chronotable_night.games.shelf import kinds
from tests.games.courses import boxes
from tests.night.drawn import SMALL_BIG, SMALL_PHONE, drawn, lobby, opened, overflowing, told
from tests.page.browsing import Page, open_browser

NAMES = ("Maximilian", "Anneliese", "Friederike", "Konstantin", "Wilhelmine", "Bartholomäus")
PHONES = (SMALL_PHONE, (640, 360), (844, 390))
SCREENS = (SMALL_BIG, (1024, 768))
MOMENTS = 4
"""In a game, besides its end."""
SEED = 5
_RECENT = 40


def lobbies(kind: Kind) -> Iterator[tuple[str, dict[int, Any]]]:
    """Yield the same of the lobby, each option at its last value, and at the one before that."""
    for back in (1, 2):
        states = {seat: lobby(kind, seat, max(kind.players)) for seat in (0, SPECTATOR)}
        for state in states.values():
            for option in state["options"]:
                option["value"] = option["values"][-back:][0]["value"]
            for player, each in zip(state["players"], NAMES, strict=False):
                player["name"] = each
        yield f"lobby {back}", states


def moments(kind: Kind, game: Game) -> Iterator[tuple[str, dict[int, Any]]]:
    """Yield what a moment is called, and what a seat that decides and the big screen are told."""
    players, chance = max(kind.players), Random(SEED)
    options = {each.name: next(iter(each.values)) for each in kind.options}
    state = game.new(SEED, players, options)
    happened: list[Any] = []
    states = [state]
    heard = [0]
    while (seat := game.to_decide(state)) != NOBODY:
        action = BOTS["sensible"](game, game.view(state, seat), seat, chance)
        state = game.apply(state, seat, action, happened)
        states.append(state)
        heard.append(len(happened))
    for at in [*range(0, len(states) - 1, len(states) // MOMENTS or 1), len(states) - 1]:
        state, until = states[at], heard[at]
        recent = happened[max(0, until - _RECENT) : until]
        seat = max(0, game.to_decide(state))
        yield (
            f"step {at} {game.data_hash[:4]}",
            {
                each: told(kind, game, state, each, players, recent, names=NAMES)
                for each in (seat, SPECTATOR)
            },
        )


def _ready(page: Page, seat: int, state: Any) -> None:
    """Wait until a page shows what it was told, the hand open."""
    if state["phase"] == "lobby":
        page.locator("body[data-mode=lobby]").wait_for()
        if seat != SPECTATOR:  # what is chosen for the game stands there
            page.locator("#more").click()
            page.locator(".tab").last.click()
    elif seat == SPECTATOR:
        page.locator("#headline", has_text=state["headline"]).wait_for()
    elif state["phase"] == "over":
        page.locator("body[data-mode=over]").wait_for()
    else:
        page.locator("body[data-mode=covered] #peek, body[data-mode=open]").wait_for()
        if page.locator("#peek").count():  # there is something to hide
            page.locator("#peek").dispatch_event("click")  # as a screen reader does
        page.locator("body[data-mode=open]").wait_for()


def main(name: str) -> None:
    """Print what does not fit."""
    kind = kinds()[name]
    with open_browser() as browser, drawn() as pages:
        games = chain.from_iterable(moments(kind, game) for game in boxes(kind))
        for called, states in chain(lobbies(kind), games):
            pages.tells(*states.values())
            for seat, state in states.items():
                is_big = seat == SPECTATOR
                url = f"{pages.url}/" if is_big else pages.seat(seat)
                for size in SCREENS if is_big else PHONES:
                    with opened(browser, url, size) as page:
                        _ready(page, seat, state)
                        for each in overflowing(page):
                            print(f"{called}, {size[0]}x{size[1]}: {each}")


if __name__ == "__main__":
    main(*sys.argv[1:])

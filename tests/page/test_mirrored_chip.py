"""A game on the emulated RP2040, seen in Chromium turn by turn: the real table's page."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from chronotable_host.rules.notation import format_turn
from chronotable_host.virtual.desk import VirtualDesk
from chronotable_host.virtual.play import Hands, play
from chronotable_host.virtual.table import RP2040
from chronotable_host.virtual.tabletop import wanted
from chronotable_host.web.games import Games
from chronotable_host.web.page import ConnectionState, Page
from chronotable_host.web.server import PageServer
from tests.emulator.conftest import image  # noqa: F401 - a fixture
from tests.lab.positions import random_game
from tests.page.browsing import Browser, opened
from ttykm import layout
from ttykm.game import Game

pytestmark = [pytest.mark.emulator, pytest.mark.browser]

BOARD = "reference"
TURNS = 4
START_MS = 2500  # until the table plays, and more


def test_a_viewer_follows_the_table_turn_by_turn(
    image: Path,  # noqa: F811
    browser: Browser,
    tmp_path: Path,
) -> None:
    with VirtualDesk() as desk:
        online = ConnectionState("online", "an emulated table")
        table, mirror = desk.switch_on(BOARD, Random(1), None, RP2040, image=image), desk.mirror
        place = (lambda: BOARD), (lambda: online), (lambda: ("well",))
        desk.page = page = Page(desk, tmp_path, None, *place)
        server = PageServer(page.hub, Games(tmp_path), page.board_svg)
        server.start()
        desk.callback(server.close)
        someone = opened(browser, server.url)
        hands = Hands(table, mirror, Random(1), lambda _gesture: page.step(table.now_ms))
        hands.set_up(layout.new_state())
        hands.wait(START_MS)
        page.step(table.now_ms)
        someone.sees(48, "mover")
        assert someone.place(0).get_attribute("aria-label") == "past 1, white copy, may act"

        def look(game: Game) -> None:
            page.step(table.now_ms)
            for sensor, piece in wanted(game.state).items():
                someone.waits_for_piece(sensor, piece)

        planned = iter(random_game(5, TURNS).turns)
        game = Game()
        player = lambda _game: next(planned, None)  # noqa: E731
        play(hands, game, (player, player), look, TURNS)
        page.step(table.now_ms)
        for turn in game.turns:
            someone.waits_for(f'.turns [data-turn="{format_turn(turn)}"]')
    assert len(game.turns) == TURNS
    assert mirror.understood["certain"] == TURNS

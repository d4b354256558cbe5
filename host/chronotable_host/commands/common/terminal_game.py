"""A game in the terminal: its boards are printed, its turns typed."""

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from chronotable_host.errors import UserError
from chronotable_host.language import tr
from chronotable_host.language.names import PLAYERS
from chronotable_host.live.texts.led_marks import highlights, legend
from chronotable_host.rules.board_drawing import can_draw_lines, draw
from chronotable_host.rules.notation import NotationError, parse_turn
from chronotable_host.rules.reason_texts import why_text
from ttykm.game import Game

if TYPE_CHECKING:
    from rich.console import Console

    from chronotable_host.live.mirror import Mirror


def ask_turn(game: Game, hint: Callable[[], None] | None = None) -> int | None:
    """Read a turn from the terminal until it is a legal one; the end of the input stops.

    Whoever types `hint` is given one, where there are any.
    """
    while True:
        print(
            tr("{player}'s turn, as '1 E F >future'; empty to stop: ", player=PLAYERS[game.mover]),
            end="",
            flush=True,
        )
        line = sys.stdin.readline()
        if not line.strip():
            return None
        if hint is not None and line.strip().lower() == "hint":
            try:
                hint()
            except UserError as error:
                print(error)
            continue
        try:
            turn = parse_turn(line)
        except NotationError as error:
            print(error)
            continue
        problem = why_text(game, turn)
        if not problem:
            return turn
        print(problem)


def print_boards(console: "Console", mirror: "Mirror") -> None:
    """Print the position of a mirror's game and the marks of the lights that are on."""
    leds = mirror.table.leds
    lines = can_draw_lines(sys.stdout.encoding)
    console.print(draw(mirror.game.state, highlights(leds), lines))
    if any(leds):
        console.print(" " + tr("LEDs: {legend}", legend=legend(leds)), style="dim")

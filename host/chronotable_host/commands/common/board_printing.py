"""Prints the boards of a game that is followed, with what the table's lights say."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from chronotable_host.language import tr
from chronotable_host.live.texts.led_marks import highlights, legend
from chronotable_host.rules.board_drawing import can_draw_lines, draw

if TYPE_CHECKING:
    from rich.console import Console

    from chronotable_host.live.mirror import Mirror


def print_boards(console: Console, mirror: Mirror) -> None:
    """Print the position of a mirror's game and the marks of the lights that are on."""
    leds = mirror.table.leds
    lines = can_draw_lines(sys.stdout.encoding)
    console.print(draw(mirror.game.state, highlights(leds), lines))
    if any(leds):
        console.print(" " + tr("LEDs: {legend}", legend=legend(leds)), style="dim")

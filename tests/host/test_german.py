"""German comes out at the end: what a program says that was started in that language."""

from __future__ import annotations

import os
import subprocess
import sys

_TOLD = """
from chronotable_host.board_drawing import draw
from chronotable_host.glyphs import name_of
from chronotable_host.live.finding_texts import fault_text
from chronotable_host.live.happening_texts import sentences
from chronotable_host.live.happenings import GameOver, Guide
from chronotable_host.live.table_texts import GUIDES
from chronotable_host.reason_texts import why_text
from chronotable_host.rules.notation import NotationError, parse_position, parse_turn
from chronotable_host.turn_story import story_of
from chronotable import why
from ttykm.game import Game

start = "w..............b/w..............b/w..............b"
game = Game()
game.start(parse_position(f"{start} 0 2 4 4 w"))
print(story_of(parse_position("w.bb...........b/................/w..............b 0 2 4 4 w"),
               parse_turn("1 E E >future")).says)
print(why_text(game, parse_turn("1 N E >future")))
print(*draw(game.state).plain.splitlines()[-2:], sep="\\n")
print(name_of("elephant-dark+white"))
for said in (GameOver(0, "white", "normal", {"certain": 3, "asked": 1}),
             Guide(0, ["past 3"], ["focus white past"], GUIDES[why.RESTORE])):
    print(*(sentence for _, sentence in sentences(said, game)))
print(fault_text("nosy", 2, 17))
try:
    parse_turn("1 E F")
except NotationError as error:
    print(error)
"""


def _printed(code: str) -> list[str]:
    """Return the lines that a program prints in German."""
    spoken = {**os.environ, "LANGUAGE": "de", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=spoken, capture_output=True, encoding="utf-8", check=True
    )
    return done.stdout.splitlines()


def test_turns_reasons_boards_and_tables_are_told_in_german() -> None:
    assert _printed(_TOLD) == [
        "Einen Schritt gegangen, dann Schwarz in der Vergangenheit ins Paradox geschickt",
        "Im Norden von Feld 1 in der Vergangenheit ist eine Wand, dorthin kannst du nicht ziehen"
        " (T16).",
        " Weiß ist am Zug   Vorrat: Weiß (W) 4, Schwarz (B) 4",
        " Fokus: Weiß in der Vergangenheit, Schwarz in der Zukunft",
        "dunkler Elefant mit dem Hut von Weiß",
        "Weiß gewinnt nach den Regeln. So wurden die Züge verstanden: 3 sicher, 1 nachgefragt.",
        "  nimm weg: Vergangenheit 3; leg hin: Fokus Weiß Vergangenheit: Figuren und Marker liegen"
        " anders als in der Partie; leg sie zurück.",
        "Der Reedkontakt bei Vergangenheit 3 schließt auch, wenn der Magnet auf Gegenwart 2 liegt",
        "Zug: '1 E F' nennt nicht den neuen Fokus, wie in >past",
    ]

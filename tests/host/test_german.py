"""German comes out at the end where the environment names it: of commands, files and the page."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def german(code: str, *arguments: str) -> str:
    """Return what a program prints that is started where German is spoken."""
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env={**os.environ, "LANGUAGE": "de", "PYTHONUTF8": "1"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert not done.returncode, done.stderr
    return done.stdout


RULES_AND_PICTURES = """
import json
from chronotable_host.hardware import boards
from chronotable_host.hardware.drawings.wiring import wiring_svg
from chronotable_host.live.players.seats import parse_seat
from chronotable_host.errors import UserError
from chronotable_host.rulebook import book

print(book.find(["T24"])[0].text)
print(wiring_svg(json.loads(boards.find("reference").read_bytes())))
try:
    parse_seat("nobody")
except UserError as error:
    print(error)
"""

PAGE = """
from chronotable_host.web import building, looks
from chronotable_host.web.http import catalogue
from chronotable_host.web.http.files import STATIC, page_of
from chronotable_host.web.headline import of_set_up
from chronotable_host.web.todo import sentences
from chronotable.lights import meanings

print(page_of(STATIC / "index.html").decode())
print(catalogue.script().decode())
print(of_set_up([meanings.PUT_WHITE], "", False).says)
print(*sentences({5: meanings.PUT_WHITE, 17: meanings.TODO_TAKE, 53: meanings.TODO_PUT}))
print(looks.actions(4)["cD:N*"])
"""


def test_rules_pictures_and_players_are_german() -> None:
    said = german(RULES_AND_PICTURES)
    assert "reist von der Vergangenheit in die Gegenwart" in said
    assert ">VERGANGENHEIT<" in said and "Zeile 0, braun: Vergangenheit" in said
    assert "„nobody“ spielt keine Seite; es gibt level:1 bis level:8" in said


def test_the_page_is_german() -> None:
    said = german(PAGE).splitlines()
    assert '<html lang="de">' in said and any(">Partien</a>" in line for line in said)
    assert 'export const language = "de";' in said
    assert said[-3:] == [
        "Stell die Figuren auf",
        "Nimm weg, was auf Gegenwart 2 liegt. Stell eine weiße Figur auf Vergangenheit 6. "
        "Stell den Fokusmarker von Schwarz in die Zukunft.",
        "den dunklen Elefanten nach Norden schicken und die Statue nachziehen",
    ]


TOLD = """
from chronotable_host.rules.board_drawing import draw
from chronotable_host.hardware.drawings.glyphs import name_of
from chronotable_host.live.texts.finding_texts import fault_text
from chronotable_host.live.texts.happening_texts import sentences
from chronotable_host.live.happenings import GameOver, Guide
from chronotable_host.live.texts.table_texts import GUIDES
from chronotable_host.rules.reason_texts import why_text
from chronotable_host.rules.notation import NotationError, parse_position, parse_turn
from chronotable_host.rules.turn_story import story_of
from chronotable.core import why
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


def test_turns_reasons_boards_and_tables_are_told_in_german() -> None:
    assert german(TOLD).splitlines() == [
        "Ging einen Schritt und schickte in der Vergangenheit Schwarz ins Paradox",
        "Im Norden von Feld 1 in der Vergangenheit ist eine Wand, dorthin kann die Kopie"
        " nicht ziehen (T16).",
        " Weiß ist am Zug   Vorrat: Weiß (W) 4, Schwarz (B) 4",
        " Fokus: Weiß in der Vergangenheit, Schwarz in der Zukunft",
        "dunkler Elefant mit dem Hut von Weiß",
        "Weiß gewinnt. So wurden die Züge verstanden: 3 sicher, 1 nachgefragt.",
        "  nimm weg: Vergangenheit 3; leg hin: Fokus Weiß Vergangenheit: Figuren und Marker liegen"
        " anders als in der Partie; leg sie zurück.",
        "Der Reedkontakt bei Vergangenheit 3 schließt auch, wenn der Magnet auf Gegenwart 2 liegt",
        "Zug: '1 E F' nennt nicht den neuen Fokus, wie in >past",
    ]


def commands_in_german(home: Path, *commands: str) -> list[str]:
    """Return what commands print, one after the other in one process that is to speak German."""
    script = "import sys\nfrom chronotable_host.cli import run\n" + "".join(
        f"run({command.split()!r})\nprint('---')\nsys.stderr.flush()\n" for command in commands
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "LANGUAGE": "de", "CHRONOTABLE_HOME": str(home), "COLUMNS": "100"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=True,
    )
    return done.stdout.split("---\n")[:-1]


def test_terminal(tmp_path: Path) -> None:
    board = tmp_path / "board.json"
    board.write_text('{"name": "mine", "matrix": {}}', "utf-8")
    wrong = {
        "ruls": "Einen Befehl 'ruls' gibt es nicht. Meinst du 'rules'?; siehe 'chronotable --help'",
        "show": "Es fehlt das Argument 'ID'; siehe 'chronotable show --help'",
        "games --limt": "Eine Option --limt gibt es nicht (möglich: --limit); siehe",
        "games --limit": "Die Option '--limit' braucht einen Wert; siehe",
        "games --limit x": "Falscher Wert für '--limit': es muss eine ganze Zahl sein; siehe",
        "games --limit 0": "Falscher Wert für '--limit': es muss mindestens 1 sein; siehe",
        "games more": "Das ist zu viel: more; siehe",
        "boards draw reference --paper x": "Falscher Wert für '--paper': 'x' ist keines von",
        f"verify {tmp_path}": f"{tmp_path}: kann nicht gelesen werden (ist ein Ordner)",
        f"boards check {board}": "mcu: fehlt",
    }
    right = {
        "--help": "Aufruf: chronotable [OPTIONS] | Befehle: rules Gibt die Regeln aus | "
        "-h, --help Diese Hilfe zeigen.",
        "boards draw --help": "[Vorgabe: -] | [nötig]",
        "unlock --status": "0 von 4 Kapiteln freigeschaltet",
        "boards check reference": "in Ordnung, Prüfwert | ein USB-Anschluss gibt 500 her.",
        "try --headless --seed 1 --turns 1 --quiet": "angehalten (1 Zug, | verstanden: 1 sicher",
    }
    all_of_them = {**wrong, **right}
    said = commands_in_german(tmp_path, *all_of_them)
    for (command, parts), lines in zip(all_of_them.items(), said, strict=True):
        told = " ".join(lines.split())
        assert all(part in told for part in parts.split(" | ")), f"{command}: {told}"

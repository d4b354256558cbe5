"""German comes out at the end where the environment names it: of commands, files and the page."""

from __future__ import annotations

import os
import subprocess
import sys


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
from chronotable_host import boards
from chronotable_host.drawings.wiring import wiring_svg
from chronotable_host.engine.seats import parse_seat
from chronotable_host.errors import UserError
from chronotable_host.rulebook import book

print(book.find(["T24"])[0].text)
print(wiring_svg(json.loads(boards.find("reference").read_bytes())))
try:
    parse_seat("nobody")
except UserError as error:
    print(error)
"""


def test_rules_pictures_and_players_are_german() -> None:
    said = german(RULES_AND_PICTURES)
    assert "reist von der Vergangenheit in die Gegenwart" in said
    assert ">VERGANGENHEIT<" in said and "Zeile 0, braun: Vergangenheit" in said
    assert "„nobody“ spielt keine Seite; es gibt level:1 bis level:8" in said

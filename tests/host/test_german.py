"""What programs say where the environment asks for German, at their end, as people see it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def german(home: Path, *commands: str) -> list[str]:
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
    return done.stdout.split("---\n")


def test_terminal(tmp_path: Path) -> None:
    overview, draw, typo, number, folder, status, board, game = (
        " ".join(said.split())
        for said in german(
            tmp_path,
            "--help",
            "boards draw --help",
            "gmes",
            "games --limit 0",
            f"verify {tmp_path}",
            "unlock --status",
            "boards check reference",
            "try --headless --seed 1 --turns 1 --quiet",
        )[:-1]
    )
    assert "Aufruf: chronotable [OPTIONS]" in overview
    assert "Befehle: rules Gibt die Regeln aus" in overview
    assert "-h, --help Diese Hilfe zeigen und aufhören." in overview
    assert "[Vorgabe: -]" in draw
    assert "[nötig]" in draw
    assert typo.startswith("chronotable: Einen Befehl 'gmes' gibt es nicht.")
    assert "Falscher Wert für '--limit': es muss mindestens 1 sein; siehe" in number
    assert folder == f"chronotable: {tmp_path}: kann nicht gelesen werden (ist ein Ordner)"
    assert status == "0 von 4 Kapiteln freigeschaltet"
    assert "in Ordnung, Prüfwert" in board
    assert "ein USB-Anschluss gibt 500 her." in board
    assert game.startswith("angehalten (1 Zug, ")
    assert "Startwert 1) verstanden: 1 sicher" in game

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
    return done.stdout.split("---\n")[:-1]


def test_terminal(tmp_path: Path) -> None:
    board = tmp_path / "board.json"
    board.write_text('{"name": "mine", "matrix": {}}', "utf-8")
    wrong = {
        "gmes": "Einen Befehl 'gmes' gibt es nicht. Meinst du 'games'?; siehe 'chronotable --help'",
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
    said = german(tmp_path, *all_of_them)
    for (command, parts), lines in zip(all_of_them.items(), said, strict=True):
        told = " ".join(lines.split())
        assert all(part in told for part in parts.split(" | ")), f"{command}: {told}"

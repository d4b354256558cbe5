"""What the tests of the archive share: records and commands."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from chronotable_host.archive.files import GameFile
from chronotable_host.cli import run
from chronotable_host.rules.notation import format_turn, parse_turn
from chronotable_host.rules.record import Record, last
from ttykm.game import Game, digest

Output = pytest.CaptureFixture[str]

TURNS = ["1 E F >present", "16 N N >past", "1 S E >future", "16 W W >present"]
WINNER = {0: "1-0", 1: "0-1"}


def played(white: str = "Ada", black: str = "Bob", turns: list[str] | None = None) -> Record:
    """Return a record of a game in progress."""
    record = Record()
    record.headers.update({"White": white, "Black": black, "Date": "2026-11-20"})
    for text in TURNS if turns is None else turns:
        record.add(parse_turn(text))
    return record


def random_record(seed: int, most_turns: int = 1000) -> Record:
    """Return a game of random turns, finished unless it has so many."""
    rng = random.Random(seed)
    record, game = Record(), Game()
    while len(record.turns) < most_turns and (turns := list(game.legal_turns())):
        turn = rng.choice(turns)
        game.apply(turn)
        record.add(turn, rng.choice(["", "0.7 s", "asked {a or b}"]))
    if game.winner() in WINNER:
        record.finish(WINNER[game.winner()], "normal")
    return record


def append(file: GameFile, text: str, comment: str = "") -> None:
    """Add a turn behind the last one of a game's file."""
    before = digest(last(file.record.replay()).state)
    file.append(len(file.record.turns) + 1, before, parse_turn(text), comment)


def ask(database: Path, *statements: str) -> list[Any]:
    """Ask a database of SQLite; return the rows of the last answer."""
    with closing(sqlite3.connect(database)) as connection, connection:
        return [connection.execute(each).fetchall() for each in statements][-1]


def records(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.ttykm"))


def turn_texts(record: Record) -> list[str]:
    return [format_turn(turn) for turn in record.turns]


def told(capsys: Output, *words: str) -> tuple[int, str, str]:
    """Run a command; return its exit status and what it printed."""
    status = run(words)
    out, err = capsys.readouterr()
    return status, out, err

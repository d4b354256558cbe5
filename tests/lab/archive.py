"""How quickly a large archive is counted: `python -m tests.lab.archive [GAMES]`, 5,000 if not said.

Games are random, with times as a table's have them. The index is made first, as it is once; then
each question is asked as a command asks it, by opening the archive anew.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from chronotable_host.archive.store import Archive, GameFilter
from chronotable_host.rules.record import format_record
from chronotable_host.statistics import opening_of, statistics_of
from tests.lab.readers import random_record

GAMES = 5000
_KINDS = 200  # random games; each is stored several times, by other players
_PLAYERS = 50


def fill(folder: Path, count: int, rng: random.Random) -> None:
    """Write so many games into a folder."""
    kinds = [random_record(seed) for seed in range(min(_KINDS, count))]
    for number in range(count):
        record = kinds[number % len(kinds)]
        for name in ("White", "Black"):
            record.headers[name] = f"Player {rng.randrange(_PLAYERS)}"
        record.headers["Date"] = f"2026-{1 + number % 12:02}-20"
        path = folder / f"2026-11-20T1015Z-{number:08x}.ttykm"
        path.write_text(format_record(record), "utf-8")


def measure(count: int) -> dict[str, float]:
    """Return the seconds of each question, by what is asked."""
    questions: dict[str, Callable[[Archive], object]] = {
        "making the index": lambda archive: archive.open(),
        "opening it": lambda archive: archive.open(),
        "statistics of all": lambda archive: statistics_of(archive.facts()).as_dict(),
        "statistics of a player": lambda archive: statistics_of(
            archive.facts("player 7"), "player 7"
        ).as_dict(),
        "openings": lambda archive: opening_of(archive.facts(), 0),
        "by mistakes": lambda archive: archive.games(GameFilter(by_errors=True)),
    }
    found = {}
    with TemporaryDirectory() as name:
        fill(Path(name), count, random.Random(1))
        for what, ask in questions.items():
            began = time.perf_counter()
            with Archive(Path(name)) as archive:
                ask(archive)
            found[what] = time.perf_counter() - began
    return found


if __name__ == "__main__":
    _count = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    for _what, _seconds in measure(_count).items():
        print(f"{_what}: {_seconds:.2f} s")

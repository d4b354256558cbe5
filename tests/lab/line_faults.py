"""Line faults: after the line is good again, host and table have equal games.

Two figures: a session with the cable pulled out at every byte (line_offsets.py), and whole games
while things befall line, PC and table (line_games.py). Both ends are real (line_pair.py); the
archive lies in a folder in memory where there is one, so that an fsync costs nothing. Tests take
the link alone, too (line_link.py).

What goes wrong can be made again, with its name as the figures tell it:
`python -m tests.lab.line_faults "all at once 7"`, `"table > PC 1234"`, `"link: splits 3"`.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from chronotable.wiring import Board
from chronotable_host import boards
from tests.lab import line_link, line_offsets
from tests.lab.figures import Figure, spread
from tests.lab.line_games import play
from tests.lab.line_troubles import ALL, KILLS, SINGLE
from tests.lab.line_truth import Outcome
from tests.lab.people.place import BOARD
from tests.lab.side_by_side import Progress, do_all, unheard

_EVERY = 10  # byte of the session, in a sample
_SAMPLE = 100  # fewer games than that are a sample
_PARTS = 20  # in which the bytes are shared out
_MEMORY = Path("/dev/shm")
_SHOWN = 6
_TALK = "link: "
_COUNTED: Mapping[str, tuple[str, ...]] = {
    "turns": ("turns",),
    "restarts": ("restarts", "restarts in mid-turn"),
    "kills": (KILLS,),
    "gaps_told": ("gaps told",),
    "fetched": ("fetched", "joined"),  # out of the table's journal
    "broken_lines": ("crc_errors", "overlong"),
    "resends": ("resends",),
}


class Job(NamedTuple):
    """A game in which something befalls, or, with a `share`, some of the bytes of the session.

    Of a share the bytes are `seed`, `seed + share`, and so on.
    """

    kind: str
    seed: int
    share: int = 0


def jobs(games: int) -> list[Job]:
    """Return what so many games are: every other one with all faults at once; and the bytes."""
    every = _EVERY if games < _SAMPLE else 1
    shares = [Job("", every * part, _PARTS * every) for part in range(_PARTS)]
    return [*games_of(games), *shares]


def games_of(games: int) -> list[Job]:
    """Return so many games."""
    return [
        Job(ALL if number % 2 else SINGLE[number // 2 % len(SINGLE)], number)
        for number in range(games)
    ]


def run(job: Job) -> list[Outcome]:
    """Do a job, the same each time."""
    with tempfile.TemporaryDirectory(dir=_MEMORY if os.access(_MEMORY, os.W_OK) else None) as name:
        folder, board = Path(name), _board()
        if not job.share:
            return [play(job.kind, job.seed, folder, board)]
        script = line_offsets.record(folder, board)
        return list(line_offsets.tear(folder, board, script, job.share, job.seed))


@cache
def _board() -> Board:
    return boards.read(BOARD)


# ---------------------------------------------------------------- figures


def measure(games: int, report: Progress = unheard) -> list[Figure]:
    """Play so many games, and tear the cable at every byte; with few games, at every tenth."""
    return figures_of(list(chain.from_iterable(do_all(run, jobs(games), report))))


def figures_of(outcomes: Sequence[Outcome]) -> list[Figure]:
    """Tell what it came to."""
    ways = (line_offsets.TO_HOST, line_offsets.TO_TABLE)
    torn = [outcome for outcome in outcomes if outcome.name.startswith(ways)]
    games = [outcome for outcome in outcomes if outcome not in torn]
    return [
        Figure("faults_bytes", _counts("tearings", torn), remark=_listed(torn)),
        Figure("faults_games", _counts("games", games), remark=_listed(games)),
        Figure(
            "faults_settled",
            spread(round(each.counts["settled ms"] / 1000, 2) for each in outcomes),
        ),
        Figure(
            "faults_unread",
            {"max": max((each.counts["unread"] for each in outcomes), default=0)},
        ),
    ]


def _counts(what: str, outcomes: Sequence[Outcome]) -> dict[str, float]:
    found: Counter[str] = Counter()
    for outcome in outcomes:
        found.update(outcome.counts)
    unequal = sum(outcome.problem != "" for outcome in outcomes)
    sums = {name: sum(found[part] for part in parts) for name, parts in _COUNTED.items()}
    counted = {name: count for name, count in sums.items() if count}
    return {what: len(outcomes), "unequal": unequal, **counted}


def _listed(outcomes: Sequence[Outcome]) -> str:
    """Name the first that are not as they should be."""
    bad = [f"{outcome.name}: {outcome.problem}" for outcome in outcomes if outcome.problem]
    return "; ".join(bad[:_SHOWN]) + (f"; and {len(bad) - _SHOWN} more" if bad[_SHOWN:] else "")


def named(name: str) -> Outcome:
    """Make a game, a talk or a tearing again; raises ValueError where it has no such name."""
    kind, _, number = name.rpartition(" ")
    if kind.startswith(_TALK):
        return line_link.play(kind.removeprefix(_TALK), int(number))
    if kind in (ALL, *SINGLE):
        return run(Job(kind, int(number)))[0]
    with tempfile.TemporaryDirectory() as folder:
        script = line_offsets.record(Path(folder), _board())
        return line_offsets.tear_one(Path(folder), _board(), script, (kind, int(number)))


if __name__ == "__main__":
    outcome = named(sys.argv[1])
    print({name: count for name, count in outcome.counts.items() if count})
    sys.exit(f"{outcome.name}: {outcome.problem}" if outcome.problem else 0)

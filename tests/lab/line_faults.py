"""Line faults: after the line is good again, host and table have equal games.

Two figures: a session with the cable pulled out at every byte (line_offsets.py), and whole games
while things befall line, PC and table: the players of the sensing figures, with quick hands, take a
turn back now and then, resign, agree on a draw, or have the PC say so. Both ends are real
(line_pair.py); the archive lies in a folder in memory where there is one, so that an fsync costs
nothing. Tests take the link alone, too (line_link.py).

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
from random import Random
from typing import NamedTuple

from chronotable.hardware.wiring import Board
from chronotable_host.hardware import boards
from tests.lab import line_link, line_offsets
from tests.lab.figures import Figure, spread
from tests.lab.line import REPEATED
from tests.lab.line_pair import WholePair
from tests.lab.line_players import LinePlace, Players
from tests.lab.line_troubles import ALL, KILLS, NONE, REBOOTS, SINGLE, LineTroubles
from tests.lab.line_truth import Outcome
from tests.lab.people.place import BOARD
from tests.lab.side_by_side import Progress, do_all, unheard
from ttykm import layout
from ttykm.layout import NOBODY

_LATE_MS = 20_000  # a PC may be started so late
_SET = 0.5  # of all turns
_MOST_TURNS = 300
_SECOND_GAME = (0, 12)  # turns
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


def play(kind: str, seed: int, folder: Path, board: Board) -> Outcome:
    """Play a game, and most times the beginning of another, while this kind of things happens."""
    rng = Random(f"{kind} {seed}")
    pair = WholePair(folder, board, rng, records_events=seed % 3 == 0)
    place = LinePlace(pair)
    players = Players(place, rng)
    troubles = LineTroubles(pair, kind, rng)

    def course() -> int:
        if kind != NONE and rng.random() < 0.2:
            pair.pc.starts_ms = rng.randint(0, _LATE_MS)
        players.begin(layout.new_state())
        place.befalls = lambda: troubles.step(pair.now_ms / 1000)
        _play(players, troubles, rng, _MOST_TURNS)
        if rng.random() < 0.7:
            if rng.random() < 0.3 and players.game.winner() != NOBODY:
                players.lift_marker_again()
            players.begin_again(by_pc=rng.random() < 0.5)
            _play(players, troubles, rng, rng.randint(*_SECOND_GAME))
        troubles.end()
        took_ms = pair.settle()
        pair.never("violations", "unsupported", "mismatch")
        if kind == NONE:
            pair.never(*REPEATED, "log_lines")
        return took_ms

    outcome = pair.outcome(f"{kind} {seed}", course)
    outcome.counts.update(_figures_of(pair, players, troubles))
    return outcome


def _figures_of(pair: WholePair, players: Players, troubles: LineTroubles) -> Counter[str]:
    found: Counter[str] = Counter()
    truth = pair.table.truth.values()
    found["games"] = len(truth)
    found["turns"] = sum(len(played.turns) for played in truth)
    found["events"] = pair.table.posted
    found["bytes"] = pair.line.to_host.carried + pair.line.to_table.carried
    found["programs"] = pair.pc.programs
    found["gave up"] = pair.pc.gave_up
    found["seconds"] = round(pair.now_ms / 1000)
    found.update(players.did)
    found.update(troubles.counts)
    return found


def _play(players: Players, troubles: LineTroubles, rng: Random, most_turns: int) -> None:
    game = players.game
    turns = 0
    while turns < most_turns and game.winner() == NOBODY:
        turn = rng.choice(list(game.legal_turns()))
        fate = rng.random()
        if fate < 0.06 and game.turns:
            players.rest()
            players.take_back(by_pc=fate < 0.04)
            continue
        if fate < 0.08 and game.turns:
            players.rest()
            players.lift_marker_again()
        elif fate < 0.12 and game.turns and troubles.has(REBOOTS):
            players.restart(turn if fate < 0.1 else None)
        elif fate < 0.125 and turns > 4:
            players.rest()
            if fate < 0.124:
                players.end_early()
            return
        if rng.random() < _SET:
            players.have_pc_set()
        players.take(turn)
        turns += 1
    players.rest()


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


# ---- figures


def measure(games: int, report: Progress = unheard) -> list[Figure]:
    """Play so many games, and tear the cable at every byte; with few games, at every tenth."""
    return figures_of(list(chain.from_iterable(do_all(run, jobs(games), report))))


def figures_of(outcomes: Sequence[Outcome]) -> list[Figure]:
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
            "faults_unread", {"max": max((each.counts["unread"] for each in outcomes), default=0)}
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

"""Line faults: after the line is good again, host and table have equal games.

Two figures: a session with the cable pulled out at every byte, and whole games while things befall
line, PC and table: the players of the sensing figures, with quick hands, take a turn back now and
then, resign, agree on a draw, or have the PC say so. Both ends are real (line_pair.py); the archive
lies in a folder in memory where there is one, so that an fsync costs nothing. Tests take the link
alone, too (line_link.py).

The cable is pulled out at every byte of a session of five turns, and two that were taken back. The
hands play once, on a good line; what they did, and when, is kept. Then the session runs again byte
by byte: wherever a byte would come out of the cable, at either end, a copy of everything but the
board, which never changes, goes another way. There the cable tears in front of that byte and is put
in again 300 ms later, and the rest of the session happens.

What goes wrong can be made again, with its name as the figures tell it:
`python -m tests.lab.line_faults "all at once 7"`, `"table > PC 1234"`, `"link: splits 3"`.
"""

from __future__ import annotations

import copy
import copyreg
import itertools
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import NamedTuple

from chronotable.hardware.wiring import Board
from chronotable_host.hardware import boards
from chronotable_host.pieces import pieces_of
from tests.lab import line_link
from tests.lab.figures import Figure, shown, spread
from tests.lab.hostile.case import expect
from tests.lab.line import REPEATED, Outcome
from tests.lab.line_pair import Script, WholePair
from tests.lab.line_players import LinePlace, Players
from tests.lab.line_troubles import ALL, KILLS, NONE, REBOOTS, SINGLE, LineTroubles
from tests.lab.people.place import BOARD
from tests.lab.side_by_side import Progress, do_all, unheard
from ttykm import layout
from ttykm.layout import NOBODY

TO_HOST, TO_TABLE = "table > PC", "PC > table"

TURNS = 5

_SEED = 1
_TAKEN_BACK = 2  # so many turns have been played then
_TAKEN_BACK_BY_PC = 4
_AWAY_MS = 300
_REST_MS = 1500  # behind what the hands did: a heartbeat is in it

Offset = tuple[str, int]
_LATE_MS = 20_000  # a PC may be started so late
_SET = 0.5  # of all turns
_MOST_TURNS = 300
_SECOND_GAME = (0, 12)  # turns
_EVERY = 10  # byte of the session, in a sample
_SAMPLE = 100  # fewer games than that are a sample
_PARTS = 20  # in which the bytes are shared out
_MEMORY = Path("/dev/shm")
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


copyreg.pickle(memoryview, lambda view: (memoryview, (view.obj,)))  # so that it can be copied


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


# ---- a session with the cable pulled out


def record(folder: Path, board: Board) -> Script:
    """Play the session on a good line; return what the hands did."""
    rng = Random(_SEED)
    pair = WholePair(folder, board, Random(_SEED))
    players = Players(LinePlace(pair), rng)
    players.begin(layout.new_state())
    takes_back = {_TAKEN_BACK: players.take_back, _TAKEN_BACK_BY_PC: players.take_back_by_pc}
    while len(players.game.turns) < TURNS:
        players.take(rng.choice(list(players.game.legal_turns())))
        number = len(players.game.turns)
        if number in takes_back:
            players.rest()
            takes_back.pop(number)()
    players.rest()
    pair.settle()
    pair.pc.kill(0)
    _write_files(folder, {})
    return pair.done


def tear(
    folder: Path, board: Board, script: Script, every: int = 1, first: int = 0
) -> Iterator[Outcome]:
    """Run the session and tear the cable in front of byte `first` and every so many from there.

    The bytes of both ways are counted together, as they come out.
    """
    steps = _steps_of(_begin(folder, board, script))
    number = itertools.count(-first)
    wanted = [[offset for offset in new if next(number) % every == 0] for new in steps]
    return _tear(folder, board, script, wanted)


def tear_one(folder: Path, board: Board, script: Script, wanted: Offset) -> Outcome:
    """Tear the cable at one byte; raises ValueError where there is none."""
    steps = _steps_of(_begin(folder, board, script))
    for torn in _tear(folder, board, script, [[at for at in new if at == wanted] for new in steps]):
        return torn
    raise ValueError("in that session there is no such byte")


def _tear(
    folder: Path, board: Board, script: Script, wanted: list[list[Offset]]
) -> Iterator[Outcome]:
    """Run the session; in each round there are some bytes at which the cable tears."""
    _write_files(folder, {})
    pair = _begin(folder, board, script)
    for offsets in wanted:
        if offsets:
            if pair.pc.process is not None:
                pair.pc.process.mirror.close()  # it opens its file again when it has to write
            files = {path.name: path.read_bytes() for path in folder.iterdir()}
            for offset in offsets:
                yield _torn_at(copy.deepcopy(pair, {id(board): board}), offset)
                _write_files(folder, files)
        pair.step()
    pair.pc.kill(0)


def _begin(folder: Path, board: Board, script: Script) -> WholePair:
    pair = WholePair(folder, board, Random(_SEED))
    pair.table.lies = set(pieces_of(layout.new_state()))
    pair.table.power_on()
    pair.script = list(script)
    return pair


def _steps_of(pair: WholePair) -> list[list[Offset]]:
    """Run the session on a good line; return which bytes come out in each round."""
    steps: list[list[Offset]] = []
    end_ms = pair.script[-1][0] + _REST_MS
    while pair.now_ms < end_ms:
        before = _carried(pair)
        pair.step()
        after = _carried(pair)
        steps.append([(way, at) for way in after for at in range(before[way], after[way])])
    pair.settle()
    pair.never(*REPEATED)
    pair.pc.kill(0)
    return steps


def _carried(pair: WholePair) -> dict[str, int]:
    return {TO_HOST: pair.line.to_host.carried, TO_TABLE: pair.line.to_table.carried}


def _torn_at(pair: WholePair, offset: Offset) -> Outcome:
    """Tear the cable in the next round, and let the rest of the session happen."""
    way, byte = offset
    line = pair.line
    wire = line.to_host if way == TO_HOST else line.to_table
    wire.limit = byte
    line.keeps_stale = byte % 2 == 1

    def course() -> int:
        pair.step()
        expect(wire.is_torn, "the cable does not tear where it did before")
        wire.limit, wire.is_torn = None, False
        pair.replugs_ms = pair.now_ms + _AWAY_MS
        noticed_ms = pair.now_ms + _REST_MS
        while pair.script or pair.now_ms < noticed_ms:
            pair.step()
        took_ms = pair.settle()
        (played,) = pair.table.truth.values()
        expect(len(played.turns) == TURNS, "the hands played another session")
        return took_ms

    return pair.outcome(f"{way} {byte}", course)


def _write_files(folder: Path, files: dict[str, bytes]) -> None:
    """Have these files in a folder, and no others."""
    for path in folder.iterdir():
        if path.name not in files:
            path.unlink()
    for name, data in files.items():
        path = folder / name
        if not path.exists() or path.read_bytes() != data:
            path.write_bytes(data)


# ---- both


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
    with tempfile.TemporaryDirectory(dir=_MEMORY if os.access(_MEMORY, os.W_OK) else None) as name:
        folder, board = Path(name), _board()
        if not job.share:
            return [play(job.kind, job.seed, folder, board)]
        script = record(folder, board)
        return list(tear(folder, board, script, job.share, job.seed))


@cache
def _board() -> Board:
    return boards.read(BOARD)


# ---- figures


def measure(games: int, report: Progress = unheard) -> list[Figure]:
    """Play so many games, and tear the cable at every byte; with few games, at every tenth."""
    return figures_of(list(itertools.chain.from_iterable(do_all(run, jobs(games), report))))


def figures_of(outcomes: Sequence[Outcome]) -> list[Figure]:
    ways = (TO_HOST, TO_TABLE)
    torn = [outcome for outcome in outcomes if outcome.name.startswith(ways)]
    games = [outcome for outcome in outcomes if outcome not in torn]

    def of(name: str) -> list[int]:
        return [outcome.counts[name] for outcome in outcomes]

    return [
        Figure("faults_bytes", _counts("tearings", torn), remark=_listed(torn)),
        Figure("faults_games", _counts("games", games), remark=_listed(games)),
        Figure("faults_settled", spread(round(ms / 1000, 2) for ms in of("settled ms"))),
        Figure("faults_unread", {"max": max(of("unread"), default=0)}),
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
    return shown([f"{each.name}: {each.problem}" for each in outcomes if each.problem])


def named(name: str) -> Outcome:
    """Make a game, a talk or a tearing again; raises ValueError where it has no such name."""
    kind, _, number = name.rpartition(" ")
    if kind.startswith(_TALK):
        return line_link.play(kind.removeprefix(_TALK), int(number))
    if kind in (ALL, *SINGLE):
        return run(Job(kind, int(number)))[0]
    with tempfile.TemporaryDirectory() as folder:
        script = record(Path(folder), _board())
        return tear_one(Path(folder), _board(), script, (kind, int(number)))


if __name__ == "__main__":
    outcome = named(sys.argv[1])
    print({name: count for name, count in outcome.counts.items() if count})
    sys.exit(f"{outcome.name}: {outcome.problem}" if outcome.problem else 0)

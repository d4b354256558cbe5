"""The cable pulled out at every byte of a session: five turns, and two that were taken back.

The hands play once, on a good line; what they did, and when, is kept. Then the session runs again
byte by byte: wherever a byte would come out of the cable, at either end, a copy of everything but
the board, which never changes, goes another way. There the cable tears in front of that byte and
is put in again 300 ms later, and the rest of the session happens.
"""

from __future__ import annotations

import copy
import copyreg
import itertools
from collections.abc import Iterator
from pathlib import Path
from random import Random

from chronotable.hardware.wiring import Board
from chronotable_host.pieces import pieces_of
from tests.lab.line import REPEATED
from tests.lab.line_pair import Script, WholePair
from tests.lab.line_players import LinePlace, Players
from tests.lab.line_truth import Outcome, expect
from ttykm import layout

TO_HOST, TO_TABLE = "table > PC", "PC > table"

TURNS = 5

_SEED = 1
_TAKEN_BACK = 2  # so many turns have been played then
_TAKEN_BACK_BY_PC = 4
_AWAY_MS = 300
_REST_MS = 1500  # behind what the hands did: a heartbeat is in it

Offset = tuple[str, int]

copyreg.pickle(memoryview, lambda view: (memoryview, (view.obj,)))  # so that it can be copied


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

"""The journal in the table's flash, for the fuzzer: damaged files, and units that lie.

A case is what the games' files hold, unit by unit. A unit of six bytes gets the CRC that is due, so
that what it says is looked at; other pieces are put down as they are.
"""

from __future__ import annotations

from functools import cache
from random import Random

from chronotable.journal.journal import Journal
from chronotable.journal.units import UNIT, seal
from chronotable.link.packed import DRAWN, pack_objects, pack_position
from chronotable_host.live.journal_game import JournalGameError, parse_units
from tests.lab.hostile.case import Case, Frame, Step, Target, Unit
from tests.lab.hostile.mutations import mutated_bytes
from tests.lab.hostile.parsers import check_record
from tests.lab.hostile.texts import games, games_with_modules, start_of
from tests.lab.store import BOOT, MemoryStore
from ttykm import objects

_BARE = UNIT - 2  # bytes of a unit without its CRC
_KINDS = (b"g", b"c", b"a", b"x", b"b", b"e", b"p", b"z", b"\0")
_FILE = "file"  # the letter of a frame that names one
_NEW = ".new"
_NUMBER = 1
_MOST_FILES = 3


@cache
def kept_units() -> tuple[tuple[bytes, ...], ...]:
    """Return the units of games as a journal writes them, without their CRCs."""
    found = []
    for number, game in enumerate((*games(), *games_with_modules())):
        store = MemoryStore()
        journal = Journal(store, BOOT)
        start = start_of(game)
        position = pack_position(start)
        things = pack_objects(start, position)
        drawn = DRAWN if objects.convergence(7 + number) == objects.modules_of(start) else 0
        journal.begin(position, number & 1 | drawn, 7 + number, 500, things)
        for turn in game.turns:
            journal.turn(turn, number % 3, 1000)
            if turn & 1:
                journal.taken_back(turn, 1200)
                journal.turn(turn, 0, 1300)
        if number % 2:
            journal.over("w-"[number % 4 // 2], "ra"[number % 4 // 2], 2000)
        (data,) = (store.read(name) for name in store.names())
        found.append(tuple(data[at : at + _BARE] for at in range(0, len(data), UNIT)))
    return tuple(found)


def _make_file(rng: Random) -> Case:
    """Return a file and its pieces, some of them changed."""
    name = f"{_NUMBER:04x}{_NEW}"
    return [Frame(_FILE, name), *make_pieces(rng)]


def make_pieces(rng: Random) -> Case:
    """Return the pieces of a file, some of them changed."""
    pieces: Case = [Unit(unit) for unit in rng.choice(kept_units())]
    for _ in range(rng.choice((0, 1, 1, 2, 5))):
        at = rng.randrange(len(pieces) + 1)
        unit = rng.choice(rng.choice(kept_units()))
        kind = rng.randrange(5)
        if kind == 0:
            unit = rng.choice(_KINDS) + unit[1:]
        elif kind == 1:
            unit = unit[:1] + rng.randbytes(_BARE - 1)
        elif kind == 2:
            unit = mutated_bytes(rng, (unit,))
        elif kind == 3:
            unit = b"e" + bytes(rng.choices(b"wb-nra\0", k=2)) + bytes(3)
        pieces[at : at + rng.choice((0, 1, 1, 3))] = [Unit(unit)]
    return pieces[: rng.choice((len(pieces), len(pieces), rng.randrange(len(pieces) + 1)))]


def make_files(rng: Random) -> Case:
    """Return some files, each a frame with its name, and its pieces behind it."""
    case: Case = []
    for number in range(rng.randint(1, _MOST_FILES)):
        name = rng.choice((f"{number + 1:04x}{_NEW}", f"{number + 1:04x}.old"))
        if rng.random() < 0.05:
            name = rng.choice(
                ("next", "zzzz.new", ".new", "0000.new", "ffff.new", "1.old", "é.old")
            )
        case += [Frame(_FILE, name), *make_pieces(rng)]
    return case


def is_of_flash(step: Step) -> bool:
    return isinstance(step, Unit) or (isinstance(step, Frame) and step.letter == _FILE)


def files_of(case: Case) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    name = ""
    for step in case:
        if isinstance(step, Frame) and step.letter == _FILE:
            name = step.payload
            files[name] = b""
        elif isinstance(step, Unit) and name:
            data = files[name]
            files[name] += _sealed(step.data, number_of(name), len(data) // UNIT)
    return files


def file_of(name: str, pieces: Case) -> bytes:
    return files_of([Frame(_FILE, name), *pieces])[name]


def _sealed(piece: bytes, number: int, index: int) -> bytes:
    return seal(piece[:1], piece[1:], number, index) if len(piece) == _BARE else piece


def _run_units(case: Case) -> None:
    for name, data in files_of(case).items():
        check_record(parse_units(data, number_of(name)).record)


def number_of(name: str) -> int:
    """Return the number of a file's game, some number where it has none."""
    try:
        return int(name[:4], 16)
    except ValueError:
        return _NUMBER


FLASH: tuple[Target, ...] = (
    Target("kept game", _make_file, _run_units, (JournalGameError,), share=4),
)
"""What the PC reads of it; for the table see ends.py."""

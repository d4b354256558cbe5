"""A game as the table's journal has it (journal/journal.py), and how it compares with a record."""

from array import array
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, auto

from chronotable.journal.reader import play_unit, start_game
from chronotable.journal.units import (
    OVER,
    POWER,
    SEATS,
    TAKEN_BACK,
    TURNS,
    UNIT,
    count_begin,
    count_valid,
)
from chronotable.link.packed import DRAWN, OPTIONS
from chronotable_host.archive.comments import UNDERSTOOD, Comments, turn_comment
from chronotable_host.archive.files import GameFile, begins_with
from chronotable_host.chapters import NAMES
from chronotable_host.errors import UserError
from chronotable_host.language import tr
from chronotable_host.live.table_state import passed_ms
from chronotable_host.live.texts.table_texts import own_name
from chronotable_host.rules.notation import PLAYER_NAMES
from chronotable_host.rules.record import DRAW, IN_PROGRESS, RESULTS, Record
from ttykm import objects
from ttykm.game import Game
from ttykm.layout import NOBODY

TERMINATIONS = {"n": "normal", "r": "resigned", "a": "agreed"}
"""What ended a game, as the table says it and as a record says it."""

_TENTH_MS = 100
_WINNERS = {"w": RESULTS[0], "b": RESULTS[1], "-": RESULTS[2]}


class JournalGameError(UserError):
    """The units of a game are not in order, or of rules that are not known here."""


class RecordFit(Enum):
    """How a record in the archive compares with a game of the table's journal."""

    EARLIER = auto()
    """The journal's game was at some time just what the record has."""
    AHEAD = auto()
    """The record has all of the journal's unfinished game, and more."""
    OTHER = auto()
    """Another game, or another course of it."""


@dataclass(frozen=True)
class JournalGame:
    """One game of a table's journal.

    `game_id` is the table's number of it; the game began `began_ms` after power-on number `boot`.
    `how` has one of UNDERSTOOD for each turn, `stages` the turns and the result after each unit of
    the journal, so turns that were taken back later, too.
    """

    game_id: int
    boot: int
    began_ms: int
    record: Record
    how: list[str]
    stages: list[tuple[list[int], str]]

    @property
    def is_over(self) -> bool:
        """Whether it has a result."""
        return self.record.headers["Result"] != RESULTS[3]


def new_record(start: "array[int]", options: int, game_id: int) -> Record:
    """Return the record of a game that begins; `options` and `game_id` as the table sends them.

    Raises ValueError where they are of rules that this program does not know.
    """
    record = Record(start, options & OPTIONS)
    if options & ~(OPTIONS | DRAWN):
        raise ValueError("options that are not known here")
    if options & DRAWN:
        if objects.convergence(game_id) != objects.modules_of(start):
            raise ValueError("other modules than were drawn")
        record.headers[DRAW] = f"{NAMES[-1]} {game_id}"
    return record


def parse_units(data: bytes, number: int, boot: int = 0, clock_ms: int = 0) -> JournalGame:
    """Read the units of game `number`; raises JournalGameError.

    The table's start number `boot` was at `clock_ms` of table time, which goes on at others.
    """
    if count_valid(data, number) * UNIT != len(data) or not data:
        raise JournalGameError(tr("game {number} of the table's journal is damaged", number=number))
    game = Game()
    comments = Comments()
    how: list[str] = []
    stages: list[tuple[list[int], str]] = [([], RESULTS[3])]
    end = RESULTS[3], IN_PROGRESS
    seats = 0
    try:
        fields = start_game(game, data)
        began_ms = int(fields["start"]) * _TENTH_MS
        at_ms = began_ms + (clock_ms if fields["boot"] == boot else 0)
        for at in range(count_begin(data) * UNIT, len(data), UNIT):
            unit = data[at : at + UNIT]
            kind = unit[:1]
            undone = game.turns[-1] if kind == TAKEN_BACK and game.turns else 0
            play_unit(game, unit)
            if kind == POWER and int.from_bytes(unit[1:3], "little") == boot:
                at_ms = clock_ms
            at_ms += int.from_bytes(unit[4:6], "little") * _TENTH_MS
            if kind in TURNS:
                how.append(UNDERSTOOD[TURNS.index(kind)])
                comments.add(turn_comment(at_ms, how[-1]))
            elif kind == TAKEN_BACK:
                how.pop()
                comments.take_back(undone)
                end = RESULTS[3], IN_PROGRESS
            elif kind == OVER:
                end = _WINNERS[chr(unit[1])], TERMINATIONS[chr(unit[2])]
            elif kind == SEATS:
                seats = unit[1]
            won = game.winner()
            stages.append((list(game.turns), end[0] if won == NOBODY else RESULTS[won]))
        if game.winner() != NOBODY:
            end = RESULTS[game.winner()], TERMINATIONS["n"]
        elif end[1] == TERMINATIONS["n"]:
            raise ValueError("nobody has won")
        start = Game()
        start_game(start, data)
        record = new_record(start.state, int(fields["options"]), int(fields["game_id"]))
        record.finish(*end)
        for side, name in enumerate(PLAYER_NAMES):
            if level := seats >> 2 * side & 3:
                record.headers[name] = own_name(level)
    except (ValueError, KeyError) as error:
        raise JournalGameError(
            tr(
                "game {number} of the table's journal is of other rules than are known here; "
                "update chronotable on the PC",
                number=number,
            )
        ) from error
    for turn, comment in zip(game.turns, comments.texts, strict=True):
        record.add(turn, comment)
    return JournalGame(int(fields["game_id"]), int(fields["boot"]), began_ms, record, how, stages)


def compare_record(known: Record, journal_game: JournalGame) -> RecordFit:
    """Compare a record with a game of the journal that has the same source.

    A table can lose the last turns that it sent, or the end, when its power fails: then the record
    is ahead, unless the game in the journal has gone on otherwise. Two tables may even have used
    the same number for two games.
    """
    record = journal_game.record
    if known.start != record.start or known.options != record.options:
        return RecordFit.OTHER
    result = known.headers["Result"]
    if any(
        known.turns == turns and result in (RESULTS[3], by) for turns, by in journal_game.stages
    ):
        return RecordFit.EARLIER
    if not journal_game.is_over and begins_with(known, record):
        return RecordFit.AHEAD
    return RecordFit.OTHER


def update_file(file: GameFile, journal_game: JournalGame) -> None:
    """Bring a record file that has an earlier stage of a game up to what the journal has.

    Comments that the file has stay as they are, for they were written at the very moment, unless
    the journal tells more of a turn. Raises OutOfStepError and OSError.
    """
    known, record = file.record, journal_game.record
    size = len(known.turns)
    if known.turns == record.turns[:size]:
        record.comments[:size] = map(_comment, known.comments, record.comments)
    file.become(record)


def _comment(known: str, of_journal: str) -> str:
    """Return the known comment if it says all that the journal's does, be it at another time.

    Else the journal's, with what only a PC knows, as the clocks.
    """
    said, told = (
        [part.rpartition(" s, ")[2] for part in it.split("; ")] for it in (known, of_journal)
    )
    if {*told} <= {*said}:
        return known
    return "; ".join([of_journal, *(part for part in known.split("; ") if part[:2] == "[%")])


def start_date(journal_game: JournalGame, boot: int, now_ms: int) -> str:
    """Return the day on which a game began, as a record has it; `????-??-??` where nobody knows.

    A table knows no date, only the ms since its power-on (`now_ms` since number `boot`), so only
    the games since then have a day.
    """
    if journal_game.boot != boot:
        return "????-??-??"
    moment = datetime.now() - timedelta(milliseconds=passed_ms(journal_game.began_ms, now_ms))
    return moment.strftime("%Y-%m-%d")

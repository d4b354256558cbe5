"""`games`, `show`, `replay`, `export` and `import`: the archive."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from chronotable_host import chapters, packages
from chronotable_host.archive.comments import LeftOut, count_understood, lacking
from chronotable_host.archive.nights import GameRecord
from chronotable_host.archive.nights import format_record as format_night
from chronotable_host.archive.parsing import each_record
from chronotable_host.archive.store import Archive, GameFilter
from chronotable_host.commands.common import sharing
from chronotable_host.commands.common.options import ArchiveFolder, DatabaseUrl, Json, PlayerName
from chronotable_host.commands.common.terminal import (
    STATUS_NO,
    Busy,
    console,
    print_json,
    read_text,
    write_to,
)
from chronotable_host.errors import UserError, printable
from chronotable_host.game_choice import STANDARD
from chronotable_host.language import tr, tr_c, tr_n
from chronotable_host.language.names import PLAYERS_WITHIN, TERMINATIONS, UNDERSTOOD
from chronotable_host.output import say
from chronotable_host.rules.annotations import ANNOTATOR
from chronotable_host.rules.board_drawing import can_draw_lines, draw
from chronotable_host.rules.notation import format_position, format_turn, parse_position
from chronotable_host.rules.record import IN_PROGRESS, RESULTS, Record, format_record
from ttykm.game import winner
from ttykm.layout import NOBODY
from ttykm.objects import modules_of

if TYPE_CHECKING:
    from chronotable_host.archive.index import Entry
    from chronotable_host.archive.parsing import ParsedRecord, Progress

app = typer.Typer()

GameArgument = Annotated[
    str,
    typer.Argument(metavar="ID", help="A game's id or the beginning of it, a file name, or last."),
]
TurnNumber = Annotated[
    int | None, typer.Option("--turn", min=0, metavar="N", help="A turn's number; 0 is the start.")
]

ResultText = Annotated[
    str | None, typer.Option(metavar="RESULT", help="Only 1-0 (white won), 0-1, 1/2-1/2 or *.")
]
Limit = Annotated[int | None, typer.Option(min=1, metavar="N", help="Only the newest N.")]

_WINS = (tr("which wins for white"), tr("which wins for black"))
_COLUMNS = (
    tr("id"),
    tr("date"),
    *PLAYERS_WITHIN,
    tr("result"),
    tr("turns"),
    tr_c("of a game", "end"),
)
_MIXED_COLUMNS = (
    tr("id"),
    tr("date"),
    tr_c("what is played", "game"),
    tr_c("of a game, several", "players"),
    tr("result"),
    tr("turns"),
    tr_c("of a game", "end"),
)


@contextmanager
def _open_archive(folder: Path | None, url: str | None, typed: str = "") -> "Iterator[Archive]":
    """Open the archive; what cannot be read says nothing of a locked chapter but what was typed."""
    with (
        chapters.discretion(typed),
        Busy(tr("reading the archive")) as busy,
        Archive(folder, url, busy.report) as archive,
    ):
        yield archive


@app.command()
def games(
    player: PlayerName = None,
    result: ResultText = None,
    limit: Limit = None,
    mistakes: Annotated[
        bool,
        typer.Option(
            "--mistakes",
            help="Only those that were analysed, the ones with the most mistakes first.",
        ),
    ] = False,
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Read all files anew, whatever the index says.")
    ] = False,
    folder: ArchiveFolder = None,
    url: DatabaseUrl = None,
    as_json: Json = False,
) -> None:
    """List the games, the newest first, with those of games nights."""
    _check_result(result)
    with _open_archive(folder, url) as archive:
        if rebuild:
            archive.rebuild()
            good, bad = archive.count(GameFilter(with_nights=True)), archive.count_problems()
            told = tr_n(
                "read {folder} anew: {n} game",
                "read {folder} anew: {n} games",
                good,
                folder=archive.folder,
            )
            say(told + (tr(", {bad} that cannot be read", bad=bad) if bad else ""))
        wanted = GameFilter(player, result, by_errors=mistakes, with_nights=True)
        found = archive.games(wanted, limit)
        _say_problems(archive)
        where = archive.folder
    names = [_module_names(entry) for entry in found]
    if as_json:
        print_json([_as_dict(*pair) for pair in zip(found, names, strict=True)])
        return
    if not found:
        say(
            tr("no such games in {where}", where=where)
            if player or result
            else tr("no games in {where} yet", where=where)
        )
        return
    if any(entry.night for entry in found):
        _print_table([_MIXED_COLUMNS, *map(_mixed_row, found, names)])
        return
    rows: list[tuple[str, ...]] = [_COLUMNS]
    rows += [
        (
            printable(entry.id),
            printable(entry.date),
            printable(entry.white),
            printable(entry.black),
            entry.result,
            str(entry.turns),
            _end(entry),
        )
        for entry in found
    ]
    if mistakes:
        counts = (tr("mistakes"), *(f"{each.white_errors} {each.black_errors}" for each in found))
        rows = [(*row, count) for row, count in zip(rows, counts, strict=True)]
    if {*names} - {None, STANDARD}:
        rows = [
            (*row, name or "?")
            for row, name in zip(rows, (tr_c("what is played", "game"), *names), strict=True)
        ]
    _print_table(rows)


@app.command()
def show(
    game: GameArgument,
    turn: TurnNumber = None,
    folder: ArchiveFolder = None,
    url: DatabaseUrl = None,
    as_json: Json = False,
) -> None:
    """Show a game: headers, boards and turns.

    The boards are those after the last turn, or after the one that is asked for.
    """
    found = _read(game, folder, url)
    if isinstance(found.record, GameRecord):
        packages.nights_told().show(found.record, found.entry, found.where, turn, as_json)
        return
    record, entry = found.record, found.entry
    positions = _positions(record)
    at = _turn_number(turn, record, len(record.turns))
    understood = count_understood(record)
    if as_json:
        print_json(
            {
                "id": entry.id,
                "file": entry.file,
                "headers": record.headers,
                "turn": at,
                "position": positions[at],
                "understood": understood,
                "starting_comment": record.starting_comment,
                "turns": [
                    {
                        "turn": format_turn(packed),
                        "comment": record.comments[index],
                        "position": positions[index + 1],
                    }
                    for index, packed in enumerate(record.turns)
                ],
            }
        )
        return
    for header, value in record.headers.items():
        print(f"{printable(header):<12} {printable(value)}")
    print()
    _draw(record, at, positions[at])
    print()
    if record.starting_comment:
        print(f"{{{printable(record.starting_comment)}}}")
    for index, packed in enumerate(record.turns, 1):
        mark = ">" if index == at and turn is not None else " "
        comment = (
            f"  {{{printable(record.comments[index - 1])}}}" if record.comments[index - 1] else ""
        )
        print(f"{mark}{index:3}. {format_turn(packed)}{comment}")
    if not record.turns:
        print(tr("no turn was taken yet"))
    if understood:
        counts = ", ".join(f"{UNDERSTOOD[how]} {count}" for how, count in understood.items())
        print("\n" + tr("understood: {counts}", counts=counts))


@app.command()
def replay(
    game: GameArgument,
    turn: TurnNumber = None,
    folder: ArchiveFolder = None,
    url: DatabaseUrl = None,
    as_json: Json = False,
) -> None:
    """Step through a game, from a turn on.

    Where no terminal is attached, all its positions are printed, one per line.
    """
    found = _read(game, folder, url)
    if isinstance(found.record, GameRecord):
        packages.nights_told().replay(found.record, found.where, turn, as_json)
        return
    record = found.record
    positions = _positions(record)
    at = _turn_number(turn, record, 0)
    names = ["", *(format_turn(packed) for packed in record.turns)]
    if as_json:
        print_json(
            [
                {"number": n, "turn": names[n] if n else None, "position": positions[n]}
                for n in range(at, len(names))
            ]
        )
    elif sys.stdin.isatty() and sys.stdout.isatty():
        _step_through(record, positions, at)
    else:
        start = tr_c("of a game", "start")
        for number in range(at, len(names)):
            print(f"{number}. {names[number] or start}  {positions[number]}")


@app.command()
def export(
    ids: Annotated[
        list[str] | None, typer.Argument(metavar="ID...", help="Games, as `show` takes them.")
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="All games, or those that are asked for below.")
    ] = False,
    player: PlayerName = None,
    result: ResultText = None,
    limit: Limit = None,
    to: Annotated[
        str, typer.Option(metavar="FILE", help="Where to write the text; - is stdout.")
    ] = "-",
    turn: TurnNumber = None,
    moving: Annotated[
        bool, typer.Option("--moving", help="A picture of the turn, not only of what it led to.")
    ] = False,
    folder: ArchiveFolder = None,
    url: DatabaseUrl = None,
) -> int:
    """Write games as records, or one of them to be shared.

    Several records stand one behind the other, as import takes them; with --all the oldest first.
    The exit status is 1 where --all had to leave out what cannot be read. A FILE that ends in .html
    is a replay that opens in any browser, one in .svg a picture of the position after --turn or at
    the end, one in .txt the boards and the turns so far as text; games of a night have none of
    these.
    """
    _check_result(result)
    if sharing.is_meant(to, turn, moving):
        name = sharing.only_one(ids or [], to, everything)
        with _open_archive(folder, url, name) as archive:
            entry = archive.get(name, with_nights=True)
            if entry.night:
                raise UserError(sharing.no_night(to))
            reading = _read_whole(archive, entry)
            at = _turn_number(turn, reading.record, len(reading.record.turns))
            write_to(to, [sharing.shared_text(reading, to, at, moving)])
        say(tr("wrote {to}", to=to))
        if lost := sharing.left_out_note(reading.record, to):
            say(lost)
        return 0
    if bool(ids) == everything:
        raise UserError(tr("what is to be exported? name the games, or write --all"))
    if ids and (player or result or limit):
        raise UserError(tr("--player, --result and --limit go with --all"))
    with _open_archive(folder, url, " ".join(ids or ())) as archive:
        left_out = 0
        if everything:
            wanted = GameFilter(player, result, with_nights=True)
            found = archive.games(wanted, limit)[::-1]
            left_out = _say_problems(archive) + _say_locked(archive, found)
            found = [entry for entry in found if _module_names(entry) is not None]
        else:
            found = [archive.get(name, with_nights=True) for name in ids or ()]
        texts = (_as_text(_record_of(archive, entry)) for entry in found)
        pieces = (text if at == 0 else "\n" + text for at, text in enumerate(texts))
        write_to(to, pieces)
    if to != "-":
        say(tr_n("wrote {n} game to {to}", "wrote {n} games to {to}", len(found), to=to))
    return STATUS_NO if left_out else 0


@app.command("import")
def import_(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE...", help="Files with records; - for stdin.")
    ],
    folder: ArchiveFolder = None,
    url: DatabaseUrl = None,
    as_json: Json = False,
) -> None:
    """Take games into the archive.

    All of them, or none where a file is not in order. A game that is there already is skipped.
    """
    sources: list[tuple[str, int]] = []
    more: dict[int, Record] = {}  # those with what another record of the same game may lack

    def records(progress: "Progress") -> Iterator[Record | GameRecord]:
        for file in files:
            text = read_text(file)
            with chapters.discretion(text):
                for number, record in enumerate(each_record(text, file, progress), 1):
                    if isinstance(record, Record):
                        chapters.require(modules_of(record.start), record.options)
                        if record.variations or ANNOTATOR in record.headers:
                            more[len(sources)] = record
                    sources.append((file, number))
                    yield record

    report: list[dict[str, Any]] = []
    with Busy(tr("checking")) as busy, Archive(folder, url, busy.report) as archive:
        archive.open()  # what is wrong with a database is said before thousands are read
        stored = archive.store(records(busy.report))
        where = archive.folder
        lost = LeftOut()
        for at, record in more.items():
            if stored[at].is_duplicate:
                kept = archive.read(archive.get(stored[at].id)).record
                lost = lost.plus(lacking(record, kept))
    if any(lost):
        say(
            tr(
                "left out with skipped games: {what}; a game that is there already stays as it is",
                what=lost,
            )
        )
    for (file, number), game in zip(sources, stored, strict=True):
        report.append({"file": file, "game": number, "id": game.id, "duplicate": game.is_duplicate})
        if game.is_duplicate and not as_json:
            print(
                tr(
                    "{file}, game {number}: is there already as {id}; skipped",
                    file=printable(file),
                    number=number,
                    id=game.id,
                )
            )
    if as_json:
        print_json(report)
        return
    duplicates = sum(game.is_duplicate for game in stored)
    print(
        tr(
            "imported {count} into {where}, skipped {skipped}",
            count=len(stored) - duplicates,
            where=printable(str(where)),
            skipped=duplicates,
        )
    )


def _mixed_row(entry: "Entry", modules: str | None) -> tuple[str, ...]:
    """Return a game of any kind as a row below `_MIXED_COLUMNS`."""
    return (
        printable(entry.id),
        printable(entry.date),
        entry.game if entry.night else modules or "?",
        ", ".join(map(printable, entry.players)),
        _won_by(entry) if entry.night else entry.result,
        str(entry.turns),
        _end(entry),
    )


def _won_by(entry: "Entry") -> str:
    if not entry.winners:
        return tr("won by nobody")
    return tr("won by {names}", names=", ".join(entry.winners))


def _print_table(rows: "Sequence[Sequence[str]]") -> None:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        print(
            "  ".join(f"{text:{width}}" for text, width in zip(row, widths, strict=True)).rstrip()
        )


class _ArchivedGame(NamedTuple):
    """A game of the archive, and what people are told of where it is."""

    entry: "Entry"
    record: Record | GameRecord
    where: str


def _read(wanted: str, folder: Path | None, url: str | None) -> _ArchivedGame:
    """Return a game of the archive; what was mended is said."""
    with _open_archive(folder, url, wanted) as archive:
        entry = archive.get(wanted, with_nights=True)
        return _ArchivedGame(entry, _record_of(archive, entry), archive.where(entry))


def _record_of(archive: Archive, entry: "Entry") -> Record | GameRecord:
    """Return a game of the archive; what was mended is said. Raises LockedError."""
    return archive.read_night(entry) if entry.night else _read_whole(archive, entry).record


def _as_text(record: Record | GameRecord) -> str:
    """Return a record as text."""
    return format_night(record) if isinstance(record, GameRecord) else format_record(record)


def _read_whole(archive: Archive, entry: "Entry") -> "ParsedRecord":
    """Return a game of the archive with its positions, as `_record_of` does without."""
    reading = archive.read(entry)
    chapters.require(modules_of(reading.record.start), reading.record.options)
    if reading.note:
        say(f"{archive.where(entry)}: {reading.note}")
    return reading


def _say_problems(archive: Archive) -> int:
    """Say which files cannot be read, and return how many."""
    problems = archive.problems()
    for problem in problems:
        why = chapters.discreet(problem.problem)
        say(tr("{where}: cannot be read: {why}", where=archive.where(problem), why=printable(why)))
    return len(problems)


def _say_locked(archive: Archive, entries: "Iterable[Entry]") -> int:
    """Say which games need a chapter that is locked here, and return how many."""
    locked = [entry for entry in entries if _module_names(entry) is None]
    for entry in locked:
        say(f"{archive.where(entry)}: {chapters.LOCKED}")
    return len(locked)


def _module_names(entry: "Entry") -> str | None:
    """Return the modules of a game, None where they are locked here; "" of one of a night."""
    if entry.night:
        return ""
    return chapters.told_modules(entry.modules, entry.start, entry.options)


def _as_dict(entry: "Entry", modules: str | None) -> dict[str, Any]:
    """Return what there is to report of a game; of a locked one nothing that tells its rules."""
    if entry.night:
        return entry.as_dict()
    told = dict.fromkeys(("modules", "options", "start")) if modules is None else {}
    return {**entry.as_dict(), "termination": _termination(entry), **told}


def _termination(entry: "Entry") -> str:
    """Return how a game ended; an index that was made before may call one in progress otherwise."""
    return IN_PROGRESS if entry.result == RESULTS[3] else entry.termination


def _end(entry: "Entry") -> str:
    """Return how a game ended and came here, for people."""
    end = _termination(entry)
    told = TERMINATIONS.get(end, end)  # a stranger's file may say anything
    return tr("{end}, imported", end=told) if entry.imported else told


def _check_result(result: str | None) -> None:
    if result is not None and result not in RESULTS:
        raise UserError(
            tr(
                "--result {result}: a result is one of {listed}",
                result=result,
                listed=" ".join(RESULTS),
            )
        )


def _positions(record: Record) -> list[str]:
    """Return the positions of a game, from the start on."""
    return [format_position(game.state) for game in record.replay()]


def _turn_number(wanted: int | None, record: Record, otherwise: int) -> int:
    if wanted is None:
        return otherwise
    if wanted > len(record.turns):
        raise UserError(
            tr_n(
                "--turn {wanted}: the game has {n} turns",
                "--turn {wanted}: the game has {n} turns",
                len(record.turns),
                wanted=wanted,
            )
        )
    return wanted


def _draw(record: Record, at: int, position: str) -> None:
    """Draw the position after turn `at`, under a line that says what it is."""
    state = parse_position(position)
    title = (
        tr("after turn {at}: {turn}", at=at, turn=format_turn(record.turns[at - 1]))
        if at
        else tr("at the start")
    )
    won = winner(state) if at else NOBODY
    if won != NOBODY:
        title += f", {_WINS[won]}"
    print(f" {title}\n")
    sys.stdout.flush()
    console().print(draw(state, unicode=can_draw_lines(sys.stdout.encoding)))


def _step_through(record: Record, positions: list[str], at: int) -> None:
    while True:
        print()
        _draw(record, at, positions[at])
        said = record.comments[at - 1] if at else record.starting_comment
        if said:
            print(f" {{{printable(said)}}}")
        try:
            typed = input(
                tr(
                    "\n turn {at} of {count} - Enter on, b back, N, q > ",
                    at=at,
                    count=len(record.turns),
                )
            )
        except EOFError:
            print()
            return
        word = typed.strip().lower()
        if word in ("q", "quit") or (not word and at == len(record.turns)):
            return
        if not word:
            at += 1
        elif word in ("b", "back"):
            at = max(at - 1, 0)
        elif word.isascii() and word.isdigit() and len(word) < 6:
            at = min(int(word), len(record.turns))

"""`games`, `show`, `replay`, `export` and `import`: the archive."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from chronotable_host.commands.shared import (
    ArchiveFolder,
    Busy,
    Json,
    console,
    print_json,
    read_text,
    say,
)
from chronotable_host.errors import UserError, printable
from ttykm.layout import NOBODY
from ttykm.notation import PLAYERS, format_position, format_turn
from ttykm.record import RESULTS, Record

if TYPE_CHECKING:
    from chronotable_host.archive.store import Archive

app = typer.Typer()

GameArgument = Annotated[
    str,
    typer.Argument(metavar="ID", help="A game's id or the beginning of it, a file name, or last."),
]
TurnNumber = Annotated[
    int | None, typer.Option("--turn", min=0, metavar="N", help="A turn's number; 0 is the start.")
]


@contextmanager
def _opened(folder: Path | None) -> "Iterator[Archive]":
    from chronotable_host.archive.store import Archive  # noqa: PLC0415

    with Busy("reading the archive") as busy, Archive(folder, progress=busy.report) as archive:
        yield archive


@app.command()
def games(
    player: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only games of a player; a part will do.")
    ] = None,
    result: Annotated[
        str | None, typer.Option(metavar="RESULT", help="Only 1-0 (white won), 0-1, 1/2-1/2 or *.")
    ] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Only the newest N.")
    ] = None,
    folder: ArchiveFolder = None,
    as_json: Json = False,
) -> None:
    """List the games, the newest first."""
    if result is not None and result not in RESULTS:
        raise UserError(f"--result {result}: a result is one of {' '.join(RESULTS)}")
    with _opened(folder) as archive:
        found = archive.games(player, result, limit)
        problems = archive.problems()
        where = archive.folder
    for problem in problems:
        say(f"{where / problem.file}: cannot be read: {printable(problem.problem)}")
    if as_json:
        print_json([entry.as_dict() for entry in found])
        return
    if not found:
        say(f"no such games in {where}" if player or result else f"no games in {where} yet")
        return
    rows = [("id", "date", "white", "black", "result", "turns", "end")]
    rows += [
        (
            entry.id,
            entry.date,
            entry.white,
            entry.black,
            entry.result,
            str(entry.turns),
            ("in progress" if entry.termination == "abandoned" else entry.termination)
            + (", imported" if entry.imported else ""),
        )
        for entry in found
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        print(
            "  ".join(f"{text:{width}}" for text, width in zip(row, widths, strict=True)).rstrip()
        )


@app.command()
def show(
    game: GameArgument,
    turn: TurnNumber = None,
    folder: ArchiveFolder = None,
    as_json: Json = False,
) -> None:
    """Show a game: headers, boards and turns.

    The boards are those after the last turn, or after the one that is asked for.
    """
    from chronotable_host.archive.files import count_understood  # noqa: PLC0415

    record, name = _read(game, folder)
    positions = _positions(record)
    at = _turn_number(turn, record, len(record.turns))
    understood = count_understood(record)
    if as_json:
        print_json(
            {
                "id": name[0],
                "file": name[1],
                "headers": record.headers,
                "turn": at,
                "position": positions[at],
                "understood": understood,
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
        print(f"{header:<12} {printable(value)}")
    print()
    _draw(record, at, positions[at])
    print()
    for index, packed in enumerate(record.turns, 1):
        mark = ">" if index == at and turn is not None else " "
        comment = (
            f"  {{{printable(record.comments[index - 1])}}}" if record.comments[index - 1] else ""
        )
        print(f"{mark}{index:3}. {format_turn(packed)}{comment}")
    if not record.turns:
        print("no turn was taken yet")
    if understood:
        counts = ", ".join(f"{how} {count}" for how, count in understood.items())
        print(f"\nunderstood: {counts}")


@app.command()
def replay(
    game: GameArgument,
    turn: TurnNumber = None,
    folder: ArchiveFolder = None,
    as_json: Json = False,
) -> None:
    """Step through a game, from a turn on.

    Where no terminal is attached, all its positions are printed, one per line.
    """
    record, _ = _read(game, folder)
    positions = _positions(record)
    at = _turn_number(turn, record, 0)
    names = ["start", *(format_turn(packed) for packed in record.turns)]
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
        for number in range(at, len(names)):
            print(f"{number}. {names[number]}  {positions[number]}")


@app.command()
def export(
    ids: Annotated[list[str], typer.Argument(metavar="ID...", help="Games, as `show` takes them.")],
    to: Annotated[
        str, typer.Option(metavar="FILE", help="Where to write the text; - is stdout.")
    ] = "-",
    folder: ArchiveFolder = None,
) -> None:
    """Write games as records.

    Several stand one behind the other, as import takes them.
    """
    with _opened(folder) as archive:
        texts = [archive.export(archive.get(name)) for name in ids]
    text = "\n".join(texts)
    if to == "-":
        sys.stdout.write(text)
        return
    from chronotable_host.archive.files import write_whole  # noqa: PLC0415

    try:
        write_whole(Path(to), text)
    except OSError as error:
        raise UserError(f"{to}: cannot be written ({error.strerror})") from error
    say(f"wrote {len(texts)} {'game' if len(texts) == 1 else 'games'} to {to}")


@app.command("import")
def import_(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE...", help="Files with records; - for stdin.")
    ],
    folder: ArchiveFolder = None,
    as_json: Json = False,
) -> None:
    """Take games into the archive.

    All of them, or none where a file is not in order. A game that is there already is skipped.
    """
    from chronotable_host.archive.files import parse_records  # noqa: PLC0415

    with Busy("checking", len(files)) as busy:
        read = []
        for number, file in enumerate(files):
            busy.report(number)
            read.append((file, parse_records(read_text(file), file)))
    report: list[dict[str, Any]] = []
    with _opened(folder) as archive:
        sources = [(file, number) for file, found in read for number in range(1, len(found) + 1)]
        stored = archive.store([record for _, found in read for record in found])
        where = archive.folder
    for (file, number), game in zip(sources, stored, strict=True):
        report.append({"file": file, "game": number, "id": game.id, "duplicate": game.is_duplicate})
        if game.is_duplicate and not as_json:
            print(f"{file}, game {number}: is there already as {game.id}; skipped")
    if as_json:
        print_json(report)
        return
    duplicates = sum(game.is_duplicate for game in stored)
    print(f"imported {len(stored) - duplicates} into {where}, skipped {duplicates}")


def _read(wanted: str, folder: Path | None) -> tuple[Record, tuple[str, str]]:
    """Return a game of the archive, its id and its file's name; what was mended is said."""
    with _opened(folder) as archive:
        entry = archive.get(wanted)
        reading = archive.read(entry)
        if reading.note:
            say(f"{archive.path(entry)}: {reading.note}")
    return reading.record, (entry.id, entry.file)


def _positions(record: Record) -> list[str]:
    """Return the positions of a game, from the start on."""
    return [format_position(game.state) for game in record.replay()]


def _turn_number(wanted: int | None, record: Record, otherwise: int) -> int:
    if wanted is None:
        return otherwise
    if wanted > len(record.turns):
        raise UserError(f"--turn {wanted}: the game has {len(record.turns)} turns")
    return wanted


def _draw(record: Record, at: int, position: str) -> None:
    """Draw the position after turn `at`, under a line that says what it is."""
    from chronotable_host.text import can_draw_lines, draw  # noqa: PLC0415
    from ttykm.game import winner  # noqa: PLC0415
    from ttykm.notation import parse_position  # noqa: PLC0415

    state = parse_position(position)
    title = f"after turn {at}: {format_turn(record.turns[at - 1])}" if at else "at the start"
    won = winner(state) if at else NOBODY
    if won != NOBODY:
        title += f", which wins for {PLAYERS[won]}"
    print(f" {title}\n")
    sys.stdout.flush()
    console().print(draw(state, unicode=can_draw_lines(sys.stdout.encoding)))


def _step_through(record: Record, positions: list[str], at: int) -> None:
    while True:
        print()
        _draw(record, at, positions[at])
        if at and record.comments[at - 1]:
            print(f" {{{printable(record.comments[at - 1])}}}")
        try:
            words = input(f"\n turn {at} of {len(record.turns)} - Enter on, b back, N, q > ")
        except EOFError:
            print()
            return
        word = words.strip().lower()
        if word in ("q", "quit") or (not word and at == len(record.turns)):
            return
        if not word:
            at += 1
        elif word in ("b", "back"):
            at = max(at - 1, 0)
        elif word.isascii() and word.isdigit() and len(word) < 6:
            at = min(int(word), len(record.turns))

"""`club tournament`: tournaments of a club, led from a terminal."""

from __future__ import annotations

from typing import Annotated

import typer

from chronotable_club.commands.where import DatabaseUrl, Folder
from chronotable_host.commands.shared import Json

tournament_app = typer.Typer(
    name="tournament",
    no_args_is_help=True,
    help="The tournaments of a club: players, pairings, results, standings.",
)

Which = Annotated[
    str | None,
    typer.Option("--in", metavar="ID", help="Which tournament; else the one that was made last."),
]
Reason = Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; it is kept.")]
Round = Annotated[
    int | None, typer.Option("--round", metavar="N", help="Which round; else the last.")
]
PlayerName = Annotated[str, typer.Argument(metavar="PLAYER", help="A player's name or number.")]


@tournament_app.command(name="new")
def new_(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What the tournament is called.")],
    rounds: Annotated[int, typer.Option("--rounds", metavar="N", help="Rounds of a Swiss.")] = 7,
    system: Annotated[
        str,
        typer.Option("--system", metavar="NAME", help="swiss, round-robin or double-round-robin."),
    ] = "swiss",
    bye: Annotated[
        str, typer.Option("--bye", metavar="POINTS", help="What a bye gives: 1, 0.5 or 0.")
    ] = "1",
    black_first: Annotated[
        bool, typer.Option("--black-first", help="The lot gave black to who is ranked first.")
    ] = False,
    folder: Folder = None,
    db: DatabaseUrl = None,
    as_json: Json = False,
) -> int:
    """Begin a tournament."""
    from chronotable_club.commands import tournament_work as work  # noqa: PLC0415

    return work.new(work.Where(folder, db, None, as_json), name, system, rounds, bye, black_first)


@tournament_app.command(name="list")
def list_(folder: Folder = None, db: DatabaseUrl = None, as_json: Json = False) -> int:
    """List the tournaments, the latest first."""
    from chronotable_club.commands import tournament_work as work  # noqa: PLC0415

    return work.list_all(work.Where(folder, db, None, as_json))


@tournament_app.command(name="add")
def add_(
    players: Annotated[
        list[str],
        typer.Argument(metavar="PLAYER...", help='Names, with a rating as in "Ada (1600)".'),
    ],
    which: Which = None,
    folder: Folder = None,
    db: DatabaseUrl = None,
    as_json: Json = False,
) -> int:
    """Add players."""
    from chronotable_club.commands import tournament_work as work  # noqa: PLC0415

    return work.add(work.Where(folder, db, which, as_json), players)


@tournament_app.command()
def withdraw(
    player: PlayerName,
    which: Which = None,
    folder: Folder = None,
    db: DatabaseUrl = None,
    as_json: Json = False,
) -> int:
    """Pair a player no more."""
    from chronotable_club.commands import tournament_work as work  # noqa: PLC0415

    return work.withdraw(work.Where(folder, db, which, as_json), player)


@tournament_app.command(name="return")
def return_(
    player: PlayerName,
    which: Which = None,
    folder: Folder = None,
    db: DatabaseUrl = None,
    as_json: Json = False,
) -> int:
    """Pair a player again who had left."""
    from chronotable_club.commands import tournament_work as work  # noqa: PLC0415

    return work.come_back(work.Where(folder, db, which, as_json), player)


@tournament_app.command()
def bye(
    player: PlayerName,
    round_number: Annotated[int, typer.Option("--round", metavar="N", help="Which round.")],
    half: Annotated[bool, typer.Option("--half", help="It gives half a point.")] = False,
    which: Which = None,
    folder: Folder = None,
    db: DatabaseUrl = None,
    as_json: Json = False,
) -> int:
    """Leave a player out of a round to come, who asked for it."""
    from chronotable_club.commands import tournament_work as work  # noqa: PLC0415

    return work.bye(work.Where(folder, db, which, as_json), player, round_number, half)


@tournament_app.command()
def pair(
    by_hand: Annotated[
        list[str] | None,
        typer.Option(
            "--by-hand",
            metavar='"WHITE - BLACK"',
            help="A pair of the director's; give it for each pair, and --reason.",
        ),
    ] = None,
    reason: Reason = "",
    starts: Annotated[bool, typer.Option("--start", help="Begin the round at once.")] = False,
    which: Which = None,
    folder: Folder = None,
    db: DatabaseUrl = None,
    as_json: Json = False,
) -> int:
    """Pair the next round, and close the one before, which needs all its results."""
    from chronotable_club.commands import tournament_work as work  # noqa: PLC0415

    return work.pair(work.Where(folder, db, which, as_json), by_hand or [], reason, starts)


@tournament_app.command()
def unpair(
    reason: Reason = "",
    which: Which = None,
    folder: Folder = None,
    db: DatabaseUrl = None,
    as_json: Json = False,
) -> int:
    """Take a pairing back that has no results yet."""
    from chronotable_club.commands import tournament_work as work  # noqa: PLC0415

    return work.unpair(work.Where(folder, db, which, as_json), reason)


@tournament_app.command()
def start(
    which: Which = None, folder: Folder = None, db: DatabaseUrl = None, as_json: Json = False
) -> int:
    """Begin the round: tables are told who sits there."""
    from chronotable_club.commands import tournament_work as work  # noqa: PLC0415

    return work.start(work.Where(folder, db, which, as_json))


@tournament_app.command()
def close(
    which: Which = None, folder: Folder = None, db: DatabaseUrl = None, as_json: Json = False
) -> int:
    """Close a round that has all its results."""
    from chronotable_club.commands import tournament_work as work  # noqa: PLC0415

    return work.close(work.Where(folder, db, which, as_json))


@tournament_app.command(context_settings={"ignore_unknown_options": True})  # -/+ is a result
def correct(
    board: Annotated[int, typer.Argument(metavar="BOARD", help="The number of the pairing.")],
    result: Annotated[
        str,
        typer.Argument(
            metavar="RESULT",
            help="1-0, 0-1, 1/2-1/2; by forfeit +/-, -/+, -/-; or none.",
        ),
    ],
    reason: Reason = "",
    round_number: Round = None,
    which: Which = None,
    folder: Folder = None,
    db: DatabaseUrl = None,
    as_json: Json = False,
) -> int:
    """Enter a result, or correct one; that needs a --reason."""
    from chronotable_club.commands import tournament_work as work  # noqa: PLC0415

    where = work.Where(folder, db, which, as_json)
    return work.correct(where, board, result, reason, round_number)


@tournament_app.command()
def pairings(
    round_number: Round = None,
    which: Which = None,
    folder: Folder = None,
    db: DatabaseUrl = None,
    as_json: Json = False,
) -> int:
    """Show who plays whom, and where."""
    from chronotable_club.commands import tournament_work as work  # noqa: PLC0415

    return work.pairings(work.Where(folder, db, which, as_json), round_number)


@tournament_app.command()
def standings(
    which: Which = None, folder: Folder = None, db: DatabaseUrl = None, as_json: Json = False
) -> int:
    """Show the standings after the last whole round."""
    from chronotable_club.commands import tournament_work as work  # noqa: PLC0415

    return work.standings(work.Where(folder, db, which, as_json))


@tournament_app.command()
def table(
    which: Which = None, folder: Folder = None, db: DatabaseUrl = None, as_json: Json = False
) -> int:
    """Show the cross table."""
    from chronotable_club.commands import tournament_work as work  # noqa: PLC0415

    return work.cross(work.Where(folder, db, which, as_json))


@tournament_app.command()
def log(
    which: Which = None, folder: Folder = None, db: DatabaseUrl = None, as_json: Json = False
) -> int:
    """Show all that has happened: who, when, what, and why."""
    from chronotable_club.commands import tournament_work as work  # noqa: PLC0415

    return work.log(work.Where(folder, db, which, as_json))

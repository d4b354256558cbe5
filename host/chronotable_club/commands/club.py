"""`club`: many tables, one archive, one wall."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, NamedTuple, get_type_hints

import typer

from chronotable_host.commands.page_options import Listen, NoBrowser
from chronotable_host.commands.shared import Json, secret

app = typer.Typer()
club_app = typer.Typer(
    name="club", no_args_is_help=True, help="A club of tables: one archive, one wall of boards."
)
table_app = typer.Typer(
    name="table", no_args_is_help=True, help="The tables of a club, and their tokens."
)
tournament_app = typer.Typer(
    name="tournament",
    no_args_is_help=True,
    help="The tournaments of a club: players, pairings, results, standings.",
)
club_app.add_typer(table_app)
club_app.add_typer(tournament_app)
app.add_typer(club_app)

Folder = Annotated[
    Path | None,
    typer.Option("--folder", metavar="DIR", help="The club's folder; else the user's own."),
]
DatabaseUrl = Annotated[
    str | None,
    typer.Option(
        "--db",
        metavar="URL",
        envvar="CHRONOTABLE_CLUB_DB",
        callback=secret,
        help="The club's database, as postgresql+psycopg://club:password@host/club; else a file"
        " in the club's folder.",
    ),
]

BrokerUrl = Annotated[
    str | None,
    typer.Option(
        "--broker",
        metavar="mqtts://HOST",
        envvar="CHRONOTABLE_CLUB_BROKER",
        callback=secret,
        help="The broker between tables and hub; `club serve` without any runs one of its own.",
    ),
]
TableName = Annotated[str, typer.Argument(metavar="NAME", help="What the table is called.")]


@club_app.command()
def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What the club is called.")],
    folder: Folder = None,
    db: DatabaseUrl = None,
    broker: BrokerUrl = None,
) -> int:
    """Begin a club: its folder, which holds its secret, and its database."""
    from chronotable_club.commands.work import begin  # noqa: PLC0415

    return begin(name, folder, db, broker)


@club_app.command()
def serve(
    folder: Folder = None,
    db: DatabaseUrl = None,
    broker: BrokerUrl = None,
    listen: Listen = None,
    no_browser: NoBrowser = False,
) -> int:
    """Collect all tables into one archive, and show them: the wall, results, a feed.

    The wall is for everybody who finds the page; the link that is printed is the director's.
    """
    from chronotable_club.commands.work import serve as serve_club  # noqa: PLC0415

    return serve_club(folder, db, broker, listen, no_browser)


@table_app.command()
def add(
    name: TableName, folder: Folder = None, db: DatabaseUrl = None, as_json: Json = False
) -> int:
    """Add a table and print its token, which lets it speak in the club."""
    from chronotable_club.commands.work import add_table  # noqa: PLC0415

    return add_table(name, folder, db, as_json)


@table_app.command()
def revoke(name: TableName, folder: Folder = None, db: DatabaseUrl = None) -> int:
    """Take a table's token back: what is told with it is refused from now on."""
    from chronotable_club.commands.work import revoke_table  # noqa: PLC0415

    return revoke_table(name, folder, db)


@table_app.command(name="list")
def list_(folder: Folder = None, db: DatabaseUrl = None, as_json: Json = False) -> int:
    """List the tables of the club."""
    from chronotable_club.commands.work import list_tables  # noqa: PLC0415

    return list_tables(folder, db, as_json)


# ---------------------------------------------------------------- tournaments


Reason = Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; it is kept.")]
Round = Annotated[
    int | None, typer.Option("--round", metavar="N", help="Which round; else the last.")
]
PlayerName = Annotated[str, typer.Argument(metavar="PLAYER", help="A player's name or number.")]


class Where(NamedTuple):
    """Which tournament of which club a command is about, and how it is told."""

    which: Annotated[
        str | None,
        typer.Option(
            "--in", metavar="ID", help="Which tournament; else the one that was made last."
        ),
    ] = None
    folder: Folder = None
    db: DatabaseUrl = None
    as_json: Json = False


def _in_tournament(function: Callable[..., int]) -> Callable[..., int]:
    """Make a command for Typer of a function of a `Where` and what is the command's own."""
    types = get_type_hints(function, include_extras=True) | get_type_hints(
        Where, include_extras=True
    )
    _, *own = inspect.signature(function).parameters.values()
    common = [
        each.replace(kind=inspect.Parameter.POSITIONAL_OR_KEYWORD)
        for each in inspect.signature(Where).parameters.values()
    ]
    parameters = [each.replace(annotation=types[each.name]) for each in (*own, *common)]

    @functools.wraps(function)
    def command(**values: Any) -> int:
        where = Where(*(values.pop(name) for name in Where._fields))
        return function(where, **values)

    command.__annotations__ = {each.name: each.annotation for each in parameters}
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return command


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

    return work.new(Where(None, folder, db, as_json), name, system, rounds, bye, black_first)


@tournament_app.command(name="list")
def list_tournaments(folder: Folder = None, db: DatabaseUrl = None, as_json: Json = False) -> int:
    """List the tournaments, the latest first."""
    from chronotable_club.commands import tournament_work as work  # noqa: PLC0415

    return work.list_all(Where(None, folder, db, as_json))


@tournament_app.command(name="add")
@_in_tournament
def add_(
    where: Where,
    players: Annotated[
        list[str],
        typer.Argument(metavar="PLAYER...", help='Names, with a rating as in "Ada (1600)".'),
    ],
) -> int:
    """Add players."""
    from chronotable_club.commands import tournament_work as work  # noqa: PLC0415

    return work.add(where, players)


@tournament_app.command()
@_in_tournament
def withdraw(where: Where, player: PlayerName) -> int:
    """Pair a player no more."""
    from chronotable_club.commands import tournament_work as work  # noqa: PLC0415

    return work.withdraw(where, player)


@tournament_app.command(name="return")
@_in_tournament
def return_(where: Where, player: PlayerName) -> int:
    """Pair a player again who had left."""
    from chronotable_club.commands import tournament_work as work  # noqa: PLC0415

    return work.come_back(where, player)


@tournament_app.command()
@_in_tournament
def bye(
    where: Where,
    player: PlayerName,
    round_number: Annotated[int, typer.Option("--round", metavar="N", help="Which round.")],
    half: Annotated[bool, typer.Option("--half", help="It gives half a point.")] = False,
) -> int:
    """Leave a player out of a round to come, who asked for it."""
    from chronotable_club.commands import tournament_work as work  # noqa: PLC0415

    return work.bye(where, player, round_number, half)


@tournament_app.command()
@_in_tournament
def pair(
    where: Where,
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
) -> int:
    """Pair the next round, and close the one before, which needs all its results."""
    from chronotable_club.commands import tournament_work as work  # noqa: PLC0415

    return work.pair(where, by_hand or [], reason, starts)


@tournament_app.command()
@_in_tournament
def unpair(where: Where, reason: Reason = "") -> int:
    """Take a pairing back that has no results yet."""
    from chronotable_club.commands import tournament_work as work  # noqa: PLC0415

    return work.unpair(where, reason)


@tournament_app.command()
@_in_tournament
def start(where: Where) -> int:
    """Begin the round: tables are told who sits there."""
    from chronotable_club.commands import tournament_work as work  # noqa: PLC0415

    return work.start(where)


@tournament_app.command()
@_in_tournament
def close(where: Where) -> int:
    """Close a round that has all its results."""
    from chronotable_club.commands import tournament_work as work  # noqa: PLC0415

    return work.close(where)


@tournament_app.command(context_settings={"ignore_unknown_options": True})  # -/+ is a result
@_in_tournament
def correct(
    where: Where,
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
) -> int:
    """Enter a result, or correct one; that needs a --reason."""
    from chronotable_club.commands import tournament_work as work  # noqa: PLC0415

    return work.correct(where, board, result, reason, round_number)


@tournament_app.command()
@_in_tournament
def pairings(where: Where, round_number: Round = None) -> int:
    """Show who plays whom, and where."""
    from chronotable_club.commands import tournament_work as work  # noqa: PLC0415

    return work.pairings(where, round_number)


@tournament_app.command()
@_in_tournament
def standings(where: Where) -> int:
    """Show the standings after the last whole round."""
    from chronotable_club.commands import tournament_work as work  # noqa: PLC0415

    return work.standings(where)


@tournament_app.command()
@_in_tournament
def table(where: Where) -> int:
    """Show the cross table."""
    from chronotable_club.commands import tournament_work as work  # noqa: PLC0415

    return work.cross(where)


@tournament_app.command()
@_in_tournament
def log(where: Where) -> int:
    """Show all that has happened: who, when, what, and why."""
    from chronotable_club.commands import tournament_work as work  # noqa: PLC0415

    return work.log(where)

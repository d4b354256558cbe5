"""`club`: many tables, one archive, one wall."""

from __future__ import annotations

from typing import Annotated

import typer

from chronotable_club.commands.tournament import tournament_app
from chronotable_club.commands.where import DatabaseUrl, Folder
from chronotable_host.commands.page_options import Listen, NoBrowser
from chronotable_host.commands.shared import Json, secret

app = typer.Typer()
club_app = typer.Typer(
    name="club", no_args_is_help=True, help="A club of tables: one archive, one wall of boards."
)
table_app = typer.Typer(
    name="table", no_args_is_help=True, help="The tables of a club, and their tokens."
)
club_app.add_typer(table_app)
club_app.add_typer(tournament_app)
app.add_typer(club_app)

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

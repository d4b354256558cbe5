"""`club`: a club of tables: begun, served, its tables named."""

import threading
import time
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Annotated

import typer

from chronotable_club.collecting import Collector
from chronotable_club.commands.tournament import DatabaseUrl, Folder, tournament_app
from chronotable_club.desk import ClubDesk
from chronotable_club.director import Director, direct_tables, direct_tournaments
from chronotable_club.folder import ClubFolder, new_club, open_club, usual_folder
from chronotable_club.register import Register
from chronotable_club.server import CROWD, ClubServer, tournament_pages
from chronotable_club.tokens import token_of
from chronotable_club.wall import Wall
from chronotable_far.broker.address import parse_broker
from chronotable_far.broker.client import BrokerClient
from chronotable_far.broker.embedded import EmbeddedBroker
from chronotable_host.commands.common.options import Json, Listen, NoBrowser, secret
from chronotable_host.commands.common.page_server import tell_of_refusals
from chronotable_host.commands.common.terminal import print_json
from chronotable_host.language import tr
from chronotable_host.output import say
from chronotable_host.web.http.addresses import LOOPBACK, in_url, lan_addresses, parse_listen

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

_TOLD_S = 1.0  # between two looks for what is wrong


@club_app.command()
def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What the club is called.")],
    folder: Folder = None,
    db: DatabaseUrl = None,
    broker: BrokerUrl = None,
) -> int:
    """Begin a club: its folder, which holds its secret, and its database."""
    if broker:
        parse_broker(broker)
    path = folder or usual_folder()
    probe = Register(db or "sqlite://", "")
    probe.run(lambda _connection: None)  # a database that cannot be used is told at once
    probe.close()
    club = new_club(path, " ".join(name.split()), broker or "", db or "")
    print(tr("the club '{name}' is in {folder}", name=club.club.name, folder=path))
    say(tr("`chronotable club table add NAME` adds a table, `chronotable club serve` collects"))
    return 0


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
    host, port = (LOOPBACK, 0) if listen is None else parse_listen(listen)
    club = _club(folder, db)
    with club.collected(), serving(club, broker, host, port) as (server, _collector):
        print(tr("The wall: {url}", url=server.walls[0]))
        for url in server.walls[1:]:
            print(tr("  for others in this network: {url}", url=url))
        print(tr("The director: {url}", url=server.director_link), flush=True)
        if not no_browser:
            webbrowser.open(server.walls[0])
        threading.Event().wait()
    return 0


@contextmanager
def serving(
    club: ClubFolder, broker: str | None, host: str = LOOPBACK, port: int = 0
) -> Iterator[tuple[ClubServer, Collector]]:
    """Collect and serve as long as this lasts; raises UserError where that cannot be."""
    named = broker or club.broker
    embedded = None if named else EmbeddedBroker(times=CROWD)
    address = parse_broker(named) if embedded is None else embedded.address(LOOPBACK)
    wall = Wall(club.club.name)
    director = Director(club.club.name)
    collector = Collector(club, lambda wake: BrokerClient(address, wake=wake), wall.show)
    register = Register(club.url, club.club.id)
    direct_tables(director, collector, register)
    desk = ClubDesk(collector)
    direct_tournaments(director, desk)
    collector.rounds += [_arranging(collector, wall), director.look, _telling(collector)]
    server = ClubServer(collector, wall, director, register, host, port, tournament_pages(desk))
    tell_of_refusals()
    if embedded is not None:
        own = [in_url(each) for each in lan_addresses()] or [LOOPBACK]
        say(tr("a broker for this network: --club {url}", url=embedded.address(own[0]).url))
    collector.start()
    desk.start()
    try:
        server.start()
        try:
            yield server, collector
        finally:
            server.close()
    finally:
        collector.close()
        desk.close()
        if embedded is not None:
            embedded.close()


def _arranging(collector: Collector, wall: Wall) -> Callable[[], None]:
    def arrange() -> None:
        with collector.lock:
            tables = [each for each in collector.hub.tables.values() if not each.is_revoked]
            wall.arrange([each.id for each in tables])

    return arrange


def _telling(collector: Collector) -> Callable[[], None]:
    """Return what says in the terminal what is wrong, and when it is well again."""
    said: dict[str, str] = {}
    due = [time.monotonic() + _TOLD_S]

    def tell() -> None:
        if time.monotonic() < due[0]:
            return
        due[0] = time.monotonic() + _TOLD_S
        for name, problem in (
            (tr("the broker"), collector.line_problem),
            (tr("the database"), collector.database_problem),
            (tr("the club's folder"), collector.file_problem),
        ):
            if said.get(name, "") != problem:
                said[name] = problem
                say(problem or tr("{what}: all is well again", what=name))

    return tell


@table_app.command()
def add(
    name: TableName, folder: Folder = None, db: DatabaseUrl = None, as_json: Json = False
) -> int:
    """Add a table and print its token, which lets it speak in the club."""
    club = _club(folder, db)
    with _register(club) as register:
        enrolled = register.add(name, _now_ms())
        club.note_tables(register.tables())
    token = token_of(club.club.id, club.club.secret, enrolled.id).word
    if as_json:
        print_json({"id": enrolled.id, "name": enrolled.name, "token": token})
        return 0
    print(token)
    say(
        tr(
            'at the table: chronotable play --club BROKER --token TOKEN --as "{name}"',
            name=enrolled.name,
        )
    )
    return 0


@table_app.command()
def revoke(name: TableName, folder: Folder = None, db: DatabaseUrl = None) -> int:
    """Take a table's token back: what is told with it is refused from now on."""
    club = _club(folder, db)
    with _register(club) as register:
        register.revoke(name, _now_ms())
        club.note_tables(register.tables())
    print(tr("the token of '{name}' holds no more", name=name))
    return 0


@table_app.command(name="list")
def list_(folder: Folder = None, db: DatabaseUrl = None, as_json: Json = False) -> int:
    """List the tables of the club."""
    club = _club(folder, db)
    with _register(club) as register:
        tables = register.tables()
    if as_json:
        print_json([each._asdict() for each in tables])
        return 0
    for each in tables:
        revoked = "  " + tr("(revoked)") if each.is_revoked else ""
        print(f"{each.id}  {each.name}{revoked}")
    return 0 if tables else 1


def _club(folder: Path | None, db: str | None) -> ClubFolder:
    club = open_club(folder or usual_folder())
    return club._replace(database=db) if db else club


@contextmanager
def _register(club: ClubFolder) -> Iterator[Register]:
    register = Register(club.url, club.club.id)
    with closing(register):
        known = club.tables()
        if known and not register.tables():
            register.restore(known, _now_ms())
        yield register


def _now_ms() -> int:
    return int(time.time() * 1000)

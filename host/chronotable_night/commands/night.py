"""`night`: a games night for people with phones."""

import secrets
import sys
import threading
import webbrowser
from pathlib import Path
from typing import Annotated, NamedTuple

import segno
import typer

from chronotable_host.commands.common.options import ArchiveFolder, NoBrowser, PortName, takes
from chronotable_host.commands.common.page_server import tell_of_refusals
from chronotable_host.commands.common.terminal import is_terminal
from chronotable_host.commands.common.typed_lines import TypedLines
from chronotable_host.errors import UserError, printable
from chronotable_host.home import default_folder
from chronotable_host.language import tr
from chronotable_host.live.desk import Desk
from chronotable_host.live.happenings import Connected, Happening, Lost, Notice, Refused
from chronotable_host.live.line.port_search import PortSearch
from chronotable_host.live.texts.happening_texts import sentences
from chronotable_host.output import say
from chronotable_host.web.http.addresses import EVERYWHERE, LOOPBACK, parse_listen
from chronotable_night.bots import BotThinker
from chronotable_night.boxes import Boxes
from chronotable_night.commands.games_data import kind_named, read_data
from chronotable_night.evening import Evening
from chronotable_night.games.shelf import kinds, option_value
from chronotable_night.games.surface import surface_of
from chronotable_night.journal import InterruptedGame, Records, interrupted
from chronotable_night.on_table import Keeper, room_view
from chronotable_night.people import CodeCheck, new_code
from chronotable_night.room import NightRoom
from chronotable_night.server import NightServer

app = typer.Typer()

_SEED_BITS = 64
_TOKEN_BYTES = 16
_TOLD = (Connected, Lost, Notice, Refused)  # the rest is about the table's own game


class NightArguments(NamedTuple):
    """What `night` takes."""

    game: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help="Which game; else it is chosen on the page."),
    ] = None
    players: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="How many play; else as many as come.")
    ] = None
    option: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE", help="An option of the game; may be repeated. The page has them."
        ),
    ] = None
    data: Annotated[
        str | None, typer.Option(metavar="FILE", help="The data of an owner's own box, as JSON.")
    ] = None
    seed: Annotated[
        int | None,
        typer.Option(min=0, metavar="N", help="What chance goes by; else nobody knows it."),
    ] = None
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the game that was interrupted last.")
    ] = False
    table: Annotated[
        bool,
        typer.Option("--table", help="Show the game on the table, too, whose lights lead hands."),
    ] = False
    port: PortName = "auto"
    archive: ArchiveFolder = None
    listen: Annotated[
        str,
        typer.Option(
            metavar="HOST[:PORT]",
            help="Where pages are served: to this network, or with 127.0.0.1 to this PC only.",
        ),
    ] = EVERYWHERE
    no_browser: NoBrowser = False


@app.command()
@takes(NightArguments)
def night(arguments: NightArguments) -> int:
    """Play a game with hidden hands, which are phones.

    Any browser is the big screen. Phones in this network come by a QR code, which leads to a seat.
    """
    folder = arguments.archive or default_folder()
    address, port = parse_listen(arguments.listen)
    left = interrupted(folder)
    if arguments.resume:
        if left is None:
            raise UserError(tr("no game was interrupted; `chronotable night` begins one"))
        room, records = _resumed(folder, left)
    else:
        room, records = _new(folder, arguments)
        _offer(left)
    house = records.house
    thinker = BotThinker(_chance(arguments.seed))
    evening = Evening(room, CodeCheck(house["code"]), thinker)
    server = NightServer(evening, address, port, house.get("token", ""))
    tell_of_refusals()
    table = keeper(evening, arguments.port) if arguments.table else None
    _start(server, house.get("port", 0))
    house |= {"port": server.port, "token": server.token}
    try:
        if table is not None:
            table.start()
        _tell(evening, server, arguments)
        typed = TypedLines(sys.stdin)
        while typed.wait() is not None:
            server.switch()
            _tell_way_in(evening, server)
        threading.Event().wait()
    finally:
        if table is not None:
            table.close()
        server.close()
        records.close()
    return 0


def _new(folder: Path, arguments: NightArguments) -> tuple[NightRoom, Records]:
    records = Records(folder, {"code": new_code()})
    if arguments.game is None:
        for name, given in (("--data", arguments.data), ("--option", arguments.option)):
            if given is not None:
                raise UserError(
                    tr("{name} belongs to a game: `chronotable night GAME {name} ...`", name=name)
                )
        return _room(Boxes(folder), records, arguments.seed, arguments.players), records
    kind = kind_named(arguments.game)
    data = {} if arguments.data is None else {kind.name: read_data(kind, arguments.data)}
    players = arguments.players
    if players is not None and players not in kind.players:
        raise UserError(
            tr(
                "--players {players}: {title} is for {least} to {most}",
                players=players,
                title=kind.title,
                least=kind.players[0],
                most=kind.players[-1],
            )
        )
    room = _room(Boxes(folder, data), records, arguments.seed, players)
    room.choose(kind.name)
    for word in arguments.option or ():
        name, _, value = word.partition("=")
        room.options[name] = option_value(kind.options, name, value)
    return room, records


def _resumed(folder: Path, left: InterruptedGame) -> tuple[NightRoom, Records]:
    """Go on with a game, at the address that the phones know if that can be had."""
    records = Records(folder, {})
    kept = records.resume(left.path)
    kind = kinds()[left.game]
    first = kept.first
    room = _room(Boxes(folder), records, None, None)
    room.choose(kind.name)
    room.options = dict(first["options"])
    seed = int(first["seed"])
    room.resume(first["data"], kept.people, kept.players, seed, kept.actions, kept.sealed)
    say(tr("{title} goes on: {names}", title=kind.title, names=", ".join(room.people.names())))
    return room, records


def _chance(seed: int | None) -> int:
    return secrets.randbits(_SEED_BITS) if seed is None else seed


def _room(boxes: Boxes, records: Records, seed: int | None, players: int | None) -> NightRoom:
    seeds = iter(() if seed is None else range(seed, 1 << _SEED_BITS))  # a game each
    return NightRoom(
        kinds(),
        boxes,
        records,
        lambda: secrets.token_urlsafe(_TOKEN_BYTES),
        lambda: _chance(next(seeds, None)),
        players,
    )


def _start(server: NightServer, known: int) -> None:
    """Begin to serve, at the port that the phones know if there is one and it can be had."""
    if server.port or not known:
        server.start()
        return
    server.port = known
    try:
        server.start()
    except UserError:
        server.port = 0
        server.start()
        say(
            tr(
                "Port {port} is taken by now, so links from before lead nowhere; the big screen "
                "has a new one for everybody's seat.",
                port=known,
            )
        )


def _offer(left: InterruptedGame | None) -> None:
    if left is not None:
        say(
            tr(
                "A game of {title} was interrupted ({names}); `chronotable night --resume` goes on "
                "with it.",
                title=kinds()[left.game].title,
                names=", ".join(map(printable, left.names)),
            )
        )


def _tell(evening: Evening, server: NightServer, arguments: NightArguments) -> None:
    room = evening.room
    if room.chosen is None:
        titles = ", ".join(each.title for each in room.shelf.values())
        say(tr("Choose a game on the page: {titles}", titles=titles))
    else:
        say(room.kind.title)
        if room.note:
            say(room.note)
    say(tr("The big screen: {url}", url=server.screens[0]))
    for url in server.screens[1:]:
        say(tr("  for others in this network: {url}", url=url))
    _tell_way_in(evening, server)
    if server.is_beyond:
        say(tr("This network can come in; `--listen {host}` has it closed.", host=LOOPBACK))
    elif arguments.listen == EVERYWHERE:
        say(tr("This PC is in no network, so no phone can come in."))
    else:
        say(tr("No phone can come in; without `--listen` this network can."))
    if evening.door.ways > 1 and is_terminal():
        say(tr("Where phones do not find it: Enter shows another address of this PC."))
    if not arguments.no_browser:
        webbrowser.open(server.screens[0])


def _tell_way_in(evening: Evening, server: NightServer) -> None:
    say(tr("Phones: {link}", link=server.link))
    say(tr("The code: {code}", code=evening.codes.code))
    if server.is_beyond and is_terminal():
        segno.make(server.link, micro=False).terminal(out=sys.stderr, compact=True)


def keeper(evening: Evening, port: str) -> Keeper:
    """Return what keeps a table in step with an evening's room, not begun yet.

    Raises UserError for a chosen game that has no place on the table; while one that is chosen
    later has none, the table has its own game.
    """
    room = evening.room
    if room.chosen is not None and surface_of(room.kind.name) is None:
        raise UserError(
            tr(
                "--table: {title} is not led by the table's lights on a games night",
                title=room.kind.title,
            )
        )
    desk = Desk()
    desk.listeners.append(_tell_happening)
    kept = Keeper(desk.connect(PortSearch(port)), evening.note_table, _fail)
    evening.look = lambda room: kept.show(room_view(room))
    evening.look(room)
    return kept


def _tell_happening(happening: Happening) -> None:
    if isinstance(happening, _TOLD):
        for _, line in sentences(happening, None):
            say(printable(line))


def _fail(why: str) -> None:
    say(printable(tr("{why}; the night goes on without the table", why=why)))

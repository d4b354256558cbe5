"""`games-data`: the data of games, printed, entered, and checked."""

import json
import secrets
import threading
import webbrowser
from collections.abc import Mapping
from typing import Annotated, Any

import typer

from chronotable_host.commands.common.options import ArchiveFolder, Json, NoBrowser
from chronotable_host.commands.common.terminal import STATUS_NO, print_json, read_text
from chronotable_host.errors import UserError, printable
from chronotable_host.home import default_folder
from chronotable_host.language import tr
from chronotable_host.output import say
from chronotable_night.bots import BotThinker
from chronotable_night.boxes import Boxes
from chronotable_night.evening import Evening
from chronotable_night.games.interface import DataError, Kind
from chronotable_night.games.shelf import kinds
from chronotable_night.games.verifying import kind_of_data, mended
from chronotable_night.journal import Records
from chronotable_night.people import CodeCheck, new_code
from chronotable_night.room import NightRoom
from chronotable_night.server import BOX_PATH, NightServer

app = typer.Typer()
data_app = typer.Typer(
    name="games-data",
    no_args_is_help=True,
    help="Data files of games: what no source tells, from an owner's own box.",
)
app.add_typer(data_app)


@data_app.command()
def example(game: Annotated[str, typer.Argument(metavar="GAME", help="Which game.")]) -> int:
    """Print the data that a game has here, to begin the file of your own box with."""
    print(json.dumps(_own_data(kind_named(game)), ensure_ascii=False, indent=1))
    return 0


@data_app.command()
def check(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The data file; - for stdin.")],
    as_json: Json = False,
) -> int:
    """Say which game a data file is for, and each mistake in it with its place."""
    data = _json_of(file)
    try:
        kind = kind_of_data(data)
    except UserError as error:
        raise UserError(f"{file}: {error}") from error
    found, _ = mended(kind, data)
    note = "" if found else kind.game(data).data_note
    if as_json:
        print_json(
            {
                "game": kind.name,
                "mistakes": [{"place": each.place, "why": each.why} for each in found],
                "hash": None if found else kind.game(data).data_hash,
                "note": note,
            }
        )
        return STATUS_NO if found else 0
    print(tr("{file}: the data of {title}", file=printable(file), title=kind.title))
    for each in found:
        print(f"  {printable(str(each))}")
    if not found:
        print(tr("  it is valid; its hash is {hash}", hash=kind.game(data).data_hash))
        if note:
            print(f"  {printable(note)}")
    return STATUS_NO if found else 0


@data_app.command()
def edit(
    game: Annotated[str, typer.Argument(metavar="GAME", help="Which game.")],
    archive: ArchiveFolder = None,
    no_browser: NoBrowser = False,
) -> int:
    """Open the page on which you enter your own box, card by card; nights play with it."""
    kind = kind_named(game)
    _own_data(kind)
    folder = archive or default_folder()
    boxes, records = Boxes(folder), Records(folder, {"code": new_code()})
    seed = secrets.randbits(64)
    room = NightRoom(kinds(), boxes, records, secrets.token_urlsafe, lambda: seed)
    room.choose(kind.name)
    server = NightServer(Evening(room, CodeCheck(records.house["code"]), BotThinker(seed)))
    server.start()
    try:
        url = f"{server.bases[0]}{BOX_PATH}?game={kind.name}"
        say(tr("Your box of {title}: {url}", title=kind.title, url=url))
        say(tr("It is kept in {file}, and nights play with it.", file=boxes.path(kind)))
        if not no_browser:
            webbrowser.open(url)
        threading.Event().wait()
    finally:
        server.close()
        records.close()
    return 0


def kind_named(name: str) -> Kind:
    """Return a game; raises UserError for one that there is not."""
    known = kinds()
    if name in known:
        return known[name]
    games = ", ".join(known)
    raise UserError(tr("'{name}' is no game; there are {games}", name=printable(name), games=games))


def read_data(kind: Kind, file: str) -> Mapping[str, Any]:
    """Return the data of a file that a game takes; raises UserError."""
    data = _json_of(file)
    if not isinstance(data, dict):
        raise UserError(tr("{file}: a data file is an object of JSON", file=file))
    _own_data(kind)
    try:
        kind.game(data)
    except DataError as error:
        raise UserError(
            tr(
                "{file}: {why}; `chronotable games-data check {file}` lists all mistakes",
                file=file,
                why=error,
            )
        ) from error
    return data


def _json_of(file: str) -> Any:
    try:
        return json.loads(read_text(file))
    except (ValueError, RecursionError) as error:
        raise UserError(tr("{file}: is no JSON ({why})", file=file, why=error)) from error


def _own_data(kind: Kind) -> Mapping[str, Any]:
    if kind.default_data is None:
        raise UserError(tr("{title} needs no data", title=kind.title))
    return kind.default_data

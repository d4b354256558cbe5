"""The program of a page that has no server: a virtual table, its desk and the app, in a worker.

`static/program.js` calls what is here, and carries what is sent to the page. Two rules. There is
one thread, so whatever takes long is done elsewhere (`workers`). And a change of a file counts once
the browser has stored it: `changed` is called at each, and nothing that is sent later reaches the
page before that.

The table's flash is kept, too: a page that is opened again, or whose worker died, is a table that
is switched on again, and its firmware goes on with its game.
"""

from __future__ import annotations

import asyncio
import io
import json
import os
import traceback
import zipfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import anyio.to_thread
from starlette.types import ASGIApp

from chronotable_host import chapters
from chronotable_host.archive.nights import GameRecord
from chronotable_host.archive.store import Archive
from chronotable_host.engine.thinkers import level_of
from chronotable_host.errors import UserError, one_line, without_folders
from chronotable_host.home import default_folder
from chronotable_host.language import tr
from chronotable_host.live.players.person import Person
from chronotable_host.live.players.seats import AS_YOU, HANDS, ME, PAGE, YOU, player_name
from chronotable_host.live.settings import format_settings, parse_settings
from chronotable_host.packages import FarInBrowser, far_tab
from chronotable_host.rules.notation import PLAYER_NAMES, PLAYERS
from chronotable_host.rules.record import RESULTS, Record
from chronotable_host.site.cable import CabledDesk, CablePort
from chronotable_host.virtual import chance
from chronotable_host.virtual.desk import Pace
from chronotable_host.virtual.runtimes.cpython import CpythonRuntime
from chronotable_host.web.hand import HandDesk
from chronotable_host.web.http.app import make_app
from chronotable_host.web.http.guard import Access
from chronotable_host.web.page import Page, open_page
from chronotable_host.web.study.games import Games

if TYPE_CHECKING:
    from chronotable_host.site.work import TableWork

BOARD = "reference"
EASIEST = "level:1"

_PAUSE_S = 0.01
_PORT = 80
_TABLE = "table"  # the folder of the table's flash, in that of the games
_ID = "id"
_SETTINGS = "settings"
_SEATS = "seats"
_FAR = "far.json"  # how the game far apart that is played is come back to
_OTHER_TABLE = 1012  # as the code of a socket that is closed
_MOST_BYTES = 64 << 20  # of games that are taken in

Send = Callable[[str, int, Any], None]
"""Sends the page something of a request or a socket: what it is, whose number, and its content."""


class Program:
    """All that is behind the page, from `run` on."""

    def __init__(self, send: Send, changed: Callable[[], None]) -> None:
        self._send = send
        self._incoming: dict[int, tuple[str, asyncio.Queue[dict[str, Any]]]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        os.fsync = lambda fd: changed()  # noqa: ARG005
        anyio.to_thread.run_sync = _run_here  # type: ignore[assignment]
        self._folder = default_folder() / _TABLE
        self._kept = self._flash()
        self._games = games = Archive()
        seats = ME, EASIEST if self._is_new(games) else AS_YOU
        named = dict(zip(PLAYER_NAMES, (YOU, player_name(seats[1])), strict=True))
        self._desk = desk = HandDesk(games, named, resumes=True, lock=chapters)
        own = chance.Chance(self._kept.pop(_ID), is_repeated=False)
        settings = self._kept.pop(_SETTINGS, b"").decode("ascii", "replace")
        sat = self._kept.pop(_SEATS, b"").decode("ascii", "replace").split()
        desk.switch_on(BOARD, Random(), chance=own, flash_files=self._kept)
        with suppress(UserError):  # of an older version
            desk.session.settings.update(parse_settings(settings.split()))
        self._own = self._app = _app_of(
            open_page(
                desk, BOARD, None, seats, Random().randrange(1 << 32), goes_on=bool(self._kept)
            )
        )
        self._sit_again(sat)
        self._port = CablePort(partial(self._send, "cable", 0))
        self._cabled: CabledDesk | None = None
        self._work: TableWork | None = None
        self._far: FarInBrowser | None = None
        with suppress(OSError, ValueError):
            asked = (default_folder() / _FAR).read_bytes()
            try:
                self._play_far(asked)
            except UserError as error:
                self._leave_far(str(error))

    async def run(self) -> None:
        """Have time pass at the table, for ever; at the virtual one while there is no real one."""
        pace = Pace(self._desk.table.now_ms)
        while True:
            if self._cabled is not None:
                try:
                    self._cabled.exchange()
                except UserError as error:
                    await self.let_go(str(error))
                pace = Pace(self._desk.table.now_ms)
            elif self._far is not None:
                try:
                    self._far.step()
                except UserError as error:
                    self._leave_far(str(error))
                pace = Pace(self._desk.table.now_ms)
            else:
                self._desk.run_until(pace.due_ms(self._desk.table.now_ms))
                self._keep()
            await asyncio.sleep(_PAUSE_S)

    # ---- a real table

    def plug(self, is_there: bool) -> None:
        """Take note that the page has a port open, from now on or again, or that it is gone."""
        self._port.plug(is_there)
        if is_there and self._cabled is None and self._work is None:
            self._leave_far()
            self._cabled = CabledDesk(self._games, self._port)
            self._show(_app_of(self._cabled.shown))

    def came(self, data: bytes) -> None:
        """Take what has come at the port."""
        self._port.hear(bytes(data))

    async def let_go(self, why: str = "") -> None:
        """Have the virtual table again, and tell the page to close its port, and why."""
        await self._leave_table()
        self._send("free", 0, chapters.discreet(why))

    async def _leave_table(self) -> None:
        cabled, self._cabled = self._cabled, None
        if cabled is not None:
            await cabled.leave_to_hands()
            cabled.close()
            self._show(self._own)

    async def work(self, what: str, board: str = "") -> None:
        """Have something done that takes long, see `TableWork`; then that table is there again."""
        from chronotable_host.site.work import TableWork  # noqa: PLC0415 - few ever want it

        if self._work is not None:
            return
        self._work = TableWork(self._port, lambda **told: self._send("work", 0, json.dumps(told)))
        await self._leave_table()
        is_table = self._work.do(what, board)
        self._work = None
        if is_table and self._port.is_there:
            self.plug(True)
        else:
            self._send("free", 0, "")

    def press(self, word: str) -> None:
        """Take what a person has pressed while something is done."""
        if self._work is not None:
            self._work.press(word)

    def _show(self, app: ASGIApp) -> None:
        """Have the page see another table: it opens its sockets anew."""
        self._app = app
        for number, (kind, _) in list(self._incoming.items()):
            if kind == "websocket":
                self.leave(number)
                self._send("closed", number, _OTHER_TABLE)

    # ---- a game far apart

    def _play_far(self, asked: bytes) -> tuple[str, bytes]:
        """Play what is asked for as JSON, see `chronotable_far.in_browser`; {} ends that."""
        if self._cabled is not None or self._work is not None:
            raise UserError(tr("A table is on the cable: let that go first."))
        self._leave_far()
        if wanted := json.loads(asked):
            self._far = far_tab(self._games, BOARD, wanted, partial(self._send, "wire"))
            _write(default_folder() / _FAR, self._far.again.encode())
            self._show(_app_of(self._far.desk.page))
        return "application/json", b"{}"

    def _leave_far(self, why: str = "") -> None:
        """Have the virtual table again, and tell the page why; the other end may go on."""
        far, self._far = self._far, None
        if far is not None:
            far.close()
            self._show(self._own)
        if far is not None or why:
            _write(default_folder() / _FAR, b"{}")
        if why:
            self._send("far", 0, chapters.discreet(without_folders(why)))

    def wired(self, number: int, said: Any = None) -> None:
        """Take what a broker sends, True where it is there, None where it is gone."""
        if self._far is not None:
            self._far.wired(number, said)

    # ---- what the page asks for

    def get(self, number: int, path: str, query: str, language: str, body: bytes) -> None:
        """Answer a request: "head" with status and headers as JSON, "body" as bytes, "end"."""
        own = {
            "/site/far": self._play_far,
            "/site/games.zip": _packed,
            "/site/games": _take_in,
            "/site/table.uf2": _image,
        }
        if path in own:
            self._answer(number, partial(own[path], bytes(body)))
            return
        self._begin(number, self._scope("http", path, query, language))
        self._say(number, "http.request", body=b"")

    def open(self, number: int, path: str, language: str) -> None:
        """Open a socket: "open", "text" as often as there is something to say, "closed"."""
        self._begin(number, self._scope("websocket", path, "", language))
        self._say(number, "websocket.connect")

    def hear(self, number: int, text: str) -> None:
        """Take what the page says at a socket."""
        self._say(number, "websocket.receive", text=text)

    def leave(self, number: int) -> None:
        """Take note that nobody waits for an answer any more, or that a socket is closed."""
        if number in self._incoming:
            self._say(number, f"{self._incoming[number][0]}.disconnect", code=1001)

    def _say(self, number: int, kind: str, **said: Any) -> None:
        """Tell the app something of a request or a socket, as ASGI has it."""
        if number in self._incoming:
            self._incoming[number][1].put_nowait({"type": kind, **said})

    def _begin(self, number: int, scope: dict[str, Any]) -> None:
        self._incoming[number] = scope["type"], asyncio.Queue()
        task = asyncio.ensure_future(self._served(number, scope))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _served(self, number: int, scope: dict[str, Any]) -> None:
        async def send(message: Any) -> None:
            kind = message["type"]
            if kind == "http.response.start":
                headers = [(key.decode(), it.decode("latin-1")) for key, it in message["headers"]]
                self._send("head", number, json.dumps([message["status"], headers]))
            elif kind == "http.response.body":
                if message.get("body"):
                    self._send("body", number, bytes(message["body"]))
                if not message.get("more_body"):
                    self._send("end", number, None)
            elif kind == "websocket.accept":
                self._send("open", number, None)
            elif kind == "websocket.send":
                self._send("text", number, message["text"])
            else:
                self._send("closed", number, message.get("code", 1000))

        try:
            await self._app(scope, self._incoming[number][1].get, send)
        except Exception:
            traceback.print_exc()
        finally:
            del self._incoming[number]
            self._send("closed" if scope["type"] == "websocket" else "end", number, 1011)

    def _scope(self, kind: str, path: str, query: str, language: str) -> dict[str, Any]:
        headers = {"host": "localhost", "accept-language": language}
        return {
            "type": kind,
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http" if kind == "http" else "ws",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(name.encode(), it.encode()) for name, it in headers.items()],
            "client": ("127.0.0.1", 0),
            "server": ("localhost", _PORT),
            "subprotocols": [],
            "state": {},
        }

    def _answer(self, number: int, does: Callable[[], tuple[str, bytes]]) -> None:
        status = 200
        try:
            kind, body = does()
        except (UserError, OSError) as error:
            why = chapters.discreet(without_folders(one_line(error) or ""))
            status, kind, body = 400, "application/json", json.dumps({"why": why}).encode()
        headers = [("content-type", kind)]
        self._send("head", number, json.dumps([status, headers]))
        self._send("body", number, body)
        self._send("end", number, None)

    # ---- the table that was there before

    def _flash(self) -> dict[str, bytes]:
        """Return the games in the flash of the table, and its id: a new one where it has none."""
        self._folder.mkdir(parents=True, exist_ok=True)
        found = {each.name.replace("+", "/"): each.read_bytes() for each in self._folder.iterdir()}
        if _ID not in found:
            found[_ID] = chance.real().unique_id
            _write(self._folder / _ID, found[_ID])
        return found

    def _keep(self) -> None:
        """Keep the games in the flash that have changed, the settings, and who plays."""
        runtime = self._desk.table.runtime
        assert isinstance(runtime, CpythonRuntime)
        now = {name: it for name, it in runtime.flash_files().items() if name.startswith("games/")}
        settings = format_settings(self._desk.session.settings)
        now[_SETTINGS] = " ".join(f"{name}={value}" for name, value in settings.items()).encode()
        seats = self._desk.hand.seats
        away = {PLAYERS[side]: each.name for side, each in seats.away.items()}
        now[_SEATS] = " ".join((seats.players() | away).values()).encode()
        if now == self._kept:
            return
        for name in self._kept.keys() - now.keys():
            (self._folder / name.replace("/", "+")).unlink(missing_ok=True)
        for name, content in now.items():
            if self._kept.get(name) != content:
                _write(self._folder / name.replace("/", "+"), content)
        self._kept = now

    def _sit_again(self, sat: Sequence[str]) -> None:
        """Have those play who played in the game that goes on, at the level that its record has."""
        record = self._desk.mirror.recorder.filing.record
        if record is None or not record.turns or record.headers["Result"] != "*":
            return
        seats = self._desk.hand.seats
        sat = sat or [*seats.players().values()]  # what an older version kept says nothing of it
        for side, (name, who) in enumerate(zip(PLAYER_NAMES, sat, strict=False)):
            if level := level_of(record.headers[name]):
                seats.seat(side, f"level:{level:g}")
            elif who in (PAGE, HANDS):  # whose name is known already
                seats.seat_thinker(side, Person(PAGE) if who == PAGE else None)
            else:
                with suppress(UserError):
                    seats.seat(side, who)

    def _is_new(self, games: Archive) -> bool:
        """Tell whether no game was finished here yet."""
        return not any(next(games.having("Result", it), None) for it in RESULTS if it != "*")


def _write(file: Path, content: bytes) -> None:
    with file.open("wb") as opened:
        opened.write(content)
        os.fsync(opened.fileno())


def _app_of(page: Page) -> ASGIApp:
    page.service.reach = Nowhere()
    return make_app(
        page.hub,
        Games(None),
        page.board_svg,
        Access(_PORT),
        lambda _client: None,
        guests=page.guests,
    )


class Nowhere:
    """Where guests come from: a browser lets nobody in."""

    def view(self) -> dict[str, Any]:
        """Return what the page shows."""
        why = tr(
            "This page is in your browser alone. Guests, games nights and clubs need "
            "Chronotable on a PC."
        )
        return {"open": False, "opened": False, "addresses": 0, "why": why}

    def open(self) -> None:
        """Refuse."""
        raise UserError(self.view()["why"])

    shut = switch = open  # noqa: A003


async def _run_here(
    function: Callable[..., Any], *given: Any, **_how: object
) -> Any:  # in the place of anyio's, which begins threads
    await asyncio.sleep(_PAUSE_S)
    return function(*given)


def _packed(_body: bytes) -> tuple[str, bytes]:
    """Return all games, and boards that have learned, in an archive, to be kept elsewhere."""
    folder, packed = default_folder(), io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as games:
        for file in (*sorted(folder.rglob("*.ttykm")), *sorted(folder.glob("boards/*.json"))):
            games.write(file, file.relative_to(folder).as_posix())
    return "application/zip", packed.getvalue()


def _take_in(body: bytes) -> tuple[str, bytes]:
    """Take in records, or an archive of them; raises UserError."""
    from chronotable_host.archive.parsing import each_record  # noqa: PLC0415

    if zipfile.is_zipfile(io.BytesIO(body)):
        with zipfile.ZipFile(io.BytesIO(body)) as packed:
            names = [each for each in packed.namelist() if each.endswith(".ttykm")]
            if sum(packed.getinfo(each).file_size for each in names) > _MOST_BYTES:
                raise UserError(tr("that is more than fits in here"))
            texts = [(name, packed.read(name)) for name in names]
    else:
        texts = [(tr("the file"), body)]
    records: list[Record | GameRecord] = []
    for name, content in texts:
        text = content.decode("utf-8", "replace")
        with chapters.discretion(text):
            records += each_record(text, Path(name).name)
    with Archive() as games:
        stored = games.store(records)
    new = sum(not game.is_duplicate for game in stored)
    says = tr("New games: {new}. There already: {same}.", new=new, same=len(stored) - new)
    return "application/json", json.dumps({"says": says}).encode()


def _image(body: bytes) -> tuple[str, bytes]:
    """Return MicroPython and the firmware in one; raises UserError where that is not the first."""
    from chronotable_host.site.work import image_with_files  # noqa: PLC0415 - few ever want it

    return image_with_files(body)

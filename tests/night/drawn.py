"""A page of a games night, drawn from given states without a night: for pictures and for tests.

`drawn` serves the frame, the page of one game, and the states that it is told, to a seat each and
to the big screen. `told` makes such a state of a game. What the page asks for is kept and answered
with yes. A state in a file is looked at with `python -m tests.night.drawn NAME FILE`.
"""

from __future__ import annotations

import asyncio
import json
import socket
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import uvicorn
from starlette.applications import Starlette
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from chronotable_host.web.http import catalogue
from chronotable_host.web.http.answers import AnswerLimit, try_turn
from chronotable_host.web.http.files import STATIC, page_of
from chronotable_night.archived import STATIC as NIGHT
from chronotable_night.games.entering import form_of
from chronotable_night.games.interface import (
    EVERYBODY,
    NOBODY,
    SPECTATOR,
    Game,
    GameHappening,
    Kind,
    State,
)
from chronotable_night.games.shelf import kinds
from chronotable_night.server import picture
from tests import sweep
from tests.page import browsing
from tests.page.browsing import PHONE, Browser, Page, Size, barriers, comes_true

if TYPE_CHECKING:
    from starlette.requests import Request

NAMES = ("Ada", "Ben", "Cleo", "Dov", "Eve", "Finn")
SMALL_PHONE = (360, 640)
BIG, SMALL_BIG = (1920, 1080), (1280, 720)
"""Sizes of pictures."""
Look = tuple[Size, str]
"""The size of a window, and a theme."""
PHONES: list[Look] = [
    *((PHONE, "light"), (SMALL_PHONE, "dark"), ((844, 390), "light")),
    *((PHONE, "dark"), (SMALL_PHONE, "light"), ((640, 360), "dark")),
][: sweep.size(3, 6)]
SCREENS: list[Look] = [
    *((BIG, "light"), (SMALL_BIG, "dark"), (BIG, "dark"), (SMALL_BIG, "light")),
][: sweep.size(2, 4)]

LINK = "http://192.168.178.120:8484/join?code=amber-moon-seven"
SEAT_LINK = f"http://192.168.178.120:8484/seat/{'Yq7-' * 8}/"
"""As long as links of a night are."""
_TYPES = {".css": "text/css", ".html": "text/html", ".js": "text/javascript"}
_TYPES |= {".svg": "image/svg+xml", ".woff2": "font/woff2"}
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "font-src 'self'; "
    "media-src data:; connect-src 'self' ws://127.0.0.1:*; base-uri 'none'; form-action 'none'"
)
_START_S = 60
_RECENT = 40

_MEANT = ("403",)
"""What a console says of tests that take a seat away."""


def told(
    kind: Kind,
    game: Game,
    state: State,
    seat: int,
    players: int = 0,
    happened: Sequence[GameHappening] = (),
    sealed: Mapping[int, str] | None = None,
    names: Sequence[str] = NAMES,
    **more: Any,
) -> dict[str, Any]:
    """Return what the server tells a seat, or the SPECTATOR, of a state; `more` replaces fields.

    `players` is how many play, where the state has no such field.

    `sealed` has the actions that wait until their seats are asked.
    """
    sealed = sealed or {}
    view = game.view(state, seat)
    deciding = game.deciding(state)
    seated = [
        {
            "seat": each,
            "name": names[each],
            "figure": f"p{each + 1}",
            "who": "phone",
            "bot": "",
            "here": True,
            "sealed": each in sealed,
            "deciding": each in deciding,
            "plays": True,
        }
        for each in range(players or _players(state))
    ]
    names = names[: len(seated)]
    headline, line = game.headline(view, names)
    outcome = game.outcome(view)
    return {
        **lobby(kind),
        "printed": getattr(game, "printed", {}),
        "phase": "play" if outcome is None else "over",
        "seat": seat,
        "players": seated,
        "view": view,
        "headline": headline,
        "line": line,
        "decision": _decision(kind, game, view, seat, names, sealed.get(seat)),
        "happened": [
            {
                "n": n,
                "what": each.what,
                "facts": each.facts,
                "own": each.to != EVERYBODY,
                "says": game.says(each, names, seat),
            }
            for n, each in enumerate(happened, 1)
            if each.to in (EVERYBODY, seat)
        ],
        "outcome": outcome and {**outcome._asdict(), "says": game.why(outcome, view, names)},
        **more,
    }


def lobby(kind: Kind, seat: int = SPECTATOR, taken: int = 0, **more: Any) -> dict[str, Any]:
    """Return what is told before a game begins, when so many seats are taken."""
    players = [
        {
            "seat": each,
            "name": NAMES[each] if each < taken else "",
            "figure": f"p{each + 1}",
            "who": "phone" if each < taken else "free",
            "bot": "",
            "here": each < taken,
            "sealed": False,
            "deciding": False,
            "plays": True,
        }
        for each in range(max(kind.players))
    ]
    options = [
        {
            "name": each.name,
            "about": each.about,
            "value": next(iter(each.values)),
            "values": [{"value": key, "means": means} for key, means in each.values.items()],
        }
        for each in kind.options
    ]
    return {
        "type": "state",
        "steps": 0,
        "name": kind.name,
        "title": kind.title,
        "games": [
            {
                "name": each.name,
                "title": each.title,
                "about": each.about,
                "players": [min(each.players), max(each.players)],
                "box": form_of(each) is not None,
            }
            for each in [*dict.fromkeys([kind, *kinds().values()])][: len(kinds())]
        ],
        "phase": "lobby",
        "code": "amber moon seven",
        "link": LINK,
        "qr": picture(LINK),
        "note": kind.game().data_note,
        "printed": getattr(kind.game(), "printed", {}),
        "rulebook": list(kind.rules.items()),
        "minute": list(kind.minute),
        "roles": list(kind.roles),
        "seat": seat,
        "players": players,
        "options": options,
        "least": min(kind.players),
        "view": None,
        "headline": "",
        "line": "",
        "decision": None,
        "happened": [],
        "outcome": None,
        "look_up": False,
        "lets_pass": False,
        "take_back": None,
        "can_take_back": False,
        "remarks": True,
        "notice": "",
        "notices": [],
        "refused": "",
        **more,
    }


def look_at(page: Page, name: str, pictures: Path) -> None:
    """Nothing runs out of the window, axe finds nothing serious, a picture is kept."""
    page.evaluate("document.fonts.ready.then(() => null)")  # texts have their width then
    page.screenshot(path=pictures / f"{name.replace(' ', '-')}.png")
    assert overflowing(page) == [], name
    assert barriers(page) == [], name


class Moment(NamedTuple):
    """A state of a game, and what has happened until then."""

    kind: Kind
    game: Game
    state: State
    happened: tuple[GameHappening, ...]

    @property
    def seat(self) -> int:
        """Who decides."""
        return self.game.to_decide(self.state)

    def tells(self, seat: int, **more: Any) -> dict[str, Any]:
        """Return what a seat is told of it, and of the last things that happened."""
        players = 0 if "players" in self.state else max(self.kind.players)
        state = told(self.kind, self.game, self.state, seat, players, self.happened, **more)
        return {**state, "happened": state["happened"][-_RECENT:]}


def game_by(
    kind: Kind, seed: int, players: int, options: Mapping[str, Any], wisdom: float = 1
) -> Iterator[Moment]:
    """Yield the moments of a game by rules of thumb, so often, and by chance."""
    game, chance = kind.game(), Random(seed)
    state = game.new(seed, players, options)
    happened: list[GameHappening] = []
    while (seat := game.to_decide(state)) != NOBODY:
        yield Moment(kind, game, state, tuple(happened))
        legal = game.legal(state)
        if wisdom == 1 or chance.random() < wisdom or not legal:
            action = game.sensible(state, seat, chance)
        else:
            action = chance.choice(legal)
        state = game.apply(state, seat, action, happened)
    yield Moment(kind, game, state, tuple(happened))


def first_of(games: Iterable[Iterable[Moment]], is_it: Callable[[Moment], bool]) -> Moment:
    """Return the first such moment of some games."""
    return next(each for moments in games for each in moments if is_it(each))


class Drawn:
    """A server of pages that tells them what it is given.

    `asked` has what pages have asked for: (seat, request), the oldest first.
    """

    def __init__(self, folders: Mapping[str, Path]) -> None:
        self.asked: list[tuple[int, dict[str, Any]]] = []
        self.refuses = ""
        """Why requests are refused, "" where they are not."""
        self.url = ""
        self.browser: Browser
        """In which a test opens them."""
        self._folders = folders
        self._states: dict[int, dict[str, Any]] = {}
        self._sockets: list[tuple[int, WebSocket]] = []
        self._loop: Any = None

    def phone(
        self, seat: int, size: Size = PHONE, theme: str = "light"
    ) -> AbstractContextManager[Page]:
        """Open a seat's page."""
        return opened(self.browser, self.seat(seat), size, theme)

    def screen(
        self, size: Size = SMALL_BIG, theme: str = "light", still: bool = True
    ) -> AbstractContextManager[Page]:
        """Open the big screen."""
        return opened(self.browser, f"{self.url}/", size, theme, still)

    def looks(
        self, seat: int, name: str, pictures: Path, looks: Sequence[Look] = ()
    ) -> Iterator[Page]:
        """Yield a seat's page on phones, or the big screen on screens; then look at it."""
        is_big = seat == SPECTATOR
        for size, theme in looks or (SCREENS if is_big else PHONES):
            with self.screen(size, theme) if is_big else self.phone(seat, size, theme) as page:
                yield page
                look_at(page, f"{name}-{size[0]}x{size[1]}-{theme}", pictures)

    def acted(self) -> str:
        """Return the last action that a page asked for, and forget it."""
        found = [each["action"] for _, each in self.asked if each["do"] == "act"]
        self.asked.clear()
        return str(found[-1])

    def seat(self, seat: int) -> str:
        """Return the address of a seat's page."""
        return f"{self.url}/seat/{seat}/"

    def tells(self, *states: Mapping[str, Any]) -> None:
        """Tell pages a state each, by the `seat` that it is for; those that come later, too."""
        for state in states:
            self._states[state["seat"]] = dict(state)
        if self._loop is not None:
            asyncio.run_coroutine_threadsafe(self._publish(), self._loop).result(_START_S)

    async def _publish(self) -> None:
        for seat, connected in list(self._sockets):
            if seat in self._states:
                with suppress(WebSocketDisconnect):  # it has just gone
                    await connected.send_text(json.dumps(self._states[seat]))

    def app(self) -> Starlette:
        """Return what is served."""
        return Starlette(
            routes=[
                Route("/", lambda _: self._file(NIGHT / "big.html")),
                Route("/join", lambda _: self._file(NIGHT / "join.html")),
                Route("/seat/{token}/", lambda _: self._file(NIGHT / "phone.html")),
                Route("/catalogue.js", lambda _: _response(catalogue.script(), ".js")),
                Route("/api/try", AnswerLimit().keeping(try_turn)),
                Route("/static/{name}", lambda asked: self._named(STATIC, asked)),
                Route("/night/static/{name}", lambda asked: self._named(NIGHT, asked)),
                Route("/games/{game}/{name}", self._of_game),
                WebSocketRoute("/night/socket", self._serve),
                WebSocketRoute("/night/socket/{token}", self._serve),
            ]
        )

    def _of_game(self, asked: Request) -> Response:
        folder = self._folders.get(asked.path_params["game"])
        return _missing() if folder is None else self._named(folder, asked)

    def _named(self, folder: Path, asked: Request) -> Response:
        return self._file(folder / asked.path_params["name"])

    def _file(self, path: Path) -> Response:
        if not path.is_file() or path.suffix not in _TYPES:
            return _missing()
        content = page_of(path) if path.suffix == ".html" else path.read_bytes()
        return _response(content, path.suffix)

    async def _serve(self, connected: WebSocket) -> None:
        seat = int(connected.path_params.get("token", SPECTATOR))
        await connected.accept()
        self._loop = asyncio.get_running_loop()
        self._sockets.append((seat, connected))
        try:
            if seat in self._states:
                await connected.send_text(json.dumps(self._states[seat]))
            while True:
                request = json.loads(await connected.receive_text())
                self.asked.append((seat, request))
                answer = {"type": "answer", "id": request["id"], "error": self.refuses or None}
                await connected.send_text(
                    json.dumps({**answer, "link": "/seat/0/", "qr": picture(SEAT_LINK)})
                )
        except WebSocketDisconnect:
            self._sockets.remove((seat, connected))


@contextmanager
def drawn(folders: Mapping[str, Path] | None = None) -> Iterator[Drawn]:
    """Serve pages of games from these folders, or from those that the games have."""
    pages = Drawn(folders or {name: kind.page for name, kind in kinds().items()})
    listening = socket.create_server(("127.0.0.1", 0))
    pages.url = f"http://127.0.0.1:{listening.getsockname()[1]}"
    config = uvicorn.Config(pages.app(), lifespan="off", log_level="error")
    config.timeout_graceful_shutdown = 1
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
    thread.start()
    try:
        yield pages
    finally:
        server.should_exit = True
        thread.join(_START_S)
        listening.close()


@contextmanager
def opened(
    browser: Browser,
    url: str,
    size: Size = PHONE,
    theme: str = "light",
    still: bool = True,
) -> Iterator[Page]:
    """Open a page; errors in its console fail the test. `still`: without motion."""
    someone = browsing.opened(
        browser,
        url,
        size=size,
        color_scheme=theme,
        has_touch=size[0] < size[1],
        reduced_motion="reduce" if still else "no-preference",
    )
    try:
        yield someone.page
    finally:
        someone.page.context.close()
    someone.trouble = [each for each in someone.trouble if not any(it in each for it in _MEANT)]
    assert someone.trouble == [], someone.trouble


def notes(page: Page, *selectors: str) -> None:
    """Have the page note which of such elements it shows, and their texts; see `has_shown`.

    What stands for two seconds may be gone before a busy machine looks at the page again.
    """
    page.evaluate(
        """selectors => {
            window.noted = new Set();
            const all = { childList: true, subtree: true, characterData: true, attributes: true };
            new MutationObserver(() => {
                for (const selector of selectors) {
                    for (const each of document.querySelectorAll(selector)) {
                        noted.add(selector).add(each.textContent);
                    }
                }
            }).observe(document.body, all);
        }""",
        selectors,
    )


def has_shown(page: Page, noted: str) -> None:
    """Wait until the page has noted a selector, or a text."""
    comes_true(page, "noted => window.noted.has(noted)", noted)


def open_hand(page: Page) -> None:
    """Open the hand of a phone that is to decide, by taps; a slow one counts as a look.

    Where what all see is enough to decide, it stays shut.
    """
    asked = page.locator(".equal, body[data-mode=open] .main")
    page.get_by_text("Tap to open").or_(asked).first.wait_for()
    if page.locator(".equal").count():
        return
    peek, mode = page.locator("#peek"), page.locator("body")
    while mode.get_attribute("data-mode") == "covered":
        peek.tap() if page.evaluate("navigator.maxTouchPoints") else peek.click()
    page.locator("body[data-mode=open]").wait_for()


def overflowing(page: Page) -> list[str]:
    """Return what runs out of the window, and words that cannot be read.

    Those run out of what they lie on or in, lie upon each other, or under something else.
    """
    found: list[str] = page.evaluate(_OVERFLOWING)
    return found


_OVERFLOWING = """() => {
    const named = (each) => `${each.tagName} ${each.className} ${each.textContent.slice(0, 40)}`;
    const isIn = (box, room, more) =>
        box.left >= room.left - more && box.top >= room.top - more &&
        box.right <= room.right + more && box.bottom <= room.bottom + more;
    const paints = (each) => getComputedStyle(each).backgroundColor !== "rgba(0, 0, 0, 0)";
    const cuts = (each) => getComputedStyle(each).overflow !== "visible" || paints(each);
    const seen = document.querySelector("dialog[open]") ?? document.body;
    const all = [...seen.querySelectorAll("*")].filter((each) => {
        const box = each.getBoundingClientRect();
        return box.width && !each.closest("svg, [hidden]") &&
            // they scroll, or are boards with tests of their own
            !each.closest(".panel, .several, .form, .phone .games, .ribbon, .unseen");
    });
    const window_ = new DOMRect(0, 0, innerWidth, innerHeight);
    const beyond = all.filter((each) => !isIn(each.getBoundingClientRect(), window_, 1));
    const gives = (each) => // what is longer scrolls, or ends in dots
        each.closest(".says") || getComputedStyle(each).textOverflow === "ellipsis" ||
        getComputedStyle(each).webkitLineClamp !== "none";
    const worded = all.filter((each) => getComputedStyle(each).visibility === "visible" &&
        [...each.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim()));
    const written = worded.filter((each) =>
        getComputedStyle(each).position !== "absolute" && !gives(each));
    const cut = written.filter((each) => {
        const range = document.createRange();
        range.selectNodeContents(each);
        const box = range.getBoundingClientRect();
        for (let room = each; room !== document.body; room = room.parentElement) {
            if (cuts(room)) return !isIn(box, room.getBoundingClientRect(), 2);
        }
        return false;
    });
    const shown = (each, box) => { // what of a line is not cut off
        let { left, top, right, bottom } = box;
        for (let room = each; room !== document.body; room = room.parentElement) {
            const style = getComputedStyle(room);
            if (style.overflow === "visible") continue;
            const edge = room.getBoundingClientRect();
            const dots = style.textOverflow === "ellipsis" ? parseFloat(style.paddingRight) : 0;
            left = Math.max(left, edge.left), top = Math.max(top, edge.top);
            right = Math.min(right, edge.right - dots), bottom = Math.min(bottom, edge.bottom);
        }
        return new DOMRect(left, top, right - left, bottom - top);
    };
    const lines = worded.flatMap((each) =>
        [...each.childNodes].filter((child) => child.nodeType === 3).flatMap((child) => {
            const range = document.createRange();
            range.selectNodeContents(child);
            return [...range.getClientRects()].map((box) => ({ each, box: shown(each, box) }));
        })).filter(({ box }) => box.width > 2 && box.height > 2);
    const lap = (a, b, from, to) => Math.min(a[to], b[to]) - Math.max(a[from], b[from]);
    const upon = lines.filter(({ each, box }, number) => lines.slice(0, number).some((other) =>
        other.each !== each && lap(box, other.box, "left", "right") > 2 &&
        lap(box, other.box, "top", "bottom") > 0.4 * Math.min(box.height, other.box.height)));
    const under = lines.filter(({ each, box }) => [1, 2, 3, 4, 5, 6, 7, 8, 9].some((tenth) => {
        const [x, y] = [box.x + tenth * box.width / 10, box.y + 0.7 * box.height];
        let there = document.elementFromPoint(x, y);
        if (each.contains(there)) return false;
        for (; there && !there.contains(each); there = there.parentElement) {
            if (there.closest("svg") || paints(there)) return true;
        }
        return false;
    }));
    const clashing = [...upon, ...under].map(({ each }) => each);
    const chosen = [...document.querySelectorAll("select")].filter((each) => {
        const bare = each.cloneNode(false);
        bare.append(each.selectedOptions[0].cloneNode(true));
        bare.style = "position: absolute; width: max-content; max-width: none";
        each.after(bare);
        const wanted = bare.getBoundingClientRect().width;
        bare.remove();
        return each.checkVisibility() && wanted > each.getBoundingClientRect().width + 1;
    });
    return [...new Set([...beyond, ...cut, ...clashing, ...chosen])].map(named);
}"""


def _players(state: State) -> int:
    """Return how many play: `players` of a state is their number, or a list of them."""
    players = state["players"]
    return players if isinstance(players, int) else len(players)


def _decision(
    kind: Kind, game: Game, view: State, seat: int, names: Sequence[str], sealed: str | None
) -> dict[str, Any] | None:
    decision = None if seat == SPECTATOR else game.decision(view, seat, names)
    if decision is None:
        return None
    return {
        "kind": decision.kind,
        "headline": decision.headline,
        "explains": decision.explains,
        "choices": [each._asdict() for each in decision.choices] or None,
        "rules": [(number, kind.rules[number]) for number in decision.rules],
        "sealed": sealed,
        "passes": bool(decision.passes),
    }


def _response(content: bytes, suffix: str) -> Response:
    headers = {"content-security-policy": _POLICY, "cache-control": "no-store"}
    return Response(content, headers=headers, media_type=_TYPES[suffix])


def _missing() -> Response:
    return JSONResponse({"why": "there is nothing at this address"}, 404)


def main(name: str, file: str) -> None:
    """Serve the state in a file to all pages until Enter is pressed."""
    state = json.loads(Path(file).read_text("utf-8"))
    with drawn() as pages:
        pages.tells({**state, "name": name, "seat": 0}, {**state, "name": name, "seat": SPECTATOR})
        print(f"the big screen: {pages.url}/\na phone: {pages.seat(0)}\nEnter ends it.")
        sys.stdin.readline()


if __name__ == "__main__":
    main(*sys.argv[1:])

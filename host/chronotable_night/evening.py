"""A night as it goes on: pages come and go, people ask, bots play, and everybody is told.

All of it happens in the thread of the server's loop, one thing after the other: the room needs no
lock. Only bots think elsewhere.
"""

import asyncio
import contextlib
import threading
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Protocol

from chronotable_host.errors import UserError, one_line
from chronotable_host.language import LANGUAGE, speaking, tr
from chronotable_host.limits import LOG
from chronotable_host.web.http.requests import Commands, Request
from chronotable_host.web.http.viewers import MOST_VIEWERS, TRY_AGAIN, Viewer, Viewers, text_of
from chronotable_night.games.bots import BOTS
from chronotable_night.games.interface import SPECTATOR
from chronotable_night.messages import Door, state_of
from chronotable_night.people import CodeCheck
from chronotable_night.play import Play
from chronotable_night.room import BotDue, NightRoom
from chronotable_night.wishes import (
    BOX_WISHES,
    SCREENS_COMMANDS,
    SEATS_COMMANDS,
    STRANGERS_COMMANDS,
    WISHES,
)

PACE_S = 1.0
"""How long a bot lets people look at what was before."""
PATIENCE_S = 5.0
"""How long nothing is heard of a big screen that shows a scene until phones go on without it."""
SEAT_PATH = "/seat/"
"""Begins the address of a seat's page; its token comes next."""

_ENDED = 1008
_MOVED = tr("this seat has a new link; the old one has ended")
_WEAKEST = next(iter(BOTS))


class ChoosesForBots(Protocol):
    """Where bots think; `bots.BotThinker` is one."""

    def choose(self, due: BotDue) -> Future[str]:
        """Return what will be a bot's answer."""

    def close(self) -> None:
        """End the thinking."""


class Evening:
    """The room, its pages, and the bots.

    Once there is an address, `door` is how people come in, `picture` returns the link of a path as
    a QR code, a `data:` URI, and `switch` has them come by another address. `look` is called with
    the room when anything changes there.
    """

    def __init__(
        self,
        room: NightRoom,
        codes: CodeCheck,
        thinker: ChoosesForBots,
        pace_s: float = PACE_S,
        patience_s: float = PATIENCE_S,
    ) -> None:
        self.room = room
        self.codes = codes
        self.door = Door(codes.code)
        self.watch_link = "/"
        self.picture: Callable[[str], str] = lambda _path: ""
        self.switch: Callable[[], None] = lambda: None
        self.version = 1
        self.look: Callable[[NightRoom], None] = lambda _room: None
        self._versions = threading.Lock()
        self._thinker = thinker
        self._pace_s = pace_s
        self._seats: dict[str, SeatPages] = {}  # by token
        self._screens = Screens(self)
        self._strangers = Strangers(self)
        self._thinking: asyncio.Task[None] | None = None
        self._patience_s = patience_s
        self._waiting: asyncio.TimerHandle | None = None

    # ---- pages

    def has_seat(self, token: str) -> bool:
        """Tell whether a token is a seat's now."""
        return self.room.people.of_token(token) is not None

    def pages_of(self, token: str) -> Viewers | None:
        """Return the pages of a seat, None where the token is no seat's."""
        if not self.has_seat(token):
            return None
        return self._seats.setdefault(token, SeatPages(self, token))

    def screens(self, is_known: bool) -> Viewers:
        """Return the pages without a seat: those that look on, or those that have to come in."""
        return self._screens if is_known else self._strangers

    def dismiss(self, code: int, why: str) -> None:
        """Have all sockets closed."""
        for each in (self._screens, self._strangers, *self._seats.values()):
            each.dismiss(code, why)

    def close(self) -> None:
        """End the bots."""
        self._thinker.close()

    # ---- what happens

    def ask(self, token: str, request: Request) -> None:
        """Do what a page asks for, and answer it; everybody is told what there is then."""
        seat = self.room.people.of_token(token) if token else SPECTATOR
        if seat is None:
            request.refuse(_MOVED)
            return
        if request.do == "watch":
            request.told["link"] = self.watch_link
            request.accept()
            return
        if request.do == "address":
            self.switch()
            request.accept()
            return
        try:
            with speaking(LANGUAGE):  # others are told of it, too, each in the own language
                found = WISHES[request.do][1](self.room, seat, request.values)
        except (UserError, OSError) as error:
            request.refuse(one_line(error) or tr("this failed here; the log has more about it"))
        else:
            if found is not None:
                request.told["link"] = link = f"{SEAT_PATH}{found}/"
                request.told["qr"] = self.picture(link)
            request.accept()
            self.changed()

    def open_box(self, request: Request) -> None:
        """Do what the page of an owner's box asks for; the answer says what there is then."""
        try:
            kind = self.room.on_shelf(request.values["game"])
            BOX_WISHES[request.do][1](self.room.boxes, kind, request.values)
            request.told["box"] = self.room.boxes.page(kind)
        except (UserError, OSError) as error:
            request.refuse(one_line(error) or tr("this failed here; the log has more about it"))
            return
        request.accept()
        with speaking(LANGUAGE):
            self.room.open_box()
        self.changed()

    def changed(self) -> None:
        """Tell all pages what there is now, close those of seats that are not theirs any more."""
        self._screens.follow(self.room.play)
        self.await_screens()
        self._count()
        for token, pages in list(self._seats.items()):
            if not self.has_seat(token):
                del self._seats[token]
                pages.end(_ENDED, _MOVED)
        self._wake()
        self.look(self.room)
        self._let_bots_play()

    def lead(self, door: Door, picture: Callable[[str], str]) -> None:
        """Have people come in by this door from now on; called in any thread."""
        self.door, self.picture = door, picture
        self._count()
        self._wake()

    def note_table(self, says: str) -> None:
        """Note what hands are to do at the table of lights; called in any thread."""
        self.room.at_table = says
        self._count()
        self._wake()

    def _count(self) -> None:
        with self._versions:
            self.version += 1

    def _wake(self) -> None:
        for each in (self._screens, *list(self._seats.values())):
            each.wake_all()

    def note_here(self, token: str, is_here: bool) -> None:
        """Note whether a seat's phone is connected."""
        seat = self.room.people.of_token(token) if token else None
        if seat is not None and (seat in self.room.here) != is_here:
            self.room.note_here(seat, is_here)
            self.changed()

    def state_text(self, token: str) -> str:
        """Return the message for a seat's pages, or those without one, in the language spoken."""
        seat = self.room.people.of_token(token) if token else SPECTATOR
        seat = SPECTATOR if seat is None else seat
        return text_of(state_of(self.room, seat, self.door, self._screens.at))

    # ---- scenes

    def await_screens(self) -> None:
        """Give the big screens their time, anew, to show what they have not shown."""
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
        if self._is_shown():
            return
        with contextlib.suppress(RuntimeError):  # no loop runs: nobody looks on yet
            loop = asyncio.get_running_loop()
            self._waiting = loop.call_later(self._patience_s, self._screens.give_up)

    def _is_shown(self) -> bool:
        """Tell whether the big screens have shown all."""
        play = self.room.play
        return play is None or self._screens.at is None or self._screens.at >= play.moment

    # ---- bots

    def bots_due(self) -> list[BotDue]:
        """Return the bots that are to decide now; they look at the big screen, too."""
        return self.room.bots_due() if self._is_shown() else []

    def _let_bots_play(self) -> None:
        if self._thinking is None and self.bots_due():
            with speaking(LANGUAGE), contextlib.suppress(RuntimeError):  # no loop: nobody looks on
                loop = asyncio.get_running_loop()
                self._thinking = loop.create_task(self._play_bots())

    async def _play_bots(self) -> None:
        try:
            while due := self.bots_due():
                await asyncio.sleep(self._pace_s)
                await self._play_bot(due[0])
        except Exception:
            LOG.exception(tr("a bot failed"))
        finally:
            self._thinking = None

    async def _play_bot(self, due: BotDue) -> None:
        """Play what a bot chooses; the weakest one chooses where that is nothing."""
        for bot in (due.bot, _WEAKEST):
            if self.room.bots_due() != [due]:
                return  # somebody has the seat back, or something was taken back
            try:
                asked = self._thinker.choose(due._replace(bot=bot))
                action = await asyncio.wrap_future(asked)
                if self.room.bots_due() != [due]:
                    return
                self.room.act(due.seat, action, due.moment)
            except (UserError, LookupError, ValueError, BrokenProcessPool):
                LOG.exception(tr("the bot {bot} has no answer", bot=bot))
                continue
            self.changed()
            return
        raise RuntimeError(f"no bot plays seat {due.seat}")


class _NightPages(Viewers):
    """Pages that are told whole states, the latest wins."""

    def __init__(self, evening: Evening, commands: Commands) -> None:
        super().__init__(commands)
        self._evening = evening

    def wake_all(self) -> None:
        """Have everybody sent what there is now."""
        with self._lock:
            self._wake_all()

    def outgoing(self, viewer: Viewer) -> list[str]:
        """Return the state if it is new to the page, then the answers: those are of that state."""
        with self._lock:
            viewer.is_woken = False
            if viewer not in self._viewers:
                return []
            texts = [*viewer.replies]
            viewer.replies.clear()
            is_new, viewer.seen = viewer.seen != self._evening.version, self._evening.version
        return [*self._news(viewer.language), *texts] if is_new else texts

    def _news(self, _language: str) -> list[str]:
        """Return what there is now, in a language; strangers are told nothing."""
        return []

    def _reply_of(self, number: int, why: str | None) -> dict[str, Any]:
        return {"type": "answer", "id": number, "error": why}


class SeatPages(_NightPages):
    """The pages of a seat."""

    def __init__(self, evening: Evening, token: str, commands: Commands = SEATS_COMMANDS) -> None:
        super().__init__(evening, commands)
        self._token = token
        self._texts: dict[str, tuple[int, str]] = {}  # by language, with the version

    def join(self, address: str, wake: Callable[[], None], device: str = "") -> Viewer:
        """Return a new page."""
        viewer = super().join(address, wake, device)
        self._evening.note_here(self._token, True)
        self.wake_all()
        return viewer

    def leave(self, viewer: Viewer) -> None:
        """Forget a page."""
        super().leave(viewer)
        if not self._viewers:
            self._evening.note_here(self._token, False)

    def _news(self, language: str) -> list[str]:
        version = self._evening.version
        if self._texts.get(language, (0, ""))[0] != version:
            with speaking(language):
                self._texts[language] = version, self._evening.state_text(self._token)
        return [self._texts[language][1]]

    def _admit(self, viewer: Viewer, request: Request) -> None:
        if request.do not in BOX_WISHES:
            self._evening.ask(self._token, request)
        elif self._token or viewer.is_here:
            self._evening.open_box(request)
        else:
            request.refuse(tr("only who has a seat, or is at this night's PC, may change its box"))


class Screens(SeatPages):
    """The pages that look on; those that say what they have shown are waited for."""

    def __init__(self, evening: Evening) -> None:
        super().__init__(evening, "", SCREENS_COMMANDS)
        self._shown: dict[Viewer, int] = {}
        self._play: Play | None = None

    @property
    def at(self) -> int | None:
        """The moment that all of them have shown, None where there is none."""
        return min(self._shown.values(), default=None)

    def follow(self, play: Play | None) -> None:
        """Begin anew where another game is played."""
        if play is not self._play:
            self._play = play
            self._shown = dict.fromkeys(
                self._shown, -1
            )  # what comes before the game, to begin with

    def leave(self, viewer: Viewer) -> None:
        """Forget a page; nobody waits for it."""
        super().leave(viewer)
        if self._shown.pop(viewer, None) is not None:
            self._evening.changed()

    def give_up(self) -> None:
        """Wait no longer for those that are behind, until they say something again."""
        now = 0 if self._play is None else self._play.moment
        self._shown = {viewer: at for viewer, at in self._shown.items() if at >= now}
        self._evening.changed()

    def _admit(self, viewer: Viewer, request: Request) -> None:
        if request.do != "shown":
            super()._admit(viewer, request)
            return
        before = self.at
        self._shown[viewer] = request.values["steps"]
        request.accept()
        if self.at != before:
            self._evening.changed()
        else:
            self._evening.await_screens()


class Strangers(_NightPages):
    """Pages that have not said the code: they are told nothing, and may say it."""

    def __init__(self, evening: Evening) -> None:
        super().__init__(evening, STRANGERS_COMMANDS)

    def join(self, address: str, wake: Callable[[], None], device: str = "") -> Viewer:
        """Return a new page; the oldest has to go where there are too many, not who comes."""
        if len(self._viewers) >= MOST_VIEWERS:
            oldest = next(iter(self._viewers))
            self.leave(oldest)
            self.drop(oldest, TRY_AGAIN, tr("too many pages look on already"))
        return super().join(address, wake, device)

    def _admit(self, viewer: Viewer, request: Request) -> None:
        codes = self._evening.codes
        if not codes.allows_a_try(viewer.address.rpartition(" port ")[0]):
            request.refuse(tr("too many tries; wait a minute"))
        elif not codes.is_right(request.values["code"]):
            request.refuse(tr("this is not the code; the big screen shows it"))
        else:
            self._evening.ask("", request)

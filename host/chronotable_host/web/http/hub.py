"""The hub between the thread of the game and that of the server: views go out, requests come in.

Three rules. The game never waits: a view that it publishes replaces one that was not sent yet.
Everything that is sent is absolute (the latest view, who has control, what can be chosen), so that
a viewer loses nothing by what was replaced; only replies are queued, and a viewer who lets too many
wait is dropped. And one viewer at a time has control: the game gets the requests of no other.

There is no event loop here: a viewer is woken by a function of its own, and what it is to be sent
is asked for with `outgoing`.
"""

import secrets
import time
from collections import deque
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from chronotable_host.language import LANGUAGE, speaking, tr
from chronotable_host.limits import Clock
from chronotable_host.web.http.requests import Commands, Request
from chronotable_host.web.http.viewers import Viewer, Viewers, text_of
from chronotable_host.web.service import COMMANDS, HERE_ONLY

Views = Mapping[str, dict[str, Any]]
"""A view by language."""
Hello = Callable[[], dict[str, Any]]

MOST_WAITING = 200
"""Requests that the game has not taken yet."""


class Hub(Viewers):
    """Views out, requests in.

    The game's thread calls `publish`, `greet` and `take`, and answers requests; the server's the
    rest. `hello` gives what a new viewer is told first, and is called in the server's thread;
    `commands` are what viewers may ask for. Control is that of a viewer who is there; of a `seat`
    it is that of a browser, with all of its pages: who comes first has it, and keeps it while away,
    until `vacate`.
    """

    def __init__(
        self,
        hello: Hello,
        clock: Clock = time.monotonic,
        commands: Commands = COMMANDS,
        is_seat: bool = False,
    ) -> None:
        super().__init__(commands, clock)
        self._hello = hello
        self._is_seat = is_seat
        self._server = secrets.token_hex(8)
        self._holder: Viewer | None = None
        self._waiting: deque[tuple[Viewer, Request]] = deque()
        self._version = 0
        self._views = {LANGUAGE: ""}  # by language

    # ---- for the game

    @property
    def languages(self) -> set[str]:
        """Those of all who look on, but for the program's own."""
        with self._lock:
            return {viewer.language for viewer in self._viewers} - {LANGUAGE}

    @property
    def is_held(self) -> bool:
        """Whether anybody is there who has control."""
        return self._holder in self._viewers

    def vacate(self) -> None:
        """Have nobody in control of a seat: who had it has gone."""
        with self._lock:
            if self._holder is not None and self._holder not in self._viewers:
                self._hand_to(None)

    def publish(self, view: dict[str, Any], others: Views = MappingProxyType({})) -> None:
        """Show everybody a view, numbered as `version`; one that was not sent yet is dropped.

        `others` is the same in other languages than the program's own.
        """
        version = self._version + 1  # only the game's thread counts
        texts = {}
        for language, each in {LANGUAGE: view, **others}.items():
            with speaking(language):
                texts[language] = text_of({**each, "type": "view", "version": version})
        with self._lock:
            self._version, self._views = version, texts
            self._wake_all()

    def greet(self) -> None:
        """Tell everybody anew what there is: colours or chapters have changed."""
        with self._lock:
            for viewer in self._viewers:
                viewer.needs_hello = True
            self._wake_all()

    def take(self) -> list[Request]:
        """Return what was asked for since, in order; each request is to be answered once."""
        with self._lock:
            requests = [request for _, request in self._waiting]
            self._waiting.clear()
        return requests

    # ---- for the server

    def outgoing(self, viewer: Viewer) -> list[str]:
        """Return what a viewer is to be sent by now, in order."""
        texts = []
        with self._lock:
            viewer.is_woken = False
            needs_hello, viewer.needs_hello = viewer.needs_hello, False
            if viewer not in self._viewers:
                return []
            if viewer.needs_control:
                viewer.needs_control = False
                texts.append(text_of(self._control_for(viewer)))
            texts.extend(viewer.replies)
            viewer.replies.clear()
            # whose language nobody had before is told with the next view
            if viewer.seen != self._version and viewer.language in self._views:
                viewer.seen = self._version
                texts.append(self._views[viewer.language])
        if needs_hello:  # asked for without the lock: it may take its time
            with speaking(viewer.language):
                texts.insert(0, text_of(self._hello_for(viewer)))
        return texts

    # ---- control

    def _came(self, viewer: Viewer) -> None:
        if self._is_seat and (self._holder is None or self._has_control(viewer)):
            self._holder = viewer
        self._tell_control()

    def _left(self, viewer: Viewer) -> None:
        if self._holder is viewer:
            others = filter(self._has_control, self._viewers) if self._is_seat else iter(())
            self._holder = next(others, viewer if self._is_seat else None)
        self._tell_control()

    def _has_control(self, viewer: Viewer) -> bool:
        holder = self._holder
        if holder is None or not (self._is_seat and viewer.device):
            return holder is viewer
        return holder.device == viewer.device

    def _reply_of(self, number: int, why: str | None) -> dict[str, Any]:
        reply: dict[str, Any] = {"type": "reply", "id": number, "ok": why is None}
        return reply if why is None else {**reply, "why": why}

    def _admit(self, viewer: Viewer, request: Request) -> None:
        """Deal with a request about control; keep another for the game, or refuse it."""
        with self._lock:
            why, displaced = self._place(viewer, request)
        for each in displaced:
            each.refuse(tr("{viewer} has taken control", viewer=viewer.name))
        if why:
            request.refuse(why)
        elif request.do in _CONTROL:
            request.accept()

    def _why_not(self, viewer: Viewer, do: str) -> str:
        holder = self._holder
        if holder is None or self._has_control(viewer):
            return ""
        if self._is_seat:
            return tr("this place is taken; you look on")
        if do in _CONTROL:
            return ""
        return tr("{viewer} plays here; take over first", viewer=_name_of(holder))

    def _place(self, viewer: Viewer, request: Request) -> tuple[str, list[Request]]:
        """Return why a request is refused, "" if it is not, and whose time is over by it."""
        own = _CONTROL.get(request.do)
        if own is not None and not (why := self._why_not(viewer, request.do)):
            return own(self, viewer)
        if request.do in HERE_ONLY and not viewer.is_here:
            return tr("only a page on the computer itself may do that"), []
        if self._holder is None:
            self._hand_to(viewer)
        if why := self._why_not(viewer, request.do):
            return why, []
        if len(self._waiting) >= MOST_WAITING:
            return tr("too many requests are waiting; try again in a moment"), []
        self._waiting.append((viewer, request))
        return "", []

    def _take_control(self, viewer: Viewer) -> tuple[str, list[Request]]:
        if self._holder is viewer:
            return "", []
        former = self._holder
        displaced = [request for sender, request in self._waiting if sender is former]
        if displaced:
            self._waiting = deque(each for each in self._waiting if each[0] is not former)
        self._hand_to(viewer)
        return "", displaced

    def _release_control(self, viewer: Viewer) -> tuple[str, list[Request]]:
        if self._holder is not viewer:
            return tr("control is not yours to give"), []
        self._hand_to(None)
        return "", []

    def _hand_to(self, viewer: Viewer | None) -> None:
        self._holder = viewer
        self._tell_control()

    def _tell_control(self) -> None:
        for viewer in self._viewers:
            viewer.needs_control = True
        self._wake_all()

    def _control_for(self, viewer: Viewer) -> dict[str, Any]:
        return {
            "type": "control",
            "you": viewer.name,
            "holder": _name_of(self._holder),
            "yours": self._has_control(viewer),
            "viewers": len(self._viewers),
        }

    def _hello_for(self, viewer: Viewer) -> dict[str, Any]:
        own = {"type": "hello", "you": viewer.name, "here": viewer.is_here}
        return {"server": self._server, **self._hello(), **own}


_CONTROL: dict[str, Callable[[Hub, Viewer], tuple[str, list[Request]]]] = {
    "take_control": Hub._take_control,
    "release_control": Hub._release_control,
}


def _name_of(viewer: Viewer | None) -> str | None:
    return None if viewer is None else viewer.name

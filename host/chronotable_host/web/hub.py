"""The hub between the thread of the game and that of the server: views go out, requests come in.

Three rules. The game never waits: a view that it publishes replaces one that was not sent yet.
Everything that is sent is absolute (the latest view, who has control, what can be chosen), so that
a viewer loses nothing by what was replaced; only replies are queued, and a viewer who lets too many
wait is dropped. And one viewer at a time has control: the game gets the requests of no other.

There is no event loop here: a viewer is woken by a function of its own, and what it is to be sent
is asked for with `outgoing`.
"""

from __future__ import annotations

import json
import logging
import secrets
import time
from collections import deque
from collections.abc import Callable
from functools import partial
from threading import Lock
from typing import Any

from chronotable_host.errors import cleaned, without_folders
from chronotable_host.language import tr
from chronotable_host.web.guard import Clock, Quota, Refusals
from chronotable_host.web.requests import COMMANDS, Commands, Request, RequestError, parse_request

Hello = Callable[[], dict[str, Any]]

MOST_VIEWERS = 32
MOST_WAITING = 200
"""Requests that the game has not taken yet."""
MOST_REPLIES = 256
"""Replies that a viewer has not read yet."""
MOST_MALFORMED = 20
MOST_REQUESTS, WITHIN_S = 200, 5.0
MOST_IGNORED = 1000
"""Requests beyond that pace; at the next the viewer is dropped."""

_LOGGED_A_MINUTE = 100

POLICY = 1008
TRY_AGAIN = 1013
"""Codes with which a socket is closed."""


class Viewer:
    """A page that looks on. Whoever serves it reads `name`, `address` and `closing`, no more.

    `closing` is None, or the code and the reason with which its socket is to be closed.
    """

    def __init__(
        self,
        number: int,
        address: str,
        wake: Callable[[], None],
        clock: Clock,
        logged: Quota,
    ) -> None:
        self.name = tr("viewer {number}", number=number)
        self.address = address
        self.closing: tuple[int, str] | None = None
        self.wake = wake
        self.is_woken = False
        self.needs_hello = True
        self.needs_control = True
        self.seen = 0  # the version of the view that was sent last
        self.replies: deque[str] = deque()
        self.pace = Quota(MOST_REQUESTS, WITHIN_S, clock)
        self.malformed = 0
        self.ignored = 0
        self.refusals = Refusals(clock, logged)


class Hub:
    """Views out, requests in.

    The game's thread calls `publish`, `greet` and `take`, and answers requests; the server's the
    rest. `hello` gives what a new viewer is told first, and is called in the server's thread;
    `commands` are what viewers may ask for, where it `is_shared` all of them at any time: they are
    one person's, with more than one screen.
    """

    def __init__(
        self,
        hello: Hello,
        clock: Clock = time.monotonic,
        commands: Commands = COMMANDS,
        is_shared: bool = False,
    ) -> None:
        self._hello = hello
        self._commands = commands
        self._is_shared = is_shared
        self._ended: tuple[int, str] | None = None
        self._clock = clock
        self._logged = Quota(_LOGGED_A_MINUTE, 60, clock)  # by all viewers: they can come anew
        self._server = secrets.token_hex(8)
        self._lock = Lock()
        self._viewers: dict[Viewer, None] = {}  # in the order in which they came
        self._joined = 0
        self._holder: Viewer | None = None
        self._waiting: deque[tuple[Viewer, Request]] = deque()
        self._version = 0
        self._view = ""

    # ---- for the game

    def publish(self, view: dict[str, Any]) -> None:
        """Show a view to everybody, numbered as `version`; one that was not sent yet is dropped."""
        version = self._version + 1  # only the game's thread counts
        text = _text({**view, "type": "view", "version": version})
        with self._lock:
            self._version, self._view = version, text
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

    def join(self, address: str, wake: Callable[[], None]) -> Viewer:
        """Return a new viewer, whom `wake` tells from any thread that there is something to send.

        Where there are too many it is one that is to be closed at once.
        """
        with self._lock:
            self._joined += 1
            viewer = Viewer(self._joined, address, wake, self._clock, self._logged)
            if self._ended is not None:
                self._close(viewer, *self._ended)
                return viewer
            if len(self._viewers) < MOST_VIEWERS:
                self._viewers[viewer] = None
                self._tell_control()
                return viewer
        self.drop(viewer, TRY_AGAIN, tr("too many pages look on already"))
        return viewer

    def leave(self, viewer: Viewer) -> None:
        """Forget a viewer whose socket is closed; its control is free again."""
        with self._lock:
            self._viewers.pop(viewer, None)
            if self._holder is viewer:
                self._holder = None
            self._tell_control()

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
                texts.append(_text(self._control_for(viewer)))
            texts.extend(viewer.replies)
            viewer.replies.clear()
            if viewer.seen != self._version:
                viewer.seen = self._version
                texts.append(self._view)
        if needs_hello:  # asked for without the lock: it may take its time
            texts.insert(0, _text(self._hello_for(viewer)))
        return texts

    def receive(self, viewer: Viewer, text: str) -> None:
        """Take a message of a viewer; it gets its reply, whatever it sent."""
        if viewer.closing is not None:
            return
        in_time = viewer.pace.allows()
        try:
            request = parse_request(text, self._commands)
        except RequestError as error:
            self.malformed(viewer, str(error), error.id)
            return
        request.sent_by(viewer.name, partial(self._answered, viewer))
        if in_time:
            self._admit(viewer, request)
            return
        viewer.ignored += 1
        if viewer.ignored > MOST_IGNORED:
            self.drop(viewer, POLICY, tr("too many requests"))
        request.refuse(
            tr("more than {most} requests in {n} seconds", most=MOST_REQUESTS, n=round(WITHIN_S))
        )

    def malformed(self, viewer: Viewer, why: str, number: int = 0) -> None:
        """Tell a viewer that its message is no request, and drop one that goes on like this."""
        viewer.refusals.note(tr("a message of {viewer}", viewer=viewer.name), viewer.address, why)
        self._reply(viewer, number, why)
        viewer.malformed += 1
        if viewer.malformed >= MOST_MALFORMED:
            self.drop(viewer, POLICY, tr("too many messages that cannot be understood"))

    def drop(self, viewer: Viewer, code: int, why: str) -> None:
        """Have a viewer's socket closed, with a code and a reason."""
        viewer.refusals.note(viewer.name, viewer.address, why)
        with self._lock:
            self._close(viewer, code, why)

    def dismiss(self, code: int, why: str) -> None:
        """Have all sockets closed."""
        with self._lock:
            for viewer in self._viewers:
                self._close(viewer, code, why)

    def end(self, code: int, why: str) -> None:
        """Have all sockets closed, and those that come later, too."""
        with self._lock:
            self._ended = code, why
        self.dismiss(code, why)

    # ---- control

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

    def _place(self, viewer: Viewer, request: Request) -> tuple[str, list[Request]]:
        """Return why a request is refused, "" if it is not, and whose time is over by it."""
        own = _CONTROL.get(request.do)
        if own is not None:
            return own(self, viewer)
        if self._holder is None and not self._is_shared:
            self._hand_to(viewer)
        if self._holder is not viewer and not self._is_shared:
            return tr("{viewer} has control; take it first", viewer=_name_of(self._holder)), []
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
            "yours": self._holder is viewer,
            "viewers": len(self._viewers),
        }

    def _hello_for(self, viewer: Viewer) -> dict[str, Any]:
        return {"server": self._server, **self._hello(), "type": "hello", "you": viewer.name}

    # ---- replies

    def _answered(self, viewer: Viewer, request: Request, why: str | None) -> None:
        if why is not None:
            what = f"'{request.do}' of {viewer.name}"
            viewer.refusals.note(what, viewer.address, why, logging.INFO)
        self._reply(viewer, request.id, why)

    def _reply(self, viewer: Viewer, number: int, why: str | None) -> None:
        reply: dict[str, Any] = {"type": "reply", "id": number, "ok": why is None}
        if why is not None:
            reply["why"] = without_folders(why)
        with self._lock:
            if viewer not in self._viewers or viewer.closing is not None:
                return
            if len(viewer.replies) < MOST_REPLIES:
                viewer.replies.append(_text(reply))
                self._wake(viewer)
                return
        self.drop(viewer, TRY_AGAIN, tr("replies are not read"))

    # ---- under the lock

    def _close(self, viewer: Viewer, code: int, why: str) -> None:
        if viewer.closing is None:
            viewer.closing = code, why
        self._wake(viewer)

    def _wake_all(self) -> None:
        for viewer in self._viewers:
            self._wake(viewer)

    def _wake(self, viewer: Viewer) -> None:
        if not viewer.is_woken:
            viewer.is_woken = True
            viewer.wake()


_CONTROL: dict[str, Callable[[Hub, Viewer], tuple[str, list[Request]]]] = {
    "take_control": Hub._take_control,
    "release_control": Hub._release_control,
}


def _name_of(viewer: Viewer | None) -> str | None:
    return None if viewer is None else viewer.name


def _text(message: dict[str, Any]) -> str:
    return json.dumps(cleaned(message), separators=(",", ":"))

"""Viewers of a page: who is there, how fast each may ask, what becomes of who asks for nonsense.

What they are sent and what becomes of their requests is a matter of the classes that derive from
`Viewers`. There is no event loop here: a viewer is woken by a function of its own, and what it is
to be sent is asked for with `outgoing`.
"""

import json
import logging
import time
from collections import Counter, deque
from collections.abc import Callable, Mapping
from functools import partial
from threading import Lock
from typing import Any

from chronotable_host.errors import printable_json, without_folders
from chronotable_host.language import spoken, tr
from chronotable_host.limits import Clock, Quota, Refusals, network_of
from chronotable_host.web.http.requests import (
    Commands,
    Request,
    RequestError,
    check_request,
    named_request,
)

MOST_VIEWERS = 32
MOST_REPLIES = 256
"""Replies that a viewer has not read yet."""
MOST_MALFORMED = 20
MOST_REQUESTS, WITHIN_S = 200, 5.0
MOST_IGNORED = 1000
"""Requests beyond that pace; at the next the viewer is dropped."""

_LOGGED_A_MINUTE = 100
_BEAT = "beat"  # asks whether somebody is there, and is answered at once

POLICY = 1008
TRY_AGAIN = 1013
"""Codes with which a socket is closed."""


class Viewer:
    """A page that looks on. Whoever serves it reads `name`, `address` and `closing`, no more.

    `closing` is None, or the code and the reason with which its socket is to be closed. One that
    `is_here` is on this computer; `device` is a secret that all pages of one browser tell, "" where
    it tells none.
    """

    def __init__(
        self,
        number: int,
        address: str,
        wake: Callable[[], None],
        clock: Clock,
        logged: Quota,
        device: str,
    ) -> None:
        self.device = device
        self.name = tr("screen {number}", number=number)
        self.address = address
        self.network, self.is_here = network_of(address.rpartition(" port ")[0] or address)
        self.closing: tuple[int, str] | None = None
        self.language = spoken()
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


class Viewers:
    """Those who look on and ask, at most so many; `commands` are what they may ask for."""

    def __init__(
        self, commands: Commands, clock: Clock = time.monotonic, most: int = MOST_VIEWERS
    ) -> None:
        self._most = most
        self._commands = commands
        self._clock = clock
        self._logged = Quota(_LOGGED_A_MINUTE, 60, clock)  # by all viewers: they can come anew
        self._lock = Lock()
        self._viewers: dict[Viewer, None] = {}  # in the order in which they came
        self._joined = 0
        self._ended: tuple[int, str] | None = None

    def join(self, address: str, wake: Callable[[], None], device: str = "") -> Viewer:
        """Return a new viewer, whom `wake` tells from any thread that there is something to send.

        Where there are too many, the oldest of the network with the most of them makes room, if
        the new one's has fewer; else it is the new one that is to be closed at once.
        """
        with self._lock:
            self._joined += 1
            viewer = Viewer(self._joined, address, wake, self._clock, self._logged, device)
            if self._ended is not None:
                self._close(viewer, *self._ended)
                return viewer
            self._viewers[viewer] = None
            self._came(viewer)
            surplus = self._who_makes_room(viewer) if len(self._viewers) > self._most else None
        if surplus is not None:
            self.leave(surplus)
            self.drop(surplus, TRY_AGAIN, tr("too many pages look on already"))
        return viewer

    def leave(self, viewer: Viewer) -> None:
        """Forget a viewer whose socket is closed."""
        with self._lock:
            self._viewers.pop(viewer, None)
            self._left(viewer)

    def receive(self, viewer: Viewer, text: str) -> None:
        """Take a message of a viewer; it gets its reply, whatever it sent."""
        if viewer.closing is not None:
            return
        in_time, commands = viewer.pace.allows(), {_BEAT: {}, **self._commands}
        try:
            request = named_request(text, commands)
            why = self._why_not(viewer, request.do)
            if in_time and not why:
                check_request(request, commands)
        except RequestError as error:
            self.malformed(viewer, str(error), error.id)
            return
        request.language = viewer.language
        request.sent_by(viewer.name, partial(self._answered, viewer))
        if in_time:
            if request.do == _BEAT:
                request.accept()
            elif why:
                request.refuse(why)
            else:
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

    # ---- what others decide

    def outgoing(self, viewer: Viewer) -> list[str]:
        """Return what a viewer is to be sent by now, in order."""
        raise NotImplementedError

    def _why_not(self, _viewer: Viewer, _do: str) -> str:
        """Return why a viewer may not ask for this, "" where it may; asked before it is read."""
        return ""

    def _admit(self, viewer: Viewer, request: Request) -> None:
        """Deal with a request of a viewer, or keep it; it gets an answer once."""
        raise NotImplementedError

    def _reply_of(self, number: int, why: str | None) -> dict[str, Any]:
        """Return the message that answers a request, None for one that is done."""
        raise NotImplementedError

    def _came(self, _viewer: Viewer) -> None:
        """Note, under the lock, that somebody is there now."""

    def _left(self, viewer: Viewer) -> None:
        """Note, under the lock, that somebody is gone."""

    # ---- replies

    def _answered(self, viewer: Viewer, request: Request, why: str | None) -> None:
        if why is not None:
            what = f"'{request.do}' of {viewer.name}"
            viewer.refusals.note(what, viewer.address, why, logging.INFO)
        self._reply(viewer, request.id, why, request.told)

    def _reply(
        self, viewer: Viewer, number: int, why: str | None, told: Mapping[str, Any] | None = None
    ) -> None:
        reply = self._reply_of(number, None if why is None else without_folders(why))
        reply.update(told or {})
        with self._lock:
            if viewer not in self._viewers or viewer.closing is not None:
                return
            if len(viewer.replies) < MOST_REPLIES:
                viewer.replies.append(text_of(reply))
                self._wake(viewer)
                return
        self.drop(viewer, TRY_AGAIN, tr("replies are not read"))

    # ---- under the lock

    def _who_makes_room(self, new: Viewer) -> Viewer:
        crowd = Counter(each.network for each in self._viewers)
        (network, most), *_ = crowd.most_common(1)
        if most <= crowd[new.network]:
            return new
        return next(each for each in self._viewers if each.network == network)

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


def text_of(message: dict[str, Any]) -> str:
    """Return a message as it is sent, cleaned."""
    return json.dumps(printable_json(message), separators=(",", ":"))

"""The socket: what the hub has for a viewer goes out, what the viewer says comes in.

One rule: nobody waits for a viewer. One that does not read is dropped, with its connection.

A phone that falls asleep closes nothing. So that both ends notice, the server says something at
least every `BEAT_S`: a `beat` to the page's script, and a ping, which the browser answers for it.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from starlette.websockets import WebSocketDisconnect

from chronotable_host.language import tr
from chronotable_host.web.http.guard import client_of
from chronotable_host.web.http.viewers import POLICY, TRY_AGAIN, Viewer, Viewers, text_of

if TYPE_CHECKING:
    from starlette.websockets import WebSocket

PATIENCE_S = 10.0
"""How long a viewer may take to read before it is dropped."""
BEAT_S = 3.0
"""Either end takes the other for gone after three times as long."""

_MOST_DEVICE = 64  # signs of what a browser calls itself

# What the layers below refuse, for the log, and the codes with which they close.
_FAULTS = {
    1002: tr("frames that are none"),
    1007: tr("a text that is not UTF-8"),
    1009: tr("a message that is too long"),
}

_GONE = (WebSocketDisconnect, RuntimeError)  # the latter where uvicorn has closed it itself

Abort = Callable[[tuple[str, int]], None]
"""Ends the connection of an address without a farewell."""


class Sockets:
    """Serves the socket of each viewer; who does not read for so long is dropped.

    `hub_of` returns the hub of a guest's token, None once the invitation has ended.
    """

    _pace_s = 0.0  # between two messages, or more of what belongs together

    def __init__(
        self, hub: Viewers, hub_of: Callable[[str], Viewers | None], abort: Abort, patience_s: float
    ) -> None:
        self._hub = hub
        self._hub_of = hub_of
        self._abort = abort
        self._patience_s = patience_s

    async def serve(self, socket: WebSocket) -> None:
        """Serve a viewer of the page."""
        await self.carry(socket, self._hub)

    async def serve_guest(self, socket: WebSocket) -> None:
        """Serve a guest, by the token in the path."""
        hub = self._hub_of(socket.path_params["token"])
        if hub is None:
            await socket.close(POLICY)
        else:
            await self.carry(socket, hub)

    async def carry(self, socket: WebSocket, hub: Viewers) -> None:
        """Carry what the hub has for a viewer, and what the viewer says, until either ends."""
        await socket.accept()
        woken = asyncio.Event()
        loop = asyncio.get_running_loop()

        def wake() -> None:
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody looks on any more
                loop.call_soon_threadsafe(woken.set)

        device = socket.query_params.get("device", "")[:_MOST_DEVICE]
        viewer = hub.join(client_of(socket.scope), wake, device)
        sending = asyncio.ensure_future(self._send(socket, hub, viewer, woken))
        receiving = asyncio.ensure_future(_receive(socket, hub, viewer))
        try:
            await asyncio.wait((sending, receiving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            hub.leave(viewer)
            for each in (sending, receiving):
                each.cancel()
            ends = await asyncio.gather(sending, receiving, return_exceptions=True)
        for end in ends:
            if isinstance(end, Exception):
                raise end

    async def _send(
        self, socket: WebSocket, hub: Viewers, viewer: Viewer, woken: asyncio.Event
    ) -> None:
        beat = text_of({"type": "beat", "every_ms": round(1000 * BEAT_S)})
        loop = asyncio.get_running_loop()
        first = [beat]  # with it a page knows what silence is too long
        while viewer.closing is None:
            due = loop.call_later(BEAT_S, woken.set)
            await woken.wait()
            due.cancel()
            woken.clear()
            for text in [*hub.outgoing(viewer), *first] or [beat]:
                if not await self._carry(socket, hub, viewer, socket.send_text(text)):
                    return
            first = []
            if self._pace_s and viewer.closing is None:
                await asyncio.sleep(self._pace_s)
        for text in hub.outgoing(viewer) if viewer.replies else ():  # answered before it was closed
            if not await self._carry(socket, hub, viewer, socket.send_text(text)):
                return
        code, why = viewer.closing
        await self._carry(socket, hub, viewer, socket.close(code, str(why)))

    async def _carry(
        self, socket: WebSocket, hub: Viewers, viewer: Viewer, sending: Coroutine[Any, Any, None]
    ) -> bool:
        """Send something and tell whether the viewer is there to read it."""
        try:
            await asyncio.wait_for(sending, self._patience_s)
        except _GONE:
            return False
        except asyncio.TimeoutError:
            hub.drop(viewer, TRY_AGAIN, tr("nothing is read any more"))
            if socket.client is not None:
                self._abort(socket.client)
            return False
        return True


async def _receive(socket: WebSocket, hub: Viewers, viewer: Viewer) -> None:
    while True:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            fault = _FAULTS.get(message.get("code", 0))
            if fault is not None:
                viewer.refusals.note(viewer.name, viewer.address, fault)
            return
        text = message.get("text")
        if text is None:
            hub.malformed(viewer, tr("a message is a text, not bytes"))
        else:
            hub.receive(viewer, text)

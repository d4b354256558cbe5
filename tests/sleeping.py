"""A line that dies as a phone's does that falls asleep: bytes are swallowed, nothing is closed."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest

from chronotable_host.web.http import sockets
from chronotable_host.web.http.addresses import LOOPBACK

BEAT_S = 0.5
"""How often a server speaks here: nobody waits for the product's seconds."""


class SleepingLine:
    """A line to a server, which is to listen at `where`, until it `sleeps`.

    `url` leads through the line. Its port is the server's, because that answers to no other; others
    come to the server without the line, at `host`, another address of this computer.
    """

    def __init__(self) -> None:
        self._listening = socket.create_server((LOOPBACK, 0))
        self.port: int = self._listening.getsockname()[1]
        self.host = "127.0.0.2"
        self._is_asleep = False
        self._ends: list[socket.socket] = []
        self._alive: set[socket.socket] = set()
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        """The server's address by this line."""
        return f"http://{LOOPBACK}:{self.port}"

    @property
    def where(self) -> dict[str, Any]:
        """Host and port for the server."""
        return {"host": self.host, "port": self.port}

    def sleeps(self) -> None:
        """Let nothing through: what is connected is dead for good, what comes is not answered.

        Only what is asked on such a connection after it `wakes` is turned away, as a router does.
        """
        self._is_asleep = True
        self._alive.clear()

    def wakes(self) -> None:
        """Carry connections that are made from now on."""
        self._is_asleep = False

    def close(self) -> None:
        """Cut everything."""
        for each in (self._listening, *self._ends):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                visitor, _ = self._listening.accept()
                self._ends.append(visitor)
                server = socket.create_connection((self.host, self.port))
                self._ends.append(server)
                if not self._is_asleep:
                    self._alive |= {visitor, server}
                for ends in ((visitor, server), (server, visitor)):
                    threading.Thread(target=self._carry, args=ends, daemon=True).start()

    def _carry(self, source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(1 << 16):
                if source in self._alive:
                    sink.sendall(data)
                elif not self._is_asleep and data.startswith((b"GET ", b"POST ")):
                    # a request on a connection that was kept: nobody knows of it any more
                    source.shutdown(socket.SHUT_RDWR)
            if source in self._alive:
                sink.shutdown(socket.SHUT_WR)


@contextmanager
def sleeping_line(monkeypatch: pytest.MonkeyPatch) -> Iterator[SleepingLine]:
    """Open a line to a server that is started then, and that speaks every half second."""
    monkeypatch.setattr(sockets, "BEAT_S", BEAT_S)
    line = SleepingLine()
    try:
        yield line
    finally:
        line.close()

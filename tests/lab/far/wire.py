"""A line to a broker that can be cut: between a program and a port, for a while."""

from __future__ import annotations

import contextlib
import selectors
import socket
import threading

_BYTES = 1 << 16
_LOOK_S = 0.05


class Wire:
    """Passes bytes on between whoever connects to `port` and another port of this machine."""

    def __init__(self, to_port: int) -> None:
        self._to_port = to_port
        self._is_whole = True
        self._ends: dict[socket.socket, socket.socket] = {}
        self._lock = threading.Lock()
        self._is_over = False
        self._ear = socket.create_server(("127.0.0.1", 0))
        self._ear.settimeout(_LOOK_S)
        self.port: int = self._ear.getsockname()[1]
        self._selector = selectors.DefaultSelector()
        self._thread = threading.Thread(target=self._run, name="wire", daemon=True)
        self._thread.start()

    def cut(self) -> None:
        """Break all lines off; who connects is sent away until it is mended."""
        self._is_whole = False
        with self._lock:
            for end in list(self._ends):
                self._drop(end)

    def mend(self) -> None:
        """Let lines through again."""
        self._is_whole = True

    def close(self) -> None:
        """End it."""
        self._is_over = True
        self._thread.join()
        self.cut()
        self._ear.close()

    def _run(self) -> None:
        while not self._is_over:
            with contextlib.suppress(OSError):
                self._ear.setblocking(False)
                line, _ = self._ear.accept()
                self._join(line)
            with self._lock:
                if not self._ends:
                    ready = []
                else:
                    ready = [key.fileobj for key, _ in self._selector.select(_LOOK_S)]
                for end in ready:
                    if end in self._ends:
                        self._pass_on(end)
            if not self._ends:
                threading.Event().wait(_LOOK_S)

    def _join(self, line: socket.socket) -> None:
        if not self._is_whole:
            line.close()
            return
        try:
            far = socket.create_connection(("127.0.0.1", self._to_port), 1.0)
        except OSError:
            line.close()
            return
        with self._lock:
            for one, other in ((line, far), (far, line)):
                one.settimeout(5.0)
                self._ends[one] = other
                self._selector.register(one, selectors.EVENT_READ)

    def _pass_on(self, end: socket.socket) -> None:
        try:
            data = end.recv(_BYTES)
            if data:
                self._ends[end].sendall(data)
                return
        except OSError:
            pass
        self._drop(end)

    def _drop(self, end: socket.socket) -> None:
        other = self._ends.pop(end, None)
        for each in (end, other):
            if each is not None:
                with contextlib.suppress(KeyError, ValueError):
                    self._selector.unregister(each)
                self._ends.pop(each, None)
                each.close()

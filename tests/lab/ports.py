"""Servers that the lab and the tests start, and ports for them."""

from __future__ import annotations

import contextlib
import signal
import socket
import subprocess
from random import Random


def free_port() -> int:
    """Return a port that nobody listens at; none of those that connections are given."""
    while True:
        port = Random().randrange(20_000, 30_000)
        with socket.socket() as tried, contextlib.suppress(OSError):
            tried.bind(("127.0.0.1", port))
            return port


class Server:
    """One that runs as a process of its own, and can be killed."""

    _ends_by = signal.SIGKILL
    _process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """Its process, 0 where it does not run."""
        return self._process.pid if self._process is not None else 0

    def stop(self, how: signal.Signals | None = None) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.send_signal(how or self._ends_by)
            process.wait()

"""Ports for the servers that the lab and the tests start."""

from __future__ import annotations

import contextlib
import socket
from random import Random


def free_port() -> int:
    """Return a port that nobody listens at; none of those that connections are given."""
    while True:
        port = Random().randrange(20_000, 30_000)
        with socket.socket() as tried, contextlib.suppress(OSError):
            tried.bind(("127.0.0.1", port))
            return port

"""Mosquitto as a process: with users, with TLS, with WebSockets, killed and started again."""

from __future__ import annotations

import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from websockets.exceptions import ConnectionClosed
from websockets.sync.server import ServerConnection, serve
from websockets.typing import Subprotocol

from tests.lab.ports import Server, free_port

_START_S = 10.0


def program() -> str | None:
    return shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin")


class Mosquitto(Server):
    """A broker at a port of this machine that keeps nothing over a restart, unless told to.

    `settings` are further lines of its configuration.
    """

    def __init__(self, folder: Path, settings: str = "allow_anonymous true") -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.port = free_port()
        self._config = folder / "mosquitto.conf"
        self._log = folder / "mosquitto.log"
        # started by root it would go on as its own user, who may not read the folders of tests
        lines = (f"listener {self.port} 127.0.0.1", "user root", settings)
        self._config.write_text("\n".join(lines) + "\n", "utf-8")
        self.start()

    def start(self) -> None:
        name = program()
        assert name is not None, "mosquitto is not installed"
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [name, "-c", str(self._config)], stdout=log, stderr=log
            )
        until = time.monotonic() + _START_S
        while not _listens(self.port):
            if self._process.poll() is not None or time.monotonic() > until:
                raise AssertionError(self._log.read_text("utf-8"))
            time.sleep(0.01)


def _listens(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), 1.0):
            return True
    except OSError:
        return False


@contextmanager
def upgraded(folder: Path) -> Iterator[tuple[int, int, list[ServerConnection]]]:
    """Start one that is reached by WebSockets, too, which not every build knows itself.

    Yields its port, that for WebSockets, and the lines opened there so far, which may be closed.
    """
    broker = Mosquitto(folder)
    lines: list[ServerConnection] = []

    def join(line: ServerConnection) -> None:
        lines.append(line)
        with socket.create_connection(("127.0.0.1", broker.port)) as there, suppress(OSError):
            threading.Thread(target=_back, args=(there, line), daemon=True).start()
            with suppress(ConnectionClosed):
                for data in line:
                    assert isinstance(data, bytes)
                    there.sendall(data)
            there.shutdown(socket.SHUT_RDWR)

    server = serve(join, "127.0.0.1", 0, subprotocols=[Subprotocol("mqtt")])
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield broker.port, server.socket.getsockname()[1], lines
    finally:
        broker.stop()
        server.shutdown()
        for line in lines:
            line.close()


def _back(broker: socket.socket, line: ServerConnection) -> None:
    with suppress(OSError, ConnectionClosed):
        while data := broker.recv(1 << 16):
            line.send(data)
    line.close()

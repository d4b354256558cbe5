"""What commands are tried at: a table that is served, and a person at the keyboard."""

from __future__ import annotations

import math
import os
import sys
import threading
from collections.abc import Callable
from contextlib import closing

import pytest

from chronotable_host.hardware import boards
from chronotable_host.virtual.chance import REPEATED, Chance
from chronotable_host.virtual.runtimes.runtime import Runtime
from chronotable_host.virtual.serve import SerialLine, ServedRuntime
from chronotable_host.virtual.table import CPYTHON, VirtualTable, open_runtime
from ttykm import layout

NAME = "reference"
_SLICE_MS = 5.0


class ServedTable(threading.Thread):
    """A virtual table that is served in a thread of its own, in its own time, with a hand."""

    def __init__(
        self,
        line: SerialLine,
        speed: float = 4.0,
        table_id: str = "",
        machine: Runtime | None = None,  # that is a table, or is to become one
    ) -> None:
        super().__init__(name="served table", daemon=True)
        who = Chance(bytes.fromhex("e660" + table_id), is_repeated=True) if table_id else REPEATED
        machine = machine or open_runtime(CPYTHON, NAME, chance=who)
        self.served = ServedRuntime(machine, line, speed=speed)
        self.table = VirtualTable(self.served, boards.read(NAME), None)
        self.line = line
        self.over = threading.Event()
        self.begun_ms = 0.0
        self.acts: list[tuple[float, Callable[[], None]]] = []
        """What hands do, and when after somebody had the port open for the first time."""

    def run(self) -> None:
        with closing(self.served):
            self.table.put_up(layout.new_state())
            self.served.run(lambda: self.line.is_held() or self.over.is_set())
            self.begun_ms = self.table.now_ms  # a busy computer may take its time to open the port
            while self.acts or not self.over.is_set():
                due_ms = self.begun_ms + self.acts[0][0] if self.acts else math.inf
                self.table.run_until(min(due_ms, self.table.now_ms + _SLICE_MS))
                if self.table.now_ms >= due_ms:
                    self.acts.pop(0)[1]()

    def __enter__(self) -> ServedTable:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.over.set()
        self.join()


class Keyboard:
    """What a person types at stdin: through a pipe, or through a terminal."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, is_terminal: bool = False) -> None:
        source, self._sink = os.openpty()[::-1] if is_terminal else os.pipe()
        self._stdin = os.fdopen(source)
        monkeypatch.setattr("sys.stdin", self._stdin)
        if is_terminal:
            monkeypatch.setattr(sys.stderr, "isatty", lambda: True)

    def type(self, text: str) -> None:
        os.write(self._sink, text.encode())

    def __enter__(self) -> Keyboard:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._sink)
        for thread in threading.enumerate():
            if thread.name == "typed":
                thread.join()
        self._stdin.close()

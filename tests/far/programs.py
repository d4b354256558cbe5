"""Whoever plays at the pages and tables of `invite` and `join`, which are processes."""

from __future__ import annotations

import json
import queue
import threading
from collections.abc import Callable
from contextlib import closing
from typing import Any

from websockets.sync.client import connect

from chronotable_host.hardware import boards
from chronotable_host.virtual.chance import seeded
from chronotable_host.virtual.serve import ServedRuntime, SocketLine
from chronotable_host.virtual.table import CPYTHON, VirtualTable, open_runtime
from tests.waiting import PATIENCE_S, until
from ttykm.layout import new_state


class Viewer:
    """Somebody at a page: `view` is what it shows."""

    def __init__(self, page: str) -> None:
        self.view: dict[str, Any] = {}
        self._answers: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._socket = connect(f"ws://{page}/ws", origin=f"http://{page}")  # type: ignore[arg-type]
        self._number = 0
        threading.Thread(target=self._hear, daemon=True).start()

    def _hear(self) -> None:
        for text in self._socket:
            message = json.loads(text)
            if message["type"] == "view":
                self.view = message
            elif message["type"] == "reply":
                self._answers.put(message)

    def ask(self, do: str, **values: Any) -> None:
        """Ask for something, which is done."""
        self._number += 1
        self._socket.send(json.dumps({"id": self._number, "do": do, **values}))
        answer = self._answers.get(timeout=PATIENCE_S)
        assert answer["ok"], answer

    def waits_for(self, is_so: Callable[[dict[str, Any]], Any]) -> None:
        """Wait until the page shows something."""
        until(lambda: self.view and is_so(self.view), lambda: self.view)

    def plays(self, turn: str) -> None:
        """Choose a turn, and wait until it counts."""
        self.waits_for(lambda view: view["builder"])
        count = len(self.view["game"]["turns"])
        before: list[str] = []
        for text in turn.split():
            self.ask("choose", text=text, after=" ".join(before))
            before.append(text)
        self.waits_for(lambda view: len(view["game"]["turns"]) > count)

    @property
    def turns(self) -> list[str]:
        """The turns of the game."""
        return [turn["turn"] for turn in self.view.get("game", {}).get("turns", ())]

    def __enter__(self) -> Viewer:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()


class TableAtLine(threading.Thread):
    """A virtual table at a port, in a thread of its own, with hands that do what they are told."""

    def __init__(self, seed: str, speed: float = 2.0) -> None:
        super().__init__(name="table", daemon=True)
        machine = open_runtime(CPYTHON, "reference", chance=seeded(seed))
        self.line = SocketLine()
        self._served = ServedRuntime(machine, self.line, speed=speed)
        self._table = VirtualTable(self._served, boards.read("reference"), None)
        self._acts: queue.SimpleQueue[tuple[bool, int] | None] = queue.SimpleQueue()
        self._over = threading.Event()

    def run(self) -> None:
        """Serve it, and do what hands are told, half a second apart."""
        with closing(self._served):
            self._table.put_up(new_state())
            while not self._over.is_set():
                try:
                    act = self._acts.get_nowait()
                except queue.Empty:
                    act = None
                if act is not None:
                    (self._table.place if act[0] else self._table.lift)(act[1])
                self._table.run_until(self._table.now_ms + 500)

    def do(self, *acts: tuple[bool, int]) -> None:
        """Lift (False, sensor) and place (True, sensor)."""
        for act in acts:
            self._acts.put(act)

    def __enter__(self) -> TableAtLine:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self.join()

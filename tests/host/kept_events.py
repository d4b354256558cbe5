"""A game whose events are kept, for tests: hands at a virtual table, and its script."""

from __future__ import annotations

import json
from array import array
from pathlib import Path
from random import Random
from typing import Any

from chronotable.hardware.sensors import FOCUS
from chronotable_host.archive.store import Archive
from chronotable_host.live.happenings import Happening, JsonLine
from chronotable_host.live.mirror import Mirror
from chronotable_host.live.session import Session
from chronotable_host.virtual.play import Hands
from chronotable_host.virtual.table import VirtualTable, settings_for

TOLD = {"started", "provisional", "reopened", "turn", "taken_back", "ask", "fault", "game_over"}
SET_UP = (0, 15, 16, 31, 32, 47, FOCUS, FOCUS + 5)


class Kept:
    """A virtual table whose mirror keeps the events, or with no archive replays them."""

    def __init__(self, archive: Archive | None, state: array[int], seed: int = 0) -> None:
        self.told: list[JsonLine] = []
        self.archive = archive
        self.table = VirtualTable.of("reference", Random(seed), settings=settings_for(state, 0))
        self.open()
        self.hands = Hands(self.table, self.mirror, Random(seed))

    def open(self) -> None:
        """Start a program on the PC that knows nothing but its archive."""
        is_kept = self.archive is not None
        self.mirror = Mirror(self._tell, self.archive, resumes=is_kept, records_events=is_kept)
        self.table.attach(Session(self.mirror))

    def restart(self) -> None:
        """End the program and start it anew."""
        assert self.table.session is not None
        self.table.session.close()
        self.mirror.close()
        self.table.runtime.port.close()
        self.open()
        self.hands.mirror = self.mirror
        self.hands.wait(500)

    def _tell(self, happening: Happening) -> None:
        line = happening.line()
        if TOLD & line.keys():
            self.told.append({key: value for key, value in line.items() if key != "t_ms"})

    @property
    def script(self) -> Path:
        """The script of the game."""
        assert self.mirror.recorder.events_path is not None
        return self.mirror.recorder.events_path

    def close(self) -> None:
        """Switch everything off."""
        self.table.close()
        self.mirror.close()


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]

"""A whole virtual table for tests: firmware, session, mirror and hands, and what was told."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from chronotable.hardware.sensors import SHARED
from chronotable.hardware.wiring import Board
from chronotable_host.archive.store import Archive
from chronotable_host.hardware import boards
from chronotable_host.live.happenings import Happening
from chronotable_host.rules.notation import parse_turn
from chronotable_host.virtual.desk import VirtualDesk
from chronotable_host.virtual.play import Hands, Player
from chronotable_host.virtual.table import CPYTHON, VirtualTable
from tests.table.hands import sensor_of
from ttykm.game import Game
from ttykm.layout import BLACK, WHITE

BOARD = "reference"


class Rig(VirtualDesk):
    """A table that is on and has its pieces. `told` is what was told at its desk, without times."""

    def __init__(
        self,
        state: array[int],
        options: int = 0,
        seed: int = 0,
        runtime: str = CPYTHON,
        image: Path | None = None,
        archive: Archive | None = None,
        set_up: bool = True,
        board: str = BOARD,
        **how: Any,
    ) -> None:
        super().__init__(archive, start=state, options=options)
        self.told: list[dict[str, Any]] = []
        self.listeners.append(self._note)
        self.board: Board = boards.read(board)
        self.switch_on(board, Random(seed), runtime=runtime, image=image, **how).bounce_ms = 4.0
        self.runtime = self.table.runtime
        self.hands = Hands(self.table, self.mirror, Random(seed))
        self.game = Game()
        self.game.start(state, options)
        if set_up:
            self.hands.set_up(state)

    def _note(self, happening: Happening) -> None:
        self.told.append({key: value for key, value in happening.line().items() if key != "t_ms"})

    def heard(self, *kinds: str) -> list[dict[str, Any]]:
        """Return what was told since the last time, of some kinds only."""
        told = [what for what in self.told if not kinds or set(kinds) & what.keys()]
        self.told.clear()
        return told

    def do(self, script: str) -> None:
        """Act a script out (`act`)."""
        act(self.table, script, self.hands.wait)


def act(table: VirtualTable, script: str, wait: Callable[[int], object]) -> None:
    """Have hands act in words of hands.py: `-pa1 +pa2 .500 /draw:w`, 200 ms after each gesture."""
    for word in script.split():
        if word[0] == ".":
            wait(int(word[1:]))
        elif word[0] == "/":
            name, _, side = word[1:].partition(":")
            table.press(name, {"w": WHITE, "b": BLACK, "": SHARED}[side])
        else:
            (table.place if word[0] == "+" else table.lift)(sensor_of(word[1:]))
            wait(200)


def player_of(turns: list[str]) -> Player:
    """Return a player who plays the turns of a record, one after the other."""

    def play(game: Game) -> int | None:
        number = len(game.turns)
        return parse_turn(turns[number]) if number < len(turns) else None

    return play

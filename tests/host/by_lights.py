"""Hands at a desk that do what is lit, what is said to them, and what they type."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from types import SimpleNamespace

from chronotable_host.commands.play_work import PlayControl
from chronotable_host.engine.levels import start_of
from chronotable_host.live.desk import Desk
from chronotable_host.live.happenings import Happening, Notice
from chronotable_host.pieces import pieces_of
from chronotable_host.virtual.desk import VirtualDesk
from chronotable_host.virtual.play import Hands
from tests.lab.helping import CLEAN, Helper
from tests.lab.people.place import TablePlace, Told
from ttykm.game import Game

STEP_MS = 20
_MOST_LOOKS = 300  # at the lights, for one position


def typing(at: Desk, lines: list[str], once: bool = False) -> PlayControl:
    """Return what obeys people at a desk, who type these lines one after the other."""
    typed = SimpleNamespace(take=lambda: lines.pop(0) if lines else None)
    screen = SimpleNamespace(refresh=lambda: None, hear=lambda _happening: None)
    return PlayControl(at, screen, typed, once)  # type: ignore[arg-type]


class ByLights:
    """Clean hands, which see the lights alone; `said` are the notices at the desk."""

    def __init__(self, at: VirtualDesk, seed: int = 0) -> None:
        self.at = at
        self.said: list[str] = []
        self.place = TablePlace(at.table, at.mirror, Told())
        self.hands = Hands(at.table, at.mirror, Random(seed))
        self.helper = Helper(self.place, Random(seed), CLEAN, at.step)

    def note(self, happening: Happening) -> None:
        if isinstance(happening, Notice):
            self.said.append(happening.notice)

    def waits(self, duration_ms: int = 500) -> None:
        for _ in range(duration_ms // STEP_MS):
            self.place.wait(STEP_MS)
            self.at.step()

    def follows(self, is_there: Callable[[], bool]) -> int:
        """Do what is lit until something is so; return how many touches that took."""
        before = self.helper.done
        for _ in range(_MOST_LOOKS):
            self.helper.wait()
            if is_there():
                return self.helper.done - before
            self.helper.act()
        raise AssertionError(f"the lights do not lead there; {self.said[-3:]}")

    def plays(self, turn: int, wait_ms: int = 2000) -> None:
        """Make a turn, and wait until it is final."""
        known = self.at.mirror.game
        game = Game()
        game.start(start_of(known), known.options)
        for each in known.turns:  # by their number the hands see whether the table has theirs
            game.apply(each)
        self.hands.act(game, turn)
        game.apply(turn)
        self.helper.board = pieces_of(game.state)
        self.waits(wait_ms)

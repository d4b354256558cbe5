"""A host that plays until it is killed: table, mirror and archive, happenings as JSON lines.

`python -m tests.lab.victim FOLDER SEED CALLS`: with CALLS it kills itself at that
call to the disk, in the middle of a write; 0 leaves that to others.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from random import Random
from typing import Any

from chronotable.hardware.sensors import FOCUS
from chronotable_host.archive import disk
from chronotable_host.archive.store import Archive
from chronotable_host.engine.thinkers import by_chance
from chronotable_host.live.happenings import Happening
from chronotable_host.virtual.desk import VirtualDesk
from chronotable_host.virtual.play import Hands, Misread, play
from ttykm import layout
from ttykm.game import Game

LIFTS = "lifts"
"""Said before a marker is lifted: the last turn may be taken back from here on."""

_BOARD = "reference"
_FINAL_MS = 1500.0
_GESTURE_MS = 300.0
_THINKS_AGAIN = 0.3
_RESIGNS = 0.02
_CALLS = ("open", "write", "fsync", "replace", "link", "unlink", "close")


class Deadly:
    """`os`, with a call that kills the process: half way through a write, else before or after."""

    def __init__(self, calls: int, rng: Random) -> None:
        self._calls = calls
        self._rng = rng

    def __getattr__(self, name: str) -> Any:
        """Return what `os` has, counted if it is a call to the disk."""
        real = getattr(os, name)
        if name not in _CALLS:
            return real

        def call(*args: Any) -> Any:
            self._calls -= 1
            if self._calls:
                return real(*args)
            if name == "write":
                fd, data = args
                real(fd, bytes(data)[: self._rng.randrange(len(data) + 1)])
            elif self._rng.random() < 0.5:
                real(*args)
            os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))
            raise SystemExit  # Windows takes its time

        return call


class Resigned(Exception):  # noqa: N818 - an end of the game, not an error
    """A player gave up."""


def main(folder: str, seed: int, calls: int) -> None:
    """Play games one after the other, with second thoughts and resignations."""
    rng = Random(seed)
    if calls:
        setattr(disk, "os", Deadly(calls, rng))  # noqa: B010 - a module is no class of ours
    with Archive(Path(folder)) as archive:
        while True:
            _play(archive, rng)


def _play(archive: Archive, rng: Random) -> None:
    def tell(happening: Happening) -> None:
        name = None if mirror.file is None else mirror.file.path.name
        print(json.dumps({**happening.line(), "file": name}), flush=True)

    def played(game: Game) -> None:
        """What players do between two turns."""
        if rng.random() < _THINKS_AGAIN:
            _think_again(hands, 1 - game.mover, layout.focus(game.state, 1 - game.mover))
        if rng.random() < _RESIGNS:
            table.press("resign", game.mover)
            hands.wait(_FINAL_MS)
            raise Resigned

    desk = VirtualDesk(archive, {"White": "Ada", "Black": "Bob"})
    desk.listeners.append(tell)
    table, mirror = desk.switch_on(_BOARD, Random(rng.random())), desk.mirror
    hands = Hands(table, mirror, rng)
    game = Game()
    try:
        hands.set_up(layout.new_state())
        hands.wait(1000)
        play(hands, game, (by_chance(rng), by_chance(rng)), played)
    except (Resigned, Misread):  # what the table understands is not the question here
        pass
    finally:
        desk.close()


def _think_again(hands: Hands, player: int, era: int) -> None:
    """Lift the own marker from behind a turn that is final: it is taken back; and put it back."""
    hands.wait(_FINAL_MS)
    print(json.dumps({LIFTS: True}), flush=True)
    marker = FOCUS + 3 * player + era
    hands.table.lift(marker)
    hands.wait(_GESTURE_MS)
    hands.table.place(marker)
    hands.wait(_FINAL_MS)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))

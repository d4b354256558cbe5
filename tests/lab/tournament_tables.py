"""Virtual tables of a club whose games built-in players play; a program of its own.

`python -m tests.lab.tournament_tables BROKER FOLDER LEVEL TURNS TOKEN...` plays what the club says
until its standard input ends. Each table is a whole one: the firmware on CPython, hands at reeds,
session, mirror and archive, and the club's publisher.
"""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path
from random import Random

from chronotable_club.at_table import ClubTable, Look, PairedTable
from chronotable_club.tokens import parse_token
from chronotable_far.broker.address import BrokerAddress, parse_broker
from chronotable_host.archive.store import Archive
from chronotable_host.engine.levels import LevelPlayer
from chronotable_host.live.happenings import Happening
from chronotable_host.virtual.desk import VirtualDesk
from chronotable_host.virtual.play import Hands, play
from ttykm.game import Game
from ttykm.layout import NOBODY, new_state

_BOARD = "reference"
_READY_MS = 1000
_PAUSE_S = 0.05


class Resigned(Exception):  # noqa: N818 - what happened, not what went wrong
    """A player gives up a game that takes too long."""


class Table:
    """A table; `number` makes its players and hands other ones than those of its neighbours."""

    def __init__(self, broker: BrokerAddress, folder: Path, token: str, number: int) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._number = number
        self._games = 0
        self._done = ""
        self._archive = Archive(folder)
        self._archive.__enter__()
        self._desk = desk = VirtualDesk(self._archive, {})
        self._virtual, self._mirror = desk.switch_on(_BOARD, Random(number)), desk.mirror
        self._virtual.bounce_ms = 4.0
        self.club = ClubTable(broker, parse_token(token), folder, Look(desk), self._hear)
        self._paired = PairedTable(desk, self._hear)
        self.club.told.append(self._paired.hear)
        desk.listeners += (
            lambda _happening: self._paired.step(),
            self.club.hear,
            lambda _happening: self.club.step(),
        )

    def _hear(self, happening: Happening) -> None:
        """Nobody sits here who would be told."""

    def step(self, level: int, most_turns: int) -> None:
        """Play a game where one is due."""
        self.club.step()
        pairing = self._paired.pairing
        if pairing is not None and pairing.id != self._done:
            self._done = pairing.id
            self._play(level, most_turns)

    def _play(self, level: int, most_turns: int) -> None:
        self._games += 1
        seed = 1000 * self._number + self._games
        players = (LevelPlayer(level, seed), LevelPlayer(level, seed + 500))
        hands = Hands(self._virtual, self._mirror, Random(seed))
        game = Game()
        game.start(new_state(), 0)
        made = 0

        def played(now: Game) -> None:
            nonlocal made
            made += 1
            if made >= most_turns and now.winner() == NOBODY:
                self._virtual.press("resign", now.mover)
                hands.wait(_READY_MS)
                raise Resigned

        try:
            hands.lay(new_state())
            hands.wait(_READY_MS)
            play(hands, game, tuple(it.choose for it in players), played)  # type: ignore[arg-type]
        except Resigned:
            pass
        hands.wait(_READY_MS)

    def close(self) -> None:
        self.club.close()
        self._desk.close()
        self._archive.__exit__(None, None, None)


def main(words: list[str]) -> None:
    broker, folder, level, turns, *tokens = words
    has_ended = threading.Event()

    def wait() -> None:
        sys.stdin.read()
        has_ended.set()

    threading.Thread(target=wait, daemon=True).start()
    address = parse_broker(broker)
    tables = [
        Table(address, Path(folder) / str(number), token, number)
        for number, token in enumerate(tokens, 1)
    ]
    print("ready", flush=True)
    while not has_ended.is_set():
        for table in tables:
            table.step(int(level), int(turns))
            if has_ended.is_set():
                break
        time.sleep(_PAUSE_S)
    for table in tables:
        table.close()


if __name__ == "__main__":
    main(sys.argv[1:])

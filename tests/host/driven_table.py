"""A whole table whose tracker is told what was played, and a PC at its line; no hands, no loss."""

from __future__ import annotations

from array import array
from pathlib import Path
from random import Random

from chronotable.core.commands import start
from chronotable.core.progress import TURN
from chronotable.core.table import Table
from chronotable.core.tracker import BY_RULES
from chronotable.hardware.sensors import BUTTON, BUTTONS
from chronotable.journal.journal import Journal
from chronotable.lights.light import Light
from chronotable.link.identity import TABLE, Identity
from chronotable.link.link import Link
from chronotable_host.archive.store import Archive
from chronotable_host.hardware import boards
from chronotable_host.live.happenings import JsonLine
from chronotable_host.live.mirror import Mirror
from chronotable_host.live.session import Lock, Session
from tests.lab.positions import random_game
from tests.lab.store import MemoryStore
from tests.lines import into
from ttykm import objects
from ttykm.game import Game
from ttykm.layout import NOBODY

ROUND_MS = 10
TABLE_ID = "e66038b71353"


class DrivenTable:
    """A table, its flash and its clock; games are played on it turn by turn, 100 ms apart.

    `told` is what the PC at the line told, `mirror` what it knows; there is none before `attach`.
    """

    def __init__(
        self, seed: int = 0, chapters: int = 4, store: MemoryStore | None = None, boot: int = 5
    ) -> None:
        self.rng = Random(seed)
        self.store = store or MemoryStore()
        board = boards.read("reference")
        light = Light(board.led_of, board.colour_order, board.max_ma, board.channel_ma)
        link = Link(TABLE, Identity("reference", 1, TABLE_ID, boot=boot))
        self.table = Table(board, light, link, self._entropy, Journal(self.store, boot))
        self.table.chapters.unlock_to(chapters)
        self.table.tracker.update = lambda now_ms: False  # type: ignore[method-assign]  # no hands
        self.cell_of = board.cell_of
        self.now_ms = 0
        self.told: list[JsonLine] = []
        self.session: Session | None = None
        self.mirror: Mirror | None = None
        link.open(0)

    def _entropy(self) -> int:
        return self.rng.getrandbits(32)

    # ---- the PC

    def attach(self, archive: Archive | None, lock: Lock | None = None) -> Mirror:
        """Have a PC at the line, in the place of one that was there."""
        self.mirror = Mirror(into(self.told), archive, resumes=True)
        self.session = Session(self.mirror, lock=lock)
        self.session.open(self.now_ms)
        self.run(1000)
        return self.mirror

    def detach(self) -> None:
        if self.mirror is not None:
            self.mirror.close()
        self.session = None

    def heard(self, name: str) -> list[object]:
        return [happening[name] for happening in self.told if name in happening]

    # ---- time

    def run(self, duration_ms: int = 100) -> None:
        """Let time pass, and carry what both say."""
        for _ in range(duration_ms // ROUND_MS):
            self.now_ms += ROUND_MS
            table, session = self.table, self.session
            table.step(self.now_ms)
            table.tell()
            table.link.tick(self.now_ms)
            if session is not None:
                said = table.link.data_to_send(4)
                table.receive(session.exchange(said, self.now_ms, self.now_ms), self.now_ms)

    # ---- the game

    def begin(self, state: array[int], options: int = 0) -> None:
        assert start(self.table, state, options)
        self.go()

    def go(self) -> None:
        """Have what is asked for set up, and begin."""
        tracker = self.table.tracker
        tracker.recovery.is_new_game = False
        tracker.phase = TURN
        self.table.started()
        self.run()

    def turn(self, turn: int, understood: int = 0) -> None:
        game, tracker = self.table.game, self.table.tracker
        game.apply(turn)
        self.table.final(turn, understood)
        if game.winner() != NOBODY:
            tracker._end(game.winner(), BY_RULES)
        self.run()

    def take_back(self) -> None:
        self.table.tracker.phase = TURN
        self.table.taken_back(self.table.game.undo())
        self.run()

    def resign(self, side: int) -> None:
        self.table.tracker.resign(side)
        self.run()

    def press(self, *buttons: tuple[str, int]) -> None:
        """Press buttons one after the other, and let go of all of them."""
        numbers = [BUTTONS.index(button) for button in buttons]
        for closed in (True, False):
            for number in numbers:
                self.table.edge(self.cell_of[BUTTON + number], closed, self.now_ms)
                self.run()

    def play(self, turns: int) -> None:
        """Play random turns that do not win, while there are any; some are taken back."""
        for _ in range(turns):
            harmless = harmless_turns(self.table.game)
            if not harmless:
                return
            self.turn(self.rng.choice(harmless), self.rng.randrange(3))
            if self.rng.random() < 0.15:
                self.take_back()


def harmless_turns(game: Game) -> list[int]:
    """Return the legal turns that do not win; a table's own game holds only some of them."""
    other = Game()
    other.start(game.state, game.options)
    found = []
    for turn in list(other.legal_turns()):
        other.apply(turn)
        if other.winner() == NOBODY:
            found.append(turn)
        other.undo()
    return found


def starts() -> dict[str, array[int]]:
    """Return the start of every set of modules, and positions of games with them, by name."""
    found = {f"the start of {modules}": objects.new_state(modules) for modules in range(8)}
    for modules in range(1, 8):
        played = random_game(modules, 5, objects.new_state(modules))
        found[f"a position of {modules}"] = played.state
    return found


def texts(folder: Path) -> list[str]:
    return [path.read_text("utf-8") for path in sorted(folder.glob("*.ttykm"))]

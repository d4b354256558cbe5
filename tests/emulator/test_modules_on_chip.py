"""Games with modules on the emulated RP2040: every turn understood, the same on both sides."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from chronotable.journal.journal import Journal
from chronotable_host.archive.parsing import read
from chronotable_host.archive.store import Archive
from chronotable_host.live.happenings import Happening, JsonLine
from chronotable_host.rules.notation import format_modules, format_position, format_turn
from chronotable_host.virtual.desk import VirtualDesk
from chronotable_host.virtual.runtimes.rp2040 import Rp2040Runtime
from chronotable_host.virtual.table import RP2040
from tests import lanes, sweep
from tests.lab import hand
from tests.lab.people import person
from tests.lab.people.account import LOST, WRONG
from tests.lab.people.person import Person
from tests.lab.people.place import BOARD, TablePlace, Told
from tests.lab.rig import CHAPTERS_FILE
from tests.lab.store import MemoryStore
from ttykm.game import Game
from ttykm.layout import NOBODY
from ttykm.objects import ALL_MODULES, new_state

pytestmark = pytest.mark.emulator

SETS = range(1, ALL_MODULES + 1)
TURNS = 5
LONG_TURNS = 20
LONG_SEEDS = range(1, 4)
FINAL_MS = 1500
NOT_EVEN_ONCE = {"mismatch", "gap", "log", "notice", "fault"}


@pytest.fixture(autouse=True)
def _in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """The person's hands and eyes are quick: the chip's time is dear, and it has less of it."""
    monkeypatch.setattr(hand, "CLEAN_MS", (80, 160))
    monkeypatch.setattr(person, "READ_MS", 200)
    monkeypatch.setattr(person, "_LOOK_MS", (80, 120))


class Table:
    """A table of one life, on which all chapters were unlocked before the power came on."""

    def __init__(self, image: Path, state: array[int], seed: int, archive: Archive) -> None:
        desk, kept = VirtualDesk(archive, start=state), {CHAPTERS_FILE: b"4"}
        desk.listeners.append(self._hear)
        self.told: list[JsonLine] = []
        self._told = Told()
        self.mirror = desk.mirror
        self.hands = desk.switch_on(
            BOARD, Random(seed), None, RP2040, image=image, flash_files=kept
        )
        self.hands.bounce_ms = 4.0
        assert isinstance(self.hands.runtime, Rp2040Runtime)
        self.runtime = self.hands.runtime
        self.place = TablePlace(self.hands, self.mirror, self._told)

    def _hear(self, happening: Happening) -> None:
        self.told.append(happening.line())
        self._told.hear(happening)

    def kept_game(self) -> Game:
        """The game that is in the table's flash."""
        store = MemoryStore()
        for path, data in self.runtime.flash_files().items():
            if path.startswith("games/"):
                store.append(path.removeprefix("games/"), data)
        game = Game()
        Journal(store, 1).open(game)
        return game


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    with Archive(tmp_path / "archive") as opened:
        yield opened


def play(image: Path, archive: Archive, modules: int, seed: int, most_turns: int) -> None:
    """Play a game and compare what the table, its flash and the PC have with what was meant."""
    where = f"{format_modules(modules)}, seed {seed}"
    state = new_state(modules, seed % 2)
    chance = Random(f"{seed} of {modules}")
    table = Table(image, state, seed, archive)
    try:
        player = Person(table.place, Random(seed))
        player.begin(state)
        account = player.play(lambda game: chance.choice(list(game.legal_turns())), most_turns)
        table.place.wait(FINAL_MS)
        kept = table.kept_game()
        counters = table.mirror.table.counters
    finally:
        table.hands.close()
    print(f"{where}: {account.told}, asked {account.asked}, {counters}")
    assert not account.of(WRONG) + account.of(LOST), (where, account.incidents)
    assert account.finished, where
    told = [what for what in table.told if NOT_EVEN_ONCE & what.keys()]
    assert not told, (where, told)
    game = player.game
    turns = [format_turn(turn) for turn in game.turns]
    assert account.turns == len(turns), where
    positions = [what["position"] for what in table.told if "turn" in what]
    assert positions == positions_of(state, list(game.turns)), (where, turns)
    assert table.mirror.file is not None
    record = read(table.mirror.file.path).record
    assert record.start == state, where
    assert positions_of(record.start, record.turns) == positions, (where, turns)
    if game.winner() == NOBODY:
        assert list(kept.turns) == record.turns, (where, turns)
        assert kept.state == game.state, where


def positions_of(start: array[int], turns: list[int]) -> list[str]:
    """The position after each turn."""
    game = Game()
    game.start(start)
    found = []
    for turn in turns:
        game.apply(turn)
        found.append(format_position(game.state))
    return found


@pytest.mark.parametrize("modules", sweep.some(SETS, 3), ids=format_modules)
def test_a_game_with_modules(image: Path, archive: Archive, modules: int) -> None:
    play(image, archive, modules, 0, TURNS)


@lanes.figures
@pytest.mark.parametrize("seed", LONG_SEEDS)
@pytest.mark.parametrize("modules", SETS, ids=format_modules)
def test_long_games_with_modules(image: Path, archive: Archive, modules: int, seed: int) -> None:
    play(image, archive, modules, seed, LONG_TURNS)

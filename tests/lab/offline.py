"""How long a game takes from the flash of the emulated table into the archive."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from chronotable.journal.journal import Journal
from chronotable.link.packed import pack_position
from chronotable_host.archive.naming import SUFFIX
from chronotable_host.archive.parsing import read
from chronotable_host.archive.store import Archive
from chronotable_host.live.happenings import Happening
from chronotable_host.virtual.desk import VirtualDesk
from chronotable_host.virtual.table import RP2040, VirtualTable
from tests.lab.figures import Figure
from tests.lab.positions import random_game
from tests.lab.store import MemoryStore
from ttykm.game import Game
from ttykm.layout import new_state

TURNS = 60
_BOARD = "reference"
_BOOT_MS = 2500
_PATIENCE_MS = 8000
_STEP_MS = 100


def long_game(turns: int = TURNS) -> Game:
    """Return a random game of so many turns that is not over."""
    return next(game for seed in count() if len((game := random_game(seed, turns)).turns) == turns)


def files_of(game: Game) -> dict[str, bytes]:
    """Return the flash of a table on which a game was played until white resigned."""
    store = MemoryStore()
    journal = Journal(store, 1)
    journal.open(Game())
    journal.begin(pack_position(new_state()), game.options, 1, 0)
    for turn in game.turns:
        journal.turn(turn, 0, 0)
    journal.over("b", "r", 0)
    return {f"games/{name}": data for name, data in store.files.items()}


def measure(image: Path) -> list[Figure]:
    """Switch a table on that has a game, then plug a PC in: how long until its record is there."""
    game = long_game()
    table = VirtualTable.of(_BOARD, Random(0), RP2040, image=image, flash_files=files_of(game))
    told: list[Happening] = []
    with TemporaryDirectory(prefix="chronotable-") as folder, Archive(Path(folder)) as archive:
        desk = VirtualDesk(archive)
        desk.listeners.append(told.append)
        try:
            table.plug(False)
            table.run_until(_BOOT_MS)
            desk.attach(table)
            while not _times(told, "fetched") and table.now_ms < _BOOT_MS + _PATIENCE_MS:
                table.run_until(table.now_ms + _STEP_MS)
        finally:
            table.close()
            desk.close()
        records = [read(path).record for path in Path(folder).glob(f"*{SUFFIX}")]
    if [record.turns for record in records] != [list(game.turns)]:
        return [Figure("sync", remark=f"the archive has {len(records)} games, not that one")]
    took = (_times(told, "fetched")[0] - _times(told, "connected")[0]) / 1000
    return [Figure("sync", {"value": round(took, 2)}, remark="from the greeting to the record")]


def _times(told: list[Happening], name: str) -> list[float]:
    return [what.t_ms or 0 for what in told if what.kind == name]

"""The actions of a turn that hands have made so far, guessed from the reeds for those who look on.

The table decides what was played, with more evidence than there is here; until it does, the page
shows this guess. The rules and the comparing loops are those of the table.
"""

from array import array
from collections.abc import Mapping

from chronotable.core import match
from chronotable.core.match import COUNTED, OBJECT_MAGNETS, OCCUPIED, TOUCHED
from chronotable.core.matcher import MISSED
from chronotable.hardware.sensors import SPACES
from chronotable_host.rules.notation import ACTIONS, ERAS
from ttykm.game import Game
from ttykm.layout import RECORD_WORDS, SEQUENCE


class TurnPreview:
    """The turn that is being made.

    `text` has its copy and its actions so far, "" where none is to be seen, `actions` the same
    packed as in a turn, else 0.
    """

    def __init__(self) -> None:
        self.text = ""
        self.actions = 0
        self._game = Game()
        # of a turn with modules only first actions are listed: all would take too long
        self._game.is_lazy = True
        self._seen = match.observation()
        self._reeds: dict[int, bool] = {}

    def begin(self, state: "array[int]", options: int) -> None:
        """A turn begins in a position."""
        self.text, self.actions = "", 0
        self._game.start(state, options)
        tree = self._game.legal()
        if tree.has_modules:
            match.note_magnets(tree.objects, 0, tree.end, OBJECT_MAGNETS)
        for era in range(len(ERAS)):
            self._seen[OCCUPIED + era] = match.lying(tree, 0, era)
            self._seen[TOUCHED + era] = self._seen[COUNTED + era] = 0
        self._reeds = {}

    def look(self, reeds: Mapping[int, bool]) -> None:
        """Take what each reed said last, by sensor, and guess anew where something changed."""
        changed = [
            (sensor, closed)
            for sensor, closed in reeds.items()
            if sensor < SPACES and self._reeds.get(sensor, self._is_taken(sensor)) != closed
        ]
        if not changed:
            return
        self._reeds.update(changed)
        for sensor, closed in changed:
            era, bit = sensor >> 4, 1 << (sensor & 15)
            for mask in (TOUCHED, COUNTED):
                self._seen[mask + era] |= bit
            self._seen[OCCUPIED + era] = self._seen[OCCUPIED + era] & ~bit | bit * closed
        self._read()

    def _is_taken(self, sensor: int) -> bool:
        return bool(self._seen[OCCUPIED + (sensor >> 4)] >> (sensor & 15) & 1)

    def _read(self) -> None:
        """Find the actions that the boards show; between two of them the text stays as it was."""
        tree, seen = self._game.turn_tree, self._seen
        costs = bytearray(2 * tree.end)
        match.compare(
            tree.records, tree.objects, tree.has_modules, 0, tree.end, seen, match.POPULATION, costs
        )
        exact = match.best_exact(tree.records, 0, tree.end, 0, costs, 0)
        if exact == 0:
            self.text, self.actions = "", 0
        elif exact > 0 and costs[2 * exact + 1] < MISSED:
            sequence = tree.records[exact * RECORD_WORDS + SEQUENCE]
            actions = [ACTIONS[code] for code in (sequence >> 6 & 63, sequence & 63) if code]
            self.text = " ".join([str((sequence >> 12) + 1), *actions]) if actions else ""
            self.actions = sequence

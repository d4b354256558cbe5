"""A table at which nobody is, or that everybody leaves: what its doctor accused then.

Board, faults, hands, and when they go away, come from the seed alone. Half of the tables are sound.
Where there is a PC, somebody elsewhere ends the steps after minutes of silence, so that everything
is judged and stored; or the person comes back and goes on. Half of the tables at which nobody is
from the beginning have their pieces on them.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from chronotable_host.hardware import boards
from chronotable_host.virtual.faulty import faults as kinds
from chronotable_host.virtual.faulty.faults import PlantedFault, draw
from tests.lab.faulty.alone import Alone
from tests.lab.faulty.due import doubted, due
from tests.lab.faulty.examined import Examination, as_fault
from tests.lab.faulty.helper import Left
from ttykm import layout

ABSENT = "absent"
LEFT = "left"
BACK = "came back"

_SOUND = 0.5
_SET_UP = 0.5
_TIDY = 0.5  # takes the magnets away before going
_ABSENT = 0.3
_BACK = 0.3
_LEAVES_MS = (2_000.0, 330_000.0)  # an examination takes four and a half minutes
_SILENCE_MS = (60_000.0, 240_000.0)
_BETWEEN_MS = 3000.0  # from one ended step to the next
_MOST_ENDS = 60
_LIMIT_MS = 30 * 60_000.0
_WIRING = (
    *(kinds.EXCHANGED, kinds.TURNED, kinds.GRIDS_EXCHANGED, kinds.ROWS_EXCHANGED),
    *(kinds.COLS_EXCHANGED, kinds.MOVED, kinds.BUTTON_EXCHANGED),
    *(kinds.LED_EXCHANGED, kinds.LED_ORDER, kinds.LEDS_EXCHANGED, kinds.LED_MOVED),
)


class Silence(NamedTuple):
    """One examination whose person went away, and what the doctor said."""

    seed: int
    board: str
    how: str
    """When the person is there: ABSENT never, LEFT until some moment, BACK with a break."""
    is_alone: bool
    """Whether the person had no PC; then no step was ended from one."""
    faults: list[PlantedFault]
    told: set[PlantedFault]
    accused: set[PlantedFault]
    """The findings about parts that are sound: each is a mistake of the doctor."""
    doubts: list[str]
    """The sound reeds that the next game does not trust."""
    is_judged: bool
    """Whether the examination came to its end, where it tells and stores its result."""
    failure: str
    """What the firmware raised, "" for nothing."""

    @property
    def is_good(self) -> bool:
        return not (self.accused or self.doubts or self.failure)


class Deserted(Examination):
    """An examination whose person goes away."""

    def desert(self) -> Silence:
        rng = Random(f"deserted {self.seed}")
        is_alone = isinstance(self.person, Alone)
        if rng.random() < _ABSENT:
            how, self.person.leaves_ms = ABSENT, 0.0
            if rng.random() < _SET_UP:
                self.table.put_up(layout.new_state())
        else:
            how = BACK if not is_alone and rng.random() < _BACK else LEFT
            self.person.leaves_ms = rng.uniform(*_LEAVES_MS)
        try:
            self._leave(rng, how, is_alone)
            is_judged = self.listener.result is not None
            failure = self.runtime.failure.strip().splitlines()[-1:]
        finally:
            self.table.close()
        told = {as_fault(self.board, *finding) for finding in self.listener.findings}
        return Silence(
            self.seed,
            self.name,
            how,
            is_alone,
            list(self.actual.faults),
            told,
            self._accused(told),
            sorted(set(self._stored_doubts()) - set(doubted(self.actual))),
            is_judged,
            "".join(failure),
        )

    def _leave(self, rng: Random, how: str, is_alone: bool) -> None:
        person = self.person
        leaves_ms, person.leaves_ms = person.leaves_ms, float("inf")
        if self._start():
            person.leaves_ms = person.table.now_ms + leaves_ms
            try:
                person.help(_LIMIT_MS)
                person.go_away()  # it was over before
            except Left:
                person.go_away()
                if how != ABSENT and rng.random() < _TIDY:
                    person.lift(*person.lying)
                person.wait(rng.uniform(*_SILENCE_MS))
        if how == BACK:
            person.help(_LIMIT_MS)
            person.wait(_BETWEEN_MS)
        elif not is_alone:
            for _ in range(_MOST_ENDS):
                if self._is_over():
                    break
                self.session.command("doctor", say="e")
                person.wait(_BETWEEN_MS)

    def _accused(self, told: set[PlantedFault]) -> set[PlantedFault]:
        """Return what was told of sound parts.

        Somebody who left has shown a part of a larger fault, which is told in other words than the
        whole: one reed of a column that is cut, the first of two chips that are dead, some of the
        wires that are exchanged.
        """
        invented = {
            fault
            for fault in told - due(self.board, self.actual.faults)
            if not self._is_part(fault)
        }
        if any(fault.kind in _WIRING for fault in self.actual.faults):
            return {fault for fault in invented if fault.kind not in _WIRING}
        return invented

    def _is_part(self, told: PlantedFault) -> bool:
        """Tell whether this is a part of lines that are cut, or of chips that are dead."""
        if told.kind in (kinds.STUCK_OPEN, kinds.OUTPUT_DEAD):
            return self.actual.is_cut(told.first)
        outputs = self.board.outputs
        chips = range(told.first // outputs, (told.first + told.second) // outputs)
        return told.kind == kinds.CHIP_DEAD and self.actual.dead_chips.issuperset(chips)


def examine(seed: int, most: int = 3) -> Silence:
    rng = Random(f"silence {seed}")
    names = boards.names()
    name = names[seed % len(names)]
    faults = [] if rng.random() < _SOUND else draw(boards.read(name), rng, most)
    return Deserted(name, faults, seed).desert()

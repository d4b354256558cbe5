"""Whole games at the whole firmware on tables that are broken: lines that are gone, no diode.

The person looks at the lights, says of what lies there already that it does, and answers questions
as meant. Nothing may be taken for another turn, and the game goes on to its end.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from chronotable.naming import sensor_name
from chronotable_host import boards
from chronotable_host.virtual.table import VirtualTable
from tests import lanes
from tests.lab.people.person import LOST, WRONG, Person
from tests.lab.people.place import TablePlace, open_table_place
from tests.table.rig import BOARD
from ttykm import layout
from ttykm.game import Game

Break = Callable[[VirtualTable], None]


class Unlucky(Person):
    """A person whose table breaks at the beginning of a turn."""

    breaks: Break
    at = 0

    def take_turn(self, turn: int) -> str:
        """Break the table, or play on."""
        if len(self.game.turns) + 1 == self.at and isinstance(self.place, TablePlace):
            self.breaks(self.place.table)
        return super().take_turn(turn)


def played(seed: int, breaks: Break, at: int) -> Unlucky:
    """Return a person who has played a random game on a table that breaks in a turn."""
    rng = Random(seed)
    place = open_table_place(seed)
    try:
        person = Unlucky(place, rng, False)
        person.breaks = breaks
        person.at = at
        person.begin(layout.new_state())

        def choose(game: Game) -> int:
            return rng.choice(list(game.legal_turns()))

        person.play(choose, 25)
        return person
    finally:
        place.table.close()


def misunderstood(person: Unlucky) -> list[str]:
    return [str(each) for each in person.account.incidents if each.what in (WRONG, LOST)]


def faults(person: Unlucky) -> dict[str, str]:
    return {sensor_name(sensor): kind for sensor, kind in person.place.told().faults}


def test_a_row_is_gone() -> None:
    """Row 0 has white's copies on past 1 and present 1: both go within one scan."""
    person = played(3, lambda table: table.cut_row(0, True), 2)
    assert person.account.finished, person.account
    assert misunderstood(person) == []
    named = faults(person)
    print(named)
    assert {"past 1", "present 1"} <= named.keys()
    assert set(named.values()) == {"does not close"}


def test_a_diode_is_missing() -> None:
    """Its three neighbours closed, a space says that something lies there."""
    board = boards.read(BOARD)
    cell = board.cell_of[0]
    person = played(5, lambda table: table.set_diode(0, False), 2)
    print(cell, faults(person), person.account)
    assert person.account.finished
    assert misunderstood(person) == []


@pytest.mark.parametrize("column", lanes.first(range(0, 8, 3)))
def test_a_column_is_gone(column: int) -> None:
    person = played(7 + column, lambda table: table.cut_col(column, True), 3)
    print(faults(person), person.account)
    assert misunderstood(person) == []


@pytest.mark.parametrize("delay_ms", lanes.first([100, 240, 600], 2))
def test_a_slow_reed(delay_ms: int) -> None:
    """It says the truth too late: for a while the table may ask, but never be wrong."""
    sensors = (0, 5, 22, 49)

    def slow(table: VirtualTable) -> None:
        for sensor in sensors:
            table.set_slow(sensor, delay_ms)

    person = played(delay_ms, slow, 1)
    print(faults(person), person.account)
    assert misunderstood(person) == []

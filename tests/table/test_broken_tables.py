"""Whole games at the whole firmware on tables that are broken: lines that are gone, no diode.

The person looks at the lights, says of what lies there already that it does, and answers questions
as meant. Nothing may be taken for another turn, and the game goes on to its end.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from chronotable.core import why
from chronotable.hardware.naming import sensor_name
from chronotable.hardware.sensors import SENSORS, SHARED
from chronotable.lights.meanings import DOCTOR
from chronotable_host.hardware import boards
from chronotable_host.link.parsing import parse_sensor
from chronotable_host.live.texts.table_texts import guide_text
from chronotable_host.rules.notation import parse_position
from chronotable_host.virtual.table import VirtualTable
from tests import lanes
from tests.lab.people.account import LOST, WRONG
from tests.lab.people.person import Person
from tests.lab.people.place import TablePlace, open_table_place
from tests.table.hands import START, TWINS
from tests.table.rig import BOARD, Rig
from ttykm import layout
from ttykm.game import Game

Break = Callable[[VirtualTable], None]


class Unlucky(Person):
    """A person whose table breaks at the beginning of a turn."""

    breaks: Break
    at = 0
    is_sent_to_doctor = False

    def take_turn(self, turn: int) -> str:
        """Break the table, or play on."""
        if len(self.game.turns) + 1 == self.at and isinstance(self.place, TablePlace):
            self.breaks(self.place.table)
        what = super().take_turn(turn)
        self.is_sent_to_doctor |= DOCTOR in self.place.picture()
        return what


def played(seed: int, breaks: Break, at: int) -> Unlucky:
    """Return a person who has played a random game on a table that breaks in a turn, or before."""
    rng = Random(seed)
    place = open_table_place(seed)
    try:
        person = Unlucky(place, rng, False)
        person.breaks = breaks
        person.at = at
        if not at:
            breaks(place.table)
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


@lanes.gate
def test_a_row_is_gone() -> None:
    """Row 0 has white's copies on past 1 and present 1: both go within one scan."""
    person = played(3, lambda table: table.cut_row(0, True), 2)
    assert person.account.finished, person.account
    assert misunderstood(person) == []
    named = faults(person)
    print(named)
    assert {"past 1", "present 1"} <= named.keys()
    assert set(named.values()) == {"does not close"}


@lanes.gate
def test_a_diode_is_missing() -> None:
    """Its three neighbours closed, a space says that something lies there."""
    board = boards.read(BOARD)
    cell = board.cell_of[0]
    person = played(5, lambda table: table.set_diode(0, False), 2)
    print(cell, faults(person), person.account)
    assert person.account.finished
    assert misunderstood(person) == []


@lanes.gate
@pytest.mark.parametrize("column", lanes.first(range(0, 8, 3)))
def test_a_column_is_gone(column: int) -> None:
    person = played(7 + column, lambda table: table.cut_col(column, True), 3)
    print(faults(person), person.account)
    assert misunderstood(person) == []


@lanes.gate
@pytest.mark.parametrize("delay_ms", lanes.first([240, 100, 600]))
def test_a_slow_reed(delay_ms: int) -> None:
    """It says the truth too late: for a while the table may ask, but never be wrong."""
    sensors = (0, 5, 22, 49)

    def slow(table: VirtualTable) -> None:
        for sensor in sensors:
            table.set_slow(sensor, delay_ms)

    person = played(delay_ms, slow, 1)
    print(faults(person), person.account)
    assert misunderstood(person) == []


def ask_about_twins(made: Rig) -> None:
    """Play 11 W W, after a bystander was touched that 11 S E would have touched."""
    made.do("-pr16 +pr16 -pr11 +pr10 -pr9 -pr10 +pr9 -wpr +wpa .600")
    assert made.heard("ask")


@pytest.mark.parametrize("held_ms", [60, 700])
def test_a_reed_that_a_button_closes_with_it_does_not_cancel_the_answer(held_ms: int) -> None:
    """Without the diode of *a*, past 12 and 16 and present 13 close while it is down."""
    with Rig(parse_position(TWINS)) as made:
        ask_about_twins(made)
        made.table.set_diode(parse_sensor("button a"), False)
        made.table.press("a", SHARED, held_ms)
        made.hands.wait(held_ms + 1500)
        assert [each["turn"] for each in made.heard("turn")] == ["11 W W >past"]


def test_what_hands_do_while_a_button_is_down_is_understood_once_it_is_let_go() -> None:
    with Rig(parse_position(START)) as made:
        made.table.press("b", SHARED, 2000)
        made.do("-pa1 +pa2 -pa2 +pa3 -wpa +wpr .2500")
        assert [each["turn"] for each in made.heard("turn")] == ["1 E E >present"]


def test_a_button_that_is_stuck_hides_no_reed() -> None:
    with Rig(parse_position(START)) as made:
        made.table.press("b", SHARED, 60_000)
        made.hands.wait(6000)
        made.do("-pa1 +pa2 -pa2 +pa3 -wpa +wpr .1500")
        assert [each["turn"] for each in made.heard("turn")] == ["1 E E >present"]


def sends_to_the_doctor(made: Rig) -> bool:
    """Tell whether lights and sentence say so, and no reed is blamed."""
    told = made.heard("guide", "fault")
    print(told)
    says = [each["guide"]["why"] == guide_text(why.DOCTOR) for each in told if "guide" in each]
    return DOCTOR in made.mirror.table.leds and says[-1:] == [True] and len(says) == len(told)


def test_a_ghost_in_a_game_sends_to_the_doctor() -> None:
    """Without the diode of present 1, past 2 closes future 2 with it."""
    with Rig(parse_position(START)) as made:
        made.table.set_diode(parse_sensor("present 1"), False)
        made.do("-pa1 +pa2 .600")
        assert sends_to_the_doctor(made)


def test_exchanged_wires_send_to_the_doctor_and_no_reed_is_blamed() -> None:
    with Rig(parse_position(START), set_up=False) as made:
        made.table.exchange(0, 1)
        made.table.put_up(parse_position(START))
        made.hands.wait(3000)
        assert DOCTOR not in made.mirror.table.leds
        made.heard()
        made.do("/a .1000")
        assert sends_to_the_doctor(made)


@pytest.mark.parametrize("seed", lanes.first([9, 6, 7, 24, 32, 46, 72, 0, 3, 10, 13, 15, 17, 19]))
def test_no_game_stands_still_on_exchanged_wires_without_the_doctor(seed: int) -> None:
    one, other = Random(seed).sample(range(SENSORS), 2)
    person = played(seed, lambda table: table.exchange(one, other), 0)
    print(sensor_name(one), sensor_name(other), faults(person), person.account)
    assert person.is_sent_to_doctor
    assert set(faults(person).values()) <= {"may be wired wrongly"}


def test_pieces_that_lie_where_they_belong_need_no_doctor() -> None:
    with Rig(parse_position(START)) as made:
        made.do("-pa1 +pa2 -pa2 +pa3 -wpa +wpr .1500")
        assert DOCTOR not in made.mirror.table.leds

"""The doctor's wizard where no person answers: no part is called broken, and it asks again."""

import random

import pytest

from chronotable.doctor.examination import BUTTONS, CLEAR, DONE, LIGHTS, REEDS
from chronotable.doctor.kinds import NOTHING
from chronotable.hardware.sensors import BUTTON, SENSORS
from chronotable_host.link import doctor_names as names
from tests import lanes
from tests.table.examined import Person, Wires

BOARDS = ("reference", "tiles")


def in_words(found):
    return [(names.FINDINGS[kind], one, other) for kind, one, other in found]


def goes_away(person, ms=150_000):
    """Nobody touches anything any more; what lies there stays."""
    person.wait(ms)


def skip_the_rest(person):
    """Somebody elsewhere ends every step."""
    wizard = person.wizard
    for _ in range(40):
        if wizard.step in (CLEAR, DONE) or wizard.is_over:
            break
        wizard.end_step()
        person.wait(2000)
    person.wait(20_000)


def left_out(wizard):
    return [(names.FINDINGS[kind], first, last) for kind, first, last in wizard.left_out]


@pytest.mark.parametrize("board", BOARDS)
def test_nobody_accuses_nothing(board):
    """All magnets are off, and a person who comes after two minutes ends every step."""
    person = Person(Wires(board))
    goes_away(person)
    assert person.wizard.step == REEDS
    skip_the_rest(person)
    wizard = person.wizard
    assert in_words(wizard.findings) == []
    assert not any(wizard.faults.values())
    assert not wizard.is_whole
    assert left_out(wizard)[0] == ("reeds_unseen", 0, 53)
    assert left_out(wizard)[-1] == ("buttons_unseen", BUTTON, 63)


@pytest.mark.parametrize("lying", [(0, 15, 16), (48,)])
def test_pieces_that_nobody_takes_off_are_no_stuck_reeds(lying):
    person = Person(Wires())
    person.strays = set(lying)
    goes_away(person)
    skip_the_rest(person)
    assert in_words(person.wizard.findings) == []


def test_a_magnet_that_somebody_left_behind_is_no_stuck_reed():
    person = Person(Wires())
    while person.wizard.done < 2:
        person.act()
    person.put(2)
    goes_away(person)
    skip_the_rest(person)
    assert in_words(person.wizard.findings) == []


def test_whoever_is_away_twice_for_the_same_reed_has_not_accused_it():
    person = Person(Wires())
    wizard = person.wizard
    while wizard.state()["about"] != 7:
        person.act()
    person.wait(25_000)  # the telephone
    while wizard.state()["about"] != 7 or wizard.of == SENSORS:
        person.act()
    person.wait(25_000)  # again
    assert in_words(person.examine()) == []
    assert wizard.unseen[7]
    assert left_out(wizard)[0] == ("reeds_unseen", 7, 7)
    assert not wizard.is_whole


def test_whoever_says_once_that_nothing_happens_accuses():
    wires = Wires()
    wires.stuck[9] = False
    person = Person(wires)
    wizard = person.wizard
    while wizard.state()["about"] != 9:
        person.act()
    person.wait(25_000)
    assert in_words(person.examine()) == [("stuck_open", 9, NOTHING)]
    assert left_out(wizard) == []


def test_a_button_says_that_nothing_happens():
    """Without a PC: the magnet is there, and a short press of any button says so."""
    wires = Wires()
    wires.stuck[0] = False
    person = Person(wires)
    wizard = person.wizard
    person.wait(4000)
    for visit in range(2):
        while wizard.state()["about"] != 0:
            person.act()
        person.put(0)
        person.wait(1500)
        person.pressed.add(BUTTON + 3)
        person.wait(200)
        person.pressed.clear()
        person.wait(400)
        assert (wizard.step, wizard.state()["about"]) != (REEDS, 0), visit
        person.clear()
    assert in_words(person.examine()) == [("stuck_open", 0, NOTHING)]


def test_the_end_of_a_step_loses_no_second_visit():
    """Whoever has examined one board ends the step: what was silent in it comes once more."""
    person = Person(Wires())
    wizard = person.wizard
    while wizard.done < 16:
        if wizard.state()["about"] == 5:
            wizard.skip()
            person.wait(40)
        elif wizard.state()["about"] == 6:
            person.wait(25_000)
        else:
            person.act()
    wizard.end_step()
    person.wait(1000)
    asked = set()
    while wizard.step == REEDS:
        asked.add(wizard.state()["about"])
        person.act()
    assert {5, 6} <= asked <= {5, 6, NOTHING}
    assert in_words(wizard.findings) == []
    assert not wizard.unseen[5] and not wizard.unseen[6] and wizard.unseen[16]


def test_exchanged_wires_and_an_ended_step_accuse_nobody():
    """The one of two that was not visited is where the other one left its place free."""
    wires = Wires()
    wires.exchange(1, 9)
    person = Person(wires)
    while person.wizard.done < 2:
        person.act()
    skip_the_rest(person)
    assert in_words(person.wizard.findings) == [("exchanged", 1, 9)]


@pytest.mark.parametrize("step", range(REEDS, BUTTONS + 1))
@pytest.mark.parametrize("seed", lanes.first(range(3)))
def test_who_goes_away_in_the_middle_of_a_step_accuses_nothing(step, seed):
    person = Person(Wires(), seed)
    wizard = person.wizard
    while wizard.step < step:
        person.act()
    for _ in range(random.Random(seed).randrange(12)):
        person.act()
    goes_away(person)
    skip_the_rest(person)
    assert in_words(wizard.findings) == [], (step, seed)
    assert left_out(wizard)


def test_lights_that_nobody_answers_to_are_not_dark():
    person = Person(Wires())
    wizard = person.wizard
    while wizard.step < LIGHTS or wizard.done < 4:
        person.act()
    for _ in range(4):
        person.wait(25_000)
        while wizard.state()["asks"] == "z":
            person.act()
        person.act()
    wizard.end_step()
    person.wait(25_000)
    wizard.end_step()
    person.wait(60_000)
    assert in_words(wizard.findings) == []


def test_the_last_seconds_before_it_goes_on_are_counted():
    person = Person(Wires())
    person.wait(4000)
    left = []
    for _ in range(21_000 // 20):
        person.wait(20)
        seconds = person.wizard.state()["left_s"]
        if not left or left[-1] != seconds:
            left.append(seconds)
    assert left == [0, 5, 4, 3, 2, 1, 0]
    person.wait(120_000)  # two went by: from here on it waits
    assert person.wizard.state()["left_s"] == 0


def test_all_that_is_felt_is_told_at_once():
    person = Person(Wires())
    person.strays = {3, 9, 20, 50}
    person.wait(1000)
    state = person.wizard.state()
    assert (state["asks"], int(state["put"], 16)) == ("d", 1 << 3 | 1 << 9 | 1 << 20 | 1 << 50)
    person.strays = set()
    while person.wizard.step < LIGHTS:
        person.act()
    person.wait(200)
    person.magnets = {1, 2}
    person.wait(100)
    while person.asked()[1] != "z":
        person.wait(20)
    assert int(person.wizard.state()["put"], 16) & 6

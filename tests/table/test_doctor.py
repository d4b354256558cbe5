"""The doctor's wizard and a person: every fault alone is found, a sound table has none."""

import json
import random
from types import SimpleNamespace

import pytest

from chronotable.doctor import kinds, lamps, rewiring
from chronotable.doctor.cell_states import Press
from chronotable.doctor.examination import (
    BUTTONS,
    CLEAR,
    COLOURS,
    DONE,
    GHOSTS,
    LIGHTS,
    REEDS,
    Examination,
)
from chronotable.doctor.kinds import NOTHING
from chronotable.doctor.wiring_map import WiringMap, turned
from chronotable.hardware import board as reader
from chronotable.hardware.sensors import BUTTON, SENSORS
from chronotable.link.identity import TABLE, Identity
from chronotable.link.link import Link
from chronotable_host.hardware import boards
from chronotable_host.link import doctor_names as names
from tests import lanes, sweep
from tests.table.examined import Person, Wires

BOARDS = ("reference", "tiles", "tiles-polarity")


def test_a_map_is_whole_where_every_place_is_known_and_another():
    for known, whole in (([0, 1, 2], True), ([0, -1, 2], False), ([0, 1, 1], False)):
        assert rewiring.is_whole(SimpleNamespace(known=known)) == whole, known


def test_a_finding_concerns_what_it_names():
    at = SimpleNamespace(
        faults={7: kinds.STUCK_OPEN},
        findings=[(kinds.MOVED, 20, 21), (kinds.TURNED, 2, 1), (kinds.LED_DARK, 0, 5)],
    )
    found = {sensor for sensor in range(SENSORS) if Examination.concerns(at, sensor)}
    assert found == {5, 7, 20, 21, *range(32, 48)}


def test_a_press_that_says_something_comes_long_after_the_one_before():
    for apart_ms, said in ((299, False), (300, True)):
        press = Press()
        for closed, at_ms in ((True, 0), (False, 100), (True, 100 + apart_ms)):
            press.edge(BUTTON, closed, at_ms)
        press.edge(BUTTON, False, 200 + apart_ms)
        assert not press.is_over(499 + apart_ms)
        assert press.is_over(500 + apart_ms) == said, apart_ms


def turn(wires, era, how):
    cells = list(wires.cell_of)
    for space in range(16):
        wires.cell_of[era * 16 + space] = cells[era * 16 + turned(space, how)]


def lay_leds(wires, era, how):
    leds = list(wires.led_of)
    for space in range(16):
        wires.led_of[era * 16 + space] = leds[era * 16 + turned(space, how)]


def exchange_grids(wires, one, other):
    for space in range(16):
        wires.exchange(16 * one + space, 16 * other + space)


def exchange_led_grids(wires, one, other):
    for space in range(16):
        wires.exchange_leds(16 * one + space, 16 * other + space)


# by name: what breaks a table, and what is to be found
FAULTS = {
    "stuck closed": (lambda w: w.stuck.update({5: True}), [(kinds.STUCK_CLOSED, 5, NOTHING)]),
    "focus stuck closed": (
        lambda w: w.stuck.update({50: True}),
        [(kinds.STUCK_CLOSED, 50, NOTHING)],
    ),
    "stuck open": (lambda w: w.stuck.update({47: False}), [(kinds.STUCK_OPEN, 47, NOTHING)]),
    "flickers": (lambda w: w.flickers.add(30), [(kinds.FLICKERS, 30, NOTHING)]),
    "weak": (lambda w: w.weak.add(17), [(kinds.WEAK, 17, NOTHING)]),
    "nosy": (lambda w: w.nosy.update({6: 5}), [(kinds.NOSY, 6, 5)]),
    "exchanged": (lambda w: w.exchange(3, 20), [(kinds.EXCHANGED, 3, 20)]),
    "turned by half": (lambda w: turn(w, 2, 3), [(kinds.TURNED, 2, 3)]),
    "turned by a quarter": (lambda w: turn(w, 0, 5), [(kinds.TURNED, 0, 5)]),
    "mirrored": (lambda w: turn(w, 1, 1), [(kinds.TURNED, 1, 1)]),
    "grids": (lambda w: exchange_grids(w, 0, 2), [(kinds.GRIDS, 0, 2)]),
    "rows": (lambda w: w.exchange_lines(3, 1, 5), [(kinds.ROWS, 1, 5)]),
    "row cut": (lambda w: w.cut_rows.add(4), [(kinds.ROW_CUT, 4, NOTHING)]),
    "dark": (lambda w: w.dark.add(w.led_of[22]), None),
    "LEDs exchanged": (lambda w: w.exchange_leds(30, 51), [(kinds.LED_EXCHANGED, 30, 51)]),
    "LED grids": (lambda w: exchange_led_grids(w, 0, 1), [(kinds.LED_GRIDS, 0, 1)]),
    "LED rows": (lambda w: lay_leds(w, 1, 8), [(kinds.LED_ORDER, 1, 8)]),
    "LED columns": (lambda w: lay_leds(w, 2, 16), [(kinds.LED_ORDER, 2, 16)]),
    "LEDs turned": (lambda w: lay_leds(w, 0, 6), [(kinds.LED_ORDER, 0, 6)]),
    "colours": (lambda w: setattr(w, "order", "BGR"), [(kinds.COLOURS, 5, 2)]),
    "button dead": (lambda w: w.stuck.update({60: False}), [(kinds.BUTTON_DEAD, 60, NOTHING)]),
    "button stuck": (lambda w: w.stuck.update({57: True}), [(kinds.BUTTON_STUCK, 57, NOTHING)]),
    "buttons": (lambda w: w.exchange(54, 62), [(kinds.BUTTON_EXCHANGED, 54, 62)]),
}
IN_A_MATRIX = {
    "columns": (lambda w: w.exchange_lines(0, 3, 7), [(kinds.COLUMNS, 3, 7)]),
    "rows of buttons": (lambda w: w.exchange_lines(3, 4, 7), [(kinds.ROWS, 4, 7)]),
    "column cut": (lambda w: w.cut_columns.add(7), [(kinds.COLUMN_CUT, 7, NOTHING)]),
    "diode": (lambda w: w.bare.add(33), [(kinds.DIODE_MISSING, 33, NOTHING)]),
    "diode of a focus reed": (lambda w: w.bare.add(53), [(kinds.DIODE_MISSING, 53, NOTHING)]),
}
IN_REGISTERS = {
    "all buttons": (lambda w: w.cut_rows.add(7), [(kinds.CHIP_DEAD, 7, 1)]),
    "the end of the chain": (lambda w: w.cut_rows.update((5, 6, 7)), [(kinds.CHIP_DEAD, 5, 3)]),
}


def lose_chip(wires, row, player):
    wires.stuck_outputs.update({(at, player): False for at in range(row * 8, row * 8 + 8)})


IN_POLES = {
    "an output stuck, white's": (
        lambda w: w.stuck_outputs.update({(9, 0): True}),
        [(kinds.OUTPUT_STUCK, 9, 0)],
    ),
    "an output stuck, black's": (
        lambda w: w.stuck_outputs.update({(40, 1): True}),
        [(kinds.OUTPUT_STUCK, 40, 1)],
    ),
    "an output dead, white's": (
        lambda w: w.stuck_outputs.update({(0, 0): False}),
        [(kinds.OUTPUT_DEAD, 0, 0)],
    ),
    "an output dead, black's": (
        lambda w: w.stuck_outputs.update({(31, 1): False}),
        [(kinds.OUTPUT_DEAD, 31, 1)],
    ),
    "outputs exchanged": (lambda w: w.wrong_poles.add(1), [(kinds.POLES_WRONG, 1, NOTHING)]),
    "outputs joined": (
        lambda w: setattr(w, "joined", {18}),
        [(kinds.POLES_WRONG, 18, NOTHING)],
    ),
    "a copy's magnet turned": (
        lambda w: w.turned_of.add(1),
        [(kinds.MAGNET_TURNED, 1, NOTHING)],
    ),
    "a chip of one pole": (lambda w: lose_chip(w, 3, 1), [(kinds.CHIP_DEAD, 7, 1)]),
    "a chip of the pole that comes first": (
        lambda w: lose_chip(w, 2, 0),
        [(kinds.CHIP_DEAD, 4, 1)],
    ),
}


def cases():
    for board in BOARDS:
        more = IN_A_MATRIX if board == "reference" else IN_REGISTERS
        if board == "tiles-polarity":
            more = {**more, **IN_POLES}
        for name in (*FAULTS, *more):
            yield pytest.param(board, name, id=f"{board}, {name}")


def broken(board, name):
    wires = Wires(board)
    breaks, found = {**FAULTS, **IN_A_MATRIX, **IN_REGISTERS, **IN_POLES}[name]
    breaks(wires)
    if name == "dark":
        found = [(kinds.LED_DARK, wires.led_of[22], 22)]
    if name == "row cut" and not wires.has_matrix:
        found = [(kinds.CHIP_DEAD, 4, 1)]
    if board == "tiles-polarity" and name not in IN_POLES:  # two chips for each eight spaces
        found = [(k, *(2 * at for at in n)) if k == kinds.CHIP_DEAD else (k, *n) for k, *n in found]
    return wires, found


def hurry(person, step):
    """End every step before this one."""
    while person.wizard.step < step:
        if person.wizard.step != CLEAR:
            person.wizard.end_step()
            person.wait(40)
        else:
            person.act()


def in_words(found):
    return [(names.FINDINGS[kind], one, other) for kind, one, other in found]


PEOPLE = {
    "careful": {},
    "erring": {"errs": 0.06},
    "with two magnets in hands": {"hands": 2},
    "sliding over the next space": {"wide": True},
    "with magnets that lie about": {"strays": {9, 40}},
}


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("who", PEOPLE)
def test_a_sound_table_has_no_faults_whoever_examines_it(board, who):
    for seed in range(3 if who in ("careful", "erring") else 1):
        person = Person(Wires(board), seed, **PEOPLE[who])
        assert in_words(person.examine()) == [], seed
        assert rewiring.learned(person.wizard) == []


@pytest.mark.parametrize(("board", "name"), sweep.some([*cases()], 27))
def test_a_fault_alone_is_found(board, name):
    wires, wanted = broken(board, name)
    assert in_words(Person(wires).examine()) == in_words(wanted)


@pytest.mark.parametrize("name", IN_POLES)
def test_a_fault_of_poles_is_found_with_a_copy_of_either_player_first(name):
    wires, wanted = broken("tiles-polarity", name)
    if name == "a copy's magnet turned":
        wires.turned_of, wanted = {0}, [(kinds.MAGNET_TURNED, 0, NOTHING)]
    assert in_words(Person(wires, first=1).examine()) == in_words(wanted)


def test_whose_magnets_are_all_turned_is_told_and_no_output_is_accused():
    person = Person(Wires("tiles-polarity"))
    person.turns_all = True
    person.examine()
    assert in_words(person.wizard.findings) == [("magnet_turned", 1, NOTHING)]
    assert person.wizard.left_out == [(kinds.POLES_UNSEEN, 0, 47)]


def test_a_space_with_a_reed_alone_is_asked_for_no_poles():
    wires = Wires("tiles-polarity")
    wires.board.presence_only = (2, 17)
    wires.stuck_outputs.update({(2, 1): False, (17, 1): False})
    assert in_words(Person(wires).examine()) == []


@pytest.mark.parametrize("board", BOARDS)
def test_a_nosy_reed_that_is_exchanged_with_the_one_whose_magnet_it_feels(board):
    """What answers to two cells leaves the other one's to it; a button's cell is nobody's yet."""
    wires = Wires(board)
    wires.exchange(0, 1)
    wires.nosy.update({1: 0, BUTTON + 3: 0})
    assert in_words(Person(wires).examine()) == [("nosy", 1, 0), ("exchanged", 0, 1)]


@pytest.mark.parametrize(("early_ms", "found"), [(30, [("diode_missing", 33, NOTHING)]), (31, [])])
def test_what_closes_and_opens_without_a_magnet_of_its_own_is_a_ghost_if_at_once(early_ms, found):
    wires, _ = broken("reference", "diode")
    person = Person(wires)
    edge = person.wizard.edge
    ghost = wires.cell_of[36]  # opposite of 33
    person.wizard.edge = lambda cell, closed, at_ms: edge(
        cell, closed, at_ms - early_ms * (cell == ghost)
    )
    hurry(person, GHOSTS)
    assert in_words(person.examine()) == found


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize(
    "name", ["exchanged", "turned by a quarter", "rows", "LEDs exchanged", "LED rows", "colours"]
)
def test_the_board_file_is_rewritten_as_the_table_is(board, name):
    wires, _ = broken(board, name)
    person = Person(wires)
    person.examine()
    data = json.loads(boards.find(board).read_bytes())
    assert rewiring.rewrite(data, person.wizard)
    learned = reader.load(data)
    assert list(learned.cell_of) == wires.cell_of
    assert list(learned.led_of) == wires.led_of
    assert learned.colour_order == wires.order
    assert learned.name == board
    wizard = person.wizard
    for sensor, cell, led in rewiring.learned(wizard):
        assert cell == wires.cell_of[sensor]
        assert led == (wires.led_of[sensor] if sensor < SENSORS else NOTHING)
    if name != "colours":
        assert rewiring.learned(wizard)


def test_a_sound_table_changes_nothing_in_its_file():
    data = json.loads(boards.find("tiles").read_bytes())
    before = json.dumps(data)
    person = Person(Wires("tiles"))
    person.examine()
    assert not rewiring.rewrite(data, person.wizard)
    assert json.dumps(data) == before


# ---- people


def test_a_slow_person_finds_the_same():
    wires, wanted = broken("reference", "nosy")
    assert in_words(Person(wires, pace=6).examine()) == in_words(wanted)


@lanes.gate
def test_whoever_goes_away_finds_nothing_and_goes_on_later():
    person = Person(Wires())
    while person.wizard.done < 3:
        person.act()
    person.clear()
    person.wait(30 * 60_000)
    assert person.wizard.done <= 6
    assert person.wizard.step == REEDS
    assert in_words(person.examine()) == []


def test_lifting_and_putting_back_is_no_weak_reed():
    person = Person(Wires())
    person.wait(4000)
    wizard = person.wizard
    assert wizard.state()["about"] == 0
    for _ in range(2):
        person.magnets.add(0)
        person.wait(500)
        person.magnets.clear()
        person.wait(150)
        person.magnets.add(0)
        person.until(person.asked(), 3000)
        person.magnets.clear()
        person.wait(400)
        assert wizard.state()["asks"] == "a"
    assert in_words(person.examine()) == []


def test_buttons_skip_and_a_skipped_reed_is_asked_for_again():
    person = Person(Wires())
    person.wait(4000)
    person.pressed.add(BUTTON + 9)
    person.wait(200)
    person.pressed.clear()
    person.wait(400)
    assert person.wizard.state()["about"] == 1
    assert in_words(person.examine()) == []


def test_a_button_that_is_pressed_again_is_not_the_next_one():
    person = Person(Wires())
    while person.wizard.step < BUTTONS:
        person.act()
    for shown in (0, 1):
        assert person.seen(lamps.GOOD) == list(range(shown))
        assert person.seen(lamps.BREATH) == [shown]
        for _ in range(4):
            person.pressed.add(BUTTON)
            person.wait(200)
            person.pressed.clear()
            person.wait(200)
        assert person.wizard.state()["about"] == BUTTON + 1
    assert in_words(person.examine()) == []


def test_no_light_asks_for_anything_while_the_table_thinks():
    wires = Wires("tiles")
    turn(wires, 0, 2)
    wires.exchange_lines(3, 1, 2)
    person = Person(wires)
    thought = 0
    while person.wizard.step <= REEDS:
        person.act()
        while person.wizard.step == REEDS and person.asked()[1] == "w":
            thought += 1
            assert not any(person.wizard.lamps)
            person.wait(20)
    assert thought


def test_the_held_button_that_led_here_is_let_go_and_skips_nothing():
    person = Person(Wires())
    person.pressed.add(BUTTON + 6)
    person.wait(3000)
    assert person.wizard.step == CLEAR
    assert person.wizard.state()["about"] == BUTTON + 6
    person.pressed.clear()
    person.wait(1800)
    assert person.wizard.step == REEDS
    assert person.wizard.done == 0


def test_a_step_that_is_ended_is_taken_for_sound():
    wires = Wires()
    wires.exchange(0, 1)
    wires.stuck[30] = False
    wires.dark.add(7)
    person = Person(wires)
    while person.wizard.done < 2:
        person.act()
    wizard = person.wizard
    while wizard.step not in (CLEAR, DONE):
        wizard.end_step()
        person.wait(40)
    person.examine()
    assert in_words(wizard.findings) == [("exchanged", 0, 1)]
    assert not wizard.is_whole
    assert rewiring.is_whole(wizard.cells)
    assert rewiring.is_whole(wizard.leds)


@pytest.mark.parametrize("silent", [3, BUTTON + 4])
def test_what_has_been_silent_once_does_not_become_sound_when_the_rest_is_left_out(silent):
    wires = Wires()
    wires.stuck[silent] = False
    person = Person(wires)
    wizard = person.wizard
    step, first = (REEDS, 0) if silent < SENSORS else (BUTTONS, BUTTON)
    hurry(person, step)
    while wizard.step == step and wizard.done < silent - first + 1:
        person.act()
    while wizard.step not in (CLEAR, DONE):
        wizard.end_step()
        person.wait(40)
    person.examine()
    name = "stuck_open" if silent < SENSORS else "button_dead"
    assert in_words(wizard.findings) == [(name, silent, NOTHING)]
    assert bool(wizard.unseen[53])


# ---- what it says


def test_every_state_and_event_fits_its_message():
    wires, _ = broken("reference", "rows")
    wires.dark.add(11)
    person = Person(wires)
    link = Link(TABLE, Identity(boot=1))
    steps = {person.wizard.state()["step"]}
    while not person.wizard.is_over:
        person.act()
        state = person.wizard.state()
        link.send("step", **state)
        steps.add(state["step"])
        for name, fields in person.wizard.messages:
            link.post_event(name, 0, **fields)
        person.wizard.messages.clear()
    assert steps == set(range(DONE + 1))
    assert set(names.ASKS) == set("cdplzamrgbw")


def test_the_words_have_the_numbers():
    for name, number in vars(kinds).items():
        if name.isupper() and name != "NOTHING":
            assert names.FINDINGS[number], name
    assert len(names.FINDINGS) == 1 + max(
        number for name, number in vars(kinds).items() if name.isupper() and name != "NOTHING"
    )


def test_every_frame_keeps_to_the_limit():
    frame = bytearray(3 * SENSORS)
    most = 400 * 255 // 20
    for lamp in range(lamps.FAULT + 1):
        for now in (0, 300, 600, 900):
            assert lamps.fill(bytearray([lamp]) * SENSORS, "GRB", now, most, frame) <= most
    assert lamps.fill(bytearray([lamps.BRIGHT]) * SENSORS, "GRB", 0, most, frame) > most * 0.9


def test_the_current_is_told():
    person = Person(Wires())
    told = set()
    while not person.wizard.is_over:
        person.act()
        told.add(person.wizard.state()["ma"])
    assert len(told) == 2
    assert 350 <= max(told) <= 400 + 54


def test_a_dead_reed_does_not_make_its_light_a_dark_one():
    wires = Wires()
    wires.stuck[30] = False
    found = Person(wires).examine()
    assert in_words(found) == [("stuck_open", 30, NOTHING)]
    wires.dark.add(wires.led_of[30])
    found = Person(wires).examine()
    assert in_words(found) == [("stuck_open", 30, NOTHING), ("led_dark", wires.led_of[30], 30)]


def test_a_light_is_dark_that_nobody_sees_nor_the_one_beside_it():
    wires, wanted = broken("reference", "dark")
    person = Person(wires)
    while not person.wizard.is_over:
        if person.asked()[1] == "c":
            person.wizard.skip()
            person.wait(20)
        else:
            person.act()
    assert in_words(person.wizard.findings) == in_words(wanted)


def test_a_light_that_was_taken_for_another_comes_once_more():
    """Twice the magnet is put where another light will be, which then is answered to rightly."""
    person = Person(Wires())
    wizard = person.wizard
    hurry(person, LIGHTS)
    while wizard.done == 0:
        if person.asked()[1] == "m":
            person.put(53)
            person.until(person.asked(), 1000)
        person.act()
    assert wizard.leds.known[53] == 0
    assert in_words(person.examine()) == []
    assert rewiring.learned(wizard) == []


def test_lights_that_an_exchange_explains_are_answered_to_once():
    person = Person(broken("reference", "LED grids")[0])
    hurry(person, LIGHTS)
    answers = 0
    while person.wizard.step == LIGHTS:
        answers += person.asked()[1] == "m"
        person.act()
    assert SENSORS < answers < SENSORS + 10  # of 32 that are elsewhere only the first ones twice


def test_colours_are_shown_far_apart_where_reeds_and_lights_work():
    wires = Wires()
    wires.stuck[0] = False
    wires.dark.add(wires.led_of[53])
    person = Person(wires)
    while person.wizard.step < COLOURS or person.asked()[1] != "r":
        person.act()
    assert person.seen(lamps.FIRST, lamps.FIRST + 1, lamps.FIRST + 2) == [1, 27, 52]


# ---- plans


@pytest.mark.parametrize("seed", range(sweep.size(8, 20)))
def test_a_plan_explains_what_was_exchanged(seed):
    rng = random.Random(seed)
    wires = Wires()
    if seed % 2:
        exchange_grids(wires, *rng.sample(range(3), 2))
    turn(wires, rng.randrange(3), rng.randrange(1, 8))
    wires.exchange_lines(rng.choice((0, 3)), *rng.sample(range(8), 2))
    wires.exchange(*rng.sample(range(SENSORS), 2))
    plan = WiringMap(wires.board.cell_of, 8, 2)
    plan.known[:SENSORS] = wires.cell_of[:SENSORS]
    list(plan.explain())
    elsewhere = [s for s in range(SENSORS) if plan.predict(s) != plan.known[s]]
    assert len(elsewhere) == 2, seed
    plan.complete(len(wires.cell_of))
    assert plan.known == wires.cell_of, seed
    assert [number for number, _, _ in plan.exchanges()] == [
        0,
        *[1] * (seed % 2),
        *lines_of(plan),
        4,
    ], seed


@lanes.gate
@pytest.mark.parametrize("seed", range(sweep.size(2, 5)))
def test_a_plan_of_nothing_but_chance_is_all_exchanges(seed):
    plan = WiringMap(Wires().board.cell_of, 8, 2)
    plan.known[:] = random.Random(seed).sample(range(64), 64)
    list(plan.explain())
    plan.complete(64)
    assert len(plan.exchanges()) > 30, seed


def lines_of(plan):
    return [2] if list(plan.rows) != list(range(8)) else [3]


def test_what_is_not_known_is_where_a_place_was_left_free():
    plan = WiringMap(bytearray(range(54)), 24, 0)
    plan.known[:] = range(54)
    plan.known[7], plan.known[9] = 9, -1
    plan.known[30] = -1
    plan.complete(54)
    assert (plan.known[9], plan.known[30]) == (7, 30)
    assert plan.exchanges() == [(4, 7, 9)]


def test_of_turns_that_explain_the_same_the_plainest_is_told():
    """Four of one row came to lie elsewhere: also rows to and fro, mirrored, would explain that."""
    plan = WiringMap(bytearray(range(54)), 24, 0)
    plan.known[12:16] = (3, 2, 1, 0)
    plan.known[20:22] = (21, 20)
    list(plan.explain())
    assert plan.exchanges() == [(0, 0, 3), (4, 20, 21)]

"""Which reeds are believed: flicker, healing, lines that are gone, ghosts."""

from chronotable.core import faults
from chronotable.core.health import (
    DOES_NOT_CLOSE,
    DOES_NOT_OPEN,
    FLICKERS,
    FOUND,
    GHOST,
    HEARD,
    IGNORED,
    ReedHealth,
)

CELLS = bytearray(range(64))  # sensor 8 * r + c sits in row r, column c


def edges(health, sensor, count, every_ms, begin_ms=1000):
    """Let a sensor change so often; return what each change was taken for, and the last time."""
    heard = []
    now = begin_ms
    for number in range(count):
        now += every_ms
        heard.append(health.hear(sensor, number % 2 == 0, now))
    return heard, now


def test_a_flickering_reed_is_found_within_a_second():
    for every_ms in (25, 40, 60):
        heard, _ = edges(ReedHealth(), 5, 20, every_ms)
        found = heard.index(FOUND)
        assert heard[:found] == [HEARD] * found
        assert (found + 1) * every_ms <= 1000, every_ms


def test_no_hand_is_that_quick():
    """60 ms at least between gestures; a piece is not dropped and lifted for ever."""
    for every_ms, count in ((130, 200), (60, 7), (20, 7)):
        heard, _ = edges(ReedHealth(), 5, count, every_ms)
        assert FOUND not in heard, every_ms


def test_four_edges_at_once_make_a_reed_restless():
    for count in (3, 4):
        health = ReedHealth()
        _, now = edges(health, 5, count, 0)
        assert health.is_restless(5, now) == (count == 4)


def test_a_virtual_reed_is_ignored():
    health = ReedHealth()
    health.distrust(17, DOES_NOT_OPEN)
    health.distrust(50, DOES_NOT_CLOSE)
    assert health.hear(17, True, 0) == IGNORED
    assert (list(health.distrusted), health.markers) == ([0, 2, 0], 4)


def test_a_flickering_reed_may_heal_after_five_quiet_seconds():
    health = ReedHealth()
    _, now = edges(health, 5, 20, 40)
    health.distrust(5, FLICKERS)
    assert not health.may_heal(5, now + 4999)
    assert health.may_heal(5, now + 5000)
    health.heal(5)
    assert (list(health.distrusted), health.kinds[5]) == ([0, 0, 0], "")


def test_a_stuck_reed_may_heal_when_it_opened_and_closed():
    for kind in (DOES_NOT_OPEN, DOES_NOT_CLOSE):
        health = ReedHealth()
        health.distrust(5, kind)
        assert not health.may_heal(5, 60_000)
        health.hear(5, True, 60_000)
        assert not health.may_heal(5, 61_000)
        health.hear(5, False, 61_000)
        assert health.may_heal(5, 61_000)


def test_a_ghost_does_not_heal_by_coming_and_going():
    health = ReedHealth(CELLS)
    health.distrust(9, GHOST)
    edges(health, 9, 6, 400)
    assert not health.may_heal(9, 100_000)


def test_a_few_reeds_may_be_blamed_or_those_of_one_line():
    health = ReedHealth(CELLS)
    assert not faults.may_blame(health, [])
    assert faults.may_blame(health, [0, 9, 18])
    assert not faults.may_blame(health, [0, 9, 18, 27])
    assert faults.may_blame(health, [8, 9, 10, 12, 15]), "a row"
    assert faults.may_blame(health, [2, 10, 18, 34, 50]), "a column"
    assert not faults.may_blame(ReedHealth(), [8, 9, 10, 12]), "without a matrix there are no lines"


def test_two_pieces_of_a_line_that_go_at_once_are_a_lost_line():
    for first, second, lost in ((8, 11, True), (3, 43, True), (8, 17, False)):
        health = ReedHealth(CELLS)
        health.hear(first, False, 1000)
        assert not health.lost_line
        health.hear(second, False, 1000)
        assert health.lost_line == lost, (first, second)
        health.hear(30, True, 1005)
        assert not health.lost_line, "somebody has put something down"
    health = ReedHealth(CELLS)
    health.hear(8, False, 1000)
    health.hear(11, False, 1005)
    assert not health.lost_line, "two hands may be 5 ms apart"


def test_three_reeds_that_do_not_close_are_a_line():
    health = ReedHealth(CELLS)
    for sensor in (8, 9):
        health.distrust(sensor, DOES_NOT_CLOSE)
        assert faults.gone_with(health, sensor, []) == []
    health.distrust(12, DOES_NOT_CLOSE)
    assert faults.gone_with(health, 12, [0, 1]) == [10, 11, 13, 14, 15]
    assert faults.gone_with(health, 12, [0, 14]) == [], "one of it is closed"


def test_the_fourth_corner_of_a_rectangle_is_a_ghost():
    health = ReedHealth(CELLS)
    assert faults.kind_of(health, 9, [9, 12, 33, 36]) == GHOST
    assert faults.kind_of(health, 9, [9, 12, 33, 37]) == DOES_NOT_OPEN
    assert faults.kind_of(health, 9, [12, 33, 36]) == DOES_NOT_CLOSE
    assert faults.kind_of(ReedHealth(), 9, [9, 12, 33, 36]) == DOES_NOT_OPEN


def test_without_a_matrix_only_a_chip_is_a_line():
    health = ReedHealth(CELLS, has_matrix=False)  # sensor 8 * c + n is input n of chip c
    assert faults.may_blame(health, [8, 9, 10, 12, 15]), "a chip"
    assert not faults.may_blame(health, [2, 10, 18, 34, 50]), "the same input of other chips"
    for sensor in (10, 18, 34):
        health.distrust(sensor, DOES_NOT_CLOSE)
    assert faults.gone_with(health, 34, []) == []
    for sensor in (8, 9):
        health.distrust(sensor, DOES_NOT_CLOSE)
    assert faults.gone_with(health, 9, [0, 1]) == [11, 12, 13, 14, 15]
    for first, second, lost in ((8, 11, True), (3, 43, False), (8, 17, False)):
        health.hear(first, False, 1000)
        health.hear(second, False, 1000)
        assert health.lost_line == lost, (first, second)
        health.hear(30, True, 1005)


def test_without_a_matrix_nothing_is_a_ghost():
    health = ReedHealth(CELLS, has_matrix=False)
    assert faults.kind_of(health, 9, [9, 12, 33, 36]) == DOES_NOT_OPEN

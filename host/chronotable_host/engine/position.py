"""A position of the standard game as the search holds it, from the mover's side.

Copies lie in two integers of 48 bits, one for the mover's copies and one for the other player's:
bit `16 * era + space`, spaces counted from 0 (T1). The rest is small numbers. What is legal is
said by `ttykm`; this file says the same faster, and its tests compare the two.
"""

from array import array
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from ttykm import layout
from ttykm.layout import BACK, EAST, FORWARD, NORTH, SOUTH, WEST

ERA_BITS = 16
ERA = (1 << ERA_BITS) - 1
"""The spaces of the past; of the present and the future they lie one and two times 16 bits up."""

PAST, PRESENT, FUTURE = ERA, ERA << ERA_BITS, ERA << 2 * ERA_BITS
_PLACES = 3 * ERA_BITS


class Position(NamedTuple):
    """What the player to move sees."""

    own: int
    """The mover's copies, a bit each."""
    other: int
    supply: int
    """How many pieces the mover can still place (T25)."""
    other_supply: int
    focus: int
    """The era of the mover's focus, 0..2."""
    other_focus: int


_FIRST_COLUMN, _LAST_COLUMN = 0x1111, 0x8888
_new = tuple.__new__

OTHERS = ((1, 2), (0, 2), (0, 1))
"""The eras that the focus can shift to, by the era where it is (T15)."""

Result = tuple[int, int, int]
"""Own copies, the other's copies and the mover's supply when the actions of a turn are done."""

Line = tuple[int, int, int, int]
"""An action's code, and up to three spaces ahead in its direction, as bits; 0 is behind a wall."""


def _lines_from(place: int) -> tuple[Line, ...]:
    era, row, column = place // 16, place // 4 % 4, place % 4
    found = []
    for action, down, right in ((NORTH, -1, 0), (EAST, 0, 1), (SOUTH, 1, 0), (WEST, 0, -1)):
        ahead = [(row + down * far, column + right * far) for far in (1, 2, 3)]
        one, two, three = (
            1 << 16 * era + 4 * r + c if 0 <= r < 4 and 0 <= c < 4 else 0 for r, c in ahead
        )
        if one:
            found.append((action, one, two, three))
    return tuple(found)


LINES: dict[int, tuple[Line, ...]] = {1 << place: _lines_from(place) for place in range(_PLACES)}
"""Where a copy can step (T16), by the bit of the place that it stands on."""


def of_state(state: "array[int]") -> Position:
    """Return the position of a state of the standard game, as the player to move sees it."""
    mover = layout.mover(state)
    own, other = layout.COPIES + 3 * mover, layout.COPIES + 3 * (1 - mover)
    return Position(
        state[own] | state[own + 1] << ERA_BITS | state[own + 2] << 2 * ERA_BITS,
        state[other] | state[other + 1] << ERA_BITS | state[other + 2] << 2 * ERA_BITS,
        layout.supply(state, mover),
        layout.supply(state, 1 - mover),
        layout.focus(state, mover),
        layout.focus(state, 1 - mover),
    )


def after(position: Position, result: Result, focus: int) -> Position:
    """Return what the other player sees when a turn has ended so (T15)."""
    own, other, supply = result
    _, _, _, other_supply, _, other_focus = position
    # as Position(...) does it, in a third of the time
    return _new(Position, (other, own, other_supply, supply, other_focus, focus))


def eras_held(copies: int) -> int:
    """Return in how many eras these copies are, 0..3."""
    return (copies & PAST != 0) + (copies & PRESENT != 0) + (copies & FUTURE != 0)


def has_won(other: int) -> bool:
    """Tell whether the player wins whose turn ends, for the other has these copies left (T29)."""
    if other & PAST:
        return not other >> ERA_BITS
    return not (other & PRESENT and other & FUTURE)


def may_empty(own: int, other: int, supply: int, focus: int) -> bool:
    """Tell whether one of the other's eras may be emptied, as far as it is seen without a turn.

    Who dies was pushed by a copy beside it, which came there with the first action if it did so
    from another space or era.
    """
    acting = own >> ERA_BITS * focus & ERA
    for era in range(focus - (focus > 0 and supply > 0), min(focus + 2, 3)):
        near = _beside(other >> ERA_BITS * era & ERA)
        if acting & (near | _beside(near) if era == focus else near):
            return True
    return False


def _beside(spaces: int) -> int:
    """Return the spaces beside some of a board's."""
    return (
        spaces << 4 | spaces >> 4 | (spaces & ~_LAST_COLUMN) << 1 | (spaces & ~_FIRST_COLUMN) >> 1
    ) & ERA


def step(own: int, other: int, bit: int, line: Line) -> tuple[int, int, int]:
    """Move a copy a space on (T16-T22).

    Returns own copies, the other's, and the bit of the copy that moved, 0 where it died.
    """
    _, target, second, third = line
    if not (own | other) & target:
        return own ^ bit ^ target, other, target
    if own & target:  # T21
        return own ^ bit ^ target, other, 0
    # Who stands ahead in alternating colours moves on by one: their spaces change colours (T20).
    moved = own ^ bit ^ target
    if second & own:
        if third & other:  # a line has four spaces: it is squished (T18)
            return moved ^ second ^ third, other ^ target ^ second ^ third, target
        # the own copy goes on to the third space, dies with that of its colour there (T19), or at
        # the wall
        return moved ^ second ^ third, other ^ target ^ second, target
    # so does the other's copy on the second space
    return moved, other ^ target ^ second, target


def ways(
    own: int, other: int, supply: int, focus: int, strict: bool = False
) -> Iterator[tuple[Result, int]]:
    """Yield each legal way to act, without the shift of the focus (T7-T14).

    One is what it leads to and the packed actions, as in `ttykm.layout.pack_sequence`; `strict` is
    the option strict_two_actions.
    """
    acting = own & ERA << ERA_BITS * focus
    if not acting:
        yield (own, other, supply), 0  # T10
        return
    last: list[tuple[Result, int]] | None = []  # of copies that die in whatever they do (T12)
    while acting:
        bit = acting & -acting
        acting ^= bit
        space = (bit.bit_length() - 1 & 15) << 12
        deaths = []
        second_due = []
        for line in LINES[bit]:
            own_then, other_then, at = step(own, other, bit, line)
            if at:
                second_due.append((own_then, other_then, supply, at, line[0]))
            else:
                deaths.append(((own_then, other_then, supply), space | line[0] << 6))
        taken = own | other
        to = bit << ERA_BITS
        if not bit & FUTURE and not taken & to:
            second_due.append((own ^ bit ^ to, other, supply, to, FORWARD))
        to = bit >> ERA_BITS
        if supply and to and not taken & to:
            second_due.append((own | to, other, supply - 1, to, BACK))
        if not second_due:
            if last is not None:
                last += deaths
            continue
        last = None
        if not strict:  # T14
            yield from deaths
        for own_now, other_now, left, at, first in second_due:
            sequence = space | first << 6
            taken = own_now | other_now
            for line in LINES[at]:
                action, target = line[0], line[1]
                if taken & target:
                    own_then, other_then, _ = step(own_now, other_now, at, line)
                    yield (own_then, other_then, left), sequence | action
                else:
                    yield (own_now ^ at ^ target, other_now, left), sequence | action
            to = at << ERA_BITS
            if not at & FUTURE and not taken & to:
                yield (own_now ^ at ^ to, other_now, left), sequence | FORWARD
            to = at >> ERA_BITS
            if left and to and not taken & to:
                yield (own_now | to, other_now, left - 1), sequence | BACK
    yield from last or ()


def results(
    own: int, other: int, supply: int, focus: int, strict: bool = False
) -> dict[Result, int]:
    """Return what the actions of a turn can lead to, and a way to act for each."""
    return dict(ways(own, other, supply, focus, strict))


def perft(position: Position, depth: int, strict: bool = False) -> int:
    """Count the lines of so many turns; what a game's end cuts short counts for none (XS17)."""
    own, other, supply, _, focus, _ = position
    times = Counter(result for result, _ in ways(own, other, supply, focus, strict))
    if depth == 1:
        return 2 * times.total()
    return sum(
        count * perft(after(position, result, shifted), depth - 1, strict)
        for result, count in times.items()
        if not has_won(result[1])
        for shifted in OTHERS[focus]
    )

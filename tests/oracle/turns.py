"""What all modules share: positions, the boards' spaces, and the steps of a turn.

Written from the rules text alone and sharing nothing with the engine that it helps to judge.
Numbers such as T16 are those of `chronotable rules`. What one action does is not known here: the
turn layer is given a function that lists the actions of a copy and asks nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

ERAS = ("past", "present", "future")  # T1
COLOURS = ("w", "b")
SPACES = range(1, 17)  # T1: four rows of four, in reading order
STEPS = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}  # (rows, columns)
START_SUPPLY = 4  # T2

Board = frozenset[tuple[int, str]]  # the copies of one era: (space, colour)
Place = tuple[int, int]  # (era 0..2, space 1..16)


class Death(NamedTuple):
    """One copy that died: where it stood before the action, and of what (T18, T19)."""

    colour: str  # 'W' or 'B'
    space: int
    era: str
    cause: str  # 'squish', 'paradox', 'crushed' or 'trampled'

    def __str__(self) -> str:
        return f"{self.colour}{self.space} {self.era} ({self.cause})"


class Thing(NamedTuple):
    """What can occupy a space; at most one does. Seeds do not: copies share with them (G2)."""

    kind: str  # 'copy', 'shrub', 'tree', 'fallen', 'statue' or 'elephant'
    name: str = ""  # a copy's colour w b, a statue's N W B, an elephant's D L
    root: int = 0  # where the roots of a fallen tree are (G13)
    hat: str = ""  # the colour of the hat that an elephant wears, w or b (M4)


Things = frozenset[tuple[int, Thing]]  # the things of one era that are neither copies nor seeds
Spaces = frozenset[int]


@dataclass(frozen=True)
class Position:
    """What lies in the eras, the two focus tokens, the two supplies, whose turn it is (T1, T2)."""

    eras: tuple[Board, Board, Board]
    focus: tuple[int, int]  # (white's, black's)
    supply: tuple[int, int]  # (white's, black's)
    mover: str  # 'w' or 'b'
    modules: tuple[str, ...]  # in the order of pieces.MODULES; empty for the standard game
    things: tuple[Things, Things, Things]
    sown: tuple[Spaces, Spaces, Spaces]  # where the seeds are
    seeds: int  # in the supply; 0 without growth
    statues: frozenset[str]  # the players who still hold their own statues; none without influence


@dataclass(frozen=True)
class Outcome:
    """What one action leads to; `position` has the same mover and focuses as before."""

    position: Position
    active: Place | None  # None: the active copy died
    deaths: tuple[Death, ...]  # era by era, farthest first (T22); of a paradox, the mover last


@dataclass(frozen=True)
class Turn:
    """One legal turn (T7); `position` has the mover switched, also when `winner` is not None."""

    copy: int | None  # the space in the focus era; None when no action can be taken (T10, T13)
    actions: tuple[str, ...]
    focus: str  # name of the new focus era
    position: Position
    winner: str | None


Acts = Callable[[Position, Place], dict[str, Outcome]]  # all legal single actions of a copy


# ---- the boards


def opponent(colour: str) -> str:
    """The other colour."""
    return "b" if colour == "w" else "w"


def space_beyond(space: int, direction: str) -> int | None:
    """The next space in a direction, None behind a wall (T1, T16)."""
    row, column = divmod(space - 1, 4)
    rows, columns = STEPS[direction]
    row, column = row + rows, column + columns
    if row not in range(4) or column not in range(4):
        return None
    return row * 4 + column + 1


def eras_held(position: Position, colour: str) -> int:
    """In how many eras a player has copies (T29)."""
    return sum(colour in dict(board).values() for board in position.eras)


def copies_in(position: Position, era: int, colour: str) -> list[int]:
    """The spaces of a player's copies in one era."""
    return sorted(space for space, who in position.eras[era] if who == colour)


def of_player(pair: tuple[int, int], colour: str) -> int:
    """A player's part of a pair such as `focus` and `supply`."""
    return pair[COLOURS.index(colour)]


def with_one(pair: tuple[int, int], colour: str, value: int) -> tuple[int, int]:
    """Such a pair with one player's part exchanged."""
    return (value, pair[1]) if colour == "w" else (pair[0], value)


def check_active(position: Position, active: Place) -> None:
    """Raise ValueError unless a copy of the mover stands at (era, space)."""
    era, space = active
    if (space, position.mover) not in position.eras[era]:
        raise ValueError(f"no copy of {position.mover} on {ERAS[era]} {space}")


# ---- turns


def format_turn(turn: Turn) -> str:
    """Write a turn: `6 E F >future`, or `>past` when there was no action to take."""
    words = [] if turn.copy is None else [str(turn.copy)]
    return " ".join([*words, *turn.actions, f">{turn.focus}"])


def _sequences(
    position: Position, active: Place, acts: Acts
) -> list[tuple[tuple[str, ...], Position]]:
    """All action sequences of one copy: two actions where legal (T7, T11), else one (T14)."""
    found: list[tuple[tuple[str, ...], Position]] = []
    for first, once in acts(position, active).items():
        # The same copy goes on, in its new era too (T8, T9); not when it is dead (T14).
        follow = {} if once.active is None else acts(once.position, once.active)
        if not follow:
            found.append(((first,), once.position))
        for second, twice in follow.items():
            found.append(((first, second), twice.position))
    return found


def _choices(
    position: Position, acts: Acts, strict: bool
) -> Iterator[tuple[int | None, tuple[str, ...], Position]]:
    """Steps 1 and 2 of a turn: (copy, actions, position before the focus shift)."""
    era = of_player(position.focus, position.mover)
    sequences = {
        space: _sequences(position, (era, space), acts)
        for space in copies_in(position, era, position.mover)
    }
    # T12: d(c), the largest number of actions copy c can take; only the largest may be chosen.
    most = {
        space: max((len(names) for names, _ in found), default=0)
        for space, found in sequences.items()
    }
    best = max(most.values(), default=0)
    if best == 0:  # T10: no copy here; T13: no copy here can act
        yield None, (), position
        return
    for space, found in sequences.items():
        if most[space] < best:
            continue
        for names, after in found:
            # T14: literally, two actions must be taken if any sequence has two; by default
            # the first action is free and may make the second impossible.
            if strict and len(names) < best:
                continue
            yield space, names, after


def _shift_focus(position: Position, focus: int) -> Position:
    """Step 3, and the turn passes to the opponent (T7, T15)."""
    return replace(
        position,
        focus=with_one(position.focus, position.mover, focus),
        mover=opponent(position.mover),
    )


def legal_turns(position: Position, acts: Acts, strict: bool) -> list[Turn]:
    """All legal turns; `strict` is the option strict_two_actions (T7-T15, T29-T31).

    The position is taken as it is: whether the game was already over is not asked.
    """
    turns: list[Turn] = []
    mover = position.mover
    # T29-T31: after the shift the one who moved wins if the opponent holds at most one era,
    # however few the winner holds, and also after a turn without actions.
    for space, names, after in _choices(position, acts, strict):
        winner = mover if eras_held(after, opponent(mover)) <= 1 else None
        for focus, era_name in enumerate(ERAS):
            if focus != of_player(position.focus, mover):  # T15: to a different era, always
                turns.append(Turn(space, names, era_name, _shift_focus(after, focus), winner))
    return turns


def perft(
    position: Position, depth: int, turns_of: Callable[[Position], list[Turn]]
) -> list[tuple[int, int, int]]:
    """Per depth 1..depth: (sequences, distinct positions, wins); won lines are not continued.

    Equal positions are expanded once and counted with the number of ways that lead to them.
    """
    rows: list[tuple[int, int, int]] = []
    open_lines: Counter[Position] = Counter({position: 1})
    for _ in range(depth):
        reached: Counter[Position] = Counter()
        won: Counter[Position] = Counter()
        for before, ways in open_lines.items():
            for turn in turns_of(before):
                (won if turn.winner else reached)[turn.position] += ways
        wins = sum(won.values())
        rows.append((sum(reached.values()) + wins, len(set(reached) | set(won)), wins))
        open_lines = reached
    return rows

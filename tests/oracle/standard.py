"""Independent oracle of the standard game of That Time You Killed Me (rules T1-T32).

Written from the rules text alone and sharing nothing with the engine it checks: sets, dicts, one
small function per rule, no speed tricks. Numbers such as T16 or Q1 are those of RULES.md.

How the chapters fit in later: a board is a set of (space, thing); `_enter` is the function of the
entry table (RULES 5.4), to be given a row for each new occupant and a parameter for the kind of
thing entering; `actions` is to be given the new kinds of action; `_can_arrive` knows what blocks
time travel. The turn layer (`legal_turns`, `perft`) needs no change: it asks `actions` only.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

ERAS = ("past", "present", "future")  # T1
COLOURS = ("w", "b")
SPACES = range(1, 17)  # T1: four rows of four, in reading order
STEPS = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}  # (rows, columns)
START_SUPPLY = 4  # T2

Board = frozenset[tuple[int, str]]  # what stands where in one era: (space, colour)
Place = tuple[int, int]  # (era 0..2, space 1..16)


class Death(NamedTuple):
    """One copy that died: where it stood before the action, and of what (T18, T19)."""

    colour: str  # 'W' or 'B'
    space: int
    era: str
    cause: str  # 'squish' or 'paradox'

    def __str__(self) -> str:
        return f"{self.colour}{self.space} {self.era} ({self.cause})"


@dataclass(frozen=True)
class Position:
    """The boards, where the two focus tokens are, the two supplies, whose turn it is (T1, T2)."""

    eras: tuple[Board, Board, Board]
    focus: tuple[int, int]  # (white's, black's)
    supply: tuple[int, int]  # (white's, black's)
    mover: str  # 'w' or 'b'


@dataclass(frozen=True)
class Outcome:
    """What one action leads to; `position` has the same mover and focuses as before."""

    position: Position
    active: Place | None  # None: the active copy died
    deaths: tuple[Death, ...]  # farthest first (T22); of a paradox, first the copy run into


@dataclass(frozen=True)
class Turn:
    """One legal turn (T7); `position` has the mover switched, also when `winner` is not None."""

    copy: int | None  # the space in the focus era; None when no action can be taken (T10, T13)
    actions: tuple[str, ...]
    focus: str  # name of the new focus era
    position: Position
    winner: str | None


# ---------------------------------------------------------------- the board


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


def occupant(board: Board, space: int) -> str | None:
    """The colour of the copy on a space, None for an empty space."""
    return dict(board).get(space)


def eras_held(position: Position, colour: str) -> int:
    """In how many eras a player has copies (T29)."""
    return sum(colour in dict(board).values() for board in position.eras)


def copies_in(position: Position, era: int, colour: str) -> list[int]:
    """The spaces of a player's copies in one era."""
    return sorted(space for space, who in position.eras[era] if who == colour)


def _player(colour: str) -> int:
    """Index of a player in the pairs `focus` and `supply`."""
    return COLOURS.index(colour)


def _with_board(position: Position, era: int, board: Board) -> Position:
    boards = list(position.eras)
    boards[era] = board
    return replace(position, eras=(boards[0], boards[1], boards[2]))


def _with_one(pair: tuple[int, int], colour: str, value: int) -> tuple[int, int]:
    return (value, pair[1]) if colour == "w" else (pair[0], value)


# ---------------------------------------------------------------- texts (DESIGN 2)


def parse_position(text: str) -> Position:
    """Read a position line; lenient about white space and case, strict about meaning."""
    fields = re.sub(r"\s*/\s*", "/", text.lower()).split()
    if len(fields) != 6:
        raise ValueError(f"a standard position has 6 fields, not {len(fields)}: {text!r}")
    boards = fields[0].split("/")
    if len(boards) != 3 or any(not re.fullmatch(r"[.wb]{16}", board) for board in boards):
        raise ValueError(f"three eras of 16 characters . w b are needed: {text!r}")
    if any(not re.fullmatch(r"[012]", field) for field in fields[1:3]):
        raise ValueError(f"a focus is 0, 1 or 2: {text!r}")
    if any(not re.fullmatch(r"[0-9]+", field) for field in fields[3:5]):
        raise ValueError(f"a supply is a number: {text!r}")
    if fields[5] not in COLOURS:
        raise ValueError(f"the mover is w or b: {text!r}")
    past, present, future = (_parse_board(board) for board in boards)
    return Position(
        eras=(past, present, future),
        focus=(int(fields[1]), int(fields[2])),
        supply=(int(fields[3]), int(fields[4])),
        mover=fields[5],
    )


def _parse_board(text: str) -> Board:
    return frozenset((space, text[space - 1]) for space in SPACES if text[space - 1] != ".")


def format_position(p: Position) -> str:
    """Write a position line."""
    boards = "/".join("".join(occupant(board, s) or "." for s in SPACES) for board in p.eras)
    return f"{boards} {p.focus[0]} {p.focus[1]} {p.supply[0]} {p.supply[1]} {p.mover}"


def format_turn(turn: Turn) -> str:
    """Write a turn: `6 E F >future`, or `>past` when there was no action to take."""
    words = [] if turn.copy is None else [str(turn.copy)]
    return " ".join([*words, *turn.actions, f">{turn.focus}"])


def initial_position(first: str = "w") -> Position:
    """The standard set-up: copies on 1 and 16 (T3), first player's focus in the past (T4)."""
    board: Board = frozenset({(1, "w"), (16, "b")})
    focus = (0, 2) if first == "w" else (2, 0)
    return Position((board, board, board), focus, (START_SUPPLY, START_SUPPLY), first)


# ---------------------------------------------------------------- single actions


@dataclass(frozen=True)
class _Entered:
    """One copy, and all it pushed, after it entered the next space."""

    board: Board
    alive: bool  # False: it ran into its own colour (T19)
    deaths: tuple[Death, ...]


def _enter(board: Board, era: int, origin: int, direction: str) -> _Entered | None:
    """The copy on `origin` moves or is pushed one space; None when it is blocked (RULES 5.4).

    Blocked means for the caller: a voluntary move is illegal (T16), a pushed copy dies (T18).
    """
    colour = dict(board)[origin]
    target = space_beyond(origin, direction)
    if target is None:  # a wall blocks (T16)
        return None
    other = occupant(board, target)
    if other == colour:
        # T19, T21: paradox. Both die, the target ends empty, nothing beyond is touched.
        both = (
            Death(colour.upper(), target, ERAS[era], "paradox"),
            Death(colour.upper(), origin, ERAS[era], "paradox"),
        )
        return _Entered(board - {(origin, colour), (target, colour)}, False, both)
    deaths: tuple[Death, ...] = ()
    if other is not None:
        # T17, T20: the other colour is pushed on, "as if they had moved into that space
        # normally"; the farthest is resolved first (T22).
        pushed = _enter(board, era, target, direction)
        if pushed is None:
            # T18: squish; the pusher still takes the space.
            deaths = (Death(other.upper(), target, ERAS[era], "squish"),)
            board = board - {(target, other)}
        else:
            deaths = pushed.deaths
            board = pushed.board
    # T22: then the mover enters the space, which is now empty.
    return _Entered(board - {(origin, colour)} | {(target, colour)}, True, deaths)


def _can_arrive(position: Position, era: int, space: int) -> bool:
    """Time travel needs a neighbouring era and no copy on the same space there (T24, T25)."""
    return era in range(len(ERAS)) and occupant(position.eras[era], space) is None


def _move(position: Position, active: Place, direction: str) -> Outcome | None:
    """MOVE, with all that follows (T16-T23); None when illegal."""
    era, space = active
    entered = _enter(position.eras[era], era, space, direction)
    if entered is None:
        return None
    # T23: the dead leave the game; no supply changes.
    after = _with_board(position, era, entered.board)
    target = space_beyond(space, direction)
    place = (era, target) if entered.alive and target is not None else None
    return Outcome(after, place, entered.deaths)


def _travel_forward(position: Position, active: Place) -> Outcome | None:
    """FORWARD (T24, T26); None when illegal. Focus tokens play no part (T28)."""
    era, space = active
    copy = (space, position.mover)
    if not _can_arrive(position, era + 1, space):
        return None
    after = _with_board(position, era, position.eras[era] - {copy})  # nothing is left behind
    after = _with_board(after, era + 1, position.eras[era + 1] | {copy})
    return Outcome(after, (era + 1, space), ())


def _travel_backward(position: Position, active: Place) -> Outcome | None:
    """BACKWARD (T25-T27); None when illegal. Focus tokens play no part (T28)."""
    era, space = active
    copy = (space, position.mover)
    supply = position.supply[_player(position.mover)]
    if supply < 1 or not _can_arrive(position, era - 1, space):
        return None
    # The active copy goes; the new copy from the supply stands where it left: same picture here.
    after = _with_board(position, era - 1, position.eras[era - 1] | {copy})
    after = replace(after, supply=_with_one(position.supply, position.mover, supply - 1))
    return Outcome(after, (era - 1, space), ())


def actions(position: Position, active: Place) -> dict[str, Outcome]:
    """All legal single actions of the mover's copy at (era, space): T16-T28."""
    era, space = active
    if (space, position.mover) not in position.eras[era]:
        raise ValueError(f"no copy of {position.mover} on {ERAS[era]} {space}")
    found = {direction: _move(position, active, direction) for direction in STEPS}
    found["F"] = _travel_forward(position, active)
    found["B"] = _travel_backward(position, active)
    return {name: outcome for name, outcome in found.items() if outcome is not None}


# ---------------------------------------------------------------- turns


def _next_actions(outcome: Outcome) -> dict[str, Outcome]:
    """What may follow an action: the same copy goes on, in its new era too (T8, T9, T14)."""
    return {} if outcome.active is None else actions(outcome.position, outcome.active)


def _sequences(position: Position, active: Place) -> list[tuple[tuple[str, ...], Position]]:
    """All action sequences of one copy: two actions where legal (T7, T11), else one (T14)."""
    found: list[tuple[tuple[str, ...], Position]] = []
    for first, once in actions(position, active).items():
        follow = _next_actions(once)
        if not follow:
            found.append(((first,), once.position))
        for second, twice in follow.items():
            found.append(((first, second), twice.position))
    return found


def _choices(
    position: Position, strict: bool
) -> Iterator[tuple[int | None, tuple[str, ...], Position]]:
    """Steps 1 and 2 of a turn: (copy, actions, position before the focus shift)."""
    era = position.focus[_player(position.mover)]
    sequences = {
        space: _sequences(position, (era, space))
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
            # T14, Q1: literally, two actions must be taken if any sequence has two; by default
            # the first action is free and may make the second impossible.
            if strict and len(names) < best:
                continue
            yield space, names, after


def _shift_focus(position: Position, focus: int) -> Position:
    """Step 3, and the turn passes to the opponent (T7, T15)."""
    return replace(
        position,
        focus=_with_one(position.focus, position.mover, focus),
        mover=opponent(position.mover),
    )


def legal_turns(position: Position, strict: bool = False) -> list[Turn]:
    """All legal turns; `strict` is the option strict_two_actions (T7-T15, T29-T31).

    The position is taken as it is: whether the game was already over is not asked.
    """
    turns: list[Turn] = []
    mover = position.mover
    # T29-T31: after the shift the one who moved wins if the opponent holds at most one era,
    # however few the winner holds, and also after a turn without actions.
    for space, names, after in _choices(position, strict):
        winner = mover if eras_held(after, opponent(mover)) <= 1 else None
        for focus, era_name in enumerate(ERAS):
            if focus != position.focus[_player(mover)]:  # T15: to a different era, always
                turns.append(Turn(space, names, era_name, _shift_focus(after, focus), winner))
    return turns


def perft(position: Position, depth: int, strict: bool = False) -> list[tuple[int, int, int]]:
    """Per depth 1..depth: (sequences, distinct positions, wins); won lines are not continued.

    Equal positions are expanded once and counted with the number of ways that lead to them.
    """
    rows: list[tuple[int, int, int]] = []
    open_lines: Counter[Position] = Counter({position: 1})
    for _ in range(depth):
        reached: Counter[Position] = Counter()
        won: Counter[Position] = Counter()
        for before, ways in open_lines.items():
            for turn in legal_turns(before, strict):
                (won if turn.winner else reached)[turn.position] += ways
        wins = sum(won.values())
        rows.append((sum(reached.values()) + wins, len(set(reached) | set(won)), wins))
        open_lines = reached
    return rows

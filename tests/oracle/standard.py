"""Independent oracle of the standard game of That Time You Killed Me (rules T1-T32).

Written from the rules text alone and sharing nothing with the engine it checks: sets, dicts, one
small function per rule, no speed tricks. Numbers such as T16 are those of `chronotable rules`.

The steps of a turn are in turns.py. The chapters have an oracle of their own, chapters.py, on the
same turn layer; this one knows no objects and so is a second witness for the standard game.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from tests.oracle import turns
from tests.oracle.turns import (
    COLOURS,
    ERAS,
    SPACES,
    START_SUPPLY,
    STEPS,
    Board,
    Death,
    Place,
    Position,
    check_active,
    copies_in,
    eras_held,
    format_turn,
    of_player,
    space_beyond,
    with_one,
)

__all__ = [
    "COLOURS",
    "ERAS",
    "SPACES",
    "Death",
    "Outcome",
    "Position",
    "Turn",
    "actions",
    "copies_in",
    "eras_held",
    "format_position",
    "format_turn",
    "initial_position",
    "legal_turns",
    "occupant",
    "parse_position",
    "perft",
]

Outcome = turns.Outcome[Position]
Turn = turns.Turn[Position]


# ---------------------------------------------------------------- the board


def occupant(board: Board, space: int) -> str | None:
    """The colour of the copy on a space, None for an empty space."""
    return dict(board).get(space)


def _with_board(position: Position, era: int, board: Board) -> Position:
    boards = list(position.eras)
    boards[era] = board
    return replace(position, eras=(boards[0], boards[1], boards[2]))


# ---------------------------------------------------------------- texts


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
    """The copy on `origin` moves or is pushed one space; None when it is blocked (T16-T22).

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
    supply = of_player(position.supply, position.mover)
    if supply < 1 or not _can_arrive(position, era - 1, space):
        return None
    # The active copy goes; the new copy from the supply stands where it left: same picture here.
    after = _with_board(position, era - 1, position.eras[era - 1] | {copy})
    after = replace(after, supply=with_one(position.supply, position.mover, supply - 1))
    return Outcome(after, (era - 1, space), ())


def actions(position: Position, active: Place) -> dict[str, Outcome]:
    """All legal single actions of the mover's copy at (era, space): T16-T28."""
    check_active(position, active)
    found = {direction: _move(position, active, direction) for direction in STEPS}
    found["F"] = _travel_forward(position, active)
    found["B"] = _travel_backward(position, active)
    return {name: outcome for name, outcome in found.items() if outcome is not None}


# ---------------------------------------------------------------- turns


def legal_turns(position: Position, strict: bool = False) -> list[Turn]:
    """All legal turns; `strict` is the option strict_two_actions (T7-T15, T29-T31)."""
    return turns.legal_turns(position, actions, strict)


def perft(position: Position, depth: int, strict: bool = False) -> list[tuple[int, int, int]]:
    """Per depth 1..depth: (sequences, distinct positions, wins); won lines are not continued."""
    return turns.perft(position, depth, lambda before: legal_turns(before, strict))

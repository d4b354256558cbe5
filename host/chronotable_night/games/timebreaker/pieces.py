"""Tiles, pawns and the Time Breaker, and what a card or an arrow does to them.

It knows nothing of hands and turns: the course of the game, the words about what a choice leads to
and the bots all ask here.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from chronotable_night.games.interface import GameHappening, State
from chronotable_night.games.timebreaker.data import Data, jump_of

SIZE = 5
CELLS = SIZE * SIZE
CENTRE = CELLS // 2
GAP = ""

OFFSETS = {"L": (0, -1), "R": (0, 1), "U": (-1, 0), "D": (1, 0)}
"""How many rows down and columns right a step of each direction goes."""
EVERY_WAY = "LRUD"


@lru_cache(maxsize=4096)
def _steps(grid: tuple[str, ...]) -> Mapping[str, Mapping[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for cell, tile in enumerate(grid):
        if tile == GAP:
            continue
        found[tile] = {}
        for direction, (down, right) in OFFSETS.items():
            row, column = divmod(cell, SIZE)
            for _ in range(SIZE - 1):
                row, column = (row + down) % SIZE, (column + right) % SIZE
                other = grid[row * SIZE + column]
                if other != GAP:
                    found[tile][direction] = other
                    break
    return found


def steps_from(grid: Sequence[str], tile: str) -> Mapping[str, str]:
    """Return the tile a step away by direction, L R U D, over the edge and past gaps (B7).

    A line without other tiles has none.
    """
    return _steps(tuple(grid))[tile]


def step_targets(grid: Sequence[str], tile: str, directions: str = EVERY_WAY) -> Sequence[str]:
    """Return the different tiles a step away in the directions, such as "LR"."""
    return _targets(tuple(grid), tile, directions)


@lru_cache(maxsize=16384)
def _targets(grid: tuple[str, ...], tile: str, directions: str) -> Sequence[str]:
    steps = steps_from(grid, tile)
    return tuple(dict.fromkeys(steps[each] for each in directions if each in steps))


# ---- what goes where


FOLLOW = "follow"
"""The word before the target where an arrow is followed without a card."""

ESCORTED = "escorted"
SURRENDERED = "surrendered"


class Pieces(NamedTuple):
    """Where everything is; `why` is how that has ended the game, "" if it goes on."""

    grid: Sequence[str]
    closed: Sequence[str]
    breaker: str
    pawns: Sequence[str]
    why: str = ""


def pieces_of(state: State) -> Pieces:
    """Return the pieces of a state or a view."""
    return Pieces(state["grid"], state["closed"], state["breaker"], state["pawns"])


def in_custody(state: State, seat: int) -> bool:
    """Tell whether the Time Breaker goes along when a seat moves its pawn (B16, B17)."""
    if state["pawns"][seat] != state["breaker"]:
        return False
    return state["arrest"] == "automatic" or seat in state["declared"]


def landing(data: Data, pieces: Pieces, target: str) -> str:
    """Return where a piece gets to that goes to a tile: a closed gate leads to the TRA."""
    return data.tra if target in pieces.closed else target


def own_target(data: Data, pieces: Pieces, seat: int, words: Sequence[str]) -> str:
    """Return the tile that the seat's own pawn goes to by these words, "" if it does not move."""
    card, *arguments = words
    if jump_of(card):
        return arguments[0] if arguments else jump_of(card)
    if card.startswith("move:") or card in (FOLLOW, "near_yet_far", "double_time"):
        return arguments[0]
    if card == "back_it_up":
        return data.red[pieces.pawns[seat]]
    if card == "tag_along":
        return pieces.pawns[int(arguments[0])]
    if card == "desperate_grab":
        return pieces.breaker
    if card == "return_to_hq" and int(arguments[0]) == seat:
        return data.tra
    return ""


def breaker_target(words: Sequence[str]) -> str:
    """Return the tile that the Time Breaker goes to alone by these words, "" if it does not."""
    if words[0] in ("on_the_move", "shut_and_run"):
        return jump_of(words[-1]) or words[-1]
    return ""


def crashed_gate(pieces: Pieces, words: Sequence[str]) -> str:
    """Return the gate that these words crash, "" for none."""
    if words[0] == "crash_a_gate":
        return words[1]
    return pieces.breaker if words[0] == "shut_and_run" else ""


def fetched(data: Data, pieces: Pieces, seat: int, words: Sequence[str]) -> dict[int, str]:
    """Return where the pawns of others go by these words, by seat."""
    if words[0] == "return_to_hq" and int(words[1]) != seat:
        return {int(words[1]): data.tra}
    if words[0] == "join_me":
        here = pieces.pawns[seat]
        return {other: here for other, tile in enumerate(pieces.pawns) if tile != here}
    return {}


def carried_out(
    data: Data, pieces: Pieces, seat: int, words: Sequence[str], custody: bool
) -> Pieces:
    """Return the pieces after a card or an arrow took effect; `custody` is the seat's before it."""
    target = own_target(data, pieces, seat, words)
    if target:
        to = landing(data, pieces, target)
        pawns = [*pieces.pawns]
        pawns[seat] = to
        if not custody:
            return pieces._replace(pawns=pawns)
        why = ESCORTED if to == data.tra else ""
        return pieces._replace(pawns=pawns, breaker=to, why=why)
    others = fetched(data, pieces, seat, words)
    if others:
        return pieces._replace(pawns=[others.get(*each) for each in enumerate(pieces.pawns)])
    crashed = crashed_gate(pieces, words)
    target = breaker_target(words)
    if target:
        to = landing(data, pieces, target)
        pieces = pieces._replace(breaker=to, why=SURRENDERED if to == data.tra else "")
    if crashed:
        pieces = pieces._replace(
            grid=[GAP if tile == crashed else tile for tile in pieces.grid],
            closed=sorted([*pieces.closed, crashed]),
            pawns=[data.tra if tile == crashed else tile for tile in pieces.pawns],
        )
    return pieces


# ---- as happenings


def moves(
    data: Data, state: State, before: Pieces, after: Pieces, words: Sequence[str]
) -> list[GameHappening]:
    """Return what moves between these pieces, in the order of the effect.

    `state` says who is active and how arrests are made; a view does, too. The course tells them
    when they happen; words about a choice tell them before.
    """
    told: list[GameHappening] = []

    def tell(what: str, **facts: Any) -> None:
        told.append(GameHappening(what, {**facts, "tra": data.tra}))

    def arrests(seat: int) -> bool:
        return state["arrest"] == "automatic" or seat in state["declared"]

    active = state["active"]
    target = own_target(data, before, active, words)
    if target:
        start, tile = before.pawns[active], after.pawns[active]
        was_there = start == before.breaker
        taking = was_there and arrests(active)
        tell(
            "moved",
            seat=active,
            start=start,
            tile=tile,
            closed=target if target in before.closed else "",
            taking=taking,
            leaving=was_there and not taking and tile != start,
            meeting=not was_there and tile == after.breaker,
            arresting=not was_there and tile == after.breaker and arrests(active),
        )
    others = fetched(data, before, active, words)
    if others:
        tile = next(iter(others.values()))  # the same for all
        tell(
            "fetched",
            seats=list(others),
            starts=[before.pawns[seat] for seat in others],
            tile=tile,
            leaving=any(before.pawns[seat] == before.breaker for seat in others),
            arresting=[seat for seat in others if tile == after.breaker and arrests(seat)],
        )
    target = breaker_target(words)
    if target:
        closed = target if target in before.closed else ""
        tell("fled", start=before.breaker, tile=after.breaker, closed=closed)
    crashed = crashed_gate(before, words)
    if crashed:
        fallen = [seat for seat, tile in enumerate(before.pawns) if tile == crashed]
        tell("crashed", tile=crashed, seats=fallen)
    return told


def ways(data: Data, view: State, words: Sequence[str]) -> list[list[Any]]:
    """Return who would go where if these words take effect: seat or "breaker", start, target.

    The target may be a crashed gate, of which only the gap is left.
    """
    pieces, active = pieces_of(view), view["active"]
    found: list[list[Any]] = []
    target = own_target(data, pieces, active, words)
    if target:
        found.append([active, pieces.pawns[active], target])
    for seat, tile in fetched(data, pieces, active, words).items():
        found.append([seat, pieces.pawns[seat], tile])
    target = breaker_target(words)
    if target:
        found.append(["breaker", pieces.breaker, target])
    return found

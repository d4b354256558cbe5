"""Which piece belongs where the lights of a virtual table only ask for one."""

from __future__ import annotations

from collections.abc import Iterator

from chronotable.sensors import FOCUS
from chronotable_host.pieces import pieces_of
from chronotable_host.virtual.steps import actions_of
from chronotable_host.virtual.tabletop import called
from ttykm.game import Game

_ACTIONS = 0xFFFF


def due_pieces(game: Game, there: dict[int, str], places: set[int]) -> dict[int, str]:
    """Return what is due on spaces, by sensor; `there` is what lies now and need not go away.

    It is that of the position, or of the action of a legal turn, that misses the fewest pieces;
    empty where nothing leads on from there.
    """
    spaces = {at: piece for at, piece in there.items() if at < FOCUS}
    fitting = (
        lying
        for lying in _on_the_way(game)
        if places <= lying.keys() and spaces.items() <= lying.items()
    )
    best = min(fitting, key=len, default={})
    return {at: best[at] for at in places if at in best}


def _on_the_way(game: Game) -> Iterator[dict[int, str]]:
    """Yield what lies on the spaces in a position and after each action that may be made there."""
    start = pieces_of(game.state)
    yield _named(start)
    for sequence in {turn & _ACTIONS for turn in game.legal_turns()}:
        lying = dict(start)
        for action in actions_of(game, sequence):
            for at in action.lifts:
                del lying[at]
            lying.update(action.places)
            yield _named(lying)


def _named(lying: dict[int, int]) -> dict[int, str]:
    return {at: called(piece, at) for at, piece in lying.items() if at < FOCUS}

"""Which piece belongs where the lights of a virtual table only ask for one."""

from collections.abc import Iterator

from chronotable.hardware.sensors import FOCUS
from chronotable_host.pieces import pieces_of
from chronotable_host.virtual.steps import actions_of
from chronotable_host.virtual.tabletop import look_of
from ttykm.game import Game

_ACTIONS = 0xFFFF


def due_pieces(
    game: Game, there: dict[int, str], places: set[int], wanted: int | None = None
) -> dict[int, str]:
    """Return what is due on spaces, by sensor; `there` is what lies now and need not go away.

    It is that of the position, or of the action of a legal turn, that misses the fewest pieces, of
    the turn alone that is `wanted`; empty where nothing leads on from there.
    """
    best = min(_fitting(game, there, places, wanted), key=len, default={})
    return {at: best[at] for at in places if at in best}


def sure_pieces(game: Game, there: dict[int, str], places: set[int]) -> dict[int, str]:
    """Return of `due_pieces` what is the same in all that misses as few pieces.

    In `there` a piece that nobody knows is "".
    """
    fitting = list(_fitting(game, there, places))
    fewest = min(map(len, fitting), default=0)
    best = [lying for lying in fitting if len(lying) == fewest]
    found = {at: {lying[at] for lying in best} for at in places if best}
    return {at: looks.pop() for at, looks in found.items() if len(looks) == 1}


def _fitting(
    game: Game, there: dict[int, str], places: set[int], wanted: int | None = None
) -> Iterator[dict[int, str]]:
    spaces = {at: piece for at, piece in there.items() if at < FOCUS}
    for lying in _on_the_way(game, wanted):
        if places | spaces.keys() <= lying.keys() and all(
            piece in ("", lying[at]) for at, piece in spaces.items()
        ):
            yield lying


def _on_the_way(game: Game, wanted: int | None) -> Iterator[dict[int, str]]:
    """Yield what lies on the spaces in a position and after each action that may be made there."""
    start = pieces_of(game.state)
    yield _looks_in(start)
    turns = game.legal_turns() if wanted is None else [wanted]
    for sequence in {turn & _ACTIONS for turn in turns}:
        lying = dict(start)
        for action in actions_of(game, sequence):
            for at in action.lifts:
                del lying[at]
            lying.update(action.places)
            yield _looks_in(lying)


def _looks_in(lying: dict[int, int]) -> dict[int, str]:
    return {at: look_of(piece, at) for at, piece in lying.items() if at < FOCUS}

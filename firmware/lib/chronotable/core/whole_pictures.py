"""What whole pictures mean: a start or an earlier position that was put up in the middle of a game.

Hands put up neither by mistake. Seldom needed: loaded when so much lies elsewhere as that takes.
"""

from chronotable.core.progress import NEXT_GAME, NO_WISH
from ttykm import layout
from ttykm.layout import BLACK, WHITE

if False:
    from chronotable.core.matcher import Matcher


def meaning(matcher: "Matcher") -> int:
    """Return what the picture that lies there means.

    That is NEXT_GAME for a start, or after how many turns of this game all lay there like this the
    last time, markers included; else NO_WISH.
    """
    if matcher.is_start():
        return NEXT_GAME
    game = matcher.game
    words = len(game.state)
    for number in range(len(game.turns) - 1, -1, -1):
        state = game.past[number * words : number * words + words]
        markers = 1 << layout.focus(state, WHITE) | 8 << layout.focus(state, BLACK)
        if matcher.shows(state, markers):
            return number
    return NO_WISH

"""A draw that is offered to a player without hands: taken by what the position is worth."""

from __future__ import annotations

from collections.abc import Callable, Container

from chronotable_host.engine.evaluation import evaluation_of
from chronotable_host.language import names, tr
from chronotable_host.live.session import Session
from ttykm import objects
from ttykm.game import Game

_WORSE = -50  # points: it would win two games for three of the other


def offer_draw(
    session: Session, side: int, programs: Container[int], say: Callable[[str], None]
) -> None:
    """Offer a draw for a side, and answer where no person plays the other one (`programs`).

    A draw that is declined needs no message: the table forgets an offer with the next lift (T32).
    Raises LocalLinkError where the table cannot be told.
    """
    session.command("draw", side="wb"[side])
    say(tr("{player} offers a draw", player=names.PLAYERS_WITHIN[side]))
    other = 1 - side
    is_on = session.mirror.table.phase not in ("set-up", "over")
    if is_on and other in programs and side not in programs:
        answer_draw(session, other, say)


def answer_draw(session: Session, side: int, say: Callable[[str], None]) -> None:
    """Have a side that no person plays agree to a draw, or not.

    Raises LocalLinkError where the table cannot be told.
    """
    name = names.PLAYERS[side]
    if accepts_draw(session.mirror.game, side):
        session.command("draw", side="wb"[side])
        say(tr("{player} accepts the draw.", player=name))
    else:
        say(tr("{player} declines the draw and plays on.", player=name))


def accepts_draw(game: Game, side: int) -> bool:
    """Tell whether a side stands so much worse that a draw is welcome."""
    evaluation = evaluation_of(objects.modules_of(game.state))
    return evaluation.of_state(game.state, side) <= _WORSE

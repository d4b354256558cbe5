"""How a game ended and why, and what is to be known before one begins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from chronotable_host.language import tr
from chronotable_night.games.interface import Outcome, State
from chronotable_night.games.timebreaker.data import Data
from chronotable_night.games.timebreaker.names import listed, play_name
from chronotable_night.games.timebreaker.pieces import ESCORTED


def data_note() -> str:
    """Return what is said of data that nobody has compared with a printed game."""
    return tr(
        "The names and arrows of the gates, and how often each card is there, are not those of "
        "the printed game: nobody has entered them yet. All rules hold; with a data file of "
        "your own you play with your own gates."
    )


def why(outcome: Outcome, view: State, names: Sequence[str]) -> str:
    """Return how the game ended, from any view."""
    if outcome.why == ESCORTED:
        player = names[outcome.winners[0]]
        return tr(
            "{player} wins: {player} came to the TRA with the Time Breaker in custody, in turn "
            "{turn}.",
            player=player,
            turn=view["turn"],
        )
    return tr(
        "Nobody wins: the Time Breaker came to the TRA without an escort, in turn {turn} of "
        "the game, which was {player}'s.",
        turn=view["turn"],
        player=names[view["active"]],
    )


def how(data: Data, facts: Mapping[str, Any], names: Sequence[str], seat: int) -> str:
    """Return by which card or arrow the game ended, and who let it pass, as all could see."""
    player = names[facts["seat"]]
    is_won = facts["why"] == ESCORTED
    if not facts["words"]:  # an arrow takes nobody but a captor home
        if facts["seat"] == seat:
            return tr("You win by a green arrow, which nobody can stop.")
        return tr("{player} wins by a green arrow, which nobody can stop.", player=player)
    card = play_name(data, facts["words"], names)
    if not is_won:
        sentence = tr("Nobody wins: {player} played {card}.", player=player, card=card)
    elif facts["seat"] == seat:
        sentence = tr("You win with {card}.", card=card)
    else:
        sentence = tr("{player} wins with {card}.", player=player, card=card)
    if not facts["passed"]:
        return sentence
    passed = listed([names[other] for other in facts["passed"]])
    return " ".join([sentence, tr("Let pass by: {players}.", players=passed)])

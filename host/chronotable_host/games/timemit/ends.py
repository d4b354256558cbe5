"""How the game ended, and why, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from chronotable_host.games.interface import Outcome, State
from chronotable_host.games.timemit.box import Box
from chronotable_host.games.timemit.effect_texts import year
from chronotable_host.language import tr


def why(box: Box, outcome: Outcome, view: State, names: Sequence[str]) -> str:
    """Return how the game ended, and why."""
    if not outcome.winners:
        if outcome.why == "paradox":
            return tr("Both have six triangles: a paradox for both. Play another game.")
        return tr("The ship is in the middle, and both have as many triangles. Play another game.")
    winner = outcome.winners[0]
    values = {
        "winner": names[winner],
        "loser": names[1 - winner],
        "year": year(box, view["ship"]),
        "few": view["triangles"][winner],
        "many": view["triangles"][1 - winner],
    }
    if outcome.why == "goal":
        return tr("The ship reached {year}, and that is where {winner} wanted it.", **values)
    if outcome.why == "paradox":
        return tr("{loser} has six triangles, a paradox without end: {winner} wins.", **values)
    if outcome.why == "closer":
        return tr(
            "After the last round the ship is at {year}, nearer to the goal of {winner}.", **values
        )
    return tr(
        "The ship is in the middle after the last round, and {winner} has fewer triangles: {few}"
        " against {many}.",
        **values,
    )

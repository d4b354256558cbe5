"""What a page is told of a moment of a game: as a seat sees it, and in words.

One rule: all of it comes from the view of the seat, and from happenings that are for it. So it
cannot tell more.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from chronotable_host.language import tr_c
from chronotable_night.games.interface import EVERYBODY, Game, GameHappening, State


def situation(game: Game, state: State, seat: int, names: Sequence[str]) -> dict[str, Any]:
    """Return what a seat or the SPECTATOR sees of a state."""
    view = game.view(state, seat)
    headline, line = game.headline(view, names)
    outcome = game.outcome(view)
    return {
        "view": view,
        "headline": headline,
        "line": line,
        "outcome": outcome
        and {
            "winners": list(outcome.winners),
            "why": outcome.why,
            "says": game.why(outcome, view, names),
        },
    }


def visible(happenings: Iterable[GameHappening], seat: int) -> list[GameHappening]:
    """Return what a seat or the SPECTATOR may know of what happened."""
    return [each for each in happenings if each.to in (EVERYBODY, seat)]


def happened(
    game: Game, number: int, happening: GameHappening, seat: int, names: Sequence[str]
) -> dict[str, Any]:
    """Return a happening that a seat may know of; `number` counts those from 1."""
    return {
        "n": number,
        "what": happening.what,
        "facts": dict(happening.facts),
        "own": happening.to != EVERYBODY,
        "says": game.says(happening, names, seat),
    }


def sentence_list(items: Sequence[object]) -> str:
    """Return things as a sentence lists them: "a", "a and b", "a, b and c"; "" for none."""
    *first, last = map(str, items) if items else [""]
    return (
        tr_c("a list", "{first} and {last}", first=", ".join(first), last=last) if first else last
    )

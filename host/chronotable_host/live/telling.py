"""What happens at a table, in sentences: for the terminal and for the page alike."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ttykm.notation import PLAYERS

if TYPE_CHECKING:
    from chronotable_host.live.mirror import Happening
    from ttykm.game import Game

_ENDS = {"normal": "by the rules", "resigned": "by resignation", "agreed": "by agreement"}
_FAULTS = {
    "ghost": "closes with three others, so a diode may be missing; it is played around",
    "healed": "works again",
    **{
        kind: f"{kind}; it is played around"
        for kind in ("does not open", "does not close", "flickers")
    },
}
_PLAIN = {
    "lost": "Lost: {}.",
    "provisional": "  understood as {}",
    "reopened": "  the turn goes on",
    "taken_back": "  taken back: {}",
    "refused": "  {}",
    "log": "  the table says: {}",
    "notice": "  {}",
}


def sentences(happening: Happening, game: Game | None) -> Iterator[tuple[str, str]]:
    """Yield what a happening says, as kind and sentence; nothing for what a picture shows.

    `game` is the mirror's. What belongs to the sentence before it is indented.
    """
    for kind, value in happening.items():
        line = _sentence(kind, value, happening, game)
        if line:
            yield kind, line


def ending(winner: str, by: str) -> str:
    """Return how a game ended; `winner` and `by` as the mirror tells them."""
    who = "The game is drawn" if winner == "draw" else f"{winner.capitalize()} wins"
    return f"{who} {_ENDS[by]}."


def _sentence(kind: str, value: Any, happening: Happening, game: Game | None) -> str:
    if kind in ("started", "joined"):
        player = mover_in(value)
        begins = "A game begins" if kind == "started" else "Here is a game in progress"
        return f"{begins}; {player} is to move."
    if kind == "turn":
        number, player = (0, "?") if game is None else (len(game.turns), PLAYERS[1 - game.mover])
        how = happening["understood"]
        return f"{number}. {player}: {value}" + ("" if how == "certain" else f"  ({how})")
    if kind == "ask":
        choices = "   ".join(f"{letter}: {turn}" for letter, turn in value.items())
        return f"  which turn was it?   {choices}"
    if kind == "guide":
        parts = [f"{verb} {', '.join(value[verb])}" for verb in ("take", "put") if value[verb]]
        return f"  {'; '.join(parts)}: {value['why']}"
    if kind == "fault":
        return f"  {value['space']} {_FAULTS.get(value['kind'], value['kind'])}"
    if kind == "game_over":
        counts = ", ".join(f"{count} {how}" for how, count in happening["understood"].items())
        return f"{ending(value, happening['by'])} Turns understood: {counts}."
    if kind == "fetched":
        return f"  fetched from the table: game {value['game']}, {value['turns']} turns"
    if kind == "gap":
        return f"  the table had no room for its events {value[0]} to {value[1]}"
    if kind == "mismatch":
        return f"  turn {value['turn_no']}, {value['turn']}, does not fit what is known here"
    if kind == "connected" and "table" in happening:
        return f"Connected: table {happening['table']}, board {value}, on {happening['port']}."
    return _PLAIN[kind].format(value) if kind in _PLAIN else ""


def mover_in(position: str) -> str:
    """Return the player who is to move in the text of a position."""
    return PLAYERS["wb".find(position.split()[5])]

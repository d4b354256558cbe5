"""Sentences for what happens at a table, the same in the terminal and in the log of the page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from chronotable_host.live import happenings
from chronotable_host.live.happenings import Happening
from chronotable_host.rules.notation import ERAS, PLAYERS

if TYPE_CHECKING:
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


def sentences(happening: Happening, game: Game | None) -> Iterator[tuple[str, str]]:
    """Yield what a happening says, as kind and sentence; nothing for what a picture shows.

    `game` is the mirror's. What belongs to the sentence before it is indented.
    """
    line = _sentence(happening, game)
    if line:
        yield happening.kind, line


def time_text(seconds: int) -> str:
    """Return a time as a clock shows it: 4:57, or 1:04:57."""
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{seconds:02d}" if hours else f"{minutes}:{seconds:02d}"


def ending(winner: str, by: str) -> str:
    """Return how a game ended; `winner` and `by` as the mirror tells them."""
    who = "The game is drawn" if winner == "draw" else f"{winner.capitalize()} wins"
    return f"{who} {_ENDS[by]}."


def why_over(winner: str, by: str, game: Game | None) -> str:
    """Return why a game that the rules ended is won: where the loser is left (T29), else ""."""
    if game is None or by != "normal" or winner not in PLAYERS:
        return ""
    loser = 1 - PLAYERS.index(winner)
    eras = [era for at, era in enumerate(ERAS) if game.state[3 * loser + at]]
    name = PLAYERS[loser].capitalize()
    return f"{name} lives on in the {eras[0]} alone." if eras else f"Nobody is left of {name}."


def _sentence(happening: Happening, game: Game | None) -> str:
    match happening:
        case happenings.Started(started=position):
            return f"A game begins; {mover_in(position)} is to move."
        case happenings.Joined(joined=position):
            return f"Here is a game in progress; {mover_in(position)} is to move."
        case happenings.Turn():
            return _turn_sentence(happening, game)
        case happenings.GameOver():
            counts = ", ".join(f"{count} {how}" for how, count in happening.understood.items())
            end = ending(happening.game_over, happening.by)
            return f"{end} Turns understood: {counts}."
        case happenings.Fetched(game=name, turns=turns):
            return f"  fetched from the table: game {name}, {turns} turns"
        case happenings.Mismatch(turn_no=number, turn=turn):
            return f"  turn {number}, {turn}, does not fit what is known here"
        case happenings.Connected(connected=board, table=str(table), port=port):
            return f"Connected: table {table}, board {board}, on {port}."
        case happenings.Lost(lost=why):
            return f"Lost: {why}."
        case happenings.Gap(gap=[first, last]):
            return f"  the table had no room for its events {first} to {last}"
    return _aside(happening)


def _aside(happening: Happening) -> str:
    """Return what belongs to the sentence before it, indented."""
    match happening:
        case happenings.Provisional(provisional=turn):
            return f"  understood as {turn}"
        case happenings.Reopened():
            return "  the turn goes on"
        case happenings.Clock(clock=left):
            return "  " + ", ".join(f"{side} {time_text(left_s)}" for side, left_s in left.items())
        case happenings.TakenBack(taken_back=turn):
            return f"  taken back: {turn}"
        case happenings.Asked(ask=turns):
            choices = "   ".join(f"{letter}: {turn}" for letter, turn in turns.items())
            return f"  which turn was it?   {choices}"
        case happenings.Guide():
            verbs = {"take": happening.take, "put": happening.put}
            parts = [f"{verb} {', '.join(sensors)}" for verb, sensors in verbs.items() if sensors]
            return f"  {'; '.join(parts)}: {happening.why}"
        case happenings.Fault(space=space, fault=kind):
            return f"  {space} {_FAULTS.get(kind, kind)}"
        case happenings.Refused(refused=sentence) | happenings.Notice(notice=sentence):
            return f"  {sentence}"
        case happenings.Log(log=line):
            return f"  the table says: {line}"
    return ""


def _turn_sentence(happening: happenings.Turn, game: Game | None) -> str:
    number, player = (0, "?") if game is None else (len(game.turns), PLAYERS[1 - game.mover])
    how = happening.understood
    return f"{number}. {player}: {happening.turn}" + ("" if how == "certain" else f"  ({how})")


def mover_in(position: str) -> str:
    """Return the player who is to move in the text of a position."""
    return PLAYERS["wb".find(position.split()[5])]

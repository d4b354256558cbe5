"""Sentences for what happens at a table, the same in the terminal and in the log of the page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from chronotable_host.language import names, tr, tr_c, tr_n
from chronotable_host.live import happenings
from chronotable_host.live.happenings import Happening
from chronotable_host.live.texts.place_names import place_text
from chronotable_host.rules.notation import PLAYERS

if TYPE_CHECKING:
    from ttykm.game import Game

_WINS = {"normal": tr("{player} wins."), "resigned": tr("{player} wins by resignation.")}
_UNDERSTOOD = {
    "certain": tr_c("a turn was understood", "certain"),
    "asked": tr_c("a turn was understood", "asked"),
    "corrected": tr_c("a turn was understood", "corrected"),
}
_FAULTS = {
    "does not open": tr("{space} does not open; it is played around"),
    "does not close": tr("{space} does not close; it is played around"),
    "flickers": tr("{space} flickers; it is played around"),
    "ghost": tr("{space} closes with three others, so a diode may be missing; it is played around"),
    "may be wired wrongly": tr("{space} may be wired wrongly; it is played around"),
    "healed": tr("{space} works again"),
    "turned": tr(
        "{space}: this copy's magnet is the wrong way round; if that is said of every copy there, "
        "the outputs of its sensor are exchanged"
    ),
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


def ending(winner: str, by: str, called: tuple[str, str] = names.PLAYERS) -> str:
    """Return how a game ended; `winner` and `by` as the mirror tells them."""
    if winner == "draw":
        return tr("The game is drawn by agreement.")
    return _WINS[by].format(player=called[PLAYERS.index(winner)])


def why_over(
    winner: str, by: str, game: Game | None, called: tuple[str, str] = names.PLAYERS
) -> str:
    """Return why a game that the rules ended is won: where the loser is left (T29), else ""."""
    if game is None or by != "normal" or winner not in PLAYERS:
        return ""
    loser = 1 - PLAYERS.index(winner)
    eras = [era for at, era in enumerate(names.ERAS) if game.state[3 * loser + at]]
    player = called[loser]
    if eras:
        return tr("{player} lives on in the {era} alone.", player=player, era=eras[0])
    return tr("Nobody is left of {player}.", player=player)


def _sentence(happening: Happening, game: Game | None) -> str:
    match happening:
        case happenings.Started(started=position):
            return tr("A game begins; {player} is to move.", player=mover_in(position))
        case happenings.Joined(joined=position):
            return tr("Here is a game in progress; {player} is to move.", player=mover_in(position))
        case happenings.Turn():
            return _turn_sentence(happening, game)
        case happenings.GameOver():
            counts = ", ".join(
                f"{count} {_UNDERSTOOD.get(how, how)}"
                for how, count in happening.understood.items()
            )
            end = ending(happening.game_over, happening.by)
            return end + " " + tr("Turns understood: {counts}.", counts=counts)
        case happenings.Fetched(game=name, turns=turns):
            return "  " + tr_n(
                "fetched from the table: game {game}, {n} turn",
                "fetched from the table: game {game}, {n} turns",
                turns,
                game=name,
            )
        case happenings.Mismatch(turn_no=number, turn=turn):
            return "  " + tr(
                "turn {number}, {turn}, does not fit what is known here", number=number, turn=turn
            )
        case happenings.Connected(connected=board, table=str(table), port=port):
            return tr(
                "Connected: table {table}, board {board}, on {port}.",
                table=table,
                board=board,
                port=port,
            )
        case happenings.Lost(lost=why):
            return tr_c("the table", "Lost: {why}.", why=why)
        case happenings.Gap(gap=[first, last]):
            return "  " + tr(
                "the table had no room for its events {first} to {last}", first=first, last=last
            )
    return _aside(happening)


def _aside(happening: Happening) -> str:
    """Return what belongs to the sentence before it, indented."""
    match happening:
        case happenings.Provisional(provisional=turn):
            return "  " + tr("understood as {turn}", turn=turn)
        case happenings.Reopened():
            return "  " + tr("the turn goes on")
        case happenings.Clock(clock=left):
            return "  " + ", ".join(
                f"{names.PLAYERS_WITHIN[PLAYERS.index(side)]} {time_text(left_s)}"
                for side, left_s in left.items()
            )
        case happenings.TakenBack(taken_back=turn):
            return "  " + tr("taken back: {turn}", turn=turn)
        case happenings.Asked(ask=turns):
            choices = "   ".join(f"{letter}: {turn}" for letter, turn in turns.items())
            return "  " + tr("which turn was it?   {choices}", choices=choices)
        case happenings.Guide():
            parts = []
            if happening.take:
                parts.append(tr("take {places}", places=", ".join(map(place_text, happening.take))))
            if happening.put:
                parts.append(tr("put {places}", places=", ".join(map(place_text, happening.put))))
            return "  " + ": ".join(filter(None, ("; ".join(parts), happening.why)))
        case happenings.Fault(space=space, fault=kind):
            return "  " + _FAULTS.get(kind, f"{{space}} {kind}").format(space=place_text(space))
        case happenings.Refused(refused=sentence) | happenings.Notice(notice=sentence):
            return f"  {sentence}"
        case happenings.Log(log=line):
            return "  " + tr("the table says: {line}", line=line)
    return ""


def _turn_sentence(happening: happenings.Turn, game: Game | None) -> str:
    number, player = 0, "?"
    if game is not None:
        number, player = len(game.turns), names.PLAYERS_WITHIN[1 - game.mover]
    how = happening.understood
    remark = "" if how == "certain" else f"  ({_UNDERSTOOD.get(how, how)})"
    return f"{number}. {player}: {happening.turn}{remark}"


def mover_in(position: str) -> str:
    """Return the player who is to move in the text of a position."""
    return names.PLAYERS_WITHIN["wb".find(position.split()[5])]

"""The headline of the page: in a few words what is to be done next, and under it why or what was.

Every sentence of it stands here.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, NamedTuple

from chronotable.meanings import CONFIRM_BLACK, CONFIRM_WHITE
from chronotable_host.language import tr
from chronotable_host.rules.notation import ERAS, PLAYER_NAMES
from chronotable_host.web.turns_told import played

if TYPE_CHECKING:
    from chronotable_host.live.mirror import Mirror
    from chronotable_host.rules.turn_builder import TurnBuilder


class Headline(NamedTuple):
    """What is to be done next, `says`, in one line, and a quiet line under it, `note`."""

    says: str
    note: str = ""


WAITS = Headline("Waiting for the table")
AWAY = Headline("The table is away", "It cannot be reached just now; the game waits for it.")
ASKED = Headline("Which turn was it?", "The table asks; hands answer there.")
CARRIED_OUT = Headline("Your turn is lit on the table", "Hands carry it out there.")
_SET_UP = Headline("Set up the pieces", "As the lights ask. Who has the marker in the past begins.")
_LAID = Headline("Everything lies there", "A moment, and the game goes on.")
_SURE = Headline("Are these the right pieces?", "Lift each that blinks, look, and put it back.")
_BACK = Headline("Put the last turn back", "It was taken back; the pieces lay otherwise before.")
_ASTRAY = "The pieces lie otherwise than in the game."
_QUESTION = Headline("Which turn was it?", "The table asks; whoever plays here answers.")


def of_table(
    mirror: Mirror,
    turn_so_far: str,
    thinking: str,
    guide: str,
    over: Mapping[str, str] | None,
    set_up: Headline,
) -> Headline:
    """Return what the table waits for.

    `turn_so_far` is what was done of the turn so far, `thinking` who thinks about one, `guide` why
    something is to be put right, "" where it is not so; `over` says how the game ended, and why.
    `set_up` is for a table that wants a position laid.
    """
    phase = mirror.table.phase
    mover = PLAYER_NAMES[mirror.game.mover]
    if not phase:
        return WAITS
    if mirror.choices:
        return _QUESTION
    if mirror.provisional is not None:
        other = PLAYER_NAMES[1 - mirror.game.mover]
        note = tr(
            "{turn}. It counts when {other} lifts something, or after a second.",
            turn=played(mirror.game, mirror.provisional),
            other=other,
        )
        return Headline(tr("{player} has moved", player=mover), note)
    if over and phase == "over":
        return Headline(over["says"], over["why"])
    if phase == "set-up":
        return set_up
    if mirror.table.is_turn_wanted:
        return Headline(f"Lend {mover} your hands", guide or "The table waits until it lies so.")
    if thinking:
        return Headline(f"{mover} is thinking", thinking)
    return Headline(f"{mover} to move", guide or _so_far(turn_so_far))


def _so_far(says: str) -> str:
    """Return what was done of a turn so far as a note, "" for nothing."""
    return tr("So far: {what}.", what=says[:1].lower() + says[1:]) if says else ""


def of_set_up(asked: Collection[int], guide: str, is_taken_back: bool) -> Headline:
    """Return what a table waits for that wants a position laid; `asked` are the lights' meanings.

    `guide` is why something is to be put right in a game with turns, "" in none.
    """
    if not asked:
        return _LAID
    if all(each in (CONFIRM_WHITE, CONFIRM_BLACK) for each in asked):
        return _SURE
    if is_taken_back:
        return _BACK
    return Headline("Put this right", guide) if guide else _SET_UP


def of_astray(mirror: Mirror, is_waiting: bool) -> Headline:
    """Return that pieces lie otherwise than in the game; `is_waiting`: a player waits for them."""
    mover = PLAYER_NAMES[mirror.game.mover]
    return Headline(f"{mover} waits for the pieces" if is_waiting else "Put this right", _ASTRAY)


def of_mover(mirror: Mirror) -> Headline:
    """Return that the page's hand carries out a turn."""
    return Headline(f"{PLAYER_NAMES[mirror.game.mover]} moves")


def of_builder(builder: TurnBuilder, last: str) -> Headline:
    """Return what is to be chosen next; `last` is what happened in the turn before."""
    match builder.due:
        case "copy":
            return Headline("Choose a copy", last)
        case "action":
            left = builder.actions_left
            count = "1 action left" if left == 1 else f"{left} actions left"
            back = "Tap the copy again to let it go." if left > 1 else "You can still go back."
            return Headline(count, f"Where to? {back}")
    eras = [choice.text.removeprefix(">") for choice in builder.choices]
    first, second = sorted(eras, key=ERAS.index)
    asks = Headline(
        f"Now your focus: {first} or {second}?", "Where you look is where you act next."
    )
    if builder.text:
        return asks
    return Headline(asks.says, "None of your copies can act where you look.")

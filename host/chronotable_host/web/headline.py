"""The headline of the page: in a few words what is to be done next, and under it why or what was.

Every sentence of it stands here.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, NamedTuple

from chronotable.lights.meanings import CONFIRM_BLACK, CONFIRM_WHITE
from chronotable_host.language import names, tr, tr_n
from chronotable_host.rules.notation import ERAS
from chronotable_host.web.turns_told import whole_turn
from ttykm.layout import ACTIVE_DIES, PARADOX

if TYPE_CHECKING:
    from chronotable_host.live.mirror import Mirror
    from chronotable_host.rules.turn_builder import TurnBuilder


class Headline(NamedTuple):
    """What is to be done next, `says`, in one line, and a quiet line under it, `note`."""

    says: str
    note: str = ""


WAITS = Headline(tr("Waiting for the table"))
AWAY = Headline(
    tr("The table is away"), tr("It cannot be reached just now; the game waits for it.")
)
ASKED = Headline(tr("Which turn was it?"), tr("The table asks; hands answer there."))
CARRIED_OUT = Headline(tr("Your turn is lit on the table"), tr("Hands carry it out there."))
_SET_UP = Headline(
    tr("Set up the pieces"), tr("As the lights ask. Who has the marker in the past begins.")
)
BEING_LAID = Headline(
    tr("The pieces are being put in place"), tr("A moment, and the game goes on.")
)
_LAID = Headline(tr("Everything lies there"), tr("A moment, and the game goes on."))
_SURE = Headline(
    tr("Are these the right pieces?"), tr("Lift each that blinks, look, and put it back.")
)
_BACK = Headline(
    tr("Put the last turn back"), tr("It was taken back; the pieces lay otherwise before.")
)
_ASTRAY = tr("The pieces lie otherwise than in the game.")
_QUESTION = Headline(tr("Which turn was it?"), tr("The table asks; whoever plays here answers."))


def called_in(mirror: Mirror) -> tuple[str, str]:
    """Return what both players are called in sentences."""
    headers = {} if mirror.record is None else mirror.record.headers
    return names.both(headers.get("White", ""), headers.get("Black", ""))


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
    called = called_in(mirror)
    mover = called[mirror.game.mover]
    if not phase:
        return WAITS
    if mirror.choices:
        return _QUESTION
    if mirror.provisional is not None:
        note = tr(
            "{turn}. It counts when {other} lifts something, or after a second.",
            turn=whole_turn(mirror.game, mirror.provisional),
            other=called[1 - mirror.game.mover],
        )
        return Headline(tr("{player} has moved", player=mover), note)
    if over and phase == "over":
        return Headline(over["says"], over["why"])
    if phase == "set-up":
        return set_up
    if mirror.table.is_turn_wanted and not mirror.table.is_hinted:
        says = tr("Lend {player} your hands", player=mover)
        return Headline(says, guide or tr("The table waits until it lies so."))
    if thinking:
        return Headline(tr("{player} is thinking", player=mover), thinking)
    return to_move(mover, guide or _so_far(turn_so_far))


def to_move(player: str, note: str) -> Headline:
    """Return whose turn it is, for whoever is not to do anything."""
    return Headline(tr("{player} to move", player=player), note)


def _so_far(says: str) -> str:
    """Return what was done of a turn so far as a note, "" for nothing."""
    return tr("So far: {what}.", what=names.within(says)) if says else ""


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
    return Headline(tr("Put this right"), guide) if guide else _SET_UP


def of_astray(mirror: Mirror, is_waiting: bool) -> Headline:
    """Return that pieces lie otherwise than in the game; `is_waiting`: a player waits for them."""
    if not is_waiting:
        return Headline(tr("Put this right"), _ASTRAY)
    mover = called_in(mirror)[mirror.game.mover]
    return Headline(tr("{player} waits for the pieces", player=mover), _ASTRAY)


def of_mover(mirror: Mirror) -> Headline:
    """Return that the page's hand carries out a turn."""
    return Headline(tr("{player} moves", player=called_in(mirror)[mirror.game.mover]))


def of_builder(builder: TurnBuilder, last: str, called: tuple[str, str]) -> Headline:
    """Return what is to be chosen next; `last` is what happened in the turn before."""
    match builder.due:
        case "copy":
            return Headline(tr("Choose a copy"), last)
        case "action":
            left = builder.actions_left
            note = (
                tr("Tap the copy again to let it go.") if left > 1 else tr("You can still go back.")
            )
            return Headline(tr_n("Where to? {n} action", "Where to? {n} actions", left), note)
    eras = sorted((choice.text.removeprefix(">") for choice in builder.choices), key=ERAS.index)
    first, second = (names.ERAS[ERAS.index(era)] for era in eras)
    if builder.wins:
        note = tr(
            "{other} is left in one era or none. Your focus ends the game: {first} or {second}.",
            other=called[1 - builder.side],
            first=first,
            second=second,
        )
        return Headline(tr("This turn wins"), note)
    asks = tr("Move the focus")
    if builder.effects & ACTIVE_DIES:
        met = tr("Two copies met in one space: both died.")
        note = met if builder.effects & PARADOX else tr("The copy that acted is dead.")
    elif builder.text:
        player = called[builder.side]
        asked = {"first": first, "second": second, "player": player}
        note = tr("In the {first} or the {second}? {player} acts there next.", **asked)
    else:
        note = tr("No copy can act where the focus is.")
    return Headline(asks, note)

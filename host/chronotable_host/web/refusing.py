"""Why nothing can be chosen at a place, as the page says it to who tapped there."""

from __future__ import annotations

from typing import Any

from chronotable.hardware.sensors import FOCUS, SENSORS
from chronotable_host.language import kept_by_language, names, tr
from chronotable_host.rules.reason_texts import GENERAL
from chronotable_host.rules.turn_builder import TurnBuilder
from ttykm import layout
from ttykm.layout import BACK, EAST, FORWARD, NORTH, SOUTH, WEST
from ttykm.reasons import CHOOSE_ABLER_COPY, LEGAL

_FOCUS_LAST = tr("First a copy acts, in the light; then you move your focus to another era.")
_FOCUS_THERE = tr("Your focus is there already. It must move to another era.")
_FOCUS_NOW = tr("Your copy has acted. Now move your focus to another era.")
_OTHERS_FOCUS = tr("That is {player}'s focus. Yours is at the other edge.")
_DARK = tr("Your focus is on the {here}. Only there can you act.")
_OTHERS = tr("That copy is {player}'s. Choose one of yours, in the light.")
_NOBODY = tr("Nobody of yours stands there. Choose a copy in the light.")
_FAR = tr("One space at a time, and straight on: not diagonally, and not two.")
_TIME = tr("To another era you go straight through: to the same space.")
_LONG = tr("One era at a time.")

_STEPS = {-4: NORTH, 1: EAST, 4: SOUTH, -1: WEST}


@kept_by_language(4)
def refusals(builder: TurnBuilder, _chosen: str) -> dict[str, Any]:
    """Return what is said at each place where nothing can be chosen: sentences, and which is whose.

    `_chosen` is what the builder has so far: with it the answer is kept.
    """
    offered = {choice.at for choice in builder.choices}
    found = ["" if at in offered else _why(builder, at) for at in range(SENSORS)]
    says = sorted({*found})
    return {"says": says, "at": [says.index(each) for each in found]}


def _why(builder: TurnBuilder, at: int) -> str:
    state, side = builder.state, builder.side
    here = layout.focus(state, side)
    if at >= FOCUS:
        if at - FOCUS != 3 * side + (at - FOCUS) % 3:
            return _OTHERS_FOCUS.format(player=names.PLAYERS[1 - side])
        return _FOCUS_THERE if (at - FOCUS) % 3 == here else _FOCUS_LAST
    if builder.due == "focus":
        return _FOCUS_NOW
    if builder.active is None:
        return _why_no_copy(builder, at, here)
    return _why_not_there(builder, at, builder.active)


def _why_no_copy(builder: TurnBuilder, at: int, here: int) -> str:
    state, side = builder.state, builder.side
    if state[3 * (1 - side) + (at >> 4)] >> (at & 15) & 1:
        return _OTHERS.format(player=names.PLAYERS[1 - side])
    if not state[3 * side + (at >> 4)] >> (at & 15) & 1:
        return _NOBODY
    if at >> 4 != here:
        return _DARK.format(here=names.ERAS[here])
    return _told(CHOOSE_ABLER_COPY)


def _why_not_there(builder: TurnBuilder, at: int, start: int) -> str:
    eras = (at >> 4) - (start >> 4)
    if eras == 0:
        is_beside = abs((at & 3) - (start & 3)) + abs((at >> 2 & 3) - (start >> 2 & 3)) == 1
        return _told(builder.why_not(_STEPS[at - start])) if is_beside else _FAR
    if at & 15 != start & 15:
        return _TIME
    if abs(eras) > 1:
        return _LONG
    return _told(builder.why_not(FORWARD if eras > 0 else BACK))


def _told(code: int) -> str:
    """Return a reason of the rules as a sentence."""
    return f"{GENERAL[code]}." if code != LEGAL else _FAR

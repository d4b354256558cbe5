"""From location to location, and from round to round (H3, H12, H17, H21)."""

from __future__ import annotations

from typing import Any

from chronotable_host.games.interface import NOBODY, Happening, State
from chronotable_host.games.timechase.cards import NO_CARD
from chronotable_host.games.timechase.row import ENOUGH, leader, outcome, there
from chronotable_host.games.timechase.setting_up import (
    AT_INVARIANT,
    EVENT,
    EVENTS,
    INVARIANT,
    MOVE,
    NOWHERE,
    OVER,
)

INCOME = 2
"""The fuel of a round of who controls no event (H12)."""


def go_on(after: dict[str, Any], resolved: int, tell: list[Happening] | None) -> None:
    """Change a state to the next decision, after a location; NOWHERE after the moves."""
    location = _next_location(after, resolved)
    if location == NOWHERE:
        _end_round(after, tell)
        return
    here = there(after, location)
    is_event = location != INVARIANT
    first = leader(after, location, here) if is_event else here[0]
    after.update(at=location, phase=EVENT if is_event else AT_INVARIANT, turn=first)
    if tell is not None:
        tell.append(Happening("resolves", {"at": location, "seats": here, "lead": first}))


def _next_location(state: State, resolved: int) -> int:
    """Return the location to resolve after another, NOWHERE if none is left (H3, H21)."""
    travelers, present = state["travelers"], state["present"]
    if resolved == INVARIANT:
        return NOWHERE
    if resolved == NOWHERE:
        if present in travelers:
            return int(present)
        resolved = present
    below = EVENTS + 1 if resolved == present else resolved
    return max((at for at in travelers if at < below and at != present), default=NOWHERE)


def _end_round(after: dict[str, Any], tell: list[Happening] | None) -> None:
    control = after["control"]
    owned = [control.count(seat) for seat in range(after["players"])]
    after.update(at=NOWHERE, phase=MOVE, turn=0)
    if max(owned) >= ENOUGH or after["round"] == EVENTS:
        after.update(phase=OVER, turn=NOBODY)
        ended = outcome(after)
        if tell is not None and ended is not None:
            tell.append(Happening("over", ended._asdict()))
        return
    token = _add_event(after) if after["present"] in after["travelers"] else 0
    gained = [INCOME - each for each in owned]
    after["fuel"] = [fuel + more for fuel, more in zip(after["fuel"], gained, strict=True)]
    after["travelers"] = [after["present"]] * after["players"]
    after["round"] += 1
    if tell is not None:
        facts = {"round": after["round"], "present": after["present"], "token": token}
        tell.append(Happening("time", facts))
        tell.append(Happening("income", {"gained": gained}))


def _add_event(after: dict[str, Any]) -> int:
    """Put the top token into the row and return it (H12, H19)."""
    event, *after["tokens"] = after["tokens"]
    index = sum(other < event for other in after["timeline"])
    fresh = {"timeline": event, "control": NOBODY, "led": NO_CARD, "winning": NO_CARD}
    for row, item in fresh.items():
        after[row] = [*after[row][:index], item, *after[row][index:]]
    after["present"] = event
    return int(event)

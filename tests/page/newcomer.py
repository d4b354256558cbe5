"""Somebody who plays by what the page shows: the boards, and the marks on what can be chosen.

They harm the other side where a mark says so, keep out of harm, and go to where the others are.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from chronotable.hardware.sensors import SPACES
from chronotable.lights import meanings
from chronotable_host.rules.notation import PLAYERS

Lying = Mapping[int, str]
"""Looks by place."""
_HARM = (meanings.SQUISH, meanings.PARADOX)


def favourite(view: Mapping[str, Any], rng: Random) -> dict[str, Any]:
    """Return the choice of a view that a newcomer would make."""
    builder = view["builder"]
    own, other = PLAYERS[builder["side"]], PLAYERS[1 - builder["side"]]
    lying = {each["at"]: each["look"] for each in view["pieces"] if each["at"] < SPACES}
    worth = {"copy": _copy, "action": _action, "focus": _era}[builder["due"]]
    best: dict[str, Any] = max(
        builder["choices"],
        key=lambda each: (worth(each, lying, own, other, builder["active"]), rng.random()),
    )
    return best


def _copy(choice: Mapping[str, Any], lying: Lying, _own: str, other: str, _at: Any) -> float:
    """Tell how much somebody could do there: how near the others are."""
    return -_distance(choice["at"], lying, other)


def _action(choice: Mapping[str, Any], lying: Lying, own: str, other: str, _at: Any) -> float:
    at, meaning = choice["at"], choice["meaning"]
    there = lying.get(at)
    if meaning == meanings.OWN_DEATH or (meaning in _HARM and there == own):
        return -100
    if meaning in _HARM:
        return 20 - _count(lying, other, at >> 4)
    if meaning == meanings.PUSH:
        return 6 if there == other else 0
    if meaning == meanings.BACK:
        return 5
    return 3 - _distance(at, {each: look for each, look in lying.items() if each != _at}, other)


def _era(choice: Mapping[str, Any], lying: Lying, own: str, other: str, _at: Any) -> float:
    """Tell how near both sides are to each other in an era."""
    era = (choice["at"] - SPACES) % 3
    mine = [at for at, look in lying.items() if look == own and at >> 4 == era]
    if not mine:
        return -100
    near = min(_distance(at, lying, other) for at in mine)
    return -near - _count(lying, other, era) / 10


_NOBODY = 9


def _distance(at: int, lying: Lying, other: str) -> int:
    """Return the steps from a space to the nearest of the others in its era."""
    steps = [
        abs((at & 3) - (to & 3)) + abs((at >> 2 & 3) - (to >> 2 & 3))
        for to, look in lying.items()
        if look == other and to >> 4 == at >> 4
    ]
    return min(steps, default=_NOBODY)


def _count(lying: Lying, whose: str, era: int) -> int:
    return sum(look == whose and at >> 4 == era for at, look in lying.items())

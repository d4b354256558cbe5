"""The turn that a person puts together in a browser, as the page shows it."""

from __future__ import annotations

from typing import Any

from chronotable import meanings
from chronotable.sensors import FOCUS, SENSORS
from chronotable_host.engine.person import Person
from chronotable_host.rules.turn_builder import TurnBuilder
from chronotable_host.web import headline
from chronotable_host.web.tips import tip_for
from chronotable_host.web.view import pieces_view
from ttykm import layout


def building_view(person: Person, side: int, last: str) -> dict[str, Any]:
    """Return what takes the place of the table's lights and pieces while a side builds a turn.

    Empty where that person builds none; else as `turn_view` has it.
    """
    builder = person.builder
    return {} if builder is None else turn_view(builder, side, last)


def turn_view(builder: TurnBuilder, side: int, last: str) -> dict[str, Any]:
    """Return what is shown of a turn that a side puts together, empty once it is whole.

    `builder` has what is due (`copy`, `action` or `focus`), the text of what was chosen, the sensor
    where the acting copy stands, how many actions are left, a tip for newcomers, and the choices.
    `last` is what happened in the turn before.
    """
    if builder.turn is not None:
        return {}
    return {
        **headline.of_builder(builder, last)._asdict(),
        "leds": _lights(builder, side),
        "todo": [],
        "pieces": pieces_view(builder.state),
        "builder": {
            "due": builder.due,
            "side": side,
            "text": builder.text,
            "active": builder.active,
            "left": builder.actions_left,
            "tip": tip_for(builder),
            "choices": [
                {"at": each.at, "text": each.text, "meaning": each.meaning}
                for each in builder.choices
            ],
        },
    }


def _lights(builder: TurnBuilder, side: int) -> list[int]:
    """Return what the table would light for hands that make this turn."""
    leds = [meanings.OFF] * SENSORS
    leds[FOCUS + 3 * side + layout.focus(builder.state, side)] = meanings.MOVER
    if builder.active is not None:
        leds[builder.active] = meanings.COPY
    for choice in builder.choices:
        leds[choice.at] = max(leds[choice.at], choice.meaning)
    return leds

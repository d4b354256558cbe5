"""The turn that a person puts together in a browser, as the page shows it.

Newcomers get one tip at a time, fit for what is due, and each once: every tip stands here, in the
words of the rules (T7 to T29).
"""

from __future__ import annotations

from typing import Any

from chronotable.hardware.sensors import FOCUS, SENSORS
from chronotable.lights import meanings
from chronotable_host.language import names, tr
from chronotable_host.live.players.person import Person
from chronotable_host.live.texts.light_names import NAMES
from chronotable_host.rules.turn_builder import TurnBuilder
from chronotable_host.web import headline
from chronotable_host.web.refusing import refusals
from chronotable_host.web.view import pieces_view
from ttykm import layout

_AIM = tuple(
    tr(
        "These are all you. Win by leaving {other} in one era only. Tap a copy in the light.",
        other=names.PLAYERS[1 - side],
    )
    for side in range(2)
)
_LIGHT = tr("Your focus throws the light: only there can you act. Choose the copy that acts.")
_FOCUS = tr("Where your focus is, you act next. It cannot stay where it is now.")
_NOBODY = tr("You have nobody where your focus is, so this turn only moves it.")
_MEETS = tr("The skull: your two copies would meet there, and both would die.")
_ACTIONS = (  # what may happen, and the tip
    (meanings.OWN_DEATH, tr("The skull: a copy of yours would die of that.")),
    (
        meanings.PARADOX,
        tr("The pink mark: pushed into another copy of the same colour, both die. A paradox."),
    ),
    (meanings.SQUISH, tr("The orange mark: pushed against a wall, that copy is squished.")),
    (meanings.PUSH, tr("The arrow: go there, and you push that copy one space on.")),
    (meanings.PLANT, tr("The sprout: plant a seed there. It grows in the later eras.")),
    (meanings.DIG, tr("The spade: dig that seed up, and what grew of it is gone.")),
    (meanings.BUILD, tr("The statue: build one there, and in the later eras, too.")),
    (meanings.TRAIN, tr("The hat: train that elephant, and it obeys you.")),
    (meanings.COMMAND, tr("The arrow in a disc: send your elephant there.")),
    (
        meanings.BACK,
        tr(
            "The violet mark goes back in time to the same space, and leaves a new copy of you"
            " behind."
        ),
    ),
    (
        meanings.FORWARD,
        tr("The blue mark goes forward in time, to the same space in the next era."),
    ),
    (meanings.MOVE, tr("Green is a step. This copy takes two actions, then the turn ends.")),
)


def building_view(person: Person, side: int, last: str) -> dict[str, Any]:
    """Return what takes the place of the table's lights and pieces while a side builds a turn.

    Empty where that person builds none; else as `turn_view` has it.
    """
    builder = person.builder
    return {} if builder is None else turn_view(builder, side, last)


def turn_view(builder: TurnBuilder, side: int, last: str) -> dict[str, Any]:
    """Return what is shown of a turn that a side puts together, empty once it is whole.

    `builder` has what is due (`copy`, `action` or `focus`), the text of what was chosen, the sensor
    where the acting copy stands, how many actions are left, tips for newcomers, what is
    said of places where nothing can be chosen, and the choices.
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
            "tips": tips_for(builder, side),
            "refusals": refusals(builder, builder.text),
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


def tips_for(builder: TurnBuilder, side: int) -> list[tuple[str, str]]:
    """Return the tips for what is to be chosen next, each with its name, the first one first."""
    if builder.due == "copy":
        return [("aim", _AIM[side]), ("light", _LIGHT)]
    if builder.due == "focus":
        if builder.wins or builder.effects & layout.ACTIVE_DIES:
            return []  # what happened is told
        return [("focus", _FOCUS) if builder.text else ("nobody", _NOBODY)]
    offered = {choice.meaning for choice in builder.choices}
    own = [builder.state[3 * side + era] for era in range(3)]
    deadly = [choice.at for choice in builder.choices if choice.meaning == meanings.OWN_DEATH]
    meets = [("meets", _MEETS)] if any(own[at >> 4] >> (at & 15) & 1 for at in deadly) else []
    return meets + [(NAMES[meaning], tip) for meaning, tip in _ACTIONS if meaning in offered]

"""The turn that a person puts together in a browser, as the page shows it.

Newcomers get one tip at a time, fit for what is due, and each once: every tip stands here, in the
words of the rules (T7 to T29). Who taps where nothing can be chosen is told why.
"""

from typing import Any

from chronotable.hardware.sensors import FOCUS, SENSORS
from chronotable.lights import meanings
from chronotable_host.language import kept_by_language, names, tr
from chronotable_host.live.players.person import Person
from chronotable_host.live.texts.light_names import NAMES
from chronotable_host.rules.reason_texts import GENERAL
from chronotable_host.rules.turn_builder import TurnBuilder
from chronotable_host.web import headline
from chronotable_host.web.view import pieces_view
from ttykm import layout
from ttykm.layout import BACK, EAST, FORWARD, NORTH, SOUTH, WEST
from ttykm.reasons import CHOOSE_ABLER_COPY, LEGAL

_FOCUS_LAST = tr("First a copy acts, in the light; then the focus moves to another era.")
_FOCUS_THERE = tr("The focus is there already. It must move to another era.")
_FOCUS_NOW = tr("The copy has acted. Now the focus moves to another era.")
_FOCUS_ONLY = tr("No copy can act there. The focus moves to another era.")
_OTHERS_FOCUS = tr("That is {other}'s focus. {mover}'s is at the other edge.")
_DARK = tr("{mover}'s focus is on the {here}. Only copies there can act.")
_OTHERS = tr("That copy is {other}'s. Choose one of {mover}'s, in the light.")
_NOBODY_THERE = tr("{mover} has nobody there. Choose a copy in the light.")
_FAR = tr("One space at a time, and straight on: not diagonally, and not two.")
_TIME = tr("To another era the way is straight through: to the same space.")
_LONG = tr("One era at a time.")

_STEPS = {-4: NORTH, 1: EAST, 4: SOUTH, -1: WEST}


@kept_by_language(4)
def refusals(
    builder: TurnBuilder, _chosen: str, called: tuple[str, str] = names.PLAYERS
) -> dict[str, Any]:
    """Return what is said at each place where nothing can be chosen: sentences, and which is whose.

    `_chosen` is what the builder has so far: with it the answer is kept. `called` is what
    both players are.
    """
    offered = {choice.at for choice in builder.choices}
    side = builder.side
    said = {
        "mover": called[side],
        "other": called[1 - side],
        "here": names.ERAS[layout.focus(builder.state, side)],
    }
    found = ["" if at in offered else _why(builder, at).format(**said) for at in range(SENSORS)]
    says = sorted({*found})
    return {"says": says, "at": [says.index(each) for each in found]}


def _why(builder: TurnBuilder, at: int) -> str:
    state, side = builder.state, builder.side
    here = layout.focus(state, side)
    if at >= FOCUS:
        if at - FOCUS != 3 * side + (at - FOCUS) % 3:
            return _OTHERS_FOCUS
        return _FOCUS_THERE if (at - FOCUS) % 3 == here else _FOCUS_LAST
    if builder.due == "focus":
        return _FOCUS_NOW if builder.text else _FOCUS_ONLY
    if builder.active is None:
        return _why_no_copy(builder, at, here)
    return _why_not_there(builder, at, builder.active)


def _why_no_copy(builder: TurnBuilder, at: int, here: int) -> str:
    state, side = builder.state, builder.side
    if state[3 * (1 - side) + (at >> 4)] >> (at & 15) & 1:
        return _OTHERS
    if not state[3 * side + (at >> 4)] >> (at & 15) & 1:
        return _NOBODY_THERE
    if at >> 4 != here:
        return _DARK
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


_AIM = tr(
    "These are all you. Push {other} into walls: left in one era, {other} loses."
    " Tap one in the light."
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
    (meanings.MOVE, tr("Green is a step. This copy takes two actions, then you move your focus.")),
)


def building_view(
    person: Person, side: int, last: str, called: tuple[str, str] = names.PLAYERS
) -> dict[str, Any]:
    """Return what takes the place of the table's lights and pieces while a side builds a turn.

    Empty where that person builds none; else as `turn_view` has it.
    """
    builder = person.builder
    return {} if builder is None else turn_view(builder, side, last, called)


def turn_view(
    builder: TurnBuilder, side: int, last: str, called: tuple[str, str] = names.PLAYERS
) -> dict[str, Any]:
    """Return what is shown of a turn that a side puts together, empty once it is whole.

    `builder` has what is due (`copy`, `action` or `focus`), the text of what was chosen, the sensor
    where the acting copy stands, how many actions are left, each side's supply then, tips for
    newcomers, what is said of places where nothing can be chosen, and the choices.
    `last` is what happened in the turn before, and both players are `called` so.
    """
    if builder.turn is not None:
        return {}
    return {
        **headline.of_builder(builder, last, called)._asdict(),
        "leds": _lights(builder, side),
        "todo": [],
        "pieces": pieces_view(builder.state),
        "builder": {
            "due": builder.due,
            "side": side,
            "text": builder.text,
            "active": builder.active,
            "left": builder.actions_left,
            "supply": [
                layout.supply(builder.state, player) for player in range(len(names.PLAYERS))
            ],
            "tips": tips_for(builder, side, called),
            "refusals": refusals(builder, builder.text, called),
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


def tips_for(
    builder: TurnBuilder, side: int, called: tuple[str, str] = names.PLAYERS
) -> list[tuple[str, str]]:
    """Return the tips for what is to be chosen next, each with its name, the first one first."""
    if builder.due == "copy":
        return [("aim", _AIM.format(other=called[1 - side])), ("light", _LIGHT)]
    if builder.due == "focus":
        if builder.wins or builder.effects & layout.ACTIVE_DIES:
            return []  # what happened is told
        return [("focus", _FOCUS) if builder.text else ("nobody", _NOBODY)]
    offered = {choice.meaning for choice in builder.choices}
    own = [builder.state[3 * side + era] for era in range(3)]
    deadly = [choice.at for choice in builder.choices if choice.meaning == meanings.OWN_DEATH]
    meets = [("meets", _MEETS)] if any(own[at >> 4] >> (at & 15) & 1 for at in deadly) else []
    return meets + [(NAMES[meaning], tip) for meaning, tip in _ACTIONS if meaning in offered]

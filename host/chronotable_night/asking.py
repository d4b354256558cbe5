"""What the pages of a night may ask for, and what becomes of it in the room."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from chronotable_host.fields import RequestField, short_text, whole_number
from chronotable_host.language import tr
from chronotable_host.web.requests import Commands, Request
from chronotable_night.room import NightRoom

MOST_SEATS = 12
MOST_ACTION = 1000
"""Characters of an action."""
_MOST_MOMENTS = 10**6

_SEAT = whole_number(0, MOST_SEATS - 1)
_SWITCH = RequestField(tr("true or false"), lambda value: isinstance(value, bool))
_NAME = short_text(1, 60)
_CODE = short_text(0, 100)
_WORD = short_text(1, 40)
_VALUE = RequestField(
    tr("a value of the option"),
    lambda value: isinstance(value, (bool, int)) or _WORD.fits(value),
)
_BOT = RequestField(
    tr("the name of a bot, or null"), lambda value: value is None or _WORD.fits(value)
)

COMMANDS: Commands = {
    "join": {"code": _CODE, "name": _NAME},
    "watch": {"code": _CODE},
    "rename": {"name": _NAME},
    "choose": {"game": _WORD},
    "sit": {"seat": _SEAT},
    "leave": {},
    "bot": {"seat": _SEAT, "bot": _BOT},
    "option": {"name": _WORD, "value": _VALUE},
    "remarks": {"on": _SWITCH},
    "start": {},
    "act": {"action": short_text(1, MOST_ACTION), "steps": whole_number(0, _MOST_MOMENTS)},
    "unseal": {},
    "take_back": {},
    "agree": {},
    "refuse": {},
    "hand_over": {"seat": _SEAT},
    "explained": {"kind": _WORD},
    "again": {},
    "address": {},
}
"""What a page may ask for; every field is needed, there are no others."""

STRANGERS_COMMANDS: Commands = {
    "join": {"code": _CODE, "name": _NAME},
    "watch": {"code": _CODE},
}
"""What a page may ask for that has not said the code yet: a seat, or to look on."""

_Asked = Callable[[NightRoom, int, Mapping[str, Any]], "str | None"]

_DEALT: Mapping[str, _Asked] = {
    "join": lambda room, _by, values: room.join(values["name"]),
    "rename": lambda room, by, values: room.rename(by, values["name"]),
    "choose": lambda room, _by, values: room.choose(values["game"]),
    "sit": lambda room, by, values: room.sit(by, values["seat"]),
    "leave": lambda room, by, _values: room.leave(by),
    "bot": lambda room, by, values: room.give_to_bot(by, values["seat"], values["bot"]),
    "option": lambda room, _by, values: room.set_option(values["name"], values["value"]),
    "remarks": lambda room, _by, values: room.set_remarks(values["on"]),
    "start": lambda room, _by, _values: room.start(),
    "act": lambda room, by, values: room.act(by, values["action"], values["steps"]),
    "unseal": lambda room, by, _values: room.unseal(by),
    "take_back": lambda room, by, _values: room.ask_back(by),
    "agree": lambda room, by, _values: room.agree(by),
    "refuse": lambda room, by, _values: room.refuse(by),
    "hand_over": lambda room, by, values: room.hand_over(by, values["seat"]),
    "explained": lambda room, by, values: room.explained(by, values["kind"]),
    "again": lambda room, _by, _values: room.again(),
}


def deal(room: NightRoom, by: int, request: Request) -> str | None:
    """Do what a seat or the SPECTATOR asks for; raises UserError and OSError.

    Return the token of a seat where the request leads to one.
    """
    return _DEALT[request.do](room, by, request.values)

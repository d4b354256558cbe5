"""What pages of a night may ask for, with its fields, and who does it."""

from collections.abc import Callable, Mapping
from typing import Any

from chronotable_host.fields import Fields, RequestField, Values, short_text, whole_number
from chronotable_host.language import tr
from chronotable_host.web.http.requests import Commands
from chronotable_night.boxes import Boxes
from chronotable_night.games.interface import Kind
from chronotable_night.people import MOST_SEATS
from chronotable_night.room import NightRoom

MOST_ACTION = 1000
"""Characters of an action."""
_MOST_MOMENTS = 10**6
_MOST_LISTED = 40

_SEAT = whole_number(0, MOST_SEATS - 1)
_SWITCH = RequestField(tr("true or false"), lambda value: isinstance(value, bool))
_NAME = short_text(1, 60)
_CODE = short_text(0, 100)
_WORD = short_text(1, 40)
_VALUE = RequestField(
    tr("a value of the option"), lambda value: isinstance(value, (bool, int)) or _WORD.fits(value)
)
_BOT = RequestField(
    tr("the name of a bot, or null"), lambda value: value is None or _WORD.fits(value)
)

_Doer = Callable[[NightRoom, int, Values], "str | None"]
"""Does what a seat or the SPECTATOR asks for with these values; raises UserError and OSError.

Returns the token of a seat where that leads to one.
"""

WISHES: Mapping[str, tuple[Fields, _Doer]] = {
    "join": ({"code": _CODE, "name": _NAME}, lambda room, _, of: room.join(of["name"])),
    "rename": ({"name": _NAME}, lambda room, by, of: room.rename(by, of["name"])),
    "choose": ({"game": _WORD}, lambda room, _, of: room.choose(of["game"])),
    "sit": ({"seat": _SEAT}, lambda room, by, of: room.sit(by, of["seat"])),
    "leave": ({}, lambda room, by, _: room.leave(by)),
    "bot": (
        {"seat": _SEAT, "bot": _BOT},
        lambda room, by, of: room.give_to_bot(by, of["seat"], of["bot"]),
    ),
    "option": (
        {"name": _WORD, "value": _VALUE},
        lambda room, _, of: room.set_option(of["name"], of["value"]),
    ),
    "remarks": ({"on": _SWITCH}, lambda room, _, of: room.set_remarks(of["on"])),
    "start": ({}, lambda room, _by, _of: room.start()),
    "act": (
        {"action": short_text(1, MOST_ACTION), "steps": whole_number(0, _MOST_MOMENTS)},
        lambda room, by, of: room.act(by, of["action"], of["steps"]),
    ),
    "let_pass": ({"on": _SWITCH}, lambda room, by, of: room.let_pass(by, of["on"])),
    "unseal": ({}, lambda room, by, _: room.unseal(by)),
    "take_back": ({}, lambda room, by, _: room.ask_back(by)),
    "agree": ({}, lambda room, by, _: room.agree(by)),
    "refuse": ({}, lambda room, by, _: room.refuse(by)),
    "hand_over": ({"seat": _SEAT}, lambda room, by, of: room.hand_over(by, of["seat"])),
    "explained": ({"kind": _WORD}, lambda room, by, of: room.explained(by, of["kind"])),
    "skip_minute": ({}, lambda room, by, _: room.skip_minute(by)),
    "again": ({}, lambda room, _by, _of: room.again()),
}
"""What a page may ask of the room, with its fields, all of which are needed, and who does it."""

_TYPED = short_text(0, 100)


def _can_be_entered(value: Any) -> bool:
    listed = value if isinstance(value, list) else [value]
    return len(listed) <= _MOST_LISTED and all(
        each is None or type(each) is int or _TYPED.fits(each) for each in listed
    )


_ENTERED = RequestField(tr("a text, a number, null, or a list of such"), _can_be_entered)
BOX_WISHES: Mapping[str, tuple[Fields, Callable[[Boxes, Kind, Values], None]]] = {
    "box": ({"game": _WORD}, lambda _boxes, _kind, _of: None),
    "enter": (
        {"game": _WORD, "place": _WORD, "value": _ENTERED},
        lambda boxes, kind, of: boxes.enter(kind, of["place"], of["value"]),
    ),
    "mark": (
        {"game": _WORD, "item": _WORD, "on": _SWITCH},
        lambda boxes, kind, of: boxes.mark(kind, of["item"], of["on"]),
    ),
}
"""What the page of an owner's box may ask for, and who does it; the answer has all of the page."""

SEATS_COMMANDS: Commands = {
    **{name: fields for name, (fields, _) in WISHES.items()},
    "watch": {"code": _CODE},
    "address": {},
    **{name: fields for name, (fields, _) in BOX_WISHES.items()},
}

SCREENS_COMMANDS: Commands = {**SEATS_COMMANDS, "shown": {"steps": whole_number(-1, _MOST_MOMENTS)}}
"""What a big screen may ask for besides: what it has shown, -1 before a game is."""
STRANGERS_COMMANDS: Commands = {name: SEATS_COMMANDS[name] for name in ("join", "watch")}
"""What a page may ask for that has not said the code yet: a seat, or to look on."""

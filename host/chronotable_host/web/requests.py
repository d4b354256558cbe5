"""What a page may ask for: each message of its socket is checked against a table of requests.

One rule: whatever is sent becomes a Request that needs no further check, or a RequestError with one
sentence. What is asked for is known before its fields are read: who may not ask for it is told so.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from chronotable.hardware.sensors import BUTTONS, SENSORS
from chronotable_host.engine.analysis import LEAST_LEVEL
from chronotable_host.engine.levels import LEVELS
from chronotable_host.engine.seats import CANDIDATES
from chronotable_host.errors import UserError, printable
from chronotable_host.language import tr, tr_c
from chronotable_host.lessons.exercises import LESSONS
from chronotable_host.live.clocks import parse_controls
from chronotable_host.live.settings import parse_settings

MOST_BYTES = 4096
"""Of a message; the socket is closed at a longer one."""

_MOST_ID = 1 << 31
_MOST_TURNS = 100_000
_MOST_LINE_TURNS = 100
_MOST_LINE = 33 * _MOST_LINE_TURNS
_TURN = re.compile(r"[A-Za-z0-9:* ]{0,24}>[a-z]{4,7}")
_QUOTED = 24  # characters of a stranger's word in a sentence

Commands = Mapping[str, Mapping[str, "RequestField"]]
"""What can be asked for, and the fields of each."""

Answer = Callable[["Request", str | None], None]
"""Hears how a request was answered: None where it is done, else why it is refused."""


class RequestError(UserError):
    """A message that is no request; `id` is the number that it gave itself, 0 if none."""

    def __init__(self, why: str, number: int = 0) -> None:
        super().__init__(why)
        self.id = number


class Request:
    """One thing that a viewer asks for.

    `do` names it, `values` has its fields, `viewer` says who sent it. The first answer counts;
    whoever takes a request gives it one. `told` is what the answer says besides.
    """

    def __init__(self, number: int, do: str, values: dict[str, Any]) -> None:
        self.id = number
        self.do = do
        self.values = values
        self.viewer = ""
        self.told: dict[str, str] = {}
        self._answer: Answer | None = None

    def sent_by(self, viewer: str, answer: Answer) -> None:
        """Note who sent it, and who hears the answer."""
        self.viewer = viewer
        self._answer = answer

    def accept(self) -> None:
        """Tell the viewer that it is done."""
        self._tell(None)

    def refuse(self, why: str) -> None:
        """Tell the viewer why it is not done, in one sentence."""
        self._tell(why)

    def _tell(self, why: str | None) -> None:
        answer, self._answer = self._answer, None
        if answer is not None:
            answer(self, why)


class RequestField(NamedTuple):
    """What a field holds: in words, and as a test of a value out of JSON."""

    says: str
    fits: Callable[[Any], bool]


def whole_number(low: int, high: int) -> RequestField:
    """Return the field that is a whole number within these."""
    return RequestField(
        tr("a whole number from {low} to {high}", low=low, high=high),
        lambda value: type(value) is int and low <= value <= high,  # True is an int, too
    )


def _one_of(*words: str) -> RequestField:
    says = tr("{words} or {last}", words=", ".join(words[:-1]), last=words[-1])
    return RequestField(says, lambda value: value in words)


def short_text(least: int, most: int) -> RequestField:
    """Return the field that is a text of so many characters, all of them printable."""
    return RequestField(
        tr("a text of {least} to {most} printable characters", least=least, most=most),
        lambda value: (
            isinstance(value, str) and least <= len(value) <= most and value.isprintable()
        ),
    )


def _word(pattern: str, says: str) -> RequestField:
    matches = re.compile(pattern).fullmatch
    return RequestField(says, lambda value: isinstance(value, str) and matches(value) is not None)


def _are_turns(value: Any) -> bool:
    """Tell whether it is a text of turns; each is looked at for itself, so none is read twice."""
    if not isinstance(value, str) or len(value) > _MOST_LINE:
        return False
    turns = value.removesuffix(";").split(";")
    return len(turns) <= _MOST_LINE_TURNS and all(map(_TURN.fullmatch, turns))


_ID = whole_number(1, _MOST_ID)
_SENSOR = whole_number(0, SENSORS - 1)
_SIDE = _one_of("white", "black")
_NAME = short_text(0, 60)
_WORD = _word(r"[a-z+-]{1,24}", tr("a short word of small letters"))
_COUNT = whole_number(0, 4)
_PUZZLE = whole_number(1, 1_000_000)
_QUESTION = whole_number(1, 1_000_000)
_YES_OR_NO = whole_number(0, 1)
_CHOICE = _word(r">?[A-Za-z0-9:*]{1,8}", tr("the text of a choice"))
_HANDICAP = RequestField(
    tr("two whole numbers from 0 to 4"),
    lambda value: isinstance(value, list) and len(value) == 2 and all(map(_COUNT.fits, value)),
)
_CHOOSING = {
    "text": _CHOICE,
    "after": short_text(0, 24),  # what was chosen before it, as the page shows it
}
_VARIATION = {
    "game": short_text(1, 200),
    "turn": whole_number(1, _MOST_TURNS),
    "line": RequestField(tr("turns, parted by semicolons"), _are_turns),
}

COMMANDS: Commands = {
    "take_control": {},
    "release_control": {},
    "choose": _CHOOSING,
    "back": {},
    "answer": {
        "choice": _one_of("a", "b", "c", "none"),
        "turns": short_text(0, 120),  # that were asked about, as the page shows them
    },
    "undo": {},
    "resign": {"side": _SIDE},
    "draw": {"side": _SIDE},
    "new": {
        "white": _NAME,
        "black": _NAME,
        "handicap": _HANDICAP,
        "modules": _WORD,
        "first": _SIDE,
    },
    "lesson": {"number": whole_number(1, len(LESSONS))},
    "puzzle": {"number": _PUZZLE, "player": _NAME},
    "tried": {
        "number": _PUZZLE,
        "player": _NAME,
        "turns": short_text(0, 120),
        "hinted": _YES_OR_NO,
    },
    "hint": {},
    "hints": {"side": _SIDE, "may": _one_of("on", "off")},
    "go_on": {},
    "leave": {},
    "analyse": {"game": short_text(1, 200), "turn": whole_number(0, _MOST_TURNS)},
    "walk": {"way": _one_of("back", "forth")},
    "branch": {"game": short_text(1, 200), "turn": whole_number(0, _MOST_TURNS)},
    "judge": {
        "game": short_text(1, 200),
        "level": whole_number(LEAST_LEVEL, len(LEVELS)),
    },
    "stop_judging": {},
    "keep_variation": _VARIATION,
    "drop_variation": _VARIATION,
    "set": {
        "name": _word(r"[a-z_]{1,24}", tr("the name of a setting")),
        "value": _word(r"[a-z0-9-]{1,24}", tr("a word or a number, as text")),
    },
    "clock": {"times": short_text(1, 20)},
    "lift": {"at": _SENSOR},
    "place": {"at": _SENSOR, "piece": _WORD},
    "put_away": {"piece": _WORD},
    "tap": {"at": _SENSOR},
    "press": {"button": _one_of(*dict(BUTTONS)), "side": _SIDE},
    "clumsy": {"percent": whole_number(0, 100)},
    "reed": {"at": _SENSOR, "how": _one_of("good", "open", "closed", "flicker")},
    "tidy": {},
    "agree": {"question": _QUESTION},
    "decline": {"question": _QUESTION},
    "withdraw": {"question": _QUESTION},
    "again": {},
    "say": {"text": short_text(1, 200)},
    "sit": {"side": _SIDE, "who": _one_of(*(each.seat for each in CANDIDATES))},
    "address": {},
    "open": {"to": _one_of("network", "nobody")},
}
"""What the page may ask for; every field is needed, there are no others."""
HERE_ONLY = ("open",)
"""What only who sits at this computer may ask for."""

GUEST_COMMANDS: Commands = {
    "name": {"name": _NAME},
    "hint": {},
    "choose": _CHOOSING,
    "back": {},
    "draw": {},
    "resign": {},
}
"""What a guest may ask for: the side is the guest's own."""

_CHECKS: dict[str, Callable[[dict[str, Any]], object]] = {
    "clock": lambda values: parse_controls(values["times"]),
    "set": lambda values: parse_settings([f"{values['name']}={values['value']}"]),
}


def parse_request(text: str, commands: Commands = COMMANDS) -> Request:
    """Return which of the commands a message asks for; raises RequestError."""
    request = named_request(text, commands)
    check_request(request, commands)
    return request


def named_request(text: str, commands: Commands) -> Request:
    """Return which of the commands a message names, its fields unread; raises RequestError."""
    message = _object(text)
    number = message.pop("id", None)
    if not _ID.fits(number):
        raise RequestError(tr("a request has an 'id', {kind}", kind=_ID.says))
    do = message.pop("do", None)
    if not isinstance(do, str) or do not in commands:
        what = f"'{quoted(do)}'" if isinstance(do, str) else tr_c("request", "this")
        raise RequestError(tr("{what} is nothing that can be asked for", what=what), number)
    return Request(number, do, message)


def check_request(request: Request, commands: Commands) -> None:
    """Raise RequestError where a request's fields are not those of its command."""
    try:
        _check(request.do, commands[request.do], request.values)
    except UserError as error:
        raise RequestError(str(error), request.id) from error


def quoted(text: str) -> str:
    """Return a stranger's word, fit for a sentence and a log."""
    word = printable(text[:_QUOTED])
    return word + "..." if len(text) > _QUOTED else word


def _object(text: str) -> dict[str, Any]:
    try:
        message = json.loads(text, object_pairs_hook=_once_each)
    except (ValueError, RecursionError) as error:  # deep nesting is a RecursionError
        raise RequestError(tr("the message is no JSON that can be understood")) from error
    if not isinstance(message, dict):
        raise RequestError(tr("a message is a JSON object with 'id' and 'do'"))
    return message


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise RequestError(tr("the message names a field twice"))
    return fields


def _check(do: str, fields: Mapping[str, RequestField], values: dict[str, Any]) -> None:
    for name in values:
        if name not in fields:
            raise UserError(tr("'{do}' has no field '{name}'", do=do, name=quoted(name)))
    for name, field in fields.items():
        if name not in values:
            raise UserError(
                tr("'{do}' needs the field '{name}', {kind}", do=do, name=name, kind=field.says)
            )
        if not field.fits(values[name]):
            raise UserError(tr("'{name}' of '{do}' is {kind}", name=name, do=do, kind=field.says))
    check = _CHECKS.get(do)
    if check is not None:
        check(values)

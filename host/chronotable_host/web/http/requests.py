"""Messages of a page's socket: each is checked against a table of what can be asked for.

One rule: whatever is sent becomes a Request that needs no further check, or a RequestError with one
sentence. What is asked for is known before its fields are read: who may not ask for it is told so.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

from chronotable_host.errors import UserError
from chronotable_host.fields import Fields, check, quoted, whole_number
from chronotable_host.language import LANGUAGE, tr, tr_c

MOST_BYTES = 4096
"""Of a message; the socket is closed at a longer one."""

_ID = whole_number(1, 1 << 31)

Commands = Mapping[str, Fields]
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
        self.language = LANGUAGE
        self.told: dict[str, Any] = {}
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


def parse_request(text: str, commands: Commands) -> Request:
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
        check(request.do, commands[request.do], request.values)
    except UserError as error:
        raise RequestError(str(error), request.id) from error


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

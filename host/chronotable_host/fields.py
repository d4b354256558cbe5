"""Fields of what people ask for: what each holds, in words and as a test of its value."""

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from chronotable_host.errors import UserError, printable
from chronotable_host.language import tr

_QUOTED = 24  # characters of a stranger's word in a sentence


class RequestField(NamedTuple):
    """What a field holds: in words, as a test of a value out of JSON, and as it is typed.

    `reads` may raise UserError and NotationError.
    """

    says: str
    fits: Callable[[Any], bool]
    reads: Callable[[str], Any] = str


Fields = Mapping[str, RequestField]
"""The fields of one thing, by name."""
Values = Mapping[str, Any]
"""What they hold."""


def whole_number(low: int, high: int) -> RequestField:
    """Return the field that is a whole number within these."""
    return RequestField(
        tr("a whole number from {low} to {high}", low=low, high=high),
        lambda value: type(value) is int and low <= value <= high,  # True is an int, too
        lambda word: int(word[:12]) if word.isascii() and word.isdecimal() else word,
    )


def one_of(*words: str) -> RequestField:
    """Return the field that is one of these words."""
    says = tr("{words} or {last}", words=", ".join(words[:-1]), last=words[-1])
    return RequestField(says, lambda value: value in words, str.lower)


def short_text(least: int, most: int) -> RequestField:
    """Return the field that is a text of so many characters, all of them printable."""
    return RequestField(
        tr("a text of {least} to {most} printable characters", least=least, most=most),
        lambda value: (
            isinstance(value, str) and least <= len(value) <= most and value.isprintable()
        ),
    )


def word(pattern: str, says: str) -> RequestField:
    """Return the field that is a text which the whole pattern fits."""
    matches = re.compile(pattern).fullmatch
    return RequestField(says, lambda value: isinstance(value, str) and matches(value) is not None)


def check(do: str, fields: Fields, values: Values) -> None:
    """Raise UserError where values are not those of the fields of what is asked for."""
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


def quoted(text: str) -> str:
    """Return a stranger's word, fit for a sentence and a log."""
    shown = printable(text[:_QUOTED])
    return shown + "..." if len(text) > _QUOTED else shown

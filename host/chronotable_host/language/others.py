"""Sentences that others write in English: typer, and the reader of board files, as the Pico's too.

They are known by their English words, with {places} for what is particular, and translated when
they are said; so is the help of our own commands, which stay as they are, in English.
`tests/catalogues.py` takes them from here.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from chronotable_host.language import LANGUAGE, tr

HEADINGS = ("Usage", "Arguments", "Options", "Commands")
MARKS = ("default", "required")
"""What stands in square brackets behind the help of an option."""
OPTIONS = (
    "Install completion for the current shell.",
    "Show completion for the current shell, to copy it or customize the installation.",
    "Show this message and exit.",
)
"""Help of the options that typer adds."""

WRONG_USE = (
    "Missing argument '{name}'",
    "Missing option '{name}'",
    "Missing command",
    "No such command '{name}'. Did you mean {names}?",
    "No such command '{name}'",
    "No such option: {name} (Possible options: {names})",
    "No such option: {name}",
    "Option '{name}' requires an argument",
    "Option '{name}' does not take a value",
    "Got unexpected extra argument(s) ({names})",
    "Invalid value for '{name}': {what}",
    "Input should be a valid integer, unable to parse string as an integer",
    "Input should be a valid number, unable to parse string as a number",
    "Input should be greater than or equal to {least}",
    "Input should be less than or equal to {most}",
    "Value error, '{value}' is not one of {values}",
)
"""Of typer, without the full stop at the end."""

WRONG_BOARD = (
    "is not valid JSON",
    "is missing",
    "is missing, as each player has a button {name}",
    "{name} is missing, and without it nothing is sensed",
    "is not a known key",
    "is not a known key; is {name} meant?",
    "a board has only one of {what}",
    "needs the sensor polarity, as no other tells poles apart",
    "{name} needs registers, as a matrix reads reeds alone",
    "the button {name} is shared and has no side",
    "{name} is already defined by {place}",
    "{name} is already listed as {place}",
    "{what} is already used by {place}",
    "must be an object, not {what}",
    "must be a list, not {what}",
    "must be text, not {what}",
    "must be a whole number, not {what}",
    "must be a number, not {what}",
    "must have {count} entries, not {found}",
    "must be 1 to {most} of the characters a-z, 0-9, _ and -, not '{name}'",
    "must be 0 to 22 or 26 to 28, which a Pico leads out, not {pin}",
    "must be at most {scans} scans, {most} ms at scan_ms {scan_ms}, not {value}",
    "must be a multiple of scan_ms ({scan_ms}), not {value}",
    "must be {what}, not {value}",
    "true or false",
    "the number {value}",
    "the fraction {value}",
    "the text '{value}'",
    "a list",
    "an object",
    "cell {value}",
    "LED {value}",
    "pin {value}",
    "the place {value}",
    "the {value}",
    "{low} to {high}",
    "{value} or {what}",
    "{value} and {what}",
)
"""Of firmware/lib/chronotable/hardware/board.py; the first that fits is meant."""

SENTENCES = (*HEADINGS, *MARKS, *OPTIONS, *WRONG_USE, *WRONG_BOARD)

_PLACE = re.compile(r"\{(\w+)\}")


def translated(message: str, known: Sequence[str]) -> str:
    """Return a sentence in the chosen language; as it is where it is none of those known."""
    if LANGUAGE == "en":
        return message
    for sentence in known:
        values = _values(sentence, message)
        if values is not None:
            if "what" in values:  # a part that is one of them itself
                values["what"] = translated(values["what"], known)
            return tr(sentence, **values)
    return message


def _values(sentence: str, message: str) -> dict[str, str] | None:
    """Return what a message has in the places of a sentence, None where it is another one.

    Each fixed part is looked for once, behind the one before, and the last one at the end.
    """
    first, *rest = _PLACE.split(sentence)
    if not rest:
        return {} if message == first else None
    names, parts = rest[::2], rest[1::2]
    end = len(message) - len(parts[-1])
    if not message.startswith(first) or not message.endswith(parts[-1]):
        return None
    values, at = {}, len(first)
    for name, part in zip(names, parts, strict=True):
        to = end if part is parts[-1] and name == names[-1] else message.find(part, at, end)
        if to < at:
            return None
        values[name] = message[at:to]
        at = to + len(part)
    return values


_HEADING = re.compile(rf"^({'|'.join(HEADINGS)}):", re.MULTILINE)
_MARK = re.compile(rf"(?<=[\[ ])({'|'.join(MARKS)})(?=[:\]])")


def texts(command: Any) -> Iterator[str]:
    """Yield what a command and those below it say of themselves and of what is typed behind them.

    Typer adds options of its own; hidden ones are never told.
    """
    for each in _tree(command):
        for part in (each, *each.params):
            if part.help and not part.hidden and part.help not in OPTIONS:
                yield part.help


def translate(command: Any) -> None:
    """Have a command and those below it give their help in the chosen language."""
    for each in _tree(command):
        for part in (each, *each.params):
            if getattr(part, "help", None):
                part.help = tr(part.help)
        each.get_help = partial(_help, each.get_help)
        each.get_help_option = partial(_help_option, each.get_help_option)


def _tree(command: Any) -> Iterator[Any]:
    """Yield a command and all below it."""
    yield command
    for each in getattr(command, "commands", {}).values():
        yield from _tree(each)


def _help(in_english: Callable[[Any], str], context: Any) -> str:
    """Return the help of a command, typer's own words in it translated."""
    text = _HEADING.sub(lambda heading: tr(heading[1]) + ":", in_english(context))
    return _MARK.sub(lambda mark: tr(mark[1]), text)


def _help_option(made: Callable[[Any], Any], context: Any) -> Any:
    """Return the option that asks for help."""
    option = made(context)
    if option is not None:
        option.help = tr(option.help)
    return option

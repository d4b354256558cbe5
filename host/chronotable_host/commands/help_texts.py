"""Help and errors of use in the chosen language: what the commands say of themselves, and typer.

The commands stay as they are, in English: their help is looked up when it is asked for, and
`tests/catalogues.py` takes what is to be translated from here. What typer says itself it says in
sentences of its own, which are known by their English words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from chronotable_host.language import tr

HEADINGS = ("Usage", "Arguments", "Options", "Commands")
MARKS = ("default", "required")
"""What stands in square brackets behind the help of an option."""
OPTIONS = (
    "Install completion for the current shell.",
    "Show completion for the current shell, to copy it or customize the installation.",
    "Show this message and exit.",
)
"""Help of the options that typer adds."""
ERRORS = (
    "Missing argument '{name}'",
    "Missing option '{name}'",
    "Missing command",
    "No such command '{name}'. Did you mean {names}?",
    "No such command '{name}'",
    "No such option: {name} (Possible options: {names})",
    "No such option: {name}",
    "Option '{name}' requires an argument",
    "Option '{name}' does not take a value",
    "Got unexpected extra argument ({name})",
    "Got unexpected extra arguments ({names})",
    "Invalid value for '{name}': {why}",
)
REASONS = (
    "Input should be a valid integer, unable to parse string as an integer",
    "Input should be a valid number, unable to parse string as a number",
    "Input should be greater than or equal to {least}",
    "Input should be less than or equal to {most}",
    "Value error, '{value}' is not one of {values}",
)
"""Why a value is no good."""

_HEADING = re.compile(rf"^({'|'.join(HEADINGS)}):", re.MULTILINE)
_MARK = re.compile(rf"(?<=[\[ ])({'|'.join(MARKS)})(?=[:\]])")


def texts(command: Any) -> Iterator[str]:
    """Yield what the catalogue has to have of a command, of those below it, and of typer."""
    own = (text for each in _tree(command) for text in _own_texts(each))
    yield from dict.fromkeys((*own, *HEADINGS, *MARKS, *OPTIONS, *ERRORS, *REASONS))


def translate(command: Any) -> None:
    """Have a command and those below it give their help in the chosen language."""
    for each in _tree(command):
        for part in (each, *each.params):
            if getattr(part, "help", None):
                part.help = tr(part.help)
        each.get_help = partial(_help, each.get_help)
        each.get_help_option = partial(_help_option, each.get_help_option)


def translated_error(message: str) -> str:
    """Return an error of use in the chosen language, in English where it is not known."""
    for known in (*ERRORS, *REASONS):
        pattern = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.*)", re.escape(known))
        if match := re.fullmatch(pattern, message):
            values = match.groupdict()
            if "why" in values:
                values["why"] = translated_error(values["why"])
            return tr(known, **values)
    return message


def _tree(command: Any) -> Iterator[Any]:
    """Yield a command and all below it."""
    yield command
    for each in getattr(command, "commands", {}).values():
        yield from _tree(each)


def _own_texts(command: Any) -> Iterator[str]:
    """Yield what we say of a command and of what can be typed behind it; typer adds options."""
    for part in (command, *command.params):
        if part.help and not part.hidden and part.help not in OPTIONS:
            yield part.help


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

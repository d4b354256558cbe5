"""Help in the chosen language: what the commands say of themselves, and what typer adds.

The commands stay as they are, in English: their help is looked up when it is asked for, and
`tests/catalogues.py` takes what is to be translated from here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from chronotable_host.language import tr
from chronotable_host.language.others import HEADINGS, MARKS, OPTIONS

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

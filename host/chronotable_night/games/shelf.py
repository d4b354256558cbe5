"""The games of a games night, as their folders have them, and their options as texts.

Such texts are on command lines, from pages, in records.
"""

import pkgutil
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from chronotable_host.errors import UserError
from chronotable_host.language import tr
from chronotable_night import games
from chronotable_night.games.interface import Kind, Option


@cache
def kinds() -> Mapping[str, Kind]:
    """Return all games by their names."""
    folders = [each.name for each in pkgutil.iter_modules(games.__path__) if each.ispkg]
    found = [import_module(f"{games.__name__}.{folder}.kind").KIND for folder in sorted(folders)]
    return {kind.name: kind for kind in found}


def own_module(name: str, part: str) -> Any:
    """Return a module of a game's own folder, None if it has none."""
    module = f"{games.__name__}.{name}"
    if find_spec(module) is None or find_spec(f"{module}.{part}") is None:
        return None
    return import_module(f"{module}.{part}")


def defaults(options: Sequence[Option]) -> dict[str, Any]:
    """Return the first value of each option."""
    return {each.name: next(iter(each.values)) for each in options}


def option_value(options: Sequence[Option], name: str, value: Any) -> Any:
    """Return the value of an option that somebody chose; raises UserError.

    A text stands for the value that is written so.
    """
    for option in options:
        if option.name != name:
            continue
        for known in option.values:
            if (type(known), known) == (type(value), value) or value == format_value(known):
                return known
        values = ", ".join(map(format_value, option.values))
        raise UserError(tr("{name} is one of {values}", name=name, values=values))
    names = ", ".join(each.name for each in options) or tr("none")
    raise UserError(tr("this game has no such option; it has {names}", names=names))


def format_value(value: Any) -> str:
    """Return a value of an option as it is typed."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def format_choices(values: Mapping[str, Any]) -> str:
    """Return options with their values on one line, as "jumble=true"."""
    return " ".join(f"{name}={format_value(value)}" for name, value in values.items())


def parse_choices(options: Sequence[Option], text: str) -> dict[str, Any]:
    """Return the options of such a line, defaults where it does not say; raises UserError."""
    values = defaults(options)
    for word in text.split():
        name, _, value = word.partition("=")
        values[name] = option_value(options, name, value)
    return values

"""The games that there are: every folder here with a module `kind` that has a KIND."""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from chronotable_night import games

if TYPE_CHECKING:
    from chronotable_night.games.interface import Kind


@cache
def kinds() -> Mapping[str, Kind]:
    """Return all games by their names."""
    folders = [each.name for each in pkgutil.iter_modules(games.__path__) if each.ispkg]
    found = [import_module(f"{games.__name__}.{folder}.kind").KIND for folder in sorted(folders)]
    return {kind.name: kind for kind in found}

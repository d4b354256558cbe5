"""Which modules and bundles are in the table's memory while it plays, and how large they are.

`tests/emulator/test_loaded_on_chip.py` compares this with `sys.modules` on the chip.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache

from chronotable_host.hardware.firmware.bundling import BUNDLES
from chronotable_host.hardware.firmware.image import (
    device_modules,
    device_texts,
    module_name,
    module_sources,
)

NOT_KEPT = {
    "held": "until it is known what the start leads to",
    "lamp": "until the first light is on, where the firmware fails, and in safe mode",
    "trouble": "where the firmware fails, and in safe mode",
    "about": "while the board is read",
    "bytewise": "where the serial line has another endpoint",
    "game_file": "when a game's file is made or found",
    "startup": "while the table is configured",
    "slots": "while the firmware is told, and when it has proved healthy",
    "chronotable.hardware.board": "while the board is read",
    "chronotable.hardware.naming": "while the board is read",
    "chronotable.journal.reader": "while a game goes on from the flash",
    "chronotable.link.unpacked": "while a position is read that comes from elsewhere",
    "chronotable.core.candidates": "while it is in doubt which turn was meant",
    "chronotable.core.commands": "while the PC asks for something, or a chapter is chosen",
    "chronotable.core.doubts": "when the power comes back in the middle of a game",
    "chronotable.core.faults": "when a reed is broken, or works again",
    "chronotable.core.whole_pictures": "while a start or an earlier position lies there in a game",
    "chronotable.core.wanted": "once a player without hands wants a turn",
    "chronotable.core.wanting": "with that",
    "chronotable.player.seats": "once the table itself, or somebody elsewhere, is to play a side",
    "chronotable.core.surface": "once the PC shows a game that the table does not know",
    "chronotable.player.search": "with that, in a standard game",
    "chronotable.player.search_modules": "with that, in a game with modules",
    "chronotable.player.evaluation": "with both",
    "chronotable.player.weights": "with that",
    "chronotable.player.advantage": "once the table is offered a draw",
    "ttykm.box": "while a position is looked at that comes from elsewhere",
    "registers": "on a board without a matrix",
    "chronotable.hardware.poles": "on a board with sensors of polarity",
    "chronotable.core.poles": "with that, in a game",
    "chronotable.lights": "with what of it is in no bundle: sounds",
    "chronotable.lights.sounds": "on a board with a piezo",
    "chronotable.player": "with any of its modules",
}
"""Modules that the table loads at other times, and when; whoever loads them lets them go again."""


@cache
def sizes() -> Mapping[str, int]:
    """Return the size of each compiled module that is loaded in a game of all chapters.

    Raises: as `device_modules`.
    """
    compiled = device_modules()
    return {name: len(compiled[f"{path}.mpy"]) for name, path in _paths().items()}


@cache
def _paths() -> Mapping[str, str]:
    sources = module_sources()
    paths = {module_name(path): path.removesuffix(".py") for path in sources}
    texts = device_texts({name: sources[f"{path}.py"] for name, path in paths.items()}, BUNDLES)
    paths |= {name: name for name in BUNDLES}
    found: set[str] = set()
    due = ["start", "loop"]
    while due:
        name = due.pop()
        if name in texts and name not in found:
            found.add(name)
            due += _imported(ast.parse(texts[name]))
    return {name: paths[name] for name in sorted(found - NOT_KEPT.keys())}


def _imported(node: ast.AST) -> Iterator[str]:
    """Yield what a module imports, packages included, at any time; types are for checkers."""
    for inner in ast.iter_child_nodes(node):
        if isinstance(inner, ast.If) and ast.unparse(inner.test) == "False":
            continue
        if isinstance(inner, ast.Import):
            yield from (alias.name for alias in inner.names)
        elif isinstance(inner, ast.ImportFrom):
            module = inner.module or ""
            parts = module.split(".")
            yield from (".".join(parts[:end]) for end in range(1, len(parts) + 1))
            yield from (f"{module}.{alias.name}" for alias in inner.names)
        else:
            yield from _imported(inner)

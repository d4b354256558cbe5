"""What is done in a browser before anything else is imported."""

from __future__ import annotations

import gc
import importlib
import io
import random
import sys
import tarfile
import types
from importlib.abc import MetaPathFinder
from pathlib import Path

PROGRAM = "/program"
"""The folder of the modules."""

_NOT_THERE = (
    *("anyio.to_interpreter", "mpremote.console"),
    *("serial", "serial.tools", "serial.tools.list_ports"),
)
"""What libraries import and a browser lacks: interpreters beside this one, ports, a terminal."""
_LATER = ("sqlalchemy", "rich", "paho", "segno", "mpremote")
"""What few visits import: it comes in an archive of its own with the first of it."""


def begin(whole: bool) -> None:
    """Have what few visits import unpacked when it is imported.

    `whole` is to have in memory what the table begins with, too: that memory is kept for later.
    """
    sys.meta_path.insert(0, _Later())
    for name in _NOT_THERE:
        sys.modules[name] = types.ModuleType(name)
    sys.modules["mpremote.console"].VT_ENABLED = False  # type: ignore[attr-defined]
    if whole:
        _have_in_memory()


def forget_files() -> list[str]:
    """Remove the files of modules that are in memory, which nobody reads again; return them."""
    found = [getattr(each, "__file__", None) or "" for each in [*sys.modules.values()]]
    gone = [file for file in found if file.startswith(f"{PROGRAM}/") and file.endswith(".pyc")]
    for file in gone:
        Path(file).unlink()
    return gone


def begin_again() -> None:
    """Begin with the memory of an earlier start, whose random numbers are not to come again."""
    random.seed()


def _have_in_memory() -> None:
    from chronotable_host.hardware.firmware.files import app_sources  # noqa: PLC0415
    from chronotable_host.learning.puzzles.puzzle import built_in  # noqa: PLC0415
    from chronotable_host.site import program, workers  # noqa: F401, PLC0415
    from chronotable_host.virtual.runtimes.waiting import compiled  # noqa: PLC0415

    compiled(frozenset(app_sources().items()))
    built_in()
    gc.collect()


class _Later(MetaPathFinder):
    def find_spec(self, name: str, _path: object = None, _target: object = None) -> None:
        if name in _LATER:
            from js import fetchNow  # type: ignore[import-not-found] # noqa: PLC0415

            sys.meta_path.remove(self)
            packed = io.BytesIO(fetchNow("later.tar.xz").to_bytes())
            with tarfile.open(fileobj=packed) as modules:
                modules.extractall(PROGRAM, filter="data")
            importlib.invalidate_caches()

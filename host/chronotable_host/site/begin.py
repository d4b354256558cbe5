"""What is done in a browser before anything else is imported."""

from __future__ import annotations

import importlib
import io
import sys
import tarfile
import types
from collections.abc import Callable
from importlib.abc import MetaPathFinder
from typing import Any

PROGRAM = "/program"
"""The folder of the modules."""


def begin(fetch_now: Callable[[str], Any]) -> None:
    """Have the archive's index unpacked when it is imported; `fetch_now` gets a file by name."""
    sys.meta_path.insert(0, _Later(fetch_now))
    # anyio wants interpreters beside this one, which are not there
    sys.modules["anyio.to_interpreter"] = types.ModuleType("to_interpreter")


class _Later(MetaPathFinder):
    def __init__(self, fetch_now: Callable[[str], Any]) -> None:
        self._fetch_now = fetch_now

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> None:
        if name == "sqlalchemy":
            sys.meta_path.remove(self)
            packed = io.BytesIO(self._fetch_now("../index.tar.xz").to_bytes())
            with tarfile.open(fileobj=packed) as modules:
                modules.extractall(PROGRAM, filter="data")
            importlib.invalidate_caches()

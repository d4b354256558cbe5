"""Paths in a parsed board file: where they lead, and how an error writes them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

Path = tuple[str | int, ...]

_STEP = re.compile(r"\[(\d+)\]|\.?([^.\[]+)")


def at(data: Any, path: Path) -> Any:
    """What lies there; raises KeyError or IndexError where nothing does."""
    for key in path:
        data = data[key]
    return data


def put(data: Any, path: Path, value: Any) -> None:
    at(data, path[:-1])[path[-1]] = value


def places(data: Any, path: Path = ()) -> Iterator[Path]:
    """The paths of all values below the top, containers included."""
    if isinstance(data, (dict, list)):
        keys = data if isinstance(data, dict) else range(len(data))
        for key in keys:
            yield (*path, key)
            yield from places(data[key], (*path, key))


def written(path: Path) -> str:
    """The path as a board error writes it; on purpose not the code that is tested."""
    steps = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path)
    return steps.removeprefix(".")


def read(text: str) -> Path:
    """The path that an error names."""
    return tuple(int(number) if number else key for number, key in _STEP.findall(text))

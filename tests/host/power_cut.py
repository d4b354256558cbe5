"""A disk whose power can be cut: which calls were made, and what each cut could leave.

Three things a disk may do with what nobody has synced: keep it, lose it, keep half of it (or the
length alone, full of zeros). Names are a matter of their folder: those since its last sync are
kept in their order, up to any point. A whole file that gets its name before its content was synced
shows up here as an empty file.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

CHANGES = ("open", "write", "fsync", "replace", "link", "unlink", "ftruncate", "utime")
"""The calls of `os` that a disk can fail at."""


class Calls:
    """`os` for a module that is watched; `hook` is called before each change.

    What the hook returns is done instead of the call, if it is not None.
    """

    def __init__(self, hook: Callable[[str, tuple[Any, ...]], Any]) -> None:
        self._hook = hook

    def __getattr__(self, name: str) -> Any:
        real = getattr(os, name)
        if name not in CHANGES:
            return real

        def call(*args: Any, **kwargs: Any) -> Any:
            instead = self._hook(name, args)
            return real(*args, **kwargs) if instead is None else instead

        return call


@dataclass
class _Content:
    """What a file holds: as it was synced, and as everybody sees it."""

    synced: bytes = b""
    seen: bytes = b""

    def after_a_cut(self) -> set[bytes]:
        """Return what may be left."""
        if self.synced == self.seen:
            return {self.seen}
        half = (len(self.synced) + len(self.seen)) // 2
        zeros = self.synced + bytes(max(0, len(self.seen) - len(self.synced)))
        return {self.synced, self.seen, self.seen[:half], zeros}


_Names = dict[str, _Content]


@dataclass
class Disk:
    """The model of the disk, fed with calls by `do`."""

    seen: _Names = field(default_factory=dict)
    _synced: _Names = field(default_factory=dict)
    _since: list[_Names] = field(default_factory=list)
    _open: dict[int, _Content | None] = field(default_factory=dict)  # None is a folder

    def do(self, name: str, args: tuple[Any, ...], result: Any = None) -> None:
        seen = dict(self.seen)
        if name == "open":
            path = str(args[0])
            if os.path.isdir(path):
                self._open[result] = None
                return
            if args[1] & os.O_CREAT:
                seen[path] = _Content()
            self._open[result] = seen[path]
        elif name == "write":
            content = self._open[args[0]]
            assert content is not None
            content.seen += bytes(args[1])[:result]
        elif name == "ftruncate":
            content = self._open[args[0]]
            assert content is not None
            content.seen = content.seen[: args[1]]
        elif name == "fsync":
            content = self._open[args[0]]
            if content is None:
                self._synced, self._since = self.seen, []
            else:
                content.synced = content.seen
        elif name == "replace":
            seen[str(args[1])] = seen.pop(str(args[0]))
        elif name == "link":
            seen[str(args[1])] = seen[str(args[0])]
        elif name == "unlink":
            del seen[str(args[0])]
        if seen != self.seen:
            self.seen = seen
            self._since.append(seen)

    def after_a_cut(self, suffix: str) -> Iterator[list[bytes]]:
        """Yield what the files with this suffix may hold when the power comes back."""
        for names in (self._synced, *self._since):
            files = [content for path, content in names.items() if path.endswith(suffix)]
            assert len(files) <= 1
            if not files:
                yield []
            for left in files[0].after_a_cut() if files else ():
                yield [left]

"""A table's store in memory, for journals where no flash is."""

from __future__ import annotations

import errno

from chronotable_host.virtual.runtimes.flash import BLOCK, BLOCKS


class MemoryStore:
    """What `chronotable.journal.journal` wants of a store, in a dict."""

    def __init__(self, room: int = BLOCK * BLOCKS) -> None:
        self.files: dict[str, bytes] = {}
        self._room = room

    def names(self) -> list[str]:
        return list(self.files)

    def read(self, name: str) -> bytes:
        return self.files[name]

    def prepare(self) -> None:
        """Make the next file ready: here nothing has to be erased for it."""

    def append(self, name: str, data: bytes) -> None:
        self.replace(name, self.files.get(name, b"") + data)

    def replace(self, name: str, data: bytes) -> None:
        if len(data) - len(self.files.get(name, b"")) > self.room():
            raise OSError(errno.ENOSPC, "ENOSPC")
        self.files[name] = data

    def rename(self, name: str, new_name: str) -> None:
        self.files[new_name] = self.files.pop(name)

    def remove(self, name: str) -> None:
        del self.files[name]

    def room(self) -> int:
        return self._room - sum(map(len, self.files.values()))

"""The files in a virtual table's flash, as MicroPython's `os` and `open` see them.

They lie in a dict, name to content, folders in the names; what is written is there at once. Only
what the firmware uses is here.
"""

import errno
import io
from typing import Any

BLOCK = 4096
BLOCKS = 352
"""The file system of MicroPython on a Pico: 1408 KB."""


class Flash:
    """Files in a dict, which outlives the power; `blocks` is how many there are in all."""

    def __init__(self, files: dict[str, bytes], blocks: int = BLOCKS) -> None:
        self.files = files
        self.blocks = blocks
        self._folders: set[str] = set()

    def listdir(self, folder: str = "") -> list[str]:
        """Return the names in a folder, folders included."""
        folder = folder.strip("/")
        start = folder + "/" if folder else ""
        names = {name[len(start) :].partition("/")[0] for name in self._all() if _in(name, start)}
        if folder and not names and folder not in self._folders:
            raise OSError(errno.ENOENT, "ENOENT")
        return sorted(names)

    def mkdir(self, folder: str) -> None:
        """Make a folder."""
        if folder in self.listdir():
            raise OSError(errno.EEXIST, "EEXIST")
        self._folders.add(folder.strip("/"))

    def rename(self, name: str, new_name: str) -> None:
        """Give a file another name, in the place of one that has it."""
        self.files[new_name.lstrip("/")] = self.files.pop(self._known(name))

    def remove(self, name: str) -> None:
        """Delete a file."""
        del self.files[self._known(name)]

    def statvfs(self, _folder: str) -> tuple[int, ...]:
        """Return size of a block, its part, blocks in all, free and available, and zeros."""
        used = sum(-(-len(data) // BLOCK) for data in self.files.values())
        free = max(0, self.blocks - used)
        return BLOCK, BLOCK, self.blocks, free, free, 0, 0, 0, 0, 255

    def open(self, name: str, mode: str = "r") -> Any:
        """Open a file; it is in the flash when it is closed or flushed."""
        name = name.lstrip("/")
        if "w" in mode:
            binary = _File(self, name, b"")
        elif "a" in mode:
            binary = _File(self, name, self.files.get(name, b""))
            binary.seek(0, io.SEEK_END)
        else:
            data = self.files[self._known(name)]
            if "+" in mode:
                return _File(self, name, data)
            return io.BytesIO(data) if "b" in mode else io.StringIO(data.decode())
        return binary if "b" in mode else io.TextIOWrapper(binary, encoding="utf-8")

    def _all(self) -> set[str]:
        return set(self.files) | {folder + "/" for folder in self._folders}

    def _known(self, name: str) -> str:
        name = name.lstrip("/")
        if name not in self.files:
            raise OSError(errno.ENOENT, "ENOENT")
        return name


class _File(io.BytesIO):
    def __init__(self, flash: Flash, name: str, data: bytes) -> None:
        super().__init__(data)
        self._flash = flash
        self._name = name

    def flush(self) -> None:
        data = self.getvalue()
        growth = -(-len(data) // BLOCK) - -(-len(self._flash.files.get(self._name, b"")) // BLOCK)
        if growth > self._flash.statvfs("")[3]:
            raise OSError(errno.ENOSPC, "ENOSPC")
        self._flash.files[self._name] = data

    def close(self) -> None:
        if not self.closed:
            self.flush()
        super().close()


def _in(name: str, start: str) -> bool:
    return name.startswith(start) and len(name) > len(start)

"""A virtual table's flash: its files, as MicroPython's `os` and `open` see them, and its unique id.

Files lie in a dict, name to content, folders in the names; what is written is there at once. Only
what the firmware uses is here.

The unique id of an emulated Pico is that of its flash chip, and rp2040py's has none. Winbond
W25Q16JV, Read Unique ID Number: the opcode 4Bh, four dummy bytes, then 64 bits. The Pico SDK
(flash_get_unique_id) asks so when the chip starts; `machine.unique_id()` is the answer.
"""

import errno
import io
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from rp2040py.rp2040 import RP2040

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


# ---- the unique id

_SSI_WINDOW: Final = 0x18000
_DATA: Final = range(0x60, 0xF0, 4)  # each address is the one data register
_READ_UNIQUE_ID: Final = 0x4B
_BEHIND: Final = 5  # frames that come back before the id: of the opcode and of the dummies


class FlashId:
    """Stands before the registers of the flash's SSI and answers for the chip that has the id."""

    def __init__(self, mcu: "RP2040", unique_id: bytes) -> None:
        self._ssi: Any = mcu.peripherals[_SSI_WINDOW]
        self._id = unique_id
        self._is_asked = False
        self._sent = 0  # frames since the flash was selected
        self._read = 0
        mcu.qspi[1].add_listener(lambda _new, _old: self._select())
        mcu.peripherals[_SSI_WINDOW] = self

    def read_uint32(self, offset: int) -> int:
        """A register as the processor sees it."""
        value: int = self._ssi.read_uint32(offset)
        if not self._is_asked or offset not in _DATA:
            return value
        at = self._read - _BEHIND
        self._read += 1
        return self._id[at] if 0 <= at < len(self._id) else value

    def write_uint32_atomic(self, offset: int, value: int, atomic_type: int) -> None:
        """A write, with the address alias (set, clear, xor) it came by."""
        if offset in _DATA:
            if not self._sent:
                self._is_asked = value & 0xFF == _READ_UNIQUE_ID
            self._sent += 1
        self._ssi.write_uint32_atomic(offset, value, atomic_type)

    def write_uint32(self, offset: int, value: int) -> None:
        """A plain write."""
        self.write_uint32_atomic(offset, value, 0)

    def __getattr__(self, name: str) -> Any:
        """All else is the SSI's own."""
        return getattr(self._ssi, name)

    def _select(self) -> None:
        """The flash is selected, or let go: a command begins."""
        self._is_asked = False
        self._sent = self._read = 0

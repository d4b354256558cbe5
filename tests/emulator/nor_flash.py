"""A NOR flash whose power can go at every operation, under the real littlefs.

Programming clears bits, erasing sets a whole sector. `Nor` tells a listener of every operation
what the flash may hold when the power goes there: the operation not done, done, half done.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator
from random import Random
from types import SimpleNamespace
from typing import Any

import littlefs

from chronotable_host.hardware.firmware.files import app_sources

BLOCK = 4096
BLOCKS = 64
_GEOMETRY: dict[str, Any] = {  # as MicroPython has it on the RP2040
    "block_size": BLOCK,
    "block_count": BLOCKS,
    "read_size": 32,
    "prog_size": 256,
    "cache_size": 1024,
    "lookahead_size": 32,
}

Listener = Callable[[str, bytes], None]


class Nor(littlefs.UserContext):
    """The flash; `heard` is told of each operation, three times, with the whole image."""

    def __init__(self, image: bytes | None = None, seed: int = 0) -> None:
        super().__init__(buffer=bytearray(image or b"\xff" * (BLOCK * BLOCKS)))
        self.rng = Random(seed)
        self.heard: Listener | None = None
        self.erases = self.programs = 0

    def prog(self, cfg: Any, block: int, off: int, data: bytes) -> int:
        """Clear bits."""
        start = block * cfg.block_size + off
        self.programs += 1
        now = bytes(self.buffer[start : start + len(data)])
        done = bytes(old & new for old, new in zip(now, data, strict=True))
        self._change("program", start, now, done)
        return 0

    def erase(self, cfg: Any, block: int) -> int:
        """Set all bits of a sector."""
        start = block * cfg.block_size
        self.erases += 1
        now = bytes(self.buffer[start : start + BLOCK])
        self._change("erase", start, now, b"\xff" * BLOCK)
        return 0

    def read_sector(self, sector: int, into: bytearray, at: int) -> None:
        """Do what MicroPython's `readblocks` does."""
        start = sector * BLOCK + at
        into[:] = self.buffer[start : start + len(into)]

    def _change(self, what: str, start: int, now: bytes, done: bytes) -> None:
        if self.heard is not None:
            cut = self.rng.randrange(len(now))
            mixed = now[cut] & done[cut] | (now[cut] ^ done[cut]) & self.rng.randrange(256)
            half = done[:cut] + bytes([mixed]) + now[cut + 1 :]
            for name, change in (("not done", now), ("done", done), ("half done", half)):
                image = bytearray(self.buffer)
                image[start : start + len(change)] = change
                self.heard(f"{what} at {start:#x} {name}", bytes(image))
        self.buffer[start : start + len(done)] = done


def mount(nor: Nor, fresh: bool = False) -> littlefs.LittleFS:
    """Return the file system on a flash, formatted where it is a fresh one."""
    files = littlefs.LittleFS(context=nor, mount=False, **_GEOMETRY)
    if fresh:
        files.format()
    files.mount()
    return files


def store_on(files: littlefs.LittleFS) -> Any:
    """Return the firmware's own store (firmware/app/flash.py) on a file system."""
    nor = files.context
    system = SimpleNamespace(
        listdir=lambda folder="/": files.listdir(folder),
        mkdir=files.mkdir,
        rename=files.rename,
        remove=files.remove,
        statvfs=lambda _folder: (BLOCK, BLOCK, BLOCKS, BLOCKS - files.used_block_count),
        urandom=nor.rng.randbytes,
    )
    sectors = SimpleNamespace(
        ioctl=lambda _what, _value: BLOCKS,
        readblocks=nor.read_sector,
        writeblocks=lambda sector, data, at: nor.prog(files.cfg, sector, at, bytes(data)),
    )

    known = {
        "os": system,
        "_rp2": SimpleNamespace(Flash=lambda: sectors),
        "micropython": SimpleNamespace(const=lambda value: value),
    }

    def imported(name: str, *rest: Any) -> Any:
        return known.get(name) or builtins.__import__(name, *rest)

    def load(name: str) -> dict[str, Any]:
        """Return what is in a module of the firmware."""
        space: dict[str, Any] = {
            "__builtins__": {**vars(builtins), "__import__": imported, "open": files.open}
        }
        exec(compile(app_sources()[f"{name}.py"], name, "exec"), space)
        return space

    known["sys"] = SimpleNamespace(modules={})
    known["game_file"] = SimpleNamespace(**load("game_file"))
    return load("flash")["Flash"]()


def contents(store: Any) -> Iterator[tuple[str, bytes]]:
    """Yield name and content of each file of a store."""
    for name in store.names():
        yield name, store.read(name)

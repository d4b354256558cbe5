"""Runs on the Pico, at MicroPython's prompt: small steps on its files, each tells what it did.

This file is sent as it is. A line that it prints is `@` and a JSON list, its first element says
what kind of line it is.
"""

import binascii
import hashlib
import json
import os
import sys

_PIECE = 512
_FOLDER = 0x4000


def tell(*words: object) -> None:
    """Print one line for the PC."""
    print("@" + json.dumps(words))


def text_of(name: str) -> "str | None":
    """Return what a file has, None where there is no such file, or no text in it."""
    try:
        with open(name) as file:
            return file.read()
    except (OSError, ValueError):
        return None


def sha_of(path: str) -> "tuple[int, str]":
    """Return size and hash of a file, a piece at a time."""
    digest = hashlib.sha256()
    size = 0
    with open(path, "rb") as file:
        while True:
            piece = file.read(_PIECE)
            if not piece:
                return size, binascii.hexlify(digest.digest()).decode()
            size += len(piece)
            digest.update(piece)


def is_there(path: str) -> bool:
    """Say whether there is such a file or folder."""
    try:
        os.stat(path)
    except OSError:
        return False
    return True


def files_in(folder: str) -> "list[str]":
    """Return the paths of all files in a folder, in its folders, too."""
    found = []
    for entry in os.ilistdir(folder):  # type: ignore[attr-defined]  # MicroPython's
        path = folder + "/" + entry[0]
        if entry[1] == _FOLDER:
            found += files_in(path)
        else:
            found.append(path)
    return found


def look(folders: "list[str]", names: "list[str]", texts: "list[str]") -> None:
    """Tell what board this is, what is in `folders`, the files `names`, and the text of `texts`."""
    import machine  # type: ignore  # noqa: PLC0415 - only there

    system = sys.implementation
    about = getattr(system, "_machine", "")
    mpy = getattr(system, "_mpy", 0)
    tell("system", system.name, list(system.version[:3]), sys.platform, about, mpy)
    tell("id", binascii.hexlify(machine.unique_id()).decode())
    status = os.statvfs("/")
    tell("room", status[0], status[2], status[3])
    check(folders, names)
    for name in texts:
        tell("text", name, text_of(name))


def check(folders: "list[str]", names: "list[str]") -> None:
    """Tell size and hash of all files in `folders`, and of the files `names`, as far as there."""
    for folder in folders:
        if is_there(folder):
            for path in files_in(folder):
                tell("file", path, *sha_of(path))
    for name in names:
        if is_there(name):
            tell("file", name, *sha_of(name))


def write(path: str, begins: bool, data: bytes) -> None:
    """Begin a file, or go on with it; `data` is in base64."""
    at = path.find("/")
    while at > 0:
        if not is_there(path[:at]):
            os.mkdir(path[:at])
        at = path.find("/", at + 1)
    content = binascii.a2b_base64(data)
    with open(path, "wb" if begins else "ab") as file:
        file.write(content)
    tell("wrote", path, len(content))


def remove(paths: "list[str]") -> None:
    """Delete what there is of these files."""
    for path in paths:
        if is_there(path):
            os.remove(path)
    tell("removed")


def put(path: str, text: str) -> None:
    """Make a small file, which is there whole or not at all."""
    with open(path + ".new", "w") as file:
        file.write(text)
    os.rename(path + ".new", path)
    tell("put", path)


def rename(path: str, new_path: str) -> None:
    """Let a file take another one's place, in one step."""
    os.rename(path, new_path)
    tell("put", new_path)


def forget_failures(scratch: int) -> None:
    """Have the next start count as one that was asked for: see firmware/app/watchdog.py."""
    import machine  # noqa: PLC0415 - only there

    machine.mem32[scratch] = 0x2C000400
    tell("forgot")

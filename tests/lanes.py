"""Which tests run when: `--lane quick` (what no option means), `gate`, `full` or `figures`.

Each lane has what those before it leave out, so that together they are everything:

- *quick* is the README's command: all that needs nothing but Python and at most a second or two.
- *gate* is for every change: each flow once in Chromium, on the emulated chip, at a broker and with
  a database, and what is slow but proves what nothing else does (marked `gate`); and once more what
  quick skips where a tool is missing (marked `tool`).
- *full* is the rest: every screen, theme and size, kills, long games, and every sweep at its full
  size. `--part 2/24` takes a part of it; .ci/run takes another one each day and commit.
- *figures* made the long ones among the figures of tests/lab/figures.md.

Tests in Chromium and on the emulated chip are in full where nothing else is said. A test that asks
`sweep` for a size, by whatever way, is marked `sweep` here and runs again in full.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

LANES: Final = ("quick", "gate", "full", "figures")
SWEEPING: Final = LANES[2:]
"""Lanes that try more of what is tried many times."""
_ROOT = Path(__file__).parent.parent
_TOOLS = ("browser", "emulator")

gate, full, figures = pytest.mark.gate, pytest.mark.full, pytest.mark.figures
"""Mark tests that take some seconds; those of full show in more depth what others show, too."""


tool = pytest.mark.tool
"""Mark tests that quick skips where an extra, a broker or a database is missing."""


long = pytest.mark.long
"""Mark tests that take half a minute: they begin first, so that nobody waits for them alone."""


def once(cases: Iterable[Any], which: int = 0) -> list[Any]:
    """Return the cases of a test, of which one runs in the gate and the others in full.

    Where it takes several arguments that are given so, the gate has one case of them all.
    """
    return [_marked(case, gate if at == which else full) for at, case in enumerate(cases)]


def first(cases: Iterable[Any], count: int = 1) -> list[Any]:
    """Return the cases of a test, of which so many run where the test does, the others in full."""
    return [case if at < count else _marked(case, full) for at, case in enumerate(cases)]


def _marked(case: Any, lane: pytest.MarkDecorator) -> Any:
    if hasattr(case, "marks"):  # of pytest.param
        return pytest.param(*case.values, marks=[*case.marks, lane], id=case.id)
    return pytest.param(*(case if type(case) is tuple else [case]), marks=lane)


def lane_of(item: pytest.Item) -> str:
    """Return the lane in which a test runs; full has those that sweep, too."""
    for lane in reversed(LANES[1:]):
        if item.get_closest_marker(lane):
            return lane
    return "full" if any(map(item.get_closest_marker, _TOOLS)) else "quick"


def is_in(item: pytest.Item, lane: str) -> bool:
    """Whether a test is of a lane."""
    if lane_of(item) == lane or (lane == "gate" and item.get_closest_marker("tool")):
        return True
    return lane in SWEEPING and item.get_closest_marker("sweep") is not None


def part_of(text: str) -> tuple[int, int]:
    """Return the number of a part, from 0, and of how many; `2/12` is the second of twelve."""
    number, _, count = text.partition("/")
    if not (number.isdecimal() and count.isdecimal() and 1 <= int(number) <= int(count)):
        raise pytest.UsageError(f"--part takes such as 2/12, not {text}")
    return int(number) - 1, int(count)


def chosen(items: list[pytest.Item], lane: str, part: tuple[int, int]) -> list[pytest.Item]:
    """Return the tests of a part of a lane, in the order in which they run.

    Each part has as many of each kind as the others. In quick they stay in the order of the files.
    """
    found = [item for item in items if is_in(item, lane)]
    if lane != LANES[0]:
        found.sort(key=_turn_of)
    number, count = part
    return found[number::count]


def _turn_of(item: pytest.Item) -> int:
    """Return when a test runs: long ones first, then those on the chip, in Chromium, the rest."""
    firsts = ("long", "emulator", "browser")
    found = (at for at, name in enumerate(firsts) if item.get_closest_marker(name))
    return next(found, len(firsts))


def mark(items: list[pytest.Item]) -> None:
    """Mark the tests that sweep, for the lanes that run them again.

    A case of the gate does not run again where the size is only how many cases there are.
    """
    for item in items:
        is_case = item.get_closest_marker("gate") is not None
        if getattr(item, "originalname", item.name) in swept(item.path, not is_case):
            item.add_marker("sweep")


@cache
def swept(path: Path, with_cases: bool = True) -> frozenset[str]:
    """Return the names of a file's functions and data that depend on the size of a sweep.

    That is what names `sweep`, or hypothesis' `given`, or a name that does; of this file or of
    another of the tests. Not `with_cases`, the decorators of a function, which say its cases, are
    not looked at.
    """
    tree = ast.parse(path.read_text("utf-8"))
    found = {
        each.asname or each.name
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and node.module
        for each in node.names
        if _is_swept(node.module, each.name)
    }
    rest = {_defined_by(each): _names_of(each, with_cases) for each in tree.body} if found else {}
    before = -1
    while before != len(found):
        before = len(found)
        for defined, names in rest.items():
            if names & found:
                found |= defined
    return frozenset(found)


def _is_swept(module: str, name: str) -> bool:
    if module == "tests.sweep" or (module, name) in {("tests", "sweep"), ("hypothesis", "given")}:
        return True
    file = _ROOT.joinpath(*module.split(".")).with_suffix(".py")
    return module.startswith("tests.") and file.is_file() and name in swept(file)


def _names_of(statement: ast.stmt, with_cases: bool) -> set[str]:
    names = set()
    parts: list[ast.AST] = [statement]
    if isinstance(statement, ast.FunctionDef) and not with_cases:
        parts = [statement.args, *statement.body]
    for node in [node for part in parts for node in ast.walk(part)]:
        if isinstance(node, ast.Name):
            names.add(node.id)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            names.add(node.value)  # of usefixtures
    return names


def _defined_by(statement: ast.stmt) -> frozenset[str]:
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return frozenset({statement.name})
    if isinstance(statement, (ast.Assign, ast.AnnAssign)):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        return frozenset(each.id for each in targets if isinstance(each, ast.Name))
    return frozenset()

"""`python -m tests.lab.mutants --sample 300 --seed 1`: small faults that the tests do not notice.

A mutant is the code with one comparison, sign, `and`, `or`, `not` or returned value changed in one
function. Of those of some rooms a sample is drawn, and for each the tests of a lane that come by
the changed line run (tests/mutating.py), the quickest first, until one fails. What none notices is
printed with its place: a test is missing there, or the change means nothing (EQUAL says why).
"""

from __future__ import annotations

import argparse
import ast
import copy
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
_LIB = ROOT / "firmware" / "lib"
_HOST = ROOT / "host" / "chronotable_host"
ROOMS = {
    **{name: _LIB / name for name in ("ttykm", "chronotable")},
    **{name: _HOST / name for name in ("archive", "engine", "link", "rules")},
    "web": _HOST / "web",
    **{name: ROOT / "host" / f"chronotable_{name}" for name in ("night", "far", "club")},
}
_OTHER: dict[type[ast.AST], Any] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
EQUAL = Path(__file__).parent / "equal_mutants.json"
"""Mutants that mean the same as the code, as `Mutant.key` has them, each with its reason."""


class Mutant(NamedTuple):
    """One change; `number` counts the places of the file at which something can be changed."""

    path: str  # from the root
    number: int
    lines: tuple[int, int]  # from where the statement begins to where what is changed ends
    function: str  # its qualified name
    before: str
    after: str

    @property
    def key(self) -> str:
        """What stays when lines are added above it."""
        return f"{self.path} {self.function}: {self.before} -> {self.after}"


class _Place(NamedTuple):
    node: ast.AST
    at: int  # of the operators of a comparison
    function: str
    first: int  # line of the statement


def _places(tree: ast.Module) -> Iterator[_Place]:
    """Yield where something can be changed, in functions alone and in the order of the file."""

    def outside(node: ast.AST, name: str) -> Iterator[_Place]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
                for each in child.body:
                    yield from within(each, f"{name}{child.name}", each.lineno)
            elif isinstance(child, ast.ClassDef):
                yield from outside(child, f"{name}{child.name}.")
            else:
                yield from outside(child, name)

    def within(node: ast.AST, name: str, first: int) -> Iterator[_Place]:
        if isinstance(node, (ast.Assert, ast.Raise, ast.ClassDef)):
            return  # what is said of a mistake
        if isinstance(node, ast.If) and ast.unparse(node.test) in ("False", "TYPE_CHECKING"):
            return
        if isinstance(node, ast.stmt):
            first = node.lineno
        if isinstance(node, ast.Compare):
            for at, operator in enumerate(node.ops):
                if type(operator) in _OTHER:
                    yield _Place(node, at, name, first)
        elif (
            (isinstance(node, (ast.BinOp, ast.AugAssign, ast.BoolOp)) and type(node.op) in _OTHER)
            or (isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub)))
            or (isinstance(node, ast.Return) and node.value is not None)
        ):
            yield _Place(node, 0, name, first)
        for field, value in ast.iter_fields(node):
            if field not in ("annotation", "returns"):
                for child in value if isinstance(value, list) else [value]:
                    if isinstance(child, ast.AST):
                        yield from within(child, name, first)

    yield from outside(tree, "")


def _change(place: _Place) -> None:
    node: Any = place.node
    if isinstance(node, ast.Compare):
        node.ops[place.at] = _OTHER[type(node.ops[place.at])]()
    elif isinstance(node, (ast.BinOp, ast.AugAssign, ast.BoolOp)):
        node.op = _OTHER[type(node.op)]()
    elif isinstance(node, ast.UnaryOp):
        node.op = ast.UAdd() if isinstance(node.op, ast.USub) else ast.Not()
        if isinstance(node.op, ast.Not):  # twice: what is asked is the truth alone
            node.operand = ast.UnaryOp(ast.Not(), node.operand)
    else:
        value = node.value
        known = value.value if isinstance(value, ast.Constant) else ...
        if isinstance(known, bool) or not isinstance(known, (int, type(None))):
            other: ast.expr = ast.UnaryOp(ast.Not(), value)
        else:
            other = ast.Constant(0 if known == 1 else (known or 0) + 1)
        node.value = other


def changed(path: Path, number: int) -> ast.Module:
    tree = ast.parse(path.read_text("utf-8"), str(path))
    place = next(place for at, place in enumerate(_places(tree)) if at == number)
    _change(place)
    return ast.fix_missing_locations(tree)


def mutants_of(path: Path) -> Iterator[Mutant]:
    tree = ast.parse(path.read_text("utf-8"), str(path))
    for number, place in enumerate(_places(tree)):
        other = place._replace(node=copy.deepcopy(place.node))
        _change(other)
        yield Mutant(
            path.relative_to(ROOT).as_posix(),
            number,
            (place.first, getattr(place.node, "end_lineno", None) or place.first),
            place.function,
            ast.unparse(place.node),
            ast.unparse(other.node),
        )


def sample(rooms: list[str], count: int, seed: int) -> list[Mutant]:
    """Return so many mutants of some rooms; a seed means the same ones, as long as they stay."""
    paths = [path for room in rooms for path in sorted(ROOMS[room].rglob("*.py"))]
    found = [each for path in paths for each in mutants_of(path)]
    return Random(seed).sample(found, min(count, len(found)))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.lab.mutants", description=__doc__)
    parser.add_argument("--sample", type=int, default=300, help="how many mutants")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rooms", nargs="+", choices=ROOMS, default=["ttykm", "chronotable"])
    parser.add_argument("--lane", default="quick", help="the tests that are to notice")
    parser.add_argument("--tests", nargs="+", default=["tests"], help="folders of them")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--patience", type=float, default=60, help="seconds of tests for each")
    parser.add_argument("--map", type=Path, help="which test comes by which line: kept, or read")
    parser.add_argument("--json", action="store_true")
    words = parser.parse_args()
    drawn = sample(words.rooms, words.sample, words.seed)
    explained = json.loads(EQUAL.read_text("utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        plan, told = Path(folder) / "plan.json", Path(folder) / "told.json"
        plan.write_text(
            json.dumps(
                {
                    "mutants": drawn,
                    "processes": words.processes,
                    "patience_s": words.patience,
                    "map": str((words.map or Path(folder) / "map.json").resolve()),
                    "told": str(told),
                }
            )
        )
        done = subprocess.run(
            [
                *(sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "tests.mutating"),
                *("-p", "no:cacheprovider", "--lane", words.lane, "--mutants", plan, *words.tests),
            ],
            cwd=ROOT,
            env={**os.environ, "HYPOTHESIS_STORAGE_DIRECTORY": folder},
            stdout=sys.stderr,
            check=False,
        )
        if not told.exists():
            print(f"the tests could not be run (status {done.returncode})", file=sys.stderr)
            return 2
        outcomes: list[str] = json.loads(told.read_text("utf-8"))
    missed = [each for each, how in zip(drawn, outcomes, strict=True) if how == "missed"]
    equal = [each for each in missed if each.key in explained]
    rest = [each for each in missed if each.key not in explained]
    counts = {
        "seed": words.seed,
        "mutants": len(drawn),
        "noticed": len(drawn) - len(missed),
        "by no end": outcomes.count("no end"),
        "not tried": outcomes.count("not tried"),
        "equal": len(equal),
        "missed": len(rest),
    }
    if words.json:
        print(json.dumps({**counts, "survivors": [each._asdict() for each in rest]}, indent=1))
    else:
        for each in rest:
            print(f"{each.path}:{each.lines[0]} {each.function}: {each.before} -> {each.after}")
        print(", ".join(f"{name} {count}" for name, count in counts.items()))
    return int(bool(rest))


if __name__ == "__main__":
    sys.exit(main())

"""The app files' functions that wait, as coroutines: a firmware that runs step by step.

On the chip a firmware that sleeps stands still. On CPython whoever runs it goes on meanwhile, and
needs no thread and no stack of its own for that: functions that wait, and those that call one,
are compiled as coroutines, and their calls are awaited. Which ones wait is found by their names.
"""

import ast
from collections.abc import Collection, Set
from functools import cache
from inspect import iscoroutine
from types import CodeType
from typing import Any

_WAITING = frozenset(("idle", "sleep", "sleep_ms", "sleep_us"))
"""What waits on the chip: functions of `machine` and `time`."""

AWAITED = "__awaited__"
"""What compiled files call `awaited` by."""


async def awaited(result: Any) -> Any:
    """Return what a call came to: another function of the same name may not wait."""
    return await result if iscoroutine(result) else result


@cache
def compiled(app: frozenset[tuple[str, str]]) -> dict[str, CodeType]:
    """Compile app files, given by name and text; a file whose own lines wait is a coroutine."""
    trees = {name: ast.parse(text) for name, text in app}
    names = {"machine", "time", *(name.removesuffix(".py") for name in trees)}
    files = {name: _Coroutines(tree, names) for name, tree in trees.items()}
    waiting = set(_WAITING)
    while more := set().union(*(file.waiting(waiting) for file in files.values())) - waiting:
        waiting |= more
    return {
        name: compile(
            ast.fix_missing_locations(files[name].awaiting(waiting)),
            f"firmware/app/{name}",
            "exec",
            ast.PyCF_ALLOW_TOP_LEVEL_AWAIT,
            dont_inherit=True,
        )
        for name in trees
    }


class _Coroutines(ast.NodeTransformer):
    """Makes coroutines of one file's functions that wait.

    A name that is imported from elsewhere than from the app, `machine` or `time` does not wait.
    """

    def __init__(self, tree: ast.Module, modules: Collection[str]) -> None:
        self._tree = tree
        nodes = list(ast.walk(tree))
        self._foreign = {
            alias.name
            for node in nodes
            if isinstance(node, ast.ImportFrom) and node.module not in modules
            for alias in node.names
        }
        self._called_in = {
            node: {self._called(call) for call in ast.walk(node) if isinstance(call, ast.Call)}
            for node in nodes
            if isinstance(node, ast.FunctionDef)
        }
        self._waiting: Set[str] = frozenset()

    def waiting(self, waiting: Set[str]) -> set[str]:
        """Return the names of functions that call one of those that wait."""
        return {node.name for node, called in self._called_in.items() if called & waiting}

    def awaiting(self, waiting: Set[str]) -> ast.Module:
        """Return the file with its coroutines, which await those that wait."""
        self._waiting = waiting
        self.visit(self._tree)
        return self._tree

    def _called(self, call: ast.Call) -> str:
        if isinstance(call.func, ast.Attribute):
            return call.func.attr
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        return "" if name in self._foreign else name

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        waits = self._called_in[node] & self._waiting
        return ast.AsyncFunctionDef(**vars(node)) if waits else node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        name = self._called(node)
        self.generic_visit(node)
        if name not in self._waiting:
            return node
        if name in _WAITING:
            return ast.Await(node)
        return ast.Await(ast.Call(ast.Name(AWAITED, ast.Load()), [node], []))

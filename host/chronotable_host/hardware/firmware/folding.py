"""Constants of the firmware, written in place of their names before it is compiled.

MicroPython's compiler puts in the value of a `const` only where it is defined, and only of a name
that begins with an underscore it keeps no global. So a constant that other modules import costs the
table memory twice, as a global there and as one here, and each use is a lookup in the hot path.
`fold` knows all modules at once: it writes the values in, also in viper code, which could not use
the names, and leaves out the definitions and imports that nothing needs any more.

It edits the text in place, by the positions that `ast` gives, and keeps all lines, so that line
numbers stay true.
"""

import ast
import operator
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

_COMPILERS = {  # names that the compiler itself knows in viper code; modules that hold them
    "ttykm.mp": {"const", "micropython", "ptr8", "ptr16", "ptr32"},
    "micropython": {"const"},
}
_CONST = "const"
_OPERATORS: dict[type[ast.AST], Callable[..., int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitOr: operator.or_,
    ast.BitAnd: operator.and_,
    ast.BitXor: operator.xor,
    ast.USub: operator.neg,
    ast.Invert: operator.invert,
}

Value = int | str | bytes | tuple[int, ...]
"""What a constant may be."""


class Name(NamedTuple):
    """What an import binds: a name of a module; `name` is "" for the module itself."""

    module: str
    name: str


class _Edit(NamedTuple):
    """Replace what stands from one place to another, each a line from 1 and a byte from 0."""

    begin: tuple[int, int]
    end: tuple[int, int]
    text: str


def fold(sources: Mapping[str, str]) -> dict[str, str]:
    """Return the texts of all modules of a program with the values of its constants written in.

    `sources` has the text of each module by its dotted name. A constant is what is defined once, at
    the top of its module, by `NAME = const(...)` from numbers and other constants, a tuple of such,
    or one text. A name that is bound by anything else too, or used in an f-string (whose positions
    older Pythons get wrong), stays what it is. Raises SyntaxError, with the module's name as its
    file.
    """
    modules = {name: _Module(name, text, sources) for name, text in sources.items()}
    values: dict[Name, Value | None] = {}

    def origin(name: Name) -> Name:
        """Return where a name is defined that modules may have imported from each other."""
        passed = set()
        while name not in passed and name.module in modules:
            passed.add(name)
            name = modules[name.module].imported.get(name.name, name)
        return name

    def value_of(name: Name) -> Value | None:
        """Return the value of a module's constant, None for what is none."""
        name = origin(name)
        module = modules.get(name.module)
        if module is None or name.name not in module.defined:
            return None
        if name not in values:
            values[name] = None  # one that is defined by itself has no value
            values[name] = _evaluated(
                module.defined[name.name].value.args[0],  # type: ignore[attr-defined]
                lambda word: value_of(module.meant(word, name.module)),
            )
        return values[name]

    uses = {
        name: [
            (each._replace(of=origin(each.of)), value)
            for each in module.uses(name)
            if (value := value_of(each.of)) is not None
        ]
        for name, module in modules.items()
    }
    kept = {each.of for found in uses.values() for each, _ in found if not each.is_foldable}
    dropped = {
        constant
        for name, module in modules.items()
        for constant in (Name(name, word) for word in module.defined)
        if value_of(constant) is not None and constant not in kept
    }
    return {
        name: module.rewritten(
            [(each, value) for each, value in uses[name] if each.of in dropped],
            {word for word in module.defined if Name(name, word) in dropped},
            {local for local, of in module.imported.items() if origin(of) in dropped},
        )
        for name, module in modules.items()
    }


class _Use(NamedTuple):
    """A place where a name of a module is read; `local` is what it is called there."""

    of: Name
    local: str
    node: ast.expr
    is_foldable: bool


class _Module:
    """One module, as it was parsed.

    `defined` has its definitions of constants, `imported` what each name that only imports bind
    stands for.
    """

    def __init__(self, name: str, text: str, known: Collection[str]) -> None:
        self._text = text
        tree = ast.parse(text, name)
        self._nodes = tuple(ast.walk(tree))
        self._known = known
        self._imports = [
            node for node in self._nodes if isinstance(node, (ast.Import, ast.ImportFrom))
        ]
        self._bound: dict[str, set[Name]] = {}
        for node in self._imports:
            for alias in node.names:
                local, what = self._binding(node, alias)
                self._bound.setdefault(local, set()).add(what)
        others = Counter(bound(self._nodes))
        self.imported = {
            local: next(iter(found))
            for local, found in self._bound.items()
            if len(found) == 1 and local not in others
        }
        self.defined = {
            node.targets[0].id: node
            for node in tree.body
            if isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Name)
            and len(node.targets) == 1
            and isinstance(node.value, ast.Call)
            and isinstance(node.value.func, ast.Name)
            and node.value.func.id == _CONST
            and len(node.value.args) == 1
            and others[node.targets[0].id] == 1
            and node.targets[0].id not in self._bound
        }
        self._in_texts = {
            id(inner)
            for node in self._nodes
            if isinstance(node, ast.JoinedStr)
            for inner in ast.walk(node)
        }

    def meant(self, word: str, here: str) -> Name:
        """Return what a name of this module, which is `here`, stands for."""
        return self.imported.get(word, Name(here, word))

    def uses(self, here: str) -> Iterator[_Use]:
        """Yield each place where a name is read that may be a constant, whatever else it may be."""
        for node in self._nodes:
            is_text = id(node) in self._in_texts
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                is_foldable = node.id in self.imported and not is_text
                if node.id in self.defined:
                    yield _Use(Name(here, node.id), node.id, node, not is_text)
                for of in self._bound.get(node.id, ()):
                    yield _Use(of, node.id, node, is_foldable)
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                local = node.value.id
                is_foldable = local in self.imported and not is_text
                for module, name in self._bound.get(local, ()):
                    if not name:
                        yield _Use(Name(module, node.attr), local, node, is_foldable)

    def rewritten(
        self,
        folded: Sequence[tuple[_Use, Value]],
        dropped: Collection[str],
        dropped_elsewhere: Collection[str],
    ) -> str:
        """Return the text with values in place of names, without the definitions `dropped`.

        `dropped_elsewhere` has the imported names whose definitions other modules lose.
        """
        left_out = [_span(self.defined[word]) for word in dropped]
        edits = [_Edit(*span, "pass") for span in left_out]
        for use, value in folded:
            begin, end = _span(use.node)
            if not any(first <= begin and end <= last for first, last in left_out):
                is_negative = isinstance(value, int) and value < 0
                edits.append(_Edit(begin, end, f"({value!r})" if is_negative else repr(value)))
        gone = {id(use.node) for use, _ in folded}
        left = self._left(gone, dropped)
        replaced = {use.local for use, _ in folded} | set(dropped_elsewhere)
        for node in self._imports:
            names = [alias for alias in node.names if self._is_needed(node, alias, left, replaced)]
            if len(names) < len(node.names):
                kept = type(node)(**{**dict(ast.iter_fields(node)), "names": names})
                text = ast.unparse(kept) if names else "pass"
                edits.append(_Edit(*_span(node), text))
        return _edited(self._text, edits)

    def _left(self, gone: Collection[int], dropped: Collection[str]) -> set[str]:
        """Return the names that are still read, beside those that the compiler itself knows."""
        skipped = {id(inner) for word in dropped for inner in ast.walk(self.defined[word])}
        for node in self._nodes:
            if id(node) in gone:
                skipped |= {id(inner) for inner in ast.walk(node)}
            elif isinstance(node, ast.FunctionDef) and "micropython.viper" in map(
                ast.unparse, node.decorator_list
            ):
                for inner in ast.walk(node):
                    if isinstance(inner, ast.Name) and inner.id in _COMPILERS["ttykm.mp"]:
                        skipped.add(id(inner))
        return {
            node.id
            for node in self._nodes
            if isinstance(node, ast.Name) and id(node) not in skipped
        }

    def _is_needed(
        self,
        node: ast.Import | ast.ImportFrom,
        alias: ast.alias,
        left: set[str],
        replaced: set[str],
    ) -> bool:
        """Tell whether something of what an import binds is still read, or ever was elsewhere."""
        local, what = self._binding(node, alias)
        if local in left or local not in self.imported:
            return True
        if what.name in _COMPILERS.get(what.module, ()) or what == Name("micropython", ""):
            return False
        return local not in replaced

    def _binding(self, node: ast.Import | ast.ImportFrom, alias: ast.alias) -> tuple[str, Name]:
        """Return the name that an import binds, and what it stands for."""
        if isinstance(node, ast.Import):
            if alias.asname:
                return alias.asname, Name(alias.name, "")
            return alias.name.partition(".")[0], Name(alias.name.partition(".")[0], "")
        local = alias.asname or alias.name
        whole = f"{node.module}.{alias.name}"
        is_module = whole in self._known
        return local, Name(whole, "") if is_module else Name(node.module or "", alias.name)


def bound(nodes: Sequence[ast.AST]) -> Iterator[str]:
    """Yield each name that something else than an import binds."""
    for node in nodes:
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.ExceptHandler)) and node.name:
            yield node.name
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            yield from node.names


def _evaluated(node: ast.expr, value_of: Callable[[str], Value | None]) -> Value | None:
    """Return the value of a text, or of numbers and constants, None for any other expression."""
    if isinstance(node, ast.Constant):
        value = node.value
        return value if isinstance(value, int | str | bytes) and type(value) is not bool else None
    if isinstance(node, ast.Name):
        return value_of(node.id)
    if isinstance(node, ast.Tuple):
        numbers = [_evaluated(part, value_of) for part in node.elts]
        whole = tuple(number for number in numbers if isinstance(number, int))
        return whole if len(whole) == len(numbers) else None
    if isinstance(node, (ast.BinOp, ast.UnaryOp)):
        parts = [node.left, node.right] if isinstance(node, ast.BinOp) else [node.operand]
        values = [_evaluated(part, value_of) for part in parts]
        if type(node.op) in _OPERATORS and all(type(value) is int for value in values):
            return _OPERATORS[type(node.op)](*values)
    return None


def _span(node: ast.expr | ast.stmt) -> tuple[tuple[int, int], tuple[int, int]]:
    end = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
    return (node.lineno, node.col_offset), end


def _edited(text: str, edits: Sequence[_Edit]) -> str:
    """Return a text with its edits, none of which overlap; what they take of lines stays empty."""
    lines = [line.encode("utf-8") for line in text.split("\n")]
    for (first, begin), (last, end), new in sorted(edits, reverse=True):
        rest = lines[last - 1][end:]
        lines[first - 1] = lines[first - 1][:begin] + new.encode("utf-8") + rest
        lines[first:last] = [b""] * (last - first)
    return b"\n".join(lines).decode("utf-8")

"""Modules of the firmware that are loaded together, made one before they are compiled.

A module costs the table some 250 bytes beside its code: its dictionary, its table of names, its
path; and every name that it imports costs an entry in both tables. `bundle` puts modules that are
always loaded together into one text, in the order of their imports, where they use each other's
names directly. A name that means two things there gets its module's name appended.

Two more things that only the table's memory notices are done on the way, in all modules: arguments
that no call names, and attributes that only their own module knows, become `_1`, `_2`, ..., the
same everywhere, as MicroPython keeps each name that there is; and a bundle begins with the names
that it uses most, as the first 128 take one byte in its code and all others two. Functions and
classes keep their names, so that tracebacks tell where something failed. Functions whose names
occur nowhere, as only the PC calls them, are left out.
"""

from __future__ import annotations

import ast
import builtins
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from graphlib import TopologicalSorter

from chronotable_host.firmware.folding import Name

BUNDLES: Mapping[str, Sequence[str]] = {
    "shared": (
        *("chip", "chronotable.backlog", "chronotable.debounce", "chronotable.frames"),
        *("chronotable.happenings", "chronotable.identity", "chronotable.link"),
        *("chronotable.messages", "chronotable.packed", "chronotable.ring"),
        *("chronotable.sensors", "chronotable.window", "chronotable.wiring"),
    ),
    "tracking": (
        *("chronotable.evidence", "chronotable.guidance", "chronotable.health"),
        *("chronotable.hints", "chronotable.match", "chronotable.matcher"),
        *("chronotable.open_question", "chronotable.ownership", "chronotable.progress"),
        *("chronotable.recovery", "chronotable.tracker", "ttykm.game", "ttykm.layout"),
        "ttykm.turns",
    ),
    "loop": (
        *("loop", "flash", "chronotable.buttons", "chronotable.chapters"),
        *(
            "chronotable.journal",
            "chronotable.light",
            "chronotable.outbox",
            "chronotable.table",
            "chronotable.units",
        ),
    ),
    "chapters": ("chronotable.chooser", "ttykm.acts", "ttykm.entry"),
}
"""What is always loaded together on the table: by safe mode and the doctor, too; what understands
hands, and the rest of a game; by a game of the chapters. Each is a file at the top of the folder of
the firmware. The game is two of them because names are found more slowly in a large table: in one
bundle lights came on 2 ms later.
"""

Scope = dict[str, Name | str]
"""What each name stands for: something global, or else what a function calls it from now on."""

_FIRST_NAMES = 110  # with those that any module has, such as __name__, not more than 128
_SELF = "self"
_CONSTS = (Name("micropython", "const"), Name("ttykm.mp", "const"))  # the compiler knows it itself
_Import = ast.Import | ast.ImportFrom


def bundle(sources: Mapping[str, str], bundles: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return the texts of a program's modules by dotted name, bundles in place of what is in them.

    `sources` has the text of each module, folded (folding.py); `bundles` has the modules of each
    bundle, which do not import each other in a circle. What others import from those, they import
    from the bundle. Raises ValueError where a module of a bundle is used as an object.
    """
    program = _Program(
        {name: _Module(name, text, sources.keys()) for name, text in sources.items()},
        {name: [one for one in inside if one in sources] for name, inside in bundles.items()},
    )
    alone = {name: program.alone(name) for name in sources if name not in program.home}
    return {**alone, **program.bundled()}


class _Module:
    """One module, as it was parsed: what its global names stand for, and what functions bind.

    `nodes` are all of its tree.
    """

    def __init__(self, name: str, text: str, known: Collection[str]) -> None:
        self.name = name
        self.tree = ast.parse(text, name)
        self.nodes = tuple(ast.walk(self.tree))
        self._known = known
        self.scope: Scope = {word: Name(name, word) for word in _bound(_own(self.tree))}
        self.local: set[str] = set()
        for node in self.nodes:
            if isinstance(node, ast.FunctionDef):
                own = _own(node)
                self.local |= {*_bound(own), *self.imported(own)}
            elif isinstance(node, ast.Global):
                self.scope |= {word: Name(name, word) for word in node.names}
        self.scope |= self.imported(_own(self.tree))

    def imported(self, own: Sequence[ast.AST]) -> dict[str, Name]:
        """Return what each name stands for that imports among these nodes bind."""
        return {
            alias.asname or alias.name: self.meant(node, alias)
            for node in own
            if isinstance(node, _Import)
            for alias in node.names
        }

    def meant(self, node: _Import, alias: ast.alias) -> Name:
        """Return what an import is of; the name is "" for a module."""
        if isinstance(node, ast.Import):
            return Name(alias.name, "")
        whole = f"{node.module}.{alias.name}"
        return Name(whole, "") if whole in self._known else Name(node.module or "", alias.name)

    def needed(self) -> set[str]:
        """Return the modules that have to be there before this one."""
        return {
            self.meant(node, alias).module
            for node in self.tree.body
            if isinstance(node, _Import)
            for alias in node.names
        }


class _Program:
    """All modules.

    `home` has the bundle of those that are in one, `keywords` the arguments that calls name, `read`
    all names and texts that are not definitions, `private` what `_private_of` gives.
    """

    def __init__(
        self, modules: Mapping[str, _Module], bundles: Mapping[str, Sequence[str]]
    ) -> None:
        self._modules = modules
        self._bundles = bundles
        self.home = {module: name for name, inside in bundles.items() for module in inside}
        self.keywords = {
            node.arg
            for module in modules.values()
            for node in module.nodes
            if isinstance(node, ast.keyword) and node.arg
        }
        for module in modules.values():
            module.scope = {
                word: self.origin(of) if isinstance(of, Name) else of
                for word, of in module.scope.items()
            }
        self.read = {word for module in modules.values() for word in _read(module.nodes)}
        self.private = _private_of(modules)
        self._names = {
            name: _names_of([modules[each] for each in inside]) for name, inside in bundles.items()
        }

    def origin(self, of: Name) -> Name:
        """Return where something is defined that modules may have imported from each other."""
        while of.name and of.module in self._modules:
            found = self._modules[of.module].scope.get(of.name)
            if not isinstance(found, Name) or found == of:
                break
            of = found
        return of

    def name(self, of: Name, bundle: str) -> str:
        """Return what a bundle calls something that one of its modules defines or imports."""
        return self._names[bundle].get(of) or _distinct(of.name, of)

    def alone(self, name: str) -> str:
        """Return the text of a module that is in no bundle."""
        return ast.unparse(_Rewriter(self, self._modules[name], set()).module())

    def bundled(self) -> dict[str, str]:
        """Return the text of each bundle that has anything in it."""
        return {name: self._bundled(name) for name, inside in self._bundles.items() if inside}

    def _bundled(self, name: str) -> str:
        inside = self._bundles[name]
        order = TopologicalSorter(
            {each: sorted(self._modules[each].needed() & set(inside)) for each in inside}
        )
        used: set[Name] = set()
        bodies = [
            _Rewriter(self, self._modules[each], used).module() for each in order.static_order()
        ]
        imports = [
            self._import(of, name) for of in sorted(used) if self.home.get(of.module) != name
        ]
        text = "\n".join([*imports, *map(ast.unparse, bodies)])
        return f"{_most_used(ast.parse(text))}\n{text}"

    def _import(self, of: Name, bundle: str) -> str:
        """Return how a bundle imports something from elsewhere."""
        local = self.name(of, bundle)
        if not of.name:
            return f"import {of.module} as {local}"
        home = self.home.get(of.module)
        name = self.name(of, home) if home else of.name
        return f"from {home or of.module} import {name} as {local}"


def _names_of(modules: Sequence[_Module]) -> dict[Name, str]:
    """Return what a bundle of these modules calls what they define or import."""
    meanings: defaultdict[str, set[Name]] = defaultdict(set)
    for module in modules:
        for word, of in module.scope.items():
            if isinstance(of, Name):
                meanings[of.name or word].add(of)
    taken = {*dir(builtins), *(word for module in modules for word in module.local)}
    return {
        of: word if len(found) == 1 and word not in taken else _distinct(word, of)
        for word, found in meanings.items()
        for of in found
    }


def _private_of(modules: Mapping[str, _Module]) -> dict[str, dict[str, str]]:
    """Return by module what attributes are called that begin with `_` and that it alone knows.

    Those are set on `self` there, and are no functions, no attributes of classes, and in no text.
    Modules with classes that inherit from each other know the same ones.
    """
    family = {name: name for name in modules}
    known: set[str] = set()
    for name, module in modules.items():
        for node in module.nodes:
            if isinstance(node, ast.ClassDef):
                known |= set(_bound(_own(node)))
                bases = [module.scope.get(ast.unparse(base)) for base in node.bases]
                for base in bases:
                    if isinstance(base, Name) and base.module in family:
                        old, new = family[name], family[base.module]
                        family = {each: new if of == old else of for each, of in family.items()}
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                known.add(node.value)
    uses: defaultdict[str, Counter[str]] = defaultdict(Counter)
    is_set: defaultdict[str, set[str]] = defaultdict(set)
    for name, module in modules.items():
        for node in module.nodes:
            if isinstance(node, ast.Attribute) and node.attr[0] == "_" != node.attr[1:2]:
                uses[family[name]][node.attr] += 1
                if isinstance(node.ctx, ast.Store) and ast.unparse(node.value) == _SELF:
                    is_set[family[name]].add(node.attr)
    strange = {word for of, words in uses.items() for word in words if word not in is_set[of]}
    short = {}
    for of, words in uses.items():
        own = [word for word in words if word not in known | strange]
        own.sort(key=lambda word: (-words[word], word))
        short[of] = {word: f"_{number}" for number, word in enumerate(own, 1)}
    return {name: short.get(of, {}) for name, of in family.items()}


def _distinct(word: str, of: Name) -> str:
    return f"{word}_{of.module.replace('.', '_')}"


def _most_used(tree: ast.Module) -> str:
    """Return a statement that does nothing, with the names that a bundle uses most."""
    given = {*dir(builtins)}
    given |= {node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    given |= {
        alias.asname or alias.name
        for node in tree.body
        if isinstance(node, _Import)
        for alias in node.names
    }
    uses: Counter[str] = Counter()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            uses[node.attr] += 1
        elif isinstance(node, (ast.arg, ast.keyword)):
            uses[node.arg or ""] += 1
        elif isinstance(node, ast.FunctionDef):
            uses[node.name] += 1
        elif isinstance(node, ast.Name) and node.id in given:
            uses[node.id] += 1
    words = sorted(uses, key=lambda word: (-uses[word], word))[:_FIRST_NAMES]
    return f"if not __name__:\n    __name__.{'.'.join(filter(str.isidentifier, words))}"


class _Rewriter(ast.NodeTransformer):
    """Rewrites one module; `used` gets what of all that is global it uses in its bundle."""

    def __init__(self, program: _Program, module: _Module, used: set[Name]) -> None:
        self._program = program
        self._module = module
        self._bundle = program.home.get(module.name, "")
        self._used = used
        self._scopes: list[tuple[ast.AST, Scope]] = [(module.tree, module.scope)]

    def module(self) -> ast.Module:
        """Return the module anew, without types, and in a bundle without its imports."""
        body = [
            node
            for node in self._module.tree.body
            if not (isinstance(node, ast.If) and ast.unparse(node.test) == "False")
            and not (self._bundle and isinstance(node, _Import))
        ]
        tree = ast.Module(body, [])
        self.generic_visit(tree)
        return tree

    def _meaning(self, word: str) -> tuple[Name | str, bool]:
        """Return what a name stands for, and whether it is one of the module's."""
        for node, scope in reversed(self._scopes):
            if isinstance(node, ast.ClassDef) and node is not self._scopes[-1][0]:
                continue  # its functions do not see what a class knows
            if word in scope:
                return scope[word], node is self._module.tree
        return word, False

    def _renamed(self, word: str) -> str:
        of, is_global = self._meaning(word)
        if isinstance(of, str):
            return of
        if not is_global or not self._bundle:
            return word
        if not of.name and of.module in self._program.home:
            raise ValueError(f"{self._module.name} uses {of.module} as an object")
        if of in _CONSTS:
            return word
        self._used.add(of)
        return self._program.name(of, self._bundle)

    def visit_Name(self, node: ast.Name) -> ast.Name:
        """Call a name what it is called from now on."""
        node.id = self._renamed(node.id)
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        """Call an argument what it is called from now on."""
        node.arg = self._renamed(node.arg)
        return node

    def visit_Global(self, node: ast.Global) -> ast.Global:
        """Call globals what they are called from now on."""
        node.names = [self._renamed(word) for word in node.names]
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """Take a name of a module that is in a bundle from there, and rename private attributes."""
        node.attr = self._program.private[self._module.name].get(node.attr, node.attr)
        if isinstance(node.value, ast.Name):
            of, is_global = self._meaning(node.value.id)
            if isinstance(of, Name) and not of.name and of.module in self._program.home:
                what = self._program.origin(Name(of.module, node.attr))
                if self._bundle and is_global:
                    self._used.add(what)
                    return ast.Name(self._program.name(what, self._bundle), node.ctx)
                node.attr = self._program.name(what, self._program.home[of.module])
                return node
        self.generic_visit(node)
        return node

    def visit_Import(self, node: ast.Import) -> ast.Import:
        """Import a bundle in place of its module."""
        for alias in node.names:
            if alias.name in self._program.home:
                alias.asname = alias.asname or alias.name
                alias.name = self._program.home[alias.name]
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> list[ast.stmt]:
        """Import from a bundle what was a module's."""
        found: list[ast.stmt] = []
        for alias in node.names:
            of = self._program.origin(self._module.meant(node, alias))
            local = alias.asname or alias.name
            home = self._program.home.get(of.module)
            if of in _CONSTS:
                continue
            if home is None:
                found.append(ast.ImportFrom(node.module, [alias], 0))
            elif of.name:
                imported = ast.alias(self._program.name(of, home), local)
                found.append(ast.ImportFrom(home, [imported], 0))
            else:
                found.append(ast.Import([ast.alias(home, local)]))
        return found

    def _in_scope(self, node: ast.AST, body: ast.AST) -> None:
        """Rewrite the body of a function or class, where what it binds itself goes first."""
        own = _own(node)
        scope: Scope = {word: word for word in _bound(own)}
        scope |= self._module.imported(own)
        if isinstance(node, ast.FunctionDef):
            scope |= self._arguments(node.args)
        for each in own:
            if isinstance(each, ast.Global):
                for word in each.names:
                    scope.pop(word, None)
        self._scopes.append((node, scope))
        self.generic_visit(body)
        self._scopes.pop()

    def _arguments(self, args: ast.arguments) -> dict[str, str]:
        """Return what arguments are called, those that calls may name as they were."""
        words = [arg.arg for arg in args.args]
        return {
            word: f"_{number}"
            for number, word in enumerate(words)
            if word != _SELF and word not in self._program.keywords
        }

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef | None:
        """Rewrite a function, if anybody calls it; types are for checkers, but those of viper."""
        if node.name not in self._program.read and not node.name.startswith("__"):
            return None
        node.name = self._renamed(node.name)
        node.decorator_list = [self.visit(each) for each in node.decorator_list]
        args = node.args
        args.defaults = [self.visit(each) for each in args.defaults]
        is_viper = any(ast.unparse(each) == "micropython.viper" for each in node.decorator_list)
        node.returns = node.returns if is_viper else None
        every = [*args.args, *args.kwonlyargs, *filter(None, (args.vararg, args.kwarg))]
        for arg in every:
            arg.annotation = arg.annotation if is_viper else None
        body = ast.Module([*every, *node.body], [])  # type: ignore[list-item]
        self._in_scope(node, body)
        node.body = body.body[len(every) :]
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        """Rewrite a class."""
        node.name = self._renamed(node.name)
        node.bases = [self.visit(each) for each in node.bases]
        body = ast.Module(node.body, [])
        self._in_scope(node, body)
        node.body = body.body
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        """Leave a type to checkers."""
        if node.value is None:
            return ast.Pass()
        return ast.Assign([self.visit(node.target)], self.visit(node.value), lineno=node.lineno)


def _read(nodes: Sequence[ast.AST]) -> Iterator[str]:
    """Yield each name and text of a module by which it may come to what is defined somewhere."""
    for node in nodes:
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.alias):
            yield node.name
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _own(inside: ast.AST) -> list[ast.AST]:
    """Return what is in a module, class or function, but not in functions and classes in it.

    A lambda and a comprehension count as part of what they are in: their names are as well called
    what that calls them.
    """
    found: list[ast.AST] = []
    parents = [inside]
    while parents:
        for node in ast.iter_child_nodes(parents.pop()):
            found.append(node)
            if not isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                parents.append(node)
    return found


def _bound(own: Sequence[ast.AST]) -> Iterator[str]:
    """Yield each name that something else than an import among these nodes binds."""
    for node in own:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.ExceptHandler)) and node.name:
            yield node.name

"""Modules of the firmware that are loaded together, made one before they are compiled.

A module costs the table some 250 bytes beside its code: its dictionary, its table of names, its
path; and every name that it imports costs an entry in both tables. `bundle` puts modules that are
always loaded together into one text, in the order of their imports, where they use each other's
names directly. A name that means two things there gets its module's name appended.

Two more things that only the table's memory notices are done on the way, in all modules. Names that
nothing outside can say become `_1`, `_2`, ..., the same ones everywhere, as MicroPython keeps each
name that there is, and a table of them that doubles when it is full: arguments that no call names,
methods and attributes of our classes, and what is defined in a bundle (`python -m tests.lab.named`
tells what they were called). And a bundle begins with the names that it uses most, as the first 128
take one byte in its code and all others two. Functions whose names occur nowhere, as only the PC
calls them, are left out.
"""

import ast
import builtins
from array import array
from collections import Counter, defaultdict
from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from graphlib import TopologicalSorter
from io import BytesIO, StringIO
from itertools import count

from chronotable_host.hardware.firmware.folding import Name, bound

BUNDLES: Mapping[str, Sequence[str]] = {
    "shared": (
        *("chip", "chronotable.link.backlog", "chronotable.hardware.debounce"),
        *("chronotable.link.frames", "chronotable.link.happenings", "chronotable.link.identity"),
        *("chronotable.link.link", "chronotable.link.messages", "chronotable.link.packed"),
        *("chronotable.link.ring", "chronotable.hardware.sensors", "chronotable.link.window"),
        "chronotable.hardware.wiring",
    ),
    "tracking": (
        *("chronotable.core.evidence", "chronotable.core.guidance", "chronotable.core.health"),
        *("chronotable.lights.hints", "chronotable.core.match", "chronotable.core.matcher"),
        *("chronotable.core.open_question", "chronotable.core.ownership"),
        *("chronotable.core.progress", "chronotable.core.recovery", "chronotable.core.tracker"),
        *("ttykm.game", "ttykm.layout", "ttykm.turns"),
    ),
    "loop": (
        *("loop", "flash", "chronotable.core.buttons", "chronotable.core.chapters"),
        *("chronotable.journal.journal", "chronotable.lights.light", "chronotable.link.outbox"),
        *("chronotable.core.table", "chronotable.journal.units"),
    ),
    "chapters": ("chronotable.core.chooser", "ttykm.acts", "ttykm.entry"),
}
"""What is always loaded together on the table: by safe mode and the doctor, too; what understands
hands, and the rest of a game; by a game of the chapters. Each is a file at the top of the folder of
the firmware. The game is two of them because names are found more slowly in a large table: in one
bundle lights came on 2 ms later.
"""

Scope = dict[str, Name | str]
"""What each name stands for: something global, or else what a function calls it from now on."""

_FIRST_NAMES = 110  # with those that any module has, such as __name__, not more than 128
_FIRST_GLOBAL = 16  # no function has so many arguments
_SELF = "self"
_FOREIGN = (
    *(int, float, str, bytes, bytearray, memoryview, array, list, tuple, dict, set, range),
    *(BaseException, BytesIO, StringIO, Generator),
)
"""What Python brings along that has attributes; MicroPython's have no others."""

_CHIP = ("machine", "rp2", "_rp2", "select")
_CONSTS = (Name("micropython", "const"), Name("ttykm.mp", "const"))  # the compiler knows it itself
_Import = ast.Import | ast.ImportFrom


def bundle(sources: Mapping[str, str], bundles: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return the texts of a program's modules by dotted name, bundles in place of what is in them.

    `sources` has the text of each module, folded (folding.py); `bundles` has the modules of each
    bundle, which do not import each other in a circle. What others import from those, they import
    from the bundle. Raises ValueError where a module of a bundle is used as an object.
    """
    program = _program(sources, bundles)
    alone = {
        name: ast.unparse(_Rewriter(program, module, set()).module())
        for name, module in program.modules.items()
        if name not in program.home
    }
    return alone | {
        name: program.bundled(name) for name, inside in program.bundles.items() if inside
    }


def meant_by(
    sources: Mapping[str, str], bundles: Mapping[str, Sequence[str]], file: str, short: str
) -> list[str]:
    """Return which functions and classes a traceback may mean by a name in a module or bundle."""
    program = _program(sources, bundles)
    found: dict[str, str] = {}
    for name, module in program.modules.items():
        home = program.home.get(name, "")
        for node in module.tree.body if (home or name).endswith(file) else ():
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                of = Name(name, node.name)
                found[f"{name}.{node.name}"] = program.name(of, home or name, node.name)
            if isinstance(node, ast.ClassDef):
                found |= {
                    f"{name}.{node.name}.{each.name}": program.members.get(each.name, each.name)
                    for each in node.body
                    if isinstance(each, ast.FunctionDef)
                }
    return sorted(of for of, called in found.items() if called == short)


def _program(sources: Mapping[str, str], bundles: Mapping[str, Sequence[str]]) -> "_Program":
    return _Program(
        {name: _Module(name, text, sources.keys()) for name, text in sources.items()},
        {name: [one for one in inside if one in sources] for name, inside in bundles.items()},
    )


class _Module:
    """One module, as it was parsed: what its global names stand for, and what functions bind.

    `nodes` are all of its tree. `fixed` are names that stay as they are: those that classes use
    outside their functions, and constants, which the compiler leaves out where they begin with `_`.
    """

    def __init__(self, name: str, text: str, known: Collection[str]) -> None:
        self.name = name
        self.tree = ast.parse(text, name)
        self.nodes = tuple(ast.walk(self.tree))
        self._known = known
        self.scope: Scope = {word: Name(name, word) for word in bound(_own(self.tree))}
        self.local: set[str] = set()
        self.fixed: set[str] = set()
        for node in self.nodes:
            if isinstance(node, ast.FunctionDef):
                own = _own(node)
                self.local |= {*bound(own), *self.imported(own)}
            elif isinstance(node, ast.Global):
                self.scope |= {word: Name(name, word) for word in node.names}
            elif isinstance(node, ast.ClassDef):
                self.fixed |= {each.id for each in _own(node) if isinstance(each, ast.Name)}
            elif isinstance(node, ast.Assign) and ast.unparse(node.value).startswith("const("):
                self.fixed |= {ast.unparse(node.targets[0])}
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
    """All `modules` by name.

    `home` has the bundle of those that are in one, `keywords` the arguments that calls name, `read`
    all names and texts that are not definitions, `members` what `_members_of` gives.
    """

    def __init__(
        self, modules: Mapping[str, _Module], bundles: Mapping[str, Sequence[str]]
    ) -> None:
        self.modules = modules
        self.bundles = bundles
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
        self.members = _members_of(modules)
        known = modules.keys() - {of.module for of in _CONSTS}
        self._names = {
            name: _names_of(name, [modules[each] for each in inside], known)
            for name, inside in bundles.items()
        }
        for name in modules.keys() - self.home.keys():
            self._names[name] = _numbered(name, [modules[name]], known)

    def origin(self, of: Name) -> Name:
        """Return where something is defined that modules may have imported from each other."""
        while of.name and of.module in self.modules:
            found = self.modules[of.module].scope.get(of.name)
            if not isinstance(found, Name) or found == of:
                break
            of = found
        return of

    def name(self, of: Name, space: str, word: str = "") -> str:
        """Return what a bundle or module calls something that it defines or imports.

        A module alone may call it by a `word`.
        """
        return self._names[space].get(of) or word or _distinct(of.name, of)

    def bundled(self, name: str) -> str:
        """Return the text of a bundle that has anything in it."""
        inside = self.bundles[name]
        order = TopologicalSorter(
            {each: sorted(self.modules[each].needed() & set(inside)) for each in inside}
        )
        used: set[Name] = set()
        bodies = [
            _Rewriter(self, self.modules[each], used).module() for each in order.static_order()
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


def _names_of(space: str, inside: Sequence[_Module], known: Collection[str]) -> dict[Name, str]:
    """Return what a bundle calls what its modules define or import."""
    meanings: defaultdict[str, set[Name]] = defaultdict(set)
    for module in inside:
        for word, of in module.scope.items():
            if isinstance(of, Name):
                meanings[of.name or word].add(of)
    taken = {*dir(builtins), *(word for module in inside for word in module.local)}
    names = {
        of: word if len(found) == 1 and word not in taken else _distinct(word, of)
        for word, found in meanings.items()
        for of in found
    }
    return names | _numbered(space, inside, known)


def _numbered(space: str, inside: Sequence[_Module], known: Collection[str]) -> dict[Name, str]:
    """Return the numbers of what the modules of a bundle, or one module alone, define or import.

    What a module alone defines keeps its name where others may import it, and so do what starts a
    bundle, in the module that is called like it, and errors, which people read.
    """
    found = {of for module in inside for of in module.scope.values() if isinstance(of, Name)}
    fixed = {word for module in inside for word in module.fixed}
    own = [
        of
        for of in sorted(found)
        if of.name not in ("", *fixed)
        and of.module in known
        and (of.module != space or of.name.startswith("_"))
        and not of.name.endswith("Error")
    ]
    return {of: _short(number) for number, of in enumerate(own, _FIRST_GLOBAL)}


def _members_of(modules: Mapping[str, _Module]) -> dict[str, str]:
    """Return what members of the program's classes are called, by the names that they have.

    Members are methods and what is set on `self`. Two of them share a name where no class has both,
    its bases included. Those keep theirs that something else may have, too: what Python or the chip
    brings along, and what is in a text.
    """
    classes: dict[Name, set[str]] = {}
    parent: dict[Name, Name] = {}
    uses: Counter[str] = Counter()
    kept = {word for each in _FOREIGN for word in dir(each)}
    for name, module in modules.items():
        kept |= module.fixed
        imported = module.imported(module.nodes)
        is_chip = any(of.module in _CHIP and not of.name.islower() for of in imported.values())
        derived = [node for node in module.nodes if isinstance(node, ast.ClassDef)]
        bases = {ast.unparse(base) for each in derived for base in each.bases}
        for node in module.nodes:
            if isinstance(node, ast.ClassDef):
                one = Name(name, node.name)
                parent.setdefault(one, one)
                members = {each.name for each in node.body if isinstance(each, ast.FunctionDef)}
                members |= {
                    each.attr
                    for each in ast.walk(node)
                    if isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store)
                    if isinstance(each.value, ast.Name) and each.value.id == _SELF
                }
                classes[one] = {each for each in members if not each.startswith("__")}
                kept |= members if is_chip else set()
                for base in node.bases:
                    of = module.scope.get(ast.unparse(base))
                    if isinstance(of, Name) and of.module in modules:
                        old, new = parent[one], parent.setdefault(of, of)
                        parent = {each: new if top == old else top for each, top in parent.items()}
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                kept.add(node.value)
            elif isinstance(node, ast.Attribute):
                uses[node.attr] += 1
                of = imported.get(ast.unparse(node.value).partition(".")[0])
                is_foreign = isinstance(of, Name) and of.module not in modules
                # what a base is asked for by its name, as by super(); shortened, `touch` gave other
                # names other numbers, and the heap had 0.65 KB less
                is_base = ast.unparse(node.value) in bases
                # a call may give a module, or what is of the chip
                if is_chip or is_foreign or is_base or isinstance(node.value, ast.Call):
                    kept.add(node.attr)
    families: defaultdict[Name, set[str]] = defaultdict(set)
    for one, members in classes.items():
        families[parent[one]] |= members
    taken: defaultdict[Name, set[str]] = defaultdict(set)
    short: dict[str, str] = {}
    every = {word for members in families.values() for word in members} - kept
    for word in sorted(every, key=lambda word: (-uses[word], word)):
        homes = [of for of, members in families.items() if word in members]
        here = {each for of in homes for each in taken[of]}
        short[word] = next(each for each in map(_short, count(1)) if each not in here)
        for of in homes:
            taken[of].add(short[word])
    return short


def _short(number: int) -> str:
    return f"_{number}"


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
        if not is_global:
            return word
        if not self._bundle:
            return self._program.name(of, self._module.name, word)
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
        if isinstance(node.value, ast.Name):
            of, is_global = self._meaning(node.value.id)
            if isinstance(of, Name) and not of.name:
                if of.module not in self._program.home:
                    self.generic_visit(node)
                    return node
                what = self._program.origin(Name(of.module, node.attr))
                if self._bundle and is_global:
                    self._used.add(what)
                    return ast.Name(self._program.name(what, self._bundle), node.ctx)
                node.attr = self._program.name(what, self._program.home[of.module])
                return node
        node.attr = self._program.members.get(node.attr, node.attr)
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
            if len(self._scopes) == 1:
                local = self._program.name(of, self._module.name, local)
            home = self._program.home.get(of.module)
            if of in _CONSTS:
                continue
            if home is None:
                imported = ast.alias(alias.name, local if local != alias.name else None)
                found.append(ast.ImportFrom(node.module, [imported], 0))
            elif of.name:
                imported = ast.alias(self._program.name(of, home), local)
                found.append(ast.ImportFrom(home, [imported], 0))
            else:
                found.append(ast.Import([ast.alias(home, local)]))
        return found

    def _in_scope(self, node: ast.AST, body: ast.AST) -> None:
        """Rewrite the body of a function or class, where what it binds itself goes first."""
        own = _own(node)
        scope: Scope = {word: word for word in bound(own)}
        scope |= self._module.imported(own)
        if isinstance(node, ast.FunctionDef):
            # arguments are called by numbers, but for those that calls may name as they were
            scope |= {
                arg.arg: f"_{number}"
                for number, arg in enumerate(node.args.args)
                if arg.arg != _SELF and arg.arg not in self._program.keywords
            }
        for each in own:
            if isinstance(each, ast.Global):
                for word in each.names:
                    scope.pop(word, None)
        self._scopes.append((node, scope))
        self.generic_visit(body)
        self._scopes.pop()

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef | None:
        """Rewrite a function, if anybody calls it; types are for checkers, but those of viper."""
        if node.name not in self._program.read and not node.name.startswith("__"):
            return None
        if isinstance(self._scopes[-1][0], ast.ClassDef):
            node.name = self._program.members.get(node.name, node.name)
        else:
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

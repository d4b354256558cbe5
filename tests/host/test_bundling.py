"""Modules that are always loaded together are made one before they are compiled; the manifest."""

from __future__ import annotations

import ast
import builtins
import json
import subprocess
import symtable
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from chronotable.link.packed import pack_position
from chronotable_host.hardware.firmware.bundling import BUNDLES, bundle, meant_by
from chronotable_host.hardware.firmware.folding import fold
from chronotable_host.hardware.firmware.image import (
    compile_modules,
    device_texts,
    module_name,
    module_sources,
)
from chronotable_host.hardware.firmware.manifest import Manifest, manifest_of, parse
from chronotable_host.rules.perft import perft
from tests import lanes
from tests.host.pico import NEW, OLD, OTHER_STARTERS, STARTERS
from ttykm import layout

RUN = """
import builtins, sys
from types import SimpleNamespace
builtins.const = lambda value: value
builtins.ptr8 = builtins.ptr16 = builtins.ptr32 = object  # names of MicroPython's compiler
builtins.micropython = SimpleNamespace(viper=lambda function: function)
sys.path.insert(0, sys.argv[1])
from asking import perft
print(*perft("%s", 2))
"""
ASSEMBLER = {"label", "wrap_target", "wrap", "out", "jmp", "nop", "set", "pull", "mov", "side"}
ASSEMBLER |= {"x", "y", "pins", "null", "osr", "not_x", "x_dec", "bitloop", "do_zero"}
"""What the assembler of `rp2` knows in a PIO program."""
ASKING = """
from chronotable.link.unpacked import unpack_position
from ttykm.game import Game

__all__ = ("perft",)

def perft(text, depth):
    game = Game(700)
    game.start(unpack_position(text))
    return [count(game, each) for each in range(1, depth + 1)]

def count(game, depth):
    turns = list(game.legal_turns())
    if depth == 1:
        return len(turns)
    total = 0
    for turn in turns:
        game.apply(turn)
        total += count(game, depth - 1)
        game.undo()
    return total
"""


def run(bundles: dict[str, tuple[str, ...]], first: str, **sources: str) -> dict[str, Any]:
    """Bundle and run modules, of which `first` is imported; return its names."""
    texts = bundle({name: dedent(text) for name, text in sources.items()}, bundles)
    return _imported(first, texts, {})


def _imported(name: str, texts: dict[str, str], spaces: dict[str, Any]) -> dict[str, Any]:
    def load(wanted: str, *rest: Any) -> Any:
        if wanted not in texts:
            return builtins.__import__(wanted, *rest)
        if wanted not in spaces:
            _imported(wanted, texts, spaces)
        return type("Module", (), spaces[wanted])

    space = {"__name__": name, "__builtins__": {**vars(builtins), "__import__": load}}
    spaces[name] = space
    exec(texts[name], space)
    return space


def test_modules_use_each_other_s_names_and_keep_their_own_apart() -> None:
    space = run(
        {"both": ("one", "two")},
        "main",
        one="""
        from math import floor
        import two
        from two import twice as doubled
        LIMIT = [9]
        def _own(value):
            return value + 1
        def top(value):
            return [_own(value), two._own(value), doubled(value), two.LIMIT, LIMIT, floor(2.5)]
        """,
        two="""
        from math import ceil as floor
        LIMIT = [7]
        def _own(value):
            return value + 10
        def twice(LIMIT):
            negated = map(lambda _own: -_own, [1])
            return [floor(LIMIT + 0.5) for LIMIT in [2 * LIMIT]] + list(negated)
        """,
        main="""
        import two
        from one import top
        found = top(1)
        found.append(two.twice(3))
        def late():
            import one
            from two import twice as two
            return one.top(0)[0], two(1)
        found.append(late())
        """,
    )
    assert space["found"] == [2, 11, [3, -1], [7], [9], 2, [7, -1], (1, [3, -1])]


def test_classes_know_their_names_and_functions_those_of_the_module() -> None:
    space = run(
        {"both": ("one", "two")},
        "main",
        one="""
        SIZE = [1]
        class Base:
            SIZE = 5
            kind = SIZE
            def __init__(self, size, *more, sure=False):
                self._size = size
                self._kind = more
                self.sure = sure
            def size(self):
                return self._size + SIZE[0] + self.SIZE
        """,
        two="""
        from one import Base
        SIZE = [2]
        count = 0
        class Derived(Base):
            def size(self, extra=3):
                global count
                count += 1
                self._extra = extra
                return super().size() + self._extra + SIZE[0] + count
            def more(self):
                return self._kind
        """,
        main="""
        from two import Derived
        each = Derived(100, 8, 9, sure=True)
        found = [each.size(), each.size(), each.more(), each.sure, each.kind]
        """,
    )
    assert space["found"] == [100 + 1 + 5 + 3 + 2 + 1, 100 + 1 + 5 + 3 + 2 + 2, (8, 9), True, 5]


def test_only_what_nothing_outside_can_name_is_renamed() -> None:
    texts = bundle(
        {
            "one": dedent(
                """
                class Seen:
                    _role = 1
                    def __init__(self, where, who=2):
                        self._where = where
                        self._told = who
                        self._named = 0
                        self.shown = self._role
                    def _step(self):
                        return self._step, self._where, "_named"
                def see(here: int) -> "list[Seen]":
                    found: list[Seen] = [Seen(here, who=3)]
                    return found
                def unused():
                    return see(1)
                see(0)
                """
            ),
            "two": "from one import Seen\ndef tell(seen):\n    return seen._told\ntell(Seen(1))\n",
        },
        {},
    )
    assert texts["one"].split("\n\n") == [
        dedent(
            """\
            class Seen:
                _role = 1
            """
        ).rstrip(),
        "    def __init__(self, _1, who=2):\n        self._2 = _1\n        self._1 = who\n"
        "        self._named = 0\n        self._4 = self._role",
        "    def _3(self):\n        return (self._3, self._2, '_named')",
        "def see(_0):\n    found = [Seen(_0, who=3)]\n    return found\nsee(0)",
    ]


def test_members_share_names_but_in_one_class_and_the_chip_s_are_kept() -> None:
    sources = {
        "one": """
from machine import Pin
class Lamp:
    def light(self):
        self.light(Pin(1).value)
    def value(self):
        return self.light()
""",
        "two": """
class Base:
    def first(self):
        return self.third()
    def third(self):
        return self.first()
class Derived(Base):
    def second(self):
        return self.first(), self.first(), self.second()
class Other:
    def fourth(self, lamp):
        return self.fourth(lamp.light), self.fourth(lamp.value), self.append([].append)
    def append(self, _value):
        return Derived, Other, Base
""",
    }
    texts = bundle(sources, {"both": ("two",)})
    assert "def light(self)" in texts["one"] and "def value(self)" in texts["one"]
    members = ("first", "third", "second", "fourth", "append")
    wanted = {"_1": ["Base.first", "Other.fourth"], "_2": ["Derived.second"], "_3": ["Base.third"]}
    for short, members in wanted.items():
        found = meant_by(sources, {"both": ("two",)}, "both", short)
        assert found == [f"two.{member}" for member in members]
    assert "def append(self" in texts["both"]


def test_viper_keeps_its_types() -> None:
    text = "@micropython.viper\ndef f(a: ptr8, b: int) -> int:\n    return a[b]\nf(b'', 0)"
    out = bundle({"one": text}, {})["one"]
    assert "def f(_0: ptr8, _1: int) -> int:\n    return _0[_1]" in out


def test_a_module_of_a_bundle_is_no_object() -> None:
    with pytest.raises(ValueError, match="two uses one as an object"):
        bundle({"one": "A = [1]", "two": "import one\nprint(one)"}, {"both": ("one", "two")})


def test_every_module_of_a_bundle_is_one_of_the_firmware_and_in_no_other() -> None:
    sources = module_sources()
    known = {module_name(path) for path in sources}
    inside = [module for modules in BUNDLES.values() for module in modules]
    assert set(inside) <= known
    assert len(inside) == len(set(inside))
    assert not BUNDLES.keys() & (known - set(inside)), "a bundle would take a module's file"


@lanes.gate
def test_every_name_in_what_the_table_loads_is_one_that_is_there() -> None:
    """A name that was called anew in one place and not in another would be missed only in play."""
    paths = module_sources()
    texts = device_texts({module_name(path): text for path, text in paths.items()}, BUNDLES)
    tables = {name: symtable.symtable(text, name, "exec") for name, text in texts.items()}
    tops = {
        name: {each.get_name() for each in table.get_symbols() if not each.is_referenced()}
        | {each.get_name() for each in table.get_symbols() if each.is_assigned()}
        | {each.get_name() for each in table.get_symbols() if each.is_imported()}
        | set(_declared(table))
        for name, table in tables.items()
    }
    known = {*dir(builtins), "__name__", "const", "micropython", "ptr8", "ptr16", "ptr32"}
    for name, text in texts.items():
        own = known | ASSEMBLER if name == "leds" else known
        assert set(_global_words(tables[name])) <= tops[name] | own, name
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ImportFrom) and node.module in texts:
                wanted = {alias.name for alias in node.names}
                inside = {one.removeprefix(f"{node.module}.") for one in texts}
                assert wanted <= tops[node.module] | inside, name


def _global_words(table: symtable.SymbolTable) -> Iterator[str]:
    for each in table.get_symbols():
        if each.is_referenced() and (each.is_global() or table.get_type() == "module"):
            yield each.get_name()
    for inner in table.get_children():
        yield from _global_words(inner)


def _declared(table: symtable.SymbolTable) -> Iterator[str]:
    for each in table.get_symbols():
        if each.is_declared_global():
            yield each.get_name()
    for inner in table.get_children():
        yield from _declared(inner)


@lanes.gate
def test_the_bundled_rules_count_the_same_turns(tmp_path: Path) -> None:
    paths = module_sources()
    sources = {module_name(path): text for path, text in paths.items()}
    # `flash` and `loop` need the chip
    bundles = {name: [one for one in inside if "." in one] for name, inside in BUNDLES.items()}
    texts = device_texts({**sources, "asking": ASKING}, bundles)
    packages = {module_name(path) for path in paths if path.endswith("/__init__.py")}
    for name, text in texts.items():
        path = tmp_path / f"{name.replace('.', '/')}{'/__init__' if name in packages else ''}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    assert not (tmp_path / "ttykm" / "game.py").exists()
    code = RUN % pack_position(layout.new_state())
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=False
    )
    expected = [str(each[0]) for each in perft(layout.new_state(), 2)]
    assert done.stdout.split() == expected, done.stderr


def test_folding_and_bundling_are_what_is_compiled() -> None:
    texts = {"one": "from micropython import const\nA = const(1)\ndef f():\n    return A\nf()"}
    assert device_texts(texts) == fold(texts)
    assert "return 1" in device_texts(texts, {"both": ("one",)})["both"]


def test_each_module_compiles_for_the_chip() -> None:
    """Viper takes fewer annotations than Python, and MicroPython less of its syntax."""
    sources = module_sources()
    compiled = compile_modules(sources)
    assert len(compiled) > 50
    assert all(code[:1] == b"M" for code in compiled.values())


# ---- the manifest


def test_the_first_line_of_a_manifest_is_enough_for_the_table() -> None:
    manifest = manifest_of(NEW, "a board with a name as long as it can be" * 9)
    text = manifest._replace(version="1" * 24).to_bytes().decode()
    assert len(text.split("\n", maxsplit=1)[0]) < 96
    assert parse(text) == manifest._replace(version="1" * 24)
    assert set(json.loads(text)) == {"version", "build", "board", "files"}


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"version": "1"}', '{"files": 3}'])
def test_a_manifest_that_makes_no_sense_is_none(text: str) -> None:
    assert parse(text) is None


def test_the_build_is_of_modules_and_starters_and_not_of_the_board() -> None:
    one: Manifest = manifest_of({**NEW, "board.json": b"1"}, "reference", STARTERS)
    assert one.build == manifest_of({**NEW, "board.json": b"2"}, "other", STARTERS).build
    assert one.build != manifest_of(OLD, "reference", STARTERS).build
    assert one.build != manifest_of(NEW, "reference", OTHER_STARTERS).build
    assert set(one.files) == set(NEW), "the starters are at the root, not in the folder"


# ---- folding


def folded(**sources: str) -> dict[str, str]:
    return fold({name: dedent(text) for name, text in sources.items()})


def test_values_go_where_the_names_were() -> None:
    out = folded(
        one="""
        from micropython import const
        A = const(3)
        _B = const((A << 4 | 1) - 60)
        def f(x=A):
            return x + _B
        """,
        two="""
        import one
        from one import A
        def g():
            from one import A as a
            return [A, a, one.A, one.f]
        """,
    )
    assert [line.strip() for line in out["one"].split("\n") if line.strip()] == [
        "pass",
        "pass",
        "pass",
        "def f(x=3):",
        "return x + (-11)",
    ]
    assert [line.strip() for line in out["two"].split("\n") if line.strip()] == [
        "import one",
        "pass",
        "def g():",
        "pass",
        "return [3, 3, 3, one.f]",
    ]


def test_texts_and_tuples_of_numbers_are_constants_too() -> None:
    out = folded(
        one="""
        from micropython import const
        KIND = const("f")
        _ODD = const((1, 1 + 2))
        _END = const(b".new")
        _NONE = const(None)
        _BOTH = const(KIND + KIND)
        def f():
            return KIND, _END, _NONE, _BOTH, _ODD
        """,
        two="from one import KIND\nprint(KIND)\n",
    )
    assert "return 'f', b'.new', _NONE, _BOTH, (1, 3)" in out["one"]
    assert "_NONE = const(None)" in out["one"]
    assert "_BOTH = const('f' + 'f')" in out["one"], "which the compiler knows how to add"
    assert out["two"] == "pass\nprint('f')\n"


def test_a_module_of_constants_alone_is_not_loaded() -> None:
    out = folded(
        codes="from micropython import const\nA = const(7)\n",
        user="import codes\nfrom os import sep\nprint(codes.A, sep)\n",
    )
    assert out["user"] == "pass\nfrom os import sep\nprint(7, sep)\n"


def test_what_is_bound_twice_is_no_constant() -> None:
    source = """
    from micropython import const
    A = const(1)
    B = const(2)
    B += 1
    C = const(len("abc"))
    D = const(E)
    E = const(D)
    def f(A):
        return A + B + C
    def g():
        global A
        A = 3
    """
    out = folded(one=source, two="from one import A, B, C\nprint(A, B, C)\n")
    assert out == {"one": dedent(source), "two": "from one import A, B, C\nprint(A, B, C)\n"}


def test_a_constant_may_be_imported_from_who_imports_it() -> None:
    out = folded(
        one="from micropython import const\nA = const(1)\nB = const(2)\n",
        two="from one import A, B\nprint(A, B)\n",
        three="from two import A, B\nimport two\nprint(A, f'{B}', two.A)\n",
    )
    assert out["one"] == "from micropython import const\npass\nB = const(2)\n"
    assert out["two"] == "from one import B\nprint(1, B)\n"
    assert out["three"] == "from two import B\npass\nprint(1, f'{B}', 1)\n"


def test_a_name_of_something_else_stays() -> None:
    texts = {
        "one": "from micropython import const\nA = const(1)\n",
        "two": "from one import A\nfrom other import A\nprint(A)\n",
        "three": "import one\ndef f(one):\n    return one.A\n",
    }
    out = folded(**texts)
    assert out == texts, "and so its definition stays"


def test_f_strings_keep_their_names_and_so_their_definitions() -> None:
    texts = {
        "one": "from micropython import const\nA = const(1)\nB = const(2)\n",
        "two": "from one import A, B\nprint(f'{A}', A, B)\n",
    }
    out = folded(**texts)
    assert out["two"] == "from one import A\nprint(f'{A}', A, 2)\n"
    assert out["one"] == "from micropython import const\nA = const(1)\npass\n"


def test_lines_stay_where_they_are() -> None:
    text = "from micropython import const\nA = const(\n    1\n    + 1\n)  # two\n\n\nx = A  # A\n"
    out = folded(one=text)["one"]
    assert out == "pass\npass  # two\n\n\n\n\n\nx = 2  # A\n"


def test_what_the_compiler_knows_itself_is_not_imported() -> None:
    out = folded(
        hot="""
        import micropython
        from ttykm.mp import const, micropython, ptr16
        """
    )
    assert "micropython" in out["hot"], "bound by two imports, so it is left alone"
    out = folded(
        hot="""
        from ttykm.mp import const, micropython, ptr16
        A = const(1)
        @micropython.viper
        def f(x: ptr16) -> int:
            return x[A]
        """,
        warm="""
        import micropython
        micropython.alloc_emergency_exception_buf(100)
        """,
    )
    assert "ttykm" not in out["hot"]
    assert "x[1]" in out["hot"]
    assert out["warm"].startswith("\nimport micropython")

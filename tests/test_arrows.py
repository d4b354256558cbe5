"""The house: who may import whom (app -> chronotable -> ttykm, host -> chronotable -> ttykm).

Imports inside functions count like all others; so do those for types alone, except on the device,
which leaves them out.
"""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cache
from pathlib import Path

import pytest

from tests.emulator.on_chip import MODULES

ROOT = Path(__file__).parent.parent
LIB = ROOT / "firmware" / "lib"
APP = ROOT / "firmware" / "app"
HOST = ROOT / "host" / "chronotable_host"
PACKAGES = {path.name: path for path in (ROOT / "host").glob("chronotable_*")}
LAB = ROOT / "tests" / "lab"

# what MicroPython has, as far as the shared packages use it
DEVICE_MODULES = {"array", "binascii", "json", "micropython"}
ALLOWED = {
    "ttykm": {"ttykm"},
    "chronotable": {"ttykm", "chronotable"},
}

EVERYWHERE = {"errors", "fields", "language", "output", ""}
"""Rooms of the PC that every other one may import; "" is the package, which has the version."""

ROOMS: Mapping[str, Set[str]] = {
    "__main__": {"cli"},
    "cli": {"chapters", "commit", "packages"},
    "chronotable_club": {
        *("archive", "chapters", "commands", "home", "limits", "live", "rules", "web"),
        *("chronotable_far.broker", "rating"),
    },
    "chronotable_night": {
        *("archive", "cases", "chronotable_night.games", "commands", "home"),
        *("limits", "live", "web"),
    },
    "chronotable_far": {
        *("archive", "chapters", "chronotable_far.broker", "commands", "engine"),
        *("game_choice", "live", "rules", "virtual", "web"),
    },
    # That Time You Killed Me has the boards of the page that it is played on, on phones, too.
    "chronotable_night.games": {"archive", "cases", "live", "rules", "web"},
    "chronotable_far.broker": {"limits"},
    "commands": {
        *("site", "web", "virtual", "hardware", "live", "vectors", "packages", "analysed_games"),
        *("learning", "engine", "game_choice", "chapters", "archive", "rulebook", "rules"),
        *("help_pages", "statistics"),
    },
    "site": {
        *("web", "virtual", "hardware", "live", "engine", "chapters", "archive", "help_pages"),
        *("elsewhere", "home", "packages", "rules", "learning"),
    },
    "web": {
        "elsewhere",
        *("virtual", "live", "hardware", "learning", "engine", "chapters", "archive", "rulebook"),
        *("limits", "packages", "rules", "analysed_games", "statistics"),
        "help_pages",
    },
    "virtual": {"live", "hardware", "pieces", "link", "rules"},
    "hardware": {"live", "archive", "home", "link", "rules"},
    "vectors": {"archive", "cases", "packages", "rules"},
    "packages": {"archive", "cases", "live"},
    "live": {"chapters", "archive", "pieces", "link", "engine", "game_choice", "learning", "rules"},
    "help_pages": set(),
    "limits": set(),
    "link": set(),
    "analysed_games": {"engine", "chapters", "archive", "rules"},
    "learning": {"archive", "chapters", "engine", "rating", "rules"},
    "engine": {"elsewhere", "game_choice", "chapters", "home", "rules"},
    "rulebook": {"chapters", "rules"},
    "statistics": {"archive", "chapters", "rules"},
    "game_choice": {"chapters", "rules"},
    "chapters": {"archive", "home", "rules"},
    "archive": {"home", "rules"},
    "elsewhere": set(),
    "cases": set(),
    "commit": set(),
    "rating": set(),
    "pieces": set(),
    "home": set(),
    "output": set(),
    "fields": set(),
    "errors": set(),
    "rules": set(),
    "language": set(),
    "": set(),
}
"""The rooms of the PC from top to bottom, and which others each imports.

A room is a folder, or a file beside the folders; those with a dot, and what stands above them, are
of the packages that stand on chronotable_host.
"""

ENGINE = {"acts", "box", "entry", "moves", "turns"}
"""The modules of `ttykm` that work the rules out; the others hold, name and tell what they say."""

ENGINE_USERS = {
    # the table owns the machinery, and has the parts for modules load when they are played
    "chronotable/core/table.py": {"turns"},
    "chronotable/core/commands.py": {"acts", "box"},
    # a position that came over the line has to be possible
    "chronotable/link/unpacked.py": {"box"},
    # they look legal turns up in a table of turns, which the engine fills
    "chronotable/core/candidates.py": {"turns"},
    "chronotable/core/guidance.py": {"turns"},
    "chronotable/core/match.py": {"turns"},
    "chronotable/core/evidence.py": {"turns"},
    "chronotable_host/engine/games.py": {"turns"},
    # the table's own player fills a table of turns of its own, and another one with modules
    "chronotable/player/search.py": {"moves", "turns"},
    "chronotable/player/search_modules.py": {"turns"},
    # what lies on a space, or beyond the edge of a board
    "chronotable_host/rules/reason_texts.py": {"entry"},
    "chronotable_host/rules/objections.py": {"entry", "turns"},
    # all turns of a position, to be counted; an action, as a turn has it
    "chronotable_host/rules/perft.py": {"turns"},
    "chronotable_host/virtual/steps.py": {"entry", "turns"},
    # what one action does, for examples that are about one action
    "chronotable_host/rules/action_replay.py": {"acts", "entry", "turns"},
}
"""Who may import what of the engine, and what for."""


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"), str(path))


def python_files(*folders: Path) -> list[Path]:
    return [path for folder in folders for path in sorted(folder.rglob("*.py"))]


@cache
def imported(tree: ast.Module, with_types: bool = True) -> list[str]:
    """Return the dotted names of all that a file imports: modules, and what it takes of them."""
    skipped: set[int] = set()
    if not with_types:
        for node in ast.walk(tree):
            if isinstance(node, ast.If) and is_for_types(node.test):
                skipped.update(id(inner) for child in node.body for inner in ast.walk(child))
    found: list[str] = []
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Import):
            found += (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: relative import"
            found += (f"{node.module}.{alias.name}" for alias in node.names)
    return found


def is_for_types(test: ast.expr) -> bool:
    if isinstance(test, ast.Constant):
        return test.value is False
    return isinstance(test, ast.Name) and test.id == "TYPE_CHECKING"


def tops(path: Path) -> set[str]:
    """Return the packages that a file imports when it runs."""
    return {name.split(".")[0] for name in imported(tree_of(path), with_types=False)}


# ---- packages


@pytest.mark.parametrize("package", ALLOWED)
def test_shared_packages_import_downwards_only(package: str) -> None:
    files = python_files(LIB / package)
    assert files
    found = {
        str(path.relative_to(LIB)): tops(path) - ALLOWED[package] - DEVICE_MODULES for path in files
    }
    assert {name: strangers for name, strangers in found.items() if strangers} == {}


def needed(path: Path, known: Set[str]) -> set[str]:
    """Return the modules among the known ones that a file imports, late and for types included."""
    names = imported(tree_of(path))
    return {name if name in known else name.rpartition(".")[0] for name in names} & known


def circles(graph: Mapping[str, Set[str]]) -> set[str]:
    """Return the modules of a graph that lead back to themselves."""
    rest = {name: set(names) for name, names in graph.items()}
    while True:
        leaves = {name for name, names in rest.items() if not names & set(rest)}
        if not leaves:
            # what only leads into a circle is no part of it
            starts = {name for name in rest if not any(name in names for names in rest.values())}
            if not starts:
                return set(rest)
            leaves = starts
        for name in leaves:
            del rest[name]


def test_circles_are_found() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}}) == {"b", "c"}
    assert circles({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == set()


def test_shared_packages_import_in_no_circle() -> None:
    """Not late either, nor for types: two files that need each other are one, or three."""
    paths = {
        ".".join(path.relative_to(LIB).with_suffix("").parts).removesuffix(".__init__"): path
        for path in LIB.rglob("*.py")
    }
    graph = {name: needed(path, set(paths)) for name, path in paths.items()}
    assert not circles(graph), sorted(circles(graph))


def test_only_the_app_touches_the_chip() -> None:
    for path in python_files(LIB):
        assert not {"machine", "rp2"} & tops(path), path


def test_what_runs_on_the_chip_takes_no_slice_with_a_step() -> None:
    """MicroPython has them for lists alone; what else it lacks its compiler tells."""
    tests = [ROOT / f"{module.replace('.', '/')}.py" for module in MODULES]
    for path in [*python_files(ROOT / "firmware"), *tests]:
        steps = [
            node.lineno
            for node in ast.walk(tree_of(path))
            if isinstance(node, ast.Slice) and node.step is not None
        ]
        assert not steps, (path, steps)


def test_who_does_something_stands_in_a_table_and_is_not_looked_up_by_a_prefix() -> None:
    """`getattr(self, "_on_" + name)` hides from editors and checkers what is called."""
    for path in python_files(ROOT / "firmware", ROOT / "host"):
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "getattr":
                name = node.args[1]
                parts = name.values if isinstance(name, ast.JoinedStr) else [name]
                first = parts[0].left if isinstance(parts[0], ast.BinOp) else parts[0]
                is_prefix = first is not name and isinstance(first, ast.Constant)
                assert not is_prefix, (path, node.lineno)


def test_the_app_does_not_reach_into_the_pc_nor_anything_into_the_tests() -> None:
    for path in python_files(APP):
        assert not tops(path) & PACKAGES.keys(), path
    of_tests = re.compile(r"^\s*(import|from) tests\b", re.MULTILINE)
    for path in python_files(ROOT / "firmware", ROOT / "host"):
        assert not of_tests.search(path.read_text("utf-8")), path


def test_the_lab_needs_nothing_of_the_tests() -> None:
    """`python -m tests.lab` runs without pytest."""
    for path in python_files(LAB):
        names = imported(tree_of(path))
        assert not {"pytest", "hypothesis"} & {name.split(".")[0] for name in names}, path
        strangers = [name for name in names if f"{name}.".startswith("tests.")]
        assert all(f"{name}.".startswith("tests.lab.") for name in strangers), (path, strangers)


# ---- the PC's rooms


def room_of(path: Path) -> str:
    """Return the room of a file of the PC."""
    return room_named(path.relative_to(HOST.parent).with_suffix("").parts)


def room_named(parts: Sequence[str]) -> str:
    """Return the room of a module: another package is one, with rooms of its own maybe."""
    if parts[0] != HOST.name:
        inner = ".".join(parts[:2])
        return inner if inner in ROOMS else parts[0]
    return parts[1] if len(parts) > 1 and parts[1] in ROOMS else ""


def rooms_in(tree: ast.Module) -> set[str]:
    """Return the rooms of the PC of which a file imports something."""
    names = [name.split(".") for name in imported(tree)]
    return {room_named(parts) for parts in names if parts[0] in PACKAGES}


def test_the_table_names_all_rooms_of_the_pc_and_has_no_circle() -> None:
    assert {room_of(path) for path in python_files(*PACKAGES.values())} == set(ROOMS)
    order = list(ROOMS)
    for at, (room, others) in enumerate(ROOMS.items()):
        above = [other for other in others if order.index(other) <= at]
        assert not above, f"{room} imports {above}, which do not stand below it"


def test_each_room_of_the_pc_imports_what_the_table_says() -> None:
    found: dict[str, set[str]] = {}
    for path in python_files(*PACKAGES.values()):
        room = room_of(path)
        strangers = rooms_in(tree_of(path)) - ROOMS[room] - EVERYWHERE - {room}
        if strangers:
            found[str(path.relative_to(HOST.parent))] = strangers
    assert found == {}


def test_no_room_may_import_what_it_does_not() -> None:
    used: dict[str, set[str]] = {room: set() for room in ROOMS}
    for path in python_files(*PACKAGES.values()):
        used[room_of(path)] |= rooms_in(tree_of(path))
    unused = {room: ROOMS[room] - used[room] for room in ROOMS}
    assert {room: others for room, others in unused.items() if others} == {}


# ---- the rules

EDGES = {0x1111, 0x8888, 0xF000, 0x7777, 0xEEEE}
"""The edges of a board as masks, or all but them: who moves copies needs to know them."""

STEPS = (
    sorted(["-4", "-1", "1", "4"]),
    sorted(["(-1, 0)", "(0, 1)", "(1, 0)", "(0, -1)"]),
)
"""From a space to those beside it, by number, or by row and column."""

POSITION_READERS = {
    "chronotable/link/unpacked.py",
    "chronotable_host/engine/games.py",
    "chronotable_host/rules/notation.py",
    "chronotable_host/vectors.py",
}
"""They make a position of a text, and so write the masks of its copies."""

REASONS = {"chronotable_host/rules/refusals.py"}
"""Says why a turn is not legal, and so where a board ends; what is legal the engine says."""


BITBOARDS = {
    "chronotable_host/engine/evaluation.py",
    "chronotable_host/engine/position.py",
}
"""The standard game once more, for the search: `tests/engine` compares it turn by turn."""

COLUMNS = {"chronotable/player/evaluation.py"}
"""Looks at what lies in a column, which an edge is, too."""


def codes_rules(tree: ast.Module) -> Iterator[str]:
    """Yield what in a file looks as if it worked out by itself how copies move, and where.

    Nothing can see this for certain; but whoever moves copies has to know which spaces are beside
    which, and to write where copies are.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and type(node.value) is int and node.value in EDGES:
            yield f"line {node.lineno}: the edge of a board, {node.value:#06x}"
        elif isinstance(node, (ast.Tuple, ast.List, ast.Set, ast.Dict)):
            parts = node.values if isinstance(node, ast.Dict) else node.elts
            if sorted(ast.unparse(part).lstrip("+") for part in parts) in STEPS:
                yield f"line {node.lineno}: the steps to the spaces beside one"
        elif isinstance(node, (ast.Assign, ast.AugAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                if isinstance(target, ast.Subscript) and name_of(target.value) == "state":
                    yield f"line {node.lineno}: writes into a position"


def name_of(node: ast.expr) -> str:
    """Return the last name of `a.b.name`, "" where there is none."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def engine_parts(tree: ast.Module) -> set[str]:
    """Return the parts of the engine of which a file imports something."""
    names = [name.split(".") for name in imported(tree)]
    return {parts[1] for parts in names if parts[0] == "ttykm" and len(parts) > 1} & ENGINE


def outside_the_engine() -> dict[str, ast.Module]:
    """Return all that is not the engine's, by its path below the folder that Python imports."""
    files = dict.fromkeys(python_files(LIB / "chronotable"), LIB)
    files |= dict.fromkeys(python_files(*PACKAGES.values()), HOST.parent)
    files |= dict.fromkeys(python_files(APP, LAB), ROOT)
    return {path.relative_to(root).as_posix(): tree_of(path) for path, root in files.items()}


def test_the_rules_live_in_one_place() -> None:
    """No file but the engine's and the oracle's knows how a copy moves.

    The games of a games night have states and steps of their own.
    """
    known = POSITION_READERS | REASONS | BITBOARDS | COLUMNS
    found = {
        name: said
        for name, tree in outside_the_engine().items()
        if (said := list(codes_rules(tree)))
        and name not in known
        and not name.startswith("chronotable_night/games/")
    }
    assert found == {}


def test_who_uses_the_engine_s_own_parts() -> None:
    used = {
        name: engine_parts(tree)
        for name, tree in outside_the_engine().items()
        if not name.startswith("tests/")  # the lab measures them
    }
    assert {name: parts for name, parts in used.items() if parts} == ENGINE_USERS


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("def north(mask):\n    return (mask & ~0x000F) >> 4 | mask & 0x1111", "the edge"),
        ("east = mask << 1 & 0xEEEE", "the edge"),
        ("STEPS = (-4, 1, 4, -1)", "the steps"),
        ("AROUND = {'N': -4, 'E': +1, 'S': 4, 'W': -1}", "the steps"),
        ("for row, column in [(-1, 0), (0, 1), (1, 0), (0, -1)]:\n    pass", "the steps"),
        ("def travel(game, era, space):\n    game.state[era] |= 1 << space", "writes"),
        ("state[3 * mover + era] = state[3 * mover + era] ^ bit", "writes"),
    ],
)
def test_rules_that_are_coded_once_more_are_seen(code: str, said: str) -> None:
    assert any(said in line for line in codes_rules(ast.parse(code)))


@pytest.mark.parametrize(
    "code",
    ["low = word & 0xFFF", "for number in (1, 4):\n    pass", "state = game.state", "x = state[3]"],
)
def test_what_only_looks_at_a_position_codes_no_rules(code: str) -> None:
    assert not list(codes_rules(ast.parse(code)))


def test_no_public_class_of_the_pc_has_another_one_s_name() -> None:
    """One word for one thing: who reads a name in a traceback knows which is meant."""
    places: dict[str, list[str]] = {}
    for path in python_files(*PACKAGES.values()):
        for node in tree_of(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(str(path.relative_to(HOST.parent)))
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_what_runs_on_the_chip_needs_no_lane() -> None:
    """Lanes are pytest's, which the chip has not."""
    for name in MODULES:
        path = ROOT / f"{name.replace('.', '/')}.py"
        assert "tests.lanes" not in imported(tree_of(path)), path

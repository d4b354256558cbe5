"""The house: who may import whom (app -> chronotable -> ttykm, host -> chronotable -> ttykm)."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LIB = ROOT / "firmware" / "lib"

# what MicroPython has, as far as the shared packages use it
DEVICE_MODULES = {"array", "binascii", "json", "micropython"}
ALLOWED = {
    "ttykm": {"ttykm"},
    "chronotable": {"ttykm", "chronotable"},
}


def imports(path):
    """Yield the top names of what a file imports when it runs, types aside."""
    tree = ast.parse(path.read_text("utf-8"))
    skipped = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and is_for_types(node.test):
            skipped.update(id(inner) for child in node.body for inner in ast.walk(child))
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name.split(".")[0]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield (node.module or "").split(".")[0]


def is_for_types(test):
    if isinstance(test, ast.Constant):
        return test.value is False
    return isinstance(test, ast.Name) and test.id == "TYPE_CHECKING"


@pytest.mark.parametrize("package", ALLOWED)
def test_shared_packages_import_downwards_only(package):
    files = sorted((LIB / package).glob("*.py"))
    assert files
    for path in files:
        strangers = set(imports(path)) - ALLOWED[package] - DEVICE_MODULES
        assert not strangers, f"{path.name} imports {strangers}"


def test_only_the_app_touches_the_chip():
    for path in sorted(LIB.rglob("*.py")):
        assert not {"machine", "rp2"} & set(imports(path)), path


def test_the_app_does_not_reach_into_the_pc_nor_anything_into_the_tests():
    for path in sorted((ROOT / "firmware" / "app").glob("*.py")):
        assert "chronotable_host" not in set(imports(path)), path
    for folder in (ROOT / "firmware", ROOT / "host"):
        for path in sorted(folder.rglob("*.py")):
            assert "tests" not in set(imports(path)), path


def test_the_rules_live_in_one_place():
    """No file but the engine's and the oracle's knows how a copy moves."""
    for path in [*LIB.joinpath("chronotable").glob("*.py"), *(ROOT / "host").rglob("*.py")]:
        assert "_expand" not in path.read_text("utf-8"), path

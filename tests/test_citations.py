"""Every rule that is cited by its number is there, and the rules have all of their numbers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from chronotable_host import chapters
from chronotable_host.live.texts import table_texts
from chronotable_host.rulebook import book
from chronotable_host.rules import objections, refusals
from chronotable_host.rules.reason_texts import reason_text

ROOT = Path(__file__).parent.parent
NUMBERS = {"T": 34, "G": 15, "I": 12, "M": 10, "C": 14}
"""How many rules there are of the standard game and of each chapter, counted from 1."""

OF_WRONG_NUMBERS = ("test_citations.py", "test_rulebook.py")
"""Tests that ask for rules that there are not."""

# the M of a path in an SVG picture is followed by two coordinates; G90, M30 and M48 are of drills
CITED = re.compile(
    r"(?<![A-Za-z0-9_])(?!M\d+[ .]-?\d|G90|M[34][08])[TGIMC][1-9]\d?(?![A-Za-z0-9_])"
)


def cited(text: str) -> set[str]:
    return set(CITED.findall(text))


def texts() -> dict[str, str]:
    """Return the files in which rules are cited, by their names."""
    files = [ROOT / "README.md"]
    for folder in ("firmware", "host", "tests", "boards"):
        for kind in ("py", "js", "html", "md"):
            files += (ROOT / folder).rglob(f"*.{kind}")
    return {
        str(file.relative_to(ROOT)): file.read_text("utf-8")
        for file in files
        if file.name not in OF_WRONG_NUMBERS
    }


@pytest.fixture
def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, book.Rule]:
    monkeypatch.setenv("CHRONOTABLE_HOME", str(tmp_path))
    chapters.unlock_to(chapters.COUNT)
    return book.rules()


def test_the_rules_have_all_of_their_numbers(rules: dict[str, book.Rule]) -> None:
    wanted = [f"{letter}{at}" for letter, count in NUMBERS.items() for at in range(1, count + 1)]
    assert list(rules) == wanted


def test_every_rule_that_is_cited_is_there(rules: dict[str, book.Rule]) -> None:
    found = {name: cited(text) for name, text in texts().items()}
    assert {name: wrong for name, those in found.items() if (wrong := those - rules.keys())} == {}
    assert {"T1", "T29", "G9", "I9", "M5", "C9"} <= set().union(*found.values())
    assert len([name for name, those in found.items() if those]) > 60


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("No legal turn leads there (T16-T27); see T99.", {"T16", "T27", "T99"}),
        ("(T7, T8) and T12's d, I13:", {"T7", "T8", "T12", "I13"}),
        ("GP22, sT10, T100, XT1, M16 5 7 12, M0-4", set()),
    ],
)
def test_the_search(text: str, numbers: set[str]) -> None:
    assert cited(text) == numbers


def test_every_rule_that_a_reason_names_is_there(rules: dict[str, book.Rule]) -> None:
    assert set(refusals.RULES) - {""} <= rules.keys()
    assert set(objections.RULES_OF_MODULES) <= rules.keys()
    codes = range(1, len(refusals.RULES))
    later = range(objections.FIRST, objections.FIRST + len(objections.RULES_OF_MODULES))
    said = [reason_text(code) for code in (*codes, *later)] + list(table_texts.GUIDES.values())
    assert set().union(*map(cited, said)) <= rules.keys()
    assert all(len(cited(reason_text(code))) == 1 for code in (*codes, *later))

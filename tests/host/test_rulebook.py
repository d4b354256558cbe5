"""The rules as people read them: the files, the command, and that locked chapters stay locked."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from chronotable_host import chapters
from chronotable_host.language import speaking
from chronotable_host.rulebook import book
from chronotable_host.rules import rule_files
from tests import lanes
from tests.catalogues import LANGUAGES
from tests.host.archives import Output, told
from tests.host.leaks import leaks
from tests.test_citations import NUMBERS, cited

pytestmark = pytest.mark.usefixtures("home")

LETTERS = "TGIMC"
OWN_WORDS = {  # what no part before may say
    "T": "",
    "G": "growth seed seeds shrub shrubs tree trees plant plants planting dig digging topple "
    "topples toppled voluntary_suicide",
    "I": "influence statue statues build_blocked stop_2023",
    "M": "memory elephant elephants hat hats train training trample voluntary_suicide_elephant",
    "C": "convergence shrub_removal_ungrows",
}


@pytest.fixture(autouse=True)
def _in_80_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


# ---- the texts


@pytest.mark.parametrize("count", range(chapters.COUNT + 1))
def test_a_chapter_is_there_when_it_is_unlocked(count: int) -> None:
    chapters.unlock_to(count)
    assert [part.title.rpartition(": ")[2].lower() for part in book.parts()] == [
        "the standard game",
        *chapters.NAMES[:count],
    ]
    assert {number[0] for number in book.rules()} == set(LETTERS[: count + 1])


def test_no_part_tells_of_a_later_one() -> None:
    """Neither by a word nor by the number of a rule."""
    chapters.unlock_to(chapters.COUNT)
    known: set[str] = set()
    for at, (letter, part) in enumerate(zip(LETTERS, book.parts(), strict=True)):
        whole = json.dumps(part)
        known.update(OWN_WORDS[letter].split())
        assert {number[0] for number in cited(whole)} <= set(LETTERS[: at + 1])
        assert set(leaks(whole)) <= known, part.title
        assert known.intersection(leaks(whole)) or letter == "T"


def test_every_rule_is_short_plain_and_whole() -> None:
    chapters.unlock_to(chapters.COUNT)
    for rule in book.rules().values():
        assert re.fullmatch(r"[A-Z][^.]*", rule.title), rule
        assert re.fullmatch(r"[A-Z].*\.", rule.text), rule
        assert len(rule.title) < 40 and len(rule.text) < 700, rule
        assert rule.text.isascii() and not set("`*|<>[]") & set(rule.text), rule
    assert all(part.setup.endswith(".") for part in book.parts())


FIGURES = re.compile(r"\d+(?:[.,]\d{3})*|[a-z]+_\w+=\w+")
"""Numbers, and options with their values."""
OF_OTHERS = {  # what only this part, and those after it, may say
    "de": {
        "G": r"wachstum|same|strauch|sträuch|b[aä]um|pflanz|ausgrab|umwerf",
        "I": r"einfluss|statue|echo|bauen",
        "M": r"gedächtnis|elefant|h[uü]te?\b|dressier|trampel",
        "C": r"konvergenz|auslosung",
    }
}


@pytest.mark.parametrize("spoken", LANGUAGES)
@pytest.mark.parametrize("name", ["standard", *chapters.NAMES])
def test_the_rules_are_the_same_in_every_language(name: str, spoken: str) -> None:
    english = rule_files.read_part(name)
    with speaking(spoken):
        part = rule_files.read_part(name)
    assert part.title != english.title and part.setup.endswith(".")
    assert [len(each.rules) for each in part.sections] == [
        len(each.rules) for each in english.sections
    ]
    for ours, theirs in zip(english.rules, part.rules, strict=True):
        assert ours.number == theirs.number and ours.text != theirs.text
        assert cited(ours.text) == cited(theirs.text), ours.number
        figures = (
            sorted(re.sub("[.,]", "", found) for found in FIGURES.findall(rule.text))
            for rule in (ours, theirs)
        )
        assert next(figures) == next(figures), ours.number
        assert re.fullmatch(r"[A-Z][^.]*", theirs.title), theirs
        assert re.fullmatch(r"[A-Z].*\.", theirs.text), theirs
        assert not set("`*|<>[]") & set(theirs.text), theirs
    told = json.dumps(part, ensure_ascii=False)
    later = LETTERS[1 + ["standard", *chapters.NAMES].index(name) :]
    for letter in later:
        assert not re.search(OF_OTHERS[spoken][letter], told, re.IGNORECASE), letter


# ---- the command


def test_one_rule(capsys: Output) -> None:
    assert told(capsys, "rules", "T12") == (
        0,
        "T12  Which copy to choose. Choose a copy that can take two actions in this turn;\n"
        "     one way to do it is enough. If you have none, choose a copy that can take\n"
        "     one action.\n",
        "",
    )


@pytest.mark.parametrize(
    ("words", "numbers"),
    [
        (["t12"], "T12"),
        (["(T12)."], "T12"),
        (["(T7,", "T8)"], "T7 T8"),
        (["T7,T8"], "T7 T8"),
        (["T16-T18"], "T16 T17 T18"),
        (["t16-18"], "T16 T17 T18"),
        (["T9-T9"], "T9"),
        (["T3", "T1-T3", "T3"], "T3 T1 T2"),
    ],
)
def test_several_rules(words: list[str], numbers: str, capsys: Output) -> None:
    status, out, err = told(capsys, "rules", *words)
    assert (status, err) == (0, "")
    assert re.findall(r"^[A-Z]\d+", out, re.MULTILINE) == numbers.split()
    listed = json.loads(told(capsys, "rules", *words, "--json")[1])
    assert [rule["number"] for rule in listed] == numbers.split()


def test_all_rules(capsys: Output) -> None:
    """80 columns wide at most; as they are in the files, and those of chapters once unlocked."""
    status, out, err = told(capsys, "rules")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[:2] == ["The standard game", "================="]
    assert max(map(len, lines)) <= 80
    numbers = [f"T{at}" for at in range(1, NUMBERS["T"] + 1)]
    assert re.findall(r"^[A-Z]\d+", out, re.MULTILINE) == numbers
    assert re.findall(r"^(.*)\n-+$", out, re.MULTILINE) == [
        "Boards and pieces",
        "Your turn",
        "Moving",
        "Travelling in time",
        "The end",
        "When there is more",
    ]
    for part in book.parts():
        assert textwrap.fill(part.setup, 80) in out
        for rule in part.rules:
            assert rule.text in " ".join(out.split())
    before = out
    chapters.unlock_to(1)
    out = told(capsys, "rules")[1]
    assert out.startswith(before)
    assert "\nChapter 1: Growth\n=================\nSet up" in out
    assert len(json.loads(told(capsys, "rules", "--json")[1])) == NUMBERS["T"] + NUMBERS["G"]


def test_json(capsys: Output) -> None:
    first = json.loads(told(capsys, "rules", "--json")[1])[0]
    assert list(first) == ["number", "title", "text"]
    assert (first["number"], first["title"]) == ("T1", "The boards")
    assert first["text"].startswith("There are three boards of 4 by 4 spaces")


@pytest.mark.parametrize(
    "word", ["T", "12", "T0", "T01", "T1000", "T9-T2", "T1-G3", "T1-", "-", "T1..T3", "T\x1b[2J"]
)
def test_what_is_no_number(word: str, capsys: Output) -> None:
    status, out, err = told(capsys, "rules", "--", word)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.endswith(" is no number of a rule; type T12, or T16-T27 for several\n")
    assert err[:-1].isprintable()


@pytest.mark.parametrize("words", [["T35"], ["T1", "T35"], ["T30-T99"], ["X35"]])
def test_what_is_no_rule(words: list[str], capsys: Output) -> None:
    wrong = words[-1].replace("T30-T99", "T35")
    assert told(capsys, "rules", *words) == (
        2,
        "",
        f"chronotable: there is no rule {wrong} among those that are unlocked here; "
        "'chronotable rules' prints them all\n",
    )


@pytest.mark.parametrize("count", range(chapters.COUNT + 1))
def test_what_is_locked_is_answered_as_what_does_not_exist(count: int, capsys: Output) -> None:
    """So nobody learns which numbers a chapter has."""
    chapters.unlock_to(count)
    never = told(capsys, "rules", "X9")
    for letter in LETTERS[count + 1 :]:
        for words in ([f"{letter}9"], [f"{letter}9-{letter}10"], ["T1", f"({letter}9)"]):
            status, out, err = told(capsys, "rules", *words)
            assert (status, out, err.replace(f"{letter}9", "X9")) == never
    if count:
        assert told(capsys, "rules", f"{LETTERS[count]}9")[0] == 0


def test_a_damaged_list_of_chapters_locks_no_standard_rule(home: Path, capsys: Output) -> None:
    home.mkdir()
    (home / chapters.FILE).write_text("x")
    assert told(capsys, "rules", "T12")[0] == 0
    assert told(capsys, "rules", "G4")[0] == 2


# ---- the shell completes numbers, and commands


@lanes.gate
@pytest.mark.parametrize(
    ("unlocked", "typed", "words"),
    [
        (0, "un", "unlock"),
        (0, "rules T3", "T3 T30 T31 T32 T33 T34"),
        (0, "rules t3", "t3 t30 t31 t32 t33 t34"),
        (0, "rules G1", ""),
        (1, "rules G1", "G1 G10 G11 G12 G13 G14 G15"),
        (0, "rules x", ""),
    ],
)
def test_the_shell_completes(unlocked: int, typed: str, words: str) -> None:
    chapters.unlock_to(unlocked)
    asking = {
        "_CHRONOTABLE_COMPLETE": "complete_bash",
        "COMP_WORDS": f"chronotable {typed}",
        "COMP_CWORD": str(len(typed.split())),
    }
    done = subprocess.run(
        [sys.executable, "-m", "chronotable_host"],
        env={**os.environ, **asking},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout.split(), done.stderr) == (0, words.split(), "")

"""A stranger's text is read in as many steps as it is long: twice the text, twice the steps."""

from __future__ import annotations

import importlib
import itertools
import json
import pkgutil
import re
from collections.abc import Callable

import pytest

import chronotable_host
from chronotable_host import chapters
from chronotable_host.archive.parsing import parse_records, split_records
from chronotable_host.errors import one_line
from chronotable_host.rules.notation import NotationError
from chronotable_host.rules.record import format_record
from chronotable_host.vectors import Tally, verify_text
from tests import catalogues, lanes, sweep
from tests.host.archives import played, random_record
from tests.host.steps import TOO_MANY, lines_run, tries

pytestmark = pytest.mark.usefixtures("home")

SHORT = sweep.size(8, 10, 16)
LONG = 2 * SHORT
MOST_GROWTH = 2.5
"""Of the steps, where the text is twice as long: what is quadratic takes four times as many."""

FROM_THE_BEGINNING = {
    "chronotable_host.rules.record._TURN",
    "chronotable_host.broker.address._URL",
    "chronotable_host.web.addresses._LISTEN",
    "chronotable_host.web.addresses._NAME",
    "chronotable_host.web.files._STATIC_NAME",
}
"""Patterns that are to fit a whole text, so they are not tried at its other places."""
PIECES = (
    *(".", "a", "0", " ", "'", '"', "/", "\\", "-", "[", "]", "(", "_", ",", "\n", "\r\n"),
    *("a.", "a,", "a ", "0.", ". ", "' ", "a'", " /", "a/", "./", "[ ", "[0, ", '"a", '),
    *("0.00 s, ", "free ", "seed ", "growth", "trees ", "python3.", "MicroPython v1 ", "Error"),
    *("FLOCK ADVISORY ", "FLOCK ", 'ATTR{idVendor}=="'),
)
HEADS = ("", "[", "'")
TAILS = ("", "!")
AROUND = sweep.some([*itertools.product(HEADS, TAILS)], 3)


def patterns() -> dict[str, re.Pattern[str]]:
    """Return all patterns of the PC's modules."""
    found = {f"secrets_in({language})[{at}]": re.compile(secret, re.IGNORECASE)
             for language in ("en", *catalogues.LANGUAGES)
             for at, secret in enumerate(chapters.secrets_in(language))}  # fmt: skip
    for module in pkgutil.walk_packages(chronotable_host.__path__, "chronotable_host."):
        if module.name.endswith("__main__"):
            continue
        for name, value in vars(importlib.import_module(module.name)).items():
            if isinstance(value, re.Pattern):
                text = value.pattern
                text = text.decode("latin-1") if isinstance(text, bytes) else text
                found[f"{module.name}.{name}"] = re.compile(text, value.flags & re.IGNORECASE)
    return found


def worst(pattern: re.Pattern[str], is_searched: bool = True) -> tuple[float, str]:
    """Return by how much the steps grow at most where a text is twice as long, and which text."""
    found = []
    for (head, tail), piece in itertools.product(AROUND, PIECES):
        short, long = (
            tries(pattern, head + piece * count + tail, is_searched) for count in (SHORT, LONG)
        )
        found.append((long / max(short, SHORT), f"{head!r} {piece!r} {tail!r}: {short}, {long}"))
        if long > TOO_MANY or found[-1][0] > MOST_GROWTH:
            return float("inf"), found[-1][1]
    return max(found)


@lanes.gate
def test_no_pattern_takes_more_than_its_text_is_long() -> None:
    found = {
        name: worst(pattern, name not in FROM_THE_BEGINNING) for name, pattern in patterns().items()
    }
    assert found.keys() > FROM_THE_BEGINNING
    assert len(found) > 15
    assert {name: text for name, (grown, text) in found.items() if grown > MOST_GROWTH} == {}


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (r"\S*[/\\]\S*", "."),
        (r"\[\s*((?:[\"\w]+,?\s*)+)\]", "["),
        (r"(a+)+$", "a"),
        (r"\s+$", " x"),
    ],
)
def test_one_that_does_is_found(pattern: str, text: str) -> None:
    assert worst(re.compile(pattern))[0] > MOST_GROWTH, text


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (r"\b\d+\.\d\d s, (certain|asked)\b", "1.50 s, asked 22.00 s, certain x"),
        (r"'[^']*'(?!\w)", "it's 'so' or 'not'x"),
        (r"(?<!in )\bmemory\b", "in memory, memory"),
        (r"(?:a|ab)(?:c|bcd)(d*)", "abcd acdd"),
        (r"[^a-f]{2,3}?x", "ggx aagghx"),
    ],
)
def test_steps_are_counted_of_what_re_does(pattern: str, text: str) -> None:
    """The counting matcher finds what `re` finds: else its steps would be of something else."""
    from tests.host.steps import _Matcher  # noqa: PLC0415

    matcher = _Matcher(re.compile(pattern), text)
    at, found = 0, []
    while at <= len(text):
        end = next(matcher.ends(matcher.items, 0, at), None)
        if end is not None:
            found.append((at, end))
        at = at + 1 if end is None or end == at else end
    assert found == [match.span() for match in re.finditer(pattern, text)]


@pytest.mark.parametrize(
    "text",
    [
        "/a.b/c",
        "x /a/b y",
        "a\\b",
        "\ta/b\n c ",
        "no path",
        "/",
        "a/ b /c",
        "'a/b' growth/x growth",
    ],
)
def test_a_path_may_name_what_it_likes(text: str) -> None:
    said = re.sub(r"\S*[/\\]\S*", "", text)  # what a path is
    assert chapters._without_paths(said) == chapters._without_paths(text) == said


# ---------------------------------------------------------------- whole texts


def broken(count: int) -> str:
    """Return the text of so many games, each with an illegal turn, and many lines between them."""
    text = format_record(played("Ada")).replace("2. 16 N", "2. 15 N")
    return ("\n" * 300).join([text] * count)


@pytest.mark.parametrize(
    "text_of",
    [
        broken,
        lambda count: "\n".join(format_record(random_record(1, 6)) for _ in range(count)) + "\n[x",
        lambda count: "".join(
            json.dumps({"turns": ["1 Q >past"], "name": f"trees {number}"}) + "\n"
            for number in range(count)
        ),
    ],
)  # fmt: skip
def test_a_file_of_many_games_takes_as_many_steps(text_of: Callable[[int], str]) -> None:
    def work(count: int) -> int:
        text = text_of(count)

        def run() -> None:
            try:
                list(verify_text(text, "x", Tally()))
            except Exception as error:
                assert one_line(error), error

        return lines_run(run)

    assert work(60) < MOST_GROWTH * work(30)


@pytest.mark.parametrize(
    "piece",
    [
        *("{", "}", "(", ")", "[", '"', "\\", " ", "\n", "{}", "\x00", "*", "é", "1."),
        *(
            '[x "y"]\n',
            "{a}\n",
            "(1. 1 E F >present)",
            "(1. 1 E F >present",
            "1. ",
            "1. 1 E >past\n",
            ". ",
            "> ",
            "\n\n[",
        ),
    ],
)
@pytest.mark.parametrize(
    "head", ["", '[White "', '[White "x"]\n', "1. 1 E F >present {", "1. 1 E F >present ", "[a"]
)
def test_a_record_of_any_length_takes_as_many_steps(piece: str, head: str) -> None:
    def work(length: int) -> int:
        text = head + piece * length

        def run() -> None:
            split_records(text)
            try:
                parse_records(text, "x")
            except NotationError as error:
                assert one_line(error), error

        return lines_run(run)

    work(10)
    assert work(2000) < MOST_GROWTH * max(work(1000), 1000)


class Counted(str):
    """A text that counts how often it is looked through."""

    looks = 0

    def lower(self) -> str:
        Counted.looks += 1
        return super().lower()


def test_what_was_given_is_not_looked_through_for_every_sentence() -> None:
    looks = []
    for count in (50, 100):
        Counted.looks = 0
        given = Counted("trees " * count)
        for number in range(count):
            assert not chapters.gives_away(f"example {number}: trees and Trees", given)
            assert chapters.gives_away(f"example {number}: trees and statues", given)
        looks.append(Counted.looks)
    assert looks[0] == looks[1]

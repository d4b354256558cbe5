"""A stranger's text is read in as many steps as it is long: twice the text, twice the steps."""

from __future__ import annotations

import ast
import importlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from random import Random
from types import BuiltinMethodType, FunctionType, ModuleType
from typing import Any, NamedTuple

import pytest

import chronotable
import chronotable_club
import chronotable_far
import chronotable_host
import chronotable_night
import ttykm
from chronotable_host import chapters
from chronotable_host.archive.parsing import each_record, split_records
from chronotable_host.errors import one_line
from chronotable_host.rules.notation import NotationError
from chronotable_host.rules.record import format_record
from chronotable_host.vectors import Tally, verify_text
from tests import catalogues, sweep
from tests.host.archives import played, random_record
from tests.host.steps import TOO_MANY, lines_run, parts_of, sample, tries

pytestmark = pytest.mark.usefixtures("home")

MOST_GROWTH = 2.2
"""Of the steps, where the text is twice as long: what is quadratic takes four times as many."""
LENGTHS = (32, 64, 128, 256, 512, 1024)
OF_OUR_FILES = {
    "chronotable_host.help_pages._FOR_PROGRAMS",
    "chronotable_host.web.http.catalogue.IN_HTML",
    "chronotable_host.web.http.help_html._ASIDE",
    *(
        f"chronotable_host.web.sharing.packing.{name}"
        for name in ("_COMMENT", "_EXPORTED", "_IMPORT", "_RENAMED", "_SHEET_COMMENT")
    ),
}
"""Patterns for the program's own pages, which no stranger's text meets."""
MADE_LATER = {
    ("chronotable_host.web.http.requests", "pattern"),
    ("chronotable_night.games.timemit.box", "pattern"),
    ("chronotable_host.chapters", "secret"),
    ("chronotable_host.hardware.ports.udev", "action"),
}
"""What is compiled of no text that stands there: the walk through values finds what became of it,
`secrets` makes its own, and a rule's action is one of udev's words.
"""
ANY = sorted({*"aA0 .,;:/\\-_+*[](){}'\"%=>#\n"})


class Walked(NamedTuple):
    """A pattern, and whether it is tried at a text's beginning alone, or to its end, too."""

    pattern: re.Pattern[str]
    is_searched: bool = True
    is_whole: bool = False


def modules() -> Iterator[tuple[ModuleType, ast.Module]]:
    """Yield the modules with patterns of the PC's and the device's packages, with their sources."""
    for package in (
        *(chronotable_host, chronotable_night, chronotable_far, chronotable_club),
        *(chronotable, ttykm),
    ):
        folder = Path(str(package.__file__)).parent
        for path in sorted(folder.rglob("*.py")):
            text = path.read_text("utf-8")
            if "import re\n" in text or "from re import" in text:
                parts = path.relative_to(folder.parent).with_suffix("").parts
                name = ".".join(parts).removesuffix(".__init__")
                yield importlib.import_module(name), ast.parse(text)


def held(value: object, seen: set[int]) -> Iterator[re.Pattern[Any]]:
    """Yield the patterns that a value holds: in collections, classes, closures and methods."""
    if isinstance(value, re.Pattern):
        yield value
    elif id(value) not in seen:
        seen.add(id(value))
        inner: Iterable[object] = ()
        if isinstance(value, Mapping):
            inner = value.values()
        elif isinstance(value, (tuple, list, set, frozenset)):
            inner = value
        elif isinstance(value, FunctionType):
            cells = [cell.cell_contents for cell in value.__closure__ or ()]
            inner = [*cells, *(value.__defaults__ or ())]
        elif isinstance(value, BuiltinMethodType):
            inner = [value.__self__] if isinstance(value.__self__, re.Pattern) else ()
        elif getattr(type(value), "__module__", "").startswith("chronotable") or (
            isinstance(value, type) and value.__module__.startswith("chronotable")
        ):
            inner = list(getattr(value, "__dict__", {}).values())
        for each in inner:
            yield from held(each, seen)


def secrets() -> dict[str, Walked]:
    """Return the patterns of what a chapter that is locked keeps to itself."""
    return {f"secrets_in({language})[{at}]": Walked(re.compile(secret, re.IGNORECASE))
            for language in ("en", *catalogues.LANGUAGES)
            for at, secret in enumerate(chapters.secrets_in(language))}  # fmt: skip


def patterns() -> dict[str, Walked]:
    """Return the patterns of all packages: what modules hold, and what stands in functions."""
    found: dict[str, Walked] = {}
    seen: set[int] = set()
    known: set[tuple[Any, int]] = set()
    for module, tree in modules():
        uses: dict[str, set[str]] = {}
        calls = []
        of_re: set[ast.expr] = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                uses.setdefault(node.value.id, set()).add(node.attr)
                if node.value.id == "re":
                    of_re.add(node)
            elif isinstance(node, ast.Call) and node.func in of_re:
                calls.append(node)
        for name, value in vars(module).items():
            for at, pattern in enumerate(held(value, seen)):
                known.add((pattern.pattern, pattern.flags & re.IGNORECASE))
                how = uses.get(name, set()) if isinstance(value, re.Pattern) else {"fullmatch"}
                found[f"{module.__name__}.{name}{f'[{at}]' * bool(at)}"] = _walked(pattern, how)
        for call in calls:
            assert isinstance(call.func, ast.Attribute)
            if call.func.attr == "escape":
                continue
            try:
                code = compile(ast.Expression(call.args[0]), "pattern", "eval")
                pattern = re.compile(eval(code, vars(module)))
            except NameError:
                assert (module.__name__, ast.unparse(call.args[0])) in MADE_LATER
                continue
            if (pattern.pattern, pattern.flags & re.IGNORECASE) not in known:
                found[f"{module.__name__}:{call.lineno}"] = _walked(pattern, {call.func.attr})
    return found


def _walked(pattern: re.Pattern[Any], how: set[str]) -> Walked:
    text = pattern.pattern
    text = text.decode("latin-1") if isinstance(text, bytes) else text
    flags = pattern.flags & (re.IGNORECASE | re.MULTILINE | re.DOTALL)
    is_searched = not how or not how <= {"match", "fullmatch"}
    return Walked(re.compile(text, flags), is_searched, bool(how) and how <= {"fullmatch"})


def texts(pattern: re.Pattern[str], chance: Random) -> Iterator[tuple[str, str, str]]:
    """Yield heads, pieces to be repeated, and tails, made of the parts of a pattern and of none."""
    for before, part in parts_of(pattern):
        head = sample(pattern, before, chance, ANY)
        for tail in ("", "!"):
            yield head, sample(pattern, part, chance, ANY), tail
            if head:
                yield "", head + sample(pattern, part, chance, ANY), tail
    for _ in range(3):
        piece = "".join(chance.choices(ANY, k=chance.randint(1, 3)))
        yield chance.choice(["", *ANY]), piece, chance.choice(["", "!"])


def growth(walked: Walked, head: str, piece: str, tail: str) -> float:
    """Return by how much the steps grow where the text is twice as long.

    Where they grow too much it may be longer: a bounded repetition's bound is to be left behind.
    """
    short, grown = 0, 1.0
    for length in LENGTHS if piece else ():
        text = head + piece * (-(-length // len(piece))) + tail
        steps = tries(walked.pattern, text, walked.is_searched, walked.is_whole)
        if steps > TOO_MANY:
            return float("inf")
        grown = steps / max(short, length) if short else 0.0
        if short and grown <= MOST_GROWTH:
            break
        short = steps
    return grown


def worst(walked: Walked, chance: Random) -> tuple[float, str]:
    """Return by how much the steps grow at most, and with which text."""
    most: tuple[float, str] = (0.0, "")
    for text in dict.fromkeys(texts(walked.pattern, chance)):
        most = max(most, (growth(walked, *text), repr(text)))
        if most[0] > MOST_GROWTH:
            break
    return most


@pytest.mark.parametrize(("walk", "least"), [(patterns, 60), (secrets, 6)])
def test_no_pattern_takes_more_than_its_text_is_long(
    walk: Callable[[], dict[str, Walked]], least: int, seed: int = 39
) -> None:
    print(f"seed {seed}")
    walked = walk()
    assert len(walked) >= least
    assert walk is secrets or walked.keys() >= OF_OUR_FILES
    found = {
        name: worst(each, Random(f"{seed} {name}"))
        for name, each in walked.items()
        if name not in OF_OUR_FILES
    }
    print(len(found), "patterns, the largest growth", max(found.values()))
    assert {name: told for name, told in found.items() if told[0] > MOST_GROWTH} == {}


@pytest.mark.parametrize("seed", range(sweep.size(2, 5)))
@pytest.mark.parametrize(
    ("pattern", "is_searched"),
    [
        (r"\S*[/\\]\S*", True),
        (r"\[\s*((?:[\"\w]+,?\s*)+)\]", True),
        (r"(a+)+$", True),
        (r"\s+$", True),
        (r" ?\[%(eval|best|mark) ([^\]]*)\]", True),  # of a turn's comment
        (r"([A-Za-z0-9:* ]{0,24}>[a-z]{4,7};?){1,100}", False),  # of a variation
    ],
)
def test_one_that_does_is_found(pattern: str, is_searched: bool, seed: int) -> None:
    walked = Walked(re.compile(pattern), is_searched, not is_searched)
    assert worst(walked, Random(seed))[0] > MOST_GROWTH


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


# ---- whole texts


def broken(count: int) -> str:
    """Return the text of so many games, each with an illegal turn, and many lines between them."""
    text = format_record(played("Ada")).replace("2. 16 N", "2. 15 N")
    return ("\n" * 300).join([text] * count)


@pytest.mark.parametrize(
    "text_of",
    [
        broken,
        lambda count: "\n".join(format_record(random_record(1, 6)) for _ in range(count)) + "\n[x",
        lambda count: "".join(f'[n{number} "v"]\n' for number in range(40 * count)),
        lambda count: "\n".join(f"{number}. >past" for number in range(1, 40 * count)),
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

    work(1)  # loads what is loaded once
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
                [*each_record(text, "x")]
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

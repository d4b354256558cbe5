"""The page's sentences go through its catalogue, and are served in the language that is spoken."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple

import pytest
from pygments.lexers import JavascriptLexer
from pygments.token import Comment, Name, String, Whitespace

from chronotable_host.language import LANGUAGES, speaking
from chronotable_host.web.http import catalogue
from tests import catalogues

HOST = Path(catalogue.__file__).parent.parent.parent
SCRIPTS = sorted(HOST.glob("**/static/*.js")) + sorted(HOST.glob("*/games/*/page/*.js"))
STYLES = [*HOST.glob("**/static/*.css"), *HOST.glob("*/games/*/page/*.css")]
CLASSES = {
    name for path in STYLES for name in re.findall(r"\.([a-z][\w-]*)", path.read_text("utf-8"))
}
FILLED_IN = re.compile(r"\$\w+")  # in a file that is shared
FEWEST = {
    "shared.html": 0,
    "big.html": 2,
    "replay.html": 3,
    "phone.html": 4,
    "help.html": 4,
}  # the rest of them is told by scripts
PAGES = sorted(HOST.glob("**/static/*.html"))

TWO_WORDS = re.compile(r"[^\W\d_]{2,}[,;:]? [^\W\d_]")
WORD = re.compile(r"[^\W\d_]{2,}")
TRANSLATING = {"tr": (0,), "trN": (0, 1), "trC": (0, 1)}
"""Functions, and which of their arguments are the catalogue's."""
SELECTING = {"querySelector", "querySelectorAll", "matches", "closest", "matchMedia"}
FOR_PROGRAMMERS = {"RangeError", "runPython"}
OF_MARKUP = "<svg"
BRAND = "Chronotable"
SAID_IN_HTML = ("aria-label", "title", "alt", "placeholder")


class Token(NamedTuple):
    """A word of JavaScript; a template is one, with the code in it."""

    kind: str
    value: str
    line: int


def tokens_of(source: str) -> list[Token]:
    """Return the words of JavaScript without its comments."""
    tokens: list[Token] = []
    template = ""
    within: list[str] = []  # templates that are open, and code in them that is
    for at, kind, value in JavascriptLexer().get_tokens_unprocessed(source):
        if (kind is String.Backtick and value == "`") or within:
            template += value
            if kind is String.Interpol:
                within.append(value) if value == "${" else within.pop()
            elif kind is String.Backtick and value == "`":
                within.pop() if within[-1:] == ["`"] else within.append("`")
            if not within:
                line = source.count("\n", 0, at + 1 - len(template)) + 1
                tokens.append(Token("template_string", template, line))
                template = ""
        elif kind not in Comment and kind not in Whitespace:
            is_string = kind in (String.Single, String.Double)
            name = "string" if is_string else "name" if kind in Name else ""
            tokens.append(Token(name, value, source.count("\n", 0, at) + 1))
    return tokens


def text_of(token: Token) -> str:
    """Return what a string or a template says, with … for what is put into it."""
    return re.sub(r"\$\{(?:[^{}]|\{[^{}]*\})*\}", "…", token.value[1:-1])


def inner_codes(token: Token) -> list[str]:
    """Return the code within a template."""
    return re.findall(r"\$\{((?:[^{}]|\{[^{}]*\})*)\}", token.value)


def translated(tokens: list[Token]) -> Iterator[tuple[int, Token]]:
    """Yield place and token of the strings that calls take from the catalogue."""
    for at, token in enumerate(tokens):
        for number in TRANSLATING.get(token.value, ()) if token.kind == "name" else ():
            place = at + 2 + 2 * number
            if at + 1 < len(tokens) and tokens[at + 1].value == "(" and tokens[at - 1].value != ".":
                yield place, tokens[place]


def is_for_the_browser(tokens: list[Token], at: int) -> bool:
    """Whether a string is classes, a selector, a key, markup, or what programmers read."""
    words = text_of(tokens[at]).split()
    if all(word in CLASSES or "…" in word for word in words):
        return True
    before = [each.value for each in tokens[:at]]
    if before[-1] == "(" and before[-2] in SELECTING | FOR_PROGRAMMERS:
        return True
    if before[-1] in ("{", ",") and tokens[at + 1].value == ":":
        return True
    start = max((place for place, value in enumerate(before) if value in "{},;"), default=0)
    return "class" in before[start:] or text_of(tokens[at]).startswith(OF_MARKUP)


def sentences_past(source: str) -> Iterator[tuple[int, str]]:
    """Yield the lines and texts of two words or more that are not the catalogue's."""
    tokens = tokens_of(source)
    ours = {place for place, _ in translated(tokens)}
    for at, token in enumerate(tokens):
        if token.kind not in ("string", "template_string") or at in ours:
            continue
        for code in inner_codes(token) if token.kind == "template_string" else ():
            yield from sentences_past(code)
        text = text_of(token)
        if TWO_WORDS.search(text) and not is_for_the_browser(tokens, at):
            yield token.line, text


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_no_sentence_of_a_script_goes_past_the_catalogue(script: Path) -> None:
    assert list(sentences_past(script.read_text("utf-8"))) == []


@pytest.mark.parametrize(
    ("code", "count"),
    [
        ('say("White wins.");', 1),
        ("say(`${who} wins the game.`);", 1),
        ('say(`${isOver ? "White wins." : ""}`);', 1),
        ('say(tr("White wins."));', 0),
        ('say(tr("{who} wins.", { who: "White wins" }));', 1),
        ('say(trN("{n} wild goose", "{n} wild geese", n));', 0),
        ('h("p", { class: "quite quiet" });', 0),
        ('const of = { "one key": 1 };', 0),
        ('say(isOver ? "White wins." : "");', 1),
    ],
)
def test_what_goes_past_is_found(code: str, count: int) -> None:
    assert len(list(sentences_past(code))) == count


def test_every_sentence_of_a_script_is_extracted() -> None:
    """Babel does not see calls with values within a template."""
    known = {
        text
        for each in catalogues.extracted(catalogue.DOMAIN)
        if each.id
        for text in (*([each.id] if isinstance(each.id, str) else each.id), each.context)
    }
    for script in SCRIPTS:
        tokens = tokens_of(script.read_text("utf-8"))
        codes = [
            code for each in tokens if each.kind == "template_string" for code in inner_codes(each)
        ]
        for found in (tokens, *map(tokens_of, codes)):
            for _, token in translated(found):
                text = json.loads(token.value) if token.kind == "string" else token.value
                if script.name != "language.js":
                    assert text in known, f"{script.name}: {text}"


class _Said(HTMLParser):
    """Gathers the texts of an HTML file that are for people."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._tag = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._tag = tag
        self.texts += [value or "" for name, value in attrs if name in SAID_IN_HTML]

    def handle_data(self, data: str) -> None:
        if self._tag not in ("script", "style"):
            self.texts.append(data)


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_no_word_of_a_page_goes_past_the_catalogue(page: Path) -> None:
    said = _Said()
    said.feed(page.read_text("utf-8"))
    assert len([text for text in said.texts if catalogue.IN_HTML.search(text)]) > FEWEST.get(
        page.name, 5
    )
    texts = (FILLED_IN.sub("", text) for text in said.texts)
    rest = (catalogue.IN_HTML.sub("", text).replace(BRAND, "") for text in texts)
    assert [text for text in rest if WORD.search(text)] == []


@pytest.fixture
def _in_german() -> Iterator[None]:
    with speaking("de"):
        yield


def test_english_is_what_stands_there() -> None:
    page = b'<html lang="en"><a title="{{Pages}}">{{Rules}}</a>'
    assert catalogue.translated(page) == b'<html lang="en"><a title="Pages">Rules</a>'
    code = catalogue.script().decode().splitlines()
    assert code[0] == 'export const language = "en";'
    assert json.loads(code[1].removeprefix("export const languages = ")[:-1]) == [*LANGUAGES]
    assert code[2:] == ["export const words = {};"]


@pytest.mark.usefixtures("_in_german")
def test_german_is_served() -> None:
    page = b'<html lang="en"><a title="{{Pages}}">{{Rules}}</a>'
    assert catalogue.translated(page) == b'<html lang="de"><a title="Seiten">Regeln</a>'
    code = catalogue.script().decode()
    assert code.startswith('export const language = "de";\n')
    assert '"{n} turn": ["{n} Zug", "{n} Züge"]' in code
    assert '"player\\u0004White": "Weiß"' in code

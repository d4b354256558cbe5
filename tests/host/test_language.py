"""The catalogues hold every sentence, in every language, and sentences do not go past them."""

from __future__ import annotations

import ast
import json
import pickle
import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

import hatch_build
from chronotable_host import chapters, language
from chronotable_host.language import kept_by_language, names, others, speaking, tr, tr_c, tr_n
from chronotable_host.live.happenings import Leds, Started
from chronotable_host.live.texts.happening_texts import ending, sentences
from chronotable_host.rules.notation import format_position
from chronotable_host.web.http import catalogue
from tests import catalogues
from ttykm import objects
from ttykm.layout import BLACK, WHITE

ROOT = Path(__file__).resolve().parent.parent.parent

_SENTENCE = re.compile(r"[^\W\d_]{2,}[,;:]? [^\W\d_]")
"""Two words: what is shorter is more often a name of the code."""
_STYLE = re.compile(r"(not )?(bold|dim|reverse)\b[a-z_ ]*")
"""How rich writes text, such as `bold black on white`."""

_SAYING = {"tr", "tr_n", "tr_c"}
_TRANSLATING = {*_SAYING, "Argument", "CommandEntry", "Option", "Typer", "compile"}
"""Help of a command is translated when it is asked for (language/others.py); a pattern
is not said."""
_FOR_PROGRAMMERS = {
    *("AssertionError", "AttributeError", "IndexError", "KeyError", "NotImplementedError"),
    *("RemoteLinkError", "RuntimeError", "TypeError", "ValueError"),
}
"""What is raised for them reaches no player."""
_WRITTEN = {
    "in progress": "a record's Termination",
    "took back …": "a record's comment",
    "SHOW server_encoding": "SQL",
    "does not open": "a reed's fault, as programs read it",
    "does not close": "a reed's fault, as programs read it",
    "may be wired wrongly": "a reed's fault, as programs read it",
    "Chronotable, the table (…)": "a record's White and Black",
    **dict.fromkeys(
        (
            *("CHRONOTABLE TILE", "CHRONOTABLE STRIP", "CHRONOTABLE SPOT", "CHRONOTABLE PICO"),
            *("THIS SIDE TO THE PLATE", "5V IN: TAKE F1 OUT"),
        ),
        "printed on a circuit board",
    ),
}
"""Texts that programs read, and what they are."""

_NO_SENTENCES = {
    "chronotable_host/site/building.py": "HTML",
    "chronotable_host/site/core.py": "a notice of copyright",
    "chronotable_host/archive/schema.py": "SQL",
    "chronotable_host/hardware/circuit/files.py": "Gerber, Excellon, lists for assemblers",
    "chronotable_host/hardware/circuit/footprints.py": "names of parts, as shops have them",
    "chronotable_host/hardware/circuit/kicad.py": "files of KiCad",
    "chronotable_host/hardware/drawings/glyphs.py": "SVG",
    "chronotable_host/hardware/drawings/pdf.py": "PDF",
    "chronotable_host/link/doctor_names.py": "what the doctor's letters mean to a developer",
    "chronotable_host/live/texts/message_texts.py": "what the messages mean to a developer",
    "chronotable_host/virtual/hand.py": "names of habits, which tests count",
    "chronotable_host/limits.py": "what the log says",
    "chronotable_host/hardware/firmware/bundling.py": "Python",
    "chronotable_host/hardware/flashing/on_device.py": "Python",
    "chronotable_host/language/others.py": "sentences of others, looked up by their English words",
    "chronotable_host/hardware/ports/udev.py": "rules for udev",
    "chronotable_host/vectors.py": "what a developer reads of a vector that fails",
    "chronotable_night/games/verifying.py": "the same, of the games of a games night",
    "chronotable_night/games/timemit/effects.py": "what data files say is printed",
}
"""Files whose texts are for no player, and what they are."""

_OF_PROGRAMS = re.compile(
    r"sans-serif$|^Traceback \(|^MicroPython v|^(setoption|id|option) name |^info depth "
    r"|^import machine;|^@keyframes "
    r"|^Chronotable, |^default-src |^attachment; |^Invalid UTF-8$|^<html |^export const "
)
"""Styles, what MicroPython says, the protocol of engines, headers of records, and of the web."""

_FOR_PROGRAMS = {
    *("dry run", "went back"),  # how an installation ended, for --json
    *("micropython rp2", "Raspberry Pi Pico with RP2040", "Raspberry Pi Pico W with"),  # of a Pico
    *("foreign name", "other table", "other device", "other program"),  # causes, for --json
    "needs MicroPython",  # of the firmware's log
    "That Time You Killed Me",  # a name
    *("each gate", "order hand", "order deck"),  # of a game's data files, and its actions
}
"""Texts that are compared with what other programs say, or that others compare."""

_COMMAND = re.compile(r"(?:chronotable|sudo|usbipd|winget) \S+(?: \S+){0,4}")
"""A command for a shell, to be copied as it is."""


def _calls(node: ast.AST) -> str:
    """Return the name of the function that a node calls, "" if it calls none."""
    if not isinstance(node, ast.Call):
        return ""
    name = node.func
    return name.attr if isinstance(name, ast.Attribute) else getattr(name, "id", "")


def _is_passed_over(node: ast.AST) -> bool:
    """Whether what is in a node is translated, or for programmers."""
    if isinstance(node, ast.Assert):
        return True
    if isinstance(node, ast.Raise) and node.exc is not None:
        return _calls(node.exc) in _FOR_PROGRAMMERS
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True  # a docstring, or text in its place
    return _calls(node) in _TRANSLATING


def _is_sentence(text: str) -> bool:
    if text in _FOR_PROGRAMS or text in _WRITTEN:
        return False
    if _COMMAND.fullmatch(text) or _STYLE.fullmatch(text) or _OF_PROGRAMS.search(text):
        return False
    return _SENTENCE.search(text) is not None


def _sentences(node: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the lines and sentences in a tree that go past the catalogue."""
    if _calls(node) in _SAYING and any(isinstance(each, ast.JoinedStr) for each in node.args):
        yield node.lineno, "an f-string in tr(), which the catalogues cannot have"
    if _is_passed_over(node):
        return
    if isinstance(node, ast.JoinedStr):
        if any(_calls(each) in _SAYING for each in ast.walk(node)):
            yield node.lineno, "tr() in an f-string, where the catalogues do not find it"
        parts = (each.value if isinstance(each, ast.Constant) else "…" for each in node.values)
        text = "".join(map(str, parts))
        if _is_sentence(text):
            yield node.lineno, text
        return
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        if _is_sentence(node.value):
            yield node.lineno, node.value
        return
    types = {id(getattr(node, field, None)) for field in ("annotation", "returns")}
    for child in ast.iter_child_nodes(node):
        if id(child) not in types:
            yield from _sentences(child)


def _python_files() -> list[Path]:
    return sorted(catalogues.HOST.glob("chronotable_*/**/*.py"))


def test_no_sentence_goes_past_the_catalogue() -> None:
    past = []
    for path in _python_files():
        name = path.relative_to(catalogues.HOST)
        if name.as_posix() in _NO_SENTENCES:
            continue
        found = _sentences(ast.parse(path.read_text("utf-8")))
        past += [f"{name}:{line}: {text}" for line, text in found]
    assert not past, "to be given to tr():\n" + "\n".join(past)


@pytest.mark.parametrize(
    ("code", "count"),
    [
        ('print("White wins.")', 1),
        ('print(f"{who} wins the game.")', 1),
        ('print(tr("White wins."))', 0),
        ("print(f\"{tr('White wins.')}\")", 1),
        ('print(tr("{who} wins.", who="White wins"))', 0),
        ('print(tr(f"{who} wins the game."))', 1),
        ('def f():\n    """White wins."""', 0),
        ('raise ValueError("white wins")', 0),
        ('raise UserError("white wins")', 1),
        ('x = "white"', 0),
        ('x: "list[int, str]" = []', 0),
        ('style = "bold black on white"', 0),
        ('x = typer.Option("--all", help="All games.")', 0),
        ('x = "sudo modprobe cdc_acm"', 0),
        ('x = "sudo modprobe cdc_acm makes a port of it, and so does a restart."', 1),
    ],
)
def test_what_goes_past_is_found(code: str, count: int) -> None:
    assert len(list(_sentences(ast.parse(code)))) == count


def _places(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("spoken", catalogues.LANGUAGES)
@pytest.mark.parametrize("domain", catalogues.DOMAINS)
def test_a_catalogue_is_complete(domain: str, spoken: str) -> None:
    kept = catalogues.read(domain, spoken)
    assert {each.id for each in kept if each.id} == {
        each.id for each in catalogues.extracted(domain) if each.id
    }, "python -m tests.catalogues brings the catalogues up to date"
    for each in kept:
        if not each.id:
            continue
        ids = (each.id,) if isinstance(each.id, str) else each.id
        strings = (each.string,) if isinstance(each.string, str) else each.string
        assert all(strings), f"{spoken}: to be translated: {ids[0]}"
        assert not each.fuzzy, ids[0]
        assert {place for text in strings for place in _places(text)} == {
            place for text in ids for place in _places(text)
        }, ids[0]


def _names(secret: str, text: str) -> bool:
    """Whether a sentence names something of a chapter; what chance begins with is a seed, too."""
    filled = re.sub(r"(\w?)\{[^}]*\}", lambda place: f"{place[1]} 1" if place[1] else "1", text)
    said = filled.replace("with this seed", "")
    return re.search(secret, said, re.IGNORECASE) is not None


def test_sentences_of_the_firmware_about_board_files_are_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(others, "LANGUAGE", "")
    monkeypatch.setattr(others, "tr", lambda *_, **__: "known")
    tree = ast.parse(
        (ROOT / "firmware" / "lib" / "chronotable" / "hardware" / "board.py").read_text("utf-8")
    )
    said = [node.args[1] for node in ast.walk(tree) if _calls(node) in {"BoardError", "_taken"}]
    sentences = [
        "".join(
            str(part.value) if isinstance(part, ast.Constant) else ""
            for part in (each.values if isinstance(each, ast.JoinedStr) else [each])
        )
        for each in said
        if isinstance(each, (ast.Constant, ast.JoinedStr))
    ]
    assert len(sentences) > 20
    for sentence in sentences:
        assert others.translated(sentence, others.WRONG_BOARD) == "known", sentence


@pytest.mark.parametrize("spoken", catalogues.LANGUAGES)
def test_a_translation_is_as_secret_as_what_it_translates(spoken: str) -> None:
    """Else a chapter would be given away, or a sentence held back, in one language alone."""
    otherwise = []
    for each in catalogues.read(language.DOMAIN, spoken):
        pairs = [(each.id, each.string)]
        if not isinstance(each.id, str):
            pairs = [*zip(each.id, each.string, strict=False)]
        for chapter, (english, other) in enumerate(
            zip(chapters.secrets_in("en"), chapters.secrets_in(spoken), strict=True), 1
        ):
            otherwise += [
                f"{chapter}: {text} - {translated}"
                for text, translated in pairs
                if _names(english, text) != _names(other, translated)
            ]
    assert not otherwise, "\n".join(otherwise)


@pytest.mark.parametrize("spoken", catalogues.LANGUAGES)
def test_programs_read_what_is_in_the_catalogues(
    monkeypatch: pytest.MonkeyPatch, spoken: str
) -> None:
    """By what they say: how a library packs them is its own affair."""
    monkeypatch.setenv("LANGUAGE", spoken)
    read = language.read_catalogue(language.DOMAIN)
    anew = "an installation, or python -m tests.catalogues, makes what programs read anew"
    for each in catalogues.read(language.DOMAIN, spoken):
        one, *several = hatch_build.strings(each.id)
        said = hatch_build.strings(each.string)
        if not one:
            continue
        if several:
            found = tuple(read.ngettext(one, several[0], n) for n in (1, 2))
        else:
            found = (read.pgettext(each.context, one) if each.context else read.gettext(one),)
        assert found == said, anew
    page = catalogues.po_path(catalogue.DOMAIN, spoken)
    words = hatch_build.page_words(catalogues.read(catalogue.DOMAIN, spoken))
    assert json.loads(page.with_suffix(".json").read_text("utf-8")) == words, anew


@pytest.mark.parametrize(
    ("environment", "wanted"),
    [
        ({"LANGUAGE": "de_AT:fr:en:it", "LANG": "en_GB.UTF-8"}, ["de_AT", "fr"]),
        ({"LANG": "de_DE.UTF-8"}, ["de_DE.UTF-8"]),
        ({"LC_ALL": "en_US.UTF-8", "LANG": "de_DE.UTF-8"}, []),
        ({"LC_ALL": "C.UTF-8", "LANG": "de_DE.UTF-8"}, []),
        ({"LANGUAGE": "", "LC_MESSAGES": "de"}, ["de"]),
    ],
)
def test_the_environment_chooses(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], wanted: list[str]
) -> None:
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert language.wanted_languages() == wanted


@pytest.mark.parametrize(
    ("system", "wanted"), [("German_Austria", "de"), ("de_AT", "de"), ("English_Canada", None)]
)
def test_the_system_chooses_where_the_environment_does_not(
    monkeypatch: pytest.MonkeyPatch, system: str, wanted: str | None
) -> None:
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(language.locale, "getlocale", lambda: (system, "cp1252"))
    assert language.read_catalogue(language.DOMAIN).info().get("language") == wanted


def test_german_is_spoken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGUAGE", "de_AT")
    assert language.read_catalogue(language.DOMAIN).info()["language"] == "de"


# ---- wording


@pytest.mark.parametrize("modules", [0, objects.GROWTH, objects.ALL_MODULES])
@pytest.mark.parametrize(("first", "name"), [(WHITE, "white"), (BLACK, "black")])
def test_who_begins_is_said_whatever_is_played(modules: int, first: int, name: str) -> None:
    start = format_position(objects.new_state(modules, first))
    told = list(sentences(Started(5, start), None))
    assert told == [("started", f"A game begins; {name} is to move.")]


@pytest.mark.parametrize(
    ("winner", "by", "sentence"),
    [
        ("white", "normal", "White wins."),
        ("black", "resigned", "Black wins by resignation."),
        ("draw", "agreed", "The game is drawn by agreement."),
    ],
)
def test_how_a_game_ended(winner: str, by: str, sentence: str) -> None:
    assert ending(winner, by) == sentence


def test_what_a_picture_shows_is_not_said() -> None:
    assert not list(sentences(Leds(5, {"past 1": "copy"}), None))


def test_what_was_said_is_said_anew_in_another_language() -> None:
    """Wherever it is put into a sentence of that language; in the program's own it is a text."""
    one, several = (f"an invitation has nine words; there {verb} {{n}}" for verb in ("is", "are"))
    said = tr_n(one, several, 2), tr_c("player", "White"), tr("in the past")
    assert [*map(str, said)] == [several.format(n=2), "White", "in the past"]
    with speaking("de"):
        words = "eine Einladung hat neun Wörter; hier sind 2"
        assert [*map(str, said)] == [words, "Weiß", "in der Vergangenheit"]
        assert f"{said[1]}!" == "Weiß!" == f"{said[1]}!"
        assert tr_c("player", "White") == "Weiß"
        assert pickle.loads(pickle.dumps(said[1])) == "Weiß"
    assert f"{said[1]}!" == "White!"


def test_what_is_kept_is_kept_for_each_language() -> None:
    made = []

    @kept_by_language(2)
    def greeting(name: str) -> str:
        made.append(name)
        return f"{names.PLAYERS[0]}, {name}"

    for _ in range(2):
        assert greeting("Ada") == "White, Ada"
        with speaking("de"):
            assert greeting("Ada") == "Weiß, Ada"
    assert made == ["Ada", "Ada"]

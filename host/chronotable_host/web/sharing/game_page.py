"""A game as one HTML file: a replay that works from a disk, without a server and without asking.

It is the page's own stage: its modules and style sheets packed into one script and one sheet, and
the game beside them as JSON. The file says itself that it may load nothing. Without scripts it
tells the game as a text.
"""

import json
import re
import xml.etree.ElementTree as ET
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path
from string import Template
from typing import Any, NamedTuple

from chronotable.hardware.naming import sensor_name
from chronotable.hardware.sensors import SENSORS
from chronotable_host import chapters
from chronotable_host.archive.comments import how_understood, said_by_people
from chronotable_host.archive.parsing import ParsedRecord
from chronotable_host.engine.analysis import value_of
from chronotable_host.engine.evaluation import chance_of
from chronotable_host.errors import printable
from chronotable_host.language import kept_by_language, names, tr
from chronotable_host.live.players.seats import YOU
from chronotable_host.live.texts.happening_texts import ending
from chronotable_host.rules.annotations import (
    BLUNDER,
    INACCURACY,
    MISSED_WIN,
    MISTAKE,
    Annotation,
    read_annotations,
)
from chronotable_host.rules.notation import ERAS, PLAYERS, format_turn
from chronotable_host.rules.record import RESULTS, Record
from chronotable_host.rules.turn_story import TurnStory, story_of
from chronotable_host.web import looks
from chronotable_host.web.http import catalogue
from chronotable_host.web.http.files import page_of
from chronotable_host.web.position_json import position_json
from chronotable_host.web.sharing.packing import packed_script, packed_sheet
from chronotable_host.web.study.games import judged_turns
from chronotable_host.web.view import count_copies, marks_of
from ttykm import layout, objects
from ttykm.layout import WHITE

_STATIC = Path(__file__).parent.parent / "static"
SHEETS = ("tokens.css", "style.css", "eras.css", "stage.css", "replay.css")
"""The style sheets of the page, which lie beside the scripts."""

_CATALOGUE = "catalogue.js"
_POLICY = (
    "default-src 'none'; script-src {script}; style-src {sheet}; img-src data:; "
    "base-uri 'none'; form-action 'none'"
)
_TYPEFACES = re.compile(r'\n  <link.rel="stylesheet".href="static/materials.css">')
_WINNERS = dict(zip(RESULTS, (*PLAYERS, "draw"), strict=False))

_WORDS = {
    INACCURACY: tr("inaccuracy"),
    MISTAKE: tr("mistake"),
    BLUNDER: tr("blunder"),
    MISSED_WIN: tr("missed win"),
}
"""What a turn that could have been better is called."""

_GRAPH_HIGH = 64  # pixels
_COLOURS = {INACCURACY: "--push", MISTAKE: "--squish", BLUNDER: "--death", MISSED_WIN: "--paradox"}
_IN_PIXELS = {"vector-effect": "non-scaling-stroke", "fill": "none"}


class _Shell(NamedTuple):
    """What every shared page of this program has: its frame, and the policy that lets it in."""

    page: str
    sheet: str
    script: str
    policy: str


def game_page(reading: ParsedRecord, turn: int, is_served: bool = False) -> str:
    """Return a game as an HTML file in the language that is spoken; it opens at a turn.

    One that `is_served` has the typefaces of the page that serves it, and a way back to it.
    Raises LockedError where it needs a chapter that is locked here.
    """
    record = reading.record
    modules = objects.modules_of(record.start)
    chapters.require(modules, record.options)
    stories = [
        story_of(state, turn, record.options)
        for state, turn in zip(reading.states, record.turns, strict=False)
    ]
    shell = _shell()
    title = tr("{white} against {black}", **dict(zip(PLAYERS, players(record), strict=True)))
    own = " 'self'; font-src 'self'" if is_served else ""
    page = shell.page if is_served else _TYPEFACES.sub("", shell.page)
    return Template(page).substitute(
        title=escape(f"{title} · Chronotable"),
        policy=escape(shell.policy.replace("; img", f"{own}; img")),
        sheet=shell.sheet,
        script=shell.script,
        told="\n".join(_plain_html(record, stories, title, modules)),
        game=_as_data({**_game(reading, stories), "opens": turn, "home": is_served and "./"}),
    )


def players(record: Record) -> list[str]:
    """Return what both players are called, in a line of text; nobody is "you" to who reads it."""
    headers = (record.headers[name.capitalize()] for name in PLAYERS)
    return [
        printable(header) if header not in ("", "?", YOU) else name
        for header, name in zip(headers, names.PLAYERS, strict=True)
    ]


def end_of(record: Record) -> str:
    """Return in a sentence how a game ended."""
    winner = _WINNERS.get(record.headers["Result"])
    return ending(winner, record.headers["Termination"]) if winner else tr("In progress.")


def _game(reading: ParsedRecord, stories: Sequence[TurnStory]) -> dict[str, Any]:
    """Return what the page's script needs, as `static/shared.js` says; of the looks only these."""
    record = reading.record
    begun = count_copies(reading.states[0])
    positions = [json.loads(position_json(state, begun)) for state in reading.states]
    known = looks.pieces(chapters.shown())
    lying = {piece["look"] for position in positions for piece in position["pieces"]}
    first = layout.mover(record.start)
    judged = judged_turns(record, reading.states)
    return {
        "names": players(record),
        "result": record.headers["Result"],
        "says": end_of(record),
        "starting_comment": printable(record.starting_comment),
        "places": [names.place(sensor_name(sensor)) for sensor in range(SENSORS)],
        "pieces": {look: dict(known[look]) for look in sorted(lying)},
        "positions": positions,
        "turns": [
            {
                "no": number,
                "player": PLAYERS[(first + number - 1) % 2],
                "turn": format_turn(turn),
                "understood": how_understood(comment),
                "comment": printable(said_by_people(comment)),
                "says": story.says,
                "focus": ERAS[story.focus],
                **marks_of(story),
                "said": said,
            }
            for number, (turn, comment, story, said) in enumerate(
                zip(record.turns, record.comments, stories, judged, strict=True), 1
            )
        ],
    }


def _plain_html(
    record: Record, stories: Sequence[TurnStory], title: str, modules: int
) -> Iterator[str]:
    """Yield the game as HTML that is read without scripts: who, how it ended, graph and turns."""
    headers = record.headers
    played = "" if headers["Date"].startswith("?") else printable(headers["Date"])
    kind = names.modules(headers["Modules"])
    yield f"<h1>{escape(title)}</h1>"
    yield f"<p>{escape(' · '.join(filter(None, [end_of(record), played, kind])))}</p>"
    if record.starting_comment:
        yield f"<p>{escape(printable(record.starting_comment))}</p>"
    said = read_annotations(record.comments)
    yield _chance_graph(said, len(record.turns), modules)
    yield "<ol>"
    first = layout.mover(record.start)
    chances = _white_chances(said, modules)
    for at, (turn, story) in enumerate(zip(record.turns, stories, strict=True)):
        player = names.PLAYERS[(first + at) % 2]
        text = f"{at + 1}. {player}: {story.says}. {names.ERAS[story.focus].capitalize()}."
        if at < len(said):
            chance = tr("{chance} % for White", chance=round(100 * chances[at]))
            mark = _WORDS.get(said[at].mark, "")
            text += f" ({', '.join(filter(None, [chance, mark]))})"
        remark = escape(printable(said_by_people(record.comments[at])))
        yield f"<li>{escape(text)} <code>{escape(format_turn(turn))}</code> {remark}</li>"
    yield "</ol>"


@kept_by_language()
def _shell() -> _Shell:
    script = packed_script("shared.js", _module)
    sheet = packed_sheet(SHEETS, _read)
    page = page_of(_STATIC / "shared.html").decode()
    policy = _POLICY.format(script=_hash(script), sheet=_hash(sheet))
    return _Shell(page, sheet, script, policy)


def _read(file: str) -> str:
    return (_STATIC / file).read_text("utf-8")


def _module(file: str) -> str:
    """Return a module of the page; the catalogue only with the sentences that are said here."""
    if file != _CATALOGUE:
        return _read(file)
    said = catalogue.words().items()
    return catalogue.script_of(
        {key: told for key, told in said if key.split("\x04")[-1] in _sentences()}
    )


@cache
def _sentences() -> frozenset[str]:
    """Return the sentences that the modules say, whatever they are about."""
    script = packed_script("shared.js", lambda file: "" if file == _CATALOGUE else _read(file))
    return frozenset(json.loads(text) for text in re.findall(r'"(?:[^"\\\n]|\\.)*"', script))


def _hash(content: str) -> str:
    return f"'sha256-{b64encode(sha256(content.encode()).digest()).decode()}'"


def _as_data(game: Mapping[str, Any]) -> str:
    """Return JSON that ends no element of HTML."""
    return json.dumps(game, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _white_chances(said: Sequence[Annotation], modules: int) -> list[float]:
    """Return how likely White is to win after each turn, 0 to 1; `modules` are those played."""
    return [chance_of(value_of(each.value, WHITE), modules) for each in said]


def _chance_graph(said: Sequence[Annotation], turns: int, modules: int) -> str:
    """Return the winning chances in a game of so many turns as SVG, "" where none was analysed.

    It takes its colours from the page, and its width from where it stands: a turn is one unit wide
    and certainty 100 high, so lines and dots are drawn in pixels.
    """
    if not said:
        return ""
    chances = _white_chances(said, modules)
    heights = [round(100 * (1 - chance), 1) for chance in chances]
    # what the first turn was chosen from is worth what the best one is
    first = chance_of(value_of(said[0].best_value or said[0].value, WHITE), modules)
    line = "L".join(f"{at} {y:g}" for at, y in enumerate([round(100 * (1 - first), 1), *heights]))
    svg = ET.Element(
        "svg",
        {
            "class": "chances",
            "viewBox": f"0 0 {turns} 100",
            "width": "100%",
            "height": str(_GRAPH_HIGH),
            "preserveAspectRatio": "none",
            "role": "img",
            "aria-label": _chances_told(said, chances),
        },
    )
    _add(svg, "rect", width=str(turns), height="100", fill="var(--black)")
    _add(svg, "path", d=f"M0 100L{line}V100z", fill="var(--white)")
    _add(svg, "path", d=f"M0 50H{turns}", stroke="var(--strong-line)", **_IN_PIXELS)
    for at, (each, y) in enumerate(zip(said, heights, strict=True), 1):
        if each.mark in _COLOURS:
            dot = {"stroke": f"var({_COLOURS[each.mark]})", "stroke-width": "9"}
            _add(
                svg, "path", d=f"M{at} {y:g}h0", **dot, **_IN_PIXELS, **{"stroke-linecap": "round"}
            )
    return ET.tostring(svg, encoding="unicode")


def _chances_told(said: Sequence[Annotation], chances: Sequence[float]) -> str:
    marks = [each.mark for each in said]
    counts = [f"{word} {marks.count(mark)}" for mark, word in _WORDS.items() if mark in marks]
    told = tr(
        "How likely White wins, turn by turn: {least} % at least, {most} % at most, {last} % at "
        "the end.",
        least=round(100 * min(chances)),
        most=round(100 * max(chances)),
        last=round(100 * chances[-1]),
    )
    return f"{told} {', '.join(counts)}".strip()


def _add(parent: ET.Element, tag: str, **attributes: str) -> None:
    ET.SubElement(parent, tag, attributes)

"""A position as three boards, drawn for a terminal; its copies, objects and LEDs."""

from array import array
from collections.abc import Mapping
from typing import TYPE_CHECKING

from chronotable_host.language import names, tr
from chronotable_host.rules.notation import PLAYER_NAMES
from chronotable_host.rules.object_texts import SEED_MARK, legend, object_cell, supplies
from ttykm import layout, objects
from ttykm.objects import SEED

if TYPE_CHECKING:
    from rich.text import Text

Highlights = Mapping[int, tuple[str, str]]
"""Sensor to (mark, style): 0..47 the spaces, 48..53 the focus spots, as in hardware/sensors.py.

A mark is one character: colour is never the only channel. A style is one of rich's.
"""

_FOCUS_SPOTS = 48
_COPY_STYLES = ("bold black on white", "bold white on black")
_WIDTH = 79
_NAME_WIDTH = 9  # of an era, with a space behind it
_TITLE_WIDTH = 16  # of that, what stands before it and the word behind it
_HAS_ROOM = max(map(len, names.ERAS)) < _NAME_WIDTH
"""Whether the word can stand above the boards; else a line below them says where a focus is."""


def draw(state: "array[int]", highlights: Highlights | None = None, unicode: bool = True) -> "Text":
    """Return a position as three boards side by side, 69 columns wide.

    Copies are W and B, empty spaces show their number; the focus of a player stands above the era.
    What the marks of objects mean is said below.
    """
    from rich.text import Text  # noqa: PLC0415 - few who import this draw

    marks = highlights or {}
    rule = _rules("├┼┤┌┬┐└┴┘─│" if unicode else "+++++++++-|")
    picture = Text(no_wrap=True)
    for era in range(3):
        picture.append_text(_title(state, era, marks))
        picture.append("\n" if era == 2 else "   ")
    for row in range(4):
        picture.append("   ".join([rule[1 if row == 0 else 0]] * 3) + "\n")
        for era in range(3):
            for column in range(4):
                picture.append(rule[3])
                picture.append_text(_cell(state, era, 4 * row + column, marks))
            picture.append(rule[3] + ("\n" if era == 2 else "   "))
    picture.append("   ".join([rule[2]] * 3) + "\n")
    white, black = layout.supply(state, 0), layout.supply(state, 1)
    mover = names.PLAYERS[layout.mover(state)]
    picture.append(" " + tr("{player} to move", player=mover), "bold")
    picture.append("   " + tr("supply: White {white}, Black {black}", white=white, black=black))
    foci = ""
    if not _HAS_ROOM:
        at_white, at_black = (names.ERAS[layout.focus(state, player)] for player in range(2))
        foci = tr(
            "focus: White in the {white}, Black in the {black}", white=at_white, black=at_black
        )
    for line in filter(None, [foci, supplies(state), *_lines(legend(state))]):
        picture.append("\n " + line, "dim")
    return picture


def _lines(texts: list[str]) -> list[str]:
    """Return texts side by side in lines that a terminal has room for."""
    lines: list[str] = []
    for text in texts:
        if lines and len(lines[-1]) + len(text) + 3 < _WIDTH:
            lines[-1] += "   " + text
        else:
            lines.append(text)
    return lines


def can_draw_lines(encoding: str | None) -> bool:
    """Tell whether a stream's encoding has the characters of the drawing."""
    try:
        "├┼┤┌┬┐└┴┘─│".encode(encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True


def _rules(characters: str) -> tuple[str, str, str, str]:
    """Return the middle, top and bottom line of a board and the upright stroke."""
    across = characters[9] * 4
    middle, top, bottom = (
        characters[at] + characters[at + 1].join([across] * 4) + characters[at + 2]
        for at in (0, 3, 6)
    )
    return middle, top, bottom, characters[10]


def _title(state: "array[int]", era: int, marks: Highlights) -> "Text":
    """Return the 21 columns above a board: its name, and whose focus is there."""
    from rich.text import Text  # noqa: PLC0415 - few who import this draw

    spots = Text()
    for player in range(2):
        here = layout.focus(state, player) == era
        mark, style = marks.get(_FOCUS_SPOTS + 3 * player + era, (" ", ""))
        style = style or (_COPY_STYLES[player] if here else "")
        spots.append((PLAYER_NAMES[player][0] if here else " ") + mark, style)
    title = Text(f" {names.ERAS[era]:<{_NAME_WIDTH}}", "bold")
    word = tr("focus") + " " if spots.plain.strip() and _HAS_ROOM else ""
    title.append(f"{word:<{_TITLE_WIDTH - len(title)}}", "not bold")
    return title.append_text(spots).append(" ")


def _cell(state: "array[int]", era: int, space: int, marks: Highlights) -> "Text":
    from rich.text import Text  # noqa: PLC0415 - few who import this draw

    mark, style = marks.get(16 * era + space, (" ", ""))
    content, own_style = object_cell(state, era, space)
    if not content:
        content, own_style = str(space + 1), "dim"
    for player in range(2):
        if state[layout.COPIES + 3 * player + era] >> space & 1:
            is_sown = objects.kind_at(state, era, space) == SEED
            content, own_style = is_sown * SEED_MARK + PLAYER_NAMES[player][0], _COPY_STYLES[player]
    if style:
        return Text(f" {content:>2}{mark}", style)
    return Text(" ").append(f"{content:>2}", own_style).append(mark)

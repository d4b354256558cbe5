"""What people read: a sentence for every reason code, and a position drawn as three boards.

The rules decide; this file only finds words for what they said. Sentences name their rule.
"""

from array import array
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.text import Text

from chronotable_host.object_texts import SEED_MARK, drawn, legend, name_of, supplies, with_article
from chronotable_host.rules import refusals
from chronotable_host.rules.notation import ACTIONS, ERAS, PLAYERS, no_action
from chronotable_host.rules.record import RecordError
from chronotable_host.sentences import GENERAL, PRECISE
from ttykm import layout, objects, reasons
from ttykm.entry import beyond
from ttykm.game import Game, IllegalTurnError
from ttykm.layout import BACK, FORWARD, RECORD_WORDS
from ttykm.objects import ELEPHANT, NOTHING, SEED

if TYPE_CHECKING:
    from rich.text import Text

Highlights = Mapping[int, tuple[str, str]]
"""Sensor to (mark, style): 0..47 the spaces, 48..53 the focus spots, as in chronotable.sensors.

A mark is one character: colour is never the only channel. A style is one of rich's.
"""

NAMES = tuple(player.capitalize() for player in PLAYERS)

_FOCUS_SPOTS = 48
_COPY_STYLES = ("bold black on white", "bold white on black")
_DIRECTIONS = ("north", "east", "south", "west")
_TRAVELS = {FORWARD: "forward", BACK: "back"}
_STEPS = {FORWARD: 1, BACK: -1}
_ELEPHANTS = {"cD": ELEPHANT, "cL": ELEPHANT + 1}  # that a command's text begins with
_WIDTH = 79


def reason_text(code: int) -> str:
    """Return the sentence of a reason code, "" for LEGAL, where the position is not at hand."""
    if code == reasons.LEGAL:
        return ""
    return f"{GENERAL[code]} ({refusals.rule(code)})."


def why_text(game: Game, turn: int) -> str:
    """Return why a packed turn is not legal now, in one sentence; "" where it is legal.

    Of an action that the game does not have it says what reading one that there is nowhere says.
    """
    code = refusals.why_illegal(game, turn)
    if code not in PRECISE and code != reasons.UNKNOWN_ACTION:
        return reason_text(code)
    attempt = _failing_action(game, turn)
    if code == reasons.UNKNOWN_ACTION:
        return no_action(ACTIONS[attempt.action]) if attempt.is_named else reason_text(code)
    sentence = PRECISE[code].format(
        winner=NAMES[game.winner()],
        mover=NAMES[game.mover],
        here=ERAS[layout.focus(game.state, game.mover)],
        chosen=(turn >> 12 & 15) + 1,
        **attempt.words(),
    )
    return f"{sentence} ({refusals.rule(code)})."


@dataclass(frozen=True)
class _Attempt:
    """An action that fails: the position, era and space of the copy that tries it, and its code."""

    state: "array[int]"
    era: int
    space: int
    action: int

    @property
    def is_named(self) -> bool:
        """Whether the code is that of an action in some game."""
        return self.action < len(ACTIONS)

    def words(self) -> dict[str, str]:
        """Return what sentences about it say."""
        text = ACTIONS[self.action].rstrip("*") if self.is_named else ""
        side = "NESW".find(text[-1]) if text else -1
        direction = _DIRECTIONS[side] if side >= 0 else ""
        elephant = _ELEPHANTS.get(text[:2])
        start = self.space if elephant is None else self._find(elephant)
        aim = beyond(start, side + 1) if side >= 0 and start >= 0 else start
        target = self.era + _STEPS.get(self.action, 0)
        thing = NOTHING
        if aim >= 0 and target in range(3):
            thing = objects.kind_at(self.state, target, aim)
        return {
            "era": ERAS[self.era],
            "space": str(self.space + 1),
            "target": ERAS[target] if target in range(3) else "",
            "direction": direction,
            "travel": _TRAVELS.get(self.action, ""),
            "aim": str(aim + 1),
            "where": f"on space {aim + 1}"
            if aim >= 0
            else f"beyond the wall {direction} of space {self.space + 1}",
            "Thing": with_article(thing) if thing else "",
            "kind": "" if elephant is None else name_of(elephant).split()[0],
        }

    def _find(self, kind: int) -> int:
        """Return where the object of a kind is in the era, or -1."""
        return next((s for s in range(16) if objects.kind_at(self.state, self.era, s) == kind), -1)


def _failing_action(game: Game, turn: int) -> _Attempt:
    """Return the first action of a turn that fails; the second one where both are possible."""
    first, second = turn >> 6 & 63, turn & 63
    state, era, space = game.state, layout.focus(game.state, game.mover), turn >> 12 & 15
    table = game.scratch
    index = table.follow(state, layout.pack_sequence(space, first, 0), game.options)
    if not first or index < 0:
        return _Attempt(state, era, space, first)
    place = table.records[index * RECORD_WORDS + layout.ACTIVE]
    if place == layout.GONE:
        return _Attempt(state, era, space, first)
    between = array("H", state)
    table.copy(index, between)
    return _Attempt(between, place >> 4, place & 15, second)


def record_problem(error: RecordError) -> str:
    """Return what is wrong with a record; where a turn is not legal, in a sentence."""
    cause = error.__cause__
    text = str(error)
    if isinstance(cause, IllegalTurnError):
        why = refusals.why_illegal(cause.game, cause.turn)
        return f"{text.rpartition(' (')[0]}: {reason_text(why)}"
    return text


def draw(state: "array[int]", highlights: Highlights | None = None, unicode: bool = True) -> "Text":
    """Return a position as three boards side by side, 69 columns wide.

    Copies are W and B, empty spaces show their number; the focus of a player stands above the era.
    What the marks of objects mean is said below.
    """
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
    picture.append(f" {NAMES[layout.mover(state)]} to move", "bold")
    picture.append(f"   supply: White {white}, Black {black}")
    for line in filter(None, [supplies(state), *_lines(legend(state))]):
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


def draw_plain(
    state: "array[int]", highlights: Highlights | None = None, unicode: bool = True
) -> str:
    """Return the drawing without colours, its lines without spaces at the end."""
    return "\n".join(line.rstrip() for line in draw(state, highlights, unicode).plain.split("\n"))


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
    spots = Text()
    for player in range(2):
        here = layout.focus(state, player) == era
        mark, style = marks.get(_FOCUS_SPOTS + 3 * player + era, (" ", ""))
        style = style or (_COPY_STYLES[player] if here else "")
        spots.append((NAMES[player][0] if here else " ") + mark, style)
    title = Text(f" {ERAS[era]:<9}", "bold")
    title.append("focus " if spots.plain.strip() else "      ", "not bold")
    return title.append_text(spots).append(" ")


def _cell(state: "array[int]", era: int, space: int, marks: Highlights) -> "Text":
    """Return the four columns of one space."""
    mark, style = marks.get(16 * era + space, (" ", ""))
    content, own_style = drawn(state, era, space)
    if not content:
        content, own_style = str(space + 1), "dim"
    for player in range(2):
        if state[layout.COPIES + 3 * player + era] >> space & 1:
            is_sown = objects.kind_at(state, era, space) == SEED
            content, own_style = is_sown * SEED_MARK + NAMES[player][0], _COPY_STYLES[player]
    if style:
        return Text(f" {content:>2}{mark}", style)
    return Text(" ").append(f"{content:>2}", own_style).append(mark)

"""What people read: a sentence for every reason code, and a position drawn as three boards.

The rules decide; this file only finds words for what they said. Sentences name their rule.
"""

from array import array
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ttykm import layout, reasons
from ttykm.game import Game, IllegalTurnError
from ttykm.layout import BACK, EAST, FORWARD, NORTH, RECORD_WORDS, SOUTH, WEST
from ttykm.notation import ERAS, PLAYERS
from ttykm.record import RecordError

if TYPE_CHECKING:
    from rich.text import Text

Highlights = Mapping[int, tuple[str, str]]
"""Sensor to (mark, style): 0..47 the spaces, 48..53 the focus spots, as in chronotable.sensors.

A mark is one character: colour is never the only channel. A style is one of rich's.
"""

NAMES = tuple(player.capitalize() for player in PLAYERS)

_FOCUS_SPOTS = 48
_COPY_STYLES = ("bold black on white", "bold white on black")
_DIRECTIONS = {NORTH: "north", EAST: "east", SOUTH: "south", WEST: "west"}
_TRAVELS = {FORWARD: "forward", BACK: "back"}

# what can be said without the position, as when only the code came over the link
_SENTENCES = {
    reasons.GAME_OVER: "The game is over, so there are no more turns",
    reasons.SAME_FOCUS: "The focus is in that era already, and it must go to another one",
    reasons.NO_COPY_THERE: "The player to move has no copy on that space of the focus era",
    reasons.ACTIONS_DUE: "A copy in the focus era can act, so the focus cannot just shift",
    reasons.SECOND_ACTION_DUE: "The copy can take a second action, so it must",
    reasons.CHOOSE_ABLER_COPY: "Another copy in the focus era can take more actions, so it must "
    "be one of those",
    reasons.ACTIVE_COPY_DEAD: "The copy died in its first action, so it cannot take a second one",
    reasons.TWO_ACTIONS_REQUIRED: "A turn of two actions is possible and this game demands it, so "
    "the copy cannot die in its first action",
    reasons.WALL: "The wall is in the way, so the copy cannot move there",
    reasons.NO_ERA_THERE: "There is no era in that direction to travel to",
    reasons.SPACE_TAKEN_FORWARD: "The same space of the next era is taken, so you cannot travel "
    "forward",
    reasons.SPACE_TAKEN_BACK: "The same space of the era before is taken, so you cannot travel "
    "back",
    reasons.SUPPLY_EMPTY: "The supply is empty, so you cannot travel back",
    reasons.UNKNOWN_ACTION: "There is no such action in this game",
}

_PRECISE = {
    reasons.GAME_OVER: "{winner} has won, so there are no more turns",
    reasons.SAME_FOCUS: "{mover}'s focus is in the {here} already, and it must go to another era",
    reasons.NO_COPY_THERE: "{mover} has no copy on space {chosen} in the {here}, where the focus "
    "is",
    reasons.ACTIONS_DUE: "{mover} has a copy in the {here} that can act, so the focus cannot just "
    "shift",
    reasons.SECOND_ACTION_DUE: "The copy from space {chosen} can take a second action, so it must",
    reasons.CHOOSE_ABLER_COPY: "Another copy in the {here} can take more actions than the one on "
    "space {chosen}, so it must be one of those",
    reasons.WALL: "There is a wall {direction} of space {space} in the {era}, so you cannot move "
    "there",
    reasons.NO_ERA_THERE: "There is no era beyond the {era}, so you cannot travel {travel}",
    reasons.SPACE_TAKEN_FORWARD: "Space {space} in the {target} is taken, so you cannot travel "
    "forward",
    reasons.SPACE_TAKEN_BACK: "Space {space} in the {target} is taken, so you cannot travel back",
    reasons.SUPPLY_EMPTY: "{mover}'s supply is empty, so you cannot travel back",
}


def reason_text(code: int) -> str:
    """Return the sentence of a reason code, "" for LEGAL, where the position is not at hand."""
    if code == reasons.LEGAL:
        return ""
    return f"{_SENTENCES[code]} ({reasons.RULES[code]})."


def why_text(game: Game, turn: int) -> str:
    """Return why a packed turn is not legal now, in one sentence; "" where it is legal."""
    code = reasons.why_illegal(game, turn)
    if code not in _PRECISE:
        return reason_text(code)
    era, space, action = _failing_action(game, turn)
    target = era + (1 if action == FORWARD else -1)
    sentence = _PRECISE[code].format(
        winner=NAMES[game.winner()],
        mover=NAMES[game.mover],
        here=ERAS[layout.focus(game.state, game.mover)],
        chosen=(turn >> 12 & 15) + 1,
        era=ERAS[era],
        space=space + 1,
        target=ERAS[target] if target in range(3) else "",
        direction=_DIRECTIONS.get(action, ""),
        travel=_TRAVELS.get(action, ""),
    )
    return f"{sentence} ({reasons.RULES[code]})."


def _failing_action(game: Game, turn: int) -> tuple[int, int, int]:
    """Return era and space of the copy before the first action that fails, and that action.

    Where both actions are possible, the second one is returned.
    """
    first, second = turn >> 6 & 63, turn & 63
    era, space = layout.focus(game.state, game.mover), turn >> 12 & 15
    table = game.scratch
    index = table.follow(game.state, layout.pack_sequence(space, first, 0), game.options)
    if not first or index < 0:
        return era, space, first
    place = table.records[index * RECORD_WORDS + layout.ACTIVE]
    if place == layout.GONE:
        return era, space, first
    return place >> 4, place & 15, second


def record_problem(error: RecordError) -> str:
    """Return what is wrong with a record; where a turn is not legal, in a sentence."""
    cause = error.__cause__
    text = str(error)
    if isinstance(cause, IllegalTurnError):
        return f"{text.rpartition(' (')[0]}: {reason_text(cause.reason)}"
    return text


def draw(state: "array[int]", highlights: Highlights | None = None, unicode: bool = True) -> "Text":
    """Return a position as three boards side by side, 69 columns wide.

    Copies are W and B, empty spaces show their number; the focus of a player stands above the era.
    """
    from rich.text import Text  # noqa: PLC0415 - half of the commands draw nothing

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
    return picture


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
    from rich.text import Text  # noqa: PLC0415

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
    from rich.text import Text  # noqa: PLC0415

    mark, style = marks.get(16 * era + space, (" ", ""))
    content, own_style = str(space + 1), "dim"
    for player in range(2):
        if state[layout.COPIES + 3 * player + era] >> space & 1:
            content, own_style = NAMES[player][0], _COPY_STYLES[player]
    if style:
        return Text(f" {content:>2}{mark}", style)
    return Text(" ").append(f"{content:>2}", own_style).append(mark)

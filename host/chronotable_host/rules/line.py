"""Turns that follow each other, with comments, and with variations in the place of some of them.

A game is such a line, and so is a variation: what could have been played from one of its turns on.
As in PGN it stands in brackets behind the turn that it takes the place of, and may have variations
of its own: `12. 1 E F >past ( 12. 6 N N >future {better} 13. 2 E E >past )`.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from chronotable_host.errors import UserError
from chronotable_host.language import tr
from chronotable_host.rules.notation import format_turn

MOST_NESTED = 10
"""So deep may variations stand within each other."""


class Line:
    """Packed turns from turn `first` on, a comment for each, "" for none.

    `starting_comment` stands in front of the first of them. `variations` has those in the place of
    a turn, by its number.
    """

    def __init__(self, first: int = 1) -> None:
        self.first = first
        self.starting_comment = ""
        self.turns: list[int] = []
        self.comments: list[str] = []
        self.variations: dict[int, list[Line]] = {}

    @property
    def due(self) -> int:
        """Return the number of the turn that would come next."""
        return self.first + len(self.turns)

    def add(self, turn: int, comment: str = "") -> None:
        """Append a turn; the caller knows that it is legal."""
        self.turns.append(turn)
        self.comments.append(clean(comment) if comment else "")

    def take_back(self) -> int:
        """Remove the last turn, and what could have been played in its place, and return it.

        Raises IndexError when there is none.
        """
        self.comments.pop()
        self.variations.pop(self.due - 1, None)
        return self.turns.pop()


def clean(comment: str) -> str:
    """Return a comment on one line without braces of its own."""
    return " ".join(comment.replace("{", "(").replace("}", ")").split())


def turn_line(number: int, turn: int, comment: str = "") -> str:
    """Return one turn's line without its line break; `number` counts from 1."""
    line = f"{number}. {format_turn(turn)}"
    return line + f" {{{comment}}}" if comment else line


def format_lines(game: Line) -> Iterator[str]:
    """Yield the lines of a game's turns, each variation on a line of its own."""
    if game.starting_comment:
        yield f"{{{game.starting_comment}}}"
    for number, (turn, comment) in enumerate(zip(game.turns, game.comments, strict=True), 1):
        yield turn_line(number, turn, comment)
        for other in game.variations.get(number, ()):
            yield f"  {_in_brackets(other)}"


def _in_brackets(line: Line) -> str:
    parts = [f"{{{line.starting_comment}}}"] if line.starting_comment else []
    for number, turn, comment in zip(
        range(line.first, line.due), line.turns, line.comments, strict=True
    ):
        parts.append(turn_line(number, turn, comment))
        parts += map(_in_brackets, line.variations.get(number, ()))
    return f"( {' '.join(parts)} )"


def keep(game: Line, number: int, turns: Sequence[int]) -> bool:
    """Keep turns that could have been played from turn `number` on, if they are not there yet.

    Return whether any of them is new. Raises UserError where the game has no such turn: then a
    variation has no place in it. The caller knows that they are legal.
    """
    lines, there = _walk(game, number, turns)
    if there == len(turns):
        return False
    line, due = lines[-1], number + there
    if due != line.due or line is game:
        if not line.first <= due < line.due:
            raise UserError(
                tr("the game has no turn {number} that this could stand for", number=due)
            )
        if len(lines) > MOST_NESTED:
            raise UserError(tr("variations stand within each other too deeply there"))
        variation = Line(due)
        line.variations.setdefault(due, []).append(variation)
        line = variation
    for turn in turns[there:]:
        line.add(turn)
    return True


def drop(game: Line, number: int, turns: Sequence[int]) -> bool:
    """Forget the last of turns that are kept from turn `number` on, and what follows it.

    Return whether it was there, and none of the game's own.
    """
    lines, there = _walk(game, number, turns)
    if there < len(turns) or len(lines) == 1:
        return False
    above, line = lines[-2:]
    last = number + len(turns) - 1
    if last == line.first:
        above.variations[last].remove(line)
        if not above.variations[last]:
            del above.variations[last]
    while line.turns and line.due > last:
        line.take_back()
    return True


def _walk(game: Line, number: int, turns: Sequence[int]) -> tuple[list[Line], int]:
    """Return the lines along which turns from turn `number` on go, and how many of them there are.

    The first of the lines is the game, each other one a variation of the one before.
    """
    lines = [game]
    for at, turn in enumerate(turns, number):
        line = lines[-1]
        if line.first <= at < line.due and line.turns[at - line.first] == turn:
            continue
        others = line.variations.get(at, [])
        known = next((each for each in others if each.turns[0] == turn), None)
        if known is None:
            return lines, at - number
        lines.append(known)
    return lines, len(turns)


class Way(NamedTuple):
    """How a variation is come to: it leaves the game at turn `number`, and these are all turns.

    Those of one within another begin with what leads there; `own` of them are the variation's,
    in front of which `starting_comment` stands.
    """

    number: int
    turns: list[int]
    own: int
    starting_comment: str


def ways(game: Line) -> Iterator[Way]:
    """Yield each variation, those within another behind it."""
    todo = [
        (number, list[int](), each) for number, them in game.variations.items() for each in them
    ]
    while todo:
        number, before, line = todo.pop(0)
        turns = [*before, *line.turns]
        yield Way(number, turns, len(line.turns), line.starting_comment)
        for inner, them in line.variations.items():
            todo += [(number, turns[: inner - number], each) for each in them]

"""Records: one game as a text file, PGN-like (`.ttykm`).

Header lines `[Name "value"]`, an empty line, then one numbered turn per line with an optional
comment in braces, and behind it the variations in its place, each in brackets on a line of its own.
Reading takes any white space, case and line breaks, and comments anywhere among the turns; every
turn is replayed on the rules while reading, so a Record is a legal game, and so are its variations.
"""

from __future__ import annotations

import re
import sys
from array import array
from typing import TYPE_CHECKING, NamedTuple

from chronotable_host.language import tr
from chronotable_host.rules.line import MOST_NESTED, Line, clean, format_lines
from chronotable_host.rules.notation import (
    NotationError,
    UnknownModuleError,
    format_modules,
    format_options,
    format_position,
    format_turn,
    parse_modules,
    parse_number,
    parse_options,
    parse_position,
    parse_turn,
)
from chronotable_host.rules.refusals import rule, why_illegal
from ttykm import layout, objects
from ttykm.game import RULES_VERSION, Game, IllegalTurnError

if TYPE_CHECKING:
    from collections.abc import Iterator

HEADERS = (
    "Modules",
    "Options",
    "Start",
    "White",
    "Black",
    "Date",
    "Board",
    "Rules",
    "Termination",
    "Result",
)
DRAW = "Draw"
"""A header that a record may have: `convergence SEED`, what drew the modules (C1)."""

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
IN_PROGRESS = "in progress"
"""Termination of a game that has no result: it goes on, or was left."""

TERMINATIONS = ("normal", "resigned", "agreed", IN_PROGRESS)

_DRAWER = "convergence"
_SEED_DIGITS = 10

_ESCAPED = re.compile(r"\\(.?)")  # as header_line does
_NO_SPACE = re.compile(r"\S")
_MARK = re.compile(r"[{}()]")
_TURN = re.compile(r"([0-9]{1,5})\s*\.([^>]*>\s*\S+)")

_FORMERLY = "abandoned"  # as records said of a game in progress

# which results a termination can have
_FITTING = {
    "normal": ("1-0", "0-1"),
    "resigned": ("1-0", "0-1"),
    "agreed": ("1/2-1/2",),
    IN_PROGRESS: ("*",),
}


class RecordError(NotationError):
    """A record cannot be read; `turn` is the number of the turn it fails at, 0 for the headers."""

    def __init__(self, message: str, turn: int = 0) -> None:
        super().__init__(message)
        self.turn = turn


class ClaimError(RecordError):
    """The headers claim another end than the turns give.

    `record` is all there is to know, and `won` the result that the last turn gives, "" for none.
    """

    def __init__(self, message: str, record: Record, won: str) -> None:
        super().__init__(message)
        self.record = record
        self.won = won


class Record(Line):
    """One game: headers, start, turns, comments, variations.

    `headers` holds all header lines in their order, unknown ones too. `turns` are packed,
    `comments` has one text per turn, empty for none, and `starting_comment` what stands in front.
    """

    def __init__(self, start: array[int] | None = None, options: int = 0) -> None:
        super().__init__()
        self.start = layout.new_state() if start is None else start
        self.options = options
        self.headers = {
            "Modules": format_modules(objects.modules_of(self.start)),
            "Options": format_options(options),
            "Start": format_position(self.start),
            "White": "?",
            "Black": "?",
            "Date": "????-??-??",
            "Board": "?",
            "Rules": str(RULES_VERSION),
            "Termination": IN_PROGRESS,
            "Result": "*",
        }

    def finish(self, result: str, termination: str) -> None:
        """Set result and termination; raises RecordError where they do not fit each other."""
        _check_end(result, termination)
        self.headers["Result"] = result
        self.headers["Termination"] = termination

    def replay(self) -> Iterator[Game]:
        """Yield the game at the start and after every turn; the same object, moved on.

        Raises RecordError at an illegal turn.
        """
        game = Game()
        game.start(self.start, self.options)
        yield game
        for number, turn in enumerate(self.turns, 1):
            try:
                game.apply(turn)
            except IllegalTurnError as error:
                broken = rule(why_illegal(game, turn))
                why = tr(
                    "turn {number}: {turn} is not legal ({rule})",
                    number=number,
                    turn=format_turn(turn),
                    rule=broken,
                )
                raise RecordError(why, number) from error
            yield game


def last(games: Iterator[Game]) -> Game:
    """Return the game at the end of a replay."""
    game = Game(0)
    for game in games:  # noqa: B007 - the last one is wanted
        pass
    return game


def header_line(name: str, value: str) -> str:
    """Return one header line without its line break."""
    value = " ".join(value.split()).replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{value}"]'


def format_record(record: Record) -> str:
    """Return the canonical text of a record."""
    lines = [header_line(name, value) for name, value in record.headers.items()]
    lines.append("")
    lines.extend(format_lines(record))
    return "\n".join(lines) + "\n"


def parse_record(text: str, lines_before: int = 0) -> Record:
    r"""Read one record and replay it; takes and raises what `parse_states` does.

    >>> record = parse_record('[White "Ada"]\n\n1. 1 E E >future *')
    >>> record.headers["White"], len(record.turns)
    ('Ada', 1)
    """
    return parse_states(text, lines_before)[0]


def parse_states(text: str, lines_before: int = 0) -> tuple[Record, list[array[int]]]:
    """Read one record and replay it; return its states too, the start and that after every turn.

    `lines_before` are in front of it in its file, for an error to name the right one.
    Raises RecordError (a NotationError), and UnknownModuleError for a game that is not known.
    """
    headers, body, line = _split_headers(text, 1 + lines_before)
    modules = -1
    if "Modules" in headers:
        modules = parse_modules(headers["Modules"], tr("header {name}", name="Modules"))
    try:
        start = (
            parse_position(headers["Start"])
            if "Start" in headers
            else objects.new_state(max(modules, 0))
        )
        options = parse_options(headers.get("Options", ""))
    except UnknownModuleError:
        raise
    except NotationError as error:
        raise RecordError(tr("header: {problem}", problem=error)) from error
    played = objects.modules_of(start)
    if modules not in (-1, played):
        raise RecordError(
            tr(
                "header Modules: '{modules}' is not what Start says, '{played}'",
                modules=format_modules(modules),
                played=format_modules(played),
            )
        )
    record = Record(start, options)
    canonical = dict(record.headers)
    record.headers.update(headers)
    for name in ("Modules", "Options", "Start"):
        record.headers[name] = canonical[name]
    _check_draw(record.headers, played)
    rules = record.headers["Rules"]
    if rules not in (canonical["Rules"], "?"):
        raise RecordError(
            tr(
                "header Rules: the game was played by rules version '{rules}', this is version "
                "{known}; use the chronotable that wrote it",
                rules=rules,
                known=canonical["Rules"],
            )
        )
    record.headers["Result"] = record.headers["Result"].strip()
    termination = record.headers["Termination"].strip().lower()
    record.headers["Termination"] = IN_PROGRESS if termination == _FORMERLY else termination
    _read_turns(record, body, line)
    _check_end(record.headers["Result"], record.headers["Termination"])
    states = []
    game = Game(0)
    for game in record.replay():
        states.append(game.state)  # its own: a turn makes a new one
    _check_variations(record, states)
    _check_winner(record, game)
    return record, states


def _check_variations(record: Record, states: list[array[int]]) -> None:
    """Check that all variations are legal; `states` are those that the game's turns begin in."""
    todo: list[tuple[Line, list[array[int]]]] = [(record, states)]
    while todo:
        line, before = todo.pop()
        for number, others in line.variations.items():
            start = before[number - line.first]
            todo += [(each, _states_of(each, start, record.options)) for each in others]


def _states_of(line: Line, start: array[int], options: int) -> list[array[int]]:
    """Return the states that a variation's turns begin in, and that behind the last one."""
    game = Game()
    game.start(start, options)
    states = [game.state]
    for number, turn in zip(range(line.first, line.due), line.turns, strict=True):
        try:
            game.apply(turn)
        except IllegalTurnError as error:
            why = tr(
                "a variation, turn {number}: {turn} is not legal ({rule})",
                number=number,
                turn=format_turn(turn),
                rule=rule(why_illegal(game, turn)),
            )
            raise RecordError(why, number) from error
        states.append(game.state)
    return states


def _check_draw(headers: dict[str, str], played: int) -> None:
    """Check that the modules are what the header Draw drew, and make it canonical.

    Anybody may have headers of the same name: only one that begins as ours has to keep to ours.
    """
    words = headers.get(DRAW, "").lower().split()
    if not words or words[0] != _DRAWER:
        return
    seed = parse_number(words[1], _SEED_DIGITS) if len(words) == 2 else -1
    if not 0 <= seed < 1 << 32:
        raise RecordError(
            tr("header Draw: '{draw}' should say one number below 2^32", draw=headers[DRAW])
        )
    drawn = objects.convergence(seed)
    if drawn != played:
        raise RecordError(
            tr(
                "header Draw: '{draw}' draws '{drawn}', but '{played}' is played",
                draw=headers[DRAW],
                drawn=format_modules(drawn),
                played=format_modules(played),
            )
        )
    headers[DRAW] = f"{_DRAWER} {seed}"


def _check_end(result: str, termination: str) -> None:
    if termination not in _FITTING:
        raise RecordError(
            tr(
                "header Termination: '{termination}' is none of {known}",
                termination=termination,
                known=", ".join(TERMINATIONS),
            )
        )
    if result not in RESULTS:
        raise RecordError(
            tr(
                "header Result: '{result}' is none of {known}",
                result=result,
                known=" ".join(RESULTS),
            )
        )
    if result not in _FITTING[termination]:
        raise RecordError(
            tr(
                "header Result: '{result}' does not go with '{termination}'",
                result=result,
                termination=termination,
            )
        )


def _check_winner(record: Record, game: Game) -> None:
    won = RESULTS[game.winner()] if game.winner() != layout.NOBODY else ""
    result, termination = record.headers["Result"], record.headers["Termination"]
    if termination == "normal" and result != won:
        why = tr(
            "header Result: '{result}' is claimed, but the last turn gives {given}",
            result=result,
            given=f"'{won}'" if won else tr("no win (T29)"),
        )
        raise ClaimError(why, record, won)
    if won and termination != "normal":
        raise ClaimError(
            tr(
                "header Termination: '{termination}' is claimed, but the last turn wins '{won}' "
                "(T29)",
                termination=termination,
                won=won,
            ),
            record,
            won,
        )


def _split_headers(text: str, line: int) -> tuple[dict[str, str], str, int]:
    """Return the headers, the text behind them and its line number; the text's is `line`."""
    headers: dict[str, str] = {}
    if text[:1] == "\ufeff":  # as some editors begin a file
        text = text[1:]
    text = text.replace("\r\n", "\n")
    known = {name.lower(): name for name in HEADERS}
    known[DRAW.lower()] = DRAW
    at = 0
    while True:
        behind = at
        at = _skip_space(text, at)
        line += text.count("\n", behind, at)
        if text[at : at + 1] != "[":
            return headers, text[at:], line
        name, value, at = _read_header(text, at, line)
        name = known.get(name.lower(), name)
        if name in headers:
            raise RecordError(tr("line {line}: header {name} stands twice", line=line, name=name))
        headers[name] = value


def _read_header(text: str, at: int, line: int) -> tuple[str, str, int]:
    """Return name and value of the header that begins at `at`, and where the text goes on.

    A header ends on its line, with the first quote that a bracket follows.
    """
    line_end = text.find("\n", at)
    if line_end < 0:
        line_end = len(text)
    opening = text.find('"', at, line_end)
    name = text[at + 1 : opening].strip() if opening > 0 else ""
    closing = opening
    is_name = len(name.split()) == 1
    while is_name:
        closing = text.find('"', closing + 1, line_end)
        if closing < 0:
            break
        first = closing  # of the backslashes in front of it
        while text[first - 1] == "\\":
            first -= 1
        end = _skip_space(text, closing + 1, line_end)
        if (closing - first) % 2 == 0 and text[end : end + 1] == "]":
            value = _ESCAPED.sub(r"\1", text[opening + 1 : closing])
            return name, value, end + 1
    bare = text[at:line_end].strip()
    raise RecordError(
        tr("line {line}: a header reads [Name \"value\"], not '{text}'", line=line, text=bare)
    )


def _skip_space(text: str, at: int, end: int = sys.maxsize) -> int:
    """Return the place of the first character from `at` on that is no white space, or the end."""
    found = _NO_SPACE.search(text, at, end)
    return found.start() if found else min(end, len(text))


class _OpenLine(NamedTuple):
    """A line that is being read, and the comments of its last turn, or in front of its first."""

    line: Line
    notes: list[str]

    def settle(self, turns: int) -> None:
        """Give the comments to the last of the first so many turns, or to the line's start."""
        said = "; ".join(self.notes)
        if turns:
            self.line.comments[turns - 1] = said
        else:
            self.line.starting_comment = said
        self.notes.clear()


def _read_turns(record: Record, body: str, line: int) -> None:
    """Read numbered turns with comments and variations.

    `line` is the line of the body's first character.
    """
    at = 0
    lines = [_OpenLine(record, [])]  # the game, and variations that stand within each other
    while True:
        now = lines[-1]
        mark = _MARK.search(body, at)
        piece = body[at : mark.start() if mark else len(body)]
        if mark and mark[0] == "}":
            at_line = line + piece.count("\n")
            raise RecordError(tr("line {line}: '}}' without '{{'", line=at_line))
        turns = len(now.line.turns)
        _read_piece(record, now.line, piece, line)
        line += piece.count("\n")
        if len(now.line.turns) > turns:
            now.settle(turns)
        if mark is None:
            now.settle(len(now.line.turns))
            if len(lines) > 1:
                raise RecordError(tr("line {line}: a variation is not closed", line=line))
            return
        at = mark.end()
        match mark[0]:
            case "(":
                lines.append(_OpenLine(_open_variation(now.line, len(lines), line), []))
            case ")":
                if len(lines) == 1 or not now.line.turns:
                    raise RecordError(tr("line {line}: ')' closes no variation", line=line))
                lines.pop().settle(len(now.line.turns))
            case _:
                closing = body.find("}", at)
                if closing < 0:
                    raise RecordError(
                        tr("line {line}: a comment is opened and not closed", line=line)
                    )
                comment = clean(body[at:closing])
                if comment:
                    now.notes.append(comment)
                line += body.count("\n", at, closing)
                at = closing + 1


def _open_variation(parent: Line, nested: int, line: int) -> Line:
    """Return a variation in the place of the last turn of a line, which has it from now on."""
    if not parent.turns:
        why = tr("line {line}: a variation stands behind the turn that it replaces", line=line)
        raise RecordError(why)
    if nested > MOST_NESTED:
        why = tr("line {line}: variations stand within each other too deeply", line=line)
        raise RecordError(why)
    variation = Line(parent.due - 1)
    parent.variations.setdefault(variation.first, []).append(variation)
    return variation


def _read_piece(record: Record, turns: Line, piece: str, line: int) -> None:
    """Read the turns in a piece without comments, and a result behind the last of the game.

    `line` is the line of its first character. The text is never cut: a long one takes no longer
    than its length says.
    """
    at, end = _skip_space(piece, 0), len(piece.rstrip())
    while at < end:
        due = turns.due
        found = _TURN.match(piece, at, end)
        if found is None or int(found[1]) != due:
            _check_result(record, turns, piece, at, end, line)
            return
        try:
            turn = parse_turn(found[2])
        except NotationError as error:
            at_line = line + piece.count("\n", 0, at)
            raise RecordError(_at_turn(at_line, due, str(error)), due) from error
        turns.add(turn)
        at = _skip_space(piece, found.end())


def _check_result(record: Record, turns: Line, piece: str, at: int, end: int, line: int) -> None:
    """Check that what stands in the place of a turn, up to `end`, is the game's result."""
    line += piece.count("\n", 0, at)
    rest = piece[at:end] if end - at <= len(RESULTS[2]) else ""
    if rest in RESULTS and turns is record:
        said = record.headers["Result"]
        if rest != said:
            raise RecordError(
                tr(
                    "line {line}: '{result}' ends the game, but the header says '{said}'",
                    line=line,
                    result=rest,
                    said=said,
                )
            )
        return
    due = turns.due
    dot = piece.find(".", at)
    if dot < 0 or parse_number(piece[at:dot].strip()) != due:
        bare = piece[at:].partition("\n")[0].strip()
        why = tr(
            "line {line}: turn {due} is due, as in '{due}. 6 E F >future', not '{text}'",
            line=line,
            due=due,
            text=bare,
        )
        raise RecordError(why, due)
    said = piece[dot + 1 :].strip().partition("\n")[0]
    problem = tr("'{text}' does not say the new focus, as in >past", text=said)
    raise RecordError(_at_turn(line, due, problem), due)


def _at_turn(line: int, turn: int, problem: str) -> str:
    return tr("line {line}, turn {turn}: {problem}", line=line, turn=turn, problem=problem)

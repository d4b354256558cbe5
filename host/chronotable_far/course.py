"""The course of a room: what the logs of both ends say, as a pure function of them.

The entries are taken one by one in their one order (log.py). What does not fit where it comes to
stand is void: both ends find the same. The rules are the referee, so a turn counts only where it is
legal and leads to the position that its digest says; one that is due and does not ends the room
with a problem, for then both ends do not play by the same rules.
"""

from __future__ import annotations

import threading
from array import array
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from chronotable_far.entries import (
    AGAIN,
    BEGIN,
    DRAW,
    INVITER,
    JOIN,
    JOINER,
    NO,
    RESIGN,
    SAY,
    TAKE_BACK,
    TURN,
    YES,
    LogEntry,
    other,
)
from chronotable_far.log import merged
from chronotable_host.language import tr
from chronotable_host.rules.notation import (
    PLAYERS,
    NotationError,
    parse_options,
    parse_position,
    parse_turn,
)
from chronotable_host.rules.record import RESULTS
from ttykm import layout
from ttykm.game import RULES_VERSION, Game, IllegalTurnError, digest, winner
from ttykm.layout import BLACK, NOBODY, WHITE

NORMAL, RESIGNED, AGREED = "normal", "resigned", "agreed"
_KEPT = 200  # courses, for changes that come late; an earlier one has all judged again
MOST_SAID = 200
"""Lines of chat that a course has, the last ones."""

_PROBLEMS = {
    "rules": tr(
        "the two ends have programs with different rules of the game; update chronotable on both, "
        "and begin a new room"
    ),
    "turn": tr(
        "a turn of the other end cannot have been played, or led elsewhere: the two programs do "
        "not have the same rules; update chronotable on both, and begin a new room"
    ),
}

VOID = {
    "begun": tr("the game has begun already"),
    "joined": tr("somebody has joined already"),
    "alone": tr("nobody has joined yet"),
    "over": tr("the game is over"),
    "on": tr("the game is not over yet"),
    "passed": tr("the game has gone on meanwhile"),
    "mover": tr("it is not this side's turn"),
    "question": tr("the other one has asked something meanwhile"),
    "answer": tr("there is nothing to answer any more"),
    "silent": tr("there is a chat only where both want one"),
    "problem": tr("the game cannot be gone on with"),
}
"""Why an entry is void: sentences, by what the code says."""


class VoidError(Exception):
    """An entry does not fit where it stands; `why` is of VOID."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Begin(NamedTuple):
    """What the inviter laid down; `colour` is the inviter's in the first game.

    `clock` is a header TimeControl, `draw` a header Draw, "" for none; `id` is of this room alone.
    """

    start: array[int]
    options: int
    colour: int
    clock: str
    draw: str
    name: str
    date: str
    rules: int
    chat: bool
    id: str


class Join(NamedTuple):
    """What the one who was invited said."""

    name: str
    rules: int
    chat: bool


class PlayedTurn(NamedTuple):
    """A turn, packed, of an `end`; `state` is the position after it."""

    turn: int
    digest: int
    at_ms: int
    how: str
    left_s: int | None
    end: str
    state: array[int]


class Question(NamedTuple):
    """What an end has asked, in its entry `number`; `to` how many turns shall stay."""

    kind: str
    by: str
    number: int
    to: int = 0
    date: str = ""


class ChatLine(NamedTuple):
    """A line of chat; `number` is that of its entry."""

    end: str
    text: str
    number: int


class RoomGame(NamedTuple):
    """One game of a room. `history` has every turn, and None where the last one was taken back."""

    sides: dict[str, int]
    date: str
    history: tuple[PlayedTurn | None, ...] = ()
    line: tuple[PlayedTurn, ...] = ()
    result: tuple[str, str] | None = None


class Course(NamedTuple):
    """What the logs say; nothing in it is ever changed.

    `part` is the present game; `void` counts the entries that did not fit; `no_by` is the end that
    closed the last question with a no, be it to the other one's or its own.
    """

    begin: Begin | None = None
    join: Join | None = None
    part: RoomGame = RoomGame({INVITER: WHITE, JOINER: BLACK}, "")
    earlier: tuple[RoomGame, ...] = ()
    question: Question | None = None
    no_by: str = ""
    chat: tuple[ChatLine, ...] = ()
    void: int = 0
    trouble: str = ""

    @property
    def problem(self) -> str:
        """Why the game cannot go on, "" where it can."""
        return _PROBLEMS[self.trouble] if self.trouble else ""

    @property
    def sides(self) -> dict[str, int]:
        """The side of each end in the present game."""
        return self.part.sides

    @property
    def start(self) -> array[int]:
        """The position that each game begins at."""
        return self.begin.start if self.begin is not None else layout.new_state()

    @property
    def options(self) -> int:
        """The options of the rules."""
        return self.begin.options if self.begin is not None else 0

    @property
    def line(self) -> tuple[PlayedTurn, ...]:
        """The turns that count."""
        return self.part.line

    @property
    def result(self) -> tuple[str, str] | None:
        """Result and termination as a record has them, None while the game is on."""
        return self.part.result

    @property
    def games(self) -> int:
        """How many games of the room are over before this one."""
        return len(self.earlier)

    @property
    def state(self) -> array[int]:
        """The position as it is now."""
        return self.line[-1].state if self.line else self.start

    @property
    def mover(self) -> str:
        """The end whose turn it is, "" where no game is on."""
        if self.begin is None or self.join is None or self.result or self.trouble:
            return ""
        side = layout.mover(self.state)
        return next(end for end, its in self.sides.items() if its == side)

    @property
    def names(self) -> dict[str, str]:
        """The name of each end that has said it."""
        said = {INVITER: self.begin, JOINER: self.join}
        return {end: each.name for end, each in said.items() if each is not None}

    @property
    def can_chat(self) -> bool:
        """Whether both want a chat."""
        return all(each is not None and each.chat for each in (self.begin, self.join))


_referee = threading.local()  # its game: with modules it has much memory, which takes long to get

NOTHING = Course()
"""The course of empty logs."""


def fold(chains: Mapping[str, Sequence[LogEntry]]) -> Course:
    """Return the course of two logs."""
    course = NOTHING
    for entry in merged(chains):
        course = step(course, entry)
    return course


def step(course: Course, entry: LogEntry) -> Course:
    """Return the course after one more entry."""
    try:
        return judge(course, entry)
    except VoidError:
        return course._replace(void=course.void + 1)


def judge(course: Course, entry: LogEntry) -> Course:
    """Return the course after an entry that fits; raises VoidError where it does not."""
    if course.trouble:
        raise VoidError("problem")
    if entry.kind not in (BEGIN, JOIN) and course.join is None:
        raise VoidError("alone")
    return _JUDGES[entry.kind](course, entry)


class Fold:
    """The course of logs that grow, without judging all of their entries each time."""

    def __init__(self) -> None:
        self._order: list[LogEntry] = []
        self._courses: list[Course | None] = [NOTHING]

    @property
    def course(self) -> Course:
        """The course of all entries."""
        course = self._courses[-1]
        assert course is not None
        return course

    def follow(self, chains: Mapping[str, Sequence[LogEntry]]) -> None:
        """Have the course of these logs: what stands in front of the first change is known."""
        order = list(merged(chains))
        known = 0
        for one, two in zip(order, self._order, strict=False):
            if one is not two:
                break
            known += 1
        if self._courses[known] is None:
            known = 0
        del self._courses[known + 1 :]
        self._order = order
        for entry in order[known:]:
            self._courses.append(step(self.course, entry))
            if len(self._courses) > _KEPT + 1:
                self._courses[-_KEPT - 1] = None
        self._courses[0] = NOTHING


# ---- what each kind does


def _begin(course: Course, entry: LogEntry) -> Course:
    fields = entry.fields
    if course.begin is not None or entry.end != INVITER or entry.number != 1:
        raise VoidError("begun")
    colour = PLAYERS.index(fields["colour"])
    begin = Begin(
        parse_position(fields["start"]),
        parse_options(fields["options"]),
        colour,
        fields["clock"],
        fields["draw"],
        fields["name"],
        fields["date"],
        fields["rules"],
        fields["chat"],
        entry.hash,
    )
    return course._replace(
        begin=begin,
        part=RoomGame({INVITER: colour, JOINER: 1 - colour}, begin.date),
        trouble="" if begin.rules == RULES_VERSION else "rules",
    )


def _join(course: Course, entry: LogEntry) -> Course:
    fields = entry.fields
    if course.begin is None or entry.end != JOINER or entry.number != 1:
        raise VoidError("joined")
    join = Join(fields["name"], fields["rules"], fields["chat"])
    return course._replace(join=join, trouble="" if join.rules == course.begin.rules else "rules")


def _turn(course: Course, entry: LogEntry) -> Course:
    fields = entry.fields
    part, question = course.part, course.question
    if part.result is not None:
        raise VoidError("over")
    if (fields["turn"], fields["at"]) != (len(part.line) + 1, digest(course.state)):
        raise VoidError("passed")
    if course.mover != entry.end:
        raise VoidError("mover")
    try:
        turn = parse_turn(fields["text"])
        state = after(course.state, course.options, turn)
    except (NotationError, IllegalTurnError):
        return course._replace(trouble="turn")
    if digest(state) != fields["digest"]:
        return course._replace(trouble="turn")
    played = PlayedTurn(
        turn, fields["digest"], fields["at_ms"], fields["how"], fields["left_s"], entry.end, state
    )
    won = winner(state)
    part = part._replace(
        line=(*part.line, played),
        history=(*part.history, played),
        result=None if won == NOBODY else (RESULTS[won], NORMAL),
    )
    is_past = question is not None and (
        question.by == entry.end or question.kind == TAKE_BACK or part.result is not None
    )
    return course._replace(part=part, question=None if is_past else question)


def after(state: array[int], options: int, turn: int) -> array[int]:
    """Return the position after a turn; raises IllegalTurnError."""
    return _after(state.tobytes(), options, turn)


@lru_cache(maxsize=256)  # a turn is asked for when it is written, checked and taken up
def _after(state: bytes, options: int, turn: int) -> array[int]:
    game: Game | None = getattr(_referee, "game", None)
    if game is None:
        game = _referee.game = Game()
    game.start(array("H", state), options)
    game.apply(turn)
    return game.state


def _take_back(course: Course, entry: LogEntry) -> Course:
    fields = entry.fields
    if course.result is not None and course.result[1] != NORMAL:
        raise VoidError("over")
    is_here = (fields["turns"], fields["at"]) == (len(course.line), digest(course.state))
    if not is_here or fields["to"] >= fields["turns"]:
        raise VoidError("passed")
    return _ask(course, entry, Question(TAKE_BACK, entry.end, entry.number, fields["to"]))


def _draw(course: Course, entry: LogEntry) -> Course:
    if course.result is not None:
        raise VoidError("over")
    return _ask(course, entry, Question(DRAW, entry.end, entry.number))


def _again(course: Course, entry: LogEntry) -> Course:
    if course.result is None:
        raise VoidError("on")
    return _ask(course, entry, Question(AGAIN, entry.end, entry.number, date=entry.fields["date"]))


def _ask(course: Course, entry: LogEntry, question: Question) -> Course:
    """Have a question open; where the other end has asked the same, both agree.

    Who knows of another question of the other end declines it by asking this one.
    """
    open_one = course.question
    if open_one is not None and open_one.by != entry.end:
        if (open_one.kind, open_one.to) == (question.kind, question.to):
            return _agreed(course, open_one, question.date)
        if entry.seen.number < open_one.number:
            raise VoidError("question")
    return course._replace(question=question)


def _yes(course: Course, entry: LogEntry) -> Course:
    fields = entry.fields
    question = course.question
    if question is None or (question.by, question.number) != (other(entry.end), fields["of"]):
        raise VoidError("answer")
    return _agreed(course, question, fields["date"])


def _no(course: Course, entry: LogEntry) -> Course:
    fields = entry.fields
    question = course.question
    if question is None or (question.by, question.number) != (fields["by"], fields["of"]):
        raise VoidError("answer")
    return course._replace(question=None, no_by=entry.end)


def _agreed(course: Course, question: Question, date: str) -> Course:
    part = course.part
    if question.kind == AGAIN:
        sides = {end: 1 - side for end, side in part.sides.items()}
        return course._replace(
            part=RoomGame(sides, date), earlier=(*course.earlier, part), question=None
        )
    if question.kind == DRAW:
        part = part._replace(result=(RESULTS[2], AGREED))
    else:
        undone = len(part.line) - question.to
        part = part._replace(
            line=part.line[: question.to], history=part.history + (None,) * undone, result=None
        )
    return course._replace(part=part, question=None)


def _resign(course: Course, entry: LogEntry) -> Course:
    if course.result is not None:
        raise VoidError("over")
    result = RESULTS[1 - course.sides[entry.end]], RESIGNED
    return course._replace(part=course.part._replace(result=result), question=None)


def _say(course: Course, entry: LogEntry) -> Course:
    if not course.can_chat:
        raise VoidError("silent")
    chat = (*course.chat, ChatLine(entry.end, entry.fields["text"], entry.number))
    return course._replace(chat=chat[-MOST_SAID:])


_JUDGES = {
    BEGIN: _begin,
    JOIN: _join,
    TURN: _turn,
    TAKE_BACK: _take_back,
    DRAW: _draw,
    YES: _yes,
    NO: _no,
    RESIGN: _resign,
    SAY: _say,
    AGAIN: _again,
}

"""What is new in a game far apart, in sentences, and whether the other end is there.

One rule: news is a comparison of two courses and nothing else, so that nothing is told twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from chronotable_far.entries import other
from chronotable_host.language import names, tr, tr_n
from chronotable_host.live.players.negotiation import question_text, typed_question, waiting_text

if TYPE_CHECKING:
    from chronotable_far.course import Course, Question
    from chronotable_far.table import FarTable


def name_of(course: Course, end: str) -> str:
    """Return what people call who is at an end."""
    name = course.names.get(end, "?")
    return tr("the other player") if name == "?" else name


def news(before: Course | None, now: Course, end: str) -> Iterator[str]:
    """Yield what this end is to be told; `before` is None when the program begins."""
    they = other(end)
    if now.begin is None:
        return
    if now.join is not None and (before is None or before.join is None):
        yield _met(now, end)
    if now.problem and (before is None or before.problem != now.problem):
        yield tr("The game cannot go on: {problem}.", problem=now.problem)
    if before is None:
        if now.question is not None and now.question.by == they:
            yield typed_question(question_asked(now, now.question))
        return
    yield from _chat(before, now, they)
    if now.games > before.games:
        side = names.PLAYERS_WITHIN[now.sides[end]]
        yield tr("Another game begins, with colours exchanged: you play {player}.", player=side)
    elif len(now.line) < len(before.line):
        count = len(before.line) - len(now.line)
        yield tr_n("{n} turn was taken back.", "{n} turns were taken back.", count)
    yield from _questions(before, now, end)
    if now.result is not None and now.games == before.games and before.result != now.result:
        yield from _ended(now, end)


def _met(course: Course, end: str) -> str:
    they, side = name_of(course, other(end)), names.PLAYERS_WITHIN[course.sides[end]]
    if course.line:
        return tr_n(
            "The game with {name} goes on behind {n} turn; you play {player}.",
            "The game with {name} goes on behind {n} turns; you play {player}.",
            len(course.line),
            name=they,
            player=side,
        )
    return tr("You play {player} against {name}.", player=side, name=they)


def _chat(before: Course, now: Course, they: str) -> Iterator[str]:
    known = {(each.end, each.number) for each in before.chat}
    for each in now.chat:
        if each.end == they and (each.end, each.number) not in known:
            yield tr("{name}: {text}", name=name_of(now, they), text=each.text)


def _questions(before: Course, now: Course, end: str) -> Iterator[str]:
    was, question = before.question, now.question
    if question == was:
        return
    they = other(end)
    if question is not None:
        if question.by == they:
            yield typed_question(question_asked(now, question))
        return
    is_granted = (
        len(now.line) < len(before.line) or now.games > before.games or now.result != before.result
    )
    if was is not None and not is_granted and len(now.line) == len(before.line):
        yield from _closed(was, now, end)


def _closed(question: Question, now: Course, end: str) -> Iterator[str]:
    """Yield how a question ended with a no; who withdraws an own one knows that."""
    they = other(end)
    name = name_of(now, they)
    if now.no_by == they:
        says = tr("{name} says no.", name=name)
        yield says if question.by == end else tr("{name} withdraws the question.", name=name)
    elif question.by == they:
        yield tr("You have said no to {name}.", name=name)


def question_asked(course: Course, question: Question) -> str:
    """Return what the other end asks."""
    turns = len(course.line) - question.to
    return question_text(question.kind, name_of(course, question.by), turns)


def question_waiting(course: Course, question: Question) -> str:
    """Return what this end has asked the other one, and waits for."""
    return waiting_text(question.kind, name_of(course, other(question.by)))


def _ended(now: Course, end: str) -> Iterator[str]:
    assert now.result is not None
    result, termination = now.result
    if termination == "resigned":
        own_wins = (result == "1-0") == (now.sides[end] == 0)
        if own_wins:
            yield tr("{name} resigns.", name=name_of(now, other(end)))
    elif termination == "agreed":
        yield tr("You have agreed to a draw.")


_MINUTE, _HOUR, _DAY = 60, 3600, 86400


def presence(far: FarTable) -> str:
    """Return in a sentence whether who plays the other side is at their table."""
    room = far.room
    course = room.course
    if course.join is None:
        return tr("Nobody has come by the invitation yet.")
    name = name_of(course, other(room.end))
    if room.there:
        return tr("{name} is there.", name=name)
    if not room.is_connected:
        return tr("Whether {name} is there cannot be seen: the broker is away.", name=name)
    if far.seen_s is None:
        return tr("{name} is not there just now.", name=name)
    return tr("{name} was there {ago}.", name=name, ago=_ago(far.clock() - far.seen_s))


def _ago(seconds: float) -> str:
    if seconds >= _DAY:
        return tr_n("{n} day ago", "{n} days ago", int(seconds // _DAY))
    if seconds >= _HOUR:
        return tr_n("{n} hour ago", "{n} hours ago", int(seconds // _HOUR))
    if seconds >= _MINUTE:
        return tr_n("{n} minute ago", "{n} minutes ago", int(seconds // _MINUTE))
    return tr("a moment ago")

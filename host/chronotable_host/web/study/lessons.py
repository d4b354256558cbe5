"""A lesson, or a puzzle at the table, as the page shows it: what it says, what can be pressed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chronotable_host.language import tr
from chronotable_host.learning.course import DONE, SOLVED
from chronotable_host.learning.lessons.course import LessonCourse
from chronotable_host.learning.lessons.exercises import LESSONS
from chronotable_host.web.headline import Headline

if TYPE_CHECKING:
    from chronotable_host.learning.course import TableCourse

SOLVED_SAYS = tr("Solved!")
WAIT_SAYS = tr("One moment")


def lessons_offered() -> dict[str, Any]:
    """Return what the page offers: what that is called, and each lesson by number and title."""
    titles = [lesson.title for lesson in LESSONS]
    return {
        "title": tr("Learn the game"),
        "offer": tr("Five lessons"),
        "lessons": [
            {"number": number, "title": tr("{number}. {title}", number=number, title=title)}
            for number, title in enumerate(titles, 1)
        ],
    }


def lesson_view(course: TableCourse) -> dict[str, Any]:
    """Return the sheet of a lesson, whose `number` is 0 for puzzles.

    `steps` counts its exercises, `step` those before this one, `learner` is the player who has the
    move; it `is_done` behind the last one. `acts` are what can be pressed: what is asked for, with
    its values, the text of the button, and whether it leads on.
    """
    return {
        "title": course.title,
        "number": course.number if isinstance(course, LessonCourse) else 0,
        "step": course.step,
        "steps": course.steps,
        "says": course.says,
        "is_done": course.state == DONE,
        "learner": course.learner,
        "acts": _acts(course),
    }


def _acts(course: TableCourse) -> list[dict[str, Any]]:
    leave = _act("leave", tr("End puzzles") if course.has_answers else tr("End lesson"))
    if course.state == SOLVED:
        return [leave, _act("go_on", tr("Go on"), is_main=True)]
    if course.state != DONE:
        return [leave, _act("hint", tr("Hint"))]
    play, following = tr("Play a game"), course.following
    if following is None:
        return [_act("leave", play, is_main=True)]
    return [
        _act("leave", play),
        _act("lesson", tr("Lesson {number}", number=following), is_main=True, number=following),
    ]


def _act(do: str, text: str, is_main: bool = False, **values: object) -> dict[str, Any]:
    return {"do": do, "values": values, "text": text, "main": is_main}


def headline_of(course: TableCourse, is_moving: bool, moves_alone: bool) -> dict[str, str]:
    """Return what stands over the boards while no turn is put together, where that differs.

    `is_moving`: a hand carries out a turn; `moves_alone`: a virtual table's hand does all by
    itself, also what is to be set up.
    """
    if course.state == DONE:
        return {}
    if course.state == SOLVED:
        return Headline(SOLVED_SAYS, course.title)._asdict()
    if moves_alone and not is_moving:
        return Headline(WAIT_SAYS, course.title)._asdict()
    return {"note": course.title}

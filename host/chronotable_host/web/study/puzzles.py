"""The puzzles for the page: the list, how a player does, and one puzzle after some turns of it.

One rule: what is asked is answered from what was sent alone, and nothing is kept; how a try ended
is told by a request of the socket (`tried`), and judged once more.

And a lesson, or a puzzle at the table, as the page shows it: what it says, what can be pressed.
"""

from __future__ import annotations

import json
from array import array
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from chronotable_host import chapters
from chronotable_host.archive.facts import copies_text
from chronotable_host.archive.store import Archive
from chronotable_host.errors import UserError
from chronotable_host.language import kept_by_language, tr
from chronotable_host.learning.course import DONE, SOLVED
from chronotable_host.learning.lessons.course import LessonCourse
from chronotable_host.learning.lessons.exercises import LESSONS
from chronotable_host.learning.puzzles.puzzle import LONGEST, Puzzle, PuzzleBox
from chronotable_host.learning.puzzles.standing import (
    Standing,
    Tries,
    rating_text,
    standing_says,
    todays_number,
)
from chronotable_host.learning.puzzles.trial import ON, WRONG, Trial, reply_told
from chronotable_host.live.players.hinter import hint_view
from chronotable_host.rules.notation import ERAS, PLAYERS, format_options, format_turn, parse_turn
from chronotable_host.rules.turn_story import story_of
from chronotable_host.web import looks
from chronotable_host.web.headline import Headline
from chronotable_host.web.http.json_text import JsonText, json_text, with_member
from chronotable_host.web.position_json import position_json
from chronotable_host.web.view import marks_of
from ttykm import layout
from ttykm.game import Game, IllegalTurnError

if TYPE_CHECKING:
    from chronotable_host.learning.course import TableCourse

HINT, SOLUTION = "hint", "solution"
"""What can be asked for beside a puzzle itself."""

_BETWEEN = ";"


class PuzzleProgress(NamedTuple):
    """A puzzle after some turns of the solver: what the last one was worth, and what is said.

    `played` are turns of both, the last wrong one and its answer included; `states` begin with the
    position, and have one more.
    """

    trial: Trial
    verdict: str
    says: str
    played: tuple[int, ...]
    states: tuple[array[int], ...]


class Puzzles:
    """The puzzles of an archive's folder, or of the user's own."""

    def __init__(self, archive: Path | None) -> None:
        self._folder = Archive(archive).folder

    def list(self, player: str) -> dict[str, Any]:
        """Return the puzzles, the easiest first, and how a player does; raises UserError."""
        standing = Tries(self._folder).standing(player)
        puzzles = list(PuzzleBox(self._folder).open())
        return {
            "today": todays_number(),
            "next": standing.next_of(puzzles),
            "standing": _standing(standing),
            "puzzles": [
                {
                    "number": number,
                    "says": puzzle.says,
                    "player": PLAYERS[puzzle.mover],
                    "win": puzzle.win,
                    "rating": puzzle.rating,
                    "copies": copies_text(puzzle.state),
                    "solved": standing.tells(puzzle),
                }
                for number, puzzle in puzzles
            ],
        }

    def puzzle(self, number: int, turns: str, asked: str) -> JsonText:
        """Return a puzzle after turns of the solver, parted by semicolons, as JSON.

        `verdict` is that of the last turn, and `stories` tell each turn of both; after a wrong one
        `tried` is where turn and answer lead, `position` where it is to be tried again. Who asked
        for a HINT gets the turn that is right, as `Hinter.view` has it, who asked for the SOLUTION
        the `rest` of the stories, each with the position behind it. Raises UserError, LockedError
        and NotationError.
        """
        puzzle = PuzzleBox(self._folder).get(number)
        found = judge(puzzle, turns)
        trial = found.trial
        told = zip(found.states, found.played, strict=False)
        stories = [_story(state, turn, puzzle.options) for state, turn in told]
        is_hinted = asked == HINT and not trial.is_solved
        hint = hint_view(trial.game, trial.solution()) if is_hinted else None
        rest = _rest(trial) if asked == SOLUTION else []
        said = json_text(
            {
                "number": number,
                "title": tr("Puzzle {number}", number=number),
                "task": puzzle.says,
                "player": PLAYERS[puzzle.mover],
                "win": puzzle.win,
                "left": trial.left,
                "rating": puzzle.rating,
                "options": format_options(puzzle.options),
                "verdict": found.verdict,
                "says": found.says or puzzle.says,
                "stories": stories,
                "hint": hint,
                "rest": rest,
                "looks": looks.pieces(chapters.shown()),
            }
        )
        said = with_member(said, "position", position_json(trial.game.state, None))
        return with_member(said, "tried", position_json(found.states[-1], None))


def judge(puzzle: Puzzle, turns: str) -> PuzzleProgress:
    """Return a puzzle after turns of the solver; raises NotationError and UserError."""
    given = tuple(parse_turn(each) for each in turns.split(_BETWEEN) if each.strip())
    if len(given) > LONGEST:
        raise UserError(tr("a puzzle has at most {most} turns", most=LONGEST))
    return _judge(puzzle, given)


@kept_by_language(64)  # what was shown is asked for again when it is to be kept
def _judge(puzzle: Puzzle, given: tuple[int, ...]) -> PuzzleProgress:
    trial = Trial(puzzle)
    verdict, says = ON, ""
    tail: tuple[int, ...] = ()
    for turn in given:
        if verdict != ON:
            raise UserError(tr("the puzzle was over before {turn}", turn=format_turn(turn)))
        try:
            reply = trial.play(turn)
        except IllegalTurnError as error:
            raise UserError(tr("{turn} is not legal here", turn=format_turn(turn))) from error
        verdict, says = reply.verdict, reply_told(reply, trial)
        if verdict == WRONG:
            tail = (turn,) if reply.answer is None else (turn, reply.answer)
    played = (*trial.game.turns, *tail)
    game = Game()
    game.start(puzzle.state, puzzle.options)
    states = [game.state[:]]
    for turn in played:
        game.apply(turn)
        states.append(game.state[:])
    return PuzzleProgress(trial, verdict, says, played, tuple(states))


def _story(state: array[int], turn: int, options: int) -> dict[str, Any]:
    story = story_of(state, turn, options)
    who = {"turn": format_turn(turn), "player": PLAYERS[layout.mover(state)]}
    return {**who, "says": story.says, "focus": ERAS[story.focus], **marks_of(story)}


def _rest(trial: Trial) -> list[dict[str, Any]]:
    game, told = Game(), []
    game.start(trial.game.state, trial.puzzle.options)
    for turn in trial.rest():
        story = _story(game.state, turn, game.options)
        game.apply(turn)
        told.append({**story, "position": json.loads(position_json(game.state, None))})
    return told


def _standing(standing: Standing) -> dict[str, Any]:
    return {
        "says": standing_says(standing),
        "rating": rating_text(standing),
        "streak": standing.streak,
        "best_streak": standing.best_streak,
    }


# ---- a lesson, or a puzzle at the table

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

"""The puzzles for the page: the list, how a player does, and one puzzle after some turns of it.

One rule: what is asked is answered from what was sent alone, and nothing is kept; how a try ended
is told by a request of the socket (`tried`), and judged once more.
"""

import json
from array import array
from pathlib import Path
from typing import Any, NamedTuple

from chronotable_host import chapters
from chronotable_host.archive.facts import copies_text
from chronotable_host.archive.store import Archive
from chronotable_host.errors import UserError
from chronotable_host.language import kept_by_language, tr
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
from chronotable_host.web.http.json_text import JsonText, json_text, with_member
from chronotable_host.web.position_json import position_json
from chronotable_host.web.view import marks_of
from ttykm import layout
from ttykm.game import Game, IllegalTurnError

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
    states: "tuple[array[int], ...]"


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


def _story(state: "array[int]", turn: int, options: int) -> dict[str, Any]:
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

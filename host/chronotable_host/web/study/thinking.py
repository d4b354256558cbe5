"""What positions are worth, found for the page while somebody looks at them.

It is work for Python alone, so processes of their own do it, behind all other programs: the game
and the page do not wait for it. One rule: nobody can have more of it than `PROCESSES` at once, and
`MOST_S` for each position; it ends as soon as nobody wants to hear of it.
"""

import time
from array import array
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any, NamedTuple

from anyio import CapacityLimiter, Semaphore, to_thread

from chronotable_host import elsewhere
from chronotable_host.engine.analysis import steady, value_text
from chronotable_host.engine.evaluation import chance_of
from chronotable_host.engine.levels import LEVELS, rules_of
from chronotable_host.engine.search import Limits, Search, Thought
from chronotable_host.errors import UserError
from chronotable_host.language import LANGUAGE, speaking, spoken, tr
from chronotable_host.rules.notation import ERAS, PLAYERS, format_turn, parse_turn, with_box_pieces
from chronotable_host.rules.refusals import why_illegal
from chronotable_host.rules.turn_story import plan_of, story_of
from chronotable_host.web.http.json_text import json_text
from chronotable_host.web.position_json import asked_options, asked_state
from chronotable_host.web.turns_told import where_of
from chronotable_host.web.view import marks_of
from ttykm import objects
from ttykm.game import Game, winner
from ttykm.layout import NOBODY, WHITE

PROCESSES = 2
MOST_S = 10.0
MOST_LINES = 3

_MOST_WAITING = 8
_LOOK_S = 0.25  # so soon it is noticed that nobody wants to hear more
_BETWEEN = ";"


class PositionAsked(NamedTuple):
    """A position to think about: where a game began, and its turns since, packed.

    What is found is told in a `language`.
    """

    start: "array[int]"
    options: int
    turns: tuple[int, ...]
    lines: int = 1
    language: str = LANGUAGE


def asked_question(
    position: str, options: str = "", turns: str = "", lines: int = 1
) -> PositionAsked:
    """Return what is asked, in the texts of a browser; `turns` are parted by semicolons.

    Raises NotationError, LockedError, and UserError for a turn that is not legal.
    """
    question = PositionAsked(
        with_box_pieces(asked_state(position)),
        asked_options(options),
        tuple(parse_turn(each) for each in turns.split(_BETWEEN) if each),
        min(max(1, lines), MOST_LINES),
        spoken(),
    )
    game = Game()
    game.start(question.start, question.options)
    for turn in question.turns:
        if game.winner() != NOBODY or why_illegal(game, turn):
            raise UserError(tr("{turn} cannot be played there", turn=format_turn(turn)))
        game.apply(turn)
    return question


def thoughts(question: PositionAsked, is_over: Callable[[], bool]) -> Iterator[dict[str, Any]]:
    """Yield what is found, depth by depth; nothing where the game is over.

    Each of `lines` has the `value` of the position as records have it, the `chance` that White
    wins, 0 to 1, and as its `line` the turns from here on: `turn`, what it does, as a game's
    `stories` have it, and in words what it would do and `where`, its `plan`. The best one stands
    outside, too. Values are those of `analysis.steady`.
    """
    game, played = Game(), []
    rules = rules_of(question.start, question.options)
    game.start(question.start, question.options)
    for turn in question.turns:
        played.append(rules.node(game.state))
        game.apply(turn)
    if winner(game.state) != NOBODY:
        return
    modules, level = objects.modules_of(game.state), LEVELS[-1]
    limits = Limits(level.nodes_with_modules if modules else level.nodes, None, is_over)
    asked = rules.node(game.state), limits, played
    before = None
    for thought in Search(rules).think(*asked, lines=question.lines):
        yield _thought_json(game, steady(thought, before), modules)
        before = thought


def _thought_json(game: Game, thought: Thought, modules: int) -> dict[str, Any]:
    mover = game.mover
    lines = []
    for score, line in ((thought.score, thought.line), *thought.others):
        chance = chance_of(score, modules)
        lines.append(
            {
                "value": value_text(-score, 1 - mover),
                "chance": round(chance if mover == WHITE else 1 - chance, 4),
                "line": list(_line(game, line)),
            }
        )
    return {"depth": thought.depth, "nodes": thought.nodes, **lines[0], "lines": lines}


def _line(now: Game, turns: tuple[int, ...]) -> Iterator[dict[str, Any]]:
    game = Game()
    game.start(now.state, now.options)
    for turn in turns:
        story = story_of(game.state, turn, game.options)
        told = {"turn": format_turn(turn), "player": PLAYERS[game.mover], "says": story.says}
        told["plan"] = plan_of(game.state, turn, game.options)
        told["where"] = where_of(story.path, turn, True)
        yield {**told, "focus": ERAS[story.focus], **marks_of(story)}
        game.apply(turn)


def too_many() -> UserError:
    """Return why somebody has to wait."""
    return UserError(tr("Many positions are looked at just now; try again in a moment."))


class Thinking:
    """Thinks for whoever asks the page's server, in its loop."""

    def __init__(self) -> None:
        self._idle: list[elsewhere.Place] = []
        self._all: list[elsewhere.Place] = []
        self._free: Semaphore | None = None
        self._threads: CapacityLimiter | None = None
        self._waiting = 0
        self._is_closed = False

    def close(self) -> None:
        """End the processes."""
        self._is_closed = True
        for place in self._all:
            place.end()

    def refuse_too_many(self) -> None:
        """Raise UserError where too many wait already."""
        if self._waiting >= _MOST_WAITING:
            raise too_many()

    async def lines(self, question: PositionAsked) -> AsyncIterator[str]:
        """Yield each of the `thoughts` as a line of JSON, until whoever asked goes away."""
        if self._free is None or self._threads is None:  # there may be none before a loop runs
            self._free, self._threads = Semaphore(PROCESSES), CapacityLimiter(PROCESSES)
        self._waiting += 1
        try:
            await self._free.acquire()
        finally:
            self._waiting -= 1
        place = None
        try:
            place = await self._asked(question)
            while place.is_busy and not self._is_closed:
                for line in await to_thread.run_sync(place.told, _LOOK_S, limiter=self._threads):
                    yield line
        except elsewhere.GoneError:  # somebody has ended it; the next question gets another one
            if place is not None:
                self._all.remove(place)
                place = None
        finally:
            if place is not None:
                place.forget()
                self._idle.append(place)
            self._free.release()

    async def _asked(self, question: PositionAsked) -> elsewhere.Place:
        """Return the place that thinks about a question from now on."""
        while self._idle:
            place = self._idle.pop()
            try:
                place.ask(think, question)
            except elsewhere.GoneError:
                self._all.remove(place)
            else:
                return place
        place = await to_thread.run_sync(elsewhere.start, "thinking", True, limiter=self._threads)
        self._all.append(place)
        place.ask(think, question)
        return place


def think(caller: elsewhere.Caller, question: PositionAsked) -> None:
    """Tell what is found as lines of JSON, until there was time enough."""
    end_s = time.monotonic() + MOST_S
    with speaking(question.language):
        for found in thoughts(question, lambda: caller.is_over() or time.monotonic() >= end_s):
            caller.tell(json_text(found) + "\n")

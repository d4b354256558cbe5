"""Sensing figures: clean games by seed, straight into the tracker.

The hand acts out random games; debouncing takes all contact bounce away and the hand never does
two things at once, so the tracker is fed with the gestures themselves, in table time that passes
at once. What it understood is compared with what the hand did.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable
from random import Random

from chronotable.sensors import FOCUS, SPACES
from chronotable.tracker import QUESTION, Tracker
from chronotable_host.bench.figures import Figure
from chronotable_host.virtual.hand import Gesture, act_out
from ttykm import layout
from ttykm.game import Game
from ttykm.layout import NOBODY
from ttykm.turns import RECORDS_IN_GAMES

_ANSWER_MS = 300
_LOOK_MS = (100, 300)  # from a turn's last gesture to the players' look at what was understood
_PATIENCE_MS = 10_000
_MOST_TURNS = 300
_UNDERSTOOD = ("certain", "asked", "corrected")
_SHOWN = 10


class _Heard:
    """The tracker's sink: counts what it says."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.questions = 0
        self.guides = 0
        self.provisional_turn = -1
        self.choices: list[int] = []

    def started(self) -> None:
        pass

    def provisional(self, turn: int) -> None:
        self.provisional_turn = turn

    def reopened(self) -> None:
        self.counts["reopened"] += 1

    def final(self, turn: int, understood: int) -> None:
        self.provisional_turn = turn
        self.counts[_UNDERSTOOD[understood]] += 1

    def taken_back(self, _turn: int) -> None:
        self.counts["taken back"] += 1

    def ask(self, choices: list[int]) -> None:
        self.questions += 1
        self.choices = choices

    def guide(self, _take: bytearray, _put: bytearray, _why: int) -> None:
        self.guides += 1

    def over(self, _winner: int, _by: int) -> None:
        pass


class Board:
    """A tracker with reeds that are moved at once, in a time of its own.

    `wanted` is the game as the hands mean it; `heard` counts what the tracker told.
    """

    def __init__(self, state: array[int], options: int = 0) -> None:
        self.heard = _Heard()
        self.wanted = Game()
        self.now_ms = 0
        self.set_up(state, options)

    def set_up(self, state: array[int], options: int = 0) -> None:
        """Begin anew, with a new tracker, at a position that lies on the table."""
        self.wanted.start(state, options)
        self.tracker = Tracker(Game(RECORDS_IN_GAMES), self.heard)
        self.tracker.set_up(state, options)
        closed = [FOCUS + 3 * player + layout.focus(state, player) for player in range(2)]
        for sensor in range(SPACES):
            era, space = sensor >> 4, sensor & 15
            if (state[era] | state[3 + era]) >> space & 1:
                closed.append(sensor)
        for sensor in closed:
            self.tracker.edge(sensor, True, self.now_ms)
        self.wait(self.tracker.settle_ms)

    def wait(self, duration_ms: int) -> None:
        """Let time pass; the tracker hears of the moments when it may have something to say."""
        tracker = self.tracker
        end = self.now_ms + duration_ms
        tracker.update(self.now_ms)
        for due in sorted((self.now_ms + tracker.settle_ms, self.now_ms + tracker.rest_ms)):
            if due <= end:
                tracker.update(due)
        self.now_ms = end
        tracker.update(end)

    def gesture(self, gesture: Gesture) -> None:
        """Lift or place something after a while."""
        self.wait(gesture.after_ms)
        self.tracker.edge(gesture.sensor, gesture.closed, self.now_ms)
        self.tracker.update(self.now_ms)

    def act(self, gestures: list[Gesture], turn: int, rng: Random) -> str:
        """Act a turn out and answer what is asked.

        Returns "" when it was understood, else what happened: then the position is set up anew.
        """
        wanted = array("H", self.wanted.state)
        self.wanted.after(turn, wanted)
        self.heard.provisional_turn = -1
        for gesture in gestures:
            self.gesture(gesture)
        self.wait(rng.randint(*_LOOK_MS))
        problem = self._settle(wanted)
        self.wanted.apply(turn)
        if problem and self.wanted.winner() == NOBODY:
            self.set_up(wanted, self.wanted.options)
        return problem

    def _settle(self, wanted: array[int]) -> str:
        tracker, heard = self.tracker, self.heard
        out = array("H", wanted)
        waited = 0
        while waited < _PATIENCE_MS:
            if tracker.phase == QUESTION:
                for number, choice in enumerate(heard.choices):
                    if self.wanted.after(choice, out) and out == wanted:
                        self.wait(_ANSWER_MS)
                        tracker.answer(number, self.now_ms)
                        break
                else:
                    return "asked without what was played"
            if heard.provisional_turn >= 0:
                understood = self.wanted.after(heard.provisional_turn, out) and out == wanted
                return "" if understood else "taken for another turn"
            self.wait(tracker.rest_ms)
            waited += tracker.rest_ms
        return "not understood"


def measure(games: int = 100, report: Callable[[int], None] = lambda _done: None) -> list[Figure]:
    """Play clean games with the seeds 0 to `games` - 1; tell how many are done."""
    counts: Counter[str] = Counter()
    turns = questions = guides = 0
    problems: list[str] = []
    for seed in range(games):
        rng = Random(seed)
        board = Board(layout.new_state())
        game = board.wanted
        number = 0
        while game.winner() == NOBODY and number < _MOST_TURNS:
            turn = rng.choice(list(game.legal_turns()))
            number += 1
            problem = board.act(act_out(game, turn, rng), turn, rng)
            turns += 1
            if problem:
                counts[problem] += 1
                problems.append(f"seed {seed} turn {number}: {problem}")
        board.wait(board.tracker.rest_ms)
        counts.update(board.heard.counts)
        questions += board.heard.questions
        guides += board.heard.guides
        report(seed + 1)
    wrong = counts["taken for another turn"]
    remark = "; ".join(problems[:_SHOWN])
    if len(problems) > _SHOWN:
        remark += f"; and {len(problems) - _SHOWN} more"
    told = {name: float(counts[name]) for name in (*_UNDERSTOOD, "reopened", "taken back")}
    turns_told = {name: count for name, count in told.items() if count}
    share = round(100 * questions / turns, 2) if turns else 0.0
    return [
        Figure("sensing_turns", {"games": games, "turns": turns, **turns_told}),
        Figure("sensing_wrong", {"value": wrong}, remark=remark),
        Figure("sensing_lost", {"value": len(problems) - wrong}, remark=remark),
        Figure("sensing_questions", {"value": share}),
        Figure("sensing_guides", {"value": guides}),
    ]

"""Helping figures: hands carry out the turns of players who have none, by the lights alone.

The hands know what the lights mean, and neither the turn nor the rules. Rough ones take things up
in any order, touch others and put things down beside their place first; heedless ones put things
anywhere for a while, before they look again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import NamedTuple

from chronotable.core.wanting import want
from chronotable.hardware.sensors import FOCUS, SPACES
from chronotable_host.pieces import Pieces, is_object, pieces_of
from chronotable_host.rules.notation import format_turn
from chronotable_host.virtual.steps import actions_of
from tests.lab.figures import Figure, shown
from tests.lab.people.place import TURN, Place
from tests.lab.people.todo import CONFIRM, PUT, can_do, has_piece, owner_of, todo_of
from tests.lab.people.tracker_place import TrackerPlace
from tests.lab.side_by_side import Progress, do_all, unheard
from ttykm import objects
from ttykm.game import Game
from ttykm.layout import NOBODY, STATE_WORDS
from ttykm.objects import ALL_MODULES

CLEAN, ROUGH, HEEDLESS = "clean", "rough", "heedless"
_SLIPS = {CLEAN: 0.0, ROUGH: 0.1, HEEDLESS: 0.1}
_ROUND_MS = 20
_PAUSE_ROUNDS = (5, 35)
_MOST_TURNS = 200
_MOST_ROUNDS = 400  # looks at the lights in a turn
_HEEDLESS_GESTURES = 6
_MARKER = 2  # gestures of the marker in each turn


class Outcome(NamedTuple):
    """What came of a game: turns, gestures done and needed, and what went wrong, if anything."""

    turns: int
    done: int
    needed: int
    ended: bool
    wrong: str = ""


class Seats:
    """Both sides of a game at a place, played by chance, and told to the table as by a PC.

    A turn that was taken back is wanted again.
    """

    def __init__(self, place: TrackerPlace, rng: Random) -> None:
        self.turns: list[int] = []  # that were wanted
        self._place = place
        self._rng = rng

    def step(self) -> None:
        """Tell the table what is wanted, where it waits for a turn and does not show one."""
        place = self._place
        if place.phase != TURN or place.tracker.wanted is not None:
            return
        number = len(place.game.turns)
        if number == len(self.turns):
            self.turns.append(self._rng.choice([*place.game.legal_turns()]))
        want(place.tracker, self.turns[number])

    def wrong(self) -> str:
        for at, (turn, wanted) in enumerate(zip(self._place.game.turns, self.turns, strict=False)):
            if turn != wanted:
                return f"{format_turn(turn)} for {format_turn(wanted)} as turn {at + 1}"
        return ""


def needed(turns: Iterable[int]) -> int:
    """Return how many lifts and places the turns of a standard game take."""
    game = Game()
    count = 0
    for turn in turns:
        actions = actions_of(game, turn & 0xFFFF)
        count += _MARKER + sum(len(each.lifts) + len(each.places) for each in actions)
        game.apply(turn)
    return count


class Helper:
    """Hands at a place; `board` is what they have put where, `done` counts lifts and places.

    `has_slipped` tells that they touched last what nobody asked for. `think` is called while they
    wait: the players whose turns they carry out have their time then. `words` returns which object
    belongs where as a program says it, which knows the board: pictures that go over the link name
    none.
    """

    def __init__(
        self,
        place: Place,
        rng: Random,
        manner: str,
        think: Callable[[], None],
        words: Callable[[Pieces], Pieces] = lambda _board: {},
    ) -> None:
        self.place = place
        self.board = pieces_of(place.game.state)
        self.done = 0
        self.has_slipped = False
        self._rng = rng
        self._manner = manner
        self._think = think
        self._words = words

    def carry_out(self) -> bool:
        """Do what is lit until a turn counts; return False where that takes far too long."""
        game = self.place.game
        turns = len(game.turns)
        for _ in range(_MOST_ROUNDS):
            self.wait()
            if len(game.turns) > turns:
                return True
            self.act()
        return False

    def act(self) -> None:
        """Do one thing that is lit, or another."""
        self.has_slipped = self._rng.random() < _SLIPS[self._manner]
        if self.has_slipped:
            self._slip()
            return
        todo, words = todo_of(self.place.picture()), self._words(self.board)
        due = [at for at, said in todo.items() if can_do(self.board, at, said, words)]
        if not due:  # what lies right already is lifted once more
            due = [at for at, said in todo.items() if is_object(owner_of(at, said, words))]
        if due:
            sensor = due[0] if self._manner == CLEAN else self._rng.choice(due)
            self._obey(sensor, todo[sensor], owner_of(sensor, todo[sensor], words))

    def _obey(self, sensor: int, said: int, owner: int | None) -> None:
        """Do what one light asks for: lift what is wrong, or what is to be looked at, and put."""
        if sensor in self.board:
            self._lift(sensor)
            if said not in CONFIRM:
                return
            self.wait()
        if owner is not None and has_piece(self.board, sensor, owner):
            self._put(sensor, owner)

    def _slip(self) -> None:
        """Touch what nobody asked for: put it back, or anywhere, or go on so for a while."""
        rng = self._rng
        often = rng.randint(1, _HEEDLESS_GESTURES) if self._manner == HEEDLESS else 1
        for _ in range(min(often, len(self.board))):
            sensor = rng.choice([at for at in self.board if not self._takes_back(at)])
            piece = self._lift(sensor)
            self.wait()
            free = self._free(sensor, piece)
            if sensor in free and rng.random() < 0.5:
                self._put(sensor, piece)
            elif free:
                self._put(rng.choice(free), piece)

    def _takes_back(self, sensor: int) -> bool:
        """Tell whether a lift would take the last turn back, in a game with objects.

        Where they belonged halfway only somebody knows who knows the turn.
        """
        game = self.place.game
        is_last = sensor >= FOCUS and (sensor - FOCUS) // 3 != game.mover
        return is_last and len(game.state) > STATE_WORDS

    def _free(self, sensor: int, piece: int) -> list[int]:
        """Return where a piece or a marker from a sensor could be put down.

        Not where the lights ask for another one: no reed could tell that it is wrong.
        """
        places = range(SPACES)
        if sensor >= FOCUS:
            places = range(FOCUS + 3 * piece, FOCUS + 3 * piece + 3)
        picture, words = self.place.picture(), self._words(self.board)
        return [
            at
            for at in places
            if at not in self.board
            and (picture[at] not in PUT or owner_of(at, picture[at], words) == piece)
        ]

    def _lift(self, sensor: int) -> int:
        self.place.lift(sensor)
        self.done += 1
        return self.board.pop(sensor)

    def _put(self, sensor: int, piece: int) -> None:
        self.place.place(sensor)
        self.done += 1
        self.board[sensor] = piece

    def wait(self) -> None:
        for _ in range(self._rng.randint(*_PAUSE_ROUNDS)):
            self.place.wait(_ROUND_MS)
            self._think()


class Job(NamedTuple):
    """A game: its hands and its seed, of which everything else comes."""

    manner: str
    seed: int
    modules: int = 0


def play(job: Job) -> Outcome:
    """Have both sides of a game played for the hands, by chance.

    How many gestures a game with modules needs is not known; those done count as needed.
    """
    rng = Random(job.seed)
    place = TrackerPlace(rng)
    place.start(objects.new_state(job.modules), 0)
    seats = Seats(place, rng)
    helper = Helper(place, rng, job.manner, seats.step)
    game = place.game
    rounds = 0
    wrong = ""
    while game.winner() == NOBODY and len(game.turns) < _MOST_TURNS and not wrong:
        turns = len(game.turns)
        helper.wait()
        rounds = 0 if len(game.turns) > turns else rounds + 1
        wrong = seats.wrong()
        if rounds == _MOST_ROUNDS:
            wrong = f"{format_turn(seats.turns[turns])} is not carried out as turn {turns + 1}"
        elif rounds == 0 and not helper.has_slipped and helper.board != pieces_of(game.state):
            wrong = f"something else lies there after turn {turns + 1}"
        helper.act()
    least = helper.done if job.modules else needed(game.turns)
    return Outcome(len(game.turns), helper.done, least, game.winner() != NOBODY, wrong)


def measure(games: int, report: Progress = unheard) -> list[Figure]:
    kinds = [(f"helping_{manner}", manner, range(1)) for manner in _SLIPS]
    sets_of = range(1, ALL_MODULES + 1)
    kinds += [(f"helping_modules_{manner}", manner, sets_of) for manner in _SLIPS]
    figures = []
    for key, manner, sets in kinds:
        jobs = [Job(manner, seed, modules) for modules in sets for seed in range(games)]
        outcomes = do_all(play, jobs, report)
        wrong = [job for job, each in zip(jobs, outcomes, strict=True) if each.wrong]
        done = sum(each.done for each in outcomes)
        least = sum(each.needed for each in outcomes)
        measured = {
            "games": len(jobs),
            "turns": sum(each.turns for each in outcomes),
            "wrong": len(wrong),
            "unfinished": sum(not (each.ended or each.wrong) for each in outcomes),
            "touches": round(100 * done / least - 100, 1),
        }
        named = shown([f"wrong: seed {job.seed} of set {job.modules}" for job in wrong])
        figures.append(Figure(key, measured, remark=named))
    return figures

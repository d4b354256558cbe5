"""Accident figures: a sleeve, a fall, a cat, the power: do the lights find whose piece is whose?

Literal people play. In one turn of a game something happens to the table; then they do what the
lights ask for, one light after the other, and remember nothing of what lay where. Where a light
says no colour any piece of those that fell will do. What must not happen: that the lights ask for
nothing more though pieces of other owners or kinds lie somewhere, that a turn counts which nobody
played, or that the lights ask for what cannot be done.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from itertools import product
from random import Random
from typing import NamedTuple

from chronotable.hardware.sensors import SPACES
from chronotable.lights import meanings
from chronotable_host.pieces import Pieces, is_object, pieces_of
from chronotable_host.virtual.hand import Gesture
from tests.lab.figures import Figure, shown
from tests.lab.helping import CLEAN, HEEDLESS, ROUGH
from tests.lab.people.account import WRONG, Incident
from tests.lab.people.person import Person
from tests.lab.people.place import TURN
from tests.lab.people.todo import CONFIRM, has_piece, owner_of
from tests.lab.people.tracker_place import HallPlace, PolePlace, TrackerPlace
from tests.lab.side_by_side import Progress, do_all, unheard
from ttykm import objects
from ttykm.game import Game
from ttykm.layout import RECORD_WORDS, STATE_WORDS
from ttykm.objects import ALL_MODULES

EXCHANGED = "owners exchanged"
PHANTOM = "a turn that nobody played"
STUCK = "stands still"

MANNERS = (CLEAN, ROUGH, HEEDLESS)
_QUICK_MS = (3, 25)  # between pieces that fall at once
_SLOW_MS = (150, 600)  # between the moves of a child, or of somebody who cannot wait
_NOTICE_MS = 2000
_MOST_LIGHTS = 200
_GLANCE_MS = 300
_GLANCES = 12  # without anything to do: then the lights are content
_OFF_MS = (100, 5000)
_FELT_MS = 30  # a reed that is open for less says nothing
_MOST_TURNS = 12
_COPIES = 6  # words of a record, as of a position: each player's copies in each era

Moves = list[tuple[int, int, int]]
"""Lifts and places of what lies there: after so many ms, from a sensor, to one or -1, a lap."""


def _lying(board: Pieces) -> list[int]:
    return [at for at in board if at < SPACES]


def _falls(rng: Random, lifts: list[int]) -> Moves:
    rng.shuffle(lifts)
    return [(rng.randint(*_QUICK_MS), at, -1) for at in lifts]


def _sleeve(rng: Random, board: Pieces) -> Moves:
    """A sleeve goes over one era: pieces fall, or come to lie elsewhere in it."""
    pieces = _lying(board)
    era = rng.choice(sorted({at >> 4 for at in pieces}))
    near = [at for at in pieces if at >> 4 == era]
    free = [at for at in range(16 * era, 16 * era + 16) if at not in board]
    found = []
    for at in rng.sample(near, rng.randint(1, len(near))):
        to = free.pop(rng.randrange(len(free))) if free and rng.random() < 0.5 else -1
        found.append((rng.randint(*_QUICK_MS), at, to))
    return found


def _fall(rng: Random, board: Pieces) -> Moves:
    pieces = _lying(board)
    return _falls(rng, rng.sample(pieces, min(len(pieces), rng.randint(2, 5))))


def _sweep(rng: Random, board: Pieces) -> Moves:
    eras = rng.sample(range(3), rng.randint(1, 3))
    return _falls(rng, [at for at in _lying(board) if at >> 4 in eras])


def _elsewhere(rng: Random, pieces: set[int], moves: int) -> Moves:
    found = []
    for _ in range(moves):
        at = rng.choice(sorted(pieces))
        to = rng.choice([each for each in range(SPACES) if each not in pieces])
        pieces ^= {at, to}
        found.append((rng.randint(*_SLOW_MS), at, to))
    return found


def _child(rng: Random, board: Pieces) -> Moves:
    """A child moves five pieces to other spaces, one after the other."""
    return _elsewhere(rng, set(_lying(board)), 5)


def _hasty(rng: Random, board: Pieces) -> Moves:
    """The other player moves two pieces in somebody's turn."""
    return _elsewhere(rng, set(_lying(board)), 2)


def _cat(rng: Random, board: Pieces) -> Moves:
    """A cat walks over all eras: a third of everything is pushed aside or falls, markers too."""
    found = []
    taken = set(board)
    for at in sorted(board):
        if rng.random() < 0.33:
            to = -1
            if at < SPACES and rng.random() < 0.6:
                to = rng.choice(
                    [each for each in range(at & 48, (at & 48) + 16) if each not in taken]
                )
                taken.add(to)
            found.append((rng.randint(*_QUICK_MS), at, to))
    return found


def _nothing(_rng: Random, _board: Pieces) -> Moves:
    return []


ACCIDENTS: Mapping[str, Callable[[Random, Pieces], Moves]] = {
    "sleeve": _sleeve,
    "fall": _fall,
    "sweep": _sweep,
    "child": _child,
    "hasty": _hasty,
    "cat": _cat,
    "power": _nothing,
    "power and child": _child,
}


class LiteralPerson(Person):
    """Both players of a game in which one accident happens, in turn `bump_turn`.

    `came_to` is what must not happen, or "".
    """

    place: TrackerPlace

    def __init__(self, place: TrackerPlace, rng: Random, accident: str, manner: str) -> None:
        super().__init__(place, rng, manner != CLEAN)
        self.hand.heedless = manner == HEEDLESS
        self.accident = accident
        self.lap: list[int] = []
        self.came_to = ""
        self.touches = 0

    def _bumped(self, gestures: list[Gesture], turn: int) -> list[Gesture]:
        has_power = not self.accident.startswith("power")
        markers = [at for at, each in enumerate(gestures) if each.sensor >= SPACES]
        # a marker that stands ends the turn, and whatever falls then is of the next one
        done = gestures[: self.rng.randrange(1 + (markers[0] if has_power else len(gestures)))]
        self._perform(done)
        felt = [each for each in done if each.sensor < SPACES and not each.flicker_ms]
        lifted = Counter(each.piece for each in felt if not each.closed)
        self.lap = [*(lifted - Counter(each.piece for each in felt if each.closed)).elements()]
        number = len(self.game.turns)
        self.recorder.note(self.place.now_ms, accident=self.accident)
        self._wait(_FELT_MS)  # nothing falls into the place of what a hand lifts
        self.place.power(has_power)
        for after_ms, at, to in ACCIDENTS[self.accident](self.rng, self.board):
            if at in self.board and to not in self.board:
                self._moves(after_ms, at, to)
        if not has_power:
            self.place.wait(self.rng.randint(*_OFF_MS))
            self.place.power(True)
        counts = self._turns_taken() > number  # its marker stood
        self._wait(_NOTICE_MS)
        self.came_to = self._obey_all(number + counts)
        if self.came_to:
            script = self.recorder.lines[:]
            self.account.incidents.append(
                Incident(self.came_to, number + 1, self.accident, [], script)
            )
        if self.came_to or counts:
            return [] if self.came_to else gestures[len(done) :]  # its marker may go on
        self._arrange(pieces_of(self.game.state))
        return self._careful.act_out(self.game, turn)

    def _moves(self, after_ms: int, at: int, to: int) -> None:
        piece = self.board[at]
        self._do(Gesture(after_ms, at, False, piece))
        if to >= 0:
            self._do(Gesture(self.rng.randint(*_QUICK_MS), to, True, piece))
        elif at < SPACES:
            self.lap.append(piece)

    def _obey_all(self, number: int) -> str:
        """Do what the lights ask for until they ask for nothing; return what is wrong, or ""."""
        quiet = 0
        for _ in range(_MOST_LIGHTS):
            is_final = self._turns_taken() > number
            if is_final or (self._turns_taken() == number and self.place.provisional is not None):
                return PHANTOM
            todo = self._todo()
            due = [at for at in todo if self._can_do(at, todo[at])]
            if due:
                quiet = 0
                sensor = self.rng.choice(due)
                self._do_lit(sensor, todo[sensor])
            elif quiet == _GLANCES:
                return STUCK if todo else "" if self._is_as_believed() else EXCHANGED
            else:
                quiet += 1
            self._wait(_GLANCE_MS)
        return STUCK

    def _can_do(self, sensor: int, said: int) -> bool:
        if said == meanings.TODO_TAKE:
            return sensor in self.board
        owner = owner_of(sensor, said, {})
        if sensor in self.board:
            is_sign = said in CONFIRM or is_object(owner)
            return is_sign or owner not in (None, self.board[sensor])
        return bool(self.lap) if owner is None else has_piece(self.board, sensor, owner)

    def _do_lit(self, sensor: int, said: int) -> None:
        self.touches += 1
        owner = owner_of(sensor, said, {})
        if sensor in self.board:
            piece = self.board[sensor]
            self._do(Gesture(self.hand.pause_ms(), sensor, False, piece))
            if sensor < SPACES:
                self.lap.append(piece)
            is_at_hand = owner is not None and has_piece(self.board, sensor, owner)
            if said not in CONFIRM and not (is_object(owner) and is_at_hand):
                return
            self.touches += 1
        if owner is None:
            owner = self.rng.choice(self.lap)
        if sensor < SPACES and owner in self.lap:
            self.lap.remove(owner)
        self._do(Gesture(self.hand.pause_ms(), sensor, True, owner))

    def _is_as_believed(self) -> bool:
        """Tell whether each piece lies where the table takes one of its owner or kind to lie.

        A table that asks something, or waits for what is in a hand, takes nothing for certain.
        """
        tracker = self.place.tracker
        if self.place.phase != TURN or not tracker.matcher.lies_there():
            return True
        first = tracker.matcher.prefix * RECORD_WORDS
        tree, state = tracker.game.turn_tree, tracker.game.state
        believed = [*tree.records[first : first + _COPIES], *state[_COPIES:STATE_WORDS]]
        if tree.has_modules:
            believed += tree.objects[first : first + len(state) - STATE_WORDS]
        return _on_spaces(pieces_of(array("H", believed))) == _on_spaces(self.board)


def _on_spaces(board: Pieces) -> Pieces:
    return {at: each for at, each in board.items() if at < SPACES}


class Job(NamedTuple):
    """A game: what happens in it, how the hands are, and its seed, of which all else comes."""

    accident: str
    manner: str
    seed: int
    modules: int = 0


class Outcome(NamedTuple):
    """What came of it, "" for nothing wrong; whether there was an accident, and turns misread.

    `told` counts what the table told, and `touches`: lifts and places that the lights asked for.
    """

    came_to: str
    has_happened: bool
    misread: int
    told: Mapping[str, int]


def play(job: Job, place_type: type[TrackerPlace] = TrackerPlace) -> Outcome:
    """Play a game, which ends with the turn of the accident, or before."""
    rng = Random(repr(job))
    person = LiteralPerson(place_type(rng), rng, job.accident, job.manner)
    person.begin(objects.new_state(job.modules, job.seed % 2))
    person.bump_turn = last = rng.randint(1, _MOST_TURNS)

    def choose(game: Game) -> int | None:
        if person.came_to or len(game.turns) >= last:
            return None
        return rng.choice(list(game.legal_turns()))

    account = person.play(choose)
    return Outcome(
        person.came_to,
        not person.bump_turn,
        len(account.of(WRONG)),
        {**person.place.told().counts, "touches": person.touches},
    )


def measure(games: int, report: Progress = unheard) -> list[Figure]:
    """Play so many games with each accident by each kind of hands.

    Also at Hall switches and at sensors of polarity, by the same hands, and of all sets of modules.
    """
    figures = []
    kinds: list[tuple[str, range, type[TrackerPlace]]] = [
        ("", range(1), TrackerPlace),
        ("hall_", range(1), HallPlace),
        ("polarity_", range(1), PolePlace),
        ("modules_", range(1, ALL_MODULES + 1), TrackerPlace),
        ("polarity_modules_", range(1, ALL_MODULES + 1), PolePlace),
    ]
    for (kind, sets, place_type), manner in product(kinds, MANNERS):
        each_of = product(ACCIDENTS, sets, range(games))
        jobs = [Job(accident, manner, seed, modules) for accident, modules, seed in each_of]
        outcomes = do_all(partial(play, place_type=place_type), jobs, report)
        bad = [
            job for job, each in zip(jobs, outcomes, strict=True) if each.came_to or each.misread
        ]
        count = Counter(each.came_to for each in outcomes)
        measured = {
            "games": len(jobs),
            "accidents": sum(each.has_happened for each in outcomes),
            "exchanged": count[EXCHANGED],
            "phantoms": count[PHANTOM],
            "stuck": count[STUCK],
            "misread": sum(each.misread for each in outcomes),
            "questions": sum(each.told.get("ask", 0) for each in outcomes),
            "guides": sum(each.told.get("guide", 0) for each in outcomes),
            "touches": sum(each.told["touches"] for each in outcomes),
        }
        named = shown([f"{job.accident} {job.seed} of set {job.modules}" for job in bad])
        figures.append(Figure(f"accidents_{kind}{manner}", measured, remark=named))
    return figures

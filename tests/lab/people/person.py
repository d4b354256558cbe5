"""A person who plays: two hands that mean a game, and eyes on the lights.

The person knows what truly lies on the table and which turn is meant, and answers what the lights
say as people do: a question with the button of what was meant, a guide by doing what it asks, and
a table that asks for what is so already with `a`, "it does lie so". A turn that the table takes
for another one without having asked is the one thing that must not happen; it is noted with all
that the hands did.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable
from random import Random

from chronotable.hardware.naming import sensor_name
from chronotable.hardware.sensors import FOCUS, SPACES
from chronotable.lights import meanings
from chronotable_host.pieces import Pieces, is_object, pieces_of
from chronotable_host.rules.notation import format_turn
from chronotable_host.virtual.hand import Gesture, choose
from chronotable_host.virtual.steps import ButtonChoice
from tests.lab.hand import BUMPS, Hand
from tests.lab.people.account import (
    ASKED,
    GUIDED,
    LOST,
    TAKEN_BACK,
    TWIN,
    WRONG,
    Account,
    Fault,
    Incident,
)
from tests.lab.people.place import OVER, SET_UP, TURN, Place
from tests.lab.people.recorder import Recorder
from tests.lab.people.todo import CONFIRM, Todo, are_so, can_do, has_piece, owner_of, todo_of
from ttykm import layout
from ttykm.game import Game
from ttykm.layout import NOBODY, RECORD_WORDS, TOUCHED

_LOOK_MS = (100, 300)  # from the last gesture to the look at what it did
_GLANCE_MS = 100
_NOTICE_MS = 600  # until somebody whose table was bumped has seen what it lights
READ_MS = 400  # a question, or a guide: longer than an arrangement takes to settle
_DOUBT_MS = 4000  # until somebody tries something else
_AGAIN_MS = 2000  # and until the next thing
_TRIES = 3
_MOST_GUIDED = 120  # gestures, until nobody follows any more
_MOST_LOOKS = 300
_FIRST_TURNS = 25  # in one of which a bump happens

Player = Callable[[Game], int | None]
"""Chooses a packed turn in a game's position, or None to stop playing."""


class Person:
    """Both players of a game at a place. `board` is what truly lies there, `game` what is meant.

    `recorder` has all that was done since the game began; in turn `bump_turn`, if any, the table
    is bumped.
    """

    def __init__(self, place: Place, rng: Random, rough: bool = False) -> None:
        self.place = place
        self.rng = rng
        self.hand = Hand(rng, rough)
        self.account = Account()
        self.recorder = Recorder()
        self.board: Pieces = {}
        self.game = Game()
        self.fault: Fault | None = None
        self.bump_turn = 0
        self._careful = Hand(rng)
        self._meant: Pieces = {}  # what is to lie there after the turn
        self._seen: Pieces = {}  # of what is nobody's: what lay where when the table was bumped
        self._results: list[array[int]] = []  # position after each turn, the one being acted too
        self._before = 0  # turns before the table's game began
        self._unnoticed: int | None = None  # the number of turns before one that was misread
        self._wary: set[int] = set()  # turns that were taken back: now somebody looks closely
        self._was_asked = self._was_guided = False

    # ---- games

    def begin(self, state: array[int], options: int = 0) -> None:
        self.game.start(state, options)
        self._results = []
        self._put_up()
        if self.hand.rough and self.rng.random() < BUMPS:
            self.bump_turn = self.rng.randint(1, _FIRST_TURNS)

    def play(self, choose: Player, most_turns: int = 400) -> Account:
        account = self.account
        while account.turns < most_turns:
            turn = choose(self.game) if self.game.winner() == NOBODY else None
            if turn is not None:
                self.take_turn(turn)
                continue
            self.place.wait(_AGAIN_MS)
            if self._unnoticed is not None:
                self._take_back()
            elif not self._catches_up():
                break
        else:
            self.place.wait(_AGAIN_MS)
        is_over = self.place.phase == OVER
        account.finished = is_over == (self.game.winner() != NOBODY)
        account.told = Counter(self.place.told().counts)
        return account

    def _catches_up(self) -> bool:
        """Tell whether turns that were thought to be played have to be played again."""
        return False

    def take_turn(self, turn: int, gestures: list[Gesture] | None = None) -> None:
        """Act a turn out, with these gestures or in a way of one's own; see it understood."""
        wanted = array("H", self.game.state)
        assert self.game.after(turn, wanted), "people play legal turns"
        self._meant = pieces_of(wanted)
        self._seen = {}
        self._results[len(self.game.turns) :] = [wanted]
        account, begun = self.account, len(self.recorder.lines)
        self.place.told().edges.clear()
        self._was_asked = self._was_guided = False
        habits: list[str] = []
        if gestures is None:
            gestures = self.hand.act_out(self.game, turn)
            habits += self.hand.last
        number = len(self.game.turns) + 1
        bumped = number == self.bump_turn
        if bumped:
            self.bump_turn = 0
            account.bumps += 1
            habits.append("is bumped")
            gestures = self._bumped(gestures, turn)
        what = self._act(gestures, turn, wanted)
        taken_for = self._taken_for()
        if what == WRONG and self._reads_like(taken_for):
            what = TWIN
        account.turns += 1
        account.asked += self._was_asked
        account.guided += self._was_guided and not bumped
        self._look_at_fault()
        if not what:
            what = ASKED if self._was_asked else GUIDED if self._was_guided else ""
        if what:
            text = "" if taken_for is None else format_turn(taken_for)
            script = self.recorder.lines[begun:]
            account.incidents.append(
                Incident(what, number, format_turn(turn), habits, script, text)
            )
        if what == TAKEN_BACK:
            return
        self.game.apply(turn)
        if what in (WRONG, TWIN) and self.fault is not None and number not in self._wary:
            self._unnoticed = number - 1
        elif what in (WRONG, TWIN, LOST) and self.game.winner() == NOBODY:
            self._put_up()

    def _put_up(self) -> None:
        """Have the table begin anew where the game is."""
        self._unnoticed = None
        self._before = len(self.game.turns)
        self.board = pieces_of(self.game.state)
        self.place.start(self.game.state, self.game.options)
        self.recorder.begin(self.game.state, self.game.options, self.place.now_ms)
        if self.fault is not None and self.fault.is_broken:
            self._note_fault(self.fault)

    # ---- a turn

    def _act(self, gestures: list[Gesture], turn: int, wanted: array[int]) -> str:
        """Do it, and again where the table does not understand; return what is wrong, or ""."""
        breaks = self._breaks_at(len(gestures))
        for attempt in range(_TRIES + 1):
            if attempt:
                self._was_guided = True
                self._give_choice_up(gestures)
                self._arrange(pieces_of(self.game.state))
                if self._has_lost_the_turn_before():
                    self._verdict(self.game.state, len(self.game.turns) - 1)
                gestures = self._careful.act_out(self.game, turn)
            self._perform(gestures, -1 if attempt else breaks)
            self._wait(self.rng.randint(*_LOOK_MS))
            verdict = self._verdict(wanted, len(self.game.turns))
            if verdict is not None:
                return verdict
            if self._unnoticed is not None:
                self._take_back()
                return TAKEN_BACK
        return LOST

    def _perform(self, gestures: list[Gesture], breaks: int = -1) -> None:
        """Do gestures until one is not offered; a reed `breaks` before one of them."""
        taps = _taps(gestures)
        for index, gesture in enumerate(gestures):
            if index == breaks:
                self._break()
            if gesture.choice is None:
                self._do(gesture)
            elif not self._choose(gesture, gesture.choice):
                return
            if index in taps:
                self._tap_again(*taps[index])

    def _bumped(self, gestures: list[Gesture], turn: int) -> list[Gesture]:
        """Do some gestures of a turn, and bump; return those that are left to do."""
        before = self.rng.randrange(len(gestures))
        self._perform(gestures[:before])
        memory = dict(self.board)
        self._seen = {at: piece for at, piece in memory.items() if is_object(piece)}
        for gesture in self.hand.bump(self.board):
            self._do(gesture)
        for _ in range(_NOTICE_MS // _GLANCE_MS):
            self._wait(_GLANCE_MS)
            if self._todo():
                if self._overlooks():
                    return gestures[before:]
                self._follow()
                break
        if before == 0 or (self.board == memory and not _is_tapping(gestures, before)):
            self._arrange(memory)
            return gestures[before:]
        self._arrange(pieces_of(self.game.state))
        return self._careful.act_out(self.game, turn)

    def _overlooks(self) -> bool:
        """Tell whether nobody looks at what the table asks."""
        return False

    def _verdict(self, wanted: array[int], number: int) -> str | None:
        """Wait for what the table makes of the turn after so many: "", or what is wrong with it.

        A question is answered, and what the table asks for that is so already is confirmed. None
        tells that the table makes nothing of it.
        """
        place = self.place
        patience, tried_action = _DOUBT_MS, False
        confirmed: set[bytes] = set()
        for _ in range(_MOST_LOOKS):
            if place.choices:
                if not self._answer() and self._unnoticed is not None:
                    return None
                patience = _DOUBT_MS
                continue
            taken = self._taken(wanted, number)
            is_seen = taken == WRONG and number + 1 in self._wary
            if taken is not None and (not is_seen or patience <= 0):
                return taken
            if is_seen and not tried_action:
                tried_action = True
                self._press("action", self.game.mover)
            todo = self._todo()
            picture = place.picture()
            if todo and picture not in confirmed and are_so(self.board, todo, self._meant):
                confirmed.add(picture)
                self._was_asked = True
                self._wait(READ_MS)
                if self._todo() == todo:
                    self._insist(todo)
            elif todo and place.phase == SET_UP:
                self._was_guided = True
                self._follow()
                return None
            elif patience <= 0:
                if tried_action or place.phase == OVER:
                    return None
                tried_action = True
                patience = _AGAIN_MS
                self._press("action", self.game.mover)
            self._wait(_GLANCE_MS)
            patience -= _GLANCE_MS
        return None

    def _taken(self, wanted: array[int], number: int) -> str | None:
        """Tell whether the table has the turn: "", that it has another one, or None for none."""
        state = array("H", wanted)
        provisional = self.place.provisional
        if provisional is not None and self._turns_taken() == number:
            self.place.game.after(provisional, state)
        elif self._turns_taken() > number:
            state = self.place.game.state
        else:
            return None
        return "" if state == wanted or self._unnoticed is not None else WRONG

    def _has_lost_the_turn_before(self) -> bool:
        """Tell whether the lights show that it is still, or again, the other player's turn."""
        is_behind = self._turns_taken() < len(self.game.turns)
        return is_behind and self.place.provisional is None and self._unnoticed is None

    def _turns_taken(self) -> int:
        """Return how many turns of the game are final on the table."""
        return self._before + len(self.place.game.turns)

    def _taken_for(self) -> int | None:
        if self._turns_taken() > len(self.game.turns):
            return self.place.game.turns[-1]
        return self.place.provisional

    def _answer(self) -> bool:
        """Press the button of the choice that was meant, or say that there is none.

        The table may ask about the turn before, too, whose player is still there.
        """
        self._was_asked = True
        self._wait(READ_MS)
        table = self.place.game
        wanted, mover = self._results[self._turns_taken() :], table.mover
        state = array("H", table.state)
        for name, choice in zip("abc", self.place.choices, strict=False):
            if table.after(choice, state) and state in wanted[:1]:
                self._press(name, mover)
                return True
        self._press("action", mover)
        self._wait(READ_MS)
        return False

    # ---- choices

    def _choose(self, gesture: Gesture, choice: ButtonChoice) -> bool:
        """Have the lights offer an action; False where they do not."""
        self._wait(gesture.after_ms)
        return choose(gesture.sensor, choice, self._look, self._press_action, self._tap)

    def _tap_again(self, choice: ButtonChoice, first: Gesture, second: Gesture) -> None:
        """Repeat a tap that was too quick: it is offered still."""
        for _ in range(_TRIES):
            if self._look()[first.sensor] != choice.meaning:
                return
            for tap in (first, second):
                self._do(tap._replace(after_ms=self.hand.pause_ms()))

    def _look(self) -> bytes:
        self._wait(READ_MS)
        return self.place.picture()

    def _press_action(self) -> None:
        self._wait(self.hand.pause_ms())
        self._press("action", self.game.mover)

    def _tap(self, sensor: int) -> None:
        if sensor in self.board:
            for closed in (False, True):
                self._do(Gesture(self.hand.pause_ms(), sensor, closed, self.game.mover))

    def _give_choice_up(self, gestures: list[Gesture]) -> None:
        """Take back what was chosen, if the lights still ask for what it needs."""
        is_chosen = any(gesture.choice for gesture in gestures)
        if is_chosen and self.place.phase == TURN and self._todo():
            self._press_action()

    # ---- guides

    def _todo(self) -> Todo:
        return {} if self.place.choices else todo_of(self.place.picture())

    def _memory(self) -> Pieces:
        """Return which piece lay where before the turn, and where else one will after it."""
        return {**self._meant, **pieces_of(self.game.state), **self._seen}

    def _follow(self) -> bool:
        """Do what the lights ask for until they ask for nothing; False where that does not end."""
        for _ in range(_MOST_GUIDED):
            todo = self._todo()
            if not todo:
                self._wait(READ_MS)
                if not self._todo():
                    return True
                continue
            due = [at for at, said in todo.items() if can_do(self.board, at, said, self._memory())]
            if due:
                sensor = self.rng.choice(due)
                self._obey(sensor, todo[sensor])
                self._wait(_GLANCE_MS)
                continue
            self._wait(READ_MS)
            if self._todo() != todo:
                continue
            if not are_so(self.board, todo, self._memory()):
                return False
            self._insist(todo)
            self._wait(READ_MS)
            if self._todo() == todo:
                return False
        return False

    def _obey(self, sensor: int, said: int) -> None:
        """Do what one light asks for: lift what is wrong, or what is to be looked at, and put."""
        owner = owner_of(sensor, said, self._memory())
        if sensor in self.board:
            piece = self.board[sensor]
            self._do(Gesture(self.hand.pause_ms(), sensor, False, piece))
            if said not in CONFIRM:
                return
        if owner is not None and has_piece(self.board, sensor, owner):
            self._do(Gesture(self.hand.pause_ms(), sensor, True, owner))

    def _insist(self, todo: Todo) -> None:
        """Lift once more what a light names the kind of; where all lies so already, say so."""
        for sensor, said in todo.items():
            if said >= meanings.PUT_OBJECT and sensor in self.board:
                piece = self.board[sensor]
                self._do(Gesture(self.hand.pause_ms(), sensor, False, piece))
                self._do(Gesture(self.hand.pause_ms(), sensor, True, piece))
        self._wait(READ_MS)
        if self._todo() == todo:
            self._press("a", self.game.mover)

    def _arrange(self, wanted: Pieces) -> None:
        """Put everything where it was, from memory, and heed what the lights say then."""
        for gesture in self.hand.arrange(self.board, wanted):
            self._do(gesture)
        self._wait(_NOTICE_MS)
        if self._todo():
            self._follow()
            for gesture in self.hand.arrange(self.board, wanted):
                self._do(gesture)

    # ---- faults

    def _breaks_at(self, gestures: int) -> int:
        """Return before which gesture of this turn the reed breaks, or -1."""
        fault = self.fault
        if fault is None or fault.is_broken or fault.number != len(self.game.turns) + 1:
            return -1
        return self.rng.randrange(gestures)

    def _break(self) -> None:
        fault = self.fault
        assert fault is not None
        fault.is_broken = True
        self._note_fault(fault)
        self.place.break_reed(fault.sensor, fault.how)

    def _note_fault(self, fault: Fault) -> None:
        name = sensor_name(fault.sensor)
        self.recorder.note(self.place.now_ms, stuck=name, closed=fault.how)

    def _look_at_fault(self) -> None:
        fault = self.fault
        if fault is None or not fault.is_broken or fault.named_after is not None:
            return
        before = pieces_of(self.game.state)
        fault.touching += before.get(fault.sensor) != self._meant.get(fault.sensor)
        if any(sensor == fault.sensor for sensor, _ in self.place.told().faults):
            fault.named_after = fault.touching

    def _reads_like(self, taken: int | None) -> bool:
        """Tell whether what was felt is a clean turn that a hidden fault made of another one.

        It has to be the first use of the reed, and the turn that it was taken for has to explain
        everything: what lies there, and each touch.
        """
        fault = self.fault
        if fault is None or not fault.is_broken or fault.touching or taken is None:
            return False
        if fault.named_after is not None or self._unnoticed is not None:
            return False
        return _explains(self.game, taken, self.place.told().edges)

    def _take_back(self) -> None:
        """Both players agree that a turn was misread: back to before it, as the table guides."""
        place, number = self.place, self._unnoticed
        assert number is not None
        self.account.taken_back += 1
        if place.phase == OVER:
            self._lift_last_marker()
        for _ in range(self._turns_taken() - number + 1):
            mover = place.game.mover
            if place.provisional is not None:
                self._press("undo", 1 - mover)
            elif self._turns_taken() > number:
                self._press("undo", mover)
            self._wait(READ_MS)
        while len(self.game.turns) > number:
            self.game.undo()
        self._unnoticed = None
        self._wary.add(number + 1)
        self._follow()
        self._arrange(pieces_of(self.game.state))

    def _lift_last_marker(self) -> None:
        """Lift the marker of the player whose turn ended the game, which takes it back."""
        owner = 1 - self.place.game.mover
        spot = FOCUS + 3 * owner + layout.focus(self.place.game.state, owner)
        if spot in self.board:
            self._do(Gesture(self.hand.pause_ms(), spot, False, owner))
            self._wait(READ_MS)

    # ---- hands

    def _do(self, gesture: Gesture) -> None:
        self._wait(gesture.after_ms)
        sensor, closed = gesture.sensor, gesture.closed
        self._contact(sensor, closed, gesture.piece)
        if gesture.flicker_ms:
            self._wait(gesture.flicker_ms)
            self._contact(sensor, not closed, self.board.get(sensor, gesture.piece))
        elif closed:
            assert sensor not in self.board, sensor_name(sensor)
            self.board[sensor] = gesture.piece
        else:
            assert self.board.pop(sensor) == gesture.piece, sensor_name(sensor)

    def _contact(self, sensor: int, closed: bool, piece: int) -> None:
        self.recorder.contact(self.place.now_ms, sensor, closed)
        self.place.piece = piece
        (self.place.place if closed else self.place.lift)(sensor)

    def _press(self, name: str, side: int) -> None:
        self.recorder.press(self.place.now_ms, name, side)
        self.place.press(name, side)

    def _wait(self, duration_ms: int) -> None:
        self.place.wait(duration_ms)


def _taps(gestures: list[Gesture]) -> dict[int, tuple[ButtonChoice, Gesture, Gesture]]:
    """Return what is tapped and stays as it was, by the index at which a tap ends."""
    return {
        index + 2: (each.choice, gestures[index + 1], gestures[index + 2])
        for index, each in enumerate(gestures[:-2])
        if each.choice and gestures[index + 1].sensor == gestures[index + 2].sensor == each.sensor
    }


def _is_tapping(gestures: list[Gesture], at: int) -> bool:
    """Tell whether the gesture at an index is one of those that tap what is offered."""
    choices = [(index, each.choice) for index, each in enumerate(gestures) if each.choice]
    return any(index < at <= index + choice.taps for index, choice in choices)


def _explains(game: Game, turn: int, edges: Iterable[tuple[int, bool]]) -> bool:
    """Tell whether a legal turn explains all that was felt since the game's position lay there.

    What was felt to lie there must be its result, all that it changes must have been touched, and
    nothing else but what hands may touch for it.
    """
    state = array("H", game.state)
    if not game.after(turn, state):
        return False
    tree = game.scratch
    records = tree.records
    base = tree.follow(game.state, turn & 0xFFFF, game.options) * RECORD_WORDS
    before, after = pieces_of(game.state), pieces_of(state)
    there = set(before)
    touched = set()
    for sensor, closed in edges:
        there = there | {sensor} if closed else there - {sensor}
        if sensor < SPACES:
            touched.add(sensor)
    changed = {at for at in range(SPACES) if before.get(at) != after.get(at)}
    may = {at for at in range(SPACES) if records[base + TOUCHED + (at >> 4)] >> (at & 15) & 1}
    return there == set(after) and changed <= touched <= changed | may

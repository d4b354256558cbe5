"""The hand at a virtual table of the viewer who is in control of the page.

One rule: where nobody at the page moves pieces, because all sides are played by choosing turns,
what lies there is this hand's own business, and it sees to it that it is what the game has.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from random import Random
from typing import Any

from chronotable.hardware.sensors import FOCUS
from chronotable.lights import meanings
from chronotable_host.engine.thinkers import Thinker
from chronotable_host.errors import UserError
from chronotable_host.hardware.drawings.glyphs import BELOW, HAT, KINDS
from chronotable_host.language import tr
from chronotable_host.live.happenings import NEW_POSITION, Happening
from chronotable_host.live.mirror import Mirror
from chronotable_host.live.players.person import Idler, Person
from chronotable_host.live.players.seats import NOBODY as SEATED_NOBODY
from chronotable_host.live.players.seats import PAGE, Seats
from chronotable_host.rules.notation import PLAYERS
from chronotable_host.virtual.desk import VirtualDesk
from chronotable_host.virtual.hand import LETTERS, due_pieces
from chronotable_host.virtual.opponent import Opponent
from chronotable_host.virtual.table import VirtualTable
from chronotable_host.virtual.tabletop import MARKERS, Tabletop, looks_in
from chronotable_host.web.todo import asked_by, sentences
from ttykm.layout import NOBODY, WHITE
from ttykm.objects import FALLEN, STATUE, TREE

_MOST_HELD = 7
_RESTED = ("set-up", "turn")
_LAID_MS = 1500.0  # until the table has felt what was laid, and taken a new game
_LOOK_MS = 300.0
_TOLD_MS = 100.0  # until the table has heard of a new game
_DOUBTED = (meanings.CONFIRM_WHITE, meanings.CONFIRM_BLACK)
_PUTS = dict(zip((meanings.PUT_WHITE, meanings.PUT_BLACK), PLAYERS, strict=True))
_ASKING = (meanings.TODO_PUT, *_PUTS)
_FALLEN = {KINDS[kind] for kind in range(FALLEN, STATUE) if kind in KINDS}


class PageHand:
    """Lifts and places pieces on a virtual table; `held` is what it holds, the last taken last.

    `seats` say who else plays here, which `opponent` does.
    `asked` is the position of the game that is to begin, None once one has.
    """

    def __init__(
        self,
        table: VirtualTable,
        mirror: Mirror,
        rng: Random,
        thinker: Callable[[str, int], Thinker] | None = None,
    ) -> None:
        self.top = Tabletop(table, rng)
        self.seats = Seats(Random(rng.randrange(1 << 30)), mirror.name_player, thinker)
        self.opponent = Opponent(self.top, mirror, rng, self.lay, self.seats)
        self.held: list[str] = []
        self.asked: array[int] | None = None
        self._mirror = mirror
        self._due_ms = 0.0

    @property
    def moves_alone(self) -> bool:
        """Whether nobody lifts and places pieces here but this hand."""
        return len(self.seats.thinkers) == len(PLAYERS)

    def step(self, _now_ms: int = 0) -> None:
        """Do what is due: the next gesture of a turn, or put right what lies amiss."""
        now_ms = self.top.table.now_ms
        # who laid what was asked for knows which piece is whose
        is_sure = (
            self.asked is not None and not self.held and self.top.there == looks_in(self.asked)
        )
        is_due = now_ms >= self._due_ms and not self.opponent.is_busy
        if is_due and (self.moves_alone or is_sure):
            self._due_ms = now_ms + _LOOK_MS
            if self._is_in_disorder():
                self._settle()
        self.opponent.step()

    def _is_in_disorder(self) -> bool:
        mirror = self._mirror
        table = mirror.table
        if table.phase not in _RESTED or not mirror.is_in_step:
            return False
        is_other = self.asked is None and self.top.there != looks_in(mirror.game.state)
        return is_other or any(led in _DOUBTED for led in table.leds)

    def hear(self, happening: Happening) -> None:
        """Take note that a game has begun, or goes on: what lies there is to be its position."""
        if isinstance(happening, NEW_POSITION):
            self.asked = None

    def begin(self, state: array[int]) -> None:
        """Lay the position of a game that is to begin."""
        self.lay(state)
        self.asked = array("H", state)

    def lay(self, state: array[int]) -> None:
        """Put a position on the table, with empty hands."""
        self.held.clear()
        self.opponent.forget()
        self.top.lay(state)
        self._due_ms = self.top.table.now_ms + _LAID_MS

    def astray(self) -> dict[int, int]:
        """Return what hands are to do where a seat waits for it, whatever the lights say.

        These are meanings of lights by sensor. A side that is played here by hand may have its
        turn in the making; pieces of the wrong colour, on the right spaces, are none.
        """
        mirror, there = self._mirror, self.top.there
        lying = looks_in(mirror.game.state)
        is_still = mirror.table.phase == "turn" and mirror.provisional is None
        if self.asked is not None or not is_still or not mirror.is_in_step:
            return {}
        if self.moves_alone or self.opponent.is_busy or mirror.game.winner() != NOBODY:
            return {}
        if mirror.game.mover not in self.seats.thinkers and there.keys() != lying.keys():
            return {}
        wrong = {*lying.items()} ^ {*there.items()}
        return {at: _to_put(lying.get(at)) for at in sorted({at for at, _ in wrong})}

    def due(self) -> dict[int, str]:
        """Return what lies where in the game's position."""
        return looks_in(self._mirror.game.state)

    def tidy(self) -> None:
        """Do what hands are asked for, and no more; raises UserError where there is nothing.

        That is what the lights ask for; where a seat waits for it, to lay what the game has.
        """
        if self.opponent.is_busy:
            raise UserError(tr("the other player's hand moves; wait a moment"))
        asked = asked_by(self._mirror.table.leds)
        if self.asked is not None:
            self._settle()
        elif self.astray():
            self.lay(self._mirror.game.state)
        elif not self._do(asked):
            lies = tr("it lies so, and a reed says otherwise: press a, and that reed is left out")
            raise UserError(lies if asked else tr("there is nothing to be put right"))

    def _do(self, asked: dict[int, int]) -> bool:
        """Do what lights ask for; return whether there was anything that hands can do."""
        top, game = self.top, self._mirror.game
        take = {
            at
            for at, says in asked.items()
            if at in top.there
            and (says == meanings.TODO_TAKE or _PUTS.get(says, top.there[at]) != top.there[at])
        }
        for at in take:
            top.lift(at)
        put = {at: _PUTS.get(says, "") for at, says in asked.items() if says in _ASKING}
        put = {at: piece for at, piece in put.items() if at not in top.there}
        open_ones = {at for at, piece in put.items() if not piece and at < FOCUS}
        due = due_pieces(game, top.there, open_ones, self.seats.wanted) if open_ones else {}
        for at, piece in put.items():
            if at >= FOCUS:
                self.place(at, MARKERS[(at - FOCUS) // 3])
            else:
                self.place(at, piece or due.get(at) or self._next(game.mover))
        sure = [at for at, says in asked.items() if says in _DOUBTED]
        for at in sure:
            top.tap(at)
        if top.there == looks_in(game.state):
            self.held.clear()
        return bool(take or put or sure)

    def _next(self, mover: int) -> str:
        """Return what a hand would put next: the last that it took, or the mover's own copy."""
        copies = [piece for piece in self.held if piece not in MARKERS]
        return copies[-1] if copies else PLAYERS[mover]

    def check_answer(self, letter: str) -> None:
        """Raise UserError where the turn of a choice does not lie there, and no reed is broken.

        The table would believe the answer, and take sound reeds for broken ones.
        """
        mirror, there = self._mirror, self.top.there
        turn = dict(zip(LETTERS, mirror.choices, strict=False)).get(letter)
        if turn is None:
            return
        state = array("H", mirror.game.state)
        mirror.game.after(turn, state)
        lying = looks_in(state)
        wrong = {at for at in lying.keys() ^ there.keys() if at < FOCUS} - self.top.broken.keys()
        if wrong:
            asked = {at: _to_put(lying.get(at)) for at in sorted(wrong)}
            says = tr("That turn does not lie there. Say that it is none of these.")
            raise UserError(" ".join([says, *sentences(asked, lying)]))

    def _settle(self) -> None:
        """Lay the game's position, or the one that begins.

        Where it lies there, lift and put back what the table wants to be sure of.
        """
        state = self._mirror.game.state if self.asked is None else self.asked
        doubted = [at for at, says in enumerate(self._mirror.table.leds) if says in _DOUBTED]
        if doubted and self.top.there == looks_in(state) and not self.held:
            for sensor in doubted:
                self.top.tap(sensor)
            self._due_ms = self.top.table.now_ms + _LAID_MS  # hands are not faster
        else:
            self.lay(state)

    def lift(self, sensor: int) -> None:
        """Take what lies on a sensor; raises UserError."""
        if len(self.held) == _MOST_HELD:
            raise UserError(tr("the hand is full; put something down first"))
        self.held.append(self.top.lift(sensor))

    def place(self, sensor: int, piece: str) -> None:
        """Put a piece out of the hand, or else out of the box; raises UserError."""
        is_held = piece in self.held
        if not is_held and not self._box().get(piece):
            raise UserError(tr("there is no such piece in the hand or in the box"))
        self.top.place(sensor, piece)
        if is_held:
            self.held.remove(piece)

    def put_away(self, piece: str) -> None:
        """Put a piece out of the hand into the box; raises UserError."""
        if piece not in self.held:
            raise UserError(tr("there is no such piece in the hand"))
        self.held.remove(piece)

    def _box(self) -> dict[str, int]:
        """Return how many of each piece are in the box: neither on the table nor in a hand."""
        return dict(self.top.box(*self.held, *self.opponent.held))

    def pieces_view(self, by_game: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return what lies on the table; `by_game` has the looks that the game gives it.

        A piece where the game has one of its kind looks as there, with hat and direction; what
        has no magnet lies where the game has it.
        """
        there = self.top.there
        shown = [
            each
            for each in by_game
            if each["look"] == BELOW or _is_kind(there.get(each["at"], ""), each["look"])
        ]
        known = {each["at"] for each in shown if each["look"] != BELOW}
        return shown + [{"at": at, "look": piece} for at, piece in there.items() if at not in known]

    def view(self) -> dict[str, Any]:
        """Return the part of the page's view that is the hand."""
        box = self._box().items()
        return {
            "box": [{"piece": piece, "count": count} for piece, count in box],
            "held": list(self.held),
            "clumsy": round(100 * self.top.clumsy),
            "broken": {str(sensor): how for sensor, how in self.top.broken.items()},
        }


class HandDesk(VirtualDesk):
    """A desk at a virtual table whose pieces the page's hand moves, once it has taken place."""

    hand: PageHand

    def take_place(
        self, rng: Random, thinker: Callable[[str, int], Thinker] | None = None
    ) -> PageHand:
        """Have the hand, and those who play by it; as `Seats` says."""
        self.hand = self.players = PageHand(self.table, self.mirror, rng, thinker)
        self.seats = self.hand.seats
        self.callback(self.seats.close)
        self.set_up, self.undo = self._lay, self._take_back
        self.check_answer = self.hand.check_answer
        self.in_lesson, self.in_analysis = _at_lesson, _by_choosing
        return self.hand

    def _lay(self, state: array[int], options: int) -> None:
        """Lay a position, and have a game begin there.

        What is felt before it is asked for needs no confirming lift. But while a game with turns is
        on, pieces that go back may be its last turn that is taken back, which the record would
        lose: then the table is told first.
        """
        if not self.mirror.game.turns and self.mirror.provisional is None:
            self.hand.begin(state)
            self.table.later(_TOLD_MS, lambda: self.session.set_up(state, options))
            return
        self.session.set_up(state, options)
        self.hand.opponent.forget()

        def lay() -> None:
            if self.hand.top.there != looks_in(state):  # else it has begun
                self.hand.begin(state)

        self.table.later(_TOLD_MS, lay)

    def _take_back(self) -> None:
        """Take a turn back, and have nobody at the turn after it."""
        self.session.command("undo")
        self.hand.opponent.forget()


def _by_choosing(_side: int, now: Thinker | None) -> Thinker | None:
    """Return who plays a side in an analysis: a person at the page, where no hands do."""
    return now if now is None or now.name == PAGE else Person(PAGE)


def _at_lesson(role: int, now: Thinker | None) -> Thinker | None:
    """Return who plays a side in a lesson: the learner as a person is used to, else nobody."""
    return _by_choosing(role, now) if role == WHITE else Idler(SEATED_NOBODY)


def _to_put(piece: str | None) -> int:
    """Return the light that asks for a piece, or for nothing to lie there."""
    if piece is None:
        return meanings.TODO_TAKE
    return next((says for says, each in _PUTS.items() if each == piece), meanings.TODO_PUT)


def _is_kind(piece: str, look: str) -> bool:
    """Tell whether a piece of the table top can look like this in a game."""
    return piece == look.partition(HAT)[0] or (piece == KINDS[TREE] and look in _FALLEN)

"""How the table itself finds a turn of the standard game, a little at a time.

Alpha-beta over what turns lead to, deeper and deeper until so many positions were looked at. Where
the depth ends, a position is only taken for what it is worth when the other player cannot win at
once. It depends on nothing but what it is asked: the same seed finds the same turn.
"""

from array import array

from chronotable.player import evaluation
from chronotable.player.evaluation import SOON, WON, of_masks, take, worth_of
from ttykm import layout
from ttykm.layout import STATE_WORDS, STRICT_TWO_ACTIONS
from ttykm.moves import count_actions, expand
from ttykm.mp import const, micropython, ptr8, ptr16, ptr32
from ttykm.turns import RECORDS_IN_GAMES, TurnTree, choose, mark

if False:
    from ttykm.game import Game

# the best outcomes of a position that are looked at, by how deep it lies: there are 16 on average,
# 34 at most in 95 of 100, and where the depth ends a few will do
_ROOMS = bytes((40, 24, 24, 16, 6, 1))
_FUTILE = const(120)  # points that no answer of one turn makes up for, nearly always
_INFINITE = const(32000)
_CHECKED = const(4)  # outcomes at most where the depth ends: whether the other can win then


@micropython.viper
def look(records: ptr16, state: ptr16, table: ptr32, out: ptr16, order: ptr8, room: int) -> int:
    """Note what the turns of a state lead to, as `take` does; return how many outcomes there are.

    `room` has 256 added where all turns have two actions if one has (strict T14). `TurnTree.build`
    does the same in Python, whose calls take memory of which a full heap has little at hand: half
    of a millisecond for each.
    """
    for word in range(16):
        records[word] = state[word] if word < 7 else 0
    records[8] = 63
    records[10] = 63
    spaces = 0xFFFF
    most = 0
    firsts = 0
    seconds = 0
    end = 0
    while spaces:
        firsts = int(choose(records, spaces))
        seconds = int(expand(records, 1, firsts, firsts, 0))
        end = int(expand(records, firsts, seconds, seconds, 0))
        most = int(count_actions(records, firsts, seconds, end))
        barred = 0
        allowed = 0
        for choice in range(1, firsts):
            base = choice << 4
            if records[base + 9] < most:
                barred = 1
            else:
                allowed |= 1 << (records[base + 8] & 15)
        spaces = allowed if barred else 0
    if most:
        mark(records, firsts, seconds, end, 1 if room & 256 and most == 2 else 0)
    else:
        end = 1
        records[15] = 1
    of_masks(records, 0, table)
    return int(take(records, 0, end, table, out, order, 0, room & 255))


@micropython.viper
def put_first(out: ptr16, order: ptr8, count: int, sequence: int) -> int:
    """Put the outcome with this sequence first in the order; return 0 where there is none."""
    for at in range(count):
        number = int(order[at])
        if out[number * 9 + 7] == sequence:
            for before in range(at):
                order[at - before] = order[at - before - 1]
            order[0] = number
            return 1
    return 0


@micropython.viper
def after(state: ptr16, out: ptr16, number: int, focus: int, child: ptr16) -> int:
    """Write to `child` what the other player sees after an outcome of `state` and a focus."""
    row = number * 9
    for word in range(6):
        child[word] = out[row + word]
    meta = state[6]
    shift = 8 if (meta >> 10) & 1 else 6
    meta = (meta & (0xFFFF ^ (3 << shift) ^ 63)) | (out[row + 6] & 63) | (focus << shift)
    child[6] = meta ^ 0x400
    return 0


@micropython.viper
def is_held(state: ptr16, out: ptr16, number: int) -> int:
    """Tell whether the player whose turn it was has copies in every era after an outcome.

    One era that is emptied is no loss then.
    """
    row = number * 9 + (3 if (state[6] >> 10) & 1 else 0)
    return 1 if out[row] and out[row + 1] and out[row + 2] else 0


class _Ply:
    """A position on the way down, and what its turns lead to."""

    def __init__(self, room: int) -> None:
        self.state = array("H", bytes(2 * STATE_WORDS))
        self.out = evaluation.outcomes(room)
        self.order = bytearray(room)
        self.room = room
        self.count = 0
        self.next = 0  # which outcome is looked at, counted twice, once for each focus
        self.depth = 0
        self.alpha = self.beta = self.best = 0
        self.killer = 0  # the sequence that refuted a position here last
        self.has_checked = False  # whether the other can win at once
        self.swap = 0  # 1 has the second focus looked at first

    def number(self) -> int:
        """Return the number of the outcome that is looked at."""
        return self.order[self.next >> 1]

    def sequence(self) -> int:
        """Return the actions that lead to it."""
        return self.out[self.number() * evaluation.OUTCOME_WORDS + evaluation.OUTCOME_SEQUENCE]

    def worth(self) -> int:
        """Return what it is worth to the player whose turn it is."""
        return worth_of(self.out, self.number())

    def focus(self) -> int:
        """Return the focus that is looked at: the first or the second that there is (T15)."""
        here = layout.focus(self.state, layout.mover(self.state))
        return (here + 1 + (self.next & 1 ^ self.swap)) % 3


class Search:
    """A search for a turn of the player to move; `step` until it returns a turn.

    `looked` tells at how many positions, `depth` how far, `score` what was found, in points.
    """

    knows_modules = False

    def __init__(self) -> None:
        self.score = 0
        self.depth = 0
        self.looked = 0
        self._records = TurnTree(RECORDS_IN_GAMES).records
        self._plies = [_Ply(room) for room in _ROOMS]
        self._game: Game | None = None
        self._table = array("i")
        self._seed = self._nodes = self._deepest = self._overlooks = 0
        self._at = 0
        self._is_due = False  # to look at a position
        self._is_over = False
        self._turn = -1

    def begin(self, game: "Game", seed: int, level: "tuple[int, int, int]") -> None:
        """Begin to look for a turn in a game.

        A `level` is at how many positions to look, about, how deep, and the chance of each turn
        that does not win to be overlooked, in 256. The `seed` decides that, and between turns that
        are worth nearly the same.
        """
        self._game = game
        self._seed = seed
        self._nodes, self._deepest, self._overlooks = level
        self._table = evaluation.table_of(evaluation.STANDARD, seed)
        self._at = self.looked = 0
        self._is_over = False
        self.depth = 1
        strict = 256 if game.options & STRICT_TWO_ACTIONS else 0
        for ply in self._plies:
            ply.killer = 0
            ply.room = len(ply.order) | strict
        root = self._plies[0]
        root.depth = root.swap = 0
        root.state = array("H", game.state)

    def step(self) -> int:
        """Think for a moment: one position. Return the turn that was found, or -1 until then."""
        if self._at and self.looked >= self._nodes:
            self._is_over = True
        if not self._is_over:
            self._is_due = False
            self._look()
            while not (self._is_due or self._is_over):
                self._go_on()
        return self._turn if self._is_over else -1

    def _look(self) -> None:
        """Look what the turns of the position lead to, and what follows of that alone."""
        at = self._at
        ply = self._plies[at]
        self.looked += 1
        ply.count = look(self._records, ply.state, self._table, ply.out, ply.order, ply.room)
        ply.next = 0
        ply.best = -_INFINITE
        ply.has_checked = False
        best = ply.worth()
        if not at:
            self._begin(best)
        elif best == WON:
            self._return(WON - at)
        elif not ply.depth:
            self._return(0)  # the other does not win at once: that is all that was asked
        elif ply.killer and ply.depth > 1:
            put_first(ply.out, ply.order, ply.count, ply.killer)

    def _begin(self, best: int) -> None:
        """Begin with the outcomes of the position that a turn is sought for."""
        root = self._plies[0]
        draw = self._seed
        kept = 0
        for at in range(root.count):
            draw = evaluation.drawn(draw)
            if draw >> 12 >= self._overlooks or (at == 0 and best == WON):
                root.order[kept] = root.order[at]
                kept += 1
        root.count = max(1, kept)
        # where nothing is looked at but this turn, the focus goes where copies are
        mine = root.number() * evaluation.OUTCOME_WORDS + 3 * layout.mover(root.state)
        root.next = draw >> 12 & 1
        if not root.out[mine + root.focus()]:
            root.next ^= 1
        self._choose(best)
        if best == WON or self._deepest < 2:
            self._is_over = True
        else:
            self._deepen()

    def _choose(self, score: int) -> None:
        """Take the turn that is looked at for the best."""
        root = self._plies[0]
        self._turn = root.focus() << 16 | root.sequence()
        self.score = score

    def _deepen(self) -> None:
        """Look at all turns anew, one turn deeper, unless it is deep enough."""
        root = self._plies[0]
        if root.depth == self._deepest or abs(self.score) > SOON:
            self._is_over = True
            return
        put_first(root.out, root.order, root.count, self._turn & 0xFFFF)
        root.next = 0
        if root.focus() != self._turn >> 16:
            root.swap ^= 1
        self.depth = root.depth = max(2, root.depth + 1)
        root.alpha = root.best = -_INFINITE
        root.beta = _INFINITE

    def _go_on(self) -> None:
        """Go on with the position that is looked at: down to the next one, or back."""
        ply = self._plies[self._at]
        if ply.depth == 1:
            self._end_here(ply)
            return
        if ply.next >> 1 == ply.count or ply.alpha >= ply.beta or self._is_futile(ply):
            self._return(ply.best)
            return
        child = self._plies[self._at + 1]
        after(ply.state, ply.out, ply.number(), ply.focus(), child.state)
        if not self._at and self._was_there(child.state):
            self._note(ply, 0)
            ply.next += 1
        else:
            self._go_down(ply, child)

    def _is_futile(self, ply: _Ply) -> bool:
        """Tell whether no outcome that is left can be the best, nearly certainly."""
        if not self._at or ply.depth != 2 or ply.next < 2 or ply.next & 1 or ply.best <= -SOON:
            return False
        return ply.worth() + _FUTILE <= ply.alpha

    def _go_down(self, ply: _Ply, child: _Ply) -> None:
        child.depth = ply.depth - 1
        child.alpha = -ply.beta
        child.beta = -ply.alpha
        self._at += 1
        self._is_due = True

    def _end_here(self, ply: _Ply) -> None:
        """Where the depth ends: take what the best outcome is worth, if the other cannot win."""
        number = ply.next >> 1
        if number == ply.count:
            self._return(self._at + 2 - WON)
            return
        worth = ply.worth()
        if (
            number == _CHECKED
            or worth <= ply.alpha
            or worth <= -SOON
            or is_held(ply.state, ply.out, ply.number())
        ):
            self._return(worth)
            return
        child = self._plies[self._at + 1]
        after(ply.state, ply.out, ply.number(), ply.focus(), child.state)
        ply.has_checked = True
        self._go_down(ply, child)

    def _return(self, value: int) -> None:
        """Tell the position before what this one is worth to its player."""
        if not self._at:
            self._deepen()
            return
        child = self._plies[self._at]
        self._at -= 1
        ply = self._plies[self._at]
        if ply.depth == 1:
            if value > SOON:  # the other wins then
                ply.next += 2
            else:
                self._return(ply.worth())
            return
        self._note(ply, -value)
        # where nobody asked what this player can do then, its focus made no difference
        ply.next += 2 if ply.depth == 2 and not (ply.next & 1 or child.has_checked) else 1

    def _note(self, ply: _Ply, value: int) -> None:
        """Compare what an outcome is worth with those before it."""
        if value > ply.best:
            ply.best = value
            if value > ply.alpha:
                ply.alpha = value
                if not self._at:
                    self._choose(value)
                elif value >= ply.beta:
                    ply.killer = ply.sequence()

    def _was_there(self, state: "array[int]") -> bool:
        """Tell whether the game was at this position before: to come back to it leads nowhere."""
        past = self._game.past if self._game else state
        return evaluation.is_among(past, len(past) // STATE_WORDS, STATE_WORDS, state) != 0

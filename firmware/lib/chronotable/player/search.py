"""How the table itself finds a turn of the standard game, a little at a time.

Alpha-beta over what turns lead to, deeper and deeper until so many positions were looked at. Where
the depth ends, a position is only taken for what it is worth when the other player cannot win at
once. It depends on nothing but what it is asked: the same seed finds the same turn.
"""

from array import array

from chronotable.player import evaluation
from chronotable.player.evaluation import (
    BETTER_FOCUS,
    ENOUGH,
    FIRST,
    ROOM,
    SOON,
    WON,
    WORK,
    ZERO,
    take,
    turn_of,
    worth_of,
)
from chronotable.player.weights import WEIGHTS
from ttykm.layout import RECORD_WORDS, STATE_WORDS, STRICT_TWO_ACTIONS
from ttykm.moves import expand
from ttykm.mp import const, micropython, ptr8, ptr16, ptr32
from ttykm.turns import choose, mark

if False:
    from ttykm.game import Game

# the best turns of a position that are looked at, by how deep it lies: there are 32 on average, and
# where the depth ends a few will do
_ROOMS = bytes((64, 32, 32, 24, 24, 16, 5))
_RECORDS = const(44)  # the position, one copy lifted, its first actions and the second ones
_FUTILE = const(40)  # points that a turn is hardly ever better by than it seems, by depth
_REDUCED_FROM = const(4)  # the fifth turn and those behind it are looked at less deeply first
_INFINITE = const(32000)
_NEVER = const(0x10000)  # more than an outcome is worth as it stands there
_KEEPS = const(16)  # boards that are kept of each kind
_EACH = const(21)  # a position takes as long as so many records
_USUAL = const(48)  # and with its records so long
_CHECKED = const(4)  # outcomes at most where the depth ends: whether the other can win then


@micropython.viper
def is_held(out: ptr16, number: int) -> int:
    """Tell whether the player whose turn it was has copies in every era after an outcome.

    One era that is emptied is no loss then.
    """
    row = number * 9
    row += 3 if (out[row + 6] >> 10) & 1 else 0
    return 1 if out[row] and out[row + 1] and out[row + 2] else 0


@micropython.viper
def look(
    records: ptr16,
    state: ptr16,
    weights: ptr8,
    table: ptr32,
    out: ptr16,
    order: ptr8,
) -> int:
    """Note what the turns of a state lead to, as `take` does; return how many outcomes there are.

    The table has the room: 256 is added where all turns have two actions if one has (strict T14).
    Copies are looked at one after the other, so that little room is needed; those that can take
    fewer actions than another one may not be chosen (T12). The rest is left out once an outcome is
    worth enough, by the table, and the other player cannot win then; the copy that this was found
    with is the first one next time.
    """
    room = table[ROOM]
    enough = table[ENOUGH]
    for word in range(16):
        records[word] = state[word] if word < 7 else 0
    meta = state[6]
    side = (meta >> 10) & 1
    copies = state[3 * side + ((meta >> (6 + 2 * side)) & 3)]
    most = 0
    count = 0
    for turned in range(16):
        space = (turned + table[FIRST]) & 15
        if (copies >> space) & 1 == 0:
            continue
        choose(records, 1 << space)
        seconds = int(expand(records, 1, 2, 2, 0))
        end = int(expand(records, 2, seconds, seconds, 0))
        actions = 2 if end > seconds else 1 if seconds > 2 else 0
        if actions > most:
            most = actions
            count = 0
        if actions and actions == most:
            mark(records, 2, seconds, end, 1 if room & 256 and most == 2 else 0)
            count = int(take(records, 2, end, weights, table, out, order, count, room))
            row = 9 * int(order[0])
            if most == 2 and count and out[row + 8] >= enough:
                if int(is_held(out, int(order[0]))):
                    table[FIRST] = space
                    break
    if most == 0:
        records[15] = 1
        count = int(take(records, 0, 1, weights, table, out, order, 0, room))
    return count


@micropython.viper
def can_lose(records: ptr16, out: ptr16, number: int, table: ptr32) -> int:
    """Tell whether the other player can win at once after an outcome.

    Two actions empty one era: that of their focus, of four copies at most, or, travelling there
    first, another one of two. Who pushed can go on, so that neither T12 nor T14 forbids it.
    """
    row = number * 9
    meta = out[row + 6] ^ 0x400
    side = (meta >> 10) & 1
    theirs = 3 - 3 * side
    here = (meta >> (6 + 2 * side)) & 3
    eras = 0
    near = 0
    for era in range(3):
        copies = out[row + theirs + era]
        if copies == 0:
            continue
        eras += 1
        away = era - here if era > here else here - era
        for _ in range(2 if away else 4):
            copies = copies & (copies - 1)
        if copies == 0 and away < 2:
            near = 1
    if eras > 2 or near == 0:
        return 0
    for word in range(16):
        records[word] = out[row + word] if word < 6 else 0
    records[6] = meta
    active = out[row + 3 * side + here]
    for space in range(16):
        if (active >> space) & 1 == 0:
            continue
        choose(records, 1 << space)
        firsts = int(expand(records, 1, 2, 2, 0))
        end = firsts
        for first in range(2, firsts):
            base = first << 4
            place = records[base + 8]
            if place == 63:
                continue
            bit = 1 << (place & 15)
            base += place >> 4
            copies = records[base + theirs]
            few = copies & (copies - 1)
            few = few & (few - 1)
            copies |= records[base + 3 * side]
            # what is beside it, by number: with two more, where it lies at an edge
            near = bit << 1 | bit >> 1 | bit << 4 | bit >> 4
            if few == 0 and copies & near:  # else it pushes nobody, or too few
                end = int(expand(records, first, first + 1, end, 0))
        table[WORK] += end
        for index in range(2, end):
            base = (index << 4) + theirs
            eras = 1 if records[base] else 0
            eras += 1 if records[base + 1] else 0
            eras += 1 if records[base + 2] else 0
            if eras < 2:
                return 1
    return 0


@micropython.viper
def at_end(records: ptr16, table: ptr32, out: ptr16, order: ptr8, count: int, alpha: int) -> int:
    """Return what the best outcome is worth after which the other player cannot win at once.

    Where the depth ends, and turns were looked at; an outcome that is no better than `alpha` is
    taken as it is. 0 - WON: after all of them the other player can win.
    """
    for at in range(count):
        number = int(order[at])
        worth = out[9 * number + 8] - ZERO
        if at == _CHECKED or worth <= alpha or worth == WON or worth <= 0 - SOON:
            return worth
        if int(can_lose(records, out, number, table)) == 0:
            return worth
    return 0 - WON


@micropython.viper
def put_first(out: ptr16, order: ptr8, count: int, turn: int) -> int:
    """Put this turn first in the order; return 0 where there is none."""
    for at in range(count):
        number = int(order[at])
        row = number * 9
        meta = out[row + 6]
        shift = 6 + ((meta >> 9) & 2)
        if out[row + 7] | ((meta >> shift) & 3) << 16 == turn:
            for before in range(at):
                order[at - before] = order[at - before - 1]
            order[0] = number
            return 1
    return 0


@micropython.viper
def play(out: ptr16, number: int, child: ptr16) -> int:
    """Write to `child` what the other player sees after an outcome."""
    for word in range(7):
        child[word] = out[number * 9 + word]
    child[6] = child[6] ^ 0x400
    return 0


class _Ply:
    """A position on the way down, and what its turns lead to."""

    def __init__(self, room: int) -> None:
        self.state = array("H", bytes(2 * STATE_WORDS))
        self.out = evaluation.outcomes(room)
        self.order = bytearray(room)
        self.room = room
        self.count = 0
        self.next = 0  # which turn is looked at
        self.depth = 0
        self.alpha = self.beta = self.best = 0
        self.killer = 0  # the turn that refuted a position here last
        self.is_reduced = False  # whether the turn is looked at less deeply
        self.is_again = False  # and as it seemed to be the best then, now in full

    def worth(self) -> int:
        """Return what the turn that is looked at is worth to the player whose turn it is."""
        return worth_of(self.out, self.order[self.next])

    def turn(self) -> int:
        """Return it, packed."""
        return turn_of(self.out, self.order[self.next])


class Search:
    """A search for a turn of the player to move; `step` until it returns a turn.

    `looked` tells at how many positions of the usual kind (those with many turns
    count more), `depth` how far, `score` what was found, in points.
    """

    knows_modules = False

    def __init__(self) -> None:
        self.score = 0
        self.depth = 0
        self.looked = 0
        self._records = array("H", bytes(2 * RECORD_WORDS * _RECORDS))
        self._plies = [_Ply(room) for room in _ROOMS]
        self._game: Game | None = None
        self._table = evaluation.table_of(_KEEPS)
        self._seed = self._nodes = self._deepest = self._overlooks = 0
        self._at = 0
        self._is_due = False  # to look at a position
        self._is_over = False
        self._turn = -1

    def begin(self, game: "Game", seed: int, level: "tuple[int, int, int]") -> None:
        """Begin to look for a turn in a game.

        A `level` is at how many positions to look, about, how deep, and the chance of what can be
        done, and does not win, to be overlooked, in 256. The `seed` decides that, and between turns
        that are worth nearly the same.
        """
        self._game = game
        self._seed = seed
        self._nodes, self._deepest, self._overlooks = level
        evaluation.vary(self._table, seed)
        self._at = self.looked = 0
        self._is_over = False
        self.depth = 1
        strict = 256 if game.options & STRICT_TWO_ACTIONS else 0
        for ply in self._plies:
            ply.killer = 0
            ply.room = len(ply.order) | strict
        root = self._plies[0]
        root.depth = _INFINITE
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
        """Look what the turns of the position lead to.

        What this calls has few arguments, and it few variables: more than eleven words together
        would be allocated, which takes half of a millisecond where the heap is nearly full.
        """
        ply = self._plies[self._at]
        table = self._table
        if ply.depth == 1:
            table[ROOM] = ply.room & 256 | BETTER_FOCUS | _CHECKED + 1
            table[ENOUGH] = ply.beta + ZERO
        else:
            table[ROOM] = ply.room
            table[ENOUGH] = _NEVER
        ply.count = look(self._records, ply.state, WEIGHTS, table, ply.out, ply.order)  # type: ignore[arg-type]
        table[WORK] += _EACH
        self.looked = table[WORK] // _USUAL
        if ply.depth == 1:
            self._end_here(ply)
        else:
            self._go_into(ply)

    def _end_here(self, ply: _Ply) -> None:
        """Where the depth ends: take what the best outcome is worth, if the other cannot win."""
        value = at_end(self._records, self._table, ply.out, ply.order, ply.count, ply.alpha)
        if abs(value) == WON:
            value = WON - self._at if value > 0 else self._at + 2 - WON
        self._return(value)

    def _go_into(self, ply: _Ply) -> None:
        """Begin with the first outcome of a position, unless that wins."""
        ply.next = 0
        ply.is_reduced = ply.is_again = False
        best = ply.worth()
        if self._at and best == WON:
            self._return(WON - self._at)
            return
        ply.best = -_INFINITE
        if not self._at:
            self._begin(best)
        elif ply.killer:
            put_first(ply.out, ply.order, ply.count, ply.killer)

    def _begin(self, best: int) -> None:
        """Begin with the outcomes of the position that a turn is sought for."""
        root = self._plies[0]
        kept = 0
        for at in range(root.count):
            # who overlooks what can be done overlooks it whatever the focus does then
            actions = turn_of(root.out, root.order[at]) & 0xFFFF
            draw = evaluation.drawn(evaluation.drawn(self._seed ^ actions))
            if draw >> 12 >= self._overlooks or (at == 0 and best == WON):
                root.order[kept] = root.order[at]
                kept += 1
        root.count = max(1, kept)
        self._choose(best)
        if best == WON or self._deepest < 2:
            self._is_over = True
        else:
            self._deepen()

    def _choose(self, score: int) -> None:
        """Take the turn that is looked at for the best."""
        self._turn = self._plies[0].turn()
        self.score = score

    def _deepen(self) -> None:
        """Look at all turns anew, one turn deeper, unless it is deep enough."""
        root = self._plies[0]
        if self.depth == self._deepest or abs(self.score) > SOON:
            self._is_over = True
            return
        put_first(root.out, root.order, root.count, self._turn)
        root.next = 0
        self.depth += 1
        root.depth = self.depth
        root.alpha = root.best = -_INFINITE
        root.beta = _INFINITE

    def _go_on(self) -> None:
        """Go on with the position that is looked at: down to the next one, or back."""
        ply = self._plies[self._at]
        if (
            ply.next == ply.count
            or ply.alpha >= ply.beta
            or (
                # no turn that is left can be the best, nearly certainly
                ply.depth < 4
                and ply.next
                and self._at
                and ply.best > -SOON
                and ply.worth() + _FUTILE * ply.depth <= ply.alpha
            )
        ):
            self._return(ply.best)
            return
        child = self._plies[self._at + 1]
        play(ply.out, ply.order[ply.next], child.state)
        if not self._at and self._was_there(child.state):
            self._note(ply, 0)
            ply.next += 1
        else:
            ply.is_reduced = ply.depth > 2 and ply.next >= _REDUCED_FROM and not ply.is_again
            self._go_down(ply, child)

    def _go_down(self, ply: _Ply, child: _Ply) -> None:
        child.depth = ply.depth - 1
        child.alpha = -ply.beta
        child.beta = -ply.alpha
        if ply.is_reduced:
            child.depth -= 1
            child.alpha = child.beta - 1
        self._at += 1
        self._is_due = True

    def _return(self, value: int) -> None:
        """Tell the position before what this one is worth to its player."""
        if not self._at:
            self._deepen()
            return
        self._at -= 1
        ply = self._plies[self._at]
        ply.is_again = ply.is_reduced and -value > ply.alpha
        if not ply.is_again:
            self._note(ply, -value)
            ply.next += 1

    def _note(self, ply: _Ply, value: int) -> None:
        """Compare what an outcome is worth with those before it."""
        if value > ply.best:
            ply.best = value
            if value > ply.alpha:
                ply.alpha = value
                if not self._at:
                    self._choose(value)
                elif value >= ply.beta:
                    ply.killer = ply.turn()

    def _was_there(self, state: "array[int]") -> bool:
        """Tell whether the game was at this position before: to come back to it leads nowhere."""
        past = self._game.past if self._game else state
        return evaluation.is_among(past, len(past) // STATE_WORDS, STATE_WORDS, state) != 0

"""A game: a position, the turns taken, and what the rest of the project asks of the rules.

This is the door to the rules: the table's machinery and the PC use `Game` and the layout. The
texts of turns and positions are the PC's (chronotable_host.rules.notation).
"""

from array import array
from binascii import crc32

from ttykm import layout
from ttykm.layout import META, MOVER_SHIFT, NOBODY, RECORD_WORDS, SEQUENCE, STATE_WORDS
from ttykm.mp import const
from ttykm.turns import RECORDS_EVER, TurnTree

if False:
    from collections.abc import Iterator

RULES_VERSION = const(1)

_SCRATCH = const(4)  # records of one sequence: position, choice, two actions


class IllegalTurnError(ValueError):
    """The turn is not legal in the position of the game, which is as it was.

    `why_illegal` of chronotable_host.rules.refusals says of this game and turn what is wrong.
    """

    def __init__(self, game: "Game", turn: int) -> None:
        super().__init__(turn)
        self.game = game
        self.turn = turn


def winner(state: "array[int]") -> int:
    """Return who has won when `state` was reached by a turn, or NOBODY (T29-T31).

    The player whose turn ended is the one who is not to move now; only that player checks.
    """
    loser = state[META] >> MOVER_SHIFT & 1
    return 1 - loser if layout.eras_held(state, loser) <= 1 else NOBODY


def digest(state: "array[int]") -> int:
    """Return 32 bits that differ when two states differ (CRC-32 over the little-endian words)."""
    return int(crc32(state))


def is_conserved(state: "array[int]") -> bool:
    """Tell whether the box has what a state has: seven pieces of each player, and its objects."""
    for player in range(2):
        count = layout.supply(state, player)
        for era in range(3):
            mask = state[3 * player + era]
            while mask:
                mask &= mask - 1
                count += 1
        if count > 7:
            return False
    if len(state) == STATE_WORDS:
        return True
    from ttykm import box

    return box.is_conserved(state)


class Game:
    """A game in progress: start, options, turns; takes turns back one by one.

    `state` is the present position; treat it as read-only. `turns` are packed as in layout.py.
    A game that starts at a decided position is not over: only a turn's end decides (T29). `past`
    has the states before each turn, one behind the other.

    >>> game = Game()
    >>> game.apply(next(game.legal_turns()))
    >>> game.mover, len(game.turns), game.winner() == NOBODY
    (1, 1, True)
    """

    def __init__(self, capacity: int = RECORDS_EVER, with_modules: int = 0) -> None:
        self.turn_tree = TurnTree(capacity, with_modules)
        self.scratch = TurnTree(_SCRATCH, _SCRATCH)
        self.state = layout.new_state()
        self.turns = array("I")
        self.past = array("H")
        self.options = 0
        self.is_lazy = False  # second actions of a game with modules come when they are asked for
        self._built = False

    def start(self, state: "array[int]", options: int = 0) -> None:
        """Begin a new game at `state`, which is copied."""
        self.state = array("H", state)
        self.options = options
        self.turns = array("I")
        self.past = array("H")
        self._built = False

    @property
    def mover(self) -> int:
        """The player whose turn it is, also after the game is over."""
        return self.state[META] >> MOVER_SHIFT & 1

    def winner(self) -> int:
        """Return WHITE, BLACK or NOBODY (T29)."""
        return winner(self.state) if self.turns else NOBODY

    def legal(self, anew: bool = False) -> TurnTree:
        """Return the turn tree of the present position; it is built when first asked for.

        `anew` builds it again, without the second actions and bars that were added since.
        """
        if anew or not self._built:
            self.turn_tree.build(self.state, self.options, not self.is_lazy)
            self._built = True
        return self.turn_tree

    def legal_turns(self) -> "Iterator[int]":
        """Yield every legal turn, packed; none when the game is over (T29)."""
        if self.winner() != NOBODY:
            return
        here = layout.focus(self.state, self.mover)
        tree = self.legal()
        for first in range(tree.firsts, tree.seconds):
            tree.expand_first(first)
        for index in tree.whole_turns():
            sequence = tree.records[index * RECORD_WORDS + SEQUENCE]
            for era in range(3):
                if era != here:
                    yield era << 16 | sequence

    def after(self, turn: int, out: "array[int]") -> bool:
        """Write the state after a turn to `out`; return False, with `out` as it was, if illegal."""
        sequence = turn & 0xFFFF
        era = turn >> 16
        if era > 2 or era == layout.focus(self.state, self.mover):
            return False
        tree = self.scratch
        if sequence & 63 and sequence & 0xFC0:  # of two actions no other turn has a say (T11, T12)
            index = tree.follow(self.state, sequence, self.options)
        else:
            tree = self.legal()
            index = tree.find(sequence)
        if index < 0:
            return False
        tree.after(index, era, out)
        return True

    def apply(self, turn: int) -> None:
        """Take a legal turn.

        Raises IllegalTurnError, with nothing changed, for an illegal one and when the game is over.
        """
        out = array("H", self.state)
        if self.winner() != NOBODY or not self.after(turn, out):
            raise IllegalTurnError(self, turn)
        self.past.extend(self.state)
        self.turns.append(turn)
        self.state = out
        self._built = False

    def undo(self) -> int:
        """Take the last turn back and return it; raises IndexError when there is none."""
        if not self.turns:
            raise IndexError("there is no turn to take back")
        turn = self.turns[-1]
        self.turns = self.turns[:-1]
        words = len(self.state)
        self.state = self.past[-words:]
        self.past = self.past[:-words]
        self._built = False
        return turn

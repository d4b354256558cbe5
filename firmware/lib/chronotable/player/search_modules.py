"""How the table itself finds a turn of a game with modules, a little at a time.

What each turn leads to, and what the other player's best answer makes of that: no deeper, as turns
of these games are many and slow to find. What is legal a turn tree says, whose room is the end of
the game's own one: memory is short in these games, and nobody needs that while hands rest.
"""

from array import array

from chronotable.player import evaluation
from chronotable.player.evaluation import BETTER_FOCUS, take, turn_of, worth_of
from chronotable.player.weights import WEIGHTS
from ttykm.layout import PARENT, RECORD_WORDS
from ttykm.mp import const
from ttykm.turns import TurnTree

if False:
    from ttykm.game import Game

_RECORDS = const(72)  # all first actions, and the second ones of one of them: 53 in random games
_ROOM = const(48)  # outcomes that are looked at
_OF_OUTCOMES = const(27)  # records whose room they take
_ANSWERS = const(1)  # the best one is enough
_INFINITE = const(32000)


class ModuleSearch:
    """A search for a turn of the player to move; `step` until it returns a turn.

    As `Search` (search.py) is; `looked` counts first actions whose second ones were looked at.
    """

    knows_modules = True

    def __init__(self) -> None:
        self.score = 0
        self.looked = 0
        self.depth = 0
        self._tree = TurnTree(0, _RECORDS)
        self._from = 0  # the record of the game's tree in which this one begins
        self._table = evaluation.table_of()
        self._out = evaluation.outcomes(0)
        self._order = bytearray(_ROOM)
        self._answer = evaluation.outcomes(_ANSWERS)
        self._answer_order = bytearray(_ANSWERS)
        self._game: Game | None = None
        self._state = array("H")  # whose turns are looked at
        self._count = 0
        self._first = 0  # the first action that is due
        self._at = -1  # the outcome whose answers are looked at; before them those of the position
        self._seed = self._nodes = self._deepest = self._overlooks = 0
        self._turn = self._next = self._best = -1
        self._kept = 0  # outcomes that are not overlooked

    def begin(self, game: "Game", seed: int, level: "tuple[int, int, int]") -> None:
        """Begin to look for a turn in a game; as `Search.begin`."""
        self._game = game
        self._seed = seed
        self._nodes, self._deepest, self._overlooks = level
        evaluation.vary(self._table, seed)
        self._borrow(game.legal())
        self._state = array("H", game.state)
        self._at = self._turn = self._next = self._best = -1
        self._count = self._first = self.looked = 0
        self.score = -_INFINITE
        self.depth = 1

    def _borrow(self, whole: TurnTree) -> None:
        """Use the end of a tree, or room of its own where that tree is too large."""
        end = len(whole.objects)
        self._from = end // RECORD_WORDS - _RECORDS - _OF_OUTCOMES
        tree = self._tree = TurnTree(0, _RECORDS)
        if whole.end > self._from:
            self._from = end
            self._out = evaluation.outcomes(_ROOM)
            return
        begin = self._from * RECORD_WORDS
        end = begin + _RECORDS * RECORD_WORDS
        records = memoryview(whole.records)
        tree.records = records[begin:end]  # type: ignore[assignment]
        tree.objects = whole.objects[begin:end]
        begin, end = end, end + _OF_OUTCOMES * RECORD_WORDS
        self._out = records[begin:end]  # type: ignore[assignment]

    def _is_disturbed(self) -> bool:
        """Tell whether the game's tree has grown, or had, over the first record here.

        That one has no parent, and what hands ask for has.
        """
        game = self._game
        if game is not None and game.turn_tree.end > self._from:
            return True
        return (self._first > 0 or self._at >= 0) and self._tree.records[PARENT] > 0

    def step(self) -> int:
        """Think for a moment. Return the turn that was found, or -1 until then."""
        if self._turn >= 0:
            return self._turn
        if self._game is not None and self._is_disturbed():
            self.begin(self._game, self._seed, (self._nodes, self._deepest, self._overlooks))
        tree = self._tree
        if not self._first:
            self._build()
        elif self._first < tree.seconds:
            self._expand()
        elif self._at < 0:
            self._begin()
        else:
            self._compare()
        return self._turn

    def _build(self) -> None:
        tree = self._tree
        tree.build(self._state, self._game.options if self._game else 0, False)
        self._first = tree.firsts
        self._take(0, tree.end)

    def _take(self, begin: int, end: int) -> None:
        """Add the outcomes of some records."""
        out, order, room = self._out, self._order, _ROOM
        if self._at >= 0:
            out, order, room = self._answer, self._answer_order, _ANSWERS
        records, table, count = self._tree.records, self._table, self._count
        room |= BETTER_FOCUS
        self._count = take(records, begin, end, WEIGHTS, table, out, order, count, room)  # type: ignore[arg-type]

    def _expand(self) -> None:
        """Look at what follows one first action."""
        tree = self._tree
        begin = tree.end
        tree.expand_first(self._first)
        if tree.is_full and begin > tree.seconds:  # now there is room for it
            tree.build(self._state, self._game.options if self._game else 0, False)
            begin = tree.end
            tree.expand_first(self._first)
        self._take(begin, tree.end)
        self._first += 1
        self.looked += 1
        if self._at >= 0 and self._count and -worth_of(self._answer, 0) <= self.score:
            self._first = tree.seconds  # no better than another turn already

    def _begin(self) -> None:
        """All outcomes are there: leave out what is overlooked, and take the first for the best."""
        draw = self._seed
        kept = 0
        is_won = worth_of(self._out, self._order[0]) == evaluation.WON
        for at in range(self._count):
            draw = evaluation.drawn(draw)
            if draw >> 12 >= self._overlooks or (at == 0 and is_won):
                self._order[kept] = self._order[at]
                kept += 1
        self._kept = max(1, kept)
        if is_won or self._deepest < 2 or not self._look_at(0):
            self._turn = turn_of(self._out, self._order[0])
            self.score = worth_of(self._out, self._order[0])
        else:
            self.depth = 2

    def _look_at(self, at: int) -> bool:
        """Look at the answers to an outcome next, or to one behind it; False where none is left."""
        game = self._game
        while game is not None and at < self._kept and (at == 0 or self.looked < self._nodes):
            self._at = at
            self._next = turn_of(self._out, self._order[at])
            if game.after(self._next, self._state):
                words = len(self._state)
                if not evaluation.is_among(game.past, len(game.past) // words, words, self._state):
                    self._count = self._first = 0
                    return True
                if self.score < 0:
                    self._best, self.score = self._next, 0
            at += 1
        return False

    def _compare(self) -> None:
        """All answers to an outcome are there: compare it with those before."""
        value = -worth_of(self._answer, self._answer_order[0])
        if value > self.score:
            self._best, self.score = self._next, value
        if not self._look_at(self._at + 1):
            self._turn = self._best

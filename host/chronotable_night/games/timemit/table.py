"""The game on the table while one action is played out: a state that nobody else sees yet.

A new state shares with the old one all that did not change: values are replaced, never changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from chronotable_night.games.interface import EVERYBODY, NOBODY, GameHappening, State
from chronotable_night.games.shuffling import shuffled
from chronotable_night.games.timemit.box import LETTERS, CardBox
from chronotable_night.games.timemit.effects import COLOURS, Amount

SEATS = (0, 1)
TOWARDS = (-1, 1)
"""Where the goals of the seats lie: Nora's in the past, Aron's in the future (TM1)."""
MOST_TRIANGLES = 6
RECALL_BACK = 4
PARADOX = 3
"""So many symbols of a colour are a paradox (TM5)."""


class AskedSeat(NamedTuple):
    """A seat that is asked, and the state it is asked in, or its view of that."""

    box: CardBox
    state: State
    seat: int


def size(hidden: int | Sequence[Any]) -> int:
    """Return how many cards lie in a pile, which a view may give as a number."""
    return hidden if isinstance(hidden, int) else len(hidden)


def descending(values: Iterable[int]) -> list[int]:
    """Return Kronos as they lie in a hand."""
    return sorted(values, reverse=True)


def without(values: Sequence[int], gone: Iterable[int]) -> list[int]:
    """Return Kronos or cards without some of them, each as often as it is named."""
    left = list(values)
    for value in gone:
        left.remove(value)
    return left


def can_recall(state: State, seat: int) -> bool:
    """Tell whether a seat of a state or view may recall its spent Kronos (TM13)."""
    return size(state["kronos"][seat]) == 0 and len(state["spent"][seat]) > 0


def symbols_on(box: CardBox, cards: Iterable[int]) -> dict[str, int]:
    """Return how many symbols of each colour letter cards show."""
    counts = dict.fromkeys(LETTERS, 0)
    for card in cards:
        for letter, count in box.cards[card].symbols.items():
            counts[letter] += count
    return counts


def paradox_colours(box: CardBox, cards: Iterable[int]) -> list[str]:
    """Return the colour letters that cards show three times or more."""
    return [letter for letter, n in symbols_on(box, cards).items() if n >= PARADOX]


def amount_of(box: CardBox, state: State, seat: int, amount: Amount) -> int:
    """Return how much an effect gives in a state, or in any view: all that counts lies open."""
    if not amount.counted:
        return amount.times
    counts = [_count(box, state, seat, what) for what in amount.counted]
    count = min(counts) if amount.join == "min" else sum(counts)
    return amount.times * (count // amount.per)


def _count(box: CardBox, state: State, seat: int, what: str) -> int:
    if what == "symbols":
        return int(state["symbols"][seat])
    if what == "ownP":
        return int(state["triangles"][seat])
    return symbols_on(box, state["revealed"][seat])[COLOURS[what]]


class Table:
    """A state on its way to the next question, and what happens on the way."""

    def __init__(self, box: CardBox, state: State, happenings: list[GameHappening]) -> None:
        self.box = box
        self.now = dict(state)
        self._happenings = happenings

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.now["phase"] == "over")

    def tell(self, what: str, to: int = EVERYBODY, **facts: Any) -> None:
        """Say what happened."""
        self._happenings.append(GameHappening(what, facts, to))

    def put(self, key: str, seat: int, value: Any) -> None:
        """Give a seat another value in a list of two."""
        pair = list(self.now[key])
        pair[seat] = value
        self.now[key] = pair

    def ask(self, seat: int, question: str) -> None:
        """Stop at a question."""
        self.now["turn"] = seat
        self.now["ask"] = question

    # ---------------------------------------------------------------- ship and triangles

    def settle(self, move: int, marks: Sequence[int], cause: str, card: int = 0) -> None:
        """Move the ship and change triangles, and see whether that ends the game.

        `move` counts toward the future; `cause` is a word for what led to it: "combat",
        "paradox", "effect" (of a card), "recall" or "endgame".
        """
        length, ship, before = self.box.length, self.now["ship"], self.now["triangles"]
        reached = min(max(ship + move, -length), length)
        after = [
            min(max(have + change, 0), MOST_TRIANGLES)
            for have, change in zip(before, marks, strict=True)
        ]
        self.now["ship"], self.now["triangles"] = reached, after
        if reached != ship:
            self.tell("ship", before=ship, after=reached, cause=cause, card=card)
        for seat in SEATS:
            if after[seat] != before[seat]:
                facts = {"seat": seat, "before": before[seat], "after": after[seat]}
                self.tell("triangles", **facts, cause=cause, card=card)
        if abs(reached) == length:
            self.end([0 if reached < 0 else 1], "goal")
        elif MOST_TRIANGLES in after:
            self.end([seat for seat in SEATS if after[seat] < MOST_TRIANGLES], "paradox")

    def end(self, winners: list[int], why: str) -> None:
        """End the game; all else stays as it lies."""
        self.now.update(phase="over", turn=NOBODY, ask="", winners=winners, why=why)
        self.now.update(todo=[], answers=["", ""], net=0, marks=[0, 0])
        self.tell("over", winners=winners, why=why)

    def recall(self, seats: Sequence[int]) -> None:
        """Let seats take back their spent Kronos, and pay for it (TM13)."""
        move, marks = 0, [0, 0]
        for seat in seats:
            self.put("kronos", seat, descending(self.now["kronos"][seat] + self.now["spent"][seat]))
            self.put("spent", seat, [])
            self.tell("recall", seat=seat)
            move -= RECALL_BACK * TOWARDS[seat]
            marks[seat] = 1
        self.settle(move, marks, "recall")

    # ---------------------------------------------------------------- decks

    def reshuffle(self, seat: int) -> None:
        """Make a new deck of the discard, if the deck is empty (TM7)."""
        discard = self.now["discards"][seat]
        if not self.now["decks"][seat] and discard:
            deck, self.now["rng"] = shuffled(discard, self.now["rng"])
            self.put("decks", seat, deck)
            self.put("discards", seat, [])
            self.tell("shuffle", seat=seat)

    def take_top(self, seat: int) -> int:
        """Take the top card of a deck."""
        card, *rest = self.now["decks"][seat]
        self.put("decks", seat, rest)
        if self.now["open"][seat]:
            self.put("open", seat, self.now["open"][seat] - 1)
        else:
            self.put("peeked", seat, 0)
        return int(card)

    def discard(self, seat: int, cards: Sequence[int]) -> None:
        """Lay cards on a discard."""
        self.put("discards", seat, [*self.now["discards"][seat], *cards])

    def spend(self, seat: int, values: Sequence[int]) -> None:
        """Lay Kronos, which lie in no hand any more, on a Kronos discard."""
        self.put("spent", seat, descending([*self.now["spent"][seat], *values]))

    def to_hand(self, seat: int, values: Sequence[int]) -> None:
        """Take Kronos, which lie nowhere else any more, to a hand."""
        self.put("kronos", seat, descending([*self.now["kronos"][seat], *values]))

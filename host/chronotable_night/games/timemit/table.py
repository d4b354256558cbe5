"""The game on the table while one action is played out: a state that nobody else sees yet.

A new state shares with the old one all that did not change: values are replaced, never changed.
"""

import re
from collections.abc import Iterable, Sequence
from random import Random
from typing import Any, NamedTuple

from chronotable_night.games.interface import EVERYBODY, NOBODY, GameHappening, State, size
from chronotable_night.games.portable import shuffled
from chronotable_night.games.timemit.box import DECKS, LETTERS, CardBox
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

    # ---- ship and triangles

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

    # ---- decks

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


# ---- the four lanes of bids


LANES = (4, 1, 2, 3)
"""The lanes in the order in which bids are opened: the event first (TM9)."""
EVENT_LANE = 4

_VALUES = r"[1-9][0-9]{0,8}(?:,[1-9][0-9]{0,8})*"
_LANE = re.compile(f"([1-4]):({_VALUES})")


def usable(box: CardBox, state: State, seat: int) -> list[int]:
    """Return the revealed cards that a seat may add to its bid at the open lane (TM11)."""
    laid = size(state["bids"][seat][state["lane"] - 1])
    found = []
    for card in state["revealed"][seat]:
        bid = box.cards[card].bid
        if bid and card not in state["used"][seat] and (bid.alone or laid):
            found.append(card)
    return found


def total(box: CardBox, state: State, seat: int) -> int:
    """Return a seat's whole bid at the open lane."""
    laid: list[int] = state["bids"][seat][state["lane"] - 1]
    return sum(laid) + sum(box.cards[card].adds for card in state["used"][seat])


def bid_text(lanes: Sequence[Sequence[int]]) -> str:
    """Return the action that lays these Kronos at lanes 1 to 4."""
    parts = (
        f"{number}:{','.join(map(str, sorted(lane, reverse=True)))}"
        for number, lane in enumerate(lanes, 1)
        if lane
    )
    return f"bid {' '.join(parts) or 'none'}"


def read_bid_text(action: str) -> list[list[int]] | None:
    """Return the Kronos of a bid at lanes 1 to 4, None if it is not written as it has to be."""
    lanes: list[list[int]] = [[], [], [], []]
    for part in action.removeprefix("bid ").split(" "):
        match = _LANE.fullmatch(part)
        if match:
            lanes[int(match[1]) - 1] = [int(value) for value in match[2].split(",")]
    return lanes if bid_text(lanes) == action else None


# ---- who knows what


def known_top(view: State, seat: int) -> int | None:
    """Return the top card of the own deck if the seat knows it."""
    if view["open"][seat]:
        card: int = view["open"][seat][0]
        return card
    looked = view["peeked"][seat]
    return looked[0] if isinstance(looked, list) and looked else None


def view_of(state: State, seat: int) -> dict[str, Any]:
    """Return what a seat, or the SPECTATOR, may know."""
    seen = {key: value for key, value in state.items() if key != "rng"}
    decks, opened, lane = state["decks"], state["open"], state["lane"]
    seen["powers"], seen["events"] = len(state["powers"]), len(state["events"])
    seen["decks"] = [len(deck) for deck in decks]
    seen["open"] = [decks[s][: opened[s]] for s in SEATS]
    seen["peeked"] = [
        decks[s][opened[s] : opened[s] + state["peeked"][s]] if s == seat else state["peeked"][s]
        for s in SEATS
    ]
    seen["kronos"] = [hand if s == seat else len(hand) for s, hand in enumerate(state["kronos"])]
    seen["answers"] = [text if s == seat else "" for s, text in enumerate(state["answers"])]
    seen["bids"] = [
        bids
        if s == seat
        else [laid if at == lane else len(laid) for at, laid in enumerate(bids, 1)]
        for s, bids in enumerate(state["bids"])
    ]
    return seen


def is_view(state: State) -> bool:
    """Tell a view from a state."""
    return "rng" not in state


def possible_state(box: CardBox, view: State, seat: int, chance: Random) -> dict[str, Any]:
    """Return a state drawn by chance that gives a seat this view.

    What a seat has seen and the view does not repeat is not used: unseen starting cards lie in the
    deck that they began in as far as they fit, unseen power cards anywhere.
    """
    found = dict(view)
    unseen = _unseen(box, view)
    hidden = [_hidden_in_deck(view, s) for s in SEATS]
    buried = [unseen["nora"][: hidden[0]], unseen["aron"][: hidden[1]]]
    rest = unseen["nora"][hidden[0] :] + unseen["aron"][hidden[1] :]
    for cards in unseen.values():
        chance.shuffle(cards)
    found["powers"] = unseen["power"][: view["powers"]]
    rest += unseen["power"][view["powers"] :]
    chance.shuffle(rest)
    for s in SEATS:
        short = hidden[s] - len(buried[s])
        buried[s] += rest[:short]
        rest = rest[short:]
        chance.shuffle(buried[s])
    looked = [cards if isinstance(cards, list) else [] for cards in view["peeked"]]
    found["decks"] = [[*view["open"][s], *looked[s], *buried[s]] for s in SEATS]
    found["open"] = [len(cards) for cards in view["open"]]
    found["peeked"] = [size(cards) for cards in view["peeked"]]
    gone = {*view["removed"], *view["row"]}
    events = [number for number in box.events if number not in gone]
    found["events"] = chance.sample(events, view["events"])
    found["kronos"], found["bids"] = list(view["kronos"]), list(view["bids"])
    for s in SEATS:
        if s != seat:
            found["kronos"][s], found["bids"][s] = _dealt(box, view, s, chance)
    found["answers"] = [
        view["answers"][s] if s == seat else _answered(view, s, chance) for s in SEATS
    ]
    found["rng"] = chance.getrandbits(64)
    return found


def _hidden_in_deck(view: State, seat: int) -> int:
    looked = view["peeked"][seat]
    known = len(looked) if isinstance(looked, list) else 0
    return int(view["decks"][seat] - len(view["open"][seat]) - known)


def _unseen(box: CardBox, view: State) -> dict[str, list[int]]:
    """Return the power cards that a view does not show, by the decks that they began in."""
    seen = {*view["removed"], *view["row"]}
    for key in ("open", "discards", "revealed", "won", "peeked"):
        for cards in view[key]:
            seen.update(cards if isinstance(cards, list) else ())
    unseen = {deck: box.starting(deck) for deck in DECKS}
    return {deck: [card for card in cards if card not in seen] for deck, cards in unseen.items()}


def _dealt(
    box: CardBox, view: State, seat: int, chance: Random
) -> tuple[list[int], list[list[int]]]:
    """Return a hand and bids of another seat, drawn by chance."""
    known = [value for laid in view["bids"][seat] if isinstance(laid, list) for value in laid]
    left = without(without(box.kronos, view["spent"][seat]), known)
    chance.shuffle(left)
    bids: list[list[int]] = []
    for laid in view["bids"][seat]:
        number = 0 if isinstance(laid, list) else laid
        bids.append(laid if isinstance(laid, list) else descending(left[:number]))
        left = left[number:]
    return descending(left), bids


def _answered(view: State, seat: int, chance: Random) -> str:
    """Return a hidden answer of another seat, "" if it has given none."""
    if not 0 <= seat < view["turn"]:
        return ""  # seat 0 answers first
    answers: Sequence[str] = ()
    if view["ask"] == "draw" and view["in_combat"][seat]:
        answers = ("draw", "stop")
    elif view["ask"] == "recall" and can_recall(view, seat):
        answers = ("recall", "wait")
    return chance.choice(answers) if answers else ""

"""The seats of a room, who has them, phones and bots, and the code that people type to come in."""

import re
import secrets
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from chronotable_host.errors import UserError, printable
from chronotable_host.language import tr
from chronotable_host.language.names import CODE_WORDS
from chronotable_host.limits import Clock, Quotas

MOST_SEATS = 6
"""Each has a figure of its own."""
MOST_NAME = 20
"""Characters of a name: it stands beside a figure."""


@dataclass
class Seat:
    """A seat. `token` lets its phone in, "" where nobody has it; `bot` plays for it, "" if none.

    `figure` is its number from 1, which it keeps all night; `told` are the kinds of decision that
    were explained to it, `wins` the games of this night that were won there.
    """

    figure: int
    name: str = ""
    token: str = ""
    bot: str = ""
    told: set[str] = field(default_factory=set)
    wins: int = 0

    @property
    def is_free(self) -> bool:
        """Tell whether nobody has it."""
        return not self.token and not self.bot

    @property
    def who(self) -> str:
        """Return what plays it, as the page names that."""
        return "bot" if self.bot else "phone" if self.token else "free"

    def empty(self) -> None:
        """Take the seat from whoever has it."""
        self.name = self.token = self.bot = ""
        self.told.clear()
        self.wins = 0


class People:
    """The seats of a room, in the order in which they play."""

    def __init__(self, seats: int) -> None:
        self.seats = [Seat(number) for number in range(1, seats + 1)]

    def __iter__(self) -> Iterator[Seat]:
        """Yield the seats."""
        return iter(self.seats)

    def __len__(self) -> int:
        """Return how many seats there are."""
        return len(self.seats)

    def __getitem__(self, seat: int) -> Seat:
        """Return a seat by its number from 0."""
        return self.seats[seat]

    def names(self) -> Sequence[str]:
        """Return the names by seat."""
        return [each.name for each in self.seats]

    def of_token(self, token: str) -> int | None:
        """Return the seat whose token this is, None if it is none's."""
        return next((n for n, each in enumerate(self.seats) if token and each.token == token), None)

    def numbered(self, seat: int) -> Seat:
        """Return a seat that somebody named; raises UserError where there is none."""
        if seat >= len(self.seats):
            raise UserError(tr("there is no seat {number} here", number=seat + 1))
        return self.seats[seat]

    def free(self) -> Seat | None:
        """Return the first seat that nobody has."""
        return next((each for each in self.seats if each.is_free), None)

    def one_more(self) -> Seat:
        """Return a new seat at the end; raises UserError where there are too many."""
        if len(self.seats) >= MOST_SEATS:
            raise UserError(tr("all seats are taken"))
        self.resize(len(self.seats) + 1)
        return self.seats[-1]

    def of_a_bot(self) -> Seat | None:
        """Return the first seat that a bot has for itself."""
        return next((each for each in self.seats if each.bot and not each.token), None)

    def good_name(self, name: str, seat: Seat | None = None) -> str:
        """Return a name as it is kept; raises UserError where it is empty, or another's."""
        name = " ".join(printable(name).split())[:MOST_NAME].strip()
        if not name:
            raise UserError(tr("a name has at least one letter"))
        others = (each.name.casefold() for each in self.seats if each is not seat)
        if name.casefold() in others:
            raise UserError(
                tr(
                    "{name} is here already: if that is you, the big screen has a new link for "
                    "you, as has the menu of the other phones; else take another name",
                    name=name,
                )
            )
        return name

    def bots_name(self) -> str:
        """Return a name for one bot more."""
        taken = {each.name for each in self.seats}
        names = (tr("Bot {number}", number=number) for number in range(1, len(self.seats) + 2))
        return next(name for name in names if name not in taken)

    def seat_only_players(self) -> None:
        """Leave out the seats that are free."""
        self.seats = [each for each in self.seats if not each.is_free]

    def resize(self, seats: int) -> None:
        """Have so many seats: free ones go first, then those of bots, the last of them first.

        Figures that nobody has come first. Nobody's seat is taken away.
        """
        for goes in (lambda each: each.is_free, lambda each: not each.token):
            for each in reversed([each for each in self.seats if goes(each)]):
                if len(self.seats) > seats:
                    self.seats.remove(each)
        taken = {each.figure for each in self.seats}
        free = (number for number in range(1, MOST_SEATS + 1) if number not in taken)
        while len(self.seats) < seats:
            self.seats.append(Seat(next(free)))

    # ---- as they are kept

    def as_kept(self) -> list[dict[str, Any]]:
        """Return the seats as JSON that `keep` takes; it holds the tokens."""
        return [{**vars(each), "told": sorted(each.told)} for each in self.seats]

    def keep(self, kept: Sequence[dict[str, Any]]) -> None:
        """Seat those who were here before."""
        self.seats = [Seat(**{**each, "told": set(each["told"])}) for each in kept]


# ---- the code of a room, which people type to come in

_WORDS_OF_CODE = 3
_TRIES, _WITHIN_S = 20, 60.0
_LETTERS = re.compile(r"[^\W\d_]+")


def new_code() -> str:
    """Return a code, such as "river-lamp-otter"."""
    return "-".join(secrets.choice(CODE_WORDS) for _ in range(_WORDS_OF_CODE))


class CodeCheck:
    """Compares what people type with the code of the room; each network has so many tries.

    Three of some two hundred words are eight million codes. Who guesses has a few tries a minute,
    so a night is far too short for it; and nobody's tries are counted against anybody else.
    """

    def __init__(self, code: str, clock: Clock = time.monotonic) -> None:
        self.code = code
        self._tries = Quotas(_TRIES, _WITHIN_S, clock)

    def allows_a_try(self, address: str) -> bool:
        """Tell whether one more code is looked at, and count it."""
        return self._tries.allows(address)

    def is_right(self, typed: str) -> bool:
        """Tell whether this is the code; any case will do, and anything between the words."""
        words = "-".join(_LETTERS.findall(typed.lower()))
        return secrets.compare_digest(words.encode(), self.code.encode())

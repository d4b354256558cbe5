"""What a game of a games night is to the lobby, the record, the page, the bots and `verify`.

A state is an object of JSON with everything in it, hidden cards too; it is never changed, `apply`
returns another one. A view is what one seat may know of a state. Whatever is said to a seat, and
whatever a bot does for it, is made from its view alone: so it can give nothing away.

Seats count from 0; `SPECTATOR` is who has none. Actions are texts, legal in exactly one spelling.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, Protocol

State = Mapping[str, Any]
"""A whole state, or a view of one: an object of JSON."""

SPECTATOR = -1
NOBODY = -1
"""Who decides when a game is over."""
EVERYBODY = -1
"""Whom a happening concerns that all may see."""


def size(pile: int | Sequence[Any]) -> int:
    """Return how many cards lie in a pile, which a view may give as a number."""
    return pile if isinstance(pile, int) else len(pile)


class IllegalActionError(Exception):
    """An action that the rules forbid: the number of the rule, and why, in a sentence."""

    def __init__(self, rule: str, why: str) -> None:
        super().__init__(f"{why} ({rule})" if rule else why)
        self.rule = rule
        self.why = why


class DataError(Exception):
    """A data file that a game cannot use: where in it, such as "gates.3.green", and why."""

    def __init__(self, place: str, why: str) -> None:
        super().__init__(f"{place}: {why}" if place else why)
        self.place = place
        self.why = why


class Outcome(NamedTuple):
    """How a game ended: the winning seats, none if nobody won, and the game's word for why."""

    winners: Sequence[int]
    why: str


class GameHappening(NamedTuple):
    """Something that an action led to, in the order of the game.

    `what` is a word of the game and `facts` are its values in JSON. `to` is the seat that alone
    may know of it, or EVERYBODY.
    """

    what: str
    facts: Mapping[str, Any]
    to: int = EVERYBODY


class Option(NamedTuple):
    """A choice for the whole game: its name, its values with what each means, the default first.

    What a value means is said in a few words; more of it may follow behind a colon.
    """

    name: str
    about: str
    values: Mapping[Any, str]


class Choice(NamedTuple):
    """Something that a seat may do, or why it may not.

    `action` is the text to apply, `label` names the act on a button, `says` is what it leads to,
    loss as plainly as gain. Where `refused` is not empty, it says why this cannot be done now.
    """

    action: str
    label: str
    says: str = ""
    refused: str = ""


class Decision(NamedTuple):
    """What a seat has to decide now.

    `kind` is a word of the game; all decisions of a kind are explained by `explains`, once to each
    player. `headline` is the next step in a line that holds no secret. `choices` is empty where
    there are too many to list (`Game.legal`). `rules` are the numbers that apply (`Kind.rules`).
    `passes` is the answer of who lets all such things pass, "" where they are asked all the same;
    `known` is the only answer there is, where all can see that.
    """

    kind: str
    headline: str
    explains: str
    choices: Sequence[Choice]
    rules: Sequence[str]
    passes: str = ""
    known: str = ""


class Foresight(NamedTuple):
    """What a bot spends that plays on from states that could be.

    That is so many actions for a decision, of all those that it plays out, and so many of one
    play-out, after which it asks for the worth of the state. Chosen so that a decision takes
    less than a second, and as the play-outs of a game are best.
    """

    actions: int = 4000
    horizon: int = 60


class Game(Protocol):
    """A game with its data: rules without input or output, clock or chance of their own."""

    @property
    def data_hash(self) -> str:
        """What tells this data from other, "" for a game without data."""

    @property
    def data_note(self) -> str:
        """What a player should know of the data before the game begins, "" if nothing."""

    @property
    def printed(self) -> Mapping[str, Any]:
        """What is printed on cards and boards, for the pages to draw; {} if views have it all."""

    def new(self, seed: int, players: int, options: Mapping[str, Any]) -> State:
        """Return the first state; `seed` is 0..2^64-1."""

    def to_decide(self, state: State) -> int:
        """Return the seat that decides in a state or view, NOBODY when the game is over."""

    def deciding(self, state: State) -> Sequence[int]:
        """Return the seats that may decide at once, before any of them is told what others chose.

        The first is `to_decide`. The others' answers wait until it is theirs to decide, if they
        are asked the same by then.
        """

    def legal(self, state: State) -> list[str] | None:
        """Return the legal actions in a state, or in the view of the seat that decides.

        They are different texts; None where there are too many to list.
        """

    def apply(
        self, state: State, seat: int, action: str, happenings: list[GameHappening] | None = None
    ) -> State:
        """Return the state after an action and all that follows from it.

        What happens is added to `happenings`. Raises IllegalActionError; then nothing has changed.
        """

    def view(self, state: State, seat: int) -> State:
        """Return what a seat may know, or the SPECTATOR."""

    def outcome(self, state: State) -> Outcome | None:
        """Return how the game of a state or view has ended, None while it goes on."""

    # ---- in words

    def headline(self, view: State, names: Sequence[str]) -> tuple[str, str]:
        """Return the next step for all to read, and a line that adds to it, from any view."""

    def decision(self, view: State, seat: int, names: Sequence[str]) -> Decision | None:
        """Return what a seat is to decide, from its view; None if nothing, see `deciding`."""

    def says(self, happening: GameHappening, names: Sequence[str], seat: int) -> str:
        """Return a happening in a sentence to a seat or the SPECTATOR; "" for nothing to say."""

    def why(self, outcome: Outcome, view: State, names: Sequence[str]) -> str:
        """Return how the game ended, and why, in sentences."""

    # ---- for bots

    @property
    def foresight(self) -> Foresight:
        """How much, and how far, a bot plays on."""

    def possible(self, view: State, seat: int, chance: Random) -> State:
        """Return a state, drawn by chance, that gives the seat exactly this view."""

    def sensible(self, view: State, seat: int, chance: Random) -> str:
        """Return a good action by rules of thumb, from the view of the seat that decides.

        A whole state is taken, too; nothing of it is used but what the view has.
        """

    def candidates(self, view: State, seat: int, chance: Random) -> Sequence[str]:
        """Return the actions that a bot should compare: all, or some of too many."""

    def worth(self, state: State, seat: int) -> float:
        """Return how well a seat stands, 0 lost to 1 won; of a game that is over exactly so."""


class Kind(Protocol):
    """A game as it comes from its box, before data is chosen."""

    @property
    def name(self) -> str:
        """Its name in commands and records."""

    @property
    def title(self) -> str:
        """Its name for people."""

    @property
    def about(self) -> str:
        """What it is about and how it is won, in a sentence for who does not know it."""

    @property
    def minute(self) -> Sequence[tuple[str, str]]:
        """The game in one minute: what one has to know to begin, a heading each and a sentence."""

    @property
    def roles(self) -> Sequence[str]:
        """What each seat is in the game, in a few words; [] where all are alike."""

    @property
    def players(self) -> range:
        """How many can play."""

    @property
    def options(self) -> Sequence[Option]:
        """What is chosen before it begins."""

    @property
    def rules(self) -> Mapping[str, str]:
        """Its rules by number, in our own words."""

    @property
    def page(self) -> Path:
        """The folder with what the page needs of it: `phone.js`, `big.js`, `style.css`."""

    @property
    def default_data(self) -> Mapping[str, Any] | None:
        """The data it is played with unless the owner has better; None if it needs none."""

    def holds(self, state: State) -> bool:
        """Tell whether an object of JSON looks like a state of this game."""

    def game(self, data: Mapping[str, Any] | None = None) -> Game:
        """Return the game with its own data or another's; raises DataError."""

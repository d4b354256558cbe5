"""TIMEmiT as it comes from its box, and with its data (`games.interface`)."""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from random import Random
from typing import Any

from chronotable_host.cases import Case, DifferentError
from chronotable_host.language import tr
from chronotable_night.games.interface import (
    NOBODY,
    Decision,
    Foresight,
    GameHappening,
    Kind,
    Option,
    Outcome,
    State,
)
from chronotable_night.games.portable import digest, shuffled
from chronotable_night.games.timemit import actions, bots, decisions, rounds
from chronotable_night.games.timemit.box import Card, CardBox, read_box
from chronotable_night.games.timemit.effects import read_bid, read_effect
from chronotable_night.games.timemit.table import (
    SEATS,
    Table,
    can_recall,
    is_view,
    possible_state,
    view_of,
)
from chronotable_night.games.timemit.texts import (
    card_parts,
    effect_text,
    number_text,
    says,
    sentence,
    year,
)


class Timemit:
    """The game of the cards in a box."""

    foresight = Foresight(actions=7000)
    view = staticmethod(view_of)

    def __init__(self, box: CardBox, data: Mapping[str, Any]) -> None:
        self.box = box
        self.data_hash = digest(data)

    @property
    def data_note(self) -> str:
        """What a player should know of the data before the game begins."""
        if self.box.verified:
            return ""
        return tr(
            "The symbols on the cards, the length of the track and some timings are our own: no"
            " source gives them. Who owns the game can put in what is printed."
        )

    @property
    def printed(self) -> Mapping[str, Any]:
        """What is printed on cards and track, for the page to draw, by number, effects in words.

        A power card has "won", "combat", "bid" and "end", an event "won": each a sentence or "".
        `about` says all of it; `symbols` counts by colour letter.
        """
        box = self.box
        return {
            "length": box.length,
            "years": [year(box, ship) for ship in range(-box.length, box.length + 1)],
            "cards": {str(card.id): _card(box, card) for card in box.cards.values()},
            "events": {
                str(event.id): {
                    "name": event.name,
                    "won": sentence(effect_text(event.effect)),
                    "about": number_text(box, event.id),
                }
                for event in box.events.values()
            },
        }

    def new(self, seed: int, players: int, options: Mapping[str, Any]) -> State:
        """Return the first state; `seed` is 0..2^64-1."""
        if players != len(SEATS):
            raise ValueError(players)
        box, rng = self.box, seed
        nora, rng = shuffled(box.starting("nora"), rng)
        aron, rng = shuffled(box.starting("aron"), rng)
        powers, rng = shuffled(box.starting("power"), rng)
        events, rng = shuffled(box.events, rng)
        state = {
            "data": options.get("data", "default"),
            "rng": rng,
            "round": 0,
            "phase": "start",
            "turn": NOBODY,
            "ask": "",
            "ship": 0,
            "triangles": [0, 0],
            "decks": [nora, aron],
            "open": [0, 0],
            "peeked": [0, 0],
            "discards": [[], []],
            "revealed": [[], []],
            "symbols": [0, 0],
            "kronos": [list(box.kronos), list(box.kronos)],
            "spent": [[], []],
            "powers": powers,
            "events": events,
            "row": [0, 0, 0, 0],
            "removed": [],
            "in_combat": [0, 0],
            "answers": ["", ""],
            "todo": [],
            "net": 0,
            "marks": [0, 0],
            "starter": NOBODY,
            "placed": [0, 0],
            "bids": [[[], [], [], []], [[], [], [], []]],
            "lane": 0,
            "used": [[], []],
            "passes": 0,
            "gain": NOBODY,
            "goes": "",
            "won": [[], []],
            "winners": [],
            "why": "",
        }
        table = Table(box, state, [])
        rounds.begin_round(table)
        return table.now

    def to_decide(self, state: State) -> int:
        """Return the seat that decides in a state or view, NOBODY when the game is over."""
        seat: int = state["turn"]
        return seat

    def deciding(self, state: State) -> Sequence[int]:
        """Return the seats that may decide at once: both may answer a hidden question."""
        turn, ask = state["turn"], state["ask"]
        if turn == NOBODY:
            return ()
        later = [seat for seat in SEATS if seat > turn]  # seat 0 answers first
        if ask == "draw":
            return [turn, *(seat for seat in later if state["in_combat"][seat])]
        if ask == "recall":
            return [turn, *(seat for seat in later if can_recall(state, seat))]
        return [turn]

    def legal(self, state: State) -> list[str] | None:
        """Return the legal actions in a state or a view; None where a bid is due."""
        return actions.legal(self.box, state, state["turn"])

    def apply(
        self, state: State, seat: int, action: str, happenings: list[GameHappening] | None = None
    ) -> State:
        """Return the state after an action and all that follows; raises IllegalActionError."""
        told = [] if happenings is None else happenings
        return actions.play(self.box, state, seat, action, told)

    def outcome(self, state: State) -> Outcome | None:
        """Return how the game of a state or view has ended, None while it goes on."""
        return Outcome(state["winners"], state["why"]) if state["phase"] == "over" else None

    # ---- in words

    def headline(self, view: State, names: Sequence[str]) -> tuple[str, str]:
        """Return the next step for all to read, and a line that adds to it, from any view."""
        return decisions.headline(self.box, view, names)

    def decision(self, view: State, seat: int, names: Sequence[str]) -> Decision | None:
        """Return what a seat is to decide, from its view; None if nothing."""
        if seat not in self.deciding(view):
            return None
        return decisions.decision(self.box, view, seat, names)

    def says(self, happening: GameHappening, names: Sequence[str], seat: int) -> str:  # noqa: ARG002
        """Return a happening in a sentence; everybody reads the same."""
        return says(self.box, happening, names)

    def why(self, outcome: Outcome, view: State, names: Sequence[str]) -> str:
        """Return how the game ended, and why, in sentences."""
        if not outcome.winners:
            if outcome.why == "paradox":
                return tr("Both have six triangles: a paradox for both. Play another game.")
            return tr(
                "The ship is in the middle, and both have as many triangles. Play another game."
            )
        winner = outcome.winners[0]
        values = {
            "winner": names[winner],
            "loser": names[1 - winner],
            "year": year(self.box, view["ship"]),
            "few": view["triangles"][winner],
            "many": view["triangles"][1 - winner],
        }
        if outcome.why == "goal":
            return tr("The ship reached {year}, and that is where {winner} wanted it.", **values)
        if outcome.why == "paradox":
            return tr("{loser} has six triangles, a paradox without end: {winner} wins.", **values)
        if outcome.why == "closer":
            return tr(
                "After the last round the ship is at {year}, nearer to the goal of {winner}.",
                **values,
            )
        return tr(
            "The ship is in the middle after the last round, and {winner} has fewer triangles:"
            " {few} against {many}.",
            **values,
        )

    # ---- for bots

    def possible(self, view: State, seat: int, chance: Random) -> State:
        """Return a state, drawn by chance, that gives the seat exactly this view."""
        return possible_state(self.box, view, seat, chance)

    def sensible(self, view: State, seat: int, chance: Random) -> str:
        """Return a good action by rules of thumb, from the view of the seat that decides."""
        return bots.sensible(self.box, self._seen(view, seat), seat, chance)

    def candidates(self, view: State, seat: int, chance: Random) -> Sequence[str]:
        """Return the actions that a bot should compare: all, or some bids."""
        return bots.candidates(self.box, self._seen(view, seat), seat, chance)

    def worth(self, state: State, seat: int) -> float:
        """Return how well a seat stands, 0 lost to 1 won; of a game that is over exactly so."""
        return bots.worth(self.box, state, seat)

    def _seen(self, state: State, seat: int) -> State:
        return state if is_view(state) else view_of(state, seat)


def _card(box: CardBox, card: Card) -> dict[str, Any]:
    won, combat, bid, end = map(sentence, card_parts(card))
    face = {"name": card.name, "symbols": card.symbols, "about": number_text(box, card.id)}
    return {**face, "won": won, "combat": combat, "bid": bid, "adds": card.adds, "end": end}


_FOLDER = Path(__file__).parent


class TimemitKind:
    """The game before data is chosen."""

    name = "timemit"
    title = "TIMEmiT"
    players = range(2, 3)
    page = _FOLDER / "page"

    @property
    def about(self) -> str:
        """What it is about and how it is won."""
        return tr(
            "A duel of secret bids: whoever pulls the time ship all the way to their own year wins."
        )

    @property
    def minute(self) -> Sequence[tuple[str, str]]:
        """What one has to know to begin."""
        return [
            (
                tr("One ship, two homes"),
                tr("Nora pulls it to 1980, Aron to 2220. Forward is towards your home."),
            ),
            (
                tr("Draw, or stop?"),
                tr("Each card pulls the ship and shows symbols. Both answer in secret."),
            ),
            (
                tr("Three of a kind: paradox"),
                tr("You are out, 1 back, 1 triangle. Six triangles lose the game."),
            ),
            (
                tr("Then bid, shut"),
                tr("Four cards lie open, symbols and all. You see how many coins, not how much."),
            ),
            (
                tr("More wins the card"),
                tr("The winner's coins are spent, the loser's come home. Equal: the card goes."),
            ),
            (
                tr("Won cards come back"),
                tr("They lie on top of your deck: symbols you buy, you draw. Eight rounds."),
            ),
        ]

    @property
    def roles(self) -> Sequence[str]:
        """Who each seat is."""
        return [tr("Nora: yours is 1980"), tr("Aron: yours is 2220")]

    @property
    def options(self) -> Sequence[Option]:
        """The data file that it is played with; there is one, an owner's takes its place."""
        return (
            Option(
                "data",
                tr("What is printed on the cards"),
                {"default": tr("as far as it is known; symbols and track are our own")},
            ),
        )

    @property
    def rules(self) -> Mapping[str, str]:
        """Its rules by number, in our own words."""
        return {
            "TM1": tr(
                "The ship begins in 2100. Nora, the first seat, wants it in the past, at 1980; Aron"
                " in the future, at 2220. Forward is toward the goal of whose card it is."
            ),
            "TM2": tr(
                "There are eight rounds. Each begins with three power cards and an event in a row;"
                " then come combat and bidding."
            ),
            "TM3": tr(
                "In combat, all who are still in reveal the top card of their deck at once. Both"
                " cards act; what they do to ship and triangles is added up, and only then carried"
                " out."
            ),
            "TM4": tr("A card does as much as it can; what it cannot do is left out."),
            "TM5": tr(
                "Three symbols of a colour on your revealed cards are a paradox: one space back, a"
                " triangle for you, and you are out of this combat. Your cards stay."
            ),
            "TM6": tr(
                "After each card you say whether you draw or stop, in secret and both at once. Who"
                " has stopped is out of this combat."
            ),
            "TM7": tr(
                "An empty deck is made anew from your discard. With no discard either, you are out."
            ),
            "TM8": tr(
                "Who is nearer to the goal bids first; in the middle it is Nora. A bid lays any"
                " number of Kronos face down at any of the four cards: how many can be seen, how"
                " much cannot."
            ),
            "TM9": tr(
                "Bids are opened at the event first, then at the power cards from left to right."
                " The higher total wins and its Kronos are spent; the others come home. If both are"
                " equal, the card leaves the game and all Kronos come home."
            ),
            "TM10": tr(
                "Who wins a power card does what it says at once, and lays it face up onto the own"
                " deck, several in any order. An event acts and leaves the game."
            ),
            "TM11": tr(
                "A card that you revealed this round may add to your bids, at each of the four"
                " cards anew. You take turns to add one, or pass, until both pass."
            ),
            "TM12": tr("At the end of the round revealed cards go to their owners' discards."),
            "TM13": tr(
                "With no Kronos in hand you may take back all that you spent: that costs four"
                " spaces back and a triangle. Kronos that lie in a bid are not in hand."
            ),
            "TM14": tr("Who has six triangles loses at once. If both do, nobody wins."),
            "TM15": tr(
                "Where the ship reaches an end of its track, whose goal that is wins at once."
            ),
            "TM16": tr(
                "After the eighth round the endgame effects of all cards in decks and discards are"
                " added up. Then who is nearer to the goal wins; in the middle, who has fewer"
                " triangles."
            ),
            "TM17": tr(
                "What counts symbols counts all that you revealed in this combat, also on cards"
                " that have left since. Colours and paradoxes count only cards that still lie"
                " there."
            ),
            "TM18": tr("A pair of two colours is one symbol of each."),
        }

    @cached_property
    def default_data(self) -> Mapping[str, Any]:
        """The cards, as far as they are known."""
        data: Mapping[str, Any] = json.loads((_FOLDER / "default.json").read_text("utf-8"))
        return data

    def holds(self, state: State) -> bool:
        """Tell whether an object of JSON looks like a state of this game."""
        return {"ship", "triangles", "kronos"} <= state.keys()

    def game(self, data: Mapping[str, Any] | None = None) -> Timemit:
        """Return the game with its own data or another's; raises DataError."""
        data = self.default_data if data is None else data
        return Timemit(read_box(data), data)

    def cases(self, document: Mapping[str, Any]) -> Iterator[Case]:
        """Yield a case for each text of a vector file's `vocabulary`, which only this game has."""
        for number, entry in enumerate(document.get("vocabulary", ()), 1):
            yield Case(f"vocabulary {number}", partial(_check_text, entry))


def _check_text(entry: Mapping[str, Any]) -> None:
    slot, text = entry["slot"], entry["text"]
    try:
        if slot == "bid":
            read_bid(text)
        else:
            read_effect(text, slot)
    except ValueError:
        understood = False
    else:
        understood = True
    if understood != entry["valid"]:
        raise DifferentError(None, f"{slot} {text!r}: {entry['valid']}", str(understood))


KIND: Kind = TimemitKind()

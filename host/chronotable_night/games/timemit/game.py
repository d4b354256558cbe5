"""TIMEmiT with its data: what the lobby, the record, the page and the bots use of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from chronotable_host.language import tr
from chronotable_night.games.canonical import digest
from chronotable_night.games.interface import (
    NOBODY,
    Decision,
    Foresight,
    GameHappening,
    Outcome,
    State,
)
from chronotable_night.games.shuffling import shuffled
from chronotable_night.games.timemit import actions, decisions, headlines, rounds, thumb, views
from chronotable_night.games.timemit.box import Card, CardBox
from chronotable_night.games.timemit.effect_texts import (
    card_parts,
    effect_text,
    number_text,
    sentence,
    year,
)
from chronotable_night.games.timemit.happening_texts import Teller
from chronotable_night.games.timemit.table import SEATS, Table, can_recall


class Timemit:
    """The game of the cards in a box."""

    foresight = Foresight(actions=7000)

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

    def view(self, state: State, seat: int) -> State:
        """Return what a seat may know, or the SPECTATOR."""
        return views.view_of(state, seat)

    def outcome(self, state: State) -> Outcome | None:
        """Return how the game of a state or view has ended, None while it goes on."""
        return Outcome(state["winners"], state["why"]) if state["phase"] == "over" else None

    # ------------------------------------------------------------ in words

    def headline(self, view: State, names: Sequence[str]) -> tuple[str, str]:
        """Return the next step for all to read, and a line that adds to it, from any view."""
        return headlines.headline(self.box, view, names)

    def decision(self, view: State, seat: int, names: Sequence[str]) -> Decision | None:
        """Return what a seat is to decide, from its view; None if nothing."""
        if seat not in self.deciding(view):
            return None
        return decisions.decision(self.box, view, seat, names)

    def says(self, happening: GameHappening, names: Sequence[str], seat: int) -> str:
        """Return a happening in a sentence to a seat or the SPECTATOR; "" for nothing to say."""
        return Teller(self.box, names, seat).says(happening)

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

    # ------------------------------------------------------------ for bots

    def possible(self, view: State, seat: int, chance: Random) -> State:
        """Return a state, drawn by chance, that gives the seat exactly this view."""
        return views.possible_state(self.box, view, seat, chance)

    def sensible(self, view: State, seat: int, chance: Random) -> str:
        """Return a good action by rules of thumb, from the view of the seat that decides."""
        return thumb.sensible(self.box, self._seen(view, seat), seat, chance)

    def candidates(self, view: State, seat: int, chance: Random) -> Sequence[str]:
        """Return the actions that a bot should compare: all, or some bids."""
        return thumb.candidates(self.box, self._seen(view, seat), seat, chance)

    def worth(self, state: State, seat: int) -> float:
        """Return how well a seat stands, 0 lost to 1 won; of a game that is over exactly so."""
        return thumb.worth(self.box, state, seat)

    def _seen(self, state: State, seat: int) -> State:
        return state if views.is_view(state) else views.view_of(state, seat)


def _card(box: CardBox, card: Card) -> dict[str, Any]:
    won, combat, bid, end = map(sentence, card_parts(card))
    face = {"name": card.name, "symbols": card.symbols, "about": number_text(box, card.id)}
    adds = card.bid.adds if card.bid else 0
    return {**face, "won": won, "combat": combat, "bid": bid, "adds": adds, "end": end}

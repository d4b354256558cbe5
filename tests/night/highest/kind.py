"""Highest: each has three cards, all seal one, the highest is worth a point; three rounds.

It has what a frame has to show: secret cards, answers of all at once, a reveal, an end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from chronotable_host.games.interface import (
    NOBODY,
    SPECTATOR,
    Choice,
    Decision,
    Happening,
    IllegalActionError,
    Kind,
    Option,
    Outcome,
    State,
)
from chronotable_host.games.shuffling import shuffled

_CARDS = 3


class _Game:
    data_hash = ""
    data_note = "The cards are made up, as the whole game is."

    def new(self, seed: int, players: int, options: Mapping[str, Any]) -> State:
        deck, _ = shuffled(range(1, _CARDS * players + 1), seed)
        hands = [sorted(deck[_CARDS * seat :][:_CARDS]) for seat in range(players)]
        return {
            "players": players,
            "hands": hands,
            "points": [0] * players,
            "chosen": [None] * players,
            "shown": None,
            "low": bool(options.get("low")),
        }

    def to_decide(self, state: State) -> int:
        return next(iter(self.deciding(state)), NOBODY)

    def deciding(self, state: State) -> Sequence[int]:
        if not state["left"] if "left" in state else not any(state["hands"]):
            return ()
        return [seat for seat, card in enumerate(state["chosen"]) if card is None]

    def legal(self, state: State) -> list[str] | None:
        seat = self.to_decide(state)
        return [] if seat < 0 else [f"play {card}" for card in state["hands"][seat]]

    def apply(
        self, state: State, seat: int, action: str, happenings: list[Happening] | None = None
    ) -> State:
        if seat != self.to_decide(state) or action not in (self.legal(state) or ()):
            raise IllegalActionError("", "only a card of one's hand can be played, in turn")
        told = [] if happenings is None else happenings
        chosen = [*state["chosen"]]
        chosen[seat] = int(action.split()[1])
        told.append(Happening("seal", {"seat": seat}))
        if None in chosen:
            return {**state, "chosen": chosen, "shown": None}
        best = (min if state["low"] else max)(chosen)
        winner = chosen.index(best)
        told.append(Happening("reveal", {"cards": chosen, "winner": winner}))
        points = [each + (n == winner) for n, each in enumerate(state["points"])]
        hands = [[c for c in hand if c not in chosen] for hand in state["hands"]]
        empty = [None] * state["players"]
        return {**state, "hands": hands, "points": points, "chosen": empty, "shown": chosen}

    def view(self, state: State, seat: int) -> State:
        hands = [hand if n == seat else None for n, hand in enumerate(state["hands"])]
        chosen = [
            card if n == seat or card is None else 0 for n, card in enumerate(state["chosen"])
        ]
        left = max(len(hand) for hand in state["hands"])
        return {**state, "hands": hands, "chosen": chosen, "left": left}

    def outcome(self, state: State) -> Outcome | None:
        if self.to_decide(state) != NOBODY:
            return None
        best = max(state["points"])
        return Outcome([n for n, each in enumerate(state["points"]) if each == best], "points")

    def headline(self, view: State, names: Sequence[str]) -> tuple[str, str]:
        if self.outcome(view):
            return "The game is over", "All cards are played."
        return "Which card?", "In secret. All cards open together."

    def decision(self, view: State, seat: int, names: Sequence[str]) -> Decision | None:
        if seat not in self.deciding(view):
            return None
        choices = [
            Choice(f"play {card}", "Seal it", f"Your {card} wins if nobody shows more.")
            for card in view["hands"][seat]
        ]
        explains = "Everybody plays a card in secret; the highest wins a point."
        return Decision("card", "Which card?", explains, choices, ["1"])

    def says(self, happening: Happening, names: Sequence[str], seat: int) -> str:
        facts = happening.facts
        if happening.what == "seal":
            return f"{names[facts['seat']]} has chosen."
        return f"{names[facts['winner']]} wins the round with {max(facts['cards'])}."

    def why(self, outcome: Outcome, view: State, names: Sequence[str]) -> str:
        return f"{names[outcome.winners[0]]} won {max(view['points'])} rounds."

    def possible(self, view: State, seat: int, chance: Random) -> State:
        count, low = view["players"], sum(card is not None for card in view["chosen"])
        taken = {*(view["hands"][seat] if seat != SPECTATOR else ()), *filter(None, view["chosen"])}
        rest = [card for card in range(1, _CARDS * count + 1) if card not in taken]
        chance.shuffle(rest)
        hands = [
            hand if n == seat else sorted(rest.pop() for _ in range(view["left"]))
            for n, hand in enumerate(view["hands"])
        ]
        chosen = [
            hands[n][0] if card == 0 and low else card for n, card in enumerate(view["chosen"])
        ]
        return {key: each for key, each in view.items() if key != "left"} | {
            "hands": hands,
            "chosen": chosen,
        }

    def sensible(self, view: State, seat: int, chance: Random) -> str:
        return f"play {max(view['hands'][seat])}"

    def candidates(self, view: State, seat: int, chance: Random) -> Sequence[str]:
        return self.legal(view) or ()

    def worth(self, state: State, seat: int) -> float:
        return float(state["points"][seat]) / _CARDS


class _Kind:
    name = "highest"
    title = "Highest"
    players = range(2, 5)
    options: Sequence[Option] = (
        Option("low", "What wins a round", {False: "the highest", True: "the lowest"}),
    )
    rules: Mapping[str, str] = {"1": "The highest card wins the round."}
    page = Path(__file__).parent / "page"
    default_data: Mapping[str, Any] | None = None

    def holds(self, state: State) -> bool:
        return "chosen" in state and "points" in state

    def game(self, data: Mapping[str, Any] | None = None) -> _Game:
        return _Game()


KIND: Kind = _Kind()

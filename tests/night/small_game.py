"""A small game with hidden cards, for rooms to be tested with: nothing outside a game names it.

Everybody chooses a card at once, face down; the highest takes the trick, greets or stays silent,
and all draw a card. Two tricks are a game.
"""

from pathlib import Path
from random import Random
from typing import ClassVar

from chronotable_night.games.interface import (
    NOBODY,
    SPECTATOR,
    Choice,
    DataError,
    Decision,
    Foresight,
    GameHappening,
    IllegalActionError,
    Option,
    Outcome,
)
from chronotable_night.games.portable import digest, shuffled

TRICKS = 2


class Highest:
    printed: ClassVar = {}
    foresight = Foresight()

    def __init__(self, data):
        self.data_hash = digest(data)
        self.data_note = "" if data["verified"] else "The cards are made up."
        self.cards = data["cards"]

    def new(self, seed, players, options):
        deck, _ = shuffled(self.cards, seed)
        hands = [sorted(deck[2 * seat : 2 * seat + 2]) for seat in range(players)]
        return {
            "game": "highest",
            "deck": deck[2 * players :],
            "hands": hands,
            "chosen": [0] * players,
            "points": [0] * players,
            "greets": NOBODY,
            "lowest": options["lowest"],
        }

    def _left(self, state):
        return [seat for seat, card in enumerate(state["chosen"]) if not card]

    def to_decide(self, state):
        if sum(state["points"]) == TRICKS and state["greets"] == NOBODY:
            return NOBODY
        return state["greets"] if state["greets"] != NOBODY else self._left(state)[0]

    def deciding(self, state):
        return [state["greets"]] if state["greets"] != NOBODY else self._left(state)

    def legal(self, state):
        if state["greets"] != NOBODY:
            return ["greet", "stay silent"]
        return [f"play {card}" for card in state["hands"][self.to_decide(state)]]

    def apply(self, state, seat, action, happenings=None):
        told = [] if happenings is None else happenings
        if seat != self.to_decide(state) or action not in self.legal(state):
            raise IllegalActionError("Z1", f"'{action}' cannot be done now")
        state = {key: list(it) if isinstance(it, list) else it for key, it in state.items()}
        if state["greets"] != NOBODY:
            state["greets"] = NOBODY
            told.append(GameHappening(action, {"seat": seat}))
            return state
        card = int(action.split()[1])
        state["chosen"][seat] = card
        state["hands"][seat] = [each for each in state["hands"][seat] if each != card]
        told.append(GameHappening("chose", {"seat": seat}))
        if not self._left(state):
            self._reveal(state, told)
        return state

    def _reveal(self, state, told):
        chosen = state["chosen"]
        best = min(chosen) if state["lowest"] else max(chosen)
        state["greets"] = winner = chosen.index(best)
        state["points"][winner] += 1
        told.append(GameHappening("revealed", {"cards": chosen, "winner": winner}))
        state["chosen"] = [0] * len(chosen)
        for seat in range(len(chosen)):
            card, *state["deck"] = state["deck"]
            state["hands"][seat] = sorted([*state["hands"][seat], card])
            told.append(GameHappening("drew", {"card": card}, seat))

    def view(self, state, seat):
        shown = {**state, "viewer": seat, "deck": len(state["deck"])}
        for what in ("hands", "chosen"):
            shown[what] = [
                each if owner == seat else len(each) if what == "hands" else bool(each)
                for owner, each in enumerate(state[what])
            ]
        return shown

    def outcome(self, state):
        if self.to_decide(state) != NOBODY:
            return None
        points = state["points"]
        return Outcome([seat for seat, each in enumerate(points) if each == max(points)], "points")

    def headline(self, view, names):
        seat = self.to_decide(view)
        return ("The game is over", "") if seat == NOBODY else (f"{names[seat]} chooses", "")

    def decision(self, view, seat, names):
        if seat not in self.deciding(view):
            return None
        if view["greets"] == seat:
            actions, kind = ["greet", "stay silent"], "greet"
        else:
            actions, kind = [f"play {card}" for card in view["hands"][seat]], "card"
        choices = [Choice(each, each.capitalize()) for each in actions]
        return Decision(kind, f"{names[seat]} chooses", "The highest card wins.", choices, ["Z1"])

    def says(self, happening, names, seat):
        return f"{happening.what} {dict(happening.facts)}"

    def why(self, outcome, view, names):
        return " and ".join(names[seat] for seat in outcome.winners)

    def possible(self, view, seat, chance):
        cards = [each for each in self.cards if each not in view["hands"][seat]]
        cards = [each for each in cards if each != view["chosen"][seat]]
        chance.shuffle(cards)
        state = {key: it for key, it in view.items() if key != "viewer"}
        for what, several in (("hands", True), ("chosen", False)):
            state[what] = list(view[what])
            for owner, each in enumerate(view[what]):
                if owner != seat and several:
                    state[what][owner] = sorted(cards.pop() for _ in range(each))
                elif owner != seat:
                    state[what][owner] = cards.pop() if each else 0
        state["deck"] = cards[: view["deck"]]
        return state

    def sensible(self, view, seat, chance):
        return self.legal(view)[-1]

    def candidates(self, view, seat, chance):
        return self.legal(view)

    def worth(self, state, seat):
        return state["points"][seat] / TRICKS


class HighestKind:
    name = "highest"
    title = "The Highest Card"
    about = "The highest card wins the trick."
    minute: ClassVar = []
    roles: ClassVar = []
    players = range(2, 5)
    options = (Option("lowest", "Which card wins", {False: "The highest", True: "The lowest"}),)
    rules: ClassVar = {"Z1": "The highest card wins the trick."}
    page = Path(__file__).parent / "pages"
    default_data: ClassVar = {"cards": list(range(1, 21)), "verified": False}

    def holds(self, state):
        return state.get("game") == self.name

    def game(self, data=None):
        data = self.default_data if data is None else data
        if not isinstance(data.get("cards"), list):
            raise DataError("cards", "is a list of numbers")
        return Highest(data)


class DuelKind(HighestKind):
    name = "duel"
    title = "The Duel"
    about = "The same for two."
    players = range(2, 3)


KIND = HighestKind()
DUEL = DuelKind()


def bot(due, game, seed=0):
    """Choose as a bot does, at once."""
    return game.sensible(due.view, due.seat, Random(seed))


__all__ = ["DUEL", "KIND", "SPECTATOR", "Highest", "bot"]

"""Time Chase as it comes from its box (`games.interface.Kind`)."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from chronotable_host.language import tr
from chronotable_night.games.interface import (
    DataError,
    Foresight,
    Game,
    GameHappening,
    Kind,
    Option,
    State,
)
from chronotable_night.games.timechase import acting, bots, decisions, state, telling


class TimeChase:
    """The rules need no data, so there is one such game."""

    data_hash = ""
    data_note = ""
    printed: Mapping[str, Any] = {}
    foresight = Foresight(actions=12_000)

    deciding = staticmethod(acting.deciding)
    apply = staticmethod(acting.apply)
    view = staticmethod(acting.view)
    outcome = staticmethod(state.outcome)
    headline = staticmethod(decisions.headline)
    decision = staticmethod(decisions.decision)
    why = staticmethod(telling.why)
    sensible = staticmethod(bots.sensible)
    candidates = staticmethod(bots.candidates)
    worth = staticmethod(bots.worth)

    def new(self, seed: int, players: int, options: Mapping[str, Any]) -> State:
        """Return the first state."""
        return state.new(seed, players, jumble=bool(options.get("jumble")))

    def to_decide(self, state: State) -> int:
        """Return the seat that decides."""
        seat: int = state["turn"]
        return seat

    def legal(self, state: State) -> list[str]:
        """Return the legal actions."""
        return acting.legal(state, state["turn"])

    def possible(self, view: State, seat: int, chance: Random) -> State:
        """Return a state that could be, in which others play sensibly."""
        return acting.possible(view, seat, chance, bots.sensible)

    def says(self, happening: GameHappening, names: Sequence[str], seat: int) -> str:  # noqa: ARG002
        """Return what has happened; everybody reads the same."""
        return telling.says(happening, names)


class TimeChaseKind:
    """What is chosen before a game begins."""

    name = "timechase"
    players = range(3, 7)
    page = Path(__file__).parent / "page"
    default_data: Mapping[str, Any] | None = None

    @property
    def title(self) -> str:
        """Its name for people."""
        return tr("Time Chase")

    @property
    def about(self) -> str:
        """What it is about and how it is won."""
        return tr(
            "A chase through history: win tricks, travel back to win them anew, and be the first "
            "to control three events."
        )

    @property
    def minute(self) -> Sequence[tuple[str, str]]:
        """What one has to know to begin."""
        return [
            (tr("Time is a line"), tr("Each round one more event is fought over: the present.")),
            (
                tr("Play one card each"),
                tr("Follow the suit that was led, if you can. The highest wins."),
            ),
            (
                tr("One suit beats all"),
                tr("The suit of the invariant. Its number does not matter."),
            ),
            (
                tr("Lose well: fuel"),
                tr("Followed and beaten: 1 fuel. And 2 a round, less 1 for each own event."),
            ),
            (
                tr("Go back, retake it"),
                tr("1 fuel, 1 event back. All say it in secret, all eyes open at once."),
            ),
            (
                tr("Three events win"),
                tr("Counted when all places of the round are done. At most ten rounds."),
            ),
        ]

    @property
    def roles(self) -> Sequence[str]:
        """Nothing: all seats are alike."""
        return []

    @property
    def options(self) -> Sequence[Option]:
        """The two modes."""
        meanings = {
            False: tr("In order: they come as they are numbered, fuel takes you back."),
            True: tr("Time jumble: they come at random, fuel takes you both ways."),
        }
        return [Option("jumble", tr("How the events come"), meanings)]

    @property
    def rules(self) -> Mapping[str, str]:
        """The rules by their numbers, in our own words."""
        return {
            "H1": tr(
                "There are five suits with the values 1 to 13. With 3, 4 or 5 players the values "
                "up to 6, 4 or 2 stay in the box. Everybody is dealt ten cards; one more is the "
                "invariant."
            ),
            "H2": tr(
                "Everybody starts at the first event without fuel, and has three discs to show "
                "which events are theirs. The first player marker stays with one player for the "
                "whole game."
            ),
            "H3": tr(
                "Cards are played wherever travelers are: first in the present, then at the other "
                "events from late to early, last at the invariant."
            ),
            "H4": tr(
                "Who controls the event before leads; at the first event who has the first player "
                "marker. If they are elsewhere, the next player clockwise who is there."
            ),
            "H5": tr(
                "Clockwise everybody there plays one card. Who has the suit to follow must play "
                "it: in the present the suit of the first card, in the past the suit that was led "
                "there."
            ),
            "H6": tr(
                "Who follows suit below a higher card of that suit gains 1 fuel at once. In the "
                "past the cards that lie at the event count, too. Other cards never give fuel."
            ),
            "H7": tr(
                "The suit of the invariant beats the led suit, which beats the others. Within a "
                "suit the higher value wins. Two cards of other suits never beat each other."
            ),
            "H8": tr(
                "In the present the best card takes the event. The first card and the best one "
                "stay there, the others are gone. Who is alone takes it with any card."
            ),
            "H9": tr(
                "In the past only a card that beats the winning card there takes the event; then "
                "it takes that card's place, and the led card stays. Else all stays as it was."
            ),
            "H10": tr(
                "A winning card whose suit was the invariant's once, but is no longer, is beaten "
                "by any card of the led suit."
            ),
            "H11": tr(
                "At the invariant all choose a card in secret. The highest value becomes the "
                "invariant; if it was shown twice, there is none until somebody sets it again. "
                "No fuel is gained there."
            ),
            "H12": tr(
                "After each round the next event becomes the present, if somebody was at the last "
                "one. All travelers go to the present. Everybody gains 2 fuel, less 1 for each own "
                "event."
            ),
            "H13": tr(
                "In secret everybody says how much fuel to spend. All open together: the fuel is "
                "gone, and each takes you one event back; one step before the first is the "
                "invariant."
            ),
            "H14": tr(
                "Everybody plays exactly one card a round, so the game has ten rounds at most."
            ),
            "H15": tr("Fuel has no limit, and everybody may see how much you have."),
            "H16": tr("Nobody can forget to follow suit here: other cards are not offered."),
            "H17": tr(
                "Who controls three events when a round is over wins. If several do, the one with "
                "the event nearest to the invariant."
            ),
            "H18": tr(
                "If nobody has three events after ten rounds, who has the most wins; if several "
                "do, the one with the event nearest to the invariant."
            ),
            "H19": tr(
                "In a time jumble the events come in random order. The row goes by their numbers, "
                "and the event that came last is the present, wherever it lies."
            ),
            "H20": tr(
                "In a time jumble fuel takes you back or forward, as far as the row reaches."
            ),
            "H21": tr(
                "In a time jumble, too, the present comes first, then the other events from the "
                "highest number to the lowest. Who leads is read off the row: the nearest event "
                "before that somebody controls."
            ),
        }

    def holds(self, state: State) -> bool:
        """Tell whether an object of JSON looks like a state of this game."""
        return {"timeline", "travelers", "invariant"} <= state.keys()

    def game(self, data: Mapping[str, Any] | None = None) -> Game:
        """Return the game; it takes no data."""
        if data is not None:
            raise DataError("", tr("This game needs no data."))
        return TimeChase()


KIND: Kind = TimeChaseKind()

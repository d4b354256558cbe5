"""Time Breaker, as it comes from its box."""

import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from chronotable_host.language import tr
from chronotable_night.games.interface import Foresight, GameHappening, Kind, Option, Outcome, State
from chronotable_night.games.timebreaker import bots, course, decisions, happenings
from chronotable_night.games.timebreaker.data import Data, read_data
from chronotable_night.games.timebreaker.legal import is_legal, legal_actions, refusal
from chronotable_night.games.timebreaker.names import printed_on

_FOLDER = Path(__file__).parent
_MOST_PLAYERS = 5


class TimeBreaker(Data):
    """The game with its data (`interface.Game`): what its modules make of such data."""

    foresight = Foresight(actions=7000)

    legal = legal_actions
    view = staticmethod(course.view_of)
    possible = course.possible_state
    headline = decisions.headline
    decision = decisions.decision
    says = happenings.says
    why = staticmethod(happenings.why)
    sensible = bots.sensible
    candidates = bots.candidates
    worth = bots.worth

    @property
    def data_hash(self) -> str:
        """Return what tells this data from other."""
        return self.hash

    @property
    def data_note(self) -> str:
        """Return what a player should know of data that nobody compared with a printed game."""
        return "" if self.is_verified else happenings.data_note()

    @property
    def printed(self) -> Mapping[str, Any]:
        """Return what the page draws of the data and no view has: tiles, arrows, names of cards."""
        return {
            "tra": self.tra,
            "labels": self.labels,
            "green": self.green,
            "red": self.red,
            "order": list(self.tiles),
            "cards": {card: printed_on(self, card) for card in self.cards},
        }

    def new(self, seed: int, players: int, options: Mapping[str, Any]) -> State:
        """Return the first state; raises ValueError for options that there are not."""
        first = options.get("first", -1)
        if players not in KIND.players or first not in range(-1, players):
            raise ValueError("players or first")
        if options.get("arrest", "automatic") not in ("automatic", "declared"):
            raise ValueError("arrest")
        return course.first_state(self, seed, players, options)

    def to_decide(self, state: State) -> int:
        """Return the seat that decides, NOBODY when the game is over."""
        seat: int = state["to_act"]
        return seat

    def deciding(self, state: State) -> Sequence[int]:
        """Return the seat that decides, and all who are asked about the same card after it."""
        return course.deciding(state)

    def apply(
        self, state: State, seat: int, action: str, happenings: list[GameHappening] | None = None
    ) -> State:
        """Return the state after an action; raises IllegalActionError."""
        if seat != state["to_act"] or not is_legal(self, state, action):
            raise refusal(self, state, seat, action)
        after = course.CardCourse(self, state, happenings)
        after.act(action)
        return after.state

    def outcome(self, state: State) -> Outcome | None:
        """Return how the game has ended, None while it goes on."""
        return Outcome(state["winners"], state["why"]) if state["phase"] == "over" else None


class TimeBreakerKind:
    """The game before data is chosen (`interface.Kind`)."""

    name = "timebreaker"
    players = range(2, _MOST_PLAYERS + 1)
    page = _FOLDER / "page"

    @property
    def title(self) -> str:
        """Return its name for people."""
        return tr("Time Breaker")

    @property
    def about(self) -> str:
        """What it is about and how it is won."""
        return tr(
            "Jump from gate to gate, catch the Time Breaker before the others do, and bring them "
            "to the tile in the middle."
        )

    @property
    def minute(self) -> Sequence[tuple[str, str]]:
        """What one has to know to begin."""
        return [
            (
                tr("A thief in time"),
                tr("It hides among 24 gates. All of you start at home, the TRA."),
            ),
            (
                tr("Draw, then do one thing"),
                tr("Play a card, follow the green arrow, or wormhole: the top card, unseen."),
            ),
            (
                tr("Arrows name gates"),
                tr("Green leads to, red comes from. A Move runs over the edge and past gaps."),
            ),
            (
                tr("Stand there: arrested"),
                tr("On the thief's gate you have it. It goes along when you move."),
            ),
            (
                tr("Stop Time"),
                tr("After each card all may stop it, all at once. Stopped: the turn is over."),
            ),
            (
                tr("Home together: you win"),
                tr("The thief at home alone, and nobody wins. Gaps lead home, too."),
            ),
        ]

    @property
    def roles(self) -> Sequence[str]:
        """Nothing: all seats are alike."""
        return []

    @property
    def options(self) -> Sequence[Option]:
        """Return what is chosen before the game begins."""
        return [
            Option(
                "arrest",
                tr("How a player arrests the Time Breaker"),
                {
                    "automatic": tr("At once: who is on its tile has arrested it."),
                    "declared": tr("By saying so: on its tile, before moving on."),
                },
            ),
            Option("first", tr("Who begins"), {-1: tr("Drawn by lot"), 0: tr("The first seat")}),
        ]

    @property
    def rules(self) -> Mapping[str, str]:
        """Return the rules by number, in our own words."""
        return {
            "B1": tr(
                "The TRA lies in the middle of a grid of 5 by 5 tiles, 24 gates in random order "
                "around it. All pawns start on the TRA, the Time Breaker at the top left. "
                "Everybody has 3 cards; play goes clockwise."
            ),
            "B2": tr(
                "Arrows name tiles, wherever these lie. Where a tile lies matters only for steps: "
                "Move, Near Yet Far, Shut and Run."
            ),
            "B3": tr(
                "In your turn draw a card, then do one thing: play a card of your hand, follow a "
                "green arrow of your tile, or take the Wormhole: draw another card and play that "
                "at once. You cannot pass, and may hold any number of cards."
            ),
            "B4": tr(
                "When the deck is empty, the discarded cards are shuffled and become the deck."
            ),
            "B5": tr(
                "A Stop Time drawn by a Wormhole or a Quantum Leap is shown and kept, and that was "
                "it. A card that has to be played but can have no effect is discarded."
            ),
            "B6": tr(
                "Once in your turn, before you do your one thing, you may dump any Jumps for "
                "crashed gates and draw as many cards."
            ),
            "B7": tr(
                "Move goes one step in a direction that the card shows. Over the edge it comes in "
                "on the other side; gaps are skipped."
            ),
            "B8": tr(
                "Jump goes to the tile on the card. Who stands there already goes to any other "
                "tile. If the gate is crashed, you land on the TRA."
            ),
            "B9": tr("An arrow to a crashed gate leads to the TRA, whether green or red."),
            "B10": tr(
                "Return to HQ: any one pawn to the TRA. Join Me: all other pawns to your tile. Tag "
                "Along: you to the tile of another pawn. Desperate Grab: discard your hand, go to "
                "the Time Breaker. Double Time: follow two green arrows. Near Yet Far: go to a "
                "tile one step from the Time Breaker. Back It Up: go where the red arrow of your "
                "tile leads."
            ),
            "B11": tr(
                "Quantum Leap: choose a card of your hand, then reveal the top card of the deck; "
                "play both, in the order you like. A Stop Time cannot be chosen."
            ),
            "B12": tr(
                "Crash a Gate takes a gate away, but not the one with the Time Breaker. Pawns on "
                "it go to the TRA; a gap stays."
            ),
            "B13": tr(
                "On the Move: the Time Breaker goes along a green arrow of its tile, or as a Move "
                "or Jump says that you discard with it."
            ),
            "B14": tr(
                "Shut and Run: the Time Breaker takes a step, then the gate it came from crashes; "
                "pawns left there go to the TRA."
            ),
            "B15": tr(
                "If the Time Breaker gets to the TRA without an escort, the game is over and "
                "nobody wins. An arrow, Move or Jump into a crashed gate takes it there, too."
            ),
            "B16": tr(
                "A pawn on the tile of the Time Breaker arrests it. If arrests are to be declared, "
                "its player says so when deciding, before moving away."
            ),
            "B17": tr(
                "The Time Breaker goes along with the first of its captors who moves by an action "
                "of their own. A captor who is moved by another player leaves it behind."
            ),
            "B18": tr("Whoever has declared an arrest once need not do so again after an escape."),
            "B19": tr(
                "Who comes to the TRA with the Time Breaker, in whatever way of their own, wins."
            ),
            "B20": tr("The TRA cannot be crashed."),
            "B21": tr(
                "Stop Time answers a card that another player plays, also a Stop Time. It never "
                "stops a followed arrow or the Wormhole itself, only the card that a Wormhole "
                "plays."
            ),
            "B22": tr(
                "A stopped card is discarded without effect, and nothing is drawn for it or for "
                "the Stop Time. A card that was to guide On the Move stays in the hand."
            ),
            "B23": tr(
                "A Quantum Leap can be stopped as a whole, or each of its cards by itself; if the "
                "first is stopped, the second is still played."
            ),
            "B24": tr(
                "After each card all others are asked at once; what they say counts clockwise "
                "from the player whose turn it is. After a Stop Time all are asked again, about "
                "that."
            ),
        }

    @cached_property
    def default_data(self) -> Mapping[str, Any]:
        """Return the data it is played with unless the owner has better."""
        data: dict[str, Any] = json.loads((_FOLDER / "default.json").read_text("utf-8"))
        return data

    def holds(self, state: State) -> bool:
        """Tell whether an object of JSON looks like a state of this game."""
        return state.get("game") == self.name

    def game(self, data: Mapping[str, Any] | None = None) -> TimeBreaker:
        """Return the game with its own data or another's; raises DataError."""
        if data is None:
            return self._own
        return TimeBreaker(**vars(read_data(data)))

    @cached_property
    def _own(self) -> TimeBreaker:
        return self.game(self.default_data)


KIND: Kind = TimeBreakerKind()

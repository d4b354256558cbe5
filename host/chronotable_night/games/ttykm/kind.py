"""The standard game behind the interface of a games night (`games.interface`).

A state is the position, the turns so far and the options. Seat 0 is White, seat 1 is Black. The
rules are those of `ttykm`, as everywhere; here they are asked about one position.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from chronotable.hardware.naming import sensor_name
from chronotable.hardware.sensors import SENSORS
from chronotable_host.language import kept_by_language, tr
from chronotable_host.language.names import ERAS, PLAYERS, place
from chronotable_host.live.texts.light_names import PALETTE_NAMES
from chronotable_host.rules.notation import (
    NotationError,
    format_position,
    format_turn,
    parse_options,
    parse_position,
    parse_turn,
)
from chronotable_host.rules.refusals import rule, why_illegal
from chronotable_host.rules.rule_files import read_part
from chronotable_host.rules.turn_story import story_of
from chronotable_host.web import looks
from chronotable_host.web.position_json import position_json
from chronotable_host.web.view import last_of
from chronotable_night.games.interface import (
    NOBODY,
    SPECTATOR,
    DataError,
    Decision,
    Foresight,
    GameHappening,
    IllegalActionError,
    Kind,
    Option,
    Outcome,
    State,
)
from chronotable_night.games.shelf import format_choices
from ttykm import layout
from ttykm.game import Game as Rules
from ttykm.game import winner

_COMPARED, _LOOKED_AT = 12, 6
"""Turns that a bot compares, the best of all, and those that it looks at when it plays on."""
_NOT_YOURS = "T7"
_OF_A_TURN = ("T7", "T8", "T11", "T12", "T15", "T29")


_SHOWN = 16
_COPIES = layout.SUPPLY + len(ERAS)  # of each player (T2)
_KNOWN = 8192
"""Positions of which things are kept: a bot asks for the same ones again and again."""

_GAME = Rules()


class _Turns(NamedTuple):
    """The legal turns of a position, packed, by their texts, and the position itself."""

    state: array[int]
    turns: Mapping[str, int]


@lru_cache(_KNOWN)
def _turns_of(position: str, options: int) -> _Turns:
    """Return the legal turns of a position that is not decided."""
    state = parse_position(position)
    _GAME.start(state, options)
    return _Turns(state, {format_turn(turn): turn for turn in _GAME.legal_turns()})


def _state_after(position: str, options: int, text: str) -> array[int]:
    """Return the state after a legal turn."""
    known = _turns_of(position, options)
    _GAME.start(known.state, options)
    _GAME.apply(known.turns[text])
    return _GAME.state


@lru_cache(_KNOWN)
def _mover_of(position: str) -> int:
    """Return who is to move: 0 White, 1 Black."""
    return layout.mover(parse_position(position))


@lru_cache(_KNOWN)
def _winner_of(position: str) -> int:
    """Return who has won with the turn that led here, layout.NOBODY if nobody has."""
    return winner(parse_position(position))


def _standing(state: array[int], player: int) -> float:
    """Return how well a player stands, 0 to 1: copies, those in supply, and eras held."""
    if winner(state) != layout.NOBODY:
        return float(winner(state) == player)
    own, other = (_weight(state, each) for each in (player, 1 - player))
    return min(0.99, max(0.01, 0.5 + (own - other) / 40))


def _weight(state: array[int], player: int) -> float:
    copies = sum(bin(state[3 * player + era]).count("1") for era in range(3))
    return 2 * copies + layout.supply(state, player) + 3 * layout.eras_held(state, player)


@kept_by_language()
def _drawn_with() -> Mapping[str, Any]:
    return {
        "looks": {
            "meanings": looks.meanings(PALETTE_NAMES[0], 0),
            "pieces": looks.pieces(0),
            "actions": looks.things(0),
        },
        "places": [place(sensor_name(sensor)) for sensor in range(SENSORS)],
    }


@kept_by_language(_SHOWN)
def _seen(position: str, *turns: str, options: int) -> Mapping[str, Any]:
    """Return what boards show of a game that began as all do: its position, and its last turn."""
    shown = position_json(parse_position(position), (_COPIES, _COPIES))
    return {"shown": json.loads(shown), "last": _last_turn(position, turns, options)}


def _last_turn(position: str, turns: Sequence[str], options: int) -> Mapping[str, Any] | None:
    """Return the last turn, None where there is none and where the game began otherwise."""
    game = Rules()
    game.start(layout.new_state(_mover_of(position) ^ len(turns) & 1), options)
    for turn in turns:
        game.apply(parse_turn(turn))
    return last_of(game) if turns and format_position(game.state) == position else None


class TtykmGame:
    """The game; it has no data."""

    data_hash = ""
    data_note = ""
    foresight = Foresight(actions=600, horizon=4)

    @property
    def printed(self) -> Mapping[str, Any]:
        """Return what boards are drawn with: looks, and what each place is called."""
        return _drawn_with()

    def new(self, seed: int, players: int, options: Mapping[str, Any]) -> State:  # noqa: ARG002
        """Return the first state; nothing is left to chance."""
        first = options.get("first", "white")
        rules = {name: value for name, value in options.items() if name != "first"}
        state = layout.new_state(layout.WHITE if first == "white" else layout.BLACK)
        return {
            "game": KIND.name,
            "options": format_choices(rules),
            "position": format_position(state),
            "turns": [],
        }

    def to_decide(self, state: State) -> int:
        """Return whose turn it is, NOBODY when somebody has won."""
        if self._winner(state) != NOBODY:
            return NOBODY
        return _mover_of(state["position"])

    def deciding(self, state: State) -> Sequence[int]:
        """Return whose turn it is."""
        return [self.to_decide(state)]

    def legal(self, state: State) -> list[str]:
        """Return the legal turns."""
        return list(self._turns(state))

    def apply(
        self, state: State, seat: int, action: str, happenings: list[GameHappening] | None = None
    ) -> State:
        """Return the state after a turn; raises IllegalActionError."""
        if seat != self.to_decide(state):
            raise IllegalActionError(_NOT_YOURS, tr("It is not your turn."))
        if action not in self._turns(state):
            raise self._refusal(state, action)
        position, options = state["position"], _bits(state)
        next_state = {
            **state,
            "position": format_position(_state_after(position, options, action)),
            "turns": [*state["turns"], action],
        }
        if happenings is not None:
            known = _turns_of(position, options)
            focus = story_of(known.state, known.turns[action], options).focus
            before = {"position": position, "options": options}  # it is told from there
            facts = {"seat": seat, "turn": action, **before, "focus": focus}
            happenings.append(GameHappening("turn", facts))
            if self._winner(next_state) != NOBODY:
                happenings.append(GameHappening("won", {"seat": self._winner(next_state)}))
        return next_state

    def view(self, state: State, seat: int) -> State:
        """Return the state, which everybody sees, what lies on its boards, and the last turn."""
        return {
            **state,
            "viewer": seat,
            **_seen(state["position"], *state["turns"], options=_bits(state)),
        }

    def outcome(self, state: State) -> Outcome | None:
        """Return who has won."""
        winner = self._winner(state)
        return None if winner == NOBODY else Outcome([winner], "alone")

    def _winner(self, state: State) -> int:
        if not state["turns"]:  # only the end of a turn decides
            return NOBODY
        winner = _winner_of(state["position"])
        return NOBODY if winner == layout.NOBODY else winner

    def _turns(self, state: State) -> Mapping[str, int]:
        if self._winner(state) != NOBODY:
            return {}
        return _turns_of(state["position"], _bits(state)).turns

    def _refusal(self, state: State, action: str) -> IllegalActionError:
        """Return why a text is no legal turn here."""
        try:
            turn = parse_turn(action)
        except NotationError as error:
            return IllegalActionError(_NOT_YOURS, str(error))
        game = Rules()
        game.start(_turns_of(state["position"], _bits(state)).state, _bits(state))
        code = why_illegal(game, turn)
        if not code:
            return IllegalActionError(_NOT_YOURS, tr("This turn is written in another way."))
        return IllegalActionError(rule(code), tr("This turn cannot be taken here."))

    # ---- in words

    def headline(self, view: State, names: Sequence[str]) -> tuple[str, str]:
        """Return whose turn it is, and where."""
        seat = self.to_decide(view)
        if seat == NOBODY:
            return tr("{player} wins", player=names[self._winner(view)]), ""
        state = _turns_of(view["position"], _bits(view)).state
        line = tr(
            "{colour}, with the focus in the {era}",
            colour=PLAYERS[seat],
            era=ERAS[layout.focus(state, seat)],
        )
        return tr("{player} takes a turn", player=names[seat]), line

    def decision(self, view: State, seat: int, names: Sequence[str]) -> Decision | None:  # noqa: ARG002
        """Return that a turn is due: it is made on the boards."""
        if seat == SPECTATOR or seat != self.to_decide(view):
            return None
        return Decision(
            "turn",
            tr("Take a turn"),
            tr(
                "Choose a copy in the era of your focus, take two actions with it, and move your "
                "focus to another era. You win when the other player is in one era only."
            ),
            (),
            _OF_A_TURN,
        )

    def says(self, happening: GameHappening, names: Sequence[str], seat: int) -> str:  # noqa: ARG002
        """Return a turn in a sentence."""
        facts = happening.facts
        player = names[facts["seat"]]
        if happening.what == "won":
            return tr("{player} has won.", player=player)
        known = _turns_of(facts["position"], facts["options"])
        story = story_of(known.state, known.turns[facts["turn"]], facts["options"])
        return tr(
            "{player}: {what}; the focus goes to the {era}.",
            player=player,
            what=story.says,
            era=ERAS[facts["focus"]],
        )

    def why(self, outcome: Outcome, view: State, names: Sequence[str]) -> str:  # noqa: ARG002
        """Return how the game ended."""
        (winner,) = outcome.winners
        return tr(
            "{player} has won: {other} is in one era only.",
            player=names[winner],
            other=names[1 - winner],
        )

    # ---- for bots

    def possible(self, view: State, seat: int, chance: Random) -> State:  # noqa: ARG002
        """Return the state: nothing is hidden."""
        return {name: view[name] for name in ("game", "options", "position", "turns")}

    def sensible(self, view: State, seat: int, chance: Random) -> str:
        """Return the best of some turns by what they lead to at once."""
        turns = self.legal(view)
        tried = chance.sample(turns, min(len(turns), _LOOKED_AT))
        return max(tried, key=lambda turn: self._value(view, seat, turn))

    def candidates(self, view: State, seat: int, chance: Random) -> Sequence[str]:
        """Return the best turns by what they lead to at once; by chance among equal ones."""
        turns = self.legal(view)
        chance.shuffle(turns)
        return sorted(turns, key=lambda turn: -self._value(view, seat, turn))[:_COMPARED]

    def worth(self, state: State, seat: int) -> float:
        """Return how well a seat stands."""
        winner = self._winner(state)
        if winner != NOBODY:
            return float(winner == seat)
        return _standing(_turns_of(state["position"], _bits(state)).state, seat)

    def _value(self, view: State, seat: int, turn: str) -> float:
        return _standing(_state_after(view["position"], _bits(view), turn), seat)


def _bits(state: State) -> int:
    return parse_options(state["options"])


class StandardKind:
    """What is chosen before a game begins."""

    name = "ttykm"
    title = "That Time You Killed Me"
    players = range(2, 3)
    page = Path(__file__).parent / "page"
    default_data: Mapping[str, Any] | None = None

    @property
    def about(self) -> str:
        """What it is about and how it is won."""
        return tr(
            "A duel on three boards, the past, the present and the future: drive the other out of "
            "all but one."
        )

    @property
    def minute(self) -> Sequence[tuple[str, str]]:
        """What one has to know to begin."""
        return [
            (
                tr("You live three times"),
                tr("Past, present, future: in each stands a copy of you."),
            ),
            (
                tr("Where you look, you act"),
                tr("One copy, two actions, in the time your eye is on."),
            ),
            (
                tr("Push"),
                tr("Into the wall: squished. Into another of the same: paradox, both gone."),
            ),
            (
                tr("Back: a copy stays"),
                tr("Go back in time and leave a new copy behind, while the supply lasts."),
            ),
            (
                tr("Then move your eye"),
                tr("After each turn it opens in another time. That is where you act next."),
            ),
            (
                tr("Left in one time: lost"),
                tr("Who ends a turn with the other player in one era only has won."),
            ),
        ]

    @property
    def roles(self) -> Sequence[str]:
        """Who each seat is."""
        return [tr("White"), tr("Black")]

    @property
    def options(self) -> Sequence[Option]:
        """Who begins, and the reading of the rules."""
        colours = {"white": tr("White, the first seat"), "black": tr("Black, the second seat")}
        strict = {
            False: tr("One by one: each action is judged when it is due."),
            True: tr(
                "Together: who can take two actions must choose them so that both are possible."
            ),
        }
        return [
            Option("first", tr("Who begins"), colours),
            Option("strict_two_actions", tr("How two actions are judged"), strict),
        ]

    @property
    def rules(self) -> Mapping[str, str]:
        """The rules of the standard game by number."""
        return {rule.number: rule.text for rule in read_part("standard").rules}

    def holds(self, state: State) -> bool:
        """Tell whether an object of JSON looks like a state of this game."""
        return {"position", "turns", "options"} <= state.keys()

    def game(self, data: Mapping[str, Any] | None = None) -> TtykmGame:
        """Return the game; it takes no data."""
        if data is not None:
            raise DataError("", tr("This game needs no data."))
        return TtykmGame()


KIND: Kind = StandardKind()

"""The course of the game: the first state, and what follows from an action.

A state is never changed: a course begins with a shallow copy, and whatever changes in it is a new
list.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from chronotable_night.games.interface import NOBODY, GameHappening, State
from chronotable_night.games.portable import shuffled
from chronotable_night.games.timebreaker.data import STOP_TIME, Data
from chronotable_night.games.timebreaker.legal import play_actions, without
from chronotable_night.games.timebreaker.pieces import (
    CENTRE,
    ESCORTED,
    FOLLOW,
    carried_out,
    crashed_gate,
    in_custody,
    moves,
    pieces_of,
    ways,
)

_FIRST_CARDS = 3


class CardCourse:
    """A state on its way from one decision to the next."""

    def __init__(self, data: Data, state: State, happenings: list[GameHappening] | None) -> None:
        self.state: dict[str, Any] = dict(state)
        self._data = data
        self._happenings = happenings
        self._passed: list[int] = []  # who let the card that takes effect pass

    # ---- the actions

    def act(self, action: str) -> None:
        """Carry out an action of the seat that decides; it has to be legal."""
        verb, *words = action.split(" ")
        _ACTS[verb](self, words)

    def _act_arrest(self, _: Sequence[str]) -> None:
        seat = self.state["to_act"]
        self.state["declared"] = sorted([*self.state["declared"], seat])
        self._tell("arrested", seat=seat)

    def _act_dump(self, cards: Sequence[str]) -> None:
        seat = self.state["to_act"]
        self._tell("dumped", seat=seat, cards=list(cards))
        for card in cards:
            self._leave_hand(seat, card)
            self._discard(card)
        for _ in cards:
            self._draw_to_hand(seat)
        self.state["dumped"] = 1

    def _act_follow(self, words: Sequence[str]) -> None:
        state = self.state
        is_second = state["phase"] == "second"
        played = state["played"]
        self._tell("followed", seat=state["active"], tile=words[0])
        self._move_pieces([FOLLOW, *words])
        if is_second:
            self._discard(played[0])
            state["played"] = []
        self._end_or(self._go_on if is_second else self._next_turn, played)

    def _act_wormhole(self, _: Sequence[str]) -> None:
        seat = self.state["active"]
        self._tell("wormholed", seat=seat)
        card = self._draw()
        if card == STOP_TIME:
            self._show(seat, card)
            self._next_turn()
            return
        self.state["queue"] = [card]
        self._tell("revealed", seat=seat, cards=[card])
        self._go_on()

    def _act_play(self, words: Sequence[str]) -> None:
        state, card = self.state, words[0]
        if state["phase"] == "play":
            state["queue"] = state["queue"][1:]
        else:
            self._leave_hand(state["active"], card)
        state["played"] = list(words)
        self._tell(
            "played",
            seat=state["active"],
            words=list(words),
            ways=ways(self._data, state, words),
            crashed=crashed_gate(pieces_of(state), words),
        )
        self._open_window()

    def _act_stop(self, _: Sequence[str]) -> None:
        state = self.state
        seat = state["to_act"]
        self._leave_hand(seat, STOP_TIME)
        self._tell("stopped", seat=seat, of=top_player(state), stops=len(state["stops"]) + 1)
        state["stops"] = [*state["stops"], seat]
        self._open_window()

    def _act_pass(self, _: Sequence[str]) -> None:
        self._tell("passed", seat=self.state["to_act"])
        self._ask_next(self.state["to_act"])

    def _act_leap(self, words: Sequence[str]) -> None:
        self._leave_hand(self.state["active"], words[0])
        self._leap([words[0]])

    def _act_order(self, words: Sequence[str]) -> None:
        if words[0] == "deck":
            first, second, *rest = self.state["queue"]
            self.state["queue"] = [second, first, *rest]
        self._tell("ordered", seat=self.state["active"], cards=self.state["queue"][:2])
        self._go_on()

    # ---- windows

    def _open_window(self) -> None:
        self.state["phase"] = "window"
        active = self.state["active"]
        if top_player(self.state) != active:
            self.state["to_act"] = active
        else:
            self._ask_next(active)

    def _ask_next(self, asked: int) -> None:
        """Ask the seat clockwise after the one that was asked, or settle the pile."""
        left = still_asked(self.state, asked)
        if left:
            self.state["to_act"] = left[0]
        else:
            self._settle()

    def _settle(self) -> None:
        state = self.state
        words, stops = state["played"], state["stops"]
        state["stops"] = []
        self._passed = [seat for seat in range(state["players"]) if seat not in stops]
        is_stopped = len(stops) % 2 == 1
        if stops:
            self._tell("settled", seat=state["active"], words=words, stopped=is_stopped)
        if is_stopped:
            self._discard(words[0])
        for _ in stops:
            self._discard(STOP_TIME)
        if not is_stopped:
            self._take_effect(words)
            return
        state["played"] = []
        guide = guide_of(words)
        if guide and guide not in state["shown"][state["active"]]:
            self._add("shown", state["active"], guide)
        self._go_on()

    # ---- effects

    def _take_effect(self, words: Sequence[str]) -> None:
        state, card = self.state, words[0]
        seat = state["active"]
        if card == "quantum_leap":
            if any(other != STOP_TIME for other in state["hands"][seat]):
                state["phase"], state["to_act"] = "leap", seat
            else:
                self._leap([])
            return
        if card == "desperate_grab":
            self._discard_hand(seat)
        self._move_pieces(words)
        guide = guide_of(words)
        if guide:
            self._leave_hand(seat, guide)
            self._discard(guide)
        if card == "double_time" and not state["why"]:
            state["phase"], state["to_act"] = "second", seat
            return
        self._discard(card)
        state["played"] = []
        self._end_or(self._go_on, words)

    def _discard_hand(self, seat: int) -> None:
        cards = self.state["hands"][seat]
        if cards:
            self._tell("lost_hand", seat=seat, cards=cards)
        for card in cards:
            self._leave_hand(seat, card)
            self._discard(card)

    def _leap(self, parts: Sequence[str]) -> None:
        """Draw the second card of a Quantum Leap; `parts` has the one from the hand."""
        state = self.state
        card = self._draw()
        if card == STOP_TIME:
            self._show(state["active"], card)
        elif card:
            parts = [*parts, card]
        if parts:
            self._tell("revealed", seat=state["active"], cards=list(parts))
        self._discard(state["played"][0])
        state["played"] = []
        state["queue"] = [*parts, *state["queue"]]
        if len(parts) > 1:
            state["phase"], state["to_act"] = "order", state["active"]
        else:
            self._go_on()

    def _move_pieces(self, words: Sequence[str]) -> None:
        state = self.state
        seat = state["active"]
        before = pieces_of(state)
        custody = in_custody(state, seat)
        after = carried_out(self._data, before, seat, words, custody)
        state["grid"], state["closed"], state["breaker"], state["pawns"], why = after
        if why:
            state["why"] = why
            state["winners"] = [seat] if why == ESCORTED else []
        if self._happenings is not None:
            self._happenings += moves(self._data, state, before, after, words)

    def _end_or(self, go_on: Any, words: Sequence[str]) -> None:
        """End the game if it is decided, or let it go on; `words` were played last, if any."""
        state = self.state
        if not state["why"]:
            go_on()
            return
        state["phase"], state["to_act"] = "over", NOBODY
        self._tell(
            "over",
            seat=state["active"],
            winners=state["winners"],
            why=state["why"],
            words=list(words),
            passed=[seat for seat in self._passed if seat != state["active"]],
        )

    # ---- turns

    def start_turn(self, seat: int) -> None:
        """Let a seat's turn start: it draws a card and decides."""
        state = self.state
        state["turn"] += 1
        state["dumped"] = 0
        state["active"] = state["to_act"] = seat
        state["phase"] = "main"
        self._tell("turn", seat=seat, turn=state["turn"])
        self._draw_to_hand(seat)

    def deal(self, seat: int) -> None:
        """Give a seat the top card, before the first turn."""
        self._add("hands", seat, self._draw())

    def _next_turn(self) -> None:
        self.start_turn((self.state["active"] + 1) % self.state["players"])

    def _go_on(self) -> None:
        state = self.state
        seat = state["active"]
        while state["queue"]:
            card = state["queue"][0]
            if play_actions(self._data, state, card, state["hands"][seat]):
                state["phase"], state["to_act"] = "play", seat
                return
            state["queue"] = state["queue"][1:]
            self._discard(card)
            self._tell("without_effect", seat=seat, card=card)
        self._next_turn()

    # ---- cards

    def _draw(self) -> str:
        """Return the top card, "" if there is none anywhere."""
        state = self.state
        if not state["deck"]:
            if not state["discard"]:
                return ""
            state["deck"], state["rng"] = shuffled(state["discard"], state["rng"])
            state["discard"] = []
            self._tell("shuffled")
        card: str = state["deck"][0]
        state["deck"] = state["deck"][1:]
        return card

    def _draw_to_hand(self, seat: int) -> None:
        card = self._draw()
        if card:
            self._add("hands", seat, card)
            self._tell("drew", seat=seat)
            self._tell("drew_card", to=seat, seat=seat, card=card)

    def _show(self, seat: int, card: str) -> None:
        """Put a card into a hand that everybody has seen."""
        self._add("hands", seat, card)
        self._add("shown", seat, card)
        self._tell("shown", seat=seat, card=card)

    def _leave_hand(self, seat: int, card: str) -> None:
        self._remove("hands", seat, card)
        if card in self.state["shown"][seat]:
            self._remove("shown", seat, card)

    def _discard(self, card: str) -> None:
        self.state["discard"] = [card, *self.state["discard"]]

    def _add(self, field: str, seat: int, card: str) -> None:
        all_of_them = list(self.state[field])
        all_of_them[seat] = sorted([*all_of_them[seat], card])
        self.state[field] = all_of_them

    def _remove(self, field: str, seat: int, card: str) -> None:
        all_of_them = list(self.state[field])
        all_of_them[seat] = without(all_of_them[seat], card)
        self.state[field] = all_of_them

    # ---- what happened

    def _tell(self, what: str, *, to: int = -1, **facts: Any) -> None:
        if self._happenings is not None:
            self._happenings.append(GameHappening(what, facts, to))


_ACTS: Mapping[str, Callable[[CardCourse, Sequence[str]], None]] = {
    "arrest": CardCourse._act_arrest,
    "dump": CardCourse._act_dump,
    "follow": CardCourse._act_follow,
    "wormhole": CardCourse._act_wormhole,
    "play": CardCourse._act_play,
    "stop": CardCourse._act_stop,
    "pass": CardCourse._act_pass,
    "leap": CardCourse._act_leap,
    "order": CardCourse._act_order,
}


def top_player(state: State) -> int:
    """Return the seat that played the topmost card of the pile."""
    stops: Sequence[int] = state["stops"]
    active: int = state["active"]
    return stops[-1] if stops else active


def still_asked(state: State, asked: int) -> list[int]:
    """Return the seats that are asked about the topmost card after a seat, in this order."""
    active, players = state["active"], state["players"]
    after = range((asked - active) % players + 1, players)
    seats = [(active + offset) % players for offset in after]
    return [seat for seat in seats if seat != top_player(state)]


def deciding(state: State) -> list[int]:
    """Return who decides, and in a window all who are asked after that."""
    if state["phase"] == "over":
        return []
    seat: int = state["to_act"]
    return [seat, *(still_asked(state, seat) if state["phase"] == "window" else ())]


def guide_of(words: Sequence[str]) -> str:
    """Return the card that guides On the Move in these words, "" if none does."""
    if words[:1] == ["on_the_move"] and len(words) > 1 and ":" in words[1]:
        return words[1]
    return ""


def first_state(data: Data, seed: int, players: int, options: Mapping[str, Any]) -> State:
    """Return the state in which a new game begins (B1)."""
    gates, rng = shuffled(data.gates, seed)
    grid = [*gates[:CENTRE], data.tra, *gates[CENTRE:]]
    deck, rng = shuffled(data.cards, rng)
    first = options.get("first", -1)
    if first == -1:
        seats, rng = shuffled(range(players), rng)
        first = seats[0]
    state: dict[str, Any] = {
        "game": "timebreaker",
        "data": data.hash,
        "arrest": options.get("arrest", "automatic"),
        "players": players,
        "rng": rng,
        "grid": grid,
        "closed": [],
        "breaker": grid[0],
        "pawns": [data.tra] * players,
        "declared": [],
        "hands": [[] for _ in range(players)],
        "shown": [[] for _ in range(players)],
        "deck": deck,
        "discard": [],
        "turn": 0,
        "active": first,
        "dumped": 0,
        "phase": "main",
        "to_act": first,
        "played": [],
        "stops": [],
        "queue": [],
        "winners": [],
        "why": "",
    }
    course = CardCourse(data, state, None)
    for number in range(_FIRST_CARDS * players):
        course.deal((first + number) % players)
    course.start_turn(first)
    return course.state


# ---- who knows what


def view_of(state: State, seat: int) -> State:
    """Return the state without what a seat may not know: chance, the deck, others' hands."""
    view = {field: value for field, value in state.items() if field != "rng"}
    view["deck"] = len(state["deck"])
    view["hands"] = [
        cards if holder == seat else len(cards) for holder, cards in enumerate(state["hands"])
    ]
    view["viewer"] = seat
    return view


def possible_state(data: Data, view: State, seat: int, chance: Random) -> State:
    """Return a state, drawn by chance, of which the seat has exactly this view.

    Cards that were seen go to a hand lie in it; all others that are nowhere to be seen are dealt.
    """
    known = [
        list(cards) if holder == seat else _known_cards(view, holder)
        for holder, cards in enumerate(view["hands"])
    ]
    unseen = Counter(data.cards)
    for cards in (*known, view["discard"], view["queue"], view["played"][:1]):
        unseen.subtract(cards)
    unseen[STOP_TIME] -= len(view["stops"])
    deck = sorted(unseen.elements())
    chance.shuffle(deck)
    if view["phase"] == "leap" and view["active"] != seat:
        _let_leap(known[view["active"]], deck)
    for holder, cards in enumerate(view["hands"]):
        if holder != seat:
            missing = cards - len(known[holder])
            known[holder] += deck[:missing]
            deck = deck[missing:]
    state: dict[str, Any] = {field: value for field, value in view.items() if field != "viewer"}
    state["hands"] = [sorted(cards) for cards in known]
    state["deck"] = deck
    state["rng"] = chance.getrandbits(64)
    return state


def _known_cards(view: State, holder: int) -> list[str]:
    """Return what everybody knows of a hand: cards that were shown, and the guide of a card."""
    cards = list(view["shown"][holder])
    guide = guide_of(view["played"])
    if guide and holder == view["active"] and guide not in cards and view["phase"] == "window":
        cards.append(guide)
    return cards


def _let_leap(known: list[str], deck: list[str]) -> None:
    """Give a hand that chooses a card for a Quantum Leap one that it can choose."""
    if all(card == STOP_TIME for card in known):
        at = next(number for number, card in enumerate(deck) if card != STOP_TIME)
        known.append(deck.pop(at))

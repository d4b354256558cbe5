"""Rules of thumb: how well a seat stands, and which choice leaves it best, as its view tells.

How well is a chance to win. The figures are guesses, sorted by what they are worth beside each
other; what counts is who has the Time Breaker, who can go home from there, and who decides before
whom. A state is taken as well as a view; nothing of it is read but what the view has.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from random import Random

from chronotable_night.games.interface import State, size
from chronotable_night.games.timebreaker.course import guide_of
from chronotable_night.games.timebreaker.data import STOP_TIME, Data, directions_of, jump_of
from chronotable_night.games.timebreaker.legal import (
    cards_left,
    legal_actions,
    may_arrest,
    play_actions,
    without,
)
from chronotable_night.games.timebreaker.pieces import (
    ESCORTED,
    FOLLOW,
    Pieces,
    carried_out,
    in_custody,
    pieces_of,
    step_targets,
)

HOME_BY_ARROW = 0.85
HOME_BY_CARD = 0.6
CAPTOR = 0.3
"""Has the Time Breaker, but no way home yet."""
REACHES_BY_ARROW = 0.2
REACHES_BY_CARD = 0.16
REACHES_IN_TWO = 0.12
FAR = 0.08
RIVAL = 0.12
"""Who comes to the Time Breaker by an arrow before one's own next turn."""
THREAT = 0.7
"""Who has a card that goes home with the Time Breaker gets there, unless somebody stops it."""


def standing(data: Data, state: State, pieces: Pieces, seat: int, hand: Sequence[str]) -> float:
    """Return a seat's chance to win with these pieces and cards, 0 to 1; the game goes on."""
    breaker, here = pieces.breaker, pieces.pawns[seat]
    chance, leads_home = 1.0, False
    if breaker in pieces.pawns:
        leads_home = any(tile == data.tra or tile in pieces.closed for tile in data.green[breaker])
        chance = _let_through(data, state, pieces, seat, leads_home)
    for other, tile in enumerate(pieces.pawns):
        if other != seat and breaker in data.green[tile]:
            chance *= 1 - RIVAL
    if here == breaker:
        if leads_home:
            return chance * HOME_BY_ARROW
        if any(_goes_home(data, pieces, card) for card in hand):
            return chance * HOME_BY_CARD
        return chance * CAPTOR
    if breaker in data.green[here]:
        return chance * REACHES_BY_ARROW
    if any(_reaches(data, pieces, here, card) for card in hand):
        return chance * REACHES_BY_CARD
    if any(breaker in data.green[tile] for tile in data.green[here]):
        return chance * REACHES_IN_TWO
    return chance * FAR


def _let_through(data: Data, state: State, pieces: Pieces, seat: int, leads_home: bool) -> float:
    """Return the chance that nobody else who has the Time Breaker goes home with it."""
    captors = [
        other for other, tile in enumerate(pieces.pawns) if other != seat and tile == pieces.breaker
    ]
    if leads_home or not captors:
        return (1 - HOME_BY_ARROW) ** len(captors)
    is_met = data.tra in pieces.pawns
    lacks = 1 - _going_home(data, tuple(pieces.grid), tuple(pieces.closed), pieces.breaker, is_met)
    chance = 1.0
    for other in captors:
        chance *= 1 - THREAT * (1 - lacks ** (size(state["hands"][other]) + 1))
    return chance


@lru_cache(maxsize=4096)
def _going_home(
    data: Data, grid: tuple[str, ...], closed: tuple[str, ...], breaker: str, is_met: bool
) -> float:
    """Return what part of all cards goes home with the Time Breaker; `is_met`: a pawn is there."""
    pieces = Pieces(grid, closed, breaker, (data.tra,) * is_met)
    return sum(_goes_home(data, pieces, card) for card in data.cards) / len(data.cards)


def standing_after(
    data: Data, state: State, pieces: Pieces, seat: int, hand: Sequence[str]
) -> float:
    """Return the same where the game may be over by the active player's doing."""
    if pieces.why:
        return float(pieces.why == ESCORTED and seat == state["active"])
    return standing(data, state, pieces, seat, hand)


def _goes_home(data: Data, pieces: Pieces, card: str) -> bool:
    """Tell whether a card takes its player from the Time Breaker's tile to the TRA."""
    breaker, tra = pieces.breaker, data.tra
    tile = jump_of(card)
    if tile:
        return tile in (tra, breaker) or tile in pieces.closed
    if card == "return_to_hq":
        return True
    directions = directions_of(card) or ("LRUD" if card == "near_yet_far" else "")
    if directions:
        return tra in step_targets(pieces.grid, breaker, directions)
    if card == "back_it_up":
        return data.red[breaker] == tra or data.red[breaker] in pieces.closed
    if card == "tag_along":
        return tra in pieces.pawns
    if card == "double_time":
        return any(
            second == tra or second in pieces.closed
            for first in data.green[breaker]
            for second in data.green[first]
        )
    return False


def _reaches(data: Data, pieces: Pieces, here: str, card: str) -> bool:
    """Tell whether a card takes its player from here to the Time Breaker."""
    breaker = pieces.breaker
    tile = jump_of(card)
    if tile:
        return tile in (breaker, here)
    if card == "desperate_grab":
        return True
    directions = directions_of(card)
    if directions:
        return breaker in step_targets(pieces.grid, here, directions)
    if card == "tag_along":
        return breaker in pieces.pawns
    if card == "back_it_up":
        return data.red[here] == breaker
    if card == "double_time":
        return any(breaker in data.green[tile] for tile in data.green[here])
    return card == "on_the_move" and here in data.green[breaker]


# ---- which choice leaves it best


CANDIDATES = 8
"""So many of the choices that look best are compared by a bot that samples."""

_SURE = 2.0
"""To win in a way that nobody can stop."""
_WIN = 1.5
_COST_OF_A_CARD = 0.01
_THROWN = 0.01
"""What a card is missed that Desperate Grab throws away."""
_THROWN_STOP_TIME = 0.1
_WORTH_OF_STOP_TIME = 0.2
_HOPELESS = 0.5
"""Who alone can stop a card does so where it leaves no more than that of the own chance.

Where others can, too, one Stop Time is spent for all: bots that do so sooner win less.
"""
_LOST = 0.05
"""Who can stand no better than this tries the next card, whatever it is."""
_DRAWN = 8
"""So many cards are looked at for what it may be."""
_NOISE = 0.004
"""Among choices that are about as good, chance decides."""


def sensible(data: Data, view: State, seat: int, chance: Random) -> str:
    """Return a good action."""
    if view["phase"] == "window":
        return _in_window(data, view, seat)
    if may_arrest(view, seat):
        return "arrest"
    scored = _scored(data, view, seat, chance)
    return max(scored)[1]


def candidates(data: Data, view: State, seat: int, chance: Random) -> Sequence[str]:
    """Return the actions that look best, the best first; to declare an arrest costs nothing."""
    if may_arrest(view, seat):
        return ["arrest"]
    if view["phase"] == "window":
        return legal_actions(data, view, with_dumps=False) or ()
    best = sorted(_scored(data, view, seat, chance), reverse=True)[:CANDIDATES]
    return [action for _, action in best]


def worth(data: Data, state: State, seat: int) -> float:
    """Return how well a seat stands, 0 lost to 1 won."""
    if state["phase"] == "over":
        return float(seat in state["winners"])
    return standing(data, state, pieces_of(state), seat, state["hands"][seat])


def _scored(data: Data, view: State, seat: int, chance: Random) -> list[tuple[float, str]]:
    phase, hand = view["phase"], view["hands"][seat]
    if phase == "leap":
        found = [
            (_best_play(data, view, seat, card, without(hand, card)), f"leap {card}")
            for card in dict.fromkeys(hand)
            if card != STOP_TIME
        ]
    elif phase == "order":
        first, second = view["queue"][:2]
        found = [
            (_best_play(data, view, seat, first, hand), "order hand"),
            (_best_play(data, view, seat, second, hand), "order deck"),
        ]
    elif phase == "play":
        found = list(_plays(data, view, seat, view["queue"][0], hand))
    else:
        found = list(_arrows(data, view, seat, hand))
        if phase == "main":
            found += _in_main(data, view, seat, hand)
            if cards_left(view):
                score = _by_wormhole(data, view, seat, hand, chance, max(found)[0])
                found.append((score, "wormhole"))
    return [(score + _NOISE * chance.random(), action) for score, action in found]


def _in_main(
    data: Data, view: State, seat: int, hand: Sequence[str]
) -> Iterator[tuple[float, str]]:
    for card in dict.fromkeys(hand):
        for score, action in _plays(data, view, seat, card, without(hand, card)):
            yield score - _COST_OF_A_CARD, action


def _by_wormhole(
    data: Data, view: State, seat: int, hand: Sequence[str], chance: Random, best: float
) -> float:
    """Return what the next card is worth; who is as good as lost without it asks what it may be."""
    now = standing(data, view, pieces_of(view), seat, hand)
    if best >= _LOST:
        return now
    drawn = chance.sample(data.cards, _DRAWN)
    found = [
        now if card == STOP_TIME else _best_play(data, view, seat, card, hand) for card in drawn
    ]
    return sum(found) / len(found)


def _arrows(data: Data, view: State, seat: int, hand: Sequence[str]) -> Iterator[tuple[float, str]]:
    pieces, custody = pieces_of(view), in_custody(view, seat)
    for tile in data.green[pieces.pawns[seat]]:
        after = carried_out(data, pieces, seat, [FOLLOW, tile], custody)
        score = _SURE if after.why else standing(data, view, after, seat, hand)
        yield score, f"{FOLLOW} {tile}"


def _plays(
    data: Data, view: State, seat: int, card: str, rest: Sequence[str]
) -> Iterator[tuple[float, str]]:
    pieces, custody = pieces_of(view), in_custody(view, seat)
    actions = play_actions(data, view, card, rest)
    looked_at = [each for each in actions if _is_worth_a_look(data, pieces, seat, each)]
    for action in looked_at or actions[:1]:
        words = action.split(" ")[1:]
        yield _score(data, view, pieces, seat, words, rest, custody), action


def _best_play(data: Data, view: State, seat: int, card: str, rest: Sequence[str]) -> float:
    return max((score for score, _ in _plays(data, view, seat, card, rest)), default=0)


def _is_worth_a_look(data: Data, pieces: Pieces, seat: int, action: str) -> bool:
    """Leave out most targets of the cards that have them all."""
    words = action.split(" ")[1:]
    if words[0] == "crash_a_gate":
        return words[1] in pieces.pawns or words[1] in data.green[pieces.breaker]
    if jump_of(words[0]) and len(words) > 1:
        return words[1] in (pieces.breaker, data.tra)
    if guide_of(words) and jump_of(words[1]) and len(words) > 2:
        return words[2] == pieces.pawns[seat]
    return True


def _score(
    data: Data,
    view: State,
    pieces: Pieces,
    seat: int,
    words: Sequence[str],
    rest: Sequence[str],
    custody: bool,
) -> float:
    after = carried_out(data, pieces, seat, words, custody)
    if after.why:
        return _WIN if after.why == ESCORTED else 0
    if words[0] == "desperate_grab":
        thrown = sum(_THROWN_STOP_TIME if card == STOP_TIME else _THROWN for card in rest)
        return max(0.0, standing(data, view, after, seat, ()) - thrown)
    if guide_of(words):
        rest = without(rest, guide_of(words))
    if words[0] != "double_time":
        return standing(data, view, after, seat, rest)
    here = after.pawns[seat]
    taking = custody or (here == after.breaker and _arrests(view, seat))
    ends = [carried_out(data, after, seat, [FOLLOW, tile], taking) for tile in data.green[here]]
    return max(_WIN if end.why else standing(data, view, end, seat, rest) for end in ends)


def _arrests(view: State, seat: int) -> bool:
    """Tell whether a seat that reaches the Time Breaker has it; it may still declare that."""
    return bool(view["arrest"] == "automatic" or seat == view["to_act"])


def _in_window(data: Data, view: State, seat: int) -> str:
    hand = view["hands"][seat]
    if STOP_TIME not in hand:
        return "pass"
    words, active, pieces = view["played"], view["active"], pieces_of(view)
    after = carried_out(data, pieces, active, words, in_custody(view, active))
    if words[0] == "double_time":
        after = _after_two(data, view, after)
    effect = standing_after(data, view, after, seat, hand)
    nothing = standing(data, view, pieces, seat, hand)
    if len(view["stops"]) % 2:
        return "stop" if effect - nothing > _WORTH_OF_STOP_TIME else "pass"
    others = [each for each in range(len(pieces.pawns)) if each not in (seat, active)]
    is_alone = not any(size(view["hands"][each]) for each in others)  # nobody else can stop it
    is_lost = effect < _HOPELESS * nothing if is_alone else bool(after.why) and effect == 0
    return "stop" if is_lost or nothing - effect > _WORTH_OF_STOP_TIME else "pass"


def _after_two(data: Data, view: State, after: Pieces) -> Pieces:
    """Return the pieces after a second arrow if that wins; only the first is sure."""
    active = view["active"]
    here = after.pawns[active]
    for tile in data.green[here]:
        end = carried_out(data, after, active, [FOLLOW, tile], here == after.breaker)
        if end.why:
            return end
    return after

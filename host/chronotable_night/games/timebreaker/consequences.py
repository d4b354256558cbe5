"""What a choice leads to, told before it is made."""

from __future__ import annotations

from collections.abc import Sequence

from chronotable_host.language import tr, tr_n
from chronotable_night.games.interface import State
from chronotable_night.games.timebreaker import happenings
from chronotable_night.games.timebreaker.course import guide_of
from chronotable_night.games.timebreaker.data import Data
from chronotable_night.games.timebreaker.moves import moves
from chronotable_night.games.timebreaker.names import short_name
from chronotable_night.games.timebreaker.pieces import (
    ESCORTED,
    FOLLOW,
    SURRENDERED,
    carried_out,
    in_custody,
    pieces_of,
)


def consequence(
    data: Data, view: State, words: Sequence[str], names: Sequence[str], seat: int
) -> str:
    """Return in sentences to a seat what happens if the active player's words take effect.

    The words are those of a card, or `follow` and a tile.
    """
    active = view["active"]
    is_you = seat == active
    if words[0] == "quantum_leap":
        return _of_quantum_leap(is_you, names[active])
    before = pieces_of(view)
    after = carried_out(data, before, active, words, in_custody(view, active))
    sentences = [
        happenings.says(data, each, names, seat) for each in moves(data, view, before, after, words)
    ]
    if words[0] == "desperate_grab":
        sentences.insert(0, _of_hand(view, active, is_you, names[active]))
    guide = guide_of(words)
    if guide:
        sentences.append(tr("{card} is discarded with it.", card=short_name(data, guide)))
    if after.why == ESCORTED:
        sentences.append(_of_win(view, words, is_you, names[active]))
    elif after.why == SURRENDERED:
        sentences.append(tr("The game is over, and nobody wins."))
    elif words[0] == "double_time":
        sentences.append(
            tr("Then you follow a second arrow.")
            if is_you
            else tr("Then {player} follows a second arrow.", player=names[active])
        )
    return " ".join(filter(None, sentences))


def _of_win(view: State, words: Sequence[str], is_you: bool, player: str) -> str:
    if not is_you:
        return tr("{player} wins.", player=player)
    if words[0] == FOLLOW:
        return tr("You win: nobody can stop an arrow.")
    if view["phase"] == "window":
        return tr("You win.")
    return tr("You win, unless somebody stops time.")


def _of_quantum_leap(is_you: bool, player: str) -> str:
    if is_you:
        return tr(
            "You choose a card of your hand, then the top card of the deck is revealed, and "
            "you play both, in the order you like."
        )
    return tr(
        "{player} plays a card of the hand and the top card of the deck, in either order.",
        player=player,
    )


def _of_hand(view: State, active: int, is_you: bool, player: str) -> str:
    hand = view["hands"][active]
    if is_you:
        # the card itself is still among them, unless it came from the deck
        count = len(hand) - (view["phase"] == "main")
        return (
            tr_n("You discard your last card.", "You discard your {n} other cards.", count)
            if (count)
            else ""
        )
    count = hand if isinstance(hand, int) else len(hand)
    if not count:
        return ""
    return tr_n(
        "{player} discards the last card of the hand.",
        "{player} discards all {n} cards of the hand.",
        count,
        player=player,
    )

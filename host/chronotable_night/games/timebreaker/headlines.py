"""The next step in a line for all to read, from any view; it holds no secret."""

from __future__ import annotations

from collections.abc import Sequence

from chronotable_host.language import tr, tr_n
from chronotable_night.games.interface import State
from chronotable_night.games.timebreaker.consequences import consequence
from chronotable_night.games.timebreaker.course import top_player
from chronotable_night.games.timebreaker.data import Data
from chronotable_night.games.timebreaker.names import card_name, listed, play_name, tile_name
from chronotable_night.games.timebreaker.pieces import ESCORTED, in_custody


def headline(data: Data, view: State, names: Sequence[str]) -> tuple[str, str]:
    """Return the next step, and a line that adds to it."""
    phase, player = view["phase"], names[view["active"]]
    if phase == "over":
        return _of_end(view, names)
    if phase == "window":
        return window_headline(data, view, names)
    where = whereabouts(data, view, names)
    if phase == "play":
        card = card_name(data, view["queue"][0])
        return tr("{player} has to play {card}", player=player, card=card), where
    if phase == "second":
        return tr("{player} follows a second arrow", player=player), where
    if phase == "leap":
        line = tr("The other card is the top one of the deck, which nobody has seen.")
        return tr("{player} chooses a card for the Quantum Leap", player=player), line
    if phase == "order":
        cards = listed([card_name(data, card) for card in view["queue"][:2]])
        line = tr("Both are played, one after the other: {cards}.", cards=cards)
        return tr("{player} chooses which card comes first", player=player), line
    return tr("It is {player}'s turn", player=player), where


def whereabouts(data: Data, view: State, names: Sequence[str]) -> str:
    """Return where the Time Breaker is and who has it."""
    tile = tile_name(data, view["breaker"])
    keepers = [names[seat] for seat in range(view["players"]) if in_custody(view, seat)]
    if not keepers:
        return tr("The Time Breaker is free, at {tile}.", tile=tile)
    return tr_n(
        "{players} has the Time Breaker, at {tile}.",
        "{players} have the Time Breaker, at {tile}.",
        len(keepers),
        players=listed(keepers),
        tile=tile,
    )


def window_headline(data: Data, view: State, names: Sequence[str]) -> tuple[str, str]:
    """Return the question of a window and what it is about, the same for whoever is asked."""
    words, active = view["played"], view["active"]
    player, card = names[active], play_name(data, words, names)
    asked = names[view["to_act"]]
    if not view["stops"]:
        happens = consequence(data, view, words, names, -1)
        return (
            tr("{player} plays {card}", player=player, card=card),
            tr(
                "Stop time, {asked}, or let it pass? {happens}",
                asked=asked,
                happens=happens,
            ),
        )
    stopper = names[top_player(view)]
    if len(view["stops"]) % 2:
        line = tr(
            "{asked} is asked. Unless somebody stops this Stop Time, {player}'s {card} has no "
            "effect.",
            asked=asked,
            player=player,
            card=card,
        )
    else:
        line = tr(
            "{asked} is asked. Unless somebody stops this Stop Time, {player}'s {card} takes "
            "effect.",
            asked=asked,
            player=player,
            card=card,
        )
    return tr("{player} stops time", player=stopper), line


def _of_end(view: State, names: Sequence[str]) -> tuple[str, str]:
    if view["why"] == ESCORTED:
        return (
            tr("{player} wins", player=names[view["winners"][0]]),
            tr("The Time Breaker is on the TRA, escorted."),
        )
    return tr("Nobody wins"), tr("The Time Breaker is on the TRA, without an escort.")

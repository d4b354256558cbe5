"""The next step for all to read: in words that hold no secret."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from chronotable_host.language import tr
from chronotable_night.games.interface import State
from chronotable_night.games.timemit.box import CardBox
from chronotable_night.games.timemit.effect_texts import part_text, sentence, year
from chronotable_night.games.timemit.effects import part_of
from chronotable_night.games.timemit.lanes import total


class Scene(NamedTuple):
    """A view of a game of these cards and people."""

    box: CardBox
    view: State
    names: Sequence[str]


def headline(box: CardBox, view: State, names: Sequence[str]) -> tuple[str, str]:
    """Return the headline of a view, and a line that adds to it."""
    scene = Scene(box, view, names)
    if view["phase"] == "over":
        return _over(scene)
    return _HEADLINES[view["ask"]](scene)


def _over(scene: Scene) -> tuple[str, str]:
    box, view, names = scene
    line = tr("The ship is at {year}.", year=year(box, view["ship"]))
    if not view["winners"]:
        return tr("Nobody wins"), line
    return tr("{player} wins", player=names[view["winners"][0]]), line


def _recall(_scene: Scene) -> tuple[str, str]:
    return tr("Recall, or wait?"), tr(
        "Who has no Kronos left may take back all that are spent: 4 spaces back, one triangle."
    )


def _draw(scene: Scene) -> tuple[str, str]:
    _, view, names = scene
    if 0 in view["in_combat"]:
        player = names[view["in_combat"].index(1)]
        return tr("Draw, or stop?"), tr("{player} alone is still in combat.", player=player)
    return tr("Draw, or stop?"), tr("Both answers open together. Three of a kind: a paradox.")


def _bid(scene: Scene) -> tuple[str, str]:
    _, view, names = scene
    player, other = names[view["turn"]], names[1 - view["turn"]]
    title = tr("{player} bids on four cards", player=player)
    if 1 in view["placed"]:
        return title, tr("Then all bids are opened, one card after another.")
    return title, tr("{player} will see how many Kronos, not how much.", player=other)


def _option(scene: Scene) -> tuple[str, str]:
    box, view, names = scene
    player, other = names[view["turn"]], names[1 - view["turn"]]
    mine, theirs = total(box, view, view["turn"]), total(box, view, 1 - view["turn"])
    return tr("{player}: add to the bid, or pass?", player=player), tr(
        "{card}: {mine} against {theirs} of {other}.",
        card=box.name_of(view["row"][view["lane"] - 1]),
        mine=mine,
        theirs=theirs,
        other=other,
    )


def _order(scene: Scene) -> tuple[str, str]:
    box, view, names = scene
    won = ", ".join(box.name_of(card) for card in view["won"][view["turn"]])
    player = names[view["turn"]]
    return tr("{player} orders the cards won", player=player), tr(
        "They go face up onto the deck: {cards}.", cards=won
    )


def _peek(scene: Scene) -> tuple[str, str]:
    _, view, names = scene
    player = names[view["turn"]]
    return tr("{player} looks at the top card", player=player), tr("Keep it, or discard it?")


def _part(scene: Scene) -> tuple[str, str]:
    box, view, names = scene
    _, card, text = view["todo"][0]
    title = tr("{player} decides: {card}", player=names[view["turn"]], card=box.name_of(card))
    return title, sentence(part_text(part_of(text)))


_HEADLINES: Mapping[str, Callable[[Scene], tuple[str, str]]] = {
    "recall": _recall,
    "draw": _draw,
    "bid": _bid,
    "option": _option,
    "order": _order,
    "peek": _peek,
    **dict.fromkeys(("choose", "remove", "give", "spend", "take"), _part),
}

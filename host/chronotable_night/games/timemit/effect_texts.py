"""Effects in words, made from their parts: what no file says is said of no card."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from chronotable_host.language import tr, tr_c, tr_n
from chronotable_night.games.timemit.box import Card, CardBox
from chronotable_night.games.timemit.effects import (
    COLOURS,
    OWN_DISCARD,
    Amount,
    Bid,
    Choose,
    Effect,
    Fetch,
    Give,
    Goes,
    Part,
    Peek,
    Remove,
    Ship,
    Spend,
    Take,
    Triangles,
)

_START = 2100
_YEARS = 120


def year(box: CardBox, ship: int) -> int:
    """Return the year at a space of the track (TM1)."""
    return _START + round(_YEARS * ship / box.length)


def sentence(words: str) -> str:
    """Return words as a sentence."""
    return f"{words[:1].upper()}{words[1:]}." if words else ""


def sentences(*words: str) -> str:
    """Return several as sentences in a row, without those that are empty."""
    return " ".join(sentence(each) for each in words if each)


def listed(values: Sequence[object]) -> str:
    """Return things with commas and an "and"."""
    *first, last = map(str, values)
    return tr("{first} and {last}", first=", ".join(first), last=last) if first else last


def effect_text(effect: Effect) -> str:
    """Return what an effect does, without a full stop; "" if nothing."""
    return ", ".join(_TEXTS[type(part)](part) for part in effect)


def bid_option_text(bid: Bid) -> str:
    """Return what a revealed card adds to bids."""
    if bid.alone:
        return tr("+{n} to a bid, even without Kronos there", n=bid.adds)
    return tr("+{n} to a bid where a Kronos of yours lies", n=bid.adds)


def card_text(card: Card) -> str:
    """Return all that is printed on a power card, in sentences."""
    instant, combat, bid, end = card_parts(card)
    return sentences(
        tr("when won: {effect}", effect=instant) if instant else "",
        tr("in combat: {effect}", effect=combat) if combat else "",
        bid,
        tr("at the game's end: {effect}", effect=end) if end else "",
    ) or tr("No effect, only symbols.")


def card_parts(card: Card) -> tuple[str, str, str, str]:
    """Return what a card does when won, in combat, for bids and at the end; "" for nothing."""
    bid = bid_option_text(card.bid) if card.bid else ""
    return effect_text(card.instant), effect_text(card.combat), bid, effect_text(card.endgame)


def number_text(box: CardBox, number: int) -> str:
    """Return what is printed on a card or event."""
    event = box.events.get(number)
    if event is None:
        return card_text(box.cards[number])
    return sentence(effect_text(event.effect)) or tr("No effect.")


# -------------------------------------------------------------------- parts


def _ship(part: Ship) -> str:
    amount = part.amount
    n = amount.times
    if not amount.counted:
        forward, back = tr("{n} forward", n=n), tr("{n} back", n=n)
    elif amount.per == 1:
        thing = _thing(amount)
        forward = tr("{n} forward for each {thing}", n=n, thing=thing)
        back = tr("{n} back for each {thing}", n=n, thing=thing)
    else:
        things, per = _things(amount), amount.per
        forward = tr("{n} forward for every {per} {things}", n=n, per=per, things=things)
        back = tr("{n} back for every {per} {things}", n=n, per=per, things=things)
    return forward if part.sign > 0 else back


def letter_text(letter: str) -> str:
    """Return the name of a colour by the letter that it has on cards."""
    return {
        "R": tr_c("symbol", "red"),
        "B": tr_c("symbol", "blue"),
        "Y": tr_c("symbol", "yellow"),
    }[letter]


def _thing(amount: Amount) -> str:
    if amount.counted == ("symbols",):
        return tr("symbol revealed in this combat")
    if amount.counted == ("ownP",):
        return tr("triangle of your own")
    colours = [letter_text(COLOURS[name]) for name in amount.counted]
    if len(colours) == 1:
        return tr("{colour} symbol", colour=colours[0])
    if amount.join == "min":
        return tr("pair of {one} and {other}", one=colours[0], other=colours[1])
    return tr("{one} or {other} symbol", one=colours[0], other=colours[1])


def _things(amount: Amount) -> str:
    if amount.counted == ("symbols",):
        return tr("symbols revealed in this combat")
    if amount.counted == ("ownP",):
        return tr("triangles of your own")
    colours = [letter_text(COLOURS[name]) for name in amount.counted]
    if len(colours) == 1:
        return tr("{colour} symbols", colour=colours[0])
    if amount.join == "min":
        return tr("pairs of {one} and {other}", one=colours[0], other=colours[1])
    return tr("{one} or {other} symbols", one=colours[0], other=colours[1])


def _triangles(part: Triangles) -> str:
    if not part.own:
        return tr("the other takes a triangle")
    return tr("take a triangle") if part.change > 0 else tr("give a triangle back")


def _remove(part: Remove) -> str:
    if part.exactly:
        return tr_n("remove {n} revealed card", "remove {n} revealed cards", part.most)
    return tr_n("remove up to {n} revealed card", "remove up to {n} revealed cards", part.most)


def _goes(part: Goes) -> str:
    if part.where == OWN_DISCARD:
        return tr("this card goes to your discard")
    return tr("this card goes to the other's discard")


def _choose(part: Choose) -> str:
    branches = tr("; or ").join(effect_text(branch) for branch in part.branches)
    return tr("choose: {branches}", branches=branches)


_TEXTS: Mapping[type, Callable[[Any], str]] = {
    Ship: _ship,
    Triangles: _triangles,
    Remove: _remove,
    Goes: _goes,
    Choose: _choose,
    Fetch: lambda part: tr("take back {kronos}", kronos=listed(part.values)),
    Take: lambda part: tr("take back any {n} Kronos", n=part.number),
    Spend: lambda part: tr("spend {n} Kronos of your hand", n=part.number),
    Peek: lambda _: tr("look at your top card and keep or discard it"),
    Give: lambda _: tr("a revealed card of yours goes to the other's discard"),
}
"""The words of each kind of part."""


def part_text(part: Part) -> str:
    """Return what a part does, without a full stop."""
    return _TEXTS[type(part)](part)

"""Effects and happenings in words, made from their parts: what no file says is said of no card."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from chronotable_host.language import tr, tr_c, tr_n
from chronotable_night.games.interface import SPECTATOR, GameHappening
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
    part_of,
)

# ---------------------------------------------------------------- effects


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


# ---------------------------------------------------------------- happenings


Facts = Mapping[str, Any]


class Teller:
    """Tells a seat, or the SPECTATOR, what happened in a game of these people."""

    def __init__(self, box: CardBox, names: Sequence[str], seat: int = SPECTATOR) -> None:
        self._box = box
        self._names = names
        self._seat = seat

    def says(self, happening: GameHappening) -> str:
        """Return a happening in a sentence; "" for nothing to say."""
        return _SAYINGS[happening.what](self, happening.facts)

    def _player(self, facts: Facts) -> str:
        return self._names[facts["seat"]]

    def _card(self, facts: Facts) -> str:
        return self._box.name_of(facts["card"])

    def _cards(self, facts: Facts) -> str:
        return listed([self._box.name_of(card) for card in facts["cards"]])

    def _round(self, facts: Facts) -> str:
        cards = listed([self._box.name_of(card) for card in facts["row"]])
        return tr("Round {n} of 8. To be won: {cards}.", n=facts["round"], cards=cards)

    def _revealed(self, facts: Facts) -> str:
        effect = effect_text(self._box.cards[facts["card"]].combat)
        said = tr("{player} reveals {card}.", player=self._player(facts), card=self._card(facts))
        return f"{said} {sentence(effect)}".rstrip()

    def _ship(self, facts: Facts) -> str:
        spaces = facts["after"] - facts["before"]
        toward = self._names[1 if spaces > 0 else 0]
        return tr_n(
            "The ship goes {n} space toward the goal of {player}, to {year}.",
            "The ship goes {n} spaces toward the goal of {player}, to {year}.",
            abs(spaces),
            player=toward,
            year=year(self._box, facts["after"]),
        )

    def _triangles(self, facts: Facts) -> str:
        values = {"player": self._player(facts), "n": facts["after"]}
        if facts["after"] > facts["before"]:
            return tr("{player} takes a triangle and has {n} of 6.", **values)
        return tr("{player} gives a triangle back and has {n} of 6.", **values)

    def _paradox(self, facts: Facts) -> str:
        return tr(
            "A paradox: {player} has three symbols of a colour, and is out of this combat.",
            player=self._player(facts),
        )

    def _answer(self, facts: Facts) -> str:
        if facts["answer"] == "draw":
            return tr("{player} draws.", player=self._player(facts))
        return tr("{player} stops.", player=self._player(facts))

    def _bid(self, facts: Facts) -> str:
        n = sum(facts["counts"])
        if not n:
            return tr("{player} bids nothing.", player=self._player(facts))
        return tr("{player} bids {n} Kronos, face down.", player=self._player(facts), n=n)

    def _lane(self, facts: Facts) -> str:
        one, other = map(sum, facts["bids"])
        return tr(
            "{card}: {one} of {first} against {other} of {second}.",
            card=self._card(facts),
            one=one,
            other=other,
            first=self._names[0],
            second=self._names[1],
        )

    def _use(self, facts: Facts) -> str:
        bid = self._box.cards[facts["card"]].bid
        return tr(
            "{player} uses {card}: +{n}.",
            player=self._player(facts),
            card=self._card(facts),
            n=bid.adds if bid else 0,
        )

    def _win(self, facts: Facts) -> str:
        totals = sorted(facts["totals"], reverse=True)
        effect = sentence(effect_text(self._box.effect_of(facts["card"])))
        said = tr(
            "{player} wins {card}, {more} against {less}.",
            player=self._player(facts),
            card=self._card(facts),
            more=totals[0],
            less=totals[1],
        )
        return f"{said} {effect}".rstrip()

    def _equal(self, facts: Facts) -> str:
        return tr(
            "Both bid {n}: {card} leaves the game, all Kronos come home.",
            n=facts["total"],
            card=self._card(facts),
        )

    def _chosen(self, facts: Facts) -> str:
        part = part_of(facts["text"])
        branches = part.branches if isinstance(part, Choose) else ()
        return tr(
            "{player} chooses: {effect}.",
            player=self._player(facts),
            effect=effect_text(branches[facts["branch"] - 1]),
        )

    def _removed(self, facts: Facts) -> str:
        if not facts["cards"]:
            return tr("{player} removes no card.", player=self._player(facts))
        return tr(
            "{player} removes {cards} from the game.",
            player=self._player(facts),
            cards=self._cards(facts),
        )

    def _endgame(self, facts: Facts) -> str:
        one, other = (abs(move) for move in facts["moves"])
        return tr(
            "The cards act one last time: {one} spaces for the cards of {first}, {other} for those"
            " of {second}.",
            one=one,
            other=other,
            first=self._names[0],
            second=self._names[1],
        )

    def _over(self, facts: Facts) -> str:
        if not facts["winners"]:
            return tr("The game is over, and nobody wins.")
        return tr("The game is over: {player} wins.", player=self._names[facts["winners"][0]])


def _simple(say: Callable[..., str]) -> Callable[[Teller, Facts], str]:
    """Return a saying of who, which card, which cards and which Kronos."""

    def saying(teller: Teller, facts: Facts) -> str:
        return say(
            player=teller._names[facts["seat"]],
            card=teller._card(facts) if "card" in facts else "",
            cards=teller._cards(facts) if "cards" in facts else "",
            kronos=listed(facts["kronos"]) if "kronos" in facts else "",
        )

    return saying


_SAYINGS: Mapping[str, Callable[[Teller, Facts], str]] = {
    "round": Teller._round,
    "card": Teller._revealed,
    "ship": Teller._ship,
    "triangles": Teller._triangles,
    "paradox": Teller._paradox,
    "answer": Teller._answer,
    "bid": Teller._bid,
    "lane": Teller._lane,
    "use": Teller._use,
    "win": Teller._win,
    "equal": Teller._equal,
    "choose": Teller._chosen,
    "remove": Teller._removed,
    "endgame": Teller._endgame,
    "over": Teller._over,
    "sealed": _simple(lambda **values: tr("{player} has answered.", **values)),
    "recall": _simple(
        lambda **values: tr("{player} recalls all spent Kronos: 4 back and a triangle.", **values)
    ),
    "shuffle": _simple(lambda **values: tr("{player} shuffles a new deck.", **values)),
    "no_cards": _simple(
        lambda **values: tr("{player} has no card left to draw, and is out of combat.", **values)
    ),
    "pass": _simple(lambda **values: tr("{player} adds nothing.", **values)),
    "spent": _simple(lambda **values: tr("{player} has spent {kronos}.", **values)),
    "spend": _simple(lambda **values: tr("{player} has to spend {kronos}.", **values)),
    "home": _simple(lambda **values: tr("{player} takes {kronos} back.", **values)),
    "take": _simple(lambda **values: tr("{player} gets {kronos} back.", **values)),
    "goes": _simple(lambda **values: tr("{card} goes to the discard of {player}.", **values)),
    "on_deck": _simple(
        lambda **values: tr("{player} lays {cards} onto the own deck, face up.", **values)
    ),
    "give": _simple(lambda **values: tr("{player} gives {cards} away.", **values)),
    "peek": _simple(lambda **values: tr("{player} looks at the top card.", **values)),
    "peeked": _simple(lambda **values: tr("You see {card}.", **values)),
    "keep": _simple(lambda **values: tr("{player} keeps it.", **values)),
    "discard": _simple(lambda **values: tr("{player} discards {card}.", **values)),
}

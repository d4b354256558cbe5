"""Effects and happenings in words, made from their parts: what no file says is said of no card."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from chronotable_host.language import tr, tr_c, tr_n
from chronotable_night.games.interface import GameHappening
from chronotable_night.games.telling import sentence_list
from chronotable_night.games.timemit import effects
from chronotable_night.games.timemit.box import Card, CardBox

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


def effect_text(effect: effects.Effect) -> str:
    """Return what an effect does, without a full stop; "" if nothing."""
    return ", ".join(_TEXTS[type(part)](part) for part in effect)


def bid_option_text(bid: effects.Bid) -> str:
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


# ---- parts


def _ship_text(part: effects.Ship) -> str:
    amount = part.amount
    n = amount.times
    if not amount.counted:
        forward, back = tr("{n} forward", n=n), tr("{n} back", n=n)
    elif amount.per == 1:
        thing, _ = _things(amount)
        forward = tr("{n} forward for each {thing}", n=n, thing=thing)
        back = tr("{n} back for each {thing}", n=n, thing=thing)
    else:
        (_, things), per = _things(amount), amount.per
        forward = tr("{n} forward for every {per} {things}", n=n, per=per, things=things)
        back = tr("{n} back for every {per} {things}", n=n, per=per, things=things)
    return forward if part.sign > 0 else back


def letter_text(letter: str) -> str:
    """Return the name of a colour by the letter that it has on cards."""
    return {"R": tr_c("symbol", "red"), "B": tr_c("symbol", "blue"), "Y": tr_c("symbol", "yellow")}[
        letter
    ]


def _things(amount: effects.Amount) -> tuple[str, str]:
    """Return what is counted, as one thing and as several."""
    if amount.counted == ("symbols",):
        return tr("symbol revealed in this combat"), tr("symbols revealed in this combat")
    if amount.counted == ("ownP",):
        return tr("triangle of your own"), tr("triangles of your own")
    one, *others = (letter_text(effects.COLOURS[name]) for name in amount.counted)
    if not others:
        return tr("{colour} symbol", colour=one), tr("{colour} symbols", colour=one)
    both = {"one": one, "other": others[0]}
    if amount.join == "min":
        return tr("pair of {one} and {other}", **both), tr("pairs of {one} and {other}", **both)
    return tr("{one} or {other} symbol", **both), tr("{one} or {other} symbols", **both)


def _remove(part: effects.Remove) -> str:
    if part.exactly:
        return tr_n("remove {n} revealed card", "remove {n} revealed cards", part.most)
    return tr_n("remove up to {n} revealed card", "remove up to {n} revealed cards", part.most)


_TEXTS: Mapping[type, Callable[[Any], str]] = {
    effects.Ship: _ship_text,
    effects.Triangles: lambda part: (
        tr("the other takes a triangle")
        if not part.own
        else tr("take a triangle")
        if part.change > 0
        else tr("give a triangle back")
    ),
    effects.Remove: _remove,
    effects.Goes: lambda part: (
        tr("this card goes to your discard")
        if part.where == effects.OWN_DISCARD
        else tr("this card goes to the other's discard")
    ),
    effects.Choose: lambda part: tr(
        "choose: {branches}", branches=tr("; or ").join(map(effect_text, part.branches))
    ),
    effects.Fetch: lambda part: tr("take back {kronos}", kronos=sentence_list(part.values)),
    effects.Take: lambda part: tr("take back any {n} Kronos", n=part.number),
    effects.Spend: lambda part: tr("spend {n} Kronos of your hand", n=part.number),
    effects.Peek: lambda _: tr("look at your top card and keep or discard it"),
    effects.Give: lambda _: tr("a revealed card of yours goes to the other's discard"),
}
"""The words of each kind of part."""


def part_text(part: effects.Part) -> str:
    """Return what a part does, without a full stop."""
    return _TEXTS[type(part)](part)


# ---- happenings


class _HappeningInWords(NamedTuple):
    """A happening in a game of these cards.

    `words` are the names of both players and, as far as it is about them, of who (`player`), which
    `card`, which `cards`, and which `kronos`.
    """

    box: CardBox
    facts: Mapping[str, Any]
    words: Mapping[str, str]

    def with_effect(self, said: str, effect: effects.Effect) -> str:
        """Return a sentence, and behind it what an effect does."""
        return f"{said} {sentence(effect_text(effect))}".rstrip()


def says(box: CardBox, happening: GameHappening, names: Sequence[str]) -> str:
    """Return a happening in a sentence, the same to everybody; "" for nothing to say."""
    facts = happening.facts
    words = {"first": names[0], "second": names[1]}
    if "seat" in facts:
        words["player"] = names[facts["seat"]]
    if facts.get("card"):
        words["card"] = box.name_of(facts["card"])
    if cards := facts.get("cards") or facts.get("row"):
        words["cards"] = sentence_list([box.name_of(card) for card in cards])
    if "kronos" in facts:
        words["kronos"] = sentence_list(facts["kronos"])
    return _SAYINGS[happening.what](_HappeningInWords(box, facts, words))


def _ship(told: _HappeningInWords) -> str:
    spaces = told.facts["after"] - told.facts["before"]
    return tr_n(
        "The ship goes {n} space toward the goal of {player}, to {year}.",
        "The ship goes {n} spaces toward the goal of {player}, to {year}.",
        abs(spaces),
        player=told.words["second" if spaces > 0 else "first"],
        year=year(told.box, told.facts["after"]),
    )


def _taken_triangle(told: _HappeningInWords) -> str:
    n = told.facts["after"]
    if n > told.facts["before"]:
        return tr("{player} takes a triangle and has {n} of 6.", n=n, **told.words)
    return tr("{player} gives a triangle back and has {n} of 6.", n=n, **told.words)


def _bid(told: _HappeningInWords) -> str:
    n = sum(told.facts["counts"])
    if not n:
        return tr("{player} bids nothing.", **told.words)
    return tr("{player} bids {n} Kronos, face down.", n=n, **told.words)


def _lane(told: _HappeningInWords) -> str:
    one, other = map(sum, told.facts["bids"])
    return tr(
        "{card}: {one} of {first} against {other} of {second}.", one=one, other=other, **told.words
    )


def _win(told: _HappeningInWords) -> str:
    less, more = sorted(told.facts["totals"])
    said = tr("{player} wins {card}, {more} against {less}.", more=more, less=less, **told.words)
    return told.with_effect(said, told.box.effect_of(told.facts["card"]))


def _chosen(told: _HappeningInWords) -> str:
    effect = effect_text(effects.branches_of(told.facts["text"])[told.facts["branch"] - 1])
    return tr("{player} chooses: {effect}.", effect=effect, **told.words)


def _removed(told: _HappeningInWords) -> str:
    if not told.facts["cards"]:
        return tr("{player} removes no card.", **told.words)
    return tr("{player} removes {cards} from the game.", **told.words)


def _endgame(told: _HappeningInWords) -> str:
    one, other = map(abs, told.facts["moves"])
    return tr(
        "The cards act one last time: {one} spaces for the cards of {first}, {other} for those"
        " of {second}.",
        one=one,
        other=other,
        **told.words,
    )


def _over(told: _HappeningInWords) -> str:
    if not told.facts["winners"]:
        return tr("The game is over, and nobody wins.")
    winner = told.words[("first", "second")[told.facts["winners"][0]]]
    return tr("The game is over: {player} wins.", player=winner)


_SAYINGS: Mapping[str, Callable[[_HappeningInWords], str]] = {
    "round": lambda told: tr(
        "Round {n} of 8. To be won: {cards}.", n=told.facts["round"], **told.words
    ),
    "card": lambda told: told.with_effect(
        tr("{player} reveals {card}.", **told.words), told.box.cards[told.facts["card"]].combat
    ),
    "ship": _ship,
    "triangles": _taken_triangle,
    "paradox": lambda told: tr(
        "A paradox: {player} has three symbols of a colour, and is out of this combat.",
        **told.words,
    ),
    "answer": lambda told: (
        tr("{player} draws.", **told.words)
        if told.facts["answer"] == "draw"
        else tr("{player} stops.", **told.words)
    ),
    "bid": _bid,
    "lane": _lane,
    "use": lambda told: tr(
        "{player} uses {card}: +{n}.", n=told.box.cards[told.facts["card"]].adds, **told.words
    ),
    "win": _win,
    "equal": lambda told: tr(
        "Both bid {n}: {card} leaves the game, all Kronos come home.",
        n=told.facts["total"],
        **told.words,
    ),
    "choose": _chosen,
    "remove": _removed,
    "endgame": _endgame,
    "over": _over,
    "sealed": lambda told: tr("{player} has answered.", **told.words),
    "recall": lambda told: tr(
        "{player} recalls all spent Kronos: 4 back and a triangle.", **told.words
    ),
    "shuffle": lambda told: tr("{player} shuffles a new deck.", **told.words),
    "no_cards": lambda told: tr(
        "{player} has no card left to draw, and is out of combat.", **told.words
    ),
    "pass": lambda told: tr("{player} adds nothing.", **told.words),
    "spent": lambda told: tr("{player} has spent {kronos}.", **told.words),
    "spend": lambda told: tr("{player} has to spend {kronos}.", **told.words),
    "home": lambda told: tr("{player} takes {kronos} back.", **told.words),
    "take": lambda told: tr("{player} gets {kronos} back.", **told.words),
    "goes": lambda told: tr("{card} goes to the discard of {player}.", **told.words),
    "on_deck": lambda told: tr("{player} lays {cards} onto the own deck, face up.", **told.words),
    "give": lambda told: tr("{player} gives {cards} away.", **told.words),
    "peek": lambda told: tr("{player} looks at the top card.", **told.words),
    "peeked": lambda told: tr("You see {card}.", **told.words),
    "keep": lambda told: tr("{player} keeps it.", **told.words),
    "discard": lambda told: tr("{player} discards {card}.", **told.words),
}

"""What a seat has to decide, what each choice leads to, and the next step for all to read."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from chronotable_host.language import tr, tr_c, tr_n
from chronotable_night.games.interface import Choice, Decision, State
from chronotable_night.games.telling import sentence_list
from chronotable_night.games.timemit import actions
from chronotable_night.games.timemit.box import LETTERS, CardBox
from chronotable_night.games.timemit.effects import Effect, Ship, Triangles, branches_of, part_of
from chronotable_night.games.timemit.parts import numbers_of
from chronotable_night.games.timemit.table import (
    MOST_TRIANGLES,
    PARADOX,
    RECALL_BACK,
    TOWARDS,
    amount_of,
    known_top,
    paradox_colours,
    symbols_on,
    total,
    usable,
)
from chronotable_night.games.timemit.texts import (
    effect_text,
    letter_text,
    part_text,
    sentence,
    year,
)


class SeatSituation(NamedTuple):
    """A seat that is asked, in a view, in a game of these cards and people."""

    box: CardBox
    view: State
    seat: int
    names: Sequence[str]

    @property
    def player(self) -> str:
        """Return the name of who is asked."""
        return self.names[self.seat]

    @property
    def other(self) -> str:
        """Return the name of the other player."""
        return self.names[1 - self.seat]

    def named(self, action: str) -> list[str]:
        """Return the names of the cards of an action."""
        return [self.box.name_of(card) for card in numbers_of(action)]


def headline(box: CardBox, view: State, names: Sequence[str]) -> tuple[str, str]:
    """Return the headline of a view, and a line that adds to it."""
    if view["phase"] != "over":
        return _HEADLINES[view["ask"]](SeatSituation(box, view, view["turn"], names))
    line = tr("The ship is at {year}.", year=year(box, view["ship"]))
    if not view["winners"]:
        return tr("Nobody wins"), line
    return tr("{player} wins", player=names[view["winners"][0]]), line


Headline = tuple[str, str]


def _draw_headline(asked: SeatSituation) -> Headline:
    in_combat = asked.view["in_combat"]
    if 0 in in_combat:
        player = asked.names[in_combat.index(1)]
        return tr("Draw, or stop?"), tr("{player} alone is still in combat.", player=player)
    return tr("Draw, or stop?"), tr("Both answers open together. Three of a kind: a paradox.")


def _bid(asked: SeatSituation) -> Headline:
    title = tr("{player} bids on four cards", player=asked.player)
    if 1 in asked.view["placed"]:
        return title, tr("Then all bids are opened, one card after another.")
    return title, tr("{player} will see how many Kronos, not how much.", player=asked.other)


def _option(asked: SeatSituation) -> Headline:
    box, view, seat, _ = asked
    return tr("{player}: add to the bid, or pass?", player=asked.player), tr(
        "{card}: {mine} against {theirs} of {other}.",
        card=box.name_of(view["row"][view["lane"] - 1]),
        mine=total(box, view, seat),
        theirs=total(box, view, 1 - seat),
        other=asked.other,
    )


def _part(asked: SeatSituation) -> Headline:
    _, card, text = asked.view["todo"][0]
    name = asked.box.name_of(card)
    title = tr("{player} decides: {card}", player=asked.player, card=name)
    return title, sentence(part_text(part_of(text)))


_HEADLINES: Mapping[str, Callable[[SeatSituation], Headline]] = {
    "recall": lambda _: (
        tr("Recall, or wait?"),
        tr("Who has no Kronos left may take back all that are spent: 4 spaces back, one triangle."),
    ),
    "draw": _draw_headline,
    "bid": _bid,
    "option": _option,
    "order": lambda asked: (
        tr("{player} orders the cards won", player=asked.player),
        tr(
            "They go face up onto the deck: {cards}.",
            cards=", ".join(map(asked.box.name_of, asked.view["won"][asked.seat])),
        ),
    ),
    "peek": lambda asked: (
        tr("{player} looks at the top card", player=asked.player),
        tr("Keep it, or discard it?"),
    ),
    **dict.fromkeys(("choose", "remove", "give", "spend", "take"), _part),
}


# ---- decisions


def decision(box: CardBox, view: State, seat: int, names: Sequence[str]) -> Decision:
    """Return what a seat that may decide has to decide."""
    ask = view["ask"]
    legal = actions.legal(box, view, seat)
    situation = SeatSituation(box, view, seat, names)
    choices = [_CHOICES[action.partition(" ")[0]](situation, action) for action in legal or ()]
    # where it is what a card does, the card's name stands there
    title = _TITLES[ask]() if ask in _TITLES else box.name_of(view["todo"][0][1])
    is_idle = ask == "option" and "recall" not in (legal or ()) and _is_settled(situation)
    known = "pass" if is_idle else ""
    return Decision(ask, title, _explains(situation), choices, _RULES[ask], known=known)


# ---- draw, stop, recall


def _what_comes(situation: SeatSituation) -> str:
    """Return what the next card is, as far as the seat knows, or what it could bring."""
    box, view, seat, _ = situation
    known = known_top(view, seat)
    if known is None:
        if not view["decks"][seat]:
            shuffled = tr("Your discard becomes your deck, shuffled.")
            return f"{shuffled} {_third_colours(situation)}"
        return _third_colours(situation)
    card = box.cards[known]
    comes = tr("{card} comes.", card=card.name)
    colours = paradox_colours(box, [*view["revealed"][seat], known])
    if colours:
        return " ".join((comes, tr("That is a paradox: 1 back and a triangle.")))
    effect = sentence(effect_text(card.combat)) or tr("It does nothing, and no paradox.")
    return f"{comes} {effect}"


def _third_colours(situation: SeatSituation) -> str:
    box, view, seat, _ = situation
    counts = symbols_on(box, view["revealed"][seat])
    close = [letter for letter in LETTERS if counts[letter] == PARADOX - 1]
    if not close:
        if any(counts.values()):
            return tr("One more card. Three of a colour would be a paradox; you have two of none.")
        return tr("One more card.")
    colours = tr(" or ").join(map(letter_text, close))
    return tr("One more card. A third {colours}: 1 back and a triangle.", colours=colours)


def _stop(situation: SeatSituation, action: str) -> Choice:
    n = len(situation.view["revealed"][situation.seat])
    says = tr_n(
        "You are out of this combat, with {n} card revealed.",
        "You are out of this combat, with {n} cards revealed.",
        n,
    )
    return Choice(action, tr_c("drawing", "Stop"), says)


def _recall(situation: SeatSituation, action: str) -> Choice:
    box, view, seat, names = situation
    ship = view["ship"] - RECALL_BACK * TOWARDS[seat]
    n = len(view["spent"][seat])
    says = [
        tr("{n} Kronos come back to your hand; the ship goes 4 back, you take a triangle.", n=n)
    ]
    if ship * TOWARDS[seat] <= -box.length:
        says.append(tr("The ship reaches the goal of {player}: you lose.", player=names[1 - seat]))
    elif view["triangles"][seat] + 1 >= MOST_TRIANGLES:
        says.append(tr("That is your sixth triangle: you lose."))
    elif view["ask"] == "draw":
        says.append(tr("Then both are asked again."))
    return Choice(action, tr("Recall"), " ".join(says))


# ---- bids and cards won


def _use(situation: SeatSituation, action: str) -> Choice:
    card = situation.box.cards[numbers_of(action)[0]]
    label = tr("Use {card}: +{n}", card=card.name, n=card.adds)
    return Choice(action, label, _standing(situation, card.adds))


def _standing(situation: SeatSituation, adds: int) -> str:
    """Return what comes of the open lane as it stands, with so much more."""
    box, view, seat, names = situation
    mine, theirs = total(box, view, seat) + adds, total(box, view, 1 - seat)
    numbers = {"mine": mine, "theirs": theirs, "player": names[1 - seat]}
    if mine > theirs:
        laid = view["bids"][seat][view["lane"] - 1]
        if not laid:
            return tr("{mine} against {theirs}: you win it, and it costs no Kronos.", **numbers)
        spent = sentence_list(laid)
        return tr(
            "{mine} against {theirs}: you win it, and spend {kronos}.", **numbers, kronos=spent
        )
    if mine == theirs:
        return tr("{mine} against {theirs}: the card leaves, all Kronos come home.", **numbers)
    return tr("{mine} against {theirs}: {player} wins it, your Kronos come home.", **numbers)


def _is_settled(situation: SeatSituation) -> bool:
    """Tell whether no card that lies open could change who wins the open lane."""
    box, view, seat, _ = situation
    mine, theirs = (total(box, view, who) for who in (seat, 1 - seat))
    my_more, their_more = (
        sum(box.cards[card].adds for card in usable(box, view, who)) for who in (seat, 1 - seat)
    )
    return mine + my_more < theirs or mine > theirs + their_more


# ---- parts of effects


def _choose(situation: SeatSituation, action: str) -> Choice:
    branch = branches_of(situation.view["todo"][0][2])[numbers_of(action)[0] - 1]
    return Choice(action, sentence(effect_text(branch)).rstrip("."), _leads_to(situation, branch))


def _leads_to(situation: SeatSituation, effect: Effect) -> str:
    """Return where ship and triangles come to, outside combat, where others may add to it."""
    box, view, seat, names = situation
    ship, triangles = view["ship"], list(view["triangles"])
    for part in effect:
        if isinstance(part, Ship):
            ship += part.sign * TOWARDS[seat] * amount_of(box, view, seat, part.amount)
        elif isinstance(part, Triangles):
            whose = seat if part.own else 1 - seat
            triangles[whose] = min(max(triangles[whose] + part.change, 0), MOST_TRIANGLES)
    ship = min(max(ship, -box.length), box.length)
    says = []
    if ship != view["ship"]:
        says.append(tr("The ship comes to {year}.", year=year(box, ship)))
    for whose, (before, after) in enumerate(zip(view["triangles"], triangles, strict=True)):
        if before != after:
            says.append(tr("{player}: {n} of 6 triangles.", player=names[whose], n=after))
    if says and view["phase"] == "combat":
        says.append(tr("What the other card does is added."))
    return " ".join(says) or tr("Ship and triangles stay as they are.")


def _remove(situation: SeatSituation, action: str) -> Choice:
    cards = numbers_of(action)
    if not cards:
        return Choice(action, tr("Remove none"), tr("All your revealed cards stay."))
    names = sentence_list(situation.named(action))
    says = tr_n("It leaves the game for good.", "They leave the game for good.", len(cards))
    return Choice(action, tr("Remove {cards}", cards=names), says)


def _keep(situation: SeatSituation, action: str) -> Choice:
    box, view, seat, _ = situation
    top = known_top(view, seat)
    card = box.cards[top].name if top is not None else ""
    says = tr("{card} stays on top: you draw it next.", card=card)
    if top is not None and paradox_colours(box, [*view["revealed"][seat], top]):
        says = " ".join((says, tr("In this combat it is a paradox.")))
    return Choice(action, tr("Keep it"), says)


_TITLES: Mapping[str, Callable[[], str]] = {
    "recall": lambda: tr("Recall, or wait?"),
    "draw": lambda: tr("Draw, or stop?"),
    "bid": lambda: tr("Bid on four cards"),
    "option": lambda: tr("Add to your bid, or pass?"),
    "order": lambda: tr("In which order?"),
    "peek": lambda: tr("Your top card"),
}
"""What is to be done, where it is not what a card does."""

_CHOICES: Mapping[str, Callable[[SeatSituation, str], Choice]] = {
    "draw": lambda of, action: Choice(action, tr_c("a card", "Draw"), _what_comes(of)),
    "stop": _stop,
    "recall": _recall,
    "wait": lambda _, action: Choice(
        action, tr("Wait"), tr("Nothing changes. You can recall later, when you decide.")
    ),
    "use": _use,
    "pass": lambda of, action: Choice(action, tr("Pass"), _standing(of, 0)),
    "order": lambda of, action: Choice(
        action,
        ", ".join(of.named(action)),
        tr("{card} will be the first that you draw, for all to see.", card=of.named(action)[0]),
    ),
    "choose": _choose,
    "remove": _remove,
    "give": lambda of, action: Choice(
        action,
        tr("Give {card}", card=of.named(action)[0]),
        tr("It goes to the discard of {player}, who will draw it.", player=of.other),
    ),
    "keep": _keep,
    "discard": lambda _, action: Choice(
        action,
        tr("Discard it"),
        tr("It goes to your discard, face up, until your deck is shuffled anew."),
    ),
    "spend": lambda _, action: Choice(
        action,
        tr("Spend {kronos}", kronos=sentence_list(numbers_of(action))),
        tr("A recall brings it back."),
    ),
    "take": lambda _, action: Choice(
        action,
        tr("Take {kronos} back", kronos=sentence_list(numbers_of(action))),
        tr("It can be bid again."),
    ),
}
"""What is said of an action, by its first word."""

_RULES: Mapping[str, Sequence[str]] = {
    "recall": ("TM13",),
    "draw": ("TM3", "TM5", "TM6", "TM7", "TM13"),
    "bid": ("TM8", "TM9", "TM10", "TM11", "TM13"),
    "option": ("TM11", "TM9", "TM13"),
    "order": ("TM10", "TM13"),
    "choose": ("TM4",),
    "remove": ("TM4", "TM17"),
    "give": ("TM4", "TM12"),
    "peek": ("TM4", "TM7"),
    "spend": ("TM4", "TM13"),
    "take": ("TM4",),
}


def _explains(situation: SeatSituation) -> str:
    """Return what a decision is about to somebody who meets it for the first time."""
    box, view, seat, _ = situation
    return {
        "recall": tr(
            "All your Kronos are spent. You can take them back, at a price: the ship goes 4 back,"
            " and you take a triangle. Now, or later, when you are asked something."
        ),
        "draw": tr(
            "You want the ship at {year}: forward is that way. Each card acts at once. Three"
            " symbols of a colour are a paradox: 1 back, a triangle, and you are out of this"
            " combat. Six triangles lose the game.",
            year=year(box, TOWARDS[seat] * box.length),
        ),
        "bid": tr(
            "Lay Kronos at the cards that you want. The higher total wins a card, and only the"
            " winner's Kronos are spent. A card that you win may act at once, and you draw it in"
            " the next combat."
        ),
        "option": tr(
            "The bids at this card are open. Cards that you revealed may still add to yours, here"
            " and at the next one. You take turns until both pass."
        ),
        "order": tr(
            "You won several cards. They go onto your deck face up, so both of you know what you"
            " draw next."
        ),
        "choose": tr("The card does one of several things: you say which."),
        "remove": tr(
            "What you remove leaves the game. Remove weak cards: the good ones come up more often,"
            " and symbols that are gone make no paradox."
        ),
        "give": tr(
            "One of your revealed cards goes to the other's discard, and the other draws it later:"
            " give what is of no use."
        ),
        "peek": tr(
            "You alone see the top card of your deck. What you keep is drawn next; what you discard"
            " comes back when the deck is shuffled anew."
        ),
        "spend": tr("A card makes you spend Kronos from your hand; they come back with a recall."),
        "take": tr("Kronos that you spent come back to your hand: choose which."),
    }[view["ask"]]

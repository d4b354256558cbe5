"""What a seat has to decide, what each choice leads to, and the next step for all to read."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from chronotable_host.language import tr, tr_n
from chronotable_night.games.interface import Choice, Decision, State, size
from chronotable_night.games.telling import sentence_list
from chronotable_night.games.timebreaker import happenings
from chronotable_night.games.timebreaker.course import deciding, guide_of, top_player
from chronotable_night.games.timebreaker.data import STOP_TIME, Data
from chronotable_night.games.timebreaker.legal import (
    cards_left,
    dumpable,
    dumps,
    may_arrest,
    no_stop_time,
    play_actions,
    why_not,
    without,
)
from chronotable_night.games.timebreaker.names import card_name, play_name, short_name, tile_name
from chronotable_night.games.timebreaker.pieces import (
    ESCORTED,
    FOLLOW,
    SURRENDERED,
    carried_out,
    in_custody,
    moves,
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
        if is_you:
            return tr(
                "You choose a card of your hand, then the top card of the deck is revealed, and "
                "you play both, in the order you like."
            )
        return tr(
            "{player} plays a card of the hand and the top card of the deck, in either order.",
            player=names[active],
        )
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


def _of_hand(view: State, active: int, is_you: bool, player: str) -> str:
    hand = view["hands"][active]
    if is_you:
        # the card itself is still among them, unless it came from the deck
        count = len(hand) - (view["phase"] == "main")
        said = tr_n("You discard your last card.", "You discard your {n} other cards.", count)
        return said if count else ""
    count = size(hand)
    if not count:
        return ""
    return tr_n(
        "{player} discards the last card of the hand.",
        "{player} discards all {n} cards of the hand.",
        count,
        player=player,
    )


# ---- the next step, for all


def headline(data: Data, view: State, names: Sequence[str]) -> tuple[str, str]:
    """Return the next step, and a line that adds to it."""
    phase, player = view["phase"], names[view["active"]]
    if phase == "over":
        if view["why"] != ESCORTED:
            return tr("Nobody wins"), tr("The Time Breaker is on the TRA, without an escort.")
        winner = names[view["winners"][0]]
        return tr("{player} wins", player=winner), tr("The Time Breaker is on the TRA, escorted.")
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
        cards = sentence_list([card_name(data, card) for card in view["queue"][:2]])
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
        players=sentence_list(keepers),
        tile=tile,
    )


def window_headline(data: Data, view: State, names: Sequence[str]) -> tuple[str, str]:
    """Return the question of a window and what it is about, the same for whoever is asked."""
    words, active = view["played"], view["active"]
    player, card = names[active], play_name(data, words, names)
    if not view["stops"]:
        happens = consequence(data, view, words, names, -1)
        return (
            tr("{player} plays {card}", player=player, card=card),
            tr("Stop time, or let it pass? {happens}", happens=happens),
        )
    stopper = names[top_player(view)]
    if len(view["stops"]) % 2:
        line = tr(
            "Unless somebody stops this Stop Time, {player}'s {card} has no effect.",
            player=player,
            card=card,
        )
    else:
        line = tr(
            "Unless somebody stops this Stop Time, {player}'s {card} takes effect.",
            player=player,
            card=card,
        )
    return tr("{player} stops time", player=stopper), line


# ---- decisions


PASS = "pass"

_RULES: Mapping[str, Sequence[str]] = {
    "main": ("B3", "B4", "B6", "B7", "B8", "B9", "B10", "B11", "B12", "B13", "B14", "B16", "B19"),
    "window": ("B21", "B22", "B23", "B24"),
    "play": ("B3", "B5", "B11", "B16", "B19"),
    "second": ("B9", "B10", "B16", "B19"),
    "leap": ("B11", "B5"),
    "order": ("B11", "B23"),
}
"""The rules of the moment, by its phase; the same whatever somebody holds."""


def decision(data: Data, view: State, seat: int, names: Sequence[str]) -> Decision | None:
    """Return what a seat is to decide, from its view; None if nothing."""
    phase = view["phase"]
    if seat not in deciding(view):
        return None
    headline, choices = _DECISIONS[phase](data, view, seat, names)
    made = Decision(phase, headline, _explains(phase), choices, _RULES[phase])
    if phase != "window":
        return made
    known = "" if view["hands"][seat] else PASS
    words, active = view["played"], view["active"]
    after = carried_out(data, pieces_of(view), active, words, in_custody(view, active))
    # nobody lets the game end unasked, nor an own card be stopped
    return made._replace(passes="" if after.why or seat == active else PASS, known=known)


_Made = tuple[str, Sequence[Choice]]


def _main(data: Data, view: State, seat: int, names: Sequence[str]) -> _Made:
    hand = view["hands"][seat]
    choices = []
    for card in dict.fromkeys(hand):
        choices += _choices_of_card(data, view, card, without(hand, card), names)
    choices += _follows(data, view, seat, names)
    choices.append(_wormhole(view))
    choices += _arrest(view, seat)
    choices += _dumps(data, dumpable(view, hand))
    return tr("It is your turn"), choices


def _window(data: Data, view: State, seat: int, names: Sequence[str]) -> _Made:
    words, is_stopped = view["played"], len(view["stops"]) % 2 == 1
    card = play_name(data, words, names)
    happens = consequence(data, view, words, names, seat)
    nothing = tr("{card} has no effect and is discarded.", card=card)
    takes_effect = tr("{card} takes effect. {happens}", card=card, happens=happens)
    if is_stopped:
        stopper = names[top_player(view)]
        passing = tr(
            "Unless somebody else stops {player}'s Stop Time: {nothing}",
            player=stopper,
            nothing=nothing,
        )
        stopping = tr(
            "You stop {player}'s Stop Time, with yours. Unless that is stopped: {happens}",
            player=stopper,
            happens=takes_effect,
        )
    else:
        passing = tr("Unless somebody else stops it: {happens}", happens=happens)
        stopping = tr(
            "It costs you a Stop Time. Unless that is stopped: {nothing}", nothing=nothing
        )
    # without the card the choice is there all the same, refused: the same screen for everybody
    refused = "" if STOP_TIME in view["hands"][seat] else no_stop_time()
    choices = [
        Choice(PASS, tr("Let it pass"), passing),
        Choice("stop", tr("Stop time"), stopping, refused),
    ]
    return window_headline(data, view, names)[0], choices


def _leap(data: Data, view: State, seat: int, _names: Sequence[str]) -> _Made:
    choices = []
    for card in dict.fromkeys(view["hands"][seat]):
        name = card_name(data, card)
        refused = (
            tr("A Stop Time cannot be taken along on a Quantum Leap.") if card == STOP_TIME else ""
        )
        says = tr("You play {card} and the top card of the deck, whatever that is.", card=name)
        choices.append(Choice(f"leap {card}", tr("Take {card}", card=name), says, refused))
    return tr("Quantum Leap: your card"), choices


def _order(data: Data, view: State, _seat: int, _names: Sequence[str]) -> _Made:
    both = [short_name(data, card) for card in view["queue"][:2]]
    choices = []
    for action, (first, second) in (("order hand", both), ("order deck", both[::-1])):
        says = tr("Then {card}, even if {first} is stopped.", card=second, first=first)
        choices.append(Choice(action, tr("{card} first", card=first), says))
    return tr("Which card comes first?"), choices


def _choices_of_card(
    data: Data, view: State, card: str, rest: Sequence[str], names: Sequence[str]
) -> list[Choice]:
    seat = view["active"]
    actions = play_actions(data, view, card, rest)
    if not actions:
        name = card_name(data, card)
        rule, why = why_not(data, view, [card], rest)
        return [Choice(f"play {card}", tr("Play {card}", card=name), "", f"{why} ({rule})")]
    choices = []
    for action in actions:
        words = action.split(" ")[1:]
        label = tr("Play {card}", card=play_name(data, words, names))
        choices.append(Choice(action, label, consequence(data, view, words, names, seat)))
    return choices


def _follows(data: Data, view: State, seat: int, names: Sequence[str]) -> list[Choice]:
    return [
        Choice(
            f"{FOLLOW} {tile}",
            tr("Follow to {tile}", tile=data.labels[tile]),
            consequence(data, view, [FOLLOW, tile], names, seat),
        )
        for tile in data.green[view["pawns"][seat]]
    ]


def _wormhole(view: State) -> Choice:
    says = tr(
        "You draw a card and have to play it at once, whatever it is. A Stop Time you would "
        "show and keep."
    )
    refused = "" if cards_left(view) else tr("There is no card left to draw.")
    return Choice("wormhole", tr("Wormhole"), says, refused)


def _arrest(view: State, seat: int) -> list[Choice]:
    if not may_arrest(view, seat):
        return []
    says = tr(
        "From now on the Time Breaker goes along when you move your pawn away from it. Your "
        "turn goes on."
    )
    return [Choice("arrest", tr("Arrest the Time Breaker"), says)]


def _dumps(data: Data, cards: Counter[str]) -> list[Choice]:
    if not cards:
        return []
    choices = []
    for action in dumps(cards) or [" ".join(["dump", *sorted(cards.elements())])]:
        jumps = action.split(" ")[1:]
        listing = sentence_list([card_name(data, card) for card in jumps])
        says = tr_n(
            "You discard it and draw a card. Your turn goes on; in this turn you dump no more.",
            "You discard them and draw {n} cards. Your turn goes on; in this turn you dump no "
            "more.",
            len(jumps),
        )
        choices.append(Choice(action, tr("Dump {cards}", cards=listing), says))
    return choices


_DECISIONS: Mapping[str, Callable[[Data, State, int, Sequence[str]], _Made]] = {
    "main": _main,
    "window": _window,
    "play": lambda data, view, seat, names: (
        tr("Play {card}", card=card_name(data, view["queue"][0])),
        [
            *_choices_of_card(data, view, view["queue"][0], view["hands"][seat], names),
            *_arrest(view, seat),
        ],
    ),
    "second": lambda data, view, seat, names: (
        tr("Follow a second arrow"),
        [*_follows(data, view, seat, names), *_arrest(view, seat)],
    ),
    "leap": _leap,
    "order": _order,
}


def _explains(phase: str) -> str:
    """Return what a decision is about to somebody who meets it for the first time."""
    return {
        "main": tr(
            "Catch the Time Breaker on its tile and bring it to the TRA in the middle. Do one "
            "thing: play a card, follow a green arrow of your tile, or take the Wormhole: draw a "
            "card and play it at once."
        ),
        "window": tr(
            "A Stop Time takes away what this card does, and can be stopped itself. Everybody is "
            "asked about every card: being asked gives nothing away."
        ),
        "play": tr(
            "This card came from the deck or from a Quantum Leap. You have to play it now; you "
            "only choose how."
        ),
        "second": tr(
            "Double Time follows two arrows. You have come to the end of the first; now choose "
            "a green arrow of the tile you are on."
        ),
        "leap": tr(
            "A Quantum Leap plays two cards: one of your hand, which you choose now, and the "
            "top card of the deck, which is revealed after that."
        ),
        "order": tr(
            "Both cards are played, one after the other. Each can be stopped by itself; the "
            "second is played even if the first was stopped."
        ),
    }[phase]

"""What a seat has to decide, what each choice leads to, and the next step for all to read."""

from collections.abc import Callable, Mapping, Sequence

from chronotable_host.language import tr, tr_n
from chronotable_night.games.interface import NOBODY, Choice, Decision, State
from chronotable_night.games.telling import sentence_list
from chronotable_night.games.timechase.acting import (
    allowed,
    best,
    deciding,
    higher_led_card,
    still_to_come,
    unseen,
)
from chronotable_night.games.timechase.state import (
    AT_INVARIANT,
    ENOUGH,
    EVENT,
    HIGHEST,
    INVARIANT,
    MOVE,
    NO_CARD,
    SUIT,
    VALUE,
    events_of,
    outcome,
    place,
    rank,
    reached,
    steps_back,
    steps_forward,
    still_to_play,
    suit_to_follow,
    there,
)
from chronotable_night.games.timechase.words import (
    BACK,
    CHOOSE,
    FORWARD,
    PLAY,
    SPEND,
    capital,
    card_name,
    join_sentences,
    place_name,
    suit_name,
)

Names = Sequence[str]


def headline(view: State, names: Names) -> tuple[str, str]:
    """Return the next step, and a line that adds to it."""
    return _HEADLINES.get(view["phase"], _over)(view, names)


def _at_event(view: State, names: Names) -> tuple[str, str]:
    left = still_to_play(view)
    event = place_name(view["at"])
    name = names[view["turn"]]
    if not view["played"]:
        first = tr("{name} leads at {event}", name=name, event=event)
    elif len(left) == 1:
        first = tr("{name} plays the last card at {event}", name=name, event=event)
    else:
        first = tr("{name} plays at {event}", name=name, event=event)
    return first, join_sentences(_what_lies(view, names), _who_waits(view, names))


def _what_lies(view: State, names: Names) -> str:
    """Return what is to be beaten where cards are played."""
    owner, card = best(view)
    if owner == NOBODY:
        if len(there(view, view["at"])) == 1:
            return tr("Alone in the present: any card takes it.")
        return tr("The present: the best card takes it.")
    if not view["played"]:
        suit = suit_name(suit_to_follow(view))
        return tr(
            "In the past: follow {suit}; beat {name}'s {card} to take the event.",
            name=names[owner],
            card=card_name(card),
            suit=suit,
        )
    first, led = view["played"][0]
    if (first, led) == (owner, card):
        return tr("{name} led {card}.", name=names[first], card=card_name(led))
    return tr(
        "{name} led {card}. Best: {best}'s {winning}.",
        name=names[first],
        card=card_name(led),
        best=names[owner],
        winning=card_name(card),
    )


def _who_waits(view: State, names: Names) -> str:
    """Return who waits at another location, if it is one."""
    at, present = view["at"], view["present"]
    later = {each for each in view["travelers"] if each != present and (at == present or each < at)}
    if len(later) != 1:
        return ""
    location = later.pop()
    waiting = [names[seat] for seat in there(view, location)]
    return tr_n(
        "{names} waits at {place}.",
        "{names} wait at {place}.",
        len(waiting),
        names=sentence_list(waiting),
        place=place_name(location),
    )


def _at_invariant(view: State, names: Names) -> tuple[str, str]:
    here = [names[seat] for seat in there(view, INVARIANT)]
    if len(here) == 1:
        line = tr("Alone there: whatever is chosen becomes the invariant.")
    else:
        line = tr("In secret. The highest card sets it.")
    first = tr_n(
        "{names} chooses the invariant",
        "{names} choose the invariant",
        len(here),
        names=sentence_list(here),
    )
    return first, line


def _over(view: State, names: Names) -> tuple[str, str]:
    ended = outcome(view)
    winner = ended.winners[0] if ended else 0
    events = events_of(view, winner)
    numbers = sentence_list([str(event) for event in events])
    line = tr_n("Event {numbers}.", "Events {numbers}.", len(events), numbers=numbers)
    return tr("{name} wins", name=names[winner]), line


_HEADLINES: Mapping[str, Callable[[State, Names], tuple[str, str]]] = {
    EVENT: _at_event,
    AT_INVARIANT: _at_invariant,
    MOVE: lambda view, _: (
        tr("How far, and which way?") if view["jumble"] else tr("How far back?"),
        tr("In secret. All fuel opens together."),
    ),
}


# ---- decisions, for the seat alone


PRESENT, PAST, CHOICE, BACK_ONLY, BOTH_WAYS = "present", "past", "invariant", "back", "jump"
"""The kinds of decisions."""

_RULES: Mapping[str, Sequence[str]] = {
    PRESENT: ("H4", "H5", "H6", "H7", "H8", "H17"),
    PAST: ("H4", "H5", "H6", "H7", "H9", "H10", "H17"),
    CHOICE: ("H7", "H11", "H14"),
    BACK_ONLY: ("H3", "H12", "H13", "H14", "H15", "H17"),
    BOTH_WAYS: ("H12", "H13", "H15", "H17", "H19", "H20", "H21"),
}


def decision(view: State, seat: int, names: Names) -> Decision | None:
    """Return what a seat is to decide, None if nothing."""
    if seat not in deciding(view):
        return None
    kind = _kind(view)
    if view["phase"] == EVENT:
        choices = [_card_to_play(view, seat, card, names) for card in view["hands"][seat]]
    elif view["phase"] == AT_INVARIANT:
        choices = [_card_to_choose(view, card) for card in view["hands"][seat]]
    else:
        choices = _move_choices(view, seat, names)
    return Decision(kind, _title(view, names), _EXPLAINS[kind](), choices, _RULES[kind])


def _kind(view: State) -> str:
    if view["phase"] == EVENT:
        return PRESENT if view["at"] == view["present"] else PAST
    if view["phase"] == AT_INVARIANT:
        return CHOICE
    return BOTH_WAYS if view["jumble"] else BACK_ONLY


def _title(view: State, names: Names) -> str:
    if view["phase"] == AT_INVARIANT:
        return tr("Choose the invariant")
    if view["phase"] != EVENT:
        return headline(view, names)[0]
    event = place_name(view["at"])
    if not view["played"]:
        return tr("You lead at {event}", event=event)
    if len(still_to_play(view)) == 1:
        return tr("Your card, the last one")
    return tr("Your card at {event}", event=event)


_EXPLAINS: Mapping[str, Callable[[], str]] = {
    PRESENT: lambda: tr(
        "The best card takes the event, and three events win the game. If you hold the suit of "
        "the first card, you must play it. The highest of that suit is the best, unless somebody "
        "plays the invariant's suit: that beats all others."
    ),
    PAST: lambda: tr(
        "This event belongs to somebody. Beat the card that holds it, and it is yours; if nobody "
        "does, all stays as it was. If you hold the suit that was led here, you must play it."
    ),
    CHOICE: lambda: tr(
        "The suit of the invariant beats all others, everywhere. All who are here choose a card "
        "in secret, and the highest becomes the invariant. If two are equally high, there is "
        "none. The other cards are gone."
    ),
    BACK_ONLY: lambda: tr(
        "Each fuel takes you one event back. There you may take the event from its owner, or "
        "choose the invariant anew. Who stays plays for the present. Then all return and get "
        "fuel: more for those with fewer events."
    ),
    BOTH_WAYS: lambda: tr(
        "Each fuel takes you one event along the row, back or forward. There you may take the "
        "event from its owner, or choose the invariant anew. Who stays plays for the present. "
        "Then all return and get fuel: more for those with fewer events."
    ),
}


# ---- cards


def _card_to_play(view: State, seat: int, card: str, names: Names) -> Choice:
    action, label = f"{PLAY} {card}", tr("Play {card}", card=card_name(card))
    if card not in allowed(view, seat):
        suit = suit_name(suit_to_follow(view))
        return Choice(action, label, refused=tr("You hold {suit}, so {suit} it is.", suit=suit))
    return Choice(action, label, _if_played(view, seat, card, names))


def _if_played(view: State, seat: int, card: str, names: Names) -> str:
    trump = SUIT[view["invariant"]]
    led_suit = suit_to_follow(view) or SUIT[card]
    owner, winning = best(view)
    strength = rank(card, led_suit, trump)
    left = still_to_play(view)[1:]
    said = []
    beats = winning == NO_CARD or strength > rank(winning, led_suit, trump)
    if winning != NO_CARD:
        words = {"card": card_name(winning)}
        if owner != seat:
            words["name"] = names[owner]
            said.append(
                tr("Beats {name}'s {card}.", **words)
                if beats
                else tr("Does not beat {name}'s {card}.", **words)
            )
        else:
            said.append(
                tr("Beats your own {card}.", **words)
                if beats
                else tr("Does not beat your own {card}, which stays.", **words)
            )
    elif left:
        said.append(_if_led(card, trump))
    if beats:
        hidden = unseen(view, seat) if left else []
        rivals = sum(rank(other, led_suit, trump) > strength for other in hidden)
        said.append(_if_best(view, seat, left, rivals, names))
    elif owner != seat:
        said.append(_if_lost(view, owner, names, is_last=not left))
    above = higher_led_card(view, card)
    if above:
        said.append(tr("Same suit, but lower than {card}: you get 1 fuel.", card=card_name(above)))
    elif not beats:
        said.append(tr("You get no fuel."))
    return " ".join(filter(None, said))


def _if_led(card: str, trump: str) -> str:
    suit = suit_name(SUIT[card])
    if SUIT[card] == trump:
        return tr("Who has {suit} must follow; it is the suit of the invariant.", suit=suit)
    if not trump:
        return tr("Who has {suit} must follow.", suit=suit)
    return tr(
        "Who has {suit} must follow; who has none may beat it with {trump}.",
        suit=suit,
        trump=suit_name(trump),
    )


def _if_best(view: State, seat: int, left: Sequence[int], rivals: int, names: Names) -> str:
    """Return what a card that is the best now is worth; `rivals` unseen cards would beat it."""
    owner = view["control"][place(view, view["at"])]
    third = _third(view, seat, names, is_own=True) if owner != seat else ""
    words = {"event": capital(place_name(view["at"]))}
    if not left:
        return join_sentences(tr("{event} is yours.", **words), third)
    if not rivals:
        return join_sentences(
            tr("{event} is yours: no card that is left beats it.", **words), third
        )
    hidden = tr_n("{n} hidden card beats it.", "{n} hidden cards beat it.", rivals)
    others = [names[other] for other in left]
    who = sentence_list(others) if len(others) < 3 else tr("somebody")
    said = tr("{event} is yours, unless {who} can beat it.", who=who, **words)
    return join_sentences(said, hidden, third)


def _third(view: State, owner: int, names: Names, *, is_own: bool = False) -> str:
    """Return what a third event is worth to who takes it here: the round goes on after that."""
    if len(events_of(view, owner)) != ENOUGH - 1:
        return ""
    name = names[owner]
    later = {at: [names[s] for s in there(view, at) if s != owner] for at in still_to_come(view)}
    at_stake = [at for at in events_of(view, owner) if later.get(at)]
    if not at_stake:
        if is_own:
            return tr("Your third: enough to win.")
        return tr("{name} has three then: enough to win.", name=name)
    events = sentence_list([place_name(at) for at in at_stake])
    who = sentence_list([rival for at in at_stake for rival in later[at]])
    if is_own:
        return tr(
            "Your third: enough to win if you keep {events} against {who}.", who=who, events=events
        )
    return tr(
        "{name} has three then: enough to win if {events} can be kept against {who}.",
        name=name,
        who=who,
        events=events,
    )


def _if_lost(view: State, owner: int, names: Names, *, is_last: bool) -> str:
    words = {"event": capital(place_name(view["at"])), "name": names[owner]}
    is_kept = view["control"][place(view, view["at"])] == owner
    third = "" if is_kept else _third(view, owner, names)
    if not is_last:
        words["event"] = place_name(view["at"])
        return third and join_sentences(tr("As it stands, {event} goes to {name}.", **words), third)
    if is_kept:
        return tr("{event} stays {name}'s.", **words)
    return join_sentences(tr("{event} goes to {name}.", **words), third)


def _card_to_choose(view: State, card: str) -> Choice:
    suit = suit_name(SUIT[card])
    if len(there(view, INVARIANT)) == 1:
        said = tr("You are alone here: {suit} beats all others from now on.", suit=suit)
    elif VALUE[card] == HIGHEST:
        said = tr(
            "Nobody can be higher: {suit} beats all others, unless somebody has {value}, too. "
            "Then no suit does.",
            suit=suit,
            value=VALUE[card],
        )
    else:
        said = tr(
            "If it is the highest, {suit} beats all others. If it shares the highest value, "
            "no suit does. If it is lower, it is gone.",
            suit=suit,
        )
    return Choice(f"{CHOOSE} {card}", tr("Choose {card}", card=card_name(card)), said)


# ---- moves


def _move_choices(view: State, seat: int, names: Names) -> list[Choice]:
    ways = [("", 0)]
    ways += [(BACK, -steps) for steps in range(1, steps_back(view) + 1)]
    if view["jumble"]:
        ways += [(FORWARD, steps) for steps in range(1, steps_forward(view) + 1)]
    return [_a_move(view, seat, way, steps, names) for way, steps in ways]


def _a_move(view: State, seat: int, way: str, steps: int, names: Names) -> Choice:
    cost, fuel = abs(steps), view["fuel"][seat]
    action = f"{SPEND} {cost} {way}" if view["jumble"] and way else f"{SPEND} {cost}"
    location = reached(view, steps)
    if not steps:
        label = tr("Stay at {place}", place=place_name(location))
    elif steps < 0:
        label = tr("Back to {place}", place=place_name(location))
    else:
        label = tr("Forward to {place}", place=place_name(location))
    if cost > fuel:
        refused = tr("This needs {cost} fuel, and you have {fuel}.", cost=cost, fuel=fuel)
        return Choice(action, label, refused=refused)
    left = tr_n("{n} fuel stays with you.", "{n} fuel stay with you.", fuel - cost)
    if fuel == cost:
        left = tr("No fuel is left then.") if cost else tr("You have no fuel.")
    return Choice(action, label, f"{_if_there(view, seat, location, names)} {left}")


def _if_there(view: State, seat: int, location: int, names: Names) -> str:
    if location == view["present"]:
        return tr("Stay: the best card takes {event}.", event=place_name(location))
    if location == INVARIANT:
        return tr("To the invariant: the highest card chosen there says which suit beats all.")
    index = place(view, location)
    owner, led, winning = (view[row][index] for row in ("control", "led", "winning"))
    hand = view["hands"][seat]
    suit, trump = SUIT[led], SUIT[view["invariant"]]
    following = [card for card in hand if SUIT[card] == suit]
    strongest = max(following or hand, key=lambda card: rank(card, suit, trump))
    beats = rank(strongest, suit, trump) > rank(winning, suit, trump)
    stored = [VALUE[card] for card in (led, winning) if SUIT[card] == suit]
    below = [card for card in following if VALUE[card] < max(stored)]
    words = {"suit": suit_name(suit), "card": card_name(strongest), "name": names[owner]}
    words["winning"] = card_name(winning)
    said = [tr("To {event}.", event=place_name(location))]
    if following:
        said.append(tr("You must follow {suit}.", **words))
    else:
        said.append(tr("You have no {suit}, so any card may be played.", **words))
    if owner == seat and beats:
        said.append(tr("It is yours; {card} beats your {winning} there.", **words))
    elif owner == seat:
        said.append(tr("It is yours; nothing in your hand beats your {winning} there.", **words))
    elif beats:
        said.append(
            tr("{card} beats {name}'s {winning}.", **{**words, "card": capital(words["card"])})
        )
    else:
        said.append(tr("Nothing you may play beats {name}'s {winning}.", **words))
    if below:
        said.append(tr("{card} gets you 1 fuel there.", card=capital(card_name(below[-1]))))
    return " ".join(said)

"""The order of play: eight rounds of combat and bidding, each up to the next question.

Every function here goes on until somebody is asked or the game is over.
"""

from collections.abc import Sequence

from chronotable_night.games.interface import NOBODY, State
from chronotable_night.games.timemit import parts
from chronotable_night.games.timemit.box import CardBox
from chronotable_night.games.timemit.effects import OWN_DISCARD, Ship, Triangles
from chronotable_night.games.timemit.table import (
    EVENT_LANE,
    LANES,
    SEATS,
    TOWARDS,
    Table,
    amount_of,
    can_recall,
    paradox_colours,
    total,
    usable,
    without,
)

ROUNDS = 8


def begin_round(table: Table) -> None:
    """Lay out three power cards and an event (TM2)."""
    now = table.now
    now["round"] += 1
    now["row"] = [*now["powers"][:3], now["events"][0]]
    now["powers"], now["events"] = now["powers"][3:], now["events"][1:]
    now["phase"] = "start"
    now["in_combat"] = [1, 1]
    table.tell("round", round=now["round"], row=now["row"])
    recall_window(table)


def recall_window(table: Table) -> None:
    """Ask who may recall, hidden until all have answered; then go on with the phase (TM13)."""
    now = table.now
    for seat in SEATS:
        if can_recall(now, seat) and not now["answers"][seat]:
            table.ask(seat, "recall")
            return
    _recalled(table)
    if table.is_over:
        return
    if now["phase"] == "start":
        now["phase"] = "combat"
        _draw(table)
    else:
        # the seat whose goal is nearer; Nora in the middle (TM8)
        now["starter"] = 1 if now["ship"] > 0 else 0
        table.ask(now["starter"], "bid")


def _recalled(table: Table) -> bool:
    """Drop the answers, and let those recall who said so; tell whether anybody did."""
    seats = [seat for seat in SEATS if table.now["answers"][seat] == "recall"]
    table.now["answers"] = ["", ""]
    if seats:
        table.recall(seats)
    return bool(seats)


# ---- combat


def _draw(table: Table) -> None:
    """Let all who are in combat reveal a card, and begin with their effects (TM3)."""
    now = table.now
    for seat in SEATS:
        if not now["in_combat"][seat]:
            continue
        table.reshuffle(seat)
        if not now["decks"][seat]:
            table.put("in_combat", seat, 0)
            continue
        card = table.box.cards[table.take_top(seat)]
        table.put("revealed", seat, [*now["revealed"][seat], card.id])
        table.put("symbols", seat, now["symbols"][seat] + sum(card.symbols.values()))
        now["todo"] = [*now["todo"], *parts.todo_of(seat, card.id, card.combat)]
        table.tell("card", seat=seat, card=card.id)
    go_on(table)


def go_on(table: Table) -> None:
    """Go on with effects, and after them with what they were part of."""
    if not parts.carry_on(table):
        return
    if table.now["phase"] == "combat":
        _end_step(table)
    else:
        _end_lane(table)


def _end_step(table: Table) -> None:
    now = table.now
    move, marks = now["net"], now["marks"]
    now["net"], now["marks"] = 0, [0, 0]
    table.settle(move, marks, "combat")
    if table.is_over:
        return
    _paradoxes(table)
    if table.is_over:
        return
    for seat in SEATS:
        if now["in_combat"][seat] and not now["decks"][seat] and not now["discards"][seat]:
            table.put("in_combat", seat, 0)
            table.tell("no_cards", seat=seat)
    ask_draw(table)


def _paradoxes(table: Table) -> None:
    """Settle the penalties of a step together (TM5)."""
    move, marks = 0, [0, 0]
    for seat in SEATS:
        colours = paradox_colours(table.box, table.now["revealed"][seat])
        if table.now["in_combat"][seat] and colours:
            table.put("in_combat", seat, 0)
            table.tell("paradox", seat=seat, colours=colours)
            move -= TOWARDS[seat]
            marks[seat] = 1
    table.settle(move, marks, "paradox")


def ask_draw(table: Table) -> None:
    """Ask all who are in combat whether they draw, hidden until all have answered (TM6)."""
    now = table.now
    for seat in SEATS:
        if now["in_combat"][seat] and not now["answers"][seat]:
            table.ask(seat, "draw")
            return
    answers = now["answers"]
    if _recalled(table):
        if not table.is_over:
            ask_draw(table)
        return
    for seat in SEATS:
        if answers[seat]:
            table.tell("answer", seat=seat, answer=answers[seat])
        if answers[seat] == "stop":
            table.put("in_combat", seat, 0)
    if 1 in now["in_combat"]:
        _draw(table)
        return
    now["phase"] = "bidding"
    recall_window(table)


# ---- bidding


def place_bid(table: Table, seat: int, bid: Sequence[Sequence[int]]) -> None:
    """Lay Kronos face down at the four lanes (TM8)."""
    now = table.now
    laid = [value for lane in bid for value in lane]
    table.put("kronos", seat, without(now["kronos"][seat], laid))
    table.put("bids", seat, [list(lane) for lane in bid])
    table.put("placed", seat, 1)
    table.tell("bid", seat=seat, counts=[len(lane) for lane in bid])
    if now["placed"][1 - seat]:
        _open_lane(table, LANES[0])
    else:
        table.ask(1 - seat, "bid")


def _open_lane(table: Table, lane: int) -> None:
    now = table.now
    now["lane"] = lane
    bids = [now["bids"][seat][lane - 1] for seat in SEATS]
    table.tell("lane", lane=lane, card=now["row"][lane - 1], bids=bids)
    ask_option(table, now["starter"])


def ask_option(table: Table, seat: int) -> None:
    """Ask for bid options, in turn, until both have passed; who has none passes unasked."""
    now = table.now
    while now["passes"] < len(SEATS):
        if usable(table.box, now, seat):
            table.ask(seat, "option")
            return
        now["passes"] += 1
        seat = 1 - seat
    _compare(table)


def use(table: Table, seat: int, card: int) -> None:
    """Add a card to the bid of a seat; the other may answer."""
    table.put("used", seat, [*table.now["used"][seat], card])
    table.now["passes"] = 0
    table.tell("use", seat=seat, card=card, lane=table.now["lane"])
    ask_option(table, 1 - seat)


def pass_option(table: Table, seat: int) -> None:
    """Add nothing."""
    table.now["passes"] += 1
    table.tell("pass", seat=seat, lane=table.now["lane"])
    ask_option(table, 1 - seat)


def _compare(table: Table) -> None:
    """Find who wins the open lane, and begin with what that does (TM9, TM10)."""
    now = table.now
    lane = now["lane"]
    card = now["row"][lane - 1]
    totals = [total(table.box, now, seat) for seat in SEATS]
    if totals[0] == totals[1]:
        table.tell("equal", lane=lane, card=card, total=totals[0])
        for seat in SEATS:
            _bid_home(table, seat)
        now["removed"] = [*now["removed"], card]
        _leave_lane(table)
        return
    winner = 0 if totals[0] > totals[1] else 1
    now["gain"] = winner
    table.tell("win", seat=winner, lane=lane, card=card, totals=totals)
    now["todo"] = parts.todo_of(winner, card, table.box.effect_of(card))
    go_on(table)


def _end_lane(table: Table) -> None:
    """Lay away Kronos and card of a lane that was won."""
    now = table.now
    lane, winner = now["lane"], now["gain"]
    card = now["row"][lane - 1]
    _bid_home(table, 1 - winner)
    spent = _lift_bid(table, winner)
    table.spend(winner, spent)
    if spent:
        table.tell("spent", seat=winner, kronos=spent)
    if lane == EVENT_LANE:
        now["removed"] = [*now["removed"], card]
    elif now["goes"]:
        owner = winner if now["goes"] == OWN_DISCARD else 1 - winner
        table.discard(owner, [card])
        table.tell("goes", seat=owner, card=card)
    else:
        table.put("won", winner, [*now["won"][winner], card])
    _leave_lane(table)


def _lift_bid(table: Table, seat: int) -> list[int]:
    bids = list(table.now["bids"][seat])
    at = table.now["lane"] - 1
    lifted, bids[at] = bids[at], []
    table.put("bids", seat, bids)
    return list(lifted)


def _bid_home(table: Table, seat: int) -> None:
    lifted = _lift_bid(table, seat)
    if lifted:
        table.to_hand(seat, lifted)
        table.tell("home", seat=seat, kronos=lifted)


def _leave_lane(table: Table) -> None:
    now = table.now
    lane = now["lane"]
    now["row"] = [0 if at == lane else card for at, card in enumerate(now["row"], 1)]
    now["gain"], now["goes"] = NOBODY, ""
    now["used"], now["passes"] = [[], []], 0
    if lane != LANES[-1]:
        _open_lane(table, LANES[LANES.index(lane) + 1])
        return
    now["lane"] = 0
    ask_order(table)


def ask_order(table: Table) -> None:
    """Lay won cards on the decks, and ask for their order where there are several (TM10)."""
    for seat in SEATS:
        won = table.now["won"][seat]
        if len(won) > 1:
            table.ask(seat, "order")
            return
        if won:
            lay_on_deck(table, seat, won)
    _end_round(table)


def lay_on_deck(table: Table, seat: int, cards: Sequence[int]) -> None:
    """Lay won cards on a deck, face up, the first on top."""
    now = table.now
    table.put("decks", seat, [*cards, *now["decks"][seat]])
    table.put("open", seat, now["open"][seat] + len(cards))
    table.put("won", seat, [])
    table.tell("on_deck", seat=seat, cards=list(cards))


def _end_round(table: Table) -> None:
    now = table.now
    for seat in SEATS:
        table.discard(seat, now["revealed"][seat])
    now["revealed"], now["symbols"], now["placed"] = [[], []], [0, 0], [0, 0]
    now["starter"] = NOBODY
    if now["round"] < ROUNDS:
        begin_round(table)
    else:
        _end_game(table)


def endgame_sum(box: CardBox, state: State, seat: int) -> tuple[int, list[int]]:
    """Return what the endgame parts of a seat's deck and discard add up to (TM16).

    That is the ship's move toward the future, and the change of each seat's triangles.
    """
    move, marks = 0, [0, 0]
    for card in (*state["decks"][seat], *state["discards"][seat]):
        for part in box.cards[card].endgame:
            if isinstance(part, Ship):
                move += part.sign * TOWARDS[seat] * amount_of(box, state, seat, part.amount)
            elif isinstance(part, Triangles):
                marks[seat if part.own else 1 - seat] += part.change
    return move, marks


def _end_game(table: Table) -> None:
    """Settle what cards do at the end, and see who is closer (TM16)."""
    now = table.now
    sums = [endgame_sum(table.box, now, seat) for seat in SEATS]
    table.tell("endgame", moves=[move for move, _ in sums])
    move = sum(move for move, _ in sums)
    table.settle(move, [a + b for a, b in zip(sums[0][1], sums[1][1], strict=True)], "endgame")
    if table.is_over:
        return
    ship, triangles = now["ship"], now["triangles"]
    if ship:
        table.end([0 if ship < 0 else 1], "closer")
    elif triangles[0] != triangles[1]:
        table.end([0 if triangles[0] < triangles[1] else 1], "triangles")
    else:
        table.end([], "tie")

"""What the parts of effects do, and what they ask: one entry each in PARTS.

A part that asks is asked even where there is one answer; where there is none, there is nothing to
do (TM4: as fully as possible). Answers are texts of actions.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from chronotable_night.games.interface import EVERYBODY, State, size
from chronotable_night.games.timemit import effects
from chronotable_night.games.timemit.table import TOWARDS, Table, amount_of, without

NONE = "none"


class _Job(NamedTuple):
    """A part of a card to be done for a seat."""

    table: Table
    seat: int
    card: int
    part: Any


class _Way(NamedTuple):
    """How a part is done: what it asks, its answers in a state or view, and what each does.

    A part that asks nothing is done with the answer "".
    """

    do: Callable[[_Job, str], None]
    ask: str = ""
    answers: Callable[[State, int, Any], Sequence[str]] = lambda _state, _seat, _part: ()


def answers_of(state: State, seat: int) -> Sequence[str]:
    """Return the legal answers to the part that a state or view asks about."""
    part = effects.part_of(state["todo"][0][2])
    return PARTS[type(part)].answers(state, seat, part)


def todo_of(seat: int, card: int, effect: Sequence[effects.Part]) -> list[list[Any]]:
    """Return what is to be done for an effect, as a state holds it."""
    return [[seat, card, part.text] for part in effect]


def carry_on(table: Table) -> bool:
    """Do the parts that are due until one asks or the game ends; tell whether all are done."""
    while table.now["todo"]:
        seat, card, text = table.now["todo"][0]
        part = effects.part_of(text)
        if isinstance(part, effects.Peek):
            _prepare_peek(table, seat, card)
        way = PARTS[type(part)]
        if way.answers(table.now, seat, part):
            table.ask(seat, way.ask)
            return False
        table.now["todo"] = table.now["todo"][1:]
        if not way.ask:
            way.do(_Job(table, seat, card, part), "")
            if table.is_over:
                return False
    return True


def answer(table: Table, action: str) -> None:
    """Do the part that is asked about in the way that was answered."""
    (seat, card, text), *rest = table.now["todo"]
    table.now["todo"] = rest
    part = effects.part_of(text)
    PARTS[type(part)].do(_Job(table, seat, card, part), action)


def texts_of(values: Sequence[Any]) -> str:
    """Return numbers as actions have them."""
    return ",".join(map(str, values))


def numbers_of(action: str) -> list[int]:
    """Return the numbers of an action such as `remove 3,5` or `take 8,4`."""
    _, _, numbers = action.partition(" ")
    return [] if numbers == NONE else [int(number) for number in numbers.split(",")]


# ---- without a question


def _ship(job: _Job, _action: str) -> None:
    table, seat, card, part = job
    amount = amount_of(table.box, table.now, seat, part.amount)
    _add(table, card, part.sign * TOWARDS[seat] * amount, [0, 0])


def _triangles(job: _Job, _action: str) -> None:
    table, seat, card, part = job
    marks = [0, 0]
    marks[seat if part.own else 1 - seat] = part.change
    _add(table, card, 0, marks)


def _add(table: Table, card: int, move: int, marks: Sequence[int]) -> None:
    """Add up what a step of combat does to ship and triangles; elsewhere settle it at once."""
    if table.now["phase"] != "combat":
        table.settle(move, marks, "effect", card)
        return
    table.now["net"] += move
    table.now["marks"] = [a + b for a, b in zip(table.now["marks"], marks, strict=True)]


def _fetch(job: _Job, _action: str) -> None:
    table, seat, card, part = job
    fetched = []
    for value in part.values:
        if value in table.now["spent"][seat]:
            table.put("spent", seat, without(table.now["spent"][seat], [value]))
            table.to_hand(seat, [value])
            fetched.append(value)
    if fetched:
        table.tell("take", seat=seat, card=card, kronos=fetched)


# ---- with a question


def _choose(job: _Job, action: str) -> None:
    table, seat, card, part = job
    (number,) = numbers_of(action)
    table.tell("choose", seat=seat, card=card, text=part.text, branch=number)
    chosen = todo_of(seat, card, part.branches[number - 1])
    table.now["todo"] = [*chosen, *table.now["todo"]]


def _removals(state: State, seat: int, part: effects.Remove) -> Sequence[str]:
    cards = sorted(state["revealed"][seat])
    most = min(part.most, len(cards))
    if not most:
        return ()
    if part.exactly:
        return [f"remove {texts_of(some)}" for some in combinations(cards, most)]
    numbers = range(1, most + 1)
    some = (
        f"remove {texts_of(some)}" for number in numbers for some in combinations(cards, number)
    )
    return [f"remove {NONE}", *some]


def _moves(
    word: str, things: str, source: str, to: Callable[[Table, int, list[int]], None]
) -> Callable[[_Job, str], None]:
    """Return what takes the `things` of an answer from where they lie, to where they go.

    Things are cards or Kronos; `word` tells of it, `source` is the field of the state.
    """

    def do(job: _Job, action: str) -> None:
        table, seat, card, _ = job
        moved = numbers_of(action)
        table.put(source, seat, without(table.now[source][seat], moved))
        to(table, seat, moved)
        table.tell(word, EVERYBODY, seat=seat, card=card, **{things: moved})

    return do


def _prepare_peek(table: Table, seat: int, card: int) -> None:
    table.reshuffle(seat)
    deck = table.now["decks"][seat]
    if deck:
        if not table.now["open"][seat]:
            table.put("peeked", seat, 1)
        table.tell("peek", seat=seat, card=card)
        table.tell("peeked", to=seat, seat=seat, card=deck[0])


def _peek(job: _Job, action: str) -> None:
    table, seat, *_ = job
    if action == "discard":
        top = table.take_top(seat)
        table.discard(seat, [top])
        table.tell("discard", seat=seat, card=top)
    else:
        table.tell("keep", seat=seat)


def _some(word: str, values: Sequence[int], number: int) -> Sequence[str]:
    """Return all ways to take so many of the values, which descend."""
    some: Iterator[tuple[int, ...]] = combinations(values, min(number, len(values)))
    return [f"{word} {texts_of(each)}" for each in dict.fromkeys(some)] if values else ()


PARTS: Mapping[type, _Way] = {
    effects.Ship: _Way(_ship),
    effects.Triangles: _Way(_triangles),
    effects.Fetch: _Way(_fetch),
    effects.Goes: _Way(lambda job, _: job.table.now.update(goes=job.part.where)),
    effects.Choose: _Way(
        _choose,
        "choose",
        lambda _state, _seat, part: [f"choose {n}" for n in range(1, len(part.branches) + 1)],
    ),
    effects.Remove: _Way(
        _moves(
            "remove",
            "cards",
            "revealed",
            lambda table, _, cards: table.now.update(removed=[*table.now["removed"], *cards]),
        ),
        "remove",
        _removals,
    ),
    effects.Give: _Way(
        _moves(
            "give", "cards", "revealed", lambda table, seat, cards: table.discard(1 - seat, cards)
        ),
        "give",
        lambda state, seat, _: [f"give {card}" for card in state["revealed"][seat]],
    ),
    effects.Peek: _Way(
        _peek,
        "peek",
        lambda state, seat, _: ("keep", "discard") if size(state["decks"][seat]) else (),
    ),
    effects.Spend: _Way(
        _moves("spend", "kronos", "kronos", Table.spend),
        "spend",
        lambda state, seat, part: _some("spend", state["kronos"][seat], part.number),
    ),
    effects.Take: _Way(
        _moves("take", "kronos", "spent", Table.to_hand),
        "take",
        lambda state, seat, part: _some("take", state["spent"][seat], part.number),
    ),
}

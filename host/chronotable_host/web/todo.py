"""What hands are asked to do, step by step, and what lies there, as far as a table's reeds tell.

Places where the same is to be done share a step. The steps of a wanted turn are lit one after the
other; how far the hands are is read off these lights. A reed tells that something lies on it, not
what. One rule: a piece of the game's position is shown on its space unless the reed there is open;
what lies elsewhere is taken for a piece that was lifted.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from chronotable.hardware.naming import sensor_name
from chronotable.hardware.sensors import FOCUS
from chronotable.lights import meanings
from chronotable_host.hardware.drawings.glyphs import BELOW, MARKER, UNKNOWN, module_of, name_of
from chronotable_host.language import names, tr
from chronotable_host.live.happenings import Guide
from chronotable_host.live.mirror import Mirror
from chronotable_host.rules.notation import ERAS, PLAYERS
from chronotable_host.virtual.hand import sure_pieces
from chronotable_host.virtual.steps import Action, actions_of
from chronotable_host.virtual.tabletop import look_of, looks_in
from ttykm import layout
from ttykm.game import Game

if TYPE_CHECKING:
    from chronotable_host.web.hand import PageHand

_ON_SPACES = {
    meanings.TODO_TAKE: tr("Take away what lies on {places}."),
    meanings.TODO_PUT: tr("Put what belongs there on {places}."),
    meanings.PUT_WHITE: tr("Put white pieces on {places}."),
    meanings.PUT_BLACK: tr("Put black pieces on {places}."),
    meanings.CONFIRM_WHITE: tr("Lift what lies on {places} and look: it should be White's."),
    meanings.CONFIRM_BLACK: tr("Lift what lies on {places} and look: it should be Black's."),
    meanings.FAULT: tr("See for yourself that something lies on {places}: no reed tells."),
}
_ON_ONE = {
    meanings.PUT_WHITE: tr("Put a white piece on {places}."),
    meanings.PUT_BLACK: tr("Put a black piece on {places}."),
}
_OF_MARKERS = {
    meanings.TODO_TAKE: tr("Take {player}'s focus marker away from the {era}."),
    meanings.TODO_PUT: tr("Put {player}'s focus marker in the {era}."),
    meanings.FAULT: tr(
        "See for yourself that {player}'s focus marker stands in the {era}: no reed tells."
    ),
}
_PUTS = dict(zip(PLAYERS, (meanings.PUT_WHITE, meanings.PUT_BLACK), strict=True))
_PUTTING = (meanings.TODO_PUT, *_PUTS.values())
_MOST_NAMED = 6
_NONE: Mapping[int, str] = MappingProxyType({})

ASKS = frozenset(_ON_SPACES)
"""The meanings of lights that ask hands for something."""


def asked_by(leds: Iterable[int]) -> dict[int, int]:
    """Return which lights ask hands for something: their meanings, by sensor."""
    return {at: says for at, says in enumerate(leds) if says in ASKS}


class Todo(NamedTuple):
    """What hands are to do.

    `at` are the sensors that it is about, `put` those of them where a piece is to be put, which has
    the look `look`, "" where nobody knows it. `is_done` tells that the next step is due.
    """

    says: str
    at: tuple[int, ...]
    put: tuple[int, ...] = ()
    look: str = ""
    is_done: bool = False


def steps(asked: Mapping[int, int], due: Mapping[int, str] = _NONE) -> list[Todo]:
    """Return what is to be done; `asked` has meanings of lights, by sensor.

    `due` has the looks of what belongs where a light asks for something, as far as they are known.
    """
    asked = {
        at: _PUTS.get(due.get(at, ""), each) if at < FOCUS else each for at, each in asked.items()
    }
    told: list[Todo] = []
    for meaning in _ON_SPACES:
        here = [at for at, each in asked.items() if each == meaning and at < FOCUS]
        named = [at for at in here if meaning == meanings.TODO_PUT and due.get(at)]
        told += [_put_one(at, due[at]) for at in named]
        others = tuple(at for at in here if at not in named)
        if others:
            told.append(_on_spaces(meaning, others))
    return told + [step for side in range(len(PLAYERS)) for step in _marker(asked, side)]


def sentences(asked: Mapping[int, int], due: Mapping[int, str] = _NONE) -> list[str]:
    """Return the sentences of `steps`."""
    return [step.says for step in steps(asked, due)]


def _put_one(at: int, look: str) -> Todo:
    place = names.place(sensor_name(at))
    says = tr("Put the {piece} on {place}.", piece=name_of(look), place=place)
    return Todo(says, (at,), (at,), look)


def _on_spaces(meaning: int, at: tuple[int, ...]) -> Todo:
    says = _ON_SPACES[meaning] if at[1:] else _ON_ONE.get(meaning, _ON_SPACES[meaning])
    put = at if meaning in _PUTTING else ()
    look = next((look for look, each in _PUTS.items() if each == meaning), "")
    places = _list([names.place(sensor_name(each)) for each in at])
    return Todo(says.format(places=places), at, put, look)


def _marker(asked: Mapping[int, int], side: int) -> list[Todo]:
    """Return what is to be done with a player's marker."""
    first = FOCUS + len(ERAS) * side
    spots = {at - first: meaning for at, meaning in asked.items()}
    todo = [(era, spots[era]) for era in range(len(ERAS)) if spots.get(era) in _OF_MARKERS]
    where = {meaning: era for era, meaning in todo}
    look, player = PLAYERS[side] + MARKER, names.PLAYERS[side]
    if len(todo) == len(where) and {*where} == {meanings.TODO_TAKE, meanings.TODO_PUT}:
        start, end = where[meanings.TODO_TAKE], where[meanings.TODO_PUT]
        says = tr(
            "Move {player}'s focus marker from the {start} to the {end}.",
            player=player,
            start=names.ERAS[start],
            end=names.ERAS[end],
        )
        return [Todo(says, (first + start, first + end), (first + end,), look)]
    return [
        Todo(
            _OF_MARKERS[meaning].format(player=player, era=names.ERAS[era]),
            (first + era,),
            (first + era,) if meaning in _PUTTING else (),
            look,
        )
        for era, meaning in todo
    ]


def _list(places: list[str]) -> str:
    """Join names as people do; of many only the first."""
    if len(places) > _MOST_NAMED:
        left = len(places) - _MOST_NAMED + 1
        return tr("{places} and {n} more", places=", ".join(places[: _MOST_NAMED - 1]), n=left)
    *others, last = places
    return tr("{places} and {last}", places=", ".join(others), last=last) if others else last


# ---- what hands are asked to do now

PieceViews = list[dict[str, Any]]
"""Places and looks of pieces, as the page draws them."""


def pieces_by_reeds(
    by_game: PieceViews, reeds: Mapping[int, bool], doubted: Collection[int]
) -> PieceViews:
    """Return the pieces; `by_game` are those of the position, `reeds` what each reed told last.

    Reeds that are `doubted` tell nothing.
    """
    reported = {at: closed for at, closed in reeds.items() if at not in doubted}
    felt = [each for each in by_game if each["look"] != BELOW]
    lifted = [each["look"] for each in felt if not reported.get(each["at"], True)]
    there = [each for each in by_game if each["look"] == BELOW or reported.get(each["at"], True)]
    taken = {each["at"] for each in felt}
    others = sorted(at for at, closed in reported.items() if closed and at not in taken)
    return there + [{"at": at, "look": _look(at, lifted)} for at in others]


def named_by_steps(pieces: PieceViews, steps: Iterable[Todo]) -> PieceViews:
    """Return pieces, those that nobody knows with the looks that steps had hands put there."""
    put = {at: step.look for step in steps if step.is_done for at in step.put}
    return [
        {**each, "look": put.get(each["at"], UNKNOWN)} if each["look"] == UNKNOWN else each
        for each in pieces
    ]


def _look(at: int, lifted: list[str]) -> str:
    """Take what was lifted for what lies somewhere, the marker at a spot for markers."""
    if at >= FOCUS:
        return PLAYERS[(at - FOCUS) // 3] + MARKER
    pieces = [look for look in lifted if not look.endswith(MARKER)]
    if not pieces:
        return UNKNOWN
    lifted.remove(pieces[0])
    return pieces[0]


_ACTIONS = 0xFFFF
_TAKE = (meanings.TODO_TAKE, meanings.DIG)
_PUT = (meanings.TODO_PUT, meanings.PUT_WHITE, meanings.PUT_BLACK, meanings.PLANT, meanings.BUILD)


class _Move(NamedTuple):
    """A piece that goes from a sensor to another one; None is the box."""

    start: int | None
    end: int | None
    look: str


class WantedSteps:
    """The steps of the turn that is wanted now."""

    def __init__(self) -> None:
        self._of: tuple[int, bytes] = 0, b""
        self._steps: list[tuple[_Move, Todo]] = []
        self._places: set[int] = set()
        self._now = 0  # the step that was due last

    def look(self, game: Game, turn: int, leds: Sequence[int]) -> list[Todo]:
        """Return the steps of a legal turn, those that are done marked.

        Empty where the lights ask for something that is no part of it.
        """
        wanted = turn, game.state.tobytes()
        if wanted != self._of:
            self._of, self._now = wanted, 0
            self._steps = [(move, _step_of(move)) for move in _moves(game, turn)]
            self._places = {at for _, step in self._steps for at in step.at}
            # hands may take the copy that goes back with them, and leave the new one where it was
            self._places.update(action.start for action in actions_of(game, turn & _ACTIONS))
        if not self._places >= asked_by(leds).keys():
            return []
        lit = [at for at, (move, _) in enumerate(self._steps) if _is_lit(move, leds)]
        # a space may be left in one action and entered in another one, so hands do not go back
        # unless there is no other way to read the lights
        if not lit:
            return []
        self._now = next((at for at in lit if at >= self._now), lit[0])
        return [step._replace(is_done=at < self._now) for at, (_, step) in enumerate(self._steps)]


def _is_lit(move: _Move, leds: Sequence[int]) -> bool:
    is_taken = move.start is not None and leds[move.start] in _TAKE
    return is_taken or (move.end is not None and leds[move.end] in _PUT)


def _moves(game: Game, turn: int) -> Iterator[_Move]:
    for action in actions_of(game, turn & _ACTIONS):
        yield from _in_order(_moves_of(action))
    first, side = FOCUS + len(ERAS) * game.mover, game.mover
    start, end = first + layout.focus(game.state, side), first + layout.turn_focus(turn)
    yield _Move(start, end, look_of(side, start))


def _moves_of(action: Action) -> Iterator[_Move]:
    """Yield what one action moves; a piece that comes is one of its kind that goes, if one does."""
    going = {at: look_of(piece, at) for at, piece in action.lifts.items()}
    for end, piece in action.places.items():
        look = look_of(piece, end)
        start = next((at for at, other in going.items() if other == look), None)
        if start is not None:
            del going[start]
        yield _Move(start, end, look)
    for start, look in going.items():
        yield _Move(start, None, look)


def _in_order(moves: Iterable[_Move]) -> Iterator[_Move]:
    """Yield first what makes room for others."""
    left = list(moves)
    while left:
        taken = {move.start for move in left}
        free = (move for move in left if move.end not in taken - {move.start})
        due = next(free, left[0])
        left.remove(due)
        yield due


def _step_of(move: _Move) -> Todo:
    start, end, look = move
    if start is not None and start >= FOCUS and end is not None:
        (step,) = steps({start: meanings.TODO_TAKE, end: meanings.TODO_PUT})
        return step
    piece = name_of(look)
    if end is None:
        assert start is not None
        place = names.place(sensor_name(start))
        says = tr("Take the {piece} away from {place}.", piece=piece, place=place)
        return Todo(says, (start,))
    if start is None:
        place = names.place(sensor_name(end))
        says = tr("Put a {piece} from the box on {place}.", piece=piece, place=place)
        return Todo(says, (end,), (end,), look)
    says = tr(
        "Move the {piece} from {start} to {end}.",
        piece=piece,
        start=names.place(sensor_name(start)),
        end=names.place(sensor_name(end)),
    )
    return Todo(says, (start, end), (end,), look)


_SET_UP = "set-up"
_IN_A_GAME = ("turn", "provisional", "question")


class HandsTodo:
    """Says what the lights of a mirror's table ask for; `hand` is that of a virtual table.

    `is_turn` tells that what was said last are the steps of a turn.
    """

    def __init__(self, mirror: Mirror, hand: "PageHand | None") -> None:
        self._mirror = mirror
        self._hand = hand
        self.is_turn = False
        self._wanted = WantedSteps()
        self._known: tuple[object, ...] = ()
        self._due: dict[int, str] = {}

    def steps(self, turn: int | None) -> list[Todo]:
        """Return what is to be done; `turn` is what the lights lead through, None for none."""
        leds = self._mirror.table.leds
        told = [] if turn is None else self._wanted.look(self._mirror.game, turn, leds)
        self.is_turn = bool(told)
        if told:
            return told
        asked = asked_by(leds)
        return steps(asked, self._due_on(asked))

    def _due_on(self, asked: Mapping[int, int]) -> dict[int, str]:
        """Return the looks of what belongs on spaces that only ask for something.

        As long as nothing changes what was found is kept: all legal turns are tried for it.
        """
        mirror = self._mirror
        there, places = _asked_on(asked, self._there())
        known = (mirror.table.phase, mirror.game.state.tobytes(), there, places)
        if known != self._known or mirror.table.phase == _SET_UP:
            self._known = known
            self._due = _due_pieces(mirror, there, places)
        return self._due

    def _there(self) -> dict[int, str]:
        """Return what lies on the spaces, "" for a piece that only a reed tells of."""
        if self._hand is not None:
            return {at: piece for at, piece in self._hand.top.there.items() if at < FOCUS}
        return _felt_places(self._mirror)


def objects_due(mirror: Mirror, guide: Guide) -> list[str]:
    """Return in sentences which of a chapter's pieces belong where a table asks for something.

    The lights ask, too, where another piece may lie, which a guide does not tell.
    """
    told = dict.fromkeys(guide.put, meanings.TODO_PUT)
    told |= dict.fromkeys(guide.take, meanings.TODO_TAKE)
    places = {at: told[name] for at in range(FOCUS) if (name := sensor_name(at)) in told}
    asked = asked_by(mirror.table.leds) | places
    due = _due_pieces(mirror, *_asked_on(asked, _felt_places(mirror)))
    kinds = {at: due[at] for at in sorted(due) if module_of(due[at])}
    return sentences(dict.fromkeys(kinds, meanings.TODO_PUT), kinds)


def _asked_on(
    asked: Mapping[int, int], there: Mapping[int, str]
) -> tuple[dict[int, str], set[int]]:
    """Return what lies there and need not go away, and the spaces that only ask for something."""
    staying = {at: piece for at, piece in there.items() if asked.get(at) != meanings.TODO_TAKE}
    return staying, {at for at, says in asked.items() if says == meanings.TODO_PUT and at < FOCUS}


def _due_pieces(mirror: Mirror, there: dict[int, str], places: set[int]) -> dict[int, str]:
    """Return the looks of what belongs on places, as far as they are sure; all of a set-up."""
    if places and mirror.table.phase in _IN_A_GAME:
        return sure_pieces(mirror.game, there, places)
    state = mirror.told_position() if mirror.table.phase == _SET_UP else None
    lying = {} if state is None else looks_in(state)
    return {at: lying[at] for at in places & lying.keys()}


def _felt_places(mirror: Mirror) -> dict[int, str]:
    """Return where reeds tell that something lies."""
    table = mirror.table
    return {
        at: ""
        for at, closed in table.reeds.items()
        if closed and at < FOCUS and at not in table.doubted
    }

"""What people can want at a table: one list, which terminals, pages and the far desk read.

Each wish says what it needs to know, how it is typed, who may ask, what the table has to have for
it, and what does it. One rule: everything is checked before anything is done, and refused with a
sentence. What a page can want besides, of its own hand and of the archive, stands in
`web/service.py`, in rows of the same kind.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from chronotable_host.engine.thinkers import LEVEL_NAMES
from chronotable_host.errors import UserError, printable
from chronotable_host.fields import (
    Fields,
    RequestField,
    Values,
    one_of,
    short_text,
    whole_number,
    word,
)
from chronotable_host.game_choice import choose_game
from chronotable_host.language import names, tr
from chronotable_host.learning.lessons.course import LessonCourse
from chronotable_host.learning.lessons.exercises import LESSONS
from chronotable_host.learning.puzzles.course import PuzzleCourse
from chronotable_host.learning.puzzles.standing import asked_number
from chronotable_host.live.players.clocks import parse_controls
from chronotable_host.live.players.hinter import SIDES
from chronotable_host.live.players.negotiation import LESSON, PUZZLE
from chronotable_host.live.players.person import Guest, Person
from chronotable_host.live.players.seats import CANDIDATES, GUEST, HANDS, PAGE, player_name
from chronotable_host.live.players.table_analysis import check_turn
from chronotable_host.live.players.tutor import record_named
from chronotable_host.live.settings import LEVELS, own_level, parse_settings
from chronotable_host.rules.notation import (
    PLAYER_NAMES,
    PLAYERS,
    format_modules,
    format_turn,
    parse_player,
)
from chronotable_host.rules.record import RESULTS
from ttykm import layout, objects
from ttykm.layout import BLACK, WHITE

if TYPE_CHECKING:
    from chronotable_host.archive.store import Archive
    from chronotable_host.learning.course import TableCourse
    from chronotable_host.live.desk import Desk
    from chronotable_host.live.players.clocks import Clocks
    from chronotable_host.live.players.hinter import Hinter
    from chronotable_host.live.players.negotiation import Asker, FarNegotiation
    from chronotable_host.live.players.table_analysis import TableAnalysis
    from chronotable_host.live.players.tutor import Tutor

AT_TABLE, HERE, BY_GUEST = "table", "here", "guest"
"""Who may ask: who is at the table or has control of its page, on this computer alone; guests."""
EVERYBODY = AT_TABLE, BY_GUEST

Part = TypeVar("Part")
_NOTHING: Mapping[str, Any] = MappingProxyType({})

Need = Callable[["Desk"], object]
"""Raises UserError where a table has nothing for a wish; help asks that, too, and does nothing."""


class Typed(NamedTuple):
    """How a wish is typed: its name, or one of `words`, then as many words as `example` has.

    With `is_value` the first word itself is the first field's value. `reads` reads what is typed
    more freely than pages say it, and `also` are values that nobody types. The last field has all
    words that are left; with `is_short` all may be left out.
    """

    example: str = ""
    remark: str = ""
    words: tuple[str, ...] = ()
    is_value: bool = False
    is_short: bool = False
    reads: Mapping[str, Callable[[Desk, str], Any]] = _NOTHING
    also: Values = _NOTHING


class Wish(NamedTuple):
    """What can be wanted; `does` gets the desk, who asks, and the fields by name.

    A guest's `side` is the guest's own and no field. `asks` is what a terminal asks before it is
    done; a page asks that by itself.
    """

    does: Callable[..., None]
    fields: Fields = _NOTHING
    typed: tuple[Typed, ...] = ()
    may: tuple[str, ...] = (AT_TABLE,)
    needs: tuple[Need, ...] = ()
    asks: str = ""

    def grant(self, desk: Desk, by: Asker, values: Values) -> None:
        """Do what is wanted; raises UserError and LocalLinkError."""
        for need in self.needs:
            need(desk)
        desk.negotiation.said = ""
        if by is not None and "side" in self.fields:
            values = {**values, "side": PLAYERS[by]}
        self.does(desk, by, **values)


# ---- limits and fields

MOST_TURNS = 100_000
SIDE = one_of(*PLAYERS)._replace(reads=lambda text: PLAYERS[parse_player(text)])
NAME = short_text(0, 60)
GAME = short_text(1, 200)
TURN = whole_number(0, MOST_TURNS)
PUZZLE_NO = whole_number(1, 1_000_000)
_COUNT = whole_number(0, 4)
_QUESTION = {"question": whole_number(1, 1_000_000)}
_HANDICAP = RequestField(
    tr("two whole numbers from 0 to 4"),
    lambda value: isinstance(value, list) and len(value) == 2 and all(map(_COUNT.fits, value)),
)
_SEATS = tuple(each.seat for each in CANDIDATES)
_BOTH_SEATS = RequestField(
    tr("two seats, each empty where it stays as it is"),
    lambda value: (
        isinstance(value, list) and len(value) == 2 and all(each in ("", *_SEATS) for each in value)
    ),
)
_SEATED = f"{PLAYERS[1]} {LEVEL_NAMES[2]}"
_MODULES = word(r"[a-z+-]{1,24}", tr("a short word of small letters"))


# ---- what a table has


def _free(desk: Desk) -> None:
    if desk.far_talk is not None:
        says = tr("this table plays a game far apart; end this program for anything else")
        raise UserError(says)


def _far(desk: Desk) -> FarNegotiation:
    return _there(desk.far_talk, tr("this table plays no game far apart"))


def _clocks(desk: Desk) -> Clocks:
    return _there(desk.clocks, tr("there are no clocks at this table"))


def _hinter(desk: Desk) -> Hinter:
    return _there(desk.hinter, tr("there are no hints at this table"))


def _tutor(desk: Desk) -> Tutor:
    return _there(desk.tutor, tr("there are no lessons at this table"))


def _analysis(desk: Desk) -> TableAnalysis:
    return _there(desk.analysis, tr("there is no analysis at this table"))


def _archive(desk: Desk) -> Archive:
    return _there(desk.archive, tr("no games are kept at this table"))


def _there(part: Part | None, why: str) -> Part:
    if part is None:
        raise UserError(why)
    return part


# ---- what does it


def _answer(desk: Desk, _by: Asker, choice: str, turns: str | None = None) -> None:
    """Answer the table's question; a page says which one it shows."""
    if turns is not None:
        choices = desk.mirror.choices
        if not choices:
            raise UserError(tr("there is no open question"))
        if turns != ";".join(map(format_turn, choices[:3])):
            raise UserError(tr("the table asks something else by now"))
    desk.check_answer(choice)
    desk.session.command("answer", choice=choice[0])


def _person_of(desk: Desk, by: Asker) -> Person:
    """Return who puts a turn together; raises UserError where nobody does who asks."""
    person = desk.seats.thinkers.get(desk.mirror.game.mover if by is None else by)
    if not isinstance(person, Person) or (by is None and person.name != PAGE):
        raise UserError(tr("whose turn it is plays it elsewhere, not here on the page"))
    return person


def _decline(desk: Desk, by: Asker, question: int | None = None) -> None:
    """Say no; who is asked nothing lets go of what was asked here."""
    if question is None and desk.negotiation.view(by)["asks"] is None:
        desk.negotiation.withdraw(by, None)
    else:
        desk.negotiation.answer(by, question, is_yes=False)


def _new(
    desk: Desk,
    by: Asker,
    white: str = "",
    black: str = "",
    handicap: Sequence[int] = (0, 0),
    modules: str = "",
    first: str = "white",
    seats: Sequence[str] = ("", ""),
    times: str = "",
) -> None:
    """Begin a game of these modules, else one as this program's first was.

    Whichever of `seats` and `times` is empty stays as it is.
    """
    state, options = desk.start, desk.session.mirror.game.options
    controls = parse_controls(times) if times else None
    if modules:
        state = objects.new_state(choose_game(modules).modules, parse_player(first), *handicap)
        options = 0

    def begins() -> None:
        desk.drop()
        if GUEST in seats and any(who not in ("", GUEST) for who in seats):
            desk.seats.bring_along([*seats].index(GUEST))
        for side, who in zip(PLAYERS, seats, strict=True):
            if who:
                _sit(desk, by, side, who)
        if times and (controls or desk.clocks):
            _clocks(desk).set(controls)
        desk.set_up(state, options)
        if modules:
            desk.begun = {"white": white, "black": black, "handicap": handicap}
            _name(desk, white, black)

    desk.negotiation.begin(by, begins)


def _rematch(desk: Desk, by: Asker) -> None:
    """Begin the game that is over anew: who lost begins, after a draw who was second (T4)."""
    record = desk.mirror.record
    if record is None or not desk.mirror.is_over:
        raise UserError(tr("the game is not over yet"))
    winner = RESULTS.index(record.headers["Result"])
    first = 1 - (winner if winner in (WHITE, BLACK) else layout.mover(record.start))
    modules = format_modules(objects.modules_of(record.start))
    begins = partial(_new, desk, None, modules=modules, first=PLAYERS[first], **desk.begun)
    desk.negotiation.rematch(by, begins)


def _aside(desk: Desk, by: Asker) -> None:
    """End the game that goes on without a result: the archive keeps it, and it begins anew."""
    game = desk.session.mirror.game
    start = array("H", (game.past or game.state)[: len(game.state)])

    def begins() -> None:
        desk.drop()
        desk.set_up(start, game.options)

    desk.negotiation.put_aside(by, begins)


def _branch(desk: Desk, by: Asker, game: str, turn: int) -> None:
    record = record_named(_archive(desk), game)
    states = [array("H", at.state) for at in record.replay()]
    check_turn(turn, states)
    is_broken_off = record.headers["Result"] == "*"

    def begins() -> None:
        desk.drop()
        for side, player in enumerate(PLAYER_NAMES if is_broken_off else ()):
            _take_up(desk, side, record.headers[player])
        if is_broken_off and desk.clocks is not None:
            desk.clocks.go_on(record, turn)
        desk.set_up(states[turn], record.options)
        _name(desk, record.headers["White"], record.headers["Black"])

    desk.negotiation.begin(by, begins)


def _take_up(desk: Desk, side: int, name: str) -> None:
    """Have a side played as a record has it: by a program, or by a person as people play here."""
    who = next((each for each in LEVEL_NAMES if player_name(each) == name), "")
    if not who and side in desk.seats.programs:
        person = desk.in_analysis(side, desk.seats.thinkers[side])
        who = HANDS if person is None or HANDS in desk.seats.players().values() else person.name
    if who:
        desk.seats.seat(side, who)


def _name(desk: Desk, *called: str) -> None:
    """Name the players of the games that begin from now on; whom nobody names has a seat's."""
    seats = desk.seats.players().values()
    for side, (name, seat) in enumerate(zip(called, seats, strict=True)):
        guest = desk.seats.thinkers.get(side)
        own = guest.called if isinstance(guest, Guest) else ""
        desk.mirror.name_player(side, own or name or player_name(seat))


def _sit(desk: Desk, _by: Asker, side: str, who: str) -> None:
    desk.check_seats()
    desk.negotiation.check_seat(side, who)
    if who == GUEST and desk.page is None:
        raise UserError(tr("a guest plays on the page; start `play` with --page"))
    player, settings, level = parse_player(side), desk.session.settings, own_level(who)
    desk.seats.seat(player, HANDS if level else who)
    settings.pop(side, None)
    if level:
        settings[side] = LEVELS.index(level)
    if level or (who == HANDS and desk.mirror.table.own_levels[player]):
        desk.session.set({side: settings.get(side, 0)})


def _call(desk: Desk, _by: Asker, side: str, name: str) -> None:
    player = parse_player(side)
    guest = desk.seats.thinkers.get(player)
    former, now = "", name.strip() or player_name(GUEST)
    if isinstance(guest, Guest):
        former, guest.called = guest.called or player_name(GUEST), name.strip()
    desk.mirror.name_player(player, now, former)


def _set(desk: Desk, _by: Asker, settings: str) -> None:
    wanted = parse_settings(settings.split())
    desk.session.settings.update(wanted)
    desk.session.set(wanted)


def _lesson(desk: Desk, by: Asker, number: int) -> None:
    desk.negotiation.begin(by, partial(_teach, desk, LessonCourse(number)), LESSON)


def _lesson_now(desk: Desk, by: Asker, number: int) -> None:
    desk.negotiation.begin(by, partial(_teach, desk, LessonCourse(number), True), LESSON)


def _puzzle(desk: Desk, by: Asker, number: int, player: str = "") -> None:
    course = PuzzleCourse(_archive(desk).folder, number, player)
    desk.negotiation.begin(by, partial(_teach, desk, course), PUZZLE)


def _teach(desk: Desk, course: TableCourse, ends_game: bool = False) -> None:
    """Begin what is taught; it ends a game where that is wanted, or others have agreed to it."""
    if desk.analysis is not None:
        desk.analysis.drop()
    _tutor(desk).teach(course, ends_game=ends_game or bool(desk.negotiation.guests_there))


def _analyse(desk: Desk, _by: Asker, game: str, turn: int | None = None) -> None:
    _analysis(desk).begin(record_named(_archive(desk), game), turn)


def _walk(desk: Desk, _by: Asker, way: str) -> None:
    analysis = _analysis(desk)
    (analysis.back if way == "back" else analysis.forth)()


# ---- how it is typed


def _seat_typed(_desk: Desk, who: str) -> str:
    """Return a seat as it is named; a program's path keeps its case."""
    return who if who.lower().startswith("engine:") else who.lower()


def _puzzle_typed(desk: Desk, which: str) -> int:
    return asked_number(which.lower(), _archive(desk).folder)


# ---- the list

WISHES: Mapping[str, Wish] = {
    "answer": Wish(
        _answer,
        {"choice": one_of("a", "b", "c", "none"), "turns": short_text(0, 120)},
        (Typed("", tr("(answers)"), ("a", "b", "c", "none"), is_value=True),),
    ),
    "choose": Wish(
        lambda desk, by, text, after: _person_of(desk, by).choose(text, after),
        {
            "text": word(r">?[A-Za-z0-9:*]{1,8}", tr("the text of a choice")),
            "after": short_text(0, 24),  # what was chosen before it, as the page shows it
        },
        may=EVERYBODY,
    ),
    "back": Wish(lambda desk, by: _person_of(desk, by).back(), may=EVERYBODY),
    "undo": Wish(lambda desk, by: desk.negotiation.undo(by), {}, (Typed(),), EVERYBODY),
    "draw": Wish(
        lambda desk, by, side="": desk.negotiation.draw(by, side),
        {"side": SIDE},
        (Typed("white", is_short=True),),
        EVERYBODY,
    ),
    "resign": Wish(
        lambda desk, by, side="": desk.negotiation.resign(by, side),
        {"side": SIDE},
        (Typed("white", is_short=True),),
        EVERYBODY,
        asks=tr("Really resign? Then type it once more."),
    ),
    "agree": Wish(
        lambda desk, by, question=None: desk.negotiation.answer(by, question, is_yes=True),
        _QUESTION,
        (Typed(words=names.YES),),
        EVERYBODY,
    ),
    "decline": Wish(
        _decline,
        _QUESTION,
        (Typed("", tr("(to what is asked, or to let go of what you asked)"), names.NO),),
        EVERYBODY,
    ),
    "withdraw": Wish(
        lambda desk, by, question: desk.negotiation.withdraw(by, question), _QUESTION, may=EVERYBODY
    ),
    "new": Wish(
        _new,
        {
            "white": NAME,
            "black": NAME,
            "handicap": _HANDICAP,
            "modules": _MODULES,
            "first": SIDE,
            "seats": _BOTH_SEATS,
            "times": short_text(0, 20),
        },
        (Typed(),),
    ),
    "aside": Wish(_aside, {}, (Typed(),), EVERYBODY, needs=(_free,)),
    "rematch": Wish(_rematch, may=EVERYBODY),
    "branch": Wish(_branch, {"game": GAME, "turn": TURN}, needs=(_free, _archive)),
    "sit": Wish(
        _sit,
        {"side": SIDE, "who": one_of(*_SEATS)},
        (
            Typed(_SEATED, tr("(or hands)"), ("seat",), reads={"who": _seat_typed}),
            Typed("black", words=("invite",), also={"who": GUEST}),
        ),
    ),
    "name": Wish(_call, {"side": SIDE, "name": NAME}, may=(BY_GUEST,)),
    "lesson": Wish(
        _lesson, {"number": whole_number(1, len(LESSONS))}, (Typed("1"),), needs=(_free, _tutor)
    ),
    "lesson_now": Wish(  # the game that is in progress is broken off
        _lesson_now, {"number": whole_number(1, len(LESSONS))}, needs=(_free, _tutor)
    ),
    "puzzle": Wish(
        _puzzle,
        {"number": PUZZLE_NO, "player": NAME},
        (Typed("1", reads={"number": _puzzle_typed}),),
        needs=(_free, _tutor, _archive),
    ),
    "hint": Wish(
        lambda desk, by: _hinter(desk).ask(by), {}, (Typed(),), EVERYBODY, needs=(_hinter,)
    ),
    "hints": Wish(
        lambda desk, _by, sides: _hinter(desk).choose(sides),
        {"sides": one_of(*SIDES)},
        (Typed("both", tr("(or none, white, black)")),),
        needs=(_hinter,),
    ),
    "go_on": Wish(lambda desk, _by: _tutor(desk).go_on(), needs=(_tutor,)),
    "leave": Wish(lambda desk, _by: desk.leave(), needs=(_tutor,)),
    "analyse": Wish(
        _analyse, {"game": GAME, "turn": TURN}, (Typed("last"),), needs=(_free, _analysis, _archive)
    ),
    "turn": Wish(
        lambda desk, _by, number: _analysis(desk).go(number),
        {"number": TURN},
        (Typed("12"),),
        needs=(_analysis,),
    ),
    "walk": Wish(
        _walk,
        {"way": one_of("back", "forth")},
        (Typed(words=("back", "forth"), is_value=True),),
        needs=(_analysis,),
    ),
    "clock": Wish(
        lambda desk, _by, times: _clocks(desk).set(parse_controls(times)),
        {"times": short_text(1, 20)},
        (Typed("5+3", tr("(or off)")),),
        needs=(_free, _clocks),
    ),
    "set": Wish(
        _set,
        {"settings": word(r"[A-Za-z0-9_= -]{1,200}", tr("settings, each as name=value"))},
        (Typed("brightness=night"),),
    ),
    "say": Wish(
        lambda desk, _by, text: _far(desk).say(text),
        {"text": short_text(1, 200)},
        (Typed("hello", tr("(a line)")),),
        needs=(_far,),
    ),
    "again": Wish(lambda desk, _by: _far(desk).again(), {}, (Typed(),), needs=(_far,)),
}
"""What can be wanted of a table; of a page's message every field is needed, there are no others."""


def guest_fields() -> dict[str, Fields]:
    """Return what guests may ask for, with the fields of each: the side is the guest's own."""
    return {
        do: {name: field for name, field in wish.fields.items() if name != "side"}
        for do, wish in WISHES.items()
        if BY_GUEST in wish.may
    }


def typed_wish(desk: Desk, line: Sequence[str]) -> tuple[Wish, Values] | None:
    """Return what is wanted by the words of a line, and the values; None for what is none of it.

    Raises UserError where they are not what it wants to know.
    """
    first, rest = line[0].lower(), [*line[1:]]
    for do, wish in WISHES.items():
        for typed in wish.typed:
            if first not in (typed.words or (do,)):
                continue
            given = [first, *rest] if typed.is_value else rest
            count = typed.is_value + len(typed.example.split())
            if typed.example:
                given[count - 1 :] = [" ".join(given[count - 1 :])] if len(given) >= count else []
            if len(given) == count or (typed.is_short and not given):
                return wish, {**_read(desk, wish.fields, typed, given), **typed.also}
    return None


def _read(desk: Desk, fields: Fields, typed: Typed, given: list[str]) -> Values:
    values: dict[str, Any] = {}
    for (name, field), text in zip(fields.items(), given, strict=False):
        if name in typed.reads:
            values[name] = typed.reads[name](desk, text)
            continue
        values[name] = field.reads(text)
        if not field.fits(values[name]):
            raise UserError(tr("'{text}' is not {kind}", text=printable(text), kind=field.says))
    return values


def typed_help(desk: Desk) -> str:
    """Return all that can be typed at a table, with examples."""
    told = []
    for do, wish in WISHES.items():
        with suppress(UserError):
            for need in wish.needs:
                need(desk)
            for typed in wish.typed:
                words = typed.words if typed.is_value else (typed.words or (do,))[:1]
                told.append(" ".join(filter(None, (", ".join(words), typed.example, typed.remark))))
    return ", ".join(told)

"""What two players agree on: turns back, a draw, another game or a lesson; and who gives up.

One negotiation for all kinds of seats: who is at the table and its page, a guest, a program. What
somebody asks is asked of everybody whom it concerns, in the same words; it waits for each person's
yes, and ends with a no, once it is withdrawn, or out of date as the game went on. Two rules: no
turn is taken back unasked that another person has seen, and every question is seen to be answered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from chronotable.link.frames import LocalLinkError
from chronotable_host.engine.levels import rules_of, states_of
from chronotable_host.errors import UserError
from chronotable_host.language import names, tr, tr_n
from chronotable_host.live.happenings import (
    NEW_POSITION,
    GameOver,
    Happening,
    Notice,
    TakenBack,
    Turn,
)
from chronotable_host.live.players.person import Guest
from chronotable_host.live.texts.table_texts import plays_itself
from chronotable_host.rules.notation import parse_player
from ttykm import layout

if TYPE_CHECKING:
    from chronotable_host.engine.thinkers import Thinker
    from chronotable_host.live.desk import Desk
    from ttykm.game import Game

DRAW, TAKE_BACK, NEW, LESSON, PUZZLE = "draw", "take_back", "new", "lesson", "puzzle"
ASIDE, REMATCH, AGAIN = "aside", "rematch", "again"
"""What can be asked; `AGAIN` far apart alone, where games follow each other in a room."""
NOTHING_ASKED = tr("there is nothing to answer any more")
NOT_YOURS = tr("there is no turn of yours that could be taken back")

_PLAYED = ("turn", "provisional", "question")
_DRAWISH_FROM = 30  # turns of both: then a program has tried to win
_LEVEL_FOR = 8  # positions, four of each player's
_LEVEL = 30  # points: as good as equal

Asker = int | None
"""Who asks for something: the side of a guest, None for who is at the table, or at its page."""


_ASKING: Mapping[str, Callable[[str, int], str]] = {
    TAKE_BACK: lambda name, turns: tr_n(
        "{name} would like to take {n} turn back.",
        "{name} would like to take {n} turns back.",
        turns,
        name=name,
    ),
    DRAW: lambda name, _: tr("{name} offers a draw.", name=name),
    ASIDE: lambda name, _: tr(
        "{name} would like to end this game without a result; it is kept.", name=name
    ),
    NEW: lambda name, _: tr("{name} would like to begin another game.", name=name),
    LESSON: lambda name, _: tr("{name} would like to end this game for a lesson.", name=name),
    PUZZLE: lambda name, _: tr("{name} would like to end this game for a puzzle.", name=name),
    REMATCH: lambda name, _: tr("{name} would like a rematch.", name=name),
    AGAIN: lambda name, _: tr("{name} would like another game, with colours exchanged.", name=name),
}
_WAITING = {
    TAKE_BACK: tr("You have asked {name} whether you may take turns back."),
    DRAW: tr("You have offered {name} a draw."),
    ASIDE: tr("You have asked {name} to end this game without a result."),
    NEW: tr("You have asked {name} for another game."),
    LESSON: tr("You have asked {name} to end this game for a lesson."),
    PUZZLE: tr("You have asked {name} to end this game for a puzzle."),
    REMATCH: tr("You have asked {name} for another game."),
    AGAIN: tr("You have asked {name} for another game."),
}


def question_text(kind: str, name: str, turns: int = 0) -> str:
    """Return what somebody of this name asks of others."""
    return _ASKING[kind](name, turns)


def typed_question(text: str) -> str:
    """Return a question as those read it who type their answer."""
    return tr("{question} Yes or no?", question=text)


def waiting_text(kind: str, name: str) -> str:
    """Return what somebody has asked who waits for the answer of another one, of this name."""
    return _WAITING[kind].format(name=name)


class FarNegotiation(Protocol):
    """What else there is to say to somebody at another table, far away; raises UserError."""

    def say(self, text: str, /) -> None:
        """Say a line."""

    def again(self) -> None:
        """Want another game, or agree to that."""


class _Question(NamedTuple):
    number: int
    kind: str
    by: Asker
    name: str  # of who asks
    asked: frozenset[int]  # the sides that have not said yes yet
    grants: Callable[[], None]
    text: str
    total: int  # turns of the game, one that may be reopened included
    seats: dict[int, Thinker]  # who sat there then
    lost: str = ""  # the turn that is taken back already, to be played again after a no


class Negotiation:
    """The negotiation of those who play at one desk's table.

    What is asked for raises UserError and LocalLinkError. `said` is how the last question was
    answered, until something else is asked for.
    """

    def __init__(self, desk: Desk) -> None:
        self.said = ""
        self._desk = desk
        self._question: _Question | None = None
        self._number = 0
        self._unsaid = ""
        self._answered = ""  # what is said once the position is there that was agreed on
        self._back_to: int | None = None  # how many turns are left once all are taken back
        self._more_back = 0  # how many of them the table was not told yet
        self._taken_back = ""  # the turn that was, at the table itself
        self._again = ""  # a guest's, which is played again once it is the guest's turn
        self._offers: set[int] = set()  # who offers a draw, as the table said last

    # ---- what people ask for

    def undo(self, by: Asker) -> None:
        """Go back to the last decision of who asks; who plays against them elsewhere is asked."""
        desk, mirror = self._desk, self._desk.mirror
        if desk.analysis is not None and desk.analysis.is_on:
            desk.analysis.back()
            return
        if desk.tutor is not None and desk.tutor.is_on:
            raise UserError(tr("a lesson takes back by itself what is to be tried again"))
        last = mirror.game.mover if mirror.provisional is not None else 1 - mirror.game.mover
        own = self._own(by)
        is_others = last not in own | self._of_table
        if last in own:
            asked = self._facing(by)
        else:
            asked = frozenset((last,) if is_others and self._party(last) != by else ())
            asked -= desk.seats.programs
            if asked and own and self._total == 1:
                raise UserError(NOT_YOURS)
        back = 2 if is_others and own and self._total > 1 else 1
        if asked:
            self._ask(TAKE_BACK, by, asked, partial(self._take_back, back), back)
        else:
            self._take_back(back)

    def draw(self, by: Asker, side: str) -> None:
        """Offer a draw for a side, "" for the only one, or take what the other side offers."""
        offerer = self._side(by, side)
        self._check_game()
        question = self._question
        if question is not None and question.kind == DRAW:
            if offerer not in question.asked:
                raise UserError(tr("your offer stands already"))
            self.answer(by, None, is_yes=True)
            return
        self._desk.session.command("draw", side="wb"[offerer])
        self._offer(offerer)

    def resign(self, by: Asker, side: str) -> None:
        """Give up for a side."""
        loser = self._side(by, side)
        self._check_game()
        self._desk.session.command("resign", side="wb"[loser])

    def begin(self, by: Asker, begins: Callable[[], None], kind: str = NEW) -> None:
        """Begin another game, or what ends this one; guests in one who are there are asked."""
        mirror, guests = self._desk.mirror, self.guests_there.difference({by})
        if guests and mirror.is_in_game and mirror.is_played:
            self._ask(kind, by, guests, begins)
        else:
            begins()

    def put_aside(self, by: Asker, begins: Callable[[], None]) -> None:
        """End the game without a result; who plays against them and is there is asked."""
        self._check_game()

        def ends() -> None:
            begins()
            self._answered = tr("The game has ended without a result, and is kept.")

        if asked := self._facing(by):
            self._ask(ASIDE, by, asked, ends)
        else:
            ends()

    def rematch(self, by: Asker, begins: Callable[[], None]) -> None:
        """Begin the game anew that is over; who has played against them is asked."""
        if asked := self._facing(by):
            self._ask(REMATCH, by, asked, begins)
        else:
            begins()

    def answer(self, by: Asker, number: int | None, is_yes: bool) -> None:
        """Answer the question of this number, None for the open one, for all sides of one's own."""
        question = self._question
        own = frozenset() if question is None else self._parts(by, question.asked)
        if question is None or not own or number not in (None, question.number):
            raise UserError(NOTHING_ASKED)
        if not is_yes:
            self._decline(question, min(own))
        elif question.asked - own:
            self._question = question._replace(asked=question.asked - own)
        else:
            question.grants()
            self._question = None
            if question.kind == TAKE_BACK:
                self.said = tr("{name} says yes.", name=names.PLAYERS[min(own)])
                self._tell(self.said)

    def withdraw(self, by: Asker, number: int | None) -> None:
        """Let go of one's own question."""
        question = self._question
        if question is None or question.by != by or number not in (None, question.number):
            raise UserError(NOTHING_ASKED)
        self._close(question, tr("{name} withdraws the question.", name=question.name))

    def check_seat(self, side: str, who: str) -> None:
        """Raise UserError where somebody may not play a side: here anybody may play any."""

    # ---- who is who

    @property
    def is_with_others(self) -> bool:
        """Whether a guest plays."""
        return any(self._party(side) is not None for side in range(2))

    @property
    def guests_there(self) -> frozenset[int]:
        """The sides of guests whose links somebody has open: nobody else could answer for them."""
        guests = self._desk.seats.thinkers.items()
        return frozenset(side for side, each in guests if isinstance(each, Guest) and each.is_there)

    def _party(self, side: int) -> Asker:
        """Return who speaks for a side: its guest, else who is at the table."""
        return side if isinstance(self._desk.seats.thinkers.get(side), Guest) else None

    def _parts(self, by: Asker, sides: frozenset[int]) -> frozenset[int]:
        return frozenset(side for side in sides if self._party(side) == by)

    def _own(self, by: Asker) -> frozenset[int]:
        """Return the sides that somebody plays; who is at the table plays for no program."""
        return self._parts(by, frozenset(range(2)) - self._desk.seats.programs - self._of_table)

    def _facing(self, by: Asker) -> frozenset[int]:
        """Return the sides of other persons than who asks, but for guests who are not there."""
        there = {None, *self.guests_there} - {by}
        sides = frozenset(side for side in range(2) if self._party(side) in there)
        return sides - self._desk.seats.programs - self._of_table

    @property
    def _of_table(self) -> frozenset[int]:
        """The sides that the table itself plays: it goes back to hands' decisions by itself."""
        levels = self._desk.mirror.table.own_levels
        return frozenset(side for side, level in enumerate(levels) if plays_itself(level))

    def _side(self, by: Asker, side: str) -> int:
        """Return the side that is meant; raises UserError where it is somebody else's."""
        own = self._own(by)
        if not side and len(own) != 1:
            raise UserError(tr("say which side, white or black"))
        meant = parse_player(side) if side else min(own)
        if self._party(meant) != by:
            player = names.PLAYERS_WITHIN[meant]
            raise UserError(tr("that is for who plays {player} to say", player=player))
        return meant

    @property
    def _total(self) -> int:
        mirror = self._desk.mirror
        return len(mirror.game.turns) + (mirror.provisional is not None)

    def _check_game(self) -> None:
        if not self._desk.is_there or self._desk.mirror.table.phase not in _PLAYED:
            raise UserError(tr("there is no game that goes on just now"))

    # ---- questions

    def _ask(
        self,
        kind: str,
        by: Asker,
        asked: frozenset[int],
        grants: Callable[[], None],
        turns: int = 0,
        side: int | None = None,
        lost: str = "",
    ) -> None:
        """Ask for something; one question is open at a time."""
        if self._question is not None:
            raise UserError(tr("there is a question already that waits for its answer"))
        asks = by if side is None else side
        if asks is None and len(asked) == 1:
            asks = 1 - min(asked)
        name = tr("The table") if asks is None else names.PLAYERS[asks]
        text = question_text(kind, name, turns)
        self._number += 1
        self._question = _Question(
            number=self._number,
            kind=kind,
            by=by,
            name=name,
            asked=asked,
            grants=grants,
            text=text,
            total=self._total,
            seats={**self._desk.seats.thinkers},
            lost=lost,
        )
        self._tell(typed_question(text))

    def _offer(self, side: int) -> None:
        """Take note that a side offers a draw; a question that waits gives way to it."""
        self._question = None
        other = 1 - side
        agrees = partial(self._desk.session.command, "draw", side="wb"[other])
        self._ask(DRAW, self._party(side), frozenset((other,)), agrees, side=side)

    def _decline(self, question: _Question, side: int) -> None:
        player = names.PLAYERS[side]
        is_draw = question.kind == DRAW
        self._close(question, _declined(side) if is_draw else tr("{name} says no.", name=player))
        self._again = question.lost

    def _close(self, question: _Question, says: str) -> None:
        if question.kind == DRAW and self._desk.mirror.table.phase == "turn":
            self._desk.session.command("answer", choice="n")  # the table lets go of it
        self._question = None
        self._tell(says)
        self.said = says

    def _take_back(self, turns: int) -> None:
        """Take turns back, all but the first in the next steps: the line may take one alone now."""
        back_to = self._total - turns
        self._desk.undo()
        self._back_to, self._more_back = back_to, turns - 1

    def _tell(self, sentence: str) -> None:
        self._desk.tell(Notice(self._desk.mirror.table.event_ms, sentence))

    # ---- what happens

    def hear(self, happening: Happening) -> None:
        """Take what happens at the table: the game goes on without an answer, or is over."""
        is_new = isinstance(happening, NEW_POSITION)
        back = happening if isinstance(happening, TakenBack) else None
        back_to = self._back_to
        if back_to is not None and (self._total <= back_to or (is_new and back is None)):
            self._back_to, self._more_back = None, 0
        if not is_new and not isinstance(happening, GameOver):
            return
        if back is None or back_to is None:
            # else it is what was asked for, and agreed to
            self.said, self._answered = self._answered, ""
        self._unsaid = self._taken_back = self._again = ""
        if back is not None and back_to is None:
            self._taken_back = back.taken_back
        question = self._question
        is_turn = isinstance(happening, Turn)
        if question is None or (is_turn and question.total == self._total):
            return  # it was asked about this very turn
        self._question = None
        player = 1 - self._desk.mirror.game.mover
        if is_turn and question.kind == DRAW and player in question.asked:
            self._unsaid = _declined(player)

    def step(self, _now_ms: int) -> None:
        """Take note of what was done at the table itself, and have programs answer."""
        # too much waits for the table already: a moment later; or somebody was quicker
        with suppress(LocalLinkError, UserError):
            while self._more_back:
                self._desk.undo()
                self._more_back -= 1
            if self._desk.mirror.is_in_step:
                self._go_on_back()
                self._follow_offers()
            self._settle()

    def _go_on_back(self) -> None:
        """Deal with a turn that hands took back: they are at their own decision before a program's.

        A guest's is played again, unless the guest says yes.
        """
        game, seats = self._desk.mirror.game, self._desk.seats
        turn, self._taken_back = self._taken_back, ""
        guest = seats.thinkers.get(game.mover)
        if turn and isinstance(guest, Guest):
            self._ask(TAKE_BACK, None, frozenset((game.mover,)), lambda: None, 1, lost=turn)
        elif turn and game.turns and game.mover in seats.programs:
            if 1 - game.mover not in seats.programs:
                self._take_back(1)
        elif self._again and isinstance(guest, Guest) and guest.builder is not None:
            choices, self._again = self._again.split(), ""
            for choice in choices:
                guest.choose(choice, guest.builder.text)

    def _follow_offers(self) -> None:
        """Take draws that are offered, and lapse, at the table itself."""
        offers, before = self._desk.mirror.table.offers, self._offers
        self._offers = set(offers)
        question = self._question
        if question is None or question.kind != DRAW:
            for side in offers - before:
                self._offer(side)
        elif before and not offers:
            self._question = None
            for side in question.asked & self._of_table:
                self._unsaid = _declined(side)

    def _settle(self) -> None:
        """Drop what is asked of who has gone, answer for programs, and tell what came of it."""
        question, programs = self._question, self._desk.seats.programs
        if question is not None and question.seats != self._desk.seats.thinkers:
            self._question = None  # who asked, or was asked, has gone
        elif question is not None and question.kind == DRAW and question.asked & programs:
            (side,) = question.asked
            if accepts_draw(self._desk.mirror.game, side):
                question.grants()
                self._question = None
                self._tell(tr("{player} accepts the draw.", player=names.PLAYERS[side]))
            else:
                self._decline(question, side)
        if self._unsaid:
            self.said, self._unsaid = self._unsaid, ""
            self._tell(self.said)

    def view(self, by: Asker) -> dict[str, Any]:
        """Return the question that somebody is asked, that somebody waits with, what was said."""
        question = self._question
        shown: dict[str, Any] = {"asks": None, "asked": None, "said": self.said}
        if question is None:
            return shown
        if self._parts(by, question.asked):
            shown["asks"] = {"no": question.number, "kind": question.kind, "says": question.text}
        elif question.by == by:
            name = names.PLAYERS[min(question.asked)]
            says = waiting_text(question.kind, name)
            shown["asked"] = {"no": question.number, "kind": question.kind, "says": says}
        return shown


def _declined(side: int) -> str:
    """Return that a side takes no draw."""
    return tr("{player} plays on.", player=names.PLAYERS[side])


def accepts_draw(game: Game, side: int) -> bool:
    """Tell whether a program of a side takes a draw.

    That is where the end is known and neither wins, or late in a game that it has not stood better
    in for some turns: before, there is a game to be played.
    """
    rules = rules_of(game.state, game.options)
    end = rules.end(rules.node(game.state))
    if end is not None:
        return end == 0 or (end % 2 == 1) != (side == game.mover)
    if len(game.turns) < _DRAWISH_FROM:
        return False
    recent = states_of(game)[-_LEVEL_FOR:]
    worth = [rules.worth(rules.node(state)) for state in recent]
    own = [
        each if layout.mover(state) == side else -each
        for each, state in zip(worth, recent, strict=True)
    ]
    return max(own) <= _LEVEL

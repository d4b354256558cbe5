"""Does what the viewer in control asks for: by commands to the table, or by a virtual table's hand.

One rule: everything is checked before anything is done, and refused with a sentence.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chronotable.link.frames import LocalLinkError
from chronotable_host.archive.store import Archive
from chronotable_host.engine.person import Person
from chronotable_host.engine.seats import PAGE, player_name
from chronotable_host.errors import UserError
from chronotable_host.game_choice import choose_game
from chronotable_host.language import tr, tr_n
from chronotable_host.live.clocks import parse_controls
from chronotable_host.live.settings import parse_settings, spelled
from chronotable_host.puzzles.box import PuzzleBox
from chronotable_host.puzzles.course import PuzzleCourse
from chronotable_host.puzzles.standing import Tries
from chronotable_host.puzzles.trial import ON, SOLVED
from chronotable_host.rules.notation import parse_player
from chronotable_host.web.games import Games
from chronotable_host.web.hand import PageHand
from chronotable_host.web.hints import NO_HINTS
from chronotable_host.web.judging import Judging
from chronotable_host.web.puzzles import judged
from chronotable_host.web.variations import vary
from chronotable_host.web.view import question_of
from ttykm import objects

if TYPE_CHECKING:
    from chronotable_host.live.desk import Desk
    from chronotable_host.live.hinter import Hinter
    from chronotable_host.live.table_analysis import TableAnalysis
    from chronotable_host.live.tutor import Tutor
    from chronotable_host.rules.record import Record
    from chronotable_host.web.other_end import OtherEnd
    from chronotable_host.web.reach import Reach
    from chronotable_host.web.requests import Request

_NO_CLOCKS = tr("there are clocks at a real table only")
_NOT_BUILT = tr("whose turn it is plays it elsewhere, not here on the page")
_NEEDS_HAND = tr("there is nothing to be moved here: the pieces lie on the table")


class Service:
    """Obeys requests. `settings` is what was set from here, `start` what a new game begins with.

    `hand` is None where a real table is mirrored; `offer` offers a draw for a side; `far` is the
    desk of a game far apart, where the table plays one; `reach` says where guests' links lead, once
    the page is served.
    """

    def __init__(
        self,
        desk: Desk,
        archive: Path | None,
        hand: PageHand | None,
        offer: Callable[[int], None] = lambda _side: None,
    ) -> None:
        self.desk = desk
        self.session = desk.session
        self.hand = hand
        self.settings: dict[str, str] = {}
        self.start: dict[str, Any] = {"white": "", "black": "", "handicap": [0, 0]}
        self.is_new_look = False  # the colours have changed
        self.judging = Judging(archive)
        self._archive = archive
        self._offer = offer
        self.far: OtherEnd | None = None
        self.reach: Reach | None = None

    def obey(self, request: Request) -> None:
        """Do what is asked for, and answer."""
        action: Callable[..., None] = getattr(self, "_" + request.do)
        try:
            action(**request.values)
        except (UserError, ValueError, LocalLinkError) as error:
            request.refuse(str(error))
        else:
            request.accept()

    # ---- who comes

    def _address(self) -> None:
        self._reached.switch()

    def _open(self, to: str) -> None:
        if to == "network":
            self._reached.open()
        else:
            self._reached.shut()

    @property
    def _reached(self) -> Reach:
        if self.reach is None:
            raise UserError(tr("the page is not served"))
        return self.reach

    # ---- the game

    def _answer(self, choice: str, turns: str) -> None:
        question = question_of(self.session.mirror)
        if question is None:
            raise UserError(tr("there is no open question"))
        if turns != ";".join(each["turn"] for each in question):
            raise UserError(tr("the table asks something else by now"))
        if self.hand is not None:
            self.hand.check_answer(choice)
        self.session.command("answer", choice=choice[0])

    def _choose(self, text: str, after: str) -> None:
        self._person.choose(text, after)

    def _back(self) -> None:
        self._person.back()

    @property
    def _person(self) -> Person:
        """Return who puts a turn together here; raises UserError where nobody does."""
        person = self.desk.seats.thinkers.get(self.session.mirror.game.mover)
        if not isinstance(person, Person) or person.name != PAGE:
            raise UserError(_NOT_BUILT)
        return person

    def _undo(self) -> None:
        if self.far is not None:
            self.far.ask_back()
            return
        if self._is_analysing:
            self._walk("back")
            return
        if self.desk.tutor is not None and self.desk.tutor.is_on:
            raise UserError(tr("a lesson takes back by itself what is to be tried again"))
        self.desk.undo()

    def _resign(self, side: str) -> None:
        if self.far is not None:
            self.far.resign(side)
            return
        self.session.command("resign", side=side[0])

    def _draw(self, side: str) -> None:
        if self.far is not None:
            self.far.draw(side)
            return
        self._offer(parse_player(side))

    def _new(self, white: str, black: str, handicap: list[int], modules: str, first: str) -> None:
        self._check_free()
        state = objects.new_state(choose_game(modules).modules, parse_player(first), *handicap)
        self.desk.drop()
        self.desk.set_up(state, 0)
        self.start = {"white": white, "black": black, "handicap": handicap}
        self._name(white, black)

    def _branch(self, game: str, turn: int) -> None:
        self._check_free()
        record = self._record(game)
        if turn > len(record.turns):
            raise UserError(
                tr_n(
                    "the game has {n} turns, so none with number {turn}",
                    "the game has {n} turns, so none with number {turn}",
                    len(record.turns),
                    turn=turn,
                )
            )
        states = [game.state for game in record.replay()]
        self.desk.drop()
        self.desk.set_up(array("H", states[turn]), record.options)
        self._name(record.headers["White"], record.headers["Black"])

    def _name(self, *names: str) -> None:
        """Name the players of the games that begin from now on; whom nobody names has a seat's."""
        for side, (name, seat) in enumerate(
            zip(names, self.desk.seats.players().values(), strict=True)
        ):
            self.session.mirror.name_player(side, name or player_name(seat))

    def _set(self, name: str, value: str) -> None:
        wanted = parse_settings([f"{name}={value}"])
        self.session.set(wanted)
        self.settings.update(spelled(wanted))
        self.is_new_look |= name == "palette"

    def _clock(self, times: str) -> None:
        self._check_free()
        if self.desk.clocks is None:
            raise UserError(_NO_CLOCKS)
        self.desk.clocks.set(parse_controls(times))

    # ---- the archive

    def _record(self, game: str) -> Record:
        with closing(Games(self._archive)) as games:
            return games.record_to_continue(game)

    def _judge(self, game: str, level: int) -> None:
        file = self.session.mirror.file
        is_on = file is not None and file.record.headers["Result"] == "*"
        if file is not None and is_on and game in (file.id, file.path.stem):
            raise UserError(tr("this game is still being played; it is analysed when it is over"))
        self.judging.begin(game, level)

    def _stop_judging(self) -> None:
        self.judging.stop()

    def _keep_variation(self, game: str, turn: int, line: str) -> None:
        vary(self._archive, game, turn, line, is_kept=True)

    def _drop_variation(self, game: str, turn: int, line: str) -> None:
        vary(self._archive, game, turn, line, is_kept=False)

    # ---- hints

    @property
    def _hints_given(self) -> Hinter:
        if self.desk.hinter is None:
            raise UserError(NO_HINTS)
        return self.desk.hinter

    def _hint(self) -> None:
        self._hints_given.ask()

    def _hints(self, side: str, may: str) -> None:
        self._hints_given.allow(parse_player(side), may == "on")

    # ---- lessons

    @property
    def _lessons(self) -> Tutor:
        if self.desk.tutor is None:
            raise UserError(tr("there are no lessons at this table"))
        return self.desk.tutor

    def _lesson(self, number: int) -> None:
        if self.desk.analysis is not None:
            self.desk.analysis.drop()
        self._lessons.begin(number)

    def _puzzle(self, number: int, player: str) -> None:
        if self.desk.analysis is not None:
            self.desk.analysis.drop()
        self._lessons.teach(PuzzleCourse(self._folder, number, player))

    def _tried(self, number: int, player: str, turns: str, hinted: int) -> None:
        """Keep how a try on the page ended, at a puzzle that the table has nothing to do with."""
        puzzle = PuzzleBox(self._folder).get(number)
        verdict = judged(puzzle, turns).verdict
        if verdict == ON and not hinted:
            raise UserError(tr("this puzzle is neither solved nor missed yet"))
        Tries(self._folder).note(player, puzzle, verdict == SOLVED and not hinted)

    @property
    def _folder(self) -> Path:
        return Archive(self._archive).folder

    def _go_on(self) -> None:
        self._lessons.go_on()

    def _leave(self) -> None:
        if self._is_analysing:
            self._analysing.leave()
            return
        self._lessons.leave()

    # ---- an analysis

    @property
    def _is_analysing(self) -> bool:
        return self.desk.analysis is not None and self.desk.analysis.is_on

    @property
    def _analysing(self) -> TableAnalysis:
        if self.desk.analysis is None:
            raise UserError(tr("there is no analysis at this table"))
        return self.desk.analysis

    def _analyse(self, game: str, turn: int) -> None:
        self._analysing.begin(self._record(game), turn)

    def _walk(self, way: str) -> None:
        (self._analysing.back if way == "back" else self._analysing.forth)()

    # ---- the hand

    @property
    def _hands(self) -> PageHand:
        if self.hand is None:
            raise UserError(_NEEDS_HAND)
        return self.hand

    def _lift(self, at: int) -> None:
        self._hands.lift(at)

    def _place(self, at: int, piece: str) -> None:
        self._hands.place(at, piece)

    def _put_away(self, piece: str) -> None:
        self._hands.put_away(piece)

    def _tap(self, at: int) -> None:
        self._hands.top.tap(at)

    def _press(self, button: str, side: str) -> None:
        self._hands.check_answer(button)
        if self.far is not None and button == "draw":  # this button knows no sides
            self.far.draw(side)
            return
        self._hands.top.table.press(button, parse_player(side))

    def _clumsy(self, percent: int) -> None:
        self._hands.top.clumsy = percent / 100

    def _reed(self, at: int, how: str) -> None:
        self._hands.top.break_reed(at, how)

    def _tidy(self) -> None:
        self._hands.tidy()

    def _sit(self, side: str, who: str) -> None:
        self.desk.check_seats()
        if self.far is not None:
            self.far.check_seat(side, who)
        self.desk.seats.seat(parse_player(side), who)

    # ---- a game far apart

    @property
    def _played_far(self) -> OtherEnd:
        if self.far is None:
            raise UserError(tr("this table plays no game far apart"))
        return self.far

    def _check_free(self) -> None:
        """Raise UserError where the table plays a game far apart."""
        if self.far is not None:
            self.far.refuse()

    def _agree(self, question: int) -> None:
        self._played_far.agree(question)

    def _decline(self, question: int) -> None:
        self._played_far.decline(question)

    def _withdraw(self, question: int) -> None:
        self._played_far.withdraw(question)

    def _again(self) -> None:
        self._played_far.again()

    def _say(self, text: str) -> None:
        self._played_far.say(text)

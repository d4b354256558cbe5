"""The page, as the thread of the game sees it: it shows what happens and does what viewers ask for.

One rule: the game never waits for the page. Views are given to the hub, requests taken from it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from chronotable.hardware.naming import sensor_name
from chronotable.hardware.sensors import BUTTON, BUTTONS
from chronotable.lights.meanings import OFF, WIN
from chronotable_host import chapters
from chronotable_host.errors import without_folders
from chronotable_host.hardware import boards
from chronotable_host.hardware.drawings.glyphs import module_of
from chronotable_host.hardware.drawings.table import board_svg
from chronotable_host.language import names, speaking, spoken, tr
from chronotable_host.learning.course import SET_UP
from chronotable_host.learning.lessons.course import LessonCourse
from chronotable_host.live.happenings import NEW_POSITION, Happening
from chronotable_host.live.players.hinter import hint_view
from chronotable_host.live.players.person import Person
from chronotable_host.live.players.seats import CANDIDATES, HANDS, ME, PAGE
from chronotable_host.live.players.turn_preview import TurnPreview
from chronotable_host.live.settings import format_settings
from chronotable_host.live.status import is_bad, status_lines, status_of
from chronotable_host.rulebook.book import SIGNS, introductions
from chronotable_host.rules.notation import PLAYERS
from chronotable_host.rules.turn_story import Stories
from chronotable_host.web import headline, looks
from chronotable_host.web.building import building_view
from chronotable_host.web.guests import GuestLink, Guests
from chronotable_host.web.http.hub import Hub, Views
from chronotable_host.web.service import Service
from chronotable_host.web.study.puzzles import headline_of, lesson_view, lessons_offered
from chronotable_host.web.todo import HandsTodo, Todo, named_by_steps, pieces_by_reeds, steps
from chronotable_host.web.view import (
    HappeningLog,
    game_view,
    last_turn,
    pieces_view,
    table_view,
    told_thought,
    under_way,
)

if TYPE_CHECKING:
    from chronotable_host.learning.course import TableCourse
    from chronotable_host.live.desk import Desk
    from chronotable_host.web.hand import HandDesk, PageHand

_SHOWN_MS = 20  # between two views
_HEALTH_MS = 1000
_READY_MS = 1500.0  # after so long the table is set up and the game has begun
_BOARD = "reference"  # as long as no table is there


class ConnectionState(NamedTuple):
    """How the table is reached: `state` is online, waiting or refused."""

    state: str
    text: str


class FarView(Protocol):
    """A game far apart, as far as the page knows of one (chronotable_far/page.py)."""

    def invitation(self) -> Mapping[str, GuestLink]:
        """Return the invitation, as long as nobody has come by it."""

    def shown(self, view: Mapping[str, Any], /) -> dict[str, Any]:
        """Return a page's view with all of the other end in it."""


class Page:
    """Publishes views of a desk's table and does what viewers ask for.

    `board` names the board that is shown, `connection` says how the table is reached, `health` how
    line and table are, in lines. `hand` is a virtual table's.
    """

    def __init__(
        self,
        desk: Desk,
        archive: Path | None,
        hand: PageHand | None,
        board: Callable[[], str],
        connection: Callable[[], ConnectionState],
        health: Callable[[], Sequence[str]],
    ) -> None:
        session = desk.session
        self.hub: Hub = Hub(self.hello)
        self.service = Service(desk, archive, hand)
        self.guests = Guests(desk, self.hello)
        self.desk = desk
        self._session = session
        self._board = board
        self._hand = hand
        self._connection = connection
        self._health = health
        self._log = HappeningLog()
        self._stories = defaultdict[str, Stories](Stories)  # by language
        self._todo = HandsTodo(session.mirror, hand)
        self._preview = TurnPreview()
        self._preview.begin(session.mirror.game.state, session.mirror.game.options)
        self._known = board(), chapters.unlocked()
        self._palette = session.settings.get("palette")
        self._due_ms = self._health_due_ms = 0.0
        self._lines: Sequence[str] = ()
        self._shown: tuple[dict[str, Any], Views] = {}, {}
        self._far: FarView | None = None

    def hello(self) -> dict[str, Any]:
        """Return what a viewer is told first: what does not change, or seldom."""
        shown = self._known[1]
        sensors = [sensor_name(sensor) for sensor in range(BUTTON + len(BUTTONS))]
        palette = format_settings(self._session.settings).get("palette", "standard")
        return {
            "mode": "play" if self._hand is None else "try",
            "board": self._board(),
            "places": [names.place(each) for each in sensors],
            "looks": {
                "meanings": looks.meanings(palette, shown),
                "pieces": looks.pieces(shown),
                "actions": looks.things(shown),
            },
            "games": looks.games(shown),
            "called": {game: names.modules(game) for game in looks.games(shown)},
            "chapters": [each._asdict() for each in introductions()],
            "candidates": [each._asdict() for each in CANDIDATES],
            "hand": self._hand is not None,
            "buttons": sensors[BUTTON:],
            "clocks": self.desk.clocks is not None,
            "analyses": self.desk.analysis is not None,
            "learn": None if self.desk.tutor is None else lessons_offered(),
            "far": self._far is not None,
        }

    def board_svg(self) -> str:
        """Return the picture of the empty board; raises BoardError."""
        return board_svg(boards.read_data(self._board()))

    def play_far(self, view: FarView) -> None:
        """Show a game far apart."""
        self._far = view
        self.guests.others = view.invitation

    def hear(self, happening: Happening) -> None:
        """Take what a mirror or a player tells."""
        game = self._session.mirror.game
        self._log.hear(happening, game)
        if isinstance(happening, NEW_POSITION):
            self._preview.begin(game.state, game.options)

    def step(self, now_ms: float) -> None:
        """Do what was asked for, and show what has changed; `now_ms` is any clock's."""
        for request in self.hub.take():
            self.service.obey(request)
            self._due_ms = now_ms
        if now_ms < self._due_ms:
            return
        self._due_ms = now_ms + _SHOWN_MS
        if now_ms >= self._health_due_ms:
            self._health_due_ms = now_ms + _HEALTH_MS
            self._lines = self._health()
            self._greet_anew()
        if self._palette != self._session.settings.get("palette"):
            self._palette = self._session.settings.get("palette")
            self._greet()
        self._preview.look(self._session.mirror.table.reeds)
        if self.desk.clocks is not None:
            self.desk.clocks.is_left = self._is_left()
        view = self.view()
        others = {}
        for language in sorted(self.hub.languages | self.guests.languages):
            with speaking(language):
                others[language] = self.view()
        self.guests.step(view, others)
        if (view, others) != self._shown:
            self._shown = view, others
            self.hub.publish(view, others)

    def _is_left(self) -> bool:
        """Tell whether who plays on this page alone has not come to the boards, or left them."""
        if self._hand is None or self.desk.negotiation.is_with_others:
            return False
        is_here = self.hub.is_held and self.service.is_at_boards
        return not is_here and PAGE in self.desk.seats.players().values()

    def view(self) -> dict[str, Any]:
        """Return what the page shows."""
        mirror = self._session.mirror
        hand = self._hand
        connection = self._connection()
        hinter, clocks = self.desk.hinter, self.desk.clocks
        judging = self.service.judging.view()
        is_of_this = judging and mirror.file and judging["game"] == mirror.file.id
        lit = None if hinter is None else hinter.lit
        todo = self._todo.steps(self.desk.seats.wanted if lit is None else lit)
        shown = {
            "connection": {"state": connection.state, "text": without_folders(connection.text)},
            **table_view(mirror, self._log, self._preview, self.desk.seats.thinking),
            "game": game_view(mirror, self._log, self._stories[spoken()]),
            "clocks": None if clocks is None else clocks.view(),
            "pieces": named_by_steps(self._pieces(), todo),
            "log": self._log.log,
            "health": {
                "good": not (
                    mirror.table.doubted
                    or is_bad(mirror.table.counters)
                    or is_bad(self._session.link.counters)
                ),
                "lines": [without_folders(line) for line in self._lines],
                "reeds": [{"at": at, "kind": kind} for at, kind in mirror.table.doubted.items()],
            },
            "settings": format_settings(self._session.settings),
            "start": dict(self.desk.begun),
            "players": self.desk.seats.players(),
            "invitations": self.guests.count,
            "guests": self.guests.presence(),
            "reach": None if self.service.reach is None else self.service.reach.view(),
            **self.desk.negotiation.view(None),
            "thought": told_thought(self.desk.seats.thought),
            "problem": self.desk.seats.problem,
            "matched": self.desk.matching.says,
            "hand": None if hand is None else hand.view(),
            "builder": None,
            "todo": [step._asdict() for step in todo],
            "signs": self._signs(todo),
            "lesson": None,
            "judging": judging,
            "scores": judging["scores"] if judging and is_of_this else None,
            "hint": None if hinter is None else hinter.view(),
            "hints": None if hinter is None else hinter.sides(),
        }
        if self._todo.is_turn:
            shown["guide"] = None  # what it says of the lights, the steps say better
        tutor = self.desk.tutor
        course = None if tutor is None else tutor.course
        analysis = self.desk.analysis
        if analysis is not None and analysis.is_on:
            game = {**shown["game"], "over": None, **dict.fromkeys(PLAYERS, "?")}
            shown |= {"lesson": analysis.view(), "game": game}
        if self._far is not None:
            return self._far.shown({**shown, **self._building(shown["game"], last_turn(shown))})
        if course is None:
            shown |= self._building(shown["game"], last_turn(shown))
        else:
            shown |= self._with_lesson(course, shown)
        matched = shown["matched"] if shown["phase"] == "over" else ""
        return {**shown, "note": shown["said"] or f"{shown['note']} {matched}".strip()}

    def _signs(self, todo: list[Todo]) -> list[str]:
        """Return which lights of a real table ask for the chapters' pieces that hands are to put.

        The page's picture has these pieces themselves.
        """
        looks_due = () if self._hand is not None else (step.look for step in todo if step.look)
        due = {chapters.needed(module_of(look)) for look in looks_due}
        return [SIGNS[number - 1] for number in sorted(due) if 0 < number <= self._known[1]]

    def _with_lesson(self, course: TableCourse, shown: dict[str, Any]) -> dict[str, Any]:
        """Return what takes the table's place in a lesson: no game is over in it."""
        is_alone = self._hand is not None and self._hand.moves_alone
        built = (
            {}
            if course.state == SET_UP and is_alone
            else self._building(shown["game"], course.title)
        )
        if not built.get("builder"):
            built |= headline_of(course, "says" in built, is_alone)
        game, hint = {**built.get("game", shown["game"]), "over": None}, None
        now = self._session.mirror.game
        if course.hinted is not None and built.get("builder") and now.mover == course.learner:
            hint = hint_view(now, course.hinted)
        lesson = lesson_view(course)
        begun = (built.get("builder") or {}).get("text", "")
        if (
            isinstance(course, LessonCourse)
            and " " in begun  # an action, behind the copy's number
            and course.is_met_by(begun, now.legal_turns())
        ):
            lesson["says"] = tr("That is it! Now finish your turn, any way you like.")
        return {**built, "game": game, "hint": hint, "lesson": lesson}

    def _building(self, game: dict[str, Any], last: str) -> dict[str, Any]:
        """Return what takes the table's place for who puts a turn together here, if anybody.

        `game` is how that is shown, `last` is what happened in the turn before.
        """
        mirror = self._session.mirror
        side = mirror.game.mover
        person = self.desk.seats.thinkers.get(side)
        built = {}
        if isinstance(person, Person) and person.name == PAGE:
            built = building_view(person, side, last, headline.called_in(mirror))
        if self._hand is None or built:
            return built
        is_moving = self._hand.opponent.is_busy and self._log.over() is None
        says = headline.of_mover(mirror)._asdict() if is_moving else {}
        if not self._hand.moves_alone:
            return self._put_right(says)
        aim, turn = self._hand.opponent.aim, self._hand.opponent.turn
        if isinstance(person, Person) and person.builder is not None:
            turn = person.builder.turn  # which the hand has not begun yet
            aim = person.builder.state
        if turn is not None and self._log.over() is None:
            played = {**game, **under_way(mirror.game, turn, aim)}
            says = {**headline.of_mover(mirror)._asdict(), "game": played}
        elif mirror.table.phase == "set-up":
            says = headline.BEING_LAID._asdict()
        return {
            **says,
            "leds": [led if led == WIN else OFF for led in mirror.table.leds],
            "todo": [],
            "guide": None,
            "question": None,
            "pieces": pieces_view(aim),
        }

    def _put_right(self, moving: dict[str, str]) -> dict[str, Any]:
        """Return what takes the lights' place where a virtual table's pieces are not the game's.

        `moving` says that a built-in player's hand moves: then nobody else is to do anything.
        """
        mirror, hand = self._session.mirror, self._hand
        assert hand is not None
        if moving:
            is_told = mirror.table.phase != "turn" or mirror.provisional is not None
            return {**({} if is_told else moving), "todo": [], "guide": None}
        astray = hand.astray()
        if not astray:
            return {}
        says = headline.of_astray(mirror, mirror.game.mover in hand.seats.thinkers)
        told = steps(astray, hand.due())
        return {**says._asdict(), "todo": [step._asdict() for step in told], "guide": None}

    def _pieces(self) -> list[dict[str, Any]]:
        """Return what lies there: what the hands did, as the game would have it drawn."""
        mirror = self._session.mirror
        by_game = pieces_view(mirror.game.state)
        if self._hand is None:
            return pieces_by_reeds(by_game, mirror.table.reeds, mirror.table.doubted)
        return self._hand.pieces_view(by_game)

    def _greet_anew(self) -> None:
        """Greet all viewers again once another board is there, or a chapter is unlocked.

        The table unlocks it first, whoever did it on this PC: a game of it may begin at once.
        """
        known = self._board(), chapters.unlocked()
        if known != self._known:
            self._known = known
            self._session.share_unlocked()
            self._greet()

    def _greet(self) -> None:
        self.hub.greet()
        self.guests.greet()


def open_page(
    desk: HandDesk,
    board: str,
    archive: Path | None,
    names: tuple[str, str],
    seed: int,
    hints: str | None = None,
    goes_on: bool = False,
) -> Page:
    """Return the page of a virtual table that was just switched on, once a game can begin there.

    `names` are those of the players, `hints` who is given them, as `Hinter.choose` takes it. It
    `goes_on` with a game that the table has in its flash and that is not over, if there is one.
    """
    hand = desk.take_place(Random(seed))
    for side, name in enumerate(names):
        if name == ME:  # whose name is known already
            hand.seats.seat_thinker(side, Person(PAGE))
        elif name != HANDS:
            hand.seats.seat(side, name)
    page = virtual_page(desk, board, archive)
    desk.keep_time()
    _, hinter, _ = desk.assist()
    if hints is not None:
        hinter.choose(hints)
    if goes_on:
        desk.table.run_until(desk.table.now_ms + _READY_MS)
        goes_on = bool(desk.mirror.game.turns) and desk.mirror.is_in_game
    if not goes_on:
        hand.begin(desk.start)
        desk.table.run_until(desk.table.now_ms + _READY_MS)
    desk.check_answered()
    return page


def virtual_page(desk: HandDesk, board: str, archive: Path | None) -> Page:
    """Return the page of a virtual table, plugged in at its desk."""
    says = tr("a virtual table, board {board}, on this computer", board=board)
    online = ConnectionState("online", says)
    desk.page = page = Page(
        desk,
        archive,
        desk.hand,
        board=lambda: board,
        connection=lambda: online,
        health=lambda: (says,),
    )
    return page


class MirroredPage(Page):
    """The page of a desk at a real table, plugged in there."""

    def __init__(self, desk: Desk, archive: Path | None) -> None:
        assert desk.connection is not None
        self._line = desk.connection
        super().__init__(
            desk,
            archive,
            hand=None,
            board=self._known_board,
            connection=self._state,
            health=lambda: status_lines(status_of(self._line)),
        )
        desk.page = self

    def _known_board(self) -> str:
        """Return the board of the table that is there, as far as it is known here."""
        peer = self._session.mirror.table.peer
        known = "" if peer is None else peer.board_name  # its first twelve characters
        return next((name for name in boards.names() if known and name[:12] == known), _BOARD)

    def _state(self) -> ConnectionState:
        line, refusal = self._line, self._session.mirror.table.refusal
        if refusal:
            return ConnectionState("refused", refusal)
        if not line.is_there:
            name = line.name or tr("any port")
            return ConnectionState("waiting", tr("no table at {name} yet", name=name))
        return ConnectionState("online", status_lines(status_of(line))[0])

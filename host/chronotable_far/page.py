"""A game far apart as the page shows it: who is at the other end, what is asked, what was said.

One rule: the game on the page is the log's. How it stands, who plays and how it ended is taken from
there, and only what lies on the table from the table.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from chronotable_far.broker.client import Client
from chronotable_far.entries import other
from chronotable_far.news import name_of, presence
from chronotable_far.room import FarRoom
from chronotable_far.room_records import TableGames
from chronotable_far.table import FarTable, Here
from chronotable_host import chapters
from chronotable_host.archive.store import Archive
from chronotable_host.language import names, tr
from chronotable_host.live.players.person import Person
from chronotable_host.live.players.seats import FAR, PAGE
from chronotable_host.live.texts.happening_texts import ending, why_over
from chronotable_host.rules.notation import PLAYERS
from chronotable_host.rules.record import RESULTS
from chronotable_host.virtual import chance
from chronotable_host.web.guests import GuestLink, guest_link
from chronotable_host.web.hand import HandDesk
from chronotable_host.web.page import virtual_page

if TYPE_CHECKING:
    from chronotable_far.course import Course
    from chronotable_host.live.mirror import Mirror
    from chronotable_host.web.page import Page

_CHAT_LINES = 30


class FarPageView:
    """What a page shows of a game far apart.

    `link` is the invitation by which the other end comes, "" where there is none to give away.
    """

    def __init__(self, far: FarTable, mirror: Mirror, link: str = "") -> None:
        self._far = far
        self._mirror = mirror
        self._link = link
        self._given: dict[str, GuestLink] = {}  # replaced, never changed: the server reads it

    @property
    def _course(self) -> Course:
        return self._far.room.course

    def invitation(self) -> dict[str, GuestLink]:
        """Return the invitation, as long as nobody has come by it."""
        return self._given

    def view(self) -> dict[str, Any]:
        """Return the part of the page's view that is about the other end."""
        far, course = self._far, self._course
        room = far.room
        they = other(room.end)
        own = far.bridge.own
        invites = bool(self._link) and course.join is None
        if invites != bool(self._given):
            self._given = {FAR: guest_link(self._link)} if invites else {}
        return {
            "name": name_of(course, they),
            "side": None if own is None else PLAYERS[own],
            "there": room.there,
            "presence": presence(far),
            "joined": course.join is not None,
            "invites": invites,
            "chats": course.can_chat,
            "chat": [
                {"no": each.number, "own": each.end == room.end, "text": each.text}
                for each in course.chat[-_CHAT_LINES:]
            ],
            "problem": far.post.problem or far.joining.says,
            "stopped": room.stopped,
            "own_turn": own is not None and course.mover == room.end,
        }

    def shown(self, view: Mapping[str, Any]) -> dict[str, Any]:
        """Return a page's view with all of this in it."""
        course, told = self._course, self.view()
        view = {**view, "far": told, "game": self._game(view["game"], course)}
        over = view["game"]["over"]
        if over is not None:
            view |= {"says": over["says"], "note": over["why"], "phase": "over"}
            return view
        if told["stopped"]:
            return {**view, "says": tr("The game cannot go on"), "note": told["stopped"]}
        if not told["joined"]:
            says = tr("Waiting for the other player")
            note = told["problem"] or presence(self._far)
            return {**view, "says": says, "note": note, "builder": None, "phase": "set-up"}
        if view["asked"]:
            view["note"] = view["asked"]["says"]
        elif told["problem"]:
            view["note"] = told["problem"]
        elif view["phase"] == "turn" and not told["own_turn"] and not view["todo"]:
            player = names.PLAYERS[PLAYERS.index(view["game"]["mover"])]
            view["says"] = tr("{player} is thinking", player=player)
            view["note"] = told["presence"]
        return view

    def _game(self, game: Mapping[str, Any], course: Course) -> dict[str, Any]:
        called = {side: course.names.get(end, "?") for end, side in course.sides.items()}
        return {
            **game,
            "id": self._far.records.id,
            "white": called[0],
            "black": called[1],
            "over": self._over(course),
        }

    def _over(self, course: Course) -> dict[str, str] | None:
        if course.result is None:
            return None
        result, termination = course.result
        winner = (*PLAYERS, "draw")[RESULTS.index(result)]
        return {
            "winner": winner,
            "says": ending(winner, termination),
            "why": why_over(winner, termination, self._mirror.game),
        }


class Meeting(NamedTuple):
    """A room and the line to it, the games of tables in it, and what is said of this end.

    `link` is what the other end needs, "" for nothing.
    """

    room: FarRoom
    client: Client
    archive: Archive
    table_games: TableGames
    here: Here
    link: str


class FarPage(HandDesk):
    """A desk at a virtual table that plays in a room, and its page; `how` see `switch_on`.

    `run_until` raises UserError where this end cannot play what it is invited to, and OSError.
    """

    page: Page

    def __init__(
        self,
        meeting: Meeting,
        board: str,
        settings: dict[str, int],
        rng: Random | None = None,
        **how: Any,
    ) -> None:
        room, client, archive, table_games, here, link = meeting
        begin = room.course.begin
        start = None if begin is None or room.stopped else begin.start
        super().__init__(archive, start=start, lock=chapters)
        rng = rng or Random()
        self.switch_on(board, rng, settings, **{"chance": chance.real(), **how})
        self.take_place(rng)
        self.session.settings = settings
        self.page = virtual_page(self, board, archive.folder)
        self.far = FarTable(
            self,
            room,
            client,
            board=lambda: board,
            own_player=lambda: Person(PAGE),
            here=here,
            table_games=table_games,
            lays_ends=True,
        )
        self.page.play_far(FarPageView(self.far, self.mirror, link))

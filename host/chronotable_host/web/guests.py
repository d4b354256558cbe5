"""Guests: whoever has the link of an invitation plays one side from a browser, and does no more.

One rule: a seat is its guest's. What a guest asks for concerns that side alone, what a guest is
shown tells nothing of settings, of the archive but for the game that was played, or of other
invitations; and once the seat is somebody else's, the link leads nowhere. It is of the browser
that came first: another one with the same link looks on, until that guest has gone.
"""

import secrets
import time
from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from chronotable_host.language import LANGUAGE, names, speaking, tr
from chronotable_host.limits import Clock, Quota
from chronotable_host.live.players.person import Guest
from chronotable_host.rules.notation import PLAYERS
from chronotable_host.web import headline
from chronotable_host.web.building import building_view
from chronotable_host.web.http.hub import Hub, Views
from chronotable_host.web.service import GUEST_COMMANDS, obey
from chronotable_host.web.view import last_turn

if TYPE_CHECKING:
    from chronotable_host.live.desk import Desk
    from chronotable_host.web.http.requests import Request

_ENDED = 1001
_SHOWN = (
    "phase",
    "says",
    "note",
    "leds",
    "todo",
    "asks",
    "asked",
    "said",
    "clocks",
    "pieces",
    "hints",
    "scores",
    "guests",
)
_GREETED = ("board", "places", "looks", "candidates", "chapters")
_MOST_ASKED, _WITHIN_S = 3, 10.0
_GONE_S = 8.0  # a phone that changes networks, or a page that is loaded anew, is back before
_RATIONED = ("draw", "resign", "undo")


class GuestLink(NamedTuple):
    """The link to a seat, and the same as a picture of a QR code, a `data:` URI."""

    link: str
    picture: str


def guest_link(link: str) -> GuestLink:
    """Return a link with its picture."""
    import segno  # noqa: PLC0415 - few tables have guests

    code = segno.make(link, micro=False)
    return GuestLink(link, code.svg_data_uri(scale=4, border=4, light="#fff"))


class _Place(NamedTuple):
    guest: Guest
    hub: Hub
    asking: Quota  # of what becomes commands and questions: the table takes few at a time


class Guests:
    """The guests at a table. `hello` is what viewers of the page are told first.

    `step` is called by the game's thread, `hub_of` and `invitations` by that of the server. `count`
    grows whenever links change, and `others` returns invitations that are none to a seat of this
    page.
    """

    def __init__(
        self, desk: "Desk", hello: Callable[[], Mapping[str, Any]], clock: Clock = time.monotonic
    ) -> None:
        self.count = 0
        self.others: Callable[[], Mapping[str, GuestLink]] = dict  # other invitations
        self._desk = desk
        self._hello = hello
        self._clock = clock
        self._places: dict[int, _Place] = {}  # by side; replaced, never changed
        self._shown: dict[int, Views] = {}
        self._base = ""
        self.played = ""
        """The game that was over last at this table and is kept, "" for none."""
        self._announce: Callable[[int, str], None] = lambda _side, _link: None

    def open_at(self, base: str, announce: Callable[[int, str], None]) -> None:
        """Have links begin with a URL, those that are open, too; `announce` is told of each.

        It is told the side and the link.
        """
        self._base, self._announce = base, announce
        self.count += len(self._places)
        for place in self._places.values():
            place.guest.is_announced = False

    def hub_of(self, token: str) -> Hub | None:
        """Return the hub of the guest whose link has this token, None where there is none."""
        for guest, hub, _ in self._places.values():
            if secrets.compare_digest(guest.token.encode(), token.encode()):
                return hub
        return None

    def dismiss(self, code: int, why: str) -> None:
        """Have the sockets of all guests closed."""
        for place in self._places.values():
            place.hub.dismiss(code, why)

    def invitations(self) -> dict[str, GuestLink]:
        """Return the links that lead to a seat now, by its side."""
        links = {side: self._link(place.guest.token) for side, place in self._places.items()}
        own = {PLAYERS[side]: guest_link(link) for side, link in links.items()}
        return {**own, **self.others()}

    def presence(self) -> dict[str, str]:
        """Return of each guest, by side, whether it is "awaited", "here" or "gone"."""
        return {PLAYERS[side]: self._presence(each.guest) for side, each in self._places.items()}

    def _presence(self, guest: Guest) -> str:
        if guest.seen_s is None:
            return "awaited"
        return "here" if self._clock() - guest.seen_s < _GONE_S else "gone"

    @property
    def languages(self) -> set[str]:
        """Those of all guests, but for the program's own."""
        return {each for place in self._places.values() for each in place.hub.languages}

    def step(self, view: Mapping[str, Any], others: Views = MappingProxyType({})) -> None:
        """Let in whom a seat was given to, do what guests ask for, and show them the table.

        `others` is the view in other languages than the program's own.
        """
        self._follow_seats()
        game = view["game"]
        if game["over"] and game["turns"]:
            self.played = game["id"] or ""
        for side, place in self._places.items():
            guest, hub, _ = place
            guest.is_there = hub.is_held
            if guest.is_there:
                guest.seen_s = self._clock()
            elif self._presence(guest) == "gone":
                hub.vacate()
            if not guest.is_announced:
                guest.is_announced = True
                self._announce(side, self._link(guest.token))
            for request in hub.take():
                self._obey(side, place, request)
            shown = {}
            for language, each in {LANGUAGE: view, **others}.items():
                with speaking(language):
                    own = {**each, **self._desk.negotiation.view(side)}
                    shown[language] = _guest_view(own, side, guest)
            if shown != self._shown.get(side):
                self._shown[side] = shown
                hub.publish(shown[LANGUAGE], shown)

    def greet(self) -> None:
        """Tell all guests anew what there is."""
        for place in self._places.values():
            place.hub.greet()

    def _follow_seats(self) -> None:
        """Have a place for each guest; one who is away, as in a lesson, looks on meanwhile."""
        seats = self._desk.seats
        guests = {
            side: thinker
            for side, thinker in {**seats.thinkers, **seats.away}.items()
            if isinstance(thinker, Guest)
        }
        if guests == {side: place.guest for side, place in self._places.items()}:
            return
        former = {place.guest: place for place in self._places.values()}
        self._shown.clear()
        self.count += 1
        self._places = {
            side: former.pop(guest) if guest in former else self._place(guest)
            for side, guest in guests.items()
        }
        self.greet()  # one may have come along to the other side
        for place in former.values():
            place.hub.end(_ENDED, tr("the invitation has ended"))

    def _place(self, guest: Guest) -> _Place:
        hub = Hub(
            partial(self._greeting, guest), self._clock, commands=GUEST_COMMANDS, is_seat=True
        )
        return _Place(guest, hub, Quota(_MOST_ASKED, _WITHIN_S, self._clock))

    def _link(self, token: str) -> str:
        return f"{self._base}{token}/"

    def _greeting(self, guest: Guest) -> dict[str, Any]:
        hello = self._hello()
        sides = [PLAYERS[side] for side, place in self._places.items() if place.guest is guest]
        return {**{key: hello[key] for key in _GREETED}, "mode": "guest", "side": "".join(sides)}

    def _obey(self, side: int, place: _Place, request: "Request") -> None:
        if request.do in _RATIONED and not place.asking.allows():
            request.refuse(tr("that was often; wait for a moment"))
        else:
            obey(self._desk, request, side)


def _guest_view(view: Mapping[str, Any], side: int, guest: Guest) -> dict[str, Any]:
    """Return what a guest is shown of the page's view, with the turn in the making."""
    shown = {key: view[key] for key in _SHOWN}
    game = {key: value for key, value in view["game"].items() if key != "id"}
    shown["game"] = {**game, "is_kept": view["game"]["id"] is not None}
    # a program's path is nobody's business elsewhere
    shown["players"] = {each: who.partition("/")[0] for each, who in view["players"].items()}
    is_due = view["phase"] == "turn" and view["game"]["mover"] == PLAYERS[side]
    shown["hint"] = view["hint"] if is_due else None
    shown["builder"] = None
    if view["connection"]["state"] != "online":
        return {**shown, **headline.AWAY._asdict()}
    if view["phase"] == "question":
        shown |= headline.ASKED._asdict()
    elif view["phase"] == "set-up":  # whoever is at the table does that
        shown |= headline.BEING_LAID._asdict()
    elif is_due and guest.has_played and view["hand"] is None and view["game"]["over"] is None:
        shown |= headline.CARRIED_OUT._asdict()
    elif not is_due and view["builder"] is not None:  # whoever is at the page is asked there
        shown |= headline.to_move(names.PLAYERS[1 - side], last_turn(view))._asdict()
    shown |= building_view(guest, side, last_turn(view))
    return {**shown, "note": shown["said"] or shown["note"]}

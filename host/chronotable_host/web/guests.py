"""Guests: whoever has the link of an invitation plays one side from a browser, and does no more.

One rule: a seat is its guest's. What a guest asks for concerns that side alone, what a guest is
shown tells nothing of settings, of the archive, or of other invitations; and once the seat is
somebody else's, the link leads nowhere.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import segno

from chronotable import meanings
from chronotable.sensors import FOCUS, SENSORS
from chronotable_host.engine.guest import Guest
from chronotable_host.errors import UserError
from chronotable_host.live.draw_offers import offer_draw
from chronotable_host.rules.notation import PLAYERS
from chronotable_host.web.hub import Hub
from chronotable_host.web.requests import GUEST_COMMANDS, Request
from chronotable_host.web.view import pieces_view
from ttykm import layout

if TYPE_CHECKING:
    from chronotable_host.engine.thinkers import Seats
    from chronotable_host.live.session import Session
    from chronotable_host.rules.turn_builder import TurnBuilder

_ENDED = 1001
_SHOWN = ("connection", "phase", "says", "leds", "todo", "game", "clocks", "pieces", "players")
_GREETED = ("board", "sensors", "looks")
_SAYS = {
    "copy": "Your turn: choose one of your copies.",
    "action": "What does it do?",
    "focus": "Where does your focus go?",
    "nothing": "Is this your turn? Then play it.",
}
_CARRIED_OUT = "Your turn is lit on the table; hands carry it out there."


class Invitation(NamedTuple):
    """The link to a seat, and the same as a picture of a QR code, a `data:` URI."""

    link: str
    picture: str


class _Desk(NamedTuple):
    guest: Guest
    hub: Hub


class Guests:
    """The guests at a table. `hello` is what viewers of the page are told first.

    `step` is called by the game's thread, `hub_of` and `invitations` by that of the server. `count`
    is how many were invited so far.
    """

    def __init__(
        self,
        session: Session,
        seats: Seats,
        hello: Callable[[], Mapping[str, Any]],
        say: Callable[[str], None],
    ) -> None:
        self.count = 0
        self._session = session
        self._seats = seats
        self._hello = hello
        self._say = say
        self._desks: dict[int, _Desk] = {}  # by side; replaced, never changed
        self._shown: dict[int, dict[str, Any]] = {}
        self._base = ""
        self._announce: Callable[[int, str], None] = lambda _side, _link: None

    def open_at(self, base: str, announce: Callable[[int, str], None]) -> None:
        """Have links begin with a URL; `announce` is told the side and the link of each."""
        self._base, self._announce = base, announce

    def hub_of(self, token: str) -> Hub | None:
        """Return the hub of the guest whose link has this token, None where there is none."""
        for desk in self._desks.values():
            if desk.guest.token and secrets.compare_digest(desk.guest.token, token):
                return desk.hub
        return None

    def invitations(self) -> dict[str, Invitation]:
        """Return the links that lead to a seat now, by its side."""
        links = {PLAYERS[side]: self._link(desk.guest) for side, desk in self._desks.items()}
        return {side: Invitation(link, _qr_code(link)) for side, link in links.items()}

    def step(self, view: Mapping[str, Any]) -> None:
        """Let in whom a seat was given to, do what guests ask for, and show them the table."""
        self._follow_seats()
        for side, (guest, hub) in self._desks.items():
            for request in hub.take():
                self._obey(side, guest, request)
            shown = _guest_view(view, side, guest)
            if shown != self._shown.get(side):
                self._shown[side] = shown
                hub.publish(shown)

    def greet(self) -> None:
        """Tell all guests anew what there is."""
        for desk in self._desks.values():
            desk.hub.greet()

    def _follow_seats(self) -> None:
        guests = {
            side: thinker
            for side, thinker in self._seats.thinkers.items()
            if isinstance(thinker, Guest)
        }
        if guests == {side: desk.guest for side, desk in self._desks.items()}:
            return
        former = self._desks
        self._shown.clear()
        self._desks = {
            side: former[side]
            if side in former and former[side].guest is guest
            else _Desk(guest, Hub(partial(self._greeting, side), commands=GUEST_COMMANDS))
            for side, guest in guests.items()
        }
        for desk in former.values():
            if desk not in self._desks.values():
                desk.hub.dismiss(_ENDED, "the invitation has ended")
        for side, desk in self._desks.items():
            if desk not in former.values():
                self.count += 1
                self._announce(side, self._link(desk.guest))

    def _link(self, guest: Guest) -> str:
        return f"{self._base}{guest.token}/"

    def _greeting(self, side: int) -> dict[str, Any]:
        hello = self._hello()
        return {**{key: hello[key] for key in _GREETED}, "mode": "guest", "side": PLAYERS[side]}

    def _obey(self, side: int, guest: Guest, request: Request) -> None:
        try:
            match request.do:
                case "draw":
                    self._say(f"{PLAYERS[side]} offers a draw")
                    offer_draw(self._session, side, self._seats.programs, self._say)
                case "resign":
                    self._session.command("resign", side=PLAYERS[side][0])
                case "play":
                    guest.play()
                case "back":
                    _builder_of(guest).back()
                case "choose":
                    _builder_of(guest).choose(request.values["text"])
        except (UserError, ValueError) as error:  # what the link refuses is a ValueError
            request.refuse(str(error))
        else:
            request.accept()


def _builder_of(guest: Guest) -> TurnBuilder:
    if guest.builder is None:
        raise UserError("it is not your turn")
    return guest.builder


def _guest_view(view: Mapping[str, Any], side: int, guest: Guest) -> dict[str, Any]:
    """Return what a guest is shown of the page's view, with the turn in the making."""
    shown = {key: view[key] for key in _SHOWN}
    builder = guest.builder
    if builder is None:
        is_due = view["phase"] == "turn" and view["game"]["mover"] == PLAYERS[side]
        is_over = view["game"]["over"] is not None
        says = _CARRIED_OUT if is_due and not is_over else view["says"]
        return {**shown, "says": says, "making": None}
    return {
        **shown,
        "says": _SAYS[builder.due],
        "todo": [],
        "leds": _lights(builder, side),
        "pieces": pieces_view(builder.state),
        "making": {
            "due": builder.due,
            "text": builder.text,
            "choices": [{"at": each.at, "text": each.text} for each in builder.choices],
        },
    }


def _lights(builder: TurnBuilder, side: int) -> list[int]:
    """Return what the table would light for hands that make this turn."""
    leds = [meanings.OFF] * SENSORS
    leds[FOCUS + 3 * side + layout.focus(builder.state, side)] = meanings.MOVER
    if builder.active is not None:
        leds[builder.active] = meanings.COPY
    for choice in builder.choices:
        leds[choice.at] = max(leds[choice.at], choice.meaning)
    return leds


def _qr_code(link: str) -> str:
    code: str = segno.make(link, micro=False).svg_data_uri(scale=4, border=4, light="#fff")
    return code

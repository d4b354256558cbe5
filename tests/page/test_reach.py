"""Where guests' links lead: this computer alone until its owner opens it, and by which address."""

from __future__ import annotations

import ipaddress
import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from chronotable_host.commands.common import page_server
from chronotable_host.commands.play_work import PlayControl
from chronotable_host.web.http import serving
from tests.page.browsing import Browser, opened, waits_until
from tests.page.evening import EAST_AND_FORWARD, Evening
from tests.page.looker import Looker
from tests.page.served import WAIT_S

WAYS = ("127.0.0.2", "127.0.0.3")
"""Other addresses of this computer, as those of two networks."""


class House:
    """A table whose black is a guest's, served as `try` serves it."""

    def __init__(self, looker: Looker, capsys: pytest.CaptureFixture[str]) -> None:
        self.looker = looker
        self._capsys = capsys
        self.own = looker.page.hub.join("127.0.0.1 port 5000", lambda: None)
        assert looker.ask("sit", side="black", who="guest") == ""
        looker.page.hub.receive(looker.viewer, '{"id": 99, "do": "release_control"}')

    def asks(self, do: str, address: str = "127.0.0.1", **values: str) -> str:
        """Ask from an address; return why it is refused, "" where it is done."""
        hub = self.looker.page.hub
        viewer = hub.join(f"{address} port 5000", lambda: None)
        hub.receive(viewer, json.dumps({"id": 1, "do": do, **values}))
        self.looker.evening.wait(60)
        told = [json.loads(text) for text in hub.outgoing(viewer)]
        hub.leave(viewer)
        (reply,) = (message for message in told if message["type"] == "reply")
        return str(reply.get("why", ""))

    def link(self) -> str:
        """Return the guest's link, as the page shows it and the terminal has said it last."""
        (invitation,) = self.looker.page.guests.invitations().values()
        _, *behind = self._capsys.readouterr().err.split(invitation.link)
        assert len(behind) == 1
        assert ("from this PC only" in behind[0]) == ("127.0.0.1" in invitation.link)
        return invitation.link


@pytest.fixture
def house(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[House]:
    found = [ipaddress.ip_address(each) for each in WAYS]
    monkeypatch.setattr(serving, "lan_addresses", lambda ipv6: found)
    monkeypatch.setattr(page_server, "tell_of_refusals", lambda: None)  # on this test's stderr
    with closing(Evening(folder=tmp_path)) as evening:
        looker = Looker(evening, tmp_path)
        with closing(page_server.serve(looker.page, tmp_path, None, no_browser=True)):
            yield House(looker, capsys)


def opens(url: str) -> int:
    """Return the status of what a link leads to, 0 where nobody answers."""
    try:
        with urlopen(url, timeout=WAIT_S) as answer:
            return int(answer.status)
    except HTTPError as error:
        error.close()
        return error.code
    except OSError:
        return 0


def test_the_owner_lets_others_in_and_out_again(house: House) -> None:
    own = house.link()
    assert "//127.0.0.1:" in own
    assert house.asks("open", to="nobody").startswith("the page was not opened here")
    assert house.asks("open", "192.168.1.5", to="network") == (
        "only a page on the computer itself may do that"
    )
    assert house.asks("open", to="network") == ""
    first = house.link()
    assert f"//{WAYS[0]}:" in first
    assert house.asks("open", to="network") == "the page is open to this network already"
    assert house.asks("address", "192.168.1.5") == ""
    second = house.link()
    assert f"//{WAYS[1]}:" in second
    for link in (own, first, second):
        assert opens(link) == 200  # who has come by one stays
    assert opens(second.partition("guest")[0]) == 403  # the whole page wants the token
    assert house.looker.look()["reach"] == {"open": True, "opened": True, "addresses": 2}
    assert house.asks("address") == ""
    assert f"//{WAYS[0]}:" in house.link()
    assert house.asks("open", to="nobody") == ""
    assert house.link() == own
    assert house.asks("address") == "this computer has no other address"
    assert opens(own) == 200
    while opens(first):  # its server ends beside the game
        pass


def test_another_address_is_typed_where_the_table_is_real(house: House) -> None:
    lines: list[str] = []
    typed = SimpleNamespace(take=lambda: lines.pop() if lines else None)
    evening = house.looker.evening
    screen = SimpleNamespace(refresh=lambda: None, hear=lambda _: None)
    own = {"address": house.looker.page.service.reached.switch}
    control = PlayControl(evening, screen, typed, False, own)  # type: ignore[arg-type]
    assert house.asks("open", to="network") == ""
    for way in (*WAYS, WAYS[0]):
        assert f"//{way}:" in house.link()
        lines.append("address")
        control.is_done()
        house.looker.look()


@pytest.mark.browser
def test_buttons_below_an_invitation_let_others_in(browser: Browser, house: House) -> None:
    looker = house.looker
    url = house.link().partition("guest")[0]
    page = opened(browser, f"{url}#start/friend").page
    looker.look()
    closed = page.get_by_text("closed to other devices")
    closed.wait_for()

    def leads_to(way: str, name: str) -> bool:
        page.get_by_role("button", name=name).click()
        shown = page.locator(".invite a", has_text=way)
        waits_until(page, lambda: bool(looker.look()) and shown.is_visible())
        return True

    assert leads_to(WAYS[0], "Open it to my Wi-Fi")
    assert leads_to(WAYS[1], "Another address")
    page.get_by_role("button", name="Close it to all other devices, guests too").click()
    waits_until(page, lambda: bool(looker.look()) and closed.is_visible())
    assert page.locator(".invite").count() == 0


@pytest.mark.browser
def test_who_is_invited_after_a_game_moves_in_a_new_one(browser: Browser, house: House) -> None:
    looker = house.looker
    url = house.link().partition("guest")[0]
    assert house.asks("open", to="network") == ""
    looker.look()
    assert looker.ask("sit", side="black", who="hands") == ""
    page = opened(browser, f"{url}#start/friend").page
    looker.look()
    page.get_by_text("The game that goes on stays as it is").wait_for()
    looker.evening.do(*EAST_AND_FORWARD)
    looker.evening.wait(1500)
    assert looker.ask("resign", side="white") == ""
    new = page.get_by_text("In a new game your friend moves there.")
    waits_until(page, lambda: bool(looker.look()) and new.is_visible())

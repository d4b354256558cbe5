"""Rude crowds at a real server: whatever they hold open, the owner and the phone get in.

Their addresses are 127.0.0.2 and the like, which the server takes for any others. The clock by
which connections are ended is the tests' own, and stands still unless they move it.
"""

import contextlib
import http.client
import itertools
import socket

import pytest

from chronotable_host import limits
from chronotable_host.limits import REQUEST_S
from tests import lanes
from tests.page.served import WAIT_S, served
from tests.page.test_hub import Clock

OWN, PHONE = "127.0.0.1", "127.0.0.77"
MANY = [f"127.0.1.{number}" for number in range(2, 42)]
_WAVE = 80


def has_more_addresses():
    try:
        with socket.create_server((PHONE, 0)):
            return True
    except OSError:
        return False


pytestmark = pytest.mark.skipif(not has_more_addresses(), reason="this system has one address")


class Evening:
    """A server beyond this PC, and whoever comes."""

    def __init__(self, page, closing):
        self.page = page
        self.clock = page.clock
        self._closing = closing
        self._cookie = page.get("/?token=T").headers["set-cookie"].partition(";")[0]

    def come(self, address, sent=b""):
        """Connect from an address and send something; return the socket."""
        come = socket.create_connection((OWN, self.page.port), WAIT_S, (address, 0))
        self._closing.callback(come.close)
        with contextlib.suppress(OSError):  # some are ended at once
            come.sendall(sent)
        return come

    def crowd(self, count, addresses=MANY, sent=b""):
        """Come many times, in waves of which the system keeps all that the server has yet to take.

        Of more at once it would drop some, and try again a second later.
        """
        named = itertools.cycle(addresses)
        come = []
        for number in range(count):
            if number and number % _WAVE == 0:
                self.settle()
            come.append(self.come(next(named), sent))
        return come

    def request(self, path="/board.svg", more="", known=True):
        cookie = f"Cookie: {self._cookie}\r\n" if known else ""
        return f"GET {path} HTTP/1.1\r\nHost: {self.page.own}\r\n{cookie}{more}\r\n".encode()

    def gets(self, come):
        """Send a request that is let in, on a connection that is there; return the status."""
        come.sendall(self.request())
        return status(come)

    def get_from(self, address):
        return self.gets(self.come(address))

    def settle(self):
        """Have the server take all that was sent so far: what is sent later comes later."""
        assert self.get_from(OWN) == 200

    def visit(self, address):
        """Look on from an address."""
        return self.page.visit(source=address, Cookie=self._cookie)


def status(come):
    response = http.client.HTTPResponse(come)
    response.begin()
    response.read()
    return response.status


def is_ended(come):
    """Wait for the end of a connection."""
    with contextlib.suppress(ConnectionError):
        while come.recv(4096):
            pass
    return True


@pytest.fixture
def evening(tmp_path):
    clock = Clock()
    with (
        served(tmp_path, host="0.0.0.0", token="T", clock=clock) as page,
        contextlib.ExitStack() as closing,
    ):
        page.clock = clock
        yield Evening(page, closing)


UPGRADE = (
    "GET /ws HTTP/1.1\r\nHost: {own}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)
RUDE = {
    "nothing": "",
    "a byte": "G",
    "half a header": "GET / HTTP/1.1\r\nHost: {own}\r\nCook",
    "a body that does not come": "POST / HTTP/1.1\r\nHost: {own}\r\nContent-Length: 99\r\n\r\n",
    "half a websocket": UPGRADE,
    "a websocket without the cookie": UPGRADE + "\r\n",
    "a websocket without a key": UPGRADE.rpartition("Sec")[0] + "\r\n",
    "a wrong token": "GET /?token=t HTTP/1.1\r\nHost: {own}\r\n\r\n",
}


@pytest.mark.parametrize(
    ("sent", "addresses"),
    lanes.first(
        [("nothing", MANY[:1]), ("nothing", MANY), *((sent, MANY[:5]) for sent in RUDE)], 4
    ),
    ids=lambda value: value if isinstance(value, str) else f"{len(value)} addresses",
)
def test_the_owner_and_the_phone_get_in_whoever_holds_connections(evening, sent, addresses):
    page = evening.page
    sent = RUDE[sent].format(own=page.own).encode()
    with evening.visit(PHONE) as viewer, evening.visit(OWN) as owner:
        kept = evening.come(PHONE)
        assert evening.gets(kept) == 200
        crowd = evening.crowd(160, addresses, sent)
        for address in (OWN, PHONE, "127.0.0.78"):
            assert evening.get_from(address) == 200
        crowd += evening.crowd(160, addresses, sent)
        assert evening.gets(kept) == 200  # let in before, and idle since
        page.hub.publish({"phase": "turn"})
        viewer.hears("view", phase="turn")
        owner.hears("view", phase="turn")
        with evening.visit("127.0.0.79") as late:
            late.hears("view", phase="turn")
    assert all(is_ended(each) for each in crowd[:160])


def test_whoever_comes_while_the_crowd_comes_on_has_its_turn(evening):
    """The phone connects, and then 60 more from as many addresses before its request is there."""
    evening.crowd(200)
    phone = evening.come(PHONE)
    evening.crowd(limits.MOST_STRANGERS - 4)
    assert evening.gets(phone) == 200


@pytest.mark.parametrize("sent", ["nothing", "a byte", "half a header", "half a websocket"])
def test_who_sends_no_whole_request_is_ended(evening, sent):
    crowd = evening.crowd(20, sent=RUDE[sent].format(own=evening.page.own).encode())
    evening.settle()
    evening.clock.now += REQUEST_S - 1
    evening.settle()
    for each in crowd:  # and goes on sending
        each.sendall(b"x")
    evening.clock.now += 1
    assert all(is_ended(each) for each in crowd)


def test_who_sends_no_whole_body_is_ended_though_it_has_its_answer(evening):
    slow = evening.come(PHONE, evening.request(more="Content-Length: 100\r\n"))
    assert status(slow) == 200
    evening.clock.now += REQUEST_S
    assert is_ended(slow)

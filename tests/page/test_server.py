"""The server's beginning and end, its addresses, and who may come from beyond this PC."""

import http.client
import ipaddress
import json
import logging
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import InvalidStatus

from chronotable_host.errors import UserError
from chronotable_host.limits import MOST_OF_ADDRESS
from chronotable_host.web.http import addresses, serving, sockets
from chronotable_host.web.http.addresses import parse_listen
from chronotable_host.web.http.hub import Hub
from chronotable_host.web.http.server import PageServer
from tests import lanes
from tests.lab.ports import free_port
from tests.page.served import BOARD, WAIT_S, FakeGames, hello, served
from tests.sleeping import sleeping_line

ROOT = Path(__file__).parents[2]
NOTICED_WITHIN_S = 10
CLOSED_WITHIN_S = 2.5  # two seconds, and something for a busy machine


def make(folder, **where):
    return PageServer(Hub(hello), FakeGames(), lambda: BOARD, static=folder, **where)


def closing_time(page):
    begun = time.monotonic()
    page.server.close()
    return time.monotonic() - begun


def run(program):
    """Run a program of its own; return its status and what it says."""
    ran = subprocess.run(
        [sys.executable, "-c", program],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
        cwd=ROOT,
    )
    return ran.returncode, ran.stdout, ran.stderr


# ---- beginning


def test_the_usual_port_is_tried_first(tmp_path, monkeypatch, caplog):
    caplog.set_level(logging.INFO, "chronotable.page")
    monkeypatch.setattr(addresses, "PORT", free_port())
    with served(tmp_path) as page:
        assert caplog.messages == []
        assert page.server.port == addresses.PORT
        assert page.server.url == f"http://127.0.0.1:{addresses.PORT}/"
        assert page.server.urls == []
        assert page.get("/board.svg").status == 200
        with served(tmp_path) as second:
            assert second.server.port not in (0, addresses.PORT)
            assert second.get("/board.svg").status == 200
            (told,) = caplog.messages
            assert told == f"port {addresses.PORT} is taken; this page is at another one"


def test_a_port_that_is_asked_for_and_taken_is_an_error(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(UserError) as caught:
            make(tmp_path, port=port).start()
    assert str(caught.value) == (
        f"port {port} of 127.0.0.1 is in use; name another one, or end what uses it"
    )


@pytest.mark.parametrize(
    ("host", "why"),
    [
        ("198.51.100.7", "198.51.100.7 is no address of this machine"),
        ("no such name", "'no such name' is no address, and no name known here"),
        ("x" * 300, f"'{'x' * 24}...' is no address, and no name known here"),
    ],
)
def test_what_cannot_be_listened_at(tmp_path, host, why):
    with pytest.raises(UserError) as caught:
        make(tmp_path, host=host, port=free_port()).start()
    assert str(caught.value) == why


def test_a_port_for_the_privileged(tmp_path, monkeypatch):
    def refuse(address, **_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(socket, "create_server", refuse)
    with pytest.raises(UserError) as caught:
        make(tmp_path, port=80).start()
    assert str(caught.value) == "port 80 of 127.0.0.1 is not open to you; name one above 1023"


def test_signals_are_left_alone(tmp_path):
    before = [signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)]
    with served(tmp_path):
        assert [signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)] == before


@lanes.gate
def test_the_web_is_loaded_by_whom_it_serves_alone():
    program = (
        "import sys, chronotable_host.cli, chronotable_host.web.http.hub\n"
        "print([name for name in ('uvicorn', 'starlette', 'websockets') if name in sys.modules])"
    )
    assert run(program) == (0, "[]\n", "")


# ---- the end


def test_sockets_are_closed_with_a_reason_and_the_port_is_free_again(tmp_path):
    with served(tmp_path) as page, page.visit() as visitor:
        page.hub.publish({"phase": "turn"})
        visitor.hears("view")
        assert closing_time(page) < CLOSED_WITHIN_S
        assert visitor.closed_with() == (1001, "the table's PC has ended the page")
        page.hub.publish({"phase": "over"})
        with served(tmp_path, page.hub, port=page.port) as again, again.visit() as back:
            assert back.hears("hello")["you"] == "screen 2"
            assert back.hears("view")["version"] == 2
            assert back.is_told(back.ask("take_control")) == ""


def test_the_end_waits_for_nobody(tmp_path, caplog):
    """Neither for a socket that is not read, nor for a connection without a request."""
    with served(tmp_path) as page, page.visit() as reader, page.quiet():
        idle = socket.create_connection(("127.0.0.1", page.port), WAIT_S)
        kept = http.client.HTTPConnection("127.0.0.1", page.port, timeout=WAIT_S)
        with idle:
            reader.hears("control", viewers=2)
            kept.request("GET", "/board.svg")
            kept.getresponse().read()
            for number in range(1, 101):
                page.hub.publish({"says": "x" * 10_000})
                reader.hears("view", version=number)
            assert closing_time(page) < CLOSED_WITHIN_S
            assert reader.closed_with()[0] == 1001
        kept.close()
    assert caplog.records == []
    for thread in threading.enumerate():
        if thread.name == "page":
            thread.join(WAIT_S)
            assert not thread.is_alive()


def test_the_end_does_not_wait_for_the_archive(tmp_path):
    is_asked, may_answer = threading.Event(), threading.Event()

    class SlowGames(FakeGames):
        def list(self, *asked):
            is_asked.set()
            may_answer.wait(WAIT_S)
            return {}

    with (
        served(tmp_path, games=SlowGames()) as page,
        socket.create_connection(("127.0.0.1", page.port), WAIT_S) as asking,
    ):
        (thread,) = (each for each in threading.enumerate() if each.name == "page")
        asking.sendall(f"GET /api/games HTTP/1.1\r\nHost: {page.own}\r\n\r\n".encode())
        assert is_asked.wait(WAIT_S)
        assert closing_time(page) < CLOSED_WITHIN_S
        may_answer.set()
        thread.join(WAIT_S)
        assert not thread.is_alive()


def test_closing_twice_or_never_begun_is_no_fault(tmp_path):
    page_server = make(tmp_path)
    page_server.close()
    page_server.start()
    page_server.close()
    page_server.close()


@lanes.gate
def test_a_program_that_forgets_to_close_it_ends_all_the_same():
    program = """
import http.client
from chronotable_host.web.http.hub import Hub
from chronotable_host.web.http.server import PageServer
from tests.page.served import FakeGames, hello
server = PageServer(Hub(hello), FakeGames(), lambda: "<svg/>")
server.start()
connection = http.client.HTTPConnection("127.0.0.1", server.port)
connection.request("GET", "/board.svg")
print(connection.getresponse().status)
"""
    assert run(program) == (0, "200\n", "")


def test_the_second_part_of_an_answer_does_not_wait_for_the_first(tmp_path):
    with served(tmp_path) as page, page.visit() as visitor:
        visitor.hears("hello")
        (connection,) = page.server._server.server_state.connections
        held = connection.transport.get_extra_info("socket")
        assert held.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


# ---- too much, and nonsense


def test_there_are_not_too_many_connections(tmp_path, caplog):
    """What crowds get that come from elsewhere: test_crowd.py."""
    with served(tmp_path) as page, page.visit() as visitor:
        visitor.hears("hello")
        many = range(MOST_OF_ADDRESS + 1)
        idle = [socket.create_connection(("127.0.0.1", page.port), WAIT_S) for _ in many]
        assert idle[0].recv(1) == b""
        assert visitor.is_told(visitor.ask("take_control")) == ""
        for each in idle:
            each.close()
    (record,) = caplog.records
    assert record.getMessage() == (
        "refused: a connection from 127.0.0.1: its address has 16 without a request already"
    )


def frame(opcode, payload):
    """Return a frame as clients send it, with an empty mask."""
    return bytes((0x80 | opcode, 0x80 | len(payload))) + bytes(4) + payload


@pytest.mark.parametrize(
    ("sent", "code", "why"),
    [
        (frame(1, b"\xff\xfe"), 1007, "a text that is not UTF-8"),
        (frame(3, b""), 1002, "frames that are none"),
        (b"\x81\x02{}", 1002, "frames that are none"),  # without a mask
        (b"\x81\xff" + b"\xff" * 8 + bytes(4), 1009, "a message that is too long"),
    ],
)
def test_frames_that_are_none_close_the_socket(tmp_path, caplog, sent, code, why):
    with served(tmp_path) as page, page.visit() as other:
        with socket.create_connection(("127.0.0.1", page.port), WAIT_S) as rude:
            rude.sendall(page.upgrade())
            other.hears("control", viewers=2)
            rude.sendall(sent)
            got = b""
            while chunk := rude.recv(4096):
                got += chunk
        assert code.to_bytes(2, "big") in got
        other.hears("control", viewers=1)
    (record,) = caplog.records
    assert record.getMessage().startswith("refused: screen 2 from 127.0.0.1 port")
    assert record.getMessage().endswith(": " + why)


@pytest.mark.parametrize(
    "sent",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(100),  # TLS
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"x" * 100_000,
        b"GET " + b"/" * 100_000,
        b"GET /\xff HTTP/1.1\r\n\r\n",
        b"\r\n\r\n\0\0\0",
    ],
    ids=["tls", "two hosts", "long header", "long path", "bytes", "nothing"],
)
def test_what_is_no_http_is_answered_shortly(tmp_path, sent, caplog):
    caplog.set_level(logging.INFO)
    with served(tmp_path) as page:
        with socket.create_connection(("127.0.0.1", page.port), WAIT_S) as rude:
            rude.sendall(sent)
            assert rude.recv(4096).startswith(b"HTTP/1.1 400")
        assert page.get("/board.svg").status == 200
    assert caplog.records == []


# ---- a line that dies without a word


@lanes.gate
def test_a_viewer_whose_line_dies_and_closes_nothing_is_left(tmp_path, monkeypatch):
    """What pages do that hear no beat any more: test_sleep.py."""
    assert 3 * sockets.BEAT_S < NOTICED_WITHIN_S
    with (
        sleeping_line(monkeypatch) as line,
        served(tmp_path, **line.where) as page,
        page.visit(address=line.host) as other,
        page.visit() as asleep,
    ):
        asleep.hears("beat", every_ms=1000 * sockets.BEAT_S)
        other.hears("control", viewers=2)
        line.sleeps()
        other.hears("control", viewers=1)
        for _ in range(3):
            other.hears("beat")
        assert other.is_told(other.ask("beat")) == ""
        line.close()


# ---- beyond this PC


def get(url, path="", **headers):
    place = urlsplit(url)
    connection = http.client.HTTPConnection(place.hostname, place.port, timeout=WAIT_S)
    try:
        connection.request("GET", path or f"{place.path}?{place.query}", headers=headers)
        response = connection.getresponse()
        return response.status, dict(response.getheaders()), response.read()
    finally:
        connection.close()


def test_beyond_this_pc_only_the_link_lets_in(tmp_path):
    with served(tmp_path, host="0.0.0.0") as page:
        assert len(page.server.token) >= 20  # it makes one
        local = urlsplit(page.server.url)
        assert (local.hostname, local.query) == ("127.0.0.1", f"token={page.server.token}")
        for url in (page.server.url, *page.server.urls):
            status, _, body = get(url, "/board.svg")
            assert (status, json.loads(body)["why"][:9]) == (403, "the token")
            status, headers, _ = get(url)
            assert (status, headers["location"]) == (303, "/")
            cookie = headers["set-cookie"].partition(";")[0]
            assert get(url, "/board.svg", Cookie=cookie)[0] == 200
        with pytest.raises(InvalidStatus), page.visit():
            pass
        with page.visit(Cookie=cookie, Origin=f"http://{page.own}") as visitor:
            visitor.hears("hello")
        assert page.get("/", host=f"evil.com:{page.port}", Cookie=cookie).status == 403
        machine = f"{socket.gethostname()}:{page.port}"
        assert page.get("/board.svg", host=machine, Cookie=cookie).status == 200


def test_a_token_of_one_s_own_is_quoted_in_links(tmp_path):
    with served(tmp_path, token="ä &?#/") as page:
        assert page.server.url.endswith("/?token=%C3%A4%20%26%3F%23%2F")
        assert get(page.server.url)[0] == 303
        assert page.get("/board.svg").status == 403


def test_links_for_others_have_addresses_of_this_machine(tmp_path, monkeypatch):
    monkeypatch.setattr(
        serving, "lan_addresses", lambda ipv6: [ipaddress.ip_address("192.168.0.7")]
    )
    with served(tmp_path, host="0.0.0.0", token="T") as page:
        assert page.server.urls == [f"http://192.168.0.7:{page.port}/?token=T"]


def has_ipv6():
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6):
            return True
    except OSError:
        return False


@pytest.mark.skipif(not has_ipv6(), reason="this machine has no IPv6")
def test_ipv6(tmp_path):
    with served(tmp_path, host="::1") as page:
        assert page.server.url == f"http://[::1]:{page.port}/"
        assert get(page.server.url, "/board.svg")[0] == 200
    with served(tmp_path, host="::", token="T") as page:  # and IPv4, too
        for url in (page.server.url, *page.server.urls):
            assert get(url)[0] == 303


def test_addresses_of_this_machine_are_those_of_its_interfaces():
    found = addresses.lan_addresses(ipv6=True)
    assert not any(each.is_loopback for each in found)
    assert len(set(found)) == len(found)


def test_a_tunnel_and_what_leads_to_guests_of_this_machine_come_last(monkeypatch):
    """The QR code has the first one: with a VPN for everything that is still the Wi-Fi's."""
    interfaces = {
        "tun0": ("10.5.0.2", "up,pointopoint,running"),
        "lo": ("127.0.0.1", "up,loopback,running"),
        "docker0": ("172.17.0.1", "up,broadcast"),
        "eth1": ("192.168.7.4", "up,broadcast,running"),
        "wlan0": ("192.168.1.20", "up,broadcast,running"),
        "eth0": ("192.168.9.9", ""),
    }
    monkeypatch.setattr(
        addresses.psutil,
        "net_if_addrs",
        lambda: {
            name: [SimpleNamespace(family=socket.AF_INET, address=address)]
            for name, (address, _) in interfaces.items()
        },
    )
    monkeypatch.setattr(
        addresses.psutil,
        "net_if_stats",
        lambda: {
            name: SimpleNamespace(isup="up" in flags, flags=flags)
            for name, (_, flags) in interfaces.items()
        },
    )
    for ways, first in ((["10.5.0.2"], "192.168.7.4"), (["192.168.1.20"], "192.168.1.20")):
        monkeypatch.setattr(addresses, "_towards_far", lambda _family, ways=ways: ways)
        found = [str(each) for each in addresses.lan_addresses()]
        assert found[0] == first
        assert sorted(found[:2]) == ["192.168.1.20", "192.168.7.4"]
        assert found[2:] == ["10.5.0.2", "172.17.0.1"]


# ---- --listen


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("0.0.0.0", ("0.0.0.0", 0)),
        ("0.0.0.0:8484", ("0.0.0.0", 8484)),
        (":8000", ("0.0.0.0", 8000)),
        ("192.168.0.7:80", ("192.168.0.7", 80)),
        ("[::1]:80", ("::1", 80)),
        ("[::1]", ("::1", 0)),
        ("::", ("::", 0)),
        ("fd00::7", ("fd00::7", 0)),
        ("localhost:1", ("localhost", 1)),
        ("table-pc.local", ("table-pc.local", 0)),
        (" 127.0.0.1:65535 ", ("127.0.0.1", 65535)),
    ],
)
def test_what_can_be_listened_at(text, place):
    assert parse_listen(text) == place


@pytest.mark.parametrize(
    ("text", "why"),
    [
        *(
            (text, f"'{text}' is nothing to listen at; write HOST, HOST:PORT or :PORT")
            for text in ("", ":", "8000", "x y", "*:80", "256.1.1.1", "[]:80", "[1.2.3.4]:5")
        ),
        ("http://x:80", "'http://x:80' is nothing to listen at"),
        ("[fe80::1%eth0]:80", "'[fe80::1%eth0]:80' is nothing to listen at"),
        ("a:b", "'a:b' is nothing to listen at"),
        ("a:-1", "'a:-1' is nothing to listen at"),
        ("a:٣", "'a:٣' is nothing to listen at"),
        ("\x1b[2J", "'?[2J' is nothing to listen at"),
        ("a:0", "'a:0': a port is a number from 1 to 65535"),
        ("a:65536", "'a:65536': a port is a number from 1 to 65535"),
    ],
)
def test_what_is_nothing_to_listen_at(text, why):
    with pytest.raises(UserError) as caught:
        parse_listen(text)
    assert str(caught.value).startswith(why)

"""Views out, requests in, one viewer in control: the hub without a server."""

import json
import logging
import threading

import pytest

from chronotable_host.web.http import hub as hubs
from chronotable_host.web.http import viewers
from chronotable_host.web.http.hub import Hub


class Clock:
    now = 1000.0

    def __call__(self):
        return self.now


class Looker:
    """Looks on at a hub; wakes are counted."""

    def __init__(self, hub, address="here"):
        self.wakes = 0
        self.hub = hub
        self.viewer = hub.join(address, self._wake)

    def _wake(self):
        self.wakes += 1

    def reads(self, kind=None):
        messages = [json.loads(text) for text in self.hub.outgoing(self.viewer)]
        return [each for each in messages if kind in (None, each["type"])]

    def asks(self, number, do, **fields):
        self.hub.receive(self.viewer, json.dumps({"id": number, "do": do, **fields}))

    def replies(self):
        return [(each["id"], each.get("why", "")) for each in self.reads("reply")]


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def hub(clock):
    return Hub(lambda: {"type": "hello", "mode": "try"}, clock)


@pytest.fixture
def looker(hub):
    return Looker(hub)


def test_a_view_is_kept_until_somebody_looks(hub):
    hub.publish({"type": "view", "phase": "set-up"})
    hub.publish({"phase": "turn"})
    hello, control, view = Looker(hub).reads()
    assert hello == {
        "type": "hello",
        "mode": "try",
        "you": "screen 1",
        "here": False,
        "server": hello["server"],
    }
    assert control == {
        "type": "control",
        "you": "screen 1",
        "holder": None,
        "yours": False,
        "viewers": 1,
    }
    assert view == {"type": "view", "phase": "turn", "version": 2}


def test_without_a_view_there_is_none(hub):
    assert [each["type"] for each in Looker(hub).reads()] == ["hello", "control"]


def test_only_the_latest_view_is_sent_and_each_once(looker, hub):
    looker.reads()
    for number in range(5):
        hub.publish({"says": str(number)})
    assert [(each["says"], each["version"]) for each in looker.reads()] == [("4", 5)]
    assert looker.reads() == []


def test_what_is_published_may_be_changed_afterwards(hub):
    view = {"says": "White to move."}
    hub.publish(view)
    view["says"] = "Black to move."
    assert "version" not in view
    assert Looker(hub).reads("view")[0]["says"] == "White to move."


def test_a_viewer_is_woken_once_until_it_has_looked(looker, hub):
    looker.reads()
    before = looker.wakes
    for _ in range(100):
        hub.publish({})
    assert looker.wakes == before + 1
    looker.reads()
    hub.publish({})
    assert looker.wakes == before + 2


def test_greeting_tells_everybody_anew_what_there_is():
    palettes = iter(["standard", "standard", "colour-blind", "colour-blind"])
    hub = Hub(lambda: {"palette": next(palettes)})
    lookers = [Looker(hub), Looker(hub)]
    assert [looker.reads("hello")[0]["palette"] for looker in lookers] == ["standard"] * 2
    hub.greet()
    hub.greet()
    found = [looker.reads() for looker in lookers]
    assert [[(each["type"], each["palette"]) for each in told] for told in found] == [
        [("hello", "colour-blind")]
    ] * 2
    assert [told[0]["you"] for told in found] == ["screen 1", "screen 2"]


# ---- requests and their answers


def test_a_request_is_taken_once_and_answered_once(looker, hub):
    looker.asks(7, "lift", at=5)
    looker.asks(8, "place", at=6, piece="white")
    requests = hub.take()
    assert [(each.do, each.values, each.viewer) for each in requests] == [
        ("lift", {"at": 5}, "screen 1"),
        ("place", {"at": 6, "piece": "white"}, "screen 1"),
    ]
    assert hub.take() == []
    assert looker.replies() == []
    requests[1].refuse("there is no such piece in the hand")
    requests[0].accept()
    requests[0].refuse("too late")
    assert looker.replies() == [(8, "there is no such piece in the hand"), (7, "")]


def test_replies_come_before_the_view_that_follows_them(looker, hub):
    looker.reads()
    looker.asks(1, "undo")
    for request in hub.take():
        request.accept()
    hub.publish({})
    assert [each["type"] for each in looker.reads()] == ["control", "reply", "view"]


def test_more_requests_than_the_game_takes_are_refused(hub, monkeypatch):
    monkeypatch.setattr(hubs, "MOST_WAITING", 3)
    looker = Looker(hub)
    for number in range(1, 6):
        looker.asks(number, "tidy")
    assert looker.replies() == [
        (number, "too many requests are waiting; try again in a moment") for number in (4, 5)
    ]
    assert [request.id for request in hub.take()] == [1, 2, 3]
    looker.asks(6, "tidy")
    assert [request.id for request in hub.take()] == [6]


def test_who_has_gone_is_answered_into_nothing(looker, hub):
    looker.asks(1, "undo")
    hub.leave(looker.viewer)
    (request,) = hub.take()
    request.accept()
    assert looker.reads() == []
    hub.publish({})
    assert looker.reads() == []


# ---- control


def controls(looker):
    told = looker.reads("control")
    return [(each["holder"], each["yours"]) for each in told]


def test_the_first_request_takes_control_and_others_are_told_who_has_it(hub):
    first, second = Looker(hub), Looker(hub)
    first.reads()
    second.reads()
    first.asks(1, "lift", at=5)
    assert controls(first) == [("screen 1", True)]
    assert controls(second) == [("screen 1", False)]
    second.asks(1, "undo")
    assert second.replies() == [(1, "screen 1 plays here; take over first")]
    assert [request.viewer for request in hub.take()] == ["screen 1"]


def test_what_is_no_request_takes_no_control(looker):
    looker.asks(1, "lift", at=99)
    looker.asks(2, "release_control")
    assert controls(looker) == [(None, False)]


def test_what_a_viewer_without_control_asks_for_is_not_read(hub):
    first, second = Looker(hub), Looker(hub)
    first.asks(1, "undo")
    second.asks(1, "lift", at="nowhere", how="never")
    assert second.replies() == [(1, "screen 1 plays here; take over first")]
    assert second.viewer.malformed == 0


def test_control_is_taken_over_and_what_the_former_holder_asked_for_is_not_done(hub):
    first, second = Looker(hub), Looker(hub)
    first.asks(1, "lift", at=5)
    second.asks(1, "take_control")
    second.asks(2, "lift", at=6)
    assert [(each.viewer, each.id) for each in hub.take()] == [("screen 2", 2)]
    assert first.replies() == [(1, "screen 2 has taken control")]
    assert second.replies() == [(1, "")]
    first.asks(2, "lift", at=7)
    assert first.replies() == [(2, "screen 2 plays here; take over first")]


def test_control_is_told_at_both_ends(hub):
    first, second = Looker(hub), Looker(hub)
    first.asks(1, "take_control")
    first.asks(2, "take_control")
    assert first.replies() == [(1, ""), (2, "")]
    second.asks(1, "take_control")
    assert controls(first) == [("screen 2", False)]
    assert controls(second) == [("screen 2", True)]


def test_control_is_given_back_by_its_holder_only(hub):
    first, second = Looker(hub), Looker(hub)
    first.asks(1, "take_control")
    second.asks(1, "release_control")
    assert second.replies() == [(1, "control is not yours to give")]
    first.asks(2, "release_control")
    assert controls(second) == [(None, False)]
    second.asks(2, "undo")
    assert [request.viewer for request in hub.take()] == ["screen 2"]


def test_control_is_free_when_its_holder_has_gone(hub):
    first, second = Looker(hub), Looker(hub)
    first.asks(1, "undo")
    hub.leave(first.viewer)
    (control,) = second.reads("control")
    assert (control["holder"], control["viewers"]) == (None, 1)
    second.asks(1, "undo")
    assert [request.viewer for request in hub.take()] == ["screen 1", "screen 2"]


# ---- rude viewers


def test_what_cannot_be_understood_is_answered_and_at_last_the_socket_closed(looker, hub):
    for _ in range(viewers.MOST_MALFORMED - 1):
        hub.receive(looker.viewer, "undo")
    assert looker.viewer.closing is None
    hub.receive(looker.viewer, '{"id": 9, "do": "nonsense"}')
    assert looker.viewer.closing == (1008, "too many messages that cannot be understood")
    replies = looker.replies()
    assert len(replies) == viewers.MOST_MALFORMED
    assert replies[0] == (0, "the message is no JSON that can be understood")
    assert replies[-1] == (9, "'nonsense' is nothing that can be asked for")
    looker.asks(1, "undo")
    assert hub.take() == []


def test_a_flood_is_refused_and_at_last_the_socket_closed(looker, hub, clock):
    for number in range(1, viewers.MOST_REQUESTS + 1):
        looker.asks(number, "undo")
    looker.asks(viewers.MOST_REQUESTS + 1, "lift", at="nowhere")  # which is not read
    assert len(hub.take()) == viewers.MOST_REQUESTS
    assert looker.replies() == [
        (viewers.MOST_REQUESTS + 1, "more than 200 requests in 5 seconds"),
    ]
    clock.now += viewers.WITHIN_S
    looker.asks(1, "undo")
    assert len(hub.take()) == 1
    for number in range(1, viewers.MOST_REQUESTS + viewers.MOST_IGNORED + 1):
        looker.asks(number, "undo")
        looker.reads()
        hub.take()
    assert looker.viewer.closing == (1008, "too many requests")


def test_who_does_not_read_its_replies_is_dropped(hub):
    rude, polite = Looker(hub), Looker(hub)
    for number in range(viewers.MOST_REPLIES + 1):
        rude.asks(number + 1, "take_control")
    assert rude.viewer.closing == (1013, "replies are not read")
    hub.leave(rude.viewer)
    polite.asks(1, "take_control")
    assert polite.replies() == [(1, "")]


def test_there_are_not_too_many_viewers(hub):
    lookers = [Looker(hub) for _ in range(viewers.MOST_VIEWERS)]
    late = Looker(hub)
    assert late.viewer.closing == (1013, "too many pages look on already")
    assert late.reads() == []
    hub.leave(late.viewer)
    assert lookers[0].reads("control")[0]["viewers"] == viewers.MOST_VIEWERS
    hub.leave(lookers[0].viewer)
    assert Looker(hub).viewer.closing is None


def test_who_fills_the_page_alone_makes_room_for_others(hub):
    """Addresses of one /64 are one viewer's; nobody gains more than others have by coming again."""
    crowd = [Looker(hub, f"2001:db8::{n:x} port 7") for n in range(viewers.MOST_VIEWERS)]
    owner = [Looker(hub, "192.168.0.7 port 8") for _ in range(viewers.MOST_VIEWERS)]
    half = viewers.MOST_VIEWERS // 2
    for those, gone in ((crowd, crowd[:half]), (owner, owner[half:])):
        assert [each for each in those if each.viewer.closing is not None] == gone
    assert gone[0].viewer.closing == (1013, "too many pages look on already")
    assert owner[0].reads("control")[0]["viewers"] == viewers.MOST_VIEWERS


def test_everybody_is_dismissed(hub):
    lookers = [Looker(hub), Looker(hub)]
    hub.dismiss(1001, "the end")
    assert [looker.viewer.closing for looker in lookers] == [(1001, "the end")] * 2
    assert Looker(hub).viewer.closing is None


def test_refusals_are_logged_with_what_where_and_why_and_not_without_end(hub, clock, caplog):
    caplog.set_level(logging.INFO, "chronotable.page")
    first, second = Looker(hub, "1.2.3.4 port 5"), Looker(hub, "5.6.7.8 port 9")
    hub.receive(first.viewer, '{"id": 1, "do": "\\u001b[2J"}')
    first.asks(1, "take_control")
    second.asks(1, "undo")
    assert [(record.levelname, record.getMessage()) for record in caplog.records] == [
        (
            "WARNING",
            "refused: a message of screen 1 from 1.2.3.4 port 5: "
            "'?[2J' is nothing that can be asked for",
        ),
        (
            "INFO",
            "refused: 'undo' of screen 2 from 5.6.7.8 port 9: screen 1 plays here; take over first",
        ),
    ]
    caplog.clear()
    for _ in range(100):
        second.asks(1, "undo")
    assert len(caplog.records) == 19
    clock.now += 60
    second.asks(1, "undo")
    assert caplog.records[-1].getMessage().endswith("(81 more before it)")


def test_coming_anew_does_not_fill_the_log(hub, caplog):
    for _ in range(50):
        looker = Looker(hub)
        for _ in range(10):
            hub.receive(looker.viewer, "?")
        hub.leave(looker.viewer)
    assert len(caplog.records) == 100


# ---- threads


def test_game_and_viewers_at_once(hub):
    """Four viewers ask and read in threads of their own; every request gets its one reply."""
    asked = 150
    replies = {}

    def look():
        looker = Looker(hub)
        woken = threading.Event()
        looker.viewer.wake = woken.set
        found = []
        version = 0
        for number in range(1, asked + 1):
            looker.asks(number, "take_control" if number % 10 == 1 else "undo")
            for each in looker.reads():
                if each["type"] == "reply":
                    found.append(each["id"])
                if each["type"] == "view":
                    assert each["version"] > version
                    version = each["version"]
        for _ in range(10_000):
            if len(found) == asked:
                break
            assert woken.wait(5)
            woken.clear()
            found.extend(each["id"] for each in looker.reads("reply"))
        replies[looker.viewer.name] = sorted(found)

    threads = [threading.Thread(target=look) for _ in range(4)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        hub.publish({"x": "x" * 100})
        for request in hub.take():
            request.accept()
        threads[0].join(0.001)
    assert replies == {f"screen {n}": list(range(1, asked + 1)) for n in range(1, 5)}

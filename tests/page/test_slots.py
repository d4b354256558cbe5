"""Which connections are kept where there are too many, and which have to hurry."""

import itertools
import random

import pytest

from chronotable_host import limits
from chronotable_host.limits import REQUEST_S, Slot, Slots
from tests import lanes, sweep
from tests.page.test_hub import Clock

OWN = "127.0.0.1"
PHONE = "192.168.0.77"


class Transport:
    """A connection's end, as far as slots ask for it."""

    unread = 0
    closing = False
    aborted = False

    def get_write_buffer_size(self):
        return self.unread

    def is_closing(self):
        return self.closing

    def abort(self):
        self.aborted = True


class Crowd:
    """Connections, which come a second apart."""

    def __init__(self):
        self.clock = Clock()
        self.slots = Slots(self.clock)

    def come(self, address, known=False, idle=True):
        self.clock.now += 1
        slot = Slot(Transport(), address, lambda: idle, self.clock.now)
        slot.is_known = known
        if known:
            slot.due_s = None
        self.slots.admit(slot)
        return slot

    def come_all(self, addresses, **how):
        return [self.come(address, **how) for address in addresses]


@pytest.fixture
def crowd():
    return Crowd()


def stays(slot):
    return not slot.transport.aborted


def strangers(count, of_each=1):
    """Return addresses beyond this PC, so many of each."""
    return [f"10.0.{number // of_each // 250}.{number // of_each % 250}" for number in range(count)]


# ---- too many


def test_one_address_has_so_many_that_are_not_known_and_the_oldest_makes_room(crowd):
    known = crowd.come(PHONE, known=True)
    first = crowd.come_all([PHONE] * limits.MOST_OF_ADDRESS)
    more = crowd.come_all([PHONE] * 3)
    assert [stays(slot) for slot in first] == [False] * 3 + [True] * (len(first) - 3)
    assert all(map(stays, [known, *more]))
    assert len(crowd.slots) == limits.MOST_OF_ADDRESS + 1


@pytest.mark.parametrize(
    ("addresses", "is_one"),
    [
        (["2001:db8::1", "2001:db8::2", "2001:db8:0:0:ffff::3"], True),
        (["2001:db8::1", "2001:db8:0:1::1", "2001:db8:0:2::1"], False),
        (["::ffff:10.0.0.1", "10.0.0.1", "::ffff:a00:1"], True),
        (["fe80::1%eth0", "fe80::2%eth0", "fe80::3"], True),
        (["nowhere", "nowhere", "nowhere"], True),
    ],
)
def test_whose_an_address_is(crowd, addresses, is_one):
    come = crowd.come_all(itertools.islice(itertools.cycle(addresses), 3 * 10))
    assert sum(map(stays, come)) == (limits.MOST_OF_ADDRESS if is_one else 30)


def test_of_many_strangers_the_oldest_of_the_address_with_the_most_makes_room(crowd):
    phone = crowd.come(PHONE)
    few = crowd.come_all(strangers(3))
    many = crowd.come_all(["10.9.9.9"] * 4)
    others = crowd.come_all(strangers(limits.MOST_STRANGERS + 2 - 5, of_each=1)[3:])
    assert len(crowd.slots) == limits.MOST_STRANGERS
    assert [stays(slot) for slot in many] == [False, False, True, True]
    assert all(map(stays, [phone, *few, *others]))


def test_where_all_have_as_many_the_oldest_makes_room(crowd):
    come = crowd.come_all(strangers(limits.MOST_STRANGERS + 10))
    assert [stays(slot) for slot in come] == [False] * 10 + [True] * limits.MOST_STRANGERS


@lanes.gate
def test_slots_are_kept_for_this_pc_and_for_who_is_known(crowd):
    """Whatever comes from beyond, and however: 1000 times from 250 addresses."""
    viewers = crowd.come_all(["192.168.0.5"] * 32, known=True, idle=False)
    for address in strangers(1000, of_each=4):
        crowd.come(address)
        assert len(crowd.slots) <= limits.MOST
    own = crowd.come_all([OWN, "::1", "::ffff:127.0.0.1"])
    phone = crowd.come(PHONE)
    phone.is_known = True
    crowd.come_all(strangers(1000, of_each=4))
    assert all(map(stays, [*viewers, *own, phone]))


def test_this_pc_gets_in_while_everybody_beyond_is_known_and_at_work(crowd):
    busy = crowd.come_all(strangers(200, of_each=4), known=True, idle=False)
    assert sum(map(stays, busy)) == limits.MOST_BEYOND
    assert all(map(stays, busy[: limits.MOST_BEYOND]))  # who is at work is not sent away
    own = crowd.come_all([OWN] * (limits.MOST - limits.MOST_BEYOND), known=True, idle=False)
    assert all(map(stays, own))
    assert not stays(crowd.come(OWN))


def test_one_address_that_is_known_takes_not_all_that_there_are(crowd):
    busy = crowd.come_all([PHONE] * 200, known=True, idle=False)
    assert sum(map(stays, busy)) == limits.MOST_OF_KNOWN_ADDRESS < limits.MOST_BEYOND
    assert stays(crowd.come("192.168.0.78", known=True))


def test_who_is_known_and_idle_makes_room_last_of_all(crowd):
    idle, busy = crowd.come(PHONE, known=True), crowd.come(PHONE, known=True, idle=False)
    waiting = crowd.come_all([OWN] * 8)
    crowd.come_all([OWN] * (limits.MOST - 2), known=True, idle=False)
    assert stays(idle)
    crowd.come(OWN, known=True, idle=False)
    assert stays(busy)
    assert not stays(idle)
    assert not any(map(stays, waiting))


def test_any_crowd_leaves_a_slot_to_who_comes_and_none_over_the_limits():
    """Random crowds: who comes from this PC or with a cookie is in, and stays while at work."""
    for seed in range(sweep.size(2, 8)):
        rng = random.Random(seed)
        crowd = Crowd()
        kept = []
        for _ in range(400):
            chance = rng.random()
            if chance < 0.02 and len(kept) < 32:  # as many as may look on
                slot = crowd.come(rng.choice([OWN, PHONE]), idle=False)
                assert stays(slot), seed
                slot.is_known = True
                kept.append(slot)
            elif chance < 0.1:
                crowd.come(rng.choice([OWN, PHONE]), known=True)
            else:
                assert stays(crowd.come(rng.choice([OWN, *strangers(40)]))), seed
            assert len(crowd.slots) <= limits.MOST, seed
        assert all(map(stays, kept)), seed


def test_who_is_ended_is_logged_seldom(crowd, caplog):
    crowd.clock.now = 0.0
    for _ in range(1000):
        crowd.slots.admit(Slot(Transport(), PHONE, lambda: True, 0.0))
    assert len(caplog.records) == 20
    assert caplog.records[0].getMessage() == (
        f"refused: a connection from {PHONE}: its address has 16 without a request already"
    )


def test_who_has_left_needs_no_slot(crowd):
    for slot in crowd.come_all([PHONE] * limits.MOST_OF_ADDRESS):
        crowd.slots.leave(slot)
        crowd.slots.leave(slot)
    assert len(crowd.slots) == 0
    assert all(map(stays, crowd.come_all([PHONE] * limits.MOST_OF_ADDRESS)))


# ---- too slow


def waits(crowd, seconds):
    """Let time pass, looking every tenth of a second."""
    for _ in range(round(seconds * 10)):
        crowd.clock.now += 0.1
        crowd.slots.sweep()


def test_the_first_request_has_to_be_there_in_time(crowd, caplog):
    slot = crowd.come(OWN)  # whoever it is
    waits(crowd, REQUEST_S - 0.2)
    assert stays(slot)
    waits(crowd, 0.3)
    assert not stays(slot)
    assert len(crowd.slots) == 0
    assert caplog.records == []  # browsers open some that they need later, or never
    slot = crowd.come(OWN)
    slot.expect(True, crowd.clock.now)
    waits(crowd, REQUEST_S + 0.1)
    assert not stays(slot)
    assert caplog.records[-1].getMessage() == (
        "refused: a connection from 127.0.0.1: no whole request came within 10 seconds"
    )


def test_a_request_does_not_gain_time_by_going_on(crowd):
    slot = crowd.come(OWN, known=True)
    waits(crowd, 3600)
    for _ in range(int(REQUEST_S)):
        assert stays(slot)
        slot.expect(True, crowd.clock.now)
        waits(crowd, 1)
    waits(crowd, 0.1)
    assert not stays(slot)


def test_a_request_that_is_there_may_be_answered_later_and_the_next_one_has_its_own_time(crowd):
    slot = crowd.come(OWN, known=True)
    for _ in range(5):
        slot.expect(True, crowd.clock.now)
        waits(crowd, REQUEST_S - 1)
        slot.expect(False, crowd.clock.now)
        waits(crowd, 3600)
    assert stays(slot)


def test_an_answer_has_to_be_read(crowd):
    slow, deaf = crowd.come(PHONE, known=True), crowd.come(PHONE, known=True)
    slow.transport.unread = deaf.transport.unread = 1000
    for _ in range(9):
        waits(crowd, REQUEST_S - 1)
        slow.transport.unread -= 100
    assert stays(slow)
    assert not stays(deaf)
    slow.transport.unread = 0
    waits(crowd, 3600)
    slow.transport.unread = 1000  # another answer
    waits(crowd, REQUEST_S - 1)
    assert stays(slow)
    waits(crowd, 2)
    assert not stays(slow)


def test_a_viewer_may_look_on_for_hours_and_is_ended_when_it_does_not_take_its_farewell(crowd):
    viewer = crowd.come(PHONE, known=True, idle=False)
    viewer.is_socket = True
    viewer.transport.unread = 1000  # the socket itself waits for it, with its own patience
    for _ in range(12):
        crowd.clock.now += 3600
        crowd.come_all(strangers(80))
        waits(crowd, 20)
    assert stays(viewer)
    viewer.transport.closing = True
    viewer.transport.unread = 0
    waits(crowd, 1)
    viewer.transport.unread = 900
    waits(crowd, REQUEST_S + 1)
    assert not stays(viewer)

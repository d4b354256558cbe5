"""A hostile broker, which has all but the key; and a peer that has the key and no manners."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Callable
from random import Random

import pytest

from chronotable_far import log
from chronotable_far.broker.client import Event, Message
from chronotable_far.broker.sealing import FILL, seal, sealed_size
from chronotable_far.entries import (
    INVITER,
    JOINER,
    MOST_BYTES,
    MOST_ENTRIES,
    MOST_LINE,
    MOST_NAME,
    Ref,
    format_entry,
    hash_of,
    subject,
)
from chronotable_far.invitation import Invitation
from chronotable_far.room import FarRoom
from chronotable_far.table import Post
from tests import sweep
from tests.club.shown import NoLine
from tests.far import rooms
from tests.far.rooms import INVITATION, Disk, World

pytestmark = pytest.mark.usefixtures("everything_unlocked")

MESSAGES = sweep.size(2000, 10_000)
Said = tuple[str, bytes]


class Listening(World):
    """A world whose broker keeps all that ever passed through it."""

    def __init__(self, seed: int) -> None:
        self.heard: list[Said] = []
        super().__init__(seed)

    def send(self, program: rooms.Program, at: int = 0, is_lost: bool = False) -> None:
        self.heard.append(program.outbox[at][:2])
        super().send(program, at, is_lost)


def played(seed: int) -> Listening:
    """Return a world in which both have played some turns, and asked and said some things."""
    world = Listening(seed)
    world.weights = dict(rooms.WEIGHTS)
    world.meet()
    world.play(150)
    world.settle()
    assert not world.check()
    return world


def hostile(random: Random, world: Listening, heard: list[Said], other: list[Said]) -> Said:
    """Return a message that a broker can make up."""
    topic, payload = random.choice(heard)
    prefix, end, *rest = topic.rsplit("/", 3 if topic.count("/") == 5 else 2)[0:]
    stranger = random.choice(other)
    sizes = [0, 1, 27, 28, 31, 32, len(payload) - 1, len(payload) + 1, sealed_size(MOST_BYTES) + 1]
    flipped = bytearray(payload)
    flipped[random.randrange(len(payload))] ^= 1 << random.randrange(8)
    number = random.choice([1, 2, 3, 7, 99, MOST_ENTRIES, 0, 5000, 10**9])
    tag = random.choice([rest[-1], "0" * 8, f"{random.getrandbits(32):08x}"])
    ends = {INVITER: JOINER, JOINER: INVITER}
    kinds: list[Callable[[], Said]] = [
        lambda: (topic, payload),  # once more
        lambda: (topic, bytes(flipped)),
        lambda: (topic, random.randbytes(random.choice(sizes))),
        lambda: (topic, payload[: random.randrange(len(payload))]),
        lambda: (topic, payload + random.randbytes(random.choice([1, FILL, 100_000]))),
        lambda: (topic, stranger[1]),  # of another room
        lambda: stranger,
        lambda: (topic, random.choice(heard)[1]),  # of another place
        lambda: (topic.replace(end, ends[end]), payload),  # of the other end
        lambda: (f"{prefix}/{end}/{number}/{tag}", payload),
        lambda: (f"{prefix}/{end}/now", payload),
        lambda: (f"{prefix}/{random.choice(['', 'broker', end + ' ', '+'])}/1/{tag}", payload),
        lambda: ("".join(chr(random.randrange(1, 300)) for _ in range(40)), payload),
        lambda: (topic + random.choice(["/", "/x", "0", "\0"]), payload),
        lambda: (topic.replace("/1/", "/2/", 1), payload),
        lambda: (prefix, payload),
    ]
    return random.choice(kinds)()


def test_what_comes_too_fast_waits_with_the_client_whose_bound_holds() -> None:
    """A step takes up four messages, of a millisecond each; the client has a hundred more."""
    taken = [0]
    times = itertools.count()

    class Flood(NoLine):
        def take(self) -> list[Event]:
            taken[0] += 100
            return [Message("no/topic/of/ours", b"x")] * 100

    room = played(1).programs[0].room
    assert room is not None
    room.dropped.clear()
    post = Post(room, Flood(), lambda _said: None, lambda: next(times) / 1000)
    for _ in range(50):
        post.step(1)
    assert 0 <= taken[0] - room.dropped["topic"] <= 100


def state_of(room: FarRoom) -> tuple[object, ...]:
    logs = room._logs
    return room.course, len(logs._known), len(list(logs.waiting)), room.there, room.stopped


@pytest.mark.parametrize("seed", range(2))
def test_a_broker_gets_nothing_in(seed: int) -> None:
    random = Random(seed)
    world, other = played(seed), Listening(99)
    invitation = Invitation(INVITATION.broker, INVITATION.words.replace("acorn", "zebra"), INVITER)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rooms, "INVITATION", invitation)
        other = played(99)
    heard = list(world.heard)
    for program in world.programs:
        room = program.room
        assert room is not None
        before, data = state_of(room), program.disk.data
        room.dropped.clear()
        for count in range(MESSAGES // 4):
            topic, payload = hostile(random, world, heard, other.heard)
            room.receive(topic, payload)
            assert state_of(room) == before, f"seed {seed}, message {count}: {topic}"
        assert program.disk.data == data
        assert room.dropped.total() == MESSAGES // 4, "each was counted"
        assert {"forged", "size", "topic", "known"} == set(room.dropped), room.dropped
        assert len(room._heard) <= len(room._logs._known)
    world.settle()  # what the broker spoiled is put right
    assert not world.check()


def test_nobody_appears_who_is_gone() -> None:
    """Old messages of the moment make nobody appear; that somebody left, none can deny for long."""
    world = played(3)
    inviter, joiner = world.programs
    old = [each for each in world.heard if each[0].endswith("joiner/now")]
    assert old and inviter.room is not None
    world.crash(joiner)
    for _ in range(10):
        world.now_ms += 15_000
        world.tick(inviter)
        for each in old:
            inviter.room.receive(*each)
    assert not inviter.room.there


def sealed(end: str, number: int, text: bytes) -> Said:
    """Return what a peer with the key publishes."""
    room, key = INVITATION.room, INVITATION.key
    tag = hash_of(room, end, number, text)[:8]
    about = subject(room, end, number)
    return f"chronotable/1/{room}/{end}/{number}/{tag}", seal(key, about, text)


def test_nonsense_of_a_peer_is_dropped() -> None:
    room = FarRoom(INVITATION, Disk(INVITATION))  # type: ignore[arg-type]
    begin = {"kind": "begin", "prev": "", "seen": [0, ""], "name": "x", "rules": 1, "chat": True}
    texts: list[bytes] = [
        b"",
        b"null",
        b"[]",
        b"{}",
        b"\xff\xfe",
        b"[" * 1100,
        b'{"kind":"join"}',
        b'{"kind":["join"]}',
        b'{"kind":"join","kind":"join"}',
        json.dumps({"kind": "join", "prev": "", "seen": [0, ""]}).encode(),
        format_entry("join", {"name": "x", "rules": 1, "chat": 1}, "", Ref(0, "")),
        format_entry("join", {"name": 7, "rules": 1, "chat": True}, "", Ref(0, "")),
        format_entry("join", {"name": "x", "rules": -1, "chat": True}, "", Ref(0, "")),
        format_entry("join", {"name": "x", "rules": 10**40, "chat": True}, "", Ref(0, "")),
        format_entry("join", {"name": "x", "rules": 1.0, "chat": True}, "", Ref(0, "")),
        format_entry("join", {"name": "x", "rules": 1, "chat": True, "more": 1}, "", Ref(0, "")),
        format_entry("join", {"name": "x", "rules": 1, "chat": True}, "a" * 32, Ref(0, "")),
        format_entry("join", {"name": "x", "rules": 1, "chat": True}, "", Ref(1, "")),
        format_entry("join", {"name": "x", "rules": 1, "chat": True}, "", Ref(0, "a" * 32)),
        format_entry("join", {"name": "x", "rules": 1, "chat": True}, "", Ref(1, "A" * 32)),
        format_entry("resign", {}, "", Ref(MOST_ENTRIES + 1, "a" * 32)),
        format_entry("hello", {}, "", Ref(0, "")),
        json.dumps(begin, sort_keys=True, separators=(",", ":")).encode(),
    ]
    before = state_of(room)
    for text in texts:
        room.receive(*sealed(JOINER, 1, text))
        assert state_of(room) == before, text
    assert room.dropped == Counter(nonsense=len(texts))


def test_what_a_peer_writes_is_cleaned_and_short() -> None:
    world = World(1)
    world.meet()
    inviter = world.programs[0].room
    assert inviter is not None
    mean = "\x1b[2J\u202e evil \n\t" + "long " * 99
    joined, known = inviter._logs.last(JOINER), inviter._logs.last(INVITER)
    text = format_entry("say", {"text": mean[: MOST_BYTES - 300]}, joined.hash, known)
    inviter.receive(*sealed(JOINER, 2, text))
    (line,) = inviter.course.chat
    assert len(line.text) <= MOST_LINE and line.text.isprintable()
    assert line.text.startswith("?[2J? evil long long")
    room = FarRoom(INVITATION, Disk(INVITATION))  # type: ignore[arg-type]
    room.append("begin", name=mean, chat=True)
    assert room.course.begin is not None
    name = room.course.begin.name
    assert len(name) <= MOST_NAME and name.isprintable() and name == name.strip()


def test_what_is_kept_of_a_peer_is_bounded() -> None:
    """One that writes for ever fills its log and no more; branches without end stop the room."""
    room = FarRoom(INVITATION, Disk(INVITATION))  # type: ignore[arg-type]
    count = sweep.size(2 * log.MOST_BRANCHES, MOST_ENTRIES + 200)
    for number in range(2, count):  # that wait for a first one, which never comes
        room.receive(*sealed(JOINER, number, format_entry("draw", {}, "a" * 32, Ref(0, ""))))
    assert len(list(room._logs.waiting)) == min(count - 1, MOST_ENTRIES) - 1 or sweep.is_small()
    assert not room.stopped
    known = len(room._logs._known)
    for number in range(500):
        text = format_entry("draw", {}, f"{number:032x}", Ref(0, ""))
        room.receive(*sealed(JOINER, 2, text))
    assert len(room._logs._known) <= known + log.MOST_BRANCHES
    assert room.dropped["crowded"] >= 500 - log.MOST_BRANCHES - 1
    assert "begin a new room" in room.stopped

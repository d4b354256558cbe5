"""Who is there: both programs that hear each other, and nobody else."""

from __future__ import annotations

from random import Random

import pytest

from chronotable_far.entries import INVITER, JOINER
from chronotable_far.presence import LASTS_MS, Presence, PresenceError


class Talk:
    """Programs that hear each other's messages, `since` when they are told of."""

    def __init__(self, *ends: str) -> None:
        self.programs = [(end, Presence(f"{at:016x}")) for at, end in enumerate(ends)]
        self.now_ms = 1000
        self.said: list[tuple[str, bytes]] = []
        for at, (_, presence) in enumerate(self.programs):
            presence.name = f"program {at}"
            presence.begin(self.now_ms)

    def go_on(self, for_ms: int, deaf: tuple[int, ...] = ()) -> None:
        until_ms = self.now_ms + for_ms
        while self.now_ms < until_ms:
            self.now_ms += 500
            for at, (end, presence) in enumerate(self.programs):
                if at not in deaf and (text := presence.due(self.now_ms)) is not None:
                    self.said.append((end, text))
                    for other, (_, each) in enumerate(self.programs):
                        if other not in deaf:
                            each.hear(end, text, self.now_ms)
                            each.hear(end, presence.introduction(), self.now_ms)

    def others(self, at: int, end: str) -> list[str]:
        return self.programs[at][1].others(end, self.now_ms)

    def is_there(self, at: int, end: str) -> bool:
        seen_ms = self.programs[at][1].seen_ms(end)
        return seen_ms is not None and self.now_ms - seen_ms < LASTS_MS


def test_two_programs_find_each_other_at_once_and_miss_who_falls_silent() -> None:
    talk = Talk(INVITER, JOINER)
    talk.go_on(6000)
    assert talk.is_there(0, JOINER) and talk.is_there(1, INVITER)
    assert not talk.is_there(0, INVITER)
    talk.go_on(600_000)
    assert talk.is_there(0, JOINER) and talk.is_there(1, INVITER)
    assert len(talk.said) < 70, "few messages while nothing happens"
    talk.go_on(LASTS_MS + 1000, deaf=(1,))
    assert not talk.is_there(0, JOINER)
    talk.go_on(30_000)
    assert talk.is_there(0, JOINER)


def test_a_second_program_of_an_end_is_told() -> None:
    talk = Talk(INVITER, JOINER, INVITER)
    talk.go_on(10_000)
    assert talk.is_there(0, INVITER) and talk.is_there(2, INVITER) and talk.is_there(1, INVITER)
    assert not talk.is_there(1, JOINER)
    assert sorted(talk.others(1, INVITER)) == ["program 0", "program 2"]
    assert (talk.others(0, INVITER), talk.others(0, JOINER)) == (["program 2"], ["program 1"])


def test_who_is_started_again_is_no_second_program() -> None:
    talk = Talk(INVITER, JOINER)
    talk.go_on(10_000)
    talk.programs[0] = INVITER, Presence("f" * 16)  # the former one had no time to say goodbye
    talk.programs[0][1].begin(talk.now_ms)
    for _ in range(60):
        talk.go_on(1000)
        assert len(talk.others(1, INVITER)) == 1


def test_who_says_goodbye_is_gone() -> None:
    talk = Talk(INVITER, JOINER)
    talk.go_on(6000)
    end, presence = talk.programs[1]
    talk.programs[0][1].hear(end, presence.away(), talk.now_ms)
    assert not talk.is_there(0, JOINER)


@pytest.mark.parametrize("seed", range(5))
def test_old_messages_make_nobody_appear(seed: int) -> None:
    random = Random(seed)
    talk = Talk(INVITER, JOINER)
    talk.go_on(120_000)
    old = [text for end, text in talk.said if end == JOINER]
    for _ in range(300):
        talk.go_on(1000, deaf=(1,))
        talk.programs[0][1].hear(JOINER, random.choice(old), talk.now_ms)
    assert not talk.is_there(0, JOINER)
    later = Presence("f" * 16)  # another program, which they have never heard
    later.begin(talk.now_ms)
    later.due(talk.now_ms)
    for text in old:
        later.hear(JOINER, text, talk.now_ms)
    assert later.seen_ms(JOINER) is None


def test_no_more_programs_are_known_than_there_can_be() -> None:
    presence = Presence("0" * 16)
    presence.begin(0)
    for number in range(1, 1000):
        other = Presence(f"{number:016x}")
        other.begin(0)
        text = other.due(0)
        assert text is not None
        presence.hear(JOINER, text, 0)
    assert len(presence._programs) <= 8


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"[]",
        b"{}",
        b"7",
        b"\xff",
        b'["0000000000000001",1,{},1]',
        b'["0000000000000001",-1,{},true]',
        b'["0000000000000001",1.5,{},true]',
        b'["000000000000000G",1,{},true]',
        b'["0000000000000001",1,{"x":1},true]',
        b'["0000000000000001",1,[],true]',
        b'["0000000000000001",1,{},true,1]',
        b'{"0000000000000001":1,"name":2}',
        b"[" * 900,
    ],
)
def test_nonsense_is_refused(text: bytes) -> None:
    with pytest.raises(PresenceError):
        Presence("0" * 16).hear(JOINER, text, 0)

"""Invitations: told as a link or as words, read whatever people make of them, and checked."""

from __future__ import annotations

from random import Random

import pytest

from chronotable_far.entries import INVITER, JOINER
from chronotable_far.invitation import WORDS_OF_ROOM, Invitation, new_invitation, parse_invitation
from chronotable_host import chapters
from chronotable_host.errors import UserError
from chronotable_host.language.names import CODE_WORDS
from tests import lanes, sweep
from tests.host.leaks import leaks

BROKER = "mqtt://broker.example"


def invited(seed: int, broker: str = BROKER) -> Invitation:
    return new_invitation(broker, Random(seed).choice)


@pytest.mark.parametrize(
    "broker",
    [
        BROKER,
        "mqtt://192.168.0.7:4711",
        "mqtts://broker.example",
        "mqtts://ann:p%40ss%2Fword%23@broker.example:8884",
        "wss://ann:secret@broker.example:8084/mqtt",
        "mqtt://[fd00::1]:1884",
    ],
)
def test_a_link_is_read_as_it_was_made(broker: str) -> None:
    made = invited(1, broker)
    assert made.end == INVITER
    assert parse_invitation(made.link) == made.of(JOINER)
    assert parse_invitation(made.link, end=INVITER) == made
    assert not set(made.link) & set(" '\"\\$`!*?<>|;()"), "one word of a shell, in quotes"
    assert parse_invitation(made.words, broker) == made.of(JOINER)


def test_both_ends_find_the_same_room_and_others_another() -> None:
    made, other = invited(1), invited(2)
    assert (made.room, made.key) == (made.of(JOINER).room, made.of(JOINER).key)
    assert made.room != other.room and made.key != other.key
    assert made.room not in made.key.hex()
    elsewhere = made._replace(broker="mqtt://other")
    assert elsewhere.room == made.room, "the words are the secret, wherever the broker is"


def test_links_are_read_as_people_paste_them() -> None:
    made = invited(3)
    link, (broker, words, _) = made.link, made
    for text in [
        f"  {link}\n",
        f"<{link}>",
        f'"{link}".',
        link.replace("chronotable://", "Chronotable://"),
        link.replace("#", "# "),
        link.replace("-", "%20"),
        link.replace("-", " "),
        link.replace("example", "exam\n  ple"),
        link.replace(words, words.upper()),
    ]:
        assert parse_invitation(text) == made.of(JOINER), text
    for text in [
        words.replace("-", " "),
        words.replace("-", ", "),
        words.replace("-", "\n"),
        words.title(),
        f"1. {words.replace('-', ' 2. ')}",
        f"  {words}  ",
        words.replace("-", " \u2013 "),
    ]:
        assert parse_invitation(text, broker) == made.of(JOINER), text
    assert parse_invitation(link, "mqtt://else").broker == "mqtt://else"


def test_umlauts_are_read_as_their_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("baer", "gross", "oel", "cafe")
    monkeypatch.setattr("chronotable_far.invitation.CODE_WORDS", words)
    made = invited(4)
    umlauts = made.words.replace("ae", "ä").replace("oe", "Ö").replace("ss", "ß")
    for text in (umlauts, umlauts.replace("cafe", "café"), umlauts.replace("ä", "a\u0308")):
        assert parse_invitation(text, BROKER) == made.of(JOINER), text


@pytest.mark.parametrize(
    ("text", "broker", "said"),
    [
        ("https://example.com/x", None, "begins with chronotable://"),
        ("chronotable://h/mqtt", None, "has no words"),
        ("chronotable://h#a b", None, "does not say where the broker is"),
        ("chronotable://h/xmpp#a b", None, "does not say where the broker is"),
        ("chronotable:///mqtt#a b", None, "does not say where the broker is"),
        ("", None, "name it with --broker"),
        ("a b c d e f g h i", None, "name it with --broker"),
        ("", BROKER, "there are 0"),
        ("acorn", BROKER, "there is 1"),
        ("a b c d e f g h", BROKER, "there are 8"),
        ("a b c d e f g h i j", BROKER, "there are 10"),
        ("acorn " * 9, BROKER, "and their order"),
        ("a b c d e f g h i", "http://h", "is no broker"),
        ("chronotable://h:99999/mqtt#a b c d e f g h i", None, "a port is a number"),
    ],
)
def test_each_kind_of_wrong_input_has_its_sentence(
    text: str, broker: str | None, said: str
) -> None:
    with pytest.raises(UserError, match=said) as error:
        parse_invitation(text, broker)
    assert "\n" not in str(error.value)
    assert leaks(str(error.value)) == []


@lanes.gate
def test_a_mistyped_word_is_noticed() -> None:
    """Of all that people mistype, fewer than one in a hundred is waited with for nobody."""
    random, missed = Random(7), 0
    tries = sweep.size(300, 3000)
    for number in range(tries):
        words = invited(number % 5).words.split("-")
        at = random.randrange(WORDS_OF_ROOM)
        if random.random() < 0.5:
            at2 = (at + random.randrange(1, WORDS_OF_ROOM)) % WORDS_OF_ROOM
            if words[at] == words[at2]:
                continue
            words[at], words[at2] = words[at2], words[at]
        else:
            words[at] = random.choice([word for word in CODE_WORDS if word != words[at]])
        try:
            parse_invitation(" ".join(words), BROKER)
            missed += 1
        except UserError:
            pass
    assert missed < tries / 100


def test_the_word_that_is_none_is_named() -> None:
    words = invited(1).words.split("-")
    words[4] += "x"
    with pytest.raises(UserError, match=f"'{words[4]}'"):
        parse_invitation(" ".join(words), BROKER)


def test_invitations_differ_and_keep_their_secrets() -> None:
    found = {new_invitation(BROKER).words for _ in range(30)}
    assert len(found) == 30
    for words in found:
        assert not any(chapters.gives_away(word) for word in words.split("-"))
    made = invited(1, "mqtt://ann:secret@h")
    for text in (repr(made), str(made), f"{made}"):
        assert "secret" not in text
        assert not any(word in text for word in made.words.split("-"))

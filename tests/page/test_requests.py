"""What a page may ask for, and that nothing else comes through."""

import json
import random

import pytest

from chronotable_host.web.http import requests
from chronotable_host.web.http.requests import MOST_BYTES, RequestError
from chronotable_host.web.service import COMMANDS

GOOD = [
    {"do": "take_control"},
    {"do": "release_control"},
    {"do": "choose", "text": ">future", "after": "1 E E"},
    {"do": "back"},
    {"do": "answer", "choice": "none", "turns": "1 E F >future;1 F E >future"},
    {"do": "undo"},
    {"do": "resign", "side": "white"},
    {"do": "draw", "side": "black"},
    {
        "do": "new",
        "white": "Ann-Sophie Müller 🦊",
        "black": "",
        "handicap": [0, 4],
        "modules": "standard",
        "first": "black",
        "seats": ["page", "level:1"],
        "times": "10+5",
    },
    {"do": "branch", "game": "2026-11-21T1917-2f8a57ed", "turn": 0},
    {"do": "judge", "game": "2f8a57ed", "level": 6},
    {"do": "stop_judging"},
    {"do": "keep_variation", "game": "2f8a57ed", "turn": 2, "line": "16 W W >past"},
    {"do": "drop_variation", "game": "2f8a57ed", "turn": 2, "line": "16 W W >past;1 E E >past"},
    {"do": "set", "settings": "palette=colour-blind"},
    {"do": "set", "settings": "brightness=128"},
    {"do": "lift", "at": 0},
    {"do": "place", "at": 53, "piece": "white-focus"},
    {"do": "put_away", "piece": "white"},
    {"do": "tap", "at": 5},
    {"do": "press", "button": "action", "side": "white"},
    {"do": "clumsy", "percent": 100},
    {"do": "reed", "at": 53, "how": "flicker"},
    {"do": "tidy"},
    {"do": "unlock"},
    {"do": "rematch"},
    {"do": "sit", "side": "white", "who": "level:3"},
    {"do": "address"},
    {"do": "watch", "boards": 1},
    {"do": "open", "to": "network"},
    {"do": "agree", "question": 3},
    {"do": "decline", "question": 1},
    {"do": "withdraw", "question": 7},
    {"do": "again"},
    {"do": "say", "text": "Hello, far away"},
    {"do": "clock", "times": "5+3,10"},
    {"do": "lesson", "number": 5},
    {"do": "lesson_now", "number": 1},
    {"do": "puzzle", "number": 301, "player": "Ann"},
    {"do": "tried", "number": 12, "player": "", "turns": "5 F E >past;>past", "hinted": 0},
    {"do": "hint"},
    {"do": "aside"},
    {"do": "analyse", "game": "2026-11-20", "turn": 3},
    {"do": "walk", "way": "back"},
    {"do": "hints", "sides": "black"},
    {"do": "turn", "number": 12},
    {"do": "go_on"},
    {"do": "leave"},
]


def parse_request(text):
    return requests.parse_request(text, COMMANDS)


def why(text):
    with pytest.raises(RequestError) as caught:
        parse_request(text if isinstance(text, str) else json.dumps(text))
    line = str(caught.value)
    assert line
    assert len(line) < 500
    assert line.isprintable()
    return line, caught.value.id


def test_there_is_an_example_of_every_command():
    assert {message["do"] for message in GOOD} == set(COMMANDS)


@pytest.mark.parametrize("message", GOOD, ids=json.dumps)
def test_what_may_be_asked_for(message):
    request = parse_request(json.dumps({"id": 1 << 31, **message}))
    assert request.id == 1 << 31
    assert {"do": request.do, **request.values} == message


@pytest.mark.parametrize("message", GOOD, ids=json.dumps)
def test_every_field_is_needed_and_no_other_is_known(message):
    for name in message:
        rest = {key: value for key, value in message.items() if key != name}
        line, number = why({"id": 7, **rest})
        assert number == 7
        assert name == "do" or repr(name) in line
    line, number = why({"id": 7, **message, "also": 1})
    assert number == 7
    assert "'also'" in line
    assert why(message)[1] == 0


NOWHERE_RIGHT = [True, False, None, 1.0, 1.5, -1, 10**400, {}, [], [1], "\0", "x" * 300]


@pytest.mark.parametrize("message", GOOD, ids=json.dumps)
@pytest.mark.parametrize("wrong", NOWHERE_RIGHT, ids=lambda wrong: repr(wrong)[:20])
def test_no_field_takes_what_is_right_nowhere(message, wrong):
    for name in message:
        line, number = why({"id": 7, **message, name: wrong})
        assert number == 7
        assert name == "do" or repr(name) in line


@pytest.mark.parametrize(
    ("do", "fields", "name", "wrong"),
    [
        ("lift", {"at": 53}, "at", 54),
        ("clumsy", {"percent": 100}, "percent", 101),
        ("branch", {"game": "x", "turn": 100_000}, "turn", 100_001),
        ("branch", {"game": "x" * 200, "turn": 0}, "game", "x" * 201),
        ("branch", {"game": "x", "turn": 0}, "game", ""),
        ("judge", {"game": "x", "level": 4}, "level", 3),
        ("judge", {"game": "x", "level": 8}, "level", 9),
        ("put_away", {"piece": "dark-elephant+white"}, "piece", "White"),
        ("put_away", {"piece": "x" * 24}, "piece", "x" * 25),
        ("answer", {"choice": "c", "turns": ""}, "choice", "d"),
        ("press", {"button": "draw", "side": "white"}, "button", "none"),
        ("sit", {"side": "black", "who": "hands"}, "side", "b"),
    ],
)
def test_where_a_field_ends(do, fields, name, wrong):
    assert parse_request(json.dumps({"id": 1, "do": do, **fields})).values == fields
    line, _ = why({"id": 1, "do": do, **fields, name: wrong})
    assert f"'{name}' of '{do}'" in line


@pytest.mark.parametrize("handicap", [[0], [0, 0, 0], [0, 5], [-1, 0], [True, 0], "00", [0, "0"]])
def test_a_handicap_is_two_small_numbers(handicap):
    new = next(message for message in GOOD if message["do"] == "new")
    assert why({"id": 1, **new, "handicap": handicap}) == (
        "'handicap' of 'new' is two whole numbers from 0 to 4",
        1,
    )


@pytest.mark.parametrize("seats", [["page"], ["page", "engine:x"], [["page"], 1], "page", [1, 2]])
def test_both_seats_are_given(seats):
    new = next(message for message in GOOD if message["do"] == "new")
    assert "two seats" in why({"id": 1, **new, "seats": seats})[0]


@pytest.mark.parametrize(
    "name", ["x" * 61, "a\nb", "\x1b[2J", "a\u202eb", "\ud800", "tab\t", "\u2028", "\x7f", "\ue000"]
)
def test_a_name_is_short_and_printable(name):
    new = next(message for message in GOOD if message["do"] == "new")
    assert "60 printable" in why({"id": 1, **new, "white": name})[0]


@pytest.mark.parametrize(
    "number", [0, -1, (1 << 31) + 1, True, 1.0, "1", None, [], 10**300, float("1e300")]
)
def test_an_id_is_a_whole_number(number):
    assert why({"id": number, "do": "undo"}) == (
        "a request has an 'id', a whole number from 1 to 2147483648",
        0,
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\ufeff{}",
        "undo",
        "{",
        "{'id': 1}",
        '{"id": 1, "do": "undo"} {}',
        '{"id": NaN, "do": "undo"}',
        '{"id": 1, "do": "clumsy", "percent": Infinity}',
        '{"id": 1, "do": "clumsy", "percent": -Infinity}',
        '{"id": ' + "9" * 4000 + ', "do": "undo"}',
        '{"id": 1e999, "do": "undo"}',
        "[" * MOST_BYTES,
        '{"a":' * (MOST_BYTES // 5),
        "[" * 2000 + "]" * 2000,
        '{"id": 1, "do": "lift", "at": ' + "[" * 900 + "]" * 900 + "}",
        "null",
        "true",
        "1",
        '"undo"',
        "[]",
        '[{"id": 1, "do": "undo"}]',
        "{}",
        '{"id": 1, "id": 2, "do": "undo"}',
        '{"id": 1, "do": "undo", "do": "tidy"}',
        '{"id": 1, "do": "lift", "at": 5, "at": 6}',
        '{"id": 1, "do": "lift", "at": {"a": 1, "a": 2}}',
        '{"id": 1, "do": "\\ud800"}',
        '{"id": 1, "do": "undo", "\\ud800": 1}',
        '{"id": 1, "do": "undo", "\\u001b[2J": 1}',
        '{"id": 1, "do": ["undo"]}',
        '{"id": 1, "do": {"undo": 1}}',
        '{"id": 1, "do": null}',
        '{"id": 1, "do": "obey"}',
        '{"id": 1, "do": "__class__"}',
        '{"id": 1, "do": "UNDO"}',
        '{"id": 1, "do": "' + "x" * 3000 + '"}',
    ],
    ids=lambda text: text[:40].encode("unicode_escape").decode(),
)
def test_what_is_no_request(text):
    why(text)


@pytest.mark.parametrize("wrong", ["palette;standard", "palette\n=x", "é=1", ""])
def test_settings_are_words(wrong):
    assert "settings, each as name=value" in why({"id": 3, "do": "set", "settings": wrong})[0]


@pytest.mark.parametrize("seed", range(20))
def test_torn_and_mixed_messages_are_requests_or_refused(seed):
    rng = random.Random(seed)
    for _ in range(200):
        text = list(json.dumps({"id": 1, **rng.choice(GOOD)}))
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(len(text))
            text[at] = rng.choice(['"', "{", "}", "[", "1", "-", "\\", "\0", ",", "e", "\ud800"])
        try:
            request = parse_request("".join(text))
        except RequestError as error:
            assert str(error).isprintable(), (seed, text)
        else:
            assert set(request.values) == set(COMMANDS[request.do]), (seed, text)


def test_the_first_answer_counts():
    told = []
    request = parse_request('{"id": 5, "do": "undo"}')
    request.sent_by("screen 2", lambda request, why: told.append((request.id, why)))
    assert request.viewer == "screen 2"
    request.refuse("there is no turn yet")
    request.accept()
    assert told == [(5, "there is no turn yet")]


def test_who_sent_nothing_hears_nothing():
    parse_request('{"id": 5, "do": "undo"}').accept()


@pytest.mark.parametrize("line", [">aaaaaaaa" * 20 + "!", "1 E >past;;", ">past" + ";>past" * 100])
def test_what_are_no_turns_is_refused_at_once(line: str) -> None:
    message = {"id": 1, "do": "keep_variation", "game": "x", "turn": 1, "line": line}
    with pytest.raises(RequestError, match="turns, parted by semicolons"):
        parse_request(json.dumps(message))

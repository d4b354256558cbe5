"""`night` and `games-data check`, as they are typed."""

import json
import re
import sys
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest

from chronotable_host.cli import run
from chronotable_night.games.shelf import kinds
from chronotable_night.games.verifying import mended
from tests import lanes
from tests.lab.ports import free_port
from tests.night.test_served import Night
from tests.programs import Program

ROOT = Path(__file__).parents[2]
WAIT_S = 60
KIND = next(iter(kinds().values()))
WITH_DATA = [kind for kind in kinds().values() if kind.default_data is not None]


def told(capsys, *words):
    status = run(words)
    out, err = capsys.readouterr()
    return status, out, err


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("night", "--data", "mine.json"), "--data belongs to a game"),
        (("night", "--option", "a=b"), "--option belongs to a game"),
        (("night", "chess"), "'chess' is no game; there are"),
        (("night", KIND.name, "--players", "99"), "--players 99"),
        (("night", KIND.name, "--option", "nonsense=1"), "this game has no such option"),
        (("night", KIND.name, "--listen", "::::"), "is nothing to listen at"),
        (("night", KIND.name, "--data", "nowhere.json"), "nowhere.json: cannot be read"),
        (("night", "--resume"), "no game was interrupted"),
        (("games-data", "check", "nowhere.json"), "nowhere.json: cannot be read"),
        (("games-data", "example", "timechase"), "Time Chase needs no data"),
        (("games-data", "edit", "timechase"), "Time Chase needs no data"),
        (("games-data", "edit", "chess"), "'chess' is no game; there are"),
    ],
)
def test_wrong_use_is_a_sentence(words, why, capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("CHRONOTABLE_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    status, _, err = told(capsys, *words)
    assert status == 2
    assert why in err
    assert len(err.splitlines()) == 1


@lanes.gate
def test_a_night_is_open_to_its_network_and_says_how_it_is_closed(tmp_path):
    with Program(tmp_path, "night", "--no-browser") as ran:
        ran.says("This network can come in; `--listen 127.0.0.1`|This PC is in no network")
        ran.says(r"token=\S{20}")  # so whoever comes has to know the code
        ran.says("The code: ")


@contextmanager
def begun(home, *words, listen="127.0.0.1"):
    """Run `night` in a process of its own; yield it, and the links that it says."""
    with Program(home, "night", *words, "--listen", listen, "--no-browser") as ran:
        said = ran.says(r"\A((?s:.)*?The code: .*\n)")
        yield ran, re.findall(r": (http\S+)", said), said


def page_of(url, token=""):
    """Open a page's line to a night that runs elsewhere."""
    server = SimpleNamespace(port=urlsplit(url).port)
    return Night(SimpleNamespace(room=None), server).page(token)


def asked(page, do, **values):
    answer = page.ask(do, **values)
    assert answer["error"] is None
    return answer


@lanes.gate
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for a child")
def test_a_night_is_served_until_it_is_interrupted(tmp_path):
    with begun(tmp_path, KIND.name) as (ran, (url, link), _):
        with urlopen(url, timeout=WAIT_S) as page:
            assert page.status == 200
        assert link.startswith(f"{url}join?code=")
        ran.interrupt()


@lanes.gate
def test_an_own_box_is_entered_on_its_page_and_nights_play_with_it(tmp_path):
    with Program(tmp_path, "games-data", "edit", "timemit", "--no-browser") as ran:
        url = re.search(r"http\S+", ran.says(r"Your box of TIMEmiT: http\S+\n"))[0]
        ran.says("It is kept in .*timemit.json, and nights play with it")
        with urlopen(url, timeout=WAIT_S) as page:
            assert page.status == 200
        with page_of(url) as page:
            asked(page, "enter", game="timemit", place="cards.20.combat", value="F5")
            asked(page, "mark", game="timemit", item="cards.20", on=True)
        ran.kill()
    with begun(tmp_path, "timemit") as (_, _, said):
        assert "Of your own box 1 of 65 are entered" in said


@lanes.gate
def test_a_night_that_was_killed_goes_on_where_the_phones_know_it(tmp_path):
    listen = f"127.0.0.1:{free_port()}"  # programs of other tests may have the usual one
    with begun(tmp_path, KIND.name, "--seed", "7", listen=listen) as (ran, (url, _), _said):
        with page_of(url) as screen:
            links = [
                asked(screen, "join", code="", name=f"Player {number}")["link"]
                for number in range(KIND.players[0])
            ]
            asked(screen, "start")
        tokens = [link.split("/")[2] for link in links]
        for token in tokens:
            with page_of(url, token) as phone:
                state = phone.hear()
                if state["decision"] and state["decision"]["choices"]:
                    (choice, *_) = (it for it in state["decision"]["choices"] if not it["refused"])
                    asked(phone, "act", action=choice["action"], steps=state["steps"])
        ran.kill()
    (sealed,) = tmp_path.glob("*.sealed")
    with begun(tmp_path, "--resume", listen=listen) as (_, (again, *_), said):
        assert "goes on: Player 0, Player 1" in said
        assert again == url
        with page_of(url, tokens[0]) as phone:
            assert phone.hear()["phase"] == "play"
            assert phone.state["happened"]
    assert sealed.is_file()
    with begun(tmp_path, KIND.name) as (_, _, said):
        assert "was interrupted (Player 0, Player 1" in said


@lanes.full
def test_a_night_goes_on_at_another_port_where_its_own_is_taken(tmp_path):
    with begun(tmp_path, KIND.name) as (_, (url, _link), _said):
        with page_of(url) as screen:
            for number in range(KIND.players[0]):
                asked(screen, "join", code="", name=f"Player {number}")
            asked(screen, "start")
        # another one has it, whose own is taken as well
        port = int(url.rsplit(":", 1)[1].strip("/"))
        with begun(tmp_path, "--resume") as (_, (other, link), said):
            assert other != url
            assert f"Port {port} is taken by now" in said
            assert link.startswith(f"{other}join?code=")


@lanes.gate
def test_a_night_without_a_game_has_the_page_ask(tmp_path):
    with begun(tmp_path) as (_, (url, _link), said):
        assert (
            f"Choose a game on the page: {', '.join(it.title for it in kinds().values())}" in said
        )
        with page_of(url) as screen:
            asked(screen, "choose", game=KIND.name)
            assert screen.hear(lambda it: it["name"] == KIND.name)["phase"] == "lobby"


@pytest.mark.parametrize("kind", WITH_DATA, ids=[kind.name for kind in WITH_DATA])
def test_the_own_data_of_a_game_is_valid(kind, capsys, tmp_path):
    file = tmp_path / "data.json"
    file.write_text(told(capsys, "games-data", "example", kind.name)[1])
    status, out, _ = told(capsys, "games-data", "check", str(file))
    assert status == 0
    assert kind.title in out
    found = json.loads(told(capsys, "games-data", "check", str(file), "--json")[1])
    assert found["game"] == kind.name
    assert found["hash"] == kind.game().data_hash


@pytest.mark.parametrize("kind", WITH_DATA, ids=[kind.name for kind in WITH_DATA])
def test_each_mistake_is_told_with_its_place(kind, capsys, tmp_path):
    data = json.loads(json.dumps(kind.default_data))
    lists = [name for name, value in data.items() if isinstance(value, list)]
    for name in lists:
        data[name][1] = None
    found, _ = mended(kind, data)
    assert [each.place for each in found] == sorted(
        (f"{name}.1" for name in lists), key=[each.place for each in found].index
    )
    file = tmp_path / "data.json"
    file.write_text(json.dumps(data))
    status, out, _ = told(capsys, "games-data", "check", str(file))
    assert status == 1
    for name in lists:
        assert f"{name}.1" in out


@pytest.mark.parametrize("text", ["{", "[]", "7", '{"nothing": 1}', '{"gates": NaN', "\ufeff"])
def test_what_is_no_data_is_said(text, capsys, tmp_path):
    file = tmp_path / "data.json"
    file.write_text(text, "utf-8")
    status, _, err = told(capsys, "games-data", "check", str(file))
    assert status == 2
    assert str(file) in err

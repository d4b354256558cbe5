"""`night` and `games-data check`, as they are typed."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest

from chronotable_host.cli import run
from chronotable_host.games.checking import mistakes
from chronotable_host.games.shelf import kinds

ROOT = Path(__file__).parents[2]
KIND = next(iter(kinds().values()))
WITH_DATA = [kind for kind in kinds().values() if kind.default_data is not None]


def told(capsys, *words):
    status = run(words)
    out, err = capsys.readouterr()
    return status, out, err


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("night",), "which game? name one of"),
        (("night", "chess"), "'chess' is no game; there are"),
        (("night", KIND.name, "--players", "99"), "--players 99"),
        (("night", KIND.name, "--option", "nonsense=1"), "this game has no such option"),
        (("night", KIND.name, "--listen", "::::"), "is nothing to listen at"),
        (("night", KIND.name, "--data", "nowhere.json"), "nowhere.json: cannot be read"),
        (("night", "--resume"), "no game was interrupted"),
        (("games-data", "check", "nowhere.json"), "nowhere.json: cannot be read"),
    ],
)
def test_wrong_use_is_a_sentence(words, why, capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("CHRONOTABLE_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    status, _, err = told(capsys, *words)
    assert status == 2
    assert why in err
    assert len(err.splitlines()) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for a child")
def test_a_night_is_served_until_it_is_interrupted(tmp_path):
    ran = subprocess.Popen(
        [sys.executable, "-m", "chronotable_host", "night", KIND.name, "--no-browser"],
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT / "host",
        env={
            **os.environ,
            "CHRONOTABLE_HOME": str(tmp_path),
            "PYTHONPATH": f"{ROOT / 'host'}{os.pathsep}{ROOT / 'firmware' / 'lib'}",
        },
    )
    try:
        said = ""
        while "The code: " not in said:
            line = ran.stderr.readline()
            assert line, said
            said += line
        (url,) = re.findall(r"The big screen: (\S+)", said)
        (link,) = re.findall(r"Phones: (\S+)", said)
        with urlopen(url, timeout=20) as page:
            assert page.status == 200
        assert link.startswith(f"{url}join?code=")
    finally:
        ran.send_signal(signal.SIGINT)
        _, rest = ran.communicate(timeout=20)
    assert "Traceback" not in rest


@pytest.mark.parametrize("kind", WITH_DATA, ids=[kind.name for kind in WITH_DATA])
def test_the_own_data_of_a_game_is_valid(kind, capsys, tmp_path):
    file = tmp_path / "data.json"
    file.write_text(json.dumps(kind.default_data))
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
    found = list(mistakes(kind, data))
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

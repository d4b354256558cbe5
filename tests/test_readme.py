"""The README's promises: its commands run, its pictures are drawn from the data."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
SESSION = re.findall(
    r"^\$ (?:echo '(.*?)' \| )?(chronotable .*?)(?:\s{2,}#.*)?$", README, re.MULTILINE
)


def run(args, tmp_path, text=""):
    environment = {**os.environ, "CHRONOTABLE_HOME": str(tmp_path / "games")}
    return subprocess.run(
        [sys.executable, "-m", "chronotable_host", *args],
        cwd=tmp_path,
        env=environment,
        input=text,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_the_session_of_the_readme(tmp_path):
    """The lines, one after the other, in a folder of their own."""
    assert len(SESSION) == 12
    for text, line in SESSION:
        args = shlex.split(line)[1:]
        if args[0] == "play":
            continue  # needs a table; tests/host/test_play.py has one
        if args == ["try"]:
            continue  # serves its page until it is stopped; tests/page/test_commands.py does that
        if args[0] == "games":
            assert "white" in run(["games", "--json"], tmp_path).stdout.lower()
        done = run(args, tmp_path, text="1 E E >present\n\n" if "me" in args else text)
        assert done.returncode == 0, (line, done.stderr)
        assert done.stdout or "--to" in args, line
        if text:
            assert '"past 1": "lifted"' in done.stdout, "the script does what README says"


@pytest.mark.parametrize("promise", ["try --headless", "-m pytest"])
def test_one_command_each_for_playing_and_testing(promise):
    lines = [line for line in README.splitlines() if line.startswith("python3 -m venv")]
    assert len([line for line in lines if promise in line]) == 1


def test_the_picture_is_there():
    picture = re.search(r"!\[.*?\]\((.*?)\)", README)
    assert picture and (ROOT / picture[1]).is_file()

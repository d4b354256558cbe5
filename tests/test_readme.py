"""The book's promises: commands run, links lead somewhere, pictures are drawn from the data."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from chronotable_host import cli
from chronotable_host.help_pages import page_named
from tests import lanes

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
LINK = re.compile(r"\]\(([^)\s]+)\)")
FOR_DEVELOPERS = ROOT / "host" / "DEVELOPING.md"


def linked(page, text):
    """Return the files of ours that a page links to, each with the heading that is named, or ""."""
    found = [link.partition("#") for link in LINK.findall(text) if "://" not in link]
    return [((page.parent / name).resolve() if name else page, at) for name, _, at in found]


PAGES = {ROOT / "README.md": README}
for door in (ROOT / "README.md", ROOT / "host" / "docs" / "de" / "README.md"):
    for path, _ in linked(door, door.read_text("utf-8")):
        if path.suffix == ".md":
            PAGES[path] = path.read_text("utf-8")
"""The README, and the pages that it leads to, in that order; then those in German."""
LINE = re.compile(r"^\$ (?:echo '(.*?)' \| )?(chronotable .*?)(?:\s{2,}#.*)?$", re.MULTILINE)
SESSION = list(dict.fromkeys(line for text in PAGES.values() for line in LINE.findall(text)))
"""What is typed in a terminal, once: a page in German has the same."""


def run(args, tmp_path, text=""):
    environment = {**os.environ, "CHRONOTABLE_HOME": str(tmp_path / "games")}
    return subprocess.run(
        [sys.executable, "-m", "chronotable_host", *args],
        cwd=tmp_path,
        env=environment,
        input=text,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


@lanes.long
@lanes.gate
def test_the_session_of_the_book(tmp_path):
    """The lines of all pages, one after the other, in a folder of their own."""
    assert len(SESSION) > 30
    for text, line in SESSION:
        args = shlex.split(line)[1:]
        if args[0] in ("invite", "join", "night", "games-data"):
            continue  # serves until it is stopped; tests/night and tests/far do that
        if args[0] == "club":
            continue  # needs a broker and a database; tests/club/test_clubs_page.py has both
        if args[0] == "play":
            continue  # needs a table; tests/host/test_play.py has one
        if args[0] == "try" and "--headless" not in args:
            continue  # serves its page until it is stopped; tests/page/test_commands.py does that
        if args[0] == "games":
            assert "white" in run(["games", "--json"], tmp_path).stdout.lower()
        done = run(args, tmp_path, text="1 E E >present\n\n" if "me" in args else text)
        assert done.returncode == 0, (line, done.stderr)
        assert done.stdout or "--to" in args, line
        if text:
            assert '"past 1": "lifted"' in done.stdout, "the script does what README says"


FOLDERS = (
    *(ROOT, ROOT / "firmware", ROOT / "firmware" / "lib"),
    *(ROOT / "host", ROOT / "host" / "chronotable_host"),
)
FILE = r"`([\w./-]+\.(?:py|js|json|md|txt))`"


def file_named(name):
    """The file that the page for developers means, None where there is none."""
    return next((folder / name for folder in FOLDERS if (folder / name).is_file()), None)


def test_what_developers_are_told_of_is_there():
    """Every file and folder, and in a file every function, class or name to begin with."""
    flat = " ".join(PAGES[FOR_DEVELOPERS].split())
    names = re.findall(FILE, flat)
    assert len(names) > 40
    assert [name for name in names if file_named(name) is None] == []
    folders = re.findall(r"`([\w./-]+/)`", flat)
    assert [name for name in folders if not any((at / name).is_dir() for at in FOLDERS)] == []
    begins = [
        (name, part)
        for name, listed in re.findall(FILE + r" \(([^)]*)\)", flat)
        for symbol in re.findall(r"`([\w.]+)`", listed)
        for part in symbol.split(".")
    ]
    assert len(begins) > 40
    for name, part in begins:
        assert re.search(rf"\b{part}\b", file_named(name).read_text("utf-8")), (name, part)


@pytest.mark.parametrize("page", ["README.md", "sweeps.md", "lab/figures.md"])
def test_what_the_pages_of_tests_name_is_there(page):
    names = re.findall(FILE, (ROOT / "tests" / page).read_text("utf-8"))
    assert len(names) > 8
    missing = [name for name in names if not (ROOT / "tests" / name).is_file()]
    assert [name for name in missing if not (ROOT / name).is_file()] == []


def test_developers_are_told_of_every_folder():
    for folder in (*FOLDERS[1:], ROOT / "firmware" / "lib"):
        for path in folder.iterdir():
            if path.is_dir() and any(path.glob("*.py")):
                assert f"{path.name}/`" in PAGES[FOR_DEVELOPERS], path


DOCS = ROOT / "host" / "docs"
FOR_PLAYERS = {page_named(page.as_posix()): page for page in DOCS.glob("*.md")}
FOR_PLAYERS["firmware"] = ROOT / "firmware" / "README.md"


def made_of(text):
    """Return what a page has in any language: headings, commands, names, numbers, links."""
    blocks = re.findall(r"```sh\n.*?```", text, re.DOTALL)
    prose = " ".join(re.sub(r"```.*?```", "", text, flags=re.DOTALL).split())
    links = [link.partition("#") for link in LINK.findall(text)]
    return {
        "headings": re.findall(r"^#+ ", text, re.MULTILINE),
        "commands": LINE.findall(text) + blocks,
        "names": sorted(set(re.findall(r"`([^`]+)`", prose))),
        "numbers": sorted(re.findall(r"\d+", re.sub(r"(?<=\d)[.,](?=\d{3})", "", prose))),
        "links": sorted((page_named(name) or Path(name).name, bool(at)) for name, _, at in links),
    }


@pytest.mark.parametrize("name", FOR_PLAYERS)
def test_a_page_for_players_says_the_same_in_german(name):
    english, german = FOR_PLAYERS[name], DOCS / "de" / f"{name}.md"
    assert german in PAGES, "no page leads there"
    assert made_of(PAGES[german]) == made_of(PAGES[english])


def test_every_page_in_german_is_one_of_them():
    assert {path.stem for path in (DOCS / "de").glob("*.md")} == {"README", *FOR_PLAYERS}


@pytest.mark.parametrize("promise", ["try --headless", "-m pytest"])
def test_one_command_each_for_playing_and_testing(promise):
    lines = [line for line in README.splitlines() if line.startswith("python3 -m venv")]
    assert len([line for line in lines if promise in line]) == 1


def headings(text):
    """Return the names by which links find the headings of a page, as GitHub makes them."""
    found = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", each.lower()).replace(" ", "-") for each in found}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    for path, at in linked(page, PAGES[page]):
        assert path.exists(), path
        assert not at or at in headings(path.read_text("utf-8")), (path, at)


def test_the_readme_opens_in_one_breath():
    assert len(README.encode()) <= 6144
    prose = re.sub(r"```.*?```", "", README, flags=re.DOTALL)
    prose = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", prose)
    for sentence in re.split(r"[.!?](?:\s|$)|[|\n]\s*[|\n]", prose):
        assert len(sentence.split()) <= 25, sentence


@pytest.mark.parametrize(("topic", "says"), [("lights", "steady cyan"), ("FAR", "friend's hands")])
def test_a_page_is_read_in_the_terminal(topic, says, capsys):
    assert cli.run(["help"]) == 0
    assert topic.lower() in [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert cli.run(["help", topic]) == 0
    read = capsys.readouterr().out
    assert says in read and "](" not in read and "![" not in read
    assert cli.run(["help", "fra"]) == 2
    assert "`chronotable help` lists them all" in capsys.readouterr().err

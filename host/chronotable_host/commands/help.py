"""`help`: the pages for people, in the terminal."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer
from rich.markdown import Markdown

from chronotable_host.commands.common.shared import console
from chronotable_host.errors import UserError
from chronotable_host.language import tr

app = typer.Typer()

_PACKAGE = Path(__file__).resolve().parents[1]
_ROOT = _PACKAGE.parents[1]
_WIDTH = 100  # columns: what is wider is hard to read
_HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
_PICTURE = re.compile(r"^!\[.*\n+", re.MULTILINE)
_LINK = re.compile(r"\[([^][]*)\]\([^()]*\)")


def _complete(incomplete: str) -> list[str]:
    return [topic for topic in topics() if topic.startswith(incomplete)]


@app.command(name="help")
def help_on(
    topic: Annotated[
        str | None,
        typer.Argument(metavar="TOPIC", help="Such as lights or far.", autocompletion=_complete),
    ] = None,
) -> None:
    """Read about lights, buttons, clocks and all else; without a topic, what there is."""
    known = topics()
    if topic is None:
        for name, text in known.items():
            print(f"{name:12}  {_HEADING.findall(text)[0]}")
        return
    if topic.lower() not in known:
        raise UserError(
            tr("there is no page '{topic}'; `chronotable help` lists them all", topic=topic)
        )
    screen = console()
    text = _LINK.sub(r"\1", _PICTURE.sub("", known[topic.lower()]))
    screen.print(Markdown(text), width=min(screen.width, _WIDTH), soft_wrap=False)


def topics() -> dict[str, str]:
    """Return what can be read, as Markdown, by its name.

    Each page comes with those of its sections whose heading is one word.
    """
    found: dict[str, str] = {}
    for path in _files():
        text = path.read_text("utf-8")
        name = path.parent.name.lstrip("_") if path.stem == "README" else path.stem
        found[name.lower()] = text
        for section in re.split(r"^(?=## )", text, flags=re.MULTILINE)[1:]:
            heading = section[3 : section.index("\n")].lower()
            if heading.isalpha():
                found.setdefault(heading, section)
    return found


def _files() -> list[Path]:
    """Return the pages, as a wheel or a checkout has them."""
    if (_PACKAGE / "_docs").is_dir():
        folders = [_PACKAGE / "_docs", _PACKAGE / "_boards"]
    else:
        folders = [_ROOT / "firmware", _ROOT / "host" / "docs", _ROOT / "boards"]
    return [path for folder in folders for path in sorted(folder.glob("*.md"))]

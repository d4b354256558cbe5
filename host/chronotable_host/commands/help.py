"""`help`: the pages for people, in the terminal."""

import re
from typing import Annotated

import typer
from rich.markdown import Markdown

from chronotable_host.commands.common.terminal import console
from chronotable_host.errors import UserError
from chronotable_host.help_pages import heading_of, topics
from chronotable_host.language import tr

app = typer.Typer()

_WIDTH = 100  # columns: what is wider is hard to read
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
            print(f"{name:12}  {heading_of(text)}")
        return
    if topic.lower() not in known:
        raise UserError(
            tr("there is no page '{topic}'; `chronotable help` lists them all", topic=topic)
        )
    screen = console()
    text = _LINK.sub(r"\1", _PICTURE.sub("", known[topic.lower()]))
    screen.print(Markdown(text), width=min(screen.width, _WIDTH), soft_wrap=False)

"""The pages for people: Markdown that `chronotable help` shows, and the browser under Help.

What is asked for by name is English, as all that is typed; what is read is in the language that is
spoken, where a page has been translated.
"""

import re
from pathlib import Path
from typing import NamedTuple

from chronotable_host.language import kept_by_language, spoken

_PACKAGE = Path(__file__).resolve().parent
_ROOT = _PACKAGE.parents[1]
_FOR_PROGRAMS = re.compile(r"<!--.*?-->", re.DOTALL)
_FIRST = ("first-game", "firmware", "lessons", "page", "opponents", "guests", "clocks", "far")
"""What comes first where pages are listed: how one plays."""
BUILDERS = ("boards", "build", "tiles", "commands", "site", "languages", "changes")
"""What comes last, for who builds a table or sets a program up."""


class HelpPage(NamedTuple):
    """A page as it is in English, and as it is read here."""

    english: Path
    spoken: Path

    @property
    def language(self) -> str:
        """The language that it is in."""
        return "en" if self.spoken == self.english else spoken()

    def picture(self, link: str) -> Path:
        """Return the file of a picture; a wheel has them all beside the pages."""
        path = self.spoken.parent / link
        return path if path.is_file() else self.english.parent / path.name


@kept_by_language()
def pages() -> dict[str, HelpPage]:
    """Return the pages by their names, in the order in which they are listed."""
    if (_PACKAGE / "_docs").is_dir():  # a wheel
        docs, *others = _PACKAGE / "_docs", _PACKAGE / "_boards"
    else:
        docs, *others = _ROOT / "host" / "docs", _ROOT / "firmware", _ROOT / "boards"
    found = {
        page_named(path.as_posix()): HelpPage(path, path)
        for folder in (docs, *others)
        for path in sorted(folder.glob("*.md"))
    }
    between = [name for name in found if name not in (*_FIRST, "trouble", *BUILDERS)]
    for name, page in found.items():
        own = docs / spoken() / f"{name}.md"
        if own.is_file():
            found[name] = page._replace(spoken=own)
    return {name: found[name] for name in (*_FIRST, *between, "trouble", *BUILDERS)}


def page_named(link: str) -> str:
    """Return the name of the page at a path, as pages write it that link to it."""
    path = Path(link)
    return (path.parent.name.lstrip("_") if path.stem == "README" else path.stem).lower()


def text_of(path: Path) -> str:
    """Return what people read of a page, as Markdown."""
    return _FOR_PROGRAMS.sub("", path.read_text("utf-8"))


def heading_of(text: str) -> str:
    """Return the heading with which a page or a section begins, in plain words."""
    return text[: text.index("\n")].lstrip("# ").replace("`", "")


def sections_of(text: str) -> list[str]:
    """Return the sections of a page, which begin with their headings."""
    return re.split(r"^(?=## )", text, flags=re.MULTILINE)[1:]


def topics() -> dict[str, str]:
    """Return what can be read, as Markdown, by its name.

    Each page comes with those of its sections whose heading is one word.
    """
    found: dict[str, str] = {}
    for name, page in pages().items():
        found[name] = text_of(page.spoken)
        both = (sections_of(text_of(path)) for path in page)
        for english, own in zip(*both, strict=True):
            heading = heading_of(english).lower()
            if heading.isalpha():
                found.setdefault(heading, own)
    return found

"""The rules as they are written: Markdown files with numbered rules, read into parts.

A rule is a paragraph that begins with its number and its title in bold, `**T16. Move.** ...`.
Files in another language lie in a folder of its name.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from chronotable_host.language import kept_by_language, spoken

FOLDER = "chronotable_host.rulebook"
"""The package in which the files are."""

_RULE = re.compile(r"\*\*([A-Z]\d+)\. ([^*]+)\.\*\* (.+)")


class Rule(NamedTuple):
    """A rule: its number, as T16, what it is called, and what it says."""

    number: str
    title: str
    text: str


class Section(NamedTuple):
    """Rules that belong together."""

    title: str
    rules: tuple[Rule, ...]


class Part(NamedTuple):
    """The standard game or a chapter; `setup` says what is different before the first turn."""

    title: str
    setup: str
    sections: tuple[Section, ...]

    @property
    def rules(self) -> Iterator[Rule]:
        """The rules of all sections, in their order."""
        return (rule for section in self.sections for rule in section.rules)


@kept_by_language()
def read_part(name: str) -> Part:
    """Return what a file of these rules holds."""
    from importlib import resources  # noqa: PLC0415 - every command is loaded with this file

    folder = resources.files(FOLDER)
    own = folder / spoken() / f"{name}.md"
    text = (own if own.is_file() else folder / f"{name}.md").read_text("utf-8")
    head, *sections = text.split("\n## ")
    title, setup = head.removeprefix("# ").split("\n\n", 1)
    parted = [section.strip().split("\n\n") for section in sections]
    read = tuple(Section(name, tuple(map(_rule, rules))) for name, *rules in parted)
    return Part(title, setup.strip(), read)


def _rule(paragraph: str) -> Rule:
    match = _RULE.fullmatch(paragraph)
    if match is None:
        raise ValueError(f"no rule: {paragraph}")
    return Rule(*match.groups())

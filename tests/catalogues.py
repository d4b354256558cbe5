"""The catalogues of sentences: `python -m tests.catalogues` brings them up to date with the code.

It does what Babel's `pybabel extract`, `update` and `compile` do, for each domain and language: new
sentences come into the .po files untranslated, those that are gone leave them, and what programs
read is made anew, as a build does it (host/hatch_build.py). What commands say of themselves is
no sentence of `tr()`: it is taken from the commands, as their help is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import redirect_stderr
from io import BytesIO, StringIO
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

import typer
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import write_po

from chronotable_host import cli
from chronotable_host.language import DOMAIN, FOLDER, others
from chronotable_host.web.http import catalogue as page
from hatch_build import compile_catalogue, read_catalogue, strings

HOST = FOLDER.parent.parent.parent
LANGUAGES = ("de",)

_KEYWORDS = {
    "tr": None,
    **dict.fromkeys(("tr_n", "trN"), (1, 2)),
    **dict.fromkeys(("tr_c", "trC"), ((1, "c"), 2)),
}


def _of_html(
    file: BinaryIO, *_: object, **__: object
) -> Iterator[tuple[int, None, str, list[str]]]:
    """Yield the sentences of an HTML file as Babel wants them."""
    for number, line in enumerate(file.read().decode().splitlines(), 1):
        for sentence in page.IN_HTML.findall(line):
            yield number, None, sentence, []


_PAGES = (
    "chronotable_host/site/static/",
    "chronotable_host/web/static/",
    "chronotable_night/static/",
    "chronotable_night/games/",
    "chronotable_club/static/",
)
_METHODS: dict[str, Any] = {
    DOMAIN: [("chronotable_*/**.py", "python")],
    page.DOMAIN: [
        *((f"{folder}**.js", "javascript") for folder in _PAGES),
        *((f"{folder}**.html", _of_html) for folder in _PAGES),
    ],
}
"""Which files of the PC's packages a domain is extracted from, and how."""
_OPTIONS = {f"{folder}**.js": {"parse_template_string": True} for folder in _PAGES}
DOMAINS = tuple(_METHODS)


def extracted(domain: str) -> Catalog:
    """Return the sentences that the code of a domain has."""
    catalog = Catalog(project="Chronotable", charset="utf-8")
    with redirect_stderr(StringIO()):  # Babel takes f-strings that fill a sentence for sentences
        found = [
            *extract_from_dir(
                HOST, _METHODS[domain], _OPTIONS, keywords=_KEYWORDS, comment_tags=["Note:"]
            )
        ]
    for path, _, message, comments, context in sorted(found, key=lambda each: (each[0], each[1])):
        catalog.add(message, locations=[(path, 0)], auto_comments=comments, context=context)
    if domain == DOMAIN:
        commands = [typer.main.get_command(cli.app), *map(cli.load_command, cli.COMMANDS)]
        for text in chain.from_iterable(map(others.texts, commands)):
            catalog.add(text, locations=[("chronotable_host/language/others.py", 0)])
        for text in others.SENTENCES:
            catalog.add(text, locations=[("chronotable_host/language/others.py", 0)])
    return catalog


def po_path(domain: str, language: str) -> Path:
    """Return where a catalogue lies."""
    return FOLDER / language / "LC_MESSAGES" / f"{domain}.po"


def read(domain: str, language: str) -> Catalog:
    """Return a catalogue as it is kept; an empty one where there is none yet."""
    path = po_path(domain, language)
    if not path.exists():
        return Catalog(
            locale=language,
            domain=domain,
            header_comment=f"# The sentences of Chronotable in the language {language}.",
            project="Chronotable",
            fuzzy=False,
        )
    return read_catalogue(path)


def written(catalog: Catalog) -> bytes:
    """Return the .po file of a catalogue, without what changes often: lines' numbers, Babel's."""
    file = BytesIO()
    write_po(file, catalog, width=100, include_lineno=False, ignore_obsolete=True)
    return re.sub(rb'"Generated-By: .*\n', b"", file.getvalue())


def update(domain: str, language: str) -> list[str]:
    """Bring a catalogue up to date; return those of its sentences that want a translation."""
    catalog = read(domain, language)
    catalog.update(extracted(domain), no_fuzzy_matching=True, update_creation_date=False)
    path = po_path(domain, language)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(written(catalog))
    compile_catalogue(path)
    return [strings(each.id)[0] for each in catalog if each.id and not all(strings(each.string))]


if __name__ == "__main__":
    for _domain in DOMAINS:
        for _language in LANGUAGES:
            _missing = update(_domain, _language)
            print(f"{po_path(_domain, _language)}: {len(_missing)} to translate")
            print(*_missing, sep="\n", end="\n" * bool(_missing))

"""The language of the page and the terminal: their sentences come from gettext's catalogues.

A program speaks one language from its start to its end: the one that the environment names, as for
all programs with gettext (LANGUAGE, LC_ALL, LC_MESSAGES, LANG), else the system's, else English,
in which the sentences stand in the code. `locale/` holds the others.
"""

from __future__ import annotations

import gettext
import locale
import os
from pathlib import Path

FOLDER = Path(__file__).parent / "locale"
DOMAIN = "chronotable"
"""The catalogue of the sentences in Python files."""

_VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")  # the first that is set decides


def wanted_languages() -> list[str]:
    """Return the languages to look for before English, the best first, such as "de_AT"."""
    named = next(filter(None, map(os.environ.get, _VARIABLES)), None)
    system = (locale.getlocale()[0] or "").partition("_")[0]  # Windows: German_Austria
    languages = []
    for name in (named or locale.normalize(system)).split(":"):
        if name.partition(".")[0].partition("_")[0] in ("en", "C", "POSIX"):
            break
        if name:
            languages.append(name)
    return languages


def read_catalogue(domain: str) -> gettext.NullTranslations:
    """Return the best catalogue of a domain; that of English is empty."""
    languages = wanted_languages()
    if not languages:  # gettext would ask the environment again
        return gettext.NullTranslations()
    return gettext.translation(domain, FOLDER, languages, fallback=True)


_catalogue = read_catalogue(DOMAIN)

LANGUAGE = _catalogue.info().get("language", "en") or "en"
"""The language that is spoken, such as "de"."""


def tr(message: str, /, **values: object) -> str:
    """Return a sentence in the chosen language, its {named} places filled with `values`."""
    text = _catalogue.gettext(message)
    return text.format(**values) if values else text


def tr_n(singular: str, plural: str, n: int, /, **values: object) -> str:
    """Return a sentence about `n` things, which it may name as {n}."""
    return _catalogue.ngettext(singular, plural, n).format(n=n, **values)


def tr_c(context: str, message: str, /, **values: object) -> str:
    """Return a sentence whose `context` tells it from another with the same English words."""
    text = _catalogue.pgettext(context, message)
    return text.format(**values) if values else text

"""The language of the page and the terminal: their sentences come from gettext's catalogues.

A program speaks the language that the environment names, as all programs with gettext do (LANGUAGE,
LC_ALL, LC_MESSAGES, LANG), else the system's, else English, in which the sentences stand in the
code. `locale/` holds the others. To a viewer of its page it speaks the viewer's: what was said in
its own language before, as all that stands in tables of modules, is said anew then (`Sentence`).
"""

import gettext
import locale
import os
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache, wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

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


_own = read_catalogue(DOMAIN)

LANGUAGE = _own.info().get("language", "en") or "en"
"""The language that the program speaks by itself, such as "de"."""
LANGUAGES = ("en", *sorted(each.parts[-3] for each in FOLDER.glob(f"*/*/{DOMAIN}.mo")))
"""All that can be spoken."""

_spoken: ContextVar[str] = ContextVar("spoken", default=LANGUAGE)
_catalogues = {LANGUAGE: _own}
Asked = ParamSpec("Asked")
Told = TypeVar("Told")


def spoken() -> str:
    """Return the language that is spoken here."""
    return _spoken.get()


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Speak a language meanwhile, in this thread or task."""
    before = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(before)


def kept_by_language(
    most: int | None = None,
) -> Callable[[Callable[Asked, Told]], Callable[Asked, Told]]:
    """Keep what a function returned, as `lru_cache` does, for each language."""

    def keeping(function: Callable[Asked, Told]) -> Callable[Asked, Told]:
        caches: dict[str, Callable[Asked, Told]] = defaultdict(
            lambda: lru_cache(most)(function)  # type: ignore[arg-type, return-value]
        )

        @wraps(function)
        def kept(*args: Asked.args, **named: Asked.kwargs) -> Told:
            return caches[_spoken.get()](*args, **named)

        return kept

    return keeping


class Sentence(str):
    """What was said in the program's own language; put into others, it is in theirs."""

    __slots__ = ("_how",)
    _how: tuple[Any, ...]

    def __new__(cls, text: str, *how: Any) -> "Sentence":
        """Have a text, and how it is said: the method of a catalogue, its words, the values."""
        said = super().__new__(cls, text)
        said._how = how
        return said

    def __str__(self) -> str:
        """Return it in the language that is spoken."""
        return str.__str__(self) if _spoken.get() == LANGUAGE else _said(*self._how)

    def __format__(self, how: str) -> str:
        """Return it in that language, laid out."""
        return format(str(self), how)

    def format(self, *values: object, **named: object) -> str:
        """Return it in that language, filled."""
        return str(self).format(*values, **named)

    def __reduce__(self) -> tuple[type, tuple[str]]:
        """Return what other processes get: the plain text."""
        return str, (str(self),)


def _said(way: str, words: tuple[str | int, ...], values: Mapping[str, object]) -> str:
    language = _spoken.get()
    if language not in _catalogues:
        _catalogues[language] = gettext.translation(DOMAIN, FOLDER, [language], fallback=True)
    text: str = getattr(_catalogues[language], way)(*words)
    text = text.format(**values) if values else text
    return Sentence(text, way, words, values) if language == LANGUAGE else text


def tr(message: str, /, **values: object) -> str:
    """Return a sentence in the language that is spoken, its {named} places filled with `values`."""
    return _said("gettext", (message,), values)


def tr_n(singular: str, plural: str, n: int, /, **values: object) -> str:
    """Return a sentence about `n` things, which it may name as {n}."""
    return _said("ngettext", (singular, plural, n), {"n": n, **values})


def tr_c(context: str, message: str, /, **values: object) -> str:
    """Return a sentence whose `context` tells it from another with the same English words."""
    return _said("pgettext", (context, message), values)

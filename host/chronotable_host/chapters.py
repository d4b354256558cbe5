"""The chapters of the game are its secrets: how many are unlocked in this installation.

Two rules. They are unlocked one by one and in their order, so a number says it all; it is kept in
the user's folder, with the games. And what belongs to a locked chapter is refused by one sentence
that names nothing of it; `discreet` holds back what would name it all the same.
"""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

from chronotable_host.archive import regular_files
from chronotable_host.archive.disk import write_whole
from chronotable_host.errors import UserError
from chronotable_host.home import default_folder
from chronotable_host.language import spoken, tr
from chronotable_host.rules.notation import MODULES, OPTIONS, format_modules

COUNT = 4
NAMES = (*MODULES, "convergence")
"""What the chapters are called, in their order."""

FILE = "chapters.json"
LOCKED = tr(
    "This needs a chapter that is not unlocked here; 'chronotable unlock' unlocks the next one."
)

_KEY = "unlocked"
_OPTION_CHAPTERS = {
    "strict_two_actions": 0,
    "voluntary_suicide": 1,
    "build_blocked": 2,
    "voluntary_suicide_elephant": 3,
    "shrub_removal_ungrows": 4,
}

# Words that name something of a chapter, and its rules: a sentence is about what it cites. The
# number of a random game is a seed, too, and computers have memory.
_ENGLISH_SECRETS = (
    r"\b(?:un)?grow(?:s|n|th|ing)?\b|(?<!-)\bseeds?\b(?! -?\d)|\bshrubs?\b|\btrees?\b|\bplant"
    r"|\bdig(?:s|ging)?\b|\bdug\b|\bfallen\b|\btoppl|\bcrush|\broots\b"
    r"|\bvoluntary_suicide\b|\(G\d",
    r"\binfluence|\bstatues?\b|\becho(?:es|ed)\b|\brebound|\bstop_2023\b|\bbuild_blocked|\(I\d",
    r"(?<!in )(?<!free )\bmemory\b|\belephants?\b|\bhats?\b|\btrain(?:s|ed|ing)?\b|\btrampl"
    r"|\bvoluntary_suicide_elephant\b|\(M\d",
    r"\bconverge|\bshrub_removal_ungrows|\(C\d",
)
_GERMAN_SECRETS = (
    r"\b(?:ge)?w[aäu]chs(?!am)|\bsamens?\b|\bstr(?:auch|äuch)|\bb(?:aum|äum)|schössling"
    r"|pflanz|\b(?:aus|ein)(?:ge)?gr[aä]b|\bgräb|\bum(?:ge)?(?:fall|stürz)|\berschl[aäu]g|\bgrub\b"
    r"|\bwurzel",
    r"\bstatuen\b|\beinfluss|(?-i:\bEchos?\b)|\bprall(?:t|en)\b|\brückprall",
    r"\bgedächtnis|\berinnerung|\belefant|\bh(?:ut|üte)\b|\bdressier|\babgericht|\babricht"
    r"|\btrainier|trampel|\bbahn",
    r"\bkonverg",
)


def secrets_in(language: str) -> tuple[str, ...]:
    """Return what gives a chapter away where a language is spoken, a pattern for each chapter.

    What is typed or was kept may be in any language, but "hat" is German for "has".
    """
    both = ("|".join(each) for each in zip(_ENGLISH_SECRETS, _GERMAN_SECRETS, strict=True))
    return tuple(each.replace("hats?", "hats") if language == "de" else each for each in both)


_QUOTED = re.compile(r"(?<!\w)'[^']*'(?!\w)|„[^„“]*“")
_WORD = re.compile(r"\S+")


class ChaptersError(UserError):
    """The file that says how many chapters are unlocked cannot be understood."""


class LockedError(UserError):
    """It belongs to a chapter that is not unlocked in this installation."""

    def __init__(self, why: str = LOCKED) -> None:
        super().__init__(why)  # an argument, so that it travels between processes


def options_of(chapter: int) -> list[tuple[str, tuple[str, str]]]:
    """Return name and both values of a chapter's options; chapter 0 is the standard game."""
    return [option for option in OPTIONS if _OPTION_CHAPTERS[option[0]] == chapter]


def path() -> Path:
    """Return the file that says how many chapters are unlocked; it need not be there."""
    return default_folder() / FILE


def unlocked() -> int:
    """Return how many chapters are unlocked, 0 to COUNT; raises ChaptersError and OSError."""
    file = path()
    try:
        data = regular_files.read(file)
    except FileNotFoundError:
        return 0
    try:
        count = json.loads(data)[_KEY]
        if type(count) is int and 0 <= count <= COUNT:
            return count
    except (ValueError, TypeError, KeyError, RecursionError):
        pass
    raise ChaptersError(
        tr(
            "{file}: does not say how many chapters are unlocked; remove it, and unlock them again",
            file=file,
        )
    )


def unlock_next() -> None:
    """Have one chapter more unlocked; raises UserError where none is left, and as `unlock_to`."""
    count = unlocked()
    if count == COUNT:
        raise UserError(tr("All {count} chapters are unlocked already.", count=count))
    unlock_to(count + 1)


def unlock_to(count: int) -> None:
    """Have so many chapters unlocked, if there are fewer.

    A crash leaves the old file or the new one. Raises ChaptersError and OSError.
    """
    if count <= unlocked():
        return
    file = path()
    file.parent.mkdir(parents=True, exist_ok=True)
    write_whole(file, json.dumps({_KEY: count}) + "\n")


def needed(modules: int, options: int = 0) -> int:
    """Return the last chapter that modules and option bits need, 0 for none.

    One module is a chapter of its own; two or three of them together are the fourth (C1, C13).
    """
    of_modules = COUNT if modules & modules - 1 else modules.bit_length()
    named = (name for bit, (name, _) in enumerate(OPTIONS) if options >> bit & 1)
    return max([of_modules, *(_OPTION_CHAPTERS[name] for name in named)])


def is_open(modules: int, options: int = 0) -> bool:
    """Tell whether modules and option bits may be named and played here.

    The standard game may, whatever the file says; else raises ChaptersError and OSError.
    """
    due = needed(modules, options)
    return due == 0 or due <= unlocked()


def require(modules: int, options: int = 0) -> None:
    """Raise LockedError unless `is_open`; raises ChaptersError and OSError, too."""
    if not is_open(modules, options):
        raise LockedError


def told_modules(modules: str, start: str, options: str) -> str | None:
    """Return what a game's headers say is played, None where that is not to be told here.

    Raises ChaptersError and OSError.
    """
    bits = modules_in(f"{modules} {start}")
    return format_modules(bits) if is_open(bits, options_in(options)) else None


def modules_in(text: str) -> int:
    """Return the set of modules whose names are words of a text, whatever else is wrong with it."""
    words = {word.lower() for word in re.split(r"[\s+]+", text)}
    return sum(1 << bit for bit, name in enumerate(MODULES) if name in words)


def options_in(text: str) -> int:
    """Return the bits of the options whose names begin words of a text, whatever their values."""
    names = {word.lower().partition("=")[0] for word in text.split()}
    return sum(1 << bit for bit, (name, _) in enumerate(OPTIONS) if name in names)


def shown() -> int:
    """Return how many chapters may be named; none where the file cannot be understood."""
    try:
        return unlocked()
    except (ChaptersError, OSError):
        return 0


def gives_away(text: str, given: str = "", may_quote: bool = False) -> bool:
    """Tell whether a text names something of a chapter that is locked here.

    What is in `given` may be repeated, and so may paths and, with `may_quote`, what stands in
    quotation marks.
    """
    said = _without_paths(_QUOTED.sub("", text) if may_quote else text)
    found = [re.findall(secret, said, re.IGNORECASE) for secret in secrets_in(spoken())]
    if not any(found):
        return False
    words = {word.lower() for words in found[shown() :] for word in words}
    return not all(_is_given(word, given) for word in words)


def _without_paths(text: str) -> str:
    """Return a text without the words that have a slash of either kind in them."""
    return _WORD.sub(lambda word: word[0] if {*"/\\"}.isdisjoint(word[0]) else "", text)


@lru_cache(maxsize=256)  # of one text, which may be long, all of the words are asked for at most
def _is_given(word: str, given: str) -> bool:
    return word in given.lower()


def discreet(text: str, given: str = "", may_quote: bool = False) -> str:
    """Return a text, or LOCKED in its place where it `gives_away` something."""
    return LOCKED if gives_away(text, given, may_quote) else text


@contextmanager
def discretion(given: str = "") -> Iterator[None]:
    """Raise LockedError in the place of an error about `given` that `gives_away` more than that."""
    try:
        yield
    except UserError as error:
        if gives_away(str(error), given):
            raise LockedError from error
        raise

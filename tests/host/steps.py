"""Counting the steps of what reads a stranger's text: of Python's lines, and of a pattern's tries.

Times say nothing on a machine that others use, too; steps are the same everywhere.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from random import Random
from types import FrameType
from typing import Any

try:
    from re import _constants as codes  # type: ignore[attr-defined]
    from re import _parser as parser
except ImportError:  # before Python 3.11
    import sre_constants as codes
    import sre_parse as parser

TOO_MANY = 20_000


def lines_run(work: Callable[[], object]) -> int:
    """Return how many lines of Python some work runs."""
    count = 0

    def trace(_frame: FrameType, event: str, _argument: object) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    former = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(former)
    return count


def tries(
    pattern: re.Pattern[str], text: str, is_searched: bool = True, is_whole: bool = False
) -> int:
    """Return how many items of a pattern are tried to find all that it matches in a text.

    Without `is_searched` it is tried at the beginning only; `is_whole` is to fit the whole text.

    Tried one behind the other and backwards, as `re` does, but without what makes `re` quicker.
    More than TOO_MANY are not counted.
    """
    matcher = _Matcher(pattern, text)
    if is_whole:
        matcher.items = [*matcher.items, (codes.AT, codes.AT_END_STRING)]
    at = 0
    while at <= len(text) and matcher.tries < TOO_MANY:
        end = next(matcher.ends(matcher.items, 0, at), None)
        at = at + 1 if end is None or end == at else end
        if not is_searched:
            break
    return matcher.tries


@cache
def _items_of(pattern: re.Pattern[str]) -> list[Any]:
    return list(parser.parse(pattern.pattern, pattern.flags))


def parts_of(pattern: re.Pattern[str]) -> Iterator[tuple[list[Any], list[Any]]]:
    """Yield the whole pattern and what is repeated in it, each with what stands before it."""
    yield [], _items_of(pattern)
    todo: list[tuple[list[Any], list[Any]]] = [([], _items_of(pattern))]
    while todo:
        before, items = todo.pop()
        for at, (code, value) in enumerate(items):
            here = [*before, *items[:at]]
            if code in _REPEATS:
                yield here, list(value[2])
            inner = _inside(code, value)
            todo += [(here, each) for each in inner]


def _inside(code: Any, value: Any) -> list[list[Any]]:
    if code in _REPEATS:
        return [list(value[2])]
    if code is codes.BRANCH:
        return [list(each) for each in value[1]]
    return [list(value[-1])] if code in (codes.SUBPATTERN, codes.ASSERT) else []


def sample(
    pattern: re.Pattern[str], items: list[Any], chance: Random, alphabet: Sequence[str]
) -> str:
    """Return a text that such items of a pattern may fit, of chance; looks around are left out."""
    matcher, text = _Matcher(pattern, ""), ""
    for code, value in items:
        if code in _REPEATS:
            low, high, inner = value
            count = chance.randint(low, min(int(high), low + 4))
            text += "".join(sample(pattern, list(inner), chance, alphabet) for _ in range(count))
        elif code in _SINGLE:
            own = chr(value) if code is codes.LITERAL else ""
            fitting = [own] if own else [x for x in alphabet if matcher.fits(code, value, x)]
            text += chance.choice(fitting or _of_ranges(value))
        elif code in (codes.SUBPATTERN, codes.BRANCH):
            text += sample(pattern, chance.choice(_inside(code, value)), chance, alphabet)
    return text


def _of_ranges(value: Any) -> list[str]:
    return [chr(of if code is codes.LITERAL else of[0]) for code, of in value
            if code in (codes.LITERAL, codes.RANGE)] or [""]  # fmt: skip


class _Matcher:
    def __init__(self, pattern: re.Pattern[str], text: str) -> None:
        self.items = _items_of(pattern)
        self.text = text
        self.tries = 0
        self._flags = pattern.flags
        self._ignores_case = bool(pattern.flags & re.IGNORECASE)

    def ends(self, items: list[Any], first: int, at: int) -> Iterator[int]:
        """Yield where the items from `first` on end when they begin at `at`, the preferred first.

        A repeated item is not entered once more than the text has room for.
        """
        self.tries += 1
        if self.tries > TOO_MANY:
            return
        if first == len(items):
            yield at
            return
        for end in self._one(*items[first], at):
            yield from self.ends(items, first + 1, end)

    def _one(self, code: Any, value: Any, at: int) -> Iterator[int]:
        if code in _REPEATS:
            low, high, inner = value
            yield from self._repeated(list(inner), low, high, at, code is codes.MAX_REPEAT)
        elif code is codes.SUBPATTERN:
            yield from self.ends(list(value[-1]), 0, at)
        elif code is codes.BRANCH:
            for branch in value[1]:
                yield from self.ends(list(branch), 0, at)
        elif code in (codes.ASSERT, codes.ASSERT_NOT):
            direction, inner = value
            start = at if direction > 0 else at - inner.getwidth()[0]
            found = start >= 0 and any(True for _ in self.ends(list(inner), 0, start))
            if found is (code is codes.ASSERT):
                yield at
        elif code is codes.AT:
            if self._is_at(value, at):
                yield at
        elif at < len(self.text) and self.fits(code, value, self.text[at]):
            yield at + 1

    def _repeated(
        self, inner: list[Any], low: int, high: Any, at: int, is_greedy: bool
    ) -> Iterator[int]:
        if len(inner) == 1 and inner[0][0] in _SINGLE:  # as `re` does it: without recursion
            reached = [at]
            while len(reached) <= min(int(high), len(self.text)) and (
                end := next(self._one(*inner[0], reached[-1]), None)
            ):
                self.tries += 1
                reached.append(end)
            fitting = reached[low:]
            yield from reversed(fitting) if is_greedy else fitting
            return
        stop = low <= 0
        if stop and not is_greedy:
            yield at
        if int(high) > 0:
            for end in self.ends(inner, 0, at):
                if end > at:
                    yield from self._repeated(inner, low - 1, int(high) - 1, end, is_greedy)
        if stop and is_greedy:
            yield at

    def _is_at(self, where: Any, at: int) -> bool:
        if where in (codes.AT_BEGINNING, codes.AT_BEGINNING_STRING):
            return at == 0 or (self._many_lines(where) and self.text[at - 1] == "\n")
        if where in (codes.AT_END, codes.AT_END_STRING):
            return at == len(self.text) or (self._many_lines(where) and self.text[at] == "\n")
        before = at > 0 and _is_word(self.text[at - 1])
        behind = at < len(self.text) and _is_word(self.text[at])
        return (before != behind) is (where is codes.AT_BOUNDARY)

    def _many_lines(self, where: Any) -> bool:
        is_of_line = where in (codes.AT_BEGINNING, codes.AT_END)
        return is_of_line and bool(self._flags & re.MULTILINE)

    def fits(self, code: Any, value: Any, char: str) -> bool:
        chars = {char.lower(), char.upper()} if self._ignores_case else {char}
        if code is codes.LITERAL:
            return chr(value) in chars
        if code is codes.NOT_LITERAL:
            return chr(value) not in chars
        if code is codes.ANY:
            return char != "\n" or bool(self._flags & re.DOTALL)
        assert code is codes.IN, code
        is_in = value[0][0] is not codes.NEGATE
        return any(_is_in(item, char) for item in value for char in chars) is is_in


def _is_word(char: str) -> bool:
    return char.isalnum() or char == "_"


_REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT)
_SINGLE = (codes.LITERAL, codes.NOT_LITERAL, codes.ANY, codes.IN)
_CATEGORIES = {
    codes.CATEGORY_DIGIT: str.isdecimal,
    codes.CATEGORY_SPACE: str.isspace,
    codes.CATEGORY_WORD: _is_word,
    codes.CATEGORY_NOT_DIGIT: lambda char: not char.isdecimal(),
    codes.CATEGORY_NOT_SPACE: lambda char: not char.isspace(),
    codes.CATEGORY_NOT_WORD: lambda char: not _is_word(char),
}


def _is_in(item: tuple[Any, Any], char: str) -> bool:
    code, value = item
    if code is codes.LITERAL:
        return char == chr(value)
    if code is codes.RANGE:
        return bool(value[0] <= ord(char) <= value[1])
    return code is codes.CATEGORY and bool(_CATEGORIES[value](char))

"""JSON as the page gets it: one line, without control characters."""

import json
import re
from collections.abc import Mapping
from typing import Any

from chronotable_host.errors import printable_json
from chronotable_host.language import LANGUAGE, spoken

_ESCAPED = re.compile(r'\\[^"]')  # in JSON


class JsonText(str):
    """JSON that is made already."""

    __slots__ = ()


def json_text(answer: Mapping[str, Any]) -> JsonText:
    """Return an answer as JSON, cleaned where it has what JSON escapes: few answers have any."""
    if spoken() != LANGUAGE:
        answer = printable_json(answer)  # and said anew
    text = _dumped(answer)
    if _ESCAPED.search(text) or not text.isprintable():
        text = _dumped(printable_json(answer))
    return JsonText(text)


def with_member(answer: JsonText, name: str, value: str) -> JsonText:
    """Return an answer with one member more, whose value is JSON already."""
    return JsonText(f'{answer[:-1]},"{name}":{value}}}')


def _dumped(answer: Any) -> str:
    return json.dumps(answer, separators=(",", ":"), ensure_ascii=False)

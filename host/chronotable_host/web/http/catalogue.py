"""The words of the page in the language that is spoken: for its scripts, and in its HTML.

Scripts say `tr("A sentence.")` and import the sentences of other languages as a module (`script`).
In HTML a sentence stands in double braces, `{{A sentence.}}`, in a text or an attribute. Both are
in the catalogue `page`, which is kept as JSON: each sentence, or a context, the character 4 and a
sentence, with its translation, or with one for one thing and one for several.
"""

import html
import json
import re
from collections.abc import Mapping
from typing import Any

from chronotable_host.language import FOLDER, LANGUAGES, kept_by_language, spoken

DOMAIN = "page"
IN_HTML = re.compile(r"\{\{(.+?)\}\}")
"""A sentence in HTML."""

_LANGUAGE = '<html lang="en"'


@kept_by_language()
def words() -> Mapping[str, Any]:
    """Return the sentences of the page and their translations, as above; of English none."""
    file = FOLDER / spoken() / "LC_MESSAGES" / f"{DOMAIN}.json"
    if not file.is_file():  # English
        return {}
    found: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return found


@kept_by_language()
def script() -> bytes:
    """Return a JavaScript module that has the language and the words of it; of English none."""
    return script_of(words()).encode()


def script_of(some: Mapping[str, Any]) -> str:
    """Return that module with some of the words."""
    told = json.dumps(some, ensure_ascii=False)
    languages = json.dumps(LANGUAGES)
    return (
        f"export const language = {json.dumps(spoken())};\n"
        f"export const languages = {languages};\nexport const words = {told};\n"
    )


def translated(page: bytes) -> bytes:
    """Return an HTML file in the language that is spoken."""
    text = page.decode().replace(_LANGUAGE, _LANGUAGE.replace("en", spoken()), 1)
    known = words()
    return IN_HTML.sub(lambda found: html.escape(known.get(found[1]) or found[1]), text).encode()

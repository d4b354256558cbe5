"""Help in the browser: the pages for people as HTML, what they link to, and their pictures.

Markdown says all there is to show; HTML in it is shown as it is written. What links lead to beyond
these pages and the web is not served, and so only its name stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path, PurePosixPath
from string import Template
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt
from starlette.exceptions import HTTPException

from chronotable_host.help_pages import (
    BUILDERS,
    heading_of,
    page_named,
    pages,
    sections_of,
    text_of,
)
from chronotable_host.language import kept_by_language, spoken, tr
from chronotable_host.web.http.files import STATIC, TYPES, checked, page_of, tag_of

if TYPE_CHECKING:
    from markdown_it.token import Token
    from starlette.requests import Request
    from starlette.responses import Response

_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")
_PICTURE = re.compile(r"\]\(([^()]*\.(?:svg|png))\)")
_ASIDE = re.compile(r" {3,}#")  # in columns, where a window is wide enough
_TYPED = re.compile(r"^(?:\$ )?chronotable ", re.MULTILINE)
_ALONE = "site"
"""The page of who has the browser alone."""
_ON_THE_WEB = ("https://", "http://")
_GUIDES = {
    "boards": tr("Build a table"),
    "build": tr("Building the reference table"),
    "tiles": tr("Building the table tiles"),
}
"""What pages are called that are in English alone."""


def answer(request: Request) -> Response:
    """Answer with a page, the list of them, or a picture of one."""
    name = request.path_params.get("name", "")
    if name in pictures():
        content, kind = pictures()[name].read_bytes(), PurePosixPath(name).suffix
    elif name in ("", *pages()):
        content, kind = page(name), ".html"
    else:
        raise HTTPException(404)
    return checked(request, content, tag_of(content), TYPES[kind])


@kept_by_language()
def pictures() -> dict[str, Path]:
    """Return the files of the pictures that pages show or link to, by their names."""
    return {
        PurePosixPath(link).name: each.picture(link)
        for each in pages().values()
        for link in _PICTURE.findall(text_of(each.spoken))
    }


@kept_by_language()
def page(name: str, is_alone: bool = False) -> bytes:
    """Return a page as HTML, "" the list of them; to read it in a browser alone, without a PC."""
    found = pages().get(name)
    last = _typed() if is_alone else BUILDERS
    if found is None:
        text, language = _contents(last), spoken()
    else:
        text, language = text_of(found.spoken), found.language
    if is_alone and name in last:
        noted = tr("Commands on this page are typed where Chronotable is set up on a PC.")
        text = text.replace("\n", f"\n\n**{noted}**\n", 1)
    tokens = _MARKDOWN.parse(text)
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            said = tokens[at + 1].children or []
            token.attrSet("id", _anchor("".join(each.content for each in said)))
        elif token.type == "fence":
            token.content = _ASIDE.sub("  #", token.content)
            if token.info == "text":  # lines that stay whole: who has no mouse scrolls it, too
                token.attrSet("tabindex", "0")
        token.children = list(_linked(token.children or []))
    body = _MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {})
    html = Template(page_of(STATIC / "help.html").decode()).substitute(language=language, body=body)
    return html.replace("<title>", f"<title>{escape(heading_of(text))} · ", 1).encode()


def _typed() -> Sequence[str]:
    """Return the names of pages that a browser alone has little use for: they are of commands."""
    return [
        name
        for name, each in pages().items()
        if name != _ALONE and (name in BUILDERS or _TYPED.search(text_of(each.english)))
    ]


def _contents(last: Sequence[str]) -> str:
    """Return the list of pages, as Markdown; of the `last` ones no sections."""
    lines = ["# " + tr("Help")]
    is_alone = _ALONE not in last
    for name in sorted(pages(), key=lambda name: (name in last, is_alone and name != _ALONE)):
        page = pages()[name]
        text = text_of(page.spoken)
        heads = map(heading_of, sections_of(text))
        if name == last[0]:
            builders = tr("For those who build and set up")
            lines.append("## " + (tr("With Chronotable on a PC") if is_alone else builders))
        if page.language != spoken():
            lines += [f"### [{_GUIDES[name]}]({name}.md)", tr("This page is in English.")]
        elif name in last:
            lines.append(f"### [{heading_of(text)}]({name}.md)")
        else:
            told = " · ".join(f"[{head}]({name}.md#{_anchor(head)})" for head in heads)
            lines += [f"## [{heading_of(text)}]({name}.md)", told]
    return "\n\n".join(lines)


def _linked(tokens: list[Token]) -> Iterator[Token]:
    """Yield what a line is made of, its links leading to what is served."""
    is_led = True
    for token in tokens:
        if token.type == "image":
            token.attrSet("src", PurePosixPath(str(token.attrs["src"])).name)
        elif token.type == "link_open":
            href = str(token.attrs["href"])
            link, hash_, at = href.partition("#")
            name = PurePosixPath(link).name
            if name not in pictures():
                name = page_named(link)
            is_led = href.startswith(_ON_THE_WEB) or name in ("", *pictures(), *pages())
            if not href.startswith(_ON_THE_WEB):
                token.attrSet("href", name + hash_ + at)
        if is_led or token.type not in ("link_open", "link_close"):
            yield token


def _anchor(heading: str) -> str:
    """Return what a link to a heading ends with, as GitHub makes it."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")

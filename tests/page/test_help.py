"""Help in the browser is the pages for people, in the language that is spoken, and leads on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import cycle
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest

from chronotable_host import chapters, cli, help_pages
from chronotable_host.language import speaking
from chronotable_host.web.http import help_html
from chronotable_host.web.http.files import STATIC
from tests import lanes
from tests.page.browsing import PC, Browser, Size, barriers, opened
from tests.page.served import served
from tests.programs import Program

WORDS = {"en": ("Menu", "Learn", "Help"), "de": ("Menü", "Lernen", "Hilfe")}
"""The menu, its part or the page that leads to help, and the link."""


class _Read(HTMLParser):
    """What of a page leads elsewhere, what can be led to, and what it says."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.said = ""
        self.language = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.ids.add(given.get("id", ""))
        self.links += [given[name] for name in ("href", "src") if name in given]
        if tag == "main":
            self.language = given["lang"]

    def handle_data(self, data: str) -> None:
        self.said += data


@pytest.fixture(params=["en", "de"])
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    spoken: str = request.param
    with speaking(spoken):
        yield spoken


def test_what_is_not_translated_is_named_all_the_same() -> None:
    with speaking("de"):
        contents = help_html.page("").decode()
    assert "Einen Tisch bauen" in contents
    assert "Build a table" not in contents
    assert "Printing" not in contents, "its sections are in English"
    families, builders = contents.split("Für alle, die bauen und einrichten")
    assert "Deine erste Partie" in families and "Alle Befehle" in builders
    contents = help_html.page("", is_alone=True).decode()
    fits, others = contents.split("With Chronotable on a PC")
    first, *_ = re.findall(r'<h2[^>]*><a href="(\w+)">', fits)
    assert (first, 'href="page"' in fits) == ("site", True)
    assert 'href="first-game"' in others
    note = "Commands on this page are typed"
    for name, is_noted in (("site", False), ("page", False), ("first-game", True)):
        assert (note in help_html.page(name, is_alone=True).decode()) is is_noted
        assert note not in help_html.page(name).decode()


def test_all_that_help_links_to_is_served(language: str) -> None:
    """Every page is reached from the list of them, every heading and picture is there."""
    with served(STATIC) as page:
        read: dict[str, _Read] = {}
        due = ["/help/"]
        while due:
            path, _, at = due.pop().partition("#")
            if path not in read:
                answer = page.get(path, accept_language=language)
                assert answer.status == 200, path
                is_page = answer.headers["content-type"].startswith("text/html")
                if not (is_page and path.startswith("/help/")):
                    continue
                assert "script-src 'self'" in answer.headers["content-security-policy"]
                read[path] = _Read(answer.text)
                there = (urljoin(f"http://here{path}", link) for link in read[path].links)
                ours = (urlsplit(link) for link in there if link.startswith("http://here/"))
                due += [f"{each.path}#{unquote(each.fragment)}" for each in ours]
            if at:
                assert at in read[path].ids, (path, at)
        assert read.keys() > {f"/help/{name}" for name in help_pages.pages()}
        spoken = {each.language for each in read.values()}
        assert spoken == {"en", language}, "what is not translated says that it is English"
        secret = re.compile("|".join(chapters.secrets_in(language)), re.IGNORECASE)
        assert secret.findall(" ".join(each.said for each in read.values())) == []


def test_the_terminal_has_the_same_pages_by_english_names(
    language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    lights, clocks = {"en": ("steady cyan", "Clocks"), "de": ("cyan, ruhig", "Uhren")}[language]
    assert cli.run(["help", "lights"]) == 0
    assert lights in capsys.readouterr().out
    assert cli.run(["help"]) == 0
    assert ["clocks", clocks] in [line.split() for line in capsys.readouterr().out.splitlines()]


def test_what_is_no_page_of_help_is_not_served() -> None:
    with served(STATIC) as page:
        for name in ("nothing", "README.md", "..%2FDEVELOPING", "DEVELOPING.md", "main.js"):
            assert page.get(f"/help/{name}").status == 404
        assert page.get("/help/far", host="elsewhere.example").status == 403


def test_only_markdown_is_markup(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What is not served is only named, and a note for programs is not shown."""
    path = tmp_path / "far.md"
    noted = "<!-- [[[cog\n]]] -->\n| a |\n|---|\n| b |\n<!-- end -->"
    text = f"# A <b>\n\n{noted}\n[x](../x.md) [y](far.md#a) <i>\n```text\na    # b\n```\n"
    path.write_text(text, "utf-8")
    monkeypatch.setattr(help_html, "pages", lambda: {"far": help_pages.HelpPage(path, path)})
    text = help_html.page.__wrapped__("far").decode()
    assert '<p>x <a href="far#a">y</a> &lt;i&gt;</p>' in text
    assert "A &lt;b&gt;</h1>" in text
    assert '<code tabindex="0" class="language-text">a  # b' in text
    assert "cog" not in text and "end" not in text


@lanes.gate
@pytest.mark.browser
@pytest.mark.parametrize("spoken", lanes.once(["de", "en"]))
@pytest.mark.parametrize("size", lanes.once([((390, 664),), (PC,)]))
def test_help_is_read_on_a_phone_and_at_a_desk(
    browser: Browser, tmp_path: Path, pictures: Path, size: Size, spoken: str
) -> None:
    """By keys from the game into a page, and back; nothing runs out of the window."""
    menu, learn, link = WORDS[spoken]
    with Program(tmp_path, "try", "--seed", "1", "--no-browser", spoken=spoken) as program:
        someone = opened(browser, program.url, size=size)
        page = someone.page
        if size == PC:
            page.get_by_role("link", name=learn).press("Enter")
        else:
            page.get_by_role("button", name=menu).press("Enter")
            page.get_by_role("radio", name=learn).press("Space")
        page.get_by_role("link", name=link).press("Enter")
        page.wait_for_url("**/help/")
        for name, theme in zip(("", *help_pages.pages()), cycle(("light", "dark")), strict=False):
            someone.opens(f"http://{program.page}/help/{name}")
            page.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
            assert barriers(page, small_ones=True) == [], (name, theme)
            assert page.evaluate("document.documentElement.scrollWidth") <= size[0], name
            page.screenshot(path=pictures / f"help-{name or 'list'}-{spoken}-{size[0]}.png")
        page.locator(".brand").press("Enter")
        someone.waits_for("#start .form")


@lanes.gate
@pytest.mark.browser
def test_the_way_to_help_fits_into_every_window(browser: Browser, tmp_path: Path) -> None:
    """In German, whose words are longer."""
    with Program(tmp_path, "try", "--seed", "1", "--no-browser", spoken="de") as program:
        page = opened(browser, f"{program.url}#lessons").page
        help_ = page.locator("#lessons").get_by_role("link", name="Hilfe")
        help_.wait_for()
        for width in (320, 360, 420, 480, 545, 640, 705, 800):
            page.set_viewport_size({"width": width, "height": 700})
            assert page.evaluate("document.documentElement.scrollWidth") == width
            assert help_.is_visible()

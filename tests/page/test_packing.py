"""The page's modules: announced by the head of a page, and packed into one script."""

from __future__ import annotations

import re

import pytest

from chronotable_host.web.http.files import STATIC, page_of
from chronotable_host.web.sharing.packing import packed_script, packed_sheet

MODULES = {
    "main.js": """// @ts-check
/** What begins. */

import { one, two as deux } from "./numbers.js";
import {
  three,
} from "./more.js";
import "./said.js";

/** @param {number} n */
export async function sum(n) {
  const url = "https://a.b"; // not a comment of its own
  return /** @type {number} */ (n) + one + deux() + three;
}
""",
    "numbers.js": "export const one = 1;\n\nexport function two() {\n  return one + one;\n}\n",
    "more.js": 'import { one } from "./numbers.js";\n\nconst three = one + 2;\nexport { three };\n',
    "said.js": "// nothing\n",
}


def test_modules_become_one_script_in_their_order() -> None:
    assert packed_script("main.js", MODULES.__getitem__) == (
        "const $numbers = (() => {\n"
        "const one = 1;\nfunction two() {\nreturn one + one;\n}\nreturn { one, two };\n})();\n"
        "const $more = (() => {\nconst { one } = $numbers;\nconst three = one + 2;\n"
        "return { three };\n})();\n"
        "const $said = (() => {\n\nreturn {  };\n})();\n"
        "const $main = (() => {\nconst { one, two: deux } = $numbers;\n"
        "const {\nthree,\n} = $more;\n"
        'async function sum(n) {\nconst url = "https://a.b"; // not a comment of its own\n'
        "return (n) + one + deux() + three;\n}\nreturn { sum };\n})();\n"
    )


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("export default 1;\n", "not known how to pack: export default 1;"),
        ("import * as all from './a.js';\n", "not known how to pack: import"),
        ("export let count = 0;\n", "not known how to pack: export let count = 0;"),
        ('import { a } from "./main.js";\n', "main.js imports itself, by main.js"),
    ],
)
def test_what_is_not_known_is_refused(text: str, why: str) -> None:
    with pytest.raises(match=r"main\.js") as caught:
        packed_script("main.js", {"main.js": text}.__getitem__)
    assert why in str(caught.value)


def test_sheets_lose_comments_and_space_alone() -> None:
    sheets = {
        "a.css": '/* a\n b */\n.a .b,\n.c :hover { x: y, z; content: "a: b"; } /* c */\n',
        "b.css": "@media (x: y) and z {\n  .b { c: calc(1px + 2px); }\n}",
    }
    assert packed_sheet(sheets, sheets.__getitem__) == (
        '.a .b,.c :hover{x:y,z;content:"a: b"}\n@media (x:y) and z{.b{c:calc(1px + 2px)}\n}\n'
    )


# ---- what the head of a page announces


_IMPORT = re.compile(r'^(?:import|\}).* from "\./([\w.-]+)"', re.MULTILINE)
_NAMES = re.compile(r'^import \{([^}]*)\} from "/static/([\w.-]+)"', re.MULTILINE)
_EXPORTS = re.compile(r"^export (?:(?:async )?function|const|\{) ?(\w+)", re.MULTILINE)
_ANNOUNCED = re.compile(r'<link rel="modulepreload" href="/?static/([\w.-]+)">')


def test_what_other_packages_import_of_the_page_is_there() -> None:
    """Their pages are other tests', and these are not run with each change of the page."""
    exported = {
        each.name: _EXPORTS.findall(each.read_text("utf-8")) for each in STATIC.glob("*.js")
    }
    exported["catalogue.js"] = []
    found = 0
    for file in STATIC.parents[2].glob("chronotable_*/**/*.js"):
        for names, of in _NAMES.findall(file.read_text("utf-8")):
            wanted = {name.split(" as ")[0].strip() for name in names.split(",") if name.strip()}
            assert wanted <= set(exported[of]), f"{file}: {of}"
            found += len(wanted)
    assert found > 100


def modules_of(entry: str) -> set[str]:
    """Return what a module imports, and what that imports."""
    found: set[str] = set()
    todo = [entry]
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo += _IMPORT.findall((STATIC / name).read_text("utf-8"))
    return found - {entry}


@pytest.mark.parametrize(("page", "entry"), [("index.html", "main.js"), ("guest.html", "guest.js")])
def test_the_head_of_a_page_names_all_its_modules(page: str, entry: str) -> None:
    """Else a browser hears of each only from the one that imports it, six rounds deep."""
    told = _ANNOUNCED.findall(page_of(STATIC / page).decode())
    assert sorted(told) == sorted(modules_of(entry))

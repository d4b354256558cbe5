"""The files of the page: browsers are told at once of all modules that it needs."""

from __future__ import annotations

import re

import pytest

from chronotable_host.web.app import STATIC
from chronotable_host.web.files import page_of

_IMPORT = re.compile(r'^(?:import|\}).* from "\./([\w.-]+)"', re.MULTILINE)
_ANNOUNCED = re.compile(r'<link rel="modulepreload" href="/?static/([\w.-]+)">')


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

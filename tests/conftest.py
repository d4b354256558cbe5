"""Options of the whole suite."""

import contextlib
import gc
import importlib
import os
import signal
import sys
import webbrowser
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from chronotable_host.web import addresses
from tests import sweep

os.environ["LANGUAGE"] = "en"  # what programs say is compared with sentences in English
addresses.PORT = 0  # any: at the usual one a page of another test may look for its own server

# how long something takes is no test's business: machines are shared
for _size, _examples in zip(sweep.SIZES, (40, 200, 200), strict=True):
    settings.register_profile(
        _size,
        deadline=None,
        max_examples=_examples,
        suppress_health_check=[HealthCheck.too_slow],
    )


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--sweep",
        choices=sweep.SIZES,
        default=sweep.SIZES[0],
        help="how much is tried of what is tried many times (tests/sweep.py); .ci/run takes full",
    )


def pytest_configure(config: pytest.Config) -> None:
    sweep.choose(config.getoption("--sweep"))
    settings.load_profile(config.getoption("--sweep"))
    if (
        signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    ):  # as a shell has it for what it runs beside
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_xdist_auto_num_workers() -> int:
    """Have one process more than cores: some tests wait for a line or another program."""
    return (os.cpu_count() or 1) + 1


def pytest_report_header(config: pytest.Config) -> str:
    return f"sweep: {config.getoption('--sweep')}"


def pytest_collection(session: pytest.Session) -> None:
    """Where several processes run all tests, have each import other files first.

    Asserts are rewritten when a file is first imported, which takes 10 s for all of them, and kept
    beside it: so each process rewrites a part of them, and reads the others. They are kept though
    Python may have been told to keep no bytecode; else each process would rewrite them all.
    """
    worker = getattr(session.config, "workerinput", None)
    if worker is None or session.config.args != session.config.getini("testpaths"):
        return
    tests = Path(__file__).parent
    files = sorted(tests.rglob("test_*.py"))
    keeps_none, sys.dont_write_bytecode = sys.dont_write_bytecode, False
    first = len(files) * int(worker["workerid"].removeprefix("gw")) // worker["workercount"]
    for file in files[first:] + files[:first]:
        parts = file.relative_to(tests.parent).with_suffix("").parts
        with contextlib.suppress(Exception, pytest.skip.Exception):  # told when it is collected
            importlib.import_module(".".join(parts))
    sys.dont_write_bytecode = keeps_none


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    # the README's session is the longest test: the other processes would wait for it in the end
    items.sort(key=lambda item: item.path.name != "test_readme.py")
    for size in sweep.larger():
        skip = pytest.mark.skip(reason=f"takes minutes; run with --sweep {size}")
        for item in items:
            if item.get_closest_marker(size):
                item.add_marker(skip)


def pytest_collection_finish() -> None:
    """Have the collector of garbage pass over the tests, which stay to the end: 250,000 objects."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def browsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Keep tests from opening a browser; return the addresses that would have been opened."""
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    return opened

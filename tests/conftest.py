"""Options of the whole suite."""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import signal
import sys
import webbrowser
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, settings

from chronotable_host.virtual.chance import Chance
from chronotable_host.web.http import addresses
from tests import lanes, sweep
from tests.page.browsing import Browser, end_browser, end_visits, kept_browser

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
        "--lane",
        choices=lanes.LANES,
        default=lanes.LANES[0],
        help="which tests run, and how much is tried of what is tried many times (tests/README.md)",
    )
    parser.addoption(
        "--part", metavar="N/COUNT", default="1/1", help="a part of the lane, such as 2/12"
    )


def pytest_configure(config: pytest.Config) -> None:
    lane = config.getoption("--lane")
    if lane != lanes.LANES[0]:
        if config.option.dist == "worksteal":
            config.option.dist = "load"  # in this order: each process takes the next when it can
        config.option.maxschedchunk = 1
    size = {"full": "full", "figures": "figures"}.get(lane, sweep.SIZES[0])
    sweep.choose(size)
    settings.load_profile(size)
    if (
        signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    ):  # as a shell has it for what it runs beside
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_xdist_auto_num_workers() -> int:
    """Have one process more than cores: some tests wait for a line or another program."""
    return (os.cpu_count() or 1) + 1


def pytest_report_header(config: pytest.Config) -> str:
    return f"lane: {config.getoption('--lane')}, part {config.getoption('--part')}"


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


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    lane, part = config.getoption("--lane"), lanes.part_of(config.getoption("--part"))
    if lane in lanes.SWEEPING:
        lanes.mark(items)
    chosen = lanes.chosen(items, lane, part)
    kept = set(chosen)
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = chosen


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Say how what failed is tried again by itself: its seed is in its name, or in what it says."""
    failed = {
        report.nodeid
        for name in ("failed", "error")
        for report in terminalreporter.getreports(name)
    }
    if failed:
        terminalreporter.section("again, one by one")
    for nodeid in sorted(failed):
        lane = config.getoption("--lane")
        terminalreporter.line(f"python -m pytest --lane {lane} '{nodeid}'")


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


@pytest.fixture(autouse=True)
def timer_ms(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Return what the timers of this test's virtual chips begin at: 0, or soon they begin anew.

    MicroPython's ticks do so at 2**30 ms and change their sign at 2**29; an event's time has 32
    bits. The test's name is the seed.
    """
    rng = Random(request.node.nodeid)
    end = rng.choice((0, 1 << 29, 1 << 30, 1 << 31, 1 << 32))
    reading = max(0, end - rng.randrange(8000))
    monkeypatch.setattr(Chance, "timer_ms", reading)
    return reading


@pytest.fixture
def browser() -> Iterator[Browser]:
    """Chromium, in which nothing of another test is open."""
    found = kept_browser()
    yield found
    end_visits(found)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """End the browser before a test without one, which may run an event loop in this thread."""
    if "browser" not in getattr(item, "fixturenames", ()):
        end_browser()


def pytest_sessionfinish() -> None:
    end_browser()


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    """Return the folder for pictures, which are kept where CHRONOTABLE_PICTURES names one."""
    folder = Path(os.environ.get("CHRONOTABLE_PICTURES", tmp_path))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture
def usual_broker_port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Have the port of brokers to oneself, among the processes that run tests.

    Who goes on after a kill finds a broker there that is ours, too, and shares it.
    """
    fcntl = pytest.importorskip("fcntl")
    with (tmp_path_factory.getbasetemp().parent / "broker.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield

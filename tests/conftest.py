"""Options of the whole suite."""

import signal
import webbrowser

import pytest
from hypothesis import HealthCheck, settings

# how long something takes is no test's business: machines are shared
settings.register_profile("any", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run the tests that take minutes too")


def pytest_configure() -> None:
    if (
        signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    ):  # as a shell has it for what it runs beside
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--slow"):
        return
    skip = pytest.mark.skip(reason="takes minutes; run with --slow")
    for item in items:
        if "slow" in item.keywords:
            item.add_marker(skip)


@pytest.fixture(autouse=True)
def browsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Open no browser on whoever runs the tests; return what would have been opened."""
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    return opened

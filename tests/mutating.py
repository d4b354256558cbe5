"""A plug-in of pytest for `python -m tests.lab.mutants`: runs tests against code that was changed.

All tests are collected once. Then each runs as the code is, to learn which lines of the rooms it
comes by; and for each mutant a copy of this process changes the function in place and runs the
tests that come by its line until one fails: those that are named after its file, then the others,
the quickest first.
"""

from __future__ import annotations

import importlib
import json
import os
import pickle
import resource
import signal
import time
import types
from collections import defaultdict
from collections.abc import Callable, Iterator
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import Any

import pytest

from tests.lab.mutants import ROOT, Mutant, changed

_NOTICED, _MISSED, _NO_END, _NOT_TRIED = 10, 11, 12, 13
_SAID = {_NOTICED: "noticed", _MISSED: "missed", _NO_END: "no end", _NOT_TRIED: "not tried"}
_MOST_MEMORY = 6 << 30
_LEAST_S = 15  # that a test may take, whose own time is next to nothing

Lines = dict[str, dict[int, set[int]]]
"""By file and line the numbers of the tests that come by."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--mutants", type=Path, help="the plan of tests/lab/mutants.py")


class Runner:
    """Runs tests one by one and tells whether they pass."""

    def __init__(self, session: pytest.Session) -> None:
        self.items = session.items
        self.has_failed = False
        self.plugins = session.config.pluginmanager
        self.plugins.register(self)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.has_failed |= report.failed

    def say_nothing(self) -> None:
        """For a copy of this process: how it fares is told by its exit status."""
        null = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(null, stream)
        self.plugins.unregister(name="terminalreporter")

    def passes(self, number: int) -> bool:
        self.has_failed = False
        item = self.items[number]
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        return not self.has_failed


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool:
    plan = json.loads(session.config.getoption("--mutants").read_text("utf-8"))
    mutants = [Mutant(*each) for each in plan["mutants"]]
    runner = Runner(session)
    kept = Path(plan["map"])
    if not kept.exists():
        kept.write_bytes(pickle.dumps(_learn(runner, mutants, plan["processes"])))
    lines, taken_s = pickle.loads(kept.read_bytes())
    jobs = [_job(runner, each, lines, taken_s, plan["patience_s"]) for each in mutants]
    writer = session.config.get_terminal_writer()

    def tell(number: int, code: int) -> None:
        if code == _MISSED:
            writer.line(f"missed: {mutants[number].key}")

    codes = _side_by_side(jobs, plan["processes"], tell)
    outcomes = [_SAID.get(code, "noticed") for code in codes]
    Path(plan["told"]).write_text(json.dumps(outcomes), "utf-8")
    return True


def _learn(runner: Runner, mutants: list[Mutant], processes: int) -> tuple[Lines, dict[int, float]]:
    """Return which tests come by each line of the mutants' packages, and how long each takes."""
    import coverage  # noqa: PLC0415 - of the extra `lab`

    folders = sorted({str(ROOT / Path(each.path).parent / "*") for each in mutants})
    parts = [Path(f"{os.environ['HYPOTHESIS_STORAGE_DIRECTORY']}/{n}") for n in range(processes)]

    def learn(part: int) -> int:
        runner.say_nothing()
        watch = coverage.Coverage(data_file=None, include=folders, config_file=False)
        taken_s = {}
        watch.start()
        for number in range(part, len(runner.items), processes):
            watch.switch_context(str(number))
            start_s = time.perf_counter()
            if runner.passes(number):
                taken_s[number] = time.perf_counter() - start_s
        watch.stop()
        data = watch.get_data()
        found = {
            file: {
                line: {int(each) for each in contexts if each}
                for line, contexts in data.contexts_by_lineno(file).items()
            }
            for file in data.measured_files()
        }
        parts[part].write_bytes(pickle.dumps((found, taken_s)))
        return 0

    codes = _side_by_side([lambda part=part: learn(part) for part in range(processes)], processes)
    assert not any(codes), codes
    lines: Lines = defaultdict(lambda: defaultdict(set))
    all_taken_s: dict[int, float] = {}
    for part in parts:
        found, taken_s = pickle.loads(part.read_bytes())
        all_taken_s |= taken_s
        for file, by_line in found.items():
            for line, numbers in by_line.items():
                lines[file][line] |= numbers & set(taken_s)
    return {file: dict(by_line) for file, by_line in lines.items()}, all_taken_s


def _job(
    runner: Runner, mutant: Mutant, lines: Lines, taken_s: dict[int, float], patience_s: float
) -> Callable[[], int]:
    by_line = lines.get(str(ROOT / mutant.path), {})
    first, last = mutant.lines
    numbers = set().union(*(by_line.get(line, ()) for line in range(first, last + 1)))
    names = {Path(mutant.path).stem, Path(mutant.path).parent.name}

    def order(number: int) -> tuple[bool, float]:
        words = set(runner.items[number].path.stem.split("_"))
        return not words & names, taken_s[number]

    def job() -> int:
        runner.say_nothing()
        if not _patch(mutant):
            return _NOT_TRIED
        resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))
        signal.signal(signal.SIGALRM, lambda *_: os._exit(_NO_END))
        left_s = patience_s
        for number in sorted(numbers, key=order):
            left_s -= taken_s[number]
            if left_s < 0:
                break
            signal.setitimer(signal.ITIMER_REAL, _LEAST_S + 10 * taken_s[number])
            if not runner.passes(number):
                return _NOTICED
        return _MISSED

    return job


def _side_by_side(
    jobs: list[Callable[[], int]],
    processes: int,
    tell: Callable[[int, int], None] = lambda _number, _code: None,
) -> list[int]:
    """Do each job in a copy of this process, so many at a time; return their exit statuses."""
    codes = [0] * len(jobs)
    running: dict[int, int] = {}
    rest = [*enumerate(jobs)]
    while rest or running:
        if rest and len(running) < processes:
            number, job = rest.pop(0)
            pid = os.fork()
            if not pid:
                code = _NOTICED
                try:
                    code = job()
                finally:
                    os._exit(code)
            running[pid] = number
        else:
            pid, status = os.wait()
            number = running.pop(pid)
            codes[number] = os.waitstatus_to_exitcode(status)
            tell(number, codes[number])
    return codes


def _patch(mutant: Mutant) -> bool:
    """Change the function in place, whoever has imported it; tell whether it was found.

    Who imports the file anew, as a table does that had unloaded it, gets the change, too.
    """
    path = ROOT / mutant.path
    root = ROOT / ("firmware/lib" if path.is_relative_to(ROOT / "firmware") else "host")
    name = ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")
    module = importlib.import_module(name)
    code = compile(changed(path, mutant.number), str(path), "exec")
    as_it_is = SourceFileLoader.get_code

    def get_code(loader: SourceFileLoader, fullname: str) -> types.CodeType | None:
        return code if loader.path == str(path) else as_it_is(loader, fullname)

    SourceFileLoader.get_code = get_code  # type: ignore[method-assign]
    new = {(each.co_name, each.co_firstlineno): each for each in _codes(code)}
    is_found = False
    for function in _functions(vars(module), name):
        other = new.get((function.__code__.co_name, function.__code__.co_firstlineno))
        if other is not None and other != function.__code__:
            function.__code__ = other
            is_found = True
    return is_found


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            yield each
            yield from _codes(each)


def _functions(names: Any, module: str) -> Iterator[types.FunctionType]:
    """Yield the functions of a module and of its classes."""
    for each in list(names.values()):
        if isinstance(each, type) and each.__module__ == module:
            yield from _functions(vars(each), module)
        parts = [each, *(getattr(each, part, None) for part in ("__func__", "fget", "fset"))]
        for part in [*parts, getattr(each, "__wrapped__", None)]:
            if isinstance(part, types.FunctionType) and part.__module__ == module:
                yield part

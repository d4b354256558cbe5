"""The budgets as data, and what was measured beside them.

A figure holds numbers by statistic (`p50`, `p95`, `max`, `value`, ...). Where a budget has a limit
for a statistic it is compared; whether that is met is said, never enforced.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

HOST = "host"
CHIP = "emulated RP2040"


class Budget(NamedTuple):
    """One row of the table: what is measured, in which group and where, and what it may cost."""

    group: str
    what: str
    where: str
    unit: str
    text: str
    at_most: Mapping[str, float] = {}
    at_least: Mapping[str, float] = {}


def _gap(host: str) -> Budget:
    return Budget(
        "scan", f"scan to scan, {host}", CHIP, "ms", "5, none over 6 ms", at_most={"max": 6.0}
    )


_DOCTOR = (
    *("stuck_closed", "stuck_open", "flickers", "weak", "nosy", "exchanged", "turned"),
    *("grids_exchanged", "rows_exchanged", "led_dark", "led_exchanged", "led_order"),
    *("leds_exchanged", "colour_order", "button_dead", "button_stuck", "button_exchanged"),
    *("supply_weak", "columns_exchanged", "row_cut", "column_cut", "diode_missing", "chip_dead"),
    *("moved", "led_moved"),
)


def _doctor(key: str, what: str, at_most: Mapping[str, float]) -> dict[str, Budget]:
    return {key: Budget("doctor", what, HOST, "", "all found, none invented", at_most=at_most)}


def _hand(key: str, what: str, percent: Mapping[str, float]) -> dict[str, Budget]:
    """Return the rows for games of one kind of hand; `percent` is what may be asked and guided."""
    text = ", ".join(f"{kind} <= {limit:g} %" for kind, limit in percent.items())
    never = {"unfinished": 0, "wrong": 0, "lost": 0}
    return {
        f"sensing_{key}": Budget(
            "sensing", f"{what}: games", HOST, "", "none wrong, lost, unfinished", at_most=never
        ),
        f"sensing_{key}_share": Budget(
            "sensing", f"{what}: of all turns", HOST, "%", text or "-", at_most=percent
        ),
    }


def _helping(
    manner: str, touches: Mapping[str, float], key: str = "helping", what: str = "turns of others"
) -> dict[str, Budget]:
    """Return the row for players without hands, whose turns hands of one kind carry out."""
    text = "none wrong" + "".join(f", touches <= {most:g} % more" for most in touches.values())
    return {
        f"{key}_{manner}": Budget(
            "helping",
            f"{what} carried out by the lights, {manner} hands",
            HOST,
            "",
            text,
            at_most={"wrong": 0, "unfinished": 0, **touches},
        )
    }


_WITH_MODULES = ("helping_modules", "turns of others with each set of modules")

BUDGETS: Mapping[str, Budget] = {
    "rules_turns": Budget(
        "rules",
        "legal turns a second, resulting positions included",
        HOST,
        "/s",
        ">= 400000 /s",
        at_least={"best": 400_000},
    ),
    "rules_generation": Budget("rules", "legal turns a second, generation alone", HOST, "/s", "-"),
    "rules_engine": Budget(
        "rules",
        "legal turns a second, counted by the engine three turns deep",
        HOST,
        "/s",
        ">= 2000000 /s",
        at_least={"best": 2_000_000},
    ),
    "rules_apply": Budget(
        "rules", "apply and digest of a turn", HOST, "us", "<= 20 us", at_most={"best": 20}
    ),
    "size": Budget(
        "size",
        "device code, .mpy of a game of all chapters",
        HOST,
        "KB",
        "<= 100 KB",
        at_most={"value": 100},
    ),
    "scan": Budget(
        "scan", "matrix scan with debounce", CHIP, "us", "<= 350 us", at_most={"max": 350}
    ),
    "scan_heap": Budget("scan", "heap taken by a scan", CHIP, "B", "none", at_most={"value": 0}),
    "gap_host": _gap("host reading"),
    "gap_absent": _gap("no host"),
    "gap_deaf": _gap("host open, not reading"),
    "gap_flash": Budget("scan", "sectors erased when a turn is final", CHIP, "", "none"),
    "loop": Budget("scan", "worst round of the loop, host reading", CHIP, "ms", "-"),
    "debounce": Budget(
        "latency", "reed to debounced edge", CHIP, "ms", "20 to 25 ms", at_most={"max": 25.5}
    ),
    "lift": Budget(
        "latency",
        "reed to last LED bit, lifts",
        CHIP,
        "ms",
        "p95 <= 40, max <= 60 ms",
        at_most={"p95": 40, "max": 60},
    ),
    "place": Budget(
        "latency",
        "reed to last LED bit, places",
        CHIP,
        "ms",
        "p95 <= 40, max <= 60 ms",
        at_most={"p95": 40, "max": 60},
    ),
    "flood": Budget(
        "latency",
        "reed to last LED bit, host floods the line",
        CHIP,
        "ms",
        "p95 <= 40 ms",
        at_most={"p95": 40},
    ),
    "settle": Budget("latency", "illegal arrangement to guide", CHIP, "ms", "settles 250 ms"),
    **{
        f"chapters_{key}": Budget("chapters", f"{what}, chapters and piezo", CHIP, unit, text, most)
        for key, what, unit, text, most in (
            ("lift", "reed to last LED bit, lifts", "ms", "max <= 120 ms", {"max": 120.0}),
            ("place", "reed to last LED bit, places", "ms", "max <= 120 ms", {"max": 120.0}),
            ("sound", "reed to note", "ms", "-", {}),
            ("scan", "matrix scan with debounce", "us", "<= 350 us", {"max": 350.0}),
            ("gap", "scan to scan", "ms", "5, none over 6 ms", {"max": 6.0}),
        )
    },
    "heap": Budget(
        "heap",
        "heap free after boot and a collect",
        CHIP,
        "KB",
        ">= 105 KB",
        at_least={"value": 105},
    ),
    "heap_games": Budget(
        "heap", "heap free after a turn", CHIP, "KB", ">= 105 KB", at_least={"min": 105}
    ),
    "heap_chapters": Budget(
        "heap",
        "heap free after boot, and after a turn, chapters",
        CHIP,
        "KB",
        ">= 98 KB",
        at_least={"value": 98, "min": 98},
    ),
    "heap_trend": Budget(
        "heap",
        "heap lost from game to game",
        CHIP,
        "B",
        "no downward trend",
        at_most={"value": 16},
    ),
    **{
        f"thinking{key}": Budget(
            "thinking",
            f"the table's strong player, {what}: thinking light to wanted turn",
            CHIP,
            "s",
            "<= 5 s",
            at_most={"max": 5},
        )
        for key, what in (("_first", "its first turn"), ("", "later turns"))
    },
    "event": Budget("link", "debounced edge to host", CHIP, "ms", "<= 50 ms", at_most={"max": 50}),
    "sync": Budget(
        "link", "offline game of 60 turns synced", CHIP, "s", "<= 2 s", at_most={"value": 2}
    ),
    **_hand("clean", "clean hand", {"asked": 1}),
    **_hand("rough", "rough hand", {"asked": 3, "guided": 5}),
    **_hand("heedless", "heedless hand", {}),
    **_hand("faulty", "clean hand, one reed breaks", {}),
    **_hand("faulty_rough", "rough hand, one reed breaks", {}),
    **_hand("firmware", "whole firmware, both hands", {"asked": 3, "guided": 5}),
    **_hand("firmware_heedless", "whole firmware, heedless hand", {}),
    **_hand("firmware_faulty", "whole firmware, one reed breaks", {}),
    "sensing_named": Budget(
        "sensing",
        "turns that touch a broken reed until it is named",
        HOST,
        "",
        "<= 3",
        at_most={"max": 3, "missed": 0},
    ),
    "sensing_accused": Budget(
        "sensing",
        "sound reeds that were named as broken",
        HOST,
        "",
        "none",
        at_most={"value": 0},
    ),
    "sensing_twins": Budget(
        "sensing", "turns that a hidden fault made look like others", HOST, "", "-"
    ),
    "heaps": Budget(
        "sensing",
        "random heaps set up by the lights alone: lifts and places to the fewest possible",
        HOST,
        "",
        "all right, <= 2 times, none needless",
        at_most={"wrong": 0, "most": 2, "needless": 0},
    ),
    **_helping("clean", {"touches": 5}),
    **_helping("rough", {}),
    **_helping("heedless", {}),
    **_helping("clean", {}, *_WITH_MODULES),
    **_helping("rough", {}, *_WITH_MODULES),
    **_helping("heedless", {}, *_WITH_MODULES),
    **{
        f"accidents_{kind}{manner}": Budget(
            "accidents",
            f"pieces that fall or are moved, power that goes{what}: literal, {manner} hands",
            HOST,
            "",
            "no owner or kind exchanged, no turn that nobody played, none stuck",
            at_most=dict.fromkeys(("exchanged", "phantoms", "stuck", "misread"), 0),
        )
        for kind, what in (("", ""), ("modules_", ", each set of modules"))
        for manner in ("clean", "rough", "heedless")
    },
    "fuzz": Budget(
        "fuzz",
        "random and mutated inputs, both ends and all parsers",
        HOST,
        "",
        "named errors only",
        at_most={"findings": 0},
    ),
    "fuzz_memory": Budget(
        "fuzz",
        "memory that one case takes",
        HOST,
        "KB",
        "<= 8192 KB",
        at_most={"max": 8192},
    ),
    "fuzz_slowest": Budget("fuzz", "slowest case", HOST, "ms", "-"),
    "kills": Budget(
        "kills",
        "hosts killed while they play: turns that were told",
        HOST,
        "",
        "none lost, every game goes on",
        at_most={"lost": 0},
    ),
    "faults_bytes": Budget(
        "faults",
        "cable pulled out at every byte of a session",
        HOST,
        "",
        "host and table equal",
        at_most={"unequal": 0},
    ),
    "faults_games": Budget(
        "faults",
        "games under line faults",
        HOST,
        "",
        "host and table equal",
        at_most={"unequal": 0},
    ),
    "faults_settled": Budget(
        "faults", "until they agree on a good line", HOST, "s", "<= 20 s", at_most={"max": 20}
    ),
    "faults_unread": Budget(
        "faults",
        "lines that wait for a PC that does not read",
        HOST,
        "",
        "<= 4",
        at_most={"max": 4},
    ),
    **_doctor(
        "doctor",
        "tables with one to three faults, examined",
        {"missed": 0, "invented": 0, "wrong_maps": 0, "wrong_doubts": 0, "unfinished": 0},
    ),
    **{
        name: budget
        for kind in _DOCTOR
        for name, budget in _doctor(
            f"doctor_{kind}", f"  {kind.replace('_', ' ')}", {"missed": 0, "invented": 0}
        ).items()
    },
    "doctor_silence": Budget(
        "doctor",
        "tables that everybody leaves, or where nobody is: sound parts accused",
        HOST,
        "",
        "nothing accused",
        at_most={"accused": 0, "doubted": 0, "failed": 0},
    ),
    "soak": Budget(
        "soak",
        "one table for days, cables and mains pulled",
        HOST,
        "",
        "every game once",
        at_most={"missing": 0, "doubled": 0},
    ),
    "page": Budget(
        "page",
        "hand to pixel: a lift or a place is seen on the page",
        HOST,
        "ms",
        "<= 150 p95",
        at_most={"p95": 150},
    ),
    "page_first": Budget(
        "page",
        "opening the page: the first board is seen, on a CPU 6 times as slow",
        HOST,
        "ms",
        "<= 2000",
        at_most={"max": 2000},
    ),
    "page_weight": Budget("page", "sent until the first board is seen", HOST, "KB", "-"),
    "readers_game": Budget(
        "readers",
        "a game of the archive, one of 12 readers waits for it",
        HOST,
        "ms",
        "<= 50 p95",
        at_most={"p95": 50},
    ),
    "readers_page": Budget(
        "readers",
        "the page itself beside 12 readers",
        HOST,
        "ms",
        "<= 50 p95",
        at_most={"p95": 50},
    ),
    "readers_list": Budget("readers", "50 games of the list beside 12 readers", HOST, "ms", "-"),
    "analysis_marks": Budget(
        "analysis",
        "mistakes, blunders, missed wins, only turns that stand at 300,000 nodes",
        HOST,
        "%",
        ">= 97 %",
        at_least={"value": 97},
    ),
    "analysis_time": Budget(
        "analysis",
        "40 turns analysed as the page does, on one core",
        HOST,
        "s",
        "<= 60 s",
        at_most={"value": 60},
    ),
    "analysis_nodes": Budget("analysis", "nodes for 40 turns of that", HOST, "", "-"),
    "flash_install": Budget("flash", "firmware onto an empty Pico", CHIP, "s", "-"),
    "flash_upgrade": Budget("flash", "upgrade, until it proved healthy", CHIP, "s", "-"),
    "flash_cuts": Budget(
        "flash",
        "cable and power gone during an upgrade",
        CHIP,
        "",
        "old or new runs, games kept",
        at_most={"bad": 0},
    ),
}
"""In the order of the table."""

GROUPS = tuple(dict.fromkeys(budget.group for budget in BUDGETS.values()))

ON_REQUEST = (
    *("thinking", "sensing", "helping", "accidents", "fuzz", "kills", "faults", "doctor"),
    *("soak", "page", "readers", "analysis", "flash"),
)
"""Groups that take many minutes: they are measured where they are named."""


class Figure(NamedTuple):
    """What was measured for one budget, or why nothing was.

    `corrected` is `measured` with flash-cache misses charged, where they can be counted.
    """

    key: str
    measured: Mapping[str, float] = {}
    corrected: Mapping[str, float] = {}
    remark: str = ""

    @property
    def budget(self) -> Budget:
        """The budget that this is about."""
        return BUDGETS[self.key]

    @property
    def met(self) -> bool | None:
        """Whether every limit is kept, with misses charged; None where none can be compared."""
        budget = self.budget
        values = {**self.measured, **self.corrected}
        verdicts = [
            values[name] <= limit for name, limit in budget.at_most.items() if name in values
        ]
        verdicts += [
            values[name] >= limit for name, limit in budget.at_least.items() if name in values
        ]
        return all(verdicts) if verdicts else None

    def as_json(self) -> dict[str, Any]:
        """Return the figure as an object for `--json`."""
        budget = self.budget
        return {
            "name": self.key,
            "group": budget.group,
            "what": budget.what,
            "where": budget.where,
            "unit": budget.unit,
            "budget": budget.text,
            "measured": dict(self.measured) or None,
            "corrected": dict(self.corrected) or None,
            "met": self.met,
            "remark": self.remark,
        }


def spread(samples: Iterable[float]) -> dict[str, float]:
    """Return median, 95th percentile, largest and number of samples; {} of none."""
    ordered = sorted(samples)
    if not ordered:
        return {}
    last = len(ordered) - 1
    return {
        "p50": ordered[last // 2],
        "p95": ordered[(last * 95 + 50) // 100],
        "max": ordered[last],
        "n": len(ordered),
    }


def slope(values: list[float]) -> float:
    """Return by how much the values change per step (least squares)."""
    count = len(values)
    if count < 2:
        return 0.0
    middle = (count - 1) / 2
    mean = sum(values) / count
    top = sum((index - middle) * (value - mean) for index, value in enumerate(values))
    return top / sum((index - middle) ** 2 for index in range(count))


def wanted(only: list[str], sensing: bool) -> list[str]:
    """Return the keys of the budgets to measure; `only` holds groups or keys.

    Raises ValueError for a word that is neither.
    """
    for word in only:
        if word not in GROUPS and word not in BUDGETS:
            names = ", ".join((*GROUPS, *(key for key in BUDGETS if key not in GROUPS)))
            raise ValueError(f"there is no figure '{word}'; known are {names}")
    if only:
        return [key for key, row in BUDGETS.items() if key in only or row.group in only]
    named = ("sensing",) if sensing else ()
    left_out = [group for group in ON_REQUEST if group not in named]
    return [key for key, row in BUDGETS.items() if row.group not in left_out]

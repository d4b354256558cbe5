"""The budgets as data, and what was measured beside them.

A figure holds numbers by statistic (`p50`, `p95`, `max`, `value`, ...). Where a budget has a limit
for a statistic it is compared; whether that is met is said, never enforced.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

HOST = "host"
CHIP = "emulated RP2040"
_ON_CHIP = ("scan", "latency", "chapters", "heap", "thinking", "link", "flash")
"""The groups that are measured there."""


class Budget(NamedTuple):
    """One row of the table: what is measured, in which group, and what it may cost."""

    group: str
    what: str
    unit: str = ""
    at_most: Mapping[str, float] = {}
    at_least: Mapping[str, float] = {}

    @property
    def where(self) -> str:
        return CHIP if self.group in _ON_CHIP else HOST

    @property
    def text(self) -> str:
        """The limits for people; "-" where there are none."""
        never = [name.replace("_", " ") for name, limit in self.at_most.items() if not limit]
        none = "none" if never == ["value"] else f"no {', '.join(never)}" if never else ""
        limits = [
            ("" if name in ("value", "best") else f"{name} ") + f"{sign} {limit:.10g}"
            for sign, known in (("<=", self.at_most), (">=", self.at_least))
            for name, limit in known.items()
            if limit
        ]
        some = f"{', '.join(limits)} {self.unit}".strip() if limits else ""
        return "; ".join(filter(None, (none, some))) or "-"


def budget(group: str, unit: str, what: str, limits: str = "") -> Budget:
    """Return a row; its limits are words such as `p95 <= 40`, and with `no` what must not be."""
    at_most: dict[str, float] = {}
    at_least: dict[str, float] = {}
    for limit in filter(None, limits.split(",")):
        match limit.split():
            case ["no", name]:
                at_most[name] = 0.0
            case [name, "<=", most]:
                at_most[name] = float(most)
            case [name, _, least]:
                at_least[name] = float(least)
    return Budget(group, what, unit, at_most, at_least)


_ROWS = """
rules_turns    | rules | /s | legal turns a second, resulting positions included | best >= 400000
rules_generation | rules | /s | legal turns a second, generation alone |
rules_engine   | rules | /s | the same, counted by the engine three turns deep | best >= 2e6
rules_apply    | rules | us | apply and digest of a turn | best <= 20
size           | size | KB | device code, .mpy of a game of all chapters | value <= 100
scan           | scan | us | matrix scan with debounce | max <= 350
scan_heap      | scan | B | heap taken by a scan | no value
gap_host       | scan | ms | scan to scan, host reading | max <= 6
gap_absent     | scan | ms | scan to scan, no host | max <= 6
gap_deaf       | scan | ms | scan to scan, host open, not reading | max <= 6
gap_flash      | scan | | sectors erased when a turn is final |
loop           | scan | ms | worst round of the loop, host reading |
debounce       | latency | ms | reed to debounced edge, 20 ms and a scan | max <= 25.5
lift           | latency | ms | reed to last LED bit, lifts | p95 <= 40, max <= 60
place          | latency | ms | reed to last LED bit, places | p95 <= 40, max <= 60
flood          | latency | ms | reed to last LED bit, host floods the line | p95 <= 40
settle         | latency | ms | illegal arrangement to guide, of which it settles 250 |
chapters_lift  | chapters | ms | reed to last LED bit, lifts, chapters and piezo | max <= 120
chapters_place | chapters | ms | reed to last LED bit, places, chapters and piezo | max <= 120
chapters_sound | chapters | ms | reed to note, chapters and piezo |
chapters_scan  | chapters | us | matrix scan with debounce, chapters and piezo | max <= 350
chapters_gap   | chapters | ms | scan to scan, chapters and piezo | max <= 6
heap           | heap | KB | heap free after boot and a collect | value >= 105
heap_games     | heap | KB | heap free after a turn | min >= 105
heap_chapters  | heap | KB | heap free after boot and turns, chapters | value >= 98, min >= 98
heap_trend     | heap | B | heap lost from game to game | value <= 16
thinking_first | thinking | s | strong's thinking light to wanted turn, its first turn | max <= 5
thinking       | thinking | s | strong's thinking light to wanted turn, later turns | max <= 5
event          | link | ms | debounced edge to host | max <= 50
sync           | link | s | offline game of 60 turns synced | value <= 2
{hands}
sensing_named  | sensing | | turns that touch a broken reed until it is named | max <= 3, no missed
sensing_accused | sensing | | sound reeds that were named as broken | no value
sensing_twins  | sensing | | turns that a hidden fault made look like others |
heaps | sensing | | heaps put up by lights, to the fewest touches | no wrong, most <= 2, no needless
{by_lights}
fuzz           | fuzz | | random and mutated inputs, both ends and all parsers | no findings
fuzz_memory    | fuzz | KB | memory that one case takes | max <= 8192
fuzz_slowest   | fuzz | ms | slowest case |
kills          | kills | | hosts killed while they play: turns that were told | no lost
faults_bytes   | faults | | cable pulled out at every byte of a session | no unequal
faults_games   | faults | | games under line faults | no unequal
faults_settled | faults | s | until they agree on a good line | max <= 20
faults_unread  | faults | | lines that wait for a PC that does not read | max <= 4
doctor         | doctor | | tables with one to three faults, examined | {found}
doctor_silence | doctor | | tables that all leave: sound parts | no accused, no doubted, no failed
page           | page | ms | hand to pixel: a lift or a place is seen on the page | p95 <= 150
page_first     | page | ms | opening the page, on a CPU 6 times as slow: first board | max <= 2000
page_weight    | page | KB | sent until the first board is seen |
readers_game   | readers | ms | a game of the archive, one of 12 readers waits for it | p95 <= 50
readers_page   | readers | ms | the page itself beside 12 readers | p95 <= 50
readers_list   | readers | ms | 50 games of the list beside 12 readers |
analysis_marks | analysis | % | mistakes and only turns that stand at 300,000 nodes | value >= 97
analysis_time  | analysis | s | 40 turns analysed as the page does, on one core | value <= 60
analysis_nodes | analysis | | nodes for 40 turns of that |
flash_install  | flash | s | firmware onto an empty Pico, by a PC that takes no time |
flash_upgrade  | flash | s | upgrade by such a PC, until it proved healthy |
flash_cuts     | flash | | cable and power gone during an upgrade | no bad
"""
"""Key, group, unit, what, limits; the names in braces stand for rows that are alike."""

_HANDS = """
clean | clean hand | asked <= 1
rough | rough hand | asked <= 3, guided <= 5
heedless | heedless hand |
faulty | clean hand, one reed breaks |
faulty_rough | rough hand, one reed breaks |
firmware | whole firmware, both hands | asked <= 3, guided <= 5
firmware_heedless | whole firmware, heedless hand |
firmware_faulty | whole firmware, one reed breaks |
"""
_FOUND = "no missed, no invented, no wrong_maps, no wrong_doubts, no unfinished"
NEVER = "no unfinished, no wrong, no lost"
"""In games of the sensing figures."""


def _hands() -> Iterable[str]:
    for row in _HANDS.split("\n")[1:-1]:
        key, what, shares = (part.strip() for part in row.split("|"))
        yield f"sensing_{key} | sensing | | {what}: games | {NEVER}"
        yield f"sensing_{key}_share | sensing | % | {what}: of all turns | {shares}"


def _by_lights() -> Iterable[str]:
    for group, what, limits in (
        ("helping", "turns of others by the lights", "no wrong, no unfinished"),
        ("accidents", "falls, cats, cuts", "no exchanged, no phantoms, no stuck, no misread"),
    ):
        kinds = [("", ""), ("modules_", ", each set of modules")]
        if group == "accidents":
            kinds.insert(1, ("hall_", ", Hall switches"))
            kinds.insert(2, ("polarity_", ", sensors of polarity"))
            kinds.append(("polarity_modules_", ", each set of modules, sensors of polarity"))
        for kind, sets in kinds:
            for manner in ("clean", "rough", "heedless"):
                key = f"{group}_{kind}{manner}"
                most = ", touches <= 5" if key == "helping_clean" else ""
                yield f"{key} | {group} | | {what}, {manner} hands{sets} | {limits}{most}"


def _budgets() -> Iterable[tuple[str, Budget]]:
    alike = {"hands": "\n".join(_hands()), "by_lights": "\n".join(_by_lights())}
    rows = _ROWS.format(found=_FOUND, **alike)
    for row in rows.split("\n")[1:-1]:
        key, *parts = (part.strip() for part in row.split("|"))
        yield key, budget(*parts)


BUDGETS: Mapping[str, Budget] = dict(_budgets())
"""In the order of the table."""

GROUPS = tuple(dict.fromkeys(budget.group for budget in BUDGETS.values()))

ON_REQUEST = (
    *("thinking", "sensing", "helping", "accidents", "fuzz", "kills", "faults", "doctor"),
    *("page", "readers", "analysis", "flash"),
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


def shown(texts: Sequence[str], most: int = 6) -> str:
    """Return the first of some texts, and how many more there are."""
    more = [f"and {len(texts) - most} more"] if len(texts) > most else []
    return "; ".join([*texts[:most], *more])


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

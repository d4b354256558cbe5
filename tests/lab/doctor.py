"""Tables that were built wrong, each examined by a person with the doctor: what it found.

And tables that everybody leaves: what it accused. Board, faults, hands and times of a table come
from its seed alone, so that one can be had again.
"""

from __future__ import annotations

from collections.abc import Sequence

from chronotable_host.hardware import boards
from tests.lab.faulty import nobody
from tests.lab.faulty.examined import Outcome, examine
from tests.lab.faulty.nobody import Silence
from tests.lab.figures import Figure, shown
from tests.lab.side_by_side import Progress, do_all

_NAMED = 12  # seeds in a remark


def measure(tables: int, report: Progress, seed: int = 0) -> list[Figure]:
    """Examine so many tables, with the seeds from `seed` on; two more to five are deserted."""
    deserted = range(seed, seed + -(-2 * tables // 5))
    silences = do_all(nobody.examine, deserted, report)
    outcomes = do_all(examine, range(seed, seed + tables), report)
    return [figure_of(outcomes), figure_of_silence(silences)]


def figure_of(outcomes: Sequence[Outcome]) -> Figure:
    """Return what came of examinations."""
    bad = [outcome for outcome in outcomes if not outcome.is_good]
    counts = {
        "tables": len(outcomes),
        "without_pc": sum(outcome.is_alone for outcome in outcomes),
        "faults": sum(len(outcome.faults) for outcome in outcomes),
        "hidden": sum(outcome.hidden for outcome in outcomes),
        "missed": sum(len(outcome.missed) for outcome in outcomes),
        "invented": sum(len(outcome.invented) for outcome in outcomes),
        "in_other_words": sum(outcome.is_explained for outcome in outcomes),
        "wrong_maps": sum(bool(outcome.wrong) for outcome in outcomes),
        "wrong_doubts": sum(bool(outcome.doubts) for outcome in outcomes),
        "unfinished": sum(bool(outcome.trouble) for outcome in outcomes),
        "minutes": round(sum(outcome.minutes for outcome in outcomes) / max(1, len(outcomes)), 1),
    }
    return Figure("doctor", counts, remark=_remark(bad))


def figure_of_silence(silences: Sequence[Silence]) -> Figure:
    """Return what was accused at tables that everybody left, or where nobody ever was."""
    bad = [silence for silence in silences if not silence.is_good]
    counts = {
        "tables": len(silences),
        "absent": sum(silence.how == nobody.ABSENT for silence in silences),
        "sound": sum(not silence.faults for silence in silences),
        "judged": sum(silence.is_judged for silence in silences),
        "accused": sum(len(silence.accused) for silence in silences),
        "doubted": sum(len(silence.doubts) for silence in silences),
        "failed": sum(bool(silence.failure) for silence in silences),
    }
    told = [silence_text(silence) for silence in bad]
    return Figure("doctor_silence", counts, remark=shown(told, _NAMED))


def silence_text(silence: Silence) -> str:
    """Return the seed of a table that was left, what was wrong with it, and what was accused."""
    parts = [
        silence.how,
        ", ".join(map(str, silence.faults)),
        *(f"accused {fault}" for fault in sorted(silence.accused)),
        *(f"doubted {name}" for name in silence.doubts),
        silence.failure,
    ]
    return f"{silence.seed} ({silence.board}: {'; '.join(filter(None, parts))})"


def _remark(bad: Sequence[Outcome]) -> str:
    """Say which tables went wrong, and how to have them again."""
    if not bad:
        return ""
    told = shown([outcome_text(outcome) for outcome in bad], _NAMED)
    return f"with {len(boards.names())} boards, --tables 1 --seed: {told}"


def outcome_text(outcome: Outcome) -> str:
    """Return the seed of a table, what was wrong with it, and what went wrong."""
    parts = [
        ", ".join(map(str, outcome.faults)),
        *(f"missed {fault}" for fault in sorted(outcome.missed)),
        *(f"invented {fault}" for fault in sorted(outcome.invented)),
        *outcome.wrong[:2],
        *outcome.doubts[:2],
        outcome.trouble,
    ]
    return f"{outcome.seed} ({outcome.board}: {'; '.join(filter(None, parts))})"

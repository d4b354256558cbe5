"""Why a port cannot be found or opened: the causes, and which of them are the case."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from chronotable_host.ports.absence import absent
from chronotable_host.ports.access import held, modem_manager, other_program, permission
from chronotable_host.ports.advice import Advice
from chronotable_host.ports.facts import Facts
from chronotable_host.ports.names import (
    foreign_name,
    moved,
    other_device,
    other_table,
    probe,
    several,
)

Cause = Callable[[Facts], Advice | None]

CAUSES: Mapping[str, Cause] = {
    "foreign name": foreign_name,
    "moved": moved,
    "other table": other_table,
    "several": several,
    "absent": absent,
    "probe": probe,
    "other device": other_device,
    "permission": permission,
    "held": held,
    "other program": other_program,
    "ModemManager": modem_manager,
}
"""The causes by their words, in the order in which advice is given."""


def find_causes(facts: Facts) -> list[Advice]:
    """Return the advice that the facts call for, most likely cause first."""
    if not facts.is_local:
        return []
    found = []
    for word, cause in CAUSES.items():
        advice = cause(facts)
        if advice is not None:
            found.append(advice._replace(cause=advice.cause or word))
    return found

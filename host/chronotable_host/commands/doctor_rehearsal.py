"""What `doctor --virtual` does: an examination of a virtual table, rehearsed."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from random import Random

from chronotable_host.commands.doctor_screen import DoctorScreen
from chronotable_host.commands.doctor_work import PATIENCE_S, conclude, follow
from chronotable_host.commands.typed_lines import TypedLines
from chronotable_host.doctor.examination import Examination
from chronotable_host.doctor.listener import DoctorListener
from chronotable_host.language import tr, tr_c
from chronotable_host.live.connection import TableConnection
from chronotable_host.live.finding_texts import fault_text
from chronotable_host.live.happenings import Happening, Notice, Step
from chronotable_host.live.port_search import PortSearch
from chronotable_host.live.session import Session
from chronotable_host.virtual.faulty.rehearsal import HANDS, PORT, Rehearsal


def rehearse(board: str, faults: int, seed: int | None, as_json: bool) -> int:
    """Examine a virtual table, whose hands are what is typed; nothing is kept."""
    screen = DoctorScreen(as_json)
    if seed is None:
        seed = Random().randrange(1 << 16)

    def tell(sentence: str) -> None:
        screen.hear(Notice(None, sentence))

    def hear(happening: Happening) -> None:
        if isinstance(happening, Step):
            rehearsal.follow(happening.step)
        screen.hear(happening)

    def pass_on(happening: Happening) -> None:
        examination.hear(happening)

    tell(
        tr(
            "A virtual table with {faults} faults. What you type is done with hands there:",
            faults=faults or tr_c("faults", "no"),
        )
    )
    for line in HANDS:
        tell(line)
    rehearsal = Rehearsal(board, faults, seed, TypedLines(sys.stdin), tell)
    listener = DoctorListener(hear)
    with ExitStack() as closing:
        closing.callback(rehearsal.close)
        closing.callback(listener.close)
        session = Session(listener)
        connection = TableConnection(
            session,
            PortSearch(PORT),
            pass_on,
            PATIENCE_S,
            opens=rehearsal.open_port,
        )
        closing.callback(connection.close)
        examination = Examination(connection, listener, rehearsal, hear, HANDS)
        follow(connection, examination, rehearsal.pause)
        status = conclude(listener, examination, screen, is_kept=False)
    for fault in rehearsal.faults:
        tell(tr("What was wrong with it: {fault}.", fault=fault_text(*fault)))
    tell(
        tr(
            "Once more with --faults {faults} --seed {seed}; of a virtual table nothing is kept.",
            faults=faults,
            seed=seed,
        )
    )
    return status

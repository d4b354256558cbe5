"""What `doctor --ports` does, and `doctor` where no table is found: it looks at the ports."""

from __future__ import annotations

from chronotable_host.commands.shared import print_json
from chronotable_host.errors import printable
from chronotable_host.live.port import PortError
from chronotable_host.output import say
from chronotable_host.ports import report as reports


def show_ports(port: str, table: str, failure: PortError | None, as_json: bool) -> None:
    """Say what this computer's ports look like: on stderr beside an error."""
    report = reports.examine(port, table, failure)
    if as_json and failure is None:
        print_json(reports.as_json(report))
        return
    for line in reports.lines(report):
        (print if failure is None else say)(printable(line))

"""Arguments of a command as one object: written once, for Typer and for what the command calls."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, get_type_hints

from chronotable_host import packages
from chronotable_host.errors import UserError
from chronotable_host.language import tr

if TYPE_CHECKING:
    from chronotable_host.live.desk import Desk

Arguments = TypeVar("Arguments")
Result = TypeVar("Result")


def takes(
    arguments: Callable[..., Arguments],
) -> Callable[[Callable[[Arguments], Result]], Callable[..., Result]]:
    """Make a command for Typer of a function of one argument, an object of a NamedTuple class.

    Typer reads from a function's parameters what may be typed; here these are the class's fields,
    annotated as Typer wants parameters to be.
    """
    types = get_type_hints(arguments, include_extras=True)
    signature = inspect.signature(arguments)
    parameters = [
        each.replace(annotation=types[each.name]) for each in signature.parameters.values()
    ]

    def command_of(function: Callable[[Arguments], Result]) -> Callable[..., Result]:
        @functools.wraps(function)
        def command(**values: Any) -> Result:
            return function(arguments(**values))

        command.__annotations__ = types
        command.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        return command

    return command_of


class ClubArguments(NamedTuple):
    """What was typed of a club: its broker, the table's token, what the table is called."""

    broker: str | None
    token: str | None
    name: str | None

    def check(self) -> bool:
        """Tell whether the table belongs to a club; raises UserError where that is half said."""
        if self.broker is None:
            if self.name is not None:
                raise UserError(tr("--as belongs to --club"))
            return False
        if self.token is None:
            raise UserError(
                tr("--club needs the table's --token; `chronotable club table add` prints one")
            )
        return True

    def join(self, desk: Desk, plays_alone: bool = False) -> None:
        """Have the club told of a table, if there is one; raises UserError, OSError.

        A program that `plays_alone` plays its own game, of no round, and shows people nothing else.
        """
        if self.check():
            packages.clubs().join(desk, self.broker or "", self.token or "", self.name, plays_alone)

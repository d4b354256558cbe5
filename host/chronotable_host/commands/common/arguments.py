"""Arguments of a command as one object: written once, for Typer and for what the command calls."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar, get_type_hints

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

"""Chronotable on the PC: commands, archive, texts, the link to the table and the virtual table."""

__version__: str


def __getattr__(name: str) -> str:
    # Read when asked for: importlib.metadata costs a command more than its rules do.
    if name != "__version__":
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415

    try:
        return version("chronotable")
    except PackageNotFoundError:
        return "0+checkout"

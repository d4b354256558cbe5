"""The user's own folder: the games, and beside them what was unlocked and what tables learned."""

import os
from pathlib import Path

HOME_VARIABLE = "CHRONOTABLE_HOME"


def default_folder() -> Path:
    """Return the folder of the games: CHRONOTABLE_HOME, or the user's data folder."""
    home = os.environ.get(HOME_VARIABLE)
    if home:
        return Path(home)
    from platformdirs import user_data_path  # noqa: PLC0415 - the rules ask for no folder

    return user_data_path("chronotable", appauthor=False)

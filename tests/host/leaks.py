"""The words of the chapters, searched for in what is said to who has not unlocked them."""

from __future__ import annotations

import re

from chronotable_host.rules.notation import OPTIONS

_WORDS = (
    "growth", "influence", "memory", "convergence", "seeds?", "shrubs?", "trees?", "statues?",
    "elephants?", "hats?", "plant(?:s|ed|ing)?", "dig(?:s|ging)?", "dug", "train(?:s|ed|ing)?",
    "toppl(?:e|es|ed|ing)", "tramp(?:le|les|led|ling)", "rebounds?",
    *(name for name, _ in OPTIONS if name != "strict_two_actions"), "stop_2023", "rebound_2021",
    # `command` is what elephants get; else it is what people type here
    "commands? (?:an?|the|your|of) (?:dark|light|own)?",
)  # fmt: skip
SECRET = re.compile(rf"(?<![\w-])(?:{'|'.join(_WORDS)})(?!\w)", re.IGNORECASE)

ORDINARY = re.compile(
    r"--seed N?|seed \d+|option name Seed|free\s+memory|in\s+memory", re.IGNORECASE
)
"""The number of a random game is a seed, and computers have memory."""


def leaks(said: str, typed: str = "") -> list[str]:
    """Return the words of the chapters in what was said, but for those that were typed."""
    known = typed.lower()
    found = [match[0].lower() for match in SECRET.finditer(ORDINARY.sub("", said))]
    return sorted({word for word in found if word not in known})

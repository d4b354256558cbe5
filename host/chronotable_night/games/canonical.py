"""The one text of an object of JSON, and its digest (the vectors of the games go by it)."""

from __future__ import annotations

import hashlib
import json
from typing import Any

_DIGITS = 16


def canonical(value: Any) -> str:
    """Return the canonical text: keys sorted, no spaces, ASCII."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def digest(value: Any) -> str:
    """Return the first 16 hex digits of the SHA-256 of the canonical text."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()[:_DIGITS]

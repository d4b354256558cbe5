"""QR codes as pictures that a page can show."""

from __future__ import annotations

import segno


def qr_code(text: str) -> str:
    """Return a text as a QR code, a `data:` URI."""
    code: str = segno.make(text, micro=False).svg_data_uri(scale=4, border=4, light="#fff")
    return code

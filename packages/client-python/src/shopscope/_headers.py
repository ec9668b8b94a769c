from __future__ import annotations

import re
from email.utils import parsedate_to_datetime

import httpx


def whole_number(headers: httpx.Headers | None, name: str) -> int | None:
    """The number at the beginning of a header; None when the header has none."""
    found = re.match(r"\d{1,9}", headers.get(name, "").strip()) if headers is not None else None
    return int(found[0]) if found else None


def retry_after_of(headers: httpx.Headers) -> float | None:
    """Seconds. The API sends seconds. A proxy may send a date, which counts from the response's own Date, so the clock
    here has no effect."""
    text = headers.get("Retry-After", "")
    if not text.endswith("GMT"):
        return whole_number(headers, "Retry-After")
    try:
        wait = parsedate_to_datetime(text) - parsedate_to_datetime(headers.get("Date", ""))
    except (ValueError, TypeError):
        return None
    return max(0.0, wait.total_seconds())


def checked_header(name: str, value: str) -> str:
    """A value that no header can carry is an error of the caller, not of the connection. The value may be secret."""
    if not value or not value.isascii() or not value.isprintable() or value != value.strip():
        raise ValueError(f"{name} is empty, or has characters or spaces that no header can carry")
    return value


_NAMES_OF_CHARACTERS = {
    "\t": "a tab",
    "\n": "a line break",
    "\r": "a line break",
    " ": "a blank",
    '"': "a quotation mark",
    "'": "an apostrophe",
    "\u00a0": "a no-break space",
    "\u200b": "a zero-width space",
    "\u2018": "a quotation mark",
    "\u2019": "a quotation mark",
    "\u201c": "a quotation mark",
    "\u201d": "a quotation mark",
    "\ufeff": "a byte order mark",
}
"""What files, shells and word processors put around a key."""


def checked_api_key(key: str) -> str:
    """Raises ValueError with the first character that no key has: copied keys have quotes or a byte order mark. Never
    shows the key."""
    if not key:
        raise ValueError("the API key is empty")
    found = re.search(r"[^A-Za-z0-9_-]", key)
    if not found:
        return key
    character = found[0]
    name = _NAMES_OF_CHARACTERS.get(
        character, f"the character {character}" if "!" <= character <= "~" else "a character"
    )
    raise ValueError(
        f"the API key has {name} (U+{ord(character):04X}) at position {found.start() + 1}: "
        "keys have letters, digits, _ and - only"
    )

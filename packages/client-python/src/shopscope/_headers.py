from __future__ import annotations

import re

import httpx


def whole_number(headers: httpx.Headers | None, name: str) -> int | None:
    """The number at the beginning of a header; None when the header has none."""
    found = re.match(r"\d{1,9}", headers.get(name, "").strip()) if headers is not None else None
    return int(found[0]) if found else None


def checked_header(name: str, value: str) -> str:
    """A value that no header can carry is an error of the caller, not of the connection. The value may be secret."""
    if not value or not value.isascii() or not value.isprintable() or value != value.strip():
        raise ValueError(f"{name} is empty, or has characters or spaces that no header can carry")
    return value

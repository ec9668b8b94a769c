from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar
from urllib.parse import quote

import httpx

from ._compat import TypedDict

T = TypeVar("T")


class CallOptions(TypedDict, total=False):
    timeout: float
    """Time limit of one attempt in seconds. Default: that of the client."""
    request_id: str
    """X-Request-Id: 8 to 64 characters of A-Z a-z 0-9 _ -. It finds the request in logs. All attempts of a call
    have it."""
    on_response: Callable[[ResponseInfo], None]
    """Called with what the headers of the successful response say, before the call returns."""


class PostOptions(CallOptions, total=False):
    idempotency_key: str
    """8 to 128 characters. The service carries out one request per key in 24 hours and repeats its response, so a
    repeated call bills nothing. Default: a random key for each call. Give a key of your own to repeat a call after your
    process has ended."""


@dataclass(frozen=True)
class ResponseInfo:
    status: int
    request_id: str
    attempts: int
    """From 1."""
    replayed: bool
    """The response is that of an earlier request with the same Idempotency-Key."""
    usage_remaining: int | None
    """lookup_cached units left in the period."""
    headers: httpx.Headers


@dataclass(frozen=True)
class Request(Generic[T]):
    """A request whose successful response has a body of the type T."""

    method: str
    path: str
    """Below the base address, with encoded segments."""
    query: Mapping[str, object] = field(default_factory=dict)
    body: object = None
    headers: Mapping[str, str] = field(default_factory=dict)


def to_json(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def segment(text: str) -> str:
    """One segment of a path. Some texts would change the path: they name no store and no job."""
    if text in ("", ".", ".."):
        raise ValueError(f"{text!r} is neither a domain nor an id")
    return quote(text, safe="", errors="replace")

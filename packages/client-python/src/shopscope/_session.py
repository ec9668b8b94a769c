from __future__ import annotations

import json
import re
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar, cast
from urllib.parse import urlencode

import httpx

from ._flow import Flow, HttpRequest, HttpResponse, Sleep, attempt, read_key
from ._headers import checked_api_key, checked_header, retry_after_of, whole_number
from ._platform import Platform
from ._rate_pacer import RatePacer
from ._request import Request, ResponseInfo, to_json
from ._retry import pause_before_retry
from ._version import __version__
from .errors import ApiError, ShopscopeError

T = TypeVar("T")

_TEXTS = ("application/graphql", "application/x-ndjson", "text/csv")
"""The GraphQL schema and the parts of exports are the only successful responses that are not JSON."""


@dataclass(frozen=True)
class _Call:
    """The options of a call, see CallOptions and PostOptions."""

    timeout: float | None = None
    request_id: str | None = None
    on_response: Callable[[ResponseInfo], None] | None = None
    idempotency_key: str | None = None


class Session:
    """Sends requests with the key, and repeats them (_retry.py).

    - Each attempt has a time limit. It ends with the complete body.
    - Redirects are not followed: the key goes to the base address only.
    - Raises ApiError, TransportError, AttemptTimeoutError.
    """

    def __init__(
        self, *, base_url: str, timeout: float, max_retries: int, user_agent: str | None, platform: Platform
    ) -> None:
        self._base_url = checked_base_url(base_url)
        self._timeout = checked_timeout(timeout)
        self._max_retries = max_retries
        self._user_agent = " ".join(filter(None, [user_agent, f"shopscope-python/{__version__}"]))
        self._pacer = RatePacer(platform.now)
        self.platform = platform

    def send(self, request: Request[T], options: Mapping[str, Any] | None = None) -> Flow[T]:
        call = _Call(**(options or {}))
        headers = self._headers(request, call)
        attempts = 0
        while True:
            attempts += 1
            try:
                return (yield from self._send_once(request, call, headers, attempts))
            except ShopscopeError as error:
                if attempts > 1 and _is_done(request, error):
                    return cast(T, None)
                pause = pause_before_retry(
                    error, attempts=attempts, max_retries=self._max_retries, chance=self.platform.random()
                )
                if pause is None:
                    raise
                if isinstance(error, ApiError) and error.status == 429:
                    self._pacer.refused(pause)
            yield Sleep(pause)

    def _send_once(self, request: Request[T], call: _Call, headers: Mapping[str, str], attempts: int) -> Flow[T]:
        key = checked_api_key((yield from read_key()))
        sent = HttpRequest(
            method=request.method,
            url=self._base_url + request.path + (f"?{urlencode(request.query)}" if request.query else ""),
            headers={**headers, "Authorization": f"Bearer {key}"},
            content=None if request.body is None else to_json(request.body),
        )
        while (wait := self._pacer.begin()) > 0:
            yield Sleep(wait)
        response: HttpResponse | None = None
        try:
            response = yield from attempt(
                sent, self._timeout if call.timeout is None else checked_timeout(call.timeout)
            )
        finally:
            self._pacer.ended(response.headers if response else None)
        body = None if response.status in (204, 304) else _body_of(response)
        if call.on_response:
            call.on_response(_info_of(response, attempts))
        return cast(T, body)

    def _headers(self, request: Request[Any], call: _Call) -> dict[str, str]:
        headers = {"Accept": "application/json", "User-Agent": self._user_agent, **request.headers}
        if request.body is not None:
            headers["Content-Type"] = "application/json"
        if request.method == "POST":
            headers["Idempotency-Key"] = str(uuid.uuid4()) if call.idempotency_key is None else call.idempotency_key
        if call.request_id is not None:
            headers["X-Request-Id"] = call.request_id
        return {name: checked_header(name, value) for name, value in headers.items()}


def _is_done(request: Request[Any], error: ShopscopeError) -> bool:
    """An earlier attempt, whose response did not arrive, has deleted it."""
    return request.method == "DELETE" and isinstance(error, ApiError) and error.status == 404


def _body_of(response: HttpResponse) -> object:
    """The parsed body. Raises ApiError."""
    if response.status == 200 and response.headers.get("Content-Type", "").startswith(_TEXTS):
        return response.content.decode()
    try:
        body = json.loads(response.content)
        is_json = True
    except (ValueError, RecursionError):
        body, is_json = None, False
    if is_json and 200 <= response.status < 300:
        return body
    found = body.get("error") if isinstance(body, dict) else None
    error: dict[str, Any] = found if isinstance(found, dict) else {}
    raise ApiError(
        error.get("message") or "the response is not one of the API",
        code=error.get("code") or "unexpected_response",
        status=response.status,
        request_id=error.get("request_id") or response.headers.get("X-Request-Id", ""),
        retry_after=retry_after_of(response.headers),
        reset_at=error.get("reset_at"),
        unit=error.get("unit"),
    )


def _info_of(response: HttpResponse, attempts: int) -> ResponseInfo:
    return ResponseInfo(
        status=response.status,
        request_id=response.headers.get("X-Request-Id", ""),
        attempts=attempts,
        replayed=response.headers.get("Idempotent-Replayed") == "true",
        usage_remaining=whole_number(response.headers, "X-Usage-Remaining"),
        headers=response.headers,
    )


def checked_base_url(base_url: str) -> str:
    """The address without its last slashes and without /v1, which the API's own document publishes with it."""
    base_url = base_url.strip()
    try:
        url = httpx.URL(base_url)
    except httpx.InvalidURL:
        url = httpx.URL("")
    if url.scheme not in ("http", "https") or not url.host:
        raise ValueError(f"base_url must be an http(s) URL, not {base_url!r}")
    if "?" in base_url or "#" in base_url:
        raise ValueError(f"base_url must have no query string and no fragment, not {base_url!r}")
    return re.sub(r"(?:/v1(?=/|$)|/)+$", "", base_url)


def checked_timeout(timeout: float) -> float:
    if not timeout > 0:
        raise ValueError(f"a time limit must be above 0 seconds, not {timeout!r}")
    return timeout

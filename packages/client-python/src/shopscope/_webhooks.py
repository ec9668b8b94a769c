from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol, cast

from ._compat import NotRequired, TypedDict
from .errors import WebhookVerificationError
from .types import Environment, EventTypeName

_TOLERANCE_SECONDS = 5 * 60
_MIN_KEY_BYTES = 24
_MAX_SIGNATURES = 16
"""A webhook has at most two. The bound keeps the work for a forged header small."""


class WebhookEvent(TypedDict):
    """What a webhook says. A later release may add types and members."""

    id: str
    """The id of the event, from the header webhook-id. Retries and replays have the same one: handle each id once."""
    type: EventTypeName | str
    timestamp: str
    """When the event was made (ISO 8601)"""
    data: dict[str, Any]
    sequence: NotRequired[int]
    """The place in the sequence of the workspace. A test send has none."""
    environment: Environment | str
    test: NotRequired[bool]
    """True in a test send"""


class _HasItems(Protocol):
    def items(self) -> Iterable[tuple[Any, Any]]: ...


WebhookHeaders = _HasItems | Iterable[tuple[str | bytes, str | bytes]]
"""The headers of a request, of any framework: a mapping, pairs, or the environ of WSGI. Names may have any case."""


def verify_webhook(
    headers: WebhookHeaders,
    body: str | bytes,
    secrets: str | Sequence[str],
    *,
    now: Callable[[], float] = time.time,
) -> WebhookEvent:
    """Returns the event of a webhook, if a signature of one of the secrets matches and the timestamp is at most 5
    minutes from now. Raises WebhookVerificationError.

    `body`: the bytes that arrived, before any parser. `now`: the time in seconds since 1970.
    """
    if not isinstance(body, str | bytes | bytearray | memoryview):
        raise TypeError("body must be the raw body, as str or bytes: take it before a parser of JSON does")
    raw = body.encode() if isinstance(body, str) else bytes(body)
    keys = _keys_of(secrets)
    pairs = list(headers.items() if hasattr(headers, "items") else headers)
    webhook_id = _single_header(pairs, "webhook-id")
    timestamp = _single_header(pairs, "webhook-timestamp")
    signatures = _signatures_in(_values_of(pairs, "webhook-signature"))
    _require_timely(timestamp, now())
    content = f"{webhook_id}.{timestamp}.".encode() + raw
    for key in keys:
        expected = hmac.new(key, content, hashlib.sha256).digest()
        if any(hmac.compare_digest(expected, signature) for signature in signatures):
            return _event_of(webhook_id, raw)
    raise WebhookVerificationError("no signature of the webhook is that of a secret", "no_matching_signature")


def _keys_of(secrets: str | Sequence[str]) -> list[bytes]:
    each = [secrets] if isinstance(secrets, str) else list(secrets)
    if not each:
        raise _malformed_secret("is missing")
    return [_key_of(secret) for secret in each]


def _key_of(secret: str) -> bytes:
    """The messages never show the secret."""
    found = re.fullmatch(r"whsec_([A-Za-z0-9+/]+={0,2})", secret)
    if found is None:
        raise _malformed_secret("is not whsec_ and base64")
    key = _from_base64(found[1])
    if len(key) < _MIN_KEY_BYTES:
        raise _malformed_secret(f"has less than {_MIN_KEY_BYTES} bytes")
    return key


def _malformed_secret(problem: str) -> WebhookVerificationError:
    return WebhookVerificationError(f"a secret of the webhook {problem}", "malformed_secret")


def _from_base64(text: str) -> bytes:
    """No bytes, if the text is not base64. Padding may be missing."""
    try:
        return base64.b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4), validate=True)
    except (binascii.Error, ValueError):
        return b""


def _values_of(pairs: Sequence[tuple[Any, Any]], name: str) -> list[str]:
    names = (name, "http_" + name.replace("-", "_"))
    values = [text for key, value in pairs if _text(key).lower() in names for text in _texts(value)]
    if not any(values):
        raise WebhookVerificationError(f"the webhook has no header {name}", "missing_header")
    return values


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str | bytes):
        yield _text(value)
    elif value is not None:
        yield from (_text(each) for each in value)


def _text(value: Any) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def _single_header(pairs: Sequence[tuple[Any, Any]], name: str) -> str:
    value, *others = _values_of(pairs, name)
    if others:
        raise WebhookVerificationError(f"the webhook has several headers {name}", "malformed_header")
    return value


def _signatures_in(values: Sequence[str]) -> list[bytes]:
    """Those of version 1, from one list or several. Servers join repeated headers with commas."""
    each = [signature for value in values for signature in re.split(r",?\s+", value)]
    encoded = [signature[len("v1,") :] for signature in each if signature.startswith("v1,")]
    return [_from_base64(text) for text in encoded[:_MAX_SIGNATURES]]


def _require_timely(timestamp: str, now_seconds: float) -> None:
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        raise WebhookVerificationError("the timestamp of the webhook is not whole seconds", "malformed_header")
    age_seconds = int(now_seconds) - int(timestamp)
    if age_seconds > _TOLERANCE_SECONDS:
        raise WebhookVerificationError("the webhook is more than 5 minutes old", "timestamp_too_old")
    if age_seconds < -_TOLERANCE_SECONDS:
        raise WebhookVerificationError("the webhook is more than 5 minutes in the future", "timestamp_too_new")


def _event_of(webhook_id: str, raw: bytes) -> WebhookEvent:
    try:
        event = json.loads(raw.decode())
    except ValueError:
        event = None
    if not isinstance(event, dict):
        raise WebhookVerificationError("the body of the webhook is not an object of JSON", "malformed_body")
    return cast(WebhookEvent, {**event, "id": webhook_id})

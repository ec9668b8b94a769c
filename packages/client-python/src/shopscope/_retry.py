from __future__ import annotations

from .errors import ApiError, ShopscopeError, TransportError

_MAX_RETRY_AFTER = 65.0
"""Above this, the error is raised at once: the caller decides whether to wait so long. A minute of the rate limit is
below it."""
_FIRST_BACKOFF = 0.5
_MAX_BACKOFF = 8.0
_INTERNAL_ERROR_PAUSE = 2.0
"""The contract: "retry once after a few seconds"."""


def pause_before_retry(error: ShopscopeError, *, attempts: int, max_retries: int, chance: float) -> float | None:
    """The pause before the next attempt in seconds; None when the error is final.

    - No response, or a response of a proxy that failed -> exponential backoff with full jitter.
    - 429, 503 -> Retry-After, and a little more, so that clients do not return at the same instant.
    - 500 -> one further attempt.
    - Every other answer is final.

    Only for requests that may be repeated: GET, PATCH, DELETE, and POST with an Idempotency-Key.

    `attempts`: attempts so far, from 1. `chance`: at least 0, less than 1.
    """
    if attempts > max_retries:
        return None
    backoff = chance * min(_MAX_BACKOFF, _FIRST_BACKOFF * 2.0 ** (attempts - 1))
    if isinstance(error, TransportError):
        return backoff
    if not isinstance(error, ApiError):
        return None
    if error.status in (429, 503):
        if error.retry_after is None:
            return backoff
        return error.retry_after + chance * _FIRST_BACKOFF if error.retry_after <= _MAX_RETRY_AFTER else None
    if error.status == 500:
        return _INTERNAL_ERROR_PAUSE + backoff if attempts == 1 else None
    return backoff if error.status in (502, 504) else None

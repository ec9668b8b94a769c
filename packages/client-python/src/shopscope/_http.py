from __future__ import annotations

import httpx

from ._flow import Attempt
from .errors import AttemptTimeoutError, TransportError


def transport_error(error: httpx.RequestError, attempt: Attempt) -> TransportError:
    if isinstance(error, httpx.TimeoutException):
        return attempt_timed_out(attempt)
    return TransportError(f"no complete response: {error or type(error).__name__}")


def attempt_timed_out(attempt: Attempt) -> AttemptTimeoutError:
    return AttemptTimeoutError(f"no complete response within {attempt.timeout} seconds")

"""Errors of this package. Wrong arguments raise ValueError or TypeError instead."""

from __future__ import annotations

from typing import Literal

from .types import BillingUnit, ErrorCode

ApiErrorCode = ErrorCode | Literal["unexpected_response"] | str
"""A later release may add codes."""


class ShopscopeError(Exception):
    """Every error of the service and of the way to it."""


class ApiError(ShopscopeError):
    """The service answered with an error."""

    message: str
    code: ApiErrorCode
    """`unexpected_response`: the response is not one of the API, for example an error page of a proxy."""
    status: int
    request_id: str
    """Quote it when you report a fault. Empty when the response has none."""
    retry_after: float | None
    """Seconds, from the header Retry-After."""
    reset_at: str | None
    """With `payment_required`: the end of the period (ISO 8601)."""
    unit: BillingUnit | str | None
    """With `payment_required`: the unit of which too few are left."""

    def __init__(
        self,
        message: str,
        *,
        code: ApiErrorCode = "unexpected_response",
        status: int = 0,
        request_id: str = "",
        retry_after: float | None = None,
        reset_at: str | None = None,
        unit: BillingUnit | str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.status = status
        self.request_id = request_id
        self.retry_after = retry_after
        self.reset_at = reset_at
        self.unit = unit

    def __str__(self) -> str:
        return f"{self.message} (code {self.code}, status {self.status}, request {self.request_id or 'unknown'})"


class TransportError(ShopscopeError):
    """No complete response arrived: the connection was refused or cut, or the response was cut.

    The service may have carried out the request. `__cause__` is the error of httpx.
    """


class AttemptTimeoutError(TransportError):
    """No complete response arrived within the time limit of one attempt."""


class JobTimeoutError(ShopscopeError):
    """A job had not ended when the time limit of `wait_for_job` passed. The job goes on."""


WebhookVerificationReason = Literal[
    "missing_header",
    "malformed_header",
    "timestamp_too_old",
    "timestamp_too_new",
    "no_matching_signature",
    "malformed_secret",
    "malformed_body",
]
"""Why a webhook is refused. This set is closed.

- `malformed_header`: the timestamp is not whole seconds, or the request has several ids or timestamps.
- `malformed_secret`: the fault is in the caller's settings, not in the request.
- `malformed_body`: a signature matches, and the body is not an object of JSON.
"""


class WebhookVerificationError(ShopscopeError):
    """A webhook is not from the service, was sent too long ago, or cannot be checked."""

    reason: WebhookVerificationReason

    def __init__(self, message: str, reason: WebhookVerificationReason) -> None:
        super().__init__(message)
        self.reason = reason

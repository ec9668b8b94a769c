from __future__ import annotations

import math
import threading
from collections.abc import Callable

import httpx

from ._headers import whole_number

_MAX_WINDOW = 60.0


class RatePacer:
    """Holds requests back when the minute of the rate limit is spent, so that they wait here and are not refused.

    - The window is known from the headers of the latest response. Requests in flight count as spent.
    - Other programs that use the same key spend of the same window: then the service answers 429, and `refused` closes
      the window until Retry-After.
    - Bound: a request waits one window at a time, at most a minute each.
    - Threads may share a pacer.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._lock = threading.Lock()
        self._limit = math.inf
        self._left = math.inf
        self._resets_at = -math.inf
        self._in_flight = 0

    def begin(self) -> float:
        """0: a request may be sent; call `ended` after it. Otherwise the seconds after which to call again."""
        with self._lock:
            wait = self._resets_at - self._now()
            if wait <= 0:
                self._left = self._limit - self._in_flight
            elif self._left <= 0:
                return wait
            self._left -= 1
            self._in_flight += 1
            return 0

    def ended(self, headers: httpx.Headers | None) -> None:
        with self._lock:
            self._in_flight -= 1
            limit, left, reset = (
                whole_number(headers, f"X-RateLimit-{name}") for name in ("Limit", "Remaining", "Reset")
            )
            if not limit or left is None or reset is None:
                return
            self._limit = limit
            self._left = left - self._in_flight
            self._resets_at = self._now() + min(reset, _MAX_WINDOW)

    def refused(self, retry_after: float) -> None:
        """The service refused a request for its rate."""
        with self._lock:
            self._left = 0
            self._resets_at = self._now() + min(retry_after, _MAX_WINDOW)

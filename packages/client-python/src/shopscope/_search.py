from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Any, cast

from . import _operations
from ._flow import Flow
from ._session import Session
from .errors import ShopscopeError
from .types import StorePage, StoreRow


class StoreSearch:
    """The pages of one search, from a cursor on. An iteration reads a page and takes its rows."""

    def __init__(
        self,
        session: Session,
        *,
        where: Mapping[str, Any],
        order: Mapping[str, object],
        limit: int,
        max_units: Mapping[str, int] | None,
        cursor: str | None,
    ) -> None:
        self._session = session
        self._request = {"where": where, **{name: value for name, value in order.items() if value is not None}}
        self._limit = limit
        self._left = None if max_units is None else dict(max_units)
        self._reads_history = bool(where.get("dropped")) or "moved" in where
        self._cursor = cursor
        self.rows: deque[StoreRow] = deque()
        """Those of the page that were not taken yet."""
        self.has_ended = self._next_limit() < 1

    def read(self) -> Flow[StorePage]:
        request = {
            **self._request,
            "limit": self._next_limit(),
            "cursor": self._cursor,
            **({} if self._left is None else {"max_units": dict(self._left)}),
        }
        page = yield from self._session.send(_operations.search_stores(cast(Any, request)))
        self.rows.extend(page["data"])
        for unit in self._left or {}:
            cast(Any, self._left)[unit] -= cast(Any, page["billed"])[unit]
        cursor = page["next_cursor"]
        if cursor is not None and cursor == self._cursor:
            raise ShopscopeError("the service repeated a cursor")
        self._cursor = cursor
        self.has_ended = cursor is None or self._next_limit() < 1
        return page

    def _next_limit(self) -> int:
        """The rows that the units allow for the next page."""
        left = self._left or {}
        if self._reads_history and left.get("history_query", 1) < 1:
            return 0
        return min(self._limit, left.get("lookup_cached", self._limit))

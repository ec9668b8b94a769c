from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

from . import _operations
from ._flow import Flow, Sleep
from ._session import Session
from .types import Event, EventPage

_PAGE_LIMIT = 200
_WAIT_SECONDS = 8
_TIMEOUT = 15.0
"""Longer than the wait, whatever the time limit of the client is."""
_MIN_INTERVAL = 1.0
"""Between the requests of a follower: a wait may end early, and events that come one by one are read together."""


class EventFeed:
    """The pages of the events of a workspace, from a cursor on. An iteration reads a page, takes its events, and moves
    on."""

    def __init__(
        self,
        session: Session,
        *,
        after: str | None,
        types: Sequence[str] | None,
        watchlist_id: str | None,
        follow: bool,
    ) -> None:
        if isinstance(types, str):
            raise TypeError("types must be a list of types, not one text")
        self._session = session
        self._query = {"limit": _PAGE_LIMIT, "types": types or None, "watchlist_id": watchlist_id}
        self._follow = follow
        self._page: EventPage | None = None
        self.events: deque[Event] = deque()
        """Those of the page that were not taken yet."""
        self.cursor = after
        self.has_ended = False

    def read(self) -> Flow[None]:
        self._started = self._session.platform.now()
        waiting: dict[str, Any] = {"wait": _WAIT_SECONDS, "timeout": _TIMEOUT} if self._follow else {}
        options: Any = {**self._query, "after": self.cursor, **waiting}
        listing = _operations.list_events(options)
        self._page = yield from self._session.send(listing.page(None), listing.options)
        self.events.extend(self._page["data"])

    def move_on(self) -> str | None:
        """The cursor behind the page, if it differs from the one before."""
        assert self._page is not None
        cursor = self._page["next_cursor"]
        if cursor is None or cursor == self.cursor:
            return None
        self.cursor = cursor
        return cursor

    def pause(self) -> Flow[None]:
        """Ends the feed unless there are more events now or later."""
        assert self._page is not None
        if self._page["has_more"]:
            return
        if not self._follow:
            self.has_ended = True
            return
        yield Sleep(max(0.0, self._started + _MIN_INTERVAL - self._session.platform.now()))
